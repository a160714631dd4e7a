//! From state and message to new state and effects: pure functions, one file a screen.

mod answers;
mod compare;
mod corpus;
mod dispatch;
mod filter;
mod launch;
mod lists;
mod navigate;
mod run;
mod runs;

pub use dispatch::update;
