//! Integrity checks of a store.
//! They cover SQLite's own checks, references between rows, agreement of counts and blocks with the triples,
//! hashes of texts and results, and the ranges of metrics.

mod corpus;
mod documents;
pub mod repair;
mod values;

use std::fmt::{self, Display, Formatter};

use super::Store;
use super::corpus::Corpus;
use super::error::{Result, StoreError};
use super::result::SavedHash;
use super::result::judgement::SavedJudgement;
use super::result::metric::Metric;
use super::run::{Run, RunStatus};
use crate::id::RunId;
use topoi_core::formula::metric_def::ValueRange;

/// Maximum number of findings of one kind in one place that are listed one by one.
const MAX_LISTED: usize = 5;

/// Checks of rows whose meaning only their writers know. Each returns what is wrong, if anything.
pub struct RowValidators {
    /// The range of the metric saved under a name; `None` for unknown names, which are not checked.
    pub range_of: fn(&str) -> Option<ValueRange>,
    /// Checks the settings of a run.
    pub wrong_run: fn(&Run) -> Option<String>,
    /// Checks an answer to a judging task of a run.
    pub wrong_judgement: fn(&Run, SavedJudgement) -> Option<String>,
    /// Checks the settings of a corpus.
    pub wrong_corpus: fn(&Corpus) -> Option<String>,
}

impl RowValidators {
    /// No checks.
    pub const NONE: Self = Self {
        range_of: |_| None,
        wrong_run: |_| None,
        wrong_judgement: |_, _| None,
        wrong_corpus: |_| None,
    };
}

/// What a finding is about, which decides how it is mended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    File,
    /// The corpus of this name.
    Corpus(String),
    /// The search index of the corpus of this name.
    SearchIndex(String),
    /// The tables of all search indexes.
    SearchTables,
    /// The vectors of the documents of the corpus of this name.
    Vectors(String),
    Run(RunId),
    /// An answer of a judge to this item of a run.
    Answer {
        run: RunId,
        item: u64,
    },
}

/// One fault of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub about: Subject,
    pub what: String,
}

impl Subject {
    /// The statement that deletes just this, where that is all it takes.
    pub fn deletion(&self) -> Option<String> {
        let Self::Answer { run, item } = self else { return None };
        Some(format!("DELETE FROM judgement WHERE run_id = {run} AND item = {item}"))
    }
}

impl Display for Finding {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match &self.about {
            Subject::File => formatter.write_str("file")?,
            Subject::SearchTables => formatter.write_str("search index")?,
            Subject::Corpus(name) | Subject::SearchIndex(name) | Subject::Vectors(name) => {
                write!(formatter, "corpus {name:?}")?
            }
            Subject::Run(run) | Subject::Answer { run, .. } => write!(formatter, "run {run}")?,
        }
        write!(formatter, ": {}", self.what)
    }
}

/// The findings of a check so far.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    all: Vec<Finding>,
}

impl Findings {
    fn add(&mut self, about: Subject, what: &str) {
        self.all.push(Finding { about, what: what.into() });
    }

    pub(crate) fn add_file(&mut self, what: &str) {
        self.add(Subject::File, what);
    }

    /// Turns an error caused by damage into a finding; returns any other error.
    pub(crate) fn unreadable(&mut self, place: &str, read: Result<()>) -> Result<()> {
        match read {
            Err(StoreError::Sqlite { source, .. }) => {
                self.add_file(&format!("{place} cannot be read ({source})"));
                Ok(())
            }
            Err(StoreError::DamagedRun { run, what }) => {
                self.add_run(run, &what);
                Ok(())
            }
            Err(StoreError::DamagedCorpus { corpus, what }) => {
                self.add_file(&format!("{corpus}: {what}"));
                Ok(())
            }
            other => other,
        }
    }

    pub(crate) fn add_corpus(&mut self, name: &str, what: &str) {
        self.add(Subject::Corpus(name.into()), what);
    }

    /// A finding about a corpus's search index, which can be rebuilt without loss.
    pub(crate) fn add_search_index(&mut self, name: &str, what: &str) {
        self.add(Subject::SearchIndex(name.into()), what);
    }

    /// A finding about the vectors of a corpus, which can be imported again.
    pub(crate) fn add_vectors(&mut self, name: &str, what: &str) {
        self.add(Subject::Vectors(name.into()), what);
    }

    pub(crate) fn add_run(&mut self, run: RunId, what: &str) {
        self.add(Subject::Run(run), what);
    }

    /// A finding about one answer of a judge, which can be deleted without the run.
    fn add_judgement(&mut self, run: RunId, (item, what): (u64, &str)) {
        self.add(Subject::Answer { run, item }, what);
    }

