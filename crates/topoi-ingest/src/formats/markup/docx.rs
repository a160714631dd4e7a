//! Word documents: the text of the body and its notes, without deleted text. Title, author and date come from
//! the document properties.

use super::flow::TextGap;
use super::package::Package;
use super::walk::{Element, ElementTexts, Paragraphs, Visitor, walk};
use crate::error::{InputLocation, Reading};
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

/// Text boxes occur twice in a file, the second time as a fallback for old programs; what was moved stands at both places;
/// ruby is the reading of the word below it.
const SKIPPED: [&str; 3] = ["Fallback", "moveFrom", "rt"];
const GAPS: [(&str, TextGap); 4] = [
    ("p", TextGap::Paragraph),
    ("br", TextGap::Line),
    ("cr", TextGap::Line),
    ("tab", TextGap::Space),
];

fn read(mut file: File<'_>) -> Reading<FileDocument> {
    let mut package = Package::open(&mut file, "DOCX")?;
    let mut text = Paragraphs::new(Some("t"), &SKIPPED, &GAPS).with_hyphen("noBreakHyphen");
    let body = main_part(&mut package)?;
    package.part(&body, |part, place| walk(part, place, &mut text))?;
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
        .with_field("created", about.first(&["created"])))
}

/// The part with the body: the one that the relationships of the package name, as programs call it as they like.
fn main_part(package: &mut Package<'_>) -> Reading<String> {
    const USUAL: &str = "word/document.xml";
    if package.has(USUAL) || !package.has("_rels/.rels") {
        return Ok(USUAL.into());
    }
    let mut found = Relationships::default();
    package.part("_rels/.rels", |part, place| walk(part, place, &mut found))?;
    let target = found.document.unwrap_or_else(|| USUAL.into());
    Ok(target.trim_start_matches('/').to_string())
}

/// Finds the target of the relationship to the main document.
#[derive(Default)]
struct Relationships {
    document: Option<String>,
}

impl Visitor for Relationships {
    fn start(&mut self, element: &Element<'_>) {
        let is_document = |kind: &str| kind.ends_with("/officeDocument");
        if element.attribute("Type").is_some_and(|kind| is_document(&kind)) {
            self.document = element.attribute("Target").map(|target| target.to_string());
        }
    }

    fn end(&mut self, _name: &str) {}

    fn text(&mut self, _text: &str) {}

    fn check(&self, _place: &InputLocation) -> Reading<()> {
        Ok(())
    }
}
