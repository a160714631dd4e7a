//! The parts around a screen: tabs, notices, keys, and what lies over it, a question or the help.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use topoi_core::numbers::thousands;

use crate::shown::is_visible;
use crate::tui::keymap;
use crate::tui::list::ListState;
use crate::tui::screen::Screen;
use crate::tui::state::State;
use crate::tui::view::hit_areas::{self, Target, mark_spans};
use crate::tui::view::look::{Appearance, ascii};
use crate::tui::view::{layout, text};

/// A line this wide has room for a remark of the screen.
const REMARK_FROM: u16 = 80;
/// The trail is not drawn in fewer cells.
const LEAST_TRAIL: usize = 8;
/// Lines of a notice at most.
const NOTICE_LINES: usize = 3;
pub fn draw(state: &State, area: Rect, buffer: &mut Buffer) {
    hit_areas::cover();
    if layout::is_enough((area.width, area.height)) {
        draw_screen(state, area, buffer);
    } else {
        too_small(area, buffer);
    }
    hide_unseen(buffer);
    if !state.workbench.look.unicode {
        to_ascii(buffer);
    }
}

/// The last look at a frame: what was drawn without being cut to its place may hold what terminals
/// act on, or do not agree how wide it is.
fn hide_unseen(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        if !is_visible(cell.symbol()) {
            cell.set_symbol("?");
        }
    }
}

fn draw_screen(state: &State, area: Rect, buffer: &mut Buffer) {
    let parts = layout::frame(area);
    tabs(state, parts.tabs, buffer);
    state.screen().draw(&state.workbench, parts.body, buffer);
    status(state, parts.status, buffer);
    if let Some(over) = &state.workbench.overlay {
        hit_areas::cover();
        over.draw(&state.workbench, parts.body, buffer);
    }
    footer(state, parts.footer, buffer);
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
    let look = state.workbench.look;
    let mut spans = tab_names(state, " ");
    let width = |spans: &[Span<'_>]| spans.iter().map(Span::width).sum::<usize>();
    let is_tight = width(&spans) > usize::from(area.width);
    if is_tight {
        spans = tab_names(state, "");
    }
    mark_spans(
        area,
        spans
            .iter()
            .zip(&state.screens)
            .map(|(span, screen)| (span, Some(Target::Screen(screen.name())))),
    );
    let used = width(&spans);
    let active = match state.workbench.active {
        0 => String::new(),
        many if is_tight => format!("  * {many}"),
        1 => "  * 1 run".into(),
        many => format!("  * {many} runs"),
    };
    let active = match state.workbench.jobs {
        0 => active,
        jobs => {
            let jobs = if jobs == 1 { "1 job".into() } else { format!("{jobs} jobs") };
            let both = format!("{active}, {jobs}");
            let fits = state.workbench.active > 0 && used + both.len() <= usize::from(area.width);
            if fits { both } else { format!("  * {jobs}") }
        }
    };
    let room = usize::from(area.width).saturating_sub(used + 3 + active.len());
    let store = match text::width(&state.workbench.store) > room {
        true => state.workbench.store.strip_suffix(".db").unwrap_or(&state.workbench.store),
        false => &state.workbench.store,
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
    // Where digits are typed they lead nowhere, and none is shown.
    let are_typed = state.screen().accepts('1');
    let tab = |digit: usize, screen: &dyn Screen| {
        let name = match are_typed {
            true => format!(" {blank}{}", screen.name()),
            false => format!("{digit}{blank}{}", screen.name()),
        };
        match screen.name() == state.workbench.shown {
            true => Span::styled(format!("[{name}]"), state.workbench.look.heading()),
            false => Span::raw(format!(" {name}{blank}")),
        }
    };
    let tabbed = state.screens.iter().filter(|screen| screen.has_tab());
    (1..).zip(tabbed).map(|(digit, screen)| tab(digit, &**screen)).collect()
}

fn status(state: &State, area: Rect, buffer: &mut Buffer) {
    let look = state.workbench.look;
    let screen = state.screen();
    let place = || place(screen);
    let line = match (&state.workbench.notice, screen.status(&state.workbench), screen.list()) {
        (Some(notice), ..) => long_notice(notice, look, area, buffer),
        (None, Some(line), _) => line,
        (None, None, Some(list)) if list.is_filtered() => {
            let (ends, cells) = (if list.typing { "" } else { "   Esc clears" }, area.width.into());
            filter_line(list, &format!("  {}{ends}", place()), look, cells)
        }
        (None, None, Some(_)) => match screen.remark().filter(|_| area.width >= REMARK_FROM) {
            Some(remark) => Line::raw(format!(" {}   {remark}", place())),
            None => Line::raw(format!(" {}", place())),
        },
        (None, None, None) => Line::default(),
    };
    buffer.set_line(area.x, area.y, &line, area.width);
    trail(state, line.width(), area, buffer);
}

/// The filter, and what is said after it.
fn filter_line(list: &ListState, said: &str, look: Appearance, cells: usize) -> Line<'static> {
    let mut line = list.filter.line(look, " /", cells.saturating_sub(text::width(said)));
    match (list.typing, list.is_old) {
        (true, true) => line.spans[1].style = look.selected(),
        (true, false) => {}
        (false, _) => line.spans[2].style = Style::new(),
    }
    line.push_span(Span::raw(said.to_string()));
    line
}

/// The last line of a notice. What does not fit into one line begins above it, over the screen: a refusal ends with what
/// is to be done.
fn long_notice(notice: &str, look: Appearance, area: Rect, buffer: &mut Buffer) -> Line<'static> {
    let cells = usize::from(area.width).saturating_sub(2).max(1);
    let notice = text::clean(notice);
    if text::width(&notice) <= cells {
        return Line::styled(format!(" {notice}"), look.warning());
    }
    let mut lines = text::wrap(&notice, cells);
    let rest = lines.split_off(lines.len().min(NOTICE_LINES - 1)).join(" ");
    if !rest.is_empty() {
        lines.push(text::cut(&rest, cells));
    }
    let line =
        |text: &String| Line::styled(format!(" {}", text::align_left(text, cells)), look.warning());
    for (text, above) in lines.iter().rev().zip(0..).skip(1) {
        if let Some(y) = area.y.checked_sub(above) {
            buffer.set_line(area.x, y, &line(text), area.width);
        }
    }
    let last = lines.pop().unwrap_or_default();
    Line::styled(format!(" {last}"), look.warning())
}

