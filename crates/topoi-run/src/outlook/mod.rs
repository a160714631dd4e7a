//! The progress of a whole run and its remaining seconds, from its plan, the times of its finished stages and the
//! pace of the current stage.
//!
//! The plan's seconds are those of another machine. Finished work gives the correction factor for this one; the pace
//! of the current stage corrects the rest of that stage.

mod expected;
mod pace;
mod plan;

pub use plan::{plan, plan_by_experience};

use crate::number;
use expected::expected_steps;
use pace::Pace;
use topoi_core::model::plan::{PlannedStage, Steps};

/// Share of the plan that counts as having taken its planned time. It keeps a first stage of milliseconds, or one
/// that was planned wrongly, from deciding the factor.
const DOUBT: f64 = 0.07;
/// From this share of its time on, the pace of a stage has the same weight as the plan.
const PACE_COUNTS: f64 = 0.05;
/// Remaining time of an overdue stage, as a share of its time so far.
const OVERDUE: f64 = 0.15;

/// Progress of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Remaining {
    /// Elapsed share of the run's time, 0 to 1.
    pub share: f64,
    /// Remaining seconds.
    pub seconds: f64,
}

/// Progress estimate of a run. Times are in seconds since any fixed moment.
#[derive(Debug)]
pub struct Outlook {
    stages: Vec<StageProgress>,
    /// The current stage.
    at: Option<usize>,
    /// The largest share so far; the reported share never decreases.
    share: f64,
}

/// A planned stage and its progress.
#[derive(Debug)]
struct StageProgress {
    planned: PlannedStage,
    /// Steps announced at the begin of the stage; 0 if unknown.
    announced: u64,
    /// Time at which it began; `None` for a recalled stage.
    begun: Option<f64>,
    /// Seconds so far.
    spent: f64,
    pace: Pace,
    residuals: Vec<f64>,
    is_over: bool,
}

impl StageProgress {
    fn new(planned: PlannedStage) -> Self {
        let (residuals, is_over) = (Vec::new(), false);
        let pace = Pace::default();
        Self { planned, announced: 0, begun: None, spent: 0.0, pace, residuals, is_over }
    }

    fn steps(&self) -> f64 {
        expected_steps(self.planned.steps, self.announced, &self.residuals)
    }

    /// Seconds of the whole stage by the plan, times `factor`.
    fn planned_seconds(&self, factor: f64) -> f64 {
        factor
            * match self.planned.steps {
                Steps::AsReported => self.planned.seconds,
                Steps::Exactly(_) | Steps::UntilConverged(_) => self.planned.seconds * self.steps(),
            }
    }

    /// Remaining seconds of the current stage.
    fn left(&self, now: f64, factor: f64) -> f64 {
        let planned = self.planned_seconds(factor);
        let Some([(first, from), (step, until)]) = self.pace.whole() else {
            return (planned - (now - self.begun.unwrap_or(now))).max(OVERDUE * self.spent_by(now));
        };
        let (steps, since) = (self.steps(), now - until);
        let to_do = (steps - step).max(0.0);
        let by_plan = if steps > 0.0 { planned * to_do / steps } else { 0.0 };
        let (seen, passed) = (step - first, until - from);
        if seen <= 0.0 {
            return (by_plan - since).max(OVERDUE * since);
        }
        let by_pace = to_do * self.pace.recent_seconds();
        let trust = passed / (passed + PACE_COUNTS * (by_plan + by_pace));
        let trust = trust.min(seen / (seen + 1.0));
        (trust * by_pace + (1.0 - trust) * by_plan - since).max(OVERDUE * since)
    }

    fn spent_by(&self, now: f64) -> f64 {
        self.begun.map_or(self.spent, |begun| if self.is_over { self.spent } else { now - begun })
    }
}

impl Outlook {
    /// An estimate for a run of these stages.
    pub fn new(plan: Vec<PlannedStage>) -> Self {
        Self { stages: plan.into_iter().map(StageProgress::new).collect(), at: None, share: 0.0 }
    }

    /// The position of a stage, or of the stage that it is a leg of; `None` for a stage outside the plan, which
    /// counts as part of the stage before.
    fn place(&self, stage: &str) -> Option<usize> {
        self.stages.iter().position(|known| known.planned.includes(stage))
    }

    /// Records that a stage begins.
    pub fn begin(&mut self, stage: &str, announced: u64, now: f64) {
        let Some(place) = self.place(stage) else { return };
        if self.at != Some(place) {
            self.end(now);
            self.at = Some(place);
        }
        let known = &mut self.stages[place];
        known.announced = announced;
        known.begun.get_or_insert(now);
    }

    /// Records progress of the current stage.
    pub fn step(&mut self, step: u64, residual: Option<f64>, now: f64) {
        let Some(known) = self.at.and_then(|at| self.stages.get_mut(at)) else { return };
        let place = (step as f64, now);
        known.pace.seen(place);
        if let (Some(residual), Steps::UntilConverged(_)) = (residual, known.planned.steps) {
            // Steps without a residual are NaN, which no fit uses.
            known.residuals.resize(number::size(step).saturating_sub(1), f64::NAN);
            known.residuals.push(residual);
        }
    }

