//! The state of the workbench: plain structs, one a screen.

pub mod choose_k;
pub mod compare;
pub mod corpora;
pub mod corpus;
pub mod launch;
pub mod list;
pub mod run;
pub mod runs;
pub mod workbench;

pub use list::ListState;
pub use workbench::{Overlay, Screen, State};
