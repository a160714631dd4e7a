//! Files that cannot be read as text: each is named with its place, what it is and what to do, is never taken for
//! text, and with `--on-error skip` the files beside it come in.

use std::fs;

use topoi_ingest::{IngestRequest, OnError};

use super::bench::{Bench, gzip};
use crate::common::files::{archive, docx, epub};

use crate::common::Messages;

/// The message about a file in a folder between two others, once it is known that these come in.
fn refused(name: &str, content: &[u8]) -> String {
    let bench = Bench::new();
    fs::create_dir(bench.path("f")).expect("a folder");
    bench.write("f/a.txt", "good words");
    bench.write(&format!("f/m{name}"), content);
    bench.write("f/z.txt", "more words");
    drop(bench.store());
    let mut request = IngestRequest::new("c", [bench.path("f")]);
    let message = bench.late_refusal_of_some(&request);
    request.on_error = OnError::Skip;
    let summary = bench.ingest_as(&request).expect("skip");
    let keys = bench.ask("SELECT key FROM document ORDER BY key");
    assert_eq!((keys.join(" "), summary.counts.left_out), ("a.txt z.txt".into(), 1), "{message}");
    assert_eq!(
        bench.ask("SELECT count(*) FROM ingest_note WHERE kind IN ('malformed', 'undecodable')"),
        ["1"]
    );
    bench.check();
    message
}

#[test]
fn what_is_no_text_is_named_with_what_to_do() {
    let bytes = |start: &[u8]| [start, &[0, 1, 2, 3, 0, 0, 0, 255]].concat();
    let cases: [(&str, Vec<u8>, &str, &str); 9] = [
        (
            ".png",
            bytes(b"\x89PNG\r\n\x1a\n"),
            "a PNG picture",
            "recognise the letters in it with a program such as tesseract, or leave it out (--on-error skip)",
        ),
        (
            ".txt",
            bytes(b"\xff\xd8\xff"),
            "a JPEG picture",
            "recognise the letters in it with a program such as tesseract, or leave it out (--on-error skip)",
        ),
        (
            ".rtf",
            b"{\\rtf1 words}".to_vec(),
            "an RTF file",
            "convert it, for example with `pandoc FILE -t plain -o FILE.txt`",
        ),
        (
            ".doc",
            bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
            "a Word document of before 2007",
            "convert it, for example with `soffice --headless --convert-to docx FILE`",
        ),
        (
            ".db",
            bytes(b"SQLite format 3\0"),
            "a SQLite database",
            "write a table as CSV: `sqlite3 -csv -header FILE 'SELECT …' > FILE.csv`",
        ),
        (
            ".zip",
            archive(&[("a.txt", "words")]),
            "a ZIP archive",
            "unpack it and give the files in it",
        ),
        (
            ".gz",
            gzip(&gzip(b"words")),
            "a gzip file within a compressed file",
            "unpack it and give the files in it",
        ),
        ("", bytes(b"\x7fELF"), "a program", "leave it out (--on-error skip)"),
        (
            ".css",
            b"p {color: red}".to_vec(),
            "a style sheet",
            "leave it out, or read it as it is with --format text",
        ),
    ];
    for (name, content, what, remedy) in cases {
        let expected =
            format!("f/m{name}: {what}, which is not read as text; nothing was added: {remedy}");
        assert_eq!(refused(name, &content), expected);
    }
    assert_eq!(
        refused(".bin", &[7; 100]),
        "f/m.bin: not text, but bytes of an unknown kind; nothing was added: leave it out (--on-error skip), or say how it is \
         encoded with --encoding"
    );
}

#[test]
fn a_picture_that_is_named_alone_is_no_text_either() {
    let bench = Bench::new();
    bench.write("a.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR words");
    let expected = "a.png: a PNG picture, which is not read as text; nothing was added: recognise the letters in it with \
                    a program such as tesseract, or leave it out (--on-error skip)";
    assert_eq!(bench.late_refusal(&IngestRequest::new("c", [bench.path("a.png")])), expected);
}

