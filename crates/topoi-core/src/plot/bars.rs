//! Horizontal bars, or points, with intervals; one per line.

use super::axis::{Axis, Ruler};
use super::chart::whisker;
use super::colour::SERIES;
use super::figure::{EDGE, Figure, Font, SMALL, TEXT, coordinate};
use super::text::{escaped, width};

const WIDTH: f64 = 760.0;
/// Maximum width of the names.
const NAMES: f64 = 300.0;
/// Width reserved for the value printed after a bar.
const VALUE: f64 = 54.0;

/// A line of the figure.
#[derive(Debug, Clone, Default)]
pub struct Bar {
    /// The name to its left.
    pub name: String,
    /// Small text below the name.
    pub detail: String,
    /// Its length.
    pub value: f64,
    /// The ends of its interval.
    pub interval: Option<(f64, f64)>,
}

/// The data of the figure.
#[derive(Debug, Clone, Default)]
pub struct Bars {
    /// Title above the figure.
    pub title: String,
    /// The axis of the values.
    pub x: Axis,
    /// From top to bottom.
    pub bars: Vec<Bar>,
    /// Points in place of bars, for values that may be negative.
    pub are_points: bool,
    /// Note below the figure on how to read it.
    pub note: String,
}

impl Bars {
    /// Lays out the figure.
    pub fn figure(&self) -> Figure {
        let mut figure = Figure::new(&self.title, WIDTH);
        let values = self.bars.iter().flat_map(|bar| {
            let (low, high) = bar.interval.unwrap_or((bar.value, bar.value));
            [bar.value, low, high]
        });
        let axis = Axis { has_zero: true, ..self.x.clone() };
        let ruler = Ruler::around(&axis, values);
        let names =
            self.bars.iter().map(|bar| width(&bar.name, TEXT).max(width(&bar.detail, SMALL)));
        let left = EDGE + names.fold(0.0, f64::max).min(NAMES) + 10.0;
        let right = WIDTH - EDGE - VALUE;
        let across = |value: f64| Some(left + ruler.at(value)? * (right - left));
        let has_details = self.bars.iter().any(|bar| !bar.detail.is_empty());
        let step = if has_details { 38.0 } else { 24.0 };
        let top = figure.top();
        let bottom = top + step * self.bars.len() as f64;
        for (value, name) in ruler.ticks(&axis, 6) {
            let Some(x) = across(value) else { continue };
            figure.rule((x, top), (x, bottom + 5.0), if value == 0.0 { 2.0 } else { 1.0 });
            figure.text((x, bottom + 20.0), &name, Font { anchor: "middle", ..Font::default() });
        }
        let middle = (left + right) / 2.0;
        let faint =
            Font { anchor: "middle", is_faint: true, room: right - left, ..Font::default() };
        figure.text((middle, bottom + 42.0), &self.x.label, faint);
        for (number, bar) in self.bars.iter().enumerate() {
            self.line(&mut figure, bar, (left, top + step * (number as f64 + 0.5)), &across);
        }
        let below = if self.x.label.is_empty() { 24.0 } else { 46.0 };
        figure.finish(bottom + below, &self.note)
    }

    fn line(
        &self,
        figure: &mut Figure,
        bar: &Bar,
        (left, y): (f64, f64),
        across: &impl Fn(f64) -> Option<f64>,
    ) {
        let end = Font { anchor: "end", room: NAMES, ..Font::default() };
        let raised = if bar.detail.is_empty() { 4.5 } else { -2.0 };
        figure.text((left - 10.0, y + raised), &bar.name, end);
        let small = Font { size: SMALL, is_faint: true, ..end };
        figure.text((left - 10.0, y + 12.0), &bar.detail, small);
        let (Some(zero), Some(x)) = (across(0.0), across(bar.value)) else { return };
        let colour = SERIES[0];
        let mut tip = format!("{}: {}", bar.name, self.x.format_value(bar.value));
        let mut furthest = x.max(zero);
        let interval = bar.interval.and_then(|(low, high)| Some((across(low)?, across(high)?)));
        if let Some(((low, high), (from, to))) = bar.interval.zip(interval) {
            tip += &format!(" ({} to {})", self.x.format_value(low), self.x.format_value(high));
            furthest = furthest.max(to);
            if self.are_points {
                figure.push(&whisker(colour, [(from, y), (to, y)], (0.0, 4.0)));
            }
        }
        let tip = escaped(&tip);
        figure.push(&if self.are_points {
            let (x, y) = (coordinate(x), coordinate(y));
            format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"4.5\" fill=\"{colour}\"><title>{tip}</title></circle>")
        } else {
            format!(
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"14\" fill=\"{colour}\" \
                 fill-opacity=\".55\"><title>{tip}</title></rect>",
                coordinate(x.min(zero)),
                coordinate(y - 7.0),
                coordinate((x - zero).abs())
            )
        });
        if let Some((from, to)) = interval.filter(|_| !self.are_points) {
            figure.push(&whisker(colour, [(from, y), (to, y)], (0.0, 4.0)));
        }
        let small = Font { size: SMALL, is_faint: true, ..Font::default() };
        figure.text((furthest + 8.0, y + 4.0), &self.x.format_value(bar.value), small);
    }
}
