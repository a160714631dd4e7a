//! When it pays to divide a corpus: the cost model of a pass, from what a pass takes here.
//!
//!     cargo bench --bench parts

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod cost;

use std::time::Instant;

use cost::{Cluster, Pass};
use ndarray::Array2;
use sprs::TriMat;
use topoi_core::progress::Silent;
use topoi_core::random::ShortStream;
use topoi_core::stream::cooccurrence::CoOccurrence;
use topoi_core::stream::documents::Documents;
use topoi_core::stream::memory::MatrixSource;

const WORDS: usize = 15_000;
const COLUMNS: usize = 32;
/// 10 Gbit/s Ethernet, and how long it takes a message to arrive.
const BANDWIDTH: f64 = 1.25e9;
const LATENCY: f64 = 2e-5;
/// Machines of a cluster that is shared differ by some per cent.
const SPREAD: f64 = 0.05;

/// Nonzeros times columns that this machine multiplies in a second: the median of five passes over
/// some million nonzeros.
fn rate() -> f64 {
    let mut counts = TriMat::new((20_000, WORDS));
    let mut random = ShortStream::new(1, 1);
    for document in 0..20_000 {
        let mut words: Vec<usize> = (0..200)
            // Small numbers more often than large ones, as words are.
            .map(|_| (random.unit().powi(3) * WORDS as f64) as usize)
            .collect();
        words.sort_unstable();
        words.dedup();
        words.into_iter().for_each(|word| counts.add_triplet(document, word, 1u32));
    }
    let nonzeros = counts.nnz() as f64;
    let source = MatrixSource::new(counts.to_csr(), 512);
    let positions: Vec<u32> = (0..WORDS as u32).collect();
    let documents = Documents::new(&source, &positions, 2, &Silent);
    let c = CoOccurrence::new(&documents).expect("in memory");
    let v = Array2::from_elem((WORDS, COLUMNS), 1.0);
    let mut rates: Vec<f64> = (0..5)
        .map(|_| {
            let begun = Instant::now();
            c.apply(v.view()).expect("in memory");
            nonzeros * COLUMNS as f64 / begun.elapsed().as_secs_f64()
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    rates[2]
}

fn main() {
    let rate = rate();
    println!("this machine multiplies {rate:.2e} nonzeros times columns a second\n");
    let cluster = Cluster { rate, bandwidth: BANDWIDTH, latency: LATENCY, spread: SPREAD };
    println!("Seconds of a pass with {COLUMNS} columns (share that is exchange):\n");
    let corpora = [(1e8, 15e3), (1e9, 50e3), (1e10, 1e5), (1e11, 1e5), (1e12, 2e5)];
    let heads = corpora.map(|(nonzeros, words)| format!("{nonzeros:.0e} × {words} words"));
    println!("| parts | {} |", heads.join(" | "));
    println!("| ---: {}|", "| ---: ".repeat(corpora.len()));
    for parts in [1, 2, 4, 10, 30, 100, 300, 1000] {
        let cells = corpora.map(|(nonzeros, words)| {
            let pass = Pass { nonzeros, words, columns: COLUMNS as f64 };
            let time = pass.time(parts, &cluster, 1);
            format!("{:.3} ({:.0}%)", time.total(), 100.0 * time.overhead())
        });
        println!("| {parts} | {} |", cells.join(" | "));
    }
}
