//! Separable topic discovery: novel words as extreme points, grouped by topic, and topics by
//! regression on their rows.
//!
//! Four models that differ in where they look for novel words: each is [`Settings`] with a [`NovelWordDetector`] of its own,
//! which has the model's card and a file in `detect/`.
//!
//! Ding, Rohban, Ishwar, Saligrama 2013, "Topic discovery through data dependent and random
//! projections"; Ding, Ishwar, Saligrama 2015, "Necessary and sufficient conditions and a
//! provably efficient algorithm for separable topic discovery".

mod detect;
mod discovery;
mod distances;
mod estimate;
mod group;
mod number_of_topics;
mod settings;
#[cfg(test)]
mod test_printed;
#[cfg(test)]
mod test_update;

pub use detect::NovelWordDetector;
pub use detect::binning::{BinSizes, Bins};
pub use detect::data_dependent::DataDependent;
pub use detect::document_projections::DocumentProjections;
pub use detect::kept_sums::{EarlierSums, KeptSums, NothingKept};
pub use detect::solid_angles::{Counting, Directions, PAPER_ZETA, SolidAngles};
pub use discovery::{NovelWord, Separable, separable_topics};
pub use number_of_topics::TopicEstimate;
pub use settings::{Clustering, Estimate, Settings};

use super::error::ModelError;
use super::plan::{Extent, PlannedStage};
use super::setting::Setting;
use super::topic_model::{Card, Fit, Input, SumsSettings, TopicModel};
use crate::progress::Progress;

/// `rp`: novel words by solid angles.
pub type Rp = Settings<SolidAngles>;
/// `ddp`: novel words by the rows of the co-occurrence as directions.
pub type Ddp = Settings<DataDependent>;
/// `rp-doc`: novel words by random projections over documents.
pub type RpDoc = Settings<DocumentProjections>;
/// `binning`: novel words by a direction for each of √M groups of documents.
pub type Binning = Settings<Bins>;

impl<D: NovelWordDetector> TopicModel for Settings<D> {
    const CARD: Card = D::CARD;
    const SETTINGS: &'static [Setting<Self>] = D::SETTINGS;

    fn as_in_paper() -> Self {
        D::as_in_paper()
    }

    fn plan(&self, size: Extent) -> Vec<PlannedStage> {
        size.separable(self.detector.project_seconds(size))
    }

    fn documents(&self, size: Extent) -> PlannedStage {
        size.documents(D::DOCUMENTS)
    }

    fn keeps_sums(&self, k: usize) -> Option<SumsSettings> {
        self.detector.keeps_sums(k)
    }

    fn fit(&self, input: &Input<'_>, progress: &dyn Progress) -> Result<Fit, ModelError> {
        discovery::fit(self, input, progress)
    }
}
