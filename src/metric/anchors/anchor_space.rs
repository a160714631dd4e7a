//! The anchors' rows in the co-occurrence space, and how well they recover the other words.

use ndarray::{Array1, Array2, Axis};

use crate::linalg::dense::{product, transposed_product};
use crate::metric::better::Better;
use crate::metric::definition::{Scope, ValueRange, metric_def};
use crate::stream::cooccurrence::CoOccurrence;
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

/// The anchors' rows of C̄ (the co-occurrence, rows normalised) and every word's products with
/// them.
#[derive(Debug, Clone)]
pub struct AnchorSpace {
    /// C̄_Sᵀ: W × K, column k is p(word | anchor k in the same document).
    pub anchor_rows: Array2<f64>,
    /// C̄·C̄_Sᵀ: W × K, the products of every word's row with the anchors' rows; zeros for words
    /// whose row of C is empty.
    pub anchor_products: Array2<f64>,
}

impl AnchorSpace {
    /// The space of K anchors; C is never formed.
    ///
    /// # Cost
    /// Two passes with K columns.
    ///
    /// # Errors
    /// When the corpus cannot be read, or on cancel.
    pub fn new(c: &CoOccurrence<'_>, anchors: &[usize]) -> Result<Self> {
        let units = Array2::from_shape_fn((c.words(), anchors.len()), |(word, topic)| {
            f64::from(u8::from(anchors[topic] == word))
        });
        let inverse = inverse_row_sums(c);
        let scale: Array1<f64> = anchors.iter().map(|&word| inverse[word]).collect();
        let anchor_rows = c.apply(units.view())? * &scale;
        let anchor_products = c.apply(anchor_rows.view())? * inverse.view().insert_axis(Axis(1));
        Ok(Self { anchor_rows, anchor_products })
    }

    /// Relative recovery, (1/W) Σ_i ‖C̄_i − B̆ᵀ_i C̄_S‖₂ / ‖C̄‖_F, from the squared norms of the
    /// rows of C (W) and B̆ᵀ (W × K): the squares are multiplied out. Words whose row of C is
    /// empty count as recovered exactly.
    ///
    /// # Source
    /// Lee et al. 2021, §5.
    pub fn relative_recovery(
        &self,
        c: &CoOccurrence<'_>,
        squared_row_norms: &Array1<f64>,
        topics_of_words: &Array2<f64>,
    ) -> f64 {
        let inverse = inverse_row_sums(c);
        let gram = transposed_product(&self.anchor_rows, &self.anchor_rows);
        let mixed = product(topics_of_words, &gram);
        let mut sum = 0.0;
        let mut frobenius = 0.0;
        for word in 0..squared_row_norms.len() {
            let scale = inverse[word];
            let weights = topics_of_words.row(word);
            let own = squared_row_norms[word] * scale * scale;
            let cross = weights.dot(&self.anchor_products.row(word));
            let square = own - 2.0 * cross + weights.dot(&mixed.row(word));
            if scale > 0.0 {
                sum += square.max(0.0).sqrt();
            }
            frobenius += own;
        }
        sum / squared_row_norms.len() as f64 / frobenius.sqrt()
    }
}

/// 1 / ΣC_i, or 0 for words whose row of C is empty.
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
    use crate::stream::cooccurrence::row_norms::squared_row_norms;
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
        let norms = squared_row_norms(&c).expect("in memory");
        let space = AnchorSpace::new(&c, &model.anchors).expect("in memory");
        let recovery = space.relative_recovery(&c, &norms, &model.topics_of_words);
        let (b, a) = (&model.topics, &model.correlations);
        let approximation = relative_approximation(&c, norms.sum(), b, a).expect("in memory");

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
        // Multiplied-out squares of rows that are recovered exactly are zero to 1e-16 only.
        assert!((recovery - mean / norm(&rows)).abs() < 1e-8);
        let products = rows.dot(&rows.select(Axis(0), &model.anchors).t());
        assert!(norm(&(&products - &space.anchor_products)) < 1e-12);
    }
}
