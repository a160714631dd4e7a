//! A document a file: patterns, lists and folders of files as people have them, each read by what it is.

use std::fs;

use topoi_ingest::{Format, IngestRequest};

use super::bench::{Bench, gzip};
use crate::common::Home;
use crate::common::files::{TEI, docx, docx_of, epub, epub_of, odt};

fn documents(bench: &Bench) -> Vec<String> {
    bench.check();
    bench.ask("SELECT key, title, fields, text FROM document JOIN document_text ON document_id = document.id ORDER BY key")
}

fn folder(bench: &Bench, files: &[(&str, &[u8])]) {
    for (name, content) in files {
        let path = bench.path(name);
        fs::create_dir_all(path.parent().expect("parent")).expect("a folder");
        fs::write(path, content).expect("write");
    }
}

#[test]
fn files_of_a_pattern_are_a_document_each_and_lines_where_it_is_said() {
    let bench = Bench::new();
    folder(
        &bench,
        &[
            ("austen/emma.txt", b"castle walls\nand towers\n"),
            ("austen/2.txt", b"words\n"),
            ("austen/none.txt", b""),
        ],
    );
    let summary = bench.ingest("c", &["austen/*.txt"]).expect("ingest");
    assert_eq!((summary.sources.len(), summary.sources[0].format.name()), (1, "files"));
    assert_eq!((summary.counts.added, summary.counts.left_out), (2, 1));
    assert_eq!(
        documents(&bench),
        ["2.txt |  |  | words\n", "emma.txt | emma |  | castle walls\nand towers\n"]
    );
    let again = bench.ingest("c", &["austen/*.txt"]).expect("ingest");
    assert_eq!((again.counts.added, again.counts.skipped), (0, 2));
    // A file that comes later changes no key, nor does a pattern that one file fits.
    folder(&bench, &[("austen/more/x.txt", b"castle"), ("austen/one.txt", b"queens")]);
    assert_eq!(
        bench.ingest("c", &["austen/o*.txt", "austen/2.txt"]).expect("ingest").counts.added,
        1
    );
    assert_eq!(bench.ingest("c", &["austen/*/*.txt"]).expect("ingest").counts.added, 1);
    assert_eq!(bench.keys("c"), ["2.txt", "emma.txt", "one.txt", "more/x.txt"]);
    let mut request = IngestRequest::new("lines", [bench.path("austen/*.txt")]);
    request.format = Format::named("lines");
    request.on_error = topoi_ingest::OnError::Skip;
    assert_eq!(bench.ingest_as(&request).expect("ingest").counts.added, 4);
}

#[test]
fn a_list_of_text_files_is_a_document_a_file_and_one_of_them_a_document_a_line() {
    let bench = Bench::new();
    folder(&bench, &[("a/one.txt", b"stars\nmoons\n"), ("b/two.txt", b"kings\n")]);
    bench.ingest("c", &["b/two.txt", "a/one.txt", "a/one.txt"]).expect("ingest");
    assert_eq!(bench.keys("c"), ["a/one.txt", "b/two.txt"]);
    assert_eq!(bench.ask("SELECT fields->>'label' FROM document ORDER BY key"), ["a", "b"]);
    let alone = bench.ingest("alone", &["a/one.txt"]).expect("ingest");
    assert_eq!((alone.sources[0].format.name(), alone.counts.added), ("lines", 2));
}

#[test]
fn each_file_of_a_folder_is_read_by_what_it_is() {
    let bench = Bench::new();
    let html =
        b"<!DOCTYPE html><title>Home</title><nav>Menu</nav><p>Welcome to <b>this</b> page.</p>";
    let wide: Vec<u8> = "wide words".encode_utf16().flat_map(u16::to_le_bytes).collect();
    folder(
        &bench,
        &[
            ("mix/page.html", html),
            ("mix/page without ending", html),
            ("mix/emma.xml", TEI.as_bytes()),
            ("mix/emma.tei.gz", &gzip(TEI.as_bytes())),
            ("mix/report.docx", &docx()),
            ("mix/minutes.odt", &odt()),
            ("mix/persuasion.epub", &epub()),
            (
                "mix/notes.md",
                b"---\ntags: [x]\nyear: 2001\n---\n# Notes\nSee [here](http://example.org).\n",
            ),
            ("mix/plain.txt", b"plain words"),
            ("mix/wide.txt", &wide),
            ("mix/western.txt", b"caf\xe9 words"),
            ("mix/table.csv", b"id,text\nrow,csv words\n"),
            ("mix/lines.jsonl", b"{\"id\": \"j\", \"text\": \"json words\"}\n"),
        ],
    );
    let summary = bench.ingest("c", &["mix"]).expect("ingest");
    let formats: Vec<_> = summary.sources.iter().map(|source| source.format.name()).collect();
    assert_eq!(formats, ["files", "jsonl", "csv"]);
    assert_eq!(summary.guessed_encoding, 1);
    let emma =
        "| Emma | {\"author\":\"Jane Austen\",\"date\":\"1815\"} | Handsome, clever, and rich.";
    assert_eq!(documents(&bench), [
        format!("emma.tei.gz {emma}"),
        format!("emma.xml {emma}"),
        "j |  |  | json words".into(),
        "minutes.odt | Board minutes | {\"author\":\"Bo\",\"created\":\"2019-01-02\"} | Minutes\n\nThe meeting opened.".into(),
        "notes.md | Notes | {\"year\":2001} | Notes\n\nSee here.".into(),
        "page without ending | Home |  | Welcome to this page.".into(),
        "page.html | Home |  | Welcome to this page.".into(),
        "persuasion.epub | Persuasion | {\"author\":\"Jane Austen\",\"date\":\"1817\"} | first\n\nsecond café".into(),
        "plain.txt | plain |  | plain words".into(),
        "report.docx | Report | {\"author\":\"Ann Lee\",\"created\":\"2020-05-01T10:00:00Z\"} | \
         Quarterly report\n\nSecond paragraph\n\nA footnote".into(),
        "row |  |  | csv words".into(),
        "western.txt | western |  | café words".into(),
        "wide.txt | wide |  | wide words".into(),
    ]);
    let again = bench.ingest("c", &["mix"]).expect("ingest");
    assert_eq!((again.counts.added, again.counts.skipped), (0, 13));
    // One file of them, named alone or with others, is the same document.
    for names in [&["mix/report.docx"][..], &["mix/page.html", "mix/plain.txt"], &["mix/*.html"]] {
        let again = bench.ingest("c", names).expect("ingest");
        assert_eq!((again.counts.added, again.counts.replaced), (0, 0), "{names:?}");
    }
}

