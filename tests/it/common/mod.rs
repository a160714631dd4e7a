//! The program in a home directory of its own.
pub mod files;
#[allow(dead_code, reason = "a benchmark uses it too")]
pub mod lda;
mod messages;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;
use topoi_core::npy::{Number, header};

pub use messages::Messages;

/// How long a condition may take to come true.
const PATIENCE: Duration = Duration::from_secs(60);

/// A temporary home with a store in it.
pub struct Home {
    directory: tempfile::TempDir,
    messages: Messages,
}

impl Home {
    /// An empty home.
    pub fn new() -> Self {
        Self { directory: tempfile::tempdir().expect("tempdir"), messages: Messages::default() }
    }

    /// A home whose store has the sample documents as corpus "subjects".
    pub fn with_subjects() -> Self {
        let home = Self::new();
        let file =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_corpora/eight_subjects.jsonl");
        home.succeeds(&["ingest", "subjects", &file.to_string_lossy()]);
        home
    }

    /// Writes vectors of 16 dimensions of the documents of `subjects`, in their order and near each other by subject.
    pub fn subject_vectors(&self, name: &str) -> String {
        let lines = include_str!("../../../sample_corpora/eight_subjects.jsonl");
        let mut subjects: Vec<String> = Vec::new();
        let mut numbers: Vec<f32> = Vec::new();
        for (row, line) in lines.lines().enumerate() {
            let document: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let subject = document["subject"].as_str().expect("a subject").to_string();
            let at = subjects.iter().position(|known| *known == subject).unwrap_or_else(|| {
                subjects.push(subject);
                subjects.len() - 1
            });
            let noise = |column: usize| 0.1 * ((row * 7 + column * 13) as f32).sin();
            numbers.extend((0..16).map(|column| f32::from(column == at) + noise(column)));
        }
        let shape = [numbers.len() as u64 / 16, 16];
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
        let array: Vec<u8> = header(Number::F32, shape).into_iter().chain(bytes).collect();
        self.file(name, &array)
    }

    /// Runs `rp` on a made corpus of three topics whose words have tokens enough to count topics by.
    pub fn counts_topics(&self) {
        let into = self.path("separable").to_string_lossy().into_owned();
        let sizes = ["--documents", "2000", "--words", "100", "-k", "3", "--tokens", "100"];
        let made = ["synth", "separable", "--into", &into, "--name", "s", "--seed", "1"];
        self.succeeds(&[&made[..], &sizes].concat());
        self.succeeds(&["ingest", "separable", &format!("{into}/docword.s.txt")]);
        self.succeeds(&["run", "separable", "-k", "3", "--model", "rp"]);
    }

    /// The program's file.
    pub fn program() -> PathBuf {
        assert_cmd::cargo::cargo_bin!("topoi").to_path_buf()
    }

    /// A path in the home.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Writes a file in the home and returns its path.
    pub fn file(&self, name: &str, content: &[u8]) -> String {
        let path = self.path(name);
        std::fs::write(&path, content).expect("write");
        path.to_string_lossy().into_owned()
    }

    /// The store's file.
    pub fn store(&self) -> PathBuf {
        self.path("data/topoi/topoi.db")
    }

    fn settle(&self, command: &mut Command) {
        command
            .env("HOME", self.directory.path())
            .env("XDG_DATA_HOME", self.path("data"))
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("TOPOI_STORE")
            .env_remove("TOPOI_OUTPUT")
            .env_remove("TOPOI_QUIET")
            .env_remove("TOPOI_LOG")
            .stdin(std::process::Stdio::null());
    }

    /// The program with arguments, not started yet.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(Self::program());
        self.settle(command.args(arguments));
        command
    }

    /// A shell script in the same home.
    pub fn shell(&self, script: &str) -> Output {
        let mut command = Command::new("sh");
        self.settle(command.args(["-c", script]));
        command.output().expect("sh")
    }

    /// Runs the program, which must succeed; returns what it printed.
    pub fn succeeds(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments).output().expect("run");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {error}");
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// Runs the program, which must succeed; returns what it said on standard error.
    pub fn said(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments).output().expect("run");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{arguments:?}: {error}");
        error
    }

    /// Runs the program, which must succeed, and parses what it printed.
    pub fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.succeeds(arguments)).expect("JSON")
    }

    /// Runs the program, which must fail with exit code 1 and one line, kept in the snapshot of the test. Returns it.
    pub fn fails(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments).output().expect("run");
        let error = check_failure(&output, "");
        self.keeps(&format!("$ topoi {}\n{error}", arguments.join(" ")));
        error
    }

    /// Adds a message to the snapshot of the test: see [`Messages`].
    pub fn keeps(&self, message: &str) {
        self.messages.keeps(&message.replace(&*self.directory.path().to_string_lossy(), "~"));
    }

    /// Waits until a query gives a row and returns its first cell.
    pub fn wait_for(&self, query: &str) -> String {
        let mut cell = None;
        self.wait_until(query, || {
            let text = self.succeeds(&["sql", query, "-o", "csv"]);
            cell = text.lines().nth(1).map(str::to_string);
            cell.is_some()
        });
        cell.expect("a row")
    }

    /// Waits until a condition holds.
    pub fn wait_until(&self, what: &str, mut holds: impl FnMut() -> bool) {
        let begun = Instant::now();
        while !holds() {
            assert!(begun.elapsed() < PATIENCE, "waited in vain for: {what}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Every row of every table, as text.
    pub fn dump(&self) -> String {
        if !self.store().exists() {
            return String::new();
        }
        let tables = self.succeeds(&[
            "sql",
            "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
            "-o",
            "csv",
        ]);
        let rows = tables.lines().skip(1).map(|table| {
            self.succeeds(&["sql", &format!("SELECT * FROM \"{table}\""), "-o", "csv"])
        });
        rows.collect()
    }
}

/// Asserts that a list was cut off by an error: exit code 1 and one line that holds `words`. Returns what was printed.
#[allow(dead_code, reason = "a benchmark uses the file too")]
pub fn check_cut_off(output: &Output, words: &str) -> String {
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.starts_with("error: ") && error.contains(words), "{error}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Asserts exit code 1, nothing printed, and exactly one line on standard error that starts as errors do and holds
/// `words`. Returns the line.
pub fn check_failure(output: &Output, words: &str) -> String {
    check_cut_off(output, words);
    assert!(output.stdout.is_empty(), "a failure prints no result");
    String::from_utf8_lossy(&output.stderr).into_owned()
}
