//! What is in finished runs: topics aligned, compared, held against a truth, found again in documents.

pub mod agreement;
pub mod align;
pub mod anchor_map;
pub mod coloured_text;
pub mod compare;
pub mod frex_words;
pub mod infer;
pub mod known_topics;
pub mod semi_topics;
pub mod topic_documents;
pub mod topic_images;
pub mod topic_lifts;
pub mod truth;
pub mod verify;
