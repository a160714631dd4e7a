//! Generic XML: the text of all elements. An element begins a new line unless it is within text. TEI is
//! recognised by its root element.

use super::flow::{Flow, TextGap};
use super::html::declared_encoding;
use super::tei::Tei;
use super::walk::{Element, Visitor, walk};
use crate::error::{InputLocation, Reading};
use crate::formats::definition::FormatDef;
use crate::formats::files::{File, FileDocument, document_per_file};

pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "xml",
    help: "XML; of TEI the body, with title, author and date of its header",
    endings: &["xml", "tei"],
    has_signature: |source| {
        let head = source.head();
        let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
        Ok([&b"<?xml"[..], b"<TEI", b"<teiCorpus"].iter().any(|start| head.starts_with(start)))
    },
    ..document_per_file(read)
};

fn read(file: File<'_>) -> Reading<FileDocument> {
    let File { source, place, decoder, .. } = file;
    let declared = declared_encoding(&source).filter(|_| decoder.named.is_none());
    // UTF-16 has been converted to UTF-8 already, whatever is declared.
    let declared = declared.filter(|_| source.head().trim_ascii_start().starts_with(b"<"));
    let mut xml = Xml::default();
    match declared.filter(|declared| !declared.is_wide_or_utf8()) {
        Some(encoding) => walk(encoding.recoded(source), place, &mut xml)?,
        None => walk(source, place, &mut xml)?,
    }
    Ok(xml.into_document())
}

/// A file whose root element decides how it is read.
#[derive(Default)]
struct Xml {
    root: Option<Root>,
}

enum Root {
    Tei(Tei),
    Plain(Plain),
}

impl Root {
    fn visitor(&mut self) -> &mut dyn Visitor {
        match self {
            Self::Tei(tei) => tei,
            Self::Plain(plain) => plain,
        }
    }
}

impl Xml {
    fn into_document(self) -> FileDocument {
        match self.root {
            Some(Root::Tei(tei)) => tei.into_document(),
            Some(Root::Plain(plain)) => FileDocument::new(plain.flow.into_text()),
            None => FileDocument::new(String::new()),
        }
    }
}

impl Visitor for Xml {
    fn start(&mut self, element: &Element<'_>) {
        let root = self.root.get_or_insert_with(|| match element.name() {
            "TEI" | "TEI.2" | "teiCorpus" => Root::Tei(Tei::default()),
            _ => Root::Plain(Plain::default()),
        });
        root.visitor().start(element);
    }

    fn end(&mut self, name: &str) {
        if let Some(root) = &mut self.root {
            root.visitor().end(name);
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(root) = &mut self.root {
            root.visitor().text(text);
        }
    }

    fn check(&self, place: &InputLocation) -> Reading<()> {
        match &self.root {
            Some(Root::Tei(tei)) => tei.check(place),
            Some(Root::Plain(plain)) => plain.check(place),
            None => Ok(()),
        }
    }
}

/// XML of an unknown kind.
#[derive(Default)]
struct Plain {
    flow: Flow,
    /// For each open element: whether it is within text, and whether it has had text of its own.
    open: Vec<(bool, bool)>,
}

/// The gap around an element: a paragraph for those of DocBook, JATS and most others.
fn gap(name: &str) -> TextGap {
    match name {
        "p" | "para" | "title" | "sec" | "section" | "chapter" | "div" | "head" => {
            TextGap::Paragraph
        }
        _ => TextGap::Line,
    }
}

impl Visitor for Plain {
    fn start(&mut self, element: &Element<'_>) {
        let is_within = self.open.last().is_some_and(|&(_, has_text)| has_text);
        self.open.push((is_within, false));
        if !is_within {
            self.flow.gap(gap(element.name()));
        }
    }

    fn end(&mut self, name: &str) {
        if let Some((false, _)) = self.open.pop() {
            self.flow.gap(gap(name));
        }
    }

    fn text(&mut self, text: &str) {
        if let Some((_, has_text)) = self.open.last_mut() {
            *has_text |= !text.trim().is_empty();
            self.flow.words(text);
        }
    }

    fn check(&self, place: &InputLocation) -> Reading<()> {
        self.flow.check_length(place)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Reads a file with this content; the error has the line and the problem.
    pub(in super::super) fn whole(xml: &str) -> Result<FileDocument, String> {
        let place = InputLocation { file: "a.xml".into(), line: 0 };
        let mut visitor = Xml::default();
        let read = walk(xml.as_bytes(), &place, &mut visitor);
        read.map(|()| visitor.into_document()).map_err(|m| format!("{}: {}", m.place, m.problem))
    }

    #[test]
    fn elements_begin_lines_unless_they_stand_in_text() {
        let xml = "<?xml version='1.0'?>\n<!DOCTYPE a [<!ENTITY x 'y'>]>\n<a><b>one</b><b>two</b>\n\
                   <p>H<sub>2</sub>O &amp; caf&eacute; &#233;<![CDATA[ <raw>]]></p><c d='no'/></a>";
        assert_eq!(whole(xml).expect("XML").text, "one\ntwo\n\nH2O & café é <raw>");
    }

    #[test]
    fn each_fault_has_its_line() {
        let error = |xml: &str| whole(xml).map(|whole| whole.text).expect_err("a fault");
        assert_eq!(
            error("<a>\n<b>\n</a>"),
            "a.xml:3: not well-formed XML (ill-formed document: expected `</b>`, but `</a>` was found)"
        );
        assert_eq!(error("<a>\n<b>x"), "a.xml:2: the XML ends within an element");
        assert_eq!(error("words"), "a.xml:1: no XML: there is no element in it");
        assert_eq!(error(&"<a>".repeat(1001)), "a.xml:1: elements nested more than 1000 deep");
        let laughs = "<!DOCTYPE a [<!ENTITY b 'ha'><!ENTITY c '&b;&b;&b;'>]>\n<a>\n&c;</a>";
        let what = "the entity &c; is neither of XML nor of HTML, and entities are not expanded";
        assert_eq!(error(laughs), format!("a.xml:3: {what}"));
    }

    proptest::proptest! {
        #[test]
        fn no_xml_makes_reading_panic(xml in "(<(/?)(a|TEI|body|p|x:choice|sic|title)( b='c')?(/?)>|&(amp|x|#1|#x110000);|[a-z <&]{0,4}){0,20}") {
            let _ = whole(&xml);
        }
    }
}
