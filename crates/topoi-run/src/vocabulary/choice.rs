//! A choice of terms: by rules, or a saved vocabulary.

use serde::{Deserialize, Serialize};

use super::rules::{Dropped, InvalidPattern, Rules};
use topoi_store::corpus::Corpus;
use topoi_store::corpus::term::Term;
use topoi_store::corpus::vocabulary::hash_vocabulary;
use topoi_store::id::{CorpusId, TermId};
use topoi_store::{Store, StoreError};

/// Which terms a run uses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VocabularyChoice {
    /// The terms that the rules keep in the corpus at the start of the run.
    Rules(Rules),
    /// The vocabulary saved under this name.
    Saved(String),
    /// The vocabulary of an earlier run: the row id of the saved vocabulary.
    Used(i64),
    /// The vocabulary of an earlier run without terms that were removed from its topics by hand.
    Without {
        /// The row id of the saved vocabulary.
        vocabulary: i64,
        /// Row ids of the removed terms.
        terms: Vec<TermId>,
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
    Pattern(#[from] InvalidPattern),
}

/// All terms of a corpus, with those that a vocabulary keeps.
#[derive(Debug, Clone, PartialEq)]
pub struct ChosenTerms {
    /// All terms, by position.
    pub terms: Vec<Term>,
    /// By term: `None` if it is kept, or the rule that drops it. Terms that a saved vocabulary lacks are dropped by
    /// [`Dropped::Terms`].
    pub judged: Vec<Option<Dropped>>,
    /// The rules as JSON; for a saved vocabulary the rules that it was chosen by.
    pub rules: String,
}

impl VocabularyChoice {
    /// Chooses from the terms of `corpus`.
    pub fn choose(&self, store: &Store, corpus: &Corpus) -> Result<ChosenTerms, ChoiceError> {
        let terms = store.terms(corpus.id)?;
        match self {
            Self::Rules(rules) => {
                let judged = rules.judge(&terms, corpus.documents)?;
                // Numbers, names and lists always have a JSON form.
                let rules = serde_json::to_string(rules).unwrap_or_default();
                Ok(ChosenTerms { terms, judged, rules })
            }
            Self::Saved(name) => {
                let named = store.named_vocabulary(corpus, name)?;
                ChosenTerms::saved(store, terms, named.id, named.settings)
            }
            Self::Used(id) => ChosenTerms::saved(store, terms, *id, store.vocabulary_rules(*id)?),
            Self::Without { vocabulary: id, terms: out } => {
                let rules = store.vocabulary_rules(*id)?;
                let mut chosen = ChosenTerms::saved(store, terms, *id, rules)?;
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

impl VocabularyChoice {
    /// The terms on the stop list that it was chosen by.
    pub fn stop_list(&self, store: &Store, corpus: &Corpus) -> Result<Vec<String>, StoreError> {
        let rules = match self {
            Self::Rules(rules) => return Ok(rules.drop.clone()),
            Self::Saved(name) => store.named_vocabulary(corpus, name)?.settings,
            Self::Used(id) | Self::Without { vocabulary: id, .. } => store.vocabulary_rules(*id)?,
        };
        // What another program saved may be none.
        Ok(serde_json::from_str::<Rules>(&rules).unwrap_or_default().drop)
    }
}

impl ChosenTerms {
    /// The terms of the saved vocabulary with row id `id`, chosen by `rules`.
    fn saved(store: &Store, terms: Vec<Term>, id: i64, rules: String) -> Result<Self, ChoiceError> {
        // In ascending order of positions, and so of ids.
        let kept = store.vocabulary(id)?.term_ids;
        let judge = |term: &Term| {
            let is_kept = kept.binary_search(&term.id).is_ok();
            (!is_kept).then_some(Dropped::Terms)
        };
        let judged = terms.iter().map(judge).collect();
        Ok(Self { terms, judged, rules })
    }

    /// Keeps these terms too, given by ascending ids.
    pub fn add(&mut self, kept: &[TermId]) {
        for (term, judged) in self.terms.iter().zip(&mut self.judged) {
            if kept.binary_search(&term.id).is_ok() {
                *judged = None;
            }
        }
    }

    /// Positions of the terms that are kept, ascending.
    pub fn positions(&self) -> Vec<u32> {
        let kept = (0u32..).zip(&self.judged).filter(|(_, dropped)| dropped.is_none());
        kept.map(|(position, _)| position).collect()
    }

    /// Row ids of the terms that are kept, in the order of their positions.
    pub fn term_ids(&self) -> Vec<TermId> {
        self.positions().into_iter().map(|at| self.terms[at as usize].id).collect()
    }

    /// Hash of the terms that are kept, in their order: 16 bytes.
    pub fn hash(&self) -> Vec<u8> {
        hash_vocabulary(&self.term_ids())
    }

    /// Saves the vocabulary unless it is saved already; returns its row id.
    pub fn save(&self, store: &mut Store, corpus_id: CorpusId) -> Result<i64, StoreError> {
        store.save_vocabulary(corpus_id, &self.rules, &self.hash(), &self.term_ids())
    }
}
