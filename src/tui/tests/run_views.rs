//! The sides of a run, the comparison and the choice of K: what keys do, what is drawn.

use std::collections::BTreeSet;

use super::fixture::of_runs::{compare, comparison, images, sweep, turn};
use super::fixture::user::{answer, asked, bindings, names, overlay, press, showing};
use super::fixture::{run_rows, runs, sheet};
use super::screens::drawn;
use crate::tui::effect::Effect;
use crate::tui::keymap::Action;
use crate::tui::keymap::{KeyMatch, find};
use crate::tui::message::EffectOutcome;
use crate::tui::message::Message;
use crate::tui::overlays::confirm::Confirm;
use crate::tui::question::Value;
use crate::tui::screens::choose_k::{self, ChoiceOfK, ChooseKQuestion, Family};
use crate::tui::screens::compare::{self, CompareQuestion, Compared};
use crate::tui::screens::run::question::RunQuestion;
use crate::tui::screens::run::{self, RunView, RunViewData, RunWithTopics};
use crate::tui::screens::runs::{self, RunList};
use crate::tui::screens::sql;
use crate::tui::screens::two_topics::{TopicSide, TwoTopicsQuestion};
use crate::tui::state::State;
use crate::tui::update::update;
use crate::tui::view::look::Appearance;
use topoi_run::life::spawn::BackgroundJob;
use topoi_store::id::{CorpusId, RunId, TopicNumber};

const NARROW: (u16, u16) = (80, 24);
const WIDE: (u16, u16) = (200, 50);

fn run(view: RunView, size: (u16, u16)) -> State {
    let mut state = showing(run::NAME, size);
    turn(&mut state, view);
    state
}

#[test]
fn every_view_of_a_run_drawn() {
    for (size, word) in [(NARROW, "80x24"), (WIDE, "200x50")] {
        for view in RunView::ALL.into_iter().skip(1) {
            let file = format!("run_{}_{word}", view.name().1);
            insta::assert_snapshot!(file, drawn(&run(view, size)).backend());
        }
        let mut state = run(RunView::Topic, size);
        let more = RunViewData::Images(Some(images()));
        answer(&mut state, Value::new(Some(Box::new(RunWithTopics { more, ..sheet() }))));
        insta::assert_snapshot!(format!("run_picture_{word}"), drawn(&state).backend());
        let mut state = showing(compare::NAME, size);
        press(&mut state, &["I"]);
        insta::assert_snapshot!(format!("compare_metrics_{word}"), drawn(&state).backend());
    }
}

#[test]
fn estimates_have_their_errors_and_all_k_that_may_be_the_best_are_named() {
    for size in [NARROW, WIDE] {
        let mut state = showing(choose_k::NAME, size);
        answer(&mut state, sweep());
        press(&mut state, &["]"]);
        let shown = drawn(&state).backend().to_string();
        let row = shown.lines().find(|line| line.contains("0.2980\u{b1}0.0064")).expect("the row");
        assert!(row.contains("20, 50"), "{shown}");
        let mut state = showing(compare::NAME, size);
        press(&mut state, &["I"]);
        let shown = drawn(&state).backend().to_string();
        let row = shown.lines().find(|line| line.contains("relative_a")).expect("the row");
        let values = ["0.2885\u{b1}0.0064", "0.3100\u{b1}0.0071"];
        assert!(values.iter().all(|value| row.contains(value)), "{shown}");
    }
}

#[test]
fn views_lose_no_meaning_without_colour_and_are_drawn_in_ascii() {
    for view in RunView::ALL {
        let state = run(view, NARROW);
        let mut plain = state.clone();
        plain.workbench.look =
            Appearance { colour: false, unicode: true, ..super::fixture::user::look() };
        let (with, without) = (drawn(&state), drawn(&plain));
        let pairs = with.backend().buffer().content.iter().zip(&without.backend().buffer().content);
        for (with, without) in pairs {
            assert_eq!((with.symbol(), with.modifier), (without.symbol(), without.modifier));
            assert_eq!(without.fg, ratatui::style::Color::Reset);
        }
        let mut state = state;
        state.workbench.look =
            Appearance { colour: false, unicode: false, ..super::fixture::user::look() };
        let drawn = drawn(&state);
        assert!(drawn.backend().buffer().content.iter().all(|cell| cell.symbol().is_ascii()));
        if matches!(view, RunView::Correlations | RunView::Map) {
            insta::assert_snapshot!(format!("run_{}_ascii", view.name().1), drawn.backend());
        }
    }
}

