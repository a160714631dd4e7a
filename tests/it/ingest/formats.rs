//! Every format, by the program's own recognition where it can, to the same documents.

use crate::common::Messages;
use std::fs;

use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use topoi_ingest::{Format, IngestRequest};

use super::bench::{Bench, gzip};

/// Word counts by document of the corpus `c`, whatever its keys are: the keys' last parts.
fn triples(bench: &Bench) -> Vec<String> {
    bench.check();
    bench.ask(
        "SELECT document.id, term.text, count FROM triple JOIN document \
         ON document.id = document_id JOIN term ON term.id = term_id ORDER BY 1, 2",
    )
}

/// What all the sources of counts below say.
const COUNTS: [&str; 4] = ["1 | policy | 1", "1 | state | 2", "2 | value | 5", "3 | state | 1"];

fn ingested(name: &str, bytes: &[u8], vocabulary: bool) -> (Bench, &'static str) {
    let bench = Bench::new();
    bench.write(name, bytes);
    if vocabulary {
        bench.write("vocab.txt", "state\nvalue\npolicy\n");
    }
    let summary = bench.ingest("c", &[name]).expect("ingest");
    let format = summary.sources[0].format.name();
    (bench, format)
}

#[test]
fn counts_are_the_same_from_every_format_of_counts() {
    let uci = "4\n3\n4\n1 1 2\n1 3 1\n3 2 5\n4 1 1\n";
    let matrix = "%%MatrixMarket matrix coordinate real general\n4 3 4      \n\
                  1 1 2.0\n1 3 1\n3 2 5e0\n4 1 1\n";
    let sources = [
        ("docword.x.txt", uci, "uci"),
        ("x.mtx", matrix, "matrix-market"),
        ("x.dat", "2 0:2 2:1\n0\n1 1:5\n1 0:1\n", "ldac"),
        ("x.svm", "# remark\n1 1:2 3:1\n-1\n0 2:5.0\n2 1:1 # end\n", "svmlight"),
        ("x.vw", "1 | state:2 policy\n|\n'tag|ns value:5\nd |a state\n", "vw"),
    ];
    for (name, text, expected) in sources {
        for packed in [false, true] {
            let bytes = if packed { gzip(text.as_bytes()) } else { text.as_bytes().to_vec() };
            let name = if packed { format!("{name}.gz") } else { name.to_string() };
            let (bench, format) = ingested(&name, &bytes, expected != "vw");
            assert_eq!(format, expected, "{name}");
            assert_eq!(triples(&bench), COUNTS, "{name}");
            let empty = "SELECT sum(documents) FROM ingest_note WHERE kind = 'empty'";
            assert_eq!(bench.ask(empty), ["1"], "{name}");
        }
    }
    let zipped = compress_to_vec(uci.as_bytes(), CompressionLevel::Fastest);
    let (bench, _) = ingested("docword.x.txt.zst", &zipped, true);
    assert_eq!(triples(&bench), COUNTS);
}

#[test]
fn a_zstd_file_of_several_frames_is_one_text() {
    // By zstd 1.5.4: a skippable frame, lines 1 to 3000 at -3, a skippable frame, and lines 3001 to
    // 6000 at -19 --no-check.
    let (bench, _) = ingested("a.txt.zst", include_bytes!("../../data/frames.zst"), false);
    let read = bench.ask("SELECT text FROM document_text ORDER BY document_id");
    let written: Vec<String> = (0..6000).map(|n| format!("word{} number{n}", n % 7)).collect();
    assert_eq!(read, written);
}

#[test]
fn columns_of_a_matrix_are_documents_if_asked_for() {
    let bench = Bench::new();
    let text = "%%MatrixMarket matrix coordinate integer general\n3 4 4\n\
                1 1 2\n3 1 1\n2 3 5\n1 4 1\n";
    let mut request = IngestRequest::new("c", [bench.write("x.mtx", text)]);
    request.vocabulary = Some(bench.write("words", "state\nvalue\npolicy\n"));
    request.transposed = true;
    bench.ingest_as(&request).expect("ingest");
    assert_eq!(triples(&bench), COUNTS);
}

