//! A Cholesky factor that grows and shrinks by one row at a time.

/// A pivot below this share of its diagonal entry means the new row depends on the old ones.
const DEPENDENCE_TOLERANCE: f64 = 1e-13;
/// Partial sums of a scalar product, added in parallel. The number is fixed because it decides the
/// order of additions.
const LANES: usize = 4;

/// Cholesky factor L, lower triangular, of the rows of a symmetric matrix that have been appended.
/// Appending to s rows costs s² flops, solving 2s².
///
/// L is stored by columns. A solve then subtracts multiples of columns, all entries in parallel; by
/// rows its additions would depend on each other.
#[derive(Debug, Clone)]
pub struct CholeskyFactor {
    most: usize,
    rows: usize,
    /// Column j of L is `columns[j·most..]` from index j on.
    columns: Vec<f64>,
    /// 1 / L_jj.
    reciprocals: Vec<f64>,
    fresh: Vec<f64>,
}

impl CholeskyFactor {
    /// A factor without rows and with room for `most`: memory most².
    pub fn new(most: usize) -> Self {
        let (columns, reciprocals) = (vec![0.0; most * most], vec![0.0; most]);
        Self { most, rows: 0, columns, reciprocals, fresh: Vec::with_capacity(most) }
    }

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
    }

    /// Appends a row, given by its products with the present rows and then with itself. Returns
    /// false and appends nothing when the row depends linearly on them.
    ///
    /// # Panics
    /// When the number of products is not `len` + 1, or there are `most` rows already.
    pub fn append(&mut self, products: impl Iterator<Item = f64>) -> bool {
        let mut fresh = std::mem::take(&mut self.fresh);
        fresh.clear();
        fresh.extend(products);
        assert_eq!(fresh.len(), self.rows + 1, "a product for every row");
        let diagonal = fresh[self.rows];
        self.solve_lower(&mut fresh[..self.rows]);
        let pivot = diagonal - dot(&fresh[..self.rows], &fresh[..self.rows]);
        let independent = pivot > DEPENDENCE_TOLERANCE * diagonal;
        if independent {
            fresh[self.rows] = pivot.sqrt();
            self.reciprocals[self.rows] = 1.0 / fresh[self.rows];
            for (column, &entry) in fresh.iter().enumerate() {
                self.columns[column * self.most + self.rows] = entry;
            }
            self.rows += 1;
        }
        self.fresh = fresh;
        independent
    }

    /// Solves L·Lᵀ·x = b in place.
    pub fn solve(&self, b: &mut [f64]) {
        self.solve_lower(b);
        for i in (0..self.rows).rev() {
            b[i] = (b[i] - dot(self.below(i), &b[i + 1..self.rows])) * self.reciprocals[i];
        }
    }

    /// Solves L·x = b in place.
    fn solve_lower(&self, b: &mut [f64]) {
        for i in 0..self.rows {
            let value = b[i] * self.reciprocals[i];
            b[i] = value;
            for (target, entry) in b[i + 1..].iter_mut().zip(self.below(i)) {
                *target -= entry * value;
            }
        }
    }

    /// Column i below the diagonal.
    fn below(&self, i: usize) -> &[f64] {
        &self.columns[i * self.most + i + 1..i * self.most + self.rows]
    }
}

/// aᵀb in [`LANES`] partial sums and a remainder.
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
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
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
            let mut factor = CholeskyFactor::new(20);
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
        let mut factor = CholeskyFactor::new(2);
        assert!(factor.append([1.0].into_iter()));
        assert!(!factor.append([2.0, 4.0].into_iter()));
        assert!(factor.append([2.0, 5.0].into_iter()));
        let mut b = [1.0, 3.0];
        factor.solve(&mut b);
        assert_eq!((factor.len(), b), (2, [-1.0, 1.0]));
    }
}
