//! From a message to the function that deals with it.

use ratatui::crossterm::event::KeyEvent;

use super::{
    answers, choose_k, compare, filter, launch, lists, navigate, run, runs, sharing, sort, sql,
    trust,
};
use crate::tui::effect::{Effect, Format};
use crate::tui::keymap::{Action, Context};
use crate::tui::keys::{self, Found};
use crate::tui::layout;
use crate::tui::message::Message;
use crate::tui::state::{Overlay, Screen, State};
use topoi::run::life::spawn::Errand;

/// Lines the help moves by a page.
const HELP_PAGE: usize = 10;

/// Deals with a message: changes the state and says what is to be done in the world.
pub fn update(state: &mut State, message: Message) -> Vec<Effect> {
    let mut effects = match message {
        Message::Key(key) => return press(state, &key),
        Message::Resize(width, height) => {
            state.size = (width, height);
            Vec::new()
        }
        Message::Answer(answer) if answer.generation != state.generation => return Vec::new(),
        Message::Answer(answer) => answers::receive(state, *answer),
        Message::Queried { ticket, outcome } => {
            state.sql.receive(ticket, outcome);
            Vec::new()
        }
        Message::Paste(text) => paste(state, &text),
        Message::ErrandDone { errand: Errand::Bounds { corpus, .. }, outcome } => {
            choose_k::bounded(state, &corpus, outcome.map(drop))
        }
        Message::ErrandDone { errand: Errand::Stability(run), outcome } => {
            trust::told(state, run, outcome)
        }
        Message::Launched(launched) => launch::launched(state, launched),
        Message::Documents { run, topic, found } => run::documents(state, run, topic, found),
        Message::Notice(notice) => {
            state.notice = Some(notice);
            Vec::new()
        }
        Message::InputLost(_) => vec![Effect::Quit],
    };
    settle(state);
    effects.extend(run::missing_documents(state));
    effects
}

fn press(state: &mut State, key: &KeyEvent) -> Vec<Effect> {
    let Some(name) = keys::name(key) else { return Vec::new() };
    let contexts = state.contexts();
    let begun = std::mem::take(&mut state.pending);
    let sequence = if begun.is_empty() { name.clone() } else { format!("{begun} {name}") };
    let mut found = keys::find(&contexts, &sequence);
    if found == Found::Nothing && !begun.is_empty() {
        found = keys::find(&contexts, &name);
    }
    let typed = keys::typed(key);
    let mut effects = match (found, typed) {
        (_, Some(c)) if contexts == [Context::Naming] => run::type_in(state, c),
        (_, Some(c)) if contexts == [Context::Filter] => filter::type_in(state, c),
        (_, Some(c)) if contexts[0] == Context::Launch && state.launch.accepts(c) => {
            launch::type_in(state, c)
        }
        (_, Some(c)) if contexts == [Context::Prompt] => {
            state.notice = None;
            sql::type_in(state, c.encode_utf8(&mut [0; 4]))
        }
        (Found::Action(action), _) => {
            let again = std::mem::take(&mut state.interrupted);
            state.notice = None;
            act(state, action, again)
        }
        (Found::Prefix, _) => {
            state.pending = name;
            return Vec::new();
        }
        (Found::Nothing, _) => return Vec::new(),
    };
    settle(state);
    effects.extend(run::missing_documents(state));
    effects
}

/// Types a pasted text where text is typed; elsewhere it is no keys.
fn paste(state: &mut State, text: &str) -> Vec<Effect> {
    match state.contexts()[..] {
        [Context::Prompt] => sql::type_in(state, text),
        [Context::Filter] => {
            let letters = text.chars().filter(|c| !c.is_control());
            letters.flat_map(|c| filter::type_in(state, c)).collect()
        }
        _ => Vec::new(),
    }
}

/// Brings the list the keys go to onto the screen and notes that the state has changed.
fn settle(state: &mut State) {
    let width = layout::text_cells(state);
    if let Some(reading) = &mut state.corpus.reading {
        reading.wrap(width);
    }
    let (len, height) = (state.list_len(), layout::list_rows(state));
    if let Some(list) = state.list_mut() {
        list.settle(len, height);
    }
    state.revision += 1;
}

fn act(state: &mut State, action: Action, again: bool) -> Vec<Effect> {
    if let Some(overlay) = state.overlay {
        return act_on_overlay(state, overlay, action);
    }
    if state.is_naming() {
        return run::act_naming(state, action);
    }
    if state.list().is_some_and(|list| list.typing) {
        return filter::act(state, action);
    }
    match action {
        Action::Go(screen) => navigate::go(state, screen),
        Action::Back => navigate::back(state),
        Action::Quit => vec![Effect::Quit],
        Action::Interrupt if state.screen == Screen::Sql && state.sql.running => {
            vec![Effect::InterruptSql]
        }
        Action::Interrupt if again => vec![Effect::Quit],
        Action::Interrupt => {
            state.interrupted = true;
            state.notice = Some("Ctrl-C again leaves the workbench; runs go on".into());
            Vec::new()
        }
        Action::Help => {
            state.overlay = Some(Overlay::Help(0));
            Vec::new()
        }
        Action::Suspend => vec![Effect::Suspend],
        Action::Redraw => vec![Effect::Redraw],
        Action::Open => navigate::open(state),
        Action::NewRun => navigate::new_run(state),
        Action::CancelRun => runs::ask_to_cancel(state),
        Action::Resume => runs::resume(state),
        Action::Trust => trust::tell(state),
        Action::StartFilter => filter::start(state),
        Action::Look(view) => run::look(state, view),
        Action::Mark => runs::mark(state),
        Action::Compare => runs::compare(state),
        _ if state.screen == Screen::Run && run::is_its_own(state, action) => {
            run::act(state, action)
        }
        _ if state.screen == Screen::Compare && compare::is_its_own(action) => {
            compare::act(state, action)
        }
        _ if state.screen == Screen::ChooseK && choose_k::is_its_own(action) => {
            choose_k::act(state, action)
        }
        Action::Sort => sort::next(state),
        Action::ReverseSort => sort::reverse(state),
        Action::CopyRow => sharing::copy_row(state),
        Action::CopyTable => sharing::copy_table(state),
        Action::ExportCsv => sharing::export(state, Format::Csv),
        Action::ExportJson => sharing::export(state, Format::Json),
        _ if state.screen == Screen::Sql => sql::act(state, action),
        _ if state.screen == Screen::Launch => launch::act(state, action),
        _ => lists::act(state, action),
    }
}

fn act_on_overlay(state: &mut State, overlay: Overlay, action: Action) -> Vec<Effect> {
    match (overlay, action) {
        (Overlay::Help(line), Action::Down | Action::Up | Action::PageDown | Action::PageUp) => {
            let last = crate::tui::view::help::lines(state).len().saturating_sub(1);
            let line = match action {
                Action::Down => line + 1,
                Action::PageDown => line + HELP_PAGE,
                Action::Up => line.saturating_sub(1),
                _ => line.saturating_sub(HELP_PAGE),
            };
            state.overlay = Some(Overlay::Help(line.min(last)));
            Vec::new()
        }
        (Overlay::CancelRun(run), Action::Yes) => {
            state.overlay = None;
            state.notice = Some(format!("cancelling run {run}"));
            vec![Effect::Cancel(run)]
        }
        _ => {
            state.overlay = None;
            Vec::new()
        }
    }
}
