//! Dense linear algebra on tall matrices, the same to the bit for any number of threads.
//!
//! Matrices are ndarray's in row order; small factorisations are faer's on one thread. This module
//! implements what models need and no crate provides: [`block_krylov`], [`simplex_least_squares`],
//! [`extreme_rows`], [`assignment`].

pub mod accuracy;
pub mod assignment;
pub mod block_krylov;
pub mod cholesky_update;
pub mod dense;
pub mod extreme_rows;
mod krylov_basis;
pub mod orthonormal;
pub mod simplex_least_squares;
mod simplex_row;
pub mod spanning_tree;
