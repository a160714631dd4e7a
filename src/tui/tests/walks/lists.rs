//! Queries, documents, orders, copies and exports, without terminal and store.

use crate::tui::effect::{Effect, Format, Source};
use crate::tui::message::{EffectOutcome, Message};
use crate::tui::question::Value;
use crate::tui::screens::corpus::question::{DocumentQuestion, PageQuestion};
use crate::tui::screens::sql::SqlPane;
use crate::tui::screens::{choose_k, compare, corpus, runs, sql};
use crate::tui::state::State;
use crate::tui::tests::fixture::user::{answer, asked, digit, names, press, showing, state};
use crate::tui::tests::fixture::{answered, document, run_rows, tables};
use crate::tui::update::update;
use topoi_store::corpus::document::{DocumentSortKey, Page};
use topoi_store::id::{CorpusId, DocumentId, RunId};

const SIZE: (u16, u16) = (80, 24);

fn reading() -> State {
    let mut state = showing(corpus::NAME, SIZE);
    let effects = press(&mut state, &["Enter"]);
    assert_eq!(
        asked(&effects),
        Some(&DocumentQuestion {
            corpus: CorpusId(1),
            id: DocumentId(1),
            runs: vec![RunId(5)],
            query: None
        })
    );
    answer(&mut state, Value::new(Some(Box::new(document()))));
    state
}

#[test]
fn every_screen_is_within_two_keys_of_every_other() {
    for from in names() {
        for to in names() {
            let digit = digit(to);
            let reached =
                [vec![digit.as_str()], vec!["Esc", digit.as_str()]].into_iter().any(|keys| {
                    let mut state = showing(from, SIZE);
                    press(&mut state, &keys);
                    state.workbench.shown == to
                });
            assert!(reached, "{from} to {to}");
        }
    }
}

#[test]
fn a_query_is_asked_once_and_a_late_answer_is_dropped() {
    let mut state = state(SIZE);
    press(&mut state, &["8", "S", "E", "?", "1"]);
    assert_eq!((state.sql().prompt.text(), state.workbench.shown), ("SE?1", sql::NAME));
    let effects = press(&mut state, &["Enter", "Enter"]);
    assert_eq!(
        effects,
        [Effect::Remember("SE?1".into()), Effect::AskSql { ticket: 1, sql: "SE?1".into() }]
    );
    assert_eq!(press(&mut state, &["Ctrl-C"]), [Effect::InterruptSql]);
    update(
        &mut state,
        Message::EffectOutcome(EffectOutcome::Queried { ticket: 0, outcome: Ok(answered()) }),
    );
    assert!(state.sql().running && state.sql().shown.is_none());
    update(
        &mut state,
        Message::EffectOutcome(EffectOutcome::Queried { ticket: 1, outcome: Err("no".into()) }),
    );
    assert_eq!((state.sql().running, state.sql().error.as_deref()), (false, Some("no")));
    assert_eq!(press(&mut state, &["Ctrl-C", "Ctrl-C"]), [Effect::Quit]);
}

#[test]
fn tab_completes_as_far_as_it_can_and_then_goes_through_the_names() {
    let mut state = state(SIZE);
    press(&mut state, &["8"]);
    answer(&mut state, Value::new(tables()));
    press(&mut state, &["t", "o", "Tab"]);
    let text = |state: &State| state.sql().prompt.text().to_string();
    // topic, topic_word and the column tokens share no more.
    assert_eq!(text(&state), "to");
    press(&mut state, &["Tab"]);
    assert_eq!(text(&state), "topic");
    press(&mut state, &["Tab"]);
    assert_eq!(text(&state), "topic_word");
    press(&mut state, &[".", "r", "u", "Tab"]);
    assert_eq!(text(&state), "topic_word.run_id");
}

#[test]
fn rows_are_filtered_sorted_and_copied_whole() {
    let mut state = showing(sql::NAME, SIZE);
    press(&mut state, &["Esc", "s", "S"]);
    assert_eq!(state.sql().pane, SqlPane::Rows);
    let [Effect::Copy(row)] = &press(&mut state, &["y"])[..] else { panic!("no copy") };
    assert!(row.starts_with("29\tnips/00017.txt\tOn 主題\t"), "{row}");
    press(&mut state, &["/", "n", "a", "ï", "v", "e", "Enter"]);
    assert_eq!(state.sql().list.len(), 5);
    let [Effect::Copy(table)] = &press(&mut state, &["Y"])[..] else { panic!("no copy") };
    assert!(table.starts_with("id\tkey\ttitle\t") && table.lines().count() == 6, "{table}");
    let [Effect::Export(export)] = &press(&mut state, &["E", "y"])[..] else { panic!("no export") };
    assert_eq!(export.format, Format::Json);
    assert!(matches!(&export.source, Source::ExportTable(sheet) if sheet.rows.len() == 5));
}

