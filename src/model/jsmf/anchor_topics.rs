//! What every anchor-word model returns.

use ndarray::{Array1, Array2};

/// Topics with anchors: C ≈ B·A·Bᵀ.
#[derive(Debug, Clone)]
pub struct AnchorTopics {
    /// S: K word numbers; word `anchors[k]` belongs to topic k alone.
    pub anchors: Vec<usize>,
    /// How much each anchor stood out when it was chosen: |R_kk| of the pivoted QR, or a novel
    /// word's score.
    pub anchor_distances: Vec<f64>,
    /// B: W × K, column k is p(word | topic k) and sums to 1.
    pub topics: Array2<f64>,
    /// B̆ᵀ: W × K, row i is p(topic | word i) and sums to 1.
    pub topics_of_words: Array2<f64>,
    /// A: K × K, symmetric, the joint probability of the topics of two tokens of a document.
    pub correlations: Array2<f64>,
    /// p(topic), K numbers that sum to 1.
    pub weights: Array1<f64>,
    /// The worst KKT gap of the W simplex least squares, relative to the largest squared vertex.
    pub worst_gap: f64,
}

impl AnchorTopics {
    /// B, p(topic) and A by Bayes' rule from B̆ᵀ, the word probabilities d (W, positive) and the
    /// co-occurrence of the anchors C_SS (K × K): `B_ik ∝ B̆_ki d_i`, `A = B_S⁻¹ C_SS B_S⁻¹`,
    /// where B_S is diagonal because an anchor belongs to its topic alone.
    ///
    /// # Source
    /// Lee et al. 2021, algorithm 1, the last two lines.
    pub(crate) fn by_bayes(
        anchors: Vec<usize>,
        anchor_distances: Vec<f64>,
        mut topics_of_words: Array2<f64>,
        worst_gap: f64,
        d: &Array1<f64>,
        anchor_cooccurrence: &Array2<f64>,
    ) -> Self {
        for (topic, &word) in anchors.iter().enumerate() {
            topics_of_words.row_mut(word).fill(0.0);
            topics_of_words[(word, topic)] = 1.0;
        }
        let (topics, weights) = Self::bayes(&topics_of_words, d);
        let own: Array1<f64> =
            anchors.iter().enumerate().map(|(topic, &word)| topics[(word, topic)]).collect();
        let scale = Array2::from_shape_fn((own.len(), own.len()), |(k, l)| own[k] * own[l]);
        let correlations = anchor_cooccurrence / &scale;
        Self {
            anchors,
            anchor_distances,
            topics,
            topics_of_words,
            correlations,
            weights,
            worst_gap,
        }
    }

    /// B (W × K) and p(topic) from p(topic | word) (W × K) and the word probabilities d (W) by
    /// Bayes' rule.
    pub(crate) fn bayes(
        topics_of_words: &Array2<f64>,
        d: &Array1<f64>,
    ) -> (Array2<f64>, Array1<f64>) {
        let joint = topics_of_words * &d.view().insert_axis(ndarray::Axis(1));
        let mass = joint.sum_axis(ndarray::Axis(0));
        (&joint / &mass, &mass / mass.sum())
    }
}
