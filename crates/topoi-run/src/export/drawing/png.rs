//! PNG.

use tiny_skia::{
    Color, FillRule, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke as Line, StrokeDash,
    Transform,
};

use super::outline::{Colour, Drawing, Shape, Step};
use crate::export::error::ExportError;
use crate::number::count;

/// Pixels of a unit of the SVG: about 300 to the inch where a figure is 7.6 inches wide.
const PIXELS: f32 = 3.0;

/// The drawing as pixels on white.
pub fn written(drawing: &Drawing) -> Result<Vec<u8>, ExportError> {
    let pixels = |side: f32| u32::try_from(count((PIXELS * side).round().into())).unwrap_or(0);
    let failed = |why: &str| ExportError::NotAFigure(why.into());
    let pixmap = Pixmap::new(pixels(drawing.width), pixels(drawing.height));
    let mut pixmap = pixmap.ok_or_else(|| failed("it is too large for pixels"))?;
    pixmap.fill(Color::WHITE);
    for shape in &drawing.shapes {
        draw(&mut pixmap, shape);
    }
    pixmap.encode_png().map_err(|error| failed(&error.to_string()))
}

fn draw(pixmap: &mut Pixmap, Shape { steps, fill, stroke }: &Shape) {
    let Some(path) = path(steps) else { return };
    let scale = Transform::from_scale(PIXELS, PIXELS);
    if let Some(fill) = fill {
        pixmap.fill_path(&path, &paint(*fill), FillRule::Winding, scale, None);
    }
    if let Some(stroke) = stroke {
        let line = Line {
            width: stroke.width,
            line_join: LineJoin::Round,
            dash: StrokeDash::new(stroke.dashes.clone(), 0.0),
            ..Line::default()
        };
        pixmap.stroke_path(&path, &paint(stroke.colour), &line, scale, None);
    }
}

/// `None` for a path of nothing.
fn path(steps: &[Step]) -> Option<Path> {
    let mut path = PathBuilder::new();
    for step in steps {
        match *step {
            Step::Move([x, y]) => path.move_to(x, y),
            Step::Line([x, y]) => path.line_to(x, y),
            Step::Curve([[x1, y1], [x2, y2], [x, y]]) => path.cubic_to(x1, y1, x2, y2, x, y),
            Step::Close => path.close(),
        }
    }
    path.finish()
}

fn paint([red, green, blue, opacity]: Colour) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    let colour = Color::from_rgba(red, green, blue, opacity);
    paint.set_color(colour.unwrap_or(Color::BLACK));
    paint
}
