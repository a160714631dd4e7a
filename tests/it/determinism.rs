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
