//! How well topics B and their correlations A explain the co-occurrence.

pub mod approximation;
pub mod row_norms;
pub mod sketch;
pub mod topic_conditions;
