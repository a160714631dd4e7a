//! Heat maps: rows and columns of shaded cells, with their numbers where there is room.

use super::colour::shade;
use super::figure::{EDGE, Figure, Font, SMALL, TEXT, coordinate};
use super::text::{escaped, width};
use std::collections::BTreeMap;

const WIDTH: f64 = 760.0;
/// Maximum width of the names of rows.
const NAMES: f64 = 240.0;
/// Maximum length of slanted names of columns.
const SLANTED: f64 = 120.0;
/// Maximum width and height of a cell.
const LARGEST: (f64, f64) = (64.0, 22.0);
/// Maximum height of all rows together.
const HIGHEST: f64 = 1200.0;
/// Minimum height of a row with a name and minimum width of a column with one.
const NAMED: f64 = 9.0;
/// Shades of a dense map on each side of white.
const SHADES: f64 = 16.0;

/// A rectangle of the map.
#[derive(Debug, Clone, Default)]
pub struct Cell {
    /// From −1, red, over 0, white, to 1, blue.
    pub strength: f64,
    /// Text in the cell.
    pub number: String,
    /// Tooltip, after the names of its row and column.
    pub tip: String,
}

/// The data of the figure.
#[derive(Debug, Clone, Default)]
pub struct Heat {
    /// Title above the figure.
    pub title: String,
    /// The names of the rows.
    pub rows: Vec<String>,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// By row and column; `None` for a missing value.
    pub cells: Vec<Vec<Option<Cell>>>,
    /// (strength, name) of each shade in the legend, in order.
    pub legend: Vec<(f64, String)>,
    /// Note below the figure on how to read it.
    pub note: String,
    /// Without numbers and tooltips of cells, whose shades are rounded: a tenth of the bytes.
    pub is_dense: bool,
}

impl Heat {
    /// Lays out the figure.
    pub fn figure(&self) -> Figure {
        let mut figure = Figure::new(&self.title, WIDTH);
        let (rows, columns) = (self.rows.len().max(1) as f64, self.columns.len().max(1) as f64);
        // Whole coordinates are short.
        let side = |length: f64| match self.is_dense && length >= 2.0 {
            true => length.floor(),
            false => length,
        };
        let high = side(LARGEST.1.min(HIGHEST / rows));
        let longest =
            |names: &[String]| names.iter().map(|name| width(name, SMALL)).fold(0.0, f64::max);
        let names = if high >= NAMED { longest(&self.rows).min(NAMES) + 8.0 } else { 0.0 };
        let left = if self.is_dense { (EDGE + names).round() } else { EDGE + names };
        let wide = side(((WIDTH - EDGE - left) / columns).min(LARGEST.0));
        let heads = longest(&self.columns);
        let (is_slanted, is_named) = (heads > wide - 4.0, wide >= NAMED);
        let above = match (is_named, is_slanted) {
            (false, _) => 0.0,
            (true, false) => SMALL + 6.0,
            // At 60 degrees.
            (true, true) => heads.min(SLANTED) * 0.87 + 12.0,
        };
        let top = figure.top() + if self.is_dense { above.round() } else { above };
        for (number, name) in self.columns.iter().enumerate().filter(|_| is_named) {
            let x = left + wide * (number as f64 + 0.5);
            let font = Font { size: SMALL, room: SLANTED, ..Font::default() };
            match is_slanted {
                true => figure.text((x + 3.0, top - 6.0), name, Font { turned: -60.0, ..font }),
                false => figure.text((x, top - 6.0), name, Font { anchor: "middle", ..font }),
            }
        }
        for (number, (name, cells)) in self.rows.iter().zip(&self.cells).enumerate() {
            let y = top + high * number as f64;
            if high >= NAMED {
                let font = Font { size: SMALL, anchor: "end", room: NAMES, ..Font::default() };
                figure.text((left - 6.0, y + high / 2.0 + 4.0), name, font);
            }
            if self.is_dense {
                continue;
            }
            for (column, (head, cell)) in self.columns.iter().zip(cells).enumerate() {
                let corner = (left + wide * column as f64, y);
                if let Some(cell) = cell {
                    draw(&mut figure, corner, (wide, high), cell, (name, head));
                }
            }
        }
        if self.is_dense {
            self.bands(&mut figure, (left, top), (wide, high));
        }
        let bottom = self.legend(&mut figure, left, top + high * self.rows.len() as f64 + 10.0);
        figure.finish(bottom, &self.note)
    }

