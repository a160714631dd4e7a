//! Cubic splines of a number.

/// Default number of columns of a spline, as in stm's `s()`.
const DEFAULT_COLUMNS: usize = 10;

/// A cubic spline basis.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Spline {
    /// Knots: four times the smallest value, the inner knots, four times the largest value.
    knots: Vec<f64>,
    /// For a natural spline, the reflections that separate B-splines that are linear beyond the
    /// boundaries from two others.
    natural: Option<[Vec<f64>; 2]>,
}

impl Spline {
    /// A basis with inner knots at quantiles of `values`, each once. Fails with the number of
    /// different values where that is below four.
    ///
    /// # Source
    /// The basis of R's `splines::ns(values, df = columns)` if it `is_natural`, else of
    /// `splines::bs`. As in R the first B-spline is left out: the columns and the constant span all
    /// such splines with these knots.
    pub(super) fn new(
        values: &[f64],
        columns: Option<usize>,
        is_natural: bool,
    ) -> Result<Self, usize> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let mut each = sorted.clone();
        each.dedup();
        if each.len() < 4 {
            return Err(each.len());
        }
        let columns = columns.unwrap_or(DEFAULT_COLUMNS.min(each.len() - 1)).min(each.len() - 1);
        let (first, last) = (each[0], each[each.len() - 1]);
        let between = columns.saturating_sub(if is_natural { 1 } else { 3 });
        let mut knots = vec![first; 4];
        for at in 1..=between {
            let knot = quantile(&sorted, at as f64 / (between + 1) as f64);
            if knot > knots[knots.len() - 1] && knot < last {
                knots.push(knot);
            }
        }
        knots.extend([last; 4]);
        let mut spline = Self { knots, natural: None };
        if is_natural {
            let second = [first, last].map(|x| spline.b_splines(x, 2)[1..].to_vec());
            spline.natural = Some(reflections(second));
        }
        Ok(spline)
    }

    /// Number of columns.
    pub(super) fn columns(&self) -> usize {
        self.knots.len() - if self.natural.is_some() { 7 } else { 5 }
    }

    /// The smallest and the largest value.
    pub(super) fn range(&self) -> (f64, f64) {
        (self.knots[0], self.knots[self.knots.len() - 1])
    }

    /// The columns at a value within the range.
    pub(super) fn at(&self, x: f64) -> Vec<f64> {
        let mut columns = self.b_splines(x, 0)[1..].to_vec();
        if let Some(reflections) = &self.natural {
            reflections.iter().for_each(|by| reflect(&mut columns, by));
            columns.drain(..2);
        }
        columns
    }

    /// The derivatives of this order of all cubic B-splines at a value within the range.
    ///
    /// # Source
    /// de Boor 1972: B of degree d at knot i is (x − tᵢ)/(tᵢ₊d − tᵢ)·Bᵢ + (tᵢ₊d₊₁ − x)/(tᵢ₊d₊₁ −
    /// tᵢ₊₁)·Bᵢ₊₁ of degree d − 1, and its derivative d·(Bᵢ/(tᵢ₊d − tᵢ) − Bᵢ₊₁/(tᵢ₊d₊₁ − tᵢ₊₁)).
    fn b_splines(&self, x: f64, derivatives: usize) -> Vec<f64> {
        let t = &self.knots;
        let spans = t.len() - 1;
        // The last interval of positive length contains its end, too.
        let last = (0..spans).rev().find(|&i| t[i] < t[i + 1]).unwrap_or(0);
        let holds = |i: usize| t[i] <= x && (x < t[i + 1] || (i == last && x <= t[i + 1]));
        let mut basis: Vec<f64> = (0..spans).map(|i| f64::from(u8::from(holds(i)))).collect();
        for degree in 1..=3 {
            for i in 0..spans - degree {
                let (one, other) = (t[i + degree] - t[i], t[i + degree + 1] - t[i + 1]);
                let (left, right) = match degree + derivatives > 3 {
                    true => (degree as f64, -(degree as f64)),
                    false => (x - t[i], t[i + degree + 1] - x),
                };
                let part = |factor: f64, over: f64, basis: f64| {
                    if over > 0.0 { factor / over * basis } else { 0.0 }
                };
                basis[i] = part(left, one, basis[i]) + part(right, other, basis[i + 1]);
            }
        }
        basis.truncate(spans - 3);
        basis
    }
}

