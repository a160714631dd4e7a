//! What the fields of documents are, and how topics and words lie in the groups that they make: statistics
//! without a store.

pub mod date;
pub mod interval;
pub mod kind;
pub mod log_odds;
pub mod smooth;
pub mod spread;
pub mod sums;
pub mod values;
