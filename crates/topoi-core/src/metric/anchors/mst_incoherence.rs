//! MST-incoherence: the cost of the minimum spanning tree through a topic's words.

use ndarray::Array2;
use rayon::prelude::*;

use crate::linalg::spanning_tree::spanning_tree_costs;
use crate::metric::better::Better;
use crate::metric::definition::{Scope, ValueRange, metric_def};
use crate::metric::words::top_words::top_words;
use crate::stream::cooccurrence::CoOccurrence;
use crate::stream::cooccurrence::groups::cooccurrence_of_groups;
use crate::stream::error::Result;

metric_def! {
    /// cost of the minimum spanning tree over a topic's 7 prominent and 7 characteristic words,
    /// edges ½(1 − NPMI), NPMI from C
    pub const MST_INCOHERENCE {
        id: "mst_incoherence",
        scope: Scope::Topics,
        better: Some(Better::Smaller),
        range: ValueRange::between(0.0, 13.0),
        source: "Lee et al. 2021, §5, footnote 7",
        tags: &[],
    }
}

/// Number of prominent words of a topic, and of characteristic words (Lee et al. 2021, §5).
const WORDS_OF_EACH_KIND: usize = 7;

/// For every topic, the cost of the minimum spanning tree over its 7 prominent words (most probable
/// in B_k) and 7 characteristic words (largest in row C̄_{s_k}). The edge between two words costs
/// ½(1 − NPMI): 0 for words that only occur together, 1 for words that never do. `topics` is B and
/// `anchor_rows` C̄_Sᵀ, both W × K.
///
/// A topic has 7 to 14 different words, and fewer where fewer words have any probability. The cost
/// therefore lies between 0 and 13, and between 0 and 6 where prominent and characteristic words
/// are the same. Smaller is more coherent. The value of a run is the mean over topics.
///
/// # Cost
/// One pass over the corpus, memory for about 1000·K numbers.
///
/// # Errors
/// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
///
/// # Source
/// Lee et al. 2021, §5 and footnote 7.
pub fn mst_incoherence(
    c: &CoOccurrence<'_>,
    topics: &Array2<f64>,
    anchor_rows: &Array2<f64>,
) -> Result<Vec<f64>> {
    let of_topic = |topic| {
        let mut words = top_words(topics.column(topic), WORDS_OF_EACH_KIND);
        words.extend(top_words(anchor_rows.column(topic), WORDS_OF_EACH_KIND));
        words.sort_unstable();
        words.dedup();
        words
    };
    let words: Vec<Vec<usize>> = (0..topics.ncols()).into_par_iter().map(of_topic).collect();
    let joint = cooccurrence_of_groups(c, &words)?;
    let probabilities = c.row_sums();
    let cost = |(words, joint): (&Vec<usize>, &Array2<f64>)| {
        let edges = spanning_tree_costs(words.len(), |i, j| {
            let independent = probabilities[words[i]] * probabilities[words[j]];
            0.5 * (1.0 - joint_npmi(joint[(i, j)], independent))
        });
        edges.iter().fold(0.0, |sum, edge| sum + edge)
    };
    Ok(words.iter().zip(&joint).map(cost).collect())
}

/// NPMI of two words from C_ij and p(i)·p(j): ln(C_ij / (p(i)p(j))) / −ln C_ij, in [−1, 1]. −1 for
/// words that never occur together.
///
/// # Source
/// Lee et al. 2021, §5, after Röder et al. 2015.
pub(crate) fn joint_npmi(joint: f64, independent: f64) -> f64 {
    if joint > 0.0 { (joint / independent).ln() / -joint.ln() } else { -1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use crate::stream::documents::Documents;
    use crate::stream::memory::MatrixSource;
    use ndarray::array;
    use sprs::TriMat;

    #[test]
    fn two_pairs_of_words_bridged_by_nothing_cost_one_edge_of_1() {
        // Documents ab, ab, cd: C_ab = p(a) = p(b) = 1/3 and C_cd = p(c) = p(d) = 1/6.
        let mut counts = TriMat::new((3, 4));
        for (document, words) in [[0, 1], [0, 1], [2, 3]].into_iter().enumerate() {
            words.into_iter().for_each(|word| counts.add_triplet(document, word, 1u32));
        }
        let source = MatrixSource::new(counts.to_csr(), 2);
        let documents = Documents::new(&source, &[0, 1, 2, 3], 2, &Silent);
        let c = CoOccurrence::new(&documents).expect("in memory");
        let topics = array![[0.5, 0.25], [0.5, 0.25], [0.0, 0.25], [0.0, 0.25]];
        let anchor_rows = array![[0.0, 0.0], [1.0, 1.0], [0.0, 0.0], [0.0, 0.0]];
        let found = mst_incoherence(&c, &topics, &anchor_rows).expect("in memory");
        // Words that only occur with each other have NPMI 1: ln(p/p²)/−ln p.
        assert!(found[0].abs() < 1e-14 && (found[1] - 1.0).abs() < 1e-14, "{found:?}");
        assert_eq!(joint_npmi(0.25, 0.25), 0.0);
    }
}
