//! A corpus in parts, as `mpirun` starts them: the program with the feature `mpi`, real processes.
//!
//! Needs Open MPI; `.ci/features` installs it in CI.
#![cfg(feature = "mpi")]

mod page;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use rustix::process::Signal;

/// Stages of an `lr-jsmf` run in which a part is killed: those that last for long enough to be seen.
const STAGES: [&str; 4] = ["factorise", "rectify", "documents", "measure"];
/// Further moments, as shares of the run's time: they fall into the short stages as it comes.
const MOMENTS: [f64; 3] = [0.5, 0.8, 0.95];
/// How soon a run must be seen to be interrupted once a part has died.
const SEEN_WITHIN: Duration = Duration::from_secs(10);

/// Containers run tests as root, and do not let processes copy each other's memory.
const OPEN_MPI: [(&str, &str); 3] = [
    ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
    ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
    ("OMPI_MCA_btl_vader_single_copy_mechanism", "none"),
];

struct Place {
    directory: tempfile::TempDir,
}

impl Place {
    /// A store with a made corpus called c, and another one before it, so that ids are not the documents' numbers.
    fn new(documents: u32, words: u32) -> Self {
        let place = Self { directory: tempfile::tempdir().expect("tempdir") };
        let files = place.path("files");
        let made = place.topoi(&format!(
            "synth lda --documents {documents} --words {words} -k 12 --tokens 60 --beta 0.05 \
             --name c --into {}",
            files.display()
        ));
        assert!(made.status.success(), "{made:?}");
        let before = place.path("before.txt");
        std::fs::write(&before, "one two three\nfour five six\n").expect("written");
        let ingested = place.topoi(&format!("ingest before {} --format lines", before.display()));
        assert!(ingested.status.success(), "{ingested:?}");
        let ingested = place.topoi(&format!("ingest c {}", files.join("docword.c.txt").display()));
        assert!(ingested.status.success(), "{ingested:?}");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn store(&self) -> PathBuf {
        self.path("whole.db")
    }

    fn topoi(&self, arguments: &str) -> Output {
        self.in_store(&self.store(), arguments)
    }

    /// Runs a command on this store; `&` in an argument is a space.
    fn in_store(&self, store: &Path, arguments: &str) -> Output {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("topoi"));
        command.arg("--store").arg(store);
        command.args(arguments.split_whitespace().map(|argument| argument.replace('&', " ")));
        command.output().expect("runs")
    }

    /// Splits the corpus; the pattern of the parts.
    fn shard(&self, parts: usize) -> String {
        let into = self.path(&format!("in-{parts}"));
        let done = self.topoi(&format!("shard c --parts {parts} --into {}", into.display()));
        assert!(done.status.success(), "{done:?}");
        into.join("part-{rank}.db").display().to_string()
    }

    fn mpirun(&self, parts: usize, arguments: &str) -> Command {
        let mut command = Command::new("mpirun");
        command
            .args(["--oversubscribe", "--bind-to", "none", "-n", &parts.to_string()])
            .arg(assert_cmd::cargo::cargo_bin!("topoi"))
            .arg("--store")
            .arg(self.store())
            .args(arguments.split_whitespace())
            .envs(OPEN_MPI);
        command
    }

    /// Runs a model in parts to its end; the run's number.
    fn run(&self, parts: usize, arguments: &str) -> i64 {
        let pattern = self.shard_once(parts);
        let arguments = format!("run c --threads 1 --parts {pattern} {arguments} --output json");
        let done = self.mpirun(parts, &arguments).output().expect("mpirun");
        assert!(done.status.success(), "{done:?}");
        let printed: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
        assert_eq!(printed["status"], "finished");
        printed["run"].as_i64().expect("a number")
    }

    /// Two stores with corpus e, each of which takes its part of these lines of JSON.
    fn fill_apart(&self, lines: &str) {
        let file = self.path("texts.jsonl");
        std::fs::write(&file, lines).expect("written");
        self.ingest_apart(&file);
    }

