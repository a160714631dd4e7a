//! The best terms by tf·idf, as in the paper's runs.

use crate::store::corpus::term::Term;

/// Positions (ascending) of the `size` terms with the largest tf·log⌊M/df⌋, where tf is a term's
/// total count, df its document frequency and M the number of documents in the corpus. Terms
/// that occur nowhere are never chosen; equal scores go to the lower position.
///
/// `terms` are a corpus's terms by position. O(T log T) for T terms.
///
/// # Source
/// Lee et al. 2021, §5 and the authors' data preparation.
pub fn best_by_tf_idf(terms: &[Term], documents: u64, size: usize) -> Vec<u32> {
    let mut ranked: Vec<(f64, u32)> = (0u32..)
        .zip(terms)
        .filter(|(_, term)| term.total_count > 0)
        .map(|(position, term)| (score(term, documents), position))
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    ranked.truncate(size);
    let mut positions: Vec<u32> = ranked.into_iter().map(|(_, position)| position).collect();
    positions.sort_unstable();
    positions
}

/// tf·log⌊M/df⌋ of a term among M documents.
pub(super) fn score(term: &Term, documents: u64) -> f64 {
    let ratio = (documents / term.document_frequency.max(1)).max(1);
    term.total_count as f64 * (ratio as f64).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(text: &str, document_frequency: u64, total_count: u64) -> Term {
        Term { id: 0, text: text.into(), document_frequency, total_count }
    }

    #[test]
    fn a_term_in_more_than_half_of_the_documents_scores_nothing() {
        // 10 documents: "the" has ⌊10/9⌋ = 1 and log 1 = 0; "state" has 20·log 5; "rare" 2·log 10.
        let terms =
            [term("the", 9, 500), term("state", 2, 20), term("unused", 0, 0), term("rare", 1, 2)];
        assert_eq!(best_by_tf_idf(&terms, 10, 1), [1]);
        assert_eq!(best_by_tf_idf(&terms, 10, 2), [1, 3]);
        assert_eq!(best_by_tf_idf(&terms, 10, 9), [0, 1, 3]);
    }
}
