//! Screen 8: typing a query, asking it, walking through its rows.

use super::lists::distance;
use crate::tui::effect::Effect;
use crate::tui::keymap::Action;
use crate::tui::state::State;
use crate::tui::state::completion::complete;
use crate::tui::state::sql::{SqlPane, SqlState};

/// Types a text into the query.
pub fn type_in(state: &mut State, text: &str) -> Vec<Effect> {
    state.sql.completion = None;
    state.sql.prompt.insert(text);
    Vec::new()
}

/// A key on the screen.
pub fn act(state: &mut State, action: Action) -> Vec<Effect> {
    match state.sql.pane {
        SqlPane::Prompt => at_prompt(&mut state.sql, action),
        SqlPane::Rows => in_rows(state, action),
    }
}

fn at_prompt(sql: &mut SqlState, action: Action) -> Vec<Effect> {
    if action == Action::Complete {
        next_completion(sql);
        return Vec::new();
    }
    sql.completion = None;
    let prompt = &mut sql.prompt;
    match action {
        Action::RunQuery => return ask(sql),
        Action::OtherPane => sql.pane = SqlPane::Rows,
        Action::Left => prompt.left(),
        Action::Right => prompt.right(),
        Action::Top => prompt.cursor = 0,
        Action::Bottom => prompt.cursor = prompt.text.len(),
        Action::Up => prompt.older(),
        Action::Down => prompt.newer(),
        Action::Erase => prompt.erase(),
        Action::EraseAfter => prompt.erase_after(),
        Action::EraseWord => prompt.erase_word(),
        Action::EraseAll => prompt.set(""),
        _ => {}
    }
    Vec::new()
}

fn in_rows(state: &mut State, action: Action) -> Vec<Effect> {
    let columns = state.sql.shown.as_ref().map_or(0, |shown| shown.columns.len());
    match action {
        Action::OtherPane => state.sql.pane = SqlPane::Prompt,
        Action::Left => state.sql.first_column = state.sql.first_column.saturating_sub(1),
        Action::Right => {
            let next = state.sql.first_column + 1;
            state.sql.first_column = next.min(columns.saturating_sub(1));
        }
        _ => {
            if let Some(rows) = distance(state, action) {
                let len = state.sql.rows();
                state.sql.list.step(rows, len);
            }
        }
    }
    Vec::new()
}

fn ask(sql: &mut SqlState) -> Vec<Effect> {
    if sql.running || sql.prompt.text.trim().is_empty() {
        return Vec::new();
    }
    sql.prompt.remember();
    sql.running = true;
    sql.ticket += 1;
    let text = sql.prompt.text.clone();
    vec![Effect::Remember(text.clone()), Effect::AskSql { ticket: sql.ticket, sql: text }]
}

/// The first Tab goes as far as all words agree, each further one to the next word.
fn next_completion(sql: &mut SqlState) {
    let Some(completion) = &mut sql.completion else {
        let found = complete(&sql.prompt.text, sql.prompt.cursor, &sql.tables);
        let typed = sql.prompt.cursor - found.start;
        if found.shared().len() > typed || found.words.len() == 1 {
            sql.prompt.replace(found.start, found.shared());
        }
        if found.words.len() > 1 {
            sql.completion = Some(found);
        }
        return;
    };
    let next = completion.chosen.map_or(0, |place| (place + 1) % completion.words.len());
    completion.chosen = Some(next);
    let (start, word) = (completion.start, completion.words[next].clone());
    sql.prompt.replace(start, &word);
}
