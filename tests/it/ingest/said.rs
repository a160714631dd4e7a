//! What `ingest` says of what it took files for, and the program that it asks about PDF.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::common::Home;

/// What a command prints on standard error, with this folder alone in the path, and whether it succeeded.
fn said(home: &Home, arguments: &[&str]) -> (bool, String) {
    let bin = home.path("bin");
    fs::create_dir_all(&bin).expect("a folder");
    let output = home.command(arguments).env("PATH", bin).output().expect("run");
    let text = String::from_utf8(output.stderr).expect("UTF-8");
    (
        output.status.success(),
        text.replace(&format!("{}/", home.path("").display()).replace("//", "/"), ""),
    )
}

#[test]
fn a_document_a_file_and_a_guessed_encoding_are_said_once() {
    let home = Home::new();
    for name in ["a.txt", "b.txt"] {
        home.file(name, b"caf\xe9 words\n");
    }
    let pattern = home.path("*.txt").display().to_string();
    let (_, text) = said(&home, &["ingest", "c", &pattern]);
    assert_eq!(
        text,
        "every file is a document; --format lines makes one of every line\n\
         not UTF-8 and read as Windows-1252: 2 documents; --encoding names another encoding\n"
    );
    let (_, text) =
        said(&home, &["ingest", "d", &pattern, "--format", "lines", "--encoding", "latin1"]);
    assert_eq!(text, "");
    let (ok, text) = said(&home, &["ingest", "e", &pattern, "--encoding", "utf-8"]);
    assert!(!ok && text.contains("a.txt: not UTF-8 (byte 4 of the file); nothing was added: give the --encoding that it has"), "{text}");
    let (ok, text) = said(&home, &["ingest", "e", &pattern, "--encoding", "klingon"]);
    assert!(!ok && text.contains("\"klingon\" is not an encoding"), "{text}");
}

#[test]
fn a_way_to_cut_that_no_text_has_is_said() {
    let home = Home::new();
    let poems = home
        .file("poems.csv", b"id,text\n1,\"roses are red\n\nviolets are blue\"\n2,sugar is sweet\n");
    let expected = |by: &str| {
        format!(
            "--chunk '{by}' found no place to cut in any text; --chunk 500 cuts after every 500 words\n"
        )
    };
    for by in ["words:400", "pages"] {
        let (ok, text) =
            said(&home, &["ingest", by.trim_end_matches(":400"), &poems, "--chunk", by]);
        assert!(ok && text.contains(&expected(by)), "{text}");
    }
    for by in ["paragraphs", "violets", "400"] {
        let (ok, text) = said(&home, &["ingest", &format!("by-{by}"), &poems, "--chunk", by]);
        assert!(ok && !text.contains("--chunk"), "{text}");
    }
}

#[test]
fn pdf_is_read_by_pdftotext_and_without_it_the_line_says_what_to_install() {
    let home = Home::new();
    let pdf = home.file("a.pdf", b"%PDF-1.4\n\0\0\0\0\0\0\0\0\0\0\0\0");
    let (ok, text) = said(&home, &["ingest", "c", &pdf]);
    let expected = "a.pdf: a PDF, which needs the program pdftotext, and that is not installed; nothing was added: install \
                    poppler-utils (`apt install poppler-utils`, `brew install poppler`), or convert it yourself\n";
    assert!(!ok && text.ends_with(expected), "{text}");
    let program = |script: &str| {
        let path = home.path("bin/pdftotext");
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("write");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("permissions");
    };
    program("echo 'Syntax Error: no trailer' >&2; exit 1");
    let (ok, text) = said(&home, &["ingest", "c", &pdf]);
    let expected =
        "a.pdf: a PDF that pdftotext cannot read (Syntax Error: no trailer); nothing was added: ";
    assert!(!ok && text.contains(expected), "{text}");
    program("printf '\\f'");
    let (ok, text) = said(&home, &["ingest", "c", &pdf]);
    assert!(
        !ok && text.contains("a.pdf: a PDF without text, such as scanned pages are; "),
        "{text}"
    );
    program("echo \"words of $4 $1 $2 $3\"");
    let (ok, text) = said(&home, &["ingest", "c", &pdf]);
    assert!(ok, "{text}");
    let found = home.succeeds(&["sql", "SELECT text FROM document_text", "-o", "csv"]);
    assert!(found.contains(&format!("words of {pdf} -q -enc UTF-8")), "{found}");
}
