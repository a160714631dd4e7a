//! Formats of counted words, mostly numbered, and the vocabularies that map the numbers to words.

pub(super) mod ldac;
pub(crate) mod matrix_market;
pub(crate) mod numbered_words;
pub(super) mod svmlight;
pub(crate) mod triples;
pub(super) mod uci;
pub(crate) mod vocabulary;
pub(super) mod vowpal_wabbit;
