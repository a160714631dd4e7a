//! Metrics from people's judgements of topics. They are computed from the answers on request
//! (`run::judging`) and never saved.

use super::better::Better;
use super::definition::{Scope, ValueRange, metric_def};

metric_def! {
    /// share of people's answers that found the intruding word among five of the topic's ten most probable ones;
    /// 1/6 by chance; `topoi judge`
    pub const WORD_INTRUSION {
        id: "word_intrusion",
        scope: Scope::Topics,
        better: Some(Better::Larger),
        range: ValueRange::between(0.0, 1.0),
        source: "Chang et al. 2009, model precision",
        tags: &[],
    }
}
metric_def! {
    /// mean of ln θ(intruder) − ln θ(choice) over people's answers to which topic does not belong to a
    /// document; of a topic, over the documents that have most of it; `topoi judge`
    pub const TOPIC_LOG_ODDS {
        id: "topic_log_odds",
        scope: Scope::Topics,
        better: Some(Better::Larger),
        range: ValueRange::up_to(0.0),
        source: "Chang et al. 2009",
        tags: &[],
    }
}
metric_def! {
    /// mean of people's ratings of the topic's ten most probable words: 1 not, 2 somewhat, 3 very related;
    /// `topoi judge`
    pub const TOPIC_RATING {
        id: "topic_rating",
        scope: Scope::Topics,
        better: Some(Better::Larger),
        range: ValueRange::between(1.0, 3.0),
        source: "Newman et al. 2010; Hoyle et al. 2021",
        tags: &[],
    }
}
