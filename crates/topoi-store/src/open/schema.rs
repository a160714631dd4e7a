//! Checks that a store's tables, indexes and views are those that the migrations create.
//!
//! A store can come from anybody. A view in place of a table could make any query endless, and a trigger could
//! change what the program writes. Both are refused before anything else is read. Additional tables of the
//! owner stay: nothing reads them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rusqlite::Connection;

use super::for_writing;
use super::migrations::{KNOWN, MigrationList};
use crate::error::{Result, StoreError};
use crate::id::CorpusId;
use crate::search::{index_number, statements};
use crate::{Access, Store};

/// All but internal tables and indexes, such as `sqlite_sequence`.
const OBJECTS: &str = "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema \
                       WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";

/// A table, index, view or trigger.
#[derive(Debug, Clone, PartialEq)]
struct Object {
    kind: String,
    /// The table or view that it is or belongs to, in lower case.
    owner: String,
    sql: String,
}

/// Objects by name in lower case: SQLite's names are case-insensitive.
type Schema = BTreeMap<String, Object>;

fn read(connection: &Connection) -> rusqlite::Result<Schema> {
    let mut statement = connection.prepare(OBJECTS)?;
    let rows = statement.query_map([], |row| {
        let (name, owner): (String, String) = (row.get(1)?, row.get(2)?);
        let object =
            Object { kind: row.get(0)?, owner: owner.to_ascii_lowercase(), sql: row.get(3)? };
        Ok((name.to_ascii_lowercase(), object))
    })?;
    rows.collect()
}

fn hash(schema: &Schema) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    for (name, Object { kind, owner, sql }) in schema {
        for text in [name, kind, owner, sql] {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
    }
    hasher.finalize()
}

/// The schema that the migrations of `list` create up to `version`.
fn expected_schema(list: MigrationList, version: i64) -> rusqlite::Result<Schema> {
    let connection = Connection::open_in_memory()?;
    list.until(version).iter().try_for_each(|sql| connection.execute_batch(sql))?;
    read(&connection)
}

impl Store {
    /// Names of the tables and views that the migrations create, in lower case.
    pub(crate) fn own_names(&self) -> Result<BTreeSet<String>> {
        let tables = |(name, object): (String, Object)| (name == object.owner).then_some(name);
        let made = expected_schema(KNOWN, KNOWN.newest()).map_err(|source| self.error(source))?;
        Ok(made.into_iter().filter_map(tables).collect())
    }

    /// Executes a user's statement that drops an index or trigger which was added to a table of the store at
    /// `path`, which prevents the store from being opened. Returns false for any other statement.
    pub fn remove_added(path: &Path, statement: &str) -> Result<bool> {
        let Err(StoreError::OtherSchema { remove: Some(remove), path, .. }) =
            Self::open(path, Access::Read)
        else {
            return Ok(false);
        };
        let plain = |sql: &str| tokens(sql.trim().trim_end_matches(';')).join(" ").to_lowercase();
        if plain(statement) != plain(&remove) {
            return Ok(false);
        }
        let connection = for_writing(&path)?;
        connection.execute_batch(&remove).map_err(|source| StoreError::at(&path, source))?;
        Ok(true)
    }
}

/// Refuses a store of schema `version` whose tables, indexes and views differ from those of the migrations, or
/// that has additional indexes or triggers on them.
///
/// # Errors
/// [`StoreError::OtherSchema`].
pub(super) fn check(
    connection: &Connection,
    path: &Path,
    version: i64,
    list: MigrationList,
) -> Result<()> {
    let fail = |source| StoreError::at(path, source);
    let mut found = read(connection).map_err(fail)?;
    let other =
        |Difference { what, remove }| StoreError::OtherSchema { path: path.into(), what, remove };
    take_search_indexes(&mut found).map_err(other)?;
    if version == list.newest() && hash(&found).to_hex().as_str() == list.hash {
        return Ok(());
    }
    match difference(&expected_schema(list, version).map_err(fail)?, &found) {
        None => Ok(()),
        Some(what) => Err(other(what)),
    }
}

