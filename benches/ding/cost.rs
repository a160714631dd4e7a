//! Ding et al. 2015, theorem 2: `rp` costs in proportion to the documents.

use topoi::synth::lda::{LdaSettings, lda};
use topoi::synth::length::Length;

use crate::laboratory::{Laboratory, head, run};

/// Documents of the two corpora.
const DOCUMENTS: [u64; 2] = [10_000, 100_000];
/// Rounds; the median counts.
const ROUNDS: usize = 3;

/// Prints the table.
pub fn measure() {
    println!(
        "\nCost of rp, K = 20, P = 3,000, W = 5,000, 100 tokens a document: median seconds of \
         {ROUNDS} rounds, in turn\n"
    );
    let mut laboratories = DOCUMENTS.map(corpus);
    let mut seconds = [const { Vec::new() }; 2];
    for _ in 0..ROUNDS {
        for (laboratory, seconds) in laboratories.iter_mut().zip(&mut seconds) {
            seconds.push(project_seconds(laboratory));
        }
    }
    let medians = seconds.map(|mut seconds: Vec<f64>| {
        seconds.sort_unstable_by(f64::total_cmp);
        seconds[ROUNDS / 2]
    });
    head(&["M", "seconds of the stage project", "a thousand documents"]);
    for (documents, median) in DOCUMENTS.iter().zip(medians) {
        println!("| {documents} | {median:.2} | {:.3} |", median / *documents as f64 * 1e3);
    }
    println!("\n{:.1} times the time for 10 times the documents", medians[1] / medians[0]);
}

fn corpus(documents: u64) -> Laboratory {
    let (words, topics, length) = (5000, 20, Length::Fixed(100));
    let settings =
        LdaSettings { documents, words, topics, length, alpha: 0.1, beta: 0.05, seed: 1 };
    Laboratory::new(lda(&settings).expect("a corpus"))
}

fn project_seconds(laboratory: &mut Laboratory) -> f64 {
    let request = laboratory.request("rp", 1);
    let number = run(&mut laboratory.store, &request).expect("topics");
    let stages = laboratory.store.stages(number).expect("stages");
    let project = stages.iter().filter(|stage| stage.name == "project");
    project.filter_map(|stage| stage.seconds).sum()
}
