//! Two workbenches, an ingest and two runs at once on one store.

use std::process::{Command, Stdio};

use topoi_store::{Access, Store};

use super::TOPOI;
use super::pty::{Session, within};

/// Longer than the slowest machine takes.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(300);
const DOCUMENTS: usize = 3000;

fn lines(from: usize) -> String {
    const WORDS: [&str; 12] = [
        "castle",
        "moat",
        "tower",
        "knight",
        "planet",
        "orbit",
        "comet",
        "telescope",
        "bread",
        "oven",
        "flour",
        "yeast",
    ];
    let line = |at: usize| {
        let topic = at % 3;
        let word = |n: usize| WORDS[4 * topic + (at / 3 * 7 + n * n) % 4];
        (0..12).map(word).collect::<Vec<_>>().join(" ") + " " + WORDS[at % 12] + "\n"
    };
    (from..from + DOCUMENTS).map(line).collect()
}

#[test]
fn two_workbenches_an_ingest_and_two_runs_share_a_store_and_nobody_sees_an_error() {
    let directory = tempfile::tempdir().expect("tempdir");
    let inside = directory.path();
    std::fs::write(inside.join("first.txt"), lines(0)).expect("write");
    std::fs::write(inside.join("second.txt"), lines(DOCUMENTS)).expect("write");
    let topoi = |arguments: &[&str]| {
        let mut command = Command::new(TOPOI);
        command.args(["--store", "topoi.db"]).args(arguments).current_dir(inside);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    assert!(topoi(&["ingest", "tales", "first.txt"]).status().expect("run").success());
    assert!(topoi(&["queue", "--at-once", "2"]).status().expect("run").success());
    let directories = [inside.join("one"), inside.join("two")];
    let store = inside.join("topoi.db");
    let mut workbenches = directories.map(|own| {
        std::fs::create_dir(&own).expect("a directory");
        let session = Session::start_in(&own, TOPOI, &["--store", store.to_str().expect("UTF-8")]);
        session.wait_for("Corpora 1");
        session
    });
    let work = [
        &["ingest", "tales", "second.txt"][..],
        &["run", "tales", "-k", "3", "--terms", "12"],
        &["run", "tales", "-k", "4", "--terms", "12", "--model", "lda-gibbs"],
    ];
    let started: Vec<_> = work.iter().map(|work| topoi(work).spawn().expect("start")).collect();
    // Meanwhile people look around, and one names things and asks.
    let (first, second) = workbenches.split_at_mut(1);
    first[0].send("4");
    second[0].send("8select count(*) as n from triple\r");
    second[0].wait_for("1 row");
    first[0].send("2");
    first[0].wait_for("tales: ");
    for (work, child) in work.iter().zip(started) {
        let output = child.wait_with_output().expect("wait");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{work:?}: {error}");
        assert!(!error.to_lowercase().contains("error"), "{work:?}: {error}");
    }
    first[0].send("4");
    first[0].wait_for("Runs 2");
    let finished = within(PATIENCE, || {
        let screen = first[0].contents();
        (!screen.contains("running") && !screen.contains("queued")).then_some(())
    });
    assert!(finished.is_some(), "{}", first[0].contents());
    for session in &mut workbenches {
        let written = String::from_utf8_lossy(&session.written()).to_lowercase();
        for words in ["error:", "is locked", "another process", "damaged"] {
            assert!(!written.contains(words), "{words:?} on:\n{}", session.contents());
        }
        session.send("\x03\x03\x03");
        assert_eq!(session.exit_code(), 0);
    }
    let store = Store::open(&store, Access::Read).expect("open");
    assert_eq!(
        store.check(&topoi_run::ROW_VALIDATORS).expect("check"),
        Vec::<topoi_store::check::Finding>::new()
    );
    let corpus = store.corpus("tales").expect("corpus");
    let documents = 2 * DOCUMENTS as u64;
    assert_eq!((corpus.documents, corpus.terms, corpus.tokens), (documents, 12, 13 * documents));
    let statuses = "SELECT count(*) FROM run WHERE status = 'finished' AND result_hash NOT NULL";
    assert_eq!(store.query(statuses).expect("query").rows[0][0].as_integer(), Some(2));
}
