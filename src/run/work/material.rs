//! What a run is made from: documents and a vocabulary, as the store has them at one moment.

use super::work_error::WorkError;
use crate::run::request::RunSettings;
use crate::run::request::vocabulary::choose;
use crate::store::Store;
use crate::store::block::blocks::CorpusBlocks;
use crate::store::run::Run;

/// The documents of a run and the W terms it uses of them, in the order of their positions.
pub struct Material {
    /// The documents.
    pub blocks: CorpusBlocks,
    /// Identifies them.
    pub corpus_hash: Vec<u8>,
    /// The id of the last of them; 0 where there are none here.
    pub last_documents: Vec<i64>,
    /// Positions of the terms in the corpus, ascending.
    pub positions: Vec<u32>,
    /// Row ids of the terms.
    pub term_ids: Vec<i64>,
    /// The terms.
    pub words: Vec<String>,
    /// How the terms were chosen, as JSON.
    pub rules: String,
    /// Identifies the terms and their order.
    pub vocabulary_hash: Vec<u8>,
}

impl Material {
    /// What a run of corpus `corpus_id` with these settings would be made from now.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn of(store: &Store, corpus_id: i64, settings: &RunSettings) -> Result<Self, WorkError> {
        store.at_one_moment(|store| {
            let corpus = store.corpus_by_id(corpus_id)?;
            let chosen = choose(store, &corpus, settings)?;
            let positions = chosen.positions();
            let word = |&at: &u32| chosen.terms[at as usize].text.clone();
            Ok(Self {
                blocks: CorpusBlocks::open(store, corpus_id)?,
                corpus_hash: store.corpus_hash(corpus_id)?,
                last_documents: vec![store.last_document(corpus_id)?],
                words: positions.iter().map(word).collect(),
                term_ids: chosen.term_ids(),
                vocabulary_hash: chosen.hash(),
                rules: chosen.rules,
                positions,
            })
        })
    }

    /// Refuses to go on with a run that was begun with other material.
    ///
    /// # Errors
    /// [`WorkError::CorpusChanged`], [`WorkError::VocabularyChanged`], or when the store cannot
    /// be read.
    pub fn check_against(&self, store: &Store, run: &Run) -> Result<(), WorkError> {
        if run.corpus_hash.as_ref().is_some_and(|hash| *hash != self.corpus_hash) {
            return Err(WorkError::CorpusChanged { run: run.id, corpus: run.corpus.clone() });
        }
        let Some(vocabulary) = run.vocabulary_id else { return Ok(()) };
        if store.vocabulary_hash(vocabulary)? != self.vocabulary_hash {
            return Err(WorkError::VocabularyChanged { run: run.id });
        }
        Ok(())
    }

    /// Saves that `run` is made from this.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn save(&self, store: &mut Store, run: &Run) -> Result<(), WorkError> {
        let id = self.save_vocabulary(store, run.corpus_id)?;
        Ok(store.set_run_material(run.id, id, &self.corpus_hash)?)
    }

    /// Saves its terms as a vocabulary of the corpus, or finds it; the row id.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn save_vocabulary(&self, store: &mut Store, corpus_id: i64) -> Result<i64, WorkError> {
        let hash = &self.vocabulary_hash;
        Ok(store.save_vocabulary(corpus_id, &self.rules, hash, &self.term_ids)?)
    }
}