#[test]
fn an_encoding_that_is_named_beats_what_the_bytes_show() {
    let bench = Bench::new();
    bench.write("a.txt", b"\xd0\xd2\xc9\xd7\xc5\xd4\n");
    bench.write("b.csv", b"text\n\x93\xfa\x96{\x8c\xea\n");
    let mut request = IngestRequest::new("c", [bench.path("a.txt")]);
    request.tokens.min_length = Some(1);
    request.encoding = Some("koi8-r".parse().expect("an encoding"));
    bench.ingest_as(&request).expect("ingest");
    request.paths = vec![bench.path("b.csv")];
    request.encoding = Some("shift_jis".parse().expect("an encoding"));
    bench.ingest_as(&request).expect("ingest");
    let texts: Vec<_> = bench.ask("SELECT text FROM document_text ORDER BY document_id");
    assert_eq!(texts, ["привет", "日本語"]);
}

#[test]
fn a_page_is_read_in_the_encoding_it_declares_unless_it_is_utf_8_all_the_same() {
    let bench = Bench::new();
    let page = |text: &[u8]| [&b"<html><meta charset=koi8-r><p>"[..], text].concat();
    let xml = b"<?xml version='1.0' encoding='ISO-8859-15'?><a>\n\xa4 caf\xe9</a>";
    folder(
        &bench,
        &[
            ("f/honest.html", &page(b"\xd0\xd2\xc9\xd7\xc5\xd4")),
            ("f/lying.html", &page("привет".as_bytes())),
            ("f/declared.xml", xml),
        ],
    );
    bench.ingest("c", &["f"]).expect("ingest");
    let texts =
        bench.ask("SELECT text FROM document_text JOIN document ON id = document_id ORDER BY key");
    assert_eq!(texts, ["€ café", "привет", "привет"]);
}

#[test]
fn a_folder_of_mixed_formats_has_the_words_and_topics_of_the_same_texts_as_lines() {
    let home = Home::new();
    let folder = home.path("mixed");
    fs::create_dir(&folder).expect("a folder");
    let lines = include_str!("../../../sample_corpora/eight_subjects.jsonl");
    let mut sample = String::new();
    for (number, line) in lines.lines().take(400).enumerate() {
        let text =
            serde_json::from_str::<serde_json::Value>(line).expect("JSON")["text"].to_string();
        let text = text
            .trim_matches('"')
            .replace("\\n", " ")
            .replace(['\\', '<', '&', '*', '_', '`', '[', '#'], " ");
        sample += &serde_json::json!({"id": format!("{number:03}"), "text": text}).to_string();
        sample.push('\n');
        let (ending, content) = match number % 6 {
            0 => ("txt", text.into_bytes()),
            1 => ("html", format!("<html><nav>menu</nav><p>{text}</p></html>").into_bytes()),
            2 => (
                "xml",
                format!("<TEI><teiHeader/><text><body><p>{text}</p></body></text></TEI>")
                    .into_bytes(),
            ),
            3 => ("md", text.into_bytes()),
            4 => ("docx", docx_of(&text)),
            _ => ("epub", epub_of(&text)),
        };
        fs::write(folder.join(format!("{number:03}.{ending}")), content).expect("write");
    }
    let lines = home.file("lines.jsonl", sample.as_bytes());
    home.succeeds(&["ingest", "lines", &lines]);
    home.succeeds(&["ingest", "mixed", &folder.display().to_string()]);
    for corpus in ["lines", "mixed"] {
        home.succeeds(&["run", corpus, "-k", "8"]);
    }
    let same = |sql: &str| {
        let of = |corpus: usize| {
            home.succeeds(&["sql", &sql.replace('?', &corpus.to_string()), "-o", "csv"])
        };
        let (lines, mixed) = (of(1), of(2));
        assert!(lines.lines().count() > 100, "{lines}");
        assert_eq!(lines, mixed);
    };
    same(
        "SELECT substr(key, 1, 3) AS key, term.text, count FROM triple JOIN document ON document.id = document_id \
          JOIN term ON term.id = term_id WHERE document.corpus_id = ? ORDER BY 1, 2",
    );
    same("SELECT topic, rank, word, probability FROM topic_word WHERE run_id = ? ORDER BY 1, 2");
}
