//! From state and message to new state and effects: pure functions, one file a screen.

mod answers;
mod choose_k;
mod compare;
mod corpus;
mod dispatch;
mod document;
mod filter;
mod launch;
mod lists;
mod navigate;
mod run;
mod runs;
mod sharing;
mod sort;
mod sql;
mod trust;

pub use dispatch::update;
