//! What the keys do to the list of edits.

use super::typing::{Typing, Wanted};
use super::{ShapeScreen, keys};
use crate::tui::effect::Effect;
use crate::tui::keymap::Action;
use crate::tui::overlays::confirm::Confirm;
use crate::tui::workbench::Workbench;
use topoi_core::shape::Edit;
use topoi_core::shape::effect::{TopicChange, TopicEffect};

impl ShapeScreen {
    /// Adds an edit; what it makes of the topics comes with the next answer.
    fn edit(&mut self, edit: Edit) {
        self.draft.add(edit);
    }

    pub(super) fn undo(&mut self, workbench: &mut Workbench) {
        match self.draft.undo() {
            Some(said) => workbench.say(format!("taken back: {said}")),
            None => workbench.say("there is no edit to take back"),
        }
    }

    pub(super) fn redo(&mut self, workbench: &mut Workbench) {
        match self.draft.redo() {
            Some(said) => workbench.say(said),
            None => workbench.say("no edit was taken back"),
        }
    }

    /// Marks a topic, or merges this one into the one that is marked.
    fn merge(&mut self, topic: usize, workbench: &mut Workbench) {
        match self.marked.take() {
            None => {
                self.marked = Some(topic);
                workbench
                    .say(format!("topic {topic} is marked; M on another topic merges the two"));
            }
            Some(into) if into == topic => {
                workbench.say(format!("topic {topic} is not marked any more"))
            }
            Some(into) => {
                self.wanted = Some(into);
                self.edit(Edit::Merge { topics: vec![into, topic] });
            }
        }
    }

    pub(super) fn begin_typing(&mut self, wanted: Wanted, text: String) {
        self.typing = Some(Typing::new(wanted, &text));
    }

    pub(super) fn ask_to_save(&self, workbench: &mut Workbench) {
        let Some(sheet) = self.sheet.as_ref().filter(|sheet| !sheet.edits.is_empty()) else {
            return workbench.say("there is no edit to save");
        };
        let Ok(list) = sheet.request.k.to_string().parse() else { return };
        workbench.overlay = Some(Box::new(Confirm {
            title: "Save the edits as a run?".into(),
            meaning: format!(
                "{} of run {} a run of {} topics: they are finished over the documents of {}, in the \
                 background, and can be compared with run {}, which stays as it is.",
                match sheet.edits.len() {
                    1 => "1 edit makes".into(),
                    count => format!("{count} edits make"),
                },
                sheet.run,
                sheet.request.k,
                sheet.corpus,
                sheet.run
            ),
            yes: "save them",
            no: "go on shaping",
            effect: Effect::Launch(Box::new(sheet.request.clone()), list, None),
            notice: "the run is being asked for".into(),
        }));
    }

    pub(super) fn act_while_typing(&mut self, action: Action) {
        let Some(typing) = &self.typing else { return };
        match action {
            Action::Clear => self.typing = None,
            Action::Accept => {
                let edit = typing.edit();
                self.typing = None;
                if let Some(edit) = edit {
                    self.edit(edit);
                }
            }
            _ => {}
        }
    }

    /// Does what was begun elsewhere, once the topics are there.
    pub(super) fn go_on(&mut self, workbench: &mut Workbench) {
        let Some(row) = self.selected().cloned() else { return };
        let Some((action, term)) = self.begun.take() else { return };
        if let Some(gone) = self.wanted.take() {
            return workbench
                .say(format!("topic {gone} is not there after the edits; u takes them back"));
        }
        match (action, term) {
            (keys::ANCHOR, Some(term)) => self.begin_typing(Wanted::Anchor(row.topic), term),
            (keys::SPLIT, Some(term)) => {
                self.begin_typing(Wanted::Split(row.topic), format!("{term}, "));
            }
            (keys::FORBID, Some(term)) => self.begin_typing(Wanted::Forbid, term),
            (action, _) => drop(self.act_on(action, &row, workbench)),
        }
    }

    /// An edit of the selected topic.
    pub(super) fn act_on(
        &mut self,
        action: Action,
        row: &TopicEffect,
        workbench: &mut Workbench,
    ) -> bool {
        let topic = row.topic;
        let first = row.anchors.first().cloned().unwrap_or_default().replace('+', ", ");
        match action {
            keys::ANCHOR => self.begin_typing(Wanted::Anchor(topic), first),
            keys::SPLIT_BY => self.begin_typing(Wanted::Split(topic), String::new()),
            keys::FORBID => self.begin_typing(Wanted::Forbid, first),
            keys::LABEL => {
                self.begin_typing(Wanted::Label(topic), row.label.clone().unwrap_or_default());
            }
            keys::MERGE => self.merge(topic, workbench),
            keys::SPLIT => self.edit(Edit::Split { topic, words: Vec::new() }),
            keys::PIN if row.change == TopicChange::Pinned => {
                workbench.say(format!("topic {topic} is pinned; u takes edits back"));
            }
            keys::PIN => self.edit(Edit::Pin { topic }),
            keys::DROP => self.edit(Edit::Drop { topic }),
            _ => return false,
        }
        // The cursor stays on the topic when the edit is made; a merge leads to the other one.
        if action != keys::MERGE {
            self.wanted = Some(topic);
        }
        true
    }
}