/// The way that back leads, at the right of the line below the screen; its beginning is cut off where
/// there is no room.
fn trail(state: &State, used: usize, area: Rect, buffer: &mut Buffer) {
    let way = state.trail.crumbs(state.screen()).join(" › ");
    let room = usize::from(area.width).saturating_sub(used + 3);
    if way.is_empty() || room < LEAST_TRAIL {
        return;
    }
    let way = text::cut_start(&way, room);
    let x = area.right().saturating_sub(text::width(&way) as u16 + 1);
    buffer.set_string(x, area.y, way, state.workbench.look.heading());
}

/// Where the cursor is, and how many rows the filter lets through: `3 of 21`.
fn place(screen: &dyn Screen) -> String {
    let Some(list) = screen.list() else { return String::new() };
    let Some(extent) = list.extent else { return "looking".into() };
    let row = extent.before + list.cursor as u64 + 1;
    let place = match (list.is_filtered(), extent.matching) {
        (true, matching) => {
            format!("{} of {} match", thousands(matching), thousands(extent.all))
        }
        (false, 0) => return String::new(),
        (false, len) => format!("{} of {}", thousands(row), thousands(len)),
    };
    // A column that a list is sorted by need not be on the screen.
    match &list.sort {
        Some(sort) if sort.descending => format!("{place}   by {}, largest first", sort.by),
        Some(sort) => format!("{place}   by {}", sort.by),
        None => place,
    }
}

fn footer(state: &State, area: Rect, buffer: &mut Buffer) {
    let mut hints = keymap::hints(&state.keys());
    let is_sorted = |list: &ListState| !list.sort_columns.is_empty();
    if !state.screen().list().is_none_or(is_sorted) {
        hints.retain(|hint| *hint != keymap::SORT_HINT);
    }
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
    let mut targets = vec![None];
    for &(key, word) in fits.collect::<Vec<_>>().into_iter().chain(last) {
        spans.push(Span::styled(key, state.workbench.look.key()));
        spans.push(Span::raw(format!(" {word}  ")));
        targets.extend([Some(Target::Keys(key.into())), Some(Target::Keys(key.into()))]);
    }
    mark_spans(area, spans.iter().zip(targets));
    buffer.set_line(area.x, area.y, &Line::from(spans), area.width);
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