/// The Householder vectors that map two columns to multiples of the first and second unit vectors
/// (and what is above), scaled so that 1 / (their pivot) is the factor of a reflection.
///
/// # Source
/// LINPACK's `dqrdc`, which R's `ns` projects with.
fn reflections([first, mut second]: [Vec<f64>; 2]) -> [Vec<f64>; 2] {
    let vector = |column: &[f64], pivot: usize| {
        let norm = column[pivot..].iter().map(|x| x * x).sum::<f64>().sqrt();
        let norm = if column[pivot] < 0.0 { -norm } else { norm };
        let mut vector = vec![0.0; column.len()];
        if norm != 0.0 {
            (pivot..column.len()).for_each(|at| vector[at] = column[at] / norm);
            vector[pivot] += 1.0;
        }
        vector
    };
    let one = vector(&first, 0);
    reflect(&mut second, &one);
    let other = vector(&second, 1);
    [one, other]
}

/// Applies the reflection of a vector made by [`reflections`]; its pivot is its first entry that is
/// not 0.
fn reflect(to: &mut [f64], by: &[f64]) {
    let Some(pivot) = by.iter().find(|entry| **entry != 0.0) else { return };
    let factor = -by.iter().zip(&*to).map(|(v, y)| v * y).sum::<f64>() / pivot;
    to.iter_mut().zip(by).for_each(|(y, v)| *y += factor * v);
}

/// R's default quantile (type 7) of sorted values.
pub(super) fn quantile(sorted: &[f64], share: f64) -> f64 {
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
        let spline =
            Spline::new(&[1.0, 2.0, 3.0, 4.5, 7.0, 8.0, 10.0], Some(5), false).expect("a spline");
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

    /// splines::ns(c(1, 2, 3, 4.5, 7, 8, 10), df = 4), rows 1, 4 and 7, by R 4.2.2.
    const NATURAL: [(f64, [f64; 4]); 3] = [
        (1.0, [0.0; 4]),
        (
            4.5,
            [
                0.616_410_256_410_26,
                0.033_887_275_519_727,
                0.232_894_051_670_21,
                -0.160_114_660_523_27,
            ],
        ),
        (10.0, [0.0, -0.136_815_920_398_010, 0.437_810_945_273_63, 0.699_004_975_124_38]),
    ];

    #[test]
    fn natural_splines_are_those_of_r() {
        let values = [1.0, 2.0, 3.0, 4.5, 7.0, 8.0, 10.0];
        let spline = Spline::new(&values, Some(4), true).expect("a spline");
        for (x, expected) in NATURAL {
            let found = spline.at(x);
            assert_eq!(found.len(), 4);
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-9, "{x}: {found} {expected}");
            }
        }
    }

    #[test]
    fn with_the_constant_they_span_cubic_polynomials() {
        // B-splines of all columns sum to 1, so the column left out is 1 minus the others: never
        // below 0.
        let values: Vec<f64> = (0..40).map(|at| f64::from(at * at % 37)).collect();
        let spline = Spline::new(&values, None, false).expect("a spline");
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
        assert_eq!(Spline::new(&[1.0, 2.0, 2.0, 3.0], None, true), Err(3));
        let mut values = vec![5.0; 90];
        values.extend([1.0, 2.0, 3.0, 4.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0]);
        let spline = Spline::new(&values, None, false).expect("a spline");
        assert_eq!(spline.columns(), 4);
    }
}
