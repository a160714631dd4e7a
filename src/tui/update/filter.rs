//! Typing, keeping and clearing the filter of a list.

use super::lists;
use crate::tui::effect::Effect;
use crate::tui::keymap::Action;
use crate::tui::state::corpus::{Anchor, Pane};
use crate::tui::state::list::ListState;
use crate::tui::state::{Screen, State};
use topoi::store::corpus::document_page::Page;

/// Opens the filter for typing; what was typed before stays.
pub fn start(state: &mut State) -> Vec<Effect> {
    if let Some(list) = state.list_mut() {
        list.typing = true;
    }
    Vec::new()
}

/// Types a character.
pub fn type_in(state: &mut State, c: char) -> Vec<Effect> {
    change(state, |list| list.filter.push(c))
}

/// Shows all rows again.
pub fn clear(state: &mut State) -> Vec<Effect> {
    change(state, ListState::clear_filter)
}

/// A key that is no character, while the filter is typed.
pub fn act(state: &mut State, action: Action) -> Vec<Effect> {
    match action {
        Action::Accept => {
            if let Some(list) = state.list_mut() {
                list.typing = false;
            }
            Vec::new()
        }
        Action::Clear => clear(state),
        Action::Erase => change(state, |list| {
            list.filter.pop();
        }),
        Action::EraseAll => change(state, |list| list.filter.clear()),
        _ => lists::act(state, action),
    }
}

/// Changes the filter; the list begins at its top, and what the store must find is asked for.
fn change(state: &mut State, change: impl FnOnce(&mut ListState)) -> Vec<Effect> {
    let Some(list) = state.list_mut() else { return Vec::new() };
    let before = list.filter.clone();
    change(list);
    if list.filter == before {
        return Vec::new();
    }
    list.cursor = 0;
    match state.screen {
        Screen::Corpus if state.corpus.reading.is_some() => Vec::new(),
        Screen::Corpus => {
            if state.corpus.pane == Pane::Documents {
                state.corpus.turn(Page::First, Anchor::Start(0));
            }
            vec![Effect::Read(state.question())]
        }
        _ => rearranged(state),
    }
}

/// A list that is all in memory has other rows now, or in another order.
pub fn rearranged(state: &mut State) -> Vec<Effect> {
    match state.screen {
        // The detail is of the run under the cursor.
        Screen::Runs => vec![Effect::Read(state.question())],
        Screen::Sql => {
            state.sql.arrange();
            Vec::new()
        }
        _ => Vec::new(),
    }
}
