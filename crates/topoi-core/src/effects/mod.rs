//! Effects of document fields on topic shares: linear regressions of every topic's share.
//!
//! The module has no access to a store. Field values are passed as texts and numbers
//! ([`fields::FieldValues`]), shares as numbers ([`regression::Outcomes`]): the linear estimate of
//! [`crate::formula::linear_proportions`], which is unbiased, or posterior means.
//!
//! `formula` reads R's formulas, `design` makes R's columns of them, `regression` estimates
//! coefficients, `sandwich` their covariances, `joint` tests of several at once, `absorb` takes out
//! factors of many levels, and `adjust` corrects p-values of many tests.

mod absorb;
pub mod adjust;
mod columns;
pub mod design;
mod error;
pub mod fields;
pub mod formula;
mod formula_parser;
mod groups;
mod joint;
mod polynomial;
pub mod regression;
mod sandwich;
mod spline;
mod whitened;

pub use absorb::Absorbed;
pub use error::EffectsError;
pub use joint::JointTest;

#[cfg(test)]
mod test_against_r;
#[cfg(test)]
mod test_corpora;
#[cfg(test)]
mod test_coverage;
#[cfg(test)]
mod test_formulas;
#[cfg(test)]
mod test_small_groups;
