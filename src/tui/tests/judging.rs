//! Judging topics: what is seen of a task, what keys do, what is saved and taken back.

use strum::VariantArray;

use super::fixture::user::{answer, asked, press, showing};
use super::screens::drawn;
use crate::records::judgements::ScoreRow;
use crate::tui::effect::{Effect, JudgementEdit};
use crate::tui::message::{EffectOutcome, Message};
use crate::tui::question::Value;
use crate::tui::screen::Selection;
use crate::tui::screens::judge::question::{JudgeAnswer, JudgeQuestion, NextTask};
use crate::tui::screens::{corpora, judge};
use crate::tui::state::State;
use crate::tui::update::update;
use topoi_core::judge::{Question, ShownTask, Task};
use topoi_run::judging::session::{DocumentExcerpt, RoundProgress};
use topoi_store::id::{RunId, TopicNumber};

const SIZE: (u16, u16) = (100, 30);
const SIZES: [((u16, u16), &str); 2] = [((80, 24), "80x24"), ((200, 50), "200x50")];

fn question(task: Task, item: u64) -> Question {
    let words = ["kernel", "margin", "主題", "spike", "svm", "naïve"];
    let topics = [
        "network, hidden, layer, training, units, weights, output, error",
        "spike, neuron, firing, rate, membrane, potential, stimulus, cortex",
        "kernel, margin, svm, support, vector, machine, classification, 主題",
        "bayes, prior, posterior, sampling, markov, chain, likelihood, variational",
    ];
    let options: Vec<String> = match task {
        Task::Words => words.map(String::from).into(),
        Task::Topics => topics.map(String::from).into(),
        Task::Ratings => words.map(String::from).into(),
    };
    let shares = if task == Task::Topics { vec![0.3, 0.2, 0.01, 0.4] } else { Vec::new() };
    let shown = ShownTask {
        options,
        intruder: (task != Task::Ratings).then_some(3),
        topics: (0..shares.len() as u64).collect(),
        shares,
    };
    let document = (task == Task::Topics).then_some(9);
    Question { task, item, topic: item % 20, document, shown }
}

fn found(task: Task, item: Option<u64>) -> JudgeAnswer {
    let text =
        "Kernel PCA as a nonlinear feature extractor has proven powerful as a preprocessing step \
                for classification algorithms: a margin, a kernel machine. "
            .repeat(8);
    let title = Some("On kernels, and other things".into());
    let next = NextTask {
        question: item.map(|item| question(task, item)),
        document: (task == Task::Topics).then_some(DocumentExcerpt { title, text }),
        place: RoundProgress { round: 1, done: 7, of: 20 },
        done: 7,
    };
    let score = |at: u64| ScoreRow {
        task: if at < 12 { "words" } else { "ratings" },
        topic: at.checked_rem(12).filter(|at| *at > 0).map(TopicNumber),
        score: if at < 12 { 1.0 - at as f64 / 13.0 } else { 2.25 },
        interval: (at > 0).then_some((0.301, 0.954)),
        answers: 30 - at,
        judges: 3,
        agreement: at.is_multiple_of(12).then_some(0.71),
        npmi: Some(0.12),
        name: "kernel margin svm 主題 support vector machine".into(),
    };
    let scores = (0..24).map(score).collect();
    JudgeAnswer { task, judge: "ann".into(), next: Ok(next), scores }
}

fn value(found: JudgeAnswer) -> Value {
    Value::new(Some(Box::new(found)))
}

/// Ann judges run 5.
fn judging(task: Task, size: (u16, u16)) -> State {
    let mut state = showing(corpora::NAME, size);
    state.workbench.follow(judge::NAME, Selection { run: Some(RunId(5)), ..Selection::default() });
    update(&mut state, Message::Resize(size.0, size.1));
    press(&mut state, &["L", "a", "n", "n", "Enter"]);
    for _ in 0..Task::VARIANTS.iter().position(|other| *other == task).expect("a task") {
        press(&mut state, &["Tab"]);
    }
    answer(&mut state, value(found(task, Some(3))));
    state
}

fn scores(size: (u16, u16)) -> State {
    let mut state = judging(Task::Ratings, size);
    press(&mut state, &["Tab"]);
    answer(&mut state, value(found(Task::Words, Some(3))));
    state
}

/// Every side of the screen that has keys of its own.
pub fn sides() -> Vec<State> {
    let mut naming = judging(Task::Words, SIZE);
    press(&mut naming, &["L"]);
    let tasks = Task::VARIANTS.iter().map(|&task| judging(task, SIZE));
    tasks.chain([scores(SIZE), naming]).collect()
}

