//! Figures as PDF and PNG.

use topoi_core::plot::axis::Axis;
use topoi_core::plot::chart::{Chart, Mark, Series};

use super::fonts::Fonts;
use super::outline::Step;
use super::{FigureFormat, svg};
use crate::export::error::ExportError;
use strum::VariantArray;

/// Lines with bands and marks of six series, whose names have letters that XML escapes.
fn chart(name: &str) -> String {
    let marks = |of: usize| {
        let mark = |at: usize| {
            let (x, y) = (at as f64, (of + at % 3) as f64);
            Mark::new(x, y).between(y - 0.5, y + 0.5)
        };
        (0..8).map(mark).collect::<Vec<Mark>>()
    };
    let series =
        |of: usize| Series { name: format!("{name} {of}"), marks: marks(of), line: marks(of) };
    let x = Axis { label: "year".into(), ..Axis::default() };
    let chart = Chart {
        title: format!("Shares of {name}"),
        x,
        y: Axis { label: "share, turned".into(), ..Axis::default() },
        series: (0..7).map(series).collect(),
        note: "95% intervals".into(),
    };
    chart.figure().file()
}

#[test]
fn what_is_drawn_is_where_the_svg_says() {
    let figure = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 200 100\"><title>A &amp; b</title>\
        <rect x=\"10\" y=\"20\" width=\"30\" height=\"5\" fill=\"#ff0000\" fill-opacity=\".5\"><title>tip</title></rect>\
        <line x1=\"1\" y1=\"2\" x2=\"3\" y2=\"4\" stroke=\"#00ff00\" stroke-width=\"2\"/>\
        <path d=\"M1 2L3.5 4M-5 6L7 8\" fill=\"none\" stroke=\"#000000\"/>\
        <text x=\"100\" y=\"50\" font-size=\"20\" text-anchor=\"middle\" fill=\"#222222\">HH<title>HHHH</title></text>\
        </svg>";
    let drawing = svg::drawing(figure, &Fonts::default()).expect("a drawing");
    assert_eq!((drawing.title.as_str(), drawing.width, drawing.height), ("A & b", 200.0, 100.0));
    let [rect, line, path, text] = &drawing.shapes[..] else { panic!("{drawing:?}") };
    assert_eq!(rect.steps[2], Step::Line([40.0, 25.0]));
    assert_eq!((rect.fill, rect.stroke.is_none()), (Some([1.0, 0.0, 0.0, 0.5]), true));
    assert_eq!(line.steps, [Step::Move([1.0, 2.0]), Step::Line([3.0, 4.0])]);
    assert_eq!((line.fill, line.stroke.as_ref().map(|it| it.width)), (None, Some(2.0)));
    assert_eq!(path.steps[2..], [Step::Move([-5.0, 6.0]), Step::Line([7.0, 8.0])]);
    let across: Vec<f32> = text.steps.iter().filter_map(end).map(|end| end[0]).collect();
    let (left, right) = ends(&across);
    assert!((left + right - 200.0).abs() < 0.5 && right - left > 20.0, "{left} {right}");
    let (top, bottom) =
        ends(&text.steps.iter().filter_map(end).map(|end| end[1]).collect::<Vec<_>>());
    // The height of a capital letter of Open Sans is 1462 of 2048.
    assert!((bottom - 50.0).abs() < 0.01 && (top - (50.0 - 20.0 * 1462.0 / 2048.0)).abs() < 0.01);
}

fn end(step: &Step) -> Option<[f32; 2]> {
    match *step {
        Step::Move(end) | Step::Line(end) | Step::Curve([_, _, end]) => Some(end),
        Step::Close => None,
    }
}

fn ends(values: &[f32]) -> (f32, f32) {
    (
        values.iter().copied().fold(f32::MAX, f32::min),
        values.iter().copied().fold(f32::MIN, f32::max),
    )
}

#[test]
fn every_figure_is_a_file_of_every_format_and_the_same_to_the_bit() {
    let figure = chart("Sport & <games> naïve Ωμέγα Москва");
    for (format, begins) in FigureFormat::VARIANTS.iter().zip([&b"<svg"[..], b"%PDF-", b"\x89PNG"])
    {
        let bytes = |_| format.bytes(&figure, &Fonts::default()).expect("bytes");
        let [one, other] = [0, 1].map(bytes);
        assert!(one.starts_with(begins) && one.len() > 5_000, "{format:?}: {}", one.len());
        assert!(one == other);
    }
}

#[test]
fn pixels_have_the_colours_of_the_figure() {
    let figure = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 20 10\">\
        <rect x=\"0\" y=\"0\" width=\"10\" height=\"10\" fill=\"#0072b2\"/></svg>";
    let bytes = FigureFormat::Png.bytes(figure, &Fonts::default()).expect("bytes");
    let pixels = tiny_skia::Pixmap::decode_png(&bytes).expect("a picture");
    assert_eq!((pixels.width(), pixels.height()), (60, 30));
    let at = |x, y| pixels.pixel(x, y).map(|it| [it.red(), it.green(), it.blue()]);
    assert_eq!(at(15, 15), Some([0x00, 0x72, 0xb2]));
    assert_eq!(at(45, 15), Some([255, 255, 255]));
}

#[test]
fn letters_that_the_font_lacks_are_named() {
    let error = FigureFormat::Pdf.bytes(&chart("主題"), &Fonts::default()).expect_err("no letters");
    let ExportError::LettersWithoutFont { letters, count } = error else { panic!("{error}") };
    assert_eq!((letters.as_str(), count), ("主 題", 2));
    assert!(FigureFormat::Svg.bytes(&chart("主題"), &Fonts::default()).is_ok());
}

#[test]
fn other_svg_and_other_endings_are_refused() {
    let wrong = [
        "",
        "<svg",
        "<svg viewBox=\"0 0 1e9 10\"/>",
        "<svg viewBox=\"0 0 10 10\"><image/></svg>",
        "<svg viewBox=\"0 0 10 10\"><rect width=\"nan\"/></svg>",
        "<svg viewBox=\"0 0 10 10\"><rect width=\"1\" height=\"1\" fill=\"url(#a)\"/></svg>",
        "<svg viewBox=\"0 0 10 10\"><path d=\"M1 2Q3 4 5 6\"/></svg>",
    ];
    for figure in wrong {
        let read = FigureFormat::Png.bytes(figure, &Fonts::default());
        assert!(matches!(read, Err(ExportError::NotAFigure(_))), "{figure}: {read:?}");
    }
    let of = |path: &str| FigureFormat::from_path(path.as_ref()).ok();
    assert_eq!(["a", "a.SVG", "a.pdf", "a.b.png"].map(of), {
        [FigureFormat::Svg, FigureFormat::Svg, FigureFormat::Pdf, FigureFormat::Png].map(Some)
    });
    assert_eq!(["a.jpg", "a.pdf.gz"].map(of), [None, None]);
}
