//! A laid-out figure as SVG.

use std::borrow::Cow;
use std::fmt::Write;

use super::colour::{DARK_PAPER, FAINT_INK, INK, RULE};
use super::text::{cut, escaped, width};

/// Font size of texts, in SVG units.
pub(super) const TEXT: f64 = 13.0;
/// Font size of notes and tick labels of dense figures.
pub(super) const SMALL: f64 = 11.0;
/// Font size of titles.
const TITLE: f64 = 16.0;
/// Margin of the figure.
pub(super) const EDGE: f64 = 14.0;

/// A figure as SVG.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    title: String,
    width: f64,
    height: f64,
    body: String,
}

/// Style and position of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Font<'a> {
    pub(super) size: f64,
    /// `start`, `middle` or `end`.
    pub(super) anchor: &'a str,
    /// Fixed colour; `None` for the text colour, which follows light and dark mode.
    pub(super) colour: Option<&'a str>,
    pub(super) is_faint: bool,
    pub(super) is_bold: bool,
    /// Rotation in degrees, clockwise.
    pub(super) turned: f64,
    /// Maximum width; a longer text is cut.
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

/// A coordinate or length with at most one decimal, so that files stay short.
pub(super) fn coordinate(length: f64) -> String {
    let text = format!("{length:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".into() } else { text.into() }
}

impl Figure {
    /// An empty figure with its title.
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

    /// The title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Vertical position below the title.
    pub(super) fn top(&self) -> f64 {
        if self.title.is_empty() { EDGE } else { EDGE + TITLE + 16.0 }
    }

    /// Adds the wrapped note below `bottom` and fixes the height of the figure.
    pub(super) fn finish(mut self, bottom: f64, note: &str) -> Self {
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
        let (x, y) = (coordinate(x), coordinate(y));
        let mut more = String::new();
        if font.anchor != "start" {
            let _ = write!(more, " text-anchor=\"{}\"", font.anchor);
        }
        if font.is_bold {
            more += " font-weight=\"600\"";
        }
        if font.turned != 0.0 {
            let _ = write!(more, " transform=\"rotate({} {x} {y})\"", coordinate(font.turned));
        }
        let shown = cut(text, font.size, font.room);
        // The tooltip has the full text.
        let whole = match shown {
            Cow::Borrowed(_) => String::new(),
            Cow::Owned(_) => format!("<title>{}</title>", escaped(text)),
        };
        let shown = escaped(&shown);
        self.push(&format!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\" {fill}{more}>{shown}{whole}</text>",
            coordinate(font.size)
        ));
    }

    pub(super) fn rule(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), width: f64) {
        let [x1, y1, x2, y2, width] = [x1, y1, x2, y2, width].map(coordinate);
        self.push(&format!(
            "<line class=\"rule\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{RULE}\" \
             stroke-width=\"{width}\"/>"
        ));
    }

    /// Appends SVG, unescaped.
    pub(super) fn push(&mut self, svg: &str) {
        self.body += svg;
        self.body.push('\n');
    }

    /// A standalone SVG file that follows the reader's light or dark mode.
    pub fn file(&self) -> String {
        let (width, height) = (coordinate(self.width), coordinate(self.height));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" {}\
             <style>@media (prefers-color-scheme:dark){{.paper{{fill:{DARK_PAPER}}}\
             .ink{{fill:#e4e4e4}}.faint{{fill:#a8a8a8}}.rule{{stroke:#484848}}}}</style>\n\
             <rect class=\"paper\" width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n{}</svg>\n",
            self.head(),
            self.body
        )
    }

    /// An SVG element for a light page.
    pub fn inline(&self) -> String {
        format!("<svg {}{}</svg>\n", self.head(), self.body)
    }

    fn head(&self) -> String {
        format!(
            "viewBox=\"0 0 {} {}\" role=\"img\" font-family=\"system-ui,sans-serif\">\n\
             <title>{}</title>\n",
            coordinate(self.width),
            coordinate(self.height),
            escaped(&self.title)
        )
    }
}
