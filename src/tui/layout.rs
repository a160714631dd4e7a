//! Where things stand on the screen, for drawing and for moving by pages.

use ratatui::layout::Rect;

use super::data::RunView;
use super::state::corpus::Pane;
use super::state::{Screen, State};

/// The smallest terminal that is drawn on.
pub const SMALLEST: (u16, u16) = (60, 16);
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
    let parts = split(state.screen, body);
    let in_detail = state.screen == Screen::Corpus && state.corpus.pane == Pane::Terms;
    let area = if in_detail { parts.detail } else { parts.list };
    // A title and the names of the columns stand above the rows.
    usize::from(area.height.saturating_sub(2)).max(1)
}
