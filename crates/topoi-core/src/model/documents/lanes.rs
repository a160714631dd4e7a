//! Sums over eight lanes, in an order that is the same on every processor.
//!
//! Rows of K numbers are padded with zeros to whole groups of eight. A group is one vector of the
//! widest processors, two or four of others; each lane adds the same numbers in the same order.
//! Multiplications and additions stay separate (no fused multiply-add).

use pulp::Simd;

/// Numbers in a group. It decides the order of sums, and so their bits.
pub(crate) const LANES: usize = 8;

/// A number for each lane. Only the first `vectors` entries are used.
pub(in crate::model) type Lanes<D> = [<D as Simd>::f64s; LANES];

/// Vectors in a group.
#[inline(always)]
pub(in crate::model) const fn vectors<D: Simd>() -> usize {
    LANES / D::F64_LANES
}

/// Numbers as vectors.
#[inline(always)]
pub(in crate::model) fn as_vectors<D: Simd>(numbers: &[f64]) -> &[D::f64s] {
    D::as_simd_f64s(numbers).0
}

/// Numbers as mutable vectors.
#[inline(always)]
pub(in crate::model) fn as_vectors_mut<D: Simd>(numbers: &mut [f64]) -> &mut [D::f64s] {
    D::as_mut_simd_f64s(numbers).0
}

/// The lanes as an array.
#[inline(always)]
fn to_array<D: Simd>(lanes: Lanes<D>) -> [f64; LANES] {
    let mut numbers = [0.0; LANES];
    let to = as_vectors_mut::<D>(&mut numbers);
    to.copy_from_slice(&lanes[..vectors::<D>()]);
    numbers
}

/// The sum of the lanes.
#[inline(always)]
pub(in crate::model) fn sum<D: Simd>(lanes: Lanes<D>) -> f64 {
    let [a, b, c, d, e, f, g, h] = to_array::<D>(lanes);
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}
