//! The pictures of what was saved.

use topoi_core::plot::axis::{Axis, Scale};
use topoi_core::plot::chart::{Chart, Mark, Series};
use topoi_core::plot::heat::{Cell as Shade, Heat};
use topoi_core::plot::text::escaped;

use super::saved::{Cell, Drawing, Picture, Points, Table};

/// Width and height of a chart among others, and how many are beside each other.
const PANEL: (usize, usize) = (570, 360);
const BESIDE: usize = 3;

/// A picture as SVG.
pub fn svg(picture: &Picture, tables: &[Table]) -> String {
    let series = match &picture.drawing {
        Drawing::Cells(cells) => return pixels(picture, cells),
        Drawing::Lines { table, columns } => by_column(&tables[*table], columns),
        Drawing::Rows { table, rows } => by_row(&tables[*table], rows),
        Drawing::Split { table, column, without } => split(&tables[*table], column, without),
        Drawing::Tables { column } => by_table(tables, column),
        Drawing::Planes(planes) => return side_by_side(picture, planes),
        Drawing::Series(points) => points.iter().map(line).collect(),
    };
    chart(picture, &picture.title, series).figure().file()
}

fn chart(picture: &Picture, title: &str, series: Vec<Series>) -> Chart {
    let axis = |label: &str, is_logarithmic: bool| {
        let scale = if is_logarithmic { Scale::Log } else { Scale::Linear };
        Axis { scale, ..Axis::new(label) }
    };
    let has_bars = series.iter().any(|one| one.marks.iter().any(|mark| mark.interval.is_some()));
    let note = if has_bars { "Bars: one sample deviation to either side." } else { "" };
    Chart {
        title: title.into(),
        x: axis(&picture.x, picture.logarithmic.0),
        y: axis(&picture.y, picture.logarithmic.1),
        series,
        note: note.into(),
    }
}

/// Charts of equal size in rows of [`BESIDE`].
fn side_by_side(picture: &Picture, planes: &[(String, Vec<Points>)]) -> String {
    let (width, height) = PANEL;
    let rows = planes.len().div_ceil(BESIDE);
    let (all_width, all_height) = (width * planes.len().min(BESIDE), height * rows);
    let panels = planes.iter().enumerate().map(|(at, (name, points))| {
        let chart = chart(picture, name, points.iter().map(scattered).collect());
        let (x, y) = (at % BESIDE * width, at / BESIDE * height);
        let place = format!("<svg x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" ");
        chart.figure().inline().replacen("<svg ", &place, 1)
    });
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{all_width}\" height=\"{all_height}\" \
         viewBox=\"0 0 {all_width} {all_height}\" role=\"img\"><title>{}</title>\n\
         <rect width=\"{all_width}\" height=\"{all_height}\" fill=\"#ffffff\"/>\n{}</svg>\n",
        escaped(&picture.title),
        panels.collect::<String>()
    )
}

/// The mean of a cell at `x`, with one sample deviation to either side.
fn mark(x: f64, cell: &Cell) -> Option<Mark> {
    let mean = cell.mean().filter(|mean| mean.is_finite())?;
    let mark = Mark::new(x, mean);
    Some(
        cell.deviation().map_or(mark, |deviation| mark.between(mean - deviation, mean + deviation)),
    )
}

fn of_marks(name: &str, marks: Vec<Mark>) -> Series {
    let line = marks.iter().map(|mark| Mark { interval: None, ..*mark }).collect();
    Series { name: name.into(), marks, line }
}

fn by_column(table: &Table, columns: &[String]) -> Vec<Series> {
    let wanted = |head: &&String| columns.is_empty() || columns.contains(head);
    let heads = table.head.iter().enumerate().skip(1).filter(|(_, head)| wanted(head));
    heads
        .map(|(at, head)| {
            let marks = table
                .rows
                .iter()
                .filter_map(|row| mark(number(&row.name)?, row.cells.get(at - 1)?));
            of_marks(head, marks.collect())
        })
        .collect()
}

fn by_row(table: &Table, rows: &[String]) -> Vec<Series> {
    let wanted = |name: &String| rows.is_empty() || rows.contains(name);
    let chosen = table.rows.iter().filter(|row| wanted(&row.name));
    chosen
        .map(|row| {
            let cells = table.head.iter().skip(1).zip(&row.cells);
            of_marks(
                &row.name,
                cells.filter_map(|(head, cell)| mark(number(head)?, cell)).collect(),
            )
        })
        .collect()
}

fn split(table: &Table, column: &str, without: &[String]) -> Vec<Series> {
    let Some(at) = table.head.iter().position(|head| head == column) else { return Vec::new() };
    let mut series: Vec<(String, Vec<Mark>)> = Vec::new();
    for row in &table.rows {
        let Some((x, name)) = row.name.split_once(' ') else { continue };
        if without.iter().any(|other| other == name) {
            continue;
        }
        let found = number(x).zip(row.cells.get(at - 1)).and_then(|(x, cell)| mark(x, cell));
        let Some(found) = found else { continue };
        match series.iter_mut().find(|one| one.0 == name) {
            Some(one) => one.1.push(found),
            None => series.push((name.into(), vec![found])),
        }
    }
    series.into_iter().map(|(name, marks)| of_marks(&name, marks)).collect()
}

fn by_table(tables: &[Table], column: &str) -> Vec<Series> {
    let of = |table: &Table| {
        let mut series = by_column(table, &[column.to_string()]).pop()?;
        series.name = table.title.clone();
        Some(series)
    };
    tables.iter().filter_map(of).collect()
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok()
}

fn places(points: &Points) -> Vec<Mark> {
    points.at.iter().map(|&(x, y)| Mark::new(x, y)).collect()
}

/// Points; those that are called a hull are joined in a ring.
fn scattered(points: &Points) -> Series {
    let mut line = places(points);
    if points.name != "hull" {
        return Series { name: points.name.clone(), marks: line, line: Vec::new() };
    }
    line.extend(line.first().copied());
    Series { name: points.name.clone(), marks: Vec::new(), line }
}

fn line(points: &Points) -> Series {
    Series { name: points.name.clone(), marks: Vec::new(), line: places(points) }
}

fn pixels(picture: &Picture, cells: &[Vec<f64>]) -> String {
    let shade = |&value: &f64| (value > 0.0).then(|| Shade { strength: value, ..Shade::default() });
    Heat {
        title: picture.title.clone(),
        rows: vec![String::new(); cells.len()],
        columns: vec![String::new(); cells.first().map_or(0, Vec::len)],
        cells: cells.iter().map(|row| row.iter().map(shade).collect()).collect(),
        ..Heat::default()
    }
    .figure()
    .file()
}
