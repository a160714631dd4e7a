//! OpenDocument texts of LibreOffice and others, without comments and deleted text. Title, author and date come
//! from the metadata.

use super::flow::TextGap;
use super::package::Package;
use super::walk::{ElementTexts, Paragraphs, walk};
use crate::error::Reading;
use crate::formats::definition::FormatDef;
use crate::formats::files::{File, FileDocument, document_per_file};

pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "odt",
    help: "OpenDocument text",
    endings: &["odt", "ott"],
    is_archive: true,
    has_signature: |source| {
        let kind = b"mimetypeapplication/vnd.oasis.opendocument.text";
        let head = source.head();
        Ok(head.starts_with(b"PK")
            && memchr::memmem::find(&head[..head.len().min(200)], kind).is_some())
    },
    ..document_per_file(read)
};

/// Ruby is the reading of the word below it.
const SKIPPED: [&str; 5] =
    ["tracked-changes", "annotation", "note-citation", "sequence-decls", "ruby-text"];
const GAPS: [(&str, TextGap); 6] = [
    ("p", TextGap::Paragraph),
    ("h", TextGap::Paragraph),
    ("note", TextGap::Space),
    ("s", TextGap::Space),
    ("tab", TextGap::Space),
    ("line-break", TextGap::Line),
];

fn read(mut file: File<'_>) -> Reading<FileDocument> {
    let mut package = Package::open(&mut file, "ODT")?;
    let mut text = Paragraphs::new(Some("body"), &SKIPPED, &GAPS);
    package.part("content.xml", |part, place| walk(part, place, &mut text))?;
    let mut about =
        ElementTexts::new(&["title", "creator", "initial-creator", "date", "creation-date"]);
    if package.has("meta.xml") {
        package.part("meta.xml", |part, place| walk(part, place, &mut about))?;
    }
    Ok(FileDocument::new(text.flow.into_text())
        .with_title(about.first(&["title"]))
        .with_field("author", about.first(&["initial-creator", "creator"]))
        .with_field("created", about.first(&["creation-date", "date"])))
}
