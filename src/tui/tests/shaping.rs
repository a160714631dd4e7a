//! Shaping topics: what the keys ask for, what is undone and refused, how it looks.

use super::fixture::sheet;
use super::fixture::user::{answer, asked, overlay, press, showing};
use super::screens::drawn;
use super::search::word_at;
use crate::tui::effect::Effect;
use crate::tui::message::{EffectOutcome, FactorJobStatus, Message};
use crate::tui::overlays::confirm::Confirm;
use crate::tui::question::Value;
use crate::tui::saved_position::SavedPosition;
use crate::tui::screen::{PreviousSession, Selection};
use crate::tui::screens::shape::question::{Refusal, ShapePreview, ShapeQuestion};
use crate::tui::screens::word::WordView;
use crate::tui::screens::{run as run_screen, shape};
use crate::tui::state::State;
use crate::tui::update::update;
use topoi_core::model::plan::PlannedStage;
use topoi_core::shape::Edit;
use topoi_core::shape::effect::{TopicChange, TopicEffect, TopicSnapshot};
use topoi_run::outlook::Remaining;
use topoi_run::request::RunRequest;
use topoi_run::shaping::factor::FactorCost;
use topoi_store::id::{CorpusId, RunId};
use topoi_store::{Access, Store};

fn seen(share: f64, npmi: f64, words: &str) -> Option<TopicSnapshot> {
    let words = words.split(' ').map(String::from).collect();
    Some(TopicSnapshot { share, npmi: Some(npmi), words })
}

fn topic(
    topic: usize,
    change: TopicChange,
    before: Option<TopicSnapshot>,
    after: Option<TopicSnapshot>,
) -> TopicEffect {
    let words =
        |seen: &Option<TopicSnapshot>| seen.as_ref().map_or(Vec::new(), |seen| seen.words.clone());
    let (was, is) = (words(&before), words(&after));
    let without = |some: &[String], others: &[String]| -> Vec<String> {
        some.iter().filter(|word| !others.contains(word)).cloned().collect()
    };
    TopicEffect {
        topic,
        change,
        label: None,
        anchors: vec![is.first().or(was.first()).cloned().unwrap_or_default()],
        gained: without(&is, &was),
        lost: without(&was, &is),
        before,
        after,
    }
}

/// The answer to `edits` of which the first splits topic 1.
fn shaped(edits: &[Edit]) -> Value {
    let film = "film award actor star director oscar music band album song";
    let topics = match edits.is_empty() {
        true => vec![
            topic(
                0,
                TopicChange::Same,
                seen(0.4, 0.31, "game win team"),
                seen(0.4, 0.31, "game win team"),
            ),
            topic(1, TopicChange::Same, seen(0.6, 0.12, film), seen(0.6, 0.12, film)),
        ],
        false => vec![
            topic(
                0,
                TopicChange::Moved,
                seen(0.4, 0.31, "game win team"),
                seen(0.38, 0.33, "game team match"),
            ),
            topic(
                1,
                TopicChange::Changed,
                seen(0.6, 0.12, film),
                seen(0.32, 0.27, "film award actor star"),
            ),
            topic(2, TopicChange::New, None, seen(0.3, 0.25, "music band album song")),
        ],
    };
    let request = RunRequest::new("nips", topics.len());
    let (run, corpus, corpus_id, edits) = (7, "nips".into(), 1, edits.to_vec());
    let sheet = ShapePreview {
        run: RunId(run),
        corpus,
        corpus_id: CorpusId(corpus_id),
        edits,
        topics,
        request,
    };
    Value::new(Some(Ok::<_, Refusal>(Box::new(sheet))))
}

fn begun(size: (u16, u16)) -> State {
    let mut state = showing(run_screen::NAME, size);
    answer(&mut state, Value::new(Some(Box::new(sheet()))));
    let effects = press(&mut state, &["A"]);
    assert_eq!(state.workbench.shown, shape::NAME);
    assert!(asked::<ShapeQuestion>(&effects).is_some_and(|asked| asked.edits.is_empty()));
    answer(&mut state, shaped(&[]));
    state
}

