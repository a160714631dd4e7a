//! Bad input ends with one line that says what, where and what to do; the store is as it was.

mod counts;
mod foreign_files;

use crate::commands::modules;
use crate::common::{Home, check_failure};

#[test]
fn a_missing_file_leaves_no_store_behind() {
    let home = Home::new();
    home.fails(&["ingest", "c", "/no/such/file.jsonl"]);
    assert!(!home.store().exists());
}

#[test]
fn unknown_corpora_runs_and_models_and_an_impossible_k() {
    let home = Home::with_subjects();
    let before = home.dump();
    home.fails(&["run", "subject", "-k", "5"]);
    home.fails(&["topics", "7"]);
    home.fails(&["run", "subjects", "-k", "5", "--model", "lda"]);
    home.fails(&["run", "subjects", "-k", "50", "--terms", "20"]);
    home.fails(&["run", "subjects", "-k", "5", "--terms", "1"]);
    home.fails(&["run", "subjects", "-k", "1"]);
    assert_eq!(before, home.dump());
}

#[test]
fn priors_of_a_sampler_that_are_none() {
    let home = Home::with_subjects();
    let before = home.dump();
    for name in ["alpha", "beta"] {
        for value in ["0", "-1", "nan", "1e9"] {
            let flag = format!("--{name}={value}");
            let run = ["run", "subjects", "-k", "5", "--model", "lda-gibbs", &flag];
            home.fails(&run);
        }
    }
    home.fails(&["run", "subjects", "-k", "5", "--alpha", "1"]);
    assert_eq!(before, home.dump());
}

#[test]
fn a_sampler_starts_from_the_topics_of_a_run_of_its_corpus_with_as_many() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "4"]);
    let lines = home.file("others.txt", &b"good words\nmore words\nother words\n".repeat(40));
    home.succeeds(&["ingest", "others", &lines]);
    let before = home.dump();
    let gibbs = ["run", "subjects", "--model", "lda-gibbs", "--iterations", "5"];
    let refused = |more: &[&str]| home.fails(&[&gibbs[..], more].concat());
    refused(&["-k", "4", "--start", "9"]);
    refused(&["-k", "5", "--start", "1"]);
    let others =
        ["run", "others", "-k", "2", "--model", "lda-gibbs", "--start", "1", "--min-tokens", "2"];
    home.fails(&others);
    let lr_jsmf = ["run", "subjects", "-k", "4", "--start", "1"];
    home.fails(&lr_jsmf);
    assert_eq!(before, home.dump());
    home.succeeds(&[&gibbs[..], &["-k", "4", "--start", "1"]].concat());
    home.succeeds(&["verify", "2"]);
    home.succeeds(&[&gibbs[..], &["-k", "4"]].concat());
    // After so few sweeps it is ahead of one that starts from chance.
    let likelihoods = "SELECT max(value) FILTER (WHERE run_id = 2) > max(value) FILTER (WHERE \
        run_id = 3) AS is_ahead FROM metric WHERE name = 'log_likelihood' AND topic IS NULL";
    assert_eq!(home.succeeds(&["sql", likelihoods, "-o", "csv"]), "is_ahead\n1\n");
    home.succeeds(&["delete", "1", "--yes"]);
    home.fails(&["verify", "2"]);
}

#[test]
fn a_model_that_would_take_too_much_memory_is_refused_with_the_figure() {
    let home = Home::with_subjects();
    let refused = ["run", "subjects", "--model", "raw", "-k", "8", "--memory", "0.05"];
    home.fails(&refused);
    home.fails(&["run", "subjects", "-k", "8", "--memory", "0"]);
}

#[test]
fn a_store_that_is_not_sqlite_and_one_that_is_not_there() {
    let home = Home::new();
    let text = home.file("text.db", b"this is a text file and certainly no database, is it?");
    home.fails(&["--store", &text, "corpora"]);
    home.fails(&["corpora"]);
    home.fails(&["run", "c", "-k", "2"]);
    home.fails(&["sql", "SELECT 1", "--write"]);
    assert!(!home.store().exists());
}

#[test]
fn a_place_that_cannot_be_written() {
    let home = Home::new();
    let file = home.file("plain", b"x");
    let corpus = home.file("c.txt", b"some words here\n");
    home.fails(&["--store", &format!("{file}/topoi.db"), "ingest", "c", &corpus]);
}

