//! Which K of a sweep to look at first: a heuristic, with reasons.

use super::sweep::{Sweep, SweptMetric};
use crate::choose_k::bounds::Bounds;
use crate::request::RunSettings;
use topoi_core::metric::MetricDef;
use topoi_core::metric::definition::{Aspect, Tag};
use topoi_store::id::RunId;

/// The aspects of a K. Each is measured by the first of its metrics that the runs have.
const ASPECTS: &[(&str, Aspect)] = &[
    ("prediction", Aspect::Prediction),
    ("coherence", Aspect::Coherence),
    ("distinctness", Aspect::Distinctness),
    ("stability", Aspect::Stability),
];

/// A smaller K is preferred if its score is within this of the best.
const CLOSE: f64 = 0.05;

/// Minimum number of different K for a recommendation.
const FEWEST: usize = 3;

/// A recommended number of topics and the reasons for it.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Recommendation {
    /// The recommended number of topics.
    pub k: u64,
    /// The first run of the sweep with this K.
    pub run: RunId,
    /// The share of documents that the run holds out.
    pub held_out: Option<f64>,
    /// The mean over the aspects of its position between the worst K of the sweep, 0, and the best, 1.
    pub score: f64,
    /// One line: the recommendation, its main reasons, and other K that are as good.
    pub sentence: String,
    /// (K, score) of every K.
    pub scores: Vec<(u64, f64)>,
    /// The reasons, each a whole sentence.
    pub reasons: Vec<String>,
}

/// The smallest K whose score is within 0.05 of the best. The score of a K is the mean over the measured aspects
/// (prediction, coherence, distinctness, stability) of the position of its value between the worst and the best of
/// the sweep. A value is the mean over seeds; one that is indistinguishable from the best counts as the best. `None`
/// for fewer than three different K. The recommendation is a heuristic for where to begin to read.
pub fn recommendation(sweep: &Sweep, bounds: Option<&Bounds>) -> Option<Recommendation> {
    let mut ks: Vec<u64> = sweep.runs.iter().map(|run| run.k).collect();
    ks.dedup();
    if ks.len() < FEWEST {
        return None;
    }
    let aspects: Vec<MeasuredAspect> = ASPECTS
        .iter()
        .filter_map(|&(name, aspect)| MeasuredAspect::new(name, aspect, sweep, &ks))
        .collect();
    let score = |at: usize| {
        aspects.iter().map(|aspect| aspect.share(at)).sum::<f64>() / aspects.len() as f64
    };
    let best = (0..ks.len()).max_by(|&a, &b| score(a).total_cmp(&score(b)).then(b.cmp(&a)))?;
    let chosen = (0..ks.len()).find(|&at| score(at) >= score(best) - CLOSE)?;
    if aspects.is_empty() {
        return None;
    }
    let k = ks[chosen];
    let recommended = sweep.runs.iter().find(|run| run.k == k)?;
    let run = recommended.id;
    let mut reasons = vec![overall(&ks, chosen, best, score(chosen), score(best))];
    reasons.extend(aspects.iter().map(|aspect| aspect.sentence(&ks, chosen)));
    reasons.extend(not_measured(&aspects));
    reasons.extend(bounds.map(|bounds| bounds_sentence(k, bounds)));
    if Some(&k) == ks.last() {
        reasons.push(format!("{k} is the largest K that was tried: larger ones may be better"));
    }
    let held_out = RunSettings::from_run(recommended).ok().and_then(|settings| settings.held_out);
    reasons.extend(held_out.map(|share| not_of_all(run, share)));
    let scores: Vec<(u64, f64)> = ks.iter().enumerate().map(|(at, &k)| (k, score(at))).collect();
    let as_good: Vec<u64> =
        scores.iter().filter(|(_, own)| *own >= score(best) - CLOSE).map(|(k, _)| *k).collect();
    let sentence = sentence(k, &aspects, chosen, &as_good);
    Some(Recommendation { k, run, held_out, score: score(chosen), sentence, scores, reasons })
}

/// "30: coherence and distinctness are at their best, prediction is worse; 20 to 40 are as good".
fn sentence(k: u64, aspects: &[MeasuredAspect], chosen: usize, as_good: &[u64]) -> String {
    let named = |is_good: bool| -> Vec<&str> {
        let those = aspects.iter().filter(|own| (own.share(chosen) >= 1.0 - CLOSE) == is_good);
        those.map(|own| own.name).collect()
    };
    let is = |names: &[&str]| if names.len() == 1 { "is" } else { "are" };
    let (good, worse) = (named(true), named(false));
    let mut why = Vec::new();
    if !good.is_empty() {
        why.push(format!(
            "{} {}",
            good.join(" and "),
            if good.len() == 1 { "is at its best" } else { "are at their best" }
        ));
    }
    if !worse.is_empty() {
        why.push(format!("{} {} better at another K", worse.join(" and "), is(&worse)));
    }
    let others = match as_good {
        [] | [_] => String::new(),
        [first, .., last] => format!("; {first} to {last} are as good"),
    };
    format!("{k}: {}{others}", why.join(", "))
}