    /// The first findings about a corpus, and the number of the rest.
    pub(crate) fn add_first_of_corpus(&mut self, corpus: &str, found: &[String]) {
        first_few(found).for_each(|what| self.add_corpus(corpus, &what));
    }

    /// The first findings about a run, and the number of the rest.
    pub(crate) fn add_first_of_run(&mut self, run: RunId, found: &[String]) {
        first_few(found).for_each(|what| self.add_run(run, &what));
    }
}

fn first_few(found: &[String]) -> impl Iterator<Item = String> + '_ {
    let more = found.len().saturating_sub(MAX_LISTED);
    let more = (more > 0).then(|| format!("{more} more like the last one"));
    found.iter().take(MAX_LISTED).cloned().chain(more)
}

impl Store {
    /// Checks the whole store as it is at one moment, while others write to it.
    /// None if all is well. Reads everything once: about a second for a million triples.
    pub fn check(&self, validators: &RowValidators) -> Result<Vec<Finding>> {
        self.at_one_moment(|store| store.check_now(validators))
    }

    fn check_now(&self, validators: &RowValidators) -> Result<Vec<Finding>> {
        let mut findings = Findings::default();
        let file = self.check_file(&mut findings);
        findings.unreadable("a part of the store", file)?;
        let references = self.check_references(&mut findings);
        findings.unreadable("a reference", references)?;
        let values = self.check_values(&mut findings);
        findings.unreadable("a value", values)?;
        let vocabularies = self.check_vocabularies(&mut findings);
        findings.unreadable("a vocabulary", vocabularies)?;
        let rows = self.check_rows_of_runs(&mut findings);
        findings.unreadable("a row of a run", rows)?;
        let corpora = self.corpora().map(|corpora| {
            corpora.iter().try_for_each(|corpus| {
                if let Some(what) = (validators.wrong_corpus)(corpus) {
                    findings.add_corpus(&corpus.name, &what);
                }
                let read = self.check_corpus(corpus, &mut findings);
                findings.unreadable(&format!("corpus {:?}", corpus.name), read)
            })
        });
        findings.unreadable("the list of corpora", corpora.and_then(|checked| checked))?;
        let runs = self.runs().map(|runs| {
            runs.iter().rev().try_for_each(|run| {
                if let Some(what) = (validators.wrong_run)(run) {
                    findings.add_run(run.id, &what);
                }
                let read = self
                    .check_metrics(run, validators.range_of, &mut findings)
                    .and_then(|()| {
                        self.check_judgements(run, validators.wrong_judgement, &mut findings)
                    })
                    .and_then(|()| self.check_results(run.id))
                    .and_then(|()| self.check_run(run, &mut findings));
                findings.unreadable(&format!("run {}", run.id), read)
            })
        });
        findings.unreadable("the list of runs", runs.and_then(|checked| checked))?;
        Ok(findings.all)
    }

    fn check_file(&self, findings: &mut Findings) -> Result<()> {
        let lines: Vec<String> = self.rows("PRAGMA integrity_check(20)", [], |row| row.get(0))?;
        for line in lines.iter().flat_map(|text| text.lines()).filter(|line| *line != "ok") {
            match line.contains("topoi_search_") {
                true => findings.add(Subject::SearchTables, line),
                false => findings.add_file(line),
            }
        }
        Ok(())
    }

    /// Checks that every metric of a run is in its range.
    fn check_metrics(
        &self,
        run: &Run,
        range_of: fn(&str) -> Option<ValueRange>,
        findings: &mut Findings,
    ) -> Result<()> {
        let outside = |Metric { topic, name, value, .. }: &Metric| {
            let range = range_of(name).filter(|range| !range.contains(*value))?;
            let topic = topic.map(|topic| format!(" of topic {topic}")).unwrap_or_default();
            Some(format!("its metric {name}{topic} is {value}, but can only be {range}"))
        };
        let metrics = self.metrics(run.id)?;
        findings.add_first_of_run(run.id, &metrics.iter().filter_map(outside).collect::<Vec<_>>());
        Ok(())
    }

    /// Checks a run's saved answers of judges.
    fn check_judgements(
        &self,
        run: &Run,
        wrong: fn(&Run, SavedJudgement) -> Option<String>,
        findings: &mut Findings,
    ) -> Result<()> {
        let rows = self.judgements(run.id)?.into_iter();
        let wrong = rows.filter_map(|row| Some((row.item, wrong(run, row)?)));
        wrong
            .take(MAX_LISTED)
            .for_each(|(item, what)| findings.add_judgement(run.id, (item, &what)));
        Ok(())
    }

