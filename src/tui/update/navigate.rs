//! From screen to screen.

use super::{compare, document, filter, run};
use crate::tui::data::RunView;
use crate::tui::effect::Effect;
use crate::tui::state::corpus::{CorpusState, Pane};
use crate::tui::state::{Screen, State};
use topoi::run::choose_k::sweep::SweptMetric;

/// Shows a screen and asks for what stands on it.
pub fn go(state: &mut State, screen: Screen) -> Vec<Effect> {
    if screen == Screen::Launch && state.screen != Screen::Launch {
        state.launch.came_from = state.screen;
    }
    if screen == Screen::ChooseK {
        let choice = &state.choose_k;
        let of_run = |run: Option<i64>| (None, run);
        (state.choose_k.of_corpus, state.choose_k.run) = match state.screen {
            Screen::Corpora => (state.corpora.selected().map(|row| row.corpus.id), None),
            Screen::Corpus => (state.corpus.id, None),
            Screen::Runs => of_run(state.runs.selected().map(|row| row.run.id)),
            Screen::ChooseK => (choice.of_corpus, choice.run),
            _ => of_run(state.run.id.or(choice.run)),
        };
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
        Screen::Run if state.run.view != RunView::Topics => run::look(state, RunView::Topics),
        Screen::Compare if state.compare.shows_metrics => {
            state.compare.shows_metrics = false;
            Vec::new()
        }
        Screen::Run | Screen::Compare | Screen::ChooseK => go(state, Screen::Runs),
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
        Screen::Run => run::look(state, RunView::Topic),
        Screen::Compare => compare::open(state),
        Screen::ChooseK => {
            let best = state.choose_k.selected().and_then(SweptMetric::best);
            let sweep = state.choose_k.sweep.as_ref();
            let run = best.zip(sweep).and_then(|(best, sweep)| sweep.runs.get(best));
            let Some(id) = run.map(|run| run.id) else { return Vec::new() };
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
        Screen::Compare => state.compare.shown().map(|(first, _)| first.run.corpus.clone()),
        Screen::ChooseK => state.choose_k.corpus.clone(),
        Screen::Launch | Screen::Sql => None,
    };
    if let Some(corpus) = corpus {
        state.launch.choose_corpus(corpus);
    }
    go(state, Screen::Launch)
}
