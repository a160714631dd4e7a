//! Reads the SVG that figures are written as.

use std::collections::BTreeSet;

use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::fonts::{Fonts, Text};
use super::outline::{Colour, Drawing, Shape, Step, Stroke, circle, polygon};
use crate::export::error::ExportError;

/// Letters that are named where a font lacks them.
const NAMED: usize = 5;
/// Largest width and height.
const MAX_SIDE: f32 = 20_000.0;

/// What is read so far.
struct Reading<'f> {
    fonts: &'f Fonts,
    drawing: Drawing,
    missing: BTreeSet<char>,
    /// Elements that are open, the innermost last.
    open: Vec<Element>,
}

/// An element with the text in it.
#[derive(Debug, Default)]
struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    letters: String,
}

/// The figure as a drawing.
///
/// # Errors
/// [`ExportError::NotAFigure`] if it is other SVG than figures are written as, [`ExportError::LettersWithoutFont`].
pub fn drawing(svg: &str, fonts: &Fonts) -> Result<Drawing, ExportError> {
    let drawing = Drawing { title: String::new(), width: 0.0, height: 0.0, shapes: Vec::new() };
    let mut reading = Reading { fonts, drawing, missing: BTreeSet::new(), open: Vec::new() };
    let mut reader = Reader::from_str(svg);
    loop {
        match reader.read_event().map_err(|error| not_a_figure(&error))? {
            Event::Eof => break,
            Event::Start(tag) => {
                let element = Element::read(&tag)?;
                reading.begin(&element)?;
                reading.open.push(element);
            }
            Event::Empty(tag) => reading.begin(&Element::read(&tag)?)?,
            Event::End(_) => reading.end()?,
            Event::Text(text) => reading.add(&text),
            Event::GeneralRef(name) => {
                let number = name.resolve_char_ref().map_err(|error| not_a_figure(&error))?;
                match number {
                    Some(letter) => reading.add(letter.encode_utf8(&mut [0; 4])),
                    None => reading.add(resolve_xml_entity(&name).unwrap_or_default()),
                }
            }
            _ => {}
        }
    }
    let Reading { drawing, missing, .. } = reading;
    if !missing.is_empty() {
        let first: Vec<String> = missing.iter().take(NAMED).map(char::to_string).collect();
        let (letters, count) = (first.join(" "), missing.len());
        return Err(ExportError::LettersWithoutFont { letters, count });
    }
    let is_side = |side: &f32| (1.0..=MAX_SIDE).contains(side);
    match [drawing.width, drawing.height].iter().all(is_side) {
        true => Ok(drawing),
        false => Err(ExportError::NotAFigure("it has no size".into())),
    }
}

fn not_a_figure(why: &impl ToString) -> ExportError {
    ExportError::NotAFigure(why.to_string())
}

impl Reading<'_> {
    /// Adds text to the innermost element.
    fn add(&mut self, letters: &str) {
        if let Some(element) = self.open.last_mut() {
            element.letters.push_str(letters);
        }
    }

    /// Draws what an element is as it begins.
    fn begin(&mut self, element: &Element) -> Result<(), ExportError> {
        let number = |name: &str| element.number(name);
        let steps = match element.name.as_str() {
            "svg" => {
                let sides: Vec<f32> = element.numbers("viewBox")?;
                let [_, _, width, height] = sides[..] else {
                    return Err(ExportError::NotAFigure("it has no size".into()));
                };
                (self.drawing.width, self.drawing.height) = (width, height);
                return Ok(());
            }
            "rect" => {
                let (x, y) = (number("x")?, number("y")?);
                let (right, bottom) = (x + number("width")?, y + number("height")?);
                polygon(&[[x, y], [right, y], [right, bottom], [x, bottom]], true)
            }
            "line" => {
                let ends = [[number("x1")?, number("y1")?], [number("x2")?, number("y2")?]];
                polygon(&ends, false)
            }
            "circle" => circle([number("cx")?, number("cy")?], number("r")?),
            "polygon" | "polyline" => {
                let numbers = element.numbers("points")?;
                let points: Vec<[f32; 2]> =
                    numbers.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
                polygon(&points, element.name == "polygon")
            }
            "path" => element.path()?,
            "title" | "text" | "style" => return Ok(()),
            other => return Err(ExportError::NotAFigure(format!("it has a {other:?}"))),
        };
        let (fill, stroke) = (element.fill()?, element.stroke()?);
        self.drawing.shapes.push(Shape { steps, fill, stroke });
        Ok(())
    }

    /// Draws what an element is as it ends.
    fn end(&mut self) -> Result<(), ExportError> {
        let Some(element) = self.open.pop() else { return Ok(()) };
        match (element.name.as_str(), self.open.last()) {
            ("title", Some(of)) if of.name == "svg" => self.drawing.title = element.letters,
            ("text", _) => self.text(&element)?,
            _ => {}
        }
        Ok(())
    }

    fn text(&mut self, element: &Element) -> Result<(), ExportError> {
        let size = element.number("font-size")?;
        let is_bold = element.attribute("font-weight").is_some();
        let text = Text { letters: &element.letters, size, is_bold };
        let outline = self.fonts.outline(text, &mut self.missing);
        let left = match element.attribute("text-anchor") {
            Some("middle") => -outline.width / 2.0,
            Some("end") => -outline.width,
            _ => 0.0,
        };
        let (x, y) = (element.number("x")?, element.number("y")?);
        let (sine, cosine) = element.turned()?.to_radians().sin_cos();
        let place = |[dx, dy]: [f32; 2]| {
            let dx = dx + left;
            [x + cosine * dx - sine * dy, y + sine * dx + cosine * dy]
        };
        let placed = |step: Step| match step {
            Step::Move(end) => Step::Move(place(end)),
            Step::Line(end) => Step::Line(place(end)),
            Step::Curve(points) => Step::Curve(points.map(place)),
            Step::Close => Step::Close,
        };
        let steps = outline.steps.into_iter().map(placed).collect();
        self.drawing.shapes.push(Shape { steps, fill: element.fill()?, stroke: None });
        Ok(())
    }
}

