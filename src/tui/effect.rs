//! What the state asks the world to do.

use super::data::Request;
use crate::run::request::RunRequest;

/// One thing to do; the event loop does it.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Ask the store; the answer comes as a message.
    Read(Request),
    /// Save a run and start its worker.
    Launch(Box<RunRequest>),
    /// Cancel the run of this number.
    Cancel(i64),
    /// Name a topic, or take its name away.
    Label {
        /// The run.
        run: i64,
        /// The topic.
        topic: u64,
        /// Its name.
        label: Option<String>,
    },
    /// Look for the documents of a topic; they come as a message.
    FindDocuments {
        /// The run.
        run: i64,
        /// The topic.
        topic: u64,
    },
    /// Stop this process until the shell continues it.
    Suspend,
    /// Clear the screen and draw all of it.
    Redraw,
    /// End the program.
    Quit,
}
