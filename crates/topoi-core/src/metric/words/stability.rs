//! Agreement of a run's topics with those of other runs. `run::choose_k::stability` measures it.

use crate::metric::better::Better;
use crate::metric::definition::{Aspect, Scope, Tag, ValueRange, metric_def};

metric_def! {
    /// mean over other runs of the Jaccard index of the most probable words (10 unless told
    /// otherwise) of the topic and its match; `topoi stability`
    pub const STABILITY {
        id: "stability",
        scope: Scope::Topics,
        better: Some(Better::Larger),
        range: ValueRange::between(0.0, 1.0),
        source: "after Greene, O'Callaghan and Cunningham 2014",
        tags: &[Tag::Sweep, Tag::TopicList, Tag::RecommendsK(Aspect::Stability)],
    }
}

metric_def! {
    /// what `stability` would be if the same runs' most probable words were dealt out to their topics
    /// at random, and these matched best first: the mean over ten deals; `topoi stability`
    pub const STABILITY_BY_CHANCE {
        id: "stability_by_chance",
        scope: Scope::Run,
        better: None,
        range: ValueRange::between(0.0, 1.0),
        source: "",
        tags: &[],
    }
}

metric_def! {
    /// mean over the same runs of Σ_i |B_ik − B′_il|, l the match of k; `topoi stability`
    pub const STABILITY_L1 {
        id: "stability_l1",
        scope: Scope::Topics,
        better: Some(Better::Smaller),
        range: ValueRange::between(0.0, 2.0),
        source: "",
        tags: &[],
    }
}
