//! Whatever changes what a screen shows, the store is asked for it.

use crate::tui::effect::Effect;
use crate::tui::message::Message;
use crate::tui::question::Value;
use crate::tui::screens::run::question::RunQuestion;
use crate::tui::screens::run::{self, RunView, RunViewData, RunWithTopics};
use crate::tui::screens::runs::{self, RunsQuestion};
use crate::tui::state::State;
use crate::tui::tests::fixture::of_runs::{documents, turn};
use crate::tui::tests::fixture::user::{
    answer, asked, found_in_an_empty_store, press, showing, sides,
};
use crate::tui::tests::fixture::{self, run_rows, sheet};
use crate::tui::tests::screens::drawn;
use crate::tui::update::update;
use topoi_store::id::{RunId, TopicNumber};

const SIZE: (u16, u16) = (80, 24);

/// Run `id` with the documents of this topic, or of none.
fn with_documents(id: i64, topic: Option<TopicNumber>) -> Value {
    let mut sheet = RunWithTopics { more: RunViewData::Documents(topic.map(documents)), ..sheet() };
    sheet.row.run.id = RunId(id);
    Value::new(Some(Box::new(sheet)))
}

fn shown(state: &State) -> String {
    drawn(state).backend().to_string()
}

#[test]
fn documents_come_when_another_run_is_opened_while_they_are_shown() {
    let mut state = showing(run::NAME, SIZE);
    turn(&mut state, RunView::Documents);
    press(&mut state, &["4"]);
    answer(&mut state, fixture::runs(10));
    let at = run_rows().iter().position(|row| row.run.id == RunId(3)).expect("run 3");
    press(&mut state, &["g", "g"]);
    (0..at).for_each(|_| drop(press(&mut state, &["j"])));
    let effects = press(&mut state, &["Enter"]);
    let first: &RunQuestion = asked(&effects).expect("a question");
    assert_eq!((first.id, first.view, first.topic), (Some(RunId(3)), RunView::Documents, None));
    // Only the answer tells which topics the run has.
    let effects = answer(&mut state, with_documents(3, None));
    let next: &RunQuestion = asked(&effects).expect("the documents of its first topic");
    assert_eq!((next.id, next.topic), (Some(RunId(3)), Some(TopicNumber(0))));
    assert_eq!(answer(&mut state, with_documents(3, Some(TopicNumber(0)))), []);
    assert!(!shown(&state).contains("looking them up"), "{}", shown(&state));
    assert_eq!(state.run().lines().len(), 12);
}

#[test]
fn documents_are_those_of_the_topic_under_the_cursor_when_topics_come_or_go() {
    let mut state = showing(run::NAME, SIZE);
    turn(&mut state, RunView::Documents);
    // The run is made again with fewer topics, and the cursor was on one of the others.
    press(&mut state, &["t", "G", "d"]);
    answer(&mut state, with_documents(5, Some(TopicNumber(49))));
    let mut fewer = sheet();
    fewer.topics.truncate(20);
    fewer.more = RunViewData::Documents(None);
    let effects = answer(&mut state, Value::new(Some(Box::new(fewer))));
    let question: &RunQuestion = asked(&effects).expect("a question");
    let selected = state.run().selected().map(|topic| topic.topic);
    assert!(selected.is_some_and(|topic| topic < TopicNumber(20)));
    assert_eq!(question.topic, selected);
}

#[test]
fn the_detail_of_a_run_is_asked_for_however_the_cursor_got_to_it() {
    let mut state = showing(runs::NAME, SIZE);
    let target = crate::tui::view::hit_areas::Target::Row { place: 3, focused: true };
    for message in [Message::Clicked(target), Message::Wheel(2)] {
        let effects = update(&mut state, message);
        let question: &RunsQuestion = asked(&effects).expect("a question");
        assert_eq!(question.selected, state.runs().selected().map(|row| row.run.id));
    }
}

#[test]
fn asking_comes_to_rest() {
    for mut state in sides() {
        let name = state.screen().name();
        let asks =
            |effects: Vec<Effect>| effects.iter().any(|effect| matches!(effect, Effect::Read(_)));
        let mut is_asking = true;
        for _ in 0..4 {
            let found = found_in_an_empty_store(&state).filter(|_| is_asking);
            let Some(found) = found else { break };
            is_asking = asks(answer(&mut state, found));
        }
        let is_answered = found_in_an_empty_store(&state).is_some();
        assert!(!is_asking || !is_answered, "{name} asks for ever");
        assert!(!asks(update(&mut state, Message::Resize(100, 30))), "{name} asks twice");
    }
}
