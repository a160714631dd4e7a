//! A pure function from state and message to new state and effects. It uses screens only through their trait.

mod mouse;

use crate::tui::effect::{Effect, Export, Format};
use crate::tui::keymap::{self, Action, KeyMatch};
use crate::tui::list::{ListState, columns, distance, sorting};
use crate::tui::message::{EffectOutcome, Message};
use crate::tui::overlay::{Overlay, Reaction};
use crate::tui::overlays::confirm::Confirm;
use crate::tui::overlays::help::Help;
use crate::tui::overlays::job::JobForm;
use crate::tui::overlays::note::NoteForm;
use crate::tui::overlays::palette::Palette;
use crate::tui::question::Answer;
use crate::tui::screen::{Navigation, Selection};
use crate::tui::screens;
use crate::tui::state::{Focus, State};
use crate::tui::terminal::clipboard::MOST_BYTES;
use crate::tui::view::text;
use crate::tui::workbench::Workbench;
use topoi_run::life::spawn::BackgroundJob;

/// Keys that wait for rows; more are dropped.
const MOST_TYPED_AHEAD: usize = 32;

/// Applies a message to the state, and returns the effects for the event loop.
pub fn update(state: &mut State, message: Message) -> Vec<Effect> {
    match message {
        Message::Key(key) => {
            let Some(name) = keymap::key_name(&key) else { return Vec::new() };
            let typed = keymap::typed(&key);
            if !type_ahead(state, &name, typed) && !press(state, &name, typed) {
                return Vec::new();
            }
        }
        Message::Clicked(target) => mouse::click(state, target),
        Message::Wheel(rows) => mouse::turn(state, rows),
        // The event loop handles these itself.
        Message::Mouse(_) | Message::Stop | Message::Continued => return Vec::new(),
        Message::Resize(width, height) => state.workbench.size = (width, height),
        Message::Answer(answer) if answer.generation != state.workbench.generation => {
            return Vec::new();
        }
        Message::Answer(answer) => receive(state, *answer),
        Message::Paste(text) => paste(state, &text),
        Message::EffectOutcome(news) => {
            hear_of_job(&news, &mut state.workbench);
            for screen in &mut state.screens {
                screen.hear(&news, &mut state.workbench);
            }
        }
        Message::Background(light) => state.workbench.look.light = light,
        Message::Notice(notice) => state.workbench.say(notice),
        Message::InputLost(_) => state.workbench.perform(Effect::Quit),
    }
    let mut effects = settle(state);
    while !state.awaits_rows() {
        let Some((name, typed)) = state.typed_ahead.pop_front() else { break };
        press(state, &name, typed);
        effects.extend(settle(state));
    }
    effects
}

fn receive(state: &mut State, answer: Answer) {
    state.workbench.active = answer.active;
    state.set_answered();
    let asks = |state: &State| {
        let over = state.workbench.overlay.as_ref();
        over.is_some_and(|over| over.question(&state.workbench).is_some())
    };
    match (answer.found, asks(state)) {
        (Ok(found), true) => {
            tell_overlay(state, |over, workbench| over.receive(found, workbench));
        }
        (Ok(found), false) => {
            let (screen, workbench) = state.parts();
            screen.receive(found, workbench);
        }
        (Err(error), _) => state.workbench.say(error),
    }
}

/// Says what a job printed, or what went wrong with it.
fn hear_of_job(outcome: &EffectOutcome, workbench: &mut Workbench) {
    let EffectOutcome::JobEnded { job: BackgroundJob::Command { title, .. }, outcome } = outcome
    else {
        return;
    };
    workbench.jobs = workbench.jobs.saturating_sub(1);
    workbench.say(match outcome {
        Ok(printed) => {
            let first = printed.lines().map(str::trim).find(|line| !line.is_empty());
            format!("{title}: {}", first.unwrap_or("done"))
        }
        Err(error) => format!("{title}: {error}"),
    });
    workbench.ask();
}

