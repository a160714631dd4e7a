//! Snapshots of figures, and figures of extreme data.

use quick_xml::Reader;
use quick_xml::events::Event;

use super::axis::{Axis, Scale};
use super::bars::{Bar, Bars};
use super::chart::{Chart, Mark, Series};
use super::figure::Figure;
use super::graph::{Edge, Graph, Node};
use super::heat::{Cell, Heat};
use super::map::{Dot, Group, Map};

fn years(from: i32, to: i32) -> Vec<(f64, String)> {
    (from..=to).map(|year| (f64::from(year), year.to_string())).collect()
}

fn over_time(names: [&str; 2]) -> Chart {
    let series = |(number, name): (usize, &&str)| {
        let share = |year: f64| 0.02 + 0.015 * (year - 2012.0) * (number + 1) as f64;
        let mark = |year: i32| {
            let (x, y) = (f64::from(year), share(year.into()));
            Mark::new(x, y + 0.01 * f64::from(year % 3)).between(y - 0.01, y + 0.03)
        };
        let line = |year: i32| Mark::new(year.into(), share(year.into())).between(0.01, 0.2);
        Series {
            name: name.to_string(),
            marks: (2012..=2018).map(mark).collect(),
            line: (2012..=2018).map(line).collect(),
        }
    };
    Chart {
        title: "Two topics over time".into(),
        x: Axis { names: years(2012, 2018), ..Axis::new("year") },
        y: Axis::with_shares("share of the documents"),
        series: names.iter().enumerate().map(series).collect(),
        note: "Points: shares with their 95% intervals; lines: local linear regression.".into(),
    }
}

fn on_logarithms() -> Chart {
    let mark = |n: i32| {
        Mark::new(10_f64.powi(n), 0.5 / 3_f64.powi(n))
            .between(0.3 / 3_f64.powi(n), 0.9 / 3_f64.powi(n))
    };
    let axis = |label: &str| Axis { scale: Scale::Log, ..Axis::new(label) };
    let marks: Vec<Mark> = (1..=5).map(mark).collect();
    let line = marks.iter().map(|mark| Mark { interval: None, ..*mark }).collect();
    Chart {
        title: "Error by documents".into(),
        x: axis("documents"),
        y: axis("L1 error"),
        series: vec![Series { name: "rp".into(), marks, line }],
        ..Chart::default()
    }
}

fn bars(name: &str, are_points: bool) -> Bars {
    let bar = |number: i32| {
        let value = 0.3 / f64::from(number) - if are_points { 0.1 } else { 0.0 };
        Bar {
            name: format!("{number} {name}"),
            detail: if are_points { String::new() } else { "team game players".into() },
            value,
            interval: Some((value - 0.04, value + 0.04)).filter(|_| number != 3),
        }
    };
    Bars {
        title: "Topics".into(),
        x: Axis { is_share: true, ..Axis::new("share") },
        bars: (1..=4).map(bar).collect(),
        are_points,
        note: String::new(),
    }
}

fn heat(name: &str, columns: usize) -> Heat {
    let cell = |row: usize, column: usize| {
        let strength = (row * columns + column) as f64 / (3 * columns) as f64 - 0.3;
        let number = format!("{:.0}%", 100.0 * strength);
        (row != column).then(|| Cell { strength, tip: format!("{number} of {name}"), number })
    };
    Heat {
        title: "Topics by section".into(),
        rows: (0..3).map(|row| format!("{row} {name}")).collect(),
        columns: (0..columns).map(|column| format!("{name} {column}")).collect(),
        cells: (0..3).map(|row| (0..columns).map(|column| cell(row, column)).collect()).collect(),
        legend: vec![(-1.0, "less".into()), (0.0, "none".into()), (1.0, "more".into())],
        note: "Shades grow with the square root of the share.".into(),
        is_dense: false,
    }
}

fn map(name: &str) -> Map {
    let dot = |number: usize| Dot {
        x: (number as f64 * 2.4).cos() * number as f64,
        y: (number as f64 * 2.4).sin(),
        group: [Some(0), Some(7), None][number % 3],
        tip: format!("{number} {name}"),
    };
    let group =
        |number: usize| Group { name: format!("{number} {name}"), label: number.to_string() };
    Map {
        title: "Documents".into(),
        groups: (0..8).map(group).collect(),
        others: "others".into(),
        dots: (0..9).map(dot).collect(),
        note: "Near points are of like vectors.".into(),
    }
}

#[test]
fn figures_are_drawn_as_they_were() {
    insta::assert_snapshot!("lines", over_time(["games", "vaccines"]).figure().file());
    insta::assert_snapshot!("logarithms", on_logarithms().figure().file());
    insta::assert_snapshot!("bars", bars("topic", false).figure().file());
    insta::assert_snapshot!("points", bars("term", true).figure().inline());
    insta::assert_snapshot!("heat", heat("sports", 5).figure().file());
    insta::assert_snapshot!("map", map("sports").figure().file());
}

/// The texts of a figure, which is sound XML.
fn read(figure: &Figure) -> Vec<String> {
    let file = figure.file();
    let mut reader = Reader::from_str(&file);
    let mut texts = Vec::new();
    loop {
        match reader.read_event().expect("sound XML") {
            Event::Eof => return texts,
            Event::Start(tag) | Event::Empty(tag) => {
                let name = tag.name().as_ref().to_string();
                let known =
                    ["svg", "style", "rect", "title", "text", "line", "polygon", "polyline"];
                assert!(known.contains(&&*name) || ["path", "circle"].contains(&&*name), "{name}");
                let attributes: Vec<_> = tag.attributes().map(|a| a.expect("sound")).collect();
                for attribute in attributes {
                    let value = attribute.value.to_string();
                    assert!(!value.contains("NaN") && !value.contains("inf"), "{file}");
                    assert!(!attribute.key.as_ref().starts_with("on"), "{value}");
                }
            }
            Event::Text(text) => texts.push(text.to_string()),
            _ => {}
        }
    }
}

