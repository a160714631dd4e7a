//! Evidence by hand: three topics of ten words each, and the metrics that a test is about.

use super::{Evidence, WarningDef};
use crate::request::RunRequest;
use crate::work::measure::metric_for_run;
use topoi_core::metric::MetricDef;
use topoi_core::model::Model;
use topoi_store::id::{RunId, TermId};
use topoi_store::result::metric::Metric;
use topoi_store::result::topic::SavedTopic;
use topoi_store::result::topic_shares::TopicShares;
use topoi_store::{Access, Store};

pub(super) struct Case {
    pub(super) request: RunRequest,
    pub(super) words: usize,
    pub(super) metrics: Vec<Metric>,
    pub(super) topics: Vec<SavedTopic>,
}

/// A topic with this share of the tokens and these words, each half as probable as the one before.
pub(super) fn topic(token_share: f64, words: impl IntoIterator<Item = i64>) -> SavedTopic {
    let halves = std::iter::successors(Some(0.5), |half| Some(half / 2.0));
    let terms = words.into_iter().map(TermId).zip(halves).collect();
    SavedTopic {
        shares: TopicShares { document_share: 0.1, token_share: Some(token_share) },
        anchor_term_id: None,
        terms,
        characteristic: Vec::new(),
    }
}

impl Default for Case {
    fn default() -> Self {
        Self {
            request: RunRequest::new("corpus", 3),
            words: 100,
            metrics: Vec::new(),
            topics: vec![topic(0.4, 0..10), topic(0.3, 20..30), topic(0.3, 40..50)],
        }
    }
}

impl Case {
    pub(super) fn with(metric: &MetricDef, value: f64) -> Self {
        Self::default().and(metric, value)
    }

    pub(super) fn and(mut self, metric: &MetricDef, value: f64) -> Self {
        self.metrics.push(metric_for_run(metric, value));
        self
    }

    pub(super) fn by(mut self, model: &str) -> Self {
        self.request.origin = Model::from_name(model).expect("a model").into();
        self
    }

    pub(super) fn of(topics: Vec<SavedTopic>) -> Self {
        Self { topics, ..Self::default() }
    }

    /// The text of a warning, where this gives reason for it in an empty store.
    pub(super) fn text(&self, warning: &WarningDef) -> Option<String> {
        let Self { request, words, metrics, topics } = self;
        let folder = tempfile::tempdir().expect("a folder");
        let store = &Store::open(&folder.path().join("s.db"), Access::Create).expect("a store");
        let (run, words, unsaved) = (1, *words, None);
        let evidence =
            Evidence { store, run: RunId(run), request, words, metrics, topics, unsaved };
        let found = warning.evaluate(&evidence).expect("read")?;
        assert!(found.name == warning.id && found.value.is_finite() && !found.text.contains('\n'));
        Some(found.text)
    }
}
