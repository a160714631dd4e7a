//! Topics, their words and documents: what keys do and what is drawn.

use crate::tui::effect::Effect;
use crate::tui::question::Value;
use crate::tui::screens::corpus::question::DocumentQuestion;
use crate::tui::screens::run::question::RunQuestion;
use crate::tui::screens::run::{self, RunView, RunViewData, RunWithTopics};
use crate::tui::screens::runs;
use crate::tui::state::State;
use crate::tui::tests::fixture::of_runs::{documents, turn};
use crate::tui::tests::fixture::user::{answer, asked, press, showing};
use crate::tui::tests::fixture::{DOUBT, corpora, sheet};
use crate::tui::tests::screens::drawn;
use topoi_store::id::{CorpusId, DocumentId, RunId, TopicNumber};

const NARROW: (u16, u16) = (80, 24);

fn run(view: RunView, size: (u16, u16)) -> State {
    let mut state = showing(run::NAME, size);
    turn(&mut state, view);
    state
}

#[test]
fn the_documents_of_a_topic_are_read_with_it_lit_within_six_keys_of_the_start() {
    let mut state = crate::tui::tests::fixture::user::state(NARROW);
    answer(&mut state, corpora());
    press(&mut state, &["5"]);
    answer(&mut state, a_run(RunViewData::Images(None)));
    press(&mut state, &["j", "Enter"]);
    answer(&mut state, a_run(RunViewData::Images(None)));
    let effects = press(&mut state, &["Enter"]);
    let question: &RunQuestion = asked(&effects).expect("a question");
    assert_eq!((question.view, question.topic), (RunView::Documents, Some(TopicNumber(1))));
    answer(&mut state, a_run(RunViewData::Documents(Some(documents(TopicNumber(0))))));
    assert!(state.run().lines().is_empty(), "those of another topic are not shown");
    answer(&mut state, a_run(RunViewData::Documents(Some(documents(TopicNumber(1))))));
    let effects = press(&mut state, &["j", "Enter"]);
    let question: &DocumentQuestion = asked(&effects).expect("a question");
    assert_eq!(
        (question.corpus, question.id, &question.runs[..]),
        (CorpusId(1), DocumentId(2), &[RunId(5)][..])
    );
    let reading = state.corpus().reading.as_ref().expect("a document");
    assert_eq!((reading.lit, reading.siblings.len()), (Some(TopicNumber(1)), 12));
    press(&mut state, &["]", "Backspace"]);
    answer(&mut state, a_run(RunViewData::Documents(Some(documents(TopicNumber(1))))));
    assert_eq!((state.run().view, state.run().found.cursor), (RunView::Documents, 2));
    press(&mut state, &["Esc", "Esc"]);
    assert_eq!((state.run().view, state.run().list.cursor), (RunView::Topics, 1));
}

fn a_run(more: RunViewData) -> Value {
    Value::new(Some(Box::new(RunWithTopics { more, ..sheet() })))
}

#[test]
fn the_next_topic_is_read_from_the_same_side() {
    let mut state = run(RunView::Documents, NARROW);
    press(&mut state, &["j", "j"]);
    let effects = press(&mut state, &["]"]);
    assert_eq!(asked::<RunQuestion>(&effects).and_then(|asked| asked.topic), Some(TopicNumber(1)));
    assert_eq!((state.run().found.cursor, state.run().view), (0, RunView::Documents));
    press(&mut state, &["w", "[", "j", "j"]);
    assert_eq!(state.run().selected().map(|topic| topic.topic), Some(TopicNumber(0)));
    assert_eq!(state.run().selected_word().map(|word| word.word.as_str()), Some("spike"));
}

#[test]
fn lambda_moves_in_tenths_and_the_words_come_ranked_by_it() {
    let mut state = showing(run::NAME, NARROW);
    let lambda = |effects: &[Effect]| asked::<RunQuestion>(effects).expect("asked").lambda;
    assert_eq!(press(&mut state, &[">"]), [], "they are ranked by probability already");
    assert_eq!(lambda(&press(&mut state, &["<", "<", "<", "<"])), 6);
    answer(&mut state, Value::new(Some(Box::new(RunWithTopics { lambda: 6, ..sheet() }))));
    press(&mut state, &["j"]);
    assert!(drawn(&state).backend().to_string().contains("words by relevance λ 0.6"));
}

#[test]
fn topics_stand_by_number_by_share_or_by_likeness() {
    let mut state = showing(run::NAME, NARROW);
    press(&mut state, &["o"]);
    let sort = state.run().list.sort.clone().expect("an order");
    assert_eq!((sort.by.as_str(), sort.descending), ("of tokens", true));
    let effects = press(&mut state, &["o"]);
    assert!(asked::<RunQuestion>(&effects).expect("asked").by_likeness);
    let alike = Some((0..50).rev().collect());
    answer(&mut state, Value::new(Some(Box::new(RunWithTopics { alike, ..sheet() }))));
    assert_eq!(state.run().visible().first().map(|topic| topic.topic), Some(TopicNumber(49)));
    press(&mut state, &["o", "g", "g"]);
    assert_eq!(state.run().selected().map(|topic| topic.topic), Some(TopicNumber(0)));
}

