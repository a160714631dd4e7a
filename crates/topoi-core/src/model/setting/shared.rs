//! Settings shared by several models.

use crate::model::jsmf::compressed::NegativeEntries;
use crate::model::setting::{Choices, Definition, Interval, Kind};

/// Residual at which a factorisation stops.
pub const TOLERANCE: Definition = Definition {
    name: "tolerance",
    help: "the factorisation stops at this residual, relative to the K-th eigenvalue; 60 passes at \
           most",
    placeholder: "R",
    kind: Kind::Real(Interval::Between(1e-12, 0.1)),
    auto: None,
};

/// The largest number of iterations.
pub const ITERATIONS: Definition = Definition {
    name: "iterations",
    help: "iterations at most",
    placeholder: "N",
    kind: Kind::Count { from: 0, to: 10_000 },
    auto: None,
};

/// l, the number of rows that ENN corrects.
pub const ROWS: Definition = Definition {
    name: "rows",
    help: "rows whose negative entries are corrected; all the terms: within 0.6% of raw, for about \
           twice the time",
    placeholder: "L",
    kind: Kind::Count { from: 1, to: u64::MAX },
    auto: Some("10 K + 1000"),
};

/// What is done with negative entries of the rectified co-occurrence: a [`NegativeEntries`].
pub const NEGATIVE_ENTRIES: Definition = Definition {
    name: "negative-entries",
    help: "negative entries of the rectified co-occurrence are set to 0 in the rows of anchors and \
           of words whose rows sum to 0 or less (zeroed), or stay, as printed (kept)",
    placeholder: "WAY",
    kind: Kind::Choice(NegativeEntries::NAMES),
    auto: None,
};

/// Whether a later run can add documents to the sums of a run.
pub const KEEP_SUMS: Definition = Definition {
    name: "keep-sums",
    help: "keep the sums of its projections, so that topoi update --refit reads new documents \
           only for them; takes 4 bytes a term and direction in the store",
    placeholder: "",
    kind: Kind::Flag,
    auto: None,
};

/// Smallest share of the documents that contain an anchor.
pub const ANCHOR_DOCUMENTS: Definition = Definition {
    name: "anchor-documents",
    help: "anchors are words of at least this share of the documents, or of fewer where \
           that leaves less than 5 K words; 0: any word, as in the paper",
    placeholder: "SHARE",
    kind: Kind::Real(Interval::Between(0.0, 1.0)),
    auto: None,
};
