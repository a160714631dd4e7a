//! Errors of the bounds.

use crate::stream::StreamError;

/// The bounds could not be computed.
#[derive(Debug, thiserror::Error)]
pub enum SpectralBoundError {
    /// The corpus could not be streamed, or the work was cancelled.
    #[error("{0}")]
    Stream(#[from] StreamError),
    /// A setting is out of its range.
    #[error("{field} is {value}, but must be {range}")]
    OutOfRange {
        /// The setting's name.
        field: &'static str,
        /// The value given.
        value: f64,
        /// The range, in words.
        range: &'static str,
    },
    /// There are too few points to bound anything.
    #[error("{points} points of {dimensions} dimensions are too few; give 2 points or more")]
    TooFewPoints {
        /// Number of points.
        points: usize,
        /// Dimensions of a point.
        dimensions: usize,
    },
}

/// Checks that a setting is a finite number above 0.
pub(super) fn positive(field: &'static str, value: f64) -> Result<(), SpectralBoundError> {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(SpectralBoundError::OutOfRange { field, value, range: "a number above 0" })
}

/// Checks that a setting is a probability above 0. 1 is allowed: the bound then holds with no known
/// probability, and the threshold is at its lowest.
pub(super) fn probability(field: &'static str, value: f64) -> Result<(), SpectralBoundError> {
    if value > 0.0 && value <= 1.0 {
        return Ok(());
    }
    Err(SpectralBoundError::OutOfRange { field, value, range: "above 0 and at most 1" })
}
