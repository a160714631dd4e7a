//! Topic proportions of documents, p(topic | document), for given topics of any model.
//!
//! A document is a multinomial mixture of the topics, p(word) = Σ_k B_wk θ_k. `topic_rows` stores B
//! by rows for reading, `cvb0` infers θ of one document (with `token_sweep`), `concentration`
//! estimates α, `pass` infers all documents of a corpus, and `mixtures` summarises them. None of
//! these changes B; `model::refine` does.

pub mod collected;
pub mod concentration;
pub mod cvb0;
pub mod digamma;
pub(in crate::model) mod lanes;
pub mod mixtures;
mod outer_products;
pub mod pass;
mod single_lanes;
pub(in crate::model) mod sweep;
#[cfg(test)]
pub(crate) mod test_corpus;
mod token_sweep;
pub mod topic_rows;