#[test]
fn no_size_makes_a_view_panic() {
    for view in RunView::ALL {
        let mut state = run(view, NARROW);
        for width in (60..=220).step_by(7) {
            for height in (16..=60).step_by(4) {
                state.workbench.size = (width, height);
                drawn(&state);
            }
        }
    }
}

/// Where a screen and a view are reached from anywhere by these keys, by the table alone.
fn reached(state: &State, keys: &str) -> Option<(&'static str, Option<RunView>)> {
    match find(&state.keys(), keys) {
        KeyMatch::Action(Action::Go(screen)) => Some((screen, None)),
        KeyMatch::Action(Action::At(run::NAME, &Action::Own(name)) | Action::Own(name)) => {
            let view = RunView::ALL.into_iter().find(|view| view.name().1 == name)?;
            Some((run::NAME, Some(view)))
        }
        _ => None,
    }
}

#[test]
fn every_screen_and_view_is_within_two_keys_of_every_other() {
    let all = bindings().into_iter().flat_map(|(_, binding)| binding.keys);
    let short: Vec<&str> = all.copied().filter(|keys| keys.split(' ').count() <= 2).collect();
    // At the prompt for SQL digits are typed; Esc and a digit leave it (test_lists).
    let tabled = names().into_iter().filter(|screen| *screen != sql::NAME);
    let mut places: Vec<State> = tabled.map(|screen| showing(screen, NARROW)).collect();
    places.extend(RunView::ALL.map(|view| run(view, NARROW)));
    for place in &places {
        let found: BTreeSet<String> = short
            .iter()
            .filter_map(|keys| reached(place, keys))
            .map(|to| format!("{to:?}"))
            .collect();
        let views = RunView::ALL.map(|view| (run::NAME, Some(view)));
        for to in names().into_iter().map(|screen| (screen, None)).chain(views) {
            let from = (place.workbench.shown, place.run().view);
            assert!(found.contains(&format!("{to:?}")), "{to:?} from {from:?}");
        }
    }
}

#[test]
fn the_cursor_stays_on_its_topic_from_view_to_view() {
    let mut state = showing(run::NAME, NARROW);
    press(&mut state, &["j", "j", "j", "j", "j", "j", "j"]);
    assert_eq!(state.run().selected().map(|topic| topic.topic), Some(TopicNumber(7)));
    for view in [RunView::Correlations, RunView::Map, RunView::Topic, RunView::Topics] {
        turn(&mut state, view);
        assert_eq!(
            state.run().selected().map(|topic| topic.topic),
            Some(TopicNumber(7)),
            "{view:?}"
        );
    }
    turn(&mut state, RunView::Correlations);
    press(&mut state, &["j"]);
    assert_eq!(
        state.run().selected().map(|topic| topic.topic),
        Some(TopicNumber(12)),
        "the next one in its group"
    );
    press(&mut state, &["o"]);
    assert_eq!(
        (state.run().list.cursor, state.run().selected().map(|t| t.topic)),
        (12, Some(TopicNumber(12)))
    );
    press(&mut state, &["q"]);
    assert_eq!((state.workbench.shown, state.run().view), (run::NAME, RunView::Topics));
}

#[test]
fn brackets_turn_the_views_round() {
    let mut state = showing(run::NAME, NARROW);
    let effects = press(&mut state, &["["]);
    let Some(RunQuestion { view: RunView::Facts, .. }) = asked(&effects) else {
        panic!("{effects:?}")
    };
    press(&mut state, &["]", "]"]);
    assert_eq!(state.run().view, RunView::Topic);
}

#[test]
fn facts_scroll_to_their_end_and_no_further() {
    let mut state = run(RunView::Facts, (80, 16));
    press(&mut state, &["PgDn", "PgDn", "PgDn", "PgDn", "PgDn"]);
    let end = state.run().facts_from;
    assert!(end > 0);
    press(&mut state, &["j"]);
    assert_eq!(state.run().facts_from, end);
    press(&mut state, &["k"]);
    assert_eq!(state.run().facts_from, end - 1);
}

