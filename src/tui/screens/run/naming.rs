//! Typing a name for a topic, or choosing one that is proposed.

use super::RunScreen;
use crate::tui::effect::Effect;
use crate::tui::input::Input;
use crate::tui::keymap::Action;
use crate::tui::overlays::confirm::Confirm;
use crate::tui::workbench::Workbench;
use topoi_run::naming::ProposedNames;
use topoi_store::result::topic::Topic;

/// The longest name of a topic, in cells.
const LONGEST_NAME: usize = 120;

/// The name that is typed, and those that are proposed.
#[derive(Debug, Clone, PartialEq)]
pub struct Naming {
    pub input: Input,
    proposed: Vec<String>,
}

impl Naming {
    /// Begins with the label that the topic has, else with the best proposed name.
    fn new(topic: &Topic, names: Option<&ProposedNames>) -> Self {
        let proposed = names.map(all).unwrap_or_default();
        let text = topic.label.as_ref().or(proposed.first()).map_or("", String::as_str);
        Self { input: Input::new(LONGEST_NAME).with_text(text), proposed }
    }

    /// The number of the proposed name that is in the line, if it is one.
    fn place(&self) -> Option<usize> {
        self.proposed.iter().position(|name| name == self.input.as_str())
    }

    /// Puts the next or previous proposed name into the line.
    fn step(&mut self, is_next: bool) {
        let count = self.proposed.len();
        if count == 0 {
            return;
        }
        let next = match (self.place(), is_next) {
            (Some(at), true) => (at + 1) % count,
            (Some(at), false) => (at + count - 1) % count,
            (None, _) => 0,
        };
        self.input.set(&self.proposed[next]);
    }

    /// Types letters; they replace a proposed name, unless the cursor was moved in it.
    pub fn type_in(&mut self, text: &str) -> bool {
        if self.place().is_some() && self.input.halves().1.is_empty() {
            self.input.clear();
        }
        self.input.insert(text)
    }

    /// The prompt before the line.
    pub fn label(&self) -> String {
        match (self.place(), self.proposed.len()) {
            (Some(at), count) => format!(" proposed name, {} of {count} (Tab): ", at + 1),
            (None, _) => " name of the topic: ".into(),
        }
    }
}

/// All names of a topic that are proposed, the best first.
fn all(names: &ProposedNames) -> Vec<String> {
    let mut all = vec![names.proposed.clone()];
    let phrases = names.phrases.iter().map(|phrase| &phrase.phrase);
    for name in phrases.chain(&names.titles) {
        if !all.contains(name) {
            all.push(name.clone());
        }
    }
    all
}

/// Begins with the name that the selected topic has, or the best that is proposed.
pub fn begin(run: &mut RunScreen) {
    run.naming = run.selected().map(|topic| Naming::new(topic, run.proposed(topic)));
}

/// A key that does not edit the name.
pub fn act(run: &mut RunScreen, action: Action, workbench: &mut Workbench) {
    match (action, &mut run.naming) {
        (Action::Accept, naming) => {
            let name = naming.take().map(|naming| naming.input.as_str().trim().to_string());
            save(run, name.unwrap_or_default(), workbench);
        }
        (Action::Clear, naming) => *naming = None,
        (Action::NextField | Action::PreviousField, Some(naming)) => {
            naming.step(action == Action::NextField);
        }
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
