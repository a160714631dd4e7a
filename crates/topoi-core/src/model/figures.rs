//! Metrics measured by the models themselves: how far from converged they stopped, and what they
//! chose.

use crate::formula::better::Better;
use crate::formula::metric_def::{Scope, ValueRange, metric_def};

metric_def! {
    /// worst gap to optimality of the W simplex least squares, relative to the largest squared
    /// vertex
    pub const KKT_GAP {
        id: "kkt_gap",
        scope: Scope::Run,
        better: Some(Better::Smaller),
        range: ValueRange::from(0.0),
        source: "measured",
        tags: &[],
    }
}

metric_def! {
    /// largest residual of the K eigenpairs of C, relative to the K-th eigenvalue
    pub const FACTORISATION_RESIDUAL {
        id: "factorisation_residual",
        scope: Scope::Run,
        better: Some(Better::Smaller),
        range: ValueRange::from(0.0),
        source: "measured",
        tags: &[],
    }
}

metric_def! {
    /// `lr-jsmf`: passes over the corpus that the factorisation took
    pub const FACTORISATION_PASSES {
        id: "factorisation_passes",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(1.0),
        source: "measured",
        tags: &[],
    }
}

metric_def! {
    /// relative change in the last iteration of the rectification: of the correction E (`lr-jsmf`,
    /// `enn`), of C (`raw`), of Y (`palm`)
    pub const RECTIFICATION_CHANGE {
        id: "rectification_change",
        scope: Scope::Run,
        better: Some(Better::Smaller),
        range: ValueRange::from(0.0),
        source: "measured",
        tags: &[],
    }
}

metric_def! {
    /// iterations of the rectification
    pub const RECTIFICATION_ITERATIONS {
        id: "rectification_iterations",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0),
        source: "measured",
        tags: &[],
    }
}

metric_def! {
    /// the objective at the end, of `palm` (J) and `nmf-ard` (divergence and prior)
    pub const OBJECTIVE {
        id: "objective",
        scope: Scope::Run,
        better: Some(Better::Smaller),
        range: ValueRange::REAL,
        source: "",
        tags: &[],
    }
}

metric_def! {
    /// the largest relative rise of the objective in an iteration, of `palm`, `nmf-kl` and
    /// `nmf-ard`: 0 but for rounding, or for `nmf-kl` where an extrapolation went too far
    pub const OBJECTIVE_RISE {
        id: "objective_rise",
        scope: Scope::Run,
        better: Some(Better::Smaller),
        range: ValueRange::from(0.0),
        source: "measured",
        tags: &[],
    }
}

metric_def! {
    /// `nmf-kl`: Σ x·log(x/(WH)) − x + (WH) over all words and documents, after the last update of
    /// H
    pub const KL_DIVERGENCE {
        id: "kl_divergence",
        scope: Scope::Run,
        better: Some(Better::Smaller),
        range: ValueRange::from(0.0),
        source: "Lee and Seung 2001",
        tags: &[],
    }
}

metric_def! {
    /// `nmf-kl`, `nmf-ard`: iterations done
    pub const ITERATIONS {
        id: "iterations",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0),
        source: "measured",
        tags: &[],
    }
}

metric_def! {
    /// `nmf-ard`: topics whose scale λ is more than 1% above the least it can be
    pub const RELEVANT_TOPICS {
        id: "relevant_topics",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0).called("0 to K"),
        source: "Tan and Févotte 2013",
        tags: &[],
    }
}

metric_def! {
    /// `r1d`: the largest relative fall of the objective in half a step (0 but for rounding)
    pub const OBJECTIVE_FALL {
        id: "objective_fall",
        scope: Scope::Run,
        better: Some(Better::Smaller),
        range: ValueRange::from(0.0),
        source: "measured",
        tags: &[],
    }
}

metric_def! {
    /// `r1d`: the topics whose words or documents still changed at the last step allowed
    pub const UNSTABLE_TOPICS {
        id: "unstable_topics",
        scope: Scope::Run,
        better: Some(Better::Smaller),
        range: ValueRange::from(0.0),
        source: "measured",
        tags: &[],
    }
}

metric_def! {
    /// `r1d`: σ of the topic's u·σ·vᵀ
    pub const RANK_ONE_VALUE {
        id: "rank_one_value",
        scope: Scope::Topics,
        better: None,
        range: ValueRange::from(0.0),
        source: "Biggs et al. 2008",
        tags: &[],
    }
}

