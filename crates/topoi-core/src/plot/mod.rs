//! Figures as SVG, without scripts: lines and points with intervals, bars, heat maps, graphs.
//!
//! A chart lays itself out from its data. The same data give the same bytes. Colours are distinguishable with colour
//! blindness and contrast with white and with black; marks and dashes differ as well.
//!
//! ```
//! use topoi_core::plot::axis::{Axis, Scale};
//! use topoi_core::plot::chart::{Chart, Mark, Series};
//!
//! let marks = vec![Mark::new(10.0, 0.31).between(0.28, 0.34), Mark::new(1000.0, 0.02)];
//! let chart = Chart {
//!     title: "Error by documents".into(),
//!     x: Axis { scale: Scale::Log, ..Axis::new("documents") },
//!     y: Axis { scale: Scale::Log, ..Axis::new("L1 error") },
//!     series: vec![Series { name: "anchor words".into(), line: marks.clone(), marks }],
//!     ..Chart::default()
//! };
//! assert!(chart.figure().file().starts_with("<svg xmlns="));
//! ```

pub mod axis;
pub mod bars;
pub mod chart;
pub mod colour;
pub mod figure;
pub mod graph;
pub mod heat;
pub mod map;
#[cfg(test)]
mod test_figures;
pub mod text;
