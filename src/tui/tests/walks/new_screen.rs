//! A screen that only its own file knows: registered, it has a tab, a digit, keys, help, a footer, a
//! filter, an order, copying and a place in what is remembered, without a line elsewhere.

use super::languages::{Languages, NAME};
use crate::tui::effect::Effect;
use crate::tui::list::screen::{ListQuestion, ListScreen, Listing};
use crate::tui::question::Value;
use crate::tui::screen::PreviousSession;
use crate::tui::screens;
use crate::tui::state::State;
use crate::tui::tests::fixture::user::{answer, asked, look, press};
use crate::tui::tests::screens::drawn;

const SIZE: (u16, u16) = (120, 60);

/// The new screen is the last of nine with a tab, however many there are.
fn with_languages() -> State {
    let mut all = screens::all();
    all.truncate(8);
    all.push(Box::<ListScreen<Languages>>::default());
    State::with_screens(all, "topoi.db", look(), SIZE)
}

fn languages() -> Value {
    let rows = [("Frisian", 400_000), ("Basque", 750_000), ("Welsh", 800_000)];
    let rows = rows.map(|(name, speakers)| (name.to_string(), speakers)).into();
    Value::new(Some(Listing::<Languages> { about: (), rows }))
}

#[test]
fn a_new_screen_has_a_tab_a_digit_keys_help_and_a_footer_of_its_own() {
    let mut state = with_languages();
    assert!(drawn(&state).backend().to_string().contains(" 9 Languages"));
    let effects = press(&mut state, &["9"]);
    assert_eq!(state.workbench.shown, NAME);
    assert!(asked::<ListQuestion<Languages>>(&effects).is_some());
    let shown = drawn(&state).backend().to_string();
    assert!(shown.contains("[9 Languages]") && shown.contains("x count"), "{shown}");
    press(&mut state, &["x"]);
    assert_eq!(state.workbench.notice.as_deref(), Some("counted 1 times"));
    press(&mut state, &["1", "g", "h"]);
    assert_eq!(
        (state.workbench.shown, state.workbench.notice.as_deref()),
        (NAME, Some("counted 2 times"))
    );
    press(&mut state, &["?"]);
    let help = drawn(&state).backend().to_string();
    for line in
        ["Keys on Languages", "count them", "the languages of a corpus", "count the languages here"]
    {
        assert!(help.contains(line), "{line} is not in {help}");
    }
    press(&mut state, &["Esc", "q"]);
    assert_eq!(state.workbench.shown, screens::corpora::NAME);
}

#[test]
fn a_new_screen_is_filtered_sorted_copied_and_remembered() {
    let mut state = with_languages();
    press(&mut state, &["9"]);
    answer(&mut state, languages());
    press(&mut state, &["s", "/", "s", "Enter"]);
    assert!(drawn(&state).backend().to_string().contains("3 of 3 match"));
    press(&mut state, &["/", "i", "a", "Enter"]);
    assert!(drawn(&state).backend().to_string().contains("1 of 3 match"));
    press(&mut state, &["/", "s", "Enter"]);
    let [Effect::Copy(table)] = &press(&mut state, &["Y"])[..] else { panic!("no copy") };
    assert_eq!(table, "language\tspeakers\nBasque\t750000\nFrisian\t400000\nWelsh\t800000\n");
    let directory = tempfile::tempdir().expect("tempdir");
    let path = directory.path().join("t.db");
    let store = topoi_store::Store::open(&path, topoi_store::Access::Create).expect("open");
    let previous = PreviousSession { store: &store, queries: &[] };
    let mut later = with_languages();
    crate::tui::saved_position::SavedPosition::of(&state).restore(&mut later, &previous);
    answer(&mut later, languages());
    assert_eq!(later.workbench.shown, NAME);
    let shown = drawn(&later).backend().to_string();
    let place = |name: &str| shown.find(name);
    assert!(place("Basque") < place("Frisian") && shown.contains("3 of 3 match"), "{shown}");
}

#[test]
fn a_row_leads_on_and_back_leads_to_it_again() {
    let mut state = with_languages();
    press(&mut state, &["9"]);
    answer(&mut state, languages());
    press(&mut state, &["j", "Enter"]);
    assert_eq!(state.workbench.shown, screens::corpus::NAME);
    press(&mut state, &["Backspace"]);
    assert_eq!(state.workbench.shown, NAME);
    assert_eq!(state.screen().list().map(|list| list.cursor), Some(1));
}

#[test]
fn a_list_screen_takes_fewer_than_90_lines() {
    let files = [
        include_str!("languages.rs"),
        include_str!("../../screens/lists/similar.rs"),
        include_str!("../../screens/lists/same_topic.rs"),
        include_str!("../../screens/lists/parent.rs"),
        include_str!("../../screens/corpora/mod.rs"),
    ];
    let lines = files.map(|file| file.lines().count());
    assert!(lines.into_iter().all(|lines| lines < 90), "{lines:?}");
}
