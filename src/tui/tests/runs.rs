//! The list of runs: groups, names, deleting, comparing, logs.

use super::fixture::user::{answer, asked, overlay, press, showing};
use super::fixture::{detail, row, run_rows, runs};
use super::screens::drawn;
use crate::records::runs::RunRow;
use crate::tui::effect::Effect;
use crate::tui::message::Message;
use crate::tui::overlays::confirm::Confirm;
use crate::tui::question::Value;
use crate::tui::screens::compare::CompareQuestion;
use crate::tui::screens::runs::{self, RunDetail, RunList, RunsQuestion};
use crate::tui::screens::{corpora, launch, run};
use crate::tui::state::State;
use crate::tui::update::update;
use topoi_core::stream::documents::sample::Sample;
use topoi_run::life::Vitality;
use topoi_run::request::RunRequest;
use topoi_run::saved::changes::{Changes, LostLabel, TopicChange};
use topoi_run::saved::news::{News, TopicNews};
use topoi_store::id::{CorpusId, RunId, TopicNumber};
use topoi_store::result::metric::Metric;
use topoi_store::run::RunStatus;

const NARROW: (u16, u16) = (80, 24);

fn finished(id: i64, k: u64) -> RunRow {
    let mut row = row(id, k, RunStatus::Finished, Vitality::AsSaved);
    row.run.settings = RunRequest::new("nips", k as usize).saved_settings();
    row.npmi = Some(0.1 + k as f64 / 1000.0);
    row
}

/// A sweep of three, a run with two on halves, and a run of another corpus.
fn grouped() -> Vec<RunRow> {
    let swept = |id, k| {
        let mut row = finished(id, k);
        row.run.asked_with = Some(RunId(6));
        row
    };
    let half = |id| {
        let mut row = finished(id, 20);
        let mut request = RunRequest::new("nips", 20);
        request.settings.sample = Some(Sample { seed: 1, from: 0.0, to: 0.5 });
        row.run.settings = request.saved_settings();
        row.run.asked_with = Some(RunId(3));
        row
    };
    let mut other = finished(2, 20);
    (other.run.corpus, other.run.corpus_id) = ("movielens".into(), CorpusId(2));
    let mut named = finished(3, 20);
    named.run.name = Some("for the paper".into());
    named.run.note = Some("topic 7 is noise".into());
    vec![swept(8, 10), swept(7, 20), swept(6, 30), half(5), half(4), named, other]
}

fn list(size: (u16, u16)) -> State {
    let mut state = showing(runs::NAME, size);
    answer(&mut state, found(grouped()));
    press(&mut state, &["g", "g"]);
    state
}

fn found(runs: Vec<RunRow>) -> Value {
    let newest = runs[0].run.id;
    Value::new(RunList { runs, detail: Some(Box::new(detail(newest))), log: Vec::new() })
}

fn shown(state: &State) -> String {
    drawn(state).backend().to_string()
}

#[test]
fn groups_of_runs_in_pictures() {
    for (size, word) in [(NARROW, "80x24"), ((200, 50), "200x50")] {
        let mut state = list(size);
        insta::assert_snapshot!(format!("groups_{word}"), drawn(&state).backend());
        press(&mut state, &["Enter", "j"]);
        insta::assert_snapshot!(format!("group_open_{word}"), drawn(&state).backend());
    }
}

#[test]
fn a_group_opens_with_enter_and_closes_with_left() {
    let mut state = list(NARROW);
    assert_eq!(state.runs().list.len(), 4, "{}", shown(&state));
    assert!(
        shown(&state).contains("10-30") && shown(&state).contains("sweep"),
        "{}",
        shown(&state)
    );
    press(&mut state, &["Enter"]);
    assert_eq!(state.runs().list.len(), 7);
    press(&mut state, &["j", "j"]);
    assert_eq!(state.runs().selected().map(|row| row.run.id), Some(RunId(7)));
    press(&mut state, &["Left"]);
    assert_eq!((state.runs().list.len(), state.runs().list.cursor), (4, 0));
    assert_eq!(state.workbench.shown, runs::NAME);
    // A run that is led to is shown out of its group.
    press(&mut state, &["j", "j"]);
    assert_eq!(state.runs().selected().map(|row| row.run.id), Some(RunId(3)));
}

#[test]
fn model_k_npmi_and_state_are_readable_on_80_columns() {
    let mut state = list(NARROW);
    press(&mut state, &["Enter", "j", "j"]);
    let shown = shown(&state);
    let row = shown.lines().find(|line| line.contains("\u{b7}7  nips")).expect("the row");
    for cell in ["nips", "lr-jsmf", "20", "finished", "0.120"] {
        assert!(row.contains(cell), "{cell}: {row}");
    }
}