#[test]
fn tasks_and_scores_look_as_they_did() {
    for (size, name) in SIZES {
        for &task in Task::VARIANTS {
            let state = judging(task, size);
            let view = format!("judge_{}_{name}", task.name());
            insta::assert_snapshot!(view, drawn(&state).backend());
        }
        insta::assert_snapshot!(format!("judge_scores_{name}"), drawn(&scores(size)).backend());
    }
    let mut done = judging(Task::Words, SIZE);
    answer(&mut done, value(found(Task::Words, None)));
    insta::assert_snapshot!("judge_done", drawn(&done).backend());
}

/// What is ordered by effects.
fn orders(effects: Vec<Effect>) -> Vec<JudgementEdit> {
    let order = |effect| match effect {
        Effect::Judge(order) => Some(order),
        _ => None,
    };
    effects.into_iter().filter_map(order).collect()
}

fn news(state: &mut State, edit: JudgementEdit, outcome: Result<bool, &str>) -> Vec<Effect> {
    let outcome = outcome.map_err(String::from);
    update(state, Message::EffectOutcome(EffectOutcome::Judged { edit, outcome }))
}

#[test]
fn an_answer_is_saved_once_and_the_next_task_is_asked_for() {
    let mut state = judging(Task::Words, SIZE);
    let effects = press(&mut state, &["4"]);
    let next = asked::<JudgeQuestion>(&effects).expect("the next");
    assert_eq!((next.run, next.judge.as_str(), next.task), (Some(RunId(5)), "ann", Task::Words));
    assert!(next.passed.iter().eq(&[3]));
    let [JudgementEdit::Save { run: RunId(5), judgement }] = &orders(effects)[..] else {
        panic!("no order")
    };
    assert_eq!((judgement.item, judgement.answer, &*judgement.judge), (3, Some(4), "ann"));
    assert!(judgement.shown.contains("\"intruder\":3") && judgement.seconds.is_some());
    // The same task is still there until the next one comes: a second key is no second answer.
    assert!(orders(press(&mut state, &["4", "Space"])).is_empty());
    answer(&mut state, value(found(Task::Words, Some(8))));
    let passed = orders(press(&mut state, &["Space"]));
    let [JudgementEdit::Save { judgement, .. }] = &passed[..] else { panic!("no order") };
    assert_eq!((judgement.item, judgement.answer), (8, None));
}

#[test]
fn digits_beyond_the_choices_say_so_and_none_leads_to_another_screen() {
    let mut state = judging(Task::Ratings, SIZE);
    assert!(orders(press(&mut state, &["4"])).is_empty());
    assert_eq!(state.workbench.notice.as_deref(), Some("the answer is a number from 1 to 3"));
    assert_eq!(state.workbench.shown, judge::NAME);
    assert_eq!(orders(press(&mut state, &["3"])).len(), 1);
    // Beside the scores digits are the ways to screens again.
    let mut state = scores(SIZE);
    press(&mut state, &["1"]);
    assert_eq!(state.workbench.shown, corpora::NAME);
}

#[test]
fn the_last_answer_is_taken_back_and_asked_again_when_it_is() {
    let mut state = judging(Task::Words, SIZE);
    press(&mut state, &["1"]);
    answer(&mut state, value(found(Task::Words, Some(8))));
    let back = JudgementEdit::TakeBack { run: RunId(5), judge: "ann".into(), task: Task::Words };
    assert_eq!(orders(press(&mut state, &["u"])), std::slice::from_ref(&back));
    // Until it is taken back nothing is answered, and nothing taken back twice.
    assert!(orders(press(&mut state, &["2", "u"])).is_empty());
    let effects = news(&mut state, back, Ok(true));
    assert!(asked::<JudgeQuestion>(&effects).expect("again").passed.is_empty());
    answer(&mut state, value(found(Task::Words, Some(3))));
    assert_eq!(orders(press(&mut state, &["2"])).len(), 1);
}

#[test]
fn an_answer_that_could_not_be_saved_is_asked_again() {
    let mut state = judging(Task::Words, SIZE);
    let order = orders(press(&mut state, &["1"])).remove(0);
    let effects = news(&mut state, order, Err("another process is writing to the store"));
    assert!(asked::<JudgeQuestion>(&effects).expect("again").passed.is_empty());
    let told = state.workbench.notice.clone().unwrap_or_default();
    insta::assert_snapshot!(told);
    answer(&mut state, value(found(Task::Words, Some(3))));
    assert_eq!(orders(press(&mut state, &["1"])).len(), 1);
}

#[test]
fn somebody_else_goes_on_under_their_own_name() {
    let mut state = judging(Task::Topics, SIZE);
    let effects = press(&mut state, &["1", "L", "b", "1", "Enter"]);
    let question = asked::<JudgeQuestion>(&effects).expect("asked");
    assert_eq!((question.judge.as_str(), question.task), ("b1", Task::Topics));
    assert!(question.passed.is_empty());
    press(&mut state, &["L", "Enter"]);
    let told = state.workbench.notice.clone().unwrap_or_default();
    insta::assert_snapshot!(told);
}
