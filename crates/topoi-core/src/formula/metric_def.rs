//! The definition of a metric ([`MetricDef`]), written once next to the function that computes it.

use super::better::Better;

/// A metric. Its name in the store, its direction, the lists that contain it and its row in
/// `docs/reference/metrics.md` come from here.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MetricDef {
    /// The name in the store.
    pub id: &'static str,
    /// Whether topics have values, or only runs.
    pub scope: Scope,
    /// Which values are better; `None` for metrics without a better direction (counts, shares).
    pub better: Option<Better>,
    /// The values it can have.
    pub range: ValueRange,
    /// The definition in Markdown for `docs/`: the doc comment of its constant.
    pub definition: &'static str,
    /// The source, as Markdown in `docs/`; empty where the definition needs none.
    pub source: &'static str,
    /// The short lists that contain it.
    pub tags: &'static [Tag],
}

/// Whether topics have values of a metric, or only runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// One value for the run.
    Run,
    /// A value for every topic, and their mean for the run.
    Topics,
}

/// A short list of metrics. Lists are in the order of [`METRICS`](crate::metric::METRICS).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tag {
    /// The summary printed at the end of a run.
    Summary,
    /// The table that a sweep prints.
    Sweep,
    /// The first columns of the list of a run's topics.
    TopicList,
    /// Evidence for the recommendation of K.
    RecommendsK(Aspect),
}

/// An aspect by which a number of topics is recommended, measured by the first of its metrics that
/// has a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Aspect {
    Prediction,
    Coherence,
    Distinctness,
    Stability,
}

/// The closed range of values that a metric can have, up to rounding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ValueRange {
    least: f64,
    most: f64,
    words: Option<&'static str>,
}

impl ValueRange {
    /// Any number.
    pub const REAL: Self = Self::between(f64::NEG_INFINITY, f64::INFINITY);

    /// Numbers of at least `least`.
    pub const fn from(least: f64) -> Self {
        Self::between(least, f64::INFINITY)
    }

    /// Numbers of at most `most`.
    pub const fn up_to(most: f64) -> Self {
        Self::between(f64::NEG_INFINITY, most)
    }

    /// Numbers from `least` to `most`.
    pub const fn between(least: f64, most: f64) -> Self {
        Self { least, most, words: None }
    }

    /// The same range, described in words where its ends depend on the run ("0 to K").
    pub const fn called(self, words: &'static str) -> Self {
        Self { words: Some(words), ..self }
    }

    /// Whether `value` is in the range, up to rounding.
    pub fn contains(&self, value: f64) -> bool {
        const ROUNDING: f64 = 1e-9;
        (self.least - ROUNDING..=self.most + ROUNDING).contains(&value)
    }
}

impl std::fmt::Display for ValueRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (least, most) = (self.least, self.most);
        match (self.words, least.is_finite(), most.is_finite()) {
            (Some(words), ..) => f.write_str(words),
            (None, true, true) => write!(f, "{least} to {most}"),
            (None, true, false) => write!(f, "{least} up"),
            (None, false, true) => write!(f, "up to {most}"),
            (None, false, false) => f.write_str("real"),
        }
    }
}

/// Defines a constant [`MetricDef`] whose definition is its doc comment.
macro_rules! metric_def {
    ($(#[doc = $line:literal])+ pub const $name:ident { $($field:ident: $value:expr),+ $(,)? }) => {
        $(#[doc = $line])+
        pub const $name: $crate::formula::metric_def::MetricDef =
            $crate::formula::metric_def::MetricDef {
                definition: concat!($($line),+).trim_ascii_start(),
                $($field: $value),+
            };
    };
}
pub(crate) use metric_def;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_said_in_words() {
        let words = |range: ValueRange| range.to_string();
        assert_eq!(words(ValueRange::REAL), "real");
        assert_eq!(words(ValueRange::from(4.0)), "4 up");
        assert_eq!(words(ValueRange::up_to(0.0)), "up to 0");
        assert_eq!(words(ValueRange::between(-1.0, 1.0)), "-1 to 1");
        assert_eq!(words(ValueRange::from(0.0).called("0 to K")), "0 to K");
    }

    #[test]
    fn rounding_leaves_no_range_and_more_than_rounding_does() {
        let share = ValueRange::between(0.0, 1.0);
        assert!(share.contains(1.0 + 1e-12) && share.contains(-1e-12));
        assert!(!share.contains(1.001) && !share.contains(f64::NAN));
        assert!(ValueRange::REAL.contains(-1e300));
    }

    #[test]
    fn a_variant_is_of_its_measure_and_an_unknown_name_of_none() {
        assert_eq!(MetricDef::from_name("npmi@gensim").map(|metric| metric.id), Some("npmi"));
        assert_eq!(MetricDef::from_name("of_a_later_version"), None);
    }
}
