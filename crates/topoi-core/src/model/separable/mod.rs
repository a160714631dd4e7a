//! Separable topic discovery: novel words as extreme points, grouped by topic, and topics by
//! regression on their rows.
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
mod test_update;

pub use detect::kept_sums::{EarlierSums, KeptSums, NothingKept};
pub(super) use discovery::fit;
pub use discovery::{NovelWord, Separable, separable_topics};
pub use number_of_topics::TopicEstimate;
pub use settings::{
    CLUSTERING, Clustering, Counting, DISTANCE, Detector, Directions, ESTIMATE, Estimate, FAR,
    PAPER_NOVEL_PER_TOPIC, PAPER_SIGMA, PAPER_ZETA, PROJECTIONS, SIGMA, SeparableSettings,
};