    fn ingest_apart(&self, file: &Path) {
        for part in 0..2 {
            let store = self.path(&format!("own-{part}.db"));
            let ingest = format!("ingest e {} --part {part}/2", file.display());
            let done = self.in_store(&store, &ingest);
            assert!(done.status.success(), "{done:?}");
        }
    }

    fn shard_once(&self, parts: usize) -> String {
        let into = self.path(&format!("in-{parts}"));
        match into.exists() {
            true => into.join("part-{rank}.db").display().to_string(),
            false => self.shard(parts),
        }
    }

    fn ask<T: rusqlite::types::FromSql>(&self, sql: &str) -> Option<T> {
        let store = Connection::open(self.store()).expect("open");
        store.busy_timeout(Duration::from_secs(20)).expect("timeout");
        store.query_row(sql, [], |row| row.get(0)).ok()
    }

    fn count_in(&self, store: &Path, sql: &str) -> u64 {
        let done = self.in_store(store, &format!("sql --output csv {}", sql.replace(' ', "&")));
        let counted = String::from_utf8_lossy(&done.stdout).lines().nth(1).map(str::parse);
        counted.expect("a row").expect("a count")
    }

    fn hash(&self, run: i64) -> Vec<u8> {
        self.ask(&format!("SELECT result_hash FROM run WHERE id = {run}")).expect("a hash")
    }

    /// The largest difference of a word's probability in two runs; anchors must be the same.
    fn difference(&self, run: i64, other: i64) -> f64 {
        let anchors: i64 = self
            .ask(&format!(
                "SELECT count(*) FROM topic a JOIN topic b USING (topic) WHERE a.run_id = {run} \
                 AND b.run_id = {other} AND a.anchor_term_id IS NOT b.anchor_term_id"
            ))
            .expect("a count");
        assert_eq!(anchors, 0, "anchors of runs {run} and {other}");
        self.ask(&format!(
            "SELECT max(abs(coalesce(a.probability, 0) - coalesce(b.probability, 0))) FROM \
             (SELECT * FROM topic_term WHERE run_id = {run}) a FULL JOIN \
             (SELECT * FROM topic_term WHERE run_id = {other}) b USING (topic, term_id)"
        ))
        .expect("a number")
    }
}

#[test]
fn any_number_of_parts_gives_the_topics_of_the_whole_and_two_four_or_eight_its_bits() {
    // Nine blocks, so that eight parts have whole ones.
    let place = Place::new(4200, 800);
    for model in [
        "lr-jsmf --refine 3 --sweeps 3",
        "palm --sweeps 0",
        "rp --projections 400 --sweeps 0",
        "rp-doc --projections 400 --sweeps 0",
        "binning --sweeps 0",
        "svd",
        "r1d",
        "nmf-kl --iterations 20",
        "nmf-ard --iterations 5",
        "lda-gibbs --iterations 5",
    ] {
        let model = format!("-k 6 --terms 600 --model {model}");
        let done = place.topoi(&format!("run c --threads 1 {model} --output json"));
        assert!(done.status.success(), "{done:?}");
        let whole: i64 = place.ask("SELECT max(id) FROM run").expect("a run");
        let counts: &[usize] = match model {
            _ if model.contains("lr-jsmf") => &[1, 2, 3, 4, 8],
            _ if model.contains("nmf-kl") => &[3, 8],
            _ if model.contains("svd") => &[2, 3],
            _ => &[2],
        };
        for &parts in counts {
            let run = place.run(parts, &format!("{model} --name in-{parts}"));
            let name = place.ask(&format!("SELECT run_name FROM run WHERE id = {run}"));
            assert_eq!(name, Some(format!("in-{parts}")));
            let exchanges = "SELECT value FROM metric WHERE name = 'exchanges' AND run_id = ";
            let exchanges: Option<f64> = place.ask(&format!("{exchanges}{run}"));
            assert!(exchanges.is_some_and(|count| parts == 1 || count > 10.0), "{exchanges:?}");
            let verify = || place.topoi(&format!("verify {run}"));
            if parts.is_power_of_two() {
                assert_eq!(place.hash(run), place.hash(whole), "{model} in {parts} parts");
                assert!(parts != 8 || verify().status.success(), "{:?}", verify());
                continue;
            }
            let verified = verify();
            let said = String::from_utf8_lossy(&verified.stderr);
            assert!(said.contains("start it again with `mpirun -n 3"), "{said}");
            // Sweeps draw by what was rounded otherwise.
            let draws = model.contains("--sweeps 3") || model.contains("lda-gibbs");
            let difference = place.difference(run, whole);
            assert!(draws || difference < 1e-10, "{model} in {parts} parts: {difference:e}");
            let again = place.run(parts, &model);
            assert_eq!(place.hash(run), place.hash(again), "{model}");
        }
    }
}

