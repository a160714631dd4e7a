//! What other programs read of a store, by the oldest SQLite that is supported (schema/README.md names it): Debian's
//! `sqlite3`. Skipped where there is none, but for CI.

use std::io::Write;
use std::process::Command;

use crate::common::Home;

/// Runs statements in the `sqlite3` shell; `None` where there is none.
fn shell(home: &Home, sql: &str) -> Option<String> {
    let output = Command::new("sqlite3").arg("-bail").arg(home.store()).arg(sql).output();
    let Ok(output) = output else {
        // `.ci/features` installs it in CI.
        let _ = writeln!(std::io::stderr(), "skipped: there is no sqlite3");
        return None;
    };
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && error.is_empty(), "{sql}: {error}");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A store with everything in it that views are over, and a full-text index.
fn filled() -> Home {
    let home = Home::with_subjects();
    let dated = home.file(
        "d.jsonl",
        b"{\"id\": \"a\", \"text\": \"king queen castle moat sword\", \"year\": 2004, \"by\": \"Ann\"}\n\
          {\"id\": \"b\", \"text\": \"ship sail harbour mast castle\", \"year\": \"2005-03-01\", \"by\": \"Bo\"}\n",
    );
    home.succeeds(&["ingest", "dated", &dated, "--chunk", "2"]);
    for (corpus, k) in [("subjects", "3"), ("subjects", "4"), ("dated", "2")] {
        home.succeeds(&["run", corpus, "-k", k]);
    }
    home.succeeds(&["search", "subjects", "telescope"]);
    home
}

#[test]
fn the_oldest_sqlite_reads_every_table_and_view_as_topoi_does_and_looks_words_up_in_the_index() {
    let home = filled();
    let names = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') \
                 AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name";
    let Some(tables) = shell(&home, names) else { return };
    assert!(
        tables.contains("topoi_search_1\n") && tables.contains("topic_alignment\n"),
        "{tables}"
    );
    for table in tables.lines() {
        let count = format!("SELECT count(*) FROM \"{table}\"");
        let counted = home.succeeds(&["sql", &count, "-o", "csv"]);
        assert_eq!(
            shell(&home, &count).as_deref(),
            counted.split_once('\n').map(|(_, n)| n),
            "{table}"
        );
    }
    let found =
        "SELECT count(*) FROM topoi_search_1 WHERE topoi_search_1 MATCH 'words : telescope'";
    let found = shell(&home, found).expect("a shell").trim().parse::<u64>().expect("a number");
    assert!(found > 0);
    assert_eq!(shell(&home, "PRAGMA integrity_check").as_deref(), Some("ok\n"));
}

#[test]
fn every_column_of_a_view_has_a_name_of_its_own_and_a_type_but_for_values_of_fields() {
    let home = filled();
    let sql = "SELECT s.name || '.' || c.name, c.type FROM sqlite_schema AS s \
               JOIN pragma_table_info(s.name) AS c WHERE s.type = 'view'";
    let columns = home.succeeds(&["sql", sql, "-o", "csv"]);
    let untyped = |line: &&str| line.ends_with(',') || line.ends_with(",BLOB");
    let untyped: Vec<&str> = columns.lines().skip(1).filter(untyped).collect();
    assert!(columns.lines().count() > 40, "{columns}");
    let value = |line: &&str| {
        line.starts_with("document_field.value") || line.starts_with("topic_by_field.value")
    };
    assert!(untyped.iter().all(value), "{untyped:?}");
    assert!(!columns.contains('('), "{columns}");
}
