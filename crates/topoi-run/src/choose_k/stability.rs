//! Which topics of a run to trust: those that recur with other seeds or on random halves of the documents.

use std::collections::{HashMap, HashSet};

use super::chance::by_chance;
use crate::request::earlier_runs::find_identical_run;
use crate::request::{Origin, RequestError, RunRequest, RunSettings};
use crate::saved::align::align;
use crate::saved::compare::CompareError;
use crate::warning::replace_metrics;
use crate::work::measure::{metric_for_run, metrics_for_topics};
use crate::work::work_error::WorkError;
use topoi_core::metric::MetricDef;
use topoi_core::metric::words::stability::{STABILITY, STABILITY_BY_CHANCE, STABILITY_L1};
use topoi_core::stream::documents::sample::Sample;
use topoi_store::id::{RunId, TermId, TopicNumber};
use topoi_store::result::metric::Metric;
use topoi_store::result::topic::{SavedTopic, TopicAgreement};
use topoi_store::run::{Run, RunStatus};
use topoi_store::{Store, StoreError};

/// The runs that a run is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Siblings {
    /// Number of runs, with the next seeds.
    pub seeds: u64,
    /// Number of pairs of runs on complementary random halves of the documents.
    pub halves: u64,
}

/// Pairs of halves that are looked for.
const MOST_HALVES: u64 = 100;

/// Why stability cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum StabilityError {
    /// The store could not be read or written, or has no such row.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// The run's settings cannot be read.
    #[error("{0}")]
    Work(#[from] WorkError),
    /// A run to compare with is refused.
    #[error("{0}")]
    Request(#[from] RequestError),
    /// The topics cannot be compared.
    #[error("{0}")]
    Compare(#[from] CompareError),
    /// The run has no topics.
    #[error(
        "run {run} is {status} and has no topics to hold others against; choose a finished run"
    )]
    NotFinished {
        /// Row id of the run.
        run: RunId,
        /// One word for its status.
        status: &'static str,
    },
    /// The topics were imported or shaped, so that a run with another seed has the same.
    #[error(
        "run {run} is of no model: its topics were imported or shaped, and other documents give no others; \
         choose a run of a model"
    )]
    Imported {
        /// Row id of the run.
        run: RunId,
    },
    /// The corpus has changed since the run.
    #[error(
        "run {run}: corpus {corpus} has changed since, so that runs made now would differ for that \
         reason alone"
    )]
    CorpusChanged {
        /// Row id of the run.
        run: RunId,
        /// Name of its corpus.
        corpus: String,
    },
    /// There are no runs to compare with.
    #[error("there is no run to hold run {run} against")]
    NoSiblings {
        /// Row id of the run.
        run: RunId,
    },
    /// The run is itself on a sample, of which disjoint halves exist only once.
    #[error("run {run} is made from a sample of the documents, which can be halved once")]
    HalvedTwice {
        /// Row id of the run.
        run: RunId,
    },
}

/// The numbers of the runs to compare `run` with. Finished and waiting runs are reused; missing ones are requested
/// here and wait in the queue.
pub fn request_siblings(
    store: &Store,
    run: &Run,
    siblings: Siblings,
) -> Result<Vec<RunId>, StabilityError> {
    if run.status != RunStatus::Finished {
        let status = run.status.as_str();
        return Err(StabilityError::NotFinished { run: run.id, status });
    }
    if run
        .corpus_hash
        .as_ref()
        .is_some_and(|hash| store.corpus_hash(run.corpus_id).ok().as_ref() != Some(hash))
    {
        return Err(StabilityError::CorpusChanged { run: run.id, corpus: run.corpus.clone() });
    }
    let known: Vec<Run> = store.runs()?.into_iter().filter(|other| is_usable(other, run)).collect();
    let mut numbers = Vec::new();
    for request in requests(run, siblings)? {
        numbers.push(match find_identical_run(&known, &request) {
            Some(other) => other.id,
            None => {
                let number = request.submit(store)?;
                store.set_asked_with(number, run.id)?;
                number
            }
        });
    }
    if numbers.is_empty() {
        return Err(StabilityError::NoSiblings { run: run.id });
    }
    Ok(numbers)
}