#[test]
fn bounds_of_parts_are_those_of_the_whole() {
    let place = Place::new(3000, 800);
    let done = place.topoi("bounds c --terms 600 --threads 1");
    assert!(done.status.success(), "{done:?}");
    for parts in [2, 4] {
        let pattern = place.shard_once(parts);
        let arguments = format!("bounds c --terms 600 --threads 1 --parts {pattern}");
        let done = place.mpirun(parts, &arguments).output().expect("mpirun");
        assert!(done.status.success(), "{done:?}");
    }
    let bounds = "SELECT count(*) FROM (SELECT DISTINCT lower, upper, corpus_hash FROM k_bound)";
    assert_eq!(place.ask::<i64>(bounds), Some(1));
    assert_eq!(place.ask::<i64>("SELECT count(*) FROM k_bound"), Some(3));
    let apart: f64 = place
        .ask(
            "SELECT max(abs(a.value - b.value) / a.value) FROM k_bound_sigma a JOIN k_bound_sigma b \
             USING (position) WHERE a.k_bound_id < b.k_bound_id",
        )
        .expect("a number");
    assert!(apart < 1e-10, "{apart:e}");
    // What part 0 finds wrong is said once, and no part waits.
    let refused = place.mpirun(2, "bounds other --parts /tmp/{rank}").output().expect("mpirun");
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && said.contains("no corpus is called"), "{said}");
}

#[test]
fn a_job_unites_parts_that_were_filled_apart() {
    let place = Place::new(600, 200);
    let text = place.path("files").join("docword.c.txt");
    for part in 0..2 {
        let store = place.path(&format!("own-{part}.db"));
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("topoi"));
        command.arg("--store").arg(store).args(["ingest", "d"]).arg(&text);
        assert!(command.output().expect("runs").status.success());
    }
    let pattern = place.path("own-{rank}.db");
    let arguments = format!("unify --corpus d --parts {}", pattern.display());
    let done = place.mpirun(2, &arguments).output().expect("mpirun");
    assert!(done.status.success(), "{done:?}");
    let documents = "SELECT documents FROM corpus WHERE name = 'd'";
    assert_eq!(place.ask::<i64>(documents), Some(1200));
    let arguments = format!("run d -k 4 --threads 1 --parts {}", pattern.display());
    let done = place.mpirun(2, &arguments).output().expect("mpirun");
    assert!(done.status.success(), "{done:?}");
    // Part 0 cannot write; the other does not wait for it.
    std::fs::write(place.store(), "no store").expect("written");
    let arguments = format!("unify --corpus d --parts {}", pattern.display());
    let refused = place.mpirun(2, &arguments).output().expect("mpirun");
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && said.matches("error: ").count() == 1, "{said}");
    assert!(said.contains("whole.db"), "{said}");
}

