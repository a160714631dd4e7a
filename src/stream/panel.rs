//! A W × b block of columns, stored in stripes so that a pass works within the cache.
//!
//! A stripe holds S neighbouring columns of all W words, S numbers a word beside each other: a
//! pass that gathers and scatters rows touches W·S·8 bytes instead of W·b·8, and S = 16 fills
//! two cache lines. The arithmetic of a column does not depend on its neighbours.

use ndarray::{Array2, ArrayView2};
use pulp::{Arch, Simd, WithSimd};

use super::documents::Batch;

/// Columns a stripe holds unless the block has fewer.
pub const STRIPE: usize = 16;

/// One stripe set of S columns each.
#[derive(Debug, Clone)]
pub struct Panel<const S: usize> {
    words: usize,
    rows: Vec<[f64; S]>,
}

impl<const S: usize> Panel<S> {
    /// A panel of zeros for `columns` columns.
    pub fn zeros(words: usize, columns: usize) -> Self {
        Self { words, rows: vec![[0.0; S]; words * columns.div_ceil(S)] }
    }

    /// Copies a W × b matrix into stripes; missing columns of the last stripe are zeros.
    pub fn pack(matrix: ArrayView2<'_, f64>) -> Self {
        let (words, columns) = matrix.dim();
        let mut panel = Self::zeros(words, columns);
        for (word, row) in matrix.rows().into_iter().enumerate() {
            for (column, &value) in row.iter().enumerate() {
                panel.rows[column / S * words + word][column % S] = value;
            }
        }
        panel
    }

    /// The first `columns` columns as a W × b matrix.
    pub fn unpack(&self, columns: usize) -> Array2<f64> {
        Array2::from_shape_fn((self.words, columns), |(word, column)| {
            self.rows[column / S * self.words + word][column % S]
        })
    }

    /// Number of stripes.
    pub fn stripes(&self) -> usize {
        self.rows.len().checked_div(self.words).unwrap_or(0)
    }

    /// Adds another panel of the same shape.
    pub fn add(&mut self, other: &Self) {
        for (row, more) in self.rows.iter_mut().zip(&other.rows) {
            for (value, more) in row.iter_mut().zip(more) {
                *value += more;
            }
        }
    }

    /// Adds the documents' share of Ĥ Ĥᵀ V: `self += Σ_m x_m (x_mᵀ V) / (n_m (n_m − 1) M)`, for
    /// the stripes of `input` from `first_stripe` on that `self` holds.
    pub fn add_products(&mut self, batch: &Batch, input: &Self, first_stripe: usize, kept: f64) {
        if self.words == 0 {
            return;
        }
        let arch = Arch::new();
        let start = first_stripe * self.words;
        let output_stripes = self.rows.chunks_exact_mut(self.words);
        let input_stripes = input.rows[start..].chunks_exact(self.words);
        for (output, input) in output_stripes.zip(input_stripes) {
            arch.dispatch(AddProducts { batch, input, output, kept });
        }
    }
}

/// Puts together panels that each hold some of the stripes, in order.
pub fn concatenate<const S: usize>(parts: Vec<Panel<S>>) -> Panel<S> {
    let words = parts.first().map_or(0, |part| part.words);
    Panel { words, rows: parts.into_iter().flat_map(|part| part.rows).collect() }
}

struct AddProducts<'a, const S: usize> {
    batch: &'a Batch,
    input: &'a [[f64; S]],
    output: &'a mut [[f64; S]],
    kept: f64,
}

impl<const S: usize> WithSimd for AddProducts<'_, S> {
    type Output = ();

    // Multiplications and additions stay apart (no fused multiply-add), so that the sums are the
    // same on every processor; the loop waits for memory, not for arithmetic.
    #[inline(always)]
    fn with_simd<D: Simd>(self, _: D) {
        for (words, counts, length) in self.batch.documents() {
            let mut t = [0.0; S];
            for (&word, &count) in words.iter().zip(counts) {
                let row = &self.input[word as usize];
                for s in 0..S {
                    t[s] += count * row[s];
                }
            }
            let scale = 1.0 / (length * (length - 1.0) * self.kept);
            for value in &mut t {
                *value *= scale;
            }
            for (&word, &count) in words.iter().zip(counts) {
                let row = &mut self.output[word as usize];
                for s in 0..S {
                    row[s] += count * t[s];
                }
            }
        }
    }
}
