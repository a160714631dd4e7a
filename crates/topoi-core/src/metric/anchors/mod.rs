//! The anchors in the co-occurrence space: their positions, their hull, and how well they recover other words.

pub mod anchor_space;
pub mod log_relative_volume;
pub mod mst_incoherence;
pub mod random_hull;
pub mod word_map;
