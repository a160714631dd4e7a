//! What may wait, apart from the loop: asking the store, writing to it, starting processes.

pub mod console;
pub mod exporter;
pub mod launcher;
pub mod pace;
pub mod queue_keeper;
pub mod reader;
pub mod recall;
