//! Series of runs that update one another, which share the proportions of documents that none of them changed.

use std::collections::BTreeSet;

use rusqlite::types::ToSqlOutput;

use super::document_topic::ProportionDecoder;
use super::finite;
use super::topic_document::LARGE;
use crate::Store;
use crate::error::{Result, StoreError};
use crate::id::{CorpusId, DocumentId, RunId, TopicNumber};

const PLACE: &str = "SELECT series_id, revision FROM run WHERE id = ?1";
const NEWEST: &str = "SELECT id FROM run WHERE series_id = ?1 ORDER BY revision DESC LIMIT 1";
const JOIN: &str = "UPDATE run SET series_id = ?2, revision = ?3, k = ?4 WHERE id = ?1";
const ADD_BIRTH: &str = "INSERT INTO topic_birth (series_id, topic, revision) VALUES (?1, ?2, ?3)";
const END: &str = "UPDATE series_proportions SET last_revision = ?3 \
    WHERE series_id = ?1 AND document_id = ?2 AND last_revision IS NULL";
const END_OF_TOPIC: &str = "UPDATE series_topic_document SET last_revision = ?5 \
    WHERE series_id = ?1 AND topic = ?2 AND proportion = ?3 AND document_id = ?4 \
    AND last_revision IS NULL";
const END_LEFT_OUT: &str = "UPDATE series_left_out SET last_revision = ?3 \
    WHERE series_id = ?1 AND document_id = ?2 AND last_revision IS NULL";
const SHARING: [&str; 3] = ["series_proportions", "series_topic_document", "series_left_out"];

/// The run that a result updates, and the documents of which it has something else to say.
#[derive(Debug, Clone, PartialEq)]
pub struct Revises {
    pub run: RunId,
    /// Documents of that run whose rows end: those that the result has rows of, and those that are deleted. Others may be
    /// among them. `None` for all.
    pub documents: Option<Vec<DocumentId>>,
}

/// How far a corpus is: its last document, and the last ingest before any that is not finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CorpusState {
    pub last_document: DocumentId,
    pub last_ingest: i64,
}

/// Where a run is in its series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlaceInSeries {
    pub series: i64,
    pub revision: i64,
}

/// A topic in a run of its series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TopicInSeries {
    /// How many revisions before.
    pub back: u32,
    pub topic: TopicNumber,
    /// The metric of the topic, and that of its run.
    pub value: f64,
    pub of_run: f64,
    pub document_share: f64,
}

impl PlaceInSeries {
    pub(super) fn keys(self) -> [ToSqlOutput<'static>; 2] {
        [self.series.into(), self.revision.into()]
    }
}

impl Store {
    /// The series of a run, and its place there.
    ///
    /// # Errors
    /// [`StoreError::UnknownRun`]; [`StoreError::DamagedRun`] for a run without a series.
    pub fn place_in_series(&self, run: RunId) -> Result<PlaceInSeries> {
        let found = self.rows(PLACE, [run], |row| Ok((row.get(0)?, row.get(1)?)))?.pop();
        let (series, revision): (Option<i64>, i64) = found.ok_or(StoreError::UnknownRun(run))?;
        let series = series
            .ok_or_else(|| StoreError::DamagedRun { run, what: "its series is gone".into() })?;
        Ok(PlaceInSeries { series, revision })
    }

    /// The newest run of the series of `run`: the only one that can be updated.
    ///
    /// # Errors
    /// As [`Store::place_in_series`].
    pub fn newest_of_series(&self, run: RunId) -> Result<RunId> {
        let place = self.place_in_series(run)?;
        let newest = self.rows(NEWEST, [place.series], |row| row.get(0))?.pop();
        Ok(newest.unwrap_or(run))
    }

    /// The run that a run updated; `None` if it is none of its series any more.
    pub fn previous_in_series(&self, run: RunId) -> Result<Option<RunId>> {
        let sql = "SELECT other.id FROM run JOIN run AS other ON other.series_id = run.series_id \
            AND other.revision = run.revision - 1 WHERE run.id = ?1";
        Ok(self.rows(sql, [run], |row| row.get(0))?.pop())
    }

