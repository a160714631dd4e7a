//! What the screen keeps: a comparison, its pairs of topics.

use crate::cli::remedy::explained;
use crate::records::column::Column;
use crate::records::comparisons::{self, PairRow};
use crate::tui::list::sorting::SortKey;
use crate::tui::list::{ListState, matches};
use crate::tui::question::{Question, QuestionContext};
use topoi_run::saved::compare::{ComparedMetric, ComparedRun, Comparison, WEAK, newest_two};
use topoi_store::StoreError;
use topoi_store::id::{RunId, TopicNumber};
use topoi_store::result::topic::Topic;

#[derive(Debug, Clone)]
pub struct CompareScreen {
    /// The runs, the one that the others are compared with first; empty for the newest two.
    pub runs: Vec<RunId>,
    pub found: Option<Box<Comparison>>,
    /// Why the comparison failed.
    pub error: Option<String>,
    pub answered: bool,
    /// What is shown of the runs.
    pub view: CompareView,
    /// Which of the further runs is shown beside the first.
    pub other: usize,
    /// What differs comes first: topics without a match, then pairs, the least alike first.
    pub by_similarity: bool,
    /// All pairs in their order, and topics without a match.
    pairs: Vec<PairIndices>,
    /// Where the user is among the pairs.
    pub list: ListState,
    /// Where the user is among the metrics.
    pub metrics: ListState,
    /// Where the user is among the topics of the first run, beside those of all others.
    pub all: ListState,
}

impl Default for CompareScreen {
    fn default() -> Self {
        Self {
            runs: Vec::new(),
            found: None,
            error: None,
            answered: false,
            view: CompareView::default(),
            other: 0,
            by_similarity: true,
            pairs: Vec::new(),
            list: ListState::default(),
            metrics: ListState::default(),
            all: ListState::default(),
        }
    }
}

/// The sides of a comparison.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CompareView {
    /// The topics of two runs, in pairs.
    #[default]
    Topics,
    /// The topics of the first run with their matches in all others.
    All,
    Metrics,
}

/// The positions of the two topics of a pair in their runs.
#[derive(Debug, Clone, Copy)]
struct PairIndices {
    first: Option<usize>,
    other: Option<usize>,
    similarity: Option<f64>,
}

impl CompareScreen {
    /// The first run and the other one that is shown.
    pub fn shown(&self) -> Option<(&ComparedRun, &ComparedRun)> {
        let runs = &self.found.as_ref()?.runs;
        Some((runs.first()?, runs.get(self.other + 1)?))
    }

    /// Pairs the topics, filters and sorts them anew.
    pub fn arrange(&mut self) {
        self.pairs = self.all_pairs().unwrap_or_default();
        let mut list = std::mem::take(&mut self.list);
        let order = 0..self.pairs.len();
        let lets_through = |place: usize, filter: &str| {
            self.pairs.get(place).is_some_and(|places| lets_through(filter, &self.topics(*places)))
        };
        list.arrange_indices(order, lets_through, |_, _| SortKey::None);
        self.list = list;
        let first = self.found.as_ref().and_then(|found| found.runs.first());
        self.all.filter_rows(first.map_or(&[][..], |run| &run.topics), |topic, filter| {
            topic.words.iter().any(|word| matches(filter, &word.word))
        });
        let all = self.metric_columns();
        let metrics = self.found.as_ref().map_or(&[][..], |found| &found.metrics);
        self.metrics.arrange(metrics, &all, |metric, filter| matches(filter, &metric.name));
    }

    /// The columns of the metrics of all runs.
    pub fn metric_columns(&self) -> Vec<Column<ComparedMetric>> {
        let runs = self.found.iter().flat_map(|found| &found.runs);
        comparisons::metrics(runs.map(|run| run.run.id))
    }

