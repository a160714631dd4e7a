//! A figure of the topics that occur together.

use ndarray::Array2;

use super::TopicSummary;
use topoi_core::numbers::counted;
use topoi_core::plot::figure::Figure;
use topoi_core::plot::graph::{Edge, Graph, Node};

/// Smallest correlation that is drawn, however many documents there are.
const LEAST: f64 = 0.02;
/// Standard errors of a correlation of 0, 1/√documents, that one has to have to be drawn.
const ERRORS: f64 = 3.0;
/// Lines for each topic, on average, at most: the strongest.
const LINES: usize = 3;

/// Topics as circles, joined where they occur in the same documents.
pub fn correlations(
    title: &str,
    topics: &[TopicSummary],
    (correlations, documents): (&Array2<f64>, u64),
) -> Figure {
    let least = LEAST.max(ERRORS / (documents as f64).sqrt());
    let node = |topic: &TopicSummary| Node { name: topic.title(), size: topic.shares.size() };
    let pairs = (0..topics.len()).flat_map(|one| (0..one).map(move |other| (other, one)));
    let mut edges: Vec<Edge> = pairs
        .map(|pair| Edge { nodes: pair, strength: correlations[pair].min(1.0) })
        .filter(|edge| edge.strength >= least)
        .collect();
    edges.sort_by(|a, b| b.strength.total_cmp(&a.strength));
    edges.truncate(LINES * topics.len());
    let note = format!(
        "Lines: correlations of {least:.2} and more of the topics' shares over {}, without the noise of their tokens; \
         the wider, the stronger. Circles: shares of the {}.",
        counted(documents, "document"),
        topics.first().map_or("documents", |topic| topic.shares.size_of())
    );
    Graph { title: title.into(), nodes: topics.iter().map(node).collect(), edges, note }.figure()
}
