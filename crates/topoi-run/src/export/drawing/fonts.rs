//! The fonts of figures: texts as outlines.

use std::collections::BTreeSet;
use std::path::Path;

use ttf_parser::{Face, GlyphId, OutlineBuilder};

use super::outline::Step;
use crate::export::error::ExportError;

const REGULAR: &[u8] = include_bytes!("../../../fonts/OpenSans-Regular.ttf");
const BOLD: &[u8] = include_bytes!("../../../fonts/OpenSans-Semibold.ttf");

/// Maximum bytes of a font's file.
const MAX_BYTES: u64 = 256 << 20;

/// The fonts that letters are taken from: a font of the user's, then those of the program.
#[derive(Debug, Default)]
pub struct Fonts {
    own: Option<Vec<u8>>,
}

/// A text of one line.
#[derive(Debug, Clone, Copy)]
pub struct Text<'t> {
    pub letters: &'t str,
    pub size: f32,
    pub is_bold: bool,
}

/// Outlines of a text, from the left end of its base line at (0, 0).
#[derive(Debug, Default)]
pub struct TextOutline {
    pub steps: Vec<Step>,
    pub width: f32,
}

impl Fonts {
    /// Takes letters from the TrueType or OpenType font at `path` first; of a collection its first font.
    ///
    /// # Errors
    /// [`ExportError::NotAFont`].
    pub fn with_file(path: &Path) -> Result<Self, ExportError> {
        let refused = |why: String| ExportError::NotAFont { path: path.into(), why };
        let size = std::fs::metadata(path).map_err(|error| refused(error.to_string()))?.len();
        if size > MAX_BYTES {
            return Err(refused(format!("it has {size} bytes")));
        }
        let bytes = std::fs::read(path).map_err(|error| refused(error.to_string()))?;
        Face::parse(&bytes, 0).map_err(|error| refused(error.to_string()))?;
        Ok(Self { own: Some(bytes) })
    }

    /// The outlines of a text; letters that no font has are added to `missing`.
    pub fn outline(&self, text: Text<'_>, missing: &mut BTreeSet<char>) -> TextOutline {
        let usual = if text.is_bold { BOLD } else { REGULAR };
        let data = self.own.as_deref().into_iter().chain([usual]);
        let faces: Vec<Face<'_>> = data.filter_map(|data| Face::parse(data, 0).ok()).collect();
        let mut outline = TextOutline::default();
        for letter in text.letters.chars() {
            let of_face = |face| Some((face, Face::glyph_index(face, letter)?));
            match faces.iter().find_map(of_face) {
                Some((face, glyph)) => outline.add(face, glyph, text.size),
                // Marks that join or steer letters have no shape of their own.
                None if letter.is_control() || is_invisible(letter) => {}
                None => _ = missing.insert(letter),
            }
        }
        outline
    }
}

fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

impl TextOutline {
    fn add(&mut self, face: &Face<'_>, glyph: GlyphId, size: f32) {
        let scale = size / f32::from(face.units_per_em());
        let mut pen = Pen { steps: &mut self.steps, scale, left: self.width, last: [0.0, 0.0] };
        face.outline_glyph(glyph, &mut pen);
        self.width += scale * f32::from(face.glyph_hor_advance(glyph).unwrap_or(0));
    }
}

/// Adds the outline of a glyph.
struct Pen<'s> {
    steps: &'s mut Vec<Step>,
    scale: f32,
    left: f32,
    last: [f32; 2],
}

impl Pen<'_> {
    fn at(&self, x: f32, y: f32) -> [f32; 2] {
        [self.left + self.scale * x, -self.scale * y]
    }

    fn add(&mut self, step: Step, end: [f32; 2]) {
        self.steps.push(step);
        self.last = end;
    }
}

impl OutlineBuilder for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let end = self.at(x, y);
        self.add(Step::Move(end), end);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let end = self.at(x, y);
        self.add(Step::Line(end), end);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (bend, end, from) = (self.at(x1, y1), self.at(x, y), self.last);
        let towards = |one: [f32; 2]| [0, 1].map(|at| one[at] + 2.0 / 3.0 * (bend[at] - one[at]));
        self.add(Step::Curve([towards(from), towards(end), end]), end);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let end = self.at(x, y);
        self.add(Step::Curve([self.at(x1, y1), self.at(x2, y2), end]), end);
    }

    fn close(&mut self) {
        self.steps.push(Step::Close);
    }
}
