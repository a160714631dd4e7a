//! The variation of a metric between runs that differ in nothing but the seed or the sample of documents.

use std::collections::BTreeMap;

use crate::request::{RunRequest, RunSettings};
use topoi_core::metric::MetricDef;
use topoi_core::metric::coherence::variants::{NPMI, UCI};
use topoi_core::metric::held_out::{DOCUMENT_COMPLETION, HELD_OUT_LOG_PROBABILITY};
use topoi_core::metric::run_process::TOKEN_LOG_PROBABILITY;
use topoi_core::metric::words::topic_diversity::INVERTED_RBO;
use topoi_store::run::{Run, RunStatus};
use topoi_store::{Store, StoreError};

/// Minimum number of runs to estimate a spread from.
const FEWEST: usize = 3;
/// Values are distinguishable if they differ by more than this many standard deviations of one value. Of differences
/// between equivalent runs, one in twenty is larger.
const DISTINGUISHABLE: f64 = 2.8;
/// Default spreads relative to the value, for metrics without enough runs: about the median over six seeds of models
/// that draw random numbers (docs/guide/choosing-k.md).
const USUAL: [(&MetricDef, f64); 6] = [
    (&NPMI, 0.05),
    (&UCI, 0.1),
    (&INVERTED_RBO, 0.003),
    (&TOKEN_LOG_PROBABILITY, 0.001),
    (&HELD_OUT_LOG_PROBABILITY, 0.001),
    (&DOCUMENT_COMPLETION, 0.001),
];
const USUAL_OF_OTHERS: f64 = 0.03;
/// A relative spread over seeds below this is that of a deterministic model, and not an estimate of the noise.
const NOTHING: f64 = 3e-4;

/// Minimum distinguishable differences of metrics.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Noise {
    /// The standard deviation of one value, by metric.
    spreads: BTreeMap<String, f64>,
}

impl Noise {
    /// The noise of metrics of runs like those of `of`, estimated from those of `runs` with other seeds or on halves of the
    /// documents.
    pub fn from_runs<'r>(
        store: &Store,
        runs: &[Run],
        of: impl IntoIterator<Item = &'r Run>,
    ) -> Result<Self, StoreError> {
        let mut keys: Vec<String> = of.into_iter().filter_map(likeness).collect();
        keys.sort_unstable();
        keys.dedup();
        let mut squares: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for key in keys {
            let is_like = |run: &&Run| {
                run.status == RunStatus::Finished && likeness(run).as_ref() == Some(&key)
            };
            let (halves, wholes): (Vec<&Run>, Vec<&Run>) =
                runs.iter().filter(is_like).partition(|run| RunSettings::is_half(run));
            // The variance on half of the documents is twice as large; it includes the variation by seed.
            let (replicas, scale) = match halves.len() >= FEWEST {
                true => (halves, 0.5),
                false => (wholes, 1.0),
            };
            if replicas.len() < FEWEST {
                continue;
            }
            let mut values: BTreeMap<String, Vec<f64>> = BTreeMap::new();
            for run in replicas {
                for metric in store.metrics(run.id)?.into_iter().filter(|m| m.topic.is_none()) {
                    values.entry(metric.name).or_default().push(metric.value);
                }
            }
            for (name, values) in values.into_iter().filter(|(_, all)| all.len() >= FEWEST) {
                let (square, mean) = (scale * variance(&values), mean(&values));
                if square.sqrt() > NOTHING * mean.abs() {
                    squares.entry(name).or_default().push(square);
                }
            }
        }
        let spreads = squares.into_iter().map(|(name, all)| (name, mean(&all).sqrt()));
        Ok(Self { spreads: spreads.collect() })
    }

    /// Whether the noise of this metric is estimated from runs.
    pub fn is_measured(&self, metric: &str) -> bool {
        self.spreads.contains_key(metric)
    }

    /// Minimum distinguishable difference of two values of a metric near these.
    pub fn minimum_difference(&self, metric: &str, values: &[f64]) -> f64 {
        let size = values.iter().fold(0.0_f64, |size, value| size.max(value.abs()));
        DISTINGUISHABLE * self.spreads.get(metric).copied().unwrap_or(usual(metric) * size)
    }

    /// Whether no metric has an estimate from runs.
    pub fn is_empty(&self) -> bool {
        self.spreads.is_empty()
    }

    /// The standard deviation of one value; `None` without an estimate from runs.
    pub fn spread(&self, metric: &str) -> Option<f64> {
        self.spreads.get(metric).copied()
    }
}

