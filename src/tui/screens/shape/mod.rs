//! Shaping the topics of a run by hand: each edit shows at once what it changes, and nothing is saved before
//! it is asked for.

mod drafts;
mod editing;
mod factor_job;
pub mod keys;
pub mod question;
mod typing;
mod view;

use std::mem::take;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use self::drafts::{Draft, Drafts};
use self::factor_job::FactorJob;
use self::question::{Refusal, ShapePreview, ShapeQuestion};
use self::typing::{Typing, Wanted};
use crate::records::shaping::columns;
use crate::tui::input::Input;
use crate::tui::keymap::{Action, FILTER, Keys, LIST};
use crate::tui::list::columns::{self, ExportTable};
use crate::tui::list::{ListState, matches};
use crate::tui::message::EffectOutcome;
use crate::tui::question::{AnyQuestion, Value};
use crate::tui::screen::{Navigation, PreviousSession, Screen, Selection};
use crate::tui::screens::run;
use crate::tui::workbench::Workbench;
use topoi_core::shape::effect::TopicEffect;
use topoi_store::id::{RunId, TopicNumber};

pub const NAME: &str = "Shape";

#[derive(Debug, Clone, Default)]
pub struct ShapeScreen {
    run: Option<RunId>,
    draft: Draft,
    /// Those of other runs.
    others: Drafts,
    sheet: Option<Box<ShapePreview>>,
    /// Why the run cannot be shaped.
    refusal: Option<Refusal>,
    factor_job: FactorJob,
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
pub fn begin(action: Action, subject: Selection, workbench: &mut Workbench) -> bool {
    let is_own = keys::BEGIN.bindings.iter().any(|binding| binding.action == action);
    if is_own && subject.topic.is_some() {
        workbench.follow(NAME, Selection { begun: Some(action), ..subject });
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
        let mut list = take(&mut self.list);
        let holds = |row: &TopicEffect, filter: &str| {
            let seen = row.after.as_ref().or(row.before.as_ref());
            let mut words = seen.into_iter().flat_map(|seen| &seen.words).chain(&row.label);
            words.any(|word| matches(filter, word))
        };
        list.arrange(self.rows(), &columns(), holds);
        if let Some(topic) = self.wanted {
            let place = list.visible(self.rows()).iter().position(|row| row.topic == topic);
            if let Some(place) = place {
                list.cursor = place;
                self.wanted = None;
            }
        }
        self.list = list;
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
        vec![&keys::SHAPE, &LIST, &keys::TYPING, &FILTER, &keys::MISSING, &keys::MAKING]
    }

    fn keys(&self) -> Vec<&'static Keys> {
        match &self.refusal {
            _ if self.is_typing() => vec![&keys::TYPING],
            Some(Refusal::Missing(_)) if self.factor_job.is_under_way() => vec![&keys::MAKING],
            Some(Refusal::Missing(_)) => vec![&keys::MISSING],
            _ => vec![&keys::SHAPE, &LIST],
        }
    }

