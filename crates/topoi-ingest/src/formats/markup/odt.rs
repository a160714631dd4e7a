//! Texts of LibreOffice and others that write OpenDocument: what is read in them, without comments and what was
//! deleted; title, author and date as the file says them.

use super::flow::Gap;
use super::package::Package;
use super::walk::{Named, Paragraphs, walk};
use crate::error::Reading;
use crate::formats::FormatDef;
use crate::formats::files::{File, Whole, of_files};

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
    ..of_files(read)
};

const SKIPPED: [&str; 4] = ["tracked-changes", "annotation", "note-citation", "sequence-decls"];
const GAPS: [(&str, Gap); 6] = [
    ("p", Gap::Paragraph),
    ("h", Gap::Paragraph),
    ("note", Gap::Space),
    ("s", Gap::Space),
    ("tab", Gap::Space),
    ("line-break", Gap::Line),
];

fn read(mut file: File<'_>) -> Reading<Whole> {
    let mut package = Package::open(&mut file, "ODT")?;
    let mut text = Paragraphs::new(Some("body"), &SKIPPED, &GAPS);
    package.part("content.xml", |part, place| walk(part, place, &mut text))?;
    let mut about = Named::new(&["title", "creator", "initial-creator", "date", "creation-date"]);
    if package.has("meta.xml") {
        package.part("meta.xml", |part, place| walk(part, place, &mut about))?;
    }
    Ok(Whole::new(text.flow.into_text())
        .titled(about.first(&["title"]))
        .with("author", about.first(&["initial-creator", "creator"]))
        .with("date", about.first(&["creation-date", "date"])))
}
