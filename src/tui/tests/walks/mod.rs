//! Ways through screens, key by key, and what is asked of the store on them.

mod asking;
mod documents;
mod languages;
mod lists;
mod new_screen;
mod run_settings;
mod topics;
mod trail;