#[test]
fn spreadsheets_keep_their_columns_as_fields_that_sql_can_ask_for() {
    let messages = Messages::default();
    let bench = Bench::new();
    let csv = "\u{feff}id,year,text,title,author\r\n\
               7,1999,\"stars, \"\"planets\"\"\r\nand moons\",Sky,Kepler\r\n\
               8,2001,kings,,\r\n";
    bench.write("a.csv", csv);
    let summary = bench.ingest("c", &["a.csv"]).expect("ingest");
    assert_eq!((summary.sources[0].format.name(), summary.counts.added), ("csv", 2));
    let rows = "SELECT key, title, fields->>'author', tokens FROM document \
                WHERE fields->>'year' < 2000";
    assert_eq!(bench.ask(rows), ["7 | Sky | Kepler | 3"]);
    assert_eq!(
        bench.ask("SELECT text FROM document_text"),
        ["stars, \"planets\"\nand moons", "kings"]
    );
    assert_eq!(
        bench.ask("SELECT name, value FROM document_field WHERE document_id = 2"),
        ["year | 2001"]
    );
    let mut request = IngestRequest::new("t", [bench.write("b.tsv", "some words\ttrain\ttech\n")]);
    request.names.headerless = true;
    let message = bench.refusal(&request);
    messages.keeps(&message);
    request.names.text = Some("1".into());
    request.names.fields = Some(vec!["3".into()]);
    assert_eq!(bench.ingest_as(&request).expect("ingest").counts.added, 1);
    assert_eq!(
        bench.ask("SELECT key, fields FROM document WHERE id = 3"),
        ["b:1 | {\"column3\":\"tech\"}"]
    );
}

#[test]
fn a_directory_is_read_in_order_of_its_names() {
    let bench = Bench::new();
    for (name, text) in [
        ("b/two.txt", "kings"),
        ("a/one.txt", "stars"),
        ("a/sub/x.txt", "moons"),
        ("top.txt", "castle"),
        (".hidden", "ghost"),
        ("a/empty.txt", ""),
    ] {
        let path = bench.path("files").join(name);
        fs::create_dir_all(path.parent().expect("parent")).expect("directory");
        fs::write(path, text).expect("write");
    }
    fs::write(bench.path("files/z.gz"), gzip(b"packed words")).expect("write");
    let summary = bench.ingest("c", &["files"]).expect("ingest");
    assert_eq!(summary.sources[0].format.name(), "files");
    assert_eq!(bench.keys("c"), ["a/one.txt", "a/sub/x.txt", "b/two.txt", "top.txt", "z.gz"]);
    assert_eq!(bench.ask("SELECT fields->>'label' FROM document WHERE key = 'a/sub/x.txt'"), ["a"]);
    assert_eq!(summary.sources[0].empty, 1);
    bench.check();
}

#[test]
fn patterns_name_files_and_mallets_lines_have_names() {
    let bench = Bench::new();
    bench.write("b.mallet", "d3 en moons\n");
    bench.write("a.mallet", "d1\ten\tstars stars\nd2,\tde\tkings\n");
    let summary = bench.ingest("c", &["*.mallet"]).expect("ingest");
    assert_eq!((summary.sources.len(), summary.sources[0].format.name()), (2, "mallet"));
    assert_eq!(bench.keys("c"), ["d1", "d2,", "d3"]);
    assert_eq!(bench.ask("SELECT fields FROM document WHERE key = 'd1'"), ["{\"label\":\"en\"}"]);
    bench.check();
}

#[test]
fn words_without_a_vocabulary_are_their_numbers() {
    let (bench, _) = ingested("x.svm", b"1 10:2 300:1\n0 10:5\n", false);
    assert_eq!(triples(&bench), ["1 | 10 | 2", "1 | 300 | 1", "2 | 10 | 5"]);
}

#[test]
fn every_format_is_on_the_page_of_formats() {
    let page = include_str!("../../../docs/reference/formats.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
    let named: Vec<&str> = rows.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    for format in Format::all() {
        assert!(named.contains(&format.name()), "{format}: no row on the page");
    }
}
