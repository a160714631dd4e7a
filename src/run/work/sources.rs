//! What a run is made from, wherever its documents are.

use std::path::Path;

use super::material::Material;
use super::text_sequences::TextSequences;
use crate::progress::Progress;
use crate::run::request::RunSettings;
use crate::store::Store;
use crate::stream::documents::Documents;
use crate::stream::error::Result;
use crate::stream::parts::{Parts, Undivided};
use crate::stream::source::BlockSource;

/// Documents, and the W terms that are used of them.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// The documents that are here.
    pub blocks: &'a dyn BlockSource,
    /// The parts of the corpus, of which they are one.
    pub parts: &'a dyn Parts,
    /// Positions of the terms in the corpus, ascending.
    pub positions: &'a [u32],
    /// The terms.
    pub words: &'a [String],
    /// Where the documents' texts are.
    pub texts: Texts<'a>,
}

/// A store with texts.
#[derive(Clone, Copy)]
pub struct Texts<'a> {
    /// The store's file.
    pub path: &'a Path,
    /// The corpus's row id in it.
    pub corpus_id: i64,
    /// What documents' ids are greater by in the whole.
    pub ids_from: i64,
}

impl<'a> Sources<'a> {
    /// Those of a corpus that is all in `store`.
    pub fn whole(store: &'a Store, corpus_id: i64, material: &'a Material) -> Self {
        let Material { blocks, positions, words, .. } = material;
        let texts = Texts { path: store.path(), corpus_id, ids_from: 0 };
        Self { blocks, parts: &Undivided, positions, words, texts }
    }

    /// The documents that a run with these settings sees, before its sample is taken.
    pub fn documents(&self, settings: &RunSettings, progress: &'a dyn Progress) -> Documents<'a> {
        let Self { blocks, parts, positions, .. } = *self;
        Documents::new(blocks, positions, settings.min_tokens, progress).of_parts(parts)
    }

    /// The texts behind `documents`; `None` where one has none, on any part.
    ///
    /// # Errors
    /// When a store cannot be read, or on cancel.
    pub fn sequences(
        &self,
        documents: &'a Documents<'a>,
        progress: &'a dyn Progress,
    ) -> Result<Option<TextSequences<'a>>> {
        let words = self.words.to_vec();
        let opened = TextSequences::open(self.texts, words, documents, progress);
        let texts = documents.agree(opened)?;
        let without = documents.greatest(f64::from(u8::from(texts.is_none())))?;
        Ok(texts.filter(|_| without == 0.0))
    }
}
