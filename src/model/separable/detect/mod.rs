//! Novel words: the words whose rows are extreme points, and how sure that is of each.
//!
//! A file a detector ([`super::Detector`]): solid angles ([`leaders`] along [`projections`], whose sums can be kept),
//! document projections, bins, data-dependent directions. All of them give [`candidates`].

pub(super) mod binning;
pub(super) mod candidates;
pub(super) mod data_dependent;
pub(super) mod document_projections;
pub(super) mod kept_sums;
pub(super) mod leaders;
pub(super) mod projections;
