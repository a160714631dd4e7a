//! Documents of Word: the text of the body and of its notes, without what was deleted; title, author and date as
//! the file's properties say them.

use super::flow::Gap;
use super::package::Package;
use super::walk::{Named, Paragraphs, walk};
use crate::error::Reading;
use crate::formats::FormatDef;
use crate::formats::files::{File, Whole, of_files};

pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "docx",
    help: "Word",
    endings: &["docx", "docm"],
    is_archive: true,
    has_signature: |source| {
        Ok(source.head().starts_with(b"PK")
            && memchr::memmem::find(source.head(), b"word/").is_some())
    },
    ..of_files(read)
};

/// Text boxes stand in a file twice, the second time for programs that do not know the first.
const SKIPPED: [&str; 1] = ["Fallback"];
const GAPS: [(&str, Gap); 4] =
    [("p", Gap::Paragraph), ("br", Gap::Line), ("cr", Gap::Line), ("tab", Gap::Space)];

fn read(mut file: File<'_>) -> Reading<Whole> {
    let mut package = Package::open(&mut file, "DOCX")?;
    let mut text = Paragraphs::new(Some("t"), &SKIPPED, &GAPS);
    package.part("word/document.xml", |part, place| walk(part, place, &mut text))?;
    for notes in ["word/footnotes.xml", "word/endnotes.xml"] {
        if package.has(notes) {
            text.flow.gap(Gap::Paragraph);
            package.part(notes, |part, place| walk(part, place, &mut text))?;
        }
    }
    let mut about = Named::new(&["title", "creator", "created"]);
    if package.has("docProps/core.xml") {
        package.part("docProps/core.xml", |part, place| walk(part, place, &mut about))?;
    }
    Ok(Whole::new(text.flow.into_text())
        .titled(about.first(&["title"]))
        .with("author", about.all("creator"))
        .with("date", about.first(&["created"])))
}
