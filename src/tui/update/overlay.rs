//! Keys in an overlay: help, glossary, question, form, palette.

use super::{distance, palette};
use crate::tui::glossary::Glossary;
use crate::tui::jobs;
use crate::tui::keymap::Action;
use crate::tui::state::State;
use crate::tui::view;
use crate::tui::workbench::Overlay;

/// Lines the help moves by a page.
const HELP_PAGE: usize = 10;

pub fn act_on(state: &mut State, action: Action) {
    match (state.workbench.overlay.take(), action) {
        (
            Some(Overlay::Help(line)),
            Action::Down | Action::Up | Action::PageDown | Action::PageUp,
        ) => {
            let last = view::help_lines(state).len().saturating_sub(1);
            let line = match action {
                Action::Down => line + 1,
                Action::PageDown => line + HELP_PAGE,
                Action::Up => line.saturating_sub(1),
                _ => line.saturating_sub(HELP_PAGE),
            };
            state.workbench.overlay = Some(Overlay::Help(line.min(last)));
        }
        (Some(Overlay::Job(form)), action) => jobs::act(&mut state.workbench, form, action),
        (Some(Overlay::Help(_)), Action::Glossary) => {
            state.workbench.overlay = Some(Overlay::Glossary(Box::new(Glossary::new())));
        }
        (Some(Overlay::Glossary(mut glossary)), action) if action != Action::Clear => {
            match distance(action, HELP_PAGE) {
                Some(rows) if !matches!(action, Action::Top | Action::Bottom) => {
                    glossary.step(rows)
                }
                _ => glossary.edit(action),
            }
            state.workbench.overlay = Some(Overlay::Glossary(glossary));
        }
        (Some(Overlay::Palette(palette)), action) => palette::act_on(state, palette, action),
        (Some(Overlay::Confirm(confirm)), Action::Yes) => {
            state.workbench.say(confirm.notice);
            state.workbench.perform(confirm.effect);
        }
        _ => {}
    }
}
