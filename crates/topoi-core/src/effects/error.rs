//! Errors of the estimation of effects.

/// Effects could not be estimated.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EffectsError {
    /// The formula does not parse.
    #[error("{what} in {typed:?}; a formula is like \"~ party + s(year) + party:year\"")]
    Formula {
        /// The formula as typed.
        typed: String,
        /// What is wrong with it.
        what: String,
    },
    /// A field with a single value.
    #[error(
        "{field:?} has one value in all documents, {value}, so that nothing can depend on it; leave it out"
    )]
    OneValue {
        /// The field's name as typed.
        field: String,
        /// The value of all documents.
        value: String,
    },
    /// A field with too many categories for a table of coefficients.
    #[error("{field:?} has {categories} categories, more than {most}")]
    ManyCategories {
        /// The field's name as typed.
        field: String,
        /// Number of its categories.
        categories: usize,
        /// Largest number of categories.
        most: usize,
    },
    /// A function of numbers, of a category.
    #[error(
        "{factor} is for numbers and dates, and {field:?} is a category; write {field} alone, or set its kind"
    )]
    NotANumber {
        /// The field's name as typed.
        field: String,
        /// The factor of the formula.
        factor: String,
    },
    /// A spline or polynomial of a field with too few different values.
    #[error(
        "{factor} needs more different values than {field:?} has, {values}; write {field} alone, or C({field}) \
         for categories"
    )]
    FewValues {
        /// The field's name as typed.
        field: String,
        /// The factor of the formula.
        factor: String,
        /// Number of its different values.
        values: usize,
    },
    /// A function that has no value for a document's number.
    #[error("{factor} has no value where {field:?} is {value}")]
    NotFinite {
        /// The field's name as typed.
        field: String,
        /// The factor of the formula.
        factor: String,
        /// The first such number.
        value: String,
    },
    /// A term that depends linearly on those before it.
    #[error(
        "{term:?} follows from the terms before it (they are collinear); leave one of them out{}",
        hint(term)
    )]
    Collinear {
        /// The first such coefficient.
        term: String,
    },
    /// No more documents than coefficients.
    #[error(
        "{documents} documents have all fields of the formula, too few for its {terms} coefficients; leave fields out"
    )]
    FewDocuments {
        /// Documents with values of all fields.
        documents: usize,
        /// Coefficients.
        terms: usize,
    },
    /// Clustered errors with fewer than two clusters.
    #[error("clusters need documents in two of them or more, and there is {0}")]
    FewClusters(usize),
    /// A term that the absorbed fields leave nothing of.
    #[error(
        "{term:?} does not vary within the values of the absorbed fields; leave one of them out"
    )]
    Absorbed {
        /// The first such coefficient.
        term: String,
    },
    /// A level of shares where their means are absorbed.
    #[error("predicted shares need a constant, which absorbed fields take out")]
    NoLevel,
    /// The work was interrupted.
    #[error("interrupted")]
    Cancelled,
    /// A weight below 0.
    #[error("{field:?} is {value} in a document, and weights are 0 or more")]
    NegativeWeight {
        /// The field of weights.
        field: String,
        /// The first such value.
        value: String,
    },
    /// A value to predict at that was not observed.
    #[error("{field:?} has no value {value:?} among these documents; {known}")]
    NotSeen {
        /// The field's name as typed.
        field: String,
        /// The value requested.
        value: String,
        /// The observed values, in words.
        known: String,
    },
}

/// Advice for an interaction: without its main effects it has a column for every pair of values.
fn hint(term: &str) -> &'static str {
    match term.contains(':') {
        true if term.contains("s(") => {
            ", or give the smooth line fewer columns, as s(year, 3): some groups have few values of it"
        }
        true => ", or write a * b, which is a + b + a:b, in place of a:b alone",
        false => "",
    }
}
