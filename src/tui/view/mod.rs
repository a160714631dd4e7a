//! From state to screen: functions that draw and never change the state, one file a screen.

mod corpora;
mod corpus;
mod document;
mod frame;
pub mod help;
mod launch;
mod parts;
mod run;
mod run_detail;
mod runs;
mod sql;
mod table;
mod topic;

pub use frame::draw;