    /// Reads the saved results of a run and the command that made it.
    fn check_results(&self, run: RunId) -> Result<()> {
        self.command_of_run(run)?;
        self.results(Some(run))?.iter().try_for_each(|one| self.result_content(one).map(drop))
    }

    /// Checks the matrices and warnings of a run and, if it is finished, the hash of its result.
    fn check_run(&self, run: &Run, findings: &mut Findings) -> Result<()> {
        if let Some(matrix) = self.damaged_matrices(run.id)?.first() {
            let what = format!("what it keeps for later runs is damaged (matrix {matrix})");
            findings.add_run(run.id, &what);
        }
        let warnings = self.warning_positions(run.id)?;
        if !warnings.iter().copied().eq(1..=warnings.len() as u64) {
            findings.add_run(run.id, "some of its warnings are gone");
        }
        if run.status != RunStatus::Finished && !warnings.is_empty() {
            findings.add_run(run.id, "it has warnings of a result, but is not finished");
        }
        if run.status != RunStatus::Finished {
            return Ok(());
        }
        let (Some(result), Some(saved), Some(request)) =
            (&run.result_hash, &run.saved_hash, &run.request_hash)
        else {
            findings.add_run(run.id, "it is finished, but the hashes of its result are gone");
            return Ok(());
        };
        if *request != self.request_hash(run)? {
            findings.add_run(
                run.id,
                "its model, number of topics, seed, settings or vocabulary are not those it was \
                 finished with (request_hash)",
            );
        }
        let topics = self.saved_topics(run.id)?;
        if topics.is_empty() {
            findings.add_run(run.id, "it is finished, but its topics are gone");
            return Ok(());
        }
        let correlations = self.saved_correlations(run.id)?;
        let mut hash = SavedHash::new(&topics, &correlations, &self.alpha(run.id)?);
        self.check_proportions(run.id, &mut hash, findings)?;
        if hash.finish(result) != *saved {
            findings.add_run(
                run.id,
                "its topics, words, correlations or documents' topics are not those it was \
                 finished with (result_hash)",
            );
        }
        Ok(())
    }
}

/// References of runs to terms that are not foreign keys (the schema says why): (what, table, column).
const TERMS_OF_RUNS: &[(&str, &str, &str)] = &[
    ("words of topics", "top_term", "term_id"),
    ("characteristic words of topics", "characteristic_term", "term_id"),
    ("anchors", "topic", "anchor_term_id"),
];
/// Other references: (what, query of location and count).
/// A document of a result may have been deleted since.
const LOOSE_REFERENCES: &[(&str, &str)] = &[
    (
        "terms of a vocabulary",
        "SELECT 'vocabulary ' || v.vocabulary_id, count(*) FROM vocabulary_term AS v \
         JOIN vocabulary ON vocabulary.id = v.vocabulary_id LEFT JOIN term ON term.id = v.term_id \
         WHERE term.corpus_id IS NOT vocabulary.corpus_id GROUP BY v.vocabulary_id",
    ),
    (
        "documents of topics",
        "SELECT 'run ' || a.run_id, count(*) FROM document_proportions AS a \
         WHERE NOT EXISTS (SELECT 1 FROM document WHERE id = a.document_id) \
         AND a.document_id NOT IN (SELECT document_id FROM deleted_document) GROUP BY a.run_id",
    ),
];

fn terms_of_runs(table: &str, column: &str) -> String {
    format!(
        "SELECT 'run ' || w.run_id, count(*) FROM {table} AS w \
         JOIN run ON run.id = w.run_id LEFT JOIN term ON term.id = w.{column} \
         WHERE w.{column} IS NOT NULL AND term.corpus_id IS NOT run.corpus_id GROUP BY w.run_id"
    )
}

impl Store {
    pub(super) fn check_references(&self, findings: &mut Findings) -> Result<()> {
        let orphans: Vec<(String, Option<i64>, String)> =
            self.rows("PRAGMA foreign_key_check", [], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })?;
        for (table, row, parent) in orphans.into_iter().take(20) {
            let place = row.map_or("a row".into(), |row| format!("row {row}"));
            findings.add_file(&format!(
                "{place} of {table} refers to a row of {parent} that is not there"
            ));
        }
        for (what, table, column) in TERMS_OF_RUNS {
            self.check_loose(what, &terms_of_runs(table, column), findings)?;
        }
        LOOSE_REFERENCES.iter().try_for_each(|(what, sql)| self.check_loose(what, sql, findings))
    }

    fn check_loose(&self, what: &str, sql: &str, findings: &mut Findings) -> Result<()> {
        let missing: Vec<(String, i64)> =
            self.rows(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        for (place, count) in missing {
            findings.add_file(&format!("{count} {what} of {place} are not there"));
        }
        Ok(())
    }
}
