//! Ding et al. 2013, figure 2: the error on separable corpora against documents and tokens.

use topoi::synth::length::Length;
use topoi::synth::separable::{SeparableSettings, separable};

use crate::laboratory::{Laboratory, cell, head, present};

/// The models of the table.
const MODELS: &[&str] = &["ddp", "rp-doc", "rp", "binning", "aw", "raw", "lr-jsmf"];
/// The baselines that people know, which take a hundred times as long.
const BASELINES: &[&str] = &["nmf-kl", "lda-gibbs"];
/// The largest number of documents they are given.
const MOST_FOR_BASELINES: u64 = 5000;
/// Corpora that are averaged over.
const SEEDS: u64 = 10;
/// The paper's numbers of documents, and those of larger corpora.
const DOCUMENTS: &[u64] = &[200, 500, 1000, 2000, 5000, 20_000];
/// The numbers of tokens, at the paper's 500 documents.
const TOKENS: &[u32] = &[50, 100, 200, 400];

/// Prints the tables of the separable models and of those of the JSMF family.
pub fn measure() {
    tables(MODELS, u64::MAX);
}

/// Prints the same tables of the baselines, for corpora of up to 5,000 documents.
pub fn baselines() {
    tables(BASELINES, MOST_FOR_BASELINES);
}

fn tables(models: &[&'static str], most: u64) {
    println!(
        "\nl1 error a topic (0 to 2), mean ± deviation over {SEEDS} corpora; W = 500, rho = 0.2, alpha = 0.1\n"
    );
    let models = present(models);
    for topics in [5, 10] {
        println!("\nK = {topics}, N = 100\n");
        head(&[&["M"][..], &models].concat());
        for &documents in DOCUMENTS.iter().filter(|&&documents| documents <= most) {
            line(&documents.to_string(), topics, documents, 100, &models);
        }
    }
    println!("\nK = 10, M = 500\n");
    head(&[&["N"][..], &models].concat());
    for &tokens in TOKENS {
        line(&tokens.to_string(), 10, 500, tokens, &models);
    }
}

fn line(title: &str, topics: usize, documents: u64, tokens: u32, models: &[&str]) {
    let mut errors = vec![Vec::new(); models.len()];
    for seed in 1..=SEEDS {
        let (words, rho, alpha, length) = (500, 0.2, 0.1, Length::Fixed(tokens));
        let settings = SeparableSettings { documents, words, topics, rho, length, alpha, seed };
        let mut laboratory = Laboratory::new(separable(&settings).expect("a corpus"));
        for (model, errors) in models.iter().zip(&mut errors) {
            let request = laboratory.request(model, seed);
            errors.extend(laboratory.compare(&request).map(|found| found.l1_error));
        }
    }
    let cells: Vec<String> = errors.iter().map(|errors| cell(errors, SEEDS as usize)).collect();
    println!("| {title} | {} |", cells.join(" | "));
}
