//! Screen 5: its views, the names of topics, their documents.

use super::{lists, navigate};
use crate::tui::data::RunView;
use crate::tui::effect::Effect;
use crate::tui::keymap::Action;
use crate::tui::state::run::{Found, LARGEST_ZOOM};
use crate::tui::state::{Screen, State};
use crate::tui::text;
use topoi::store::result::document_topic::TopicDocument;

/// The longest name of a topic, in cells.
const LONGEST_NAME: usize = 40;

/// Shows a side of the run; the cursor stays on its topic.
pub fn look(state: &mut State, view: RunView) -> Vec<Effect> {
    if state.run.list.is_filtered() && view == RunView::Correlations {
        state.run.keeping_topic(|run| run.list.clear_filter());
    }
    state.run.keeping_topic(|run| run.view = view);
    navigate::go(state, Screen::Run)
}

/// Whether a key on the run is dealt with here.
pub fn is_its_own(state: &State, action: Action) -> bool {
    use Action as A;
    let scrolls = state.run.view == RunView::Facts && lists::distance(state, action).is_some();
    let own = [A::NextView, A::PreviousView, A::Order, A::Scale, A::ZoomIn, A::ZoomOut, A::Name];
    scrolls || own.contains(&action)
}

/// Deals with such a key.
pub fn act(state: &mut State, action: Action) -> Vec<Effect> {
    match action {
        Action::NextView => return look(state, turned(state.run.view, 1)),
        Action::PreviousView => return look(state, turned(state.run.view, RunView::ALL.len() - 1)),
        Action::Order => state.run.keeping_topic(|run| run.by_number = !run.by_number),
        Action::Scale => state.run.is_to_scale = !state.run.is_to_scale,
        Action::ZoomIn => state.run.zoom = (state.run.zoom + 1).min(LARGEST_ZOOM),
        Action::ZoomOut => state.run.zoom = state.run.zoom.saturating_sub(1),
        Action::Name if state.run.view != RunView::Facts => {
            let label = state.run.selected().map(|topic| topic.label.clone().unwrap_or_default());
            state.run.naming = label;
        }
        _ => {
            let lines = crate::tui::view::run_facts::hidden_lines(state);
            let rows = lists::distance(state, action).unwrap_or(0);
            state.run.facts_from = state.run.facts_from.saturating_add_signed(rows).min(lines);
        }
    }
    Vec::new()
}

fn turned(view: RunView, by: usize) -> RunView {
    let at = RunView::ALL.iter().position(|other| *other == view).unwrap_or(0);
    RunView::ALL[(at + by) % RunView::ALL.len()]
}

/// Types a character of a topic's name.
pub fn type_in(state: &mut State, c: char) -> Vec<Effect> {
    let naming = state.run.naming.as_mut();
    if let Some(name) = naming.filter(|name| text::width(name) < LONGEST_NAME) {
        name.push(c);
    }
    Vec::new()
}

/// A key that is no character, while a name is typed.
pub fn act_naming(state: &mut State, action: Action) -> Vec<Effect> {
    match (action, &mut state.run.naming) {
        (Action::Erase, Some(name)) => {
            name.pop();
        }
        (Action::EraseAll, Some(name)) => name.clear(),
        (Action::Accept, naming) => {
            let name = naming.take().unwrap_or_default().trim().to_string();
            let named = state.run.sheet.as_ref().zip(state.run.selected());
            return named.map_or_else(Vec::new, |(sheet, topic)| {
                let label = (!name.is_empty()).then_some(name);
                vec![Effect::Label { run: sheet.row.run.id, topic: topic.topic, label }]
            });
        }
        (Action::Clear, naming) => *naming = None,
        _ => {}
    }
    Vec::new()
}

/// Asks for the documents of the topic that is shown in full, unless that was done.
pub fn missing_documents(state: &mut State) -> Option<Effect> {
    if state.screen != Screen::Run || state.run.view != RunView::Topic {
        return None;
    }
    let run = state.run.sheet.as_ref()?.row.run.id;
    let topic = state.run.selected()?.topic;
    if state.run.documents_of(topic).is_some() {
        return None;
    }
    state.run.documents = Some((topic, Found::NotYet));
    Some(Effect::FindDocuments { run, topic })
}

/// Takes the documents, if they are still wanted.
pub fn documents(
    state: &mut State,
    run: i64,
    topic: u64,
    found: Result<Vec<TopicDocument>, String>,
) -> Vec<Effect> {
    let is_shown = state.run.id == Some(run) && state.run.documents_of(topic).is_some();
    if is_shown {
        state.run.documents = Some((topic, Found::Here(found)));
    }
    Vec::new()
}
