//! What a user does: presses keys, and sees what the store answers.

use std::any::Any;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::fixture::{answered, corpora, launch, page, runs, sheet, tables};
use super::fixture_runs::{compare, sweep};
use crate::tui::effect::Effect;
use crate::tui::keymap::{self, Binding};
use crate::tui::message::{Message, News};
use crate::tui::question::{Answer, Asking, Question, Value};
use crate::tui::screen::Screen;
use crate::tui::screens::choose_k;
use crate::tui::screens::compare::{self, CompareScreen};
use crate::tui::screens::corpora::{self, CorporaScreen};
use crate::tui::screens::corpus::{self, CorpusScreen};
use crate::tui::screens::launch::{self, LaunchScreen};
use crate::tui::screens::run::{self, RunScreen, RunView};
use crate::tui::screens::runs::{self, RunsScreen};
use crate::tui::screens::search::SearchScreen;
use crate::tui::screens::sql::{self, SqlScreen};
use crate::tui::state::State;
use crate::tui::threads::recall::Recall;
use crate::tui::update::update;
use crate::tui::view::look::Look;
use topoi::store::{Access, Store};

pub fn look() -> Look {
    Look { colour: true, unicode: true, light: false, rich: false, columns: None }
}

pub fn state(size: (u16, u16)) -> State {
    State::new("topoi.db", look(), size)
}

/// Presses keys by their names, and returns all effects.
pub fn press(state: &mut State, keys: &[&str]) -> Vec<Effect> {
    keys.iter().flat_map(|name| update(state, Message::Key(key(name)))).collect()
}

pub fn key(name: &str) -> KeyEvent {
    let plain = |code| KeyEvent::new(code, KeyModifiers::NONE);
    match name {
        "Enter" => plain(KeyCode::Enter),
        "Esc" => plain(KeyCode::Esc),
        "Space" => plain(KeyCode::Char(' ')),
        "Tab" => plain(KeyCode::Tab),
        "Shift-Tab" => plain(KeyCode::BackTab),
        "Backspace" => plain(KeyCode::Backspace),
        "Down" => plain(KeyCode::Down),
        "Up" => plain(KeyCode::Up),
        "Left" => plain(KeyCode::Left),
        "Right" => plain(KeyCode::Right),
        "Home" => plain(KeyCode::Home),
        "End" => plain(KeyCode::End),
        "F1" => plain(KeyCode::F(1)),
        "F2" => plain(KeyCode::F(2)),
        "F5" => plain(KeyCode::F(5)),
        "Delete" => plain(KeyCode::Delete),
        "PgDn" => plain(KeyCode::PageDown),
        "PgUp" => plain(KeyCode::PageUp),
        _ => match (name.strip_prefix("Ctrl-"), name.chars().next()) {
            (Some(letter), _) => {
                let letter = letter.chars().next().expect("a letter").to_ascii_lowercase();
                KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL)
            }
            (None, Some(letter)) => plain(KeyCode::Char(letter)),
            (None, None) => panic!("no key"),
        },
    }
}

/// What an empty store answers to the screen that is shown.
pub fn of_an_empty_store(state: &State) -> Value {
    let directory = tempfile::tempdir().expect("a directory");
    let store = Store::open(&directory.path().join("t.db"), Access::Create).expect("a store");
    let (runs, mut recall) = (Vec::new(), Recall::default());
    let mut asking = Asking { store: &store, runs: &runs, recall: &mut recall };
    state.screen().question().ask(&mut asking).expect("asked").expect("an answer")
}

/// The store answers what was asked last.
pub fn answer(state: &mut State, found: Value) -> Vec<Effect> {
    let generation = state.bench.generation;
    update(state, Message::Answer(Box::new(Answer { generation, active: 4, found: Ok(found) })))
}

