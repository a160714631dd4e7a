//! Documents, columns and lines that could be taken for one another.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use topoi_ingest::{ChunkChoice, IngestRequest, OnError, StopWords};
use topoi_store::ingest::source_position::SourcePosition;
use topoi_store::ingest::{IngestStart, IngestWriter, NewDocument};

use super::bench::{Bench, gzip};
use crate::common::files::{ROWS, archive, ods, xlsx};

use crate::common::Messages;

const TEXTS: &str = "SELECT key, fields, text FROM document \
    JOIN document_text ON document_id = document.id ORDER BY document.id";

/// What an ingest of one file makes.
fn texts(name: &str, bytes: impl AsRef<[u8]>) -> Vec<String> {
    let bench = Bench::new();
    bench.write(name, bytes);
    bench.ingest("c", &[name]).expect("ingest");
    bench.check();
    bench.ask(TEXTS)
}

const TWICE: &str = "{\"id\": \"a\", \"text\": \"harbour first\"}\n\
    {\"id\": \"a\", \"text\": \"harbour second\"}\n{\"id\": \"b\", \"text\": \"bread\"}\n";

#[test]
fn a_repeated_ingest_of_an_unchanged_file_changes_nothing() {
    let empty_first = TWICE.replace("harbour first", "of the");
    for (file, duplicates) in [(TWICE.to_string(), 1), (empty_first, 0)] {
        for is_cut in [false, true] {
            let bench = Bench::new();
            bench.write("a.jsonl", &file);
            let mut request = IngestRequest::new("c", [bench.path("a.jsonl")]);
            if is_cut {
                let by = Some("paragraphs".parse().expect("chunks"));
                request.chunks = ChunkChoice { by, ..ChunkChoice::default() };
            }
            bench.ingest_as(&request).expect("ingest");
            let rows = || bench.ask("SELECT id, key, hex(content_hash), ingest_id FROM document");
            let (content, first) = (bench.content(), rows());
            for _ in 0..3 {
                let summary = bench.ingest_as(&request).expect("ingest");
                let source = &summary.sources[0];
                assert_eq!((source.added, source.replaced, source.skipped), (0, 0, 2));
                assert_eq!((source.duplicate, source.empty), (duplicates, 1 - duplicates));
                assert_eq!((bench.content(), rows()), (content.clone(), first.clone()));
                bench.check();
            }
        }
    }
}

#[test]
fn an_empty_document_takes_out_its_old_version_unless_another_of_its_key_follows() {
    for (second, left) in [("harbour", 2), ("the of", 1)] {
        let bench = Bench::new();
        bench.write(
            "a.jsonl",
            "{\"id\": 1, \"text\": \"ships\"}\n{\"id\": 2, \"text\": \"bread\"}\n",
        );
        bench.ingest("c", &["a.jsonl"]).expect("ingest");
        let changed =
            format!("{{\"id\": 1, \"text\": \"the\"}}\n{{\"id\": 1, \"text\": \"{second}\"}}\n");
        bench.write("a.jsonl", changed + "{\"id\": 2, \"text\": \"bread\"}\n");
        let summary = bench.ingest("c", &["a.jsonl"]).expect("ingest");
        assert_eq!(summary.corpus.documents, left, "{second}");
        bench.check();
    }
}

#[test]
fn an_ingest_that_is_continued_knows_the_documents_it_had_seen() {
    let bench = Bench::new();
    let store = bench.store();
    let terms = [("harbour", 1)];
    let document = |key: &'static str, hash: &'static [u8]| NewDocument {
        key,
        title: None,
        fields: None,
        text: None,
        tokens: None,
        source: "a",
        line: 1,
        content_hash: hash,
        entries: &[],
        terms: &terms,
    };
    let start = || IngestStart {
        corpus: "c".into(),
        settings: "\"counts\"".into(),
        source: "a".into(),
        format: "jsonl".into(),
        request: "{\"one\": 1}".into(),
        batch_bytes: 1,
    };
    let mut writer = IngestWriter::begin_or_resume(&store, start()).expect("begin");
    writer.add(document("a", b"first")).expect("add");
    writer.finish().expect("finish");
    let mut writer = IngestWriter::begin_or_resume(&store, start()).expect("begin");
    writer.add(document("a", b"first")).expect("add");
    let at = SourcePosition { counts: "{}".into(), ..SourcePosition::default() };
    writer.commit(&at).expect("commit");
    drop(writer);
    let mut writer = IngestWriter::begin_or_resume(&store, start()).expect("begin");
    assert_eq!(writer.resumed().len(), 1);
    let added = writer.add(document("a", b"second")).expect("add");
    assert_eq!(format!("{added:?}"), "Duplicate");
    writer.finish().expect("finish");
    assert_eq!(bench.ask("SELECT count(*) FROM document"), ["1"]);
    assert_eq!(bench.ask("SELECT counts FROM ingest_source"), ["{}"]);
}

