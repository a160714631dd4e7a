//! What anchors need and a run did not keep: it is made from here once, before the first edit.

use ratatui::text::Line;

use crate::tui::effect::Effect;
use crate::tui::message::FactorJobStatus;
use crate::tui::view::look::Appearance;
use crate::tui::view::{parts, text};
use crate::tui::workbench::Workbench;
use topoi_run::outlook::Remaining;
use topoi_run::shaping::factor::FactorCost;
use topoi_store::id::RunId;

/// A job that is expected to take longer, in seconds, begins only on request.
const AT_ONCE: f64 = 60.0;
/// Cells of a gauge, and of the stage before it.
const GAUGE: usize = 30;
const STAGE: usize = 10;

/// What is being made, or was stopped.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FactorJob {
    run: RunId,
    /// The stage, and how far it is on the whole.
    now: Option<(&'static str, Remaining)>,
    /// Why it is not there.
    ended: Option<String>,
}

impl FactorJob {
    pub fn is_under_way(&self) -> bool {
        self.now.is_some()
    }

    /// A run lacks this: what takes little is begun at once, unless it was stopped before.
    pub fn report_missing_factor(&mut self, cost: &FactorCost, workbench: &mut Workbench) {
        if self.run == cost.run {
            return;
        }
        *self = Self { run: cost.run, ..Self::default() };
        if cost.seconds() <= AT_ONCE {
            self.begin(cost, workbench);
        }
    }

    pub fn begin(&mut self, cost: &FactorCost, workbench: &mut Workbench) {
        let left = Remaining { share: 0.0, seconds: cost.seconds() };
        *self = Self { run: cost.run, now: Some(("begins", left)), ended: None };
        workbench.perform(Effect::MakeFactor(Box::new(cost.clone())));
    }

    /// Nothing more is heard of what is stopped.
    pub fn stop(&mut self, workbench: &mut Workbench) {
        (self.now, self.ended) = (None, Some("It was stopped; nothing was kept.".into()));
        workbench.perform(Effect::StopFactor);
    }

    /// Takes how far it is; whether the topics can be shaped now.
    pub fn hear(&mut self, run: RunId, status: &FactorJobStatus) -> bool {
        // What was begun for another run afterwards has stopped it.
        if run != self.run {
            return false;
        }
        match status {
            // Its end may have been reported before it was stopped.
            FactorJobStatus::Running(stage, left) if self.is_under_way() => {
                self.now = Some((stage, *left))
            }
            FactorJobStatus::Running(..) => {}
            FactorJobStatus::Ended(Ok(())) => *self = Self::default(),
            FactorJobStatus::Ended(Err(error)) => {
                (self.now, self.ended) = (None, Some(error.clone()))
            }
        }
        matches!(status, FactorJobStatus::Ended(Ok(())))
    }

    pub fn lines(&self, cost: &FactorCost, look: Appearance, cells: u16) -> Vec<Line<'static>> {
        let paragraph = |words: &str| parts::paragraph(words, cells, look.plain());
        let mut lines = paragraph(&format!(
            "Run {} did not keep what its anchors need, a rectified co-occurrence of its words. It is made once, \
             from the documents, and kept: about {}, and {} of the store.",
            cost.run,
            text::duration(cost.seconds()),
            text::memory(cost.bytes)
        ));
        lines.push(Line::raw(""));
        match &self.now {
            Some((stage, left)) => {
                lines.push(Line::raw(format!(
                    " {} {} {:>3.0}%  {} left",
                    text::align_left(stage, STAGE),
                    parts::gauge(left.share, GAUGE),
                    (100.0 * left.share).floor(),
                    text::duration(left.seconds)
                )));
                lines.push(Line::raw(""));
                lines.extend(paragraph(
                    "Esc stops it. It goes on while you look at something else, and ends with the workbench.",
                ));
            }
            None => {
                if let Some(ended) = &self.ended {
                    lines.extend(parts::paragraph(ended, cells, look.bad()));
                }
                lines.extend(paragraph("Enter makes it."));
            }
        }
        lines
    }
}
