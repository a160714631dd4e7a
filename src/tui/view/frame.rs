//! The parts around a screen: tabs, notices, keys, and what lies over it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Widget};

use super::{choose_k, compare, corpora, corpus, help, launch, parts, run, runs, sql};
use crate::tui::keymap;
use crate::tui::layout;
use crate::tui::look::ascii;
use crate::tui::state::corpus::Pane;
use crate::tui::state::document::DocumentState;
use crate::tui::state::{Overlay, Screen, State};
use crate::tui::text;

/// Draws the whole screen.
pub fn draw(state: &State, area: Rect, buffer: &mut Buffer) {
    if layout::is_enough((area.width, area.height)) {
        draw_screen(state, area, buffer);
    } else {
        too_small(area, buffer);
    }
    if !state.look.unicode {
        to_ascii(buffer);
    }
}

fn draw_screen(state: &State, area: Rect, buffer: &mut Buffer) {
    let parts = layout::frame(area);
    tabs(state, parts.tabs, buffer);
    let draw_body = match state.screen {
        Screen::Corpora => corpora::draw,
        Screen::Corpus => corpus::draw,
        Screen::Launch => launch::draw,
        Screen::Runs => runs::draw,
        Screen::Run => run::draw,
        Screen::Compare => compare::draw,
        Screen::ChooseK => choose_k::draw,
        Screen::Sql => sql::draw,
    };
    draw_body(state, parts.body, buffer);
    status(state, parts.status, buffer);
    footer(state, parts.footer, buffer);
    match state.overlay {
        Some(Overlay::Help(line)) => help::draw(state, line, parts.body, buffer),
        Some(Overlay::CancelRun(run)) => question(state, run, parts.body, buffer),
        None => {}
    }
}

fn too_small(area: Rect, buffer: &mut Buffer) {
    let (width, height) = layout::SMALLEST;
    let lines = [
        format!("{}x{} is too small", area.width, area.height),
        format!("needed: {width}x{height}"),
        "q quits".to_string(),
    ];
    for (y, line) in (area.top()..area.bottom()).zip(lines) {
        buffer.set_line(area.x, y, &Line::raw(line), area.width);
    }
}

fn tabs(state: &State, area: Rect, buffer: &mut Buffer) {
    let look = state.look;
    let mut spans = tab_names(state, " ");
    let width = |spans: &[Span]| spans.iter().map(Span::width).sum::<usize>();
    let is_tight = width(&spans) > usize::from(area.width);
    if is_tight {
        spans = tab_names(state, "");
    }
    let used = width(&spans);
    let active = match state.active {
        0 => String::new(),
        many if is_tight => format!("  * {many}"),
        1 => "  * 1 run".into(),
        many => format!("  * {many} runs"),
    };
    let room = usize::from(area.width).saturating_sub(used + 3 + active.len());
    let store = match text::width(&state.store) > room {
        true => state.store.strip_suffix(".db").unwrap_or(&state.store),
        false => &state.store,
    };
    let store = if room < 4 { String::new() } else { text::cut(store, room) };
    let free = room - text::width(&store);
    // On 80 cells the tabs and the number of runs fill the line.
    let gap = usize::from(area.width).saturating_sub(used + active.len()).min(2);
    spans.push(Span::raw(format!("{}{store}", " ".repeat(gap + free))));
    spans.push(Span::styled(active, look.state_word("running")));
    buffer.set_line(area.x, area.y, &Line::from(spans), area.width);
}

/// The tabs, with `blank` between digit and name and after the names of those not shown.
fn tab_names(state: &State, blank: &str) -> Vec<Span<'static>> {
    let tab = |&screen: &Screen| {
        let name = format!("{}{blank}{}", screen.digit(), screen.name());
        match screen == state.screen {
            true => Span::styled(format!("[{name}]"), state.look.heading()),
            false => Span::raw(format!(" {name}{blank}")),
        }
    };
    Screen::ALL.iter().map(tab).collect()
}

fn status(state: &State, area: Rect, buffer: &mut Buffer) {
    let look = state.look;
    let line = match (&state.notice, state.list()) {
        (Some(notice), _) => Line::styled(
            format!(" {}", text::cut(notice, usize::from(area.width).saturating_sub(2))),
            look.warning(),
        ),
        (None, _) if state.is_naming() => Line::from(vec![
            Span::styled(" name of the topic: ", look.key()),
            Span::raw(text::clean(state.run.naming.as_deref().unwrap_or_default())),
            Span::styled(" ", look.selected()),
        ]),
        (None, Some(list)) if list.typing => Line::from(vec![
            Span::styled(" /", look.key()),
            Span::raw(text::clean(&list.filter)),
            Span::styled(" ", look.selected()),
            Span::raw(format!("  {}", place(state))),
        ]),
        (None, Some(list)) if list.is_filtered() => {
            Line::raw(format!(" /{}   {}   Esc clears", text::clean(&list.filter), place(state)))
        }
        (None, Some(_)) if says_that_runs_go_on(state, area.width) => Line::raw(format!(
            " {}   leaving the workbench or losing the connection stops no run",
            place(state)
        )),
        (None, Some(_)) => Line::raw(format!(" {}", place(state))),
        (None, None) if state.screen == Screen::Sql => sql::status(state, area.width),
        (None, None) => Line::default(),
    };
    buffer.set_line(area.x, area.y, &line, area.width);
}

