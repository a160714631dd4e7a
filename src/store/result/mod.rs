//! What a finished run leaves: topics, what its documents are about, metrics, and what was found beside.

pub mod document_topic;
pub mod k_bound;
pub mod metric;
pub mod novel_word;
pub mod result_hash;
pub mod topic;
pub mod topic_agreement;
pub mod word_position;
pub mod word_topics;
