//! Numbers of a store as those of a computation: what does not fit is the nearest that does.

/// A saved number as a length.
pub(crate) fn size(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// A whole number that is kept as a real one, such as a metric that counts something.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast of a real number is the nearest whole one, 0 for NaN"
)]
pub(crate) fn count(value: f64) -> u64 {
    value as u64
}

/// The number of the next of things that are numbered as they come, of which memory has fewer than 2³².
pub(crate) fn next(things: usize) -> u32 {
    u32::try_from(things).unwrap_or(u32::MAX)
}
