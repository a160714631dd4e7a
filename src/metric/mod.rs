//! What tells a good run from a bad one: numbers per topic and per run.

pub mod anchor_space;
pub mod approximation;
pub mod better;
pub mod coherence;
pub mod coherence_variants;
pub mod document_completion;
pub mod document_frequencies;
pub mod exclusivity;
pub mod frex;
pub mod held_out;
pub mod l1_error;
pub mod left_to_right;
pub mod log_relative_volume;
pub mod mst_incoherence;
pub mod pair_counts;
pub mod random_hull;
pub mod row_norms;
pub mod token_sequences;
pub mod top_words;
pub mod topic_conditions;
pub mod topic_diversity;
pub mod topic_shape;
pub mod windows;
pub mod word_map;
pub mod word_pairs;
