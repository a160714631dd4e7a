//! Coherence scores: how often the top words of a topic occur together. Each score is a variant
//! whose settings are saved with its value.

pub mod pair_counts;
pub mod scores;
pub mod variants;
pub mod windows;
pub mod word_pairs;
