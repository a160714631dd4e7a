//! Topic proportions of documents, as saved by runs.

use rayon::prelude::*;
use rusqlite::Connection;
use rusqlite::types::ToSqlOutput;

use super::series::PlaceInSeries;
use super::topic_document::LARGE;
use super::{SavedHash, finite};
use crate::Store;
use crate::block::blocks::{CorpusBlocks, DocumentCursor};
use crate::corpus::fields::ranges;
use crate::error::{Result, StoreError};
use crate::id::{DocumentId, RunId};
use crate::integer::saturated;
use crate::open::Readers;
use crate::run::Run;
use topoi_core::formula::packed_documents::PackedDocuments;
use topoi_core::formula::proportions;

/// Number of documents saved together.
const DOCUMENTS_AT_ONCE: usize = 2048;
/// Number of rows of `topic_document` sorted in memory, 24 bytes each.
const SORTED_ROWS: usize = 2_000_000;
const SET_ALPHA: &str = "UPDATE topic SET alpha = ?3 WHERE run_id = ?1 AND topic = ?2";
const ALPHA: &str =
    "SELECT alpha FROM topic WHERE run_id = ?1 AND alpha IS NOT NULL ORDER BY topic";
/// Those that the run wrote itself.
const SAVED: &str = "SELECT document_id, proportions, \
    EXISTS (SELECT 1 FROM assigned_document AS later \
        WHERE later.run_id = run.id AND later.document_id = about.document_id) \
    FROM run JOIN series_proportions AS about \
    ON about.series_id = run.series_id AND about.first_revision = run.revision \
    WHERE run.id = ?1 ORDER BY document_id";
const COUNT: &str = "SELECT count(*) FROM run JOIN series_proportions AS about \
    ON about.series_id = run.series_id AND about.first_revision <= run.revision \
    AND (about.last_revision IS NULL OR about.last_revision >= run.revision) WHERE run.id = ?1";
const OF_DOCUMENT: &str = "SELECT document_id, proportions FROM document_proportions \
                           WHERE run_id = ?1 AND document_id = ?2";
/// Of all runs of its series.
const ENDS: &str = "SELECT \
    (SELECT min(document_id) FROM series_proportions WHERE series_id = run.series_id), \
    (SELECT max(document_id) + 1 FROM series_proportions WHERE series_id = run.series_id) \
    FROM run WHERE id = ?1";
const ALL_DOCUMENTS: &str = "SELECT document.id, about.proportions, document.key, document.title, \
    document.fields, document.tokens FROM document_proportions AS about \
    CROSS JOIN document ON document.id = about.document_id \
    WHERE about.run_id = ?1 ORDER BY about.document_id";
/// As `ALL_DOCUMENTS`, with the beginning of the text where there is no title.
const ALL_NAMED_DOCUMENTS: &str = "SELECT document.id, about.proportions, document.key, \
    coalesce(nullif(document.title, ''), (SELECT substr(text, 1, ?2) FROM document_text \
        WHERE document_text.document_id = document.id)), \
    document.fields, document.tokens FROM document_proportions AS about \
    CROSS JOIN document ON document.id = about.document_id \
    WHERE about.run_id = ?1 ORDER BY about.document_id";
/// Documents with ids in a range.
const BETWEEN: &str = "SELECT about.document_id, about.proportions FROM document_proportions AS about \
    WHERE about.run_id = ?1 AND about.document_id >= ?2 AND about.document_id < ?3 \
    ORDER BY about.document_id";

/// As `BETWEEN`, with fields and tokens; deleted documents are skipped.
const BETWEEN_WITH_FIELDS: &str = "SELECT about.document_id, about.proportions, document.fields, \
    document.tokens FROM document_proportions AS about \
    CROSS JOIN document ON document.id = about.document_id \
    WHERE about.run_id = ?1 AND about.document_id >= ?2 AND about.document_id < ?3 \
    ORDER BY about.document_id";

/// Existing documents of a run in a range of ids, with fields and tokens.
const BETWEEN_WITHOUT_PROPORTIONS: &str = "SELECT about.document_id, document.fields, \
    document.tokens FROM document_proportions AS about \
    CROSS JOIN document ON document.id = about.document_id \
    WHERE about.run_id = ?1 AND about.document_id >= ?2 AND about.document_id < ?3 \
    ORDER BY about.document_id";

