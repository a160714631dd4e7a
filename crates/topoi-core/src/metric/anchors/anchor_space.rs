//! The anchors' rows in the co-occurrence space, and how well they recover the other words.

use ndarray::{Array1, Array2, Axis};

use crate::linalg::dense::{product, transposed_product};
use crate::metric::better::Better;
use crate::metric::co_occurrence::row_norms::RowNorms;
use crate::metric::co_occurrence::sketch::{
    Estimate, Probes, Sketch, SumOfSquares, jackknife, squares,
};
use crate::metric::definition::{Scope, ValueRange, metric_def};
use crate::stream::cooccurrence::CoOccurrence;
use crate::stream::cooccurrence::rows::rows_of_words;
use crate::stream::error::Result;

metric_def! {
    /// (1/W) Σ_i ‖C̄_i − B̆ᵀ_i C̄_S‖₂ / ‖C̄‖_F: how far words' rows are from mixtures of the
    /// anchors'
    pub const RELATIVE_RECOVERY {
        id: "relative_recovery",
        scope: Scope::Run,
        better: Some(Better::Smaller),
        range: ValueRange::from(0.0),
        source: "Lee et al. 2021, §5",
        tags: &[],
    }
}

/// The anchors' rows of C̄, the row-normalised co-occurrence.
#[derive(Debug, Clone)]
pub struct AnchorSpace {
    /// C̄_Sᵀ: W × K, column k is p(word | anchor k in the same document).
    pub anchor_rows: Array2<f64>,
    anchors: Vec<usize>,
    /// 1 / ΣC_i; 0 for words whose row of C is empty.
    inverse: Array1<f64>,
}

impl AnchorSpace {
    /// The space of K anchors. C is never formed.
    ///
    /// # Cost
    /// One pass. A document costs its words for each anchor that it contains.
    ///
    /// # Errors
    /// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
    pub fn new(c: &CoOccurrence<'_>, anchors: &[usize]) -> Result<Self> {
        let inverse = inverse_row_sums(c);
        let scale: Array1<f64> = anchors.iter().map(|&word| inverse[word]).collect();
        let anchor_rows = rows_of_words(c, anchors)? * &scale;
        Ok(Self { anchor_rows, anchors: anchors.to_vec(), inverse })
    }

    /// C̄·V from C·V (W × b). Rows of words whose row of C is empty are zeros.
    pub fn normalised(&self, images: Array2<f64>) -> Array2<f64> {
        images * self.inverse.view().insert_axis(Axis(1))
    }

    /// Relative recovery, (1/W) Σ_i ‖C̄_i − B̆ᵀ_i C̄_S‖₂ / ‖C̄‖_F, for B̆ᵀ (W × K). Words whose row
    /// of C is empty count as recovered exactly.
    ///
    /// # Cost
    /// One pass with K columns where the norms are exact; none from a sketch.
    ///
    /// # Errors
    /// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
    ///
    /// # Source
    /// Lee et al. 2021, §5.
    pub fn relative_recovery(
        &self,
        c: &CoOccurrence<'_>,
        norms: &RowNorms,
        topics_of_words: &Array2<f64>,
    ) -> Result<Estimate> {
        match norms {
            RowNorms::Exact(squares) => {
                let value = self.exact_recovery(c, squares, topics_of_words)?;
                Ok(Estimate { value, error: 0.0 })
            }
            RowNorms::Sketched(sketch) => Ok(self.estimated_recovery(sketch, topics_of_words)),
        }
    }

    /// Relative recovery from exact norms, with the squares multiplied out.
    fn exact_recovery(
        &self,
        c: &CoOccurrence<'_>,
        squared_row_norms: &Array1<f64>,
        topics_of_words: &Array2<f64>,
    ) -> Result<f64> {
        let anchor_products = self.normalised(c.apply(self.anchor_rows.view())?);
        let gram = transposed_product(&self.anchor_rows, &self.anchor_rows);
        let mixed = product(topics_of_words, &gram);
        let mut sum = 0.0;
        let mut frobenius = 0.0;
        for word in 0..squared_row_norms.len() {
            let scale = self.inverse[word];
            let weights = topics_of_words.row(word);
            let own = squared_row_norms[word] * scale * scale;
            let cross = weights.dot(&anchor_products.row(word));
            let square = own - 2.0 * cross + weights.dot(&mixed.row(word));
            if scale > 0.0 {
                sum += square.max(0.0).sqrt();
            }
            frobenius += own;
        }
        Ok(sum / squared_row_norms.len() as f64 / frobenius.sqrt())
    }

