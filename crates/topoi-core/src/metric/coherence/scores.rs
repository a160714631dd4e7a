//! Coherence of a topic's top words: the formulas, over counts of documents or of windows.
//!
//! D(w) is the number of units (documents or windows) that contain w, D(v, w) the number that
//! contain both. P(·) is the share of all N units. Words are listed most probable first.

use super::pair_counts::PairCounts;

/// Σ over pairs, v listed before w, of log((D(v, w) + `joint`) / (D(v) + `alone`)). A pair counts 0
/// where v does not occur.
///
/// # Source
/// Mimno et al. 2011, "Optimizing semantic coherence in topic models", equation 1 (1 and 0).
pub fn log_conditional_sum(
    words: &[usize],
    counts: &PairCounts<'_>,
    joint: f64,
    alone: f64,
) -> f64 {
    let term = |(v, w)| match counts.alone(v) {
        0 => 0.0,
        single => ((counts.both(v, w) as f64 + joint) / (single as f64 + alone)).ln(),
    };
    pairs(words).map(term).sum()
}

/// Mean over pairs, v listed before w, of log((P(v, w) + `epsilon`) / P(v)). A pair counts 0 where
/// v does not occur.
///
/// # Source
/// Röder, Both and Hinneburg 2015, "Exploring the space of topic coherence measures", C_UMass; as
/// gensim and tomotopy compute it.
pub fn log_conditional_mean(words: &[usize], counts: &PairCounts<'_>, epsilon: f64) -> f64 {
    mean(pairs(words).map(|(v, w)| match counts.alone(v) {
        0 => 0.0,
        _ => ((counts.joint_probability(v, w) + epsilon) / counts.probability(v)).ln(),
    }))
}

/// Mean over pairs of `smoothed_pmi`.
///
/// # Source
/// Newman et al. 2010, "Automatic evaluation of topic coherence"; C_UCI of Röder et al. 2015.
pub fn pmi_mean(words: &[usize], counts: &PairCounts<'_>, epsilon: f64) -> f64 {
    mean(pairs(words).map(|(v, w)| smoothed_pmi(v, w, counts, epsilon)))
}

/// Mean over pairs of NPMI(v, w) = log(P(v, w) / P(v)P(w)) / −log P(v, w), without smoothing. A
/// pair counts −1 when no unit contains it and 1 when every unit does. Between −1 and 1.
///
/// # Source
/// Bouma 2009; Aletras and Stevenson 2013 for topics.
pub fn npmi_mean(words: &[usize], counts: &PairCounts<'_>) -> f64 {
    mean(pairs(words).map(|(v, w)| {
        let joint = counts.joint_probability(v, w);
        if joint == 0.0 {
            -1.0
        } else if counts.both(v, w) == counts.units() {
            1.0
        } else {
            (joint / (counts.probability(v) * counts.probability(w))).ln() / -joint.ln()
        }
    }))
}

/// Mean over pairs of `smoothed_npmi`.
///
/// # Source
/// C_NPMI of Röder et al. 2015, as gensim computes it.
pub fn smoothed_npmi_mean(words: &[usize], counts: &PairCounts<'_>, epsilon: f64) -> f64 {
    mean(pairs(words).map(|(v, w)| smoothed_npmi(v, w, counts, epsilon)))
}

/// Mean over words w of cos(u(w), Σ_v u(v)). u(w) contains `smoothed_npmi` of w with every word of
/// the topic, including itself. Between −1 and 1. A word whose vector is zero counts 0.
///
/// # Source
/// C_V of Röder et al. 2015: one-set segmentation, indirect confirmation by NPMI with γ = 1 and
/// cosine, arithmetic mean.
pub fn context_cosine_mean(words: &[usize], counts: &PairCounts<'_>, epsilon: f64) -> f64 {
    let vector = |&w: &usize| -> Vec<f64> {
        words.iter().map(|&v| smoothed_npmi(w, v, counts, epsilon)).collect()
    };
    let vectors: Vec<Vec<f64>> = words.iter().map(vector).collect();
    let mut whole = vec![0.0; words.len()];
    for vector in &vectors {
        whole.iter_mut().zip(vector).for_each(|(sum, x)| *sum += x);
    }
    mean(vectors.iter().map(|vector| cosine(vector, &whole)))
}

/// log((P(v, w) + `epsilon`) / P(v)P(w)); 0 where a word does not occur.
fn smoothed_pmi(v: usize, w: usize, counts: &PairCounts<'_>, epsilon: f64) -> f64 {
    let expected = counts.probability(v) * counts.probability(w);
    if expected == 0.0 {
        return 0.0;
    }
    ((counts.joint_probability(v, w) + epsilon) / expected).ln()
}

/// [`smoothed_pmi`] over −log(P(v, w) + `epsilon`).
fn smoothed_npmi(v: usize, w: usize, counts: &PairCounts<'_>, epsilon: f64) -> f64 {
    smoothed_pmi(v, w, counts, epsilon) / -(counts.joint_probability(v, w) + epsilon).ln()
}

fn cosine(a: &[f64], b: &[f64]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let norms = dot(a, a).sqrt() * dot(b, b).sqrt();
    if norms == 0.0 { 0.0 } else { dot(a, b) / norms }
}

/// Pairs (listed before, listed after).
fn pairs(words: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    words.iter().enumerate().flat_map(|(at, &v)| words[at + 1..].iter().map(move |&w| (v, w)))
}

/// The mean; 0 for no values.
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0u32), |(sum, count), value| (sum + value, count + 1));
    if count == 0 { 0.0 } else { sum / f64::from(count) }
}
