//! Charts: lines of points between an axis at the left and one below.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use topoi_core::numbers::four_digits;

use super::dots::DotCanvas;
use super::parts;
use crate::tui::view::look::Appearance;
use crate::tui::view::text;

/// Cells for the numbers at the left.
const NUMBERS: u16 = 11;

#[derive(Debug, Clone, Default)]
pub struct Chart<'a> {
    /// Points from left to right, joined by lines.
    pub points: Vec<(f64, f64)>,
    /// Points of a second line.
    pub other: Vec<(f64, f64)>,
    /// A dotted area around a line, from left to right: x, lowest y, highest y.
    pub band: Vec<(f64, f64, f64)>,
    /// Vertical strokes, such as intervals: x, lowest y, highest y.
    pub spans: Vec<(f64, f64, f64)>,
    /// Names below the horizontal axis.
    pub names: Vec<(f64, String)>,
    /// Marked points: x, y, and the letter drawn.
    pub marks: Vec<(f64, f64, &'a str)>,
    /// Vertical lines: x, and the label above.
    pub uprights: Vec<(f64, String)>,
    /// Horizontal lines: y, and the label at their right end.
    pub levels: Vec<(f64, String)>,
    /// Values of x that are written below the axis.
    pub below: Vec<f64>,
    /// The scale at the left is logarithmic; only for values above 0.
    pub is_log: bool,
}

/// The lowest and the highest of some values, a little apart.
fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let values = values.filter(|value| value.is_finite());
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    if low > high {
        return None;
    }
    let room = if high > low { 0.0 } else { high.abs().max(1e-9) * 0.1 };
    Some((low - room, high + room))
}

