//! The life of a run: interrupted at any moment it goes on to the same result.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::Home;
use serde_json::Value;
use topoi_core::npy::{Number, header};
use topoi_run::life::spawn::{Program, spawn_worker};
use topoi_store::{Access, Store};

/// A home whose store has a corpus "lines" on which a run takes a second or so.
fn with_lines() -> Home {
    let home = Home::new();
    let file = home.file("lines.txt", lines(6000).as_bytes());
    home.succeeds(&["ingest", "lines", &file, "--format", "lines"]);
    home
}

/// So many lines of 40 words, three in four of them of one of eight groups.
fn lines(count: u64) -> String {
    let mut draw = draws(1);
    let mut line = |number: u64| {
        let mut word = || match draw(4) {
            0 => draw(1600),
            _ => number % 8 * 200 + draw(200),
        };
        let words: Vec<String> = (0..40).map(|_| format!("word{}x", word())).collect();
        words.join(" ") + "\n"
    };
    (0..count).map(&mut line).collect()
}

/// Random numbers below a bound, the same for the same seed.
fn draws(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed;
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % below
    }
}

fn run_of<'a>(model: &'a str, iterations: &'a str) -> Vec<&'a str> {
    vec!["run", "lines", "--model", model, "-k", "8", "--iterations", iterations, "-o", "json"]
}

fn result_hash(home: &Home, run: &str) -> String {
    let query = format!("SELECT result_hash FROM run WHERE id = {run}");
    home.wait_for(&query)
}

fn signal(pid: &str, name: &str) {
    let sent = Command::new("kill").args([name, pid]).status().expect("kill");
    assert!(sent.success(), "{name} {pid}");
}

fn worker_of(home: &Home, run: &str) -> String {
    home.wait_for(&format!("SELECT pid FROM run_lease WHERE run_id = {run}"))
}

/// Of a process that was not waited for, be it over or not.
fn process_group(pid: u32) -> u32 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).expect("a process");
    let (_, rest) = stat.rsplit_once(')').expect("its name");
    rest.split_whitespace().nth(2).and_then(|group| group.parse().ok()).expect("its group")
}

#[test]
fn no_terminals_end_reaches_a_worker() {
    let home = with_lines();
    // Before it has done anything: the terminal may close as soon as a run was asked for.
    let path = env!("CARGO_BIN_EXE_topoi").into();
    Program {
        path,
        end: |code| std::process::exit(code.max(1)),
        explain: |error| error.to_string(),
    }
    .set();
    let store = Store::open(&home.store(), Access::Write).expect("open");
    let mut early = spawn_worker(&store).expect("a worker");
    assert_eq!(process_group(early.id()), early.id());
    early.wait().expect("its end");
    // While it works.
    let mut arguments = run_of("nmf-kl", "300");
    arguments.push("--detach");
    home.succeeds(&arguments);
    signal(&worker_of(&home, "1"), "-HUP");
    assert_eq!(status_of(&home, "1"), "finished");
}

fn status_of(home: &Home, run: &str) -> String {
    home.wait_for(&format!(
        "SELECT status FROM run WHERE id = {run} AND status NOT IN ('queued', 'running')"
    ))
}

#[test]
fn a_run_killed_at_random_moments_goes_on_to_the_same_result() {
    let home = with_lines();
    let begun = Instant::now();
    home.succeeds(&run_of("lr-jsmf", "300"));
    let whole = begun.elapsed().as_millis() as u64;
    let metrics = |run: &str| home.succeeds(&["metrics", run, "--topics", "-o", "csv"]);
    let (hash, measures) = (result_hash(&home, "1"), metrics("1"));
    let mut draw = draws(20);
    let (mut moments, mut killed, mut run) = (0, 0, 1);
    while moments < 20 {
        run += 1;
        let number = run.to_string();
        let mut start = [&run_of("lr-jsmf", "300")[..], &["--detach"]].concat();
        let mut is_finished = false;
        while moments < 20 && !is_finished {
            home.succeeds(&start);
            let pid = worker_of(&home, &number);
            moments += 1;
            std::thread::sleep(Duration::from_millis(draw(whole)));
            // It may be done by now; then there is nothing to kill.
            let _ = Command::new("kill").args(["-9", &pid]).output().expect("kill");
            home.wait_until("the run is over", || {
                // This is where the dead are noticed, and marked unless they died while it listed them.
                home.succeeds(&["runs"]);
                let left = "SELECT count(*) FROM run WHERE status IN ('queued', 'running')";
                home.wait_for(left) == "0"
            });
            is_finished = status_of(&home, &number) == "finished";
            killed += u32::from(!is_finished);
            start = vec!["resume", &number, "--detach"];
        }
        if !is_finished {
            home.succeeds(&["resume", &number]);
        }
        assert_eq!(result_hash(&home, &number), hash, "run {number}");
        assert_eq!(metrics(&number), measures, "run {number}");
    }
    assert!(killed >= 5, "only {killed} workers were killed in time");
    let left = home.succeeds(&["sql", "SELECT count(*) FROM run_checkpoint", "-o", "csv"]);
    assert!(left.contains("\n0"), "{left}");
}

