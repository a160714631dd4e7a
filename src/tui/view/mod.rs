//! From state to screen: functions that draw and never change the state. What a screen shows is
//! drawn in its folder; here is what surrounds it, and what several screens draw.

pub mod chart;
pub mod dots;
mod frame;
pub mod help;
pub mod layout;
pub mod look;
pub mod parts;
pub mod run_detail;
pub mod table;
pub mod text;

pub use frame::draw;