impl Chart<'_> {
    fn height(&self, value: f64) -> f64 {
        if self.is_log { value.max(f64::MIN_POSITIVE).log10() } else { value }
    }

    /// Draws the chart; needs at least 3 rows and 20 columns.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, look: Appearance) {
        let marks = || self.marks.iter().map(|&(x, y, _)| (x, y));
        let between = || {
            let both = self.band.iter().chain(&self.spans);
            both.flat_map(|&(x, low, high)| [(x, low), (x, high)])
        };
        let all = || self.points.iter().chain(&self.other).copied().chain(marks()).chain(between());
        let wide = all().map(|(x, _)| x).chain(self.uprights.iter().map(|(x, _)| *x));
        let high = all().map(|(_, y)| y).chain(self.levels.iter().map(|(y, _)| *y));
        let (Some(x_range), Some(y_range)) = (range(wide), range(high.map(|y| self.height(y))))
        else {
            return;
        };
        if area.height < 3 || area.width < NUMBERS + 11 {
            return;
        }
        let plot = Rect {
            x: area.x + NUMBERS + 1,
            y: area.y,
            width: area.width - NUMBERS - 3,
            height: area.height - 2,
        };
        self.axes(buffer, plot, look, y_range);
        let mut dots = DotCanvas::new(plot);
        let (width, height) = dots.size();
        let place = |x: f64, y: f64| {
            let right = (x - x_range.0) / (x_range.1 - x_range.0);
            let up = (self.height(y) - y_range.0) / (y_range.1 - y_range.0);
            (right * (width - 1.0), (1.0 - up) * (height - 1.0))
        };
        for (x, _) in &self.uprights {
            let across = place(*x, 0.0).0;
            (0..plot.height * 4).step_by(2).for_each(|y| dots.set((across, f64::from(y)), 0));
        }
        for (y, _) in &self.levels {
            let down = place(0.0, *y).1;
            (0..plot.width * 2).step_by(2).for_each(|x| dots.set((f64::from(x), down), 0));
        }
        for pair in self.band.windows(2) {
            let ends = [place(pair[0].0, pair[0].1), place(pair[1].0, pair[1].1)];
            let tops = [place(pair[0].0, pair[0].2), place(pair[1].0, pair[1].2)];
            fill(&mut dots, ends, tops);
        }
        for &(x, low, high) in &self.spans {
            dots.line(place(x, low), place(x, high), 1);
        }
        for pair in self.points.windows(2).chain(self.other.windows(2)) {
            dots.line(place(pair[0].0, pair[0].1), place(pair[1].0, pair[1].1), 1);
        }
        dots.draw(buffer, &[look.rule(), look.bar()]);
        let cell = |x: f64| plot.x + (place(x, 1.0).0 / 2.0) as u16;
        let mut free = plot.x;
        for (x, name) in &self.uprights {
            let at = cell(*x).saturating_sub(text::width(name) as u16);
            if at >= free {
                buffer.set_string(at, plot.y, name, look.heading());
                free = cell(*x) + 1;
            }
        }
        for (y, name) in &self.levels {
            let at = plot.right().saturating_sub(text::width(name) as u16).max(plot.x);
            let down = plot.y + (place(0.0, *y).1 / 4.0) as u16;
            buffer.set_string(at, down, name, look.heading());
        }
        for &(x, y, letter) in &self.marks {
            let (across, down) = place(x, y);
            let at = (plot.x + (across / 2.0) as u16, plot.y + (down / 4.0) as u16);
            buffer.set_string(at.0, at.1, letter, look.heading());
        }
        self.numbers_below(buffer, plot, look, cell);
    }

    /// Strokes at the left and below, and the numbers at the left.
    fn axes(&self, buffer: &mut Buffer, plot: Rect, look: Appearance, (low, high): (f64, f64)) {
        parts::stroke(buffer, Rect { x: plot.x - 1, width: 1, ..plot }, look);
        let below = format!("└{}", "─".repeat(usize::from(plot.width)));
        buffer.set_string(plot.x - 1, plot.bottom(), below, look.rule());
        let rows = plot.height - 1;
        let shown: &[u16] = if rows >= 6 { &[0, rows / 2, rows] } else { &[0, rows] };
        for &row in shown {
            let value = high - (high - low) * f64::from(row) / f64::from(rows.max(1));
            let value = if self.is_log { 10f64.powf(value) } else { value };
            let number = text::align_right(&four_digits(value), usize::from(NUMBERS) - 1);
            buffer.set_string(plot.x - 1 - NUMBERS + 1, plot.y + row, number, Style::new());
        }
    }

    fn numbers_below(
        &self,
        buffer: &mut Buffer,
        plot: Rect,
        look: Appearance,
        cell: impl Fn(f64) -> u16,
    ) {
        let mut free = plot.x;
        for &x in &self.below {
            let named = self.names.iter().find(|(at, _)| *at == x);
            let number = named.map_or_else(|| format!("{x}"), |(_, name)| name.clone());
            let wide = text::width(&number) as u16;
            let last = (plot.right() + 2).saturating_sub(wide);
            let at = cell(x).saturating_sub(wide / 2).min(last).max(plot.x);
            if at >= free {
                let line = Line::from(Span::styled(number, Style::new()));
                buffer.set_line(at, plot.bottom() + 1, &line, wide);
                let joint = Span::styled("┴", look.rule());
                buffer.set_span(cell(x), plot.bottom(), &joint, 1);
                free = at + wide + 1;
            }
        }
    }
}

/// Dots every dot's width between two lines, in a pattern that a line shows against.
fn fill(dots: &mut DotCanvas, low: [(f64, f64); 2], high: [(f64, f64); 2]) {
    let (from, to) = (low[0].0.ceil() as i32, low[1].0.floor() as i32);
    for x in from..=to {
        let share = (f64::from(x) - low[0].0) / (low[1].0 - low[0].0).max(f64::MIN_POSITIVE);
        let at = |ends: [(f64, f64); 2]| ends[0].1 + share * (ends[1].1 - ends[0].1);
        for y in at(high).ceil() as i32..=at(low).floor() as i32 {
            if (x + y) % 2 == 0 {
                dots.set((f64::from(x), f64::from(y)), 0);
            }
        }
    }
}

/// Round numbers up to `last`, about as many as `most`.
pub fn steps(last: usize, most: usize) -> Vec<f64> {
    let scale = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
    let step = scale.into_iter().find(|step| last / step <= most).unwrap_or(last.max(1));
    let mut shown: Vec<usize> =
        std::iter::once(1).chain((1..=last / step).map(|n| n * step)).collect();
    shown.dedup();
    shown.into_iter().map(|x| x as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round_and_few() {
        assert_eq!(steps(50, 6), [1.0, 10.0, 20.0, 30.0, 40.0, 50.0]);
        assert_eq!(steps(7, 10)[..3], [1.0, 2.0, 3.0]);
    }
}