    /// The topics that a run has and the run before it in its series has not.
    pub fn added_topics(&self, run: RunId) -> Result<Vec<TopicNumber>> {
        let sql = "SELECT topic FROM run JOIN topic_birth AS birth ON birth.series_id = run.series_id \
            AND birth.revision = run.revision WHERE run.id = ?1 ORDER BY topic";
        self.rows(sql, [run], |row| row.get(0))
    }

    /// A metric of topics and one of the run, of a run and of up to `before` runs before it in its series, newest first.
    pub fn metric_in_series(
        &self,
        run: RunId,
        before: u32,
        of_topics: &str,
        of_run: &str,
    ) -> Result<Vec<TopicInSeries>> {
        let sql = "SELECT run.revision - other.revision AS back, about.topic AS topic, \
            about.value AS value, whole.value AS of_run, topic.document_share AS document_share \
            FROM run JOIN run AS other ON other.series_id = run.series_id \
                AND other.revision BETWEEN run.revision - ?2 AND run.revision \
            JOIN metric AS about ON about.run_id = other.id AND about.name = ?3 AND about.topic IS NOT NULL \
            JOIN metric AS whole ON whole.run_id = other.id AND whole.name = ?4 AND whole.topic IS NULL \
            JOIN topic ON topic.run_id = other.id AND topic.topic = about.topic \
            WHERE run.id = ?1 ORDER BY back, topic";
        self.rows(sql, (run, before, of_topics, of_run), |row| {
            Ok(TopicInSeries {
                back: row.get("back")?,
                topic: row.get("topic")?,
                value: finite(row, "value")?,
                of_run: finite(row, "of_run")?,
                document_share: finite(row, "document_share")?,
            })
        })
    }

    /// The shares of a run's topics, by number, in the runs of its series up to this one, the oldest first. A topic that came
    /// later has fewer.
    pub fn topic_shares_in_series(&self, run: RunId) -> Result<Vec<Vec<f64>>> {
        let sql = "SELECT topic.topic, topic.document_share FROM run \
            JOIN run AS other ON other.series_id = run.series_id AND other.revision <= run.revision \
            JOIN topic ON topic.run_id = other.id \
            WHERE run.id = ?1 ORDER BY topic.topic, other.revision";
        let rows: Vec<(TopicNumber, f64)> =
            self.rows(sql, [run], |row| Ok((row.get(0)?, finite(row, 1)?)))?;
        let mut shares: Vec<Vec<f64>> = Vec::new();
        for (topic, share) in rows {
            if shares.len() <= topic.index() {
                shares.resize(topic.index() + 1, Vec::new());
            }
            shares[topic.index()].push(share);
        }
        Ok(shares)
    }

