//! The command line: parses arguments, starts work, prints results.
//!
//! A command is a file in one of the modules `corpus`, `reading`, `work`, `saved`, `reporting` and `store`, with its `Arguments` (whose first
//! line is its help in `topoi --help`), a record of its output, and `run`. [`commands`] lists them.

pub mod attend;
pub mod bar;
pub mod changes;
pub mod commands;
pub mod destination;
pub mod follow;
pub mod in_parts;
pub mod messages;
pub mod output;
pub mod remedy;
pub mod rows;

/// What is typed: arguments that several commands have, runs and stores by name, the command as a whole.
pub mod typed {
    pub mod arguments;
    pub mod citation;
    pub mod command_words;
    pub mod run_arguments;
    pub mod run_reference;
    pub mod store_path;
    pub mod vocabulary_arguments;
}

/// Commands on corpora.
pub mod corpus {
    pub mod bounds;
    pub mod bounds_report;
    pub mod corpora;
    pub mod documents;
    pub mod fields;
    pub mod ingest;
    pub mod ingest_summary;
    pub mod left_out;
    pub mod phrases;
    pub mod shard;
    pub mod stop_words;
    pub mod synth;
    pub mod synth_arguments;
    pub mod terms;
    pub mod unify;
    pub mod vocabularies;
}

/// Commands for those who read: what texts say, and what is noted of it.
pub mod reading {
    pub mod collocates;
    pub mod keywords;
    pub mod note;
    pub mod notes;
    pub mod search;
}

/// Commands on the results of runs.
pub mod saved {
    pub mod compare;
    pub mod export;
    pub mod infer;
    pub mod judge;
    mod judge_sheet;
    pub mod judgements;
    pub mod label;
    mod label_with;
    pub mod metrics;
    pub mod similar;
    pub mod topics;
    pub mod truth;
    pub mod verify;
}

/// Commands for what is printed in a paper: groups, effects, figures, what was kept, how a run was made.
pub mod reporting {
    pub mod by;
    pub mod effects;
    pub mod effects_arguments;
    pub mod methods;
    pub mod plot;
    pub mod results;
    mod saving;
    pub mod script;
}

/// Commands on the store, and on the program itself.
pub mod store {
    pub mod backup;
    pub mod check;
    pub mod compact;
    pub mod completions;
    pub mod config;
    mod consent;
    pub mod delete;
    pub mod delete_documents;
    mod delete_results;
    mod delete_runs;
    pub mod demo;
    pub mod man;
    pub mod sql;
}

/// Commands that start runs and see to them.
pub mod work {
    pub mod assign;
    pub mod cancel;
    pub mod held_out;
    pub mod import;
    pub mod log;
    pub mod name;
    pub mod nightly;
    pub mod queue;
    pub mod resume;
    pub mod run;
    pub mod runs;
    pub mod shape;
    pub mod stability;
    pub mod sweep;
    pub mod update;
    pub mod watch;
    pub mod worker;
}
