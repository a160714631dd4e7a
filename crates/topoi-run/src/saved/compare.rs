//! Comparison of runs: aligned topics, gained and lost words, metrics with the best one marked.

use std::collections::BTreeMap;

use super::align::{Alignment, align};
use super::noise::{Noise, minimum_estimated_difference};
use crate::judging::scores::{metrics_with_scores, minimum_difference};
use crate::request::RunSettings;
use crate::request::start::ALIKE;
pub use topoi_core::metric::better::Better;
use topoi_core::model::topic_model::TopicLabel;
use topoi_store::id::{RunId, TopicNumber};
use topoi_store::result::metric::Metric;
use topoi_store::result::topic::{Topic, Word};
use topoi_store::run::{Run, RunStatus};
use topoi_store::{Store, StoreError};

/// Number of the most probable words of a topic that are compared.
pub const TOP_WORDS: usize = 20;

/// A pair with a lower similarity is matched only for lack of a better one.
pub const WEAK: f64 = 0.5;

/// Why runs cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// The store could not be read.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// Fewer than two different runs.
    #[error("comparing takes two or more different runs")]
    TooFew,
    /// A run that is not finished, or saved no topics.
    #[error("run {run} is {status} and has no topics to compare; leave it out")]
    NoTopics {
        /// Row id of the run.
        run: RunId,
        /// One word for its status.
        status: &'static str,
    },
    /// Two runs that have no word in common.
    #[error("runs {first} and {other} have no term in common; compare runs of one corpus")]
    NothingShared {
        /// Row id of one run.
        first: RunId,
        /// Row id of the other run.
        other: RunId,
    },
}

/// A comparison of runs. The topics of all are matched with those of the first.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Comparison {
    /// The runs, with [`TOP_WORDS`] words a topic.
    pub runs: Vec<ComparedRun>,
    /// The alignment of every further run with the first.
    pub alignments: Vec<Alignment>,
    /// Metrics of whole runs.
    pub metrics: Vec<ComparedMetric>,
}

/// A run and its topics.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct ComparedRun {
    pub run: Run,
    /// Topics by number.
    pub topics: Vec<Topic>,
}

/// A metric in all runs.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct ComparedMetric {
    pub name: String,
    /// Its values by run.
    pub values: Vec<Option<f64>>,
    /// Standard errors of the values that are estimates.
    pub standard_errors: Vec<Option<f64>>,
    /// The better direction; `None` for counts.
    pub better: Option<Better>,
    /// Minimum distinguishable difference; `None` for counts.
    pub uncertainty: Option<f64>,
    /// The position of the run with the best value. `None` unless all runs were measured the same way on the same
    /// corpus and one is better than all others by more than the uncertainty.
    pub best: Option<usize>,
}

/// The words of two matched topics, most probable first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange<'a> {
    /// Among the [`TOP_WORDS`] of both topics.
    pub kept: Vec<&'a str>,
    /// Only among those of the other topic.
    pub gained: Vec<&'a str>,
    /// Only among those of the first topic.
    pub lost: Vec<&'a str>,
}

/// Compares the words of `other` with those of `first`.
pub fn exchange<'a>(first: &'a Topic, other: &'a Topic) -> Exchange<'a> {
    fn has(words: &[Word], word: &Word) -> bool {
        words.iter().take(TOP_WORDS).any(|other| other.word == word.word)
    }
    fn those<'a>(of: &'a [Word], in_: &[Word], wanted: bool) -> Vec<&'a str> {
        let words = of.iter().take(TOP_WORDS);
        words.filter(|word| has(in_, word) == wanted).map(|word| word.word.as_str()).collect()
    }
    Exchange {
        kept: those(&first.words, &other.words, true),
        gained: those(&other.words, &first.words, false),
        lost: those(&first.words, &other.words, false),
    }
}

