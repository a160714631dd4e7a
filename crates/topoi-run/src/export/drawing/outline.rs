//! A drawing of outlines only.

/// A part of an outline, in units of the SVG, y downwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Step {
    Move([f32; 2]),
    Line([f32; 2]),
    /// Two control points, and the end.
    Curve([[f32; 2]; 3]),
    Close,
}

/// Red, green, blue and opacity, from 0 to 1.
pub type Colour = [f32; 4];

/// The line along an outline.
#[derive(Debug, Clone, PartialEq)]
pub struct Stroke {
    pub colour: Colour,
    pub width: f32,
    /// Lengths of dashes and gaps; empty for none.
    pub dashes: Vec<f32>,
}

/// An outline, filled, drawn along, or both.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    pub steps: Vec<Step>,
    pub fill: Option<Colour>,
    pub stroke: Option<Stroke>,
}

/// A whole figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    pub title: String,
    pub width: f32,
    pub height: f32,
    /// From the lowest to the uppermost.
    pub shapes: Vec<Shape>,
}

/// A circle of four curves, which are off by less than a thousandth of the radius.
pub fn circle([x, y]: [f32; 2], radius: f32) -> Vec<Step> {
    let bend = 0.552_285 * radius;
    let at = |dx: f32, dy: f32| [x + dx, y + dy];
    let quarter = |end: [f32; 2], from: [f32; 2], to: [f32; 2]| Step::Curve([from, to, end]);
    vec![
        Step::Move(at(radius, 0.0)),
        quarter(at(0.0, radius), at(radius, bend), at(bend, radius)),
        quarter(at(-radius, 0.0), at(-bend, radius), at(-radius, bend)),
        quarter(at(0.0, -radius), at(-radius, -bend), at(-bend, -radius)),
        quarter(at(radius, 0.0), at(bend, -radius), at(radius, -bend)),
        Step::Close,
    ]
}

/// Straight lines from point to point.
pub fn polygon(points: &[[f32; 2]], is_closed: bool) -> Vec<Step> {
    let line = |(place, point): (usize, &[f32; 2])| match place {
        0 => Step::Move(*point),
        _ => Step::Line(*point),
    };
    let steps = points.iter().enumerate().map(line);
    steps.chain(is_closed.then_some(Step::Close)).collect()
}