    fn typing_keys(&self) -> Vec<&'static Keys> {
        vec![&FILTER, &keys::TYPING]
    }

    fn input(&self) -> Option<(String, &Input)> {
        self.typing.as_ref().map(|typing| (format!(" {}", typing.prompt()), &typing.input))
    }

    fn input_mut(&mut self) -> Option<&mut Input> {
        self.typing.as_mut().map(|typing| &mut typing.input)
    }

    fn act(&mut self, action: Action, workbench: &mut Workbench) -> bool {
        if self.is_typing() {
            self.act_while_typing(action);
            return true;
        }
        match action {
            keys::STOP => self.factor_job.stop(workbench),
            keys::MAKE => {
                if let Some(Refusal::Missing(cost)) = &self.refusal {
                    self.factor_job.begin(cost, workbench);
                }
            }
            keys::NEW_TOPIC => self.begin_typing(Wanted::NewTopic, String::new()),
            keys::UNDO => self.undo(workbench),
            keys::REDO => self.redo(workbench),
            keys::SAVE => self.ask_to_save(workbench),
            _ => {
                let Some(row) = self.selected().cloned() else { return false };
                return self.act_on(action, &row, workbench);
            }
        }
        true
    }

    fn question(&self) -> AnyQuestion {
        AnyQuestion::new(ShapeQuestion { run: self.run, edits: self.draft.edits.clone() })
    }

    fn receive(&mut self, answer: Value, workbench: &mut Workbench) {
        let Some(Some(answer)) = answer.take::<Option<Result<_, Refusal>>>() else { return };
        match (answer, &self.sheet) {
            (Ok(sheet), _) => {
                self.sheet = Some(sheet);
                self.refusal = None;
                self.arrange();
                self.go_on(workbench);
            }
            // A refused edit leaves the edits as they were.
            (Err(Refusal::Refused(refusal)), Some(sheet)) if sheet.edits != self.draft.edits => {
                self.draft.edits.clone_from(&sheet.edits);
                self.wanted = None;
                workbench.say(refusal);
            }
            // Edits of an earlier day may not fit the run any more.
            (Err(Refusal::Refused(refusal)), None) if !self.draft.edits.is_empty() => {
                self.draft = Draft::default();
                workbench.say(refusal);
                workbench.ask();
            }
            (Err(refusal), _) => {
                if let Refusal::Missing(cost) = &refusal {
                    self.factor_job.report_missing_factor(cost, workbench);
                    self.sheet = None;
                }
                self.refusal = Some(refusal);
            }
        }
    }

    fn hear(&mut self, news: &EffectOutcome, workbench: &mut Workbench) {
        if let (EffectOutcome::Launched(Ok(run)), true) = (news, workbench.shown == NAME) {
            workbench.say(format!("run {run} is being made of the edits; g r lists the runs"));
            self.draft.saved_as(*run);
        }
        if let EffectOutcome::Factor { run, status } = news
            && self.factor_job.hear(*run, status)
        {
            match workbench.shown == NAME {
                true => workbench.ask(),
                false => workbench.say(format!("run {run} can be shaped now: A in the run")),
            }
        }
    }

    fn arrive(&mut self, navigation: &Navigation, workbench: &mut Workbench) {
        let Some(open) = &navigation.open else { return };
        let run = open.run.or(workbench.open_run);
        if run.is_some() && run != self.run {
            let (mut others, factor_job) = (take(&mut self.others), take(&mut self.factor_job));
            others.keep(self.run, take(&mut self.draft));
            let draft = others.take(run);
            *self = Self { run, draft, others, factor_job, ..Self::default() };
        }
        self.wanted = open.topic.map(|topic| topic.index());
        self.typing = None;
        self.begun = open.begun.map(|action| (action, open.term.clone()));
        self.arrange();
        self.go_on(workbench);
    }

    fn stays(&self) -> bool {
        true
    }

    fn remember(&self) -> serde_json::Value {
        let mut all = self.others.clone();
        all.keep(self.run, self.draft.clone());
        serde_json::to_value(all.unsaved()).unwrap_or_default()
    }

    fn restore(
        &mut self,
        left: &serde_json::Value,
        previous: &PreviousSession<'_>,
        _workbench: &mut Workbench,
    ) {
        let drafts: Drafts = serde_json::from_value(left.clone()).unwrap_or_default();
        self.others = drafts.of(|run| previous.store.run(run).is_ok());
    }

    fn back(&mut self, workbench: &mut Workbench) {
        workbench.go(run::NAME);
    }

    fn crumb(&self) -> Option<String> {
        Some("shape".into())
    }

    fn draw(&self, workbench: &Workbench, area: Rect, buffer: &mut Buffer) {
        view::draw(self, workbench.look, area, buffer);
    }

    fn list(&self) -> Option<&ListState> {
        Some(&self.list)
    }

    fn list_mut(&mut self) -> Option<&mut ListState> {
        Some(&mut self.list)
    }

    fn list_rows(&self, workbench: &Workbench) -> usize {
        view::rows(workbench.body())
    }

    fn rearrange(&mut self, _workbench: &mut Workbench) {
        self.arrange();
    }

    fn sheet(&self) -> Option<ExportTable> {
        Some(columns::sheet("shaped-topics", &columns(), self.list.visible(self.rows())))
    }

    fn subject(&self) -> Selection {
        let topic = self.selected().map(|row| TopicNumber::from_index(row.topic));
        let corpus = self.sheet.as_ref().map(|sheet| sheet.corpus_id);

        Selection { corpus, run: self.run, topic, ..Selection::default() }
    }
}