/// A label that the match of a topic can have.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct LabelOfMatch {
    /// The run and topic that have it.
    pub from: (RunId, TopicNumber),
    /// The run and topic, without a label, that it can be given to.
    pub to: (RunId, TopicNumber),
    /// The label.
    pub label: String,
    /// Who gave it.
    pub labelled_by: Option<String>,
    /// Cosine of the topics' word probabilities.
    pub similarity: f64,
}

impl Comparison {
    /// Labels that topics have whose match has none, in both directions. Only of pairs that count as the same topic when
    /// a run is updated ([`ALIKE`]).
    pub fn labels_of_matches(&self) -> Vec<LabelOfMatch> {
        let Some((first, others)) = self.runs.split_first() else { return Vec::new() };
        let topic = |run: &'_ ComparedRun, number: TopicNumber| {
            run.topics.iter().find(|topic| topic.topic == number).cloned()
        };
        let mut found = Vec::new();
        for (alignment, other) in self.alignments.iter().zip(others) {
            for &(a, b, similarity) in alignment.pairs.iter().filter(|pair| pair.2 >= ALIKE) {
                let pair = (topic(first, a), topic(other, b));
                let (Some(one), Some(two)) = pair else { continue };
                let ends = [
                    ((first.run.id, a), (other.run.id, b)),
                    ((other.run.id, b), (first.run.id, a)),
                ];
                let (labelled, (from, to)) = match (&one.label, &two.label) {
                    (Some(_), None) => (one, ends[0]),
                    (None, Some(_)) => (two, ends[1]),
                    _ => continue,
                };
                let (label, labelled_by) =
                    (labelled.label.unwrap_or_default(), labelled.labelled_by);
                found.push(LabelOfMatch { from, to, label, labelled_by, similarity });
            }
        }
        found
    }
}

/// Gives topics the labels of their matches.
///
/// # Errors
/// When the store cannot be written; then none is given.
pub fn give_labels(store: &mut Store, labels: &[LabelOfMatch]) -> Result<(), StoreError> {
    let mut of_run: BTreeMap<RunId, Vec<(TopicNumber, Option<TopicLabel>)>> = BTreeMap::new();
    for LabelOfMatch { to: (run, topic), label, labelled_by, .. } in labels {
        let label = TopicLabel { text: label.clone(), by: labelled_by.clone() };
        of_run.entry(*run).or_default().push((*topic, Some(label)));
    }
    of_run.into_iter().try_for_each(|(run, labels)| store.set_topic_labels(run, labels))
}

/// Compares runs. Caches alignments, which are expensive and never change.
#[derive(Debug, Default)]
pub struct Comparer {
    alignments: BTreeMap<(RunId, RunId), Alignment>,
}

impl Comparer {
    /// Compares these runs in this order.
    pub fn compare(
        &mut self,
        store: &Store,
        numbers: &[RunId],
    ) -> Result<Comparison, CompareError> {
        let is_repeated = (1..numbers.len()).any(|at| numbers[..at].contains(&numbers[at]));
        if numbers.len() < 2 || is_repeated {
            return Err(CompareError::TooFew);
        }
        let runs: Vec<ComparedRun> =
            numbers.iter().map(|&number| compared(store, number)).collect::<Result<_, _>>()?;
        let mut alignments = Vec::new();
        for other in &runs[1..] {
            let key = (runs[0].run.id, other.run.id);
            let known = self.alignments.get(&key).cloned();
            let alignment = known.map_or_else(|| align(store, &runs[0].run, &other.run), Ok)?;
            self.alignments.insert(key, alignment.clone());
            alignments.push(alignment);
        }
        let is_one_corpus = runs.iter().all(|run| run.run.corpus_id == runs[0].run.corpus_id);
        let metrics: Vec<Vec<Metric>> = runs
            .iter()
            .map(|run| metrics_with_scores(store, &run.run))
            .collect::<Result<_, _>>()?;
        let noise = Noise::from_runs(store, &store.runs()?, runs.iter().map(|run| &run.run))?;
        let metrics = side_by_side(&metrics, is_one_corpus, &noise);
        Ok(Comparison { runs, alignments, metrics })
    }
}

