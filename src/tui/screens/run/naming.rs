//! Typing a name for a topic.

use super::RunScreen;
use crate::tui::bench::{Bench, Confirm, Overlay};
use crate::tui::effect::Effect;
use crate::tui::keymap::Action;
use crate::tui::view::text;

/// The longest name of a topic, in cells.
const LONGEST_NAME: usize = 120;

/// Begins with the name that the selected topic has.
pub fn begin(run: &mut RunScreen) {
    run.naming = run.selected().map(|topic| topic.label.clone().unwrap_or_default());
}

pub fn type_in(run: &mut RunScreen, typed: &str, bench: &mut Bench) {
    let Some(name) = &mut run.naming else { return };
    for letter in typed.chars().filter(|letter| !letter.is_control()) {
        if text::width(name) >= LONGEST_NAME {
            return bench.say(format!("a name has at most {LONGEST_NAME} letters"));
        }
        name.push(letter);
    }
}

/// A key that is no letter.
pub fn act(run: &mut RunScreen, action: Action, bench: &mut Bench) {
    match (action, &mut run.naming) {
        (Action::Erase, Some(name)) => {
            name.pop();
        }
        (Action::EraseAll, Some(name)) => name.clear(),
        (Action::Accept, naming) => {
            let name = naming.take().unwrap_or_default().trim().to_string();
            save(run, name, bench);
        }
        (Action::Clear, naming) => *naming = None,
        _ => {}
    }
}

/// Saves a name; before one is taken away, asks.
fn save(run: &RunScreen, name: String, bench: &mut Bench) {
    let Some((sheet, topic)) = run.sheet.as_ref().zip(run.selected()) else { return };
    let before = topic.label.clone().unwrap_or_default();
    let (run, topic) = (sheet.row.run.id, topic.topic);
    if name == before {
        return;
    }
    if !name.is_empty() {
        return bench.perform(Effect::Label { run, topic, label: Some(name) });
    }
    bench.overlay = Some(Overlay::Confirm(Box::new(Confirm {
        title: format!("Take the name of topic {topic} away?"),
        meaning: "It is called by its first word again.".into(),
        yes: "take it away",
        no: "keep the name",
        effect: Effect::Label { run, topic, label: None },
        notice: format!("taking the name {before:?} away"),
    })));
}
