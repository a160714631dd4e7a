//! How often the top words of a topic occur together: the coherence scores, each a variant whose
//! settings are saved beside its value, and the counts they are made from.

pub mod pair_counts;
pub mod scores;
pub mod variants;
pub mod windows;
pub mod word_pairs;
