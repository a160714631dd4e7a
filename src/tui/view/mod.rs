//! From state to screen: functions that draw and never change the state, one file a screen.

mod advice;
mod bounds;
mod chart;
mod choose_k;
mod compare;
mod corpora;
mod corpus;
mod document;
mod dots;
mod frame;
pub mod help;
mod launch;
mod parts;
mod run;
mod run_detail;
pub mod run_facts;
mod run_lifts;
mod run_map;
mod runs;
mod sql;
mod table;
mod topic;
mod topic_image;

pub use frame::draw;
