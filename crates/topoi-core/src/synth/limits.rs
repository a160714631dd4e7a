//! Checks of settings against their ranges.

use std::fmt::Display;
use std::ops::RangeInclusive;

use super::error::{Result, SynthError};

/// Parameters of Dirichlet distributions; with smaller ones logarithms leave the range of f64
/// long after all weight is on one entry.
const CONCENTRATIONS: RangeInclusive<f64> = 1e-6..=1e6;
/// Entries of the topic matrix, which is held in memory with 32 bytes for each.
const MOST_ENTRIES: u64 = 1 << 26;
/// Tokens of a document: its counts have 32 bits.
pub(super) const MOST_TOKENS: u32 = 1 << 30;

/// Refuses a value outside `range`.
///
/// # Errors
/// [`SynthError::OutOfRange`], naming field, value and range.
pub(super) fn within<T: PartialOrd + Display>(
    field: &'static str,
    value: T,
    range: RangeInclusive<T>,
) -> Result<()> {
    if range.contains(&value) {
        return Ok(());
    }
    let range = format!("from {} to {}", range.start(), range.end());
    Err(SynthError::OutOfRange { field, value: value.to_string(), range })
}

/// Refuses a parameter of a Dirichlet distribution outside the range that can be drawn.
///
/// # Errors
/// [`SynthError::OutOfRange`].
pub(super) fn concentration(field: &'static str, value: f64) -> Result<()> {
    if CONCENTRATIONS.contains(&value) {
        return Ok(());
    }
    let range = "from 0.000001 to 1000000".into();
    Err(SynthError::OutOfRange { field, value: value.to_string(), range })
}

/// Refuses numbers of words, topics and documents that are too small, or whose topics do not fit in
/// memory.
///
/// # Errors
/// [`SynthError::OutOfRange`].
pub(super) fn sizes(words: usize, topics: usize, documents: u64) -> Result<()> {
    within("topics", topics, 1..=10_000)?;
    within("words", words as u64, topics as u64..=MOST_ENTRIES / topics as u64)?;
    within("documents", documents, 1..=u64::from(u32::MAX))
}