/// A letter of two of four topics, as a line of JSON.
fn letter(number: usize) -> String {
    let words = ["sea ship sail", "bread oven flour", "law court judge", "snow frost ice"];
    let (topic, other) = (number % 4, number / 3 % 4);
    let text = [words[topic], words[topic], words[other]].join(" ");
    let year = 1990 + 10 * (number / 2 % 2);
    format!("{{\"id\": \"{number}\", \"text\": \"{text}\", \"year\": {year}}}\n")
}

#[test]
fn documents_that_parts_alone_have_are_asked_where_they_are() {
    let place = Place::new(300, 100);
    place.fill_apart(&(0..140).map(letter).collect::<String>());
    let pattern = place.path("own-{rank}.db").display().to_string();
    let job = |arguments: &str| {
        place.mpirun(2, &format!("{arguments} --parts {pattern}")).output().expect("mpirun")
    };
    let said = |done: &Output| String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(job("unify --corpus e").status.success());
    let done = job("run e -k 4 --threads 1 --name letters");
    assert!(done.status.success(), "{done:?}");
    let run: i64 = place.ask("SELECT max(id) FROM run").expect("a run");

    let refused = place.topoi(&format!("by {run} year"));
    let remedy = format!("`mpirun -n 2 topoi by {run} FIELD --parts PATTERN`");
    assert!(!refused.status.success() && said(&refused).contains(&remedy), "{refused:?}");
    let done = job(&format!("by {run} year --output json"));
    assert!(done.status.success(), "{done:?}");
    let by: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
    let shares = by["shares"].as_array().expect("shares");
    let of = |topic: u64| shares.iter().filter(move |row| row["topic"] == topic);
    let documents: u64 = of(0).map(|row| row["documents"].as_u64().expect("a count")).sum();
    assert_eq!((by["groups"].as_u64(), documents), (Some(2), 140));

    let done = job(&format!("infer {run} --corpus e --output json"));
    assert!(done.status.success(), "{done:?}");
    let inferred: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
    for row in inferred.as_array().expect("topics") {
        // The corpus that the run was made of has the shares of the run.
        let [here, there] = ["here", "there"].map(|name| row[name].as_f64().expect("a share"));
        assert!((here - there).abs() < 1e-6, "{row}");
    }

    // Each part has the run by its name, and what is said of a document is said there.
    let mut with_topics = 0;
    for part in 0..2 {
        let store = place.path(&format!("own-{part}.db"));
        with_topics += place.count_in(&store, "SELECT count(*) FROM document_top_topic");
        for command in ["topics letters", "by letters year", "check", "assign letters"] {
            let done = place.in_store(&store, command);
            assert!(done.status.success(), "{command}: {done:?}");
        }
        let refused = place.in_store(&store, "update letters");
        assert!(!refused.status.success(), "{refused:?}");
        assert!(said(&refused).contains("of which this store has one; `mpirun"), "{refused:?}");
    }
    assert_eq!(with_topics, 140);
    assert!(place.topoi("check").status.success());

    // What is wrong is said once.
    let store = place.path("own-1.db");
    assert!(place.in_store(&store, "delete 1 --yes").status.success());
    for (command, expected) in [
        (format!("by {run} year"), "does not have run 1 of the whole"),
        (format!("by {run} month"), "does not have run 1 of the whole"),
        ("by 99 year".into(), "there is no run 99"),
        (format!("infer {run} --corpus f"), "does not have run 1 of the whole"),
    ] {
        let refused = job(&command);
        let said = said(&refused);
        assert!(!refused.status.success() && said.contains(expected), "{command}: {said}");
        assert_eq!(said.matches("error: ").count(), 1, "{command}: {said}");
    }
    // The store itself has the documents of a sharded corpus.
    let here = place.run(2, "-k 3");
    let pattern = place.shard_once(2);
    let refused =
        place.mpirun(2, &format!("by {here} year --parts {pattern}")).output().expect("mpirun");
    assert!(said(&refused).contains("leave out --parts"), "{refused:?}");
}

