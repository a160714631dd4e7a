//! A figure that is laid out.

use std::borrow::Cow;
use std::fmt::Write;

use super::colour::{DARK_PAPER, FAINT_INK, INK, RULE};
use super::text::{cut, escaped, width};

/// The size of texts, in the units of figures.
pub(super) const TEXT: f64 = 13.0;
/// Of what is said beside.
pub(super) const SMALL: f64 = 11.0;
/// Of titles.
const TITLE: f64 = 16.0;
/// Room around everything.
pub(super) const EDGE: f64 = 14.0;

/// A figure as SVG.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    title: String,
    width: f64,
    height: f64,
    body: String,
}

/// How a text stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Font<'a> {
    pub(super) size: f64,
    /// `start`, `middle` or `end`.
    pub(super) anchor: &'a str,
    /// A colour of its own; otherwise that of texts, which follows the paper.
    pub(super) colour: Option<&'a str>,
    pub(super) is_faint: bool,
    pub(super) is_bold: bool,
    /// Degrees clockwise.
    pub(super) turned: f64,
    pub(super) room: f64,
}

impl Default for Font<'_> {
    fn default() -> Self {
        Self {
            size: TEXT,
            anchor: "start",
            colour: None,
            is_faint: false,
            is_bold: false,
            turned: 0.0,
            room: f64::INFINITY,
        }
    }
}

/// A length with one digit after the point at most, so that files stay short.
pub(super) fn n(length: f64) -> String {
    let told = format!("{length:.1}");
    let told = told.strip_suffix(".0").unwrap_or(&told);
    if told == "-0" { "0".into() } else { told.into() }
}

impl Figure {
    /// An empty one under its title.
    pub(super) fn new(title: &str, width: f64) -> Self {
        let mut figure = Self { title: title.into(), width, height: 0.0, body: String::new() };
        let room = width - 2.0 * EDGE;
        figure.text(
            (EDGE, EDGE + TITLE),
            title,
            Font { size: TITLE, is_bold: true, room, ..Font::default() },
        );
        figure
    }

    /// What stands above it.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Where what is below the title begins.
    pub(super) fn top(&self) -> f64 {
        if self.title.is_empty() { EDGE } else { EDGE + TITLE + 16.0 }
    }

    /// Says below what it shows how it is to be read, in lines that fit, and ends it there.
    pub(super) fn end(mut self, bottom: f64, note: &str) -> Self {
        let mut y = bottom;
        let mut line = String::new();
        let room = self.width - 2.0 * EDGE;
        let font = Font { size: SMALL, is_faint: true, room, ..Font::default() };
        for word in note.split_whitespace() {
            if !line.is_empty() && width(&line, SMALL) + width(word, SMALL) > room {
                y += SMALL + 5.0;
                self.text((EDGE, y), &std::mem::take(&mut line), font);
            }
            line += if line.is_empty() { "" } else { " " };
            line += word;
        }
        if !line.is_empty() {
            y += SMALL + 5.0;
            self.text((EDGE, y), &line, font);
        }
        self.height = y + EDGE;
        self
    }

    pub(super) fn text(&mut self, (x, y): (f64, f64), text: &str, font: Font<'_>) {
        if text.is_empty() {
            return;
        }
        let (class, usual) = if font.is_faint { ("faint", FAINT_INK) } else { ("ink", INK) };
        let fill = match font.colour {
            Some(colour) => format!("fill=\"{colour}\""),
            None => format!("class=\"{class}\" fill=\"{usual}\""),
        };
        let (x, y) = (n(x), n(y));
        let mut more = String::new();
        if font.anchor != "start" {
            let _ = write!(more, " text-anchor=\"{}\"", font.anchor);
        }
        if font.is_bold {
            more += " font-weight=\"600\"";
        }
        if font.turned != 0.0 {
            let _ = write!(more, " transform=\"rotate({} {x} {y})\"", n(font.turned));
        }
        let shown = cut(text, font.size, font.room);
        // What was cut can be read by pointing at it.
        let whole = match shown {
            Cow::Borrowed(_) => String::new(),
            Cow::Owned(_) => format!("<title>{}</title>", escaped(text)),
        };
        let shown = escaped(&shown);
        self.push(&format!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\" {fill}{more}>{shown}{whole}</text>",
            n(font.size)
        ));
    }

    pub(super) fn rule(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), width: f64) {
        let [x1, y1, x2, y2, width] = [x1, y1, x2, y2, width].map(n);
        self.push(&format!(
            "<line class=\"rule\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{RULE}\" \
             stroke-width=\"{width}\"/>"
        ));
    }

    /// A piece of SVG that is sound as it is.
    pub(super) fn push(&mut self, svg: &str) {
        self.body += svg;
        self.body.push('\n');
    }

    /// As a file of its own, on paper that is dark where the reader's screen is.
    pub fn file(&self) -> String {
        let (width, height) = (n(self.width), n(self.height));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" {}\
             <style>@media (prefers-color-scheme:dark){{.paper{{fill:{DARK_PAPER}}}\
             .ink{{fill:#e4e4e4}}.faint{{fill:#a8a8a8}}.rule{{stroke:#484848}}}}</style>\n\
             <rect class=\"paper\" width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n{}</svg>\n",
            self.head(),
            self.body
        )
    }

    /// As a part of a light page.
    pub fn inline(&self) -> String {
        format!("<svg {}{}</svg>\n", self.head(), self.body)
    }

    fn head(&self) -> String {
        format!(
            "viewBox=\"0 0 {} {}\" role=\"img\" font-family=\"system-ui,sans-serif\">\n\
             <title>{}</title>\n",
            n(self.width),
            n(self.height),
            escaped(&self.title)
        )
    }
}