#[test]
fn an_update_an_assignment_and_clusters_killed_at_random_moments_come_to_the_same() {
    let home = with_lines();
    home.succeeds(&["run", "lines", "-k", "8"]);
    let more = home.file("more.txt", lines(9000).as_bytes());
    home.succeeds(&["ingest", "lines", &more, "--format", "lines"]);
    let vectors = vectors_of_lines(&home);
    let command = |store: &str, arguments: &[&str]| {
        home.command(&[&["--store", store], arguments].concat()).output().expect("run").stdout
    };
    let copy = |name: String| {
        let path = home.path(&name);
        std::fs::copy(home.store(), &path).expect("copy");
        path.to_string_lossy().into_owned()
    };
    let mut draw = draws(46);
    let import = ["import", &vectors, "--corpus", "lines", "--from", "embeddings", "-k", "8"];
    let commands: [(&[&str], &str); 3] =
        [(&["update", "1"], "2"), (&["assign", "1"], "1"), (&import, "2")];
    for (arguments, run) in commands {
        let saved = |store: &str| {
            let theta = format!(
                "SELECT group_concat(document_id || proportions) FROM (SELECT document_id, proportions \
                 FROM document_proportions WHERE run_id = {run} ORDER BY 1)"
            );
            command(store, &["sql", &theta, "-o", "csv"])
        };
        let whole = copy(format!("{}.db", arguments[0]));
        let begun = Instant::now();
        command(&whole, arguments);
        let (expected, takes) = (saved(&whole), begun.elapsed().as_millis() as u64);
        assert!(expected.len() > 100_000);
        let mut killed = 0;
        for moment in 0..5 {
            let store = copy(format!("{}-{moment}.db", arguments[0]));
            let mut child = home
                .command(&[&["--store", &store], arguments].concat())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("spawned");
            std::thread::sleep(Duration::from_millis(draw(takes)));
            let pid = command(&store, &["sql", "SELECT pid FROM run_lease", "-o", "csv"]);
            let pid = String::from_utf8_lossy(&pid).lines().nth(1).map(str::to_string);
            let mut of_both = vec!["-9".to_string(), child.id().to_string()];
            of_both.extend(pid);
            // They may be done by now; then there is nothing to kill.
            let _ = Command::new("kill").args(&of_both).output().expect("kill");
            child.wait().expect("over");
            command(&store, &["runs"]);
            let is_saved = saved(&store) == expected;
            killed += u32::from(!is_saved);
            if !is_saved {
                command(&store, &["resume", run]);
                command(&store, arguments);
            }
            assert!(saved(&store) == expected, "{} {moment}", arguments[0]);
            let checked = command(&store, &["check"]);
            assert!(String::from_utf8_lossy(&checked).contains("sound"));
        }
        assert!(killed > 0, "{}: nothing was killed in time", arguments[0]);
    }
}

/// An array of vectors of eight dimensions, one for each document of `lines`.
fn vectors_of_lines(home: &Home) -> String {
    let count = home.json(&["corpora", "-o", "json"])[0]["documents"].as_u64().expect("documents");
    let numbers = (0..count * 8).map(|at| ((at * at) as f32).sin());
    let bytes = numbers.flat_map(f32::to_le_bytes);
    let array: Vec<u8> = header(Number::F32, [count, 8]).into_iter().chain(bytes).collect();
    home.file("vectors.npy", &array)
}

#[test]
fn a_resumed_run_does_not_do_its_finished_stages_again() {
    let home = with_lines();
    home.succeeds(&[&run_of("lr-jsmf", "10000")[..], &["--detach"]].concat());
    home.wait_for("SELECT stage FROM run_checkpoint WHERE stage = 'factorise'");
    home.wait_for("SELECT step FROM run_residual WHERE stage = 'rectify'");
    signal(&worker_of(&home, "1"), "-9");
    home.wait_until("interrupted", || home.succeeds(&["runs"]).contains("interrupted"));
    let before = "SELECT seconds, steps, residual FROM run_checkpoint WHERE stage = 'factorise'";
    let factorise = home.wait_for(before);
    assert_eq!(home.wait_for("SELECT coalesce(seconds, 'unknown') FROM run"), "unknown");
    home.succeeds(&["resume", "1", "--detach"]);
    let again = "SELECT seconds, steps, residual FROM run_stage \
                 WHERE name = 'factorise' AND seconds IS NOT NULL";
    assert_eq!(home.wait_for(again), factorise);
    home.succeeds(&["cancel", "1"]);
    assert_eq!(status_of(&home, "1"), "cancelled");
}