/// The finished runs on random halves of the documents that `run` was or could be compared with, in
/// pairs.
///
/// # Errors
/// [`StabilityError::Imported`]; when the store cannot be read.
pub(crate) fn finished_halves(store: &Store, run: &Run) -> Result<Vec<RunId>, StabilityError> {
    let known: Vec<Run> = store.runs()?.into_iter().filter(|other| is_usable(other, run)).collect();
    let halves = if RunSettings::from_run(run)?.sample.is_some() { 1 } else { MOST_HALVES };
    let mut found = Vec::new();
    for pair in requests(run, Siblings { seeds: 0, halves })?.chunks(2) {
        let pair: Vec<&Run> =
            pair.iter().filter_map(|request| find_identical_run(&known, request)).collect();
        if let [first, second] = pair[..]
            && [first, second].iter().all(|half| half.status == RunStatus::Finished)
        {
            found.extend([first.id, second.id]);
        }
    }
    Ok(found)
}

/// Whether another run is, or will be, on the same documents.
fn is_usable(other: &Run, run: &Run) -> bool {
    match other.status {
        RunStatus::Finished => other.corpus_hash == run.corpus_hash,
        RunStatus::Queued => true,
        _ => false,
    }
}

fn requests(run: &Run, siblings: Siblings) -> Result<Vec<RunRequest>, StabilityError> {
    let mut request = RunRequest::from_run(run)?;
    match &mut request.origin {
        Origin::Import(_) | Origin::Shaped(_) => {
            return Err(StabilityError::Imported { run: run.id });
        }
        Origin::Model(model) => model.any_mut().drop_sums(),
    }
    let settings = &request.settings;
    let same = |seed: u64, sample: Option<Sample>| RunRequest {
        seed,
        settings: RunSettings { sample, held_out: None, start: None, ..settings.clone() },
        ..request.clone()
    };
    let mut requests: Vec<RunRequest> = (1..=siblings.seeds)
        .map(|more| same(run.seed.wrapping_add(more), settings.sample))
        .collect();
    if settings.sample.is_some() && siblings.halves > 1 {
        return Err(StabilityError::HalvedTwice { run: run.id });
    }
    for seed in 1..=siblings.halves {
        let whole = settings.sample.unwrap_or(Sample { seed, from: 0.0, to: 1.0 });
        let middle = (whole.from + whole.to) / 2.0;
        requests.push(same(run.seed, Some(Sample { to: middle, ..whole })));
        requests.push(same(run.seed, Some(Sample { from: middle, ..whole })));
    }
    Ok(requests)
}

/// The agreement of a run with others.
#[derive(Debug, Clone, PartialEq)]
pub struct Stability {
    /// By topic: means over the other runs.
    pub topics: Vec<StableTopic>,
    /// The mean Jaccard index expected by chance.
    pub by_chance: f64,
    /// The other runs, each with its agreement by topic.
    pub others: Vec<(RunId, Vec<TopicAgreement>)>,
}

/// The agreement of a topic with its matches in other runs: means over them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StableTopic {
    /// Mean Jaccard index of the most probable words, from 0 to 1.
    pub jaccard: f64,
    /// The smallest of these indices.
    pub least_jaccard: f64,
    /// Mean l1 distance of the word probabilities, from 0 to 2.
    pub l1: f64,
}

/// Compares `run` with `others` (finished runs) by the `words` most probable words of each topic. Saves every pair of
/// topics, and as metrics of the run and its topics `stability` (mean Jaccard index), `stability_by_chance` and
/// `stability_l1`.
pub fn stability(
    store: &mut Store,
    run: &Run,
    others: &[RunId],
    words: usize,
) -> Result<Stability, StabilityError> {
    let mut held = Vec::new();
    for &other in others {
        held.push((other, agreement(store, run, &store.run(other)?, words)?));
    }
    let count = held.first().map_or(0, |(_, agreements)| agreements.len());
    let topics: Vec<StableTopic> = (0..count).map(|topic| stable(&held, topic)).collect();
    let settings = serde_json::json!({ "top_words": words, "runs": others }).to_string();
    let metric = |metric: &MetricDef, value: fn(&StableTopic) -> f64| {
        let values = topics.iter().map(value).collect();
        metrics_for_topics(metric, values)
            .into_iter()
            .map(|metric| Metric { settings: Some(settings.clone()), ..metric })
            .collect::<Vec<_>>()
    };
    let mut metrics = metric(&STABILITY, |topic| topic.jaccard);
    metrics.extend(metric(&STABILITY_L1, |topic| topic.l1));
    let theirs: Vec<Vec<SavedTopic>> =
        others.iter().map(|&other| store.saved_topics(other)).collect::<Result<_, _>>()?;
    let by_chance = by_chance(&store.saved_topics(run.id)?, &theirs, words, run.seed);
    store.save_agreements(run.id, words, &held)?;
    metrics.push(Metric {
        settings: Some(settings),
        ..metric_for_run(&STABILITY_BY_CHANCE, by_chance)
    });
    replace_metrics(store, run, &metrics)?;
    Ok(Stability { topics, by_chance, others: held })
}