    /// Draws the cells as lines, those of a shade in one path and neighbours in one line; white ones are left out.
    fn bands(&self, figure: &mut Figure, (left, top): (f64, f64), (wide, high): (f64, f64)) {
        let shade_of = |cell: &Option<Cell>| {
            let strength = cell.as_ref().map_or(0.0, |cell| cell.strength);
            let strength = if strength.is_finite() { strength.clamp(-1.0, 1.0) } else { 0.0 };
            (strength * SHADES).round() as i32
        };
        let mut paths: BTreeMap<i32, String> = BTreeMap::new();
        for (row, cells) in self.cells.iter().enumerate() {
            let y = coordinate(top + high * (row as f64 + 0.5));
            let mut column = 0;
            for run in cells.chunk_by(|one, other| shade_of(one) == shade_of(other)) {
                let from = left + wide * column as f64;
                column += run.len();
                let (from, to) = (coordinate(from), coordinate(left + wide * column as f64));
                *paths.entry(shade_of(&run[0])).or_default() += &format!("M{from} {y}L{to} {y}");
            }
        }
        let width = coordinate(high.max(1.0));
        for (step, path) in paths.iter().filter(|(step, _)| **step != 0) {
            let (colour, _) = shade(f64::from(*step) / SHADES);
            // Without shades at the edges, which would be gaps between cells.
            figure.push(&format!(
                "<path shape-rendering=\"crispEdges\" d=\"{path}\" fill=\"none\" stroke=\"{colour}\" \
                 stroke-width=\"{width}\"/>"
            ));
        }
    }

    /// Draws the legend; returns its lower edge.
    fn legend(&self, figure: &mut Figure, left: f64, y: f64) -> f64 {
        let mut x = left;
        for (strength, name) in &self.legend {
            let (fill, _) = shade(*strength);
            figure.push(&format!(
                "<rect class=\"rule\" x=\"{}\" y=\"{}\" width=\"18\" height=\"12\" fill=\"{fill}\" \
                 stroke=\"#dddddd\"/>",
                coordinate(x),
                coordinate(y)
            ));
            let font = Font { size: SMALL, is_faint: true, ..Font::default() };
            figure.text((x + 23.0, y + 10.0), name, font);
            x += 23.0 + width(name, SMALL) + 16.0;
        }
        if self.legend.is_empty() { y } else { y + TEXT + 4.0 }
    }
}

fn draw(
    figure: &mut Figure,
    (x, y): (f64, f64),
    (wide, high): (f64, f64),
    cell: &Cell,
    (row, column): (&str, &str),
) {
    let (fill, colour) = shade(cell.strength);
    let tip = escaped(&format!("{row}, {column}: {}", cell.tip));
    // Slightly larger than the grid, so that renderers leave no gaps between cells.
    figure.push(&format!(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{fill}\"><title>{tip}</title></rect>",
        coordinate(x),
        coordinate(y),
        coordinate(wide.max(1.0) + 0.2),
        coordinate(high.max(1.0) + 0.2)
    ));
    if high >= NAMED + 4.0 && width(&cell.number, SMALL) + 2.0 <= wide {
        let font = Font { size: SMALL, anchor: "middle", colour: Some(colour), ..Font::default() };
        figure.text((x + wide / 2.0, y + high / 2.0 + 4.0), &cell.number, font);
    }
}
