//! Messages: what changes the state.

use ratatui::crossterm::event::{KeyEvent, MouseEvent};

use super::effect::JudgementEdit;
use super::question::Answer;
use super::view::hit_areas::Target;
use topoi_run::life::spawn::BackgroundJob;
use topoi_run::naming::ProposedNames;
use topoi_run::outlook::Remaining;
use topoi_store::id::RunId;
use topoi_store::query::QueryResult;

#[derive(Debug, Clone)]
pub enum Message {
    Key(KeyEvent),
    /// The terminal has this many columns and rows now.
    Resize(u16, u16),
    Answer(Box<Answer>),
    Paste(String),
    /// The mouse, where the pointer is.
    Mouse(MouseEvent),
    /// A click on what was drawn there.
    Clicked(Target),
    /// The wheel was turned by this number of rows, downwards positive.
    Wheel(isize),
    EffectOutcome(EffectOutcome),
    /// The terminal's background is light.
    Background(bool),
    /// Something the user should know.
    Notice(String),
    /// This process was asked to stop, by a shell or from elsewhere.
    Stop,
    /// This process was stopped, and was continued.
    Continued,
    /// The keyboard can no longer be read.
    InputLost(String),
}

/// The outcome of an effect. It is passed to every screen, whichever is shown.
#[derive(Debug, Clone)]
pub enum EffectOutcome {
    /// The user's own query was answered, or not.
    Queried { ticket: u64, outcome: Result<Answered, String> },
    /// A process that was started has ended: what it printed, or what went wrong.
    JobEnded { job: BackgroundJob, outcome: Result<String, String> },
    /// Names to propose for the topics of a run.
    Proposed { run: RunId, names: Vec<ProposedNames> },
    /// A judgement was saved or taken back: whether the store has changed.
    Judged { edit: JudgementEdit, outcome: Result<bool, String> },
    /// The factor that anchors of a run need: its progress or end.
    Factor { run: RunId, status: FactorJobStatus },
    /// A run was saved and its worker started, or not.
    Launched(Result<RunId, String>),
}

/// The factor of a run while it is computed.
#[derive(Debug, Clone, PartialEq)]
pub enum FactorJobStatus {
    /// The stage, and what is left of the whole.
    Running(&'static str, Remaining),
    /// It is saved, or the error. Not sent after it was cancelled.
    Ended(Result<(), String>),
}

/// The outcome of the user's own query.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answered {
    pub result: QueryResult,
    /// Seconds it took.
    pub seconds: f64,
}
