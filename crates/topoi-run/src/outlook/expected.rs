//! The expected number of steps of a stage, from its residuals so far.

use topoi_core::model::plan::{Convergence, ConvergenceMeasure, Steps};

/// A fit uses the last residuals, this share of all.
const RECENT: f64 = 0.5;
/// Exponent of the power law by which relative gains of factorisations of counts fall with the step (between 1.7 and
/// 3.5 in six fits on three corpora).
const GAINS_FALL: f64 = 2.75;
/// Minimum number of residuals for a fit.
const FEWEST: usize = 3;

/// Expected steps of a stage that announced `announced` steps (0: unknown) and has these residuals, one per step.
pub(super) fn expected_steps(steps: Steps, announced: u64, residuals: &[f64]) -> f64 {
    match steps {
        Steps::AsReported => announced as f64,
        Steps::Exactly(steps) => steps,
        Steps::UntilConverged(until) => until_converged(until, residuals),
    }
}

fn until_converged(until: Convergence, residuals: &[f64]) -> f64 {
    let done = residuals.len() as f64;
    let usual = until.usual.max(done + 1.0);
    let found = match until.watched {
        ConvergenceMeasure::Geometric => last_of(residuals, until.below),
        ConvergenceMeasure::Power => end_of_power_law(&watched(residuals), until.below),
        ConvergenceMeasure::Gain { window } => {
            end_of_power_law(&gains(residuals, window), until.below)
        }
        ConvergenceMeasure::RelativeGain { back } => {
            median_end(&relative_gains(residuals, back), until.below)
        }
    };
    let trust = done / (done + until.trusted_after);
    let expected = found.map_or(usual, |found| {
        // A geometric mean of the usual and the fitted number, as their errors are factors.
        (trust * found.max(done + 1.0).ln() + (1.0 - trust) * usual.ln()).exp()
    });
    expected.clamp((done + 1.0).min(until.most), until.most)
}

/// (step, residual) of the residuals that can be fitted.
fn watched(residuals: &[f64]) -> Vec<(f64, f64)> {
    let numbered = (1..).map(f64::from).zip(residuals.iter().copied());
    numbered.filter(|(_, residual)| *residual > 0.0).collect()
}

/// By step, the decrease of the mean of the last `window` residuals from the mean of the `window` before.
fn gains(residuals: &[f64], window: usize) -> Vec<(f64, f64)> {
    let mean = |some: &[f64]| some.iter().sum::<f64>() / window as f64;
    let gain = |end: usize| {
        let (before, last) = residuals[end - 2 * window..end].split_at(window);
        (end as f64, mean(before) - mean(last))
    };
    let found = (2 * window..=residuals.len()).map(gain);
    found.filter(|(_, gain)| *gain > 0.0).collect()
}

/// By step, the change of the residual over `back` steps, relative to its value before.
fn relative_gains(residuals: &[f64], back: usize) -> Vec<(f64, f64)> {
    let gain = |at: usize| {
        let before = residuals[at - back];
        ((at + 1) as f64, ((before - residuals[at]) / before).abs())
    };
    let found = (back..residuals.len()).map(gain);
    found.filter(|(_, gain)| *gain > 0.0 && gain.is_finite()).collect()
}

/// The median of the steps at which each recent gain alone reaches `below` under the usual power law. A topic that
/// vanishes makes some gains a hundred times as large, which would spoil a fit through all of them.
fn median_end(gains: &[(f64, f64)], below: f64) -> Option<f64> {
    let last = gains.last()?.0;
    let recent = gains.iter().filter(|(step, _)| *step >= last * RECENT);
    let mut ends: Vec<f64> =
        recent.map(|(step, gain)| step * (gain / below).max(1.0).powf(1.0 / GAINS_FALL)).collect();
    ends.sort_by(f64::total_cmp);
    ends.get(ends.len() / 2).copied()
}

