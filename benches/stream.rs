//! One streamed pass of C·V from the store against the same product on a matrix in memory.
//!
//! Prints medians of interleaved rounds: nonzeros per second from the store, and how many times
//! as long as (a) a plain CSR product in memory with the same threads and (b) the same operator
//! over a matrix in memory. The goal is 1.3 times (a).
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::time::Instant;

use ndarray::{Array1, Array2, Axis};
use rand::RngExt;
use rayon::prelude::*;
use sprs::{CsMat, TriMat};
use topoi_core::progress::Silent;
use topoi_core::random::stream;
use topoi_core::stream::cooccurrence::CoOccurrence;
use topoi_core::stream::documents::Documents;
use topoi_core::stream::memory::MatrixSource;
use topoi_store::block::blocks::CorpusBlocks;
use topoi_store::id::CorpusId;
use topoi_store::ingest::{IngestWriter, NewDocument};
use topoi_store::{Access, Store};

const DOCUMENTS: usize = 3000;
const WORDS: usize = 5000;
const ROUNDS: usize = 15;

/// Documents of about 400 different words out of 5,000, frequent words first (Zipf).
fn corpus() -> CsMat<u32> {
    let mut rng = stream(1, "benchmark corpus");
    let mut counts = TriMat::new((DOCUMENTS, WORDS));
    for document in 0..DOCUMENTS {
        let mut row = std::collections::BTreeMap::new();
        for _ in 0..900 {
            let word = (WORDS as f64).powf(rng.random::<f64>()) as usize - 1;
            *row.entry(word).or_insert(0) += 1;
        }
        for _ in 0..200 {
            *row.entry(rng.random_range(0..WORDS)).or_insert(0) += 1;
        }
        row.into_iter().for_each(|(word, count)| counts.add_triplet(document, word, count));
    }
    counts.to_csr()
}

fn save(counts: &CsMat<u32>, store: &Store) -> CorpusId {
    let mut writer = IngestWriter::begin(store, "bench", "{\"kind\":\"counts\"}", "bench", "uci")
        .expect("begin");
    for word in 0..WORDS {
        writer.term(&format!("w{word}")).expect("term");
    }
    for (number, row) in counts.outer_iterator().enumerate() {
        let entries: Vec<(u32, u32)> = row.iter().map(|(word, &n)| (word as u32, n)).collect();
        let key = number.to_string();
        let document = NewDocument::counted(&key, &entries);
        writer.add(document).expect("add");
    }
    writer.finish().expect("finish");
    store.corpus("bench").expect("there").id
}

/// The product as one would write it for a CSR matrix in memory: Ĥ(ĤᵀV) − d∘V, documents shared
/// out over the threads.
fn plain_product(h: &CsMat<f64>, d: &Array1<f64>, v: &Array2<f64>) -> Array2<f64> {
    let b = v.ncols();
    let threads = rayon::current_num_threads();
    let share = h.rows().div_ceil(threads);
    let parts: Vec<Array2<f64>> = (0..threads)
        .into_par_iter()
        .map(|thread| {
            let mut sum = Array2::<f64>::zeros(v.dim());
            let (out, input) = (sum.as_slice_mut().expect("rows"), v.as_slice().expect("rows"));
            let mut t = vec![0.0; b];
            for document in thread * share..((thread + 1) * share).min(h.rows()) {
                let row = h.outer_view(document).expect("a row");
                t.fill(0.0);
                for (word, &x) in row.iter() {
                    let from = &input[word * b..(word + 1) * b];
                    t.iter_mut().zip(from).for_each(|(t, v)| *t += x * v);
                }
                for (word, &x) in row.iter() {
                    let to = &mut out[word * b..(word + 1) * b];
                    to.iter_mut().zip(&t).for_each(|(to, t)| *to += x * t);
                }
            }
            sum
        })
        .collect();
    let scaled = v * &d.view().insert_axis(Axis(1));
    parts.into_iter().reduce(|a, b| a + b).expect("a thread") - scaled
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

fn time<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let begun = Instant::now();
    let value = work();
    (begun.elapsed().as_secs_f64(), value)
}

fn main() {
    let counts = corpus();
    let directory = tempfile::tempdir().expect("tempdir");
    let store = Store::open(&directory.path().join("bench.db"), Access::Create).expect("store");
    let id = save(&counts, &store);
    let blocks = CorpusBlocks::open(&store, id).expect("blocks");
    let positions: Vec<u32> = (0..WORDS as u32).collect();
    let stored = Documents::new(&blocks, &positions, 2, &Silent);
    let c = CoOccurrence::new(&stored).expect("operator");
    let source = MatrixSource::new(counts.clone(), 256);
    let held = Documents::new(&source, &positions, 2, &Silent);
    let in_memory = CoOccurrence::new(&held).expect("operator");
    let mut h = counts.map(|&n| f64::from(n));
    for mut row in h.outer_iterator_mut() {
        let n: f64 = row.data().iter().sum();
        let scale = (n * (n - 1.0) * DOCUMENTS as f64).sqrt();
        row.iter_mut().for_each(|(_, x)| *x /= scale);
    }
    let nonzeros = c.totals().nonzeros as f64;
    println!(
        "{} nonzeros, {} threads, medians of {ROUNDS}",
        nonzeros,
        rayon::current_num_threads()
    );
    println!("columns  M nonzeros/s  GFlop/s  store/CSR  store/operator in memory");
    for columns in [1, 16, 64, 110] {
        let v = Array2::from_shape_fn((WORDS, columns), |(i, j)| ((i * 3 + j * 5) as f64).sin());
        let (mut ours, mut plain, mut held) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let (seconds, product) = time(|| c.apply(v.view()).expect("pass"));
            ours.push(seconds);
            let (seconds, expected) = time(|| plain_product(&h, c.diagonal(), &v));
            plain.push(seconds);
            held.push(time(|| in_memory.apply(v.view()).expect("pass")).0);
            let error = (&product - &expected).iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            assert!(error < 1e-12, "the products agree");
        }
        let (ours, plain, held) = (median(ours), median(plain), median(held));
        println!(
            "{columns:7}  {:12.1}  {:7.2}  {:9.2}  {:9.2}",
            nonzeros / ours / 1e6,
            4.0 * nonzeros * columns as f64 / ours / 1e9,
            ours / plain,
            ours / held
        );
    }
}
