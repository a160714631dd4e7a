//! A list with a cursor and a filter.

pub mod columns;
pub mod screen;
pub mod sorting;

use std::ops::Range;

use self::sorting::{Sort, SortKey};
use crate::records::column::Column;
use crate::tui::input::Input;
use crate::tui::keymap::Action;

/// Where the user is in a list. Rows are those the filter lets through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListState {
    /// The selected row, counted among those shown.
    pub cursor: usize,
    /// The first row on the screen.
    pub offset: usize,
    /// Only rows with this text are shown.
    pub filter: Input,
    /// The filter is being typed.
    pub typing: bool,
    /// The filter is the one of before: the first letter that is typed takes its place.
    pub is_old: bool,
    /// The column it is sorted by; `None` is its own order.
    pub sort: Option<Sort>,
    /// Columns it is scrolled by, to the right.
    pub shift: usize,
    /// Whether the user has scrolled it; otherwise the column it is sorted by is shown.
    pub scrolled: bool,
    /// The columns it can be sorted by: (title, whether the largest come first).
    pub sort_columns: Vec<(String, bool)>,
    /// Its rows among all there are; `None` while they are looked up.
    pub extent: Option<Extent>,
    /// Indices of the rows that the filter lets through, in the chosen order.
    order: Vec<usize>,
    /// Rows the cursor can be on, where they are not those of `order`.
    reachable: Option<usize>,
}

/// The rows of a list among all there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Extent {
    /// Rows before the first one of the list.
    pub before: u64,
    /// Rows the filter lets through.
    pub matching: u64,
    /// Rows without a filter.
    pub all: u64,
}

impl ListState {
    /// Filters `rows` and sorts them by the chosen column. Called when rows, filter or order have
    /// changed, not for every frame.
    pub fn arrange<R>(
        &mut self,
        rows: &[R],
        columns: &[Column<R>],
        lets_through: impl Fn(&R, &str) -> bool,
    ) {
        self.arrange_indices(
            0..rows.len(),
            |index, filter| lets_through(&rows[index], filter),
            |index, by| columns::sort_key(columns, &rows[index], by),
        );
        self.sort_columns = columns::sorted_by(columns);
    }

    /// Filters rows that are always in their own order.
    pub fn filter_rows<R>(&mut self, rows: &[R], lets_through: impl Fn(&R, &str) -> bool) {
        self.arrange(rows, &[], lets_through);
    }

    /// Filters and sorts rows that are given by their indices, in their order without a sort. The caller
    /// sets `sort_columns`.
    pub fn arrange_indices(
        &mut self,
        indices: impl IntoIterator<Item = usize>,
        lets_through: impl Fn(usize, &str) -> bool,
        key: impl Fn(usize, &str) -> SortKey,
    ) {
        let mut order: Vec<usize> = indices.into_iter().collect();
        let all = order.len() as u64;
        order.retain(|&index| self.filter.is_empty() || lets_through(index, self.filter.as_str()));
        sorting::sort(&mut order, self.sort.as_ref(), |&index, by| key(index, by));
        self.extent = Some(Extent { before: 0, matching: order.len() as u64, all });
        (self.order, self.reachable) = (order, None);
    }

    /// For a list that is read page by page, or scrolled as a text: the rows the cursor can be on.
    pub fn set_page(&mut self, reachable: usize, extent: Option<Extent>) {
        (self.reachable, self.extent) = (Some(reachable), extent);
    }

    /// Number of rows the filter lets through.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Number of rows the cursor can be on.
    pub fn reachable(&self) -> usize {
        self.reachable.unwrap_or(self.order.len())
    }