/// The step at which a geometric sequence is below `below`, by its last two numbers.
fn last_of(residuals: &[f64], below: f64) -> Option<f64> {
    let [.., (before, earlier), (step, last)] = watched(residuals)[..] else { return None };
    let rate = (last / earlier).ln() / (step - before);
    (rate < 0.0).then(|| step + ((below / last).ln() / rate).max(0.0))
}

/// The step at which a power law of the step is below `below`, by the means of the earlier and the later half of the
/// recent numbers.
fn end_of_power_law(numbers: &[(f64, f64)], below: f64) -> Option<f64> {
    let last = numbers.last()?.0;
    let recent: Vec<(f64, f64)> = numbers
        .iter()
        .filter(|(step, _)| *step >= last * RECENT)
        .map(|(step, number)| (step.ln(), number.ln()))
        .collect();
    if recent.len() < FEWEST {
        return None;
    }
    let mean = |some: &[(f64, f64)]| {
        let sum = some.iter().fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        (sum.0 / some.len() as f64, sum.1 / some.len() as f64)
    };
    let (earlier, later) = recent.split_at(recent.len() / 2);
    let ((x, y), (later_x, later_y)) = (mean(earlier), mean(later));
    let slope = (later_y - y) / (later_x - x);
    // Numbers that do not fall predict no end.
    (slope < 0.0).then(|| (later_x + (below.ln() - later_y) / slope).min(50.0).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn until(watched: ConvergenceMeasure, below: f64) -> Convergence {
        Convergence { usual: 10.0, most: 1000.0, trusted_after: 0.0, watched, below }
    }

    #[test]
    fn the_end_of_a_rate_and_of_a_power_is_found() {
        let halved: Vec<f64> = (0..5).map(|step| 0.5_f64.powi(step)).collect();
        // 2^−n ≤ 2^−9 is the tenth number.
        let found = until_converged(until(ConvergenceMeasure::Geometric, 0.5_f64.powi(9)), &halved);
        assert!((found - 10.0).abs() < 1e-9, "{found}");
        let squares: Vec<f64> = (1..=40).map(|step| f64::from(step).powi(-2)).collect();
        let found = until_converged(until(ConvergenceMeasure::Power, 1e-4), &squares);
        assert!((found - 100.0).abs() < 1.0, "{found}");
        // 1/n falls by 1/(n(n−1)) a step, relative to it by 1/n: below 1% from 100 on.
        let falls: Vec<f64> = (1..=40).map(|step| 1.0 / f64::from(step)).collect();
        let found = until_converged(until(ConvergenceMeasure::Gain { window: 1 }, 1e-4), &falls);
        assert!((found - 100.0).abs() < 5.0, "{found}");
    }

    #[test]
    fn gains_of_topics_that_vanish_do_not_move_the_end() {
        // Below 1% at the step whose 2.75th power is 100,000.
        let gain = |step: f64| (step, 1e3 * step.powf(-GAINS_FALL));
        let mut gains: Vec<(f64, f64)> = (11..=40).map(f64::from).map(gain).collect();
        let end = median_end(&gains, 0.01).expect("an end");
        assert!((end - 65.8).abs() < 0.1, "{end}");
        for (_, gain) in &mut gains[22..27] {
            *gain *= 100.0;
        }
        assert!((median_end(&gains, 0.01).expect("an end") - end).abs() < 0.1);
        assert_eq!(median_end(&[], 0.01), None);
    }

    #[test]
    fn what_is_usual_counts_until_the_residuals_are_trusted() {
        let squares: Vec<f64> = (1..=40).map(|step| f64::from(step).powi(-2)).collect();
        let rule = Convergence { trusted_after: 40.0, ..until(ConvergenceMeasure::Power, 1e-4) };
        let found = until_converged(Convergence { usual: 400.0, ..rule }, &squares);
        assert!((found - 200.0).abs() < 2.0, "the geometric mean of 100 and 400: {found}");
        assert_eq!(until_converged(rule, &[]), 10.0);
        assert_eq!(until_converged(Convergence { most: 60.0, ..rule }, &[1.0; 50]), 51.0);
        assert_eq!(until_converged(Convergence { most: 60.0, ..rule }, &[1.0; 60]), 60.0);
    }
}
