//! Errors of the estimation of effects.

/// Effects could not be estimated.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EffectsError {
    /// The expression does not parse.
    #[error("{what} in {typed:?}; an expression is like \"~ party + s(year) + party:year\"")]
    Expression {
        /// The expression as typed.
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
    /// A spline of a category.
    #[error(
        "s({field}) is for numbers and dates, and {field:?} is a category; write it without s( )"
    )]
    SplineOfCategory {
        /// The field's name as typed.
        field: String,
    },
    /// A spline of a field with fewer than four different values.
    #[error(
        "s({field}) needs four values or more, and {field:?} has {values}; write it without s( ), or set its kind to category"
    )]
    FewForSpline {
        /// The field's name as typed.
        field: String,
        /// Number of its different values.
        values: usize,
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
        "{documents} documents have all fields of the expression, too few for its {terms} coefficients; leave fields out"
    )]
    FewDocuments {
        /// Documents with values of all fields.
        documents: usize,
        /// Coefficients, including the constant.
        terms: usize,
    },
    /// Clustered errors with fewer than two clusters.
    #[error("errors by a field need documents in two of its groups or more, and there is {0}")]
    FewClusters(usize),
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
        true => ", or write a * b, which is a + b + a:b, in place of a:b alone",
        false => "",
    }
}
