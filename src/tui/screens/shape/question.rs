//! What edits of a run's topics make of them.

use crate::cli::remedy::explained;
use crate::tui::question::{Question, QuestionContext};
use topoi_core::shape::Edit;
use topoi_core::shape::effect::{TopicEffect, effect};
use topoi_run::request::RunRequest;
use topoi_run::shaping::ShapingError;
use topoi_run::shaping::factor::FactorCost;
use topoi_run::shaping::origin::shaping;
use topoi_store::StoreError;
use topoi_store::id::{CorpusId, RunId};

#[derive(Debug, Clone, PartialEq)]
pub struct ShapeQuestion {
    pub run: Option<RunId>,
    pub edits: Vec<Edit>,
}

/// The topics before and after, and the run that would be saved.
#[derive(Debug, Clone, PartialEq)]
pub struct ShapePreview {
    pub run: RunId,
    pub corpus: String,
    pub corpus_id: CorpusId,
    pub edits: Vec<Edit>,
    pub topics: Vec<TopicEffect>,
    pub request: RunRequest,
}

/// Why there are no topics to be shown.
#[derive(Debug, Clone, PartialEq)]
pub enum Refusal {
    /// In words why the edits are refused, or the run cannot be shaped.
    Refused(String),
    /// What its anchors need is to be made first.
    Missing(Box<FactorCost>),
}

impl Question for ShapeQuestion {
    /// `None` without a run.
    type Answer = Option<Result<Box<ShapePreview>, Refusal>>;

    fn ask(&self, asking: &mut QuestionContext<'_>) -> Result<Self::Answer, StoreError> {
        let Some(run) = asking.runs.iter().find(|run| Some(run.id) == self.run) else {
            return Ok(None);
        };
        let edits = self.edits.iter().cloned().collect();
        let mut shape = || -> Result<Box<ShapePreview>, ShapingError> {
            let own = asking.cache.shaper(asking.store, run)?;
            let after = own.shaper.shape(&edits)?;
            Ok(Box::new(ShapePreview {
                run: run.id,
                corpus: run.corpus.clone(),
                corpus_id: run.corpus_id,
                edits: self.edits.clone(),
                topics: effect(own.shaper.base(), &own.before, &after),
                request: shaping(asking.store, run, &edits, &after, None)?,
            }))
        };
        Ok(Some(match shape() {
            Ok(sheet) => Ok(sheet),
            Err(ShapingError::Missing(missing)) => {
                let cost = FactorCost::new(asking.store, &asking.store.run(missing.0)?);
                let cost = cost.map_err(|error| Refusal::Refused(explained(&error)));
                Err(cost.map_or_else(|refused| refused, |cost| Refusal::Missing(Box::new(cost))))
            }
            Err(error) => Err(Refusal::Refused(explained(&error))),
        }))
    }
}