#[test]
fn a_run_is_resumed_only_where_it_stopped_and_only_on_the_same_corpus() {
    let home = Home::with_subjects();
    home.fails(&["resume", "1"]);
    home.succeeds(&["run", "subjects", "-k", "8"]);
    home.fails(&["resume", "1"]);
    home.succeeds(&["run", "subjects", "-k", "8", "--iterations", "10000", "--detach"]);
    home.wait_for("SELECT 1 FROM run WHERE id = 2 AND corpus_hash IS NOT NULL");
    home.fails(&["resume", "2"]);
    home.succeeds(&["cancel", "2"]);
    assert_eq!(status_of(&home, "2"), "cancelled");
    let more = home.file("more.jsonl", b"{\"text\": \"planets orbit the bright star at night\"}\n");
    home.succeeds(&["ingest", "subjects", &more]);
    home.fails(&["resume", "2"]);
    assert_eq!(status_of(&home, "2"), "cancelled");
}

#[test]
fn a_worker_that_is_told_to_stop_leaves_a_run_that_goes_on() {
    let home = with_lines();
    home.succeeds(&run_of("enn", "400"));
    home.succeeds(&[&run_of("enn", "400")[..], &["--detach"]].concat());
    home.wait_for("SELECT step FROM run_residual WHERE run_id = 2 AND stage = 'rectify'");
    signal(&worker_of(&home, "2"), "-TERM");
    assert_eq!(status_of(&home, "2"), "interrupted");
    let run: Value = home.json(&["resume", "2", "-o", "json"]);
    assert_eq!(run["status"], "finished");
    assert_eq!(result_hash(&home, "1"), result_hash(&home, "2"));
}

#[test]
fn a_run_whose_matrices_need_many_chunks_goes_on_to_the_same_result() {
    let home = with_lines();
    let chunks = |run: &str, purpose: &str| -> u64 {
        let sql = format!(
            "SELECT count(*) FROM matrix_chunk JOIN matrix ON matrix.id = matrix_id \
             WHERE run_id = {run} AND purpose = '{purpose}'"
        );
        home.wait_for(&sql).parse().expect("a number")
    };
    home.succeeds(&run_of("lr-jsmf", "400"));
    // The basis, and the Y that topics can be shaped by with its column of sums.
    assert_eq!(chunks("1", "basis"), 3);
    let set = "INSERT INTO setting (name, value) VALUES ('matrix_chunk_bytes', 5000)";
    home.succeeds(&["sql", "--write", set]);
    home.succeeds(&[&run_of("lr-jsmf", "400")[..], &["--detach"]].concat());
    home.wait_for("SELECT step FROM run_residual WHERE run_id = 2 AND stage = 'rectify'");
    home.wait_for("SELECT stage FROM run_checkpoint WHERE run_id = 2 AND stage = 'factorise'");
    signal(&worker_of(&home, "2"), "-TERM");
    assert_eq!(status_of(&home, "2"), "interrupted");
    assert!(chunks("2", "checkpoint") > 10);
    home.succeeds(&["resume", "2"]);
    assert_eq!(result_hash(&home, "1"), result_hash(&home, "2"));
    assert!(chunks("2", "basis") > 10 && chunks("2", "checkpoint") == 0);
    home.succeeds(&["verify", "2"]);
    home.succeeds(&["check"]);
}

#[test]
fn a_run_is_verified_to_the_bit_and_a_changed_corpus_is_named() {
    let home = with_lines();
    for model in ["lr-jsmf", "enn"] {
        home.succeeds(&run_of(model, "5"));
    }
    let before = home.dump();
    for run in ["1", "2"] {
        let text = home.succeeds(&["verify", run]);
        let verdicts: Vec<&str> =
            text.lines().skip(1).filter_map(|line| line.split_whitespace().nth(1)).collect();
        assert_eq!(verdicts, ["same", "same", "same"], "{text}");
    }
    assert!(home.dump() == before, "verify saves nothing");
    // One probability more or less in the last bit would give another hash as well.
    home.succeeds(&["sql", "--write", "UPDATE run SET result_hash = zeroblob(16) WHERE id = 2"]);
    let output = home.command(&["verify", "2", "-o", "csv"]).output().expect("verify");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.contains("\nvocabulary,same,") && text.contains("\nresult,different,0000"));
    let said = |made_by: &str| {
        let set = format!("UPDATE run SET program_version = '{made_by}' WHERE id = 2");
        home.succeeds(&["sql", "--write", &set]);
        let output = home.command(&["verify", "2"]).output().expect("verify");
        assert_eq!(output.status.code(), Some(1));
        let said = String::from_utf8(output.stderr).expect("UTF-8");
        said.lines().last().expect("a line").to_string()
    };
    let of_another = said("0.0.9");
    home.keeps(&of_another);
    let of_this = said(env!("CARGO_PKG_VERSION"));
    assert!(
        !of_this.contains("another version") && of_this.contains("another result"),
        "{of_this}"
    );
    let more = home.file("more.txt", lines(6100).lines().last().expect("a line").as_bytes());
    home.succeeds(&["ingest", "lines", &more, "--format", "lines"]);
    let output = home.command(&["verify", "1", "-o", "json"]).output().expect("verify");
    assert_eq!(output.status.code(), Some(1));
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(found[0]["what"], "corpus");
    assert_eq!(found[0]["verdict"], "different");
    assert_eq!(found[0]["saved"].as_str().map(str::len), Some(32));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    home.keeps(&said);
    home.fails(&["verify", "9"]);
}