    /// Records a stage that an earlier attempt finished in `steps` steps.
    pub fn recalled(&mut self, stage: &str, steps: u64, now: f64) {
        self.begin(stage, steps, now);
        let Some(known) = self.at.and_then(|at| self.stages.get_mut(at)) else { return };
        (known.begun, known.is_over) = (None, false);
        known.pace = Pace::from((steps as f64, now));
    }

    fn end(&mut self, now: f64) {
        let Some(known) = self.at.and_then(|at| self.stages.get_mut(at)) else { return };
        (known.spent, known.is_over) = (known.spent_by(now), true);
    }

    /// The current progress.
    pub fn left(&mut self, now: f64) -> Remaining {
        let factor = self.factor(now);
        let at = self.at;
        let left = |(place, known): (usize, &StageProgress)| match at {
            Some(at) if place < at => 0.0,
            Some(at) if place == at => known.left(now, factor),
            _ => known.planned_seconds(factor),
        };
        let seconds: f64 = self.stages.iter().enumerate().map(left).sum();
        let spent: f64 = self.stages.iter().map(|known| known.spent_by(now)).sum();
        let share = if spent + seconds > 0.0 { spent / (spent + seconds) } else { 0.0 };
        self.share = self.share.max(share.min(1.0));
        Remaining { share: self.share, seconds }
    }

    /// Ratio of actual to planned time of the work that is done.
    fn factor(&self, now: f64) -> f64 {
        let doubt = DOUBT * self.stages.iter().map(|known| known.planned_seconds(1.0)).sum::<f64>();
        let (mut took, mut planned) = (doubt, doubt);
        for known in self.stages.iter().filter(|known| known.begun.is_some()) {
            let whole = known.planned_seconds(1.0);
            if known.is_over {
                (took, planned) = (took + known.spent, planned + whole);
            } else if let Some([(first, from), (step, until)]) = known.pace.whole() {
                let share = if known.steps() > 0.0 { (step - first) / known.steps() } else { 0.0 };
                (took, planned) = (took + (until - from), planned + whole * share.min(1.0));
            } else {
                // An overdue stage has taken at least its time so far.
                let spent = known.spent_by(now);
                if spent > whole {
                    (took, planned) = (took + spent, planned + whole);
                }
            }
        }
        if planned > 0.0 { took / planned } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> Vec<PlannedStage> {
        vec![
            PlannedStage::whole("prepare", 1.0),
            PlannedStage::steps("iterate", 100, 0.1),
            PlannedStage::whole("measure", 2.0),
            PlannedStage::whole("save", 1.0),
        ]
    }

    /// An outlook on a machine that takes three times as long, after `steps` steps, with the seconds that
    /// have passed.
    fn after(steps: u64) -> (Outlook, f64) {
        let mut outlook = Outlook::new(plan());
        outlook.begin("prepare", 0, 0.0);
        outlook.begin("iterate", 50, 3.0);
        for step in 1..=steps {
            if step == 51 {
                outlook.begin("iterate-2", 100, 18.0);
            }
            outlook.step(step, None, 3.0 + 0.3 * step as f64);
        }
        (outlook, 3.0 + 0.3 * steps as f64)
    }

    #[test]
    fn what_is_done_tells_how_fast_the_machine_is() {
        // The whole run takes 3 + 30 + 6 + 3 seconds.
        for (steps, within) in [(10, 0.15), (40, 0.1), (90, 0.1)] {
            let (mut outlook, now) = after(steps);
            let Remaining { share, seconds } = outlook.left(now);
            let (left, done) = (42.0 - now, now / 42.0);
            assert!((seconds / left - 1.0).abs() < within, "{steps}: {seconds} for {left}");
            assert!((share / done - 1.0).abs() < within, "{steps}: {share} for {done}");
        }
    }

    #[test]
    fn what_is_done_is_never_less_than_it_was() {
        let (mut outlook, now) = after(90);
        let before = outlook.left(now).share;
        // A step that hangs.
        assert!(outlook.left(now + 100.0).share >= before);
        assert!(outlook.left(now + 100.0).seconds > 0.0);
    }

    #[test]
    fn a_stage_of_an_earlier_attempt_is_done_and_took_no_time() {
        let mut outlook = Outlook::new(plan());
        outlook.begin("prepare", 0, 0.0);
        outlook.recalled("iterate", 100, 1.0);
        outlook.begin("measure", 0, 1.0);
        let Remaining { seconds, .. } = outlook.left(1.0);
        assert!((seconds - 3.0).abs() < 0.2, "{seconds}");
    }

    #[test]
    fn a_stage_that_the_plan_does_not_know_belongs_to_the_one_before() {
        let mut outlook = Outlook::new(plan());
        outlook.begin("prepare", 0, 0.0);
        outlook.begin("something else", 7, 0.5);
        let Remaining { seconds, .. } = outlook.left(0.5);
        assert!((seconds - 13.5).abs() < 0.5, "{seconds}");
    }
}
