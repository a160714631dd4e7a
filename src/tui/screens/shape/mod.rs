//! Shaping the topics of a run by hand: each edit shows at once what it changes, and nothing is saved before
//! it is asked for.

pub mod keys;
pub mod question;
mod typing;
mod view;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use self::question::{ShapeQuestion, ShapeSheet};
use self::typing::{LONGEST, Typing, Wanted};
use crate::records::shaping::columns;
use crate::tui::bench::{Bench, Confirm, Overlay};
use crate::tui::effect::Effect;
use crate::tui::keymap::{Action, FILTER, Keys, LIST};
use crate::tui::list::columns::{self, Sheet};
use crate::tui::list::{ListState, matches};
use crate::tui::message::News;
use crate::tui::question::{AnyQuestion, Value};
use crate::tui::screen::{Extent, Screen, Subject, Visit, active_list};
use crate::tui::screens::run;
use crate::tui::view::text;
use topoi::shape::Edit;
use topoi::shape::effect::TopicEffect;

pub const NAME: &str = "Shape";

#[derive(Debug, Clone, Default)]
pub struct ShapeScreen {
    run: Option<i64>,
    /// The edits that are asked about.
    pub edits: Vec<Edit>,
    /// Edits that were taken back, the last first to come again.
    undone: Vec<Edit>,
    sheet: Option<Box<ShapeSheet>>,
    /// Why the run cannot be shaped.
    refusal: Option<String>,
    typing: Option<Typing>,
    /// The topic that another is to be merged into.
    marked: Option<usize>,
    /// The topic that the cursor is to be on.
    wanted: Option<usize>,
    /// The edit that was begun elsewhere, and its word, until the topics are there.
    begun: Option<(Action, Option<String>)>,
    list: ListState,
}

/// Leads to the screen with an edit of `subject` begun, if `action` is one of [`keys::BEGIN`].
pub fn begin(action: Action, subject: Subject, bench: &mut Bench) -> bool {
    let is_own = keys::BEGIN.bindings.iter().any(|binding| binding.action == action);
    if is_own && subject.topic.is_some() {
        bench.follow(NAME, Subject { begun: Some(action), ..subject });
    }
    is_own
}

impl ShapeScreen {
    fn rows(&self) -> &[TopicEffect] {
        self.sheet.as_ref().map_or(&[], |sheet| &sheet.topics)
    }

    pub fn selected(&self) -> Option<&TopicEffect> {
        self.list.selected(self.rows())
    }

    fn arrange(&mut self) {
        let mut list = std::mem::take(&mut self.list);
        let holds = |row: &TopicEffect, filter: &str| {
            let seen = row.after.as_ref().or(row.before.as_ref());
            let mut words = seen.into_iter().flat_map(|seen| &seen.words).chain(&row.label);
            words.any(|word| matches(filter, word))
        };
        list.arrange(self.rows(), holds, |row, by| columns::sort_key(&columns(), row, by));
        if let Some(topic) = self.wanted {
            let place = list.visible(self.rows()).iter().position(|row| row.topic == topic);
            if let Some(place) = place {
                list.cursor = place;
                self.wanted = None;
            }
        }
        self.list = list;
    }

    /// Adds an edit; what it makes of the topics comes with the next answer.
    fn edit(&mut self, edit: Edit, bench: &mut Bench) {
        self.edits.push(edit);
        self.undone.clear();
        bench.ask();
    }

    fn undo(&mut self, bench: &mut Bench) {
        match self.edits.pop() {
            Some(edit) => {
                bench.say(format!("taken back: {}", edit.said()));
                self.undone.push(edit);
                bench.ask();
            }
            None => bench.say("there is no edit to take back"),
        }
    }

    fn redo(&mut self, bench: &mut Bench) {
        match self.undone.pop() {
            Some(edit) => {
                bench.say(edit.said());
                self.edits.push(edit);
                bench.ask();
            }
            None => bench.say("no edit was taken back"),
        }
    }

    /// Marks a topic, or merges this one into the one that is marked.
    fn merge(&mut self, topic: usize, bench: &mut Bench) {
        match self.marked.take() {
            None => {
                self.marked = Some(topic);
                bench.say(format!("topic {topic} is marked; m on another topic merges the two"));
            }
            Some(into) if into == topic => {
                bench.say(format!("topic {topic} is not marked any more"))
            }
            Some(into) => {
                self.wanted = Some(into);
                self.edit(Edit::Merge { topics: vec![into, topic] }, bench);
            }
        }
    }

