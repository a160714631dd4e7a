//! What the word probabilities of topics say by themselves: how they differ, how exclusive they are.

pub mod exclusivity;
pub mod frex;
pub mod l1_error;
pub mod stability;
pub mod top_words;
pub mod topic_diversity;
pub mod topic_shape;
