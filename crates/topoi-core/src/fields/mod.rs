//! Statistics of document fields, and of topics and words in the groups that fields define. No
//! access to a store.

pub mod date;
mod date_forms;
pub mod interval;
pub mod kind;
pub mod log_odds;
pub mod range;
pub mod smooth;
pub mod spread;
pub mod sums;
pub mod values;
