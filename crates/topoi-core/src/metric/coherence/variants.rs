//! The list of all coherence variants, with everything that their values depend on.

use super::pair_counts::PairCounts;
use super::scores::{
    context_cosine_mean, log_conditional_mean, log_conditional_sum, npmi_mean, pmi_mean,
    smoothed_npmi_mean,
};
use super::windows::{Repeats, WindowRule};
use crate::metric::better::Better;
use crate::metric::definition::{Aspect, MetricDef, Scope, Tag, ValueRange, metric_def};

metric_def! {
    /// Σ over pairs of a topic's top 10 words, v the more probable, of log((D(v,w) + 1) / D(v)); D
    /// counts documents
    pub const UMASS {
        id: "umass",
        scope: Scope::Topics,
        better: Some(Better::Larger),
        range: ValueRange::up_to(31.2).called("about −45 log M to 45 log 2"),
        source: "Mimno et al. 2011, eq. 1",
        tags: &[Tag::Summary, Tag::Sweep],
    }
}
metric_def! {
    /// mean over pairs of the top 10 words of log((P(v,w) + 10⁻¹²) / P(v)P(w)); P is the share of
    /// windows of 10 tokens
    pub const UCI {
        id: "uci",
        scope: Scope::Topics,
        better: Some(Better::Larger),
        range: ValueRange::from(-27.64).called("−27.6 to log N, N windows"),
        source: "Newman et al. 2010; C_UCI of Röder et al. 2015",
        tags: &[],
    }
}
metric_def! {
    /// mean over pairs of the top 10 words of log(P(v,w) / P(v)P(w)) / −log P(v,w); a pair never
    /// seen is −1
    pub const NPMI {
        id: "npmi",
        scope: Scope::Topics,
        better: Some(Better::Larger),
        range: ValueRange::between(-1.0, 1.0),
        source: "Bouma 2009; Aletras and Stevenson 2013",
        tags: &[Tag::Summary, Tag::Sweep, Tag::TopicList, Tag::RecommendsK(Aspect::Coherence)],
    }
}
metric_def! {
    /// mean over the top 10 words of cos(u(w), Σ_v u(v)), u(w) the NPMI (+ 10⁻¹²) of w with each of
    /// the ten; windows of 110 tokens
    pub const CV {
        id: "cv",
        scope: Scope::Topics,
        better: Some(Better::Larger),
        range: ValueRange::between(-1.0, 1.0),
        source: "C_V of Röder et al. 2015",
        tags: &[],
    }
}

/// A way of computing a coherence score. Scores can be compared when all fields are equal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoherenceVariant {
    /// The metric it is a variant of.
    pub measure: &'static MetricDef,
    /// The variant's name: the tool or paper that computes it so.
    pub variant: &'static str,
    /// Number of a topic's most probable words that are compared.
    pub top_words: usize,
    /// Added to a joint count (umass) or to a joint probability (the other measures).
    pub epsilon: f64,
    /// The windows that are counted where there is text; `None` counts documents in any case.
    pub window: Option<WindowRule>,
    formula: Formula,
}

/// The formula of a topic's score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Formula {
    LogConditionalSum,
    /// [`Self::LogConditionalSum`] with epsilon added to D(v), too.
    SmoothedConditionalSum,
    /// [`Self::SmoothedConditionalSum`] with v the word of a pair that comes first in the list of
    /// all topics' top words.
    FirstListedConditionalSum,
    LogConditionalMean,
    PmiMean,
    NpmiMean,
    SmoothedNpmiMean,
    ContextCosineMean,
}

/// Windows of this width as they are defined.
const fn exact_windows(width: usize) -> Option<WindowRule> {
    Some(WindowRule { width, repeats: Repeats::Counted })
}

/// gensim's windows of this width.
const fn gensim_windows(width: usize) -> Option<WindowRule> {
    Some(WindowRule { width, repeats: Repeats::Cleared })
}

const fn variant(
    (measure, variant): (&'static MetricDef, &'static str),
    top_words: usize,
    epsilon: f64,
    window: Option<WindowRule>,
    formula: Formula,
) -> CoherenceVariant {
    CoherenceVariant { measure, variant, top_words, epsilon, window, formula }
}

/// All variants. The first of each measure is its default, which every run is saved with.
pub const COHERENCE_VARIANTS: &[CoherenceVariant] = &[
    variant((&UMASS, "mimno"), 10, 1.0, None, Formula::LogConditionalSum),
    variant((&UMASS, "gensim"), 20, 1e-12, None, Formula::LogConditionalMean),
    variant((&UMASS, "mallet"), 20, 0.01, None, Formula::SmoothedConditionalSum),
    variant((&UMASS, "stm"), 10, 0.01, None, Formula::FirstListedConditionalSum),
    variant((&UMASS, "jsmf"), 20, 0.01, None, Formula::LogConditionalSum),
    variant((&UCI, "exact"), 10, 1e-12, exact_windows(10), Formula::PmiMean),
    variant((&UCI, "gensim"), 20, 1e-12, gensim_windows(10), Formula::PmiMean),
    variant((&NPMI, "exact"), 10, 0.0, exact_windows(10), Formula::NpmiMean),
    variant((&NPMI, "gensim"), 20, 1e-12, gensim_windows(10), Formula::SmoothedNpmiMean),
    // OCTIS calls gensim with ten words instead of gensim's twenty; most published NPMI tables use
    // it.
    variant((&NPMI, "octis"), 10, 1e-12, gensim_windows(10), Formula::SmoothedNpmiMean),
    variant((&CV, "exact"), 10, 1e-12, exact_windows(110), Formula::ContextCosineMean),
    variant((&CV, "gensim"), 20, 1e-12, gensim_windows(110), Formula::ContextCosineMean),
];

