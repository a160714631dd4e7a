//! Corpora that are divided or united by a process that is killed: the same command, given again, ends
//! as if nothing had been.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use rand::RngExt;
use topoi_core::random::stream;

use crate::common::Home;

/// How often a command is killed here; `TOPOI_KILLS=50` kills it more often.
const KILLS: usize = 6;

fn kills() -> usize {
    std::env::var("TOPOI_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(KILLS)
}

/// A home with two stores filled apart, and one corpus of all their documents.
fn with_parts() -> Home {
    let home = Home::new();
    let mut rng = stream(5, "text of parts to be killed over");
    let mut lines = |from: usize| -> String {
        let word = |x: f64| format!("w{} ", from + 20_000f64.powf(x) as usize);
        (0..1500)
            .map(|_| (0..60).map(|_| word(rng.random::<f64>())).collect::<String>() + "\n")
            .collect()
    };
    for (name, from) in [("a", 0), ("b", 4000)] {
        let file = home.file(&format!("{name}.txt"), lines(from).as_bytes());
        let store = home.path(&format!("{name}.db"));
        home.succeeds(&["--store", &store.to_string_lossy(), "ingest", "news", &file]);
        home.succeeds(&["ingest", "news", &file]);
    }
    home
}

/// What a user can query of a store's corpus, with ids and positions.
fn content(home: &Home, store: &Path) -> String {
    let ask = |sql: &str| home.succeeds(&["--store", &store.to_string_lossy(), "sql", sql]);
    [
        "SELECT id, position, text, document_frequency, total_count FROM term ORDER BY id",
        "SELECT name, documents, terms, tokens, nonzeros FROM corpus",
        "SELECT id, key, tokens FROM document ORDER BY id",
        "SELECT * FROM divided_corpus",
        "SELECT * FROM part",
        "SELECT first_document_id, documents, nonzeros, hex(data) FROM block ORDER BY id",
    ]
    .map(ask)
    .concat()
}

/// Does the same again and again, killed later each time, and then to its end, unless it had come to it. How
/// often it was killed before that.
fn killed(home: &Home, arguments: &[&str], whole: Duration, is_done: impl Fn() -> bool) -> usize {
    let mut killed = 0;
    for moment in 1..=kills() {
        let mut command = home.command(arguments);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("start");
        std::thread::sleep(whole.mul_f64(0.8 * moment as f64 / kills() as f64));
        let is_over = child.try_wait().expect("wait").is_some();
        child.kill().expect("kill");
        child.wait().expect("wait");
        if is_done() {
            break;
        }
        killed += usize::from(!is_over);
    }
    if !is_done() {
        home.succeeds(arguments);
    }
    killed
}

fn copied(home: &Home, names: [&str; 2], to: &str) -> [String; 2] {
    names.map(|name| {
        let copy = home.path(&format!("{to}-{name}"));
        std::fs::copy(home.path(name), &copy).expect("copy");
        copy.to_string_lossy().into_owned()
    })
}

#[test]
fn a_killed_unify_is_done_again_with_the_same_result() {
    let home = with_parts();
    let [once, often] = ["once", "often"].map(|to| copied(&home, ["a.db", "b.db"], to));
    let whole = home.path("once.db").to_string_lossy().into_owned();
    let begun = Instant::now();
    home.succeeds(&["--store", &whole, "unify", &once[0], &once[1], "--corpus", "news"]);
    let took = begun.elapsed();
    let disturbed = home.path("often.db").to_string_lossy().into_owned();
    let unify = ["--store", &disturbed, "unify", &often[0], &often[1], "--corpus", "news"];
    assert!(killed(&home, &unify, took, || false) > 0, "every unify was over before it was killed");
    let pairs = [(whole, disturbed)].into_iter().chain(once.into_iter().zip(often));
    for (expected, found) in pairs {
        assert!(content(&home, found.as_ref()) == content(&home, expected.as_ref()), "{found}");
        home.succeeds(&["--store", &found, "check"]);
    }
}

#[test]
fn a_killed_shard_is_done_again_with_the_same_result() {
    let home = with_parts();
    let [once, often] = ["once", "often"].map(|to| home.path(to).to_string_lossy().into_owned());
    let begun = Instant::now();
    home.succeeds(&["shard", "news", "--parts", "3", "--into", &once]);
    let took = begun.elapsed();
    let shard = ["shard", "news", "--parts", "3", "--into", &often];
    let is_done = || Path::new(&often).join("part-2.db").exists();
    assert!(killed(&home, &shard, took, is_done) > 0, "every shard was over before it was killed");
    for part in ["part-0.db", "part-1.db", "part-2.db"] {
        let [expected, found] = [&once, &often].map(|folder| Path::new(folder).join(part));
        assert!(content(&home, &found) == content(&home, &expected), "{part}");
        home.succeeds(&["--store", &found.to_string_lossy(), "check"]);
    }
    let left: Vec<_> = std::fs::read_dir(&often).expect("read").collect();
    assert_eq!(left.len(), 3, "something is left over: {left:?}");
}
