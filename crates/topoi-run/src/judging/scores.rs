//! Scores of human judgements of a run's topics, beside its metrics.

use serde_json::json;
use strum::VariantArray;

use super::session::judgements;
use topoi_core::judge::Task;
use topoi_core::judge::scores::{Score, TaskScores, scores};
use topoi_core::metric::MetricDef;
use topoi_core::metric::judged::{TOPIC_LOG_ODDS, TOPIC_RATING, WORD_INTRUSION};
use topoi_store::id::TopicNumber;
use topoi_store::result::metric::Metric;
use topoi_store::run::Run;
use topoi_store::{Store, StoreError};

/// The metric that holds the scores of a task.
pub fn metric_of(task: Task) -> &'static MetricDef {
    match task {
        Task::Words => &WORD_INTRUSION,
        Task::Topics => &TOPIC_LOG_ODDS,
        Task::Ratings => &TOPIC_RATING,
    }
}

/// The scores of a run; empty for a run without judgements.
///
/// # Errors
/// [`StoreError::DamagedRun`] for a row that cannot be an answer.
pub fn scores_of(store: &Store, run: &Run) -> Result<Vec<TaskScores>, StoreError> {
    Ok(scores(&judgements(store, run)?))
}

/// The saved metrics of a run, with the scores of human judgements after those of the whole run and of the topics.
pub fn metrics_with_scores(store: &Store, run: &Run) -> Result<Vec<Metric>, StoreError> {
    let mut metrics = store.metrics(run.id)?;
    let scores = scores_of(store, run)?;
    let whole = metrics.iter().take_while(|metric| metric.topic.is_none()).count();
    let of_run = scores.iter().map(|of| metric(of.task, &of.whole));
    metrics.splice(whole..whole, of_run.collect::<Vec<_>>());
    for of in &scores {
        metrics.extend(of.topics.iter().map(|score| metric(of.task, score)));
    }
    Ok(metrics)
}

fn metric(task: Task, score: &Score) -> Metric {
    let mut settings = json!({ "unit": "answer", "units": score.answers, "judges": score.judges });
    if let Some((low, high)) = score.interval {
        settings["low"] = low.into();
        settings["high"] = high.into();
    }
    Metric {
        topic: score.topic.map(TopicNumber),
        name: metric_of(task).id.into(),
        value: score.value,
        settings: Some(settings.to_string()),
    }
}

/// The confidence interval of a metric from human judgements; `None` for other metrics, and for too few answers.
pub fn interval(metric: &Metric) -> Option<(f64, f64)> {
    let settings = metric.settings.as_deref().filter(|_| is_judged(metric))?;
    let settings: serde_json::Value = serde_json::from_str(settings).ok()?;
    Some((settings["low"].as_f64()?, settings["high"].as_f64()?))
}

fn is_judged(metric: &Metric) -> bool {
    Task::VARIANTS.iter().any(|&task| metric_of(task).id == metric.name)
}

/// The smallest difference between values of a judged metric that is distinguishable: √(a² + b²) of the two widest
/// half intervals; infinite where one has no interval. `None` for other metrics.
pub fn minimum_difference<'a>(metrics: impl Iterator<Item = &'a Metric>) -> Option<f64> {
    let half = |metric: &Metric| {
        let half = |(low, high)| f64::max(high - metric.value, metric.value - low);
        interval(metric).map_or(f64::INFINITY, half)
    };
    let mut halves: Vec<f64> = metrics.filter(|metric| is_judged(metric)).map(half).collect();
    halves.sort_by(|a, b| b.total_cmp(a));
    let widest = halves.first()?;
    Some(widest.hypot(halves.get(1).copied().unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_told_apart_by_their_intervals_and_one_without_never_is() {
        let score = |value, interval| {
            let score = Score { topic: None, value, interval, answers: 4, judges: 2 };
            metric(Task::Words, &score)
        };
        let (one, other) = (score(0.5, Some((0.2, 0.6))), score(0.9, Some((0.5, 1.0))));
        assert_eq!(interval(&other), Some((0.5, 1.0)));
        let apart = minimum_difference([&one, &other].into_iter()).expect("of people");
        assert!((apart - 0.5).abs() < 1e-12, "{apart}");
        let alone = score(0.9, None);
        assert_eq!(minimum_difference([&one, &alone].into_iter()), Some(f64::INFINITY));
        let npmi = Metric { name: "npmi".into(), ..one };
        assert_eq!((minimum_difference([&npmi].into_iter()), interval(&npmi)), (None, None));
    }
}