/// Both sides of the screen that have keys of their own.
pub fn sides() -> Vec<State> {
    let mut typing = begun((80, 24));
    press(&mut typing, &["X"]);
    let mut stopped = lacking((80, 24), 3.0);
    press(&mut stopped, &["Esc"]);
    vec![begun((80, 24)), typing, lacking((80, 24), 3.0), stopped]
}

/// At a run that did not keep what anchors need, which takes so many seconds to make.
fn lacking(size: (u16, u16), seconds: f64) -> State {
    let mut state = showing(run_screen::NAME, size);
    answer(&mut state, Value::new(Some(Box::new(sheet()))));
    press(&mut state, &["A"]);
    answer(&mut state, lacks(seconds));
    state
}

fn lacks(seconds: f64) -> Value {
    let stages = vec![PlannedStage::whole("factorise", seconds)];
    let cost = Box::new(FactorCost { run: RunId(7), stages, bytes: 1_200_000 });
    Value::new(Some(Err::<Box<ShapePreview>, _>(Refusal::Missing(cost))))
}

fn made(state: &mut State, status: FactorJobStatus) -> Vec<Effect> {
    update(state, Message::EffectOutcome(EffectOutcome::Factor { run: RunId(7), status }))
}

/// At a topic's words, a key, and the topics that the screen then gets.
fn begun_at_a_topic(keys: &[&str]) -> (State, Vec<Effect>) {
    let mut state = showing(run_screen::NAME, (80, 24));
    answer(&mut state, Value::new(Some(Box::new(sheet()))));
    press(&mut state, keys);
    assert_eq!(state.workbench.shown, shape::NAME);
    let effects = answer(&mut state, shaped(&[]));
    (state, effects)
}

fn edits(effects: &[Effect]) -> Vec<Edit> {
    asked::<ShapeQuestion>(effects).expect("a question").edits.clone()
}

const SPLIT: Edit = split(1);

const fn split(topic: usize) -> Edit {
    Edit::Split { topic, words: Vec::new() }
}

#[test]
fn an_edit_is_asked_about_undone_and_made_again() {
    let mut state = begun((80, 24));
    press(&mut state, &["G"]);
    assert_eq!(edits(&press(&mut state, &["v"])), [SPLIT]);
    answer(&mut state, shaped(&[SPLIT]));
    assert!(edits(&press(&mut state, &["u"])).is_empty());
    assert_eq!(edits(&press(&mut state, &["Ctrl-R"])), [SPLIT]);
    answer(&mut state, shaped(&[SPLIT]));
    press(&mut state, &["g", "g", "M", "j", "j"]);
    let merged = Edit::Merge { topics: vec![0, 2] };
    assert_eq!(edits(&press(&mut state, &["M"])), [SPLIT, merged]);
    // A new edit leaves nothing to be made again.
    press(&mut state, &["u", "p", "Ctrl-R"]);
    assert_eq!(state.workbench.notice.as_deref(), Some("no edit was taken back"));
}

#[test]
fn words_are_typed_for_an_anchor_and_what_is_refused_is_taken_out() {
    let mut state = begun((80, 24));
    press(&mut state, &["G", "a", "Ctrl-U"]);
    for letter in "price, cost".chars() {
        let letter = if letter == ' ' { "Space".into() } else { letter.to_string() };
        press(&mut state, &[&letter]);
    }
    insta::assert_snapshot!(drawn(&state).backend());
    let anchor = Edit::Anchor { words: vec!["price".into(), "cost".into()], topic: Some(1) };
    assert_eq!(edits(&press(&mut state, &["Enter"])), [anchor]);
    let refusal = "\"price\" is not in the vocabulary of the run";
    answer(
        &mut state,
        Value::new(Some(Err::<Box<ShapePreview>, _>(Refusal::Refused(refusal.into())))),
    );
    assert_eq!(state.workbench.notice.as_deref(), Some(refusal));
    let refusal = "anchors of two topics: \"price\" is an anchor of topic 0 already; use another word, or merge the two";
    state.workbench.say(refusal);
    // All of it is seen, also where a line has no room for it.
    let screen = drawn(&state).backend().to_string();
    insta::assert_snapshot!(screen);
    assert_eq!(edits(&press(&mut state, &["v"])).len(), 1);
}