/// Removes the tables of full-text indexes from `found`, after checking that each index is complete and
/// unchanged, and that nothing is added to its tables.
fn take_search_indexes(found: &mut Schema) -> std::result::Result<(), Difference> {
    let numbers: BTreeSet<CorpusId> = found.keys().filter_map(|name| index_number(name)).collect();
    for number in numbers {
        for (name, sql) in statements(number) {
            let made = Object { kind: "table".into(), owner: name.clone(), sql };
            match found.remove(&name) {
                None => return Err(format!("its table {name:?} is gone").into()),
                Some(other) if other != made => {
                    return Err(format!("its table {name:?} is not as topoi makes it").into());
                }
                Some(_) => {}
            }
        }
    }
    match found.iter().find(|(_, object)| index_number(&object.owner).is_some()) {
        Some((name, object)) => Err(Difference::added(name, object)),
        None => Ok(()),
    }
}

/// A difference between a store's schema and that of the migrations.
struct Difference {
    what: String,
    /// The statement that removes it, if there is one.
    remove: Option<String>,
}

impl From<String> for Difference {
    fn from(what: String) -> Self {
        Self { what, remove: None }
    }
}

impl Difference {
    /// An additional index or trigger on a table.
    fn added(name: &str, Object { kind, owner, .. }: &Object) -> Self {
        let what = format!("the {kind} {name:?} on its {owner:?} is not topoi's");
        // A name with special characters of the shell is not put into a command.
        let is_plain =
            name.chars().all(is_word_character) && (kind == "index" || kind == "trigger");
        Self { what, remove: is_plain.then(|| format!("DROP {} {name}", kind.to_uppercase())) }
    }
}

/// The first difference of `found` from `ours`.
fn difference(ours: &Schema, found: &Schema) -> Option<Difference> {
    for (name, object) in ours {
        let kind = &object.kind;
        match found.get(name) {
            None => return Some(format!("its {kind} {name:?} is gone").into()),
            Some(other) if other.kind != *kind => {
                let place = format!("in the place of its {kind} {name:?} is a {}", other.kind);
                return Some(place.into());
            }
            Some(other) if !is_same(object, other) => {
                return Some(format!("its {kind} {name:?} is not as topoi makes it").into());
            }
            Some(_) => {}
        }
    }
    let mut added = found.iter().filter(|(name, _)| !ours.contains_key(*name));
    let (name, object) = added.find(|(_, object)| ours.contains_key(&object.owner))?;
    Some(Difference::added(name, object))
}

fn is_same(one: &Object, other: &Object) -> bool {
    one.owner == other.owner && (one.sql == other.sql || tokens(&one.sql) == tokens(&other.sql))
}

