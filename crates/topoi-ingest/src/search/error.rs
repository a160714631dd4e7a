//! Why nothing is looked for.

use topoi_store::StoreError;

/// Why nothing is looked for; one line.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// What was typed cannot be read.
    #[error(
        "{problem}; a query is words and \"phrases\", AND, OR, NOT, NEAR/5, ( ), begin*, wom?n, field:value, year:1815..1816, \
         such as: market AND (\"stock exchange\" OR bank*) NOT year:2004"
    )]
    Query {
        /// What is wrong with it.
        problem: String,
    },
    /// No document has the field.
    #[error("no document of corpus {corpus:?} has a field {field:?}; there are: {known}")]
    UnknownField {
        /// The name that was asked for.
        field: String,
        /// Name of the corpus.
        corpus: String,
        /// The names that there are.
        known: String,
    },
    /// A corpus of counted words.
    #[error("corpus {corpus:?} has counted words and no texts to look through")]
    NoTexts {
        /// Name of the corpus.
        corpus: String,
    },
    /// The corpus does not have the term.
    #[error("corpus {corpus:?} has no term {term:?}")]
    UnknownTerm {
        /// The word that was asked for.
        term: String,
        /// Name of the corpus.
        corpus: String,
    },
    /// The user has had enough.
    #[error("stopped; what was indexed is kept, and the same command goes on from there")]
    Stopped,
    /// It could not be read.
    #[error("{0}")]
    Store(#[from] StoreError),
}
