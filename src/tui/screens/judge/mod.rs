//! People judge the topics of a run: a task at a time, and then the scores.

mod keys;
pub mod question;
mod view;

use std::collections::BTreeSet;
use std::time::Instant;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use strum::VariantArray;

use self::question::{JudgeAnswer, JudgeQuestion, NextTask};
use crate::cli::remedy::explained;
use crate::records::judgements::{self, ScoreRow};
use crate::tui::effect::{Effect, JudgementEdit};
use crate::tui::input::Input;
use crate::tui::keymap::{Action, FILTER, Keys, LIST};
use crate::tui::list::columns::{self, ExportTable};
use crate::tui::list::{ListState, matches};
use crate::tui::message::EffectOutcome;
use crate::tui::question::{AnyQuestion, Value};
use crate::tui::screen::{Navigation, Screen, Selection};
use crate::tui::screens::run_or_runs;
use crate::tui::view::layout;
use crate::tui::workbench::Workbench;
use topoi_core::judge::{LONGEST_NAME, Question, Task};
use topoi_run::judging::session::{parse_judge_name, saved};
use topoi_run::user::user_name;
use topoi_store::id::RunId;

pub const NAME: &str = "Judge";

/// The tasks in their order, and the scores.
const SIDES: [&str; 4] = ["intruding words", "intruding topics", "ratings", "scores"];
const SCORES: usize = 3;
/// Lines above the list of scores.
const ABOVE: usize = 2;

#[derive(Debug, Clone)]
pub struct JudgeScreen {
    run: Option<RunId>,
    /// Which of [`SIDES`].
    side: usize,
    judge: String,
    /// Who will judge, while that is typed.
    naming: Option<Input>,
    /// What was answered here, of this kind and by this judge: the store may not have all of it yet.
    passed: Vec<u64>,
    /// An answer is being taken back; until it is, nothing can be answered.
    is_taking_back: bool,
    /// `None` before the first answer to the current question.
    answer: Option<Option<Box<JudgeAnswer>>>,
    shown_at: Instant,
    list: ListState,
}

impl Default for JudgeScreen {
    fn default() -> Self {
        Self {
            run: None,
            side: 0,
            judge: user_name(),
            naming: None,
            passed: Vec::new(),
            is_taking_back: false,
            answer: None,
            shown_at: Instant::now(),
            list: ListState::default(),
        }
    }
}

impl JudgeScreen {
    /// The kind of task; beside the scores, any.
    fn task(&self) -> Task {
        Task::VARIANTS.get(self.side).copied().unwrap_or(Task::Words)
    }

    fn found(&self) -> Option<&JudgeAnswer> {
        self.answer.as_ref()?.as_deref()
    }

    /// The task that can be answered now.
    fn asked(&self) -> Option<(&Question, &NextTask)> {
        let next = self.found()?.next.as_ref().ok()?;
        let question = next.question.as_ref()?;
        let is_open = !self.is_taking_back && !self.passed.contains(&question.item);
        is_open.then_some((question, next))
    }

    fn rows(&self) -> &[ScoreRow] {
        self.found().map_or(&[], |found| &found.scores)
    }

    fn arrange(&mut self) {
        let mut list = std::mem::take(&mut self.list);
        let holds =
            |row: &ScoreRow, filter: &str| matches(filter, &row.name) || matches(filter, row.task);
        list.arrange(self.rows(), &judgements::columns(), holds);
        self.list = list;
    }

    /// Begins anew with the current task.
    fn begin(&mut self, workbench: &mut Workbench) {
        (self.answer, self.is_taking_back) = (None, false);
        self.passed.clear();
        workbench.ask();
    }

    fn turn(&mut self, by: usize, workbench: &mut Workbench) {
        self.side = (self.side + by) % SIDES.len();
        self.begin(workbench);
    }

    /// Saves an answer, `None` to pass the task over, and asks for the next.
    fn give(&mut self, answer: Option<u32>, workbench: &mut Workbench) {
        let Some((run, (question, _))) = self.run.zip(self.asked()) else { return };
        let most = question.task.choices();
        if answer.is_some_and(|answer| answer > most) {
            return workbench.say(format!("the answer is a number from 1 to {most}"));
        }
        let seconds = self.shown_at.elapsed().as_secs_f64();
        let judgement = saved(&self.judge, question, answer, Some(seconds));
        self.passed.push(question.item);
        workbench
            .perform(Effect::Judge(JudgementEdit::Save { run, judgement: Box::new(judgement) }));
        workbench.ask();
    }

    fn take_back(&mut self, workbench: &mut Workbench) {
        let Some(run) = self.run.filter(|_| !self.is_taking_back) else { return };
        self.passed.pop();
        self.is_taking_back = true;
        let (judge, task) = (self.judge.clone(), self.task());
        workbench.perform(Effect::Judge(JudgementEdit::TakeBack { run, judge, task }));
    }

    fn type_name(&mut self, action: Action, workbench: &mut Workbench) {
        match (action, &mut self.naming) {
            (Action::Accept, Some(name)) => match parse_judge_name(name.as_str()) {
                Ok(name) => {
                    (self.judge, self.naming) = (name, None);
                    self.begin(workbench);
                }
                Err(error) => workbench.say(explained(&error)),
            },
            (Action::Clear, naming) => *naming = None,
            _ => {}
        }
    }
}

