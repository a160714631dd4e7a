//! What decides a run beside its model: the settings that all runs have.

use super::RunRequest;
use topoi_core::model::DEFAULT_REFINE;
use topoi_core::model::setting::{Definition, Interval, Kind, Setting};

/// Whichever its value is checked by.
const OTHER: Definition =
    Definition { name: "", help: "", placeholder: "", kind: Kind::Other, auto: None };

/// Which of the store's corpora is modelled.
pub const CORPUS: Definition = Definition { name: "corpus", help: "the corpus to model", ..OTHER };

/// The model; what can be chosen is [`topoi_core::model::Model::all`].
pub const MODEL: Definition = Definition { name: "model", help: "the model", ..OTHER };

/// K.
pub const K: Definition =
    Definition { name: "k", help: "number of topics, 2 or more", placeholder: "K", ..OTHER };

/// What K is where it is not given.
pub const USUAL_K: &str = "by the number of documents, see docs/guide/choosing-k.md";

/// What the shortest document is where it is not given.
pub const USUAL_MIN_TOKENS: &str =
    "5; 2 where more than one in twenty documents has fewer than 5 tokens";

/// One K or several.
pub const K_LIST: Definition = Definition {
    help: "number of topics, 2 or more; 10..100:10 or 5,10,20 make a run for each",
    placeholder: "LIST",
    ..K
};

/// Size of the vocabulary.
pub const TERMS: Definition = Definition {
    name: "terms",
    help: "size of the vocabulary: this many terms, the best by tf-idf",
    placeholder: "TERMS",
    kind: Kind::Count { from: 2, to: u64::MAX },
    auto: None,
};

/// Shortest document.
pub const MIN_TOKENS: Definition = Definition {
    name: "min-tokens",
    help: "leave out documents with fewer tokens in the vocabulary",
    placeholder: "MIN_TOKENS",
    kind: Kind::Count { from: 2, to: u64::MAX },
    auto: None,
};

/// Seed of all random numbers.
pub const SEED: Definition = Definition {
    name: "seed",
    help: "the same seed gives the same topics, bit for bit",
    placeholder: "SEED",
    kind: Kind::Count { from: 0, to: u64::MAX },
    auto: None,
};

/// Threads.
pub const THREADS: Definition = Definition {
    name: "threads",
    help: "threads, of which at most four per core are used; 0 is one per core; never changes the result",
    placeholder: "THREADS",
    kind: Kind::Count { from: 0, to: 1024 },
    auto: None,
};

/// Passes that refine the topics.
pub const REFINE: Definition = Definition {
    name: "refine",
    help: "passes over the documents at most that improve the model's topics; 0 leaves them as the \
           model found them",
    placeholder: "P",
    kind: Kind::Count { from: 0, to: 1000 },
    auto: Some(DEFAULT_REFINE),
};

/// When refining stops.
pub const REFINE_GAIN: Definition = Definition {
    name: "refine-gain",
    help: "refining stops when a pass makes a token more probable by less than this, in nats",
    placeholder: "NATS",
    kind: Kind::Real(Interval::Between(0.0, 1.0)),
    auto: None,
};

/// Memory a model may take.
pub const MEMORY: Definition = Definition {
    name: "memory",
    help: "refuse a model that would take more than this many GB",
    placeholder: "GB",
    kind: Kind::Real(Interval::AboveOf(0.0, "GB")),
    auto: None,
};

/// What comes before the settings of the model.
pub const BEFORE_THE_MODEL: &[Setting<RunRequest>] = &[
    Setting::new(TERMS, |request| &mut request.settings.terms),
    Setting::new(MIN_TOKENS, |request| &mut request.settings.min_tokens),
    Setting::new(SEED, |request| &mut request.seed),
    Setting::new(THREADS, |request| &mut request.settings.threads),
];

/// What comes after them.
pub const AFTER_THE_MODEL: &[Setting<RunRequest>] = &[
    Setting::new(REFINE, |request| &mut request.settings.refine),
    Setting::new(REFINE_GAIN, |request| &mut request.settings.refine_gain),
    Setting::new(MEMORY, |request| &mut request.settings.memory),
];