/// Topic proportions θ of documents, to be saved.
#[derive(Debug, Default)]
pub struct SavedDocuments {
    /// Dirichlet parameters α, one per topic; empty if the run has no document topics.
    pub alpha: Vec<f64>,
    /// The proportions.
    pub packed: PackedDocuments,
    /// What the ids of `packed` are larger by than the documents' ids in the store that they are saved in.
    pub ids_from: i64,
}

/// A document with its topic proportions.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentTopics {
    /// Its key, unique in its corpus.
    pub key: String,
    /// Its title, if the source has one.
    pub title: Option<String>,
    /// All its tokens, including those outside the run's vocabulary.
    pub tokens: u64,
    /// Its fields, a JSON object.
    pub fields: Option<String>,
    /// Proportions of all topics; empty if the run left the document out.
    pub topics: Vec<f64>,
}

/// A document of a run with its words.
#[derive(Debug, Clone, Copy)]
pub struct CountedDocument<'d> {
    /// Its row id.
    pub id: DocumentId,
    /// Its fields, a JSON object.
    pub fields: Option<&'d str>,
    /// All its tokens, including those outside the run's vocabulary.
    pub tokens: u64,
    /// Positions of its terms within the corpus, ascending.
    pub terms: &'d [u32],
    /// Their counts.
    pub counts: &'d [u32],
}

/// A document with its topic proportions and its words.
#[derive(Debug, Clone, Copy)]
pub struct DocumentWithWords<'d> {
    /// The document.
    pub document: &'d DocumentTopics,
    /// Positions of its terms within the corpus, ascending.
    pub terms: &'d [u32],
    /// Their counts.
    pub counts: &'d [u32],
}

/// The topic with the largest of a document's proportions, and its proportion; of equal ones the first, as the view
/// `document_top_topic` has it.
pub fn top_topic(proportions: &[f64]) -> Option<(usize, f64)> {
    let larger = |best: (usize, f64), next: (usize, f64)| if next.1 > best.1 { next } else { best };
    proportions.iter().copied().enumerate().reduce(larger)
}

impl Store {
    /// Dirichlet parameters α of a run's topics; empty if the run has no document topics.
    pub fn alpha(&self, run: RunId) -> Result<Vec<f64>> {
        self.rows(ALPHA, [run], |row| finite(row, 0))
    }

    /// Number of documents that a run has proportions of.
    ///
    /// # Cost
    /// A look at each of them.
    pub fn documents_with_topics(&self, run: RunId) -> Result<u64> {
        self.scalar(COUNT, [run])
    }

    /// The proportions of all topics in a document; empty if the run has none.
    ///
    /// # Errors
    /// [`StoreError::DamagedRun`] if the proportions cannot be decoded.
    pub fn topics_of_document(&self, run: RunId, document: DocumentId) -> Result<Vec<f64>> {
        let mut found = Vec::new();
        self.decode_document(&ProportionDecoder::from_run(self, run)?, document, &mut found)?;
        Ok(found)
    }

    /// [`Self::topics_of_document`] of the decoder's run, into `to`.
    pub(super) fn decode_document(
        &self,
        decoder: &ProportionDecoder,
        document: DocumentId,
        to: &mut Vec<f64>,
    ) -> Result<()> {
        to.clear();
        self.each_row(OF_DOCUMENT, (decoder.run, document), &mut |row| {
            Ok(decoder.decode(row.get(0)?, row.get_ref(1)?.as_str()?, to))
        })
    }

    /// The proportions of a run's documents with ids from `first` to `last`.
    ///
    /// # Errors
    /// As [`Store::topics_of_document`].
    pub fn proportions_between(
        &self,
        run: RunId,
        first: DocumentId,
        last: DocumentId,
    ) -> Result<Vec<(DocumentId, Vec<f64>)>> {
        let decoder = ProportionDecoder::from_run(self, run)?;
        let mut all = Vec::new();
        self.each_row(BETWEEN, (run, first, last.0.saturating_add(1)), &mut |row| {
            let mut found = Vec::new();
            let read = decoder.decode(row.get(0)?, row.get_ref(1)?.as_str()?, &mut found);
            all.push((row.get(0)?, found));
            Ok(read)
        })?;
        Ok(all)
    }

