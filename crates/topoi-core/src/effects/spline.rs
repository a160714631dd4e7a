//! Cubic B-splines of a number.

/// Default number of columns of a spline, as in stm's `s()`.
const DEFAULT_COLUMNS: usize = 10;

/// A cubic B-spline basis, given by its knots.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Spline {
    /// Knots: four times the smallest value, the inner knots, four times the largest value.
    knots: Vec<f64>,
}

impl Spline {
    /// A basis with inner knots at quantiles of `values`, each once. Fails with the number of
    /// different values where that is below four.
    ///
    /// # Source
    /// The basis of R's `splines::bs(values, df = columns)`. As in R its first column is left out:
    /// the columns and the constant span all cubic splines with these knots.
    pub(super) fn new(values: &[f64], columns: Option<usize>) -> Result<Self, usize> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let mut each = sorted.clone();
        each.dedup();
        if each.len() < 4 {
            return Err(each.len());
        }
        let columns = columns.unwrap_or(DEFAULT_COLUMNS.min(each.len() - 1)).min(each.len() - 1);
        let (first, last) = (each[0], each[each.len() - 1]);
        let between = columns.saturating_sub(3);
        let mut knots = vec![first; 4];
        for at in 1..=between {
            let knot = quantile(&sorted, at as f64 / (between + 1) as f64);
            if knot > knots[knots.len() - 1] && knot < last {
                knots.push(knot);
            }
        }
        knots.extend([last; 4]);
        Ok(Self { knots })
    }

    /// Number of columns.
    pub(super) fn columns(&self) -> usize {
        self.knots.len() - 5
    }

    /// The smallest and the largest value.
    pub(super) fn range(&self) -> (f64, f64) {
        (self.knots[0], self.knots[self.knots.len() - 1])
    }

    /// The columns at a value within the range.
    ///
    /// # Source
    /// de Boor 1972: B of degree d at knot i is (x − tᵢ)/(tᵢ₊d − tᵢ)·Bᵢ + (tᵢ₊d₊₁ − x)/(tᵢ₊d₊₁ −
    /// tᵢ₊₁)·Bᵢ₊₁ of degree d − 1.
    pub(super) fn at(&self, x: f64) -> Vec<f64> {
        let t = &self.knots;
        let spans = t.len() - 1;
        // The last interval of positive length contains its end, too.
        let last = (0..spans).rev().find(|&i| t[i] < t[i + 1]).unwrap_or(0);
        let holds = |i: usize| t[i] <= x && (x < t[i + 1] || (i == last && x <= t[i + 1]));
        let mut basis: Vec<f64> = (0..spans).map(|i| f64::from(u8::from(holds(i)))).collect();
        for degree in 1..=3 {
            for i in 0..spans - degree {
                let share = |from: f64, to: f64, over: f64| {
                    if to > from { over / (to - from) } else { 0.0 }
                };
                let left = share(t[i], t[i + degree], x - t[i]) * basis[i];
                let right =
                    share(t[i + 1], t[i + degree + 1], t[i + degree + 1] - x) * basis[i + 1];
                basis[i] = left + right;
            }
        }
        basis[1..spans - 3].to_vec()
    }
}

/// R's default quantile (type 7) of sorted values.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_those_of_r() {
        // splines::bs(c(1, 2, 3, 4.5, 7, 8, 10), df = 5), rows 1, 4 and 7, by R 4.2.
        let spline = Spline::new(&[1.0, 2.0, 3.0, 4.5, 7.0, 8.0, 10.0], Some(5)).expect("a spline");
        assert_eq!(spline.columns(), 5);
        assert_eq!(spline.at(1.0), [0.0; 5]);
        let sums = [
            0.108_506_944_444_4,
            0.554_770_171_957_7,
            0.319_503_495_842_8,
            0.017_219_387_755_1,
            0.0,
        ];
        for (found, expected) in spline.at(4.5).iter().zip(sums) {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
        assert_eq!(spline.at(10.0), [0.0, 0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn with_the_constant_they_span_cubic_polynomials() {
        // B-splines of all columns sum to 1, so the column left out is 1 minus the others: never
        // below 0.
        let values: Vec<f64> = (0..40).map(|at| f64::from(at * at % 37)).collect();
        let spline = Spline::new(&values, None).expect("a spline");
        for at in 0..=72 {
            let columns = spline.at(f64::from(at) / 2.0);
            let sum: f64 = columns.iter().sum();
            assert!(
                columns.iter().all(|column| *column >= 0.0) && sum <= 1.0 + 1e-12,
                "{columns:?}"
            );
        }
    }

    #[test]
    fn few_values_make_no_spline_and_knots_that_coincide_are_one() {
        assert_eq!(Spline::new(&[1.0, 2.0, 2.0, 3.0], None), Err(3));
        let mut values = vec![5.0; 90];
        values.extend([1.0, 2.0, 3.0, 4.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0]);
        let spline = Spline::new(&values, None).expect("a spline");
        assert_eq!(spline.columns(), 4);
    }
}