#[test]
fn an_update_reads_what_is_new_in_each_part() {
    let place = Place::new(300, 100);
    place.fill_apart(&(0..140).map(letter).collect::<String>());
    let pattern = place.path("own-{rank}.db").display().to_string();
    let job = |arguments: &str| {
        let done =
            place.mpirun(2, &format!("{arguments} --parts {pattern}")).output().expect("mpirun");
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        (done.status.success(), String::from_utf8_lossy(&done.stdout).into_owned(), said)
    };
    assert!(job("unify --corpus e").0);
    assert!(job("run e -k 4 --threads 1 --name letters").0);
    let run: i64 = place.ask("SELECT max(id) FROM run").expect("a run");
    let (_, told, said) = job(&format!("update {run}"));
    assert!(told.contains("has not changed since run"), "{told}{said}");

    // 40 new ones, of a subject of their own, and document 1 with other words.
    let new = |number: usize| letter(number).replace("sea ship sail", "chess pawn king");
    let lines = (1..2).map(|number| letter(number).replace("oven", "cake"));
    place.fill_apart(&lines.chain((140..180).map(new)).collect::<String>());
    let grown = job(&format!("update {run}"));
    assert!(!grown.0 && grown.2.contains("unify"), "{grown:?}");
    assert_eq!(grown.2.matches("error: ").count(), 1, "{grown:?}");
    assert!(job("unify --corpus e").0);
    let (is_done, told, said) = job(&format!("update {run} --output json"));
    assert!(is_done, "{told}{said}");
    let expected = format!("run {} read 40 new documents and 140 again, took out 0", run + 1);
    assert!(said.contains(&expected), "{said}");
    let printed: serde_json::Value = serde_json::from_str(&told).expect("JSON");
    let update = printed["run"].as_i64().expect("a number");
    let rising: Vec<&str> = printed["changes"]["news"]["rising_words"]
        .as_array()
        .expect("rising words")
        .iter()
        .map(|row| row["word"].as_str().expect("a word"))
        .collect();
    assert!(["chess", "pawn", "king"].iter().all(|word| rising.contains(word)), "{printed}");
    // Documents are in the parts, each with its topics once.
    let mut with_topics = 0;
    for part in 0..2 {
        let store = place.path(&format!("own-{part}.db"));
        let of_newest = "run_id = (SELECT max(id) FROM run)";
        let sql = format!("SELECT count(*) FROM document_top_topic WHERE {of_newest}");
        with_topics += place.count_in(&store, &sql);
        assert!(place.in_store(&store, "check").status.success());
    }
    assert_eq!(with_topics, 180);
    assert!(place.topoi("check").status.success());
    // The run before is no longer the newest.
    let (is_done, _, said) = job(&format!("update {run}"));
    assert!(!is_done && said.contains(&format!("`topoi update {update}`")), "{said}");
}

#[test]
fn a_part_whose_disk_is_full_is_named_and_the_run_goes_on_when_there_is_room() {
    let place = Place::new(300, 100);
    place.ingest_apart(&place.path("files/docword.c.txt"));
    let parts = format!("--parts {}", place.path("own-{rank}.db").display());
    let job = |arguments: &str| place.mpirun(2, arguments).output().expect("mpirun");
    assert!(job(&format!("unify --corpus e {parts}")).status.success());

    let arguments = format!("run e -k 4 --threads 1 --name full {parts}");
    let mut full = place.mpirun(1, &arguments);
    // Of the other part no file may grow beyond 32 KB. Messages through shared memory would be such a file.
    let program = assert_cmd::cargo::cargo_bin!("topoi").display().to_string();
    let command = format!("{program} --store {} {arguments}", place.store().display());
    let limited = format!("trap '' XFSZ; ulimit -f 64; exec {command}");
    full.args([":", "-n", "1", "sh", "-c", &limited]).env("OMPI_MCA_btl", "self,tcp");
    let failed = full.output().expect("mpirun");
    let said = String::from_utf8_lossy(&failed.stderr).into_owned();
    assert_eq!((failed.status.code(), said.matches("error: ").count()), (Some(1), 1), "{said}");
    assert!(said.contains("part 1: ") && said.contains("own-1.db: no space left"), "{said}");
    assert_eq!(place.ask("SELECT status FROM run"), Some("failed".to_string()));
    let of_part = |part: u64, sql: &str| -> i64 {
        let store = Connection::open(place.path(&format!("own-{part}.db"))).expect("open");
        store.query_row(sql, [], |row| row.get(0)).expect("a count")
    };
    assert_eq!(of_part(1, "SELECT count(*) FROM run"), 0);

    let resumed = job(&format!("resume full {parts}"));
    assert!(resumed.status.success(), "{resumed:?}");
    let with_topics = (0..2).map(|part| {
        assert_eq!(of_part(part, "SELECT count(*) FROM run"), 1);
        of_part(part, "SELECT count(*) FROM document_top_topic")
    });
    assert_eq!(with_topics.sum::<i64>(), 300);
}

