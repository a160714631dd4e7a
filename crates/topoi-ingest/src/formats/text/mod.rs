//! Formats whose documents are text.

pub(super) mod delimited;
pub(super) mod fields;
mod json;
pub(super) mod jsonl;
pub(super) mod lines;
pub(super) mod mallet;
pub(super) mod numbers;
