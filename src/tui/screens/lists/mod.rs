//! Screens that are one list: each says what is its own of it ([`ListSpec`](crate::tui::list::screen::ListSpec)).

pub mod left_out;
pub mod notes;
pub mod parent;
pub mod results;
pub mod rising_words;
pub mod same_topic;
pub mod similar;
pub mod topics_elsewhere;
pub mod two_corpora;