#[test]
fn ids_and_numbers_keep_the_digits_they_are_written_with() {
    let line = |id: &str| format!("{{\"id\": {id}, \"text\": \"ships\", \"n\": {id}}}\n");
    let ids = ["123456789012345678901", "123456789012345678902", "1.10"];
    let found = texts("a.jsonl", ids.map(line).concat());
    assert_eq!(
        found,
        [
            "123456789012345678901 | {\"n\":\"123456789012345678901\"} | ships",
            "123456789012345678902 | {\"n\":\"123456789012345678902\"} | ships",
            "1.10 | {\"n\":1.10} | ships",
        ]
    );
    for (name, tab) in [("a.csv", ","), ("a.tsv", "\t")] {
        let rows = ids.map(|id| format!("{id}{tab}ships{tab}{id}\n")).concat();
        let found = texts(name, format!("id{tab}text{tab}n\n{rows}"));
        assert_eq!(found[2], "1.10 | {\"n\":\"1.10\"} | ships", "{name}");
        assert!(found[0].starts_with("123456789012345678901 | {\"n\":\"123456789012345678901\"}"));
    }
    let sheet = ROWS.replace("<v>1999</v>", "<v>9007199254740992</v>");
    assert!(texts("a.xlsx", xlsx(&[("a", &sheet)]))[0].contains("{\"year\":9007199254740992}"));
}

#[test]
fn file_names_that_are_no_text_are_keys_of_their_own() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("d")).expect("a directory");
    for (name, text) in
        [(&b"caf\xe9.txt"[..], "ships"), (b"caf\xe8.txt", "bread"), (b"caf\\xE9.txt", "court")]
    {
        std::fs::write(bench.path("d").join(OsStr::from_bytes(name)), text).expect("write");
    }
    for _ in 0..2 {
        bench.ingest("c", &["d"]).expect("ingest");
        let mut keys = bench.keys("c");
        keys.sort_unstable();
        assert_eq!(keys, ["caf\\x5CxE9.txt", "caf\\xE8.txt", "caf\\xE9.txt"]);
        bench.check();
    }
    let named = |name: &[u8]| bench.directory.path().join(OsStr::from_bytes(name));
    for name in [&b"l\xe9.csv"[..], b"l\xe8.csv"] {
        std::fs::write(named(name), "text\nships\n").expect("write");
        bench.ingest_as(&IngestRequest::new("l", [named(name)])).expect("ingest");
    }
    assert_eq!(bench.keys("l"), ["l\\xE9:2", "l\\xE8:2"]);
}

#[test]
fn lines_that_end_with_cr_alone_are_lines_in_every_format() {
    let sources = [
        ("a.csv", "id,text\n1,ships at sea\n2,\"bread\nand butter\"\n"),
        ("a.tsv", "id\ttext\n1\tships at sea\n2\tbread\n"),
        ("a.jsonl", "{\"id\": 1, \"text\": \"ships\"}\n\n{\"id\": 2, \"text\": \"bread\"}\n"),
        ("a.txt", "ships at sea\n\nbread\n"),
        ("a.mallet", "one en ships at sea\ntwo en bread\n"),
        ("x.vw", "1 | state:2 policy\n|\n'tag|ns value:5\nd |a state\n"),
        ("x.dat", "2 0:2 2:1\n0\n1 1:5\n1 0:1\n"),
        ("x.svm", "# remark\n1 1:2 3:1\n-1\n0 2:5.0\n2 1:1 # end\n"),
        ("docword.x.txt", "4\n3\n4\n1 1 2\n1 3 1\n3 2 5\n4 1 1\n"),
        (
            "x.mtx",
            "%%MatrixMarket matrix coordinate real general\n4 3 4\n1 1 2.0\n1 3 1\n3 2 5\n4 1 1\n",
        ),
    ];
    for (name, text) in sources {
        let content = |end: &str, is_packed: bool| {
            let bench = Bench::new();
            let bytes = text.replace('\n', end);
            bench.write("vocab.txt", "state\nvalue\npolicy\n".replace('\n', end));
            bench.write("stop.txt", "# words\nsea\nbutter\n".replace('\n', end));
            let bytes = if is_packed { gzip(bytes.as_bytes()) } else { bytes.into_bytes() };
            bench.write(name, bytes);
            let mut request = IngestRequest::new("c", [bench.path(name)]);
            let list = format!("en,{}", bench.path("stop.txt").display());
            request.tokens.stop_words = Some(list.parse::<StopWords>().expect("a list"));
            let summary = bench.ingest_as(&request).expect("ingest");
            bench.check();
            (bench.content(), summary.sources[0].format)
        };
        let expected = content("\n", false);
        assert!(expected.0.len() > 5, "{name}");
        for (end, is_packed) in [("\r", false), ("\r", true), ("\r\n", false)] {
            assert_eq!(content(end, is_packed), expected, "{name} {end:?}");
        }
    }
    // Within lines that end with LF a CR belongs to the text.
    assert_eq!(texts("a.csv", "id,text\n1,\"ships\rat sea\"\n"), ["1 |  | ships\rat sea"]);
}