fn overall(ks: &[u64], chosen: usize, best: usize, score: f64, most: f64) -> String {
    let (k, count) = (ks[chosen], ks.len());
    if chosen == best {
        return format!(
            "of {count} values of K, {k} has the best score over all aspects, {score:.2}"
        );
    }
    let best = ks[best];
    format!(
        "of {count} values of K, {k} is the smallest whose score, {score:.2}, is close to the best, \
         {most:.2} for K = {best}"
    )
}

/// An aspect that was measured for every K.
struct MeasuredAspect {
    name: &'static str,
    metric: String,
    /// By K: mean value and merit.
    values: Vec<(f64, f64)>,
    /// Minimum distinguishable difference of merits.
    apart: f64,
}

impl MeasuredAspect {
    fn new(name: &'static str, aspect: Aspect, sweep: &Sweep, ks: &[u64]) -> Option<Self> {
        let find = |wanted: &MetricDef| sweep.metrics.iter().find(|m| m.name == wanted.id);
        MetricDef::tagged(Tag::RecommendsK(aspect)).filter_map(find).find_map(|metric| {
            let mean = |&k: &u64| mean(sweep, metric, k).map(|v| (v, metric.better.merit(v)));
            let values: Vec<(f64, f64)> = ks.iter().map(mean).collect::<Option<_>>()?;
            let known: Vec<f64> = values.iter().map(|&(value, _)| value).collect();
            let apart = sweep.noise.minimum_difference(&metric.name, &known);
            Some(Self { name, metric: metric.name.clone(), values, apart })
        })
    }

    /// Position of a K between the worst, 0, and the best, 1; 1 if indistinguishable from the best.
    fn share(&self, at: usize) -> f64 {
        let merits = || self.values.iter().map(|&(_, merit)| merit);
        let (least, most) =
            (merits().fold(f64::INFINITY, f64::min), merits().fold(f64::NEG_INFINITY, f64::max));
        if most - self.values[at].1 <= self.apart {
            return 1.0;
        }
        (self.values[at].1 - least) / (most - least)
    }

    fn sentence(&self, ks: &[u64], chosen: usize) -> String {
        let best = (0..ks.len())
            .fold(0, |best, at| if self.values[at].1 > self.values[best].1 { at } else { best });
        let (name, metric, value) = (self.name, &self.metric, self.values[chosen].0);
        if best == chosen {
            return format!("{name}: {metric} {value:.4}, the best of all");
        }
        let (most, at) = (self.values[best].0, ks[best]);
        if self.values[best].1 - self.values[chosen].1 <= self.apart {
            return format!(
                "{name}: {metric} {value:.4}, not to be told from the best, {most:.4} for K = {at} \
                 (differences below {:.2} mean nothing)",
                self.apart
            );
        }
        format!("{name}: {metric} {value:.4}; the best is {most:.4} for K = {at}")
    }
}

/// The mean of a metric over the runs with this K that have it.
fn mean(sweep: &Sweep, metric: &SweptMetric, k: u64) -> Option<f64> {
    let runs = sweep.runs.iter().zip(&metric.values);
    let values: Vec<f64> = runs.filter(|(run, _)| run.k == k).filter_map(|(_, v)| *v).collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn not_measured(aspects: &[MeasuredAspect]) -> Option<String> {
    let names: Vec<&str> = ASPECTS
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| aspects.iter().all(|aspect| aspect.name != *name))
        .collect();
    (!names.is_empty()).then(|| {
        format!(
            "not measured for every K: {} (`sweep --held-out 0.1` measures prediction, `topoi \
             stability` stability)",
            names.join(" and ")
        )
    })
}

/// A run that holds out documents is for comparison only.
fn not_of_all(run: RunId, share: f64) -> String {
    format!(
        "run {run} is made from {:.0}% of the documents (--held-out {share}): the others have no shares of topics; \
         a run without --held-out has all",
        100.0 * (1.0 - share)
    )
}

