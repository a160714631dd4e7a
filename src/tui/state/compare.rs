//! Screen 6: runs side by side.

use super::ListState;
use super::list::matches;
use topoi::run::saved::compare::{ComparedRun, Comparison};
use topoi::store::result::topic::Topic;

/// What screen 6 shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CompareState {
    /// The runs, the one that the others are compared with first; empty for the newest two.
    pub runs: Vec<i64>,
    /// What came of it.
    pub found: Option<Box<Comparison>>,
    /// Why nothing came of it.
    pub error: Option<String>,
    /// An answer has come.
    pub answered: bool,
    /// The metrics are shown instead of the topics.
    pub shows_metrics: bool,
    /// Which of the further runs is shown beside the first.
    pub other: usize,
    /// Pairs stand by similarity, the least alike first.
    pub by_similarity: bool,
    /// Where the user is among the pairs.
    pub list: ListState,
    /// Where the user is among the metrics.
    pub metrics: ListState,
}

/// A topic of the first run and its match; one of them may be missing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair<'a> {
    /// Of the first run.
    pub first: Option<&'a Topic>,
    /// Of the other.
    pub other: Option<&'a Topic>,
    /// Cosine similarity; `None` for topics without a match.
    pub similarity: Option<f64>,
}

impl CompareState {
    /// The first run and the other one that is shown.
    pub fn shown(&self) -> Option<(&ComparedRun, &ComparedRun)> {
        let runs = &self.found.as_ref()?.runs;
        Some((runs.first()?, runs.get(self.other + 1)?))
    }

    /// The pairs the filter lets through, in their order; topics without a match come last.
    pub fn visible(&self) -> Vec<Pair<'_>> {
        let alignment = self.found.as_ref().and_then(|found| found.alignments.get(self.other));
        let (Some((first, other)), Some(alignment)) = (self.shown(), alignment) else {
            return Vec::new();
        };
        let pick =
            |run: &'_ ComparedRun, number: u64| run.topics.iter().position(|t| t.topic == number);
        let one = |number| pick(first, number).map(|at| &first.topics[at]);
        let two = |number| pick(other, number).map(|at| &other.topics[at]);
        let pairs = alignment.pairs.iter().map(|&(a, b, similarity)| Pair {
            first: one(a),
            other: two(b),
            similarity: Some(similarity),
        });
        let alone = alignment.only_first.iter().map(|&a| Pair {
            first: one(a),
            other: None,
            similarity: None,
        });
        let new = alignment.only_other.iter().map(|&b| Pair {
            first: None,
            other: two(b),
            similarity: None,
        });
        let mut pairs: Vec<Pair> = pairs.collect();
        if self.by_similarity {
            pairs.sort_by(|a, b| {
                a.similarity.unwrap_or(0.0).total_cmp(&b.similarity.unwrap_or(0.0))
            });
        }
        pairs.extend(alone.chain(new));
        pairs.retain(|pair| self.lets_through(pair));
        pairs
    }

    fn lets_through(&self, pair: &Pair) -> bool {
        let topics = [pair.first, pair.other].into_iter().flatten();
        let names = |topic: &Topic| {
            let words = topic.words.iter().map(|word| word.word.clone());
            words.chain(topic.label.clone()).chain(topic.anchor.clone()).collect::<Vec<_>>()
        };
        self.list.filter.is_empty()
            || topics.flat_map(names).any(|text| matches(&self.list.filter, &text))
    }

    /// The pair under the cursor.
    pub fn selected(&self) -> Option<Pair<'_>> {
        self.visible().get(self.list.cursor).copied()
    }

    /// The list the keys go to.
    pub fn list(&self) -> &ListState {
        if self.shows_metrics { &self.metrics } else { &self.list }
    }

    /// Number of rows in it.
    pub fn rows(&self) -> usize {
        let metrics = self.found.as_ref().map_or(0, |found| found.metrics.len());
        if self.shows_metrics { metrics } else { self.visible().len() }
    }

    /// Takes what came.
    pub fn receive(&mut self, found: Result<Option<Box<Comparison>>, String>) {
        self.answered = true;
        match found {
            Ok(found) => {
                let others = found.as_ref().map_or(0, |found| found.alignments.len());
                self.other = self.other.min(others.saturating_sub(1));
                (self.found, self.error) = (found, None);
            }
            Err(error) => (self.found, self.error) = (None, Some(error)),
        }
    }
}
