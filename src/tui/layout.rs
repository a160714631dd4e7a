//! Where things stand on the screen, for drawing and for moving by pages.

use ratatui::layout::Rect;

use super::data::RunView;
use unicode_width::UnicodeWidthStr;

use super::state::corpus::Pane;
use super::state::sql::SqlState;
use super::state::{Screen, State};

/// The smallest terminal that is drawn on.
pub const SMALLEST: (u16, u16) = (60, 15);
/// From this width on, a detail stands beside its list instead of below it.
const BESIDE_FROM: u16 = 100;

/// The parts every screen has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    /// The line of tabs.
    pub tabs: Rect,
    /// What the screen shows.
    pub body: Rect,
    /// Notices and the filter.
    pub status: Rect,
    /// The keys.
    pub footer: Rect,
}

/// A list and what belongs to its selected row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Split {
    /// The list with its title.
    pub list: Rect,
    /// The detail with its title.
    pub detail: Rect,
    /// The column between them, when they stand side by side.
    pub between: Option<Rect>,
}

/// Whether a terminal of this size is drawn on.
pub fn is_enough(size: (u16, u16)) -> bool {
    size.0 >= SMALLEST.0 && size.1 >= SMALLEST.1
}

/// The parts of a screen.
pub fn frame(area: Rect) -> Frame {
    let line = |y: u16| Rect { y: area.y + y, height: 1, ..area }.intersection(area);
    let body = Rect { y: area.y + 1, height: area.height.saturating_sub(3), ..area };
    Frame {
        tabs: line(0),
        body: body.intersection(area),
        status: line(area.height.saturating_sub(2)),
        footer: line(area.height.saturating_sub(1)),
    }
}

/// Divides the body of `screen`.
pub fn split(screen: Screen, body: Rect) -> Split {
    if body.width >= BESIDE_FROM {
        let percent = match screen {
            Screen::Corpora => 55,
            // The stages of a run need 42 cells to show what they converged to.
            Screen::Runs if body.width < 140 => 54,
            Screen::Runs => 66,
            _ => 60,
        };
        let width = body.width * percent / 100;
        let detail = Rect { x: body.x + width + 3, width: body.width - width - 3, ..body };
        let between = Rect { x: body.x + width + 1, width: 1, ..body };
        return Split { list: Rect { width, ..body }, detail, between: Some(between) };
    }
    let percent = match screen {
        Screen::Corpora => 55,
        Screen::Corpus => 60,
        Screen::Runs => 40,
        _ => 50,
    };
    let height = (body.height * percent / 100).max(4).min(body.height);
    let detail = Rect { y: body.y + height, height: body.height - height, ..body };
    Split { list: Rect { height, ..body }, detail, between: None }
}

/// Parts a run or a comparison: the strip of its views, and below it the view.
pub fn strip(body: Rect) -> (Rect, Rect) {
    let height = body.height.min(1);
    let view = Rect { y: body.y + height, height: body.height - height, ..body };
    (Rect { height, ..body }, view)
}

/// The parts of the screen of queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SqlSplit {
    /// The query with its title.
    pub prompt: Rect,
    /// The rows with their title.
    pub rows: Rect,
    /// The selected row in full, where there is room for it.
    pub row: Option<Rect>,
    /// The column before it.
    pub between: Option<Rect>,
}

/// From this width on, the selected row stands in full beside the rows.
const ROW_BESIDE_FROM: u16 = 140;
/// Lines of a query that are seen at once.
const QUERY_LINES: usize = 4;

/// Cells of a line of a query.
pub fn prompt_cells(width: u16) -> usize {
    usize::from(width.saturating_sub(4)).max(1)
}

/// Divides the body of the screen of queries; a longer query has more lines.
pub fn sql(state: &SqlState, body: Rect) -> SqlSplit {
    let lines = (state.prompt.text.width() + 1).div_ceil(prompt_cells(body.width));
    let height = (1 + lines.min(QUERY_LINES) as u16).min(body.height);
    let prompt = Rect { height, ..body };
    let rows = Rect { y: body.y + height, height: body.height - height, ..body };
    if body.width < ROW_BESIDE_FROM || state.shown.is_none() {
        return SqlSplit { prompt, rows, row: None, between: None };
    }
    let width = body.width * 66 / 100;
    let row = Rect { x: body.x + width + 3, width: body.width - width - 3, ..rows };
    let between = Rect { x: body.x + width + 1, width: 1, ..rows };
    SqlSplit { prompt, rows: Rect { width, ..rows }, row: Some(row), between: Some(between) }
}

/// Divides the body for a document and the legend of its colours.
pub fn document(body: Rect) -> Split {
    if body.width >= BESIDE_FROM {
        return split(Screen::Run, body);
    }
    // A title and three lines of two topics.
    let legend = 4.min(body.height);
    let list = Rect { height: body.height - legend, ..body };
    let detail = Rect { y: list.bottom(), height: legend, ..body };
    Split { list, detail, between: None }
}

/// Cells of a line of the document that is read.
pub fn text_cells(state: &State) -> usize {
    let (width, height) = state.size;
    let text = document(frame(Rect::new(0, 0, width, height)).body).list;
    usize::from(text.width.saturating_sub(2)).max(1)
}

/// Rows of the list the keys go to that fit on the screen.
pub fn list_rows(state: &State) -> usize {
    let (width, height) = state.size;
    let mut body = frame(Rect::new(0, 0, width, height)).body;
    if matches!(state.screen, Screen::Run | Screen::Compare) {
        body = strip(body).1;
    }
    let whole = match state.screen {
        Screen::Run => state.run.view != RunView::Topics,
        Screen::Compare => state.compare.shows_metrics,
        _ => false,
    };
    if whole {
        return usize::from(body.height.saturating_sub(2)).max(1);
    }
    let reading = state.corpus.reading.as_ref().filter(|_| state.screen == Screen::Corpus);
    if let Some(reading) = reading {
        let names = u16::from(reading.shows_words());
        return usize::from(document(body).list.height.saturating_sub(1 + names)).max(1);
    }
    if state.screen == Screen::Sql {
        return usize::from(sql(&state.sql, body).rows.height.saturating_sub(2)).max(1);
    }
    let parts = split(state.screen, body);
    let in_detail = state.screen == Screen::Corpus && state.corpus.pane == Pane::Terms;
    let area = if in_detail { parts.detail } else { parts.list };
    // A title and the names of the columns stand above the rows.
    usize::from(area.height.saturating_sub(2)).max(1)
}
