//! Whatever bytes come, what reads them answers or says on one line why not. A few seconds in `cargo test`;
//! `.ci/fuzz MINUTES` tries for longer, with `TOPOI_FUZZ_CASES` as many cases of each kind.

use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

use proptest::prelude::*;
use proptest::sample::Index;
use rusqlite::Connection;
use topoi::ingest::reading::read_documents;
use topoi::ingest::{Format, IngestRequest, OnError};
use topoi::run::request::RunRequest;
use topoi::run::request::imported::{Import, ImportFormat};
use topoi::run::saved::compare::Comparer;
use topoi::run::saved::infer::Inference;
use topoi::run::saved::topic_lifts::topic_lifts;
use topoi::store::block::Block;
use topoi::store::run::Run;
use topoi::store::{Access, Store, StoreError};

use crate::common::files::{ROWS, TABLE, TEI, docx, epub, ods, odt, xlsx};
use crate::every_command::{READING, arguments, with_a_bit_of_everything};

/// Cases of a kind of input; those that start processes are fewer.
fn cases(usual: u32) -> ProptestConfig {
    let asked = std::env::var("TOPOI_FUZZ_CASES").ok().and_then(|text| text.parse().ok());
    let cases = asked.map_or(usual, |asked: u32| asked * usual / 256);
    ProptestConfig { max_shrink_iters: 500, ..ProptestConfig::with_cases(cases.max(1)) }
}

/// A change of some bytes.
#[derive(Debug, Clone)]
enum Change {
    Flip(Index, u8),
    Insert(Index, Vec<u8>),
    Remove(Index, u8),
    Repeat(Index, u8),
    CutOff(Index),
}

/// What has a meaning to some parser.
static WORDS: [&[u8]; 24] = [
    b"\n",
    b"\r\n",
    b"\"",
    b",",
    b"\t",
    b":",
    b"|",
    b"-1",
    b"0",
    b"18446744073709551616",
    b"1e999",
    b"nan",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\0",
    b"{",
    b"[[[[[[[[",
    b"}",
    b"%%MatrixMarket",
    b"#",
    b"'",
    b"\x1f\x8b\x08\0",
    b"\x28\xb5\x2f\xfd",
    b"4294967296",
];

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = prop_oneof![
        (any::<Index>(), 0..8u8).prop_map(|(at, bit)| Change::Flip(at, 1 << bit)),
        (any::<Index>(), prop::sample::select(&WORDS[..]))
            .prop_map(|(at, word)| Change::Insert(at, word.to_vec())),
        (any::<Index>(), any::<u8>()).prop_map(|(at, count)| Change::Remove(at, count)),
        (any::<Index>(), any::<u8>()).prop_map(|(at, count)| Change::Repeat(at, count)),
        any::<Index>().prop_map(Change::CutOff),
    ];
    prop::collection::vec(change, 1..6)
}

/// At most `count` of the bytes.
fn some(bytes: &[u8], from: &Index, count: u8) -> Range<usize> {
    let from = from.index(bytes.len());
    from..(from + usize::from(count)).min(bytes.len())
}

fn changed(bytes: &[u8], changes: &[Change]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for change in changes {
        if bytes.is_empty() {
            break;
        }
        match change {
            Change::Flip(at, bits) => {
                let at = at.index(bytes.len());
                bytes[at] ^= bits;
            }
            Change::Insert(at, word) => {
                let at = at.index(bytes.len());
                bytes.splice(at..at, word.iter().copied());
            }
            Change::Remove(at, count) => {
                let some = some(&bytes, at, *count);
                bytes.drain(some);
            }
            Change::Repeat(at, count) => {
                let some = some(&bytes, at, *count);
                let again = bytes[some.clone()].to_vec();
                bytes.splice(some.start..some.start, again);
            }
            Change::CutOff(at) => bytes.truncate(at.index(bytes.len())),
        }
    }
    bytes
}

