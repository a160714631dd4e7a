//! Sparse rows of (column, value), as the negative part of a product keeps them.

use pulp::{Simd, WithSimd};

/// Entries that are looked at together for a negative one.
const GLANCE: usize = 16;

/// Rows of (column, value), columns ascending.
#[derive(Debug, Clone, Default)]
pub(super) struct SparseRows {
    /// Where each row's entries end.
    pub ends: Vec<usize>,
    /// The entries of all rows, one row after another.
    pub entries: Vec<(u32, f32)>,
}

impl SparseRows {
    /// The entries of a row.
    pub fn row(&self, row: usize) -> &[(u32, f32)] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.entries[start..self.ends[row]]
    }

    /// Adds the rows of another below.
    pub fn append(&mut self, other: Self) {
        let offset = self.entries.len();
        self.ends.extend(other.ends.into_iter().map(|end| end + offset));
        self.entries.extend(other.entries);
    }
}

/// Finds the negative entries of rows of `columns.len()` numbers, signs turned.
pub(super) struct NegativeEntries<'a> {
    /// The rows, one after another.
    pub rows: &'a [f32],
    /// What the columns are called, ascending.
    pub columns: &'a [u32],
}

impl WithSimd for NegativeEntries<'_> {
    type Output = SparseRows;

    #[inline(always)]
    fn with_simd<D: Simd>(self, _: D) -> SparseRows {
        let mut found = SparseRows::default();
        for row in self.rows.chunks_exact(self.columns.len().max(1)) {
            for (values, columns) in row.chunks(GLANCE).zip(self.columns.chunks(GLANCE)) {
                // Sixteen signs at once: nearly all glances end here.
                let signs = values.iter().fold(0, |bits, value| bits | value.to_bits());
                if signs >> 31 == 0 {
                    continue;
                }
                for (&column, &value) in columns.iter().zip(values) {
                    if value < 0.0 {
                        found.entries.push((column, -value));
                    }
                }
            }
            found.ends.push(found.entries.len());
        }
        found
    }
}

/// out += Σ value·V[column] over sparse entries, for V of rows of `out.len()` numbers.
pub(super) struct AddScaledRows<'a> {
    /// The entries, summed in their order.
    pub entries: &'a [(u32, f32)],
    /// V, row after row.
    pub v: &'a [f64],
    /// Where the sum goes.
    pub out: &'a mut [f64],
}

impl WithSimd for AddScaledRows<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<D: Simd>(self, _: D) {
        let width = self.out.len();
        for &(column, value) in self.entries {
            let value = f64::from(value);
            let start = column as usize * width;
            for (sum, x) in self.out.iter_mut().zip(&self.v[start..start + width]) {
                *sum += value * x;
            }
        }
    }
}
