//! Interactive shaping of topics: a list of edits, and the topics that follow from it at once.
//!
//! Anchors need only a rectified co-occurrence C* ≈ Y·Yᵀ (W × K): whatever the number of documents,
//! topics of other anchors take W small least squares. [`Edits`] are the requested changes,
//! [`Shaper`] computes the topics, and [`effect`] describes what changed. Topics of models without
//! anchors can be merged, dropped, labelled and pinned in the same way.

mod base;
mod edits;
pub mod effect;
mod error;
mod kept_words;
mod outline;
mod shaper;
#[cfg(test)]
mod test_dense;

pub use self::base::{Base, CoOccurrenceFactor, unknown_word};
pub use self::edits::{Edit, Edits};
pub use self::error::ShapeError;
pub use self::kept_words::KeptWords;
pub use self::outline::{Outline, Part, TopicPlan};
pub use self::shaper::{Shaped, Shaper};
