//! Stores of earlier versions of the schema.

use std::io::Read;
use std::path::Path;

use topoi_core::progress::Silent;
use topoi_run::work::recompute::recompute;
use topoi_store::{Access, Store};

use super::bench::Bench;

/// Made by version 1: the corpora `tales` (text, one document left out) and `counts` (UCI), and a
/// finished run.
const V1: &str = "tests/stores/v1.db";

#[test]
fn a_store_of_version_1_is_migrated_and_keeps_every_row() {
    let bench = Bench::new();
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join(V1);
    std::fs::copy(&old, bench.path("topoi.db")).expect("copy");
    let connection = rusqlite::Connection::open(bench.path("topoi.db")).expect("open");
    let count = |table: &str| -> i64 {
        let sql = format!("SELECT count(*) FROM {table}");
        connection.query_row(&sql, [], |row| row.get(0)).expect("count")
    };
    let tables = [
        "corpus",
        "document",
        "document_text",
        "term",
        "triple",
        "block",
        "ingest",
        "ingest_note",
        "vocabulary",
        "vocabulary_term",
        "run",
        "run_stage",
        "topic",
        "topic_term",
        "metric",
    ];
    let before: Vec<i64> = tables.iter().map(|table| count(table)).collect();
    assert_eq!(count("triple"), 37);
    let triples = |connection: &rusqlite::Connection| -> Vec<(i64, i64, i64)> {
        let sql = "SELECT document_id, term_id, count FROM triple ORDER BY 1, 2";
        let mut statement = connection.prepare(sql).expect("prepare");
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
        rows.expect("query").map(|row| row.expect("row")).collect()
    };
    let old_triples = triples(&connection);
    let refused = Store::open(&bench.path("topoi.db"), Access::Read).expect_err("older");
    assert!(refused.to_string().contains("schema 1,"), "{refused}");
    let upgraded = Store::open(&bench.path("topoi.db"), Access::Write).expect("open");
    let copy = upgraded.upgraded().expect("upgraded").copy().to_path_buf();
    drop(upgraded);
    let kept = rusqlite::Connection::open(copy).expect("open");
    assert_eq!(old_triples, triples(&kept));
    bench.check();
    let after: Vec<i64> = tables.iter().map(|table| count(table)).collect();
    assert_eq!(before, after);
    assert_eq!(old_triples, triples(&connection));
    let note = "SELECT kind, documents, reason LIKE 'no word is left%' FROM ingest_note";
    assert_eq!(bench.ask(note), ["empty | 1 | 1"]);
    // And it can be added to.
    bench.write("more.jsonl", "{\"id\": \"a9\", \"text\": \"castle telescope moat\"}\n");
    let summary = bench.ingest("tales", &["more.jsonl"]).expect("ingest");
    assert_eq!((summary.counts.added, summary.corpus.documents, summary.corpus.terms), (1, 7, 11));
    assert_eq!(
        Store::open(&bench.path("topoi.db"), Access::Create)
            .expect("open")
            .topics(1, 3)
            .expect("topics")
            .len(),
        2
    );
    bench.check();
}

/// Made by version 10: the corpus `tales` (ten texts with fields, one left out), the vocabulary
/// `short`, bounds on K, run 1 with a named topic, and runs 2 and 3 of halves for its stability.
const V10: &str = "tests/stores/v10.db.gz";

fn unpacked(store: &str) -> Vec<u8> {
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join(store);
    let file = std::fs::File::open(packed).expect("the store");
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(file).read_to_end(&mut bytes).expect("unpack");
    bytes
}

#[test]
fn a_store_of_version_10_is_migrated_and_everything_in_it_can_be_read() {
    let bench = Bench::new();
    bench.write("topoi.db", unpacked(V10));
    let store = bench.path("topoi.db");
    let version = || -> i64 {
        let connection = rusqlite::Connection::open(&store).expect("open");
        connection.query_row("PRAGMA user_version", [], |row| row.get(0)).expect("version")
    };
    assert_eq!(version(), 10);
    let run = |arguments: &[&str]| -> String {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("topoi"));
        command.arg("--store").arg(&store).args(arguments).current_dir(bench.path(""));
        let output = command.output().expect("run");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {error}");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let before = std::fs::read(&store).expect("read");
    for reading in [&["check"][..], &["corpora"], &["runs"], &["topics", "1"], &["sql", "SELECT 1"]]
    {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("topoi"));
        let output = command.arg("--store").arg(&store).args(reading).output().expect("run");
        assert!(!output.status.success(), "{reading:?}");
        let said = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(said.contains("schema 10") && said.contains("topoi check --upgrade"), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    assert!(std::fs::read(&store).expect("read") == before);
    assert!(run(&["check", "--upgrade"]).contains("the store is sound: 72 triples"));
    assert!(version() > 10);
    assert!(bench.path("topoi.db.schema-10.bak").is_file());
    for (arguments, words) in [
        (&["corpora"][..], "tales"),
        (&["documents", "tales"], "The drawbridge|The moat"),
        (&["vocabularies", "tales"], "short"),
        (&["runs"], "lr-jsmf"),
        (&["topics", "1", "-o", "json"], "the sky"),
        (&["metrics", "1"], "npmi"),
        (&["compare", "1", "2"], "castle"),
        (&["stability", "1", "--halves", "1"], "Jaccard"),
        (&["sweep", "tales", "-k", "2,3", "--terms", "30"], "3"),
        (&["export", "1", "--to", "json", "-o", "out.json"], ""),
        (&["export", "1", "--to", "csv", "-o", "out"], ""),
        (&["sql", "SELECT lower, upper FROM k_bound"], "upper"),
        (&["sql", "SELECT count(*) FROM topic_agreement WHERE run_id = 1"], "6"),
        (&["sql", "SELECT max(distance) > 0.5 AS far FROM topic_alignment WHERE run_a = 1"], "1"),
    ] {
        let text = run(arguments);
        assert!(words.split('|').any(|words| text.contains(words)), "{arguments:?}: {text}");
    }
    // Its documents' topics are of an older search, which stopped elsewhere within the same bound.
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("topoi"));
    command.arg("--store").arg(&store).args(["verify", "1"]);
    let said = String::from_utf8(command.output().expect("run").stderr).expect("UTF-8");
    assert!(said.contains("the same documents and words give another result"), "{said}");
    let own: serde_json::Value =
        serde_json::from_str(&run(&["run", "tales", "-k", "3", "--terms", "30", "-o", "json"]))
            .expect("JSON");
    let own = own["run"].to_string();
    assert!(run(&["verify", &own]).contains("same"));
    // Its shares of tokens were not saved then.
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("topoi"));
    command.arg("--store").arg(&store).args(["export", "1", "--to", "ldavis"]);
    let said = String::from_utf8(command.output().expect("run").stderr).expect("UTF-8");
    assert!(said.contains("an earlier version made it"), "{said}");
    run(&["export", &own, "--to", "ldavis", "-o", "ldavis.json"]);
    assert!(std::fs::read_to_string(bench.path("out.json")).expect("a file").contains("castle"));
    bench.check();
}

