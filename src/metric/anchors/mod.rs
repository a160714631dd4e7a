//! Where the anchors stand in the co-occurrence space, and what they recover of it.

pub mod anchor_space;
pub mod log_relative_volume;
pub mod mst_incoherence;
pub mod random_hull;
pub mod word_map;
