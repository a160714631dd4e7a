//! What keys and answers do, without terminal and store.

use super::fixture::user::{answer, asked, overlay, press, showing, state};
use super::fixture::{corpora, detail, page, run_rows, runs};
use crate::tui::effect::Effect;
use crate::tui::message::{EffectOutcome, Message};
use crate::tui::overlays::confirm::Confirm;
use crate::tui::question::{Answer, Value};
use crate::tui::screens::corpus::Pane;
use crate::tui::screens::corpus::question::PageQuestion;
use crate::tui::screens::runs::{RunList, RunsQuestion};
use crate::tui::screens::{corpora, corpus, launch, run, runs};
use crate::tui::update::update;
use topoi_store::corpus::document::Page;
use topoi_store::id::{CorpusId, DocumentId, RunId};

const SIZE: (u16, u16) = (80, 24);

#[test]
fn digits_go_to_screens_and_ask_for_what_they_show() {
    let mut state = state(SIZE);
    for (keys, screen) in [("4", runs::NAME), ("5", run::NAME), ("1", corpora::NAME)] {
        let effects = press(&mut state, &[keys]);
        assert_eq!(state.workbench.shown, screen);
        assert!(matches!(effects.last(), Some(Effect::Read(_))));
    }
}

#[test]
fn q_goes_back_and_at_the_top_leaves_while_esc_stays() {
    let mut state = showing(run::NAME, SIZE);
    press(&mut state, &["q"]);
    assert_eq!(state.workbench.shown, runs::NAME);
    press(&mut state, &["Esc"]);
    assert_eq!(state.workbench.shown, corpora::NAME);
    assert_eq!(press(&mut state, &["Esc"]), []);
    assert_eq!(press(&mut state, &["q"]), [Effect::Quit]);
}

#[test]
fn stale_answers_are_dropped() {
    let mut state = showing(corpora::NAME, SIZE);
    let old = state.workbench.generation;
    press(&mut state, &["4"]);
    let revision = state.workbench.revision;
    let data = Value::new(RunList { runs: run_rows(), detail: None, log: Vec::new() });
    let stale = Answer { generation: old, active: 0, found: Ok(data) };
    assert_eq!(update(&mut state, Message::Answer(Box::new(stale))), []);
    assert_eq!((state.workbench.revision, state.runs().rows.is_none()), (revision, true));
}

#[test]
fn keys_for_rows_that_are_being_read_wait_for_them() {
    let mut state = state(SIZE);
    press(&mut state, &["4", "j", "j"]);
    assert_eq!(state.runs().list.cursor, 0);
    answer(&mut state, runs(9));
    assert_eq!(state.runs().list.cursor, 2);
    press(&mut state, &["j"]);
    assert_eq!(state.runs().list.cursor, 3);
}

#[test]
fn a_key_that_leads_elsewhere_drops_the_keys_that_wait() {
    let mut state = state(SIZE);
    press(&mut state, &["4", "j", "j", "1", "4"]);
    answer(&mut state, runs(9));
    assert_eq!(state.runs().list.cursor, 0);
}

#[test]
fn g_g_and_shift_g_go_to_the_ends_of_a_list() {
    let mut state = showing(run::NAME, SIZE);
    press(&mut state, &["G"]);
    assert_eq!(state.run().list.cursor, 49);
    press(&mut state, &["g", "g"]);
    assert_eq!(state.run().list.cursor, 0);
    press(&mut state, &["g", "j"]);
    assert_eq!(state.run().list.cursor, 1, "an unfinished sequence does not swallow the next key");
    press(&mut state, &["PgDn", "PgDn", "Ctrl-U"]);
    assert!(state.run().list.cursor > 1);
}

