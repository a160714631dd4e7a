//! Figures that `plot` writes, and those of a run's page.

use std::fs;

use quick_xml::Reader;
use quick_xml::events::Event;

use crate::common::Home;

/// Documents of a desk and a year, whose words say y more often later; one desk has a hostile name.
fn home() -> Home {
    let home = Home::new();
    let document = |number: usize| {
        let word = |from: char, at: usize| {
            format!("{from}{} ", char::from(b'a' + (number + at * at) as u8 % 7))
        };
        let (year, of_y) = (2000 + number % 10, 2 + 2 * (number % 10) + number % 3);
        let desk = ["a", "b", "</text><script>&\\u001b[2J"][number % 3];
        let text: String = (0..30).map(|at| word(if at < of_y { 'y' } else { 'x' }, at)).collect();
        format!(
            "{{\"id\": \"d{number}\", \"desk\": \"{desk}\", \"year\": {year}, \"text\": \"{text}\"}}\n"
        )
    };
    let lines: String = (0..150).map(document).collect();
    let file = home.file("fields.jsonl", lines.as_bytes());
    home.succeeds(&["ingest", "made", &file, "--stop-words", "none", "--min-length", "1"]);
    home.succeeds(&["run", "made", "-k", "2", "--terms", "14", "--min-documents", "2"]);
    home
}

/// How many tags of this name a piece of sound XML has.
fn tags(svg: &str, wanted: &str) -> usize {
    let mut reader = Reader::from_str(svg);
    let mut found = 0;
    loop {
        match reader.read_event().expect("sound XML") {
            Event::Eof => return found,
            Event::Start(tag) | Event::Empty(tag) => {
                assert_ne!(tag.name().as_ref(), "script");
                found += usize::from(tag.name().as_ref() == wanted);
            }
            _ => {}
        }
    }
}

fn drawn(home: &Home, arguments: &[&str]) -> String {
    let place = home.path("figure.svg").to_string_lossy().into_owned();
    let all = [&["plot", "1", "-o", &place, "--force"], arguments].concat();
    home.succeeds(&all);
    fs::read_to_string(&place).expect("the figure")
}

#[test]
fn a_figure_is_not_written_under_the_name_of_another_format() {
    let home = home();
    for name in ["g.jpg", "g.eps", "g.SVGZ"] {
        let place = home.path(name);
        let place = place.to_str().expect("a path of letters");
        home.fails(&["plot", "1", "-o", place]);
        assert!(!home.path(name).exists());
    }
    for name in ["g.SVG", "g"] {
        home.succeeds(&["plot", "1", "-o", home.path(name).to_str().expect("letters")]);
    }
}

#[test]
fn every_kind_of_figure_is_sound_and_shows_what_it_is_of() {
    let home = home();
    // A bar a topic, and the paper.
    assert_eq!(tags(&drawn(&home, &[]), "rect"), 3);
    // 2 topics by 3 desks, three shades in the legend, the paper.
    let by_desk = drawn(&home, &["--by", "desk"]);
    assert_eq!(tags(&by_desk, "rect"), 6 + 3 + 1);
    assert!(by_desk.contains("&lt;script&gt;"));
    // Bars with whiskers of one topic.
    let of_one = drawn(&home, &["--by", "desk", "--topic", "0"]);
    assert_eq!((tags(&of_one, "rect"), tags(&of_one, "path")), (4, 3));
    // Ten years with error bars, a line and its band.
    let over_time = drawn(&home, &["--by", "year", "--topic", "1"]);
    let count = |name| tags(&over_time, name);
    assert_eq!(
        (count("circle"), count("path"), count("polyline"), count("polygon")),
        (10, 10, 1, 1)
    );
    // A line a desk.
    assert_eq!(tags(&drawn(&home, &["--by", "desk,year", "--topic", "1"]), "polyline"), 3);
    // Two desks in comparison with the first, and the years.
    let effects = drawn(&home, &["--effects", "~ desk + year", "--topic", "1"]);
    assert_eq!(tags(&effects, "circle"), 3);
    let along =
        drawn(&home, &["--effects", "~ desk + s(year)", "--along", "year", "--topic", "0,1"]);
    assert_eq!((tags(&along, "polyline"), tags(&along, "polygon")), (2, 2));
    // A line each for both desks with most documents and the third.
    let by = ["--effects", "~ desk * year", "--along", "year", "--by", "desk", "--topic", "1"];
    assert_eq!(tags(&drawn(&home, &by), "polyline"), 3);
    let marginal = ["--effects", "~ desk * year", "--marginal", "year,desk", "--topic", "0,1"];
    assert_eq!(tags(&drawn(&home, &marginal), "circle"), 2 * 3);
    // Two topics that share all documents are never joined.
    let together = drawn(&home, &["--correlations"]);
    assert_eq!((tags(&together, "circle"), tags(&together, "line")), (2, 0));
    // A point a run and K.
    home.succeeds(&["run", "made", "-k", "3", "--terms", "14", "--min-documents", "2"]);
    assert_eq!(tags(&drawn(&home, &["--by-k", "npmi"]), "circle"), 2);
    // The same data, the same bytes.
    assert_eq!(by_desk, drawn(&home, &["--by", "desk"]));
}

#[test]
fn a_figure_replaces_nothing_unless_it_is_told_to() {
    let home = home();
    let place = home.path("mine.svg");
    let name = place.to_string_lossy().into_owned();
    fs::write(&place, "mine").expect("a file");
    home.fails(&["plot", "1", "-o", &name]);
    assert_eq!(fs::read_to_string(&place).expect("still there"), "mine");
    home.succeeds(&["plot", "1", "-o", &name, "--force"]);
    assert!(fs::read_to_string(&place).expect("the figure").starts_with("<svg"));
}

#[test]
fn what_cannot_be_drawn_is_one_line() {
    let home = home();
    let cases: [&[&str]; 9] = [
        &["--by", "nosuch"],
        &["--by", "year", "--topic", "9"],
        &["--by", "year", "--topic", "0,1,0,1,0,1,0"],
        &["--effects", "~ desk", "--topic", "0,1,0,1,0,1,0", "--along", "desk"],
        &["--effects", "~ desk", "--topic", "0", "--by", "desk"],
        &["--by", "year", "--cluster", "desk"],
        &["--effects", "~ desk", "--topic", "0", "--along", "year"],
        &["--by-k", "beauty"],
        &["--where", "tokens > 5"],
    ];
    for arguments in cases {
        let place = home.path("none.svg").to_string_lossy().into_owned();
        home.fails(&[&["plot", "1", "-o", &place], arguments].concat());
        assert!(!home.path("none.svg").exists());
    }
}

#[test]
fn the_page_of_a_run_has_figures_by_its_fields() {
    let home = home();
    let place = home.path("run.html").to_string_lossy().into_owned();
    home.succeeds(&["export", "1", "--to", "html", "-o", &place]);
    let page = fs::read_to_string(&place).expect("the page");
    assert!(page.contains("Topics by field"));
    for title in ["Topics by desk (run 1)", "Topics by year (run 1)", "Shares of the topics"] {
        assert!(page.contains(title), "{title}");
    }
    for svg in page.split("<svg").skip(1).filter_map(|part| part.split("</svg>").next()) {
        tags(&format!("<svg{svg}</svg>"), "rect");
    }
}