#[test]
fn a_full_disk_changes_nothing() {
    let home = Home::with_subjects();
    let before = home.dump();
    let lines: String = (0..60_000).map(|i| format!("word{i} other{} more\n", i * 7)).collect();
    let big = home.file("big.txt", lines.as_bytes());
    let script = format!(
        "trap '' XFSZ; ulimit -f 4000; exec {} ingest big {big}",
        Home::program().display()
    );
    check_failure(&home.shell(&script), "no space left");
    assert_eq!(before, home.dump());
}

#[test]
fn sql_that_writes_attaches_or_is_wrong() {
    let home = Home::with_subjects();
    let before = home.dump();
    home.fails(&["sql", "DELETE FROM document"]);
    home.fails(&["sql", "ATTACH 'x.db' AS x", "--write"]);
    home.fails(&["sql", "SELEC 1"]);
    home.fails(&["sql", "SELECT 1; SELECT 2"]);
    let outside = home.path("outside.db");
    let vacuum = format!("VACUUM INTO '{}'", outside.display());
    let extension = "SELECT load_extension('/tmp/x.so')".to_string();
    let write = format!("SELECT writefile('{}', 'x')", outside.display());
    let attach = format!("ATTACH '{}' AS x", outside.display());
    for statement in [
        vacuum.as_str(),
        &extension,
        &write,
        &attach,
        "SELECT readfile('/etc/passwd')",
        "SELECT edit('x')",
        "SELECT fts3_tokenizer('simple', x'0000000000000000')",
        "PRAGMA query_only = OFF",
        "PRAGMA query_only(0)",
        "SELECT * FROM pragma_query_only(0)",
        "PRAGMA journal_mode = DELETE",
        "PRAGMA user_version = 1",
        "PRAGMA writable_schema = ON",
        "PRAGMA temp_store_directory = '/tmp'",
        "PRAGMA incremental_vacuum",
        "BEGIN",
        "BEGIN IMMEDIATE",
        "SAVEPOINT s",
        "DETACH main",
        "REINDEX",
        "ANALYZE",
        "DROP TABLE run",
        "UPDATE topic SET label = 'x'",
        "CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM run; END",
        "INSERT INTO document (id) VALUES (1) RETURNING id",
    ] {
        home.fails(&["sql", statement]);
    }
    for statement in [vacuum.as_str(), &extension, &write, &attach, "PRAGMA user_version = 1"] {
        home.fails(&["sql", statement, "--write"]);
    }
    assert!(!outside.exists());
    assert_eq!(before, home.dump());
}

#[test]
fn a_setting_that_the_model_does_not_know() {
    let home = Home::with_subjects();
    for (model, setting, value) in
        [("svd", "--rows", "5"), ("rp", "--tolerance", "0.1"), ("lr-jsmf", "--gamma", "3")]
    {
        let asked = ["run", "subjects", "-k", "2", "--model", model, setting, value];
        home.fails(&asked);
    }
    home.fails(&["run", "subjects", "-k", "2", "--model", "svb", "--rows", "5"]);
    assert_eq!(home.succeeds(&["runs", "-o", "csv"]).lines().count(), 1);
}