impl Screen for JudgeScreen {
    fn name(&self) -> &'static str {
        NAME
    }

    fn help(&self) -> &'static str {
        "Judge: people say how good topics are"
    }

    fn has_tab(&self) -> bool {
        false
    }

    fn keys(&self) -> Vec<&'static Keys> {
        match self.side {
            _ if self.is_typing() => vec![&keys::NAMING],
            SCORES => vec![&keys::SIDES, &LIST],
            _ => vec![&keys::ASKED, &keys::SIDES],
        }
    }

    fn tables(&self) -> Vec<&'static Keys> {
        vec![&keys::ASKED, &keys::SIDES, &LIST, &keys::NAMING]
    }

    fn typing_keys(&self) -> Vec<&'static Keys> {
        vec![&FILTER, &keys::NAMING]
    }

    fn input(&self) -> Option<(String, &Input)> {
        self.naming.as_ref().map(|name| (" who judges: ".into(), name))
    }

    fn input_mut(&mut self) -> Option<&mut Input> {
        self.naming.as_mut()
    }

    fn act(&mut self, action: Action, workbench: &mut Workbench) -> bool {
        if self.is_typing() {
            self.type_name(action, workbench);
            return true;
        }
        if let Some(place) = keys::CHOICES.iter().position(|choice| *choice == action) {
            self.give(Some(place as u32 + 1), workbench);
            return true;
        }
        match action {
            keys::SKIP => self.give(None, workbench),
            keys::TAKE_BACK => self.take_back(workbench),
            keys::NAME => self.naming = Some(Input::new(LONGEST_NAME)),
            Action::NextView => self.turn(1, workbench),
            Action::PreviousView => self.turn(SIDES.len() - 1, workbench),
            _ => return false,
        }
        true
    }

    fn question(&self) -> AnyQuestion {
        let passed: BTreeSet<u64> = self.passed.iter().copied().collect();
        let (run, task, judge) = (self.run, self.task(), self.judge.clone());
        AnyQuestion::new(JudgeQuestion { run, task, judge, passed })
    }

    fn receive(&mut self, answer: Value, _workbench: &mut Workbench) {
        let Some(answer) = answer.take::<Option<Box<JudgeAnswer>>>() else { return };
        let item = |screen: &Self| screen.asked().map(|(question, _)| question.item);
        let before = item(self);
        self.answer = Some(answer);
        if item(self) != before {
            self.shown_at = Instant::now();
        }
        self.arrange();
    }

    fn hear(&mut self, news: &EffectOutcome, workbench: &mut Workbench) {
        let EffectOutcome::Judged { edit, outcome } = news else { return };
        match (edit, outcome) {
            (JudgementEdit::Save { judgement, .. }, Err(error)) => {
                self.passed.retain(|item| *item != judgement.item);
                workbench.say(format!("the answer was not saved: {error}"));
            }
            (JudgementEdit::Save { .. }, Ok(_)) => return,
            (JudgementEdit::TakeBack { .. }, outcome) => {
                self.is_taking_back = false;
                match outcome {
                    Ok(true) => workbench.say("the last answer is taken back"),
                    Ok(false) => workbench.say("there is no answer to take back"),
                    Err(error) => workbench.say(format!("the answer was not taken back: {error}")),
                }
            }
        }
        if workbench.shown == NAME {
            workbench.ask();
        }
    }

    fn arrive(&mut self, navigation: &Navigation, workbench: &mut Workbench) {
        let Some(open) = navigation.open.as_ref().filter(|open| open.run.is_some()) else { return };
        if open.run != self.run {
            (self.run, self.list) = (open.run, ListState::default());
            self.begin(workbench);
        }
    }

    fn back(&mut self, workbench: &mut Workbench) {
        workbench.go(run_or_runs(workbench));
    }

    fn crumb(&self) -> Option<String> {
        Some("judging".into())
    }

    fn draw(&self, workbench: &Workbench, area: Rect, buffer: &mut Buffer) {
        view::draw(self, workbench.look, area, buffer);
    }

    fn list(&self) -> Option<&ListState> {
        (self.side == SCORES).then_some(&self.list)
    }

    fn list_mut(&mut self) -> Option<&mut ListState> {
        (self.side == SCORES).then_some(&mut self.list)
    }

    fn list_rows(&self, workbench: &Workbench) -> usize {
        layout::table_rows(workbench.body()).saturating_sub(ABOVE).max(1)
    }

    fn rearrange(&mut self, _workbench: &mut Workbench) {
        self.arrange();
    }

    fn sheet(&self) -> Option<ExportTable> {
        if self.side != SCORES {
            return None;
        }
        let rows = self.list.visible(self.rows());
        let name = format!("run-{}-judgements", self.run.unwrap_or_default());
        Some(columns::sheet(name, &judgements::columns(), rows))
    }

    fn subject(&self) -> Selection {
        Selection { run: self.run, ..Selection::default() }
    }
}
