//! What lists show: a record a file, its columns defined once for the command line's tables, JSON
//! and CSV and for the workbench's lists, their order, what is copied from them and exported.
//!
//! To show one thing more of a record, add one [`column::Column`] to its `columns()`.

pub mod column;
pub mod corpora;
pub mod documents;
pub mod metrics;
pub mod runs;
pub mod terms;
pub mod topics;
