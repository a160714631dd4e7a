//! Coherence of topics' top words by the documents they share.

use super::document_frequencies::DocumentFrequencies;

/// Top words of a topic that coherence looks at.
pub const COHERENCE_WORDS: usize = 10;

/// Mean over pairs of a topic's top words of NPMI(v, w) = log(p(v,w) / p(v)p(w)) / −log p(v,w),
/// probabilities being shares of documents. A pair that no document has counts −1, a pair that
/// every document has counts 1. Between −1 and 1; larger is more coherent.
///
/// # Source
/// Bouma 2009; Aletras and Stevenson 2013 for topics; here with documents as windows, exact, and
/// no smoothing.
pub fn npmi(words: &[usize], frequencies: &DocumentFrequencies) -> f64 {
    let all = frequencies.documents() as f64;
    let share = |v, w| frequencies.both(v, w) as f64 / all;
    mean_over_pairs(words, |v, w| {
        let joint = share(v, w);
        if joint == 0.0 {
            -1.0
        } else if joint == 1.0 {
            1.0
        } else {
            (joint / (share(v, v) * share(w, w))).ln() / -joint.ln()
        }
    })
}

/// Σ over pairs of a topic's top words, v the more probable one, of log((D(v,w) + 1) / D(v)).
/// At most about 0; larger is more coherent. Sums over 45 pairs for ten words.
///
/// # Source
/// Mimno et al. 2011, "Optimizing semantic coherence in topic models", equation 1 (ε = 1).
pub fn umass(words: &[usize], frequencies: &DocumentFrequencies) -> f64 {
    pairs(words)
        .map(|(v, w)| {
            let alone = frequencies.both(v, v).max(1) as f64;
            ((frequencies.both(v, w) as f64 + 1.0) / alone).ln()
        })
        .sum()
}

/// Pairs (more probable, less probable).
fn pairs(words: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    words.iter().enumerate().flat_map(|(at, &v)| words[at + 1..].iter().map(move |&w| (v, w)))
}

fn mean_over_pairs(words: &[usize], score: impl Fn(usize, usize) -> f64) -> f64 {
    let (sum, count) =
        pairs(words).fold((0.0, 0u32), |(sum, count), (v, w)| (sum + score(v, w), count + 1));
    if count == 0 { 0.0 } else { sum / f64::from(count) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use crate::stream::documents::Documents;
    use crate::stream::memory::MatrixSource;
    use sprs::TriMat;

    /// Documents over words a, b, c: ab ab ab abc c c.
    fn frequencies() -> DocumentFrequencies {
        let documents = [vec![0, 1], vec![0, 1], vec![0, 1], vec![0, 1, 2], vec![2], vec![2]];
        let mut counts = TriMat::new((6, 3));
        for (document, words) in documents.iter().enumerate() {
            words.iter().for_each(|&word| counts.add_triplet(document, word, 2));
        }
        let source = MatrixSource::new(counts.to_csr(), 2);
        let documents = Documents::new(&source, &[0, 1, 2], 2, &Silent);
        DocumentFrequencies::count(&documents, [0, 1, 2]).expect("in memory")
    }

    #[test]
    fn counts_are_those_of_a_hand_count() {
        let found = frequencies();
        assert_eq!(found.documents(), 6);
        assert_eq!((found.both(0, 0), found.both(1, 0), found.both(0, 2)), (4, 4, 1));
        assert_eq!(found.both(2, 2), 3);
    }

    #[test]
    fn coherence_of_three_words_by_hand() {
        let found = frequencies();
        let pair = |joint: f64, v: f64, w: f64| (joint / (v * w)).ln() / -joint.ln();
        let (ab, ac) = (pair(4.0 / 6.0, 4.0 / 6.0, 4.0 / 6.0), pair(1.0 / 6.0, 4.0 / 6.0, 0.5));
        assert!((npmi(&[0, 1, 2], &found) - (ab + 2.0 * ac) / 3.0).abs() < 1e-15);
        let expected = (5.0f64 / 4.0).ln() + 2.0 * (2.0f64 / 4.0).ln();
        assert!((umass(&[0, 1, 2], &found) - expected).abs() < 1e-15);
    }
}