/// Ends an update: follows visits, keeps the cursor of the active list on the screen, asks the store if the question of
/// the screen has changed, and counts the revision.
fn settle(state: &mut State) -> Vec<Effect> {
    while let Some(navigation) = state.workbench.navigation.take() {
        navigate(state, navigation);
    }
    let (screen, workbench) = state.parts();
    screen.settle(workbench);
    let rows = screen.list_rows(workbench);
    if let Some(list) = screen.list_mut() {
        list.settle(list.reachable(), rows);
    }
    workbench.revision += 1;
    let mut effects = std::mem::take(&mut workbench.effects);
    if std::mem::take(&mut state.workbench.asks) || state.has_other_question() {
        effects.push(Effect::Read(state.question()));
    }
    effects
}

/// Shows a screen and asks the store for its content.
fn navigate(state: &mut State, mut navigation: Navigation) {
    navigation.left = state.screen().subject();
    if !state.has(navigation.to) {
        return state.workbench.say(format!("this workbench has no screen {}", navigation.to));
    }
    if navigation.follows {
        state.leave(navigation.to);
    } else {
        state.trail.clear();
    }
    if state.show(navigation.to) {
        let (screen, workbench) = state.parts();
        screen.arrive(&navigation, workbench);
        workbench.ask();
    }
}

/// Keeps a key for later if it is for rows that are still being read, or comes after such a key; whether it is kept. A
/// key that leads elsewhere drops those that wait.
fn type_ahead(state: &mut State, name: &str, typed: Option<char>) -> bool {
    if state.focus() != Focus::Screen || !state.awaits_rows() {
        return false;
    }
    let is_first = state.typed_ahead.is_empty();
    let waits = match keymap::find(&state.keys(), name) {
        KeyMatch::Action(action) if is_first => action.needs_rows(),
        KeyMatch::Action(action) => action.is_of_the_screen(),
        KeyMatch::Prefix | KeyMatch::Nothing => !is_first,
    };
    if !waits {
        state.typed_ahead.clear();
    } else if state.typed_ahead.len() < MOST_TYPED_AHEAD {
        state.typed_ahead.push_back((name.to_string(), typed));
    }
    waits
}

/// Handles a key; returns whether the state may have changed.
fn press(state: &mut State, name: &str, typed: Option<char>) -> bool {
    let begun = std::mem::take(&mut state.workbench.pending);
    let sequence = if begun.is_empty() { name.to_string() } else { format!("{begun} {name}") };
    let tables = state.keys();
    let mut found = keymap::find(&tables, &sequence);
    if found == KeyMatch::Nothing && !begun.is_empty() {
        found = keymap::find(&tables, name);
    }
    let focus = state.focus();
    let (screen, workbench) = state.parts();
    match (found, typed) {
        (_, Some(letter)) if focus == Focus::Text => {
            workbench.notice = None;
            screen.type_in(letter.encode_utf8(&mut [0; 4]), workbench);
        }
        (_, Some(letter))
            if workbench.overlay.as_ref().is_some_and(|over| over.accepts(letter)) =>
        {
            type_into_overlay(workbench, letter.encode_utf8(&mut [0; 4]));
        }
        (_, Some(letter)) if focus == Focus::Filter => {
            change_filter(state, |list| list.type_in(letter.encode_utf8(&mut [0; 4])));
        }
        (_, Some(letter)) if focus == Focus::Screen && screen.accepts(letter) => {
            workbench.notice = None;
            screen.type_in(letter.encode_utf8(&mut [0; 4]), workbench);
        }
        (KeyMatch::Action(action), _) => {
            let again = std::mem::take(&mut workbench.interrupted);
            workbench.notice = None;
            match focus {
                Focus::Overlay => {
                    tell_overlay(state, |over, workbench| over.act(action, workbench))
                }
                Focus::Filter => act_on_filter(state, action),
                Focus::Text if screen.input_mut().is_some_and(|input| input.act(action)) => {}
                _ => act(state, action, again),
            }
        }
        (KeyMatch::Prefix, _) => {
            workbench.pending = name.into();
            return false;
        }
        (KeyMatch::Nothing, _) if matches!(focus, Focus::Screen | Focus::Text) => {
            workbench.say(format!("{sequence} does nothing here; ? shows the keys"));
        }
        (KeyMatch::Nothing, _) => return false,
    }
    true
}

