//! Topic models: functions from an operator and settings to topics. They know no store.
//!
//! A folder a model: its `mod.rs` has the model's card and settings ([`topic_model::TopicModel`]). What several
//! models share is in folders of its own: [`jsmf`] (stages, rectification, LAW), [`separable`] (novel words), [`nmf`],
//! [`documents`]; what a setting is, and what is derived from it, in [`setting`].

pub mod aw;
pub mod binning;
mod checkpoint;
pub mod ddp;
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
pub mod rp;
pub mod rp_doc;
pub mod separable;
pub mod setting;
pub mod svd;
pub mod topic_model;
pub mod topics;

pub use error::ModelError;
pub use list::{Model, UnknownModel};
