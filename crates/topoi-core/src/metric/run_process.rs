//! Metrics of the fitting process: how much of the corpus was used, what working in parts cost, and
//! how the topics of documents were estimated.

use super::better::Better;
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
    /// documents that are left out because they have fewer than `--min-tokens` tokens of the vocabulary
    pub const DOCUMENTS_LEFT_OUT {
        id: "documents_left_out",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0),
        source: "",
        tags: &[],
    }
}

metric_def! {
    /// how many times as long as the mean document the document of a token is on average: M·Σn²/(Σn)² for M
    /// documents of n tokens in the vocabulary; 1 where all are equally long
    pub const LENGTH_UNEVENNESS {
        id: "length_unevenness",
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
    /// of a run in parts: messages between all parts, each of which takes at least the latency of the network
    pub const EXCHANGES {
        id: "exchanges",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0),
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

metric_def! {
    /// mean over tokens of log p(token | the other tokens of its document, B, α), nats. Of the
    /// training documents; for choosing K use the held-out metrics
    pub const TOKEN_LOG_PROBABILITY {
        id: "token_log_probability",
        scope: Scope::Run,
        better: None,
        range: ValueRange::up_to(0.0),
        source: "[documents.md](documents.md)",
        tags: &[],
    }
}

metric_def! {
    /// the largest share of a document's tokens that the last sweep over it moved from topic to
    /// topic ([documents.md](documents.md))
    pub const DOCUMENT_TOPICS_RESIDUAL {
        id: "document_topics_residual",
        scope: Scope::Run,
        better: Some(Better::Smaller),
        range: ValueRange::from(0.0),
        source: "measured",
        tags: &[],
    }
}

metric_def! {
    /// sweeps over a document that θ took, on average
    pub const DOCUMENT_TOPICS_SWEEPS {
        id: "document_topics_sweeps",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(1.0),
        source: "measured",
        tags: &[],
    }
}

metric_def! {
    /// α₀ = Σ_k α_k of the documents' topics
    pub const ALPHA_SUM {
        id: "alpha_sum",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0),
        source: "Minka 2000, eq. 9; Blei et al. 2003, §5",
        tags: &[],
    }
}

metric_def! {
    /// Σ of the changes of the α_k over α₀, in the last round of their estimation
    pub const ALPHA_CHANGE {
        id: "alpha_change",
        scope: Scope::Run,
        better: Some(Better::Smaller),
        range: ValueRange::from(0.0),
        source: "measured",
        tags: &[],
    }
}

metric_def! {
    /// ½ Σ_k abs(p(topic k) − mean_m θ_mk): how far the model's p(topic) is from what the documents
    /// say
    pub const WEIGHTS_FROM_DOCUMENTS {
        id: "weights_from_documents",
        scope: Scope::Run,
        better: None,
        range: ValueRange::between(0.0, 1.0),
        source: "",
        tags: &[],
    }
}

metric_def! {
    /// mean over tokens of log p(token | the other tokens of its document, B), nats, of the topics
    /// that the last pass of `--refine` began with; its curve is in `run_residual`
    pub const REFINE_LOG_PROBABILITY {
        id: "refine_log_probability",
        scope: Scope::Run,
        better: None,
        range: ValueRange::up_to(0.0),
        source: "Asuncion et al. 2009; [documents.md](documents.md)",
        tags: &[],
    }
}

metric_def! {
    /// passes of `--refine`, or mini-batches where the corpus is large
    pub const REFINE_STEPS {
        id: "refine_steps",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(1.0),
        source: "measured",
        tags: &[],
    }
}

metric_def! {
    /// what the last pass of `--refine` gained, nats a token; above `--refine-gain` where the passes
    /// were used up first
    pub const REFINE_GAIN {
        id: "refine_gain",
        scope: Scope::Run,
        better: None,
        range: ValueRange::REAL,
        source: "measured",
        tags: &[],
    }
}

metric_def! {
    /// sweeps of the sampler that refining ended with (`--sweeps`)
    pub const SWEEPS {
        id: "sweeps",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(1.0),
        source: "measured",
        tags: &[],
    }
}

metric_def! {
    /// ln p(words, topics) of a token after the last sweep of `--sweeps`, nats; its curve is in
    /// `run_residual`
    pub const SWEEPS_LOG_LIKELIHOOD {
        id: "sweeps_log_likelihood",
        scope: Scope::Run,
        better: None,
        range: ValueRange::REAL,
        source: "Griffiths and Steyvers 2004; [documents.md](documents.md)",
        tags: &[],
    }
}

metric_def! {
    /// the share of a document's tokens that the last sweep of the last pass of `--refine` moved from
    /// topic to topic, on average
    pub const REFINE_RESIDUAL {
        id: "refine_residual",
        scope: Scope::Run,
        better: Some(Better::Smaller),
        range: ValueRange::from(0.0),
        source: "measured",
        tags: &[],
    }
}
