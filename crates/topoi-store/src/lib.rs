//! The store: one SQLite file that contains corpora, their packed blocks, runs and results.
//!
//! All SQL is here and in `schema/`. The store knows rows, not models.

#![cfg_attr(
    not(test),
    warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)
)]

pub mod backup;
pub mod block;
pub mod check;
pub mod command;
pub mod compact;
pub mod corpus;
pub mod error;
pub mod id;
pub mod ingest;
mod integer;
pub mod note;
pub mod open;
pub mod part;
pub mod query;
pub mod result;
pub mod run;
pub mod search;

pub use error::StoreError;
pub use open::{Access, Store};
