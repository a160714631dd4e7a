//! What holds on every screen: the palette, the mouse, keys that do nothing, the user's own keys, the
//! glossary, jobs.

use std::collections::BTreeMap;

use super::fixture::user::{answer, asked, names, overlay, press, showing};
use super::screens::drawn;
use crate::tui::config::{self, read};
use crate::tui::effect::Effect;
use crate::tui::message::{EffectOutcome, Message};
use crate::tui::overlays::help::{self, Help};
use crate::tui::overlays::job::{EstimateQuestion, JobForm, Stage};
use crate::tui::overlays::palette::{Palette, PaletteAnswer, PaletteQuestion};
use crate::tui::question::{Question, Value};
use crate::tui::screens::{corpora, corpus, run, runs, sql};
use crate::tui::state::State;
use crate::tui::update::update;
use crate::tui::view::hit_areas::{self, HitArea, Target};
use topoi_store::id::RunId;

const SIZE: (u16, u16) = (80, 24);

fn shown(state: &State) -> String {
    drawn(state).backend().to_string()
}

fn hit_areas(state: &State) -> Vec<HitArea> {
    drawn(state);
    hit_areas::take()
}

/// Clicks on the first place that shows this text.
fn click(state: &mut State, text: &str) -> Vec<Effect> {
    let terminal = drawn(state);
    let hit_areas = hit_areas::take();
    let buffer = terminal.backend().buffer();
    for y in 0..buffer.area.height {
        let row: String = (0..buffer.area.width).map(|x| buffer[(x, y)].symbol()).collect();
        let Some(at) = row.find(text) else { continue };
        let x = row[..at].chars().count() as u16;
        let target =
            hit_areas::at(&hit_areas, x, y).unwrap_or_else(|| panic!("{text} is no spot: {row}"));
        return update(state, Message::Clicked(target.clone()));
    }
    panic!("no {text} on {}", shown(state));
}

#[test]
fn a_key_that_does_nothing_says_so_and_where_the_keys_are() {
    let mut state = showing(corpora::NAME, SIZE);
    press(&mut state, &["Z"]);
    let told = "Z does nothing here; ? shows the keys";
    assert_eq!(state.workbench.notice.as_deref(), Some(told));
    assert!(shown(&state).contains(told));
    press(&mut state, &["g", "Z"]);
    assert_eq!(state.workbench.notice.as_deref(), Some("g Z does nothing here; ? shows the keys"));
    press(&mut state, &["j"]);
    assert_eq!(state.workbench.notice, None);
}

#[test]
fn the_palette_has_every_key_of_every_screen() {
    for name in names() {
        let mut state = showing(name, SIZE);
        if state.screen().is_typing() {
            press(&mut state, &["Esc"]);
        }
        press(&mut state, &[":"]);
        let Some(palette) = overlay::<Palette>(&state) else { panic!("no palette on {name}") };
        let words: Vec<&str> = palette.entries().iter().map(|entry| entry.words.as_str()).collect();
        let all = state.screens.iter().flat_map(|screen| screen.keys());
        for binding in all.flat_map(|table| table.bindings.iter()) {
            assert!(words.contains(&binding.help), "{name}: {}", binding.help);
        }
    }
}

#[test]
fn the_palette_does_what_is_chosen_and_leads_to_keys_of_other_screens() {
    let mut state = showing(runs::NAME, SIZE);
    press(&mut state, &[":", "c", "a", "n", "c", "e", "l"]);
    assert!(shown(&state).contains(":cancel"), "{}", shown(&state));
    press(&mut state, &["Enter"]);
    assert!(state.workbench.overlay.is_some() || state.workbench.notice.is_some(), "it was done");
    let mut state = showing(corpora::NAME, SIZE);
    press(&mut state, &["Ctrl-P", "m", "a", "r", "k", " ", "r", "u", "n", "Enter"]);
    assert_eq!(state.workbench.shown, runs::NAME);
    let notice = state.workbench.notice.clone().unwrap_or_default();
    insta::assert_snapshot!(notice);
    press(&mut state, &[":", "z", "q", "x", "z"]);
    insta::assert_snapshot!(shown(&state));
    let effects = press(&mut state, &["Esc"]);
    assert!(state.workbench.overlay.is_none());
    assert!(
        asked::<runs::RunsQuestion>(&effects).is_some(),
        "the screen's own question is asked again"
    );
}

