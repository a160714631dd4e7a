//! The workbench: browse corpora, start runs, watch them, read their topics.
//!
//! One loop owns the state and the screen ([`event_loop`]): a key, an answer of the store or a
//! signal becomes a [`message`]; `update` is a pure function from state and message to new state
//! and [`effect`]s; `view` draws the state and never changes it. Threads around the loop do what
//! may wait: [`reader`] asks the store, [`launcher`] writes to it and starts workers, [`watchdog`]
//! ends the program when its terminal is gone. `update`, `view` and [`keymap`] need no terminal and
//! no store.

pub mod clipboard;
pub mod console;
pub mod context;
pub mod data;
pub mod effect;
pub mod event_loop;
pub mod exporter;
pub mod keymap;
pub mod keys;
pub mod launcher;
pub mod layout;
pub mod look;
pub mod message;
pub mod open;
pub mod pace;
pub mod query;
pub mod query_corpus;
pub mod reader;
pub mod recall;
pub mod remembered;
pub mod state;
pub mod suspend;
pub mod terminal;
pub mod text;
pub mod undertaker;
pub mod update;
pub mod view;
pub mod watchdog;

pub use open::open;

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod fixture_runs;
#[cfg(test)]
mod test_lists;
#[cfg(test)]
mod test_random;
#[cfg(test)]
mod test_run_views;
#[cfg(test)]
mod test_screens;
#[cfg(test)]
mod test_update;
