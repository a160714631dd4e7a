//! Web pages: their title, and their text without scripts, styles and navigation. The tokenizer follows the
//! HTML standard, so no page that browsers display is refused.

use std::borrow::Cow;

use html5gum::emitters::default::{DefaultEmitter, StartTag};
use html5gum::{HtmlString, Token, Tokenizer};

use super::flow::{Flow, TextGap};
use crate::error::{InputLocation, Reading};
use crate::formats::definition::FormatDef;
use crate::formats::files::{File, FileDocument, document_per_file};
use crate::source::Source;
use crate::source::encoding::{Decoder, Encoding};

pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "html",
    help: "web pages",
    endings: &["html", "htm", "xhtml", "xht"],
    has_signature: |source| Ok(is_page(source.head())),
    ..document_per_file(read)
};

/// Whether a file begins as a page does, after comments and an XML declaration.
fn is_page(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    let begins =
        |start: &[u8]| head.get(..start.len()).is_some_and(|s| s.eq_ignore_ascii_case(start));
    if begins(b"<!doctype html") || begins(b"<html") {
        return true;
    }
    let small = head.to_ascii_lowercase();
    let has = |what: &[u8]| memchr::memmem::find(&small, what).is_some();
    (begins(b"<?xml") || begins(b"<!--")) && (has(b"<!doctype html") || has(b"<html"))
}

fn read(mut file: File<'_>) -> Reading<FileDocument> {
    let (decoder, place) = (file.decoder, file.place);
    let is_xhtml = file.source.head().trim_ascii_start().starts_with(b"<?xml");
    let declared = declared_encoding(&file.source).filter(|_| decoder.named.is_none());
    let bytes = file.source.read_rest()?;
    let html = as_declared(bytes, declared, &decoder, place)?;
    let (mut flow, mut page) = (Flow::default(), Page::default());
    page.read_into(&mut flow, &html, is_xhtml);
    Ok(FileDocument::new(flow.into_text()).with_title(page.title.into_filled()))
}

/// The encoding that a page declares within its first bytes.
pub(super) fn declared_encoding(source: &Source) -> Option<Encoding> {
    let head = source.head();
    let small = head[..head.len().min(2048)].to_ascii_lowercase();
    let value = |name: &[u8]| {
        let rest = &small[memchr::memmem::find(&small, name)? + name.len()..];
        let rest = rest.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
        let rest = rest.strip_prefix(b"\"").or_else(|| rest.strip_prefix(b"'")).unwrap_or(rest);
        let end = rest.iter().position(|byte| b"\"' />;?".contains(byte)).unwrap_or(rest.len());
        Encoding::from_label(&rest[..end])
    };
    let of_xml =
        || small.trim_ascii_start().starts_with(b"<?xml").then(|| value(b"encoding")).flatten();
    of_xml().or_else(|| value(b"charset"))
}

/// Decodes the bytes. A declared encoding is used unless they are valid UTF-8.
fn as_declared<'t>(
    bytes: &'t [u8],
    declared: Option<Encoding>,
    decoder: &Decoder<'_>,
    place: &InputLocation,
) -> Reading<Cow<'t, str>> {
    match declared.filter(|declared| !declared.is_utf8()) {
        Some(declared) if std::str::from_utf8(bytes).is_err() => {
            let text = declared.decoded(bytes).map(Cow::Owned);
            text.map_or_else(|| decoder.decode(bytes, place), Ok)
        }
        _ => decoder.decode(bytes, place),
    }
}

const SKIPPED: [&[u8]; 14] = [
    b"script",
    b"style",
    b"nav",
    b"template",
    b"noscript",
    b"svg",
    b"iframe",
    b"object",
    b"canvas",
    b"select",
    b"textarea",
    b"audio",
    b"video",
    b"datalist",
];
const VOID: [&[u8]; 14] = [
    b"area", b"base", b"br", b"col", b"embed", b"hr", b"img", b"input", b"link", b"meta", b"param",
    b"source", b"track", b"wbr",
];
/// Inline elements, which leave no gap.
const INLINE: [&[u8]; 42] = [
    b"a", b"abbr", b"acronym", b"b", b"bdi", b"bdo", b"big", b"cite", b"code", b"data", b"del",
    b"dfn", b"em", b"font", b"i", b"img", b"ins", b"kbd", b"label", b"link", b"mark", b"meta",
    b"output", b"q", b"rp", b"rt", b"ruby", b"s", b"samp", b"small", b"span", b"strike", b"strong",
    b"sub", b"sup", b"time", b"tt", b"u", b"var", b"wbr", b"nobr", b"picture",
];
const LINES: [&[u8]; 7] = [b"br", b"li", b"dt", b"dd", b"tr", b"option", b"caption"];
const CELLS: [&[u8]; 4] = [b"td", b"th", b"button", b"input"];
/// Elements that end a skipped element which was left open.
const FRESH: [&[u8]; 3] = [b"body", b"main", b"article"];

fn gap(name: &[u8]) -> TextGap {
    let is_in = |names: &[&[u8]]| names.contains(&name);
    match name {
        _ if is_in(&INLINE) => TextGap::None,
        _ if is_in(&LINES) => TextGap::Line,
        _ if is_in(&CELLS) => TextGap::Space,
        _ => TextGap::Paragraph,
    }
}

