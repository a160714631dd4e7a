//! Moving in lists.

use super::{corpus, document};
use crate::tui::effect::Effect;
use crate::tui::keymap::Action;
use crate::tui::layout;
use crate::tui::state::corpus::Pane;
use crate::tui::state::{Screen, State};

/// A key on a screen that is a list.
pub fn act(state: &mut State, action: Action) -> Vec<Effect> {
    if state.screen == Screen::Corpus && state.corpus.reading.is_some() {
        return document::act(state, action);
    }
    if state.screen == Screen::Corpus {
        match action {
            Action::NextField => return corpus::other_pane(state),
            Action::Left => return corpus::to_pane(state, Pane::Documents),
            Action::Right => return corpus::to_pane(state, Pane::Terms),
            _ if state.corpus.pane == Pane::Documents => return corpus::act(state, action),
            _ => {}
        }
    }
    let Some(rows) = distance(state, action) else { return Vec::new() };
    let len = state.list_len();
    let Some(list) = state.list_mut() else { return Vec::new() };
    let before = list.cursor;
    list.step(rows, len);
    // The detail of a run is read when it is selected; the other lists have theirs already.
    if state.screen == Screen::Runs && state.runs.list.cursor != before {
        state.runs.wanted = None;
        return vec![Effect::Read(state.question())];
    }
    Vec::new()
}

/// The rows an action moves by.
pub fn distance(state: &State, action: Action) -> Option<isize> {
    let page = layout::list_rows(state) as isize;
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
