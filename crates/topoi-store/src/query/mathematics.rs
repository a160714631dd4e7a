//! SQLite's mathematical functions, which the bundled library lacks, regular expressions, and quantiles.

use std::sync::Arc;

use regex::{Regex, RegexBuilder};
use rusqlite::functions::{Aggregate, Context, FunctionFlags};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Result};

use super::functions::{function_error, number, share, type_name};

/// A function of one argument.
type Unary = fn(f64) -> f64;

/// A function of two arguments.
type Binary = fn(f64, f64) -> f64;

/// Functions of one argument. As in SQLite, the result is NULL for arguments that are not numbers and where it
/// is undefined.
const UNARY: [(&str, Unary); 21] = [
    ("acos", f64::acos),
    ("asin", f64::asin),
    ("atan", f64::atan),
    ("ceil", f64::ceil),
    ("ceiling", f64::ceil),
    ("cos", f64::cos),
    ("cosh", f64::cosh),
    ("degrees", f64::to_degrees),
    ("exp", f64::exp),
    ("floor", f64::floor),
    ("ln", f64::ln),
    ("log", f64::log10),
    ("log10", f64::log10),
    ("log2", f64::log2),
    ("radians", f64::to_radians),
    ("sin", f64::sin),
    ("sinh", f64::sinh),
    ("sqrt", f64::sqrt),
    ("tan", f64::tan),
    ("tanh", f64::tanh),
    ("trunc", f64::trunc),
];

/// Functions of two arguments; `log` takes its base first.
const BINARY: [(&str, Binary); 5] = [
    ("atan2", f64::atan2),
    ("log", |base, x| x.ln() / base.ln()),
    ("mod", |x, y| x % y),
    ("pow", f64::powf),
    ("power", f64::powf),
];

/// Maximum size of a compiled pattern in bytes.
const LARGEST_PATTERN: usize = 1 << 20;
/// Maximum number of values of a quantile: 512 MB.
const MAX_QUANTILE_VALUES: usize = 1 << 26;

/// Registers the functions of this file.
pub(super) fn define(connection: &Connection, pure: FunctionFlags) -> Result<()> {
    for (name, function) in UNARY {
        connection.create_scalar_function(name, 1, pure, move |context| {
            Ok(plain(context, 0).map(function).filter(|value| value.is_finite()))
        })?;
    }
    for (name, function) in BINARY {
        connection.create_scalar_function(name, 2, pure, move |context| {
            let both = plain(context, 0).zip(plain(context, 1));
            Ok(both.map(|(x, y)| function(x, y)).filter(|value| value.is_finite()))
        })?;
    }
    connection.create_scalar_function("pi", 0, pure, |_| Ok(std::f64::consts::PI))?;
    connection.create_scalar_function("regexp", 2, pure, regexp)?;
    connection.create_aggregate_function("median", 1, pure, Quantile)?;
    connection.create_aggregate_function("quantile", 2, pure, Quantile)
}

fn plain(context: &Context<'_>, at: usize) -> Option<f64> {
    match context.get_raw(at) {
        ValueRef::Integer(number) => Some(number as f64),
        ValueRef::Real(number) => Some(number),
        _ => None,
    }
}

/// Whether a text contains a pattern. `text REGEXP pattern` calls it with the pattern first.
fn regexp(context: &Context<'_>) -> Result<Option<bool>> {
    let text = match context.get_raw(1) {
        ValueRef::Null => return Ok(None),
        ValueRef::Text(text) => String::from_utf8_lossy(text),
        other => {
            return Err(function_error(format!(
                "regexp looks into text, not {}",
                type_name(other)
            )));
        }
    };
    if matches!(context.get_raw(0), ValueRef::Null) {
        return Ok(None);
    }
    let pattern: Arc<Regex> = context.get_or_create_aux(0, |pattern| {
        let pattern =
            pattern.as_str().map_err(|_| function_error("regexp: no text as pattern".into()))?;
        RegexBuilder::new(pattern).size_limit(LARGEST_PATTERN).build().map_err(|error| {
            let last = error.to_string();
            let reason = last.lines().last().unwrap_or_default().trim_start_matches("error: ");
            function_error(format!("regexp: {pattern:?} is no pattern: {reason}"))
        })
    })?;
    Ok(Some(pattern.is_match(&text)))
}

/// `quantile(x, q)` is the value below which a share q of all values lies, interpolated between neighbours.
/// `median(x)` has q = 1/2. NULLs are skipped.
struct Quantile;

/// The values and the share q.
#[derive(Default)]
struct QuantileState {
    all: Vec<f64>,
    share: Option<f64>,
}

impl Aggregate<QuantileState, Option<f64>> for Quantile {
    fn init(&self, _: &mut Context<'_>) -> Result<QuantileState> {
        Ok(QuantileState::default())
    }

    fn step(&self, context: &mut Context<'_>, state: &mut QuantileState) -> Result<()> {
        if context.len() > 1 {
            state.share = share(context, 1, "quantile: the share")?;
        } else {
            state.share = Some(0.5);
        }
        if let Some(x) = number(context, 0, "median and quantile: x")? {
            if state.all.len() == MAX_QUANTILE_VALUES {
                return Err(function_error(format!(
                    "more than {MAX_QUANTILE_VALUES} numbers; take a sample"
                )));
            }
            state.all.push(x);
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, state: Option<QuantileState>) -> Result<Option<f64>> {
        let Some(QuantileState { mut all, share: Some(share) }) = state else { return Ok(None) };
        let Some(last) = all.len().checked_sub(1) else { return Ok(None) };
        all.sort_unstable_by(f64::total_cmp);
        let place = share * last as f64;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the share is from 0 to 1"
        )]
        let (below, above) = (all[place.floor() as usize], all[place.ceil() as usize]);
        Ok(Some(below + (above - below) * place.fract()))
    }
}
