//! Effects compared with other programs, and checked by simulation.

mod against_r;
mod corpora;
mod coverage;
mod formulas;
mod small_groups;
