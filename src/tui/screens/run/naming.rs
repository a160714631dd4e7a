//! Typing a name for a topic.

use super::RunScreen;
use crate::tui::effect::Effect;
use crate::tui::input::Input;
use crate::tui::keymap::Action;
use crate::tui::overlays::confirm::Confirm;
use crate::tui::workbench::Workbench;

/// The longest name of a topic, in cells.
const LONGEST_NAME: usize = 120;

/// Begins with the name that the selected topic has.
pub fn begin(run: &mut RunScreen) {
    let input = |label: &str| Input::new(LONGEST_NAME).with_text(label);
    run.naming = run.selected().map(|topic| input(topic.label.as_deref().unwrap_or_default()));
}

/// A key that does not edit the name.
pub fn act(run: &mut RunScreen, action: Action, workbench: &mut Workbench) {
    match action {
        Action::Accept => {
            let name = run.naming.take().unwrap_or_default().as_str().trim().to_string();
            save(run, name, workbench);
        }
        Action::Clear => run.naming = None,
        _ => {}
    }
}

/// Saves a name; before one is taken away, asks.
fn save(run: &RunScreen, name: String, workbench: &mut Workbench) {
    let Some((sheet, topic)) = run.sheet.as_ref().zip(run.selected()) else { return };
    let before = topic.label.clone().unwrap_or_default();
    let (run, topic) = (sheet.row.run.id, topic.topic);
    if name == before {
        return;
    }
    if !name.is_empty() {
        return workbench.perform(Effect::Label { run, topic, label: Some(name) });
    }
    workbench.overlay = Some(Box::new(Confirm {
        title: format!("Take the name of topic {topic} away?"),
        meaning: "It is called by its first word again.".into(),
        yes: "take it away",
        no: "keep the name",
        effect: Effect::Label { run, topic, label: None },
        notice: format!("taking the name {before:?} away"),
    }));
}
