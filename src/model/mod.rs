//! Topic models: functions from an operator and settings to topics. They know no store.

pub mod anchor_topics;
pub mod error;
pub mod law;
pub mod lr_jsmf;
pub mod rectify;

pub use error::ModelError;
