//! Metrics of the topics' word probabilities alone: how topics differ, how exclusive their words are.

pub mod exclusivity;
pub mod frex;
pub mod l1_error;
pub mod ranking;
pub mod stability;
pub mod top_words;
pub mod topic_diversity;
pub mod topic_shape;