/// What was asked last, if it was such a question.
pub fn asked<Q: Question>(effects: &[Effect]) -> Option<&Q> {
    effects.iter().rev().find_map(|effect| match effect {
        Effect::Read(request) => Some(request.question.get()),
        _ => None,
    })?
}

/// The names of all screens that have a digit, by it.
pub fn names() -> Vec<&'static str> {
    let all = crate::tui::screens::all();
    all.iter().filter(|screen| screen.has_tab()).map(|screen| screen.name()).collect()
}

/// The key that goes to a screen.
pub fn digit(name: &str) -> String {
    let place = names().iter().position(|other| *other == name).expect("a screen");
    (place + 1).to_string()
}

/// A state that shows a screen, with everything filled in.
pub fn showing(name: &str, size: (u16, u16)) -> State {
    let mut state = state(size);
    answer(&mut state, corpora());
    press(&mut state, &[&digit(name)]);
    let found = match name {
        corpora::NAME => corpora(),
        corpus::NAME => Value::new(Some(Box::new(page(1, 200)))),
        launch::NAME => launch(),
        runs::NAME => runs(10),
        run::NAME => Value::new(Some(Box::new(sheet()))),
        compare::NAME => compare(),
        choose_k::NAME => sweep(),
        sql::NAME => Value::new(tables()),
        _ => of_an_empty_store(&state),
    };
    answer(&mut state, found);
    if name == sql::NAME {
        let outcome = Ok(answered());
        update(&mut state, Message::Paste("SELECT * FROM document".into()));
        press(&mut state, &["Enter"]);
        let ticket = state.sql().ticket;
        update(&mut state, Message::News(News::Queried { ticket, outcome }));
    }
    state
}

/// Every screen, and every side of a screen that has keys of its own.
pub fn sides() -> Vec<State> {
    let after = |name: &str, keys: &[&str]| {
        let mut state = showing(name, (80, 24));
        press(&mut state, keys);
        state
    };
    let views = RunView::ALL.map(|view| after(run::NAME, &[view.name().0]));
    let more: [(&str, &[&str]); 6] = [
        (run::NAME, &["L"]),
        (corpus::NAME, &["Enter"]),
        (choose_k::NAME, &["]"]),
        (choose_k::NAME, &["["]),
        (sql::NAME, &["Esc"]),
        (runs::NAME, &["/"]),
    ];
    let all = names().into_iter().map(|name| after(name, &[])).chain(views);
    let all = all.chain(more.map(|(name, keys)| after(name, keys)));
    all.chain(super::search::sides()).chain(super::by_field::sides()).collect()
}

/// Every key that is bound anywhere: (the heading of its table, the key).
pub fn bindings() -> Vec<(&'static str, Binding)> {
    let sides = sides();
    let shared = [&keymap::HELP, &keymap::CONFIRM, &keymap::TOO_SMALL, &keymap::FILTER];
    let mut tables: Vec<_> = sides.iter().flat_map(State::keys).chain(shared).collect();
    tables.sort_by_key(|table| table.title);
    tables.dedup_by_key(|table| table.title);
    let of = |table: &keymap::Keys| {
        let title = table.title;
        table.bindings.iter().map(move |binding| (title, *binding)).collect::<Vec<_>>()
    };
    tables.into_iter().flat_map(of).collect()
}

fn of_type<S: Screen>(state: &State) -> &S {
    let found = state.screens.iter().find_map(|screen| {
        let any: &dyn Any = &**screen;
        any.downcast_ref()
    });
    found.expect("a screen")
}

macro_rules! screens {
    ($($name:ident: $screen:ty),* $(,)?) => {
        impl State {
            $(pub fn $name(&self) -> &$screen {
                of_type(self)
            })*
        }
    };
}

screens! {
    corpora: CorporaScreen,
    corpus: CorpusScreen,
    launch: LaunchScreen,
    runs: RunsScreen,
    run: RunScreen,
    compare: CompareScreen,
    search: SearchScreen,
    sql: SqlScreen,
}
