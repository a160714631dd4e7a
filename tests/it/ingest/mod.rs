//! Ingests into a real store: what they add, replace and leave out, what is refused, and what is
//! there after a kill, on a full disk and beside other writers.

mod adding;
mod bench;
mod formats;
mod full_disk;
mod killing;
mod migration;
mod nasty;
mod refusals;
mod replacing;
mod tokens;
