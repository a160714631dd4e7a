//! Topic models: functions from an operator and settings to topics. They have no access to a store.
//!
//! Each model has a folder whose `mod.rs` contains its card and settings
//! ([`topic_model::TopicModel`]). Shared code has folders of its own: [`jsmf`] (stages,
//! rectification, LAW), [`separable`] (novel words), [`nmf`], [`documents`]. [`setting`] defines
//! settings and what is derived from them.

pub mod aw;
mod checkpoint;
pub mod document_side;
pub mod documents;
pub mod enn;
pub mod error;
pub mod figures;
pub mod jsmf;
pub mod lda_gibbs;
mod list;
pub mod lr_jsmf;
pub mod nmf;
pub mod nmf_ard;
pub mod nmf_kl;
pub mod palm;
pub mod plan;
pub mod r1d;
pub mod raw;
pub mod refine;
pub mod separable;
pub mod setting;
pub mod svd;
pub mod topic_model;
pub mod topics;

pub use error::ModelError;
pub use list::{DEFAULT_REFINE, DEFAULT_SWEEPS, Model, START_HELP, UnknownModel};