#[test]
fn a_topic_is_named_and_an_empty_name_is_none() {
    let mut state = showing(run::NAME, NARROW);
    press(&mut state, &["j", "L"]);
    assert_eq!(
        state.run().naming.as_ref().map(|naming| naming.input.as_str()),
        Some("kernel methods")
    );
    press(&mut state, &["Ctrl-U", "q", "u", "5"]);
    let label = Some("qu5".to_string());
    assert_eq!(
        press(&mut state, &["Enter"]),
        [Effect::Label { run: RunId(5), topic: TopicNumber(1), label }]
    );
    press(&mut state, &["L", "Ctrl-U"]);
    assert_eq!(press(&mut state, &["Enter"]), [], "before a name is taken away, it is asked");
    assert_eq!(
        press(&mut state, &["y"]),
        [Effect::Label { run: RunId(5), topic: TopicNumber(1), label: None }]
    );
    press(&mut state, &["L", "x", "Esc"]);
    assert_eq!((state.run().naming.as_ref(), state.workbench.shown), (None, run::NAME));
}

#[test]
fn marked_runs_are_compared_in_the_order_of_their_marks() {
    let mut state = showing(runs::NAME, NARROW);
    assert_eq!(press(&mut state, &["c"]), []);
    let notice = state.workbench.notice.clone().unwrap_or_default();
    insta::assert_snapshot!(notice);
    press(&mut state, &["j", "Space"]);
    answer(&mut state, runs(8));
    press(&mut state, &["k", "k", "Space"]);
    assert_eq!(state.runs().marked, [9, 10].map(RunId));
    let effects = press(&mut state, &["c"]);
    assert_eq!(asked(&effects), Some(&CompareQuestion { runs: vec![RunId(9), RunId(10)] }));
    // A mark is taken away by the same key.
    press(&mut state, &["4"]);
    answer(&mut state, Value::new(RunList { runs: run_rows(), detail: None, log: Vec::new() }));
    press(&mut state, &["g", "g", "Space"]);
    assert_eq!(state.runs().marked, [RunId(9)]);
}

#[test]
fn a_pair_opens_its_topic_and_tab_turns_to_the_other_run() {
    let mut state = showing(compare::NAME, NARROW);
    press(&mut state, &["t", "o", "g", "g", "j", "j"]);
    let first = state.compare().selected().expect("a pair");
    assert_eq!(first.first.map(|topic| topic.topic), Some(TopicNumber(2)));
    press(&mut state, &["Tab"]);
    assert_eq!(state.compare().shown().map(|(_, other)| other.run.id), Some(RunId(12)));
    press(&mut state, &["o"]);
    // What has no match differs most.
    let similarity = |place| state.compare().pair(place).and_then(|pair| pair.similarity);
    let least = (0..9).find_map(similarity);
    assert_eq!((similarity(0), least), (None, Some(0.97 - 8.0 * 0.08)));
    assert_eq!(
        state.compare().selected().and_then(|pair| pair.first).map(|t| t.topic),
        Some(TopicNumber(2))
    );
    let effects = press(&mut state, &["Enter"]);
    let question: &TwoTopicsQuestion = asked(&effects).expect("a question");
    let other = state.compare().selected().and_then(|pair| pair.other).map(|topic| topic.topic);
    let both = [(RunId(5), TopicNumber(2)), (RunId(12), other.expect("a match"))];
    assert_eq!(question.topics, Some(both));
    let nothing = || Value::new(None::<Box<[TopicSide; 2]>>);
    answer(&mut state, nothing());
    let swapped = press(&mut state, &["Tab"]);
    let question: &TwoTopicsQuestion = asked(&swapped).expect("a question");
    assert_eq!(question.topics, Some([both[1], both[0]]));
    answer(&mut state, nothing());
    press(&mut state, &["Tab"]);
    answer(&mut state, nothing());
    let effects = press(&mut state, &["Enter"]);
    let question: &RunQuestion = asked(&effects).expect("a question");
    assert_eq!((question.id, question.view), (Some(RunId(5)), RunView::Topic));
    answer(&mut state, Value::new(Some(Box::new(sheet()))));
    assert_eq!(state.run().selected().map(|topic| topic.topic), Some(TopicNumber(2)));
}

