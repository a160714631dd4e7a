//! Corpora with known truth: made, ingested, run, and compared with the truth.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::Home;
use serde_json::Value;

/// (document, word, count) of a file `docword`, with words as they are written.
fn triples_of_files(home: &Home, name: &str) -> BTreeSet<(u64, String, u64)> {
    let read = |name: String| std::fs::read_to_string(home.path(&name)).expect("a file");
    let words: Vec<String> =
        read(format!("made/vocab.{name}.txt")).lines().map(str::to_string).collect();
    let text = read(format!("made/docword.{name}.txt"));
    let numbers = |line: &str| -> Vec<u64> {
        line.split(' ').map(|number| number.parse().expect("a number")).collect()
    };
    let triples = text.lines().skip(3).map(numbers);
    triples.map(|n| (n[0], words[n[1] as usize - 1].clone(), n[2])).collect()
}

/// The same of a corpus in the store.
fn triples_of_store(home: &Home, name: &str) -> BTreeSet<(u64, String, u64)> {
    let query = format!(
        "SELECT d.key AS key, t.text AS text, r.count AS count FROM triple r \
         JOIN document d ON d.id = r.document_id JOIN term t ON t.id = r.term_id \
         JOIN corpus c ON c.id = d.corpus_id WHERE c.name = '{name}'"
    );
    let rows = home.json(&["sql", &query, "-o", "json"]);
    let triple = |row: &Value| {
        let (_, number) = row["key"].as_str().expect("a key").rsplit_once(':').expect("a number");
        let text = row["text"].as_str().expect("a word").to_string();
        (number.parse().expect("a number"), text, row["count"].as_u64().expect("a count"))
    };
    rows.as_array().expect("rows").iter().map(triple).collect()
}

/// Makes a corpus in the folder "made" and returns what the program says of it.
fn make(home: &Home, kind: &[&str]) -> Value {
    let into = home.path("made").to_string_lossy().into_owned();
    let arguments = [&["synth"][..], kind, &["--into", &into, "-o", "json"]].concat();
    home.json(&arguments)[0].clone()
}

/// Topics of a truth file by number.
fn truth(home: &Home, name: &str) -> Vec<BTreeMap<String, f64>> {
    let text = std::fs::read_to_string(home.path(&format!("made/truth.{name}.csv"))).expect("file");
    let mut topics: Vec<BTreeMap<String, f64>> = Vec::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let topic: usize = fields[0].parse().expect("a topic");
        topics.resize_with(topics.len().max(topic + 1), BTreeMap::new);
        topics[topic].insert(fields[1].into(), fields[2].parse().expect("a probability"));
    }
    topics
}

#[test]
fn every_kind_is_ingested_as_it_was_drawn() {
    let home = Home::new();
    let kinds: &[&[&str]] = &[
        &["lda", "--documents", "60", "--words", "80", "-k", "3", "--tokens", "30"],
        &[
            "lda",
            "--name",
            "uneven",
            "--documents",
            "60",
            "--words",
            "80",
            "--tokens",
            "400",
            "--lengths",
            "uneven",
            "--copies",
            "0.5",
            "--boilerplate",
            "0.8",
        ],
        &["separable", "--documents", "60", "--words", "50", "--lengths", "poisson"],
        &["swimmer"],
        &["swimmer", "--noisy", "--name", "noisy"],
        &["zipf", "--documents", "90", "--words", "70", "-k", "4", "--longest", "40"],
        &["bitmap", "--documents", "50", "--side", "6", "-k", "6", "--shown", "2"],
    ];
    for kind in kinds {
        let made = make(&home, kind);
        let named = kind.iter().position(|&argument| argument == "--name");
        let name = named.map_or(kind[0], |at| kind[at + 1]);
        home.succeeds(&["ingest", name, made["corpus"].as_str().expect("a path")]);
        let written = triples_of_files(&home, name);
        assert_eq!(made["nonzeros"].as_u64(), Some(written.len() as u64), "{name}");
        let tokens: u64 = written.iter().map(|(_, _, count)| count).sum();
        assert_eq!(made["tokens"].as_u64(), Some(tokens), "{name}");
        assert!(triples_of_store(&home, name) == written, "{name}");
        let topics = truth(&home, name);
        assert_eq!(made["topics"].as_u64(), Some(topics.len() as u64), "{name}");
        assert!(topics.iter().all(|topic| (topic.values().sum::<f64>() - 1.0).abs() < 1e-9));
        let described = std::fs::read_to_string(home.path(&format!("made/truth.{name}.json")));
        let described: Value = serde_json::from_str(&described.expect("file")).expect("JSON");
        assert_eq!((&described["kind"], &described["seed"]), (&made["kind"], &1.into()), "{name}");
    }
}

