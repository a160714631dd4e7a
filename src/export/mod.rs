//! Saved runs as files for other tools. One format a file; they read the store through
//! [`saved_model`] and change nothing.

pub mod comparison;
pub mod csv_tables;
mod described;
pub mod dfr_browser;
mod dfr_documents;
mod document_date;
pub mod error;
pub mod format;
pub mod html;
mod html_charts;
pub mod html_comparison;
mod html_parts;
pub mod json;
pub mod ldavis;
pub mod ldavis_terms;
pub mod mallet;
pub mod matrix_market;
pub mod output;
mod replace;
pub mod saved_model;
pub mod topic_plane;
mod zip;