#[test]
fn what_anchors_need_is_made_once_with_its_cost_told_and_can_be_stopped() {
    let mut state = showing(run_screen::NAME, (80, 24));
    answer(&mut state, Value::new(Some(Box::new(sheet()))));
    press(&mut state, &["v"]);
    let begins = |effects: &[Effect]| {
        effects
            .iter()
            .any(|effect| matches!(effect, Effect::MakeFactor(cost) if cost.run == RunId(7)))
    };
    assert!(begins(&answer(&mut state, lacks(3.0))));
    let left = Remaining { share: 0.4, seconds: 2.0 };
    made(&mut state, FactorJobStatus::Running("factorise", left));
    insta::assert_snapshot!("shape_is_being_made", drawn(&state).backend());
    // An answer that comes meanwhile does not begin it anew.
    assert!(!begins(&answer(&mut state, lacks(3.0))));
    assert!(press(&mut state, &["Esc"]).contains(&Effect::StopFactor));
    made(&mut state, FactorJobStatus::Running("rectify", left));
    assert!(!begins(&answer(&mut state, lacks(3.0))), "it was stopped");
    insta::assert_snapshot!(drawn(&state).backend());
    assert!(begins(&press(&mut state, &["Enter"])));
    assert!(asked::<ShapeQuestion>(&made(&mut state, FactorJobStatus::Ended(Ok(())))).is_some());
    // The edit that led here goes on.
    assert_eq!(edits(&answer(&mut state, shaped(&[]))).len(), 1);
}

#[test]
fn what_takes_long_is_not_made_before_it_is_asked_for_and_goes_on_when_others_are_looked_at() {
    let mut state = lacking((80, 24), 600.0);
    let screen = drawn(&state).backend().to_string();
    insta::assert_snapshot!(screen);
    assert!(matches!(press(&mut state, &["Enter"])[..], [Effect::MakeFactor(_)]));
    assert!(!press(&mut state, &["h"]).contains(&Effect::StopFactor));
    made(&mut state, FactorJobStatus::Ended(Ok(())));
    let said = state.workbench.notice.as_deref();
    assert_eq!(said, Some("run 7 can be shaped now: A in the run"));
    let mut state = lacking((80, 24), 600.0);
    press(&mut state, &["Enter"]);
    made(&mut state, FactorJobStatus::Ended(Err("the disk is full".into())));
    insta::assert_snapshot!(drawn(&state).backend());
}

#[test]
fn an_edit_begun_at_a_topic_goes_on_when_its_topics_are_there() {
    let (_, effects) = begun_at_a_topic(&["v"]);
    let first = edits(&effects);
    assert!(matches!(first[..], [Edit::Split { ref words, .. }] if words.is_empty()), "{first:?}");
    let (_, effects) = begun_at_a_topic(&["p"]);
    assert!(matches!(edits(&effects)[..], [Edit::Pin { .. }]));
    let (state, _) = begun_at_a_topic(&["M"]);
    assert!(drawn(&state).backend().to_string().contains("marked"));
    let (state, _) = begun_at_a_topic(&["a"]);
    insta::assert_snapshot!(drawn(&state).backend());
    let (state, _) = begun_at_a_topic(&["X"]);
    insta::assert_snapshot!(drawn(&state).backend());
    // Once begun it is done: back and there again, nothing is asked.
    let (mut state, _) = begun_at_a_topic(&["v"]);
    answer(&mut state, shaped(&[SPLIT]));
    press(&mut state, &["h", "A"]);
    assert_eq!(state.workbench.shown, shape::NAME);
    assert!(!drawn(&state).backend().to_string().contains("split by"));
}