/// Made by version 16: the corpus `tales` (60 texts of up to 14 words, every fifth too short), run 1
/// (lr-jsmf) and run 2 (aw).
const V16: &str = "tests/stores/v16.db.gz";

#[test]
fn runs_of_version_16_have_no_warnings_until_they_are_measured_again() {
    let bench = Bench::new();
    bench.write("topoi.db", unpacked(V16));
    let path = bench.path("topoi.db");
    let mut store = Store::open(&path, Access::Write).expect("brought up to date");
    assert!(store.upgraded().expect("told").to_string().contains("from schema 16 to "));
    assert!(store.warnings_of_runs().expect("read").is_empty());
    let run = store.run(1).expect("a run");
    let before = store.metrics(1).expect("metrics").len();
    recompute(&mut store, &run, &[], &Silent).expect("measured");
    let warnings = store.warnings(1).expect("read");
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert_eq!((warnings[0].name.as_str(), warnings[0].value), ("documents_left_out", 0.2));
    assert!(store.warnings(2).expect("read").is_empty());
    // What it was not saved with: `documents_left_out`, `topic_diversity_10`, `length_unevenness`.
    assert_eq!(store.metrics(1).expect("metrics").len(), before + 3);
    store.delete_run(1).expect("deleted");
    assert!(store.warnings_of_runs().expect("read").is_empty());
    drop(store);
    bench.check();
}

/// Made by version 14: the corpus `tales` (90 texts of 18 words), run 1 (lr-jsmf, with its basis),
/// run 2 (rp, with its sums), and run 3 (lda-gibbs), which was killed after a checkpoint.
const V14: &str = "tests/stores/v14.db.gz";

#[test]
fn what_runs_of_version_14_kept_is_read_and_started_from() {
    let bench = Bench::new();
    bench.write("topoi.db", unpacked(V14));
    let store = Store::open(&bench.path("topoi.db"), Access::Write).expect("open");
    let basis = store.basis(1).expect("read").expect("a basis");
    assert_eq!(basis.dim(), (18, 13));
    // Only what was read as it was written is orthonormal.
    let identity = ndarray::Array2::<f64>::eye(13);
    assert!((basis.t().dot(&basis) - identity).iter().all(|entry| entry.abs() < 1e-5));
    let summed = store.summed_documents(2).expect("read").expect("documents");
    assert_eq!((summed.last_documents.len(), summed.shares.dim()), (1, (2, 18)));
    let sums = store.projection_sums(2, 0..54, 18).expect("read");
    assert!(sums.iter().all(|sum| sum.is_finite()) && sums.iter().any(|sum| *sum != 0.0));
    let kept = "SELECT run_id, purpose, count(*), sum(rows * columns) FROM matrix GROUP BY 1, 2";
    assert_eq!(
        bench.ask(kept),
        [
            "1 | basis | 1 | 234",
            "2 | projection_sums | 15 | 8100",
            "2 | summed_documents | 3 | 39",
            "3 | checkpoint | 5 | 480",
        ]
    );
    assert_eq!(bench.ask("SELECT stage, matrices FROM run_checkpoint"), ["iterate | 5"]);
    drop(store);
    let run = |arguments: &[&str]| {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("topoi"));
        command.arg("--store").arg(bench.path("topoi.db")).args(arguments);
        let output = command.output().expect("run");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {error}");
    };
    run(&["resume", "3"]);
    bench.write(
        "more.jsonl",
        "{\"id\": \"m1\", \"text\": \"castle moat tower castle knight moat\"}\n",
    );
    bench.ingest("tales", &["more.jsonl"]).expect("ingest");
    run(&["update", "1"]);
    run(&["update", "2"]);
    bench.check();
}