#[test]
fn the_palette_goes_to_what_the_store_has() {
    let mut state = showing(run::NAME, SIZE);
    let effects = press(&mut state, &[":", "n", "i", "p", "s"]);
    let question = asked::<PaletteQuestion>(&effects).expect("asked").clone();
    assert_eq!((question.typed.as_str(), question.run), ("nips", Some(RunId(5))));
    let directory = tempfile::tempdir().expect("tempdir");
    let path = directory.path().join("t.db");
    let store = topoi_store::Store::open(&path, topoi_store::Access::Create).expect("open");
    let writer = topoi_store::ingest::IngestWriter::begin(&store, "nips", "{}", "s", "lines")
        .expect("begin");
    writer.finish().expect("finish");
    let mut cache = crate::tui::threads::cache::AnswerCache::default();
    let mut asking =
        crate::tui::question::QuestionContext { store: &store, runs: &[], cache: &mut cache };
    let found = question.ask(&mut asking).expect("found");
    assert_eq!(found.entries[0].words, "nips, 0 documents");
    answer(&mut state, Value::new::<PaletteAnswer>(found));
    assert!(shown(&state).contains("> nips, 0 documents"), "{}", shown(&state));
    press(&mut state, &["Enter"]);
    assert_eq!(state.workbench.shown, corpus::NAME);
}

#[test]
fn clicks_go_to_tabs_rows_heads_and_hints() {
    let mut state = showing(corpora::NAME, SIZE);
    click(&mut state, "nytimes");
    assert_eq!(state.corpora().list.cursor, 2);
    click(&mut state, "documents");
    let sort = state.corpora().list.sort.clone().expect("sorted");
    assert_eq!((sort.by.as_str(), sort.descending), ("documents", true));
    click(&mut state, "documents");
    assert!(!state.corpora().list.sort.clone().expect("sorted").descending);
    click(&mut state, "4 Runs");
    assert_eq!(state.workbench.shown, runs::NAME);
    click(&mut state, "help");
    assert_eq!(overlay::<Help>(&state).map(|help| help.first), Some(0));
    update(&mut state, Message::Wheel(3));
    assert_eq!(overlay::<Help>(&state).map(|help| help.first), Some(3));
    let rows = hit_areas(&state).iter().any(|spot| matches!(spot.target, Target::Row { .. }));
    assert!(!rows, "what is covered cannot be clicked");
}

#[test]
fn a_row_that_has_the_cursor_is_opened_and_the_wheel_scrolls() {
    let mut state = showing(corpora::NAME, SIZE);
    click(&mut state, "nips");
    click(&mut state, "nips");
    assert_eq!(state.workbench.shown, corpus::NAME);
    let mut state = showing(run::NAME, SIZE);
    update(&mut state, Message::Wheel(3));
    assert_eq!(state.run().list.cursor, 3);
    update(&mut state, Message::Wheel(-2));
    assert_eq!(state.run().list.cursor, 1);
}

#[test]
fn a_click_on_the_other_list_gives_it_the_keys() {
    let mut state = showing(corpus::NAME, (120, 30));
    let terms = hit_areas(&state)
        .into_iter()
        .find(|spot| matches!(spot.target, Target::Row { place: 2, focused: false }));
    update(&mut state, Message::Clicked(terms.expect("a row of terms").target));
    assert_eq!(state.corpus().pane, corpus::Pane::Terms);
    assert_eq!(state.screen().list().map(|list| list.cursor), Some(2));
    let mut state = showing(sql::NAME, SIZE);
    let row = hit_areas(&state)
        .into_iter()
        .find(|spot| matches!(spot.target, Target::Row { place: 4, .. }));
    update(&mut state, Message::Clicked(row.expect("a row").target));
    assert_eq!(state.sql().list.cursor, 4);
}

#[test]
fn f2_leaves_the_mouse_to_the_terminal_and_takes_it_again() {
    let mut state = showing(corpora::NAME, SIZE);
    assert_eq!(press(&mut state, &["F2"]), [Effect::Mouse(true)]);
    assert_eq!(press(&mut state, &["F2"]), [Effect::Mouse(false)]);
}

#[test]
fn a_table_scrolls_sideways_to_columns_that_have_no_room() {
    let mut state = showing(runs::NAME, (80, 24));
    let head = |state: &State| shown(state).lines().nth(2).unwrap_or_default().to_string();
    assert!(head(&state).contains('›'), "{}", head(&state));
    let mut seen = head(&state);
    for _ in 0..8 {
        press(&mut state, &[">"]);
        seen.push_str(&head(&state));
    }
    let lists = config::lists();
    let (_, titles) = lists.iter().find(|(name, _)| *name == "runs").expect("the list of runs");
    for title in titles {
        assert!(seen.contains(title), "{title} in {seen}");
    }
    assert!(head(&state).contains('‹'), "{}", head(&state));
    press(&mut state, &["s"]);
    assert!(!head(&state).contains('‹'), "sorting shows the column that is sorted by");
}

