//! The vocabulary of a run, as its settings choose it.

use crate::run::request::RunSettings;
use crate::store::Store;
use crate::store::corpus::Corpus;
use crate::vocabulary::choice::{ChoiceError, Chosen, VocabularyChoice};
use crate::vocabulary::rules::Rules;

/// What the settings ask for: without more, the `terms` best by tf·idf.
///
/// # Errors
/// When no vocabulary of the corpus has the name asked for, or a rule is wrong.
pub(crate) fn choose(
    store: &Store,
    corpus: &Corpus,
    settings: &RunSettings,
) -> Result<Chosen, ChoiceError> {
    let usual = || VocabularyChoice::Rules(Rules::best_by_tf_idf(settings.terms));
    settings.vocabulary.clone().unwrap_or_else(usual).choose(store, corpus)
}

/// How many terms a run of these settings would use.
///
/// # Errors
/// When no vocabulary of the corpus has the name asked for, or a rule is wrong.
pub(crate) fn size(
    store: &Store,
    corpus: &Corpus,
    settings: &RunSettings,
) -> Result<u64, ChoiceError> {
    match settings.vocabulary {
        // The check of the request knows this rule.
        None => Ok(corpus.terms),
        Some(_) => Ok(choose(store, corpus, settings)?.positions().len() as u64),
    }
}
