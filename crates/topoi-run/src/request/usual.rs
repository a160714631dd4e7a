//! Defaults that depend on the corpus alone, so that the same command on the same corpus gives the same run.
//! docs/guide/choosing-k.md gives the reasons.

use super::RunSettings;
use crate::number;
use topoi_store::Store;
use topoi_store::corpus::Corpus;
use topoi_store::error::Result;

/// Maximum default of K.
const MOST_TOPICS: usize = 100;

/// Maximum share of documents left out; the limit of the warning `documents_left_out`.
const MANY: f64 = 0.05;

/// K = M^0.4 for M documents, from 10 on rounded up to a multiple of 5; at most 100, and at most a tenth of the
/// documents and of the `terms` of the vocabulary; at least 2.
pub fn usual_k(corpus: &Corpus, terms: usize) -> usize {
    let power = (corpus.documents as f64).powf(0.4).round();
    let rounded = if power < 10.0 { power } else { (power / 5.0).round() * 5.0 };
    let tenth = (corpus.documents / 10).min(corpus.terms.min(terms as u64) / 10);
    number::size(number::count(rounded).min(tenth)).clamp(2, MOST_TOPICS)
}

/// The default minimum number of tokens; 2 if more than one in twenty documents has fewer tokens than the usual
/// default before any vocabulary is applied.
pub fn usual_min_tokens(store: &Store, corpus: &Corpus) -> Result<u64> {
    let usual = RunSettings::default().min_tokens;
    let short = store.count_short_documents(corpus.id, usual)?;
    let is_short = short as f64 > MANY * corpus.documents as f64;
    Ok(if is_short { 2 } else { usual })
}

#[cfg(test)]
mod tests {
    use super::*;
    use topoi_store::id::CorpusId;

    fn k(documents: u64, terms: u64) -> usize {
        let corpus = Corpus {
            id: CorpusId(1),
            name: "c".into(),
            created_at: String::new(),
            documents,
            terms,
            tokens: 0,
            nonzeros: 0,
            settings: "{}".into(),
            missing: Vec::new(),
            parts_elsewhere: None,
        };
        usual_k(&corpus, 5000)
    }

    #[test]
    fn more_documents_have_more_topics_and_small_corpora_few() {
        assert_eq!([0, 5, 20, 50, 256].map(|documents| k(documents, 5000)), [2, 2, 2, 5, 9]);
        assert_eq!([2225, 12_295, 20_000].map(|documents| k(documents, 5000)), [20, 45, 55]);
        assert_eq!([1_000_000, u64::MAX].map(|documents| k(documents, 90_000)), [100, 100]);
        assert_eq!(k(1_000_000, 300), 30);
    }
}