/// The two newest finished runs on the corpus of the newest finished run; the older one first.
pub fn newest_two(runs: &[Run]) -> Vec<RunId> {
    let is_of_all = |run: &&Run| run.status == RunStatus::Finished && !RunSettings::is_half(run);
    let mut newest: Vec<&Run> = runs.iter().filter(is_of_all).collect();
    newest.sort_by_key(|run| std::cmp::Reverse(run.id));
    let corpus = newest.first().map(|run| run.corpus_id);
    let mut found: Vec<RunId> = newest
        .into_iter()
        .filter(|run| Some(run.corpus_id) == corpus)
        .take(2)
        .map(|run| run.id)
        .collect();
    found.reverse();
    found
}

fn compared(store: &Store, number: RunId) -> Result<ComparedRun, CompareError> {
    let run = store.run(number)?;
    let topics = store.topics(number, TOP_WORDS)?;
    if topics.is_empty() {
        return Err(CompareError::NoTopics { run: number, status: run.status.as_str() });
    }
    Ok(ComparedRun { run, topics })
}

fn side_by_side(
    metrics: &[Vec<Metric>],
    is_one_corpus: bool,
    noise: &Noise,
) -> Vec<ComparedMetric> {
    let of_run = |run: &'_ [Metric], name: &str| {
        run.iter().find(|metric| metric.topic.is_none() && metric.name == name).cloned()
    };
    let whole = metrics.iter().flatten().filter(|metric| metric.topic.is_none());
    let mut names: Vec<&str> = whole.map(|metric| metric.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let compare = |name: &str| {
        let found: Vec<Option<Metric>> = metrics.iter().map(|run| of_run(run, name)).collect();
        let values: Vec<Option<f64>> =
            found.iter().map(|metric| Some(metric.as_ref()?.value)).collect();
        let standard_errors: Vec<Option<f64>> =
            found.iter().map(|metric| metric.as_ref()?.standard_error()).collect();
        let better = Better::for_metric(name);
        let mut settings = found.iter().flatten().map(|m| m.settings.as_deref().map(measured_as));
        let first = settings.next();
        let is_alike = is_one_corpus && settings.all(|other| Some(&other) == first.as_ref());
        let known: Vec<f64> = values.iter().copied().flatten().collect();
        let uncertainty = better.map(|_| {
            let apart = minimum_difference(found.iter().flatten());
            let apart = apart.unwrap_or_else(|| noise.minimum_difference(name, &known));
            apart.max(minimum_estimated_difference(&standard_errors))
        });
        let best = better
            .filter(|_| is_alike)
            .and_then(|better| best(better, &values, uncertainty.unwrap_or_default()));
        ComparedMetric { name: name.into(), values, standard_errors, better, uncertainty, best }
    };
    names.into_iter().map(compare).collect()
}

/// The settings that have to be equal for values to be comparable: without the number of units counted, standard
/// errors, and the intervals of human judgements.
fn measured_as(settings: &str) -> serde_json::Value {
    let mut settings: serde_json::Value = serde_json::from_str(settings).unwrap_or_default();
    if let Some(settings) = settings.as_object_mut() {
        let beside = ["units", "standard_error", "judges", "low", "high"];
        settings.retain(|name, _| !beside.contains(&name.as_str()));
    }
    settings
}

