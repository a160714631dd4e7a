//! Documents: the list of a corpus, one that is read, and what leads on from it.

use crate::tui::effect::Effect;
use crate::tui::list::screen::{ListQuestion, Listing};
use crate::tui::overlays::confirm::Confirm;
use crate::tui::question::Value;
use crate::tui::screens::corpus::question::{CorpusPage, DocumentDetail, DocumentQuestion};
use crate::tui::screens::parent::{self, Parent};
use crate::tui::screens::run::question::RunQuestion;
use crate::tui::screens::run::{self, RunView};
use crate::tui::screens::{corpora, corpus};
use crate::tui::state::State;
use crate::tui::tests::fixture::user::{answer, asked, overlay, press, showing};
use crate::tui::tests::fixture::{document, page};
use crate::tui::tests::screens::drawn;
use topoi_store::corpus::chunk::Chunk;
use topoi_store::corpus::document::Document;
use topoi_store::id::{RunId, TopicNumber};

const SIZE: (u16, u16) = (80, 24);

fn reading() -> State {
    let mut state = showing(corpus::NAME, SIZE);
    press(&mut state, &["j", "Enter"]);
    answer(&mut state, Value::new(Some(Box::new(document()))));
    state
}

fn lit(state: &State) -> Option<TopicNumber> {
    state.corpus().reading.as_ref().expect("a document").lit
}

#[test]
fn the_legend_is_a_list_whose_topics_lead_to_their_documents() {
    let mut state = reading();
    press(&mut state, &["Tab"]);
    assert_eq!(
        lit(&state),
        Some(TopicNumber(7)),
        "the words of the topic under the cursor are lit"
    );
    press(&mut state, &["j", "j"]);
    assert_eq!(lit(&state), Some(TopicNumber(11)));
    let effects = press(&mut state, &["Enter"]);
    let question: &RunQuestion = asked(&effects).expect("a question");
    assert_eq!(state.workbench.shown, run::NAME);
    assert_eq!((question.id, question.view), (Some(RunId(5)), RunView::Documents));
    assert_eq!(question.topic, Some(TopicNumber(11)));
    press(&mut state, &["Backspace"]);
    assert_eq!((state.workbench.shown, lit(&state)), (corpus::NAME, Some(TopicNumber(11))));
    let legend = state.corpus().reading.as_ref().map(|reading| reading.legend.cursor);
    assert_eq!(legend, Some(2), "on the row that was left");
    press(&mut state, &["Tab", "j"]);
    assert_eq!(lit(&state), Some(TopicNumber(11)), "back in the text, the topic stays lit");
}

#[test]
fn a_chunk_says_its_place_and_leads_to_the_topics_and_chunks_of_the_whole() {
    let mut state = showing(corpus::NAME, SIZE);
    press(&mut state, &["j", "Enter"]);
    let (parent, title) = ("emma".to_string(), Some("Emma".to_string()));
    let chunk = Chunk { parent_id: 4, parent, title, position: 3, chunks: 124 };
    let sheet = DocumentDetail { chunk: Some(chunk.clone()), ..document() };
    answer(&mut state, Value::new(Some(Box::new(sheet))));
    let shown = drawn(&state).backend().to_string();
    assert!(shown.contains("(chunk 3 of 124: P, "), "{shown}");
    let effects = press(&mut state, &["P"]);
    let question: &ListQuestion<Parent> = asked(&effects).expect("a question");
    assert_eq!((state.workbench.shown, question.of.run), (parent::NAME, Some(RunId(5))));
    let row = |document: Document| (document, "9% 7 kernel".to_string());
    let rows = page(1, 3).documents.into_iter().map(row).collect();
    let topics = "Topics of the whole by run 5: 64% 7 kernel, 20% 2 spike".into();
    answer(&mut state, Value::new(Some(Listing::<Parent> { about: (chunk, topics), rows })));
    let shown = drawn(&state).backend().to_string();
    assert!(shown.contains("emma: Emma (124 chunks)"), "{shown}");
    assert!(shown.contains("by run 5: 64% 7 kernel, 20% 2 spike"), "{shown}");
    let effects = press(&mut state, &["j", "Enter"]);
    let question: &DocumentQuestion = asked(&effects).expect("a question");
    assert_eq!(question.id, page(1, 3).documents[1].id);
    press(&mut state, &["Backspace"]);
    assert_eq!(state.workbench.shown, parent::NAME);
}

