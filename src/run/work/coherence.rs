//! The coherence of a run's topics, each score with the settings that say what it is.

use serde_json::json;

use super::measure::of_topics;
use crate::metric::coherence::pair_counts::PairCounts;
use crate::metric::coherence::pair_counts::document_frequencies;
use crate::metric::coherence::variants::CoherenceVariant;
use crate::metric::coherence::windows::TokenSequences;
use crate::metric::coherence::windows::{WindowRule, window_frequencies};
use crate::metric::coherence::word_pairs::WordPairs;
use crate::metric::words::top_words::top_words_of_topics;
use crate::store::result::metric::Metric;
use crate::stream::documents::Documents;
use crate::stream::error::Result;

use ndarray::Array2;

/// The scores of `variants` for the topics B (W × K): a row a topic and their mean for the run.
/// Windows are counted in `texts` where there are any, documents where not.
///
/// # Errors
/// When the corpus cannot be read, or on cancel.
pub fn coherence(
    topics: &Array2<f64>,
    documents: &Documents<'_>,
    texts: Option<&dyn TokenSequences>,
    variants: &[&CoherenceVariant],
) -> Result<Vec<Metric>> {
    let most = variants.iter().map(|variant| variant.top_words).max().unwrap_or(0);
    let top = top_words_of_topics(topics, most);
    let pairs = WordPairs::of_topics(&top, topics.nrows());
    let by_document = document_frequencies(documents, &pairs)?;
    let rules = if texts.is_some() { rules_of(variants) } else { Vec::new() };
    let by_window = match texts {
        Some(texts) if !rules.is_empty() => {
            let here = documents.agree(window_frequencies(texts, &pairs, &rules))?;
            here.into_iter().map(|counts| counts.over_parts(documents)).collect::<Result<_>>()?
        }
        _ => Vec::new(),
    };
    let mut metrics = Vec::new();
    for variant in variants {
        let window = variant.window.and_then(|rule| rules.iter().position(|&other| other == rule));
        let counts = window.map_or(&by_document, |at| &by_window[at]);
        let settings = settings(variant, window.and(variant.window), counts);
        let of_variant = of_topics(variant.measure, variant.scores(&top, counts));
        metrics.extend(of_variant.into_iter().map(|metric| Metric {
            name: variant.name(),
            settings: Some(settings.clone()),
            ..metric
        }));
    }
    Ok(metrics)
}

/// The windows that have to be counted, each once.
fn rules_of(variants: &[&CoherenceVariant]) -> Vec<WindowRule> {
    let mut rules = Vec::new();
    for rule in variants.iter().filter_map(|variant| variant.window) {
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    rules
}

/// What a score's meaning depends on, as saved; `docs/metrics.md` explains the fields.
fn settings(
    variant: &CoherenceVariant,
    window: Option<WindowRule>,
    counts: &PairCounts<'_>,
) -> String {
    let unit = if window.is_some() { "window" } else { "document" };
    let settings = json!({
        "variant": variant.variant,
        "top_words": variant.top_words,
        "epsilon": variant.epsilon,
        "window": window.map(|rule| rule.width),
        "unit": unit,
        "units": counts.units(),
        "aggregation": variant.aggregation(),
        "reference": "the run's documents",
    });
    settings.to_string()
}