    /// The ids and tokens of the documents of a run that were deleted since.
    pub fn deleted_since(&self, run: RunId) -> Result<Vec<(DocumentId, u64)>> {
        let sql = "SELECT gone.document_id, gone.tokens FROM deleted_document AS gone \
            JOIN run ON run.corpus_id = gone.corpus_id WHERE run.id = ?1 AND EXISTS \
            (SELECT 1 FROM document_proportions AS about WHERE about.run_id = run.id \
             AND about.document_id = gone.document_id) AND NOT EXISTS \
            (SELECT 1 FROM assigned_document AS later WHERE later.run_id = run.id \
             AND later.document_id = gone.document_id) ORDER BY gone.document_id";
        self.rows(sql, [run], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// The ids of the documents of a run that may have been corrected since.
    pub fn corrected_since(&self, run: RunId) -> Result<Vec<DocumentId>> {
        let sql = "SELECT document.id FROM run \
            JOIN ingest ON ingest.corpus_id = run.corpus_id AND ingest.id > run.last_ingest \
            JOIN document ON document.ingest_id = ingest.id \
            WHERE run.id = ?1 AND document.id <= run.last_document ORDER BY document.id";
        self.rows(sql, [run], |row| row.get(0))
    }

    /// The last document of the corpus when a run read it; `None` if that is not known.
    pub fn last_document_of_run(&self, run: RunId) -> Result<Option<DocumentId>> {
        self.scalar("SELECT last_document FROM run WHERE id = ?1", [run])
    }

    /// How far a corpus is now.
    pub fn corpus_state(&self, corpus: CorpusId) -> Result<CorpusState> {
        let last_ingest = "SELECT coalesce( \
            (SELECT min(id) - 1 FROM ingest WHERE corpus_id = ?1 AND status <> 'finished'), \
            (SELECT max(id) FROM ingest WHERE corpus_id = ?1), 0)";
        Ok(CorpusState {
            last_document: self.last_document(corpus)?,
            last_ingest: self.scalar(last_ingest, [corpus])?,
        })
    }

    /// Makes a run with this many topics the next of the series of the run that it updates, and ends the rows that it
    /// replaces. Topics that the run before does not have are saved as births.
    ///
    /// # Errors
    /// [`StoreError::UpdatedMeanwhile`] if another run has updated that run.
    pub(super) fn join_series(&self, run: RunId, revises: &Revises, topics: usize) -> Result<()> {
        let own = self.place_in_series(run)?;
        let PlaceInSeries { series, revision } = self.place_in_series(revises.run)?;
        let newest = self.newest_of_series(revises.run)?;
        if newest != revises.run {
            return Err(StoreError::UpdatedMeanwhile { run: revises.run, newest });
        }
        self.execute(JOIN, (run, series, revision + 1, topics))?;
        self.execute("DELETE FROM series WHERE id = ?1", [own.series])?;
        for topic in self.topic_labels(revises.run)?.len()..topics {
            self.execute(ADD_BIRTH, (series, topic, revision + 1))?;
        }
        match &revises.documents {
            Some(documents) => {
                let assigned = self.assigned_documents(revises.run)?;
                let all: BTreeSet<DocumentId> = documents.iter().copied().chain(assigned).collect();
                self.end_rows(revises.run, &all, series, revision)
            }
            None => SHARING.iter().try_for_each(|table| {
                let end = format!(
                    "UPDATE {table} SET last_revision = ?2 \
                     WHERE series_id = ?1 AND last_revision IS NULL"
                );
                self.execute(&end, (series, revision)).map(drop)
            }),
        }
    }

    /// Ends the rows of documents with a revision, which is that of `run`.
    fn end_rows(
        &self,
        run: RunId,
        documents: &BTreeSet<DocumentId>,
        series: i64,
        revision: i64,
    ) -> Result<()> {
        let decoder = ProportionDecoder::from_run(self, run)?;
        let mut proportions = Vec::new();
        for &document in documents {
            self.execute(END_LEFT_OUT, (series, document, revision))?;
            self.decode_document(&decoder, document, &mut proportions)?;
            if proportions.is_empty() {
                continue;
            }
            let large = (0_i64..).zip(&proportions).filter(|(_, share)| **share >= LARGE);
            for (topic, share) in large {
                self.execute(END_OF_TOPIC, (series, topic, share, document, revision))?;
            }
            self.execute(END, (series, document, revision))?;
        }
        Ok(())
    }

    /// Removes what no run of a series has any more, after runs of it were deleted.
    pub(crate) fn tidy_series(&self, series: i64) -> Result<()> {
        let newest = "SELECT max(revision) FROM run WHERE series_id = ?1";
        let Some(newest): Option<i64> = self.scalar(newest, [series])? else {
            return self.execute("DELETE FROM series WHERE id = ?1", [series]).map(drop);
        };
        self.execute(
            "DELETE FROM topic_birth WHERE series_id = ?1 AND revision > ?2",
            (series, newest),
        )?;
        for table in SHARING {
            self.execute(
                &format!(
                    "DELETE FROM {table} WHERE series_id = ?1 AND NOT EXISTS (SELECT 1 FROM run \
                     WHERE run.series_id = ?1 AND run.revision >= {table}.first_revision \
                     AND run.revision <= coalesce({table}.last_revision, run.revision))"
                ),
                [series],
            )?;
            // What ended with the run that is the newest now would be ended by the next update.
            self.execute(
                &format!(
                    "UPDATE {table} SET last_revision = NULL \
                     WHERE series_id = ?1 AND last_revision >= ?2"
                ),
                (series, newest),
            )?;
        }
        Ok(())
    }
}
