//! TEI, the markup of editions: the edited text of the bodies, and the header's title, authors and date.
//! Corrected and regularised readings are preferred; what was deleted, other witnesses' readings and running heads are left out. The date is that of creation, or else of the source, or
//! else of publication.

use super::flow::{Flow, TextGap};
use super::walk::{Element, Visitor};
use crate::error::{InputLocation, Reading};
use crate::formats::files::FileDocument;

/// A field of the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HeaderField {
    Title {
        is_main: bool,
    },
    Author,
    /// The larger, the closer to the writing of the text.
    Date(u8),
}

/// A TEI file that is being read.
#[derive(Default)]
pub(super) struct Tei {
    flow: Flow,
    /// Names of the open elements.
    open: Vec<String>,
    bodies: usize,
    headers: usize,
    /// Number of open elements at the start of the skipped element.
    skipped: Option<usize>,
    /// The current field of the header, the number of open elements at its start, and its text.
    piece: Option<(HeaderField, usize, Flow)>,
    title: Option<(bool, String)>,
    authors: Vec<String>,
    date: Option<(u8, String)>,
}

const INLINE: [&str; 34] = [
    "abbr",
    "add",
    "am",
    "app",
    "c",
    "choice",
    "corr",
    "date",
    "del",
    "distinct",
    "emph",
    "ex",
    "expan",
    "foreign",
    "g",
    "gap",
    "geogName",
    "hi",
    "lem",
    "mentioned",
    "name",
    "num",
    "orgName",
    "orig",
    "pc",
    "persName",
    "placeName",
    "ref",
    "rdg",
    "reg",
    "rs",
    "seg",
    "sic",
    "title",
];
/// Running heads, what was struck out, and readings of other witnesses.
const NOT_OF_THE_TEXT: [&str; 3] = ["fw", "del", "rdg"];
const SPACED: [&str; 9] = ["w", "fw", "note", "cb", "gb", "pb", "milestone", "q", "quote"];

fn gap(name: &str) -> TextGap {
    match name {
        "lb" | "cell" | "item" | "l" => TextGap::Line,
        _ if INLINE.contains(&name) || name == "subst" || name == "unclear" => TextGap::None,
        _ if SPACED.contains(&name) || name == "said" => TextGap::Space,
        _ => TextGap::Paragraph,
    }
}

impl Tei {
    pub(super) fn into_document(self) -> FileDocument {
        let authors = (!self.authors.is_empty()).then(|| self.authors.join("; "));
        FileDocument::new(self.flow.into_text())
            .with_title(self.title.map(|(_, title)| title))
            .with_field("author", authors)
            .with_field("date", self.date.map(|(_, date)| date))
    }

    /// The header field of an element whose ancestors are `open`.
    fn about(&self, element: &Element<'_>) -> Option<HeaderField> {
        let parent = self.open.last()?.as_str();
        let is_within = |name: &str| self.open.iter().any(|open| open == name);
        match (parent, element.name()) {
            ("titleStmt", "title") => {
                let is_main = element.attribute("type").is_none_or(|kind| kind == "main");
                Some(HeaderField::Title { is_main })
            }
            ("titleStmt", "author") => Some(HeaderField::Author),
            (_, "date") if is_within("creation") => Some(HeaderField::Date(3)),
            (_, "date") if is_within("sourceDesc") => Some(HeaderField::Date(2)),
            (_, "date") if is_within("publicationStmt") => Some(HeaderField::Date(1)),
            _ => None,
        }
    }

    fn take_piece(&mut self, about: HeaderField, text: String) {
        match about {
            HeaderField::Title { is_main }
                if self.title.as_ref().is_none_or(|(main, _)| is_main && !main) =>
            {
                self.title = Some((is_main, text));
            }
            HeaderField::Author if self.authors.len() < 100 => self.authors.push(text),
            HeaderField::Date(rank)
                if self.date.as_ref().is_none_or(|(before, _)| rank > *before) =>
            {
                self.date = Some((rank, text));
            }
            _ => {}
        }
    }
}

