//! Formats whose documents are text.

pub(super) mod delimited;
pub(crate) mod fields;
mod json;
pub(super) mod jsonl;
pub(super) mod lines;
pub(super) mod mallet;
mod mended_json;
pub(super) mod numbers;
