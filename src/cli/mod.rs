//! The command line: reads arguments, starts work, prints what the store holds.

pub mod arguments;
pub mod attend;
pub mod bar;
pub mod check_command;
pub mod compare_command;
pub mod delete_command;
pub mod delete_documents;
pub mod demo_command;
pub mod dispatch;
pub mod follow;
pub mod ingest_arguments;
pub mod ingest_command;
pub mod life_arguments;
pub mod lists;
pub mod metrics_command;
pub mod output;
pub mod queue_command;
pub mod run_command;
pub mod separable_arguments;
pub mod sql_command;
pub mod store_path;
pub mod terms_command;
pub mod topics_command;
pub mod verify_command;
pub mod vocabulary_arguments;