impl Element {
    fn read(tag: &BytesStart<'_>) -> Result<Self, ExportError> {
        let name = tag.name().as_ref().to_string();
        let mut attributes = Vec::new();
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|error| not_a_figure(&error))?;
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            let value = value.map_err(|error| not_a_figure(&error))?;
            attributes.push((attribute.key.as_ref().to_string(), value.into_owned()));
        }
        Ok(Self { name, attributes, letters: String::new() })
    }

    fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// A number; 0 where there is none.
    fn number(&self, name: &str) -> Result<f32, ExportError> {
        self.attribute(name).map_or(Ok(0.0), finite)
    }

    fn number_or(&self, name: &str, usual: f32) -> Result<f32, ExportError> {
        self.attribute(name).map_or(Ok(usual), finite)
    }

    fn numbers(&self, name: &str) -> Result<Vec<f32>, ExportError> {
        let text = self.attribute(name).unwrap_or_default();
        text.split([' ', ',']).filter(|number| !number.is_empty()).map(finite).collect()
    }

    /// The steps of `M` and `L` of a path.
    fn path(&self) -> Result<Vec<Step>, ExportError> {
        let text = self.attribute("d").unwrap_or_default();
        let mut steps = Vec::new();
        for part in text.split_inclusive(['M', 'L']).collect::<Vec<_>>().windows(2) {
            let numbers = part[1].trim_end_matches(['M', 'L']).split_whitespace();
            let numbers = numbers.map(finite).collect::<Result<Vec<f32>, _>>()?;
            let [x, y] = numbers[..] else {
                return Err(ExportError::NotAFigure(format!("it has a path {text:?}")));
            };
            steps.push(if part[0].ends_with('M') {
                Step::Move([x, y])
            } else {
                Step::Line([x, y])
            });
        }
        Ok(steps)
    }

    fn fill(&self) -> Result<Option<Colour>, ExportError> {
        match self.attribute("fill") {
            Some("none") => Ok(None),
            None if self.attribute("stroke").is_some() => Ok(None),
            colour => self.colour(colour.unwrap_or("#000000"), "fill-opacity").map(Some),
        }
    }

    fn stroke(&self) -> Result<Option<Stroke>, ExportError> {
        let Some(colour) = self.attribute("stroke") else { return Ok(None) };
        let colour = self.colour(colour, "stroke-opacity")?;
        let width = self.number_or("stroke-width", 1.0)?;
        Ok(Some(Stroke { colour, width, dashes: self.numbers("stroke-dasharray")? }))
    }

    /// A colour such as `#0072b2`.
    fn colour(&self, colour: &str, opacity: &str) -> Result<Colour, ExportError> {
        let part = |at: usize| {
            let digits = colour.strip_prefix('#').filter(|digits| digits.len() == 6)?;
            u8::from_str_radix(digits.get(at..at + 2)?, 16).ok()
        };
        let (Some(red), Some(green), Some(blue)) = (part(0), part(2), part(4)) else {
            return Err(ExportError::NotAFigure(format!("it has a colour {colour:?}")));
        };
        let [red, green, blue] = [red, green, blue].map(|part| f32::from(part) / 255.0);
        Ok([red, green, blue, self.number_or(opacity, 1.0)?.clamp(0.0, 1.0)])
    }

    /// Degrees that a text is turned by around its place, clockwise.
    fn turned(&self) -> Result<f32, ExportError> {
        let Some(turn) = self.attribute("transform") else { return Ok(0.0) };
        let inner = turn.strip_prefix("rotate(").and_then(|rest| rest.strip_suffix(')'));
        finite(inner.and_then(|inner| inner.split(' ').next()).unwrap_or(turn))
    }
}

fn finite(text: &str) -> Result<f32, ExportError> {
    let number = text.parse::<f32>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| ExportError::NotAFigure(format!("it has a number {text:?}")))
}
