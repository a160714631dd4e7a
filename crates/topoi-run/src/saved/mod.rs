//! Reading finished runs: alignment, comparison, the truth, inference, similar documents.

pub mod align;
pub mod anchor_map;
pub mod changes;
pub mod coloured_text;
pub mod common_words;
pub mod compare;
pub mod infer;
pub mod known_topics;
pub mod news;
pub mod noise;
pub mod passages;
pub mod same_topic;
pub mod similar;
pub mod topic_images;
pub mod topic_lifts;
pub mod topics;
pub mod truth;
pub mod verify;
