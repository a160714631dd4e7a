//! Commands on corpora.

pub mod bounds;
pub mod bounds_report;
pub mod corpora;
pub mod documents;
pub mod ingest;
pub mod ingest_arguments;
pub mod shard;
pub mod synth;
pub mod synth_arguments;
pub mod terms;
pub mod unify;
pub mod vocabularies;
