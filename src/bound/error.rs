//! Why there are no bounds.

use crate::stream::StreamError;

/// Why there are no bounds.
#[derive(Debug, thiserror::Error)]
pub enum BoundError {
    /// The corpus could not be streamed, or someone cancelled.
    #[error(transparent)]
    Stream(#[from] StreamError),
    /// A setting is out of its range.
    #[error("{field} is {value}, but must be {range}; change --{field}")]
    OutOfRange {
        /// The setting.
        field: &'static str,
        /// What was asked for.
        value: f64,
        /// What it may be.
        range: &'static str,
    },
    /// Too few points to say anything.
    #[error("{points} points of {dimensions} dimensions are too few; give 2 points or more")]
    TooFewPoints {
        /// Their number.
        points: usize,
        /// Their dimension.
        dimensions: usize,
    },
}

/// Refuses a value that is not a number above 0.
pub(super) fn positive(field: &'static str, value: f64) -> Result<(), BoundError> {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(BoundError::OutOfRange { field, value, range: "a number above 0" })
}

/// Refuses a value that is no probability above 0. 1 is let through: it says nothing of how
/// often the bound holds, and shows the threshold at its lowest.
pub(super) fn probability(field: &'static str, value: f64) -> Result<(), BoundError> {
    if value > 0.0 && value <= 1.0 {
        return Ok(());
    }
    Err(BoundError::OutOfRange { field, value, range: "above 0 and at most 1" })
}
