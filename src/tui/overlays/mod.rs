//! What can lie over a screen, each in a room of its own behind [`Overlay`](super::overlay::Overlay).

pub mod confirm;
pub mod glossary;
pub mod help;
pub mod job;
pub mod note;
pub mod palette;

/// Rows that a page moves by in the help and in lists of overlays.
const PAGE: usize = 10;
