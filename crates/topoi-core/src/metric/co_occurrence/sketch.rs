//! Random projections of C, from which metrics over all its rows are estimated.

use ndarray::{Array1, Array2, ArrayView2, Axis, concatenate, s};

use crate::linalg::dense::{product, transposed_product};
use crate::linalg::orthonormal::orthonormalise;
use crate::model::jsmf::first_block;
use crate::stream::cooccurrence::CoOccurrence;
use crate::stream::error::Result;

/// Columns of the subspace. The other [`BLOCK`](crate::model::jsmf::BLOCK) − 6 columns of a block
/// are the random ones. With the two columns of the word map they fill one stripe of a product.
const SUBSPACE: usize = 6;

/// C·Q for an orthonormal Q (W × 6) that spans nearly all of C's largest eigenvectors, and C·P for
/// Gaussian columns P (W × 26) orthogonalised against Q.
///
/// For any matrix R with W columns, ‖R_i‖² = ‖R_i Q‖² + ‖R_i (I − QQᵀ)‖². The first term is
/// computed exactly. The mean of (R_i p)² over the columns p of P estimates the second without
/// bias.
///
/// A sketch depends on a run's seed and not on its topics. Runs of one worker share it, and a run
/// that is measured again has the same values. It starts from the first block of the factorisation
/// of `lr-jsmf`, whose product with C is cached.
///
/// # Source
/// Q by Halko, Martinsson and Tropp 2011, "Finding structure with randomness", §4.1. Hutch++
/// subtracts Q in the same way for traces (Meyer, Musco, Musco and Woodruff 2021).
#[derive(Debug, Clone)]
pub struct Sketch {
    /// Q, the subspace.
    pub subspace: Probes,
    /// P, the random columns.
    pub random: Probes,
}

/// Columns and their products with C.
#[derive(Debug, Clone)]
pub struct Probes {
    /// W × 6 or W × 26.
    pub columns: Array2<f64>,
    /// C times the columns.
    pub image: Array2<f64>,
}

impl Probes {
    /// (C − U·Vᵀ) times the columns, for U and V of W × K.
    pub fn residual(&self, u: &Array2<f64>, v: &Array2<f64>) -> Array2<f64> {
        &self.image - &product(u, &transposed_product(v, &self.columns))
    }
}

impl Sketch {
    /// Computes a sketch and C times `more` in two passes, with 32 and with 6 columns. The first
    /// pass is saved where a factorisation has cached it.
    ///
    /// # Errors
    /// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
    pub fn with_product(
        c: &CoOccurrence<'_>,
        seed: u64,
        more: ArrayView2<'_, f64>,
    ) -> Result<(Self, Array2<f64>)> {
        let columns = SUBSPACE.min(c.words() / 2);
        let gaussian = first_block(c.words(), seed);
        // Orthonormal, as in a factorisation, so that the cached product is found.
        let (basis, mixture) = orthonormalise(&gaussian);
        let image = product(&c.apply_cached(basis.view())?, &mixture);
        let (q, _) = orthonormalise(&image.slice(s![.., ..columns]).to_owned());
        let mut random = Probes {
            columns: gaussian.slice(s![.., columns..]).to_owned(),
            image: image.slice(s![.., columns..]).to_owned(),
        };
        let images = c.apply(concatenate![Axis(1), q, more].view())?;
        let (own, others) = images.view().split_at(Axis(1), columns);
        let subspace = Probes { image: own.to_owned(), columns: q };
        let share = transposed_product(&subspace.columns, &random.columns);
        random.columns -= &product(&subspace.columns, &share);
        random.image -= &product(&subspace.image, &share);
        Ok((Self { subspace, random }, others.to_owned()))
    }

    /// ‖C‖²_F.
    pub fn squared_norm(&self) -> Estimate {
        let known = squares(&self.subspace.image).sum();
        SumOfSquares { known, draws: squares(&self.random.image).sum_axis(Axis(0)) }.mean()
    }