#[test]
fn hostile_names_stay_texts() {
    let name = "</text><script>alert(1)</script>\" onload=\"x\u{1b}[2J\u{0}\u{ffff}&\u{202e}";
    let figures = [
        over_time([name, "b"]).figure(),
        bars(name, false).figure(),
        heat(name, 2).figure(),
        map(name).figure(),
        Chart { title: name.into(), note: name.into(), ..Chart::default() }.figure(),
    ];
    for figure in figures {
        assert!(!read(&figure).is_empty());
        assert!(figure.file().contains("&lt;script&gt;"));
        assert!(!figure.inline().contains(['\u{1b}', '\u{0}', '\u{ffff}', '\u{202e}']));
    }
}

#[test]
fn nothing_and_what_cannot_be_drawn_are_figures_too() {
    let odd = [0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN_POSITIVE];
    read(&Chart::default().figure());
    read(&Bars::default().figure());
    read(&Heat::default().figure());
    read(&Map::default().figure());
    for one in odd {
        for other in odd {
            let marks = vec![Mark::new(one, other).between(other, one), Mark::new(other, one)];
            for scale in [Scale::Linear, Scale::Log] {
                let axis = Axis { scale, ..Axis::default() };
                let series =
                    vec![Series { marks: marks.clone(), line: marks.clone(), ..Series::default() }];
                read(&Chart { x: axis.clone(), y: axis, series, ..Chart::default() }.figure());
            }
            let bar = Bar { value: one, interval: Some((one, other)), ..Bar::default() };
            read(&Bars { bars: vec![bar], ..Bars::default() }.figure());
            let place = |x, y| Dot { x, y, group: Some(0), tip: String::new() };
            let dots = vec![place(one, other), place(0.0, 0.0), place(other, one)];
            read(&Map { dots, ..map("odd") }.figure());
        }
        let cell = Cell { strength: one, ..Cell::default() };
        let (rows, columns) = (vec![String::new()], vec![String::new()]);
        read(&Heat { rows, columns, cells: vec![vec![Some(cell)]], ..Heat::default() }.figure());
    }
}

#[test]
fn a_thousand_columns_are_cells_without_names() {
    let texts = read(&heat("a long name of a group", 1000).figure());
    assert!(texts.iter().any(|text| text.contains("1 a long name")));
    // 3,000 cells say what they are when they are pointed at, and nothing stands in them.
    assert!(!texts.iter().any(|text| text == "a long name of a group 999"));
}

#[test]
fn a_dense_map_has_the_same_cells_in_few_bytes() {
    let whole = heat("section", 1000);
    let dense = Heat { is_dense: true, ..whole.clone() };
    let (whole, dense) = (whole.figure().inline(), dense.figure().inline());
    assert!(dense.len() * 8 < whole.len(), "{} {}", dense.len(), whole.len());
    read(&Heat { is_dense: true, ..heat("section", 3) }.figure());
    // Two cells of one shade and one without a value.
    let cell = |strength| Some(Cell { strength, ..Cell::default() });
    let cells = vec![vec![cell(1.0), cell(1.0), None], vec![cell(0.0), cell(-1.0), cell(f64::NAN)]];
    let (rows, columns) = (vec![String::new(); 2], vec![String::new(); 3]);
    let small = Heat { rows, columns, cells, is_dense: true, ..Heat::default() };
    let drawn = small.figure().inline();
    let paths: Vec<&str> = drawn.lines().filter(|line| line.starts_with("<path ")).collect();
    assert_eq!(paths.len(), 2, "{drawn}");
    assert!(paths[0].contains("stroke=\"#b2340a\"") && paths[1].contains("stroke=\"#084081\""));
    assert!(paths.iter().all(|path| path.matches('M').count() == 1), "{drawn}");
}

#[test]
fn what_is_joined_is_drawn_together_and_what_is_not_has_a_place() {
    let node = |number: usize| Node { name: format!("{number} words"), size: 0.1 };
    let edge = |one, other, strength| Edge { nodes: (one, other), strength };
    let graph = |edges: Vec<Edge>| Graph {
        title: "Together".into(),
        nodes: (0..6).map(node).collect(),
        edges,
        note: String::new(),
    };
    let drawn = graph(vec![edge(0, 3, 0.9), edge(0, 4, 0.2), edge(1, 2, 0.5)]).figure();
    let texts = read(&drawn);
    assert!(texts.iter().any(|text| text == "5 words"), "{texts:?}");
    let circles: Vec<(f64, f64)> = drawn
        .file()
        .split("<circle")
        .skip(1)
        .map(|circle| {
            let number = |name: &str| -> f64 {
                let rest = circle.split(&format!(" {name}=\"")).nth(1).expect("an attribute");
                rest.split('"').next().and_then(|n| n.parse().ok()).expect("a number")
            };
            (number("cx"), number("cy"))
        })
        .collect();
    let far = |one: usize, other: usize| {
        (circles[one].0 - circles[other].0).hypot(circles[one].1 - circles[other].1)
    };
    assert!(circles.len() == 6 && far(0, 3) < far(0, 4) && far(0, 4) < far(3, 2), "{circles:?}");
    assert_eq!(drawn, graph(vec![edge(0, 3, 0.9), edge(0, 4, 0.2), edge(1, 2, 0.5)]).figure());
    read(&graph(Vec::new()).figure());
    for nodes in [Vec::new(), vec![node(0)]] {
        read(&Graph { nodes, ..graph(Vec::new()) }.figure());
    }
}
