//! Every screen at every width: no number is cut, no head of a column loses letters, nothing is drawn
//! over anything else. What a table meant to show is known from the table itself; of what is no table,
//! numbers that end at an edge are looked for in a picture that is wide enough for all of it.

mod long_names;

use std::collections::BTreeSet;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use self::long_names::with_long_names;
use super::fixture::user::sides;
use crate::tui::message::Message;
use crate::tui::screens::sql;
use crate::tui::state::State;
use crate::tui::update::update;
use crate::tui::view::hit_areas::{self, Cell};
use crate::tui::view::{self, text};

/// Wide enough for everything.
const WIDEST: u16 = 420;

fn picture(state: &State) -> (Buffer, Vec<Cell>) {
    let area = Rect::new(0, 0, state.workbench.size.0, state.workbench.size.1);
    let mut buffer = Buffer::empty(area);
    view::draw(state, area, &mut buffer);
    (buffer, hit_areas::take_cells())
}

fn line(buffer: &Buffer, area: Rect) -> String {
    let mut line = String::new();
    let mut skip = 0;
    for x in area.left()..area.right() {
        let symbol = buffer[(x, area.y)].symbol();
        // The second cell of a wide letter holds nothing of its own.
        if skip == 0 {
            line.push_str(symbol);
        }
        skip = if skip > 0 { skip - 1 } else { text::width(symbol).saturating_sub(1) };
    }
    line
}

fn tables(buffer: &Buffer, cells: &[Cell], wrong: &mut Vec<String>) {
    for (index, cell) in cells.iter().enumerate() {
        let shown = line(buffer, cell.area);
        let shown = shown.trim_end().trim_end_matches(['↑', '↓']);
        let cut = if cell.end { text::cut_start } else { text::cut };
        let fitted = cut(&cell.content, cell.area.width.into());
        if shown.trim() != fitted.trim() {
            wrong.push(format!("{fitted:?} is drawn as {shown:?}"));
        }
        if cell.whole && shown.trim() != text::clean(&cell.content).trim() {
            wrong.push(format!("{:?} is cut to {shown:?}", cell.content));
        }
        let beside = cells[index + 1..].iter();
        for other in beside.take_while(|other| other.area.y == cell.area.y) {
            let touches = other.area.left() <= cell.area.right() && other.area.x >= cell.area.x;
            if touches && !cell.area.is_empty() && !other.area.is_empty() {
                wrong.push(format!("{:?} touches {:?}", other.content, cell.content));
            }
        }
    }
}

/// The numbers of a picture that stand before an edge: (number, where).
fn numbers_at_edges(buffer: &Buffer) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for y in buffer.area.top()..buffer.area.bottom() {
        let row = line(buffer, Rect { y, height: 1, ..buffer.area });
        let parts: Vec<&str> = row.split('│').collect();
        for (at, part) in parts.iter().enumerate() {
            let last = part.trim_end().split([' ', '(', '"', '─']).next_back().unwrap_or_default();
            // What is written up to the last cell may have been longer. A blank stands before the
            // stroke between two parts, but none before an axis.
            let blanks = part.len() - part.trim_end().len();
            let last = last.trim_end_matches('.');
            let is_axis = part.chars().all(|c| c == ' ' || c.is_ascii_digit());
            if blanks == usize::from(at + 1 < parts.len()) && is_number(last) && !is_axis {
                found.push((last.to_string(), row.clone()));
            }
        }
    }
    found
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        && word.contains(|c: char| c.is_ascii_digit())
        && word.chars().all(|c| c.is_ascii_digit() || ".,%-e?".contains(c))
}

/// Whether a number is followed by the sign that something was cut off.
fn cut_numbers(buffer: &Buffer) -> Vec<String> {
    let rows = (buffer.area.top()..buffer.area.bottom())
        .map(|y| line(buffer, Rect { y, height: 1, ..buffer.area }));
    let is_cut = |row: &String| {
        row.split([' ', '(']).any(|word| word.strip_suffix('…').is_some_and(is_number))
    };
    rows.filter(is_cut).collect()
}

fn words(buffer: &Buffer) -> BTreeSet<String> {
    let rows = (buffer.area.top()..buffer.area.bottom())
        .map(|y| line(buffer, Rect { y, height: 1, ..buffer.area }));
    let words = |row: String| {
        let words = row.split([' ', '(', '"', '─', '│']);
        words.map(|word| word.trim_end_matches('.').to_string()).collect::<Vec<_>>()
    };
    rows.flat_map(words).collect()
}

