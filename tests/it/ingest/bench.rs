//! A directory with files and a store in it.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use rusqlite::types::Value;
use tempfile::TempDir;
use topoi_ingest::{IngestError, IngestRequest, IngestSummary, NoProgress, ingest};
use topoi_store::id::DocumentId;
use topoi_store::{Access, Store};

/// A directory with files and a store.
pub struct Bench {
    pub directory: TempDir,
}

impl Bench {
    pub fn new() -> Self {
        Self { directory: tempfile::tempdir().expect("a temporary directory") }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, content).expect("write");
        path
    }

    pub fn store(&self) -> Store {
        Store::open(&self.path("topoi.db"), Access::Create).expect("open the store")
    }

    pub fn ingest(&self, corpus: &str, names: &[&str]) -> Result<IngestSummary, IngestError> {
        self.ingest_as(&IngestRequest::new(corpus, names.iter().map(|name| self.path(name))))
    }

    pub fn ingest_as(&self, request: &IngestRequest) -> Result<IngestSummary, IngestError> {
        ingest(&self.store(), request, &NoProgress)
    }

    /// Every row that an ingest can touch, as text.
    pub fn rows(&self) -> Vec<String> {
        let tables = [
            "corpus",
            "document",
            "document_text",
            "term",
            "document_counts",
            "block",
            "ingest",
            "ingest_note",
            "parent_document",
            "chunk",
        ];
        let connection = rusqlite::Connection::open(self.path("topoi.db")).expect("open");
        let mut rows = Vec::new();
        for table in tables {
            let mut statement =
                connection.prepare(&format!("SELECT * FROM {table}")).expect("prepare");
            let columns = statement.column_count();
            let read = statement.query_map([], |row| {
                let values = (0..columns).map(|column| row.get::<_, Value>(column));
                Ok(format!("{table} {:?}", values.collect::<rusqlite::Result<Vec<_>>>()?))
            });
            rows.extend(read.expect("query").map(|row| row.expect("row")));
        }
        rows
    }

    /// The columns of a query's rows, joined.
    pub fn ask(&self, sql: &str) -> Vec<String> {
        let result = self.store().query(sql).expect("query");
        let line = |row: Vec<topoi_store::query::Cell>| {
            row.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | ")
        };
        result.rows.into_iter().map(line).collect()
    }

    /// Everything of a corpus that must not depend on how its documents came to be added: texts,
    /// triples by key and word, frequencies and counts.
    pub fn content(&self) -> Vec<String> {
        let questions = [
            "SELECT key, title, fields, document.tokens, hex(content_hash), text FROM document \
             LEFT JOIN document_text ON document_id = document.id ORDER BY key",
            "SELECT document.key, term.text, count FROM triple \
             JOIN document ON document.id = document_id JOIN term ON term.id = term_id \
             ORDER BY document.key, term.text",
            "SELECT text, document_frequency, total_count FROM term ORDER BY text",
            "SELECT name, documents, terms, tokens, nonzeros FROM corpus",
        ];
        questions.iter().flat_map(|sql| self.ask(sql)).collect()
    }

    /// Ingests what must be refused; the message without the directory, once the store is known
    /// to be as it was.
    pub fn refusal(&self, request: &IngestRequest) -> String {
        let before = self.rows();
        let message = self.late_refusal(request);
        assert_eq!(before, self.rows(), "the store changed");
        message
    }

    /// The same of what takes so long to be refused that there can be a corpus without documents and a row of the ingest, which failed.
    pub fn late_refusal(&self, request: &IngestRequest) -> String {
        let documents = || self.ask("SELECT key, hex(content_hash) FROM document ORDER BY id");
        let before = documents();
        let message = self.late_refusal_of_some(request);
        assert_eq!(before, documents(), "the store has other documents");
        message
    }

    /// The same of what is refused after other documents came in.
    pub fn late_refusal_of_some(&self, request: &IngestRequest) -> String {
        let error = self.ingest_as(request).expect_err("a refusal");
        self.check();
        error.to_string().replace(&format!("{}/", self.directory.path().display()), "")
    }

    pub fn refusal_of(&self, names: &[&str]) -> String {
        self.refusal(&IngestRequest::new("small", names.iter().map(|name| self.path(name))))
    }

    pub fn check(&self) {
        assert_eq!(
            self.store().check(&topoi_run::ROW_VALIDATORS).expect("check"),
            Vec::<topoi_store::check::Finding>::new()
        );
    }

    pub fn terms(&self, corpus: &str) -> Vec<String> {
        let store = self.store();
        let id = store.corpus(corpus).expect("corpus").id;
        store.terms(id).expect("terms").into_iter().map(|term| term.text).collect()
    }

    pub fn keys(&self, corpus: &str) -> Vec<String> {
        let store = self.store();
        let id = store.corpus(corpus).expect("corpus").id;
        let documents = store.documents(id, DocumentId(0), 1000).expect("documents");
        documents.into_iter().map(|document| document.key).collect()
    }
}

/// Three documents; the second of four is empty.
pub const DOCWORD: &str = "4\n3\n4\n1 1 2\n1 3 1\n3 2 5\n4 1 1\n";

/// A bench whose store has the corpus `small`.
pub fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("docword.small.txt", DOCWORD);
    bench.write("vocab.small.txt", "state\nvalue\npolicy\n");
    bench.ingest("small", &["docword.small.txt"]).expect("ingest");
    bench
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("compress");
    encoder.finish().expect("compress")
}