impl Stability {
    /// The mean over the topics of their Jaccard indices.
    pub fn mean_jaccard(&self) -> f64 {
        self.mean(|topic| topic.jaccard)
    }

    /// The mean over the topics of their l1 distances.
    pub fn mean_l1(&self) -> f64 {
        self.mean(|topic| topic.l1)
    }

    fn mean(&self, value: impl Fn(&StableTopic) -> f64) -> f64 {
        self.topics.iter().map(value).sum::<f64>() / self.topics.len().max(1) as f64
    }
}

fn stable(held: &[(RunId, Vec<TopicAgreement>)], topic: usize) -> StableTopic {
    let of_topic = || held.iter().filter_map(|(_, agreements)| agreements.get(topic));
    let count = of_topic().count().max(1) as f64;
    StableTopic {
        jaccard: of_topic().map(|found| found.jaccard).sum::<f64>() / count,
        least_jaccard: of_topic().map(|found| found.jaccard).fold(1.0, f64::min),
        l1: of_topic().map(|found| found.l1).sum::<f64>() / count,
    }
}

/// By topic of `run`: the topic of `other` that it is matched with (see [`align`]), the Jaccard index of their
/// `words` most probable words, and the l1 distance of their word probabilities, from 0 to 2. An unmatched topic has
/// index 0 and distance 2.
pub fn agreement(
    store: &Store,
    run: &Run,
    other: &Run,
    words: usize,
) -> Result<Vec<TopicAgreement>, CompareError> {
    let pairs = align(store, run, other)?.pairs;
    let (ours, theirs) = (store.saved_topics(run.id)?, store.saved_topics(other.id)?);
    let agree = |topic: usize| {
        let pair = pairs.iter().find(|(own, _, _)| own.index() == topic);
        let Some(&(_, match_, _)) = pair else {
            let topic = TopicNumber::from_index(topic);
            return TopicAgreement { topic, other: None, jaccard: 0.0, l1: 2.0 };
        };
        let (own, their) = (&ours[topic], &theirs[match_.index()]);
        TopicAgreement {
            topic: TopicNumber::from_index(topic),
            other: Some(match_),
            jaccard: jaccard(own, their, words),
            l1: l1(own, their),
        }
    };
    Ok((0..ours.len()).map(agree).collect())
}

/// |A ∩ B| / |A ∪ B| of the `words` most probable words of two topics.
fn jaccard(a: &SavedTopic, b: &SavedTopic, words: usize) -> f64 {
    let top = |topic: &SavedTopic| -> HashSet<TermId> {
        topic.terms.iter().take(words).map(|&(term, _)| term).collect()
    };
    let (a, b) = (top(a), top(b));
    let all = a.union(&b).count();
    if all == 0 { 0.0 } else { a.intersection(&b).count() as f64 / all as f64 }
}

/// Σ_i |p_i − q_i| over the words of either topic, summed in the order of the first topic's words, then of the
/// second's.
fn l1(a: &SavedTopic, b: &SavedTopic) -> f64 {
    let of = |topic: &SavedTopic| -> HashMap<TermId, f64> { topic.terms.iter().copied().collect() };
    let (of_a, of_b) = (of(a), of(b));
    let first = a.terms.iter().map(|(term, p)| (p - of_b.get(term).unwrap_or(&0.0)).abs());
    let rest = b.terms.iter().filter(|(term, _)| !of_a.contains_key(term)).map(|&(_, q)| q);
    first.chain(rest).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use topoi_store::result::topic_shares::TopicShares;

    fn topic(terms: &[(i64, f64)]) -> SavedTopic {
        let (anchor_term_id, characteristic) = (None, Vec::new());
        SavedTopic {
            shares: TopicShares { document_share: 1.0, token_share: None },
            anchor_term_id,
            terms: terms.iter().map(|&(term, p)| (TermId(term), p)).collect(),
            characteristic,
        }
    }

    #[test]
    fn agreement_is_that_of_words_and_of_probabilities() {
        let a = topic(&[(1, 0.5), (2, 0.3), (3, 0.2)]);
        let b = topic(&[(2, 0.6), (4, 0.4)]);
        assert_eq!(jaccard(&a, &b, 2), 1.0 / 3.0);
        assert!((l1(&a, &b) - (0.5 + 0.3 + 0.2 + 0.4)).abs() < 1e-15);
        assert_eq!((jaccard(&a, &a, 10), l1(&a, &a)), (1.0, 0.0));
        assert_eq!(jaccard(&topic(&[]), &topic(&[]), 5), 0.0);
    }
}
