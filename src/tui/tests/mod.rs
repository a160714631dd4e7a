//! The workbench without a terminal and without a store.

mod fixture;
mod fixture_runs;
mod keys;
mod lists;
mod new_screen;
mod random;
mod run_views;
mod screens;
mod update;
pub mod user;