#[test]
fn damaged_archives_are_named_with_the_part_that_is_broken() {
    let messages = Messages::default();
    let tail =
        "nothing was added: copy or download it again, or save it anew in the program it is from";
    let whole = docx();
    let message = refused(".docx", &whole[..whole.len() / 2]);
    assert!(
        message.starts_with("f/m.docx: not a sound DOCX file (") && message.ends_with(tail),
        "{message}"
    );
    let whole = epub();
    let message = refused(".epub", &whole[..whole.len() - 30]);
    assert!(
        message.starts_with("f/m.epub: not a sound EPUB file (") && message.ends_with(tail),
        "{message}"
    );
    let without = archive(&[("mimetype", "application/epub+zip"), ("a", "b")]);
    assert_eq!(
        refused(".epub", &without),
        format!("f/m.epub: not a sound EPUB file: META-INF/container.xml is not in it; {tail}")
    );
    let message = refused(".docx", &[b"PK\x03\x04".to_vec(), vec![1; 3000]].concat());
    assert!(
        message.starts_with("f/m.docx: not a sound DOCX file (") && message.ends_with(tail),
        "{message}"
    );
    let message = refused(".xlsx", b"PK\x03\x04 and no more");
    messages.keeps(&message);
    // A byte of the packed text: the archive opens, and its part does not unpack to what it was.
    let mut damaged = docx();
    let at =
        damaged.windows(17).position(|bytes| bytes == b"word/document.xml").expect("the part") + 30;
    damaged[at] ^= 0x55;
    let message = refused(".docx", &damaged);
    assert!(message.starts_with("f/m.docx (word/document.xml):"), "{message}");
    let broken = archive(&[
        ("[Content_Types].xml", ""),
        ("word/document.xml", "<w:document>\n<w:t>text</w:document>"),
    ]);
    let message = refused(".docx", &broken);
    let start = "f/m.docx (word/document.xml):2: not well-formed XML (ill-formed document: expected `</w:t>`";
    assert!(message.starts_with(start), "{message}");
}

#[test]
fn archives_are_known_by_name_where_their_first_bytes_show_another_part() {
    let messages = Messages::default();
    let bench = Bench::new();
    let picture = "thumb ".repeat(1000);
    let text = "<w:document><w:body><w:p><w:t>harbour lights</w:t></w:p></w:body></w:document>";
    let parts = [("docProps/thumbnail.jpeg", picture.as_str()), ("word/document.xml", text)];
    bench.write("a.docx", archive(&parts));
    bench.write("b.zip", archive(&parts));
    bench.ingest_as(&IngestRequest::new("c", [bench.path("a.docx")])).expect("a document");
    assert_eq!(bench.ask("SELECT key, tokens FROM document"), ["a.docx | 2"]);
    let message = bench.late_refusal(&IngestRequest::new("c", [bench.path("b.zip")]));
    messages.keeps(&message);
}

#[test]
fn a_bomb_is_not_unpacked() {
    let laughs = format!("<w:document><w:t>{}</w:t></w:document>", "ha ".repeat(20 << 20));
    let bomb = archive(&[("[Content_Types].xml", ""), ("word/document.xml", &laughs)]);
    assert!(bomb.len() < 1 << 20);
    let message = refused(".docx", &bomb);
    let what = "unpacks to far more than its size, as archives made to do harm do";
    assert!(message.starts_with(&format!("f/m.docx (word/document.xml):1: {what}; ")), "{message}");
}

#[test]
fn markup_that_lies_or_is_cut_short_is_named_with_its_line() {
    let messages = Messages::default();
    let entities =
        "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'ha'><!ENTITY c '&b;&b;'>]>\n<a>&c;</a>";
    assert_eq!(
        refused(".xml", entities.as_bytes()),
        "f/m.xml:2: the entity &c; is neither of XML nor of HTML, and entities are not expanded; nothing was \
         added: expand them, for example with `xmllint --noent FILE`, if you trust the file"
    );
    assert_eq!(
        refused(".xml", b"<?xml version='1.0' encoding='utf-8'?>\n<a>caf\xe9</a>"),
        "f/m.xml:2: not UTF-8, nor what it says of its encoding; nothing was added: say how it is \
         encoded, for example with --encoding windows-1252"
    );
    assert_eq!(
        refused(".xml", b"<?xml version='1.0'?>\n<TEI>\n<text>"),
        "f/m.xml:3: the XML ends within an element; nothing was added: copy or download it again"
    );
    assert_eq!(
        refused(
            ".txt",
            "na\u{ef}ve caf"
                .as_bytes()
                .iter()
                .copied()
                .chain([0xc3])
                .collect::<Vec<_>>()
                .as_slice()
        ),
        "f/m.txt: not UTF-8 (byte 11 of the file); nothing was added: say how it is encoded, for \
         example with --encoding windows-1252, koi8-r or shift_jis"
    );
    let cut = gzip("<?xml version='1.0'?><a>".as_bytes());
    let message = refused(".xml.gz", &cut[..cut.len() - 12]);
    messages.keeps(&message);
}
