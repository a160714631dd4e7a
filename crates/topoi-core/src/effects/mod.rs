//! Effects of document fields on topic shares: linear regressions of every topic's share.
//!
//! The module has no access to a store. Field values are passed as texts and numbers
//! ([`design::fields::FieldValues`]), shares as numbers ([`regression::Outcomes`]): the linear estimate
//! of [`crate::formula::linear_proportions`], which is unbiased, or posterior means.
//!
//! `formula` reads R's formulas, `design` makes R's columns of them, and `regression` estimates
//! coefficients, their covariances and tests.

pub mod design;
mod error;
pub mod formula;
pub mod regression;
#[cfg(test)]
mod tests;

pub use error::EffectsError;
