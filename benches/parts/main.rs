//! When it pays to divide a corpus: the cost model of a pass, from what a pass takes here.
//!
//!     cargo bench --bench parts

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod cost;

use std::time::Instant;

use cost::{Cluster, Pass, WholeRun};
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

/// Ethernet of 1 Gbit/s.
const SLOW_BANDWIDTH: f64 = 1.25e8;
const SLOW_LATENCY: f64 = 2e-4;
/// What the corpus of PubMed's size took with K = 100 (papers/benchmarks.md), of 10⁹ such documents: `prepare`, `factorise`,
/// `documents` and `measure` stream, `rectify`, `topics` and `refine` are done alike by all parts. Eleven passes of 32
/// columns and six columns of measures are added up; a part holds the basis of up to 256 columns, a block and its sums.
const RUN: WholeRun = WholeRun {
    nonzeros: 6.1e10,
    documents: 1e9,
    words: 141e3,
    seconds_per_nonzero: 324.0 / 5e8,
    summed_columns: 11.0 * 32.0 + 6.0 + 100.0,
    held_columns: 256.0 + 64.0,
    repeated: 20.1,
    short_exchanges: 410.0,
    // A number, a length, and five proportions with their deviations.
    document_bytes: 16.0 + 5.0 * 12.0,
    seconds_per_saved: 38.6 / 8.2e6,
    is_collected: false,
};

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
    println!("\nA run of 10⁹ documents, K = 100, seconds:\n");
    println!(
        "| parts | network | streaming | sums | short exchanges | saving | alike | hours | of one machine | \
         collecting | saving by part 0 | hours | of one machine |"
    );
    println!("| ---: | --- |{}", " ---: |".repeat(11));
    let slow = Cluster { bandwidth: SLOW_BANDWIDTH, latency: SLOW_LATENCY, ..cluster };
    let alone = RUN.cost(1, &cluster, 1);
    for (name, cluster) in [("10 Gbit/s, .02 ms", cluster), ("1 Gbit/s, .2 ms", slow)] {
        for parts in [1, 4, 8, 16, 32, 64] {
            let cost = RUN.cost(parts, &cluster, 1);
            let collected = WholeRun { is_collected: true, ..RUN }.cost(parts, &cluster, 1);
            println!(
                "| {parts} | {name} | {:.0} | {:.1} | {:.2} | {:.0} | {:.0} | {:.2} | 1/{:.1} | {:.0} | {:.0} | {:.2} | 1/{:.1} |",
                cost.streaming,
                cost.sums,
                cost.latency,
                cost.saving,
                cost.repeated,
                cost.total() / 3600.0,
                alone.total() / cost.total(),
                collected.collecting,
                collected.saving,
                collected.total() / 3600.0,
                alone.total() / collected.total(),
            );
        }
    }
    println!("\nA part holds {:.1} GB beside what it streams.", alone.memory / 1e9);
}
