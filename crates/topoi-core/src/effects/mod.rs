//! How shares of topics depend on fields of documents: a linear regression of every topic's share, with what is not
//! known of the shares carried through.
//!
//! Knows no store: what a field says of the documents comes in as numbers or categories ([`design::Values`]), what
//! is known of a document's shares as the parameters of a Dirichlet distribution ([`estimate::Posteriors`]).
//!
//! # Source
//! The method of composition (Tanner 1996, section 3.3.2) as `estimateEffect` of Roberts, Stewart and Tingley 2019,
//! "stm: An R package for structural topic models", has it: shares are drawn from their posterior, each draw is
//! regressed, and the draws' estimates are put together; with Rubin's rule in place of draws of the coefficients.

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