/// The tokens of a statement without comments, blanks and quotes around names, which differ between versions of
/// SQLite.
fn tokens(sql: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = sql;
    while let Some(first) = rest.chars().next() {
        let until = |end: &str| rest[1..].find(end).map_or(rest.len(), |at| 1 + at + end.len());
        let length = match first {
            '-' if rest.starts_with("--") => until("\n"),
            '/' if rest.starts_with("/*") => until("*/"),
            '\'' | '"' | '`' => until(&first.to_string()),
            '[' => until("]"),
            _ if is_word_character(first) => {
                rest.find(|c| !is_word_character(c)).unwrap_or(rest.len())
            }
            _ => first.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        match first {
            '-' | '/' if token.len() > 1 => {}
            '"' | '`' | '[' => tokens.push(token[1..].trim_end_matches(['"', '`', ']']).into()),
            _ if first.is_whitespace() => {}
            _ => tokens.push(token.into()),
        }
    }
    tokens
}

fn is_word_character(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$' || !c.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOUND: [&str; 5] = [
        "CREATE TABLE notes (text); CREATE INDEX of_notes ON notes (text)",
        "CREATE VIEW best AS SELECT id FROM run WHERE status = 'finished'",
        "CREATE TABLE log (text); CREATE TRIGGER t AFTER INSERT ON log BEGIN SELECT 1; END",
        "ANALYZE",
        "VACUUM",
    ];
    /// (SQL that was executed, part of the message)
    const FOREIGN: [(&str, &str); 9] = [
        ("DROP VIEW run_summary", "its view \"run_summary\" is gone"),
        ("DROP INDEX run_of_corpus", "its index \"run_of_corpus\" is gone"),
        (
            "DROP VIEW triple; CREATE VIEW triple AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL \
             SELECT i + 1 FROM n) SELECT i, i, i FROM n",
            "its view \"triple\" is not as topoi makes it",
        ),
        (
            "DROP TABLE setting; CREATE VIEW setting AS SELECT 'at_once' AS name, 1 AS value",
            "in the place of its table \"setting\" is a view",
        ),
        (
            "CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM corpus; END",
            "the trigger \"t\" on its \"run\" is not topoi's",
        ),
        (
            "CREATE TRIGGER t INSTEAD OF DELETE ON Triple BEGIN SELECT 1; END",
            "the trigger \"t\" on its \"triple\" is not topoi's",
        ),
        (
            "CREATE UNIQUE INDEX one_run ON run (model)",
            "the index \"one_run\" on its \"run\" is not topoi's",
        ),
        ("ALTER TABLE metric ADD COLUMN more ANY", "its table \"metric\" is not as topoi makes it"),
        (
            "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET \
             sql = replace(sql, 'STRICT', '') WHERE name = 'run_stage'",
            "its table \"run_stage\" is not as topoi makes it",
        ),
    ];

    /// Opens a new store after executing `sql` on it.
    fn open_after(sql: &str) -> Vec<Result<Store>> {
        let directory = tempfile::tempdir().expect("tempdir");
        let path = directory.path().join("t.db");
        drop(Store::open(&path, Access::Create).expect("create"));
        Connection::open(&path).and_then(|c| c.execute_batch(sql)).expect(sql);
        [Access::Read, Access::Write].map(|access| Store::open(&path, access)).into()
    }

    #[test]
    fn what_the_migrations_make_is_known_without_running_them() {
        let made = expected_schema(KNOWN, KNOWN.newest()).expect("made");
        assert_eq!(hash(&made).to_hex().as_str(), KNOWN.hash);
    }

    #[test]
    fn what_an_owner_adds_beside_our_tables_is_let_be() {
        for sql in SOUND {
            for opened in open_after(sql) {
                opened.expect(sql);
            }
        }
    }

    #[test]
    fn views_triggers_and_tables_that_the_migrations_did_not_make_are_refused_by_name() {
        for (sql, told) in FOREIGN {
            for opened in open_after(sql) {
                let refused = opened.expect_err(sql);
                assert!(matches!(refused, StoreError::OtherSchema { .. }), "{refused}");
                assert!(refused.to_string().contains(told), "{refused}");
            }
        }
    }

    #[test]
    fn an_index_that_somebody_else_made_is_removed_by_the_statement_that_is_named() {
        let directory = tempfile::tempdir().expect("tempdir");
        let path = directory.path().join("t.db");
        drop(Store::open(&path, Access::Create).expect("create"));
        let foreign = "CREATE INDEX titles ON document (title); \
                       CREATE TRIGGER mine AFTER INSERT ON run BEGIN SELECT 1; END";
        Connection::open(&path).and_then(|c| c.execute_batch(foreign)).expect("sql");
        for (other, named) in [
            ("DROP TABLE run", "DROP TRIGGER mine"),
            ("DROP INDEX run_of_corpus", "drop index \"Titles\" ;"),
        ] {
            let refused = Store::open(&path, Access::Write).expect_err("refused");
            let is_named = |remove: &str| remove.starts_with("DROP ");
            assert!(
                matches!(&refused, StoreError::OtherSchema { remove: Some(remove), .. } if is_named(remove)),
                "{refused}"
            );
            assert!(!Store::remove_added(&path, other).expect("no change"));
            assert!(Store::remove_added(&path, named).expect("removed"));
        }
        Store::open(&path, Access::Write).expect("open");
        assert!(!Store::remove_added(&path, "DROP TRIGGER mine").expect("no change"));
    }

    #[test]
    fn blanks_comments_and_quotes_of_names_do_not_matter_and_values_do() {
        let same = [
            "CREATE TABLE t (a  CHECK (a IN ('x -- y')))",
            "CREATE TABLE \"t\"(a -- b\n\
                     CHECK/* c */(`a` IN('x -- y')))",
        ];
        assert_eq!(tokens(same[0]), tokens(same[1]));
        for other in [
            "CREATE TABLE t (a CHECK (a IN ('x -- z')))",
            "CREATE TABLE t (a CHECK (a IN ('x--y')))",
        ] {
            assert_ne!(tokens(same[0]), tokens(other));
        }
        assert_eq!(tokens("'unended"), ["'unended"]);
    }
}
