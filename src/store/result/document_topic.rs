//! The topics of documents, as runs save them.

use rayon::prelude::*;

use super::finite;
use crate::store::Store;
use crate::store::corpus::document::Document;
use crate::store::error::{Result, StoreError};
use crate::store::open::Readers;

const INSERT: &str = "INSERT INTO document_topic (run_id, document_id, topic, proportion) \
                      VALUES (?1, ?2, ?3, ?4)";
const SET_ALPHA: &str = "UPDATE topic SET alpha = ?3 WHERE run_id = ?1 AND topic = ?2";
const ALPHA: &str =
    "SELECT alpha FROM topic WHERE run_id = ?1 AND alpha IS NOT NULL ORDER BY topic";
const SAVED: &str = "SELECT document_id, topic, proportion FROM document_topic \
                     WHERE run_id = ?1 ORDER BY document_id, topic";
const OF_DOCUMENT: &str = "SELECT topic, proportion FROM document_topic \
                           WHERE run_id = ?1 AND document_id = ?2 ORDER BY topic";
const ENDS: &str =
    "SELECT min(document_id), max(document_id) + 1 FROM document_topic WHERE run_id = ?1";
const BETWEEN: &str = "SELECT document_id, topic, proportion FROM document_topic \
    WHERE run_id = ?1 AND document_id >= ?2 AND document_id < ?3 ORDER BY document_id, topic";
/// Documents that have been deleted are passed over.
const OF_TOPIC: &str = "SELECT document.id, document.key, document.title, document.tokens, \
    document.source, about.proportion FROM document_topic AS about \
    CROSS JOIN document ON document.id = about.document_id \
    WHERE about.run_id = ?1 AND about.topic = ?2";
/// The condition of the index, which gives such documents in order.
const LARGELY: &str = " AND about.proportion >= 0.1";
const LARGEST_FIRST: &str = " ORDER BY about.proportion DESC, about.document_id LIMIT ?3";

const ALL_DOCUMENTS: &str = "SELECT document.id, document.key, document.title, document.fields, \
    about.topic, about.proportion FROM document_topic AS about \
    CROSS JOIN document ON document.id = about.document_id \
    WHERE about.run_id = ?1 ORDER BY about.document_id, about.topic";

/// θ of documents as a run saves it, sparse.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SavedDocuments {
    /// α, a number for each topic; empty for a run that looked at no documents.
    pub alpha: Vec<f64>,
    /// Ids of the documents, ascending.
    pub documents: Vec<i64>,
    /// Where each document's entries end in `topics` and `proportions`.
    pub ends: Vec<usize>,
    /// Topics, ascending within a document.
    pub topics: Vec<u32>,
    /// The proportion of each of `topics`, in the same order.
    pub proportions: Vec<f64>,
}

/// A document and its topics.
#[derive(Debug, Clone, PartialEq)]
pub struct AboutDocument {
    /// Its key, unique in its corpus.
    pub key: String,
    /// Its title; `None` where the source gives none.
    pub title: Option<String>,
    /// Its fields, a JSON object.
    pub fields: Option<String>,
    /// (topic, proportion) as saved, by topic.
    pub topics: Vec<(u64, f64)>,
}

/// A document and how much of it is about a topic.
#[derive(Debug, Clone, PartialEq)]
pub struct TopicDocument {
    /// The row of the document.
    pub document: Document,
    /// The topic's proportion in it, θ.
    pub share: f64,
}

