//! Topics shaped by hand: a list of edits, and the topics that follow from it at once.
//!
//! A rectified co-occurrence C* ≈ Y·Yᵀ (W × K) is all that anchors need: whatever the number of documents,
//! topics of other anchors are W small least squares away. [`Edits`] say what is wanted, [`Shaper`] says
//! which topics follow, and [`effect`] what that changes. Topics of models without anchors can be merged,
//! dropped, labelled and pinned in the same way.

mod aside;
mod base;
mod edits;
pub mod effect;
mod error;
mod outline;
mod shaper;
#[cfg(test)]
mod test_dense;

pub use self::aside::Kept;
pub use self::base::{Base, Factor, unknown_word};
pub use self::edits::{Edit, Edits};
pub use self::error::ShapeError;
pub use self::outline::{Outline, Part, TopicPlan};
pub use self::shaper::{Shaped, Shaper};