#[test]
fn a_packed_corpus_is_ingested_like_a_plain_one() {
    let home = Home::new();
    let settings = ["lda", "--documents", "40", "--words", "30", "-k", "2", "--seed", "5"];
    make(&home, &[&settings[..], &["--name", "plain"]].concat());
    let packed = make(&home, &[&settings[..], &["--name", "packed", "--gzip"]].concat());
    let path = packed["corpus"].as_str().expect("a path");
    assert!(path.ends_with("docword.packed.txt.gz"));
    home.succeeds(&["ingest", "packed", path]);
    assert!(triples_of_store(&home, "packed") == triples_of_files(&home, "plain"));
}

/// All orders of `items`.
fn permutations(items: &[usize]) -> Vec<Vec<usize>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    for at in 0..items.len() {
        let mut rest = items.to_vec();
        let first = rest.remove(at);
        found.extend(permutations(&rest).into_iter().map(|order| [vec![first], order].concat()));
    }
    found
}

/// The topics of a run, from the tables.
fn topics_of_run(home: &Home, run: u64) -> Vec<BTreeMap<String, f64>> {
    let query = format!(
        "SELECT topic, text, probability FROM topic_term JOIN term ON term.id = term_id \
         WHERE run_id = {run}"
    );
    let rows = home.json(&["sql", &query, "-o", "json"]);
    let mut topics: Vec<BTreeMap<String, f64>> = Vec::new();
    for row in rows.as_array().expect("rows") {
        let topic = row["topic"].as_u64().expect("a topic") as usize;
        topics.resize_with(topics.len().max(topic + 1), BTreeMap::new);
        let word = row["text"].as_str().expect("a word").to_string();
        topics[topic].insert(word, row["probability"].as_f64().expect("a number"));
    }
    topics
}

fn distance(first: &BTreeMap<String, f64>, other: &BTreeMap<String, f64>) -> f64 {
    let of = |topic: &BTreeMap<String, f64>, word: &String| topic.get(word).copied().unwrap_or(0.0);
    let words: BTreeSet<&String> = first.keys().chain(other.keys()).collect();
    words.into_iter().map(|word| (of(first, word) - of(other, word)).abs()).sum()
}

#[test]
fn the_error_of_a_run_is_the_smallest_over_all_permutations() {
    let home = Home::new();
    let made = make(
        &home,
        &["separable", "--documents", "1500", "--words", "120", "-k", "4", "--rho", "0.3"],
    );
    home.succeeds(&["ingest", "known", made["corpus"].as_str().expect("a path")]);
    home.succeeds(&["run", "known", "-k", "4", "--model", "raw"]);
    // A vocabulary that lacks words, and one topic too many.
    home.succeeds(&["run", "known", "-k", "5", "--terms", "60"]);
    let file = made["truth"].as_str().expect("a path");
    let found = home.json(&["compare", "1", "2", "--truth", file, "-o", "json"]);
    let truth = truth(&home, "separable");
    let numbers: Vec<usize> = (0..4).collect();
    let topics = topics_of_run(&home, 1);
    let sum = |order: &Vec<usize>| -> f64 {
        order.iter().zip(&truth).map(|(&topic, known)| distance(known, &topics[topic])).sum()
    };
    let smallest = permutations(&numbers).iter().map(sum).fold(f64::INFINITY, f64::min);
    let error = found[0]["l1_error"].as_f64().expect("a number");
    assert!((error - smallest / 4.0).abs() < 1e-9, "{error} {smallest}");
    // The model finds these topics: far from the error of topics that have nothing to do with
    // them, about 1.
    assert!(error < 0.5, "{error}");
    let second = &found[1];
    assert_eq!(second["topics"].as_array().expect("topics").len(), 4);
    assert_eq!(second["only_run"].as_array().expect("topics").len(), 1);
    assert_eq!(second["missing_words"], 60);
    let topics = topics_of_run(&home, 2);
    for pair in second["topics"].as_array().expect("topics") {
        let at = |name: &str| pair[name].as_u64().expect("a topic") as usize;
        let expected = distance(&truth[at("true_topic")], &topics[at("topic")]);
        assert!((pair["l1_error"].as_f64().expect("a number") - expected).abs() < 1e-9);
    }
    let csv = home.succeeds(&["compare", "1", "2", "--truth", file, "-o", "csv"]);
    assert_eq!(csv.lines().count(), 1 + 4 + 5);
    let table = home.succeeds(&["compare", "1", "--truth", file]);
    assert!(table.contains("true_words") && table.contains("worst_l1_error"), "{table}");
}

