//! The definition of a metric ([`MetricDef`]), which stands once, beside the function that computes it.

use super::better::Better;

/// A metric. Its name in the store, its direction, the lists it is shown in and its row in
/// `docs/reference/metrics.md` all come from here.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MetricDef {
    /// The name it is saved under.
    pub id: &'static str,
    /// Whether runs have a value, or topics too.
    pub scope: Scope,
    /// Which values are better; `None` where neither are (counts, shares).
    pub better: Option<Better>,
    /// The values it can have.
    pub range: ValueRange,
    /// The definition, as Markdown in `docs/`: the doc comment of its constant.
    pub definition: &'static str,
    /// The source, as Markdown in `docs/`; empty where the definition needs none.
    pub source: &'static str,
    /// The short lists it is in.
    pub tags: &'static [Tag],
}

/// Whether runs have a value of a metric, or topics too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// One number for the run, none for a topic.
    Run,
    /// Every topic, and the run: the mean over its topics.
    Topics,
}

/// A short list of metrics; each list is in the order of [`METRICS`](crate::metric::METRICS).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tag {
    /// The summary printed at the end of a run.
    Summary,
    /// The table that a sweep prints.
    Sweep,
    /// The first columns of the list of a run's topics.
    TopicList,
    /// A recommendation of K is based on it.
    SpeaksForK(Aspect),
}

/// An aspect by which a number of topics is recommended: by the first of its metrics that was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Aspect {
    Prediction,
    Coherence,
    Distinctness,
    Stability,
}

/// The values that a metric can have, both ends included but for rounding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ValueRange {
    least: f64,
    most: f64,
    words: Option<&'static str>,
}

impl ValueRange {
    /// Any number.
    pub const REAL: Self = Self::between(f64::NEG_INFINITY, f64::INFINITY);

    /// Numbers from `least` up.
    pub const fn from(least: f64) -> Self {
        Self::between(least, f64::INFINITY)
    }

    /// Numbers up to `most`.
    pub const fn up_to(most: f64) -> Self {
        Self::between(f64::NEG_INFINITY, most)
    }

    /// Numbers from `least` to `most`.
    pub const fn between(least: f64, most: f64) -> Self {
        Self { least, most, words: None }
    }

    /// The same range in other words, where its ends depend on the run ("0 to K").
    pub const fn called(self, words: &'static str) -> Self {
        Self { words: Some(words), ..self }
    }

    /// Whether `value` lies in the range, but for rounding.
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

/// A constant [`MetricDef`] whose definition is its doc comment.
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
        assert_eq!(MetricDef::named("npmi@gensim").map(|metric| metric.id), Some("npmi"));
        assert_eq!(MetricDef::named("of_a_later_version"), None);
    }
}
