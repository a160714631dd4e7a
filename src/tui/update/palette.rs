//! The palette: typing into it, and choosing an entry.

use super::{act, distance};
use crate::tui::bench::Overlay;
use crate::tui::keymap::Action;
use crate::tui::palette::{Does, Palette};
use crate::tui::state::State;

/// Entries the palette moves by a page.
const PALETTE_PAGE: usize = 10;

pub fn open(state: &mut State) {
    let palette = Palette::of(state);
    state.bench.overlay = Some(Overlay::Palette(Box::new(palette)));
}

/// Changes what is typed into the palette.
pub fn change(state: &mut State, change: impl FnOnce(&mut String)) {
    if let Some(Overlay::Palette(palette)) = &mut state.bench.overlay {
        palette.edit(change);
    }
}

/// Handles a key that is no letter. The palette has been taken out of the state.
pub fn act_on(state: &mut State, mut palette: Box<Palette>, action: Action) {
    match action {
        Action::Accept => match palette.selected().map(|entry| entry.does.clone()) {
            Some(Does::Act(action)) => act(state, action, false),
            Some(Does::Lead { to, notice }) => {
                state.bench.go(to);
                state.bench.say(notice);
            }
            Some(Does::Open { to, subject }) => state.bench.open(to, *subject),
            None => {}
        },
        Action::Clear => {}
        _ => {
            if let Some(rows) = distance(action, PALETTE_PAGE) {
                palette.step(rows);
            }
            state.bench.overlay = Some(Overlay::Palette(palette));
            match action {
                Action::Erase => change(state, |typed| _ = typed.pop()),
                Action::EraseAll => change(state, String::clear),
                _ => {}
            }
        }
    }
}
