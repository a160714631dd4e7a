//! Sums over sixteen lanes of single precision, in an order that is the same on every processor: see
//! [`super::lanes`].

use pulp::Simd;

/// Numbers in a group. It decides the order of sums, and so their bits.
pub(crate) const LANES: usize = 16;

/// Vectors in a group.
#[inline(always)]
pub(super) const fn vectors<D: Simd>() -> usize {
    LANES / D::F32_LANES
}

/// Numbers as vectors.
#[inline(always)]
pub(super) fn as_vectors<D: Simd>(numbers: &[f32]) -> &[D::f32s] {
    D::as_simd_f32s(numbers).0
}

/// Numbers as mutable vectors.
#[inline(always)]
pub(super) fn as_vectors_mut<D: Simd>(numbers: &mut [f32]) -> &mut [D::f32s] {
    D::as_mut_simd_f32s(numbers).0
}

/// The sum of all lanes of a group, by repeatedly adding one half to the other.
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
        // The same order as below, in registers.
        return simd.reduce_sum_f32s(lanes[0]);
    }
    let mut numbers = [0.0; LANES];
    as_vectors_mut::<D>(&mut numbers)[0] = lanes[0];
    let mut half = D::F32_LANES;
    while half > 1 {
        half /= 2;
        for lane in 0..half {
            numbers[lane] += numbers[lane + half];
        }
    }
    numbers[0]
}
