//! Commands on the store, and on the program itself.

pub mod check;
pub mod completions;
pub mod delete;
pub mod delete_documents;
pub mod demo;
pub mod man;
pub mod sql;