    fn all_pairs(&self) -> Option<Vec<PairIndices>> {
        let alignment = self.found.as_ref()?.alignments.get(self.other)?;
        let (first, other) = self.shown()?;
        let place = |run: &ComparedRun, number: TopicNumber| {
            run.topics.iter().position(|t| t.topic == number)
        };
        let (one, two) = (|number| place(first, number), |number| place(other, number));
        let mut pairs: Vec<PairIndices> = alignment
            .pairs
            .iter()
            .map(|&(a, b, similarity)| PairIndices {
                first: one(a),
                other: two(b),
                similarity: Some(similarity),
            })
            .collect();
        let similarity = |places: &PairIndices| places.similarity.unwrap_or(0.0);
        match self.by_similarity {
            true => pairs.sort_by(|a, b| similarity(a).total_cmp(&similarity(b))),
            // Pairs that are a match only because nothing better was left are listed apart.
            false => pairs.sort_by_key(|places| similarity(places) < WEAK),
        }
        let alone = |first, other| PairIndices { first, other, similarity: None };
        let only_first = alignment.only_first.iter().map(|&number| alone(one(number), None));
        let only_other = alignment.only_other.iter().map(|&number| alone(None, two(number)));
        let unmatched: Vec<PairIndices> = only_first.chain(only_other).collect();
        Some(match self.by_similarity {
            true => [unmatched, pairs].concat(),
            false => [pairs, unmatched].concat(),
        })
    }

    /// The sides there are: that of all runs where there are three or more.
    pub fn views(&self) -> Vec<CompareView> {
        let others = self.found.as_ref().map_or(0, |found| found.alignments.len());
        match others {
            0 | 1 => vec![CompareView::Topics, CompareView::Metrics],
            _ => vec![CompareView::All, CompareView::Topics, CompareView::Metrics],
        }
    }

    /// Whether the runs are of one corpus; their names where not.
    pub fn corpora(&self) -> Option<String> {
        let runs = &self.found.as_ref()?.runs;
        let is_one = runs.iter().all(|run| run.run.corpus_id == runs[0].run.corpus_id);
        let name = |run: &ComparedRun| format!("run {} is of {}", run.run.id, run.run.corpus);
        (!is_one).then(|| runs.iter().map(name).collect::<Vec<_>>().join(", "))
    }

    fn topics(&self, places: PairIndices) -> PairRow<'_> {
        let (first, other) = self.shown().unzip();
        PairRow {
            runs: (first.map_or(RunId(0), |it| it.run.id), other.map_or(RunId(0), |it| it.run.id)),
            first: places.first.and_then(|place| first?.topics.get(place)),
            other: places.other.and_then(|place| other?.topics.get(place)),
            similarity: places.similarity,
        }
    }

    /// The pair at a place of the list.
    pub fn pair(&self, place: usize) -> Option<PairRow<'_>> {
        self.list.row(&self.pairs, place).map(|places| self.topics(*places))
    }

    pub fn selected(&self) -> Option<PairRow<'_>> {
        self.pair(self.list.cursor)
    }

    pub fn receive_comparison(&mut self, found: Result<Option<Box<Comparison>>, String>) {
        self.answered = true;
        match found {
            Ok(found) => {
                let others = found.as_ref().map_or(0, |found| found.alignments.len());
                if self.found.is_none() && others > 1 {
                    self.view = CompareView::All;
                }
                self.other = self.other.min(others.saturating_sub(1));
                (self.found, self.error) = (found, None);
            }
            Err(error) => (self.found, self.error) = (None, Some(error)),
        }
        self.arrange();
    }
}

fn lets_through(filter: &str, pair: &PairRow<'_>) -> bool {
    let names = |topic: &Topic| {
        let words = topic.words.iter().map(|word| word.word.clone());
        words.chain(topic.label.clone()).chain(topic.anchor.clone()).collect::<Vec<_>>()
    };
    let topics = [pair.first, pair.other].into_iter().flatten();
    topics.flat_map(names).any(|text| matches(filter, &text))
}

#[derive(Debug, Clone, PartialEq)]
pub struct CompareQuestion {
    /// Their numbers; none for the newest two of a corpus.
    pub runs: Vec<RunId>,
}

/// `None` when there are no two finished runs; or in words why they cannot be compared.
pub type Compared = Result<Option<Box<Comparison>>, String>;

impl Question for CompareQuestion {
    type Answer = Compared;

    fn ask(&self, asking: &mut QuestionContext<'_>) -> Result<Compared, StoreError> {
        let is_named = !self.runs.is_empty();
        let runs = if is_named { self.runs.clone() } else { newest_two(asking.runs) };
        if !is_named && runs.len() != 2 {
            return Ok(Ok(None));
        }
        let found = asking.cache.comparer.compare(asking.store, &runs);
        Ok(found.map(|found| Some(Box::new(found))).map_err(|error| explained(&error)))
    }
}