#[test]
fn an_edit_begun_at_a_word_has_the_word_typed_already() {
    for (key, typed) in [
        ("a", "anchored by the words: kernel"),
        ("v", "split by two words: kernel, "),
        ("X", "word that no topic is to have: kernel"),
    ] {
        let mut state = word_at(WordView::Topics, (80, 24));
        press(&mut state, &["G", key]);
        assert_eq!(state.workbench.shown, shape::NAME);
        answer(&mut state, shaped(&[]));
        let screen = drawn(&state).backend().to_string();
        assert!(screen.contains(typed), "{screen}");
    }
    // The first row is topic 29, which is not among those that the edits have left.
    let mut state = word_at(WordView::Topics, (80, 24));
    press(&mut state, &["a"]);
    answer(&mut state, shaped(&[]));
    let said = state.workbench.notice.as_deref();
    assert_eq!(said, Some("topic 29 is not there after the edits; u takes them back"));
}

#[test]
fn edits_stay_when_the_screen_is_left_by_its_keys_for_another_run_or_with_the_workbench() {
    let mut state = begun((80, 24));
    press(&mut state, &["v"]);
    answer(&mut state, shaped(&[split(0)]));
    press(&mut state, &["h"]);
    assert_eq!(state.workbench.shown, run_screen::NAME);
    let again = press(&mut state, &["A"]);
    assert_eq!(edits(&again), [split(0)]);
    let run = asked::<ShapeQuestion>(&again).and_then(|asked| asked.run).expect("a run");
    let left = SavedPosition::of(&state);
    // Those of another run are its own.
    let of_run = |run| Selection { run: Some(run), ..Selection::default() };
    state.workbench.follow(shape::NAME, of_run(RunId(run.0 + 1)));
    assert!(edits(&update(&mut state, Message::Resize(80, 24))).is_empty());
    state.workbench.follow(shape::NAME, of_run(run));
    assert_eq!(edits(&update(&mut state, Message::Resize(80, 24))), [split(0)]);
    answer(&mut state, shaped(&[split(0)]));
    update(&mut state, Message::EffectOutcome(EffectOutcome::Launched(Ok(RunId(9)))));
    state.workbench.follow(shape::NAME, of_run(run));
    update(&mut state, Message::Resize(80, 24));
    let screen = drawn(&state).backend().to_string();
    insta::assert_snapshot!(screen);
    let directory = tempfile::tempdir().expect("tempdir");
    let store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
    let previous = PreviousSession { store: &store, queries: &[] };
    let json = |left: &SavedPosition| serde_json::to_string(left).expect("JSON");
    assert!(json(&left).contains("split") && !json(&SavedPosition::of(&state)).contains("split"));
    // Of a run that is gone nothing comes back.
    left.restore(&mut state, &previous);
    assert!(!json(&SavedPosition::of(&state)).contains("split"));
}

#[test]
fn edits_are_saved_as_a_run_after_a_question() {
    let mut state = begun((80, 24));
    press(&mut state, &["K"]);
    assert_eq!(state.workbench.notice.as_deref(), Some("there is no edit to save"));
    press(&mut state, &["v"]);
    answer(&mut state, shaped(&[SPLIT]));
    press(&mut state, &["K"]);
    assert!(overlay::<Confirm>(&state).is_some());
    let effects = press(&mut state, &["y"]);
    let launched = effects.iter().any(|effect| {
        matches!(effect, Effect::Launch(request, list, _)
        if request.k == 3 && list.values() == [3])
    });
    assert!(launched, "{effects:?}");
}

#[test]
fn what_edits_change_stands_beside_what_was() {
    for (size, name) in [((80, 24), "80x24"), ((100, 30), "100x30")] {
        let mut state = begun(size);
        press(&mut state, &["G", "v"]);
        answer(&mut state, shaped(&[SPLIT]));
        insta::assert_snapshot!(format!("shape_{name}"), drawn(&state).backend());
    }
}
