//! The definition of a warning ([`WarningDef`]) and what it is derived from ([`Evidence`]).

use crate::request::RunRequest;
use topoi_core::metric::MetricDef;
use topoi_ingest::tokens::languages::UnlikeLanguage;
use topoi_store::result::metric::Metric;
use topoi_store::result::topic::SavedTopic;
use topoi_store::result::warning::Warning;

/// A reason not to trust a run as it is. Its name in the store, its text and its row in `docs/reference/warnings.md`
/// come from here.
#[derive(Debug, Clone, Copy)]
pub struct WarningDef {
    /// The name it is saved under.
    pub id: &'static str,
    /// What it means, as Markdown in `docs/`: the doc comment of its constant.
    pub meaning: &'static str,
    /// When it is raised, in words; `{}` stands for the limit.
    pub condition: &'static str,
    /// The figure from which on it is raised.
    pub limit: f64,
    /// Why this limit, as Markdown in `docs/`.
    pub reason: &'static str,
    /// What to do: the end of its text.
    pub remedy: &'static str,
    /// Looks for it, with the limit.
    pub(super) find: fn(&Evidence<'_>, f64) -> Option<Finding>,
}

/// What is wrong with a run.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Finding {
    /// What was compared with the threshold.
    pub value: f64,
    /// What is wrong, with the figure, in words.
    pub what: String,
}

/// What is known of a run when it ends.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// What was asked for.
    pub request: &'a RunRequest,
    /// W, the number of words in its vocabulary.
    pub words: usize,
    /// Its metrics and those of its topics.
    pub metrics: &'a [Metric],
    /// Its topics, with the most probable words first.
    pub topics: &'a [SavedTopic],
    /// The language of its corpus whose stop words were not dropped most.
    pub language: Option<UnlikeLanguage>,
}

impl WarningDef {
    /// The warning, where the run gives reason for it.
    pub fn of(&self, evidence: &Evidence<'_>) -> Option<Warning> {
        let Finding { value, what } = (self.find)(evidence, self.limit)?;
        Some(Warning { name: self.id.into(), value, text: format!("{what}; {}", self.remedy) })
    }

    /// When it is raised, in words with the limit.
    pub fn raised_when(&self) -> String {
        self.condition.replace("{}", &self.limit.to_string())
    }
}

impl Evidence<'_> {
    /// A metric of the whole run, if it was measured.
    pub(super) fn metric(&self, metric: &MetricDef) -> Option<f64> {
        self.row(metric).map(|found| found.value)
    }

    /// The row of a metric of the whole run, if it was measured.
    pub(super) fn row(&self, metric: &MetricDef) -> Option<&Metric> {
        self.metrics.iter().find(|found| found.topic.is_none() && found.name == metric.id)
    }
}

/// A constant [`WarningDef`] whose meaning is its doc comment.
macro_rules! warning_def {
    ($(#[doc = $line:literal])+ pub const $name:ident { $($field:ident: $value:expr),+ $(,)? }) => {
        $(#[doc = $line])+
        pub const $name: $crate::warning::WarningDef = $crate::warning::WarningDef {
            meaning: concat!($($line),+).trim_ascii_start(),
            $($field: $value),+
        };
    };
}
pub(super) use warning_def;
