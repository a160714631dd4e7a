//! The workbench: browse corpora, start runs, watch them, read their topics.
//!
//! One loop owns the state and the terminal ([`event_loop`]): a key, an answer of the store or a
//! signal becomes a [`message`]; [`mod@update`] is a pure function from state and message to new
//! state and [`effect`]s; [`view`] draws the state and never changes it. Each screen is a folder in
//! [`screens`] behind one trait ([`screen::Screen`]). [`threads`] do what may wait. Only
//! [`terminal`], [`threads`] and the loop know a terminal or a store.

mod bench;
mod effect;
mod event_loop;
mod keymap;
mod keys;
mod list;
mod message;
mod open;
mod question;
mod remembered;
mod run_rows;
mod screen;
mod screens;
mod state;
mod terminal;
mod threads;
mod update;
mod view;

pub use open::open;

#[cfg(test)]
mod tests;
