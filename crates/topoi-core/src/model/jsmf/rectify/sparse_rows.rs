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
    pub entries: Vec<(u32, f64)>,
}

impl SparseRows {
    /// The entries of a row.
    pub(super) fn row(&self, row: usize) -> &[(u32, f64)] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.entries[start..self.ends[row]]
    }

    /// Adds the rows of another below.
    pub(super) fn append(&mut self, other: Self) {
        let offset = self.entries.len();
        self.ends.extend(other.ends.into_iter().map(|end| end + offset));
        self.entries.extend(other.entries);
    }
}

/// Finds the negative entries of rows of Y times the columns of Yᵀ that are named, signs turned.
///
/// Cosines in f32 say which entries could be negative; those, a few in a hundred at most, are
/// computed anew in f64. So all of them are found, with the digits of Y.
pub(super) struct NegativeEntries<'a> {
    /// Cosines between the rows and the columns, row after row.
    pub cosines: &'a [f32],
    /// How far these may be from the true ones.
    pub error: f32,
    /// The rows of Y, one after another.
    pub rows: &'a [f64],
    /// Numbers in a row of Y.
    pub width: usize,
    /// The factor whose rows these are of (W × K).
    pub y: &'a [f64],
    /// The rows of Y that are the columns, ascending.
    pub columns: &'a [u32],
}

impl WithSimd for NegativeEntries<'_> {
    type Output = SparseRows;

    #[inline(always)]
    fn with_simd<D: Simd>(self, _: D) -> SparseRows {
        let mut found = SparseRows::default();
        let width = self.width.max(1);
        let rows = self.rows.chunks_exact(width);
        for (row, cosines) in rows.zip(self.cosines.chunks_exact(self.columns.len().max(1))) {
            for (cosines, columns) in cosines.chunks(GLANCE).zip(self.columns.chunks(GLANCE)) {
                // Sixteen signs at once: nearly all glances end here.
                let signs = cosines.iter().fold(0, |bits, x| bits | (x - self.error).to_bits());
                if signs >> 31 == 0 {
                    continue;
                }
                for (&column, &cosine) in columns.iter().zip(cosines) {
                    if cosine < self.error {
                        let start = column as usize * width;
                        let value = dot(row, &self.y[start..start + width]);
                        if value < 0.0 {
                            found.entries.push((column, -value));
                        }
                    }
                }
            }
            found.ends.push(found.entries.len());
        }
        found
    }
}

/// Σ aᵢbᵢ in eight sums side by side.
#[inline(always)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a, a_rest) = a.as_chunks::<8>();
    let (b, b_rest) = b.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for (a, b) in a.iter().zip(b) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

/// out += Σ value·V[column] over sparse entries, for V of rows of `out.len()` numbers.
pub(super) struct AddScaledRows<'a> {
    /// The entries, summed in their order.
    pub entries: &'a [(u32, f64)],
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
            let start = column as usize * width;
            for (sum, x) in self.out.iter_mut().zip(&self.v[start..start + width]) {
                *sum += value * x;
            }
        }
    }
}
