//! Word documents: the text of the body and its notes, without deleted text. Title, author and date come from
//! the document properties.

use super::flow::TextGap;
use super::package::Package;
use super::walk::{ElementTexts, Paragraphs, walk};
use crate::error::Reading;
use crate::formats::definition::FormatDef;
use crate::formats::files::{File, FileDocument, document_per_file};

pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "docx",
    help: "Word",
    endings: &["docx", "docm"],
    is_archive: true,
    has_signature: |source| {
        Ok(source.head().starts_with(b"PK")
            && memchr::memmem::find(source.head(), b"word/").is_some())
    },
    ..document_per_file(read)
};

/// Text boxes occur twice in a file, the second time as a fallback for old programs.
const SKIPPED: [&str; 1] = ["Fallback"];
const GAPS: [(&str, TextGap); 4] = [
    ("p", TextGap::Paragraph),
    ("br", TextGap::Line),
    ("cr", TextGap::Line),
    ("tab", TextGap::Space),
];

fn read(mut file: File<'_>) -> Reading<FileDocument> {
    let mut package = Package::open(&mut file, "DOCX")?;
    let mut text = Paragraphs::new(Some("t"), &SKIPPED, &GAPS);
    package.part("word/document.xml", |part, place| walk(part, place, &mut text))?;
    for notes in ["word/footnotes.xml", "word/endnotes.xml"] {
        if package.has(notes) {
            text.flow.gap(TextGap::Paragraph);
            package.part(notes, |part, place| walk(part, place, &mut text))?;
        }
    }
    let mut about = ElementTexts::new(&["title", "creator", "created"]);
    if package.has("docProps/core.xml") {
        package.part("docProps/core.xml", |part, place| walk(part, place, &mut about))?;
    }
    Ok(FileDocument::new(text.flow.into_text())
        .with_title(about.first(&["title"]))
        .with_field("author", about.all("creator"))
        .with_field("date", about.first(&["created"])))
}