metric_def! {
    /// `r1d`: ‖A(M,N) − uσvᵀ‖ / ‖A(M,N)‖, how far what a topic took out is from rank one
    pub const RANK_ONE_RESIDUAL {
        id: "rank_one_residual",
        scope: Scope::Topics,
        better: Some(Better::Smaller),
        range: ValueRange::between(0.0, 1.0),
        source: "Biggs et al. 2008",
        tags: &[],
    }
}

metric_def! {
    /// `r1d`: words in a topic, the mean over topics
    pub const WORDS_OF_A_TOPIC {
        id: "words_of_a_topic",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(1.0).called("1 to W"),
        source: "Biggs et al. 2008",
        tags: &[],
    }
}

metric_def! {
    /// `lda-gibbs`: log p(words, topics of tokens | α, β) after the last sweep, for each token
    pub const LOG_LIKELIHOOD {
        id: "log_likelihood",
        scope: Scope::Run,
        better: Some(Better::Larger),
        range: ValueRange::REAL,
        source: "Griffiths and Steyvers 2004",
        tags: &[],
    }
}

metric_def! {
    /// `lda-gibbs`: the sum of the learnt α
    pub const GIBBS_ALPHA_SUM {
        id: "gibbs_alpha_sum",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0),
        source: "Minka 2000",
        tags: &[],
    }
}

metric_def! {
    /// words that may be novel (table `novel_word`); `rp`, `ddp`, `rp-doc`, `binning`
    pub const NOVEL_WORDS {
        id: "novel_words",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0),
        source: "Ding et al. 2013, 2015",
        tags: &[],
    }
}

metric_def! {
    /// ζ or d: what was given, or the largest at which all topics' averaged rows are distinct
    pub const DISTANCE {
        id: "distance",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0),
        source: "Ding et al. 2013, algorithm 1; 2015, algorithm 2",
        tags: &[],
    }
}

metric_def! {
    /// γ of `ddp`: what was given, or half the median of the 10·K largest margins
    pub const MARGIN {
        id: "margin",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0),
        source: "Ding et al. 2013, algorithm 1, §6.1",
        tags: &[],
    }
}

metric_def! {
    /// `rp`: the number of topics above 1 that the solid angles show for the widest range of ζ, or with `--k-hat
    /// paper` the number for one ζ; table `topic_estimate` has every ζ
    pub const K_HAT {
        id: "k_hat",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(1.0),
        source: "Ding et al. 2015, §VI-A",
        tags: &[],
    }
}

metric_def! {
    /// `rp`: the least ζ of the range that shows `k_hat` topics
    pub const K_HAT_FROM_DISTANCE {
        id: "k_hat_from_distance",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0),
        source: "Ding et al. 2015, §VI-A",
        tags: &[],
    }
}

metric_def! {
    /// `rp`: the largest ζ of the range that shows `k_hat` topics
    pub const K_HAT_TO_DISTANCE {
        id: "k_hat_to_distance",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0),
        source: "Ding et al. 2015, §VI-A",
        tags: &[],
    }
}

metric_def! {
    /// `rp`: documents that were read for the projections; after `topoi update --refit` the new ones, where
    /// `documents_used` are all
    pub const DOCUMENTS_PROJECTED {
        id: "documents_projected",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0),
        source: "measured",
        tags: &[],
    }
}

metric_def! {
    /// imported topics: the probability of words that are not in the vocabulary, which is left out;
    /// the mean over topics
    pub const OUTSIDE_VOCABULARY {
        id: "outside_vocabulary",
        scope: Scope::Run,
        better: None,
        range: ValueRange::between(0.0, 1.0),
        source: "",
        tags: &[],
    }
}

metric_def! {
    /// clusters of vectors: the mean cosine of a vector with the centre of its cluster
    pub const CLUSTER_COSINE {
        id: "cluster_cosine",
        scope: Scope::Run,
        better: Some(Better::Larger),
        range: ValueRange::between(0.0, 1.0),
        source: "Dhillon and Modha 2001, eq. 9",
        tags: &[],
    }
}

metric_def! {
    /// clusters of vectors: the share of them that changed their cluster in the last round; 0 is done
    pub const CLUSTER_CHANGE {
        id: "cluster_change",
        scope: Scope::Run,
        better: Some(Better::Smaller),
        range: ValueRange::between(0.0, 1.0),
        source: "measured",
        tags: &[],
    }
}
