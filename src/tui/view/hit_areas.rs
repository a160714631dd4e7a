//! Where on the screen things were drawn that a click can mean.
//!
//! What draws a tab, a row or a head of a column says so here, so that a click needs no second
//! layout that could differ from the first. Drawing takes no `&mut` but the buffer, hence the list of
//! the frame that is being drawn is the thread's.

use std::cell::RefCell;

use ratatui::layout::{Position, Rect};
use ratatui::text::Span;

/// What a click on a spot means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// The same as these keys.
    Keys(String),
    /// The screen of this name.
    Screen(&'static str),
    /// A row of a list, counted among those the filter lets through.
    Row {
        place: usize,
        /// Whether the keys go to that list.
        focused: bool,
    },
    /// The head of a column of the list the keys go to.
    Head(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HitArea {
    pub area: Rect,
    pub target: Target,
}

#[derive(Debug, Default)]
struct Frame {
    hit_areas: Vec<HitArea>,
    #[cfg(test)]
    cells: Vec<Cell>,
}

thread_local! {
    static FRAME: RefCell<Frame> = RefCell::default();
}

/// Says what a click on `area` means.
pub fn mark(area: Rect, target: Target) {
    FRAME.with_borrow_mut(|frame| frame.hit_areas.push(HitArea { area, target }));
}

/// Says that a row of the list the keys go to was drawn on `area`.
pub fn mark_row(area: Rect, place: usize) {
    mark(area, Target::Row { place, focused: true });
}

/// Registers what clicks mean on spans that follow one another from the left of `area`.
pub fn mark_spans<'s>(area: Rect, spans: impl Iterator<Item = (&'s Span<'s>, Option<Target>)>) {
    let mut x = area.x;
    for (span, target) in spans {
        let place = Rect { x, width: span.width() as u16, ..area }.intersection(area);
        if let Some(target) = target {
            mark(place, target);
        }
        x = x.saturating_add(span.width() as u16);
    }
}

/// What was drawn so far is covered by something.
pub fn cover() {
    FRAME.with_borrow_mut(|frame| *frame = Frame::default());
}

/// The spots of the frame that was drawn, the last drawn first.
pub fn take() -> Vec<HitArea> {
    let mut hit_areas = FRAME.with_borrow_mut(|frame| std::mem::take(&mut frame.hit_areas));
    hit_areas.reverse();
    hit_areas
}

/// What lies at a place of the screen.
pub fn at(hit_areas: &[HitArea], x: u16, y: u16) -> Option<&Target> {
    let place = Position { x, y };
    hit_areas.iter().find(|spot| spot.area.contains(place)).map(|spot| &spot.target)
}

/// A cell of a table as it was meant, for tests that compare it with what is on the screen.
#[cfg(test)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    pub area: Rect,
    pub content: String,
    /// It may not be cut: a number, or the head of a column.
    pub whole: bool,
    pub head: bool,
    /// Its end is shown where it is cut.
    pub end: bool,
}

#[cfg(test)]
pub fn note(cell: Cell) {
    FRAME.with_borrow_mut(|frame| frame.cells.push(cell));
}

#[cfg(test)]
pub fn take_cells() -> Vec<Cell> {
    FRAME.with_borrow_mut(|frame| std::mem::take(&mut frame.cells))
}