#[test]
fn a_topic_to_distrust_has_a_mark_and_says_why() {
    let mut state = showing(run::NAME, NARROW);
    press(&mut state, &["j", "j", "j"]);
    let shown = drawn(&state).backend().to_string();
    assert!(shown.contains(">  !   3 ") && shown.contains(DOUBT), "{shown}");
}

#[test]
fn words_have_the_most_room_at_every_width() {
    for width in 60..=220 {
        let mut state = showing(run::NAME, (width, 30));
        press(&mut state, &["j", "j"]);
        let shown = drawn(&state).backend().to_string();
        let row = shown.lines().find(|line| line.contains(">      2 ")).expect("the row");
        let words = ["spike", "boost", "bayes", "主題", "hidden"];
        assert!(words.iter().all(|word| row.contains(word)), "{width}: {row}");
    }
}

#[test]
fn a_run_that_is_gone_is_not_taken_for_none_at_all() {
    let mut state = showing(runs::NAME, NARROW);
    press(&mut state, &["Enter"]);
    answer(&mut state, Value::new(None::<Box<RunWithTopics>>));
    let shown = drawn(&state).backend().to_string();
    assert!(shown.contains("Run 10 is no longer there") && !shown.contains("no finished"));
}

#[test]
fn correlations_scroll_sideways_and_say_that_there_is_more() {
    let mut state = run(RunView::Correlations, (60, 30));
    let shown = |state: &State| drawn(state).backend().to_string();
    let before = shown(&state);
    assert!(before.contains("›") && !before.contains("‹"), "{before}");
    press(&mut state, &[">"]);
    let after = shown(&state);
    assert!(after.contains("‹") && after != before, "{after}");
    press(&mut state, &[">", ">", ">", ">"]);
    assert!(!shown(&state).contains("›"), "at the last column");
    press(&mut state, &["<", "<", "<", "<", "<"]);
    assert_eq!(shown(&state), before);
}

#[test]
fn arrows_lead_from_topic_to_topic_on_the_map_and_enter_opens_one() {
    let mut state = run(RunView::Map, (120, 40));
    let selected = |state: &State| state.run().selected().map(|topic| topic.topic);
    let mut seen = vec![selected(&state)];
    for key in ["Left", "Down", "Right", "Right", "Up", "Up", "Left"] {
        press(&mut state, &[key]);
        seen.push(selected(&state));
    }
    seen.sort_unstable();
    seen.dedup();
    assert!(seen.len() >= 4, "{seen:?}");
    let topic = selected(&state);
    press(&mut state, &["Enter"]);
    assert_eq!((state.run().view, selected(&state)), (RunView::Topic, topic));
}

#[test]
fn on_the_map_no_name_is_drawn_over_another() {
    let shown = drawn(&run(RunView::Map, (120, 40))).backend().to_string();
    let names = ["network", "kernel", "spike", "boost", "bayes", "hidden", "svm", "neuron"];
    let found = names.iter().filter(|name| shown.contains(*name)).count();
    assert!(found >= 7, "{found} names in {shown}");
}

#[test]
fn a_long_name_is_taken_whole_and_a_longer_one_is_told() {
    let mut state = showing(run::NAME, NARROW);
    press(&mut state, &["L"]);
    press(&mut state, &["x"; 60]);
    assert_eq!(state.run().naming.as_ref().map(|naming| naming.input.as_str().len()), Some(60));
    press(&mut state, &["x"; 70]);
    assert!(state.workbench.notice.as_ref().is_some_and(|notice| notice.contains("at most")));
}

#[test]
fn all_metrics_are_reached_and_those_that_matter_stand_first() {
    let mut state = run(RunView::Facts, (200, 20));
    let mut detail = crate::tui::tests::fixture::detail(RunId(5));
    let names = (0..60).map(|number| format!("aa_{number:02}"));
    let metric = |name: String| topoi_store::result::metric::Metric {
        topic: None,
        name,
        value: 0.5,
        settings: None,
    };
    detail.metrics.splice(0..0, names.map(metric));
    let facts = RunWithTopics { more: RunViewData::Facts(Box::new(detail)), ..sheet() };
    answer(&mut state, Value::new(Some(Box::new(facts))));
    let shown = drawn(&state).backend().to_string();
    let place = |name: &str| shown.find(name).unwrap_or(usize::MAX);
    assert!(place("npmi") < place("aa_00"), "{shown}");
    press(&mut state, &["G"]);
    assert!(drawn(&state).backend().to_string().contains("aa_59"));
    press(&mut state, &["g", "g"]);
    assert_eq!(state.run().facts_from, 0);
}