/// Refused with one line, or not at all.
fn is_told<T>(outcome: Result<T, impl std::fmt::Display>) {
    if let Err(error) = outcome {
        let error = error.to_string();
        assert!(!error.is_empty() && error.lines().count() == 1, "{error:?}");
    }
}

/// A sound file of every format of text: (format, name, what is in it).
static FILES: [(&str, &str, &str); 15] = [
    (
        "jsonl",
        "a.jsonl",
        "{\"id\": \"a\", \"text\": \"good words\", \"year\": 1}\n{\"text\": \"more\"}\n",
    ),
    ("csv", "a.csv", "id,text,title\n1,good words,\"a \"\"title\"\"\"\n2,\"more\nwords\",b\n"),
    ("tsv", "a.tsv", "id\ttext\n1\tgood words\n2\tmore\n"),
    ("lines", "a.txt", "good words\nmore words, and others\n\nthe end\n"),
    ("mallet", "a.mallet", "1 x good words\n2 y more words\n"),
    ("files", "a.txt", "good words\nmore\n"),
    ("text", "a.css", "good words\nmore\n"),
    (
        "html",
        "a.html",
        "<!doctype html><title>a</title><nav>b</nav><p>good <b>words</b> &eacute;<pre>more",
    ),
    ("xml", "a.xml", TEI),
    ("markdown", "a.md", "---\nyear: 1\n---\n# a *title*\n\n* good\n* [words](b)\n\n```\nx\n```\n"),
    ("uci", "docword.a.txt", "2\n3\n3\n1 1 2\n1 2 1\n2 3 4\n"),
    (
        "matrix-market",
        "a.mtx",
        "%%MatrixMarket matrix coordinate integer general\n2 3 2\n1 1 2\n2 3 4\n",
    ),
    ("ldac", "a.ldac", "2 0:1 2:3\n1 1:4\n"),
    ("svmlight", "a.svm", "1 1:1 3:2 # a\n-1 2:1\n"),
    ("vw", "a.vw", "1 'a |w state:2 value\n0 b|w policy\n"),
];

/// A sound file of every format: (format, name, what is in it).
fn files() -> &'static [(&'static str, &'static str, Vec<u8>)] {
    static ALL: OnceLock<Vec<(&str, &str, Vec<u8>)>> = OnceLock::new();
    ALL.get_or_init(|| {
        let text =
            FILES.iter().map(|&(format, name, text)| (format, name, text.as_bytes().to_vec()));
        let packed = [
            ("docx", "a.docx", docx()),
            ("odt", "a.odt", odt()),
            ("epub", "a.epub", epub()),
            ("spreadsheet", "a.xlsx", xlsx(&[("a", ROWS)])),
            ("spreadsheet", "a.ods", ods(TABLE)),
            #[cfg(feature = "parquet")]
            ("parquet", "a.parquet", crate::ingest::columnar::small_parquet()),
            #[cfg(feature = "parquet")]
            ("arrow", "a.arrow", crate::ingest::columnar::small_arrow()),
        ];
        text.chain(packed).collect()
    })
}

#[test]
fn every_format_is_among_them() {
    // What reads PDF is a program of its own.
    for format in Format::all().filter(|format| format.name() != "pdf") {
        assert!(files().iter().any(|(name, ..)| *name == format.name()), "{format}");
    }
}

