//! The basis of a block Krylov space, and Ritz pairs in it.

use ndarray::{Array1, Array2, s};

use super::dense::{product, symmetric_eigen, transposed_product};
use super::orthonormal::orthonormalise;

/// An orthonormal basis in blocks, and the projection of the operator onto it.
pub(super) struct Basis {
    /// Blocks of n × b, each with orthonormal columns.
    pub blocks: Vec<Array2<f64>>,
    projected: Array2<f64>,
}

/// The part of the last image that is orthogonal to the basis, factored as `direction · size`.
pub(super) struct Remainder {
    /// n × b with orthonormal columns, orthogonal to the basis.
    pub direction: Array2<f64>,
    size: Array2<f64>,
}

/// Approximate eigenpairs in the basis.
pub(super) struct RitzPairs {
    /// θ, largest first, never above the eigenvalues they approximate.
    pub values: Array1<f64>,
    /// Coordinates of the vectors y in the basis.
    pub coefficients: Array2<f64>,
    /// ‖Cy − θy‖.
    pub residuals: Array1<f64>,
}

impl Basis {
    /// A basis of one orthonormal block.
    pub(super) fn new(first: Array2<f64>) -> Self {
        Self { blocks: vec![first], projected: Array2::zeros((0, 0)) }
    }

    /// The block that the operator is applied to next.
    pub(super) fn last(&self) -> &Array2<f64> {
        &self.blocks[self.blocks.len() - 1]
    }

    /// The number of columns of all blocks.
    pub(super) fn columns(&self) -> usize {
        self.blocks.iter().map(Array2::ncols).sum()
    }

    /// The blocks, each with the number of its first column.
    fn numbered(&self) -> impl Iterator<Item = (usize, &Array2<f64>)> {
        self.blocks.iter().scan(0, |next, block| {
            let first = *next;
            *next += block.ncols();
            Some((first, block))
        })
    }

    /// Extends the projection by the operator's image of the last block. Returns the part of the
    /// image orthogonal to the basis.
    pub(super) fn extend(&mut self, mut image: Array2<f64>) -> Remainder {
        let all = self.columns();
        let old = self.projected.nrows();
        let mut column = Array2::zeros((all, image.ncols()));
        // Twice is enough (Kahan, Parlett): the second round removes what rounding left.
        for _ in 0..2 {
            for (first, block) in self.numbered() {
                let share = transposed_product(block, &image);
                image -= &product(block, &share);
                let mut part = column.slice_mut(s![first..first + block.ncols(), ..]);
                part += &share;
            }
        }
        let mut projected = Array2::zeros((all, all));
        projected.slice_mut(s![..old, ..old]).assign(&self.projected);
        projected.slice_mut(s![old.., ..old]).assign(&column.slice(s![..old, ..]).t());
        projected.slice_mut(s![.., old..]).assign(&column);
        self.projected = projected;
        let (direction, size) = orthonormalise(&image);
        let (direction, size) = self.purify(direction, size);
        Remainder { direction, size }
    }

    /// Orthogonalises a rank-deficient remainder once more. Its basis has directions of pure
    /// rounding error that may lie in the old basis.
    fn purify(&self, direction: Array2<f64>, size: Array2<f64>) -> (Array2<f64>, Array2<f64>) {
        let pivots = size.diag();
        let largest = pivots.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        if pivots.iter().all(|x| x.abs() > 1e-8 * largest) {
            return (direction, size);
        }
        let mut direction = direction;
        for _ in 0..2 {
            for block in &self.blocks {
                let share = transposed_product(block, &direction);
                direction -= &product(block, &share);
            }
            direction = orthonormalise(&direction).0;
        }
        (direction, size)
    }

    /// The `kept` largest Ritz pairs, with residuals ‖R·s_last‖ from the remainder.
    pub(super) fn ritz_pairs(&self, remainder: &Remainder, kept: usize) -> RitzPairs {
        let symmetric = (&self.projected + &self.projected.t()) / 2.0;
        let (values, vectors) = symmetric_eigen(&symmetric);
        let kept = kept.min(values.len());
        let coefficients = vectors.slice(s![.., ..kept]).to_owned();
        let last = coefficients.slice(s![coefficients.nrows() - remainder.size.ncols().., ..]);
        let residuals = column_norms(&remainder.size.dot(&last));
        RitzPairs { values: values.slice(s![..kept]).to_owned(), coefficients, residuals }
    }

    /// A basis of the Ritz vectors alone, in which the operator is diagonal. The caller appends the
    /// remainder of the last block, whose image brings its products with the Ritz vectors.
    pub(super) fn restarted(&self, ritz: &RitzPairs) -> Self {
        let vectors = orthonormalise(&self.combine(&ritz.coefficients)).0;
        Self { blocks: vec![vectors], projected: Array2::from_diag(&ritz.values) }
    }

    /// Basis times coefficients.
    pub(super) fn combine(&self, coefficients: &Array2<f64>) -> Array2<f64> {
        let mut sum = Array2::zeros((self.blocks[0].nrows(), coefficients.ncols()));
        for (first, block) in self.numbered() {
            let rows = first..first + block.ncols();
            let part = coefficients.slice(s![rows, ..]).as_standard_layout().to_owned();
            sum += &product(block, &part);
        }
        sum
    }
}

/// The Euclidean norm of each column.
pub(super) fn column_norms(a: &Array2<f64>) -> Array1<f64> {
    a.columns().into_iter().map(|column| column.dot(&column).sqrt()).collect()
}
