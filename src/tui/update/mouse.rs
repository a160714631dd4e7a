//! The mouse: it does what keys do, to what is under the pointer.

use super::{act, act_on_filter, press, tell_overlay};
use crate::tui::keymap::{Action, typed_by};
use crate::tui::list::sorting::{self, Sort};
use crate::tui::state::{Focus, State};
use crate::tui::view::hit_areas::Target;

pub fn click(state: &mut State, target: Target) {
    let focus = state.focus();
    state.workbench.notice = None;
    match target {
        Target::Keys(keys) => {
            for key in keys.split(' ') {
                press(state, key, typed_by(key));
            }
        }
        Target::Screen(name) if matches!(focus, Focus::Screen | Focus::Filter | Focus::Text) => {
            state.workbench.go(name);
        }
        Target::Row { place, .. } if focus == Focus::Overlay => {
            tell_overlay(state, |over, workbench| over.click(place, workbench));
        }
        Target::Row { place, focused }
            if matches!(focus, Focus::Screen | Focus::Filter | Focus::Text) =>
        {
            select(state, place, focused);
        }
        Target::Head(title) if matches!(focus, Focus::Screen | Focus::Filter) => sort(state, title),
        _ => {}
    }
}

/// Moves as `rows` presses of an arrow would.
pub fn turn(state: &mut State, rows: isize) {
    let action = if rows < 0 { Action::Up } else { Action::Down };
    for _ in 0..rows.unsigned_abs() {
        match state.focus() {
            Focus::Overlay => tell_overlay(state, |over, workbench| over.act(action, workbench)),
            Focus::Filter => act_on_filter(state, action),
            Focus::Screen => act(state, action, false),
            Focus::Text | Focus::TooSmall => {}
        }
    }
}

/// Moves the cursor to the row; opens a row that has the cursor.
fn select(state: &mut State, place: usize, focused: bool) {
    let (screen, workbench) = state.parts();
    if !focused {
        screen.focus_list();
    }
    let Some(list) = screen.list_mut() else { return };
    list.typing = false;
    if focused && list.cursor == place {
        return act(state, Action::Enter, false);
    }
    list.cursor = place;
    screen.moved(workbench);
}

/// Sorts by the column; reverses the order if the list is sorted by it.
fn sort(state: &mut State, title: String) {
    super::change_sort(state, |list| {
        let column = list.sort_columns.iter().find(|(name, _)| *name == title).cloned();
        let Some((by, descending)) = column else { return };
        match &list.sort {
            Some(sort) if sort.by == by => sorting::reverse(list),
            _ => list.sort = Some(Sort { by, descending }),
        }
    });
}