/// What is equal in runs that differ in seed and documents alone; `None` for updates, which continue each other.
fn likeness(run: &Run) -> Option<String> {
    let mut request = RunRequest::from_run(run).ok().filter(|own| !own.settings.revises)?;
    request.seed = 0;
    request.settings = RunSettings {
        threads: 0,
        memory: 0.0,
        exact_norms: false,
        factorise: None,
        start: None,
        sample: if RunSettings::is_half(run) { None } else { request.settings.sample },
        ..request.settings
    };
    serde_json::to_string(&request).ok()
}

/// The default relative spread of a metric, or of a variant of it.
fn usual(metric: &str) -> f64 {
    let name = metric.split('@').next().unwrap_or(metric);
    let known = USUAL.iter().find(|(own, _)| own.id == name);
    known.map_or(USUAL_OF_OTHERS, |&(_, spread)| spread)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn variance(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    squares / (values.len() - 1) as f64
}

/// Minimum distinguishable difference of estimates: two standard errors of the difference of the two least certain
/// ones; 0 if no value is an estimate.
pub fn minimum_estimated_difference(errors: &[Option<f64>]) -> f64 {
    let mut errors: Vec<f64> = errors.iter().copied().flatten().collect();
    errors.sort_by(|a, b| b.total_cmp(a));
    2.0 * errors.iter().take(2).fold(0.0, |sum: f64, error| sum.hypot(*error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use topoi_store::Access;
    use topoi_store::id::CorpusId;
    use topoi_store::ingest::IngestWriter;
    use topoi_store::result::metric::Metric;
    use topoi_store::result::topic::SavedResult;
    use topoi_store::run::{NewRun, RunEnd};

    #[test]
    fn estimates_are_told_apart_by_their_errors_and_computed_values_are_not_affected() {
        let apart = |errors: &[f64]| {
            minimum_estimated_difference(&errors.iter().copied().map(Some).collect::<Vec<_>>())
        };
        assert_eq!([apart(&[]), apart(&[0.25]), apart(&[0.3, 0.1, 0.4])], [0.0, 0.5, 1.0]);
    }

    #[test]
    fn noise_is_read_from_runs_with_other_seeds_and_else_taken_as_usual() {
        let directory = tempfile::tempdir().expect("tempdir");
        let mut store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
        let corpus = IngestWriter::begin(&store, "c", "{}", "s", "lines").expect("begin");
        corpus.finish().expect("a corpus");
        let settings = RunRequest::new("c", 5).saved_settings();
        for (seed, value) in [(1, 0.10), (2, 0.12), (3, 0.14)] {
            let new = NewRun {
                corpus_id: CorpusId(1),
                model: "lr-jsmf",
                k: 5,
                seed,
                settings: &settings,
            };
            let run = store.create_run(&new).expect("run");
            store.take_run(run).expect("taken");
            let metric = Metric { topic: None, name: "npmi".into(), value, settings: None };
            let result = SavedResult { metrics: vec![metric], ..SavedResult::default() };
            store.finish_run(run, &result, || RunEnd::new(RunStatus::Finished)).expect("end");
        }
        let runs = store.runs().expect("runs");
        let noise = Noise::from_runs(&store, &runs, [&runs[0]]).expect("read");
        let apart = noise.minimum_difference("npmi", &[0.1, 0.14]);
        assert!((apart - DISTINGUISHABLE * 0.02).abs() < 1e-12, "{apart}");
        let two = Noise::from_runs(&store, &runs[..2], [&runs[0]]).expect("read");
        assert!(!two.is_measured("npmi"));
        assert!(
            (two.minimum_difference("npmi", &[0.1, -0.5]) - DISTINGUISHABLE * 0.05 * 0.5).abs()
                < 1e-12
        );
    }
}
