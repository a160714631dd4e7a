//! A canvas of Braille dots: two across and four down in every cell.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

/// The bit of every dot of a cell, row by row.
const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

/// Dots on a grid of cells; each dot belongs to a layer, and a cell looks like the highest of its
/// layers.
#[derive(Debug, Clone)]
pub struct Dots {
    columns: usize,
    rows: usize,
    cells: Vec<(u8, usize)>,
}

impl Dots {
    /// No dots yet, on as many cells as `area` has.
    pub fn new(area: Rect) -> Self {
        let (columns, rows) = (usize::from(area.width), usize::from(area.height));
        Self { columns, rows, cells: vec![(0, 0); columns * rows] }
    }

    /// Dots across and down.
    pub fn size(&self) -> (f64, f64) {
        ((self.columns * 2) as f64, (self.rows * 4) as f64)
    }

    /// Sets the dot at a place, from (0, 0) at the top left up to [`Self::size`]; those outside
    /// are left out.
    pub fn set(&mut self, (x, y): (f64, f64), layer: usize) {
        let (width, height) = self.size();
        if !(x >= 0.0 && y >= 0.0 && x < width && y < height) {
            return;
        }
        let (x, y) = (x as usize, y as usize);
        let cell = &mut self.cells[y / 4 * self.columns + x / 2];
        cell.0 |= BITS[y % 4][x % 2];
        cell.1 = cell.1.max(layer);
    }

    /// Sets the dots of a straight line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), layer: usize) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let Some((first, last)) = self.clip(from, (dx, dy)) else { return };
        let length = (dx.abs().max(dy.abs()) * (last - first)).ceil().max(1.0);
        for step in 0..=length as usize {
            let share = first + (last - first) * step as f64 / length;
            self.set((from.0 + dx * share, from.1 + dy * share), layer);
        }
    }

    /// The part of the way from `from` along `(dx, dy)` that is on the canvas, as shares of it
    /// (Liang and Barsky 1984).
    fn clip(&self, from: (f64, f64), (dx, dy): (f64, f64)) -> Option<(f64, f64)> {
        let (width, height) = self.size();
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        let borders = [(-dx, from.0), (dx, width - from.0), (-dy, from.1), (dy, height - from.1)];
        for (outward, room) in borders {
            if outward == 0.0 {
                if room.is_nan() || room < 0.0 {
                    return None;
                }
            } else if outward < 0.0 {
                first = first.max(room / outward);
            } else {
                last = last.min(room / outward);
            }
        }
        (first <= last).then_some((first, last))
    }

    /// Draws the cells that have dots; `styles` are those of the layers.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, styles: &[Style]) {
        for (index, &(dots, layer)) in self.cells.iter().enumerate().filter(|(_, cell)| cell.0 > 0)
        {
            let (x, y) = (index % self.columns, index / self.columns);
            let cell = buffer.cell_mut((area.x + x as u16, area.y + y as u16));
            let Some((cell, symbol)) = cell.zip(char::from_u32(0x2800 + u32::from(dots))) else {
                continue;
            };
            cell.set_char(symbol);
            cell.set_style(styles.get(layer).copied().unwrap_or_default());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn drawn(dots: &Dots, area: Rect) -> String {
        let mut buffer = Buffer::empty(area);
        dots.draw(&mut buffer, area, &[]);
        buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect()
    }

    #[test]
    fn dots_stand_where_they_are_set() {
        let area = Rect::new(0, 0, 2, 1);
        let mut dots = Dots::new(area);
        dots.set((0.0, 0.0), 0);
        dots.set((3.9, 3.9), 0);
        dots.set((4.0, 0.0), 0);
        dots.set((f64::NAN, -1.0), 0);
        assert_eq!(drawn(&dots, area), "⠁⢀");
        let mut dots = Dots::new(area);
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
            let mut dots = Dots::new(area);
            dots.line((ends[0], ends[1]), (ends[2], ends[3]), 1);
            drawn(&dots, area);
        }
    }
}
