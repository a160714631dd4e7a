//! Metrics of an update: what it read, what came and went, and how far topics moved.

use ndarray::Array2;

use super::better::Better;
use super::definition::{Scope, ValueRange, metric_def};
use crate::formula::hellinger::from_affinity;

metric_def! {
    /// after an update: how far the topic's words are from those of the run before, √(1 − Σ_i √(B_ik B′_ik))
    /// (Hellinger); 0 is the same, 1 has no word in common
    pub const DRIFT {
        id: "drift",
        scope: Scope::Topics,
        better: None,
        range: ValueRange::between(0.0, 1.0),
        source: "Hellinger 1909",
        tags: &[],
    }
}

metric_def! {
    /// after an update: mean proportion of the topic in the documents that the run before did not have; beside
    /// document_share it tells what grows and what fades
    pub const ADDED_SHARE {
        id: "added_share",
        scope: Scope::Topics,
        better: None,
        range: ValueRange::between(0.0, 1.0),
        source: "",
        tags: &[],
    }
}

metric_def! {
    /// after an update: share of the tokens of the added documents that are not in the vocabulary of the run before
    pub const UNKNOWN_SHARE {
        id: "unknown_share",
        scope: Scope::Run,
        better: None,
        range: ValueRange::between(0.0, 1.0),
        source: "",
        tags: &[],
    }
}

metric_def! {
    /// after an update: share of the added documents that the topics of the run before explain worse than the frequencies of
    /// words alone do
    pub const UNEXPLAINED_SHARE {
        id: "unexplained_share",
        scope: Scope::Run,
        better: None,
        range: ValueRange::between(0.0, 1.0),
        source: "",
        tags: &[],
    }
}

metric_def! {
    /// after an update: topics that the run before did not have, of subjects that came with the added documents
    pub const TOPICS_ADDED {
        id: "topics_added",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0),
        source: "",
        tags: &[],
    }
}

metric_def! {
    /// after an update: documents that the run before did not have
    pub const DOCUMENTS_ADDED {
        id: "documents_added",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0),
        source: "",
        tags: &[],
    }
}

metric_def! {
    /// after an update: documents of the run before that were read again, as they were corrected or it was their turn
    pub const DOCUMENTS_READ_AGAIN {
        id: "documents_read_again",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0),
        source: "",
        tags: &[],
    }
}

metric_def! {
    /// after an update: documents of the run before that were deleted from the corpus since
    pub const DOCUMENTS_GONE {
        id: "documents_gone",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0),
        source: "",
        tags: &[],
    }
}

metric_def! {
    /// after an update: documents of the run when all of them were read last; an update reads all again once the corpus has
    /// half as many more
    pub const DOCUMENTS_AT_FULL_READING {
        id: "documents_at_full_reading",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0),
        source: "",
        tags: &[],
    }
}

metric_def! {
    /// after an update: mean over the tokens of added documents of log p(token | the other tokens of its document, B, α) by
    /// the topics of the run before, nats; where it falls from one update to the next, something has come that no topic has
    pub const ADDED_LOG_PROBABILITY {
        id: "added_log_probability",
        scope: Scope::Run,
        better: Some(Better::Larger),
        range: ValueRange::up_to(0.0),
        source: "Asuncion et al. 2009",
        tags: &[],
    }
}

/// The Hellinger distances of the columns of `before` and `now`, both W × K.
pub fn drift(before: &Array2<f64>, now: &Array2<f64>) -> Vec<f64> {
    let moved = |topic: usize| {
        let both = before.column(topic).into_iter().zip(now.column(topic));
        from_affinity(both.map(|(a, b)| (a * b).sqrt()).sum())
    };
    (0..before.ncols()).map(moved).collect()
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    fn drift_is_0_for_the_same_topic_and_1_where_no_word_is_shared() {
        let before = array![[0.5, 1.0, 0.36], [0.5, 0.0, 0.64], [0.0, 0.0, 0.0]];
        let now = array![[0.5, 0.0, 0.64], [0.5, 0.0, 0.36], [0.0, 1.0, 0.0]];
        let found = drift(&before, &now);
        let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(near(found[0], 0.0) && near(found[1], 1.0), "{found:?}");
        assert!(near(found[2], (1.0_f64 - 2.0 * 0.48).sqrt()), "{found:?}");
    }
}
