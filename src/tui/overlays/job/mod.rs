//! Jobs of the workbench (ingest, export, …): a form, then an estimate of the cost, then a question. Each runs as a
//! process, which continues when the workbench is left.

mod estimate;
mod form;
pub mod kind;
pub mod path;
mod view;

pub use estimate::EstimateQuestion;
pub use form::{JobForm, Stage};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use self::estimate::Estimate;
use crate::tui::effect::Effect;
use crate::tui::keymap::{Action, CONFIRM, EDIT, JOB, Keys};
use crate::tui::overlay::{Overlay, Reaction};
use crate::tui::question::{AnyQuestion, Value};
use crate::tui::workbench::Workbench;

impl Overlay for JobForm {
    fn keys(&self) -> Vec<&'static Keys> {
        match self.stage {
            Stage::Filling => vec![&JOB, &EDIT],
            Stage::Estimating | Stage::Estimated(_) => vec![&CONFIRM],
        }
    }

    fn accepts(&self, _letter: char) -> bool {
        self.stage == Stage::Filling
    }

    fn type_in(&mut self, text: &str) {
        self.insert(text);
    }

    fn act(&mut self, action: Action, workbench: &mut Workbench) -> Reaction {
        match (&self.stage, action) {
            (Stage::Estimated(_), Action::Yes) => {
                workbench.say(format!("{} begins; it goes on when you leave", self.kind.title()));
                workbench.jobs += 1;
                workbench.perform(Effect::StartJob(self.job()));
                return Reaction::Close;
            }
            (Stage::Filling, Action::Clear) => return Reaction::Close,
            (_, Action::Clear | Action::No) => self.stage = Stage::Filling,
            (Stage::Filling, Action::Accept) => match self.missing() {
                Some(missing) => self.error = Some(missing),
                None => self.stage = Stage::Estimating,
            },
            (Stage::Filling, action) => self.edit(action),
            _ => {}
        }
        Reaction::Stay
    }

    fn question(&self, _workbench: &Workbench) -> Option<AnyQuestion> {
        let is_asked = self.stage == Stage::Estimating;
        is_asked.then(|| AnyQuestion::new(EstimateQuestion { form: self.clone() }))
    }

    fn receive(&mut self, answer: Value, _workbench: &mut Workbench) -> Reaction {
        match answer.take::<Estimate>() {
            Some(Ok(lines)) => self.stage = Stage::Estimated(lines),
            Some(Err(error)) => {
                self.stage = Stage::Filling;
                self.error = Some(error);
            }
            None => {}
        }
        Reaction::Stay
    }

    fn draw(&self, workbench: &Workbench, area: Rect, buffer: &mut Buffer) {
        view::draw(self, workbench.look, area, buffer);
    }
}
