//! Numbers that begin at a line of the cache, so that rows of whole lines, and vectors, never cross two.

use std::ops::{Deref, DerefMut};

/// Bytes of a line of the cache.
const LINE: usize = 64;

/// A row of numbers whose first one begins a line of the cache.
#[derive(Debug, Default)]
pub struct Aligned<T = f64> {
    /// More numbers than there are, so that a line begins among the first.
    room: Vec<T>,
    start: usize,
    length: usize,
}

impl<T: Copy + Default> Aligned<T> {
    /// Numbers in a line.
    const NUMBERS: usize = LINE / size_of::<T>();

    /// So many zeros.
    pub fn zeros(length: usize) -> Self {
        let room = vec![T::default(); length + Self::NUMBERS];
        let start = room.as_ptr().align_offset(LINE).min(Self::NUMBERS);
        Self { room, start, length }
    }

    /// Makes it so many numbers, whichever they are, in the memory there is.
    pub fn reserve(&mut self, length: usize) {
        if length + Self::NUMBERS > self.room.len() {
            // Room to grow, as documents come in all lengths.
            *self = Self::zeros(length + length / 2);
        }
        self.length = length;
    }
}

impl<T> Deref for Aligned<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.room[self.start..self.start + self.length]
    }
}

impl<T> DerefMut for Aligned<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.room[self.start..self.start + self.length]
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
}