fn resized(state: &State, width: u16, height: u16) -> State {
    let mut state = state.clone();
    update(&mut state, Message::Resize(width, height));
    state
}

/// What is wrong with the pictures of a state at every width.
fn faults(state: &State) -> BTreeSet<String> {
    let wide = words(&picture(&resized(state, WIDEST, 60)).0);
    let mut faults = BTreeSet::new();
    for width in 60..=220 {
        for height in [15, 24, 30, 50] {
            // All widths at the commonest height; the others at the widths where layouts change.
            if height != 24 && ![60, 80, 99, 100, 101, 120, 139, 140, 200].contains(&width) {
                continue;
            }
            let mut wrong = Vec::new();
            let (buffer, cells) = picture(&resized(state, width, height));
            tables(&buffer, &cells, &mut wrong);
            for (number, row) in numbers_at_edges(&buffer) {
                if !wide.contains(&number) {
                    wrong.push(format!("{number:?} is part of a number in {row:?}"));
                }
            }
            wrong
                .extend(cut_numbers(&buffer).iter().map(|row| format!("a number is cut: {row:?}")));
            let shown = state.workbench.shown;
            faults.extend(
                wrong.into_iter().map(|wrong| format!("{shown} {width}x{height}: {wrong}")),
            );
        }
    }
    faults
}

fn check(states: &[State]) {
    let mut told = Vec::new();
    for state in states {
        let faults = faults(state);
        told.extend(faults.iter().take(4).cloned());
        told.extend((faults.len() > 4).then(|| format!("and {} more", faults.len() - 4)));
    }
    assert!(told.is_empty(), "\n{}", told.join("\n"));
}

#[test]
fn no_screen_cuts_a_number_or_a_head_at_any_width() {
    check(&sides());
}

#[test]
fn nor_with_long_names_and_large_numbers() {
    check(&with_long_names());
}

/// Heads of columns are words of the glossary, but for those that name a run or are the user's own.
#[test]
fn every_head_of_a_column_is_in_the_glossary() {
    let known: BTreeSet<String> =
        crate::tui::overlays::glossary::entries().into_iter().map(|entry| entry.word).collect();
    let mut missing = BTreeSet::new();
    let states: Vec<State> = sides().into_iter().chain(with_long_names()).collect();
    for state in states.iter().filter(|state| state.workbench.shown != sql::NAME) {
        let (_, cells) = picture(&resized(state, 220, 50));
        for head in cells.iter().filter(|cell| cell.head) {
            let word = head.content.to_lowercase();
            if !known.contains(&word)
                && !word.is_empty()
                && !word.contains("run ")
                && !word.starts_with("k ")
            {
                missing.insert(format!("{}: {word}", state.workbench.shown));
            }
        }
    }
    let records: Vec<String> =
        crate::tui::config::lists().into_iter().flat_map(|(_, titles)| titles).collect();
    missing.extend(records.into_iter().filter(|title| !known.contains(title)));
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_check_sees_what_is_cut() {
    let area = Rect::new(0, 0, 20, 1);
    let mut buffer = Buffer::empty(area);
    buffer.set_string(0, 0, "share of all  12.3", ratatui::style::Style::new());
    let cell = |content: &str, x, width| Cell {
        area: Rect { x, width, ..area },
        content: content.into(),
        whole: true,
        head: false,
        end: false,
    };
    let mut wrong = Vec::new();
    tables(&buffer, &[cell("share of all", 0, 12), cell("12.3", 14, 4)], &mut wrong);
    assert!(wrong.is_empty(), "{wrong:?}");
    tables(&buffer, &[cell("share of all", 0, 12), cell("12.345", 14, 4)], &mut wrong);
    tables(&buffer, &[cell("share of all", 0, 12), cell("of all", 6, 6)], &mut wrong);
    assert_eq!(wrong.len(), 3, "{wrong:?}");
    let mut edge = Buffer::empty(Rect::new(0, 0, 18, 1));
    edge.set_string(0, 0, "share of all  12.3", ratatui::style::Style::new());
    assert_eq!(numbers_at_edges(&edge)[0].0, "12.3");
}
