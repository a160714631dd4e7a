//! The same seed gives the same bits, whatever the number of threads and in any process.

mod common;

use common::Home;

const RESULTS: &[&str] = &[
    "SELECT * FROM topic_term ORDER BY topic, rank",
    "SELECT * FROM characteristic_term ORDER BY topic, rank",
    "SELECT * FROM topic_correlation ORDER BY topic_a, topic_b",
    "SELECT * FROM topic ORDER BY topic",
    "SELECT * FROM metric ORDER BY name, topic",
    "SELECT * FROM spectrum ORDER BY position",
    "SELECT result_hash FROM run",
    "SELECT id, position, text, document_frequency, total_count FROM term ORDER BY id",
];

fn results(threads: &str) -> Vec<String> {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "8", "--terms", "900", "--threads", threads]);
    RESULTS.iter().map(|query| home.succeeds(&["sql", query, "-o", "csv"])).collect()
}

#[test]
fn one_two_and_three_threads_in_processes_of_their_own_give_the_same_bytes() {
    let one = results("1");
    assert!(one[0].lines().count() > 900);
    for threads in ["2", "3", "9"] {
        assert_eq!(one, results(threads), "{threads} threads");
    }
}