#[test]
fn the_users_own_keys_replace_those_of_the_program() {
    let (found, mistakes) =
        read("[keys]\nsort = \"o\"\nhelp = [\"F1\", \"Ctrl-O\"]\ncopy-row = \"s\"\n");
    assert!(mistakes.is_empty(), "{mistakes:?}");
    let mut state = showing(run::NAME, SIZE);
    state.rebind(&found.keys);
    press(&mut state, &["o"]);
    assert!(state.run().list.sort.is_some());
    assert!(matches!(press(&mut state, &["s"])[..], [Effect::Copy(_)]));
    press(&mut state, &["?"]);
    let notice = state.workbench.notice.clone().unwrap_or_default();
    assert!(notice.starts_with("? does nothing here"), "{notice}");
    press(&mut state, &["Ctrl-O"]);
    let help: String = help::lines(&state).iter().map(ToString::to_string).collect();
    assert!(help.contains("Ctrl-O"), "the help names the user's keys: {help}");
    state.rebind(&BTreeMap::new());
    press(&mut state, &["Esc", "?"]);
    assert_eq!(overlay::<Help>(&state).map(|help| help.first), Some(0));
}

#[test]
fn every_action_of_the_configuration_has_a_name_that_it_takes() {
    for (name, keys, meaning) in config::actions() {
        assert!(!meaning.is_empty() && !name.contains(' '), "{name}");
        let keys: Vec<String> = keys.iter().map(|key| format!("{key:?}")).collect();
        let text = format!("[keys]\n{name} = [{}]\n", keys.join(", "));
        let (_, mistakes) = read(&text);
        assert!(mistakes.is_empty(), "{text}: {mistakes:?}");
    }
}

#[test]
fn help_twice_is_the_glossary_in_which_letters_look_for_words() {
    let mut state = showing(run::NAME, SIZE);
    press(&mut state, &["?", "?"]);
    assert!(shown(&state).contains("Words and metrics"));
    press(&mut state, &["n", "p", "m", "i"]);
    let text = shown(&state);
    assert!(text.contains("word: npmi") && text.contains("than by chance"), "{text}");
    press(&mut state, &["Backspace", "PgDn", "Esc"]);
    assert_eq!((state.workbench.overlay.is_none(), state.workbench.shown), (true, run::NAME));
}

#[test]
fn a_job_says_what_it_will_do_and_asks_before_it_is_done() {
    let mut state = showing(corpora::NAME, SIZE);
    press(&mut state, &["i"]);
    let effects = press(&mut state, &["Enter"]);
    assert!(effects.is_empty() && shown(&state).contains("files is empty"), "{}", shown(&state));
    let effects = press(&mut state, &["a", "/", "*", "Enter"]);
    let asked_about = asked::<EstimateQuestion>(&effects).expect("asked").form.command();
    assert_eq!(asked_about, "topoi ingest movielens 'a/*'");
    answer(&mut state, Value::new(Ok::<_, String>(vec!["3 files of 12 kB".to_string()])));
    insta::assert_snapshot!(shown(&state));
    press(&mut state, &["n"]);
    assert!(overlay::<JobForm>(&state).is_some_and(|form| form.stage == Stage::Filling));
    let effects = press(&mut state, &["Enter"]);
    assert!(asked::<EstimateQuestion>(&effects).is_some());
    answer(&mut state, Value::new(Ok::<_, String>(vec!["3 files".to_string()])));
    let effects = press(&mut state, &["y"]);
    let [Effect::StartJob(job)] = &effects[..] else { panic!("{effects:?}") };
    assert!(shown(&state).contains("1 job"), "{}", shown(&state));
    let outcome = Ok("12 documents added\n".to_string());
    update(
        &mut state,
        Message::EffectOutcome(EffectOutcome::JobEnded { job: job.clone(), outcome }),
    );
    assert_eq!(state.workbench.jobs, 0);
    assert_eq!(state.workbench.notice.as_deref(), Some("ingest movielens: 12 documents added"));
}

#[test]
fn the_empty_store_names_itself_in_the_command() {
    let mut state = showing(corpora::NAME, SIZE);
    state.workbench.program = "topoi --store my.db".into();
    answer(&mut state, super::fixture::corpora_of(Vec::new()));
    insta::assert_snapshot!(shown(&state));
}
