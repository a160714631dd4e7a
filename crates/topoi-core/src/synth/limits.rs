//! Checks of settings against their ranges.

use std::fmt::Display;
use std::ops::RangeInclusive;

use super::error::{Result, SynthError};

/// Allowed parameters of Dirichlet distributions. With smaller ones logarithms leave the range of
/// f64, long after all weight is on one entry.
const CONCENTRATIONS: RangeInclusive<f64> = 1e-6..=1e6;
/// Largest number of entries of the topic matrix, which takes 32 bytes each in memory.
const MAX_ENTRIES: u64 = 1 << 26;
/// Largest number of tokens of a document, whose counts have 32 bits.
pub(super) const MAX_TOKENS: u32 = 1 << 30;

/// Checks that a value is within `range`.
///
/// # Errors
/// [`SynthError::OutOfRange`] with field, value and range.
pub(super) fn check_range<T: PartialOrd + Display>(
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

/// Checks that a parameter of a Dirichlet distribution is in the range that can be drawn.
///
/// # Errors
/// [`SynthError::OutOfRange`].
pub(super) fn check_concentration(field: &'static str, value: f64) -> Result<()> {
    if CONCENTRATIONS.contains(&value) {
        return Ok(());
    }
    let range = "from 0.000001 to 1000000".into();
    Err(SynthError::OutOfRange { field, value: value.to_string(), range })
}

/// Checks the numbers of words, topics and documents: none too small, and topics that fit into
/// memory.
///
/// # Errors
/// [`SynthError::OutOfRange`].
pub(super) fn check_sizes(words: usize, topics: usize, documents: u64) -> Result<()> {
    check_range("topics", topics, 1..=10_000)?;
    check_range("words", words as u64, topics as u64..=MAX_ENTRIES / topics as u64)?;
    check_range("documents", documents, 1..=u64::from(u32::MAX))
}