fn type_into_overlay(workbench: &mut Workbench, text: &str) {
    if let Some(over) = &mut workbench.overlay {
        over.type_in(text);
    }
}

/// Passes a key or a click to the overlay, and closes it if that is what becomes of it.
fn tell_overlay(
    state: &mut State,
    tell: impl FnOnce(&mut dyn Overlay, &mut Workbench) -> Reaction,
) {
    let Some(mut over) = state.workbench.overlay.take() else { return };
    match tell(&mut *over, &mut state.workbench) {
        Reaction::Stay => state.workbench.overlay = Some(over),
        Reaction::Close => {}
        Reaction::Act(action) => act(state, action, false),
    }
}

/// Inserts a pasted text where text is typed; elsewhere it is ignored.
fn paste(state: &mut State, text: &str) {
    match state.focus() {
        Focus::Text => {
            let (screen, workbench) = state.parts();
            screen.type_in(text, workbench);
        }
        Focus::Overlay => type_into_overlay(&mut state.workbench, text),
        Focus::Filter => {
            change_filter(state, |list| list.type_in(text));
        }
        _ => {}
    }
}

fn act(state: &mut State, action: Action, again: bool) {
    let (screen, workbench) = state.parts();
    match action {
        Action::Go(name) => workbench.go(name),
        Action::Open(name) => workbench.follow(name, screen.subject()),
        Action::NewRun => workbench.follow(screens::NEW_RUNS, screen.subject()),
        Action::At(name, action) => {
            // Back leads to where the key was pressed.
            workbench.follow(name, Selection::default());
            if let Some(navigation) = workbench.navigation.take() {
                navigate(state, navigation);
            }
            act(state, *action, again);
        }
        Action::Back if screen.list().is_some_and(ListState::is_filtered) => {
            change_filter(state, ListState::clear_filter);
        }
        Action::Back if screen.close(workbench) => {}
        Action::Back => back(state),
        Action::Quit => workbench.perform(Effect::Quit),
        Action::Interrupt if screen.interrupt(workbench) => {}
        Action::Interrupt if again => workbench.perform(Effect::Quit),
        Action::Interrupt => {
            workbench.interrupted = true;
            workbench.say("Ctrl-C again leaves the workbench; runs go on");
        }
        Action::Help => state.workbench.overlay = Some(Box::new(Help::new(state))),
        Action::Job(kind) => {
            let Selection { corpus_name, run, .. } = screen.subject();
            let run = run.or(workbench.open_run);
            let form = JobForm::new(kind, corpus_name.as_deref(), run);
            let form = form.with_options(&screen.figure());
            workbench.overlay = Some(Box::new(form));
        }
        Action::Note => {
            match NoteForm::new(screen.noted(workbench).unwrap_or_else(|| screen.subject())) {
                Some(form) => workbench.overlay = Some(Box::new(form)),
                None => workbench.say("there is nothing here to note of"),
            }
        }
        Action::Palette => state.workbench.overlay = Some(Box::new(Palette::new(state))),
        Action::ToggleMouse => {
            workbench.mouse = !workbench.mouse;
            workbench.say(match workbench.mouse {
                true => "the mouse works here; Shift-drag selects text, F2 turns it off",
                false => "the mouse is the terminal's; F2 turns it on here",
            });
            workbench.perform(Effect::Mouse(workbench.mouse));
        }
        Action::Suspend => workbench.perform(Effect::Suspend),
        Action::Redraw => workbench.perform(Effect::Redraw),
        Action::StartFilter => {
            if let Some(list) = screen.list_mut() {
                list.start_filter();
            }
        }
        Action::Sort => change_sort(state, sorting::next),
        Action::ReverseSort => change_sort(state, sorting::reverse),
        Action::ScrollRight => scroll(state, 1),
        Action::ScrollLeft => scroll(state, -1),
        Action::CopyRow => {
            let row = || columns::selected_row(screen).map(|sheet| sheet.lines());
            let text = screen.text(workbench).or_else(row);
            copy(state, text);
        }
        Action::CopyTable => {
            let sheet = screen.sheet().filter(|sheet| !sheet.rows.is_empty());
            let text = screen.whole_text().or_else(|| sheet.map(|sheet| sheet.table()));
            copy(state, text);
        }
        Action::ExportCsv => export(state, Format::Csv),
        Action::ExportJson => export(state, Format::Json),
        _ if screen.act(action, workbench) => {}
        _ => move_in_list(state, action),
    }
}

