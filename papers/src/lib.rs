//! The figures and tables of the five papers: how each is measured, what was saved of them, whether the models are still
//! those that were measured, and the pages that are made of it all.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it prints what it measured")]

mod biggs2008;
pub mod catalogue;
mod cheng2015;
mod ding2013;
mod ding2015;
mod drawn;
pub mod fingerprint;
mod laboratory;
mod lee2021;
pub mod measuring;
pub mod pages;
