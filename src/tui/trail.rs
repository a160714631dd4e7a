//! The trail: the screens that were left for what one of their rows leads to, each as it was left.

use super::screen::Screen;
use super::workbench::Workbench;
use topoi_store::id::{CorpusId, RunId};

/// Steps that are kept; of more, the earliest are forgotten.
const MOST_STEPS: usize = 32;

#[derive(Debug, Clone, Default)]
pub struct Trail {
    steps: Vec<Step>,
}

/// A screen that was left, and what was open then.
#[derive(Debug, Clone)]
struct Step {
    screen: Box<dyn Screen>,
    /// The screen that was followed to, as it was before.
    to: Box<dyn Screen>,
    open_run: Option<RunId>,
    open_corpus: Option<CorpusId>,
}

impl Trail {
    pub fn push(&mut self, screen: Box<dyn Screen>, to: Box<dyn Screen>, workbench: &Workbench) {
        let (open_run, open_corpus) = (workbench.open_run, workbench.open_corpus);
        self.steps.push(Step { screen, to, open_run, open_corpus });
        let surplus = self.steps.len().saturating_sub(MOST_STEPS);
        self.steps.drain(..surplus);
    }

    /// The screen that was left last, and the one that was followed to as it was before; what was open
    /// then is open again.
    pub fn pop(&mut self, workbench: &mut Workbench) -> Option<(Box<dyn Screen>, Box<dyn Screen>)> {
        let step = self.steps.pop()?;
        (workbench.open_run, workbench.open_corpus) = (step.open_run, step.open_corpus);
        Some((step.screen, step.to))
    }

    pub fn clear(&mut self) {
        self.steps.clear();
    }

    /// What was open on each screen that was left, the earliest first, then what is open on the one
    /// that is shown. Empty without steps.
    pub fn crumbs(&self, shown: &dyn Screen) -> Vec<String> {
        let left = self.steps.iter().map(|step| &*step.screen);
        let way = left.chain((!self.steps.is_empty()).then_some(shown));
        way.map(|screen| screen.crumb().unwrap_or_else(|| screen.name().into())).collect()
    }
}
