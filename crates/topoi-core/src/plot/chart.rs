//! Points with intervals and lines with bands, of several series, on linear and logarithmic axes.

use std::fmt::Write;

use super::axis::{Axis, Ruler};
use super::colour::SERIES;
use super::figure::{EDGE, Figure, Font, TEXT, coordinate};
use super::text::{cut, escaped, width};

/// Width of the figure.
const WIDTH: f64 = 760.0;
/// Height of the area between the axes.
const HEIGHT: f64 = 340.0;
/// Dash patterns by series.
const DASHES: [&str; 6] = ["", "7 4", "2 3", "9 3 2 3", "12 4", "4 2"];

/// A point with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mark {
    /// Value on the horizontal axis.
    pub x: f64,
    /// Value on the vertical axis.
    pub y: f64,
    /// The ends of its interval on the vertical axis.
    pub interval: Option<(f64, f64)>,
}

impl Mark {
    /// A point without an interval.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y, interval: None }
    }

    /// The same point with an interval.
    pub fn between(self, low: f64, high: f64) -> Self {
        Self { interval: Some((low, high)), ..self }
    }
}

/// Points and a line of one colour and one name.
#[derive(Debug, Clone, Default)]
pub struct Series {
    /// Name in the legend; empty for no entry.
    pub name: String,
    /// Points, with error bars where they have intervals.
    pub marks: Vec<Mark>,
    /// A line, with a band where it has intervals, in the order of x.
    pub line: Vec<Mark>,
}

/// The data of the figure.
#[derive(Debug, Clone, Default)]
pub struct Chart {
    /// Title above the figure.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The first is drawn on top.
    pub series: Vec<Series>,
    /// Note below the figure on how to read it.
    pub note: String,
}

/// The rectangle between the axes.
struct Frame {
    left: f64,
    top: f64,
    x: Ruler,
    y: Ruler,
}

impl Frame {
    fn right(&self) -> f64 {
        WIDTH - EDGE - 10.0
    }

    fn bottom(&self) -> f64 {
        self.top + HEIGHT
    }

    fn across(&self, x: f64) -> Option<f64> {
        Some(self.left + self.x.at(x)? * (self.right() - self.left))
    }

    fn down(&self, y: f64) -> Option<f64> {
        Some(self.bottom() - self.y.at(y)? * HEIGHT)
    }
}

impl Chart {
    /// Lays out the figure.
    pub fn figure(&self) -> Figure {
        let mut figure = Figure::new(&self.title, WIDTH);
        let top = self.legend(&mut figure);
        let all = || self.series.iter().flat_map(|one| one.marks.iter().chain(&one.line));
        let x = Ruler::around(&self.x, all().map(|mark| mark.x));
        let tall = all().flat_map(|mark| {
            let (low, high) = mark.interval.unwrap_or((mark.y, mark.y));
            [mark.y, low, high]
        });
        let y = Ruler::around(&self.y, tall);
        let ticks = y.ticks(&self.y, 6);
        let widest = ticks.iter().map(|(_, name)| width(name, TEXT)).fold(0.0, f64::max).min(200.0);
        let label = if self.y.label.is_empty() { 0.0 } else { TEXT + 10.0 };
        let frame = Frame { left: EDGE + label + widest + 8.0, top, x, y };
        self.axes(&mut figure, &frame, &ticks);
        for (number, series) in self.series.iter().enumerate().rev() {
            draw(&mut figure, &frame, self, (number, series));
        }
        figure.finish(frame.bottom() + 48.0, &self.note)
    }

    /// Draws the legend in rows; returns its lower edge.
    fn legend(&self, figure: &mut Figure) -> f64 {
        let (mut x, mut y) = (EDGE, figure.top());
        let named: Vec<(usize, &Series)> =
            self.series.iter().enumerate().filter(|(_, one)| !one.name.is_empty()).collect();
        for (number, series) in &named {
            let room = (WIDTH - 2.0 * EDGE - 40.0).min(340.0);
            let needed = 34.0 + width(&cut(&series.name, TEXT, room), TEXT) + 16.0;
            if x > EDGE && x + needed > WIDTH - EDGE {
                (x, y) = (EDGE, y + TEXT + 8.0);
            }
            let middle = y + TEXT / 2.0;
            if !series.line.is_empty() {
                let (x, y, end) = (coordinate(x), coordinate(middle), coordinate(x + 26.0));
                let stroke = stroke(*number);
                figure.push(&format!(
                    "<line x1=\"{x}\" y1=\"{y}\" x2=\"{end}\" y2=\"{y}\" {stroke}/>"
                ));
            }
            if !series.marks.is_empty() {
                figure.push(&shape(*number, (x + 13.0, middle), ""));
            }
            figure.text((x + 34.0, middle + 4.5), &series.name, Font { room, ..Font::default() });
            x += needed;
        }
        if named.is_empty() { y } else { y + TEXT + 18.0 }
    }

