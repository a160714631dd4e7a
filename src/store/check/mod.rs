//! Integrity: SQLite's own checks, references, that every count and every block agrees with the
//! triples, and that texts and results are those that were saved.

pub(crate) mod check_corpus;
pub(crate) mod check_references;
pub(crate) mod check_run;

use super::Store;
use super::error::{Result, StoreError};

/// Findings of one kind in one place that are told one by one.
const TOLD: usize = 5;

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
}
