//! Screen 3: filling in the form and sending it off.

use super::navigate;
use crate::tui::effect::Effect;
use crate::tui::keymap::Action;
use crate::tui::state::launch::LaunchState;
use crate::tui::state::{Screen, State};

/// The longest value of a field: a seed has at most 20 digits.
const LONGEST: usize = 20;

/// Types a character into the field.
pub fn type_in(state: &mut State, c: char) -> Vec<Effect> {
    let value = state.launch.focused_value();
    if value.len() < LONGEST {
        value.push(c);
    }
    Vec::new()
}

/// A key in the form.
pub fn act(state: &mut State, action: Action) -> Vec<Effect> {
    let form = &mut state.launch;
    let fields = form.fields().len();
    match action {
        Action::NextField => form.focus = (form.focus + 1) % fields,
        Action::PreviousField => form.focus = (form.focus + fields - 1) % fields,
        Action::Left => choose(form, -1),
        Action::Right => choose(form, 1),
        Action::Erase if form.choices(form.field()).is_none() => {
            form.focused_value().pop();
        }
        Action::EraseAll if form.choices(form.field()).is_none() => {
            form.focused_value().clear();
        }
        Action::Launch => return launch(state),
        _ => {}
    }
    Vec::new()
}

/// Goes to the choice so many places on, round the ends.
fn choose(form: &mut LaunchState, places: isize) {
    let Some(choices) = form.choices(form.field()).filter(|choices| !choices.is_empty()) else {
        return;
    };
    let value = form.focused_value();
    let now = choices.iter().position(|choice| choice == value).unwrap_or(0) as isize;
    let next = (now + places).rem_euclid(choices.len() as isize) as usize;
    value.clone_from(&choices[next]);
}

fn launch(state: &mut State) -> Vec<Effect> {
    if state.launch.sending {
        return Vec::new();
    }
    match state.launch.request().and_then(|plan| Ok((plan, state.launch.list()?))) {
        Ok((plan, list)) => {
            state.launch.sending = true;
            vec![Effect::Launch(Box::new(plan), list)]
        }
        Err(error) => {
            state.notice = Some(error);
            Vec::new()
        }
    }
}

/// The run is saved: on to the runs with it selected; or it is not, and the form stays.
pub fn launched(state: &mut State, launched: Result<i64, String>) -> Vec<Effect> {
    state.launch.sending = false;
    match launched {
        Ok(run) => {
            state.notice = Some(format!("run {run} is saved and its worker started"));
            state.runs.list.clear_filter();
            state.runs.wanted = Some(run);
            navigate::go(state, Screen::Runs)
        }
        Err(error) => {
            state.notice = Some(error);
            Vec::new()
        }
    }
}
