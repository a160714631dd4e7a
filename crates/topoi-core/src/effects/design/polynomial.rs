//! Orthogonal polynomials of a number.

/// Polynomials that are orthogonal over some values, by their three-term recurrence: p₀ = 1,
/// pⱼ₊₁ = (x − αⱼ)·pⱼ − (|pⱼ|² / |pⱼ₋₁|²)·pⱼ₋₁.
///
/// # Source
/// The polynomials of R's `poly`, which have length 1 over the values.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Polynomials {
    alphas: Vec<f64>,
    /// |pⱼ|² of degrees 0 to the last.
    squares: Vec<f64>,
    range: (f64, f64),
}

impl Polynomials {
    /// Polynomials up to `degree`. Fails with the number of different values unless there are more
    /// than that.
    pub(super) fn new(values: &[f64], degree: usize) -> Result<Self, usize> {
        let mut each = values.to_vec();
        each.sort_by(f64::total_cmp);
        each.dedup();
        if each.len() <= degree {
            return Err(each.len());
        }
        let (mut before, mut own) = (vec![0.0; values.len()], vec![1.0; values.len()]);
        let (mut alphas, mut squares) = (Vec::new(), vec![values.len() as f64]);
        for at in 0..degree {
            let square = squares[at];
            let alpha = own.iter().zip(values).map(|(p, x)| p * p * x).sum::<f64>() / square;
            let beta = if at == 0 { 0.0 } else { square / squares[at - 1] };
            let next: Vec<f64> = own
                .iter()
                .zip(&before)
                .zip(values)
                .map(|((own, before), x)| (x - alpha) * own - beta * before)
                .collect();
            alphas.push(alpha);
            squares.push(next.iter().map(|p| p * p).sum());
            before = std::mem::replace(&mut own, next);
        }
        Ok(Self { alphas, squares, range: (each[0], each[each.len() - 1]) })
    }

    /// Number of columns: the degree.
    pub(super) fn columns(&self) -> usize {
        self.alphas.len()
    }

    /// The smallest and the largest value.
    pub(super) fn range(&self) -> (f64, f64) {
        self.range
    }

    /// The polynomials of degree 1 to the last at a value.
    pub(super) fn at(&self, x: f64) -> Vec<f64> {
        let (mut before, mut own) = (0.0, 1.0);
        let next = |(at, alpha): (usize, &f64)| {
            let beta = if at == 0 { 0.0 } else { self.squares[at] / self.squares[at - 1] };
            let next = (x - alpha) * own - beta * before;
            before = std::mem::replace(&mut own, next);
            own / self.squares[at + 1].sqrt()
        };
        self.alphas.iter().enumerate().map(next).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_orthogonal_over_the_values_and_of_length_1() {
        let values: Vec<f64> = (0..30).map(|at| f64::from(at * at % 23) + 2000.0).collect();
        let all = Polynomials::new(&values, 4).expect("polynomials");
        let columns: Vec<Vec<f64>> = values.iter().map(|x| all.at(*x)).collect();
        for one in 0..4 {
            for other in 0..4 {
                let product: f64 = columns.iter().map(|row| row[one] * row[other]).sum();
                let expected = if one == other { 1.0 } else { 0.0 };
                assert!((product - expected).abs() < 1e-9, "{one} {other} {product}");
            }
            assert!(columns.iter().map(|row| row[one]).sum::<f64>().abs() < 1e-9);
        }
        assert_eq!(Polynomials::new(&[1.0, 2.0, 2.0], 2), Err(2));
    }
}
