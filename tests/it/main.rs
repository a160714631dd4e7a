//! The library and the program from end to end, as people use them: one binary, so that SQLite and the
//! rest are linked once.

mod against_field;
mod as_people_write;
mod assign;
mod backup;
mod bad_input;
mod bounds;
mod bounds_theory;
mod check;
mod checkpoints;
mod cli;
mod coherence_oracle;
mod coherence_tools;
mod commands;
mod common;
mod compare;
mod damaged_stores;
mod degenerate;
mod delete;
mod determinism;
mod documents;
mod effects;
mod embeddings;
mod every_command;
mod export;
mod export_dfr_browser;
mod export_force;
mod export_html;

mod export_round_trips;
mod fields;
mod front_door;
mod fuzz;
mod imports;
mod jsmf;
mod json;
mod judge;
mod label;
mod life;
mod long_documents;
mod machine_output;
mod metadata;
mod metric_registry;
mod metrics;
mod missing_values;
mod model_pages;
mod nightly;
mod notes;
mod one_name;
mod other_sqlite;
mod pages;
mod parts_cost;
mod parts_killed;
mod plot;
mod power_cut;
mod queue;
mod rank_one_downdate;
mod results;
mod rooms;
mod run_references;
mod runs_directory;
mod schema_readme;
mod search;
mod separable;
mod shape;
mod shell_words;
mod sources;
mod sql_functions;
mod surroundings;
mod sweep;
mod synth;
mod topic_documents;
mod topic_shares;
mod tui;
mod tutorial;
mod under_mpirun;
mod update;
mod vocabularies;
mod warnings;
mod words;

/// Ingests into a real store: what they add, replace and leave out, what is refused, and what is
/// there after a kill, on a full disk and beside other writers.
mod ingest {
    mod adding;
    mod bench;
    mod chunks;
    #[cfg(feature = "parquet")]
    pub(crate) mod columnar;
    mod documents;
    mod formats;
    mod full_disk;
    mod kept_apart;
    mod killing;
    mod nasty;
    mod refusals;
    mod replacing;
    mod said;
    mod shares;
    mod spreadsheets;
    mod tokens;
    mod unreadable;
}