    fn begin_typing(&mut self, wanted: Wanted, text: String) {
        self.typing = Some(Typing { wanted, text });
    }

    fn ask_to_save(&self, bench: &mut Bench) {
        let Some(sheet) = self.sheet.as_ref().filter(|sheet| !sheet.edits.is_empty()) else {
            return bench.say("there is no edit to save");
        };
        let Ok(list) = sheet.request.k.to_string().parse() else { return };
        bench.overlay = Some(Overlay::Confirm(Box::new(Confirm {
            title: "Save the edits as a run?".into(),
            meaning: format!(
                "{} of run {} make a run of {} topics: they are finished over the documents of {}, in the \
                 background, and can be compared with run {}, which stays as it is.",
                match sheet.edits.len() {
                    1 => "1 edit".into(),
                    count => format!("{count} edits"),
                },
                sheet.run,
                sheet.request.k,
                sheet.corpus,
                sheet.run
            ),
            yes: "save them",
            no: "go on shaping",
            effect: Effect::Launch(Box::new(sheet.request.clone()), list),
            notice: "the run is being asked for".into(),
        })));
    }

    fn act_while_typing(&mut self, action: Action, bench: &mut Bench) {
        let Some(typing) = &mut self.typing else { return };
        match action {
            Action::Erase => drop(typing.text.pop()),
            Action::EraseAll => typing.text.clear(),
            Action::Clear => self.typing = None,
            Action::Accept => {
                let edit = typing.edit();
                self.typing = None;
                if let Some(edit) = edit {
                    self.edit(edit, bench);
                }
            }
            _ => {}
        }
    }

    /// Does what was begun elsewhere, once the topics are there.
    fn go_on(&mut self, bench: &mut Bench) {
        let Some(row) = self.selected().cloned() else { return };
        let Some((action, term)) = self.begun.take() else { return };
        if let Some(gone) = self.wanted.take() {
            return bench
                .say(format!("topic {gone} is not there after the edits; u takes them back"));
        }
        match (action, term) {
            (keys::ANCHOR, Some(term)) => self.begin_typing(Wanted::Anchor(row.topic), term),
            (keys::SPLIT, Some(term)) => {
                self.begin_typing(Wanted::Split(row.topic), format!("{term}, "));
            }
            (keys::FORBID, Some(term)) => self.begin_typing(Wanted::Forbid, term),
            (action, _) => drop(self.act_on(action, &row, bench)),
        }
    }

    /// An edit of the selected topic.
    fn act_on(&mut self, action: Action, row: &TopicEffect, bench: &mut Bench) -> bool {
        let topic = row.topic;
        let first = row.anchors.first().cloned().unwrap_or_default().replace('+', ", ");
        self.wanted = Some(topic);
        match action {
            keys::ANCHOR => self.begin_typing(Wanted::Anchor(topic), first),
            keys::SPLIT_BY => self.begin_typing(Wanted::Split(topic), String::new()),
            keys::FORBID => self.begin_typing(Wanted::Forbid, first),
            keys::LABEL => {
                self.begin_typing(Wanted::Label(topic), row.label.clone().unwrap_or_default());
            }
            keys::MERGE => self.merge(topic, bench),
            keys::SPLIT => self.edit(Edit::Split { topic, words: Vec::new() }, bench),
            keys::PIN => self.edit(Edit::Pin { topic }, bench),
            keys::DROP => self.edit(Edit::Drop { topic }, bench),
            _ => return false,
        }
        true
    }
}

