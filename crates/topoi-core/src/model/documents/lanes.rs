//! Sums over eight lanes, in an order that is the same on every processor.
//!
//! Rows of K numbers are padded with zeros to whole groups of eight. A group is one vector of the
//! widest processors, two or four of others; lane by lane the same numbers are added in the same
//! order. Multiplications and additions stay apart (no fused ones).

use pulp::Simd;

/// Numbers of a group. Part of the order of sums, so it decides bits.
pub(crate) const LANES: usize = 8;

/// A number for each lane; of so many vectors as a group has, the others are not used.
pub(super) type Lanes<D> = [<D as Simd>::f64s; LANES];

/// Vectors of a group.
#[inline(always)]
pub(super) const fn vectors<D: Simd>() -> usize {
    LANES / D::F64_LANES
}

/// Numbers as vectors.
#[inline(always)]
pub(super) fn of<D: Simd>(numbers: &[f64]) -> &[D::f64s] {
    D::as_simd_f64s(numbers).0
}

/// Numbers as vectors, to be changed.
#[inline(always)]
pub(super) fn of_mut<D: Simd>(numbers: &mut [f64]) -> &mut [D::f64s] {
    D::as_mut_simd_f64s(numbers).0
}

/// The lanes one by one.
#[inline(always)]
fn apart<D: Simd>(lanes: Lanes<D>) -> [f64; LANES] {
    let mut numbers = [0.0; LANES];
    let to = of_mut::<D>(&mut numbers);
    to.copy_from_slice(&lanes[..vectors::<D>()]);
    numbers
}

/// The sum of the lanes.
#[inline(always)]
pub(super) fn sum<D: Simd>(lanes: Lanes<D>) -> f64 {
    let [a, b, c, d, e, f, g, h] = apart::<D>(lanes);
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}
