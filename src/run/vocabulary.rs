//! The vocabulary of a run: chosen when it starts, saved with it.

use super::request::RunSettings;
use super::work::WorkError;
use crate::store::Store;
use crate::store::corpus::Corpus;
use crate::store::run::Run;
use crate::vocabulary::choice::{ChoiceError, Chosen, VocabularyChoice};
use crate::vocabulary::rules::Rules;

/// The W terms of a run, in the order of their positions in the corpus.
pub(super) struct Vocabulary {
    pub(super) positions: Vec<u32>,
    pub(super) term_ids: Vec<i64>,
    pub(super) words: Vec<String>,
}

/// What the settings ask for: without more, the `terms` best by tf·idf.
fn choose(store: &Store, corpus: &Corpus, settings: &RunSettings) -> Result<Chosen, ChoiceError> {
    let usual = || VocabularyChoice::Rules(Rules::best_by_tf_idf(settings.terms));
    settings.vocabulary.clone().unwrap_or_else(usual).choose(store, corpus)
}

/// How many terms a run of these settings would use.
///
/// # Errors
/// When no vocabulary of the corpus has the name asked for, or a rule is wrong.
pub(super) fn size(
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

/// Chooses and saves the run's vocabulary.
pub(super) fn choose_vocabulary(
    store: &mut Store,
    run: &Run,
    settings: &RunSettings,
) -> Result<Vocabulary, WorkError> {
    let corpus = store.corpus_by_id(run.corpus_id)?;
    let chosen = choose(store, &corpus, settings)?;
    let id = chosen.save(store, corpus.id)?;
    store.set_run_vocabulary(run.id, id)?;
    let positions = chosen.positions();
    let words = positions.iter().map(|&at| chosen.terms[at as usize].text.clone()).collect();
    Ok(Vocabulary { term_ids: chosen.term_ids(), positions, words })
}