/// The processes of a job, without `mpirun`.
fn parts_of(job: &Child) -> Vec<i32> {
    let children = format!("/proc/{0}/task/{0}/children", job.id());
    let children = std::fs::read_to_string(children).unwrap_or_default();
    children.split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

fn has_open(pid: i32, name: &str) -> bool {
    let files = std::fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    files.filter_map(|file| file.path().read_link().ok()).any(|path| path.ends_with(name))
}

fn send(signal: Signal, pid: i32) {
    let pid = rustix::process::Pid::from_raw(pid).expect("a process");
    let _ = rustix::process::kill_process(pid, signal);
}

fn wait_until(what: &str, within: Duration, mut is: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is() {
        assert!(begun.elapsed() < within, "not within {within:?}: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// When a part is killed.
#[derive(Debug, Clone, Copy)]
enum Moment {
    Stage(&'static str),
    After(Duration),
}

impl Moment {
    fn wait(self, place: &Place, run: i64) {
        let stage = match self {
            Self::Stage(stage) => stage,
            Self::After(time) => return std::thread::sleep(time),
        };
        let at = format!(
            "SELECT 1 FROM run_progress JOIN run ON run.id = run_id WHERE run_id = {run} \
             AND stage = '{stage}' AND status = 'running'"
        );
        wait_until(stage, Duration::from_secs(120), || place.ask::<i64>(&at).is_some());
    }
}

/// A job whose parts are stopped in the middle.
struct Stopped<'a> {
    place: &'a Place,
    pattern: &'a str,
    arguments: &'a str,
    /// The hash of the same run, undisturbed.
    expected: &'a [u8],
}

impl Stopped<'_> {
    /// Starts the run in two parts, sends a signal to one of them at a moment, and waits until the run is over; the row
    /// has its status and error. It then continues to the same bits unless it was finished.
    fn run(&self, moment: Moment, part: usize, signal: Signal, options: &str) -> (String, String) {
        let Self { place, pattern, arguments, expected } = *self;
        let command = format!("run c --threads 1 --parts {pattern} {arguments} {options}");
        let mut mpirun = place.mpirun(2, &command);
        let before: i64 = place.ask("SELECT max(id) FROM run").expect("a run");
        let mut job = mpirun.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("mpirun");
        let run = before + 1;
        moment.wait(place, run);
        if let Some(&part) = parts_of(&job).get(part) {
            send(signal, part);
        }
        let is_seen = || {
            let listed = place.topoi("runs --output json");
            let listed: serde_json::Value = serde_json::from_slice(&listed.stdout).expect("JSON");
            let rows = listed.as_array().expect("runs");
            let row = rows.iter().find(|row| row["run"] == run);
            let word = row.map(|row| row["status"].as_str());
            matches!(word.flatten(), Some("interrupted" | "lost" | "finished"))
        };
        wait_until("interrupted", SEEN_WITHIN, is_seen);
        wait_until("ended", SEEN_WITHIN, || !matches!(job.try_wait(), Ok(None)));
        let column = |name: &str| {
            place
                .ask::<Option<String>>(&format!("SELECT {name} FROM run WHERE id = {run}"))
                .flatten()
        };
        let (status, error) =
            (column("status").expect("a status"), column("error").unwrap_or_default());
        if status != "finished" {
            let resumed = format!("resume {run} --parts {pattern}");
            let done = place.mpirun(2, &resumed).output().expect("mpirun");
            assert!(done.status.success(), "{moment:?}: {done:?}");
            assert_eq!(place.hash(run), expected, "{moment:?}");
        }
        (status, error)
    }
}

#[test]
fn a_part_that_is_stopped_interrupts_the_run_which_goes_on_to_the_same_result() {
    let place = Place::new(20_000, 2500);
    // So many iterations that the stage lasts long enough to be seen.
    let arguments = "-k 20 --terms 2000 --iterations 100";
    let begun = Instant::now();
    let expected = place.hash(place.run(2, arguments));
    let usual = begun.elapsed();
    let pattern = place.shard_once(2);
    let stopped = Stopped { place: &place, pattern: &pattern, arguments, expected: &expected };
    let of_stages = STAGES.iter().map(|&stage| Moment::Stage(stage));
    let moments = of_stages.chain(MOMENTS.map(|share| Moment::After(usual.mul_f64(share))));
    for (number, moment) in moments.enumerate() {
        let (status, _) = stopped.run(moment, number % 2, Signal::KILL, "");
        // The last moments can come too late; those of the stages cannot.
        assert!(status != "finished" || matches!(moment, Moment::After(_)), "{moment:?}");
    }
    // A batch system tells a process to stop; one that hangs, as its machine does, is not waited for.
    let at = Moment::Stage("rectify");
    let (status, _) = stopped.run(at, 1, Signal::TERM, "");
    assert_ne!(status, "finished");
    let (status, error) = stopped.run(at, 1, Signal::STOP, "--parts-timeout 2");
    assert!(status == "interrupted" && error.contains("not answered for 2 s"), "{status}: {error}");
    // Bounds have no run to interrupt.
    let bounds = format!("bounds c --threads 1 --parts {pattern} --parts-timeout 2");
    let mut mpirun = place.mpirun(2, &bounds);
    let mut job = mpirun.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("mpirun");
    let second = || parts_of(&job).get(1).copied().filter(|&pid| has_open(pid, "part-1.db"));
    wait_until("at work", Duration::from_secs(60), || second().is_some());
    send(Signal::STOP, second().expect("at work"));
    wait_until("ended", SEEN_WITHIN, || !matches!(job.try_wait(), Ok(None)));
    let ended = job.wait_with_output().expect("mpirun");
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    let expected = "error: part 0: other parts have not answered for 2 s";
    assert!(!ended.status.success() && said.contains(expected), "{said}");
    assert_eq!(place.ask::<i64>("SELECT count(*) FROM k_bound"), Some(0));
}

#[test]
fn parts_that_do_not_fit_are_refused_by_name() {
    let place = Place::new(300, 100);
    let pattern = place.shard_once(2);
    let said = |parts, pattern: &str| {
        let arguments = format!("run c -k 3 --parts {pattern}");
        let done = place.mpirun(parts, &arguments).output().expect("mpirun");
        assert!(!done.status.success());
        String::from_utf8_lossy(&done.stderr).into_owned()
    };
    assert!(said(3, &pattern).contains("use `mpirun -n 2`"));
    std::fs::remove_file(pattern.replace("{rank}", "1")).expect("removed");
    let missing = said(2, &pattern);
    assert!(missing.contains("error: part 1 (") && missing.contains("there is no store here"));
    assert!(place.ask::<i64>("SELECT id FROM run").is_none(), "no run is made");
    assert!(Path::new(&place.store()).exists());
}
