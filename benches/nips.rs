//! The stages of an `lr-jsmf` run on NIPS, K = 50, 5,000 terms: medians of five runs, and how far
//! the matrix products in them are from the fastest this machine makes.
//!
//! Needs the UCI NIPS corpus: `TOPICA_NIPS=DIRECTORY cargo bench --bench nips`, the directory
//! holding docword.nips.txt.gz and vocab.nips.txt. Without it, it says so and measures nothing.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use topica::ingest::{IngestRequest, NoProgress, ingest};
use topica::run::reporter::Reporter;
use topica::run::request::RunRequest;
use topica::run::work::do_work;
use topica::store::Store;
use topica::store::run::{RunEnd, RunStatus};

const RUNS: usize = 5;
/// How a run ends here.
const FINISHED: RunEnd<'_> =
    RunEnd { status: RunStatus::Finished, seconds: None, peak_memory_bytes: None, error: None };

fn main() {
    let Some(directory) = std::env::var_os("TOPICA_NIPS").map(PathBuf::from) else {
        println!("nips: set TOPICA_NIPS to the directory of docword.nips.txt.gz to measure this");
        return;
    };
    let home = tempfile::tempdir().expect("tempdir");
    let mut store = Store::open(&home.path().join("nips.db")).expect("store");
    let request = IngestRequest::new("nips", [directory.join("docword.nips.txt.gz")]);
    ingest(&store, &request, &NoProgress).expect("NIPS in the directory");
    let mut seconds: BTreeMap<usize, (String, Vec<f64>)> = BTreeMap::new();
    for _ in 0..RUNS {
        let number = RunRequest::new("nips", 50).submit(&store).expect("a run");
        let run = store.run(number).expect("its row");
        let reporter = Reporter::new(store.path(), number, Arc::default());
        do_work(&mut store, &run, &reporter, || FINISHED).expect("topics");
        reporter.write(&mut store).expect("stages");
        for (position, stage) in store.stages(number).expect("stages").into_iter().enumerate() {
            let entry = seconds.entry(position).or_insert_with(|| (stage.name, Vec::new()));
            entry.1.push(stage.seconds.unwrap_or_default());
        }
    }
    let mut total = 0.0;
    for (name, mut times) in seconds.into_values() {
        times.sort_by(f64::total_cmp);
        total += times[times.len() / 2];
        println!("{name:10} {:6.3} s", times[times.len() / 2]);
    }
    println!("{:10} {total:6.3} s", "all");
    limits();
}

/// The dense arithmetic of "rectify", and the time it would take at the speed of a large product.
fn limits() {
    let (words, k, large, columns, iterations) = (5000.0, 50.0, 1500.0, 60.0, 50.0);
    let single = (iterations + 1.0) * 2.0 * large * words * k;
    // Two products with Y·Yᵀ, one Cholesky QR of two rounds, Rayleigh–Ritz, the new basis.
    let tall = words * columns * columns;
    let double = iterations * (2.0 * 4.0 * words * k * columns + 2.0 * 4.0 * tall + 4.0 * tall);
    let (fast, faster) = (gigaflops_f64(), gigaflops_f32());
    println!("\nlarge products: {fast:.0} GFlop/s in f64, {faster:.0} in f32");
    println!(
        "rectify: {:.1} GFlop in f32 and {:.1} in f64, {:.2} s and {:.2} s at that speed",
        single / 1e9,
        double / 1e9,
        single / faster / 1e9,
        double / fast / 1e9,
    );
}

/// Median speed of five products of 4096 × 1024 by 1024 × 1024.
fn gigaflops_f64() -> f64 {
    let a = ndarray::Array2::<f64>::from_elem((4096, 1024), 0.5);
    let b = ndarray::Array2::<f64>::from_elem((1024, 1024), 0.25);
    median_gigaflops(|| drop(std::hint::black_box(topica::linalg::dense::product(&a, &b))))
}

fn gigaflops_f32() -> f64 {
    use faer::linalg::matmul::matmul;
    use rayon::prelude::*;
    let a = vec![0.5f32; 4096 * 1024];
    let b = vec![0.25f32; 1024 * 1024];
    let mut c = vec![0.0f32; 4096 * 1024];
    median_gigaflops(|| {
        c.par_chunks_mut(512 * 1024).zip(a.par_chunks(512 * 1024)).for_each(|(c, a)| {
            matmul(
                faer::MatMut::from_row_major_slice_mut(c, 512, 1024),
                faer::Accum::Replace,
                faer::MatRef::from_row_major_slice(a, 512, 1024),
                faer::MatRef::from_row_major_slice(&b, 1024, 1024),
                1.0,
                faer::Par::Seq,
            );
        });
        std::hint::black_box(&c);
    })
}

fn median_gigaflops(mut product: impl FnMut()) -> f64 {
    let mut seconds: Vec<f64> = (0..RUNS)
        .map(|_| {
            let begun = std::time::Instant::now();
            product();
            begun.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    2.0 * 4096.0 * 1024.0 * 1024.0 / seconds[seconds.len() / 2] / 1e9
}
