//! A small corpus and a direct implementation of its split co-occurrence, for tests.

use ndarray::{Array1, Array2};
use rand::RngExt;
use sprs::TriMat;

use super::halves::{Halves, Splitter};
use crate::random::stream;
use crate::stream::documents::Documents;
use crate::stream::memory::MatrixSource;
use crate::stream::split::{SplitCoOccurrence, split_sums};

/// Documents over words that occur in half of them, in blocks of seven.
pub(crate) fn corpus(documents: usize, words: usize) -> (MatrixSource, Vec<u32>) {
    let mut rng = stream(5, "split corpus");
    let mut counts = TriMat::new((documents, words));
    for document in 0..documents {
        for word in 0..words {
            if rng.random::<f64>() < 0.5 {
                counts.add_triplet(document, word, rng.random_range(1..6u32));
            }
        }
    }
    (MatrixSource::new(counts.to_csr(), 7), (0..words as u32).collect())
}

/// The operator on documents in memory.
pub(crate) fn split<'a>(documents: &'a Documents<'a>, seed: u64) -> SplitCoOccurrence<'a> {
    SplitCoOccurrence::new(documents, seed, split_sums(documents, seed, None).expect("in memory"))
}

/// Ê formed from dense halves.
pub(crate) struct Dense {
    /// Ê.
    pub e: Array2<f64>,
    /// X, the first half: shares, W × M.
    pub x: Array2<f64>,
    /// ρ.
    pub sums: Array1<f64>,
}

impl Dense {
    pub(crate) fn new(documents: &Documents<'_>, seed: u64) -> Self {
        let mut columns: Vec<(Array1<f64>, Array1<f64>)> = Vec::new();
        let mut halves = Halves::default();
        let dense = |side: crate::stream::panel::Side<'_>| {
            let mut column = Array1::zeros(documents.words());
            for (&word, &share) in side.words.iter().zip(side.values) {
                column[word as usize] = share;
            }
            column
        };
        let blocks = 0..documents.block_sizes().len();
        let visited = documents.visit(blocks, |batch| {
            Splitter::new(seed).split(batch, &mut halves);
            let pairs = halves.first.documents().zip(halves.second.documents());
            columns.extend(pairs.map(|(x, y)| (dense(x), dense(y))));
        });
        visited.expect("in memory");
        let shape = (documents.words(), columns.len());
        let x = Array2::from_shape_fn(shape, |(word, document)| columns[document].0[word]);
        let y = Array2::from_shape_fn(shape, |(word, document)| columns[document].1[word]);
        let sums = (x.sum_axis(ndarray::Axis(1)) + y.sum_axis(ndarray::Axis(1))) / 2.0;
        let m = columns.len() as f64;
        let scale = |(i, j): (usize, usize)| {
            if sums[i] * sums[j] > 0.0 { m / (sums[i] * sums[j]) } else { 0.0 }
        };
        let product = y.dot(&x.t());
        let e = Array2::from_shape_fn(product.dim(), |at| product[at] * scale(at));
        Self { e, x, sums }
    }
}
