//! Cheng, He and Liu 2015. Corpora are drawn from LDA in memory.

pub mod figure1;
pub mod figure2;
#[path = "../../../tests/it/common/lda.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod lda;
pub mod mixtures;

use ndarray::Array2;
use topoi_core::linalg::accuracy::Accuracy;
use topoi_core::linalg::block_krylov::{KrylovSettings, SymmetricOperator, block_krylov};
use topoi_core::progress::Silent;
use topoi_core::random::stream;
use topoi_core::stream::cooccurrence::CoOccurrence;
use topoi_core::stream::documents::Documents;
use topoi_core::stream::memory::MatrixSource;

use crate::fingerprint;
use crate::pages::saved::{Cell, Saved, Table};

/// K, α and β where they do not vary.
const TOPICS: usize = 10;
const ALPHA: f64 = 1.0;
const BETA: f64 = 0.1;

/// D, L, V.
#[derive(Clone, Copy)]
struct Size {
    documents: usize,
    length: usize,
    words: usize,
}

fn repeats(saved: &mut Saved) -> u64 {
    saved.repeats(2, 5)
}

/// The sizes of a panel; the small size takes every second.
fn chosen(values: &[usize], quick: bool) -> impl Iterator<Item = usize> {
    values.iter().copied().step_by(if quick { 2 } else { 1 })
}

fn by_length(quick: bool) -> Vec<(usize, Size)> {
    chosen(&[50, 100, 200, 400, 800, 1600, 3200], quick)
        .map(|length| (length, Size { documents: 2000, length, words: 1000 }))
        .collect()
}

fn by_documents(quick: bool) -> Vec<(usize, Size)> {
    let all = [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600];
    // Of the small size 12,800 is the last: there the lower bound comes near.
    let all = if quick { &all[1..] } else { &all[..] };
    chosen(all, quick)
        .map(|documents| (documents, Size { documents, length: 500, words: 1000 }))
        .collect()
}

fn by_words(quick: bool) -> Vec<(usize, Size)> {
    chosen(&[100, 200, 500, 1000, 2000, 3000], quick)
        .map(|words| (words, Size { documents: 2000, length: 500, words }))
        .collect()
}

/// Adds a table with a line a size: the values of every seed.
fn add<const N: usize>(
    saved: &mut Saved,
    title: &str,
    heads: [&str; N],
    (digits, lines): (i32, Vec<usize>),
    of_seed: impl Fn(usize, u64) -> [f64; N],
) {
    let seeds = repeats(saved);
    let name = title.split(['(', ')']).nth(1).unwrap_or_default();
    let heads = [&[name][..], &heads].concat();
    let mut table = Table::new(title, &heads, seeds as usize, digits);
    for (at, &name) in lines.iter().enumerate() {
        let mut values = vec![Vec::new(); N];
        for seed in 1..=seeds {
            for (values, value) in values.iter_mut().zip(of_seed(at, seed)) {
                values.push(value);
            }
        }
        table.push(name, values.into_iter().map(|values| Cell::Values(values).rounded()).collect());
    }
    saved.tables.push(table);
}

/// Calls `measure` with the co-occurrence of a corpus of this size, and its topics.
fn drawn<const N: usize>(
    size: Size,
    seed: u64,
    measure: impl Fn(&CoOccurrence<'_>, &Array2<f64>) -> [f64; N],
) -> [f64; N] {
    fingerprint::note("bounds");
    let mut rng = stream(seed, "cheng2015");
    let topics = lda::topics(&mut rng, size.words, TOPICS, BETA);
    let lengths = std::iter::repeat_n(size.length, size.documents);
    let counts = lda::documents(&mut rng, &topics, ALPHA, lengths);
    let source = MatrixSource::new(counts, 500);
    let positions: Vec<u32> = (0..size.words as u32).collect();
    let documents = Documents::new(&source, &positions, 2, &Silent);
    measure(&CoOccurrence::new(&documents).expect("in memory"), &topics)
}

/// The `pairs` largest eigenvalues.
fn largest<O: SymmetricOperator>(operator: &O, pairs: usize) -> Vec<f64> {
    let settings = KrylovSettings {
        pairs,
        kept: pairs + 10,
        block: 12,
        accuracy: Accuracy::Relative(1e-3),
        max_passes: 60,
    };
    let found = block_krylov(operator, settings, &mut stream(1, "bench krylov"), &Silent);
    found.unwrap_or_else(|_| unreachable!("in memory")).values.to_vec()
}

/// What both figures compute of a small corpus.
pub(crate) fn fingerprint() -> Vec<f64> {
    let size = Size { documents: 200, length: 50, words: 60 };
    let first = drawn(size, 1, figure1::deviations);
    let spectrum = figure1::spectrum(500, TOPICS, BETA, 1);
    let second = drawn(size, 1, figure2::bounds);
    [&first[..], &spectrum, &second].concat()
}