#[test]
fn a_filter_narrows_the_list_and_esc_clears_it_first() {
    let mut state = showing(corpora::NAME, SIZE);
    press(&mut state, &["/", "n", "y"]);
    assert_eq!(state.corpora().list.len(), 1);
    press(&mut state, &["Enter", "Esc"]);
    assert_eq!((state.workbench.shown, state.corpora().list.len()), (corpora::NAME, 3));
    press(&mut state, &["/", "q", "1"]);
    assert_eq!(state.corpora().list.filter.as_str(), "q1", "letters are typed, not obeyed");
    press(&mut state, &["Esc", "j"]);
    assert_eq!(state.corpora().list.cursor, 1);
}

#[test]
fn a_filter_of_documents_is_asked_of_the_store() {
    let mut state = showing(corpus::NAME, SIZE);
    let effects = press(&mut state, &["/", "k"]);
    let Some(query) = asked::<PageQuestion>(&effects) else { panic!("{effects:?}") };
    assert_eq!((query.filter.as_str(), query.page), ("k", Page::First));
}

#[test]
fn documents_go_on_from_page_to_page_and_back() {
    let mut state = showing(corpus::NAME, SIZE);
    for _ in 0..199 {
        press(&mut state, &["j"]);
    }
    let effects = press(&mut state, &["j"]);
    let page_of = |effects: &[Effect]| asked::<PageQuestion>(effects).expect("a page").page;
    assert_eq!(page_of(&effects), Page::After(DocumentId(200)));
    answer(&mut state, Value::new(Some(Box::new(page(201, 200)))));
    assert_eq!((state.corpus().before_page(), state.corpus().documents.cursor), (200, 0));
    let effects = press(&mut state, &["k"]);
    assert_eq!(page_of(&effects), Page::Before(DocumentId(201)));
    answer(&mut state, Value::new(Some(Box::new(page(1, 200)))));
    assert_eq!((state.corpus().before_page(), state.corpus().documents.cursor), (0, 199));
    let effects = press(&mut state, &["G"]);
    assert_eq!(page_of(&effects), Page::Last);
    answer(&mut state, Value::new(Some(Box::new(page(5613, 200)))));
    assert_eq!((state.corpus().before_page(), state.corpus().documents.cursor), (5612, 199));
    assert_eq!(press(&mut state, &["j"]), [], "there is nothing after the last document");
}

#[test]
fn tab_sends_the_keys_to_the_terms() {
    let mut state = showing(corpus::NAME, SIZE);
    press(&mut state, &["Tab", "j"]);
    assert_eq!((state.corpus().pane, state.corpus().terms.cursor), (Pane::Terms, 1));
    press(&mut state, &["h"]);
    assert_eq!(state.corpus().pane, Pane::Documents);
}

#[test]
fn the_cursor_stays_on_its_run_when_a_new_one_appears() {
    let mut state = showing(runs::NAME, SIZE);
    press(&mut state, &["j"]);
    answer(&mut state, runs(9));
    let mut rows = run_rows();
    rows.insert(
        0,
        super::fixture::row(
            11,
            5,
            topoi_store::run::RunStatus::Queued,
            topoi_run::life::Vitality::AsSaved,
        ),
    );
    answer(
        &mut state,
        Value::new(RunList {
            runs: rows,
            detail: Some(Box::new(detail(RunId(9)))),
            log: Vec::new(),
        }),
    );
    assert_eq!(state.runs().selected().map(|row| row.run.id), Some(RunId(9)));
    assert_eq!(state.runs().list.cursor, 2);
}

#[test]
fn moving_among_runs_asks_for_the_selected_one() {
    let mut state = showing(runs::NAME, SIZE);
    let effects = press(&mut state, &["j"]);
    assert_eq!(asked(&effects), Some(&RunsQuestion { selected: Some(RunId(9)), with_log: false }));
}

#[test]
fn cancelling_asks_first_and_only_for_runs_that_are_not_over() {
    let mut state = showing(runs::NAME, SIZE);
    assert_eq!(press(&mut state, &["x"]), []);
    let Some(confirm) = overlay::<Confirm>(&state) else { panic!("no question") };
    assert_eq!(confirm.effect, Effect::Cancel(RunId(10)));
    insta::assert_snapshot!(confirm.meaning);
    assert_eq!(press(&mut state, &["n"]), []);
    assert_eq!(press(&mut state, &["x", "y"]), [Effect::Cancel(RunId(10))]);
    press(&mut state, &["G"]);
    answer(&mut state, runs(2));
    press(&mut state, &["x"]);
    assert!(state.workbench.overlay.is_none());
}

