//! The keys while a document is read.

use super::NAME;
use super::document::{COLOURS, DocumentState};
use super::state::CorpusScreen;
use crate::tui::keymap::{Action, Action as A, Keys, key};
use crate::tui::screen::{Screen, Selection};
use crate::tui::screens::run::{self, RunView};
use crate::tui::workbench::Workbench;
use topoi_run::notes::citation::Cited;
use topoi_store::id::{DocumentId, TopicNumber};

const NEXT: Action = Action::Own("next document");
const PREVIOUS: Action = Action::Own("previous document");
const NEXT_TOPIC: Action = Action::Own("next topic");
const OTHER_RUN: Action = Action::Own("other run");
const MARKS: Action = Action::Own("marks");
const TEXT_OR_WORDS: Action = Action::Own("text or words");
const NEXT_WORD: Action = Action::Own("next word");
const PREVIOUS_WORD: Action = Action::Own("previous word");
const SIMILAR: Action = Action::Own("similar documents");
const PARENT: Action = Action::Own("parent");
pub const WORD: Action = Action::Own("word");

pub static KEYS: Keys = Keys::new(
    "Document",
    &[
        key(&["]"], NEXT, "next", "next document of the list"),
        key(&["["], PREVIOUS, "", "previous document of the list"),
        key(&["Tab", "Shift-Tab"], A::NextField, "topics", "to its topics, or back to the text"),
        key(&["Enter"], A::Enter, "", "of a topic its documents, of a word its use"),
        key(&["D"], SIMILAR, "like it", "documents like this one"),
        key(&["P"], PARENT, "", "the whole that it was cut from"),
        key(&["l", "Right"], NEXT_WORD, "", "to the next coloured word of the text"),
        key(&["Left"], PREVIOUS_WORD, "", "to the coloured word before it"),
        key(&["w"], TEXT_OR_WORDS, "words", "its words, or its text"),
        key(&["W"], WORD, "", "where the word under the cursor is used"),
        key(&["t"], NEXT_TOPIC, "topic", "show the words of one topic reversed"),
        key(&["R"], OTHER_RUN, "other run", "in the next run of the corpus"),
        key(&["#"], MARKS, "marks", "number the words of topics, or not"),
        key(&["h"], A::Back, "", "back to what led here"),
    ],
);

/// Leads on to the document under the cursor.
pub fn follow(corpus: &CorpusScreen, workbench: &mut Workbench) {
    let Some(page) = &corpus.shown else { return };
    let Some(document) = page.documents.get(corpus.documents.cursor) else { return };
    let documents = page.documents.iter().map(|document| document.id).collect();
    let (corpus, document) = (corpus.id, Some(document.id));
    workbench.follow(NAME, Selection { corpus, document, documents, ..Selection::default() });
}

/// Opens a document as what leads to it says: coloured by that run, else by the one that is open, with
/// the words of that topic highlighted.
pub fn open(
    corpus: &mut CorpusScreen,
    document: DocumentId,
    subject: &Selection,
    workbench: &Workbench,
) {
    let mut reading = DocumentState::new(document, !workbench.look.colour);
    reading.runs = subject.run.into_iter().chain(corpus.runs()).collect();
    reading.runs.dedup();
    reading.lit = subject.topic;
    let term = subject.term.as_ref().map(|term| format!("\"{term}\""));
    reading.query = subject.query.clone().or(term);
    reading.passage = subject.passage.clone();
    reading.siblings.clone_from(&subject.documents);
    corpus.reading = Some(Box::new(reading));
}

/// Whether the key was one of a document.
pub fn act(corpus: &mut CorpusScreen, action: Action, workbench: &mut Workbench) -> bool {
    match action {
        NEXT => neighbour(corpus, 1, workbench),
        PREVIOUS => neighbour(corpus, -1, workbench),
        OTHER_RUN => other_run(corpus, workbench),
        SIMILAR => similar(corpus, workbench),
        PARENT => parent(corpus, workbench),
        NEXT_WORD | PREVIOUS_WORD => {
            let rows = corpus.list_rows(workbench);
            if let Some(reading) = &mut corpus.reading {
                reading.step_word(action == NEXT_WORD, rows);
            }
        }
        WORD => word(corpus, workbench),
        A::Enter => follow_on(corpus, workbench),
        _ => return corpus.reading.as_mut().is_some_and(|reading| change(reading, action)),
    }
    true
}

