//! What depends on the language of a text: stop words, elision, letters that are written in several ways.

pub mod by_language;
pub mod elision;
pub mod languages;
pub mod letters;
pub mod stop_words;
