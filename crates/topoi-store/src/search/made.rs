//! How the tables of an index are made, and which names they have.

use rusqlite::Transaction;
use rusqlite_migration::HookResult;

/// Words come encoded (see `encoded`), so that SQLite's plainest tokenizer takes them as they are.
/// Without `contentless_delete`, which SQLite has only from 3.43 on: an older one could then read no table of the store
/// at all by way of Python or Datasette.
const OPTIONS: &str = "words, fields, content='', tokenize=\"ascii tokenchars '_^='\"";
/// The same and the columns of one of its tables, as versions before 0.3 made them.
const EARLIER: [(&str, &str); 2] = [
    ("content='', ", "content='', contentless_delete=1, "),
    ("(id INTEGER PRIMARY KEY, sz BLOB)", "(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER)"),
];
const PREFIX: &str = "topoi_search_";

/// The table of the index of a corpus.
pub(super) fn table(corpus_id: i64) -> String {
    format!("{PREFIX}{corpus_id}")
}

pub(super) fn create(corpus_id: i64) -> String {
    format!("CREATE VIRTUAL TABLE {} USING fts5({OPTIONS})", table(corpus_id))
}

/// The step of the migration after which indexes are as [`create`] makes them: those of before are dropped, and made anew
/// when they are wanted next.
pub(crate) fn drop_earlier_indexes(transaction: &Transaction<'_>) -> HookResult {
    let mut tables = transaction.prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%'",
    )?;
    let names: rusqlite::Result<Vec<String>> = tables.query_map([], |row| row.get(0))?.collect();
    for name in names?.into_iter().filter(|name| index_number(name).is_some()) {
        transaction.execute_batch(&format!("DROP TABLE {name}"))?;
    }
    Ok(transaction.execute_batch("DELETE FROM search_index")?)
}

/// The corpus whose index a table of this name (in lower case) is, or belongs to.
pub(crate) fn index_number(name: &str) -> Option<i64> {
    let rest = name.strip_prefix(PREFIX)?;
    let digits = rest.split('_').next()?;
    // Only as it is made: no sign, no leading nought.
    let number: i64 = digits.parse().ok()?;
    let known = statements(number).into_iter().any(|(known, _)| known == name);
    known.then_some(number)
}

/// The tables of the index of a corpus, as SQLite's schema has them: (name, statement).
pub(crate) fn statements(corpus_id: i64) -> [(String, String); 5] {
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

/// As [`statements`], of an index that a version before 0.3 made.
pub(crate) fn earlier_statements(corpus_id: i64) -> [(String, String); 5] {
    statements(corpus_id).map(|(name, sql)| {
        let earlier = |sql: String, (now, then): &(&str, &str)| sql.replace(now, then);
        (name, EARLIER.iter().fold(sql, earlier))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_those_that_sqlite_makes() {
        for expected in [statements(12), earlier_statements(12)] {
            let connection = rusqlite::Connection::open_in_memory().expect("open");
            connection.execute_batch(&expected[0].1).expect("made");
            let sql = "SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY rowid";
            let mut statement = connection.prepare(sql).expect("prepared");
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("read");
            let rows: Vec<(String, String)> = rows.map(|row| row.expect("a row")).collect();
            assert_eq!(rows, expected);
        }
    }

    #[test]
    fn only_names_that_are_made_are_of_an_index() {
        assert_eq!(index_number("topoi_search_12"), Some(12));
        assert_eq!(index_number("topoi_search_12_idx"), Some(12));
        for other in ["topoi_search_", "topoi_search_012", "topoi_search_1_more", "search_1"] {
            assert_eq!(index_number(other), None, "{other}");
        }
    }
}
