//! Topic models: functions from an operator and settings to topics. They know no store.

pub mod anchor_topics;
pub mod aw;
mod checkpoint;
pub mod documents;
pub mod enn;
pub mod error;
mod formed;
pub mod jsmf;
pub mod law;
pub mod lda_gibbs;
mod legs;
pub mod lr_jsmf;
pub mod nmf;
pub mod palm;
pub mod r1d;
pub mod raw;
pub mod rectify;
pub mod refine;
pub mod separable;
pub mod svd;
pub mod topics;

pub use error::ModelError;
