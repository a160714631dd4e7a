//! Screen 7: metrics or bounds, and having bounds computed.

use crate::tui::effect::Effect;
use crate::tui::keymap::Action;
use crate::tui::state::{Screen, State};

/// Whether a key where K is chosen is dealt with here.
pub fn is_its_own(action: Action) -> bool {
    [Action::NextView, Action::PreviousView, Action::Bounds].contains(&action)
}

/// Deals with such a key.
pub fn act(state: &mut State, action: Action) -> Vec<Effect> {
    if action == Action::Bounds {
        return compute(state);
    }
    state.choose_k.wants_bounds = !state.choose_k.shows_bounds();
    Vec::new()
}

/// Starts a process that computes the bounds of the corpus, for the vocabulary of its runs where
/// it has any.
fn compute(state: &mut State) -> Vec<Effect> {
    let choice = &mut state.choose_k;
    let Some(corpus) = choice.corpus.clone() else { return Vec::new() };
    if let Some(other) = &choice.computing {
        state.notice = Some(format!("the bounds of {other} are being computed"));
        return Vec::new();
    }
    choice.wants_bounds = true;
    choice.computing = Some(corpus.clone());
    let run = choice.sweep.as_ref().map(|sweep| sweep.spectrum_of);
    vec![Effect::Bound { corpus, run }]
}

/// The process has ended.
pub fn bounded(state: &mut State, corpus: &str, outcome: Result<(), String>) -> Vec<Effect> {
    state.choose_k.computing = None;
    match outcome {
        Err(error) => state.notice = Some(error),
        Ok(()) => {
            state.notice = Some(format!("the bounds of {corpus} are computed"));
            if state.screen == Screen::ChooseK {
                return vec![Effect::Read(state.question())];
            }
        }
    }
    Vec::new()
}
