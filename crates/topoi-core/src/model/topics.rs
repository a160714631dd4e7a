//! The topics that every model returns.

use ndarray::{Array1, Array2, Axis};

use super::jsmf::AnchorTopics;

/// K topics over W words, from any model.
#[derive(Debug, Clone)]
pub struct Topics {
    /// B: W × K, column k is p(word | topic k) and sums to 1.
    pub topics: Array2<f64>,
    /// B̆ᵀ: W × K, row i is p(topic | word i) and sums to 1, or to 0 for a word that no topic has.
    pub topics_of_words: Array2<f64>,
    /// p(topic), K numbers that sum to 1.
    pub weights: Array1<f64>,
    /// A: K × K, symmetric, the joint probability of the topics of two tokens of a document; `None`
    /// for models without.
    pub correlations: Option<Array2<f64>>,
    /// S: K word numbers, each exclusive to its topic; `None` for models without anchors.
    pub anchors: Option<Vec<usize>>,
}

impl Topics {
    /// From B (W × K) and p(topic) (K); p(topic | word) follows by Bayes' rule.
    pub fn without_anchors(topics: Array2<f64>, weights: Array1<f64>) -> Self {
        let topics_of_words = topics_of_words(&topics, &weights);
        Self { topics, topics_of_words, weights, correlations: None, anchors: None }
    }
}

impl Topics {
    /// The topics in another order: topic `order[i]` becomes topic i.
    pub(super) fn in_order(self, order: &[usize]) -> Self {
        let columns = |matrix: &Array2<f64>| {
            // A clone, to keep the memory order of the model's matrix.
            let mut found = matrix.clone();
            for (to, &from) in order.iter().enumerate() {
                found.column_mut(to).assign(&matrix.column(from));
            }
            found
        };
        let both = |a: &Array2<f64>| a.select(Axis(0), order).select(Axis(1), order);
        Self {
            topics: columns(&self.topics),
            topics_of_words: columns(&self.topics_of_words),
            weights: self.weights.select(Axis(0), order),
            correlations: self.correlations.as_ref().map(both),
            anchors: self.anchors.map(|anchors| order.iter().map(|&from| anchors[from]).collect()),
        }
    }

    /// Replaces p(topic) (K numbers that sum to 1) and recomputes p(topic | word).
    pub fn weigh(&mut self, weights: Array1<f64>) {
        self.topics_of_words = topics_of_words(&self.topics, &weights);
        self.weights = weights;
    }
}

impl From<AnchorTopics> for Topics {
    fn from(found: AnchorTopics) -> Self {
        Self {
            topics: found.topics,
            topics_of_words: found.topics_of_words,
            weights: found.weights,
            correlations: Some(found.correlations),
            anchors: Some(found.anchors),
        }
    }
}

/// p(topic | word) (W × K) from B (W × K) and p(topic) (K) by Bayes' rule; 0 for words that no
/// topic has.
fn topics_of_words(topics: &Array2<f64>, weights: &Array1<f64>) -> Array2<f64> {
    let mut joint = topics * &weights.view().insert_axis(Axis(0));
    for mut row in joint.rows_mut() {
        let sum = row.sum();
        if sum > 0.0 {
            row /= sum;
        }
    }
    joint
}