impl Screen for ShapeScreen {
    fn name(&self) -> &'static str {
        NAME
    }

    fn help(&self) -> &'static str {
        "Shape: topics changed by hand"
    }

    fn has_tab(&self) -> bool {
        false
    }

    fn tables(&self) -> Vec<&'static Keys> {
        vec![&keys::SHAPE, &LIST, &keys::TYPING, &FILTER]
    }

    fn keys(&self) -> Vec<&'static Keys> {
        if self.is_typing() { vec![&keys::TYPING] } else { vec![&keys::SHAPE, &LIST] }
    }

    fn typing_keys(&self) -> Vec<&'static Keys> {
        vec![&FILTER, &keys::TYPING]
    }

    fn is_typing(&self) -> bool {
        self.typing.is_some()
    }

    fn type_in(&mut self, typed: &str, _bench: &mut Bench) {
        let Some(typing) = &mut self.typing else { return };
        for letter in typed.chars().filter(|letter| !letter.is_control()) {
            if text::width(&typing.text) < LONGEST {
                typing.text.push(letter);
            }
        }
    }

    fn act(&mut self, action: Action, bench: &mut Bench) -> bool {
        if self.is_typing() {
            self.act_while_typing(action, bench);
            return true;
        }
        match action {
            keys::NEW_TOPIC => self.begin_typing(Wanted::NewTopic, String::new()),
            keys::UNDO => self.undo(bench),
            keys::REDO => self.redo(bench),
            keys::SAVE => self.ask_to_save(bench),
            _ => {
                let Some(row) = self.selected().cloned() else { return false };
                return self.act_on(action, &row, bench);
            }
        }
        true
    }

    fn question(&self) -> AnyQuestion {
        AnyQuestion::new(ShapeQuestion { run: self.run, edits: self.edits.clone() })
    }

    fn receive(&mut self, answer: Value, bench: &mut Bench) {
        let Some(Some(answer)) = answer.take::<Option<Result<Box<ShapeSheet>, String>>>() else {
            return;
        };
        match (answer, &self.sheet) {
            (Ok(sheet), _) => {
                self.sheet = Some(sheet);
                self.refusal = None;
                self.arrange();
                self.go_on(bench);
            }
            // What is refused is as if it had not been asked for.
            (Err(refusal), Some(sheet)) if sheet.edits != self.edits => {
                self.edits.clone_from(&sheet.edits);
                bench.say(refusal);
            }
            (Err(refusal), _) => self.refusal = Some(refusal),
        }
    }

    fn hear(&mut self, news: &News, bench: &mut Bench) {
        if let (News::Launched(Ok(run)), true) = (news, bench.shown == NAME) {
            bench.say(format!("run {run} is being made of the edits; g r lists the runs"));
        }
    }

    fn arrive(&mut self, visit: &Visit, bench: &mut Bench) {
        let Some(open) = &visit.open else { return };
        let run = open.run.or(bench.open_run);
        if run.is_some() && run != self.run {
            *self = Self { run, ..Self::default() };
        }
        self.wanted = open.topic.map(|topic| topic as usize);
        self.typing = None;
        self.begun = open.begun.map(|action| (action, open.term.clone()));
        self.arrange();
        self.go_on(bench);
    }

    fn back(&mut self, bench: &mut Bench) {
        bench.go(run::NAME);
    }

    fn crumb(&self) -> Option<String> {
        Some("shape".into())
    }

    fn draw(&self, bench: &Bench, area: Rect, buffer: &mut Buffer) {
        view::draw(self, bench.look, area, buffer);
    }

    fn status(&self, bench: &Bench) -> Option<Line<'static>> {
        let typing = self.typing.as_ref()?;
        Some(Line::from(vec![
            Span::styled(format!(" {}", typing.prompt()), bench.look.key()),
            Span::raw(text::clean(&typing.text)),
            Span::styled(" ", bench.look.selected()),
        ]))
    }

    active_list!(list);

    fn list_rows(&self, bench: &Bench) -> usize {
        view::rows(bench.body())
    }

    fn extent(&self, _bench: &Bench) -> Option<Extent> {
        let (matching, all) = (self.list.len() as u64, self.rows().len() as u64);
        Some(Extent { before: 0, matching, all })
    }

    fn sort_columns(&self) -> Vec<(String, bool)> {
        columns::sorted_by(&columns())
    }

    fn rearrange(&mut self, _bench: &mut Bench) {
        self.arrange();
    }

    fn sheet(&self) -> Option<Sheet> {
        Some(columns::sheet("shaped-topics", &columns(), self.list.visible(self.rows())))
    }

    fn subject(&self) -> Subject {
        let topic = self.selected().map(|row| row.topic as u64);
        let corpus = self.sheet.as_ref().map(|sheet| sheet.corpus_id);
        Subject { corpus, run: self.run, topic, ..Subject::default() }
    }
}
