//! Integrity: SQLite's own checks, references, that every count and every block agrees with the
//! triples, and that texts and results are those that were saved.

mod corpus;
mod references;

use super::Store;
use super::error::{Result, StoreError};
use super::result::result_hash::result_hash;
use super::run::{Run, RunStatus};

/// Findings of one kind in one place that are told one by one.
const TOLD: usize = 5;

/// With so many topics a document can be about each of them too little for any to be saved; then
/// the saved documents are not all that the hash is over.
const MOST_TOPICS: usize = 100;

/// What is wrong with a store: a line each, that says where, what, and what to do.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    lines: Vec<String>,
}

impl Findings {
    pub(crate) fn of_file(&mut self, what: &str) {
        self.lines.push(format!(
            "file: {what}; restore a backup, or copy what can be read with `sqlite3 STORE .recover`"
        ));
    }

    /// What cannot be read because of damage is a finding; any other failure stays one.
    pub(crate) fn unreadable(&mut self, place: &str, read: Result<()>) -> Result<()> {
        match read {
            Err(StoreError::Sqlite { source, .. }) => {
                self.of_file(&format!("{place} cannot be read ({source})"));
                Ok(())
            }
            other => other,
        }
    }

    pub(crate) fn of_corpus(&mut self, name: &str, what: &str) {
        self.lines.push(format!(
            "corpus {name:?}: {what}; restore a backup, or ingest it into a new store"
        ));
    }

    pub(crate) fn of_run(&mut self, run: i64, what: &str) {
        self.lines.push(format!(
            "run {run}: {what}; restore a backup, or `topoi delete {run} --yes` and run it again"
        ));
    }

    /// The first few of many findings about a corpus, and how many more there are.
    pub(crate) fn many(&mut self, corpus: &str, found: &[String]) {
        found.iter().take(TOLD).for_each(|what| self.of_corpus(corpus, what));
        if found.len() > TOLD {
            self.of_corpus(corpus, &format!("{} more like the last one", found.len() - TOLD));
        }
    }
}

impl Store {
    /// Checks the whole store; returns what is wrong, one line each, empty when all is well.
    /// Reads everything once: about a second for a million triples.
    ///
    /// # Errors
    /// When the store cannot be read at all.
    pub fn check(&self) -> Result<Vec<String>> {
        let mut findings = Findings::default();
        let file = self.check_file(&mut findings);
        findings.unreadable("a part of the store", file)?;
        let references = self.check_references(&mut findings);
        findings.unreadable("a reference", references)?;
        let corpora = self.corpora().map(|corpora| {
            corpora.iter().try_for_each(|corpus| {
                let read = self.check_corpus(corpus, &mut findings);
                findings.unreadable(&format!("corpus {:?}", corpus.name), read)
            })
        });
        findings.unreadable("the list of corpora", corpora.and_then(|checked| checked))?;
        let runs = self.runs().map(|runs| {
            runs.iter().rev().try_for_each(|run| {
                let read = self.check_run(run, &mut findings);
                findings.unreadable(&format!("run {}", run.id), read)
            })
        });
        findings.unreadable("the list of runs", runs.and_then(|checked| checked))?;
        Ok(findings.lines)
    }

    fn check_file(&self, findings: &mut Findings) -> Result<()> {
        let lines: Vec<String> = self.rows("PRAGMA integrity_check(20)", [], |row| row.get(0))?;
        for line in lines.iter().flat_map(|text| text.lines()).filter(|line| *line != "ok") {
            findings.of_file(line);
        }
        Ok(())
    }

    /// Whether what a run keeps is whole, and a finished one's result the one it was finished with.
    fn check_run(&self, run: &Run, findings: &mut Findings) -> Result<()> {
        if let Some(matrix) = self.damaged_matrices(run.id)?.first() {
            let what = format!("what it keeps for later runs is damaged (matrix {matrix})");
            findings.of_run(run.id, &what);
        }
        // Early versions saved no hash.
        let Some(saved) = run.result_hash.as_ref().filter(|_| run.status == RunStatus::Finished)
        else {
            return Ok(());
        };
        let topics = self.saved_topics(run.id)?;
        if topics.is_empty() {
            findings.of_run(run.id, "it is finished, but its topics are gone");
            return Ok(());
        }
        let correlations = self.saved_correlations(run.id)?;
        let documents = self.saved_documents(run.id)?;
        let is_whole = documents.alpha.is_empty() || topics.len() <= MOST_TOPICS;
        if is_whole && result_hash(&topics, &correlations, &documents) != *saved {
            findings.of_run(
                run.id,
                "its topics, words, correlations or documents' topics are not those it was \
                 finished with (result_hash)",
            );
        }
        Ok(())
    }
}
