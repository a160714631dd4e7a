//! A Cholesky factor that grows and shrinks by one row at a time.

/// A pivot below this share of its diagonal entry means the new row depends on the old ones.
const DEPENDENT: f64 = 1e-13;
/// Sums a product of two rows is made of, so that they can be added side by side. A constant:
/// it decides the order of additions.
const LANES: usize = 8;

/// L, lower triangular, with L·Lᵀ the part of a symmetric matrix that belongs to a list of
/// chosen rows. Appending costs s² flops for s rows.
#[derive(Debug, Default, Clone)]
pub struct CholeskyFactor {
    rows: usize,
    /// The rows up to the diagonal, one after the other: row i starts at i(i + 1)/2.
    entries: Vec<f64>,
}

impl CholeskyFactor {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Drops the last rows so that at most `len` are left.
    pub fn truncate(&mut self, len: usize) {
        self.rows = self.rows.min(len);
        self.entries.truncate(start_of(self.rows));
    }

    /// Appends a row: its products with the rows there are, then with itself.
    /// False, and nothing appended, when it depends linearly on them.
    ///
    /// # Panics
    /// When there are not as many products as that.
    pub fn append(&mut self, products: impl Iterator<Item = f64>) -> bool {
        let old = self.entries.len();
        self.entries.extend(products);
        assert_eq!(self.entries.len(), start_of(self.rows + 1), "a product for every row");
        let (above, row) = self.entries.split_at_mut(old);
        let diagonal = row[self.rows];
        let mut pivot = diagonal;
        for i in 0..self.rows {
            let other = &above[start_of(i)..=start_of(i) + i];
            let value = (row[i] - dot(&other[..i], &row[..i])) / other[i];
            row[i] = value;
            pivot -= value * value;
        }
        if pivot <= DEPENDENT * diagonal {
            self.entries.truncate(old);
            return false;
        }
        row[self.rows] = pivot.sqrt();
        self.rows += 1;
        true
    }

    /// Solves L·Lᵀ·x = b in place.
    pub fn solve(&self, b: &mut [f64]) {
        for i in 0..self.rows {
            let row = self.row(i);
            b[i] = (b[i] - dot(&row[..i], &b[..i])) / row[i];
        }
        for i in (0..self.rows).rev() {
            let row = self.row(i);
            let value = b[i] / row[i];
            b[i] = value;
            for (target, a) in b[..i].iter_mut().zip(&row[..i]) {
                *target -= a * value;
            }
        }
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.entries[start_of(i)..=start_of(i) + i]
    }
}

fn start_of(row: usize) -> usize {
    row * (row + 1) / 2
}

/// aᵀb in [`LANES`] sums and a rest.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; LANES];
    let (a_lanes, a_rest) = a.as_chunks::<LANES>();
    let (b_lanes, b_rest) = b.as_chunks::<LANES>();
    for (a, b) in a_lanes.iter().zip(b_lanes) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    let [s0, s1, s2, s3, s4, s5, s6, s7] = sums;
    ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7)) + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array1, Array2};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_solves_what_it_was_made_of_after_rows_came_and_went(
            values in prop::collection::vec(-1.0f64..1.0, 20 * 25),
            right in prop::collection::vec(-1.0f64..1.0, 20),
            left in 0usize..20,
        ) {
            let rows = Array2::from_shape_vec((20, 25), values).expect("shape");
            let gram = rows.dot(&rows.t());
            let mut factor = CholeskyFactor::default();
            let append = |factor: &mut CholeskyFactor, i: usize| {
                factor.append((0..=i).map(|j| gram[(i, j)]))
            };
            (0..20).for_each(|i| { append(&mut factor, i); });
            prop_assume!(factor.len() == 20);
            factor.truncate(left);
            for i in left..20 {
                prop_assert!(append(&mut factor, i));
            }
            let mut x = right.clone();
            factor.solve(&mut x);
            let back = gram.dot(&Array1::from(x.clone()));
            let size = x.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
            for (found, expected) in back.iter().zip(&right) {
                prop_assert!((found - expected).abs() < 1e-10 * size);
            }
        }
    }

    #[test]
    fn a_dependent_row_is_refused_and_leaves_no_trace() {
        let mut factor = CholeskyFactor::default();
        assert!(factor.append([1.0].into_iter()));
        assert!(!factor.append([2.0, 4.0].into_iter()));
        assert!(factor.append([2.0, 5.0].into_iter()));
        let mut b = [1.0, 3.0];
        factor.solve(&mut b);
        assert_eq!((factor.len(), b), (2, [-1.0, 1.0]));
    }
}
