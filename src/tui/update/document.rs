//! Reading a document.

use super::lists::distance;
use crate::tui::effect::Effect;
use crate::tui::keymap::Action;
use crate::tui::state::State;
use crate::tui::state::document::{COLOURS, DocumentState};

/// Opens the document under the cursor.
pub fn open(state: &mut State) -> Vec<Effect> {
    let marks = !state.look.colour;
    let corpus = &mut state.corpus;
    let found = corpus.shown.as_ref().and_then(|p| p.documents.get(corpus.documents.cursor));
    let Some(document) = found else { return Vec::new() };
    corpus.reading = Some(Box::new(DocumentState::new(document.id, corpus.colours_of, marks)));
    vec![Effect::Read(state.question())]
}

/// A key while a document is read.
pub fn act(state: &mut State, action: Action) -> Vec<Effect> {
    match action {
        Action::NextDocument => return neighbour(state, 1),
        Action::PreviousDocument => return neighbour(state, -1),
        Action::OtherRun => return other_run(state),
        _ => {}
    }
    let rows = distance(state, action);
    let len = state.list_len();
    let Some(reading) = &mut state.corpus.reading else { return Vec::new() };
    match action {
        Action::TextOrWords => {
            reading.as_words = !reading.as_words;
            reading.list.cursor = 0;
        }
        Action::Marks => {
            reading.marks = !reading.marks;
            reading.width = 0;
        }
        Action::NextTopic => {
            let topics = reading.sheet.as_ref().map_or(0, |sheet| sheet.legend.len()).min(COLOURS);
            let next = reading.focus.map_or(0, |place| place + 1);
            reading.focus = (next < topics).then_some(next);
        }
        _ => reading.list.step(rows.unwrap_or(0), len),
    }
    Vec::new()
}

/// Goes to a document further on in the page of documents below.
fn neighbour(state: &mut State, places: isize) -> Vec<Effect> {
    let corpus = &mut state.corpus;
    let Some(reading) = &mut corpus.reading else { return Vec::new() };
    let documents = corpus.shown.iter().flat_map(|page| &page.documents);
    let ids: Vec<i64> = documents.map(|document| document.id).collect();
    let place = ids.iter().position(|id| *id == reading.id);
    let next = place.and_then(|place| place.checked_add_signed(places));
    match next.and_then(|next| Some((next, *ids.get(next)?))) {
        Some((next, id)) => {
            corpus.documents.cursor = next;
            reading.id = id;
            vec![Effect::Read(state.question())]
        }
        None => {
            state.notice = Some("no further document on this page of the list".into());
            Vec::new()
        }
    }
}

/// Colours by the next of the corpus's runs that have topics.
fn other_run(state: &mut State) -> Vec<Effect> {
    let Some(reading) = &mut state.corpus.reading else { return Vec::new() };
    let Some(sheet) = &reading.sheet else { return Vec::new() };
    if sheet.runs.len() < 2 {
        state.notice = Some("the corpus has no other run with topics".into());
        return Vec::new();
    }
    let place = sheet.runs.iter().position(|run| Some(*run) == sheet.run).unwrap_or(0);
    let next = sheet.runs[(place + 1) % sheet.runs.len()];
    reading.run = Some(next);
    reading.focus = None;
    state.corpus.colours_of = Some(next);
    vec![Effect::Read(state.question())]
}
