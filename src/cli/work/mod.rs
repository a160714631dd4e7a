//! Commands that start runs and see to them.

pub mod cancel;
pub mod held_out;
pub mod import;
pub mod log;
pub mod queue;
pub mod resume;
pub mod run;
pub mod runs;
pub mod stability;
pub mod sweep;
pub mod update;
pub mod watch;
pub mod worker;
