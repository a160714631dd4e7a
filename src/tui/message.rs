//! What can happen to the state.

use ratatui::crossterm::event::KeyEvent;

use super::data::{Answer, Answered};
use topoi::run::life::spawn::Errand;
use topoi::store::result::document_topic::TopicDocument;

/// One thing that happened.
#[derive(Debug, Clone)]
pub enum Message {
    /// A key was pressed.
    Key(KeyEvent),
    /// The terminal has this many columns and rows now.
    Resize(u16, u16),
    /// The store answered.
    Answer(Box<Answer>),
    /// A text was pasted.
    Paste(String),
    /// The user's own query was answered, or not.
    Queried {
        /// Which query.
        ticket: u64,
        /// The rows, or the error in words.
        outcome: Result<Answered, String>,
    },
    /// A process that was sent on an errand has ended.
    ErrandDone {
        /// What it was to do.
        errand: Errand,
        /// What it printed, or why it did not.
        outcome: Result<String, String>,
    },
    /// A run was saved and its worker started, or not.
    Launched(Result<i64, String>),
    /// The documents of a topic were looked for.
    Documents {
        /// The run.
        run: i64,
        /// The topic.
        topic: u64,
        /// What was found, or why not.
        found: Result<Vec<TopicDocument>, String>,
    },
    /// Something the user should know.
    Notice(String),
    /// The keyboard can no longer be read.
    InputLost(String),
}
