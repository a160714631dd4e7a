//! Arrays that start at a cache line, so that vectors and rows of whole lines never cross one.

use std::ops::{Deref, DerefMut};

/// Bytes of a cache line.
const LINE: usize = 64;

/// An array whose first number starts a cache line.
#[derive(Debug, Default)]
pub struct Aligned<T = f64> {
    /// Longer than the array, so that a cache line starts among its first numbers.
    buffer: Vec<T>,
    start: usize,
    length: usize,
}

impl<T: Copy + Default> Aligned<T> {
    /// Numbers in a cache line.
    const NUMBERS: usize = LINE / size_of::<T>();

    /// An array of `length` zeros.
    pub fn zeros(length: usize) -> Self {
        let buffer = vec![T::default(); length + Self::NUMBERS];
        let start = buffer.as_ptr().align_offset(LINE).min(Self::NUMBERS);
        Self { buffer, start, length }
    }

    /// Sets the length, reusing the memory where it is large enough. The contents are arbitrary.
    pub fn reserve(&mut self, length: usize) {
        if length + Self::NUMBERS > self.buffer.len() {
            // Room to grow, because documents come in all lengths.
            *self = Self::zeros(length + length / 2);
        }
        self.length = length;
    }

    /// Appends `more`. As in a vector, the memory at least doubles when it is too small.
    pub fn extend_from_slice(&mut self, more: &[T]) {
        let (before, length) = (self.length, self.length + more.len());
        if self.start + length > self.buffer.len() {
            let mut larger = Self::zeros(length.max(2 * before));
            larger[..before].copy_from_slice(self);
            *self = larger;
        }
        self.length = length;
        self[before..].copy_from_slice(more);
    }
}

impl<T> Deref for Aligned<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.buffer[self.start..self.start + self.length]
    }
}

impl<T> DerefMut for Aligned<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.buffer[self.start..self.start + self.length]
    }
}

impl<T: Copy + Default> Clone for Aligned<T> {
    fn clone(&self) -> Self {
        let mut clone = Self::zeros(self.length);
        clone.copy_from_slice(self);
        clone
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_begin_a_line_of_the_cache_whatever_happens_to_them() {
        let is_aligned = |numbers: &[f64]| (numbers.as_ptr() as usize).is_multiple_of(64);
        let mut held = Vec::new();
        for length in [0, 1, 7, 64, 1000, 100_000] {
            let mut numbers = Aligned::<f64>::zeros(length);
            assert!(is_aligned(&numbers) && numbers.len() == length);
            numbers.fill(1.5);
            let clone = numbers.clone();
            assert!(is_aligned(&clone) && clone[..] == numbers[..]);
            numbers.reserve(length + 3);
            assert!(is_aligned(&numbers) && numbers.len() == length + 3);
            held.push((numbers, clone));
        }
    }

    #[test]
    fn appended_numbers_follow_those_that_are_there() {
        let (mut aligned, mut plain) = (Aligned::<f64>::default(), Vec::new());
        for count in [0, 3, 8, 1, 100, 7] {
            let more = vec![count as f64; count];
            aligned.extend_from_slice(&more);
            plain.extend_from_slice(&more);
            assert_eq!(aligned[..], plain[..]);
            assert!((aligned.as_ptr() as usize).is_multiple_of(64) || aligned.is_empty());
        }
    }
}
