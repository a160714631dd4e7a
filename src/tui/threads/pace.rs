//! How fast runs go, from what was seen of them.

use std::collections::HashMap;
use std::time::Instant;

use topoi::run::life::time_left;
use topoi::store::run::progress::Progress;

/// Remembers where each run was when its stage was first seen.
#[derive(Debug, Default)]
pub struct Pace {
    first: HashMap<i64, Seen>,
}

#[derive(Debug)]
struct Seen {
    progress: Progress,
    at: Instant,
}

impl Pace {
    /// Seconds left in the stage of a run that is at `progress` now, once its pace can be told.
    pub fn seconds_left(&mut self, run: i64, progress: &Progress, now: Instant) -> Option<f64> {
        let first = self.first.entry(run).or_insert_with(|| Seen::new(progress, now));
        if first.progress.stage != progress.stage || first.progress.step > progress.step {
            *first = Seen::new(progress, now);
        }
        // When a progress was written is `age` before it was read.
        let passed = now.duration_since(first.at).as_secs_f64();
        let elapsed = passed - progress.age + first.progress.age;
        time_left(&first.progress, progress, elapsed)
    }
}

impl Seen {
    fn new(progress: &Progress, at: Instant) -> Self {
        Self { progress: progress.clone(), at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_pace_is_measured_from_when_progress_was_written() {
        let at = |step, age| Progress {
            stage: "rectify".into(),
            step,
            total: 50,
            residual: None,
            memory_bytes: None,
            age,
        };
        let start = Instant::now();
        let mut pace = Pace::default();
        assert_eq!(pace.seconds_left(1, &at(10, 0.0), start), None);
        let left = pace.seconds_left(1, &at(20, 1.0), start + Duration::from_secs(6));
        assert!((left.expect("a pace") - 15.0).abs() < 1e-9);
        let again = pace.seconds_left(1, &at(5, 0.0), start + Duration::from_secs(7));
        assert_eq!(again, None, "a stage that starts anew has no pace yet");
    }
}
