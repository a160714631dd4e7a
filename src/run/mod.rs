//! Runs: the one place that joins store, operators, models and metrics.
//!
//! `request` says what to do, `spawn` starts the worker process that does it, `worker` is that
//! process, `work` is the work itself, `shelf` what the runs of a worker share,
//! `recompute` measures a finished run again, `life` tells how a run fares. `anchor_map`, `topic_lifts`, `topic_documents`, `topic_images`, `compare` and
//! `sweep` say what is in finished runs, `recommendation` which K to look at first, `agreement` and
//! `stability` which topics to trust, `truth` how far that is from what `known_topics` reads;
//! `semi_topics` is what a corpus can be drawn from.

pub mod about_documents;
pub mod agreement;
pub mod align;
pub mod anchor_map;
pub mod bounds;
pub mod coherence;
pub mod coloured_text;
pub mod compare;
pub mod delete;
pub mod estimate;
pub mod factor_choices;
mod factor_models;
pub mod fields;
pub mod fit;
pub mod frex_words;
mod heartbeat;
pub mod held_out;
pub mod imported;
pub mod in_parts;
pub mod infer;
pub mod k_list;
pub mod kept_sums;
pub mod known_topics;
pub mod life;
pub mod material;
pub mod measure;
pub mod memory;
pub mod models;
pub mod queue;
pub mod recommendation;
pub mod recompute;
pub mod repetition;
pub mod reporter;
pub mod request;
pub mod result;
pub mod semi_topics;
pub mod separable_choices;
pub mod shelf;
pub mod sources;
pub mod spawn;
pub mod stability;
pub mod sweep;
pub mod sweep_request;
#[cfg(test)]
mod test_parts;
pub mod text_sequences;
pub mod topic_documents;
pub mod topic_images;
pub mod topic_lifts;
pub mod truth;
pub mod update;
pub mod verify;
mod vocabulary;
pub mod work;
pub mod work_error;
pub mod worker;
