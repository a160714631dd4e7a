//! Definitions and names of the tables of an index.

use crate::id::CorpusId;

/// Words are encoded (see `encoded`), so SQLite's simplest tokenizer leaves them unchanged.
/// `contentless_delete` needs SQLite 3.43. With it, an older SQLite in Python or Datasette could not read any
/// table of the store.
const OPTIONS: &str = "words, fields, content='', tokenize=\"ascii tokenchars '_^='\"";
const PREFIX: &str = "topoi_search_";

/// Name of the index table of a corpus.
pub(super) fn table(corpus_id: CorpusId) -> String {
    format!("{PREFIX}{corpus_id}")
}

pub(super) fn create(corpus_id: CorpusId) -> String {
    format!("CREATE VIRTUAL TABLE {} USING fts5({OPTIONS})", table(corpus_id))
}

/// The corpus to whose index a table belongs, by the table's name in lower case.
pub(crate) fn index_number(name: &str) -> Option<CorpusId> {
    let rest = name.strip_prefix(PREFIX)?;
    let digits = rest.split('_').next()?;
    // Only the exact name: no sign, no leading zero.
    let number = digits.parse().ok()?;
    let known = statements(number).into_iter().any(|(known, _)| known == name);
    known.then_some(number)
}

/// The tables of the index of a corpus, as in SQLite's schema: (name, statement).
pub(crate) fn statements(corpus_id: CorpusId) -> [(String, String); 5] {
    let table = table(corpus_id);
    let shadow = |name: &str, columns: &str| {
        let name = format!("{table}_{name}");
        let sql = format!("CREATE TABLE '{name}'{columns}");
        (name, sql)
    };
    [
        (table.clone(), create(corpus_id)),
        shadow("data", "(id INTEGER PRIMARY KEY, block BLOB)"),
        shadow("idx", "(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID"),
        shadow("docsize", "(id INTEGER PRIMARY KEY, sz BLOB)"),
        shadow("config", "(k PRIMARY KEY, v) WITHOUT ROWID"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_those_that_sqlite_makes() {
        let expected = statements(CorpusId(12));
        let connection = rusqlite::Connection::open_in_memory().expect("open");
        connection.execute_batch(&expected[0].1).expect("made");
        let sql = "SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY rowid";
        let mut statement = connection.prepare(sql).expect("prepared");
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("read");
        let rows: Vec<(String, String)> = rows.map(|row| row.expect("a row")).collect();
        assert_eq!(rows, expected);
    }

    #[test]
    fn only_exact_names_belong_to_an_index() {
        assert_eq!(index_number("topoi_search_12"), Some(CorpusId(12)));
        assert_eq!(index_number("topoi_search_12_idx"), Some(CorpusId(12)));
        for other in ["topoi_search_", "topoi_search_012", "topoi_search_1_more", "search_1"] {
            assert_eq!(index_number(other), None, "{other}");
        }
    }
}
