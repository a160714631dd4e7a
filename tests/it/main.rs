//! The library and the program from end to end, as people use them: one binary, so that SQLite and the
//! rest are linked once.

mod bad_input;
mod bounds;
mod bounds_theory;
mod check;
mod checkpoints;
mod cli;
mod coherence_oracle;
mod coherence_tools;
mod common;
mod compare;
mod delete;
mod determinism;
mod documents;
mod export;
mod export_dfr_browser;
mod export_round_trips;
mod ingest;
mod jsmf;
mod layering;
mod licences;
mod life;
mod metrics;
mod model_pages;
mod parts;
mod queue;
mod rank_one_downdate;
mod schema_readme;
mod separable;
mod sql_functions;
mod sweep;
mod synth;
mod tui;
mod tutorial;
mod update;
mod vocabularies;
