//! Exports of saved runs for other tools, one module per format. Formats read the store through [`saved_model`].

mod bertopic;
mod bibliographic;
pub mod csv_tables;
pub mod dfr_browser;
mod document_side;
pub mod documents;
#[cfg(feature = "parquet")]
pub mod documents_parquet;
pub mod drawing;
mod draws;
pub mod error;
pub mod figures;
pub mod format;
mod gephi;
pub mod html;
pub mod json;
pub mod ldavis;
pub mod mallet;
pub mod matrix_market;
pub mod npy;
mod octis;
pub mod output;
pub mod saved_model;
pub mod topic_plane;