#[test]
fn a_name_stands_at_its_own_topic_and_not_at_its_match() {
    let mut state = showing(compare::NAME, NARROW);
    press(&mut state, &["t", "o", "g", "g", "j"]);
    let text = drawn(&state).backend().to_string();
    insta::assert_snapshot!(text);
    assert_eq!(text.matches("kernel methods").count(), 2, "in its own column and below");
}

#[test]
fn runs_of_two_corpora_say_so_before_anything_else() {
    let mut one = comparison();
    (one.runs[1].run.corpus, one.runs[1].run.corpus_id) = ("bbc".into(), CorpusId(7));
    let mut state = showing(compare::NAME, NARROW);
    answer(&mut state, Value::new::<Compared>(Ok(Some(Box::new(one)))));
    let shown = drawn(&state).backend().to_string();
    insta::assert_snapshot!(shown);
}

#[test]
fn pairs_that_are_hardly_alike_stand_below_the_others() {
    let mut state = showing(compare::NAME, NARROW);
    press(&mut state, &["t"]);
    let first = state.compare().pair(0).and_then(|pair| pair.similarity);
    assert!(first.is_none_or(|alike| alike < 0.5), "what differs comes first");
    press(&mut state, &["o"]);
    let alike: Vec<f64> = (0..10).filter_map(|at| state.compare().pair(at)?.similarity).collect();
    let weak = alike.iter().position(|alike| *alike < 0.5).expect("weak pairs");
    assert!(alike[weak..].iter().all(|alike| *alike < 0.5), "{alike:?}");
    let shown = drawn(&state).backend().to_string();
    assert!(shown.contains("6 pairs alike") && shown.contains("4 hardly alike"), "{shown}");
}

#[test]
fn three_runs_are_a_table_that_opens_the_topic() {
    let mut state = showing(compare::NAME, NARROW);
    let shown = drawn(&state).backend().to_string();
    assert!(shown.contains("run 11") && shown.contains("run 12") && shown.contains("3  0.97"));
    let effects = press(&mut state, &["j", "Enter"]);
    let question: &RunQuestion = asked(&effects).expect("a question");
    assert_eq!((question.id, question.view), (Some(RunId(5)), RunView::Topic));
}

#[test]
fn what_cannot_be_compared_says_why() {
    let mut state = showing(compare::NAME, NARROW);
    answer(&mut state, Value::new::<Compared>(Err("runs 1 and 2 have no term in common".into())));
    insta::assert_snapshot!(drawn(&state).backend());
    let one = comparison();
    answer(&mut state, compare());
    assert_eq!(state.compare().found.as_deref(), Some(&one));
}

#[test]
fn the_bounds_on_k() {
    for (size, word) in [(NARROW, "80x24"), (WIDE, "200x50")] {
        let mut state = showing(choose_k::NAME, size);
        press(&mut state, &["["]);
        insta::assert_snapshot!(format!("k_bounds_{word}"), drawn(&state).backend());
    }
    let mut plain = showing(choose_k::NAME, NARROW);
    plain.workbench.look =
        Appearance { colour: false, unicode: false, ..super::fixture::user::look() };
    press(&mut plain, &["["]);
    let terminal = drawn(&plain);
    let cells = &terminal.backend().buffer().content;
    assert!(cells.iter().all(|cell| cell.symbol().is_ascii()));
    assert!(cells.iter().all(|cell| cell.fg == ratatui::style::Color::Reset));
}

#[test]
fn where_to_begin() {
    for (size, word) in [(NARROW, "80x24"), (WIDE, "200x50")] {
        let mut state = showing(choose_k::NAME, size);
        insta::assert_snapshot!(format!("k_advice_{word}"), drawn(&state).backend());
        press(&mut state, &["]"]);
        assert!(drawn(&state).backend().to_string().contains("by K"), "round to the metrics");
    }
}

