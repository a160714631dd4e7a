//! Steps from one θ to the next: EM, and its extrapolation.

use pulp::{Arch, Simd, WithSimd};

use super::lanes::{LANES, Lanes, largest, of, of_mut, sum, vectors};

/// A topic whose gradient is below this share of what the solution's topics have is on its way
/// out, and goes to where its prior alone holds it.
const LEAVING: f64 = 0.6;
/// No topic loses more than this factor at an extrapolation unless it is leaving.
const MOST_LOST: f64 = 0.1;
/// Shares below this count as this in the length of a step.
const SMALL: f64 = 1e-3;

/// θ, and the gradient of Σ_w x_w log Σ_k B_wk θ_k there; padded with zeros.
#[derive(Clone, Copy)]
pub(super) struct Point<'a> {
    pub theta: &'a [f64],
    pub gradient: &'a [f64],
}

/// α, padded with zeros, and n + α₀ of a document.
#[derive(Clone, Copy)]
pub(super) struct Prior<'a> {
    pub alpha: &'a [f64],
    pub mass: f64,
}

/// How f grows at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Slopes {
    /// max_k f′_k.
    pub steepest: f64,
    /// Σ_k v_k f′_k along some v.
    pub along: f64,
}

impl<'a> Prior<'a> {
    /// f′ = g + α/θ at a point.
    pub(super) fn slopes(self, at: Point<'_>, along: &[f64]) -> Slopes {
        Arch::new().dispatch(OfSlopes { prior: self, at, along })
    }

    /// A step of EM.
    pub(super) fn step(self, from: Point<'_>, to: &mut [f64]) {
        Arch::new().dispatch(Step { prior: self, from, to });
    }

    /// Extrapolates the steps of EM from `theta` to `once` and on, by at most `reach` times, into
    /// `theta`. Returns Σ_k θ_k f′_k of the new θ with f′ at `once`. `twice` gets the second step.
    pub(super) fn leap(
        self,
        once: Point<'_>,
        reach: f64,
        theta: &mut [f64],
        twice: &mut [f64],
    ) -> f64 {
        Arch::new().dispatch(Leap { prior: self, once, reach, theta, twice })
    }
}

/// α/θ, 0 in the padding.
#[inline(always)]
fn pull<D: Simd>(simd: D, alpha: D::f64s, theta: D::f64s) -> D::f64s {
    simd.div_f64s(alpha, simd.max_f64s(theta, simd.splat_f64s(f64::MIN_POSITIVE)))
}

struct OfSlopes<'a> {
    prior: Prior<'a>,
    at: Point<'a>,
    along: &'a [f64],
}

impl WithSimd for OfSlopes<'_> {
    type Output = Slopes;

    #[inline(always)]
    fn with_simd<D: Simd>(self, simd: D) -> Slopes {
        let (theta, gradient) = (of::<D>(self.at.theta), of::<D>(self.at.gradient));
        let (alpha, along) = (of::<D>(self.prior.alpha), of::<D>(self.along));
        let mut steepest: Lanes<D> = [simd.splat_f64s(0.0); LANES];
        let mut sums = steepest;
        for group in (0..theta.len()).step_by(vectors::<D>()) {
            for lane in 0..vectors::<D>() {
                let at = group + lane;
                let slope = simd.add_f64s(gradient[at], pull(simd, alpha[at], theta[at]));
                steepest[lane] = simd.max_f64s(steepest[lane], slope);
                sums[lane] = simd.add_f64s(sums[lane], simd.mul_f64s(along[at], slope));
            }
        }
        Slopes { steepest: largest::<D>(steepest), along: sum::<D>(sums) }
    }
}

struct Step<'a> {
    prior: Prior<'a>,
    from: Point<'a>,
    to: &'a mut [f64],
}

#[inline(always)]
fn stepped<D: Simd>(simd: D, inverse: D::f64s, [t, g, a]: [D::f64s; 3]) -> D::f64s {
    simd.mul_f64s(simd.add_f64s(simd.mul_f64s(t, g), a), inverse)
}

