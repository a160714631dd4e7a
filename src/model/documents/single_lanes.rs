//! Sums over sixteen lanes of single precision, in an order that is the same on every processor: see
//! [`super::lanes`].

use pulp::Simd;

/// Numbers of a group. Part of the order of sums, so it decides bits.
pub(crate) const LANES: usize = 16;

/// A number for each lane; of so many vectors as a group has, the others are not used.
pub(super) type Lanes<D> = [<D as Simd>::f32s; LANES];

/// Vectors of a group.
#[inline(always)]
pub(super) const fn vectors<D: Simd>() -> usize {
    LANES / D::F32_LANES
}

/// Numbers as vectors.
#[inline(always)]
pub(super) fn of<D: Simd>(numbers: &[f32]) -> &[D::f32s] {
    D::as_simd_f32s(numbers).0
}

/// Numbers as vectors, to be changed.
#[inline(always)]
pub(super) fn of_mut<D: Simd>(numbers: &mut [f32]) -> &mut [D::f32s] {
    D::as_mut_simd_f32s(numbers).0
}

/// The sum of the lanes.
#[inline(always)]
pub(super) fn sum<D: Simd>(lanes: Lanes<D>) -> f32 {
    let mut numbers = [0.0; LANES];
    of_mut::<D>(&mut numbers).copy_from_slice(&lanes[..vectors::<D>()]);
    for half in [8, 4, 2, 1] {
        for lane in 0..half {
            numbers[lane] += numbers[lane + half];
        }
    }
    numbers[0]
}
