//! The workbench: browse corpora, start runs, watch them, read their topics.
//!
//! One loop owns the state and the terminal ([`event_loop`]): a key, an answer of the store or a
//! signal becomes a [`message`]; [`mod@update`] is a pure function from state and message to new
//! state and [`effect`]s; [`view`] draws the state and never changes it. Each screen is a folder in
//! [`screens`] behind one trait ([`screen::Screen`]). [`threads`] do what may wait. Only
//! [`terminal`], [`threads`] and the loop know a terminal or a store.

pub mod config;
mod effect;
mod event_loop;
mod input;
mod keymap;
mod list;
mod message;
mod overlay;
mod overlays;
mod question;
mod saved_position;
mod screen;
mod screens;
mod state;
mod terminal;
mod trail;
mod update;
mod workbench;

pub use event_loop::{WorkbenchOptions, open};

/// What can block, outside the event loop: reading the store, writing to it, starting processes.
mod threads {
    pub mod annotations;
    pub mod background;
    pub mod cache;
    pub mod exporter;
    pub mod factor;
    pub mod launcher;
    pub mod reader;
    pub mod sql;
}

/// From state to screen: functions that draw and never change the state. What a screen shows is
/// drawn in its folder; here is what surrounds it, and what several screens draw.
mod view {
    pub mod chart;
    pub mod dots;
    mod frame;
    pub mod hit_areas;
    pub mod layout;
    pub mod look;
    pub mod parts;
    pub mod run_detail;
    pub mod table;
    pub mod text;

    pub use frame::draw;
}

/// The workbench without a terminal and without a store.
#[cfg(test)]
mod tests {
    mod by_field;
    mod everywhere;
    pub mod fixture;
    mod judging;
    mod keys;
    mod letters;
    mod pictures;
    mod run_views;
    mod runs;
    mod screens;
    mod search;
    mod shaping;
    mod update;
    mod walks;
}