    fn axes(&self, figure: &mut Figure, frame: &Frame, down: &[(f64, String)]) {
        let (left, right, bottom) = (frame.left, frame.right(), frame.bottom());
        for (value, name) in down {
            let Some(y) = frame.down(*value) else { continue };
            figure.rule((left, y), (right, y), if *value == 0.0 { 2.0 } else { 1.0 });
            let font = Font { anchor: "end", room: 200.0, ..Font::default() };
            figure.text((left - 8.0, y + 4.5), name, font);
        }
        let longest = self.x.names.iter().map(|(_, name)| width(name, TEXT)).fold(50.0, f64::max);
        let fits = ((right - left) / (longest.min(200.0) + 18.0)).max(1.0) as usize;
        for (value, name) in frame.x.ticks(&self.x, fits.min(12)) {
            let Some(x) = frame.across(value) else { continue };
            figure.rule((x, frame.top), (x, bottom + 5.0), 1.0);
            let font = Font { anchor: "middle", room: 200.0, ..Font::default() };
            figure.text((x, bottom + 20.0), &name, font);
        }
        let label =
            Font { anchor: "middle", is_faint: true, room: right - left, ..Font::default() };
        figure.text(((left + right) / 2.0, bottom + 42.0), &self.x.label, label);
        let turned = Font { turned: -90.0, room: HEIGHT, ..label };
        figure.text((EDGE + TEXT - 2.0, frame.top + HEIGHT / 2.0), &self.y.label, turned);
    }
}

fn draw(figure: &mut Figure, frame: &Frame, chart: &Chart, (number, series): (usize, &Series)) {
    let colour = SERIES[number % SERIES.len()];
    let place = |x: f64, y: f64| Some((frame.across(x)?, frame.down(y)?));
    let (mut above, mut below) = (Vec::new(), Vec::new());
    for mark in &series.line {
        let Some((low, high)) = mark.interval else { continue };
        if let (Some(high), Some(low)) = (place(mark.x, high), place(mark.x, low)) {
            above.push(high);
            below.push(low);
        }
    }
    if above.len() > 1 {
        above.extend(below.into_iter().rev());
        figure.push(&format!(
            "<polygon points=\"{}\" fill=\"{colour}\" fill-opacity=\".18\"/>",
            points(&above)
        ));
    }
    let line: Vec<(f64, f64)> =
        series.line.iter().filter_map(|mark| place(mark.x, mark.y)).collect();
    if !line.is_empty() {
        figure.push(&format!("<polyline points=\"{}\" {}/>", points(&line), stroke(number)));
    }
    for mark in &series.marks {
        let Some((x, y)) = place(mark.x, mark.y) else { continue };
        let mut tip = match series.name.as_str() {
            "" => String::new(),
            name => format!("{name}: "),
        };
        let _ = write!(tip, "{}, {}", chart.x.format_value(mark.x), chart.y.format_value(mark.y));
        if let Some((low, high)) = mark.interval {
            let _ =
                write!(tip, " ({} to {})", chart.y.format_value(low), chart.y.format_value(high));
            if let (Some(low), Some(high)) = (frame.down(low), frame.down(high)) {
                figure.push(&whisker(colour, [(x, low), (x, high)], (4.0, 0.0)));
            }
        }
        figure.push(&shape(number, (x, y), &tip));
    }
}

/// A line from end to end with a stroke across both, half as long as `half`.
pub(super) fn whisker(colour: &str, ends: [(f64, f64); 2], half: (f64, f64)) -> String {
    let mut path = format!(
        "M{} {}L{} {}",
        coordinate(ends[0].0),
        coordinate(ends[0].1),
        coordinate(ends[1].0),
        coordinate(ends[1].1)
    );
    for (x, y) in ends {
        let (from, to) = ((x - half.0, y - half.1), (x + half.0, y + half.1));
        let _ = write!(
            path,
            "M{} {}L{} {}",
            coordinate(from.0),
            coordinate(from.1),
            coordinate(to.0),
            coordinate(to.1)
        );
    }
    format!("<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.4\"/>")
}

fn points(places: &[(f64, f64)]) -> String {
    places
        .iter()
        .map(|(x, y)| format!("{},{}", coordinate(*x), coordinate(*y)))
        .collect::<Vec<_>>()
        .join(" ")
}

/// SVG attributes of the line of a series.
fn stroke(number: usize) -> String {
    let dashes = match DASHES[number % DASHES.len()] {
        "" => String::new(),
        dashes => format!(" stroke-dasharray=\"{dashes}\""),
    };
    format!(
        "fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-linejoin=\"round\"{dashes}",
        SERIES[number % SERIES.len()]
    )
}

/// The mark of a series; each series has its own shape.
fn shape(number: usize, (x, y): (f64, f64), tip: &str) -> String {
    let colour = SERIES[number % SERIES.len()];
    let corners = |corners: &[(f64, f64)]| {
        let at: Vec<(f64, f64)> = corners.iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
        format!("<polygon points=\"{}\" fill=\"{colour}\"", points(&at))
    };
    let open = match number % SERIES.len() {
        0 => format!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"4\" fill=\"{colour}\"",
            coordinate(x),
            coordinate(y)
        ),
        1 => corners(&[(-3.6, -3.6), (3.6, -3.6), (3.6, 3.6), (-3.6, 3.6)]),
        2 => corners(&[(0.0, -5.0), (4.6, 3.6), (-4.6, 3.6)]),
        3 => corners(&[(0.0, -5.2), (5.2, 0.0), (0.0, 5.2), (-5.2, 0.0)]),
        4 => corners(&[(0.0, 5.0), (4.6, -3.6), (-4.6, -3.6)]),
        _ => format!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"3.6\" fill=\"none\" stroke=\"{colour}\" \
             stroke-width=\"2\"",
            coordinate(x),
            coordinate(y)
        ),
    };
    let shape = open.split(' ').next().unwrap_or_default()[1..].to_string();
    match tip {
        "" => format!("{open}/>"),
        tip => format!("{open}><title>{}</title></{shape}>", escaped(tip)),
    }
}
