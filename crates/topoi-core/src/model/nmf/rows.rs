//! Rows of K numbers, padded with zeros to whole groups of eight, for the innermost loops.

use ndarray::Array2;
use rayon::prelude::*;

use crate::stream::aligned::Aligned;

/// Numbers processed together: one vector of the widest processors.
pub(super) const GROUP: usize = 8;

/// Rows that a thread takes at least: fewer are not worth handing over.
const PARALLEL_ROWS: usize = 256;

/// Eight numbers of a row.
pub(super) type Group = [f64; GROUP];

/// n rows of K numbers.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    columns: usize,
    numbers: Aligned,
}

impl Rows {
    /// No rows, of K numbers each.
    pub(super) fn new(columns: usize) -> Self {
        Self::zeros(0, columns)
    }

    /// n rows of zeros.
    pub(super) fn zeros(rows: usize, columns: usize) -> Self {
        let width = columns.div_ceil(GROUP) * GROUP;
        Self { columns, numbers: Aligned::zeros(rows * width) }
    }

    /// The rows of an n × K matrix.
    pub(super) fn from_matrix(matrix: &Array2<f64>) -> Self {
        let mut rows = Self::zeros(matrix.nrows(), matrix.ncols());
        for ((row, column), &entry) in matrix.indexed_iter() {
            rows.row_mut(row)[column / GROUP][column % GROUP] = entry;
        }
        rows
    }

    pub(super) fn to_matrix(&self) -> Array2<f64> {
        let entry = |(row, column): (usize, usize)| self.row(row)[column / GROUP][column % GROUP];
        Array2::from_shape_fn((self.len(), self.columns), entry)
    }

    pub(super) fn len(&self) -> usize {
        self.groups().len() / self.width()
    }

    /// Groups in a row.
    pub(super) fn width(&self) -> usize {
        self.columns.div_ceil(GROUP)
    }

    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    /// Appends a row of K equal entries.
    pub(super) fn push_even(&mut self, entry: f64) {
        for group in 0..self.width() {
            let own = self.columns - group * GROUP;
            let numbers: Group = std::array::from_fn(|at| if at < own { entry } else { 0.0 });
            self.numbers.extend_from_slice(&numbers);
        }
    }

    #[inline(always)]
    pub(super) fn row(&self, row: usize) -> &[Group] {
        let width = self.width();
        &self.groups()[row * width..(row + 1) * width]
    }

    #[inline(always)]
    pub(super) fn row_mut(&mut self, row: usize) -> &mut [Group] {
        let width = self.width();
        &mut self.groups_mut()[row * width..(row + 1) * width]
    }

    /// All rows, one after another.
    pub(super) fn numbers(&self) -> &[f64] {
        &self.numbers
    }

    /// The rows with their padding.
    pub(super) fn par_rows(&self) -> impl IndexedParallelIterator<Item = &[f64]> {
        self.numbers.par_chunks_exact(self.width() * GROUP).with_min_len(PARALLEL_ROWS)
    }

    pub(super) fn par_rows_mut(&mut self) -> impl IndexedParallelIterator<Item = &mut [f64]> {
        let width = self.width() * GROUP;
        self.numbers.par_chunks_exact_mut(width).with_min_len(PARALLEL_ROWS)
    }

    /// The groups of all rows, one row after another.
    #[inline(always)]
    pub(super) fn groups(&self) -> &[Group] {
        self.numbers.as_chunks().0
    }

    #[inline(always)]
    pub(super) fn groups_mut(&mut self) -> &mut [Group] {
        self.numbers.as_chunks_mut().0
    }
}

/// The scalar product of two rows, summed in an order that is the same on every processor.
#[inline(always)]
pub(super) fn dot(a: &[Group], b: &[Group]) -> f64 {
    let (mut even, mut odd) = ([0.0; GROUP], [0.0; GROUP]);
    let (pairs_a, last_a) = a.as_chunks::<2>();
    let (pairs_b, last_b) = b.as_chunks::<2>();
    for (a, b) in pairs_a.iter().zip(pairs_b) {
        for at in 0..GROUP {
            even[at] += a[0][at] * b[0][at];
        }
        for at in 0..GROUP {
            odd[at] += a[1][at] * b[1][at];
        }
    }
    for (a, b) in last_a.iter().zip(last_b) {
        for at in 0..GROUP {
            even[at] += a[at] * b[at];
        }
    }
    for at in 0..GROUP {
        even[at] += odd[at];
    }
    total(even)
}

/// The sum of a group, in an order that is the same on every processor.
#[inline(always)]
pub(super) fn total(group: Group) -> f64 {
    let mut four = [0.0; 4];
    for at in 0..4 {
        four[at] = group[at] + group[at + 4];
    }
    (four[0] + four[2]) + (four[1] + four[3])
}

/// `to += from`.
pub(super) fn add(to: &mut [Group], from: &[Group]) {
    for (to, from) in to.as_flattened_mut().iter_mut().zip(from.as_flattened()) {
        *to += from;
    }
}

/// `to += factor · from`.
#[inline(always)]
pub(super) fn add_scaled(to: &mut [Group], factor: f64, from: &[Group]) {
    for (to, from) in to.iter_mut().zip(from) {
        for at in 0..GROUP {
            to[at] += factor * from[at];
        }
    }
}
