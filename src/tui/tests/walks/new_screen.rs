//! A screen that only this file knows: registered, it has a tab, a digit, keys, help, a footer, a
//! filter, an order, copying and a place in what is remembered, without a line elsewhere.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::records::column::{Column, Kind};
use crate::tui::bench::Bench;
use crate::tui::effect::Effect;
use crate::tui::keymap::{Action, Binding, Keys, LIST, key};
use crate::tui::list::columns::{self, Sheet};
use crate::tui::list::sorting::SortKey;
use crate::tui::list::{ListState, matches};
use crate::tui::question::{AnyQuestion, Asking, Question, Value};
use crate::tui::remembered::{left_list, restore_list};
use crate::tui::screen::{Extent, Past, Screen, active_list};
use crate::tui::screens;
use crate::tui::state::State;
use crate::tui::tests::fixture::user::{answer, asked, look, press};
use crate::tui::tests::screens::drawn;
use crate::tui::view::parts;
use topoi_store::StoreError;

const NAME: &str = "Moon";
const SIZE: (u16, u16) = (120, 60);

const HOWL: Action = Action::Own("howl");
static KEYS: Keys = Keys::new("Moon", &[key(&["x"], HOWL, "howl", "howl at the moon")]);
const SHORTCUTS: &[Binding] = &[key(&["g h"], HOWL, "", "howl from wherever you are")];

#[derive(Debug, Clone, PartialEq)]
struct Craters;

impl Question for Craters {
    type Answer = Vec<String>;

    fn ask(&self, _asking: &mut Asking<'_>) -> Result<Vec<String>, StoreError> {
        Ok(Vec::new())
    }
}

#[derive(Debug, Clone, Default)]
struct Moon {
    craters: Vec<String>,
    list: ListState,
    howls: usize,
}

impl Screen for Moon {
    fn name(&self) -> &'static str {
        NAME
    }

    fn help(&self) -> &'static str {
        "the moon and its craters"
    }

    fn keys(&self) -> Vec<&'static Keys> {
        vec![&KEYS, &LIST]
    }

    fn shortcuts(&self) -> &'static [Binding] {
        SHORTCUTS
    }

    fn act(&mut self, action: Action, bench: &mut Bench) -> bool {
        self.howls += usize::from(action == HOWL);
        bench.say(format!("howled {} times", self.howls));
        action == HOWL
    }

    fn question(&self) -> AnyQuestion {
        AnyQuestion::new(Craters)
    }

    fn receive(&mut self, answer: Value, bench: &mut Bench) {
        self.craters = answer.take().expect("craters");
        self.rearrange(bench);
    }

    fn back(&mut self, bench: &mut Bench) {
        bench.go(screens::corpora::NAME);
    }

    fn draw(&self, bench: &Bench, area: Rect, buffer: &mut Buffer) {
        let title = self.list.visible(&self.craters).into_iter().cloned().collect::<Vec<_>>();
        parts::titled(buffer, area, bench.look, &title.join(", "));
    }

    active_list!(list);

    fn sort_columns(&self) -> Vec<(String, bool)> {
        vec![("crater".into(), false)]
    }

    fn extent(&self, _bench: &Bench) -> Option<Extent> {
        let (matching, all) = (self.list.len() as u64, self.craters.len() as u64);
        Some(Extent { before: 0, matching, all })
    }

    fn rearrange(&mut self, _bench: &mut Bench) {
        let key = |crater: &String, _: &str| SortKey::text(crater);
        self.list.arrange(&self.craters, |crater, filter| matches(filter, crater), key);
    }

    fn sheet(&self) -> Option<Sheet> {
        let column = Column::new("crater", Kind::Text, |crater: &String| crater.as_str().into());
        Some(columns::sheet("craters", &[column], self.list.visible(&self.craters)))
    }

    fn remember(&self) -> serde_json::Value {
        left_list(&self.list)
    }

    fn restore(&mut self, left: &serde_json::Value, _past: &Past<'_>, _bench: &mut Bench) {
        restore_list(left, &mut self.list);
    }
}

/// The moon is the last of nine screens, however many there are.
fn with_a_moon() -> State {
    let mut all = screens::all();
    all.truncate(8);
    all.push(Box::<Moon>::default());
    State::with_screens(all, "topoi.db", look(), SIZE)
}

#[test]
fn a_new_screen_has_a_tab_a_digit_keys_help_and_a_footer_of_its_own() {
    let mut state = with_a_moon();
    assert!(drawn(&state).backend().to_string().contains(" 9 Moon"));
    let effects = press(&mut state, &["9"]);
    assert_eq!((state.bench.shown, asked(&effects)), (NAME, Some(&Craters)));
    let shown = drawn(&state).backend().to_string();
    assert!(shown.contains("[9 Moon]") && shown.contains("x howl"), "{shown}");
    press(&mut state, &["x"]);
    assert_eq!(state.bench.notice.as_deref(), Some("howled 1 times"));
    press(&mut state, &["1", "g", "h"]);
    assert_eq!((state.bench.shown, state.bench.notice.as_deref()), (NAME, Some("howled 2 times")));
    press(&mut state, &["?"]);
    let help = drawn(&state).backend().to_string();
    for line in ["Keys on Moon", "howl at the moon", "the moon and its craters", "howl from where"]
    {
        assert!(help.contains(line), "{line} is not in {help}");
    }
    press(&mut state, &["Esc", "q"]);
    assert_eq!(state.bench.shown, screens::corpora::NAME);
}

#[test]
fn a_new_screen_is_filtered_sorted_copied_and_remembered() {
    let mut state = with_a_moon();
    press(&mut state, &["9"]);
    let craters = ["Tycho", "Kepler", "Copernicus"].map(String::from).to_vec();
    answer(&mut state, Value::new(craters.clone()));
    press(&mut state, &["s", "/", "e", "Enter"]);
    assert!(drawn(&state).backend().to_string().contains("2 of 3 match"));
    let [Effect::Copy(table)] = &press(&mut state, &["Y"])[..] else { panic!("no copy") };
    assert_eq!(table, "crater\nCopernicus\nKepler\n");
    let directory = tempfile::tempdir().expect("tempdir");
    let path = directory.path().join("t.db");
    let store = topoi_store::Store::open(&path, topoi_store::Access::Create).expect("open");
    let past = Past { store: &store, queries: &[] };
    let mut later = with_a_moon();
    crate::tui::remembered::Remembered::of(&state).restore(&mut later, &past);
    answer(&mut later, Value::new(craters));
    assert_eq!(later.bench.shown, NAME);
    assert!(drawn(&later).backend().to_string().contains("Copernicus, Kepler ─"));
}