#[test]
fn a_run_is_held_against_halves_by_a_process_and_read_again_when_it_has_ended() {
    let mut state = showing(run::NAME, NARROW);
    let run = state.run().sheet.as_ref().expect("a run").row.run.id;
    assert_eq!(press(&mut state, &["T"]), [], "four runs are not started without a question");
    let Some(confirm) = overlay::<Confirm>(&state) else { panic!("no question") };
    insta::assert_snapshot!(confirm.meaning);
    assert_eq!(press(&mut state, &["y"]), [Effect::StartJob(BackgroundJob::Stability(run))]);
    let ended = |outcome| {
        Message::EffectOutcome(EffectOutcome::JobEnded {
            job: BackgroundJob::Stability(run),
            outcome,
        })
    };
    update(&mut state, ended(Err("error: no room".into())));
    assert_eq!(state.workbench.notice.as_deref(), Some("error: no room"));
    let effects = update(&mut state, ended(Ok("{\"stability\": 0.625}".into())));
    assert!(state.workbench.notice.as_ref().is_some_and(|notice| notice.contains("62%")));
    assert!(matches!(asked(&effects), Some(RunQuestion { .. })));
}

#[test]
fn bounds_are_computed_by_a_process_and_shown_when_it_has_ended() {
    let mut state = showing(choose_k::NAME, NARROW);
    let nothing = ChoiceOfK { corpus: Some("nips".into()), ..ChoiceOfK::default() };
    answer(&mut state, Value::new(Box::new(nothing)));
    let shown = drawn(&state).backend().to_string();
    insta::assert_snapshot!(shown);
    let effects = press(&mut state, &["b"]);
    let job = |run| BackgroundJob::Bounds { corpus: "nips".into(), run };
    assert_eq!(effects, [Effect::StartJob(job(None))]);
    insta::assert_snapshot!(drawn(&state).backend());
    assert_eq!(press(&mut state, &["b"]), [], "once is enough");
    let ended =
        |outcome| Message::EffectOutcome(EffectOutcome::JobEnded { job: job(None), outcome });
    update(&mut state, ended(Err("error: disk full".into())));
    assert_eq!(state.workbench.notice.as_deref(), Some("error: disk full"));
    press(&mut state, &["b"]);
    let effects = update(&mut state, ended(Ok("{}".into())));
    let query = ChooseKQuestion {
        corpus: Some(CorpusId(2)),
        run: None,
        is_pointed_at: false,
        chosen: None,
    };
    assert_eq!(asked(&effects), Some(&query));
    // With runs, their vocabulary is taken.
    answer(&mut state, sweep());
    let effects = press(&mut state, &["b"]);
    assert_eq!(effects, [Effect::StartJob(job(Some(RunId(4))))]);
}

#[test]
fn the_runs_of_a_corpus_are_listed_for_k_and_chosen() {
    let mut state = showing(choose_k::NAME, NARROW);
    press(&mut state, &["R"]);
    assert!(state.workbench.notice.as_ref().is_some_and(|notice| notice.contains("no other runs")));
    let family = |newest, model: &str, k| Family {
        newest: RunId(newest),
        model: model.into(),
        vocabulary: "the 5,000 best terms".into(),
        share: 1.0,
        runs: 4,
        k,
    };
    let families = vec![family(9, "lr-jsmf", (5, 40)), family(4, "nmf-kl", (20, 20))];
    let mut choice = sweep().take::<Box<ChoiceOfK>>().expect("runs by K");
    choice.families = families;
    answer(&mut state, Value::new(choice));
    press(&mut state, &["R"]);
    insta::assert_snapshot!(drawn(&state).backend());
    let effects = press(&mut state, &["j", "Enter"]);
    let question: &ChooseKQuestion = asked(&effects).expect("a question");
    assert_eq!(question.chosen, Some(RunId(4)));
    // Back leads to the same side, and only then to the runs.
    press(&mut state, &["R", "h"]);
    assert_eq!(state.workbench.shown, choose_k::NAME);
}

#[test]
fn the_best_run_of_a_metric_opens_from_k() {
    let mut state = showing(choose_k::NAME, NARROW);
    press(&mut state, &["]", "j", "j"]);
    let effects = press(&mut state, &["Enter"]);
    let question: &RunQuestion = asked(&effects).expect("a question");
    assert_eq!((question.id, question.view), (Some(RunId(4)), RunView::Topics));
}
