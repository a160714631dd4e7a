//! Topic models: functions from an operator and settings to topics. They know no store.
//!
//! One folder per model: its `mod.rs` has the model's card and settings ([`topic_model::TopicModel`]). [`separable`] is
//! four models, with a detector each. Code that several models share has its own folders: [`jsmf`] (stages,
//! rectification, LAW), [`nmf`], [`documents`]; [`setting`] defines settings and what is derived from them.

pub mod aw;
mod checkpoint;
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
pub use list::{DEFAULT_REFINE, Model, START_HELP, UnknownModel};