    fn estimated_recovery(&self, sketch: &Sketch, topics_of_words: &Array2<f64>) -> Estimate {
        let rows = |columns: &Probes| self.normalised(columns.image.clone());
        let misses = |rows: &Array2<f64>| {
            squares(&(rows - &product(topics_of_words, &rows.select(Axis(0), &self.anchors))))
        };
        let (known, random) = (rows(&sketch.subspace), rows(&sketch.random));
        let whole = SumOfSquares {
            known: squares(&known).sum(),
            draws: squares(&random).sum_axis(Axis(0)),
        };
        let (known, random) = (misses(&known).sum_axis(Axis(1)), misses(&random));
        let sums = random.sum_axis(Axis(1));
        jackknife(sketch.draws(), |draw| {
            let draws = sketch.draws() - usize::from(draw.is_some());
            let distance = |word: usize| {
                // Rounding can leave a negative sum where one draw was all of it.
                let left_out = draw.map_or(0.0, |draw| random[(word, draw)]);
                let rest = (sums[word] - left_out).max(0.0) / draws as f64;
                if self.inverse[word] > 0.0 { (known[word] + rest).sqrt() } else { 0.0 }
            };
            let distances: f64 = (0..sums.len()).map(distance).sum();
            distances / sums.len() as f64 / whole.without(draw).sqrt()
        })
    }
}

/// 1 / ΣC_i; 0 for words whose row of C is empty.
fn inverse_row_sums(c: &CoOccurrence<'_>) -> Array1<f64> {
    c.row_sums().mapv(|sum| if sum > 0.0 { 1.0 / sum } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::co_occurrence::approximation::relative_approximation;
    use crate::model::lr_jsmf::{LrJsmfSettings, lr_jsmf};
    use crate::progress::Silent;
    use crate::random::stream;
    use crate::stream::documents::Documents;
    use crate::stream::memory::MatrixSource;
    use rand::RngExt;
    use sprs::TriMat;

    #[test]
    fn errors_are_those_of_the_formed_matrices() {
        let mut rng = stream(9, "reconstruction");
        let mut counts = TriMat::new((60, 25));
        for document in 0..60 {
            for word in 0..25 {
                let likely = if word % 3 == document % 3 { 0.7 } else { 0.15 };
                if rng.random::<f64>() < likely {
                    counts.add_triplet(document, word, rng.random_range(1..5u32));
                }
            }
        }
        let source = MatrixSource::new(counts.to_csr(), 7);
        let positions: Vec<u32> = (0..25).collect();
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let c = CoOccurrence::new(&documents).expect("in memory");
        let model = lr_jsmf(&c, &LrJsmfSettings::new(3), None, 1, &Silent).expect("topics").topics;
        let norms = RowNorms::new(&c, true, 1).expect("in memory");
        let space = AnchorSpace::new(&c, &model.anchors).expect("in memory");
        let recovery = space.relative_recovery(&c, &norms, &model.topics_of_words);
        let recovery = recovery.expect("in memory").value;
        let (b, a) = (&model.topics, &model.correlations);
        let approximation = relative_approximation(&c, &norms, b, a).expect("in memory").value;

        let formed = c.apply(Array2::eye(25).view()).expect("in memory");
        let norm = |a: &Array2<f64>| a.iter().map(|x| x * x).sum::<f64>().sqrt();
        let miss = &formed - &model.topics.dot(&model.correlations).dot(&model.topics.t());
        assert!((approximation - norm(&miss) / norm(&formed)).abs() < 1e-10);
        let mut rows = formed.clone();
        for mut row in rows.rows_mut() {
            let sum = row.sum();
            row /= sum;
        }
        let miss = &rows - &model.topics_of_words.dot(&rows.select(Axis(0), &model.anchors));
        let mean = miss.rows().into_iter().map(|r| r.dot(&r).sqrt()).sum::<f64>() / 25.0;
        // Multiplied-out squares of rows that are recovered exactly are zero only to 1e-16.
        assert!((recovery - mean / norm(&rows)).abs() < 1e-8);
        assert!(norm(&(&rows.select(Axis(0), &model.anchors).t() - &space.anchor_rows)) < 1e-12);
    }
}
