//! What a user can set for a run: the one source of the launch form and of `--help`.

/// A setting as a person sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Its name; the long flag of the command line without the dashes.
    pub name: &'static str,
    /// One line on what it does.
    pub help: &'static str,
    /// The models that know it; empty where all do.
    pub models: &'static [&'static str],
}

impl Field {
    /// Whether a model knows the setting.
    pub fn is_of(&self, model: &str) -> bool {
        self.models.is_empty() || self.models.contains(&model)
    }
}

/// Every model.
const ALL: &[&str] = &[];
/// Those that rectify.
const RECTIFIED: &[&str] = &["lr-jsmf", "enn", "palm", "raw"];
/// Those that look for novel words.
const SEPARABLE: &[&str] = &["rp", "ddp", "rp-doc", "binning"];

/// Which corpus.
pub const CORPUS: Field = Field { name: "corpus", help: "the corpus to model", models: ALL };
/// Which model.
pub const MODEL: Field = Field {
    name: "model",
    help: "lr-jsmf (rectified anchor words, streamed), enn, palm, raw, aw, rp, ddp, rp-doc or binning",
    models: ALL,
};
/// K.
pub const K: Field = Field { name: "k", help: "number of topics, 2 or more", models: ALL };
/// Size of the vocabulary.
pub const TERMS: Field = Field {
    name: "terms",
    help: "size of the vocabulary: this many terms, the best by tf-idf",
    models: ALL,
};
/// Shortest document.
pub const MIN_TOKENS: Field = Field {
    name: "min-tokens",
    help: "leave out documents with fewer tokens in the vocabulary",
    models: ALL,
};
/// Seed.
pub const SEED: Field =
    Field { name: "seed", help: "the same seed gives the same topics, bit for bit", models: ALL };
/// Threads.
pub const THREADS: Field = Field {
    name: "threads",
    help: "threads; 0 is one per core; never changes the result",
    models: ALL,
};
/// Tolerance of the factorisation.
pub const TOLERANCE: Field = Field {
    name: "tolerance",
    help: "stop the factorisation at this relative residual",
    models: RECTIFIED,
};
/// Iterations of the model.
pub const ITERATIONS: Field = Field {
    name: "iterations",
    help: "iterations at most [default: the model's own]",
    models: RECTIFIED,
};
/// Rows that ENN corrects.
pub const ROWS: Field = Field {
    name: "rows",
    help: "rows whose negative entries lr-jsmf and enn correct [default: 10 k + 1000]; all the \
           terms: as close to raw as can be, for twice the time",
    models: &["lr-jsmf", "enn"],
};
/// Random directions of rp and rp-doc.
pub const PROJECTIONS: Field = Field {
    name: "projections",
    help: "random directions of rp and rp-doc [default: 150 k and 50 k]",
    models: &["rp", "rp-doc"],
};
/// Threshold of separable models.
pub const DISTANCE: Field = Field {
    name: "distance",
    help: "rp, ddp, rp-doc, binning: words belong to different topics from half this distance on \
           (zeta or d in the papers) [default: words are grouped without a threshold]",
    models: SEPARABLE,
};
/// Margin of ddp.
pub const MARGIN: Field = Field {
    name: "margin",
    help: "ddp: a word is novel from half this margin on (gamma in the paper) [default: from the \
           data]",
    models: &["ddp"],
};
/// Least solid angle.
pub const LEAST_ANGLE: Field = Field {
    name: "least-angle",
    help: "rp: words with a solid angle up to this do not count for the number of topics",
    models: &["rp"],
};
/// How novel words are grouped.
pub const CLUSTERING: Field = Field {
    name: "clustering",
    help: "rp, ddp, rp-doc, binning: how novel words are grouped by topic: pooled, components, \
           spectral or ranked [default: pooled; with --distance the paper's own]",
    models: SEPARABLE,
};
/// Passes that refine the topics.
pub const REFINE: Field = Field {
    name: "refine",
    help: "passes of EM over the documents that refine the model's topics; 3 make them more \
           distinct, for about a second each on a million words",
    models: ALL,
};
/// Memory a model may take.
pub const MEMORY: Field = Field {
    name: "memory",
    help: "refuse a model that would take more than this many GB",
    models: ALL,
};

/// The fields of the launch form, in its order; it shows those of the chosen model.
pub const LAUNCH_FORM: &[Field] = &[
    CORPUS,
    MODEL,
    K,
    TERMS,
    MIN_TOKENS,
    SEED,
    THREADS,
    TOLERANCE,
    ITERATIONS,
    ROWS,
    PROJECTIONS,
    DISTANCE,
    MARGIN,
    CLUSTERING,
    LEAST_ANGLE,
    REFINE,
    MEMORY,
];
