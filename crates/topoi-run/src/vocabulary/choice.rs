//! A choice of terms: made by rules, or saved under a name before.

use serde::{Deserialize, Serialize};

use super::rules::{Dropped, Rules, WrongPattern};
use topoi_store::corpus::Corpus;
use topoi_store::corpus::term::Term;
use topoi_store::corpus::vocabulary::hash_vocabulary;
use topoi_store::{Store, StoreError};

/// Which terms a run is to use.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VocabularyChoice {
    /// Those that the rules keep in the corpus as it is when the run begins.
    Rules(Rules),
    /// Those saved under a name.
    Saved(String),
    /// Those that an earlier run used: the saved vocabulary with this row id.
    Used(i64),
    /// Those that an earlier run used but for some, which were taken out of its topics by hand.
    Without {
        /// The row id of the saved vocabulary.
        vocabulary: i64,
        /// Row ids of the terms that are not used.
        terms: Vec<i64>,
    },
}

/// Why terms could not be chosen.
#[derive(Debug, thiserror::Error)]
pub enum ChoiceError {
    /// The store could not be read.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// The pattern is not a regular expression.
    #[error("{0}")]
    Pattern(#[from] WrongPattern),
}

/// All terms of a corpus, and which of them a vocabulary keeps.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen {
    /// All terms, by position.
    pub terms: Vec<Term>,
    /// For each, `None` if it is kept, or the rule that drops it. What a saved vocabulary does
    /// not hold is dropped by [`Dropped::Terms`].
    pub judged: Vec<Option<Dropped>>,
    /// The rules as JSON; for a saved vocabulary those it was made by.
    pub rules: String,
}

impl VocabularyChoice {
    /// Chooses among the terms of `corpus`.
    ///
    /// # Errors
    /// When no vocabulary of the corpus has the name, or a rule is wrong.
    pub fn choose(&self, store: &Store, corpus: &Corpus) -> Result<Chosen, ChoiceError> {
        let terms = store.terms(corpus.id)?;
        match self {
            Self::Rules(rules) => {
                let judged = rules.judge(&terms, corpus.documents)?;
                // Numbers, names and lists, which always have a JSON form.
                let rules = serde_json::to_string(rules).unwrap_or_default();
                Ok(Chosen { terms, judged, rules })
            }
            Self::Saved(name) => {
                let named = store.named_vocabulary(corpus, name)?;
                Chosen::saved(store, terms, named.id, named.settings)
            }
            Self::Used(id) => Chosen::saved(store, terms, *id, store.vocabulary_rules(*id)?),
            Self::Without { vocabulary: id, terms: out } => {
                let rules = store.vocabulary_rules(*id)?;
                let mut chosen = Chosen::saved(store, terms, *id, rules)?;
                for (term, judged) in chosen.terms.iter().zip(&mut chosen.judged) {
                    if out.contains(&term.id) {
                        *judged = Some(Dropped::StopList);
                    }
                }
                Ok(chosen)
            }
        }
    }
}

impl Chosen {
    /// The terms of the saved vocabulary with row id `id`, made by `rules`.
    fn saved(store: &Store, terms: Vec<Term>, id: i64, rules: String) -> Result<Self, ChoiceError> {
        // By ascending position, so by ascending id.
        let kept = store.vocabulary(id)?.term_ids;
        let judge = |term: &Term| {
            let is_kept = kept.binary_search(&term.id).is_ok();
            (!is_kept).then_some(Dropped::Terms)
        };
        let judged = terms.iter().map(judge).collect();
        Ok(Self { terms, judged, rules })
    }

    /// Positions of the terms that are kept, ascending.
    pub fn positions(&self) -> Vec<u32> {
        let kept = (0u32..).zip(&self.judged).filter(|(_, dropped)| dropped.is_none());
        kept.map(|(position, _)| position).collect()
    }

    /// Row ids of the terms that are kept, in the order of their positions.
    pub fn term_ids(&self) -> Vec<i64> {
        self.positions().into_iter().map(|at| self.terms[at as usize].id).collect()
    }

    /// Sixteen bytes that identify the terms that are kept and their order.
    pub fn hash(&self) -> Vec<u8> {
        hash_vocabulary(&self.term_ids())
    }

    /// Saves the choice, if it is not saved already; returns its row id.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn save(&self, store: &mut Store, corpus_id: i64) -> Result<i64, StoreError> {
        store.save_vocabulary(corpus_id, &self.rules, &self.hash(), &self.term_ids())
    }
}
