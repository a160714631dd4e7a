//! Whether rows refer to rows that are there.

use crate::store::Store;
use crate::store::check::Findings;
use crate::store::error::Result;

/// References of runs to terms that are not foreign keys (see the schema for why): (what, table,
/// column).
const TERMS_OF_RUNS: &[(&str, &str, &str)] = &[
    ("words of topics", "topic_term", "term_id"),
    ("characteristic words of topics", "characteristic_term", "term_id"),
    ("anchors", "topic", "anchor_term_id"),
];
/// The others: (what, where it is and how many are counted). A document of a result may have been
/// deleted since.
const OTHERS: &[(&str, &str)] = &[
    (
        "terms of a vocabulary",
        "SELECT 'vocabulary ' || v.vocabulary_id, count(*) FROM vocabulary_term AS v \
         JOIN vocabulary ON vocabulary.id = v.vocabulary_id LEFT JOIN term ON term.id = v.term_id \
         WHERE term.corpus_id IS NOT vocabulary.corpus_id GROUP BY v.vocabulary_id",
    ),
    (
        "documents of topics",
        "SELECT 'run ' || a.run_id, count(DISTINCT a.document_id) FROM document_topic AS a \
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
            findings.of_file(&format!(
                "{place} of {table} refers to a row of {parent} that is not there"
            ));
        }
        for (what, table, column) in TERMS_OF_RUNS {
            self.check_loose(what, &terms_of_runs(table, column), findings)?;
        }
        OTHERS.iter().try_for_each(|(what, sql)| self.check_loose(what, sql, findings))
    }

    fn check_loose(&self, what: &str, sql: &str, findings: &mut Findings) -> Result<()> {
        let missing: Vec<(String, i64)> =
            self.rows(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        for (place, count) in missing {
            findings.of_file(&format!("{count} {what} of {place} are not there"));
        }
        Ok(())
    }
}
