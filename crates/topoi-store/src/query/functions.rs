//! SQL functions for users' queries beyond SQLite's own.

use rusqlite::Error;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;

use super::{distances, group_means, mathematics};
use crate::Store;
use crate::error::Result;
use topoi_core::formula::{frex::frex, relevance::relevance};

/// A function that queries can call, with its help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SqlFunction {
    /// Name and arguments, as in a query.
    pub signature: &'static str,
    /// What the function returns.
    pub meaning: &'static str,
}

/// All functions; `schema/README.md` has more details.
pub const FUNCTIONS: &[SqlFunction] = &[
    SqlFunction {
        signature: "median(x)",
        meaning: "of the rows of a group; the mean of the middle two where there are two",
    },
    SqlFunction {
        signature: "quantile(x, share)",
        meaning: "the number below which that share of the rows of a group lies",
    },
    SqlFunction {
        signature: "text REGEXP pattern",
        meaning: "whether the pattern is somewhere in the text; (?i) for any case",
    },
    SqlFunction {
        signature: "ln(x), log(b, x), exp(x), sqrt(x), power(x, y) ...",
        meaning: "SQLite's mathematical functions",
    },
    SqlFunction {
        signature: "relevance(p, marginal, lambda)",
        meaning: "of a word to a topic (LDAvis): lambda ln p + (1 - lambda) ln(p / marginal)",
    },
    SqlFunction {
        signature: "frex(frequency, exclusivity, weight)",
        meaning: "harmonic mean of two cume_dist(); weight (0.5) is that of exclusivity",
    },
    SqlFunction {
        signature: "natural_order(text)",
        meaning: "to sort by as people count: ORDER BY natural_order(key) has 2 before 10",
    },
    SqlFunction {
        signature: "jsd(run_a, topic_a, run_b, topic_b)",
        meaning: "how far two saved topics are apart, 0 to 1 bit",
    },
    SqlFunction {
        signature: "hellinger(run, document_a, document_b)",
        meaning: "how different two documents' topics are, 0 to 1; documents by their id",
    },
];

pub(super) type FunctionResult = rusqlite::Result<Option<f64>>;

impl Store {
    /// Registers the functions on the connection.
    pub(crate) fn define_functions(&self) -> Result<()> {
        let pure = FunctionFlags::SQLITE_UTF8
            | FunctionFlags::SQLITE_DETERMINISTIC
            | FunctionFlags::SQLITE_INNOCUOUS;
        let define = || {
            mathematics::define(&self.connection, pure)?;
            self.connection.create_scalar_function("natural_order", 1, pure, natural_order)?;
            self.connection.create_scalar_function("relevance", 3, pure, relevance_of)?;
            self.connection.create_scalar_function("frex", 2, pure, frex_of)?;
            self.connection.create_scalar_function("frex", 3, pure, frex_of)?;
            distances::define(self)?;
            group_means::define(self)
        };
        define().map_err(|source| self.error(source))
    }
}

/// A sort key in which the numbers in `text` compare as numbers: each is prefixed with its number of digits.
fn natural_order(context: &Context<'_>) -> rusqlite::Result<Option<String>> {
    let text = match context.get_raw(0) {
        ValueRef::Text(text) => String::from_utf8_lossy(text),
        _ => return Ok(None),
    };
    let mut ordered = String::with_capacity(text.len() + 4);
    let mut rest = &*text;
    while let Some(at) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let end = rest[at..].find(|letter: char| !letter.is_ascii_digit());
        let end = end.map_or(rest.len(), |end| at + end);
        let digits = rest[at..end].trim_start_matches('0');
        ordered.push_str(&rest[..at]);
        // One letter, '0' for none and so on; longer numbers than sixty digits are no counts.
        let length = u8::try_from(digits.len()).unwrap_or(60).min(60);
        ordered.push(char::from(b'0' + length));
        ordered.push_str(digits);
        rest = &rest[end..];
    }
    ordered.push_str(rest);
    Ok(Some(ordered))
}

fn relevance_of(context: &Context<'_>) -> FunctionResult {
    let p = number(context, 0, "relevance: p")?;
    let marginal = number(context, 1, "relevance: marginal")?;
    let lambda = share(context, 2, "relevance: lambda")?;
    let (Some(p), Some(marginal), Some(lambda)) = (p, marginal, lambda) else { return Ok(None) };
    Ok(relevance(p, marginal, lambda))
}

fn frex_of(context: &Context<'_>) -> FunctionResult {
    let frequency = share(context, 0, "frex: frequency")?;
    let exclusivity = share(context, 1, "frex: exclusivity")?;
    let weight = if context.len() > 2 { share(context, 2, "frex: weight")? } else { Some(0.5) };
    let (Some(frequency), Some(exclusivity), Some(weight)) = (frequency, exclusivity, weight)
    else {
        return Ok(None);
    };
    Ok(Some(frex(frequency, exclusivity, weight)))
}

/// An argument as a number; `None` for NULL.
pub(super) fn number(context: &Context<'_>, at: usize, name: &str) -> FunctionResult {
    match context.get_raw(at) {
        ValueRef::Null => Ok(None),
        ValueRef::Integer(number) => Ok(Some(number as f64)),
        ValueRef::Real(number) => Ok(Some(number)),
        other => Err(function_error(format!("{name} is a number, not {}", type_name(other)))),
    }
}

/// An argument as a number in [0, 1]; `None` for NULL.
pub(super) fn share(context: &Context<'_>, at: usize, name: &str) -> FunctionResult {
    match number(context, at, name)? {
        Some(number) if !(0.0..=1.0).contains(&number) => {
            Err(function_error(format!("{name} is from 0 to 1, not {number}")))
        }
        other => Ok(other),
    }
}

pub(super) fn type_name(value: ValueRef<'_>) -> &'static str {
    match value {
        ValueRef::Null => "NULL",
        ValueRef::Integer(_) | ValueRef::Real(_) => "a number with a fraction",
        ValueRef::Text(_) => "text",
        ValueRef::Blob(_) => "a blob",
    }
}

pub(super) fn function_error(words: String) -> Error {
    Error::UserFunctionError(words.into())
}