#[test]
fn documents_are_sorted_by_the_store_from_the_first_page_on() {
    let mut state = showing(corpus::NAME, SIZE);
    let effects = press(&mut state, &["j", "s", "s", "s"]);
    let Some(query) = asked::<PageQuestion>(&effects) else { panic!("{effects:?}") };
    assert_eq!((query.order.by, query.order.descending), (DocumentSortKey::Tokens, true));
    assert_eq!((query.page, state.corpus().documents.cursor), (Page::First, 0));
    let [Effect::Export(export)] = &press(&mut state, &["e", "y"])[..] else { panic!("no export") };
    let Source::Documents { order, .. } = &export.source else { panic!("{export:?}") };
    assert_eq!(order.by, DocumentSortKey::Tokens, "all documents, in the order that is shown");
}

#[test]
fn a_document_is_scrolled_filtered_and_copied_and_esc_goes_back_to_the_list() {
    let mut state = reading();
    let [Effect::Copy(text)] = &press(&mut state, &["y"])[..] else { panic!("no copy") };
    assert!(
        text.starts_with("Kernel PCA as") && text.contains("a kernel machine.\n\u{2014} "),
        "{text}"
    );
    assert!(text.ends_with("characters 1\u{2013}146\n"), "{text}");
    let [Effect::Copy(text)] = &press(&mut state, &["Y"])[..] else { panic!("no copy") };
    assert!(text.starts_with("Kernel PCA as") && text.contains("\n\n"));
    press(&mut state, &["/", "s", "p", "i", "k", "e", "Enter"]);
    let lines = state.corpus().reading.as_ref().expect("reading").list.len();
    assert_eq!(lines, 1);
    press(&mut state, &["Esc", "w", "s", "s"]);
    let reading = state.corpus().reading.as_ref().expect("reading");
    assert_eq!(reading.visible_words().first().map(|row| row.count), Some(12));
    let effects = press(&mut state, &["]"]);
    assert_eq!(
        asked(&effects),
        Some(&DocumentQuestion {
            corpus: CorpusId(1),
            id: DocumentId(2),
            runs: vec![RunId(5)],
            query: None
        })
    );
    let effects = press(&mut state, &["R"]);
    assert_eq!(
        asked(&effects),
        Some(&DocumentQuestion {
            corpus: CorpusId(1),
            id: DocumentId(2),
            runs: vec![RunId(3)],
            query: None
        })
    );
    press(&mut state, &["Esc"]);
    assert!(state.corpus().reading.is_none() && state.workbench.shown == corpus::NAME);
    assert_eq!(state.corpus().documents.cursor, 1, "on the document that was read last");
}

#[test]
fn pasted_lines_are_one_query_and_elsewhere_no_keys() {
    let mut state = state(SIZE);
    assert_eq!(update(&mut state, Message::Paste("q\nq".into())), []);
    press(&mut state, &["8"]);
    update(&mut state, Message::Paste("SELECT 1\nFROM run".into()));
    assert_eq!(state.sql().prompt.text(), "SELECT 1 FROM run");
}

#[test]
fn r_goes_on_with_a_run_that_was_stopped_and_with_no_other() {
    let mut state = showing(runs::NAME, SIZE);
    press(&mut state, &["g", "g"]);
    let mut resumed = Vec::new();
    for _ in run_rows() {
        match press(&mut state, &["r"])[..] {
            [Effect::Resume(run)] => resumed.push(run),
            _ => assert!(state.workbench.overlay.is_none()),
        }
        press(&mut state, &["j"]);
    }
    // Lost, failed, cancelled, interrupted; not those that wait, work or have their topics.
    assert_eq!(resumed, [6, 4, 3, 2].map(RunId));
}

#[test]
fn metrics_by_k_and_compared_runs_are_sorted_and_copied() {
    let copied = |state: &mut State| match &press(state, &["Y"])[..] {
        [Effect::Copy(table)] => table.clone(),
        other => panic!("{other:?}"),
    };
    let mut state = showing(choose_k::NAME, SIZE);
    press(&mut state, &["]"]);
    assert!(copied(&mut state).starts_with("metric\tbest\tbest_k\tk "));
    press(&mut state, &["s"]);
    let names: Vec<String> =
        copied(&mut state).lines().skip(1).map(|line| line.to_lowercase()).collect();
    assert!(names.len() > 1 && names.is_sorted(), "{names:?}");
    let mut state = showing(compare::NAME, SIZE);
    let head = "run\ttopic\tother_run\tother_topic\tsimilarity\tlabel\twords\tgained\tlost\n";
    assert!(copied(&mut state).starts_with(head));
    press(&mut state, &["I"]);
    assert!(copied(&mut state).starts_with("metric\trun "));
}