/// The position of the best value, if all runs have one and no other is within `apart`.
fn best(better: Better, values: &[Option<f64>], apart: f64) -> Option<usize> {
    let values: Vec<f64> = values.iter().copied().collect::<Option<_>>()?;
    let merit = |run: usize| better.merit(values[run]);
    let best = (0..values.len()).max_by(|&a, &b| merit(a).total_cmp(&merit(b)))?;
    let is_better = |other: usize| {
        better.prefers(values[best], values[other]) && merit(best) - merit(other) > apart
    };
    let is_alone = (0..values.len()).all(|other| other == best || is_better(other));
    is_alone.then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use topoi_store::Access;
    use topoi_store::id::{TermId, TopicNumber};
    use topoi_store::ingest::{IngestWriter, NewDocument};
    use topoi_store::result::topic::{SavedResult, SavedTopic};
    use topoi_store::result::topic_shares::TopicShares;
    use topoi_store::run::{NewRun, RunEnd};

    const WORDS: [&str; 6] = ["ale", "bee", "cap", "day", "eel", "fig"];

    fn corpus(store: &Store, name: &str, words: &[&str]) -> Vec<TermId> {
        let mut writer = IngestWriter::begin(store, name, "{}", "s", "lines").expect("begin");
        let mut entries: Vec<(u32, u32)> =
            words.iter().map(|word| (writer.term(word).expect("term"), 1)).collect();
        entries.sort_unstable();
        let document = NewDocument::counted("k", &entries);
        writer.add(document).expect("add");
        writer.finish().expect("finish");
        let id = store.corpus(name).expect("corpus").id;
        store.terms(id).expect("terms").iter().map(|term| term.id).collect()
    }

    /// A finished run with these topics, each (term, probability).
    fn run(
        store: &mut Store,
        corpus: &str,
        terms: &[TermId],
        topics: &[&[(usize, f64)]],
        npmi: f64,
    ) -> RunId {
        let corpus_id = store.corpus(corpus).expect("corpus").id;
        let k = topics.len() as u64;
        let new = NewRun { corpus_id, model: "lr-jsmf", k, seed: 1, settings: "{}" };
        let id = store.create_run(&new).expect("run");
        store.take_run(id).expect("take");
        let hash = [id.0 as u8];
        let vocabulary = store.save_vocabulary(corpus_id, "{}", &hash, terms).expect("vocabulary");
        let seen = store.corpus_state(corpus_id).expect("state");
        store.set_run_material(id, vocabulary, &hash, seen).expect("vocabulary");
        let topic = |words: &&[(usize, f64)]| SavedTopic {
            shares: TopicShares { document_share: 0.5, token_share: None },
            anchor_term_id: None,
            terms: words.iter().map(|&(word, probability)| (terms[word], probability)).collect(),
            characteristic: vec![],
        };
        let metric = |name: &str, value, settings: Option<&str>| Metric {
            topic: None,
            name: name.into(),
            value,
            settings: settings.map(Into::into),
        };
        let metrics = vec![
            metric("npmi", npmi, Some(r#"{"window":10,"units":3}"#)),
            metric("uci", npmi, Some(if k == 2 { r#"{"window":10}"# } else { r#"{"window":5}"# })),
            metric("kkt_gap", 0.1, None),
            metric("tokens_used", npmi, None),
        ];
        let result = SavedResult {
            topics: topics.iter().map(topic).collect(),
            metrics,
            ..Default::default()
        };
        let end = || RunEnd { seconds: Some(1.0), ..RunEnd::new(RunStatus::Finished) };
        store.finish_run(id, &result, end).expect("save");
        id
    }

    fn store() -> (tempfile::TempDir, Store) {
        let directory = tempfile::tempdir().expect("tempdir");
        let store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
        (directory, store)
    }

    #[test]
    fn topics_find_their_like_in_another_order_and_of_another_k() {
        let (_directory, mut store) = store();
        let terms = corpus(&store, "c", &WORDS);
        let first =
            run(&mut store, "c", &terms, &[&[(0, 0.6), (1, 0.4)], &[(2, 0.9), (3, 0.1)]], 0.1);
        let other = run(
            &mut store,
            "c",
            &terms,
            &[&[(4, 0.7), (5, 0.3)], &[(2, 0.5), (3, 0.5)], &[(0, 0.8), (1, 0.2)]],
            0.3,
        );
        let found = Comparer::default().compare(&store, &[first, other]).expect("compare");
        let alignment = &found.alignments[0];
        let cosine = (0.6 * 0.8 + 0.4 * 0.2) / (0.52f64 * 0.68).sqrt();
        assert_eq!(alignment.pairs.len(), 2);
        assert_eq!((alignment.pairs[0].0, alignment.pairs[0].1), (TopicNumber(0), TopicNumber(2)));
        assert!((alignment.pairs[0].2 - cosine).abs() < 1e-12);
        assert_eq!((alignment.pairs[1].0, alignment.pairs[1].1), (TopicNumber(1), TopicNumber(1)));
        assert_eq!(
            (alignment.only_first.as_slice(), alignment.only_other.as_slice()),
            (&[][..], &[TopicNumber(0)][..])
        );
        // The other way round, the unmatched topic is the first run's.
        let back = Comparer::default().compare(&store, &[other, first]).expect("compare");
        assert_eq!(back.alignments[0].only_first, [TopicNumber(0)]);
        assert_eq!(newest_two(&store.runs().expect("runs")), [first, other]);
    }

    #[test]
    fn the_better_value_is_marked_only_where_values_compare() {
        let (_directory, mut store) = store();
        let terms = corpus(&store, "c", &WORDS);
        let a = run(&mut store, "c", &terms, &[&[(0, 1.0)], &[(1, 1.0)]], 0.1);
        let b = run(&mut store, "c", &terms, &[&[(0, 1.0)]], 0.3);
        let found = Comparer::default().compare(&store, &[a, b]).expect("compare");
        let best = |name: &str| {
            let metric = found.metrics.iter().find(|metric| metric.name == name);
            metric.expect("a metric").best
        };
        assert_eq!(best("npmi"), Some(1));
        assert_eq!(best("uci"), None, "other windows");
        assert_eq!(best("kkt_gap"), None, "equal");
        assert_eq!(best("tokens_used"), None, "a count");
    }

    #[test]
    fn runs_of_two_corpora_are_matched_by_how_words_are_written() {
        let (_directory, mut store) = store();
        let terms = corpus(&store, "c", &WORDS);
        let others = corpus(&store, "d", &["fig", "eel", "gum"]);
        let a = run(&mut store, "c", &terms, &[&[(4, 1.0)], &[(5, 1.0)]], 0.1);
        let b = run(&mut store, "d", &others, &[&[(0, 0.5), (2, 0.5)], &[(1, 1.0)]], 0.3);
        let found = Comparer::default().compare(&store, &[a, b]).expect("compare");
        assert_eq!(found.alignments[0].shared_terms, 2);
        assert_eq!(
            found.alignments[0].pairs,
            [(0, 1, 1.0), (1, 0, 1.0)].map(|(a, b, c)| (TopicNumber(a), TopicNumber(b), c))
        );
        assert!(found.metrics.iter().all(|metric| metric.best.is_none()));
        let strange = corpus(&store, "e", &["gum"]);
        let c = run(&mut store, "e", &strange, &[&[(0, 1.0)]], 0.3);
        let error = Comparer::default().compare(&store, &[a, c]).expect_err("nothing shared");
        assert!(matches!(error, CompareError::NothingShared { .. }));
        let error = Comparer::default().compare(&store, &[a, a]).expect_err("one run");
        assert!(matches!(error, CompareError::TooFew));
    }

    #[test]
    fn words_are_kept_gained_and_lost() {
        let topic = |words: &[&str]| Topic {
            topic: TopicNumber(0),
            shares: TopicShares { document_share: 1.0, token_share: None },
            anchor: None,
            label: None,
            labelled_by: None,
            words: words.iter().map(|&w| Word { word: w.into(), probability: 0.1 }).collect(),
            characteristic: vec![],
        };
        let (first, other) = (topic(&["ale", "bee", "cap"]), topic(&["cap", "day", "ale"]));
        let found = exchange(&first, &other);
        assert_eq!(found.kept, ["ale", "cap"]);
        assert_eq!((found.gained, found.lost), (vec!["day"], vec!["bee"]));
    }
}