#[test]
fn keys_are_offered_where_they_do_something() {
    let mut state = showing(runs::NAME, NARROW);
    let hints = |state: &State| drawn(state).backend().to_string().lines().last().map(String::from);
    let offered = |state: &State, word: &str| hints(state).is_some_and(|line| line.contains(word));
    assert!(offered(&state, "x cancel") && !offered(&state, "r resume"), "{:?}", hints(&state));
    press(&mut state, &["G"]);
    assert!(offered(&state, "r resume") && !offered(&state, "x cancel"), "{:?}", hints(&state));
    let state = list(NARROW);
    assert!(!offered(&state, "r resume") && !offered(&state, "x cancel"), "{:?}", hints(&state));
}

#[test]
fn what_is_deleted_can_be_brought_back_until_the_workbench_closes() {
    let mut state = list(NARROW);
    press(&mut state, &["j", "j"]);
    let effects = press(&mut state, &["x"]);
    assert_eq!(state.workbench.deleted, [RunId(3)]);
    let [Effect::Read(request)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!(request.without, [RunId(3)], "no screen is told of it any more");
    insta::assert_snapshot!(shown(&state));
    press(&mut state, &["u"]);
    assert_eq!(state.workbench.deleted, []);
    press(&mut state, &["g", "g", "x"]);
    assert_eq!(state.workbench.deleted, [8, 7, 6].map(RunId), "a group goes with all its runs");
}

#[test]
fn a_run_that_works_is_not_deleted() {
    let mut state = showing(runs::NAME, NARROW);
    press(&mut state, &["j"]);
    answer(&mut state, runs(9));
    press(&mut state, &["x"]);
    assert_eq!(state.workbench.deleted, []);
    assert!(shown(&state).contains("Cancel run"), "{}", shown(&state));
    press(&mut state, &["n"]);
}

#[test]
fn a_run_is_named() {
    let mut state = list(NARROW);
    press(&mut state, &["j", "j", "L", "Ctrl-U", "b", "e", "s", "t"]);
    let name = Some("best".to_string());
    assert_eq!(press(&mut state, &["Enter"]), [Effect::NameRun { run: RunId(3), name }]);
    press(&mut state, &["L", "Ctrl-U"]);
    let none = Effect::NameRun { run: RunId(3), name: None };
    assert_eq!(press(&mut state, &["Enter"]), [none]);
    assert_eq!(press(&mut state, &["L", "x", "Esc"]), []);
    assert!(shown(&state).contains("note: topic 7 is noise"), "{}", shown(&state));
    assert!(shown(&state).contains("for the paper"));
}

#[test]
fn a_run_is_named_whatever_its_state() {
    for (at, row) in run_rows().into_iter().enumerate() {
        let mut state = showing(runs::NAME, NARROW);
        press(&mut state, &["g", "g"]);
        press(&mut state, &vec!["j"; at]);
        press(&mut state, &["L", "Ctrl-U", "b", "e", "s", "t"]);
        let label = format!(" of run {}: best", row.run.id);
        assert!(shown(&state).contains(&label), "{}: {}", row.word(), shown(&state));
        let effect = Effect::NameRun { run: row.run.id, name: Some("best".into()) };
        assert_eq!(press(&mut state, &["Enter"]), [effect], "{}", row.word());
    }
}

#[test]
fn a_name_that_is_typed_before_the_list_comes_is_of_the_run_that_is_selected_then() {
    let before = || {
        let mut state = showing(corpora::NAME, NARROW);
        press(&mut state, &["4"]);
        assert!(state.runs().rows.is_none());
        press(&mut state, &["L", "d", "o"]);
        state
    };
    let mut state = before();
    assert!(shown(&state).contains("name of the run: do"), "{}", shown(&state));
    answer(&mut state, runs(9));
    assert!(shown(&state).contains("name of run 10: do"), "{}", shown(&state));
    let named = |name: &str| Effect::NameRun { run: RunId(10), name: Some(name.into()) };
    assert_eq!(press(&mut state, &["n", "e", "Enter"]), [named("done")]);
    // Also where it is accepted before.
    let mut state = before();
    assert_eq!(press(&mut state, &["Enter"]), []);
    let effects = answer(&mut state, runs(9));
    assert!(effects.contains(&named("do")), "{effects:?}");
    assert!(!shown(&state).contains("name of"), "{}", shown(&state));
}

/// The list with what is known of its newest run.
fn list_with(detail: RunDetail, size: (u16, u16)) -> State {
    let mut state = showing(runs::NAME, size);
    let runs = vec![finished(detail.run.0, 20), finished(1, 20)];
    let detail = Some(Box::new(detail));
    answer(&mut state, Value::new(RunList { runs, detail, log: Vec::new() }));
    press(&mut state, &["g", "g"]);
    state
}

#[test]
fn an_estimated_norm_has_its_error_beside_it() {
    let mut known = detail(RunId(3));
    let settings = Some(r#"{"standard_error":0.00642,"projections":26}"#.to_string());
    let name = "relative_approximation".into();
    known.metrics.insert(0, Metric { topic: None, name, value: 0.30912, settings });
    known.stages.clear();
    for size in [NARROW, (200, 50)] {
        let shown = shown(&list_with(known.clone(), size));
        assert!(shown.contains("0.3091\u{b1}0.0064"), "{shown}");
    }
}

#[test]
fn what_an_update_changed_and_the_labels_that_it_lost_are_seen_on_the_run() {
    let mut known = detail(RunId(3));
    let topic =
        |topic, is_same| TopicChange { topic, earlier: Some(topic), cosine: Some(0.9), is_same };
    known.changes = Some(Changes {
        from: RunId(1),
        terms_new: 4,
        terms_gone: 1,
        topics: vec![topic(TopicNumber(0), true), topic(TopicNumber(1), false)],
        news: News {
            topics_faded: vec![TopicNews {
                topic: TopicNumber(0),
                added_share: 0.002,
                document_share: 0.041,
                nearest: None,
            }],
            ..News::default()
        },
        labels_carried: Vec::new(),
        labels_lost: vec![LostLabel {
            topic: TopicNumber(1),
            label: "chess".into(),
            nearest: TopicNumber(0),
            cosine: 0.431,
        }],
    });
    for size in [NARROW, (200, 50)] {
        let shown = shown(&list_with(known.clone(), size));
        let plain = shown.replace(['"', '\n'], " ");
        let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
        for words in ["vocabulary: 4 terms new", "topic 0 fades", "chess", "is not carried", "0.43"]
        {
            assert!(plain.contains(words), "{words}: {shown}");
        }
    }
}

#[test]
fn one_run_is_compared_with_the_open_one_of_its_corpus_or_with_none() {
    let mut state = list(NARROW);
    press(&mut state, &["Enter", "j", "Space"]);
    assert_eq!(state.runs().marked, [RunId(8)]);
    press(&mut state, &["G"]);
    press(&mut state, &["c"]);
    let notice = state.workbench.notice.clone().unwrap_or_default();
    assert!(notice.contains("run 8 alone") && notice.contains("of nips"), "{notice}");
    state.workbench.open_run = Some(RunId(3));
    let effects = press(&mut state, &["c"]);
    assert_eq!(asked(&effects), Some(&CompareQuestion { runs: vec![RunId(8), RunId(3)] }));
}

#[test]
fn the_log_of_a_run_is_a_view_that_back_closes() {
    let mut state = list(NARROW);
    press(&mut state, &["j", "j"]);
    let effects = press(&mut state, &["O"]);
    assert_eq!(asked(&effects), Some(&RunsQuestion { selected: Some(RunId(3)), with_log: true }));
    let log = vec!["2026-11-02 20:14 UTC  asked for".into(), "it ended with a bang".into()];
    let detail = Some(Box::new(detail(RunId(3))));
    answer(&mut state, Value::new(RunList { runs: grouped(), detail, log }));
    assert!(shown(&state).contains("Log of run 3") && shown(&state).contains("with a bang"));
    press(&mut state, &["Esc"]);
    assert!(shown(&state).contains("Runs 7"));
    assert_eq!(state.runs().selected().map(|row| row.run.id), Some(RunId(3)));
}

#[test]
fn a_run_is_made_again_through_the_form() {
    let mut state = list(NARROW);
    press(&mut state, &["j", "j", "n"]);
    assert_eq!((state.workbench.shown, state.launch().form.again), (launch::NAME, Some(RunId(3))));
    // A new run of a corpus is not one made again.
    press(&mut state, &["Esc", "1", "n"]);
    assert_eq!(state.launch().form.again, None);
}

#[test]
fn cancelling_a_run_under_way_says_that_it_can_go_on() {
    let mut state = showing(runs::NAME, NARROW);
    press(&mut state, &["j"]);
    answer(&mut state, runs(9));
    press(&mut state, &["x"]);
    let Some(confirm) = overlay::<Confirm>(&state) else { panic!("no question") };
    insta::assert_snapshot!(confirm.meaning);
    insta::assert_snapshot!(shown(&state));
}

#[test]
fn the_whole_run_is_what_is_told_of_its_progress() {
    let mut rows = run_rows();
    let progress = rows[1].progress.as_mut().expect("under way");
    (progress.step, progress.total, progress.share) = (50, 50, Some(0.31));
    let mut state = showing(runs::NAME, NARROW);
    answer(&mut state, found(rows));
    assert!(shown(&state).contains("31%") && !shown(&state).contains("100%"), "{}", shown(&state));
    let _ = update(&mut state, Message::Resize(60, 15));
    assert!(shown(&state).contains("running 31%"), "{}", shown(&state));
    assert_eq!(run::NAME, "Run");
}

#[test]
fn a_job_begins_with_the_run_under_the_cursor() {
    let mut state = list(NARROW);
    state.workbench.open_run = Some(RunId(3));
    press(&mut state, &["Enter", "j", "g", "e"]);
    let shown = shown(&state);
    assert!(shown.contains("topoi export 8 "), "{shown}");
}