impl WithSimd for Step<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<D: Simd>(self, simd: D) {
        let inverse = simd.splat_f64s(1.0 / self.prior.mass);
        let from = of::<D>(self.from.theta).iter().zip(of::<D>(self.from.gradient));
        let from = from.zip(of::<D>(self.prior.alpha));
        for (to, ((t, g), a)) in of_mut::<D>(self.to).iter_mut().zip(from) {
            *to = stepped(simd, inverse, [*t, *g, *a]);
        }
    }
}

struct Leap<'a> {
    prior: Prior<'a>,
    once: Point<'a>,
    reach: f64,
    theta: &'a mut [f64],
    twice: &'a mut [f64],
}

impl WithSimd for Leap<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<D: Simd>(mut self, simd: D) -> f64 {
        let length = self.length(simd);
        let [all, along] = self.extrapolate(simd, length);
        let scale = simd.splat_f64s(1.0 / all);
        for share in of_mut::<D>(self.theta) {
            *share = simd.mul_f64s(*share, scale);
        }
        along / all
    }
}

impl Leap<'_> {
    /// Makes the second step; how many times the steps are extrapolated.
    #[inline(always)]
    fn length<D: Simd>(&mut self, simd: D) -> f64 {
        let (theta, once) = (of::<D>(self.theta), of::<D>(self.once.theta));
        let (gradient, alpha) = (of::<D>(self.once.gradient), of::<D>(self.prior.alpha));
        let twice = of_mut::<D>(self.twice);
        let inverse = simd.splat_f64s(1.0 / self.prior.mass);
        let mut first: Lanes<D> = [simd.splat_f64s(0.0); LANES];
        let mut change = first;
        for group in (0..theta.len()).step_by(vectors::<D>()) {
            for lane in 0..vectors::<D>() {
                let (at, o) = (group + lane, once[group + lane]);
                twice[at] = stepped(simd, inverse, [o, gradient[at], alpha[at]]);
                let step = simd.sub_f64s(o, theta[at]);
                let bend = simd.sub_f64s(simd.sub_f64s(twice[at], o), step);
                let size = simd.max_f64s(o, simd.splat_f64s(SMALL));
                let (r, v) = (simd.mul_f64s(step, step), simd.mul_f64s(bend, bend));
                first[lane] = simd.add_f64s(first[lane], simd.div_f64s(r, size));
                change[lane] = simd.add_f64s(change[lane], simd.div_f64s(v, size));
            }
        }
        let (first, change) = (sum::<D>(first), sum::<D>(change));
        if change > 0.0 { (first / change).sqrt().clamp(1.0, self.reach) } else { 1.0 }
    }

    /// θ, not yet scaled to sum to 1; its sum, and that of its products with f′ at `once`.
    #[inline(always)]
    fn extrapolate<D: Simd>(&mut self, simd: D, length: f64) -> [f64; 2] {
        let theta = of_mut::<D>(self.theta);
        let (once, twice) = (of::<D>(self.once.theta), of::<D>(self.twice));
        let (gradient, alpha) = (of::<D>(self.once.gradient), of::<D>(self.prior.alpha));
        let [two, square] = [2.0 * length, length * length].map(|number| simd.splat_f64s(number));
        let [mass, bound, most_lost] =
            [self.prior.mass, LEAVING * self.prior.mass, MOST_LOST].map(|of| simd.splat_f64s(of));
        let mut all: Lanes<D> = [simd.splat_f64s(0.0); LANES];
        let mut along = all;
        for group in (0..theta.len()).step_by(vectors::<D>()) {
            for lane in 0..vectors::<D>() {
                let at = group + lane;
                let (t, o, w, g, a) = (theta[at], once[at], twice[at], gradient[at], alpha[at]);
                let step = simd.sub_f64s(o, t);
                let bend = simd.sub_f64s(simd.sub_f64s(w, o), step);
                let far = simd.add_f64s(simd.mul_f64s(two, step), simd.mul_f64s(square, bend));
                let leapt = simd.max_f64s(simd.add_f64s(t, far), simd.mul_f64s(most_lost, w));
                let alone = simd.min_f64s(simd.div_f64s(a, simd.sub_f64s(mass, g)), w);
                theta[at] = simd.select_f64s(simd.less_than_f64s(g, bound), alone, leapt);
                let slope = simd.add_f64s(g, pull(simd, a, o));
                all[lane] = simd.add_f64s(all[lane], theta[at]);
                along[lane] = simd.add_f64s(along[lane], simd.mul_f64s(theta[at], slope));
            }
        }
        [sum::<D>(all), sum::<D>(along)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use pulp::Scalar;

    /// Five topics in a group of eight.
    fn padded(numbers: Vec<f64>) -> Vec<f64> {
        let mut numbers = numbers;
        numbers.resize(LANES, 0.0);
        numbers
    }

    fn simplex() -> impl Strategy<Value = Vec<f64>> {
        prop::collection::vec(0.01f64..1.0, 5).prop_map(|shares| {
            let sum: f64 = shares.iter().sum();
            padded(shares.into_iter().map(|share| share / sum).collect())
        })
    }

    proptest! {
        #[test]
        fn steps_are_what_their_formulas_say_and_the_same_bits_everywhere(
            theta in simplex(), once in simplex(),
            alpha in prop::collection::vec(0.05f64..2.0, 5).prop_map(padded),
            gradient in prop::collection::vec(0.0f64..40.0, 5).prop_map(padded),
            reach in 1.0f64..64.0,
        ) {
            let prior = Prior { alpha: &alpha, mass: 30.0 };
            let at = Point { theta: &once, gradient: &gradient };
            let slope = |k: usize| gradient[k] + alpha[k] / once[k];
            let slopes = prior.slopes(at, &theta);
            prop_assert_eq!(slopes.steepest, (0..5).map(slope).fold(0.0, f64::max));
            let along: f64 = (0..5).map(|k| theta[k] * slope(k)).sum();
            prop_assert!((slopes.along - along).abs() < 1e-12 * along);
            prop_assert_eq!(OfSlopes { prior, at, along: &theta }.with_simd(Scalar), slopes);

            let (mut new, mut twice, mut stepped) = (theta.clone(), padded(vec![]), padded(vec![]));
            let along = prior.leap(at, reach, &mut new, &mut twice);
            prior.step(at, &mut stepped);
            prop_assert_eq!(&stepped, &twice);
            for k in 0..5 {
                let expected = (once[k] * gradient[k] + alpha[k]) / 30.0;
                prop_assert!((twice[k] - expected).abs() < 1e-12);
            }
            let expected = leapt(&theta, &once, &twice, &gradient, &alpha, reach);
            for (new, expected) in new.iter().zip(&expected) {
                prop_assert!((new - expected).abs() < 1e-9, "{new} {expected}");
            }
            let expected: f64 = (0..5).map(|k| new[k] * slope(k)).sum();
            prop_assert!((along - expected).abs() < 1e-9 * expected);

            let (mut same, mut second) = (theta.clone(), padded(vec![]));
            let leap = Leap { prior, once: at, reach, theta: &mut same, twice: &mut second };
            prop_assert_eq!(leap.with_simd(Scalar), along);
            prop_assert_eq!((same, second), (new, twice));
        }
    }

    /// The extrapolation written out, for n + α₀ = 30.
    fn leapt(
        theta: &[f64],
        once: &[f64],
        twice: &[f64],
        gradient: &[f64],
        alpha: &[f64],
        reach: f64,
    ) -> Vec<f64> {
        let norm = |of: &dyn Fn(usize) -> f64| -> f64 {
            (0..5).map(|k| of(k).powi(2) / once[k].max(SMALL)).sum()
        };
        let step = |k: usize| once[k] - theta[k];
        let bend = |k: usize| twice[k] - 2.0 * once[k] + theta[k];
        let length = (norm(&step) / norm(&bend)).sqrt().clamp(1.0, reach);
        let to = (0..LANES).map(|k| {
            if gradient[k] < LEAVING * 30.0 {
                return (alpha[k] / (30.0 - gradient[k])).min(twice[k]);
            }
            let far = theta[k] + 2.0 * length * step(k) + length * length * bend(k);
            far.max(MOST_LOST * twice[k])
        });
        let to: Vec<f64> = to.collect();
        let sum: f64 = to.iter().sum();
        to.into_iter().map(|share| share / sum).collect()
    }
}
