//! The trail: what a row leads to, and the way back.

use crate::tui::question::Value;
use crate::tui::screen::Selection;
use crate::tui::screens::corpus::question::{DocumentQuestion, PageQuestion};
use crate::tui::screens::run::RunView;
use crate::tui::screens::run::question::RunQuestion;
use crate::tui::screens::{corpora, corpus, run, runs};
use crate::tui::state::State;
use crate::tui::tests::fixture::user::{answer, asked, press, showing};
use crate::tui::tests::fixture::{document, page, sheet};
use crate::tui::tests::screens::drawn;
use topoi_store::id::{CorpusId, DocumentId, RunId, TopicNumber};

const SIZE: (u16, u16) = (80, 24);

fn a_run() -> Value {
    Value::new(Some(Box::new(sheet())))
}

fn selected_topic(state: &State) -> Option<TopicNumber> {
    state.run().selected().map(|topic| topic.topic)
}

#[test]
fn back_leads_to_the_row_that_was_left_from_a_document_to_the_corpora() {
    let mut state = showing(corpora::NAME, SIZE);
    press(&mut state, &["j", "Enter"]);
    answer(&mut state, Value::new(Some(Box::new(page(1, 200)))));
    let effects = press(&mut state, &["j", "j", "Enter"]);
    assert_eq!(asked::<DocumentQuestion>(&effects).map(|asked| asked.id), Some(DocumentId(3)));
    answer(&mut state, Value::new(Some(Box::new(document()))));
    let effects = press(&mut state, &["Backspace"]);
    assert!(asked::<PageQuestion>(&effects).is_some(), "what is shown is asked for anew");
    assert_eq!((state.workbench.shown, state.corpus().documents.cursor), (corpus::NAME, 2));
    assert!(state.corpus().reading.is_none());
    press(&mut state, &["Esc"]);
    assert_eq!((state.workbench.shown, state.corpora().list.cursor), (corpora::NAME, 1));
}

#[test]
fn back_leads_from_a_topic_to_the_filtered_list_it_was_in() {
    let mut state = showing(runs::NAME, SIZE);
    press(&mut state, &["G", "k", "k", "k", "Enter"]);
    answer(&mut state, a_run());
    press(&mut state, &["/", "k", "e", "r", "n", "Enter", "j", "Enter"]);
    assert_eq!(state.run().view, RunView::Topic);
    let topic = selected_topic(&state);
    press(&mut state, &["q"]);
    let run = state.run();
    assert_eq!((run.view, run.list.filter.as_str()), (RunView::Topics, "kern"));
    assert_eq!((run.list.cursor, selected_topic(&state)), (1, topic));
    press(&mut state, &["Esc"]);
    assert_eq!((state.workbench.shown, state.run().list.filter.as_str()), (run::NAME, ""));
    press(&mut state, &["Esc"]);
    assert_eq!((state.workbench.shown, state.runs().list.cursor), (runs::NAME, 5));
}

#[test]
fn the_sides_of_a_run_are_no_steps_of_the_trail() {
    let mut state = showing(runs::NAME, SIZE);
    press(&mut state, &["Enter"]);
    answer(&mut state, a_run());
    press(&mut state, &["m", "x", "Esc"]);
    assert_eq!((state.workbench.shown, state.run().view), (run::NAME, RunView::Topics));
    press(&mut state, &["Esc"]);
    assert_eq!(state.workbench.shown, runs::NAME);
}

#[test]
fn a_digit_begins_a_new_trail() {
    let mut state = showing(corpora::NAME, SIZE);
    press(&mut state, &["Enter", "5"]);
    answer(&mut state, a_run());
    press(&mut state, &["g", "m", "1", "2"]);
    assert!(state.trail.crumbs(state.screen()).is_empty());
    let mut state = showing(corpora::NAME, SIZE);
    press(&mut state, &["Enter", "4"]);
    answer(&mut state, crate::tui::tests::fixture::runs(10));
    press(&mut state, &["Enter", "q"]);
    assert_eq!(state.workbench.shown, runs::NAME);
    assert!(state.trail.crumbs(state.screen()).is_empty());
}

