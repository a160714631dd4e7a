//! The keys while a document is read.

use super::document::{COLOURS, DocumentState};
use super::state::CorpusScreen;
use crate::tui::bench::Bench;
use crate::tui::keymap::{Action, Action as A, Keys, key};

const NEXT: Action = Action::Own("next document");
const PREVIOUS: Action = Action::Own("previous document");
const NEXT_TOPIC: Action = Action::Own("next topic");
const OTHER_RUN: Action = Action::Own("other run");
const MARKS: Action = Action::Own("marks");
const TEXT_OR_WORDS: Action = Action::Own("text or words");

pub static KEYS: Keys = Keys::new(
    "Document",
    &[
        key(&["]"], NEXT, "next", "next document of the list"),
        key(&["["], PREVIOUS, "", "previous document of the list"),
        key(&["t"], NEXT_TOPIC, "topic", "show the words of one topic reversed"),
        key(&["r"], OTHER_RUN, "run", "colours by the next run"),
        key(&["m"], MARKS, "marks", "number the words of topics, or not"),
        key(&["w", "Tab"], TEXT_OR_WORDS, "words", "its words, or its text"),
        key(&["h", "Left"], A::Back, "", "back to the documents"),
    ],
);

/// Opens the document under the cursor.
pub fn open(corpus: &mut CorpusScreen, bench: &mut Bench) {
    let found = corpus.shown.as_ref().and_then(|p| p.documents.get(corpus.documents.cursor));
    let Some(document) = found else { return };
    let marks = !bench.look.colour;
    corpus.reading = Some(Box::new(DocumentState::new(document.id, corpus.colours_of, marks)));
    bench.ask();
}

/// Whether the key was one of a document.
pub fn act(corpus: &mut CorpusScreen, action: Action, bench: &mut Bench) -> bool {
    match action {
        NEXT => neighbour(corpus, 1, bench),
        PREVIOUS => neighbour(corpus, -1, bench),
        OTHER_RUN => other_run(corpus, bench),
        _ => return corpus.reading.as_mut().is_some_and(|reading| change(reading, action)),
    }
    true
}

fn change(reading: &mut DocumentState, action: Action) -> bool {
    match action {
        TEXT_OR_WORDS => {
            reading.as_words = !reading.as_words;
            reading.list.cursor = 0;
            reading.arrange();
        }
        MARKS => reading.turn_marks(),
        NEXT_TOPIC => {
            let topics = reading.sheet.as_ref().map_or(0, |sheet| sheet.legend.len()).min(COLOURS);
            let next = reading.focus.map_or(0, |place| place + 1);
            reading.focus = (next < topics).then_some(next);
        }
        _ => return false,
    }
    true
}

/// Goes to a document further on in the page of documents below.
fn neighbour(corpus: &mut CorpusScreen, places: isize, bench: &mut Bench) {
    let Some(reading) = &mut corpus.reading else { return };
    let documents = corpus.shown.iter().flat_map(|page| &page.documents);
    let ids: Vec<i64> = documents.map(|document| document.id).collect();
    let place = ids.iter().position(|id| *id == reading.id);
    let next = place.and_then(|place| place.checked_add_signed(places));
    match next.and_then(|next| Some((next, *ids.get(next)?))) {
        Some((next, id)) => {
            corpus.documents.cursor = next;
            reading.id = id;
            bench.ask();
        }
        None => bench.say("no further document on this page of the list"),
    }
}

/// Colours by the next of the corpus's runs that have topics.
fn other_run(corpus: &mut CorpusScreen, bench: &mut Bench) {
    let Some(reading) = &mut corpus.reading else { return };
    let Some(sheet) = &reading.sheet else { return };
    if sheet.runs.len() < 2 {
        return bench.say("the corpus has no other run with topics");
    }
    let place = sheet.runs.iter().position(|run| Some(*run) == sheet.run).unwrap_or(0);
    let next = sheet.runs[(place + 1) % sheet.runs.len()];
    reading.run = Some(next);
    reading.focus = None;
    corpus.colours_of = Some(next);
    bench.ask();
}
