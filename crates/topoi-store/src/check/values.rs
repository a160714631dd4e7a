//! Rows that SQLite accepts but no version of this program writes: they came with a foreign file.

use crate::Store;
use crate::check::Findings;
use crate::corpus::vocabulary::hash_vocabulary;
use crate::error::{Result, StoreError};
use crate::id::RunId;

/// Columns of one declared type: (table, column).
const COLUMNS_OF: &str = "SELECT t.name, c.name FROM sqlite_schema AS t \
    JOIN pragma_table_xinfo(t.name) AS c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' \
    ESCAPE '\\' AND c.type = ?1 ORDER BY t.name, c.cid";

/// Texts that are compared with hashes elsewhere; they are most of a store.
const READ_ELSEWHERE: [&str; 2] = ["document_text", "document_counts"];

/// (finding about a run, query of the runs concerned).
const RUN_CHECKS: &[(&str, &str)] = &[
    ("its number of topics is none", "SELECT id FROM run WHERE k < 1 OR k > 1 << 24"),
    (
        "it is finished, but which vocabulary its words are of is gone",
        "SELECT id FROM run WHERE status = 'finished' AND vocabulary_id IS NULL",
    ),
    (
        "it has more topics than it was asked for",
        "SELECT run_id FROM topic JOIN run ON run.id = run_id GROUP BY run_id HAVING count(*) > k",
    ),
    (
        "it has left out documents that it says something of",
        "SELECT DISTINCT run_id FROM left_out_document AS l JOIN document_proportions \
         USING (run_id, document_id)",
    ),
    (
        "what it shares with its series is of revisions that are none",
        "SELECT id FROM run WHERE revision < 0 OR series_id IN \
         (SELECT series_id FROM series_proportions WHERE last_revision < first_revision UNION ALL \
          SELECT series_id FROM series_topic_document WHERE last_revision < first_revision UNION ALL \
          SELECT series_id FROM series_left_out WHERE last_revision < first_revision)",
    ),
    (
        "it has nothing of documents that were assigned to its topics",
        "SELECT DISTINCT run_id FROM assigned_document AS a WHERE NOT EXISTS (SELECT 1 FROM document_proportions AS p \
         WHERE p.run_id = a.run_id AND p.document_id = a.document_id) AND NOT EXISTS (SELECT 1 FROM left_out_document \
         AS l WHERE l.run_id = a.run_id AND l.document_id = a.document_id)",
    ),
    (
        "topics that came with an update of its series are gone",
        "SELECT run.id FROM topic_birth AS b JOIN run ON run.series_id = b.series_id AND run.revision >= b.revision \
         WHERE run.status = 'finished' AND NOT EXISTS \
         (SELECT 1 FROM topic WHERE run_id = run.id AND topic = b.topic)",
    ),
    (
        "it has metrics of topics that it does not have",
        "SELECT DISTINCT run_id FROM metric AS m WHERE topic IS NOT NULL AND NOT EXISTS \
         (SELECT 1 FROM topic WHERE run_id = m.run_id AND topic = m.topic)",
    ),
    (
        "its agreement with other runs is out of range",
        "SELECT DISTINCT run_id FROM topic_agreement WHERE jaccard NOT BETWEEN 0 AND 1 \
         OR l1 NOT BETWEEN 0 AND 2.000001",
    ),
    (
        "the ranks of its words have gaps",
        "SELECT DISTINCT run_id FROM (SELECT run_id FROM top_term GROUP BY run_id, topic \
         HAVING max(rank) <> count(*) OR count(DISTINCT rank) <> count(*) UNION ALL SELECT run_id FROM characteristic_term \
         GROUP BY run_id, topic HAVING max(rank) <> count(*))",
    ),
    (
        "some of its correlations are gone",
        "SELECT run_id FROM topic_correlation AS c GROUP BY run_id \
         HAVING count(*) <> (SELECT count(*) * count(*) FROM topic WHERE run_id = c.run_id)",
    ),
];

