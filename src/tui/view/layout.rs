//! Areas of the screen, for drawing and for moving by pages.

use ratatui::layout::Rect;

/// The smallest terminal that is drawn on.
pub const SMALLEST: (u16, u16) = (60, 15);
/// From this width on, a detail is beside its list instead of below it.
const BESIDE_FROM: u16 = 100;

/// The parts every screen has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    pub tabs: Rect,
    pub body: Rect,
    /// Notices and the filter.
    pub status: Rect,
    pub footer: Rect,
}

/// A list and what belongs to its selected row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Split {
    pub list: Rect,
    pub detail: Rect,
    /// The column between them, when they are side by side.
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

/// The share of a list in per cent: when its detail is beside it, and when below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shares {
    pub beside: u16,
    pub below: u16,
}

/// Divides a body between a list and the detail of its selected row.
pub fn split(shares: Shares, body: Rect) -> Split {
    split_from(BESIDE_FROM, shares, body)
}

/// As [`split`], with the detail beside the list from a width of its own on.
pub fn split_from(beside_from: u16, shares: Shares, body: Rect) -> Split {
    if body.width >= beside_from {
        let width = body.width * shares.beside / 100;
        let detail = Rect { x: body.x + width + 3, width: body.width - width - 3, ..body };
        let between = Rect { x: body.x + width + 1, width: 1, ..body };
        return Split { list: Rect { width, ..body }, detail, between: Some(between) };
    }
    stacked(shares, body)
}

/// Divides a body between a list and the detail below it, however wide it is.
pub fn stacked(shares: Shares, body: Rect) -> Split {
    let height = (body.height * shares.below / 100).max(4).min(body.height);
    let detail = Rect { y: body.y + height, height: body.height - height, ..body };
    Split { list: Rect { height, ..body }, detail, between: None }
}

/// Rows of a table in an area that begins with a title and the names of the columns.
pub fn table_rows(area: Rect) -> usize {
    usize::from(area.height.saturating_sub(2)).max(1)
}

/// Parts a run or a comparison: the strip of its views, and below it the view.
pub fn strip(body: Rect) -> (Rect, Rect) {
    let height = body.height.min(1);
    let view = Rect { y: body.y + height, height: body.height - height, ..body };
    (Rect { height, ..body }, view)
}
