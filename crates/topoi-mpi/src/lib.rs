//! A corpus in parts on several machines, and one model of all of it.
//!
//! Every part is a process with a store of its own. All do the same work on their own documents and
//! add up what is a sum over documents ([`topoi_core::stream::parts`]); small dense work is done by all
//! alike. Part 0 has the run: it chooses the vocabulary, reports, and saves. Where the parts are and
//! how they reach each other, only `parts::mpi` knows.

pub mod bounds;
mod card;
pub mod error;
mod matrices;
#[cfg(feature = "mpi")]
pub mod mpi;
mod outline;
mod prepared;
mod progress;
mod sums;
#[cfg(test)]
mod tests;
pub mod unify;
pub mod work;