/// The default variant of every measure.
pub fn default_variants() -> Vec<&'static CoherenceVariant> {
    COHERENCE_VARIANTS.iter().filter(|variant| variant.is_default()).collect()
}

/// The variant of this name: `umass@gensim`, or `umass` for the default.
pub fn coherence_variant(name: &str) -> Option<&'static CoherenceVariant> {
    COHERENCE_VARIANTS.iter().find(|variant| variant.name() == name || variant.full_name() == name)
}

impl CoherenceVariant {
    /// Whether this is the default variant of its measure.
    pub fn is_default(&self) -> bool {
        let first = COHERENCE_VARIANTS.iter().find(|other| other.measure.id == self.measure.id);
        first.is_some_and(|first| first.variant == self.variant)
    }

    /// The name it is saved under: the measure's name for the default variant, [`Self::full_name`]
    /// otherwise.
    pub fn name(&self) -> String {
        if self.is_default() { self.measure.id.into() } else { self.full_name() }
    }

    /// `measure@variant`.
    pub fn full_name(&self) -> String {
        format!("{}@{}", self.measure.id, self.variant)
    }

    /// How the scores of a topic's pairs or words are combined: "sum" or "mean". A run's score is
    /// the mean over its topics.
    pub fn aggregation(&self) -> &'static str {
        match self.formula {
            Formula::LogConditionalSum
            | Formula::SmoothedConditionalSum
            | Formula::FirstListedConditionalSum => "sum",
            _ => "mean",
        }
    }

    /// The score of every topic. `topics` are lists of words, most probable first; the first
    /// [`CoherenceVariant::top_words`] of each are compared. `counts` are counts of documents, or
    /// of the windows of [`CoherenceVariant::window`].
    pub fn scores(&self, topics: &[Vec<usize>], counts: &PairCounts<'_>) -> Vec<f64> {
        let top: Vec<&[usize]> =
            topics.iter().map(|words| &words[..words.len().min(self.top_words)]).collect();
        let epsilon = self.epsilon;
        let score = |words: &&[usize]| match self.formula {
            Formula::LogConditionalSum => log_conditional_sum(words, counts, epsilon, 0.0),
            Formula::SmoothedConditionalSum => log_conditional_sum(words, counts, epsilon, epsilon),
            Formula::FirstListedConditionalSum => {
                log_conditional_sum(&as_first_listed(words, &top), counts, epsilon, epsilon)
            }
            Formula::LogConditionalMean => log_conditional_mean(words, counts, epsilon),
            Formula::PmiMean => pmi_mean(words, counts, epsilon),
            Formula::NpmiMean => npmi_mean(words, counts),
            Formula::SmoothedNpmiMean => smoothed_npmi_mean(words, counts, epsilon),
            Formula::ContextCosineMean => context_cosine_mean(words, counts, epsilon),
        };
        top.iter().map(score).collect()
    }
}

/// A topic's words in the order of their first appearance in the lists of all topics. stm numbers
/// words that way (`semCoh1beta`: `unique(as.vector(top.words))`, then `m > l` on these numbers).
/// For a word that an earlier topic has too, that is not the order of probability.
fn as_first_listed(words: &[usize], topics: &[&[usize]]) -> Vec<usize> {
    let mut sorted = words.to_vec();
    sorted
        .sort_by_key(|&word| topics.iter().flat_map(|topic| topic.iter()).position(|&w| w == word));
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_name_means_the_first_variant_of_its_measure() {
        let names: Vec<String> =
            default_variants().iter().map(|variant| variant.full_name()).collect();
        assert_eq!(names, ["umass@mimno", "uci@exact", "npmi@exact", "cv@exact"]);
        for variant in COHERENCE_VARIANTS {
            assert_eq!(coherence_variant(&variant.name()), Some(variant));
            assert_eq!(coherence_variant(&variant.full_name()), Some(variant));
        }
        assert_eq!(coherence_variant("npmi").map(|npmi| npmi.variant), Some("exact"));
        assert_eq!(coherence_variant("npmi@mallet"), None);
    }

    #[test]
    fn words_of_earlier_topics_are_listed_first() {
        let topics: [&[usize]; 2] = [&[4, 9, 1], &[7, 1, 2, 4]];
        assert_eq!(as_first_listed(topics[1], &topics), [4, 1, 7, 2]);
    }
}
