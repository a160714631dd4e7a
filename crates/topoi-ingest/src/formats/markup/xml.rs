//! XML that is not of a kind known better: the text of all elements. An element begins a line of its own unless it
//! stands within text. TEI is told by its root and read as such.

use super::flow::{Flow, Gap};
use super::html::declared_encoding;
use super::tei::Tei;
use super::walk::{Element, Visitor, walk};
use crate::error::{Place, Reading};
use crate::formats::FormatDef;
use crate::formats::files::{File, Whole, of_files};

pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "xml",
    help: "XML; of TEI the body, with title, author and date of its header",
    endings: &["xml", "tei"],
    has_signature: |source| {
        let head = source.head();
        let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
        Ok([&b"<?xml"[..], b"<TEI", b"<teiCorpus"].iter().any(|start| head.starts_with(start)))
    },
    ..of_files(read)
};

fn read(file: File<'_>) -> Reading<Whole> {
    let File { source, place, decoder, .. } = file;
    let declared = declared_encoding(&source).filter(|_| decoder.named.is_none());
    // UTF-16 is UTF-8 by now, whatever it says.
    let declared = declared.filter(|_| source.head().trim_ascii_start().starts_with(b"<"));
    let mut xml = Xml::default();
    match declared.filter(|declared| !declared.is_wide_or_utf8()) {
        Some(encoding) => walk(encoding.recoded(source), place, &mut xml)?,
        None => walk(source, place, &mut xml)?,
    }
    Ok(xml.into_whole())
}

/// A file of which the first element tells the kind.
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
    fn into_whole(self) -> Whole {
        match self.root {
            Some(Root::Tei(tei)) => tei.into_whole(),
            Some(Root::Plain(plain)) => Whole::new(plain.flow.into_text()),
            None => Whole::new(String::new()),
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

    fn check(&self, place: &Place) -> Reading<()> {
        match &self.root {
            Some(Root::Tei(tei)) => tei.check(place),
            Some(Root::Plain(plain)) => plain.check(place),
            None => Ok(()),
        }
    }
}

/// XML of no known kind.
#[derive(Default)]
struct Plain {
    flow: Flow,
    /// Of each open element: whether it stands within text, and whether text of its own was in it so far.
    open: Vec<(bool, bool)>,
}

/// What is a paragraph in DocBook, JATS and most others.
fn gap(name: &str) -> Gap {
    match name {
        "p" | "para" | "title" | "sec" | "section" | "chapter" | "div" | "head" => Gap::Paragraph,
        _ => Gap::Line,
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

    fn check(&self, place: &Place) -> Reading<()> {
        self.flow.check_length(place)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A file of this content, or the line and what is wrong there.
    pub(in super::super) fn whole(xml: &str) -> Result<Whole, String> {
        let place = Place { file: "a.xml".into(), line: 0 };
        let mut visitor = Xml::default();
        let read = walk(xml.as_bytes(), &place, &mut visitor);
        read.map(|()| visitor.into_whole()).map_err(|m| format!("{}: {}", m.place, m.problem))
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
