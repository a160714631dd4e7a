//! Screen 6: which of the runs, which of its sides.

use super::run;
use crate::tui::data::RunView;
use crate::tui::effect::Effect;
use crate::tui::keymap::Action;
use crate::tui::state::State;

/// Whether a key on the comparison is dealt with here.
pub fn is_its_own(action: Action) -> bool {
    use Action as A;
    [A::NextView, A::PreviousView, A::NextField, A::PreviousField, A::Order].contains(&action)
}

/// Deals with such a key.
pub fn act(state: &mut State, action: Action) -> Vec<Effect> {
    let compare = &mut state.compare;
    let others = compare.found.as_ref().map_or(0, |found| found.alignments.len()).max(1);
    let before = compare.selected().and_then(|pair| pair.first).map(|topic| topic.topic);
    match action {
        Action::NextView | Action::PreviousView => compare.shows_metrics = !compare.shows_metrics,
        Action::NextField => compare.other = (compare.other + 1) % others,
        Action::PreviousField => compare.other = (compare.other + others - 1) % others,
        _ => compare.by_similarity = !compare.by_similarity,
    }
    let pairs = compare.visible();
    let is_same = |pair: &crate::tui::state::compare::Pair| pair.first.map(|t| t.topic) == before;
    let found = before.and_then(|_| pairs.iter().position(is_same));
    compare.list.cursor = found.unwrap_or(compare.list.cursor);
    Vec::new()
}

/// Shows the topic of the first run, or the one only the other has, in its run.
pub fn open(state: &mut State) -> Vec<Effect> {
    let Some((first, other)) = state.compare.shown() else { return Vec::new() };
    if state.compare.shows_metrics {
        return Vec::new();
    }
    let Some(pair) = state.compare.selected() else { return Vec::new() };
    let (id, topic) = match (pair.first, pair.other) {
        (Some(topic), _) => (first.run.id, topic.topic),
        (None, Some(topic)) => (other.run.id, topic.topic),
        (None, None) => return Vec::new(),
    };
    state.run.open(id);
    let effects = run::look(state, RunView::Topic);
    state.run.list.clear_filter();
    state.run.wanted = Some(topic);
    effects
}
