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
/// Those that stop at a tolerance.
const TO_A_TOLERANCE: &[&str] = &["lr-jsmf", "enn", "palm", "raw", "svd", "nmf-kl", "nmf-ard"];
/// Those that iterate.
const ITERATING: &[&str] =
    &["lr-jsmf", "enn", "palm", "raw", "r1d", "nmf-kl", "nmf-ard", "lda-gibbs"];
/// Those that look for novel words.
const SEPARABLE: &[&str] = &["rp", "ddp", "rp-doc", "binning"];

/// Which corpus.
pub const CORPUS: Field = Field { name: "corpus", help: "the corpus to model", models: ALL };
/// Which model.
pub const MODEL: Field = Field {
    name: "model",
    help: "lr-jsmf (rectified anchor words, streamed), enn, palm, raw, aw, rp, ddp, rp-doc, binning, \
           svd, r1d, nmf-kl, nmf-ard or lda-gibbs",
    models: ALL,
};
/// K.
pub const K: Field = Field { name: "k", help: "number of topics, 2 or more", models: ALL };
/// Number of topics, or several.
pub const K_LIST: Field = Field {
    name: "k",
    help: "number of topics, 2 or more; 10..100:10 or 5,10,20 make a run for each",
    models: ALL,
};
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
    help: "stop the factorisation at this relative residual; nmf-kl, nmf-ard: when ten iterations \
           lower the objective by less than this part of it",
    models: TO_A_TOLERANCE,
};
/// Iterations of the model.
pub const ITERATIONS: Field = Field {
    name: "iterations",
    help: "iterations at most; of r1d, steps for one topic [default: the model's own]",
    models: ITERATING,
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
/// Whether sums are kept.
pub const KEEP_SUMS: Field = Field {
    name: "keep-sums",
    help: "rp: keep the sums of its projections, so that topoi update reads new documents only for \
           them; takes 4 bytes a term and direction in the store",
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
/// γ of R1D.
pub const GAMMA: Field = Field {
    name: "gamma",
    help: "r1d: how much a departure from rank one costs, above 1 [default: 4]",
    models: &["r1d"],
};
/// What R1D grows a topic from.
pub const START: Field = Field {
    name: "start",
    help: "r1d: what a topic is grown from, the heaviest document or the heaviest word [default: \
           document, as in the paper]",
    models: &["r1d"],
};
/// Whether one side of R1D's topics only grows and the other only shrinks.
pub const MONOTONE: Field = Field {
    name: "monotone",
    help: "r1d: the side a topic starts with one of only grows, the other only shrinks",
    models: &["r1d"],
};
/// Penalty of R1D on the size of a topic.
pub const RHO: Field = Field {
    name: "rho",
    help: "r1d: a penalty on words times documents of a topic, as a part of what its first \
           document scores; keeps words out that hardly count [default: 0; the paper: 0.05]",
    models: &["r1d"],
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
    K_LIST,
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
    KEEP_SUMS,
    REFINE,
    GAMMA,
    START,
    MONOTONE,
    RHO,
    MEMORY,
];
