//! What documents are about: p(topic | document) for topics that are there already, whatever model
//! they are from.
//!
//! A document is taken as a multinomial mixture of the topics, p(word) = Σ_k B_wk θ_k. `topic_rows`
//! holds B the way documents read it, `proportions` finds θ of one document (by `steps` and, most of
//! the time, `sweep`), `concentration` estimates α, `pass` does all documents of a corpus and
//! `mixtures` says what they say together. None of it changes B; `model::refine` does.

pub mod collected;
pub mod concentration;
pub mod cvb0;
pub mod digamma;
mod lanes;
pub mod mixtures;
mod outer_products;
pub mod pass;
mod single_lanes;
mod sweep;
#[cfg(test)]
pub(crate) mod test_corpus;
mod token_sweep;
pub mod topic_rows;
