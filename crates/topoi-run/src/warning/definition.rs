//! The definition of a warning ([`WarningDef`]) and what it is derived from ([`Evidence`]).

use crate::request::RunRequest;
use topoi_core::metric::MetricDef;
use topoi_store::id::RunId;
use topoi_store::result::metric::Metric;
use topoi_store::result::topic::{SavedResult, SavedTopic};
use topoi_store::result::warning::Warning;
use topoi_store::{Store, StoreError};

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
    /// Looks for it, with the limit. A function that reads nothing from the store returns `Option<Finding>`, and
    /// [`warning_def`] takes it as well.
    pub(super) find: fn(&Evidence<'_>, f64) -> FindResult,
}

/// What is wrong with a run.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Finding {
    /// What was compared with the threshold.
    pub value: f64,
    /// What is wrong, with the figure, in words.
    pub what: String,
}

/// What [`WarningDef::find`] returns.
pub(super) type FindResult = Result<Option<Finding>, StoreError>;

/// What a run is judged by, when it ends and whenever its metrics change. Evidence that one warning needs is a function
/// in the warning's file, which reads it from here, so that nothing is read for runs that need it not.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// The store with the run's corpus.
    pub store: &'a Store,
    /// The run's number.
    pub run: RunId,
    /// What was asked for.
    pub request: &'a RunRequest,
    /// W, the number of words in its vocabulary.
    pub words: usize,
    /// Its metrics and those of its topics.
    pub metrics: &'a [Metric],
    /// Its topics, with the most probable words first.
    pub topics: &'a [SavedTopic],
    /// Its result before it is saved; `None` once the store has it.
    pub unsaved: Option<&'a SavedResult>,
}

impl WarningDef {
    /// The warning, where the run gives reason for it.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn evaluate(&self, evidence: &Evidence<'_>) -> Result<Option<Warning>, StoreError> {
        Ok((self.find)(evidence, self.limit)?.map(|finding| self.with(finding)))
    }

    /// The warning for this finding.
    pub(super) fn with(&self, Finding { value, what }: Finding) -> Warning {
        Warning { name: self.id.into(), value, text: format!("{what}; {}", self.remedy) }
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

/// What a warning's function may return: with the store's error, or without where it does not read the store.
pub(super) trait IntoFindResult {
    fn into_find_result(self) -> FindResult;
}

impl IntoFindResult for Option<Finding> {
    fn into_find_result(self) -> FindResult {
        Ok(self)
    }
}

impl IntoFindResult for FindResult {
    fn into_find_result(self) -> FindResult {
        self
    }
}

/// A constant [`WarningDef`] whose meaning is its doc comment.
macro_rules! warning_def {
    ($(#[doc = $line:literal])+ pub const $name:ident { $($field:ident: $value:expr),+ $(,)? }) => {
        $(#[doc = $line])+
        pub const $name: $crate::warning::WarningDef = $crate::warning::WarningDef {
            meaning: concat!($($line),+).trim_ascii_start(),
            $($field: $crate::warning::definition::warning_def!(@value $field $value)),+
        };
    };
    (@value find $find:expr) => {
        |evidence, limit| $crate::warning::definition::IntoFindResult::into_find_result($find(evidence, limit))
    };
    (@value $field:ident $value:expr) => {
        $value
    };
}
pub(super) use warning_def;
