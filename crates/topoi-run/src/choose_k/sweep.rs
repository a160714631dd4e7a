//! Sweeps: runs that differ in K alone. Their requests, and the comparison of their metrics.

use std::str::FromStr;

use crate::request::earlier_runs::find_identical_run;
use crate::request::{RequestError, RunRequest, RunSettings};
use crate::saved::noise::{Noise, minimum_estimated_difference};
use topoi_core::metric::better::Better;
use topoi_store::id::RunId;
use topoi_store::run::{Run, RunStatus};
use topoi_store::{Store, StoreError};

/// Duration of a run, a metric of sweeps that is not saved as a metric.
pub const SECONDS: &str = "seconds";

/// The finished runs of one model, vocabulary and set of documents.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    /// The runs by K, then by number.
    pub runs: Vec<Run>,
    /// Metrics of whole runs that have a better direction, by name.
    pub metrics: Vec<SweptMetric>,
    /// The run with the longest spectrum; the newest of equals.
    pub spectrum_of: RunId,
    /// (eigenvalue, residual norm) of that run, largest first; empty for models without a spectrum.
    pub spectrum: Vec<(f64, Option<f64>)>,
    /// Minimum distinguishable differences of metrics.
    pub noise: Noise,
}

/// A metric over the runs of a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct SweptMetric {
    pub name: String,
    /// The better direction.
    pub better: Better,
    /// Values in the order of the runs.
    pub values: Vec<Option<f64>>,
    /// Standard errors of the values that are estimates.
    pub standard_errors: Vec<Option<f64>>,
}

impl SweptMetric {
    /// The positions of the runs that may have the best value: all estimates indistinguishable from the best. For
    /// computed values, the best alone.
    pub fn may_be_best(&self) -> Vec<usize> {
        let Some(best) = self.best() else { return Vec::new() };
        let is_near = |other: &usize| {
            let difference = self.values[best].zip(self.values[*other]).map(|(a, b)| (a - b).abs());
            let apart = minimum_estimated_difference(&[
                self.standard_errors[best],
                self.standard_errors[*other],
            ]);
            *other == best
                || apart > 0.0 && difference.is_some_and(|difference| difference <= apart)
        };
        (0..self.values.len()).filter(is_near).collect()
    }

    /// The largest standard error; `None` if no value is an estimate.
    pub fn largest_error(&self) -> Option<f64> {
        self.standard_errors.iter().copied().flatten().reduce(f64::max)
    }

    /// The position of the best value; of values that are equal up to rounding, the first.
    pub fn best(&self) -> Option<usize> {
        let mut best: Option<(usize, f64)> = None;
        for (run, value) in self.values.iter().enumerate() {
            let value = value.filter(|value| value.is_finite());
            let is_better = |&value: &f64| best.is_none_or(|(_, b)| self.better.prefers(value, b));
            if let Some(value) = value.filter(is_better) {
                best = Some((run, value));
            }
        }
        best.map(|(run, _)| run)
    }
}

/// Whether two runs can be compared by their K: they have the same corpus hash, model, vocabulary and sample of
/// documents.
fn is_of_family(run: &Run, other: &Run) -> bool {
    // Coherence of an update is counted in some of the documents.
    let documents = |run: &Run| {
        RunSettings::from_run(run).ok().map(|settings| (settings.sample, settings.revises))
    };
    other.corpus_id == run.corpus_id
        && other.model == run.model
        && other.vocabulary_id == run.vocabulary_id
        && other.corpus_hash == run.corpus_hash
        && documents(other) == documents(run)
}

/// The finished ones of `runs`, grouped by comparability. The first family is that of the first run.
pub fn families(runs: &[Run]) -> Vec<Vec<&Run>> {
    let mut families: Vec<Vec<&Run>> = Vec::new();
    for run in runs.iter().filter(|run| run.status == RunStatus::Finished) {
        match families.iter_mut().find(|family| is_of_family(family[0], run)) {
            Some(family) => family.push(run),
            None => families.push(vec![run]),
        }
    }
    families
}

