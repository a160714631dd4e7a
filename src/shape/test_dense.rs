//! Against the same written out with W × W matrices.
