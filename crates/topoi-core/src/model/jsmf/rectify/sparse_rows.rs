//! Sparse rows of (column, value), for the negative part of a product.

use pulp::{Simd, WithSimd};

/// Entries whose signs are tested together.
const SIGNS_AT_ONCE: usize = 16;

/// Rows of (column, value), columns ascending.
#[derive(Debug, Clone, Default)]
pub(super) struct SparseRows {
    /// Cumulative ends of the rows in `entries`.
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

    /// Appends the rows of `other`.
    pub(super) fn append(&mut self, other: Self) {
        let offset = self.entries.len();
        self.ends.extend(other.ends.into_iter().map(|end| end + offset));
        self.entries.extend(other.entries);
    }
}

/// The negated negative entries of rows of Y times selected columns of Yᵀ.
///
/// Cosines in f32 select the entries that may be negative. Those, a few percent at most, are
/// computed again in f64, so all are found with the precision of Y.
pub(super) struct NegativeEntries<'a> {
    /// Cosines between the rows and the columns, row after row.
    pub cosines: &'a [f32],
    /// Largest error of the cosines.
    pub error: f32,
    /// The rows of Y, one after another.
    pub rows: &'a [f64],
    /// Numbers in a row of Y.
    pub width: usize,
    /// Y (W × K), in row order.
    pub y: &'a [f64],
    /// The rows of Y that form the columns, ascending.
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
            for (cosines, columns) in
                cosines.chunks(SIGNS_AT_ONCE).zip(self.columns.chunks(SIGNS_AT_ONCE))
            {
                // Sixteen signs at once: nearly all groups end here.
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

/// Σ aᵢbᵢ in eight partial sums.
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
    /// The sum is added here.
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
