//! SQLite's mathematical functions, which the library is built without here, regular expressions, and
//! quantiles.

use std::sync::Arc;

use regex::{Regex, RegexBuilder};
use rusqlite::functions::{Aggregate, Context, FunctionFlags};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Result};

use super::functions::{kind, number, share, wrong};

/// A function of one number, and of two.
type OfOne = fn(f64) -> f64;
type OfTwo = fn(f64, f64) -> f64;

/// Of one number. As SQLite's own: NULL for what is no number, and where there is no value.
const OF_ONE: [(&str, OfOne); 21] = [
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

/// Of two numbers; `log` takes its base first.
const OF_TWO: [(&str, OfTwo); 5] = [
    ("atan2", f64::atan2),
    ("log", |base, x| x.ln() / base.ln()),
    ("mod", |x, y| x % y),
    ("pow", f64::powf),
    ("power", f64::powf),
];

/// Larger patterns are no user's.
const LARGEST_PATTERN: usize = 1 << 20;
/// Numbers that a quantile holds at most: 512 MB.
const MOST_NUMBERS: usize = 1 << 26;

/// Gives a connection the functions of this file.
pub(super) fn define(connection: &Connection, pure: FunctionFlags) -> Result<()> {
    for (name, function) in OF_ONE {
        connection.create_scalar_function(name, 1, pure, move |context| {
            Ok(plain(context, 0).map(function).filter(|value| value.is_finite()))
        })?;
    }
    for (name, function) in OF_TWO {
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

/// Whether a text has the pattern in it: what `text REGEXP pattern` calls, the pattern first.
fn regexp(context: &Context<'_>) -> Result<Option<bool>> {
    let text = match context.get_raw(1) {
        ValueRef::Null => return Ok(None),
        ValueRef::Text(text) => String::from_utf8_lossy(text),
        other => return Err(wrong(format!("regexp looks into text, not {}", kind(other)))),
    };
    if matches!(context.get_raw(0), ValueRef::Null) {
        return Ok(None);
    }
    let pattern: Arc<Regex> = context.get_or_create_aux(0, |pattern| {
        let pattern = pattern.as_str().map_err(|_| wrong("regexp: no text as pattern".into()))?;
        RegexBuilder::new(pattern).size_limit(LARGEST_PATTERN).build().map_err(|error| {
            let last = error.to_string();
            let reason = last.lines().last().unwrap_or_default().trim_start_matches("error: ");
            wrong(format!("regexp: {pattern:?} is no pattern: {reason}"))
        })
    })?;
    Ok(Some(pattern.is_match(&text)))
}

/// `quantile(x, q)`, the number below which a share q of all lies, between two where it lies between two;
/// `median(x)` is that of one half. Those that are NULL do not count.
struct Quantile;

/// The numbers, and the share.
#[derive(Default)]
struct Numbers {
    all: Vec<f64>,
    share: Option<f64>,
}

impl Aggregate<Numbers, Option<f64>> for Quantile {
    fn init(&self, _: &mut Context<'_>) -> Result<Numbers> {
        Ok(Numbers::default())
    }

    fn step(&self, context: &mut Context<'_>, numbers: &mut Numbers) -> Result<()> {
        if context.len() > 1 {
            numbers.share = share(context, 1, "quantile: the share")?;
        } else {
            numbers.share = Some(0.5);
        }
        if let Some(x) = number(context, 0, "median and quantile: x")? {
            if numbers.all.len() == MOST_NUMBERS {
                return Err(wrong(format!("more than {MOST_NUMBERS} numbers; take a sample")));
            }
            numbers.all.push(x);
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, numbers: Option<Numbers>) -> Result<Option<f64>> {
        let Some(Numbers { mut all, share: Some(share) }) = numbers else { return Ok(None) };
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
