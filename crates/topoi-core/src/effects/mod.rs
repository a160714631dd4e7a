//! Effects of document fields on topic shares: a linear regression of every topic's share that
//! propagates the uncertainty of the shares.
//!
//! The module has no access to a store. Field values are passed as numbers or categories
//! ([`design::FieldValues`]), posteriors of documents' shares as parameters of Dirichlet
//! distributions ([`estimate::Posteriors`]).
//!
//! # Source
//! The method of composition (Tanner 1996, section 3.3.2), as `estimateEffect` in Roberts, Stewart
//! and Tingley 2019, "stm: An R package for structural topic models". Shares are drawn from their
//! posterior, each draw is regressed, and the draws' estimates are combined. Rubin's rule replaces
//! stm's draws of the coefficients.

mod columns;
pub mod design;
mod error;
pub mod estimate;
pub mod expression;
mod sandwich;
mod spline;
mod support;

pub use error::EffectsError;

#[cfg(test)]
mod test_formulas;
#[cfg(test)]
mod test_small_groups;