impl Visitor for Tei {
    fn start(&mut self, element: &Element<'_>) {
        let (name, depth) = (element.name(), self.open.len());
        let is_other_reading = matches!(name, "sic" | "orig" | "abbr")
            && self.open.last().is_some_and(|open| open == "choice");
        if self.skipped.is_none() && (is_other_reading || NOT_OF_THE_TEXT.contains(&name)) {
            self.skipped = Some(depth);
        }
        self.headers += usize::from(name == "teiHeader");
        self.bodies += usize::from(name == "body");
        if self.headers > 0
            && self.piece.is_none()
            && let Some(about) = self.about(element)
        {
            let mut flow = Flow::default();
            let when = element.attribute("when").filter(|_| matches!(about, HeaderField::Date(_)));
            if let Some(when) = when {
                self.take_piece(about, when);
            } else {
                flow.gap(TextGap::None);
                self.piece = Some((about, depth, flow));
            }
        }
        let breaks = element.attribute("break").is_none_or(|value| value != "no");
        if self.bodies > 0 && self.skipped.is_none() {
            match breaks {
                true => self.flow.gap(gap(name)),
                false => self.flow.continue_word(),
            }
        }
        self.open.push(name.into());
    }

    fn end(&mut self, name: &str) {
        self.open.pop();
        let depth = self.open.len();
        if self.skipped == Some(depth) {
            self.skipped = None;
        }
        self.headers -= usize::from(name == "teiHeader");
        if let Some((about, _, flow)) = self.piece.take_if(|(_, begun, _)| *begun == depth)
            && let Some(text) = flow.into_filled()
        {
            self.take_piece(about, text);
        }
        let is_empty = matches!(name, "lb" | "pb" | "cb" | "gb" | "milestone");
        if self.bodies > 0 && !is_empty {
            self.flow.gap(gap(name));
        }
        self.bodies -= usize::from(name == "body");
    }

    fn text(&mut self, text: &str) {
        if let Some((_, _, flow)) = &mut self.piece {
            flow.words(text);
        } else if self.bodies > 0 && self.headers == 0 && self.skipped.is_none() {
            self.flow.words(text);
        }
    }

    fn check(&self, place: &InputLocation) -> Reading<()> {
        self.flow.check_length(place)
    }
}

#[cfg(test)]
mod tests {
    use super::super::xml::tests::whole;

    #[test]
    fn the_body_is_the_text_and_the_header_says_title_author_and_date() {
        let xml = "<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader><fileDesc><titleStmt>\
            <title type='sub'>An edition</title><title>Pride &amp; Prejudice</title><author>Jane Austen</author>\
            <author><persName>Some <surname>Other</surname></persName></author></titleStmt>\
            <publicationStmt><date when='2011'/></publicationStmt>\
            <sourceDesc><bibl><date>28 January 1813</date></bibl></sourceDesc></fileDesc></teiHeader>\
            <text><front><p>front</p></front><body><div><head>Chapter 1</head><p><hi>I</hi>t is a truth \
            <choice><sic>univresally</sic><corr>universally</corr></choice> acknow-
            <lb break='no'/>ledged,<lb/>that\
            <note>a note</note> a <fw>running head</fw><del>struck</del> <app><lem>very</lem><rdg>most</rdg></app> <pb n='2'/>single man</p><lg><l>verse</l><l>two</l></lg>\
            <p><w>good</w><w>fortune</w><pc>.</pc></p></div></body><back>back</back></text></TEI>";
        let whole = whole(xml).expect("TEI");
        assert_eq!(whole.title.as_deref(), Some("Pride & Prejudice"));
        let fields = serde_json::Value::Object(whole.fields).to_string();
        assert_eq!(fields, r#"{"author":"Jane Austen; Some Other","date":"28 January 1813"}"#);
        let expected = "Chapter 1\n\nIt is a truth universally acknowledged,\nthat a note a very single man\n\nverse\ntwo\n\n\
                        good fortune .";
        assert_eq!(whole.text, expected);
    }

    #[test]
    fn a_corpus_of_several_texts_is_all_their_bodies() {
        let text =
            |word: &str| format!("<TEI><teiHeader/><text><body><p>{word}</p></body></text></TEI>");
        let xml = format!("<teiCorpus><teiHeader/>{}{}</teiCorpus>", text("one"), text("two"));
        assert_eq!(whole(&xml).expect("TEI").text, "one\n\ntwo");
    }
}