#[test]
fn quoted_fields_of_tab_separated_files_go_over_tabs_and_lines() {
    let newline = "id\ttext\tyear\n1\t\"ships at sea\nand the harbour\"\t1999\n2\t\"bread with a\ttab in it\"\t2000\n3\tcourt\t2001\n";
    let expected = [
        "1 | {\"year\":1999} | ships at sea\nand the harbour",
        "2 | {\"year\":2000} | bread with a\ttab in it",
        "3 | {\"year\":2001} | court",
    ];
    assert_eq!(texts("a.tsv", newline), expected);
    let two = "id\ttext\n1\t\"ships at sea\n\nand the harbour\"\n2\tbread\n";
    assert_eq!(texts("a.tsv", two), ["1 |  | ships at sea\n\nand the harbour", "2 |  | bread"]);
    assert_eq!(texts("a.tsv", two.replace('\n', "\r")), texts("a.tsv", two));
    let one = "text\n\"ships\nat \"\"sea\"\"\"\nbread\n";
    assert_eq!(texts("a.tsv", one), ["a:2 |  | ships\nat \"sea\"", "a:4 |  | bread"]);
}

#[test]
fn quotes_that_belong_to_the_text_of_tab_separated_files_stay() {
    let lone = "id\ttext\n1\t\"ships at sea\n2\tsaid \"bread\"\n3\t6\" guns\n4\tand never return\"\n5\t\"\n6\t\"court\n";
    let expected = [
        "1 |  | \"ships at sea",
        "2 |  | said \"bread\"",
        "3 |  | 6\" guns",
        "4 |  | and never return\"",
        "6 |  | \"court",
    ];
    assert_eq!(texts("a.tsv", lone), expected);
    let tabs = "id\ttext\tmore\n1\t\"ships\tat sea\"\n";
    assert_eq!(texts("a.tsv", tabs), ["1 | {\"more\":\"at sea\\\"\"} | \"ships"]);
}

#[test]
fn columns_of_one_name_and_without_a_name_are_all_kept_and_said() {
    let header = ["id", "text", "tag", "tag", "", "text"];
    let row = ["1", "ships", "first", "second", "third", "other"];
    let expected = "1 | {\"column5\":\"third\",\"tag\":\"first\",\"tag_2\":\"second\",\"text_2\":\"other\"} | ships";
    let cell =
        |text: &&str| format!("<table:table-cell><text:p>{text}</text:p></table:table-cell>");
    let calc = [header, row].map(|cells| {
        format!("<table:table-row>{}</table:table-row>", cells.iter().map(cell).collect::<String>())
    });
    let column = |at: usize| char::from(b'A' + at as u8);
    let excel = (1..).zip([header, row]).map(|(line, cells)| {
        let cells = cells.iter().enumerate().map(|(at, text)| {
            format!("<c r=\"{}{line}\" t=\"inlineStr\"><is><t>{text}</t></is></c>", column(at))
        });
        format!("<row r=\"{line}\">{}</row>", cells.collect::<String>())
    });
    let sources = [
        ("a.csv", format!("{}\n{}\n", header.join(","), row.join(",")).into_bytes()),
        ("a.tsv", format!("{}\n{}\n", header.join("\t"), row.join("\t")).into_bytes()),
        ("a.ods", ods(&format!("<table:table table:name=\"a\">{}</table:table>", calc.concat()))),
        ("a.xlsx", xlsx(&[("a", &excel.collect::<String>())])),
    ];
    for (name, bytes) in sources {
        let bench = Bench::new();
        bench.write(name, bytes);
        let summary = bench.ingest("c", &[name]).expect("ingest");
        assert_eq!(bench.ask(TEXTS), [expected], "{name}");
        let said = summary.sources[0].remarks.join("\n");
        for part in ["column 5", "\"tag_2\"", "\"text_2\""] {
            assert!(said.contains(part), "{name}: {said}");
        }
        assert_eq!(summary.sources[0].left_out(), 0);
        let notes = "SELECT sum(documents), count(*) FROM ingest_note";
        assert_eq!(bench.ask(notes), ["0 | 3"], "{name}");
        bench.check();
    }
}

