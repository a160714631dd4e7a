//! Sums over sixteen lanes of single precision, in an order that is the same on every processor: see
//! [`super::lanes`].

use pulp::Simd;

/// Numbers of a group. Part of the order of sums, so it decides bits.
pub(crate) const LANES: usize = 16;

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

/// The sum of the lanes, which are all there are of a group: half of them is added to the other half, and so on.
#[inline(always)]
pub(super) fn sum<D: Simd, const V: usize>(simd: D, mut lanes: [D::f32s; V]) -> f32 {
    let mut vectors = V;
    while vectors > 1 {
        vectors /= 2;
        for lane in 0..vectors {
            lanes[lane] = simd.add_f32s(lanes[lane], lanes[lane + vectors]);
        }
    }
    if D::F32_LANES >= 8 {
        // As below, but in registers.
        return simd.reduce_sum_f32s(lanes[0]);
    }
    let mut numbers = [0.0; LANES];
    of_mut::<D>(&mut numbers)[0] = lanes[0];
    let mut half = D::F32_LANES;
    while half > 1 {
        half /= 2;
        for lane in 0..half {
            numbers[lane] += numbers[lane + half];
        }
    }
    numbers[0]
}