#[test]
fn a_whole_document_says_how_documents_are_cut() {
    let mut state = reading();
    press(&mut state, &["P"]);
    assert!(state.workbench.notice.as_ref().is_some_and(|notice| notice.contains("--chunk")));
}

#[test]
fn the_fields_of_a_document_stand_above_its_text() {
    let shown = drawn(&reading()).backend().to_string();
    assert!(shown.contains("year 1998") && shown.contains("section kernels"), "{shown}");
}

#[test]
fn a_word_and_what_is_like_a_document_are_followed_where_there_is_a_screen() {
    let mut state = reading();
    press(&mut state, &["W"]);
    assert!(state.workbench.notice.as_ref().is_some_and(|notice| notice.contains("w lists")));
    let term = |state: &State| state.corpus().reading.as_ref().and_then(|r| r.selected_term());
    press(&mut state, &["l"]);
    assert_eq!(term(&state).as_deref(), Some("kernel"));
    press(&mut state, &["l", "l", "l", "Left"]);
    assert_eq!(term(&state).as_deref(), Some("margin"), "after kernel, pca, margin, kernel");
    for keys in [&["w", "j", "Enter"][..], &["D"][..]] {
        press(&mut state, keys);
        let is_there = state.workbench.shown != corpus::NAME;
        let is_told =
            state.workbench.notice.as_ref().is_some_and(|notice| notice.contains("no screen"));
        assert!(is_there || is_told, "{keys:?}");
        if is_there {
            press(&mut state, &["Esc"]);
        }
    }
}

#[test]
fn documents_without_a_title_have_their_first_words_and_all_their_main_topic() {
    let mut state = showing(corpus::NAME, (100, 30));
    let mut found = page(1, 200);
    found.names[1] = "It begins with these words".into();
    answer(&mut state, Value::new(Some(Box::new(found))));
    let shown = drawn(&state).backend().to_string();
    let row = shown.lines().find(|line| line.contains("nips/00002.txt")).expect("the row");
    assert!(row.contains("It begins") && row.contains("1% 7 kernel"), "{row}");
    assert!(shown.contains("  topic, run 5"), "{shown}");
}

#[test]
fn a_filter_that_finds_no_document_says_where_texts_are_searched() {
    let mut state = showing(corpus::NAME, SIZE);
    press(&mut state, &["/", "s", "p", "o", "r", "t"]);
    let none = CorpusPage { documents: Vec::new(), matching: 0, ..page(1, 0) };
    answer(&mut state, Value::new(Some(Box::new(none))));
    let shown = drawn(&state).backend().to_string();
    insta::assert_snapshot!(shown);
}

#[test]
fn at_a_hundred_columns_terms_have_room_for_their_letters() {
    let shown = drawn(&showing(corpus::NAME, (100, 30))).backend().to_string();
    assert!(shown.lines().any(|line| line.contains("network  ")), "{shown}");
}

#[test]
fn a_filter_begins_anew_and_the_old_one_stays_until_then() {
    let mut state = showing(corpora::NAME, SIZE);
    press(&mut state, &["/", "n", "y", "Enter", "/"]);
    assert_eq!(state.corpora().list.filter.as_str(), "ny");
    press(&mut state, &["m", "o"]);
    assert_eq!(state.corpora().list.filter.as_str(), "mo");
    press(&mut state, &["Enter", "/", "Backspace", "v"]);
    assert_eq!(state.corpora().list.filter.as_str(), "v");
    press(&mut state, &["Enter", "/", "Enter"]);
    assert_eq!((state.corpora().list.filter.as_str(), state.corpora().list.typing), ("v", false));
}

#[test]
fn no_file_is_written_unasked() {
    let mut state = showing(corpus::NAME, SIZE);
    state.workbench.directory = "/home/user/models".into();
    assert_eq!(press(&mut state, &["e"]), []);
    let Some(confirm) = overlay::<Confirm>(&state) else { panic!("no question") };
    assert_eq!(confirm.title, "Write /home/user/models/nips-documents.csv?");
    assert_eq!(press(&mut state, &["n"]), []);
    assert!(matches!(&press(&mut state, &["E", "y"])[..], [Effect::Export(_)]));
}
