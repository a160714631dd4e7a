//! What a run had to do: how much of the corpus was left to it, and what working in parts cost.

use super::definition::{Scope, ValueRange, metric_def};

metric_def! {
    /// documents that are left of the corpus once the vocabulary and `--min-tokens` are applied
    pub const DOCUMENTS_USED {
        id: "documents_used",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0),
        source: "",
        tags: &[],
    }
}

metric_def! {
    /// counts above 0 (a word in a document) that are left of the corpus once the vocabulary and
    /// `--min-tokens` are applied
    pub const NONZEROS_USED {
        id: "nonzeros_used",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0),
        source: "",
        tags: &[],
    }
}

metric_def! {
    /// tokens that are left of the corpus once the vocabulary and `--min-tokens` are applied
    pub const TOKENS_USED {
        id: "tokens_used",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0),
        source: "",
        tags: &[],
    }
}

metric_def! {
    /// of a run in parts: how many ([parts.md](parts.md))
    pub const PARTS {
        id: "parts",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(1.0),
        source: "measured",
        tags: &[],
    }
}

metric_def! {
    /// of a run in parts: what part 0 spent in exchanges
    pub const EXCHANGE_SECONDS {
        id: "exchange_seconds",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0),
        source: "measured",
        tags: &[],
    }
}

metric_def! {
    /// of a run in parts: what part 0 sent
    pub const EXCHANGE_BYTES {
        id: "exchange_bytes",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0),
        source: "measured",
        tags: &[],
    }
}
