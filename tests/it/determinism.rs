//! The same seed gives the same bits, whatever the number of threads and in any process.

use crate::common::Home;
use topoi_core::model::Model;

const RESULTS: &[&str] = &[
    "SELECT * FROM topic_term ORDER BY run_id, topic, rank",
    "SELECT * FROM characteristic_term ORDER BY run_id, topic, rank",
    "SELECT * FROM topic_correlation ORDER BY run_id, topic_a, topic_b",
    "SELECT * FROM topic ORDER BY run_id, topic",
    "SELECT * FROM metric ORDER BY run_id, name, topic",
    "SELECT * FROM document_topic ORDER BY run_id, document_id, topic",
    "SELECT * FROM spectrum ORDER BY run_id, position",
    "SELECT result_hash FROM run ORDER BY id",
    "SELECT id, position, text, document_frequency, total_count FROM term ORDER BY id",
];

/// 2,100 lines of 12 words: five blocks, so that every lane of a pass has documents.
fn many_lines() -> String {
    let mut state = 1u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % below
    };
    let mut line = |number: u64| {
        let words: Vec<String> = (0..12)
            .map(|_| {
                format!(
                    "word{}x",
                    if draw(4) == 0 { draw(300) } else { number % 6 * 50 + draw(50) }
                )
            })
            .collect();
        words.join(" ") + "\n"
    };
    (0..2100).map(&mut line).collect()
}

/// What a run of every model leaves in the store.
fn results(threads: &str) -> Vec<String> {
    let home = Home::new();
    let file = home.file("lines.txt", many_lines().as_bytes());
    home.succeeds(&["ingest", "lines", &file, "--format", "lines"]);
    for model in Model::all() {
        let run = ["run", "lines", "--model", model.name(), "-k", "6", "--threads", threads];
        let few: &[&str] =
            if model.any().setting("iterations").is_some() { &["--iterations", "40"] } else { &[] };
        home.succeeds(&[&run[..], few].concat());
    }
    RESULTS.iter().map(|query| home.succeeds(&["sql", query, "-o", "csv"])).collect()
}

#[test]
fn one_two_and_three_threads_in_processes_of_their_own_give_the_same_bytes() {
    let one = results("1");
    assert!(one[0].lines().count() > 300 * Model::all().len());
    for threads in ["2", "3", "9"] {
        for (query, (expected, found)) in RESULTS.iter().zip(one.iter().zip(results(threads))) {
            assert!(*expected == found, "{threads} threads: {query}");
        }
    }
}

/// The topics and documents' proportions of a run of every model on `lines`, which came in two files.
fn topics_of_lines(home: &Home) -> Vec<String> {
    for model in Model::all() {
        let run = ["run", "lines", "--model", model.name(), "-k", "6", "--threads", "2"];
        let few: &[&str] =
            if model.any().setting("iterations").is_some() { &["--iterations", "10"] } else { &[] };
        home.succeeds(&[&run[..], few].concat());
    }
    // Two more: documents that are held out, and groups of documents as printed.
    home.succeeds(&["run", "lines", "-k", "6", "--held-out", "0.2"]);
    home.succeeds(&["run", "lines", "-k", "6", "--model", "binning", "--as", "paper"]);
    let queries = [
        "SELECT topic, probabilities FROM topic_probabilities JOIN run ON run_id = run.id \
         JOIN corpus ON corpus_id = corpus.id WHERE name = 'lines' ORDER BY run_id, topic",
        "SELECT proportions FROM document_proportions JOIN run ON run_id = run.id \
         JOIN corpus ON corpus_id = corpus.id WHERE name = 'lines' ORDER BY run_id, document_id",
        "SELECT metric.name, value FROM metric JOIN run ON run_id = run.id \
         JOIN corpus ON corpus_id = corpus.id WHERE corpus.name = 'lines' \
         AND metric.name LIKE 'held_out%' ORDER BY 1",
    ];
    queries.iter().map(|query| home.succeeds(&["sql", query, "-o", "csv"])).collect()
}

#[test]
fn a_seed_gives_the_same_topics_whatever_else_is_in_the_store() {
    let lines = many_lines();
    let middle = lines.match_indices('\n').nth(1200).expect("lines").0 + 1;
    let (alone, beside) = (Home::new(), Home::new());
    let ingest = |home: &Home, corpus: &str, name: &str, text: &str| {
        let file = home.file(name, text.as_bytes());
        home.succeeds(&["ingest", corpus, &file, "--format", "lines"]);
    };
    ingest(&alone, "lines", "a.txt", &lines[..middle]);
    ingest(&alone, "lines", "b.txt", &lines[middle..]);
    // Documents of another corpus come before, between and after.
    ingest(&beside, "other", "x.txt", "one two three\nfour five six\nseven eight nine\n");
    ingest(&beside, "lines", "a.txt", &lines[..middle]);
    ingest(&beside, "other", "y.txt", "ten eleven twelve\nthirteen one two\n");
    ingest(&beside, "lines", "b.txt", &lines[middle..]);
    ingest(&beside, "other", "z.txt", "three five seven\n");
    // A document that is deleted takes its number with it.
    let third = "SELECT key FROM document JOIN corpus ON corpus_id = corpus.id \
                 WHERE name = 'lines' ORDER BY document.id LIMIT 1 OFFSET 2";
    for home in [&alone, &beside] {
        let key = home.succeeds(&["sql", third, "-o", "csv"]);
        let key = key.lines().nth(1).expect("a key").trim_matches('"');
        home.succeeds(&["delete", "documents", "lines", "--key", key, "--yes"]);
    }
    let (expected, found) = (topics_of_lines(&alone), topics_of_lines(&beside));
    assert!(expected.iter().all(|table| table.lines().count() > 2));
    for (expected, found) in expected.iter().zip(&found) {
        let same = expected.lines().zip(found.lines()).position(|(a, b)| a != b);
        assert!(expected == found, "row {same:?}");
    }
}
