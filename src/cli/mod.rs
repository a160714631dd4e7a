//! The command line: reads arguments, starts work, prints what the store holds.
//!
//! A command is a file in one of the rooms `corpus`, `work`, `saved` and `store`, with its
//! `Arguments` (whose first line is what `topoi --help` says of it), what it prints as a typed
//! record, and `run`. [`commands`] lists them.

pub mod arguments;
pub mod attend;
pub mod bar;
pub mod commands;
pub mod corpus;
pub mod follow;
pub mod in_parts;
pub mod output;
pub mod run_arguments;
pub mod saved;
pub mod source_arguments;
pub mod store;
pub mod store_path;
pub mod vocabulary_arguments;
pub mod work;