/// A page that is being read.
#[derive(Default)]
pub(super) struct Page {
    pub(super) title: Flow,
    in_title: bool,
    /// The skipped element, and its nesting depth within itself.
    skipped: Option<(Vec<u8>, usize)>,
    preformatted: usize,
}

impl Page {
    /// Adds the text of a page. In XHTML, `<script/>` is closed and `<title>` is not special.
    pub(super) fn read_into(&mut self, flow: &mut Flow, html: &str, is_xhtml: bool) {
        let mut emitter = DefaultEmitter::default();
        emitter.naively_switch_states(!is_xhtml);
        for token in Tokenizer::new_with_emitter(html, emitter).flatten() {
            match token {
                Token::StartTag(tag) => self.start(flow, &tag, is_xhtml),
                Token::EndTag(tag) => self.end(flow, &tag.name),
                Token::String(text) => self.text(flow, &text),
                _ => {}
            }
        }
    }

    fn start(&mut self, flow: &mut Flow, tag: &StartTag<()>, is_xhtml: bool) {
        let name: &[u8] = &tag.name;
        let is_closed = tag.self_closing && (is_xhtml || name == b"svg") || VOID.contains(&name);
        if let Some((skipped, depth)) = &mut self.skipped {
            if FRESH.contains(&name) {
                self.skipped = None;
            } else {
                *depth += usize::from(skipped == name && !is_closed);
                return;
            }
        }
        if SKIPPED.contains(&name) {
            self.skipped = (!is_closed).then(|| (name.to_vec(), 1));
            return;
        }
        self.in_title = name == b"title" && !is_closed;
        self.preformatted += usize::from(name == b"pre" && !is_closed);
        flow.gap(gap(name));
    }

    fn end(&mut self, flow: &mut Flow, name: &[u8]) {
        if let Some((skipped, depth)) = &mut self.skipped {
            *depth -= usize::from(skipped == name);
            if *depth == 0 {
                self.skipped = None;
                flow.gap(TextGap::Space);
            }
            return;
        }
        self.in_title &= name != b"title";
        self.preformatted -= usize::from(name == b"pre" && self.preformatted > 0);
        flow.gap(gap(name));
    }

    fn text(&mut self, flow: &mut Flow, text: &HtmlString) {
        let text = String::from_utf8_lossy(text);
        match (&self.skipped, self.in_title, self.preformatted) {
            (Some(_), ..) => {}
            (None, true, _) => self.title.words(&text),
            (None, false, 0) => flow.words(&text),
            (None, false, _) => flow.verbatim(&text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(html: &str, is_xhtml: bool) -> (Option<String>, String) {
        let (mut flow, mut page) = (Flow::default(), Page::default());
        page.read_into(&mut flow, html, is_xhtml);
        (page.title.into_filled(), flow.into_text())
    }

    fn text(html: &str) -> String {
        page(html, false).1
    }

    #[test]
    fn what_is_read_on_a_page_is_its_text() {
        let html = "<!DOCTYPE html><html><head><title>A &amp; B</title><style>p {color: red}</style>\
            <script>if (a < b) { x('</p>') }</script></head><body><nav><a href=/>Home</a><nav>x</nav> y</nav>\
            <h1>Head</h1><p>Some <b>bold</b>ness,&nbsp;caf&eacute;&#33;<br>and more<p>next\n  para\
            <ul><li>one<li>two</ul><table><tr><td>a<td>b<tr><td>c</table><pre>x\n  y</pre>end<!-- no -->.</body></html>";
        let expected = "Head\n\nSome boldness, café!\nand more\n\nnext para\n\none\ntwo\n\na b\nc\n\nx\n  y\n\nend.";
        assert_eq!(page(html, false), (Some("A & B".into()), expected.into()));
    }

    #[test]
    fn an_element_that_is_left_open_does_not_take_the_text_with_it() {
        assert_eq!(text("<nav>menu <main>words</main>"), "words");
        assert_eq!(text("a <svg/> b <svg><title>c</title></svg> d"), "a b d");
        assert_eq!(text("</nav></pre></title>words"), "words");
        assert_eq!(text("<pre><pre>x</pre>"), "x");
    }

    #[test]
    fn elements_of_xhtml_close_themselves() {
        let html =
            "<html><head><title/><script src='x'/></head><body><p>words <i/>here</p></body></html>";
        assert_eq!(page(html, true), (None, "words here".into()));
    }

    #[test]
    fn pages_are_told_by_how_they_begin() {
        for html in [
            "<!doctype HTML>",
            " \n<HTML lang=en>",
            "<?xml version='1.0'?>\n<!DOCTYPE html>",
            "<!-- a --><html>",
        ] {
            assert!(is_page(html.as_bytes()), "{html}");
        }
        for other in ["<?xml version='1.0'?><TEI>", "text with <html>", "", "<!--"] {
            assert!(!is_page(other.as_bytes()), "{other}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_page_makes_reading_panic(html in "(<(/?)(p|pre|nav|svg|title|main|script|br)( /)?>|[a-z &;\"]{0,4}){0,20}", is_xhtml: bool) {
            page(&html, is_xhtml);
        }
    }
}
