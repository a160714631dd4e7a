//! What tells a good run from a bad one: numbers per topic and per run.

pub mod coherence;
pub mod coherence_variants;
pub mod document_frequencies;
pub mod pair_counts;
pub mod reconstruction;
pub mod token_sequences;
pub mod top_words;
pub mod topic_shape;
pub mod windows;
pub mod word_pairs;