proptest! {
    #![proptest_config(cases(256))]
    #[test]
    fn a_changed_file_of_documents_is_read_or_refused(
        (file, guessed, skip) in (prop::sample::select(files()), any::<bool>(), any::<bool>()),
        changes in changes(),
    ) {
        let (format, name, content) = file;
        let directory = tempfile::tempdir().expect("tempdir");
        std::fs::write(directory.path().join("vocab.txt"), "state\nvalue\npolicy\n").expect("write");
        let path = directory.path().join(name);
        std::fs::write(&path, changed(&content, &changes)).expect("write");
        let format = if guessed { None } else { Format::named(format) };
        let on_error = if skip { OnError::Skip } else { OnError::Stop };
        let request = IngestRequest { format, on_error, ..IngestRequest::new("c", [path]) };
        is_told(read_documents(&request, "{}", &mut |_| ()));
    }

    #[test]
    fn a_changed_file_of_topics_is_imported_or_refused(is_state: bool, changes in changes()) {
        const TABLE: &str = "topic,term,probability\n0,market,0.5\n0,king,0.5\n1,king,1\n";
        const STATE: &str = "#doc source pos typeindex type topic\n#alpha : 0.5 0.5 \n#beta : 0.1\n\
            0 a file.txt 0 0 market 1\n0 a file.txt 1 1 king 0\n1 NA 0 0 market 1\n";
        let (content, format) = match is_state {
            true => (STATE, ImportFormat::MalletState),
            false => (TABLE, ImportFormat::TopicsCsv),
        };
        let directory = tempfile::tempdir().expect("tempdir");
        let path = directory.path().join("topics");
        std::fs::write(&path, changed(content.as_bytes(), &changes)).expect("write");
        let words = ["king", "market"].map(String::from);
        is_told(Import::of(&path, format).and_then(|(import, _)| import.topics(&words)));
    }

    #[test]
    fn a_changed_block_unpacks_to_documents_or_is_damaged(
        documents in prop::collection::vec(
            prop::collection::btree_map(0u32..90_000, 1u32..70_000, 0..6), 1..6),
        first in prop_oneof![1i64..1000, (i64::MAX - 10)..i64::MAX],
        changes in changes(),
    ) {
        let mut block = Block::default();
        for (id, document) in (1..).zip(&documents) {
            let entries: Vec<_> = document.iter().map(|(&term, &count)| (term, count)).collect();
            block.push(id, &entries);
        }
        let mut again = Block::default();
        let bytes = changed(&block.pack(), &changes);
        if again.unpack(1, first, &bytes).is_ok() {
            let tokens: u64 = again.documents().flat_map(|(_, _, n)| n).map(|&n| u64::from(n)).sum();
            prop_assert!(tokens >= again.terms.len() as u64);
        }
    }

    #[test]
    fn changed_settings_are_a_run_or_none(changes in changes(), model in "lr-jsmf|rp|r1d|svd") {
        const SAVED: &str = r#"{"terms":120,"min_tokens":5,"threads":0,"memory":4.0,"refine":null,
            "refine_gain":0.002,"documents":true,"sample":{"seed":1,"from":0.0,"to":0.5},
            "vocabulary":{"rules":{"terms":9}},"model":{"name":"lr-jsmf","tolerance":0.0001,
            "iterations":10,"rows":null,"anchor_documents":0.01}}"#;
        let settings = String::from_utf8_lossy(&changed(SAVED.as_bytes(), &changes)).into_owned();
        let run = Run { id: 1, model, settings, k: 4, ..Run::default() };
        is_told(RunRequest::of(&run));
        let _ = RunRequest::what_is_wrong(&run);
    }
}

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
    is_told(store.check(&topoi::run::MEANING));
    for corpus in store.corpora()? {
        is_told(store.terms(corpus.id));
        is_told(store.documents(corpus.id, 0, 20));
        is_told(store.corpus_hash(corpus.id));
        is_told(store.newest_k_bound(corpus.id));
        is_told(store.named_vocabularies(corpus.id));
    }
    let runs = store.runs()?;
    is_told(Comparer::default().compare(&store, &[1, 3]));
    for run in &runs {
        is_told(store.topics(run.id, 10));
        is_told(store.metrics(run.id));
        is_told(store.word_topics(run.id));
        is_told(store.basis(run.id));
        is_told(store.summed_documents(run.id));
        is_told(store.projection_sums(run.id, 0..32, 120));
        is_told(topic_lifts(&store, run.id));
        is_told(Inference::of_run(&store, run).map(|known| {
            known.infer([("market", 2), ("king", 1)].into_iter());
        }));
        is_told(
            topoi::export::saved_model::SavedModel::read(&store, run.id)
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
