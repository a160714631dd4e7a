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
    /// Stop this process until the shell continues it.
    Suspend,
    /// Clear the screen and draw all of it.
    Redraw,
    /// End the program.
    Quit,
}
