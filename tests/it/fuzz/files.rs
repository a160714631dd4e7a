//! A sound file of every format.

use std::sync::OnceLock;

use topoi_ingest::Format;

use crate::common::files::{ROWS, TABLE, TEI, docx, epub, ods, odt, xlsx};

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
pub(super) fn files() -> &'static [(&'static str, &'static str, Vec<u8>)] {
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