#[test]
fn the_form_launches_for_the_corpus_under_the_cursor_and_goes_to_its_run() {
    let mut state = showing(corpora::NAME, SIZE);
    press(&mut state, &["j", "n"]);
    answer(&mut state, super::fixture::launch());
    assert_eq!(state.launch().form.corpus().map(|corpus| corpus.name.as_str()), Some("nips"));
    press(&mut state, &["Tab", "Tab", "Backspace", "5", "Tab", "j", "k"]);
    let effects = press(&mut state, &["Enter", "Enter"]);
    let [Effect::Launch(request, list, _)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!((request.corpus.as_str(), request.k), ("nips", 35));
    assert_eq!(list.values(), [35]);
    let effects =
        update(&mut state, Message::EffectOutcome(EffectOutcome::Launched(Ok(RunId(10)))));
    assert_eq!(
        (state.workbench.shown, asked(&effects)),
        (runs::NAME, Some(&RunsQuestion { selected: Some(RunId(10)), with_log: false }))
    );
    answer(&mut state, runs(10));
    assert_eq!(state.runs().selected().map(|row| row.run.id), Some(RunId(10)));
}

#[test]
fn a_list_of_k_asks_for_a_run_of_each() {
    let mut state = showing(launch::NAME, SIZE);
    press(&mut state, &["Tab", "Tab", "Ctrl-U", "5", ".", ".", "1", "5", ":", "5"]);
    assert!(state.launch().form.command("topoi").starts_with("topoi sweep"));
    assert_eq!(press(&mut state, &["Enter"]), []);
    let Some(confirm) = overlay::<Confirm>(&state) else { panic!("no question") };
    assert!(confirm.title.contains("3 runs") && confirm.meaning.contains("memory"), "{confirm:?}");
    let effects = press(&mut state, &["y"]);
    let [Effect::Launch(plan, list, _)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!((plan.k, list.values()), (15, &[5, 10, 15][..]));
}

#[test]
fn a_form_that_is_wrong_says_so_and_launches_nothing() {
    let mut state = showing(launch::NAME, SIZE);
    press(&mut state, &["Tab", "Tab", "Backspace", "Backspace", "1"]);
    assert_eq!(press(&mut state, &["Enter"]), []);
    assert!(
        state
            .workbench
            .notice
            .as_ref()
            .is_some_and(|notice| notice.starts_with("k is 1, but must be"))
    );
    let notice = state.workbench.notice.as_deref().unwrap_or_default();
    assert!(!notice.contains("--"), "a form has no flags: {notice}");
    // What was wrong does not stand below a form that is right.
    press(&mut state, &["5"]);
    assert_eq!(state.workbench.notice, None);
}

#[test]
fn on_a_terminal_that_is_too_small_only_q_works() {
    let mut state = showing(runs::NAME, (20, 5));
    assert_eq!(press(&mut state, &["x", "j", "/"]), []);
    assert!(state.workbench.overlay.is_none() && !state.runs().list.typing);
    assert_eq!(press(&mut state, &["q"]), [Effect::Quit]);
}

#[test]
fn ctrl_c_leaves_only_when_pressed_twice() {
    let mut state = showing(corpora::NAME, SIZE);
    assert_eq!(press(&mut state, &["Ctrl-C", "j", "Ctrl-C"]), []);
    assert_eq!(press(&mut state, &["Ctrl-C"]), [Effect::Quit]);
}

#[test]
fn the_corpora_open_on_their_documents() {
    let mut state = state(SIZE);
    answer(&mut state, corpora());
    let effects = press(&mut state, &["j", "Enter"]);
    let Some(query) = asked::<PageQuestion>(&effects) else { panic!("{effects:?}") };
    assert_eq!(query.id, Some(CorpusId(1)));
}
