//! Formulas of regressions, as R reads them: `~ party + s(year, 5) + party:age`.

mod parser;

use std::collections::BTreeSet;

use super::EffectsError;
use parser::FormulaParser;

/// One variable of a formula.
#[derive(Debug, Clone, PartialEq)]
pub enum Factor {
    /// A field as it is: a number, or categories.
    Field(String),
    /// `C(field, ref=value)` or `factor(field)`: categories, also of numbers.
    Category {
        /// Name of the field.
        field: String,
        /// The reference category; `None` for the first.
        reference: Option<String>,
    },
    /// A spline of a number.
    Spline {
        /// Name of the field.
        field: String,
        /// Name as typed: `s`, `ns` or `bs`.
        typed: String,
        /// Number of columns; `None` for the default.
        columns: Option<usize>,
        /// Whether it is linear beyond the boundaries (`s`, `ns`).
        is_natural: bool,
    },
    /// `poly(field, degree)`: orthogonal polynomials.
    Polynomial {
        /// Name of the field.
        field: String,
        /// The degree.
        degree: usize,
    },
    /// A function of a number.
    Function {
        /// Name of the field.
        field: String,
        /// The function.
        function: NumberFunction,
    },
}

/// Functions of a number in a formula.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NumberFunction {
    /// The natural logarithm.
    Log,
    /// The logarithm to base 2.
    Log2,
    /// The logarithm to base 10.
    Log10,
    /// log(1 + x).
    Log1p,
    /// The square root.
    Sqrt,
    /// The exponential function.
    Exp,
    /// The number less its mean, over its standard deviation.
    Scale,
    /// `I(x^2)`: a power.
    Power(f64),
}

impl NumberFunction {
    /// The functions that are written NAME(field).
    pub(super) const NAMED: [(&str, Self); 7] = [
        ("log", Self::Log),
        ("log2", Self::Log2),
        ("log10", Self::Log10),
        ("log1p", Self::Log1p),
        ("sqrt", Self::Sqrt),
        ("exp", Self::Exp),
        ("scale", Self::Scale),
    ];
}

impl Factor {
    /// Name of the field.
    pub fn field(&self) -> &str {
        match self {
            Self::Field(field)
            | Self::Category { field, .. }
            | Self::Spline { field, .. }
            | Self::Polynomial { field, .. }
            | Self::Function { field, .. } => field,
        }
    }

    /// The factor as a formula has it. Columns and terms are named after it.
    pub fn name(&self) -> String {
        match self {
            Self::Field(field) | Self::Category { field, .. } => field.clone(),
            Self::Spline { field, typed, .. } => format!("{typed}({field})"),
            Self::Polynomial { field, degree } => format!("poly({field}, {degree})"),
            Self::Function { field, function: NumberFunction::Power(exponent) } => {
                format!("I({field}^{exponent})")
            }
            Self::Function { field, function } => {
                let named = NumberFunction::NAMED.iter().find(|(_, known)| known == function);
                format!("{}({field})", named.map_or("", |(name, _)| *name))
            }
        }
    }
}

/// The terms of a regression. Each is a product of factors.
#[derive(Debug, Clone, PartialEq)]
pub struct Formula {
    /// Whether there is a constant.
    pub has_constant: bool,
    /// Terms in the order in which they are typed, with fewer factors first. The factors of a term
    /// are in the order of their first appearance.
    pub terms: Vec<Vec<Factor>>,
}

impl Formula {
    /// Parses a formula as R does; the `~` is optional. In the order of precedence there are `^`, `:`,
    /// `%in%`, `*` and `/`, `+` and `-`, and parentheses; `- 1` or `0 +` leaves the constant out.
    /// Names with characters other than letters, digits, `_` and `.` are in backticks or quotes.
    ///
    /// # Errors
    /// [`EffectsError::Formula`].
    pub fn parse(typed: &str) -> Result<Self, EffectsError> {
        FormulaParser::parse(typed)
            .map_err(|what| EffectsError::Formula { typed: typed.into(), what })
    }

    /// Whether a category has a column for its reference, too, as factor `place` of term `at`. It has
    /// one where the other factors of the term occur together in no earlier term.
    ///
    /// # Source
    /// R's `terms.formula`, whose attribute `factors` is 2 there and 1 otherwise.
    pub(in crate::effects) fn is_full(&self, at: usize, place: usize) -> bool {
        let mut others = self.terms[at].clone();
        others.remove(place);
        let has_all = |term: &Vec<Factor>| others.iter().all(|factor| term.contains(factor));
        !others.is_empty() && !self.terms[..at].iter().any(has_all)
    }

    /// Names of the fields, each once.
    pub fn fields(&self) -> BTreeSet<&str> {
        self.terms.iter().flatten().map(Factor::field).collect()
    }
}