impl Store {
    /// α of a run's topics; empty for a run that looked at no documents.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn alpha(&self, run: i64) -> Result<Vec<f64>> {
        self.rows(ALPHA, [run], |row| finite(row, 0))
    }

    /// The topics of a document that a run saved, with their proportions.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn topics_of_document(&self, run: i64, document: i64) -> Result<Vec<(u64, f64)>> {
        self.rows(OF_DOCUMENT, (run, document), |row| Ok((row.get(0)?, finite(row, 1)?)))
    }

    /// Calls `fold` in several threads, each with all proportions that the run saved of some documents, one
    /// after the other, in the order of documents; the results in the order of these.
    ///
    /// # Errors
    /// Those of `fold`; when the store cannot be read.
    pub(crate) fn fold_proportions<T: Send>(
        &self,
        run: i64,
        fold: impl Fn(&mut dyn FnMut() -> Result<Option<(i64, usize, f64)>>) -> Result<T> + Sync,
    ) -> Result<Vec<T>> {
        let ends = self.rows(ENDS, [run], |row| Ok((row.get(0)?, row.get(1)?)))?.pop();
        let Some((Some(first), Some(end))) = ends else { return Ok(Vec::new()) };
        let (first, end): (i64, i64) = (first, end);
        let threads = rayon::current_num_threads() as i64;
        let length = (end.saturating_sub(first) / threads).max(1000);
        let pieces: Vec<(i64, i64)> = (0..)
            .map(|at| first.saturating_add(length.saturating_mul(at)))
            .take_while(|&from| from < end)
            .map(|from| (from, from.saturating_add(length).min(end)))
            .collect();
        let readers = Readers::of(self);
        let fold_piece = |(from, to): (i64, i64)| {
            readers.with(|connection| {
                let fail = |source| StoreError::at(readers.path(), source);
                let mut statement = connection.prepare_cached(BETWEEN).map_err(fail)?;
                let mut rows = statement.query((run, from, to)).map_err(fail)?;
                fold(&mut || {
                    let Some(row) = rows.next().map_err(fail)? else { return Ok(None) };
                    let read =
                        |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, finite(row, 2)?));
                    read(row).map(Some).map_err(fail)
                })
            })
        };
        pieces.into_par_iter().map(fold_piece).collect()
    }

    /// The `count` documents that have most of a topic, the largest proportion first, of equal
    /// ones the earlier document. One look-up each; a pass over the run's rows when fewer than
    /// `count` documents have a tenth of the topic.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn documents_of_topic(
        &self,
        run: i64,
        topic: u64,
        count: usize,
    ) -> Result<Vec<TopicDocument>> {
        let find = |which: &str| {
            let sql = format!("{OF_TOPIC}{which}{LARGEST_FIRST}");
            self.rows(&sql, (run, topic as i64, count as i64), |row| {
                Ok(TopicDocument {
                    document: crate::store::corpus::document::read(row)?,
                    share: finite(row, "proportion")?,
                })
            })
        };
        let largely = find(LARGELY)?;
        if largely.len() == count { Ok(largely) } else { find("") }
    }

    /// Calls `visit` with every document that a run saved topics of and that is still there, in the
    /// order of their ids. One document is in memory at a time.
    ///
    /// # Errors
    /// Those of `visit`; when the store cannot be read.
    pub fn visit_document_topics<E: From<StoreError>>(
        &self,
        run: i64,
        visit: &mut dyn FnMut(&AboutDocument) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let failed = |source| E::from(self.error(source));
        let topics: u64 = self.scalar("SELECT count(*) FROM topic WHERE run_id = ?1", [run])?;
        let mut statement = self.connection.prepare_cached(ALL_DOCUMENTS).map_err(failed)?;
        let mut rows = statement.query([run]).map_err(failed)?;
        let mut current: Option<(i64, AboutDocument)> = None;
        while let Some(row) = rows.next().map_err(failed)? {
            let id: i64 = row.get(0).map_err(failed)?;
            let entry = (row.get(4).map_err(failed)?, finite(row, 5).map_err(failed)?);
            if entry.0 >= topics {
                let what =
                    format!("document {id} is about topic {}, which it does not have", entry.0);
                return Err(StoreError::DamagedRun { run, what }.into());
            }
            if let Some((_, document)) = current.as_mut().filter(|(other, _)| *other == id) {
                document.topics.push(entry);
                continue;
            }
            let (key, title) = (row.get(1).map_err(failed)?, row.get(2).map_err(failed)?);
            let fields = row.get(3).map_err(failed)?;
            let next = AboutDocument { key, title, fields, topics: vec![entry] };
            if let Some((_, whole)) = current.replace((id, next)) {
                visit(&whole)?;
            }
        }
        current.map_or(Ok(()), |(_, last)| visit(&last))
    }

    /// What [`Store::insert_document_topics`] wrote, but for documents none of whose topics was large
    /// enough to be saved.
    pub(crate) fn saved_documents(&self, run: i64) -> Result<SavedDocuments> {
        let mut saved = SavedDocuments { alpha: self.alpha(run)?, ..SavedDocuments::default() };
        let rows: Vec<(i64, u32, f64)> =
            self.rows(SAVED, [run], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        for (document, topic, proportion) in rows {
            if saved.documents.last() != Some(&document) {
                saved.documents.push(document);
                saved.ends.push(0);
            }
            saved.topics.push(topic);
            saved.proportions.push(proportion);
            if let Some(end) = saved.ends.last_mut() {
                *end = saved.topics.len();
            }
        }
        Ok(saved)
    }

    pub(crate) fn insert_document_topics(&self, run: i64, saved: &SavedDocuments) -> Result<()> {
        for (topic, alpha) in saved.alpha.iter().enumerate() {
            self.execute(SET_ALPHA, (run, topic as i64, alpha))?;
        }
        let mut start = 0;
        for (document, &end) in saved.documents.iter().zip(&saved.ends) {
            let entries = saved.topics[start..end].iter().zip(&saved.proportions[start..end]);
            for (topic, proportion) in entries {
                self.execute(INSERT, (run, document, topic, proportion))?;
            }
            start = end;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ingest::{IngestRequest, NoProgress, ingest};
    use crate::store::Access;
    use crate::store::result::topic::{SavedResult, SavedTopic};
    use crate::store::run::{NewRun, RunEnd, RunStatus};

    #[test]
    fn documents_with_little_of_a_topic_are_found_when_few_have_much() {
        let directory = tempfile::tempdir().expect("tempdir");
        let file = directory.path().join("lines.txt");
        std::fs::write(&file, "one word\n".repeat(5)).expect("write");
        let mut store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
        ingest(&store, &IngestRequest::new("c", [file]), &NoProgress).expect("ingest");
        let run = NewRun { corpus_id: 1, model: "lr-jsmf", k: 2, seed: 1, settings: "{}" };
        let run = store.create_run(&run).expect("run");
        let (terms, characteristic) = (Vec::new(), Vec::new());
        let topic = SavedTopic { weight: 0.5, anchor_term_id: None, terms, characteristic };
        let shares = [0.05, 0.4, 0.02, 0.1, 0.05];
        let documents = SavedDocuments {
            alpha: vec![0.1; 2],
            documents: (1..=5).collect(),
            ends: (1..=5).map(|document| 2 * document).collect(),
            topics: [0, 1].repeat(5),
            proportions: shares.iter().flat_map(|share| [1.0 - share, *share]).collect(),
        };
        let result = SavedResult { topics: vec![topic; 2], documents, ..SavedResult::default() };
        let end = || RunEnd::new(RunStatus::Finished);
        store.finish_run(run, &result, end).expect("save");
        let order = [2, 4, 1, 5, 3];
        for count in 0..=6 {
            let found = store.documents_of_topic(run, 1, count).expect("read");
            let ids: Vec<i64> = found.iter().map(|found| found.document.id).collect();
            assert_eq!(ids, order[..count.min(5)]);
        }
    }
}