/// The sweep of `run`: the finished runs with its model, vocabulary and documents, among all `runs` of the store.
/// Includes durations as a metric. `None` for an unfinished run.
pub fn sweep(store: &Store, runs: &[Run], run: &Run) -> Result<Option<Sweep>, StoreError> {
    let all = runs;
    let belongs = |other: &&Run| other.status == RunStatus::Finished && is_of_family(run, other);
    let mut runs: Vec<Run> = runs.iter().filter(belongs).cloned().collect();
    runs.sort_by_key(|run| (run.k, run.id));
    if !runs.iter().any(|other| other.id == run.id) {
        return Ok(None);
    }
    let mut spectrum = Vec::new();
    let mut spectrum_of = run.id;
    let mut metrics: Vec<SweptMetric> = Vec::new();
    for (position, run) in runs.iter().enumerate() {
        let own = store.spectrum(run.id)?;
        if own.len() >= spectrum.len() {
            (spectrum, spectrum_of) = (own, run.id);
        }
        for metric in store.metrics(run.id)?.into_iter().filter(|m| m.topic.is_none()) {
            let Some(better) = Better::for_metric(&metric.name) else { continue };
            let known = metrics.iter().position(|known| known.name == metric.name);
            let at = known.unwrap_or_else(|| {
                metrics.push(SweptMetric {
                    name: metric.name.clone(),
                    better,
                    values: vec![None; runs.len()],
                    standard_errors: vec![None; runs.len()],
                });
                metrics.len() - 1
            });
            metrics[at].values[position] = Some(metric.value);
            metrics[at].standard_errors[position] = metric.standard_error();
        }
    }
    metrics.push(SweptMetric {
        name: SECONDS.into(),
        better: Better::Smaller,
        values: runs.iter().map(|run| run.seconds).collect(),
        standard_errors: vec![None; runs.len()],
    });
    metrics.sort_by(|a, b| a.name.cmp(&b.name));
    let noise = Noise::from_runs(store, all, &runs)?;
    Ok(Some(Sweep { runs, metrics, spectrum_of, spectrum, noise }))
}

/// Maximum number of values of a range without a step.
const EVENLY: usize = 10;
/// Maximum number of values of a sweep.
const MOST: usize = 200;

/// Numbers of topics: at least one, ascending and distinct.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KList(Vec<usize>);

impl KList {
    pub fn values(&self) -> &[usize] {
        &self.0
    }

    /// The largest number of topics.
    pub fn largest(&self) -> usize {
        self.0.last().copied().unwrap_or_default()
    }
}

/// Why a text is not a list of numbers of topics.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no list of numbers of topics; write 10..100:10, 10..100, or 5,10,20")]
pub struct InvalidKList {
    text: String,
}

impl FromStr for KList {
    type Err = InvalidKList;

    /// Parses numbers and ranges separated by commas. `10..100:10` is 10, 20, … 100; a range without a step has at
    /// most ten values.
    fn from_str(text: &str) -> Result<Self, InvalidKList> {
        let wrong = || InvalidKList { text: text.into() };
        let mut values = Vec::new();
        for part in text.split(',') {
            values.extend(range(part.trim()).ok_or_else(wrong)?);
        }
        values.sort_unstable();
        values.dedup();
        if values.is_empty() || values.len() > MOST { Err(wrong()) } else { Ok(Self(values)) }
    }
}

fn range(text: &str) -> Option<Vec<usize>> {
    let Some((from, rest)) = text.split_once("..") else { return Some(vec![text.parse().ok()?]) };
    let (to, step) = match rest.split_once(':') {
        Some((to, step)) => (to, Some(step.trim().parse::<usize>().ok()?)),
        None => (rest, None),
    };
    let (from, to): (usize, usize) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
    let step = step.unwrap_or_else(|| to.saturating_sub(from).div_ceil(EVENLY - 1).max(1));
    if step == 0 || from > to || (to - from) / step >= MOST {
        return None;
    }
    Some((from..=to).step_by(step).collect())
}