    /// Number of random columns.
    pub fn draws(&self) -> usize {
        self.random.columns.ncols()
    }
}

/// The square of every entry.
pub fn squares(matrix: &Array2<f64>) -> Array2<f64> {
    matrix.mapv(|entry| entry * entry)
}

/// An estimate with its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Its standard error, over the random columns.
    pub error: f64,
}

/// A sum of squares: an exact part, and the mean of draws for the rest.
#[derive(Debug, Clone)]
pub struct SumOfSquares {
    /// The exact part, along Q.
    pub known: f64,
    /// The estimate of the rest by each random column.
    pub draws: Array1<f64>,
}

impl SumOfSquares {
    /// The sum with all draws, or without one of them.
    pub fn without(&self, draw: Option<usize>) -> f64 {
        let left_out = draw.map_or(0.0, |draw| self.draws[draw]);
        let count = self.draws.len() - usize::from(draw.is_some());
        self.known + (self.draws.sum() - left_out) / count as f64
    }

    fn mean(&self) -> Estimate {
        jackknife(self.draws.len(), |draw| self.without(draw))
    }
}

/// A jackknife estimate from `draws` draws, with its standard error. `figure` is evaluated with
/// each draw left out in turn; for roots and ratios of means the first-order bias is removed.
///
/// # Source
/// Quenouille 1956; Tukey 1958; Efron and Tibshirani 1993, "An Introduction to the Bootstrap", chapters
/// 10 and 11.
pub fn jackknife(draws: usize, figure: impl Fn(Option<usize>) -> f64) -> Estimate {
    let n = draws as f64;
    let each: Array1<f64> = (0..draws).map(|draw| figure(Some(draw))).collect();
    let mean = each.sum() / n;
    let spread: f64 = each.iter().map(|x| (x - mean) * (x - mean)).sum();
    let value = n * figure(None) - (n - 1.0) * mean;
    Estimate { value, error: ((n - 1.0) / n * spread).sqrt() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::anchors::anchor_space::AnchorSpace;
    use crate::metric::co_occurrence::approximation::relative_approximation;
    use crate::metric::co_occurrence::row_norms::RowNorms;
    use crate::model::lr_jsmf::{LrJsmfSettings, lr_jsmf};
    use crate::progress::Silent;
    use crate::random::stream;
    use crate::stream::documents::Documents;
    use crate::stream::memory::{CountingSource, MatrixSource};
    use rand::RngExt;
    use sprs::TriMat;

    fn sketch(c: &CoOccurrence<'_>, seed: u64) -> Sketch {
        Sketch::with_product(c, seed, Array2::zeros((c.words(), 0)).view()).expect("in memory").0
    }

    /// Twelve groups of words, from frequent to rare.
    fn source() -> MatrixSource {
        const WORDS: usize = 600;
        let mut rng = stream(3, "row norms");
        let mut counts = TriMat::new((500, WORDS));
        for document in 0..500 {
            for word in 0..WORDS {
                let likely = if word % 12 == document % 12 { 0.4 } else { 0.04 };
                if rng.random::<f64>() < likely * 60.0 / (60 + word) as f64 {
                    counts.add_triplet(document, word, rng.random_range(1..4u32));
                }
            }
        }
        MatrixSource::new(counts.to_csr(), 50)
    }

    #[test]
    fn estimates_scatter_about_exact_values_by_their_standard_errors() {
        let source = source();
        let positions: Vec<u32> = (0..600).collect();
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let c = CoOccurrence::new(&documents).expect("in memory");
        let model = lr_jsmf(&c, &LrJsmfSettings::new(6), None, 1, &Silent).expect("topics").topics;
        let space = AnchorSpace::new(&c, &model.anchors).expect("in memory");
        let figures = |norms: &RowNorms| {
            let (b, a) = (&model.topics, &model.correlations);
            let approximation = relative_approximation(&c, norms, b, a).expect("in memory");
            let recovery = space.relative_recovery(&c, norms, &model.topics_of_words);
            [approximation, recovery.expect("in memory")]
        };
        let exact = RowNorms::new(&c, true, 1).expect("in memory");
        let RowNorms::Exact(squares) = &exact else { panic!("exact") };
        let whole = Estimate { value: squares.sum(), error: 0.0 };
        let [approximation, recovery] = figures(&exact);
        assert_eq!((approximation.error, recovery.error), (0.0, 0.0));
        const SEEDS: u64 = 30;
        let mut scatter = [0.0; 3];
        let mut bias = [0.0; 3];
        let mut errors = [0.0; 3];
        for seed in 0..SEEDS {
            let sketch = sketch(&c, seed);
            let norm = sketch.squared_norm();
            let [approximated, recovered] = figures(&RowNorms::Sketched(Box::new(sketch)));
            let found = [(norm, whole), (approximated, approximation), (recovered, recovery)];
            for (at, (found, exact)) in found.into_iter().enumerate() {
                let miss = found.value - exact.value;
                errors[at] += found.error / exact.value / SEEDS as f64;
                scatter[at] += (miss / found.error).powi(2) / SEEDS as f64;
                bias[at] += miss / found.error / (SEEDS as f64).sqrt();
            }
        }
        // Seeds are fixed, so alarms do not vary between runs. χ² with 30 degrees of freedom over
        // 30 leaves (0.4, 2) with probability 0.002, and a mean is off by more than 4 of its
        // deviations with 0.0001.
        for at in 0..3 {
            assert!((0.4..2.0).contains(&scatter[at]), "{scatter:?} {bias:?}");
            assert!(bias[at].abs() < 4.0, "{scatter:?} {bias:?}");
            assert!(errors[at] < 0.05, "{errors:?}");
        }
    }

    #[test]
    fn after_a_factorisation_it_takes_one_pass_and_has_the_same_bits() {
        let source = CountingSource::new(source());
        let positions: Vec<u32> = (0..600).collect();
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let sketch = |factorised: Option<u64>| {
            let c = CoOccurrence::new(&documents).expect("in memory");
            if let Some(seed) = factorised {
                lr_jsmf(&c, &LrJsmfSettings::new(6), None, seed, &Silent).expect("topics");
            }
            let before = source.read();
            let sketch = sketch(&c, 2);
            let bits = |columns: &Probes| columns.image.mapv(f64::to_bits);
            let passes = (source.read() - before) as f64 / documents.block_sizes().len() as f64;
            (bits(&sketch.subspace), bits(&sketch.random), passes)
        };
        let (subspace, random, passes) = sketch(None);
        assert_eq!(passes, 2.0);
        assert_eq!(sketch(Some(2)), (subspace.clone(), random.clone(), 1.0));
        assert_eq!(sketch(Some(3)), (subspace, random, 2.0), "another seed's block is no use");
    }

    #[test]
    fn the_jackknife_knows_the_error_of_a_mean_and_the_bias_of_its_square() {
        let draws = [1.0, 4.0, 2.0, 5.0];
        let mean = |left_out: Option<usize>| {
            let kept = (0..4).filter(|&draw| Some(draw) != left_out);
            let kept: Vec<f64> = kept.map(|draw| draws[draw]).collect();
            kept.iter().sum::<f64>() / kept.len() as f64
        };
        // Variance 10/3 over 4 draws.
        let found = jackknife(4, mean);
        assert!((found.value - 3.0).abs() < 1e-12);
        assert!((found.error - (10.0f64 / 12.0).sqrt()).abs() < 1e-12);
        let square = jackknife(4, |left_out| mean(left_out).powi(2));
        assert!((square.value - (9.0 - 10.0 / 12.0)).abs() < 1e-12);
    }
}