/// The relation of a K to the bounds.
fn bounds_sentence(k: u64, bounds: &Bounds) -> String {
    let bound = &bounds.saved.bound;
    let range = match bound.upper {
        Some(upper) => format!("{} to {upper}", bound.lower),
        None => format!("{} or more", bound.lower),
    };
    let within = k >= bound.lower && bound.upper.is_none_or(|upper| k <= upper);
    let verdict = if within { "within" } else { "outside" };
    format!("the spectral bounds, {range}, assume LDA's model: {k} lies {verdict} them")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::saved::noise::Noise;
    use topoi_core::metric::better::Better;
    use topoi_store::id::CorpusId;
    use topoi_store::run::{Run, RunStatus};

    fn run(id: i64, k: u64) -> Run {
        let id = RunId(id);
        Run {
            id,
            corpus: "c".into(),
            corpus_id: CorpusId(1),
            vocabulary_id: Some(1),
            terms: Some(5000),
            model: "lr-jsmf".into(),
            k,
            seed: 1,
            settings: "{}".into(),
            status: RunStatus::Finished,
            seconds: Some(1.0),
            ..Run::default()
        }
    }

    /// A sweep with these K and metrics.
    fn sweep(ks: &[u64], metrics: &[(&str, &[Option<f64>])]) -> Sweep {
        let metric = |(name, values): &(&str, &[Option<f64>])| SweptMetric {
            name: (*name).into(),
            better: Better::for_metric(name).unwrap_or(Better::Larger),
            values: values.to_vec(),
            standard_errors: vec![None; values.len()],
        };
        Sweep {
            runs: (1..).zip(ks).map(|(id, &k)| run(id, k)).collect(),
            metrics: metrics.iter().map(metric).collect(),
            spectrum_of: RunId(1),
            spectrum: Vec::new(),
            noise: Noise::default(),
        }
    }

    #[test]
    fn the_smallest_k_that_cannot_be_told_from_the_best_is_recommended() {
        let npmi = [Some(0.10), Some(0.196), Some(0.20), Some(0.12)];
        let found = sweep(&[10, 20, 30, 40], &[("npmi", &npmi)]);
        let advice = recommendation(&found, None).expect("four values of K");
        assert_eq!((advice.k, advice.run), (20, RunId(2)));
        assert!((advice.score - 1.0).abs() < 1e-9);
        let expected = [(10, 0.0), (20, 1.0), (30, 1.0), (40, 0.2)];
        for (own, expected) in advice.scores.iter().zip(expected) {
            assert!(own.0 == expected.0 && (own.1 - expected.1).abs() < 1e-9);
        }
        let sentence = "20: coherence is at its best; 20 to 30 are as good";
        assert_eq!(advice.sentence, sentence);
        assert!(advice.reasons[1].contains("not to be told from the best, 0.2000 for K = 30"));
        assert!(advice.reasons[2].contains("prediction and distinctness and stability"));
    }

    #[test]
    fn aspects_count_alike_whatever_their_units_and_seeds_are_averaged() {
        // Two seeds of K = 10; coherence is for 10, distinctness for 30, and 20 nearly both.
        let npmi = [Some(0.30), Some(0.10), Some(0.19), Some(0.0)];
        let distinct = [Some(900.0), Some(900.0), Some(989.0), Some(1000.0)];
        let metrics: &[(&str, &[Option<f64>])] = &[("npmi", &npmi), ("inverted_rbo", &distinct)];
        let advice = recommendation(&sweep(&[10, 10, 20, 30], metrics), None).expect("three");
        assert_eq!(advice.k, 20);
        assert!((advice.score - (1.0 + 0.89) / 2.0).abs() < 1e-9);
    }

    #[test]
    fn a_run_that_holds_documents_out_and_the_largest_k_are_said_to_be() {
        let npmi = [Some(0.1), Some(0.2), Some(0.3)];
        let mut found = sweep(&[10, 20, 30], &[("npmi", &npmi)]);
        let advice = recommendation(&found, None).expect("three values of K");
        let has = |advice: &Recommendation, words: &str| {
            advice.reasons.iter().any(|reason| reason.contains(words))
        };
        assert!(
            has(&advice, "30 is the largest K that was tried") && !has(&advice, "--held-out 0.1)")
        );
        let settings = RunSettings::default().holding_out(0.1, 7);
        found.runs[2].settings = serde_json::to_string(&settings).expect("settings");
        let advice = recommendation(&found, None).expect("three values of K");
        assert_eq!(advice.held_out, Some(0.1));
        assert!(has(&advice, "run 3 is made from 90% of the documents (--held-out 0.1)"));
    }

    #[test]
    fn nothing_is_recommended_without_three_values_of_k_or_without_measures() {
        let values = [Some(0.1), Some(0.2), Some(0.3)];
        assert_eq!(recommendation(&sweep(&[10, 20], &[("npmi", &values[..2])]), None), None);
        assert_eq!(recommendation(&sweep(&[1, 2, 3], &[("umass", &values)]), None), None);
        // A measure that is missing for a K does not count.
        let gap = [Some(0.1), None, Some(0.3)];
        assert_eq!(recommendation(&sweep(&[1, 2, 3], &[("npmi", &gap)]), None), None);
    }
}