#[test]
fn the_trail_is_shown_and_its_beginning_is_cut_off() {
    let mut state = showing(corpora::NAME, (120, 24));
    press(&mut state, &["j", "Enter"]);
    answer(&mut state, Value::new(Some(Box::new(page(1, 200)))));
    press(&mut state, &["Enter"]);
    answer(&mut state, Value::new(Some(Box::new(document()))));
    let trail = "Corpora › corpus nips › document nips/00001.txt";
    assert!(drawn(&state).backend().to_string().contains(trail));
    state.workbench.size = (60, 24);
    state.workbench.follow(run::NAME, Selection { run: Some(RunId(1234)), ..Selection::default() });
    press(&mut state, &["j", "n"]);
    let shown = drawn(&state).backend().to_string();
    assert!(!shown.contains("Corpora ›"), "{shown}");
    assert!(
        shown.contains(" …") && shown.contains("document nips/00001.txt › run 1234 › Launch "),
        "{shown}"
    );
}

#[test]
fn only_so_many_steps_are_kept() {
    let mut state = showing(runs::NAME, SIZE);
    for run in 0..40 {
        state
            .workbench
            .follow(run::NAME, Selection { run: Some(RunId(run)), ..Selection::default() });
        press(&mut state, &["j"]);
    }
    assert_eq!(state.trail.crumbs(state.screen()).len(), 33);
    press(&mut state, &["q"; 32]);
    assert_eq!((state.workbench.shown, state.run().id), (run::NAME, Some(RunId(7))));
}

#[test]
fn a_screen_that_there_is_not_is_not_followed_to() {
    let mut state = showing(runs::NAME, SIZE);
    state.workbench.follow("Moon", Selection::default());
    press(&mut state, &["j"]);
    assert_eq!(state.workbench.shown, runs::NAME);
    assert!(state.trail.crumbs(state.screen()).is_empty());
}

#[test]
fn what_is_open_changes_only_when_the_user_opens_something() {
    let mut state = showing(runs::NAME, SIZE);
    press(&mut state, &["j", "j", "Enter"]);
    assert_eq!(state.workbench.open_run, Some(RunId(8)));
    answer(&mut state, Value::new(None::<Box<crate::tui::screens::run::RunWithTopics>>));
    assert_eq!(state.workbench.open_run, Some(RunId(8)), "an answer opens nothing");
    press(&mut state, &["2"]);
    answer(&mut state, Value::new(Some(Box::new(page(1, 200)))));
    let effects = press(&mut state, &["Enter"]);
    let asked_for = asked::<DocumentQuestion>(&effects).expect("a document");
    assert_eq!(asked_for.runs[0], RunId(8), "words have the colours of the run that is open");
    let effects = press(&mut state, &["5"]);
    assert_eq!(asked::<RunQuestion>(&effects).and_then(|asked| asked.id), Some(RunId(8)));
}

#[test]
fn back_opens_what_was_open_before() {
    let mut state = showing(runs::NAME, SIZE);
    press(&mut state, &["Enter"]);
    let other = Selection { run: Some(RunId(3)), ..Selection::default() };
    state.workbench.follow(run::NAME, other);
    press(&mut state, &["j"]);
    assert_eq!((state.workbench.open_run, state.run().id), (Some(RunId(3)), Some(RunId(3))));
    press(&mut state, &["q"]);
    assert_eq!((state.workbench.open_run, state.run().id), (Some(RunId(10)), Some(RunId(10))));
}

#[test]
fn a_document_that_a_topic_leads_to_has_the_words_of_the_topic_lit() {
    let mut state = showing(run::NAME, SIZE);
    let documents = [4, 1, 9].map(DocumentId).to_vec();
    let subject = Selection {
        corpus: Some(CorpusId(1)),
        run: Some(RunId(5)),
        topic: Some(TopicNumber(2)),
        document: Some(DocumentId(1)),
        documents,
        ..Selection::default()
    };
    state.workbench.follow(corpus::NAME, subject);
    press(&mut state, &["j"]);
    answer(&mut state, Value::new(Some(Box::new(document()))));
    let reading = state.corpus().reading.as_ref().expect("a document");
    assert_eq!((reading.id, reading.rank(reading.lit)), (DocumentId(1), Some(1)));
    let effects = press(&mut state, &["]"]);
    assert_eq!(asked::<DocumentQuestion>(&effects).map(|asked| asked.id), Some(DocumentId(9)));
    press(&mut state, &["q"]);
    assert_eq!(state.workbench.shown, run::NAME);
    press(&mut state, &["2"]);
    assert!(state.corpus().reading.is_none(), "the documents are as they were before");
}
