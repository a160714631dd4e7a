//! Braille dots, two across and four down in every cell, on ratatui's canvas.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::symbols::Marker;
use ratatui::widgets::Widget;
use ratatui::widgets::canvas::{Canvas, Line, Points};

/// Dots and lines in layers; a cell has the colour of its highest layer.
#[derive(Debug, Clone)]
pub struct DotCanvas {
    area: Rect,
    points: Vec<((f64, f64), usize)>,
    lines: Vec<(Line, usize)>,
}

impl DotCanvas {
    /// No dots yet, on the cells of `area`.
    pub fn new(area: Rect) -> Self {
        Self { area, points: Vec::new(), lines: Vec::new() }
    }

    /// Number of dots across and down.
    pub fn size(&self) -> (f64, f64) {
        (f64::from(self.area.width) * 2.0, f64::from(self.area.height) * 4.0)
    }

    /// The centre of a dot on the canvas, whose y grows upwards.
    fn centre(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (x.floor(), self.size().1 - 1.0 - y.floor())
    }

    /// Sets the dot at a place, from (0, 0) at the top left up to [`Self::size`]; those outside
    /// are left out.
    pub fn set(&mut self, at: (f64, f64), layer: usize) {
        if at.0.is_finite() && at.1.is_finite() {
            self.points.push((self.centre(at), layer));
        }
    }

    /// Sets the dots of a straight line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), layer: usize) {
        if [from.0, from.1, to.0, to.1].iter().all(|place| place.is_finite()) {
            let ((x1, y1), (x2, y2)) = (self.centre(from), self.centre(to));
            self.lines.push((Line { x1, y1, x2, y2, ..Line::default() }, layer));
        }
    }

    /// Draws the dots; `styles` are those of the layers, of which the canvas takes the colour.
    pub fn draw(&self, buffer: &mut Buffer, styles: &[Style]) {
        let (width, height) = self.size();
        let canvas = Canvas::default()
            .marker(Marker::Braille)
            .x_bounds([0.0, width - 1.0])
            .y_bounds([0.0, height - 1.0])
            .paint(|context| {
                for (layer, style) in styles.iter().enumerate() {
                    let color = style.fg.unwrap_or_default();
                    let points = self.points.iter().filter(|point| point.1 == layer);
                    let coords: Vec<(f64, f64)> = points.map(|point| point.0).collect();
                    context.draw(&Points { coords: &coords, color });
                    for (line, _) in self.lines.iter().filter(|line| line.1 == layer) {
                        context.draw(&Line { color, ..line.clone() });
                    }
                }
            });
        canvas.render(self.area, buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn drawn(dots: &DotCanvas, area: Rect) -> String {
        let mut buffer = Buffer::empty(area);
        dots.draw(&mut buffer, &[Style::new(), Style::new()]);
        buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect()
    }

    #[test]
    fn dots_are_where_they_are_set() {
        let area = Rect::new(0, 0, 2, 1);
        let mut dots = DotCanvas::new(area);
        dots.set((0.0, 0.0), 0);
        dots.set((3.9, 3.9), 0);
        dots.set((4.0, 0.0), 0);
        dots.set((f64::NAN, -1.0), 0);
        assert_eq!(drawn(&dots, area), "⠁⢀");
        let mut dots = DotCanvas::new(area);
        dots.line((-8.0, 1.5), (80.0, 1.5), 0);
        assert_eq!(drawn(&dots, area), "⠒⠒");
    }

    proptest! {
        #[test]
        fn no_line_panics_or_leaves_the_canvas(
            ends in prop::collection::vec(-1e6f64..1e6, 4),
            width in 0u16..20,
            height in 0u16..20,
        ) {
            let area = Rect::new(0, 0, width, height);
            let mut dots = DotCanvas::new(area);
            dots.line((ends[0], ends[1]), (ends[2], ends[3]), 1);
            drawn(&dots, area);
        }
    }
}
