//! PDF, converted to text by `pdftotext` of Poppler if it is installed.

use std::io::Read;
use std::process::{Command, Stdio};

use super::{File, FileDocument, document_per_file};
use crate::error::{Mistake, Reading};
use crate::formats::definition::FormatDef;
use crate::source::MAX_DOCUMENT_BYTES;

pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "pdf",
    help: "PDF, where pdftotext (of poppler-utils) is installed",
    endings: &["pdf"],
    has_signature: |source| Ok(source.head().starts_with(b"%PDF-")),
    ..document_per_file(read)
};

const INSTALL: &str = "install poppler-utils (`apt install poppler-utils`, `brew install poppler`), or convert it yourself";

fn read(file: File<'_>) -> Reading<FileDocument> {
    let wrong = |problem: String, remedy: &'static str| {
        Mistake::document(file.place.clone(), problem, remedy)
    };
    let Some(path) = file.path.filter(|_| !file.source.is_compressed()) else {
        return Err(wrong(
            "a PDF that is compressed or comes from a pipe".into(),
            "name the PDF file itself",
        ));
    };
    // An absolute path cannot be taken for an option.
    let path = std::path::absolute(path).unwrap_or_else(|_| path.into());
    let program = Command::new("pdftotext")
        .args(["-q", "-enc", "UTF-8"])
        .arg(path)
        .arg("-")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut program = program.map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => wrong(
            "a PDF, which needs the program pdftotext, and that is not installed".into(),
            INSTALL,
        ),
        _ => wrong(format!("a PDF, and pdftotext cannot be started ({error})"), INSTALL),
    })?;
    let mut bytes = Vec::new();
    let most = MAX_DOCUMENT_BYTES as u64 + 1;
    let read = program.stdout.take().map_or(Ok(0), |out| out.take(most).read_to_end(&mut bytes));
    if bytes.len() > MAX_DOCUMENT_BYTES {
        // It may have ended already.
        let _ = program.kill();
    }
    let ended = program.wait_with_output();
    let ended = read
        .and(ended)
        .map_err(|error| wrong(format!("pdftotext cannot be read ({error})"), INSTALL))?;
    if bytes.len() > MAX_DOCUMENT_BYTES {
        let problem = format!("a document of more than {} MiB of text", MAX_DOCUMENT_BYTES >> 20);
        return Err(wrong(problem, "split it into several files"));
    }
    if !ended.status.success() {
        let said = String::from_utf8_lossy(&ended.stderr);
        let said = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("no reason given");
        let remedy = "open it in a viewer: it may be damaged, or have a password (`qpdf --decrypt` takes it off)";
        return Err(wrong(format!("a PDF that pdftotext cannot read ({})", said.trim()), remedy)
            .undecodable());
    }
    let text = file.decoder.decode(&bytes, file.place)?;
    if text.trim().is_empty() {
        let remedy = "recognise its letters first, for example with `ocrmypdf FILE FILE`";
        return Err(
            wrong("a PDF without text, such as scanned pages are".into(), remedy).undecodable()
        );
    }
    Ok(FileDocument::new(text.into_owned()))
}
