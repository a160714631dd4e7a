//! Screen 7: its views, and having bounds computed.

use crate::tui::effect::Effect;
use crate::tui::keymap::Action;
use crate::tui::state::choose_k::ChooseKView;
use crate::tui::state::{Screen, State};
use topoi::run::life::spawn::Errand;

/// Whether a key where K is chosen is dealt with here.
pub fn is_its_own(action: Action) -> bool {
    [Action::NextView, Action::PreviousView, Action::Bounds].contains(&action)
}

/// Deals with such a key.
pub fn act(state: &mut State, action: Action) -> Vec<Effect> {
    if action == Action::Bounds {
        return compute(state);
    }
    let all = ChooseKView::ALL;
    let at = all.iter().position(|view| *view == state.choose_k.shown()).unwrap_or(0);
    let by = if action == Action::NextView { 1 } else { all.len() - 1 };
    state.choose_k.view = all[(at + by) % all.len()];
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
    choice.view = ChooseKView::Bounds;
    choice.computing = Some(corpus.clone());
    let run = choice.sweep.as_ref().map(|sweep| sweep.spectrum_of);
    vec![Effect::Send(Errand::Bounds { corpus, run })]
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