fn says_that_runs_go_on(state: &State, width: u16) -> bool {
    state.screen == Screen::Runs && state.list_len() > 0 && width >= 80
}

/// Where the cursor is, and how many rows the filter lets through: `3 of 21`.
fn place(state: &State) -> String {
    let Some(list) = state.list() else { return String::new() };
    let (mut row, mut len) = (list.cursor as u64 + 1, state.list_len() as u64);
    if state.screen == Screen::Corpus && state.corpus.reading.is_none() && state.corpus.waiting {
        return "looking".into();
    }
    let all = match (state.screen, &state.corpus.shown) {
        (Screen::Sql, _) => {
            state.sql.shown.as_ref().map_or(0, |shown| shown.answered.result.rows.len()) as u64
        }
        (Screen::Corpus, _) if state.corpus.reading.is_some() => {
            let len = |reading: &DocumentState| match reading.shows_words() {
                true => reading.sheet.as_ref().map_or(0, |sheet| sheet.words.len()),
                false => reading.lines.len(),
            };
            state.corpus.reading.as_deref().map_or(0, len) as u64
        }
        (Screen::Corpora, _) => state.corpora.rows.as_ref().map_or(0, Vec::len) as u64,
        (Screen::Runs, _) => state.runs.rows.as_ref().map_or(0, Vec::len) as u64,
        (Screen::Compare | Screen::ChooseK, _) => len,
        (Screen::Run, _) => state.run.sheet.as_ref().map_or(0, |sheet| sheet.topics.len()) as u64,
        (Screen::Corpus, Some(page)) if state.corpus.pane == Pane::Documents => {
            row += state.corpus.before_page();
            len = page.matching;
            page.corpus.documents
        }
        (_, Some(page)) => {
            if list.is_filtered() {
                len = page.matching_terms;
            }
            page.corpus.terms
        }
        (_, None) => 0,
    };
    let place = match (list.is_filtered(), len) {
        (true, _) => format!("{} of {} match", text::count(len), text::count(all)),
        (false, 0) => return String::new(),
        (false, _) => format!("{} of {}", text::count(row), text::count(len)),
    };
    // A column that a list is sorted by need not be on the screen.
    match &list.sort {
        Some(sort) if sort.descending => format!("{place}   by {}, largest first", sort.by),
        Some(sort) => format!("{place}   by {}", sort.by),
        None => place,
    }
}

fn footer(state: &State, area: Rect, buffer: &mut Buffer) {
    let hints = keymap::hints(&state.contexts());
    let room = usize::from(area.width).saturating_sub(1);
    let size = |&(key, word): &(&str, &str)| key.len() + word.len() + 3;
    // Help and the way out are the last two; they stay when there is no room for all.
    let (more, last) = hints.split_at(hints.len().saturating_sub(2));
    let mut free = room.saturating_sub(last.iter().map(size).sum());
    let fits = more.iter().take_while(|hint| {
        let fits = size(hint) <= free;
        free = free.saturating_sub(size(hint));
        fits
    });
    let mut spans = vec![Span::raw(" ")];
    for &(key, word) in fits.collect::<Vec<_>>().into_iter().chain(last) {
        spans.push(Span::styled(key, state.look.key()));
        spans.push(Span::raw(format!(" {word}  ")));
    }
    buffer.set_line(area.x, area.y, &Line::from(spans), area.width);
}

fn question(state: &State, run: i64, area: Rect, buffer: &mut Buffer) {
    let title = format!(" Cancel run {run}? ");
    let lines = [
        Line::raw(" Its worker stops at its next step; it will have no topics."),
        Line::raw(""),
        Line::from(vec![
            Span::styled(" y", state.look.key()),
            Span::raw(" cancel the run   "),
            Span::styled("n", state.look.key()),
            Span::raw(" leave it alone"),
        ]),
    ];
    let width = 74.min(area.width.saturating_sub(2));
    let height = 5.min(area.height);
    let x = area.x + (area.width - width) / 2;
    let y = area.y + (area.height - height) / 2;
    let boxed = Rect { x, y, width, height };
    Clear.render(boxed, buffer);
    let block = Block::bordered().title(title);
    let inside = block.inner(boxed);
    block.render(boxed, buffer);
    parts::lines(buffer, inside, &lines);
}

/// Replaces every letter that is not ASCII.
fn to_ascii(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        if !cell.symbol().is_ascii() {
            let symbol = ascii(cell.symbol());
            cell.set_symbol(symbol);
        }
    }
}
