//! Stores with changed rows and bytes.

use std::path::Path;
use std::sync::OnceLock;

use proptest::prelude::*;
use proptest::sample::Index;
use rusqlite::Connection;
use topoi_run::saved::compare::Comparer;
use topoi_run::saved::infer::Inference;
use topoi_run::saved::topic_lifts::topic_lifts;
use topoi_store::id::{DocumentId, RunId};
use topoi_store::{Access, Store, StoreError};

use super::{cases, is_told};
use crate::every_command::{READING, arguments, with_a_bit_of_everything};

/// The bytes of a small store with a bit of everything.
fn sound() -> &'static [u8] {
    static SOUND: OnceLock<Vec<u8>> = OnceLock::new();
    SOUND.get_or_init(|| {
        let home = with_a_bit_of_everything();
        let connection = Connection::open(home.store()).expect("open");
        let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
        connection.query_row(checkpoint, [], |_| Ok(())).expect("checkpoint");
        std::fs::read(home.store()).expect("read")
    })
}

/// Everything that screens and commands ask a store.
fn ask_everything(path: &Path) -> Result<(), StoreError> {
    let store = Store::open(path, Access::Read)?;
    is_told(store.check(&topoi_run::ROW_VALIDATORS));
    for corpus in store.corpora()? {
        is_told(store.terms(corpus.id));
        is_told(store.documents(corpus.id, DocumentId(0), 20));
        is_told(store.corpus_hash(corpus.id));
        is_told(store.newest_k_bound(corpus.id));
        is_told(store.named_vocabularies(corpus.id));
    }
    let runs = store.runs()?;
    is_told(Comparer::default().compare(&store, &[RunId(1), RunId(3)]));
    for run in &runs {
        is_told(store.topics(run.id, 10));
        is_told(store.metrics(run.id));
        is_told(store.word_topics(run.id));
        is_told(store.basis(run.id));
        is_told(store.summed_documents(run.id));
        is_told(store.projection_sums(run.id, 0..32, 120));
        is_told(topic_lifts(&store, run.id));
        is_told(Inference::from_run(&store, run).map(|known| {
            known.infer([("market", 2), ("king", 1)].into_iter());
        }));
        is_told(
            topoi_run::export::saved_model::SavedModel::read(&store, run.id)
                .map(|model| model.visit_documents(|_| Ok(()))),
        );
    }
    Ok(())
}

/// Values that a column of any type may come to have.
const VALUES: [&str; 16] = [
    "0",
    "-1",
    "1",
    "1 << 40",
    "9223372036854775807",
    "9e999",
    "-9e999",
    "1e300",
    "''",
    "'x'",
    "'[]'",
    "CAST(x'fffe' AS TEXT)",
    "x''",
    "zeroblob(64)",
    "NULL",
    "replace(hex(zeroblob(700)), '0', '[')",
];

/// The columns of all tables: (table, column).
fn columns(connection: &Connection) -> Vec<(String, String)> {
    let sql = "SELECT t.name, c.name FROM sqlite_schema AS t JOIN pragma_table_xinfo(t.name) AS c \
               WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%'";
    let mut statement = connection.prepare(sql).expect("columns");
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("columns");
    rows.collect::<Result<_, _>>().expect("columns")
}

/// A store with some rows changed; `None` where SQLite takes none of the changes.
fn mutated(path: &Path, updates: &[(Index, Index, u8)]) {
    std::fs::write(path, sound()).expect("write");
    let connection = Connection::open(path).expect("open");
    let pragmas = "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; \
                   PRAGMA journal_mode = DELETE";
    connection.execute_batch(pragmas).expect("pragmas");
    let columns = columns(&connection);
    for (column, value, share) in updates {
        let (table, column) = column.get(&columns);
        let value = value.get(&VALUES);
        let some = format!("abs(random()) % 256 <= {share}");
        let sql = match share % 5 {
            0 => format!("DELETE FROM {table} WHERE {some}"),
            _ => format!("UPDATE OR IGNORE {table} SET {column} = {value} WHERE {some}"),
        };
        // A type that a column cannot have, or NULL where there is none.
        let _ = connection.execute(&sql, []);
    }
}

fn updates() -> impl Strategy<Value = Vec<(Index, Index, u8)>> {
    prop::collection::vec((any::<Index>(), any::<Index>(), any::<u8>()), 1..4)
}

proptest! {
    #![proptest_config(cases(48))]
    #[test]
    fn a_store_with_changed_rows_is_read_or_refused(updates in updates()) {
        let directory = tempfile::tempdir().expect("tempdir");
        let path = directory.path().join("s.db");
        mutated(&path, &updates);
        is_told(ask_everything(&path));
    }

    #[test]
    fn a_store_with_changed_bytes_is_read_or_refused(
        flips in prop::collection::vec((any::<Index>(), any::<u8>()), 1..20),
    ) {
        let directory = tempfile::tempdir().expect("tempdir");
        let path = directory.path().join("s.db");
        let mut bytes = sound().to_vec();
        for (at, bits) in flips {
            *at.get_mut(&mut bytes) ^= bits;
        }
        std::fs::write(&path, bytes).expect("write");
        is_told(ask_everything(&path));
    }
}

proptest! {
    #![proptest_config(cases(4))]
    #[test]
    fn no_command_panics_on_a_store_with_changed_rows(updates in updates()) {
        let home = with_files();
        let path = home.path("s.db");
        mutated(&path, &updates);
        let store = path.to_string_lossy();
        for (number, line) in READING.iter().enumerate() {
            let words = arguments(&home, line, &store, "subjects", number);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let output = home.command(&words).output().expect("run");
            let error = String::from_utf8_lossy(&output.stderr);
            let is_told = output.status.code().is_some_and(|code| code <= 2);
            prop_assert!(is_told && !error.contains("panicked"), "{line}: {error}");
        }
    }
}

/// A home with the files that commands read.
fn with_files() -> crate::common::Home {
    let home = crate::common::Home::new();
    home.file("infer.jsonl", b"{\"id\": \"n1\", \"text\": \"the market price of stars, pawn\"}\n");
    home.file("truth.csv", b"topic,term,probability\n0,market,1\n1,king,1\n");
    home
}
