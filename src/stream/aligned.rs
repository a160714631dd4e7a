//! Numbers that begin at a line of the cache, so that rows of whole lines, and vectors, never cross two.

use std::ops::{Deref, DerefMut};

/// Numbers in a line of the cache, 64 bytes.
const LINE: usize = 8;

/// A row of numbers whose first one begins a line of the cache.
#[derive(Debug, Default)]
pub struct Aligned {
    /// More numbers than there are, so that a line begins among the first.
    room: Vec<f64>,
    start: usize,
    length: usize,
}

impl Aligned {
    /// So many zeros.
    pub fn zeros(length: usize) -> Self {
        let room = vec![0.0; length + LINE];
        let start = room.as_ptr().align_offset(size_of::<[f64; LINE]>()).min(LINE);
        Self { room, start, length }
    }

    /// Makes it so many numbers, whichever they are, in the memory there is.
    pub fn reserve(&mut self, length: usize) {
        if length + LINE > self.room.len() {
            // Room to grow, as documents come in all lengths.
            *self = Self::zeros(length + length / 2);
        }
        self.length = length;
    }

    /// Makes it so many zeros, in the memory there is.
    pub fn reset(&mut self, length: usize) {
        self.reserve(length);
        self.fill(0.0);
    }
}

impl Deref for Aligned {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        &self.room[self.start..self.start + self.length]
    }
}

impl DerefMut for Aligned {
    fn deref_mut(&mut self) -> &mut [f64] {
        &mut self.room[self.start..self.start + self.length]
    }
}

impl Clone for Aligned {
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
            let mut numbers = Aligned::zeros(length);
            assert!(is_aligned(&numbers) && numbers.len() == length);
            numbers.fill(1.5);
            let clone = numbers.clone();
            assert!(is_aligned(&clone) && clone[..] == numbers[..]);
            numbers.reset(length + 3);
            assert!(is_aligned(&numbers) && numbers[..] == vec![0.0; length + 3]);
            held.push((numbers, clone));
        }
    }
}
