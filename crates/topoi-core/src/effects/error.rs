//! Why no effects are estimated.

use crate::shell_word::shell_word;

/// Why no effects are estimated.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EffectsError {
    /// What was typed is no expression.
    #[error("{what} in {typed:?}; an expression is like \"~ party + s(year) + party:year\"")]
    Expression {
        /// What was typed.
        typed: String,
        /// What is wrong with it.
        what: String,
    },
    /// A field that says nothing.
    #[error(
        "{field:?} has one value in all documents, {value}, so that nothing can depend on it; leave it out"
    )]
    OneValue {
        /// Its name, as it was written.
        field: String,
        /// The value that all documents have.
        value: String,
    },
    /// More categories than a table can have rows for.
    #[error(
        "{field:?} has {categories} categories, more than {most}; choose a field with fewer, fewer documents \
         (--where), or say that it is a number or date (`topoi fields CORPUS --set {}=KIND`)",
        shell_word(field)
    )]
    ManyCategories {
        /// Its name, as it was written.
        field: String,
        /// How many it has.
        categories: usize,
        /// How many it may have.
        most: usize,
    },
    /// A spline of something that is no number.
    #[error(
        "s({field}) is for numbers and dates, and {field:?} is a category; write it without s( )"
    )]
    SplineOfCategory {
        /// Its name, as it was written.
        field: String,
    },
    /// A spline through few values.
    #[error(
        "s({field}) needs four values or more, and {field:?} has {values}; write it without s( ), or set its kind to category"
    )]
    FewForSpline {
        /// Its name, as it was written.
        field: String,
        /// How many it has.
        values: usize,
    },
    /// A term that follows from those before it.
    #[error(
        "{term:?} follows from the terms before it (they are collinear); leave one of them out{}",
        hint(term)
    )]
    Collinear {
        /// The first such term.
        term: String,
    },
    /// Fewer documents than coefficients.
    #[error(
        "{documents} documents have all fields of the expression, too few for its {terms} coefficients; leave fields out"
    )]
    FewDocuments {
        /// Documents with all fields.
        documents: usize,
        /// Columns of the design, the constant among them.
        terms: usize,
    },
    /// Errors by groups need groups.
    #[error("errors by a field need documents in two of its groups or more, and there is {0}")]
    FewClusters(usize),
    /// A value to predict at that is not among those seen.
    #[error("{field:?} has no value {value:?} among these documents; {known}")]
    NotSeen {
        /// Its name, as it was written.
        field: String,
        /// What was asked for.
        value: String,
        /// What it has, in words.
        known: String,
    },
}

/// A product without the fields it is made of has a column for every pair of their values.
fn hint(term: &str) -> &'static str {
    match term.contains(':') {
        true => ", or write a * b, which is a + b + a:b, in place of a:b alone",
        false => "",
    }
}