/// The numbers of the runs of a sweep: `plan` with every K of the list and with `seeds` consecutive seeds. Finished
/// and waiting runs are reused; the others are requested here, all or none. The largest K of a seed is queued first,
/// so that the smaller ones reuse its factorisation.
///
/// # Errors
/// [`RequestError`] of the first run that is refused.
pub fn request_sweep(
    store: &Store,
    plan: &RunRequest,
    list: &KList,
    seeds: u64,
) -> Result<Vec<RunId>, RequestError> {
    let corpus = store.corpus(&plan.corpus)?;
    let hash = store.corpus_hash(corpus.id)?;
    let is_usable = |run: &Run| match run.status {
        RunStatus::Finished => run.corpus_hash.as_ref() == Some(&hash),
        status => status == RunStatus::Queued,
    };
    let known: Vec<Run> = store.runs()?.into_iter().filter(is_usable).collect();
    let requests = requests(plan, list, seeds);
    for request in &requests {
        request.check_for(store, &corpus)?;
    }
    let (mut numbers, mut first_new) = (Vec::new(), None);
    for request in &requests {
        let number = match find_identical_run(&known, request) {
            Some(run) => run.id,
            None => {
                let number = request.submit(store)?;
                if requests.len() > 1 {
                    store.set_asked_with(number, *first_new.get_or_insert(number))?;
                }
                number
            }
        };
        numbers.push(number);
    }
    Ok(numbers)
}

fn requests(plan: &RunRequest, list: &KList, seeds: u64) -> Vec<RunRequest> {
    let can_share = plan.origin.shares_factorisation().is_some();
    let factorise = (can_share && list.values().len() > 1).then(|| list.largest());
    let of = |seed: u64, k: usize| RunRequest {
        k,
        seed: plan.seed.wrapping_add(seed),
        settings: RunSettings { factorise, ..plan.settings.clone() },
        ..plan.clone()
    };
    (0..seeds.max(1))
        .flat_map(|seed| list.values().iter().rev().map(move |&k| (seed, k)))
        .map(|(seed, k)| of(seed, k))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use topoi_core::model::Model;

    fn list(text: &str) -> Option<Vec<usize>> {
        text.parse::<KList>().ok().map(|list| list.0)
    }

    #[test]
    fn lists_and_ranges_are_read() {
        assert_eq!(list("10..40:10"), Some(vec![10, 20, 30, 40]));
        assert_eq!(list("10..100"), Some((1..=10).map(|ten| ten * 10).collect()));
        assert_eq!(list("3..5"), Some(vec![3, 4, 5]));
        assert_eq!(list("20, 5,20,7..8"), Some(vec![5, 7, 8, 20]));
        assert_eq!(list("50"), Some(vec![50]));
    }

    #[test]
    fn other_texts_are_refused_by_name() {
        for text in ["", "ten", "5..", "9..3", "2..9:0", "2..1000000:1", "1,,2", "-3"] {
            assert_eq!(list(text), None, "{text}");
        }
        let error = "x".parse::<KList>().expect_err("no number").to_string();
        assert!(error.contains("\"x\"") && error.contains("10..100:10"), "{error}");
    }

    #[test]
    fn runs_whose_estimates_are_not_told_apart_from_the_best_may_be_the_best() {
        let metric = |errors: [Option<f64>; 4]| SweptMetric {
            name: "relative_approximation".into(),
            better: Better::Smaller,
            values: vec![Some(0.38), Some(0.302), Some(0.298), None],
            standard_errors: errors.to_vec(),
        };
        let estimated = metric([Some(0.004), Some(0.004), Some(0.004), None]);
        assert_eq!((estimated.best(), estimated.may_be_best()), (Some(2), vec![1, 2]));
        assert_eq!(estimated.largest_error(), Some(0.004));
        // One of the two is exact.
        assert_eq!(metric([None, Some(0.001), None, None]).may_be_best(), [2]);
        let computed = metric([None; 4]);
        assert_eq!((computed.may_be_best(), computed.largest_error()), (vec![2], None));
    }

    #[test]
    fn the_largest_k_comes_first_and_serves_the_others() {
        let list: KList = "5..15:5".parse().expect("a list");
        let plan = RunRequest::new("c", 2);
        let all = requests(&plan, &list, 2);
        let named: Vec<(u64, usize)> =
            all.iter().map(|request| (request.seed, request.k)).collect();
        assert_eq!(named, [(1, 15), (1, 10), (1, 5), (2, 15), (2, 10), (2, 5)]);
        assert!(all.iter().all(|request| request.settings.factorise == Some(15)));
        let alone = requests(
            &RunRequest { origin: Model::from_name("aw").expect("a model").into(), ..plan.clone() },
            &list,
            1,
        );
        assert!(alone.iter().all(|request| request.settings.factorise.is_none()));
        let one = requests(&plan, &"7".parse().expect("a list"), 1);
        assert_eq!((one.len(), one[0].k, one[0].settings.factorise), (1, 7, None));
    }
}
