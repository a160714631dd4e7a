//! The pace of the steps of a stage.

/// Maximum number of recorded times; at this number every other one is dropped.
const KEPT: usize = 256;

/// Times of steps of a stage, as (step, seconds).
#[derive(Debug, Clone, Default)]
pub(super) struct Pace {
    /// The first step, and others at about even distances.
    seen: Vec<(f64, f64)>,
    last: Option<(f64, f64)>,
}

impl From<(f64, f64)> for Pace {
    fn from(first: (f64, f64)) -> Self {
        Self { seen: vec![first], last: Some(first) }
    }
}

impl Pace {
    /// Records a step.
    pub(super) fn seen(&mut self, place: (f64, f64)) {
        if self.seen.len() == KEPT {
            let mut at = 0;
            self.seen.retain(|_| {
                at += 1;
                at % 2 == 1
            });
        }
        let gap = match self.seen[..] {
            [first, .., latest] => (latest.0 - first.0) / self.seen.len() as f64,
            _ => 0.0,
        };
        if self.seen.last().is_none_or(|latest| place.0 - latest.0 >= gap) {
            self.seen.push(place);
        }
        self.last = Some(place);
    }

    /// The first and the last step; `None` without steps.
    pub(super) fn whole(&self) -> Option<[(f64, f64); 2]> {
        self.seen.first().copied().zip(self.last).map(Into::into)
    }

    /// Seconds per step in the last half of the steps, as the first sweeps of a sampler are slower than later ones. 0
    /// for fewer than two steps.
    pub(super) fn recent_seconds(&self) -> f64 {
        let Some([first, last]) = self.whole() else { return 0.0 };
        let half = (first.0 + last.0) / 2.0;
        let since = self.seen.iter().rev().find(|place| place.0 <= half).unwrap_or(&first);
        if last.0 > since.0 { (last.1 - since.1) / (last.0 - since.0) } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_that_become_shorter_are_told_by_the_last_half_of_them() {
        // The n-th of 1,000 steps takes 1 + 3/n seconds.
        let mut pace = Pace::default();
        let mut now = 0.0;
        for step in 1..=1000 {
            now += 1.0 + 3.0 / f64::from(step);
            pace.seen((f64::from(step), now));
            assert!(pace.seen.len() <= KEPT);
            if step >= 10 {
                // Half as much as the mean of all is above 1: of 1 + 1/2 + …, what is after the middle.
                let late = 1.0 + 2.0 * 3.0 * 2f64.ln() / f64::from(step);
                assert!(
                    (pace.recent_seconds() - late).abs() < 0.12,
                    "{step}: {} {late}",
                    pace.recent_seconds()
                );
            }
        }
    }

    #[test]
    fn a_pace_needs_two_steps() {
        let mut pace = Pace::from((7.0, 1.0));
        assert_eq!((pace.recent_seconds(), pace.whole()), (0.0, Some([(7.0, 1.0); 2])));
        pace.seen((9.0, 2.0));
        assert_eq!(pace.recent_seconds(), 0.5);
        assert_eq!(Pace::default().whole(), None);
    }
}