/// A wrong input for every command, and the exit code: 2 where the command line itself is wrong.
const WRONG: [(&str, i32); 98] = [
    ("left-out nobody", 1),
    ("note why --run 7", 1),
    ("note why", 2),
    ("notes --corpus nosuch", 1),
    ("collocates nosuch oil", 1),
    ("collocates subjects", 2),
    ("results nobody", 1),
    ("results --run 9", 1),
    ("results --into a.svg", 2),
    ("delete results nobody --yes", 1),
    ("script 9", 1),
    ("script", 2),
    ("backup nosuch/copy.db", 1),
    ("compact x", 2),
    ("name 7 seven", 1),
    ("topics nobody", 1),
    ("topics subjects@latest", 1),
    ("ingest c nosuch.txt", 1),
    ("ingest c nosuch.txt --batch-kb 0", 2),
    ("ingest c nosuch.txt --part 4/4", 2),
    ("corpora x", 2),
    ("documents nosuch", 1),
    ("documents subjects --limit -1", 2),
    ("search subjects NOT", 1),
    ("search subjects", 2),
    ("terms subjects --stop-list nosuch.txt", 1),
    ("vocabularies nosuch", 1),
    ("bounds subjects --threads 99999999", 1),
    ("run subjects -k 1", 1),
    ("run subjects -k 5 --threads 99999999", 1),
    ("run subjects -k 5 --memory -1", 1),
    ("sweep subjects -k 5..2", 2),
    ("stability 7", 1),
    ("held-out subjects -k 5 --share 1", 1),
    ("infer 7 nosuch.txt", 1),
    ("infer 1 nosuch.txt --parts part-{rank}.db", 2),
    ("runs x", 2),
    ("topics x", 1),
    ("effects 7 subject", 1),
    ("phrases nosuch", 1),
    ("stop-words klingon", 1),
    ("stop-words --suggest nosuch", 1),
    ("stop-words en --suggest subjects", 2),
    ("metrics 7", 1),
    ("methods 7", 1),
    ("compare 7 8", 1),
    ("similar 7 astronomy-01", 1),
    ("similar subjects astronomy-01 --vectors", 1),
    ("similar subjects astronomy-01 --vectors --words", 2),
    ("watch 7", 1),
    ("label 7 0 name", 1),
    ("judge 7", 1),
    ("judge 1 --number 0", 2),
    ("judgements 7", 1),
    ("log 7", 1),
    ("import nosuch.csv --corpus subjects --from topics-csv", 1),
    ("import nosuch --corpus subjects --from npy", 1),
    ("import nosuch --corpus subjects --from mallet-weights", 1),
    ("import nosuch.csv --corpus subjects --from document-topics-csv", 1),
    ("import nosuch.csv --corpus subjects --from topics-csv --vocab words.txt", 1),
    ("import nosuch --corpus subjects --from pickle", 2),
    ("import nosuch.npy --corpus subjects --from embeddings", 1),
    ("import nosuch.npy --corpus subjects --from embeddings --vocab words.txt", 1),
    ("import nosuch.csv --corpus subjects --from topics-csv --keys keys.txt", 1),
    ("export 7 --to json", 1),
    ("export 7 --to npy", 1),
    ("cancel 7", 1),
    ("resume 7", 1),
    ("shape 7 --drop 0", 1),
    ("update 7", 1),
    ("assign 7", 1),
    ("nightly subjects nosuch.txt", 1),
    ("nightly subjects nosuch.txt --keep 7d", 2),
    ("verify 7", 1),
    ("delete 7 --yes", 1),
    ("delete x --kind run --yes", 1),
    ("delete documents subjects", 2),
    ("queue --at-once 0", 2),
    ("config nothing", 2),
    ("shard subjects --parts 0 --into parts", 2),
    ("unify nosuch.db --corpus c", 1),
    ("synth lda --into made --topics 0", 1),
    ("sql SELEC", 1),
    ("check x", 2),
    ("completions cobol", 2),
    ("man x", 2),
    ("demo x", 2),
    ("worker x", 2),
    ("fields nosuch", 1),
    ("fields subjects --set subject=colour", 2),
    ("by 7 subject", 1),
    ("plot 7", 1),
    ("plot 1 --most 0", 2),
    ("plot 1 --map", 1),
    ("plot 1 --map --by subject", 2),
    ("by 1 subject --per fortnight", 2),
    ("keywords subjects --by nosuch", 1),
    ("keywords subjects --by subject --prior 0", 2),
];

#[test]
fn every_command_tells_a_wrong_input_on_one_line() {
    let home = Home::with_subjects();
    for (line, code) in WRONG {
        let arguments: Vec<&str> = line.split(' ').collect();
        let output = home.command(&arguments).output().expect("run");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{line}: {error}");
        assert_eq!(error.lines().count(), 1, "{line}: {error}");
        home.keeps(&format!("$ topoi {line}\n{error}"));
        assert!(error.starts_with("error: ") && output.stdout.is_empty(), "{line}: {error}");
    }
    let tried = |command: &String| {
        WRONG.iter().any(|(line, _)| line.split(' ').next() == Some(&command.replace('_', "-")))
    };
    let forgotten: Vec<String> = modules().into_iter().filter(|name| !tried(name)).collect();
    assert!(forgotten.is_empty(), "no wrong input for {forgotten:?}");
}

#[test]
fn a_vocabulary_needs_a_name() {
    let home = Home::with_subjects();
    home.fails(&["terms", "subjects", "--save", ""]);
    assert_eq!(home.succeeds(&["vocabularies", "subjects", "-o", "csv"]).lines().count(), 1);
}

#[test]
fn stores_that_cannot_be_unified_leave_none_for_the_whole() {
    let home = Home::new();
    home.fails(&["unify", "nosuch.db", "--corpus", "c"]);
    assert!(!home.store().exists());
}
