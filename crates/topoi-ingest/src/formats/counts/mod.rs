//! Formats whose documents are counts of words, most of them numbered, and the vocabularies that say what
//! the numbers mean.

pub(super) mod ldac;
pub(super) mod matrix_market;
pub(crate) mod numbered_words;
pub(super) mod svmlight;
pub(super) mod triples;
pub(super) mod uci;
pub(crate) mod vocabulary;
pub(super) mod vowpal_wabbit;