fn change(reading: &mut DocumentState, action: Action) -> bool {
    match action {
        TEXT_OR_WORDS => {
            (reading.as_words, reading.in_legend) = (!reading.as_words, false);
            reading.list.cursor = 0;
            reading.arrange();
        }
        A::NextField => reading.turn_to_legend(),
        MARKS => reading.turn_marks(),
        NEXT_TOPIC => {
            let legend = reading.sheet.iter().flat_map(|sheet| &sheet.legend).take(COLOURS);
            let topics: Vec<TopicNumber> = legend.map(|entry| entry.topic).collect();
            let now = reading.lit.and_then(|lit| topics.iter().position(|topic| *topic == lit));
            reading.lit = topics.get(now.map_or(0, |place| place + 1)).copied();
        }
        _ => return false,
    }
    true
}

/// The passage that is read, with its source in the form for citations.
pub fn cited(corpus: &CorpusScreen, workbench: &Workbench) -> Option<String> {
    let reading = corpus.reading.as_ref().filter(|reading| !reading.shows_words())?;
    let passage = reading.passage_in_sight(corpus.list_rows(workbench))?;
    let sheet = reading.sheet.as_ref()?;
    let place = passage.start..passage.start + passage.quote.chars().count() as u64;
    let source = workbench.citation.cite(Cited {
        corpus: &sheet.corpus,
        document: &sheet.document,
        fields: sheet.fields_json.as_deref(),
        place: Some(&place),
    });
    Some(format!("{}\n\u{2014} {source}\n", passage.quote))
}

/// What leads on from the document.
fn subject(corpus: &CorpusScreen) -> Selection {
    let reading = corpus.reading.as_ref();
    let run = reading.and_then(|reading| reading.sheet.as_ref()?.run);
    let document = reading.map(|reading| reading.id);
    Selection { corpus: corpus.id, document, run, ..Selection::default() }
}

/// Leads on from a topic of the legend to its documents, from a word to its use.
fn follow_on(corpus: &CorpusScreen, workbench: &mut Workbench) {
    let Some(reading) = &corpus.reading else { return };
    if !reading.in_legend {
        return word(corpus, workbench);
    }
    let Some((topic, run)) = reading.selected_topic().zip(subject(corpus).run) else { return };
    let view = Some(RunView::Documents.name().1);
    let subject = Selection { run: Some(run), topic: Some(topic), view, ..Selection::default() };
    workbench.follow(run::NAME, subject);
}

fn word(corpus: &CorpusScreen, workbench: &mut Workbench) {
    let Some(reading) = &corpus.reading else { return };
    match reading.selected_term() {
        term @ Some(_) => {
            workbench.follow("Word", Selection { term, document: None, ..subject(corpus) });
        }
        None => workbench.say("l and Left go from coloured word to word; w lists all words"),
    }
}

fn similar(corpus: &CorpusScreen, workbench: &mut Workbench) {
    workbench.follow("Similar", subject(corpus));
}

fn parent(corpus: &CorpusScreen, workbench: &mut Workbench) {
    let sheet = corpus.reading.as_ref().and_then(|reading| reading.sheet.as_ref());
    match sheet.and_then(|sheet| sheet.chunk.as_ref()) {
        Some(_) => workbench.follow("Parent", subject(corpus)),
        None => workbench.say("it is a whole document: `topoi ingest --chunk` cuts long ones"),
    }
}

/// Goes to a document further on in the list that led here.
fn neighbour(corpus: &mut CorpusScreen, places: isize, workbench: &mut Workbench) {
    let Some(reading) = &mut corpus.reading else { return };
    let place = reading.siblings.iter().position(|id| *id == reading.id);
    let next = place.and_then(|place| place.checked_add_signed(places));
    match next.and_then(|next| reading.siblings.get(next)) {
        Some(&id) => reading.id = id,
        None => workbench.say("no further document in the list that led here"),
    }
}

/// Opens the next of the corpus's runs that have topics.
fn other_run(corpus: &mut CorpusScreen, workbench: &mut Workbench) {
    let Some(reading) = &mut corpus.reading else { return };
    let Some(sheet) = &reading.sheet else { return };
    if sheet.runs.len() < 2 {
        return workbench.say("the corpus has no other run with topics");
    }
    let place = sheet.runs.iter().position(|run| Some(*run) == sheet.run).unwrap_or(0);
    let next = sheet.runs[(place + 1) % sheet.runs.len()];
    reading.runs = vec![next];
    reading.lit = None;
    (corpus.open_run, workbench.open_run) = (Some(next), Some(next));
    workbench.say(format!("run {next} is open now"));
}
