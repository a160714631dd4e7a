//! From state to screen: functions that draw and never change the state, one file a screen.

mod corpora;
mod corpus;
mod frame;
pub mod help;
mod launch;
mod parts;
mod run;
mod run_detail;
mod runs;
mod table;
mod topic;

pub use frame::draw;
