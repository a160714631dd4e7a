//! How well anchors recover the rows of C, and B·A·Bᵀ recovers C.

use ndarray::{Array1, Array2, Axis};

use crate::linalg::dense::{product, transposed_product};
use crate::model::anchor_topics::AnchorTopics;
use crate::stream::cooccurrence::CoOccurrence;
use crate::stream::error::Result;
use crate::stream::row_norms::squared_row_norms;

/// How well a run explains the co-occurrence it came from (unrectified, never formed).
#[derive(Debug, Clone)]
pub struct Reconstruction {
    /// (1/W) Σ_i ‖C̄_i − B̆ᵀ_i C̄_S‖₂ / ‖C̄‖_F.
    pub relative_recovery: f64,
    /// ‖C − B·A·Bᵀ‖_F / ‖C‖_F.
    pub relative_approximation: f64,
    /// C̄_Sᵀ: W × K, column k is p(word | anchor k in the same document).
    pub anchor_rows: Array2<f64>,
    /// C̄·C̄_Sᵀ: W × K, the products of every word's row with the anchors' rows; zeros for words
    /// whose row of C is empty.
    pub anchor_products: Array2<f64>,
}

/// Both errors, from the exact row norms of C and two streamed products with it: the squares are
/// multiplied out, so that only W × K matrices are held.
///
/// Words whose row of C is empty count as recovered exactly.
///
/// # Cost
/// [`squared_row_norms`], and passes with 2K and with K columns.
///
/// # Errors
/// When the corpus cannot be read, or on cancel.
///
/// # Source
/// Lee et al. 2021, §5.
pub fn reconstruction(c: &CoOccurrence<'_>, model: &AnchorTopics) -> Result<Reconstruction> {
    let k = model.anchors.len();
    let norms = squared_row_norms(c)?;
    let units = Array2::from_shape_fn((c.words(), k), |(word, topic)| {
        f64::from(u8::from(model.anchors[topic] == word))
    });
    let both = ndarray::concatenate![Axis(1), units, model.topics];
    let image = c.apply(both.view())?;
    let (anchor_columns, topic_columns) = image.view().split_at(Axis(1), k);
    let topic_columns = topic_columns.as_standard_layout().to_owned();
    let inverse = c.row_sums().mapv(|sum| if sum > 0.0 { 1.0 / sum } else { 0.0 });
    let anchor_scale: Array1<f64> = model.anchors.iter().map(|&word| inverse[word]).collect();
    let anchor_rows = (&anchor_columns * &anchor_scale).as_standard_layout().to_owned();
    let anchor_products = c.apply(anchor_rows.view())? * inverse.view().insert_axis(Axis(1));
    Ok(Reconstruction {
        relative_recovery: recovery(&norms, &inverse, &anchor_rows, &anchor_products, model),
        relative_approximation: approximation(norms.sum(), &topic_columns, model),
        anchor_rows,
        anchor_products,
    })
}

/// From ‖C̄_i‖², the products C̄·C̄_Sᵀ and the Gram matrix of the anchors' rows.
fn recovery(
    norms: &Array1<f64>,
    inverse: &Array1<f64>,
    anchor_rows: &Array2<f64>,
    anchor_products: &Array2<f64>,
    model: &AnchorTopics,
) -> f64 {
    let gram = transposed_product(anchor_rows, anchor_rows);
    let mixed = product(&model.topics_of_words, &gram);
    let mut sum = 0.0;
    let mut frobenius = 0.0;
    for word in 0..norms.len() {
        let scale = inverse[word];
        let weights = model.topics_of_words.row(word);
        let own = norms[word] * scale * scale;
        let cross = weights.dot(&anchor_products.row(word));
        let square = own - 2.0 * cross + weights.dot(&mixed.row(word));
        if scale > 0.0 {
            sum += square.max(0.0).sqrt();
        }
        frobenius += own;
    }
    sum / norms.len() as f64 / frobenius.sqrt()
}

/// From ‖C‖² and C·B: ‖C − BABᵀ‖² = ‖C‖² − 2 tr(A·BᵀCB) + tr(A·G·A·G), G = BᵀB.
fn approximation(squared_norm: f64, image: &Array2<f64>, model: &AnchorTopics) -> f64 {
    let (a, b) = (&model.correlations, &model.topics);
    let cross = (a * &transposed_product(b, image)).sum();
    let ag = a.dot(&transposed_product(b, b));
    let own = (&ag * &ag.t()).sum();
    ((squared_norm - 2.0 * cross + own).max(0.0) / squared_norm).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let model = lr_jsmf(&c, &LrJsmfSettings::new(3), 1, &Silent).expect("topics").topics;
        let found = reconstruction(&c, &model).expect("in memory");

        let formed = c.apply(Array2::eye(25).view()).expect("in memory");
        let norm = |a: &Array2<f64>| a.iter().map(|x| x * x).sum::<f64>().sqrt();
        let miss = &formed - &model.topics.dot(&model.correlations).dot(&model.topics.t());
        assert!((found.relative_approximation - norm(&miss) / norm(&formed)).abs() < 1e-10);
        let mut rows = formed.clone();
        for mut row in rows.rows_mut() {
            let sum = row.sum();
            row /= sum;
        }
        let miss = &rows - &model.topics_of_words.dot(&rows.select(Axis(0), &model.anchors));
        let mean = miss.rows().into_iter().map(|r| r.dot(&r).sqrt()).sum::<f64>() / 25.0;
        // Multiplied-out squares of rows that are recovered exactly are zero to 1e-16 only.
        assert!((found.relative_recovery - mean / norm(&rows)).abs() < 1e-8);
        let products = rows.dot(&rows.select(Axis(0), &model.anchors).t());
        assert!(norm(&(&products - &found.anchor_products)) < 1e-12);
    }
}