    /// The rows of `rows` that the filter lets through, in the order that is chosen.
    pub fn visible<'r, R>(&self, rows: &'r [R]) -> Vec<&'r R> {
        self.order.iter().filter_map(|&place| rows.get(place)).collect()
    }

    /// The row at a place of the list.
    pub fn row<'r, R>(&self, rows: &'r [R], place: usize) -> Option<&'r R> {
        rows.get(*self.order.get(place)?)
    }
    pub fn selected<'r, R>(&self, rows: &'r [R]) -> Option<&'r R> {
        self.row(rows, self.cursor)
    }

    /// Moves the cursor to the first row that is as wanted, if there is one.
    pub fn find<R>(&mut self, rows: &[R], is_wanted: impl Fn(&R) -> bool) -> bool {
        let found = self.order.iter().position(|&place| rows.get(place).is_some_and(&is_wanted));
        self.cursor = found.unwrap_or(self.cursor);
        found.is_some()
    }

    /// Whether a filter is set or being typed.
    pub fn is_filtered(&self) -> bool {
        self.typing || !self.filter.is_empty()
    }
    pub fn clear_filter(&mut self) {
        self.filter.clear();
        (self.typing, self.is_old) = (false, false);
    }

    /// Begins to type a filter; the one of before stays until something else is typed.
    pub fn start_filter(&mut self) {
        (self.typing, self.is_old) = (true, !self.filter.is_empty());
    }

    /// Types into the filter.
    pub fn type_in(&mut self, typed: &str) {
        if std::mem::take(&mut self.is_old) {
            self.filter.clear();
        }
        self.filter.insert(typed);
    }

    /// Edits the filter; what erases takes the whole filter of before away.
    pub fn edit(&mut self, action: Action) -> bool {
        let erases = matches!(action, Action::Erase | Action::EraseAfter | Action::EraseWord);
        if std::mem::take(&mut self.is_old) && erases {
            self.filter.clear();
        }
        self.filter.act(action)
    }

    /// Moves the cursor by `rows`, staying within `len` rows.
    pub fn step(&mut self, rows: isize, len: usize) {
        self.cursor = self.cursor.saturating_add_signed(rows).min(len.saturating_sub(1));
    }

    /// Scrolls sideways, by columns.
    pub fn scroll(&mut self, columns: isize, of: usize) {
        self.shift = self.shift.saturating_add_signed(columns).min(of.saturating_sub(1));
        self.scrolled = true;
    }

    /// Brings the cursor into the list.
    pub fn clamp(&mut self) {
        self.cursor = self.cursor.min(self.len().saturating_sub(1));
    }

    /// Brings cursor and offset into a list of `len` rows of which `height` are on the screen.
    pub fn settle(&mut self, len: usize, height: usize) {
        self.cursor = self.cursor.min(len.saturating_sub(1));
        self.offset = self.window(len, height).start;
    }

    /// The rows on a screen that has `height` of them; the cursor is among them.
    pub fn window(&self, len: usize, height: usize) -> Range<usize> {
        let cursor = self.cursor.min(len.saturating_sub(1));
        let lowest = (cursor + 1).saturating_sub(height);
        let last = len.saturating_sub(height);
        let start = self.offset.clamp(lowest, cursor.max(lowest)).min(last.max(lowest));
        start..(start + height).min(len)
    }
}

/// Whether `text` contains `filter`; upper and lower case are the same.
pub fn matches(filter: &str, text: &str) -> bool {
    filter.is_empty() || text.to_lowercase().contains(&filter.to_lowercase())
}

/// Rows by which an action moves the cursor, where `page` rows are on the screen.
pub fn distance(action: Action, page: usize) -> Option<isize> {
    let page = page as isize;
    Some(match action {
        Action::Down => 1,
        Action::Up => -1,
        Action::PageDown => page,
        Action::PageUp => -page,
        Action::HalfDown => (page / 2).max(1),
        Action::HalfUp => -(page / 2).max(1),
        Action::Top => isize::MIN / 2,
        Action::Bottom => isize::MAX / 2,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_cursor_is_always_on_the_screen(
            cursor in 0_usize..200, offset in 0_usize..200, len in 1_usize..150, height in 1_usize..60,
        ) {
            let mut list = ListState { cursor, offset, ..ListState::default() };
            list.settle(len, height);
            let window = list.window(len, height);
            prop_assert!(window.contains(&list.cursor));
            prop_assert!(window.len() == height.min(len));
        }
    }

    #[test]
    fn the_screen_scrolls_only_when_the_cursor_would_leave_it() {
        let mut list = ListState { cursor: 9, offset: 5, ..ListState::default() };
        list.step(-2, 30);
        list.settle(30, 10);
        assert_eq!((list.cursor, list.offset), (7, 5));
        list.step(-7, 30);
        list.settle(30, 10);
        assert_eq!((list.cursor, list.offset), (0, 0));
    }
}
