//! The documents of a run with their fields and shares, in memory.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use ndarray::Array2;

use super::TOKENS;
use crate::groups::shares::{DocumentShares, ShareReader};
use crate::number;
use crate::work::work_error::WorkError;
use topoi_core::effects::design::fields::{FieldValues, ReadNumber};
use topoi_core::fields::kind::Kind;
use topoi_core::fields::values::MissingMarks;
use topoi_store::Store;
use topoi_store::id::DocumentId;
use topoi_store::run::Run;

/// Values of a field: each different one once.
#[derive(Debug, Default, Clone)]
struct Values {
    levels: Vec<String>,
    known: HashMap<String, u32, FixedState>,
    /// By document, its level.
    codes: Vec<Option<u32>>,
}

impl Values {
    fn code(&mut self, value: &str) -> u32 {
        if let Some(&code) = self.known.get(value) {
            return code;
        }
        let code = number::next(self.levels.len());
        self.levels.push(value.into());
        self.known.insert(value.into(), code);
        code
    }

    fn append(&mut self, other: Self) {
        let own: Vec<u32> = other.levels.iter().map(|level| self.code(level)).collect();
        self.codes.extend(other.codes.into_iter().map(|code| code.map(|code| own[code as usize])));
    }
}

/// The documents of a run, by id.
#[derive(Debug, Default)]
pub(super) struct RunDocuments {
    pub(super) ids: Vec<DocumentId>,
    /// By field.
    values: Vec<Values>,
    names: Vec<String>,
    /// Documents × topics.
    shares: Vec<f32>,
    inverse_tokens: Vec<f64>,
    topics: usize,
}

impl RunDocuments {
    /// Reads the fields `names`, of which `tokens` may be the number of tokens, and the shares.
    ///
    /// # Errors
    /// [`WorkError::NoDocuments`]; when the store cannot be read.
    pub(super) fn read(
        store: &Store,
        run: &Run,
        reader: &ShareReader,
        (names, counts_tokens): (&[String], bool),
        condition: Option<&str>,
    ) -> Result<Self, WorkError> {
        let corpus = store.corpus_by_id(run.corpus_id)?;
        let missing = MissingMarks::new(&corpus.missing);
        let chosen = condition.map(|text| store.documents_where(corpus.id, text)).transpose()?;
        let place_of_tokens = names.iter().position(|name| counts_tokens && name == TOKENS);
        let first = || {
            let values = vec![Values::default(); names.len()];
            (Self { values, ..Self::default() }, Vec::new())
        };
        let each = |(to, values): &mut (Self, Vec<Option<String>>),
                    document: &DocumentShares<'_>| {
            if chosen.as_ref().is_some_and(|chosen| !chosen.contains(&document.id)) {
                return;
            }
            missing.some(document.fields, names, values);
            if let Some(place) = place_of_tokens {
                values[place] = Some(document.tokens.to_string());
            }
            to.ids.push(document.id);
            to.inverse_tokens.push(document.inverse_tokens);
            for (all, value) in to.values.iter_mut().zip(values) {
                let code = value.as_ref().map(|value| all.code(value));
                all.codes.push(code);
            }
            #[expect(
                clippy::cast_possible_truncation,
                reason = "single precision is 1e-7 of a share, far below its error"
            )]
            to.shares.extend(document.shares.iter().map(|share| *share as f32));
        };
        let pieces = reader.fold(store, run, first, each)?;
        let join = |mut all: Self, piece: Self| {
            all.ids.extend(piece.ids);
            all.inverse_tokens.extend(piece.inverse_tokens);
            all.shares.extend(piece.shares);
            all.values.iter_mut().zip(piece.values).for_each(|(all, values)| all.append(values));
            all
        };
        let all = pieces.into_iter().map(|(piece, _)| piece).reduce(join);
        let all = all.ok_or(WorkError::NoDocuments { run: run.id })?;
        Ok(Self { names: names.to_vec(), topics: reader.topics.len(), ..all })
    }

    /// The values of a field that was read.
    pub(super) fn field(&self, name: &str, kind: Kind) -> FieldValues {
        let place = self.names.iter().position(|other| other == name).unwrap_or_default();
        let Values { levels, codes, .. } = &self.values[place];
        let number = kind.def().number;
        let number = number.as_ref().map(|number| number as ReadNumber<'_>);
        FieldValues::new(levels.clone(), codes.iter().copied(), number)
    }

    /// The shares of these documents (ascending), documents × topics. They are taken out.
    pub(super) fn take_shares(&mut self, documents: &[usize]) -> Array2<f32> {
        let mut shares = std::mem::take(&mut self.shares);
        for (place, &document) in documents.iter().enumerate() {
            let from = document * self.topics;
            shares.copy_within(from..from + self.topics, place * self.topics);
        }
        shares.truncate(documents.len() * self.topics);
        Array2::from_shape_vec((documents.len(), self.topics), shares).unwrap_or_default()
    }

    /// The shares of these documents by another reader of as many topics; their `own` where it finds no words.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(super) fn shares_by(
        &self,
        (store, run): (&Store, &Run),
        reader: &ShareReader,
        (documents, own): (&[usize], &Array2<f32>),
    ) -> Result<Array2<f32>, WorkError> {
        let mut shares = own.clone();
        let each = |to: &mut Vec<(DocumentId, Vec<f32>)>, document: &DocumentShares<'_>| {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "single precision is 1e-7 of a share, far below its error"
            )]
            let own = document.shares.iter().map(|share| *share as f32).collect();
            to.push((document.id, own));
        };
        for (id, own) in reader.fold(store, run, Vec::new, each)?.into_iter().flatten() {
            if let Ok(place) = documents.binary_search_by_key(&id, |at| self.ids[*at]) {
                shares.row_mut(place).iter_mut().zip(own).for_each(|(to, share)| *to = share);
            }
        }
        Ok(shares)
    }

    /// One over the numbers of tokens of these documents.
    pub(super) fn inverse_tokens_of(&self, documents: &[usize]) -> Vec<f64> {
        documents.iter().map(|&document| self.inverse_tokens[document]).collect()
    }
}
