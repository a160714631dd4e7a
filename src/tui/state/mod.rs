//! The state of the workbench: plain structs, one a screen.

pub mod choose_k;
pub mod compare;
pub mod completion;
pub mod corpora;
pub mod corpus;
pub mod document;
pub mod launch;
pub mod list;
pub mod prompt;
pub mod run;
pub mod runs;
pub mod sheet;
pub mod sorting;
pub mod sql;
pub mod workbench;

pub use list::ListState;
pub use workbench::{Overlay, Screen, State};