    /// Calls `each` with every document of a run and the proportions of all its topics, in parallel.
    /// Every id range has an accumulator made by `first`; the accumulators are returned in document order.
    ///
    /// # Errors
    /// As [`Store::topics_of_document`].
    pub fn fold_proportions<T: Send>(
        &self,
        run: RunId,
        first: impl Fn() -> T + Sync,
        each: impl Fn(&mut T, DocumentId, &[f64]) + Sync,
    ) -> Result<Vec<T>> {
        self.fold_documents(run, BETWEEN, first, |to, row, proportions| {
            each(to, row.get(0)?, proportions);
            Ok(())
        })
    }

    /// As [`Store::fold_proportions`], for existing documents only, with their fields (a JSON object) and
    /// numbers of tokens.
    ///
    /// # Errors
    /// As [`Store::topics_of_document`].
    pub fn fold_fields_and_proportions<T: Send>(
        &self,
        run: RunId,
        first: impl Fn() -> T + Sync,
        each: impl Fn(&mut T, DocumentId, Option<&str>, u64, &[f64]) + Sync,
    ) -> Result<Vec<T>> {
        self.fold_documents(run, BETWEEN_WITH_FIELDS, first, |to, row, proportions| {
            let fields = row.get_ref(2)?.as_str_or_null()?;
            each(to, row.get(0)?, fields, row.get(3)?, proportions);
            Ok(())
        })
    }

