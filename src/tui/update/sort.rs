//! The order of lists.

use super::filter;
use crate::tui::effect::Effect;
use crate::tui::state::corpus::{Anchor, Pane};
use crate::tui::state::{Screen, State, sorting};
use topoi::store::corpus::document_page::Page;

/// Sorts by the next column; after the last one, in the list's own order.
pub fn next(state: &mut State) -> Vec<Effect> {
    let columns = columns(state);
    let Some(list) = state.list_mut() else { return Vec::new() };
    list.sort = sorting::next(list.sort.as_ref(), &columns);
    arranged(state)
}

/// Turns the order round.
pub fn reverse(state: &mut State) -> Vec<Effect> {
    let first = columns(state).into_iter().next();
    let Some(list) = state.list_mut() else { return Vec::new() };
    match (&mut list.sort, first) {
        (Some(sort), _) => sort.descending = !sort.descending,
        (none, Some((by, descending))) => {
            *none = Some(sorting::Sort { by, descending: !descending });
        }
        (None, None) => {}
    }
    arranged(state)
}

fn arranged(state: &mut State) -> Vec<Effect> {
    if let Some(list) = state.list_mut() {
        list.cursor = 0;
    }
    if state.screen == Screen::Corpus && state.corpus.reading.is_none() {
        if state.corpus.pane == Pane::Documents {
            state.corpus.turn(Page::First, Anchor::Start(0));
        }
        return vec![Effect::Read(state.question())];
    }
    filter::rearranged(state)
}

/// The columns the list can be sorted by: (name, whether its largest come first).
fn columns(state: &State) -> Vec<(String, bool)> {
    let named = |columns: &[(&str, bool)]| -> Vec<(String, bool)> {
        columns.iter().map(|&(name, descending)| (name.to_string(), descending)).collect()
    };
    match state.screen {
        Screen::Corpora => named(&[
            ("corpus", false),
            ("documents", true),
            ("terms", true),
            ("tokens", true),
            ("runs", true),
            ("made", true),
        ]),
        Screen::Corpus if state.corpus.reading.is_some() => {
            named(&[("word", false), ("count", true), ("topic", false)])
        }
        Screen::Corpus if state.corpus.pane == Pane::Terms => {
            named(&[("term", false), ("tokens", true), ("documents", true)])
        }
        Screen::Corpus => named(&[("key", false), ("title", false), ("tokens", true)]),
        Screen::Runs => named(&[
            ("run", false),
            ("corpus", false),
            ("model", false),
            ("k", true),
            ("state", false),
            ("left", false),
        ]),
        Screen::Run => {
            let mut columns = named(&[("topic", false), ("weight", true), ("anchor", false)]);
            let metrics = state.run.metric_names();
            columns.extend(metrics.into_iter().map(|name| (name.to_string(), true)));
            columns
        }
        Screen::Sql => {
            let columns = state.sql.shown.iter().flat_map(|shown| &shown.columns);
            columns.map(|column| (column.name.clone(), false)).collect()
        }
        Screen::Launch | Screen::Compare | Screen::ChooseK => Vec::new(),
    }
}
