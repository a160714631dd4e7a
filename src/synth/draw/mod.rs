//! Draws from distributions, with logarithms and exponentials of `libm`.

pub(crate) mod alias_table;
pub(crate) mod dirichlet;
pub(crate) mod gamma;
pub(crate) mod uniform;