/// (finding about the store, query of whether it applies).
const STORE_CHECKS: &[(&str, &str)] = &[
    (
        "the id of the next document is gone, or taken",
        "SELECT count(*) <> 1 OR min(id) <= (SELECT coalesce(max(id), 0) FROM document) \
         FROM next_document",
    ),
    (
        "how many runs may work at once is no number above 0",
        "SELECT EXISTS (SELECT 1 FROM setting WHERE name = 'at_once' \
         AND (typeof(value) <> 'integer' OR value < 1))",
    ),
    (
        "vectors are of documents that are gone, or from no file",
        "SELECT EXISTS (SELECT 1 FROM document_vector AS v WHERE NOT EXISTS (SELECT 1 FROM document \
         JOIN embedding ON embedding.corpus_id = document.corpus_id WHERE document.id = v.document_id))",
    ),
    (
        "which part of a corpus it has is no part",
        "SELECT EXISTS (SELECT 1 FROM part WHERE parts < 1 OR number NOT BETWEEN 0 AND parts - 1 \
         OR ids_from < 0 OR terms < 0)",
    ),
];

impl Store {
    pub(super) fn check_values(&self, findings: &mut Findings) -> Result<()> {
        for (what, sql) in STORE_CHECKS {
            if self.scalar(sql, [])? {
                findings.add_file(what);
            }
        }
        self.check_numbers(findings)?;
        self.check_text(findings)
    }

    /// Reports infinite numbers. SQLite stores NaN as NULL.
    fn check_numbers(&self, findings: &mut Findings) -> Result<()> {
        for (table, column) in self.columns_of("REAL")? {
            let sql = format!(
                "SELECT count(*) FROM \"{table}\" WHERE abs(\"{column}\") > 1.7976931348623157e308"
            );
            let infinite: i64 = self.scalar(&sql, [])?;
            if infinite > 0 {
                findings.add_file(&format!("{column} of {table} is infinite in {infinite} rows"));
            }
        }
        Ok(())
    }

    /// Reports texts that are not UTF-8, which SQLite does not check.
    fn check_text(&self, findings: &mut Findings) -> Result<()> {
        for (table, column) in self.columns_of("TEXT")? {
            if READ_ELSEWHERE.contains(&&*table) {
                continue;
            }
            let mut wrong = 0;
            self.rows(&format!("SELECT \"{column}\" FROM \"{table}\""), [], |row| {
                let is_text = row.get_ref(0)?.as_str_or_null().is_ok();
                wrong += u64::from(!is_text);
                Ok(())
            })?;
            if wrong > 0 {
                findings.add_file(&format!("{column} of {table} is no text in {wrong} rows"));
            }
        }
        Ok(())
    }

    fn columns_of(&self, kind: &str) -> Result<Vec<(String, String)>> {
        self.rows(COLUMNS_OF, [kind], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// Checks rows of runs that their hashes do not cover.
    pub(super) fn check_rows_of_runs(&self, findings: &mut Findings) -> Result<()> {
        for (what, sql) in RUN_CHECKS {
            let runs: Vec<RunId> = self.rows(sql, [], |row| row.get(0))?;
            runs.into_iter().for_each(|run| findings.add_run(run, what));
        }
        Ok(())
    }

    /// Checks that every vocabulary is complete and its corpus has its terms.
    pub(super) fn check_vocabularies(&self, findings: &mut Findings) -> Result<()> {
        let ids: Vec<i64> = self.rows("SELECT id FROM vocabulary", [], |row| row.get(0))?;
        ids.into_iter().try_for_each(|id| {
            let read = self.vocabulary(id).and_then(|vocabulary| {
                if self.vocabulary_hash(id)? != hash_vocabulary(&vocabulary.term_ids) {
                    let what = "its terms are not those it was saved with (hash)".into();
                    return Err(StoreError::DamagedCorpus {
                        corpus: format!("vocabulary {id}"),
                        what,
                    });
                }
                Ok(())
            });
            findings.unreadable(&format!("vocabulary {id}"), read)
        })
    }
}
