//! The palette: typing into it, and choosing an entry.

use super::{act, distance};
use crate::tui::keymap::Action;
use crate::tui::palette::{EntryAction, Palette};
use crate::tui::state::State;
use crate::tui::workbench::Overlay;

/// Entries the palette moves by a page.
const PALETTE_PAGE: usize = 10;

pub fn open(state: &mut State) {
    let palette = Palette::of(state);
    state.workbench.overlay = Some(Overlay::Palette(Box::new(palette)));
}

/// Changes what is typed into the palette.
pub fn change(state: &mut State, change: impl FnOnce(&mut Palette)) {
    if let Some(Overlay::Palette(palette)) = &mut state.workbench.overlay {
        change(palette);
    }
}

/// Handles a key that is no letter. The palette has been taken out of the state.
pub fn act_on(state: &mut State, mut palette: Box<Palette>, action: Action) {
    match action {
        Action::Accept => match palette.selected().map(|entry| entry.does.clone()) {
            Some(EntryAction::Act(action)) => act(state, action, false),
            Some(EntryAction::Lead { to, notice }) => {
                state.workbench.go(to);
                state.workbench.say(notice);
            }
            Some(EntryAction::Open { to, subject }) => state.workbench.open(to, *subject),
            None => {}
        },
        Action::Clear => {}
        _ => {
            match distance(action, PALETTE_PAGE) {
                Some(rows) if !matches!(action, Action::Top | Action::Bottom) => palette.step(rows),
                _ => palette.edit(action),
            }
            state.workbench.overlay = Some(Overlay::Palette(palette));
        }
    }
}
