//! The input of a run: documents and a vocabulary, read from the store at one moment.

use std::path::Path;

use super::text_sequences::TextSequences;
use super::work_error::WorkError;
use crate::request::RunSettings;
use crate::vocabulary::choice::{ChoiceError, ChosenTerms, VocabularyChoice};
use crate::vocabulary::rules::Rules;
use topoi_core::progress::Progress;
use topoi_core::stream::documents::Documents;
use topoi_core::stream::error::StreamError;
use topoi_core::stream::parts::{Parts, SinglePart};
use topoi_core::stream::source::BlockSource;
use topoi_store::Store;
use topoi_store::block::blocks::CorpusBlocks;
use topoi_store::corpus::Corpus;
use topoi_store::id::{CorpusId, DocumentId, TermId};
use topoi_store::result::series::CorpusState;
use topoi_store::run::Run;

/// The documents of a run and its W terms, in the order of their positions.
pub struct Material {
    /// The blocks of documents.
    pub blocks: CorpusBlocks,
    /// Hash of the documents and their order.
    pub corpus_hash: Vec<u8>,
    /// Ids of the last documents.
    pub last_documents: Vec<DocumentId>,
    /// How far the corpus was.
    pub seen: CorpusState,
    /// Positions of the terms in the corpus, ascending.
    pub positions: Vec<u32>,
    /// Row ids of the terms.
    pub term_ids: Vec<TermId>,
    /// The terms, in the order of their positions.
    pub words: Vec<String>,
    /// The rules of the vocabulary as JSON.
    pub rules: String,
    /// Hash of the terms in their order.
    pub vocabulary_hash: Vec<u8>,
}

impl Material {
    /// The current material of a run on corpus `corpus_id` with these settings.
    pub fn from_store(
        store: &Store,
        corpus_id: CorpusId,
        settings: &RunSettings,
    ) -> Result<Self, WorkError> {
        store.at_one_moment(|store| {
            let corpus = store.corpus_by_id(corpus_id)?;
            let mut chosen = choose_vocabulary(store, &corpus, settings)?;
            if let Some(start) = settings.start.filter(|_| settings.revises) {
                // None of the words that topics have leaves them.
                if let Some(vocabulary) = store.run(start)?.vocabulary_id {
                    chosen.add(&store.vocabulary(vocabulary)?.term_ids);
                }
            }
            let positions = chosen.positions();
            let word = |&at: &u32| chosen.terms[at as usize].text.clone();
            Ok(Self {
                blocks: CorpusBlocks::open(store, corpus_id)?,
                corpus_hash: store.corpus_hash(corpus_id)?,
                last_documents: vec![store.last_document(corpus_id)?],
                seen: store.corpus_state(corpus_id)?,
                words: positions.iter().map(word).collect(),
                term_ids: chosen.term_ids(),
                vocabulary_hash: chosen.hash(),
                rules: chosen.rules,
                positions,
            })
        })
    }

    /// Refuses to continue a run that began with other material.
    ///
    /// # Errors
    /// [`WorkError::CorpusChanged`], [`WorkError::VocabularyChanged`].
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

    /// Saves the hashes of the material with `run`.
    pub fn save(&self, store: &mut Store, run: &Run) -> Result<(), WorkError> {
        let id = self.save_vocabulary(store, run.corpus_id)?;
        Ok(store.set_run_material(run.id, id, &self.corpus_hash, self.seen)?)
    }

    /// Saves its terms as a vocabulary of the corpus unless there is one; returns the row id.
    pub fn save_vocabulary(
        &self,
        store: &mut Store,
        corpus_id: CorpusId,
    ) -> Result<i64, WorkError> {
        let hash = &self.vocabulary_hash;
        Ok(store.save_vocabulary(corpus_id, &self.rules, hash, &self.term_ids)?)
    }
}

/// Documents, and the W terms that are used of them.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// The documents of this part.
    pub blocks: &'a dyn BlockSource,
    /// The parts of the corpus.
    pub parts: &'a dyn Parts,
    /// Positions of the terms in the corpus, ascending.
    pub positions: &'a [u32],
    /// The terms, in the order of their positions.
    pub words: &'a [String],
    /// The location of the documents' texts.
    pub texts: Texts<'a>,
}

/// The store that the texts of documents are read from.
#[derive(Clone, Copy)]
pub struct Texts<'a> {
    /// The store's file.
    pub path: &'a Path,
    /// The corpus's row id in it.
    pub corpus_id: CorpusId,
    /// The offset of ids in the whole corpus from those in this store.
    pub ids_from: i64,
}

impl<'a> Sources<'a> {
    /// The sources of a corpus that is whole in `store`.
    pub fn whole(store: &'a Store, corpus_id: CorpusId, material: &'a Material) -> Self {
        let Material { blocks, positions, words, .. } = material;
        let texts = Texts { path: store.path(), corpus_id, ids_from: 0 };
        Self { blocks, parts: &SinglePart, positions, words, texts }
    }

    /// The documents of a run with these settings, before its sample is taken.
    pub fn documents(&self, settings: &RunSettings, progress: &'a dyn Progress) -> Documents<'a> {
        let Self { blocks, parts, positions, .. } = *self;
        Documents::new(blocks, positions, settings.min_tokens, progress).with_parts(parts)
    }

    /// The texts of `documents`; `None` if one of them has no text, on any part.
    pub fn sequences(
        &self,
        documents: &'a Documents<'a>,
        progress: &'a dyn Progress,
    ) -> Result<Option<TextSequences<'a>>, StreamError> {
        let words = self.words.to_vec();
        let opened = TextSequences::open(self.texts, words, documents, progress);
        let texts = documents.agree(opened)?;
        let without = documents.max_over_parts(f64::from(u8::from(texts.is_none())))?;
        Ok(texts.filter(|_| without == 0.0))
    }
}

/// The vocabulary of these settings; by default the `terms` best terms by tf·idf.
pub(crate) fn choose_vocabulary(
    store: &Store,
    corpus: &Corpus,
    settings: &RunSettings,
) -> Result<ChosenTerms, ChoiceError> {
    let usual = || VocabularyChoice::Rules(Rules::best_by_tf_idf(settings.terms));
    settings.vocabulary.clone().unwrap_or_else(usual).choose(store, corpus)
}

/// Number of terms that a run with these settings uses.
pub(crate) fn vocabulary_size(
    store: &Store,
    corpus: &Corpus,
    settings: &RunSettings,
) -> Result<u64, ChoiceError> {
    match settings.vocabulary {
        // The pattern is checked with the request.
        None => Ok(corpus.terms),
        Some(_) => Ok(choose_vocabulary(store, corpus, settings)?.positions().len() as u64),
    }
}