#[test]
fn a_header_can_go_over_two_lines() {
    let found = texts("a.csv", "\"id\",\"full\ntext\",text\n1,a,ships\n");
    assert_eq!(found, ["1 | {\"full text\":\"a\"} | ships"]);
    let found = texts("a.tsv", "\"id\"\t\"full\r\ntext\"\ttext\r\n1\ta\tships\r\n");
    assert_eq!(found, ["1 | {\"full text\":\"a\"} | ships"]);
}

#[test]
fn pages_of_a_book_are_read_whatever_they_are_called_or_said() {
    let entry = |id: &str, path: &str, kind: &str| {
        format!("<item id=\"{id}\" href=\"{path}\" media-type=\"{kind}\"/>")
    };
    let items = entry("a", "a.xhtml", "application/octet-stream")
        + &entry("b", "b.page", "text/x-oeb1-document")
        + &entry("c", "c.png", "image/png")
        + "<item id=\"d\" href=\"d.pdf\" media-type=\"application/pdf\" fallback=\"e\"/>"
        + &entry("e", "e.html", "text/html");
    let order = ["a", "b", "c", "d", "x"].map(|id| format!("<itemref idref=\"{id}\"/>")).concat();
    let package = format!("<package><manifest>{items}</manifest><spine>{order}</spine></package>");
    let page = |text: &str| format!("<html><body><p>{text}</p></body></html>");
    let book = archive(&[
        ("mimetype", "application/epub+zip"),
        ("META-INF/container.xml", "<container><rootfile full-path=\"a.opf\"/></container>"),
        ("a.opf", &package),
        ("a.xhtml", &page("ships")),
        ("b.page", &page("bread")),
        ("c.png", "PNG"),
        ("d.pdf", "PDF"),
        // Made where files go by any capitals.
        ("E.HTML", &page("court")),
    ]);
    let bench = Bench::new();
    bench.write("a.epub", book);
    let summary = bench.ingest("c", &["a.epub"]).expect("ingest");
    assert_eq!(bench.ask("SELECT text FROM document_text"), ["ships\n\nbread\n\ncourt"]);
    let said = &summary.sources[0].remarks[0];
    assert!(said.contains("c.png (image/png), \"x\""), "{said}");
    let notes = "SELECT kind, documents, key FROM ingest_note";
    assert_eq!(bench.ask(notes), ["malformed | 0 | a.epub"]);
    bench.check();
}

#[test]
fn a_sheet_that_says_it_has_more_texts_than_it_has_is_refused_and_leaves_the_others() {
    let messages = Messages::default();
    let sound = xlsx(&[("a", ROWS)]);
    let bench = Bench::new();
    std::fs::create_dir(bench.path("d")).expect("a directory");
    bench.write("d/sound.xlsx", sound);
    bench.write("d/a.txt", "ships");
    let workbook = "<workbook xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><sheets>\
        <sheet name=\"a\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>";
    for strings in ["xl/sharedStrings.xml", "xl/SHAREDSTRINGS.XML"] {
        bench.write(
            "d/hostile.xlsx",
            archive(&[
                ("[Content_Types].xml", "<Types/>"),
                ("xl/workbook.xml", workbook),
                (strings, "<sst x:uniqueCount=\"1\" uniqueCount=\"4294967295\"><si><t>text</t></si></sst>"),
            ]),
        );
        let mut request = IngestRequest::new("c", [bench.path("d")]);
        let message = bench.late_refusal_of_some(&request);
        messages.keeps(&message);
        request.on_error = OnError::Skip;
        let dry = topoi_ingest::reading::dry_run(None, &request, 5).expect("a dry run");
        assert_eq!(dry.iter().filter(|document| document.problem.is_some()).count(), 1);
        bench.ingest_as(&request).expect("ingest");
        let mut read = 0;
        let mut count = |_| {
            read += 1;
            std::ops::ControlFlow::Continue(())
        };
        topoi_ingest::reading::read_documents(None, &request, &mut count).expect("read");
        assert_eq!(read, 3);
    }
    assert_eq!(bench.ask("SELECT count(*) FROM document"), ["3"]);
}

#[test]
fn thai_and_lao_words_keep_their_vowel() {
    let bench = Bench::new();
    bench.write("a.jsonl", "{\"text\": \"ตำรวจกำลังทำงานสำคัญ\"}\n{\"text\": \"ສຳຄັນ ນ້ຳ ສໍາຄັນ\"}\n");
    bench.ingest("c", &["a.jsonl"]).expect("ingest");
    let terms = bench.terms("c");
    for word in ["ตำรวจ", "กำลัง", "สำคัญ", "ສຳຄັນ"] {
        assert!(terms.iter().any(|term| term == word), "{word}: {terms:?}");
    }
    assert!(!terms.iter().any(|term| term.contains(['\u{e4d}', '\u{ecd}'])), "{terms:?}");
}
