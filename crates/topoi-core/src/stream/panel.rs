//! A W × b block of columns, stored in stripes so that a pass works within the cache.
//!
//! A stripe contains S neighbouring columns of all W words, with the S numbers of a word next to
//! each other. A pass that gathers and scatters rows touches W·S·8 bytes instead of W·b·8; S = 16
//! fills two cache lines. The arithmetic of a column does not depend on its neighbours.

use ndarray::{Array2, ArrayView2};
use pulp::{Arch, Simd, WithSimd};

use super::aligned::Aligned;

/// Columns in a stripe, unless the block has fewer.
pub const STRIPE: usize = 16;

/// A block of columns in stripes of S.
#[derive(Debug, Clone)]
pub struct Panel<const S: usize> {
    words: usize,
    /// Rows of S numbers, stripe after stripe. With S = 8 a row is one cache line.
    numbers: Aligned,
}

impl<const S: usize> Panel<S> {
    /// A panel of zeros for `columns` columns.
    pub fn zeros(words: usize, columns: usize) -> Self {
        Self { words, numbers: Aligned::zeros(words * columns.div_ceil(S) * S) }
    }

    /// Copies a W × b matrix into stripes. Missing columns of the last stripe are zeros.
    pub fn pack(matrix: ArrayView2<'_, f64>) -> Self {
        let (words, columns) = matrix.dim();
        let mut panel = Self::zeros(words, columns);
        let rows = panel.rows_mut();
        for (word, row) in matrix.rows().into_iter().enumerate() {
            for (column, &value) in row.iter().enumerate() {
                rows[column / S * words + word][column % S] = value;
            }
        }
        panel
    }

    /// The first `columns` columns as a W × b matrix.
    pub fn unpack(&self, columns: usize) -> Array2<f64> {
        let rows = self.rows();
        Array2::from_shape_fn((self.words, columns), |(word, column)| {
            rows[column / S * self.words + word][column % S]
        })
    }

    fn rows(&self) -> &[[f64; S]] {
        self.numbers.as_chunks().0
    }

    fn rows_mut(&mut self) -> &mut [[f64; S]] {
        self.numbers.as_chunks_mut().0
    }

    /// Number of stripes.
    pub fn stripes(&self) -> usize {
        (self.numbers.len() / S).checked_div(self.words).unwrap_or(0)
    }

    /// All entries, stripe by stripe.
    pub fn numbers_mut(&mut self) -> &mut [f64] {
        &mut self.numbers
    }

    /// Adds another panel of the same shape.
    pub fn add(&mut self, other: &Self) {
        for (value, more) in self.numbers.iter_mut().zip(&other.numbers[..]) {
            *value += more;
        }
    }

    /// Adds rank-one terms: `self += Σ scale · to (fromᵀ V)`. V is `input`, from stripe
    /// `first_stripe` on.
    pub fn add_products<'d, T>(&mut self, terms: T, input: &Self, first_stripe: usize)
    where
        T: Iterator<Item = RankOne<'d>> + Clone,
    {
        if self.words == 0 {
            return;
        }
        let arch = Arch::new();
        let (words, start) = (self.words, first_stripe * self.words);
        let output_stripes = self.rows_mut().chunks_exact_mut(words);
        let input_stripes = input.rows()[start..].chunks_exact(words);
        for (output, input) in output_stripes.zip(input_stripes) {
            arch.dispatch(AddProducts { terms: terms.clone(), input, output });
        }
    }

    /// Adds outer products: `self += Σ to tᵀ`. `numbers(i, s)` returns t, one number for each
    /// column of stripe s, for the i-th of `sides`.
    pub fn add_outer<'d, T>(
        &mut self,
        sides: T,
        first_stripe: usize,
        mut numbers: impl FnMut(usize, usize) -> [f64; S],
    ) where
        T: Iterator<Item = Side<'d>> + Clone,
    {
        if self.words == 0 {
            return;
        }
        let words = self.words;
        for (stripe, output) in self.rows_mut().chunks_exact_mut(words).enumerate() {
            for (place, side) in sides.clone().enumerate() {
                scatter(output, side, &numbers(place, first_stripe + stripe));
            }
        }
    }
}

/// A sparse column: word numbers and their values.
#[derive(Debug, Clone, Copy)]
pub struct Side<'d> {
    /// Word numbers.
    pub words: &'d [u32],
    /// A number for each word.
    pub values: &'d [f64],
}

/// A rank-one term scale · to · fromᵀ.
#[derive(Debug, Clone, Copy)]
pub struct RankOne<'d> {
    /// The side that gathers rows of V.
    pub from: Side<'d>,
    /// The side that scatters into the result.
    pub to: Side<'d>,
    /// Multiplies the product of the two sides.
    pub scale: f64,
}

/// Joins panels that each contain some of the stripes, in order.
pub fn concatenate<const S: usize>(parts: Vec<Panel<S>>) -> Panel<S> {
    let words = parts.first().map_or(0, |part| part.words);
    let mut numbers = Aligned::zeros(parts.iter().map(|part| part.numbers.len()).sum());
    let mut rest = &mut numbers[..];
    for part in parts {
        let (own, after) = rest.split_at_mut(part.numbers.len());
        own.copy_from_slice(&part.numbers);
        rest = after;
    }
    Panel { words, numbers }
}

struct AddProducts<'a, T, const S: usize> {
    terms: T,
    input: &'a [[f64; S]],
    output: &'a mut [[f64; S]],
}

impl<'d, T: Iterator<Item = RankOne<'d>>, const S: usize> WithSimd for AddProducts<'_, T, S> {
    type Output = ();

    // Multiplications and additions stay separate (no fused multiply-add), so that sums are the
    // same on every processor. The loop waits for memory, not for arithmetic.
    #[inline(always)]
    fn with_simd<D: Simd>(self, _: D) {
        for RankOne { from, to, scale } in self.terms {
            let mut t = gather(self.input, from);
            for value in &mut t {
                *value *= scale;
            }
            scatter(self.output, to, &t);
        }
    }
}

/// fromᵀ V.
#[inline(always)]
fn gather<const S: usize>(input: &[[f64; S]], from: Side<'_>) -> [f64; S] {
    let mut t = [0.0; S];
    for (&word, &value) in from.words.iter().zip(from.values) {
        let row = &input[word as usize];
        for s in 0..S {
            t[s] += value * row[s];
        }
    }
    t
}

/// out += to tᵀ.
#[inline(always)]
fn scatter<const S: usize>(output: &mut [[f64; S]], to: Side<'_>, t: &[f64; S]) {
    for (&word, &value) in to.words.iter().zip(to.values) {
        let row = &mut output[word as usize];
        for s in 0..S {
            row[s] += value * t[s];
        }
    }
}