    /// As [`Store::fold_fields_and_proportions`], with the words of the documents in place of proportions.
    ///
    /// # Errors
    /// [`StoreError::DamagedBlock`].
    pub fn fold_counts<T: Send>(
        &self,
        run: &Run,
        first: impl Fn() -> T + Sync,
        each: impl Fn(&mut T, CountedDocument<'_>) + Sync,
    ) -> Result<Vec<T>> {
        let blocks = CorpusBlocks::open(self, run.corpus_id)?;
        let path = self.path();
        self.fold_pieces(run.id, BETWEEN_WITHOUT_PROPORTIONS, |connection, rows, from| {
            let fail = |source| StoreError::at(path, source);
            let (mut folded, mut cursor) = (first(), DocumentCursor::before(&blocks, from));
            while let Some(row) = rows.next().map_err(fail)? {
                let id = row.get(0).map_err(fail)?;
                let fields = row.get_ref(1).and_then(|text| Ok(text.as_str_or_null()?));
                let fields = fields.map_err(fail)?;
                let tokens = row.get(2).map_err(fail)?;
                let (terms, counts) = cursor.seek(connection, id)?.unwrap_or_default();
                each(&mut folded, CountedDocument { id, fields, tokens, terms, counts });
            }
            Ok(folded)
        })
    }

    /// Folds over rows of `sql`: id, proportions, and further columns that `each` reads. Its parameters are the
    /// run (?1) and the range of ids (?2 to before ?3).
    fn fold_documents<T: Send>(
        &self,
        run: RunId,
        sql: &str,
        first: impl Fn() -> T + Sync,
        each: impl Fn(&mut T, &rusqlite::Row<'_>, &[f64]) -> rusqlite::Result<()> + Sync,
    ) -> Result<Vec<T>> {
        let decoder = ProportionDecoder::from_run(self, run)?;
        let path = self.path();
        self.fold_pieces(run, sql, |_, rows, _| {
            let fail = |source| StoreError::at(path, source);
            let (mut folded, mut proportions) = (first(), Vec::new());
            while let Some(row) = rows.next().map_err(fail)? {
                let text = row.get_ref(1).and_then(|text| Ok(text.as_str()?)).map_err(fail)?;
                decoder.decode(row.get(0).map_err(fail)?, text, &mut proportions)?;
                each(&mut folded, row, &proportions).map_err(fail)?;
            }
            Ok(folded)
        })
    }

    /// Calls `fold` in parallel with the rows of `sql` for every range of ids of a run's documents, which are
    /// its parameters after the run, and with the first id of the range.
    fn fold_pieces<T: Send>(
        &self,
        run: RunId,
        sql: &str,
        fold: impl Fn(&Connection, &mut rusqlite::Rows<'_>, DocumentId) -> Result<T> + Sync,
    ) -> Result<Vec<T>> {
        let ends = self.rows(ENDS, [run], |row| Ok((row.get(0)?, row.get(1)?)))?.pop();
        let Some((Some(start), Some(end))) = ends else { return Ok(Vec::new()) };
        let readers = Readers::new(self);
        let path = readers.path();
        let fold_piece = |(from, to): (i64, i64)| {
            readers.with(|connection| {
                let fail = |source| StoreError::at(path, source);
                let mut statement = connection.prepare_cached(sql).map_err(fail)?;
                let mut rows = statement.query((run, from, to)).map_err(fail)?;
                fold(connection, &mut rows, DocumentId(from))
            })
        };
        ranges(start, end).into_par_iter().map(fold_piece).collect()
    }

    /// Calls `visit` with every existing document for which a run has proportions, by id, one at a time.
    ///
    /// # Errors
    /// The error of `visit`; as [`Store::topics_of_document`].
    pub fn visit_document_topics<E: From<StoreError>>(
        &self,
        run: RunId,
        visit: &mut dyn FnMut(&DocumentTopics) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        self.visit_with_ids(run, (ALL_DOCUMENTS, [run]), &mut |_, document| visit(document))
    }

    /// As [`Store::visit_document_topics`], with the row ids of the documents.
    ///
    /// # Errors
    /// The error of `visit`; as [`Store::topics_of_document`].
    pub fn visit_document_topics_with_ids<E: From<StoreError>>(
        &self,
        run: RunId,
        visit: &mut dyn FnMut(DocumentId, &DocumentTopics) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        self.visit_with_ids(run, (ALL_DOCUMENTS, [run]), visit)
    }

    /// As [`Store::visit_document_topics`]. A document without a title has the first `letters` characters of its text as
    /// the title, if its source has a text.
    ///
    /// # Errors
    /// The error of `visit`; as [`Store::topics_of_document`].
    pub fn visit_named_documents<E: From<StoreError>>(
        &self,
        run: RunId,
        letters: usize,
        visit: &mut dyn FnMut(&DocumentTopics) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let query = (ALL_NAMED_DOCUMENTS, (run, saturated(letters)));
        self.visit_with_ids(run, query, &mut |_, document| visit(document))
    }

    /// As [`Store::visit_document_topics`], with the words of the documents.
    ///
    /// # Errors
    /// The error of `visit`; as [`Store::topics_of_document`]; [`StoreError::DamagedBlock`].
    pub fn visit_documents_with_words<E: From<StoreError>>(
        &self,
        run: &Run,
        visit: &mut dyn FnMut(DocumentWithWords<'_>) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let blocks = CorpusBlocks::open(self, run.corpus_id)?;
        let mut cursor = DocumentCursor::before(&blocks, DocumentId(i64::MIN));
        self.visit_with_ids(run.id, (ALL_DOCUMENTS, [run.id]), &mut |id, document| {
            let (terms, counts) = cursor.seek(&self.connection, id)?.unwrap_or_default();
            visit(DocumentWithWords { document, terms, counts })
        })
    }

    /// Calls `visit` with the rows of a query and its values: id, proportions, key, title, fields and tokens.
    fn visit_with_ids<E: From<StoreError>>(
        &self,
        run: RunId,
        (sql, values): (&str, impl rusqlite::Params),
        visit: &mut dyn FnMut(DocumentId, &DocumentTopics) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let failed = |source| E::from(self.error(source));
        let decoder = ProportionDecoder::from_run(self, run)?;
        let mut statement = self.connection.prepare_cached(sql).map_err(failed)?;
        let mut rows = statement.query(values).map_err(failed)?;
        let mut topics = Vec::new();
        while let Some(row) = rows.next().map_err(failed)? {
            let id = row.get(0).map_err(failed)?;
            let text = row.get_ref(1).and_then(|text| Ok(text.as_str()?)).map_err(failed)?;
            decoder.decode(id, text, &mut topics)?;
            let (key, title) = (row.get(2).map_err(failed)?, row.get(3).map_err(failed)?);
            let (fields, tokens) = (row.get(4).map_err(failed)?, row.get(5).map_err(failed)?);
            let document = DocumentTopics { key, title, tokens, fields, topics };
            visit(id, &document)?;
            topics = document.topics;
        }
        Ok(())
    }

    /// Calls `visit` with every document that a run wrote, its encoded proportions, and whether it was assigned to the run's
    /// topics after the run was made.
    pub(crate) fn visit_packed(
        &self,
        run: RunId,
        visit: &mut dyn FnMut(DocumentId, &str, bool) -> Result<()>,
    ) -> Result<()> {
        self.each_row(SAVED, [run], &mut |row| {
            Ok(visit(row.get(0)?, row.get_ref(1)?.as_str()?, row.get(2)?))
        })
    }

    /// Calls `visit` with each row until one fails.
    fn each_row(
        &self,
        sql: &str,
        values: impl rusqlite::Params,
        visit: &mut dyn FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<Result<()>>,
    ) -> Result<()> {
        let fail = |source| self.error(source);
        let mut statement = self.connection.prepare_cached(sql).map_err(fail)?;
        let mut rows = statement.query(values).map_err(fail)?;
        while let Some(row) = rows.next().map_err(fail)? {
            visit(row).map_err(fail)??;
        }
        Ok(())
    }

    /// Saves the proportions of documents and adds them to `hash`.
    pub(crate) fn insert_document_topics(
        &self,
        run: RunId,
        saved: &SavedDocuments,
        hash: &mut SavedHash,
    ) -> Result<()> {
        let place = self.place_in_series(run)?;
        let alpha = (0i64..).zip(&saved.alpha);
        self.execute_each(SET_ALPHA, alpha.map(|(topic, alpha)| (run, topic, alpha)))?;
        let decoder = ProportionDecoder { run, alpha: saved.alpha.clone() };
        let (mut texts, mut large) = (Vec::new(), Vec::new());
        saved.packed.each_text(|id, text| {
            let id = DocumentId(id).shifted(-saved.ids_from);
            hash.add(id, text);
            texts.push((id, text.to_owned()));
            if texts.len() < DOCUMENTS_AT_ONCE {
                Ok(())
            } else {
                self.insert_texts((&decoder, place), std::mem::take(&mut texts), &mut large)
            }
        })?;
        self.insert_texts((&decoder, place), texts, &mut large)?;
        self.insert_large(place, &mut large)
    }

    /// Saves encoded proportions, and adds the large ones to `large`.
    fn insert_texts(
        &self,
        (decoder, place): (&ProportionDecoder, PlaceInSeries),
        texts: Vec<(DocumentId, String)>,
        large: &mut Vec<(u32, f64, DocumentId)>,
    ) -> Result<()> {
        // Decoded, so that rounding is as in later reads.
        let read = |proportions: &mut Vec<f64>, (id, text): &(DocumentId, String)| {
            decoder.decode(*id, text, proportions)?;
            let of_topic = (0u32..).zip(proportions.iter().copied());
            let much = of_topic.filter(|entry| entry.1 >= LARGE);
            Ok(much.map(|(topic, share)| (topic, share, *id)).collect())
        };
        let found: Result<Vec<Vec<_>>> = texts.par_iter().map_init(Vec::new, read).collect();
        large.extend(found?.into_iter().flatten());
        let rows = texts.iter().map(|(id, text)| {
            let [series, revision] = place.keys();
            [series, (*id).into(), revision, ToSqlOutput::from(text.as_str())]
        });
        let table = "series_proportions (series_id, document_id, first_revision, proportions)";
        self.insert_rows(table, rows)?;
        if large.len() < SORTED_ROWS { Ok(()) } else { self.insert_large(place, large) }
    }
}

/// Decodes the proportions of a run's documents.
pub(crate) struct ProportionDecoder {
    run: RunId,
    /// One entry per topic; 0 if the topic has no α.
    alpha: Vec<f64>,
}

impl ProportionDecoder {
    pub(crate) fn from_run(store: &Store, run: RunId) -> Result<Self> {
        let sql = "SELECT coalesce(alpha, 0) FROM topic WHERE run_id = ?1 ORDER BY topic";
        Ok(Self { run, alpha: store.rows(sql, [run], |row| finite(row, 0))? })
    }

    /// Decodes the proportions of all topics of document `id`.
    pub(crate) fn decode(&self, id: DocumentId, text: &str, to: &mut Vec<f64>) -> Result<()> {
        proportions::read(text, &self.alpha, to).map_err(|wrong| {
            let what = format!("the proportions of its document {id} {wrong}");
            StoreError::DamagedRun { run: self.run, what }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_largest_topics_counts() {
        assert_eq!(top_topic(&[0.2, 0.0, 0.4, 0.4]), Some((2, 0.4)));
        assert_eq!(top_topic(&[]), None);
    }
}
