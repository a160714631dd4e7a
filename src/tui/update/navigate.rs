//! From screen to screen.

use super::{document, filter};
use crate::run::fields::{CORPUS, LAUNCH_FORM};
use crate::tui::effect::Effect;
use crate::tui::state::corpus::{CorpusState, Pane};
use crate::tui::state::{Screen, State};

/// Shows a screen and asks for what stands on it.
pub fn go(state: &mut State, screen: Screen) -> Vec<Effect> {
    if screen == Screen::Launch && state.screen != Screen::Launch {
        state.launch.came_from = state.screen;
    }
    state.screen = screen;
    vec![Effect::Read(state.question())]
}

/// Out of the filter, else out of the screen.
pub fn back(state: &mut State) -> Vec<Effect> {
    if state.list().is_some_and(|list| list.is_filtered()) {
        return filter::clear(state);
    }
    match state.screen {
        Screen::Corpora => Vec::new(),
        Screen::Corpus if state.corpus.reading.take().is_some() => go(state, Screen::Corpus),
        Screen::Corpus | Screen::Sql | Screen::Runs => go(state, Screen::Corpora),
        Screen::Launch => go(state, state.launch.came_from),
        Screen::Run => go(state, Screen::Runs),
    }
}

/// Opens the selected row.
pub fn open(state: &mut State) -> Vec<Effect> {
    match state.screen {
        Screen::Corpora => {
            let Some(row) = state.corpora.selected() else { return Vec::new() };
            let id = Some(row.corpus.id);
            if state.corpus.id != id {
                state.corpus = CorpusState { id, ..CorpusState::default() };
            } else {
                state.corpus.reading = None;
            }
            go(state, Screen::Corpus)
        }
        Screen::Corpus if state.corpus.pane == Pane::Documents => document::open(state),
        Screen::Runs => {
            let Some(row) = state.runs.selected() else { return Vec::new() };
            let id = row.run.id;
            state.run.open(id);
            go(state, Screen::Run)
        }
        _ => Vec::new(),
    }
}

/// The launch form, for the corpus the user is looking at.
pub fn new_run(state: &mut State) -> Vec<Effect> {
    let corpus = match state.screen {
        Screen::Corpora => state.corpora.selected().map(|row| row.corpus.name.clone()),
        Screen::Corpus => state.corpus.shown.as_ref().map(|page| page.corpus.name.clone()),
        Screen::Runs => state.runs.selected().map(|row| row.run.corpus.clone()),
        Screen::Run => state.run.sheet.as_ref().map(|sheet| sheet.row.run.corpus.clone()),
        Screen::Launch | Screen::Sql => None,
    };
    let position = LAUNCH_FORM.iter().position(|field| *field == CORPUS);
    if let (Some(corpus), Some(position)) = (corpus, position) {
        state.launch.values[position] = corpus;
    }
    go(state, Screen::Launch)
}
