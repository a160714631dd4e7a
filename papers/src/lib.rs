//! The figures and tables of the five papers: what was saved of them, and the pages that are made of it.

pub mod pages;
