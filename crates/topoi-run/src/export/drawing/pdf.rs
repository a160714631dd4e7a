//! PDF.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::LineJoinStyle;
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, TextStr};

use super::outline::{Drawing, Shape, Step};
use crate::export::error::ExportError;

/// Points of a unit of the SVG, which is a 96th of an inch.
const POINTS: f32 = 0.75;

/// How opaque what is filled and what is drawn along are, from 0 to 1.
type Opacity = (f32, f32);

/// The drawing as a file of one page.
pub fn written(drawing: &Drawing) -> Result<Vec<u8>, ExportError> {
    let [catalog, pages, page, contents, information] = [1, 2, 3, 4, 5].map(Ref::new);
    let state_ref = |place: usize| Ref::new(6 + i32::try_from(place).unwrap_or(i32::MAX - 6));
    let mut content = Content::new();
    content.transform([POINTS, 0.0, 0.0, -POINTS, 0.0, POINTS * drawing.height]);
    content.set_line_join(LineJoinStyle::RoundJoin);
    let mut opacities: Vec<Opacity> = Vec::new();
    for shape in &drawing.shapes {
        let opacity = opacity(shape);
        let place = opacities.iter().position(|other| *other == opacity).unwrap_or_else(|| {
            opacities.push(opacity);
            opacities.len() - 1
        });
        content.set_parameters(Name(state_name(place).as_bytes()));
        draw(&mut content, shape);
    }
    let packed = packed(&content.finish())?;
    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(pages);
    pdf.pages(pages).kids([page]).count(1);
    let mut about = pdf.page(page);
    about.media_box(Rect::new(0.0, 0.0, POINTS * drawing.width, POINTS * drawing.height));
    about.parent(pages).contents(contents);
    let mut resources = about.resources();
    let mut states = resources.ext_g_states();
    for place in 0..opacities.len() {
        states.pair(Name(state_name(place).as_bytes()), state_ref(place));
    }
    states.finish();
    resources.finish();
    about.finish();
    for (place, (fill, stroke)) in opacities.into_iter().enumerate() {
        let mut state = pdf.ext_graphics(state_ref(place));
        state.non_stroking_alpha(fill).stroking_alpha(stroke);
    }
    pdf.stream(contents, &packed).filter(Filter::FlateDecode);
    pdf.document_info(information).title(TextStr(&drawing.title)).producer(TextStr("topoi"));
    Ok(pdf.finish())
}

fn state_name(place: usize) -> String {
    format!("g{place}")
}

fn opacity(shape: &Shape) -> Opacity {
    let [fill, stroke] = [shape.fill, shape.stroke.as_ref().map(|stroke| stroke.colour)]
        .map(|colour| colour.map_or(1.0, |[_, _, _, opacity]| opacity));
    (fill, stroke)
}

fn draw(content: &mut Content, Shape { steps, fill, stroke }: &Shape) {
    if let Some([red, green, blue, _]) = *fill {
        content.set_fill_rgb(red, green, blue);
    }
    if let Some(stroke) = stroke {
        let [red, green, blue, _] = stroke.colour;
        content.set_stroke_rgb(red, green, blue).set_line_width(stroke.width);
        content.set_dash_pattern(stroke.dashes.iter().copied(), 0.0);
    }
    for step in steps {
        match *step {
            Step::Move([x, y]) => content.move_to(x, y),
            Step::Line([x, y]) => content.line_to(x, y),
            Step::Curve([[x1, y1], [x2, y2], [x, y]]) => content.cubic_to(x1, y1, x2, y2, x, y),
            Step::Close => content.close_path(),
        };
    }
    match (fill, stroke) {
        (Some(_), Some(_)) => content.fill_nonzero_and_stroke(),
        (Some(_), None) => content.fill_nonzero(),
        (None, Some(_)) => content.stroke(),
        (None, None) => content.end_path(),
    };
}

/// Compressed, as the filter of a stream says.
fn packed(bytes: &[u8]) -> Result<Vec<u8>, ExportError> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    let packed = encoder.write_all(bytes).and_then(|()| encoder.finish());
    packed.map_err(|error| ExportError::NotAFigure(error.to_string()))
}
