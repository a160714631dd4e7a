//! One model of a corpus in parts on several machines.
//!
//! Every part is a process with a store of its own. All parts do the same work on their own documents and add up
//! sums over documents ([`topoi_core::stream::parts`]). Small dense computations are repeated in every part. Part 0
//! has the run: it chooses the vocabulary, reports, and saves. Only the module `mpi` knows how the parts
//! communicate.

pub mod bounds;
mod card;
mod compute;
pub mod error;
mod matrices;
#[cfg(feature = "mpi")]
pub mod mpi;
mod outline;
mod part_run;
mod prepared;
mod progress;
pub mod question;
mod run_in_parts;
mod sums;
#[cfg(test)]
mod tests;
pub mod unify;
pub mod watch;
pub mod work;