#[test]
fn documents_are_drawn_from_the_topics_of_a_run() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "8", "--terms", "500"]);
    let semi = ["semi", "--from", "1", "--documents", "200", "--tokens", "50"];
    let plain = make(&home, &semi);
    assert_eq!((plain["words"].as_u64(), plain["topics"].as_u64()), (Some(500), Some(8)));
    let given = topics_of_run(&home, 1);
    for (drawn, given) in truth(&home, "semi").iter().zip(&given) {
        assert!(distance(drawn, given) < 1e-9);
    }
    let novel = make(&home, &[&semi[..], &["--novel", "--name", "novel"]].concat());
    assert_eq!(novel["words"].as_u64(), Some(508));
    let topics = truth(&home, "novel");
    for (number, topic) in topics.iter().enumerate() {
        let own: Vec<&String> =
            topic.keys().filter(|word| !given.iter().any(|g| g.contains_key(*word))).collect();
        let highest = topic.values().copied().fold(0.0, f64::max);
        assert_eq!(own.len(), 1);
        assert_eq!(topic[own[0]], highest);
        assert!(topics.iter().enumerate().all(|(n, t)| n == number || !t.contains_key(own[0])));
        assert!((topic.values().sum::<f64>() - 1.0).abs() < 1e-9);
    }
    let into = home.path("made").to_string_lossy().into_owned();
    home.fails(&["synth", "semi", "--from", "9", "--into", &into, "--name", "x"]);
    // What was drawn is a corpus like any other.
    home.succeeds(&["ingest", "novel", novel["corpus"].as_str().expect("a path")]);
    home.succeeds(&["run", "novel", "-k", "8"]);
    let file = novel["truth"].as_str().expect("a path");
    let found = home.json(&["compare", "2", "--truth", file, "-o", "json"]);
    assert_eq!(found[0]["topics"].as_array().expect("topics").len(), 8);
}

#[test]
fn wrong_values_and_files_are_told_in_one_line() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "4"]);
    let into = home.path("made").to_string_lossy().into_owned();
    let fails = |kind: &[&str]| {
        home.fails(&[&["synth"][..], kind, &["--into", &into]].concat());
    };
    fails(&["lda", "--alpha", "0"]);
    fails(&["lda", "--beta", "-1"]);
    fails(&["lda", "--words", "10"]);
    fails(&["lda", "--tokens", "0"]);
    fails(&["separable", "--rho", "0.001"]);
    fails(&["zipf", "--epsilon", "0.5"]);
    fails(&["bitmap", "--shown", "6"]);
    fails(&["swimmer", "--noisy", "--background", "11"]);
    fails(&["swimmer", "--name", "a/b"]);
    assert!(!home.path("made").exists());
    make(&home, &["swimmer"]);
    fails(&["swimmer"]);
    let file = home.path("file").to_string_lossy().into_owned();
    std::fs::write(&file, "x").expect("write");
    home.fails(&["synth", "swimmer", "--into", &file]);
    home.fails(&["compare", "1"]);
    home.fails(&["compare", "1", "--truth", &file]);
    let strange = home.path("made/truth.swimmer.csv").to_string_lossy().into_owned();
    home.fails(&["compare", "1", "--truth", &strange]);
    home.fails(&["compare", "7", "--truth", &strange]);
    let usage = home.command(&["synth", "poem", "--into", &into]).output().expect("run");
    assert_eq!(usage.status.code(), Some(2));
}

#[test]
fn an_interrupted_corpus_leaves_nothing() {
    let home = Home::new();
    let into = home.path("made").to_string_lossy().into_owned();
    let arguments = ["synth", "lda", "--documents", "100000000", "--into", &into];
    let mut child =
        home.command(&arguments).stderr(std::process::Stdio::null()).spawn().expect("run");
    let body_is_there = || {
        let folders = std::fs::read_dir(&into).into_iter().flatten().flatten();
        folders.into_iter().any(|folder| folder.path().join("body").exists())
    };
    home.wait_until("documents are being drawn", body_is_there);
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("interrupt");
    assert_eq!(child.wait().expect("ended").code(), Some(130));
    assert_eq!(std::fs::read_dir(&into).expect("a directory").count(), 0);
}

#[test]
fn uneven_texts_do_not_hide_their_topics() {
    let home = Home::new();
    let sizes = ["--documents", "1500", "--words", "800", "-k", "6", "--beta", "0.05"];
    let faults =
        ["--tokens", "5000", "--lengths", "uneven", "--copies", "0.3", "--boilerplate", "0.8"];
    let made = make(&home, &[&["lda"][..], &sizes, &faults].concat());
    home.succeeds(&["ingest", "uneven", made["corpus"].as_str().expect("a path")]);
    // The boilerplate makes a topic of its own.
    home.succeeds(&["run", "uneven", "-k", "7"]);
    home.succeeds(&["run", "uneven", "-k", "7", "--as", "paper"]);
    let file = made["truth"].as_str().expect("a path");
    let found = home.json(&["compare", "1", "2", "--truth", file, "-o", "json"]);
    let error = |run: usize| found[run]["l1_error"].as_f64().expect("a number");
    assert!(error(0) < 0.06 && error(0) < error(1) / 4.0, "{found}");
}
