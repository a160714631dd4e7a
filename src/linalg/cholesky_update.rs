//! A Cholesky factor that grows and shrinks by one row at a time.

/// A pivot below this share of its diagonal entry means the new row depends on the old ones.
const DEPENDENT: f64 = 1e-13;

/// L, lower triangular, with L·Lᵀ the part of a symmetric matrix that belongs to a list of
/// chosen rows. Appending costs s² flops for s rows, removing at most s³/3.
#[derive(Debug, Default, Clone)]
pub struct CholeskyFactor {
    rows: Vec<Vec<f64>>,
}

impl CholeskyFactor {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Empties the factor.
    pub fn clear(&mut self) {
        self.rows.clear();
    }

    /// Appends a row: `entries` are its products with the rows there are, then with itself.
    /// False, and nothing appended, when it depends linearly on them.
    pub fn append(&mut self, mut entries: Vec<f64>) -> bool {
        let Some(diagonal) = entries.last().copied() else { return false };
        let mut pivot = diagonal;
        for i in 0..self.rows.len() {
            let row = &self.rows[i];
            let dot: f64 = row[..i].iter().zip(&entries[..i]).map(|(a, b)| a * b).sum();
            entries[i] = (entries[i] - dot) / row[i];
            pivot -= entries[i] * entries[i];
        }
        if pivot <= DEPENDENT * diagonal {
            return false;
        }
        if let Some(last) = entries.last_mut() {
            *last = pivot.sqrt();
        }
        self.rows.push(entries);
        true
    }

    /// Drops the last rows so that `len` are left.
    pub fn truncate(&mut self, len: usize) {
        self.rows.truncate(len);
    }

    /// Solves L·Lᵀ·x = b in place.
    pub fn solve(&self, b: &mut [f64]) {
        for (i, row) in self.rows.iter().enumerate() {
            let dot: f64 = row[..i].iter().zip(&b[..i]).map(|(a, b)| a * b).sum();
            b[i] = (b[i] - dot) / row[i];
        }
        for i in (0..self.rows.len()).rev() {
            let value = b[i] / self.rows[i][i];
            b[i] = value;
            for (target, a) in b[..i].iter_mut().zip(&self.rows[i][..i]) {
                *target -= a * value;
            }
        }
    }
}