/// Returns along the trail to a screen as it was left, and asks the store for its content again.
fn back(state: &mut State) {
    if state.step_back() {
        state.workbench.ask();
    } else {
        let (screen, workbench) = state.parts();
        screen.back(workbench);
    }
}

/// Moves the cursor of the active list.
fn move_in_list(state: &mut State, action: Action) {
    let (screen, workbench) = state.parts();
    let Some(rows) = distance(action, screen.list_rows(workbench)) else { return };
    let Some(list) = screen.list_mut() else { return };
    let before = list.cursor;
    list.step(rows, list.reachable());
    if list.cursor != before {
        screen.moved(workbench);
    }
}

/// Handles a key that is no letter while a filter is typed.
fn act_on_filter(state: &mut State, action: Action) {
    match action {
        Action::Accept => {
            if let Some(list) = state.parts().0.list_mut() {
                (list.typing, list.is_old) = (false, false);
            }
        }
        Action::Clear => change_filter(state, ListState::clear_filter),
        Action::Up | Action::Down => act(state, action, false),
        _ => change_filter(state, |list| _ = list.edit(action)),
    }
}

/// Changes the filter of the active list; the cursor goes to the top.
fn change_filter(state: &mut State, change: impl FnOnce(&mut ListState)) {
    let (screen, workbench) = state.parts();
    let Some(list) = screen.list_mut() else { return };
    let before = list.filter.as_str().to_string();
    change(list);
    if list.filter.as_str() != before {
        list.cursor = 0;
        screen.rearrange(workbench);
    }
}

/// Changes the order of the active list; the cursor goes to the top.
fn change_sort(state: &mut State, sort: impl FnOnce(&mut ListState)) {
    let (screen, workbench) = state.parts();
    let Some(list) = screen.list_mut() else { return };
    if list.sort_columns.is_empty() {
        return workbench.say("this list has one order");
    }
    sort(list);
    list.scrolled = false;
    list.cursor = 0;
    screen.rearrange(workbench);
}

/// Scrolls the active list sideways.
fn scroll(state: &mut State, columns: isize) {
    if let Some(list) = state.parts().0.list_mut() {
        list.scroll(columns, list.sort_columns.len());
    }
}

fn copy(state: &mut State, text: Option<String>) {
    let workbench = &mut state.workbench;
    match text {
        None => workbench.say("there is nothing to copy here"),
        Some(text) if text.len() > MOST_BYTES => workbench.say(format!(
            "{} kB are more than terminals take ({} kB); e writes a file",
            text.len() / 1000,
            MOST_BYTES / 1000
        )),
        Some(text) => workbench.perform(Effect::Copy(text)),
    }
}

/// Asks whether to write what is shown to a file.
fn export(state: &mut State, format: Format) {
    let (screen, workbench) = state.parts();
    match screen.export() {
        Some(source) => {
            let export = Box::new(Export { source, format });
            let path =
                text::cut_start(&format!("{}/{}", workbench.directory, export.file_name()), 58);
            workbench.overlay = Some(Box::new(Confirm {
                title: format!("Write {path}?"),
                meaning: "All rows, as shown. A file of that name stays: the new one is numbered."
                    .into(),
                yes: "write it",
                no: "write nothing",
                effect: Effect::Export(export),
                notice: "writing".into(),
            }));
        }
        None => workbench.say("there is nothing to export here"),
    }
}
