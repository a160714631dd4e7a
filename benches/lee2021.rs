//! Figures 3 and 4 of Lee et al. 2021 on NIPS, as Markdown tables.
//!
//! `TOPOI_NIPS=DIRECTORY cargo bench --bench lee2021 [-- figure3 | figure4]`, the directory
//! holding docword.nips.txt.gz and vocab.nips.txt. Without it, it says so and measures nothing.
//! Figure 3 takes long, nearly all of it in `raw` and `palm`.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::collections::BTreeMap;
use std::path::PathBuf;

use topoi::ingest::{IngestRequest, NoProgress, ingest};
use topoi::model::Model;
use topoi::model::setting::Value;
use topoi::run::request::RunRequest;
use topoi::run::work::do_work;
use topoi::run::work::reporter::Reporter;
use topoi::store::run::{RunEnd, RunStatus};
use topoi::store::{Access, Store};

/// How a run ends here.
const FINISHED: RunEnd<'_> =
    RunEnd { status: RunStatus::Finished, seconds: None, peak_memory_bytes: None, error: None };
/// The numbers of topics of figure 3.
const TOPICS: &[usize] = &[5, 10, 25, 50, 75, 100];
/// The models of figure 3, their iterations and rows (`None`: their own), the references last:
/// `raw` with as many iterations as `enn`, and until it converges.
const MODELS: &[(&str, Option<u64>, Option<u64>)] = &[
    ("aw", None, None),
    ("palm", None, None),
    ("enn", None, None),
    ("lr-jsmf", None, None),
    ("lr-jsmf", None, Some(5000)),
    ("raw", Some(50), None),
    ("raw", None, None),
];
/// The seven measures.
const MEASURES: &[(&str, &str)] = &[
    ("relative_recovery", "recovery"),
    ("relative_approximation", "approximation"),
    ("relative_dominancy", "dominancy"),
    ("specificity", "specificity"),
    ("dissimilarity", "dissimilarity"),
    ("log_relative_volume", "log volume"),
    ("mst_incoherence", "MST-incoherence"),
];
/// The numbers of topics figure 4 is averaged over.
const GROUPS: &[(&str, &[usize])] =
    &[("5-25", &[5, 10, 15, 20, 25]), ("30-50", &[30, 40, 50]), ("60-100", &[60, 80, 100])];

/// A run's measures, the seconds of its model and of the whole of it.
struct Outcome {
    measures: BTreeMap<String, f64>,
    model_seconds: f64,
    rectify_and_topics: f64,
}

fn run(
    store: &mut Store,
    (model, iterations, rows): (&str, Option<u64>, Option<u64>),
    k: usize,
    terms: usize,
) -> Outcome {
    let mut request = RunRequest::new("nips", k);
    let mut model = Model::named(model).expect("a model");
    for (name, count) in [("iterations", iterations), ("rows", rows)] {
        if let Some(count) = count {
            model.any_mut().set(name, Value::Count(count)).expect("its setting");
        }
    }
    request.origin = model.into();
    request.settings.terms = terms;
    let number = request.submit(store).expect("a run");
    let row = store.run(number).expect("its row");
    let reporter = Reporter::new(store.path(), number, std::sync::Arc::default());
    do_work(store, &row, &reporter, || FINISHED).expect("topics");
    reporter.write(store).expect("stages");
    let stages = store.stages(number).expect("stages");
    let seconds = |names: &[&str]| {
        let named = stages.iter().filter(|stage| names.contains(&stage.name.as_str()));
        named.filter_map(|stage| stage.seconds).sum::<f64>()
    };
    let metrics = store.metrics(number).expect("metrics").into_iter();
    Outcome {
        measures: metrics.filter(|m| m.topic.is_none()).map(|m| (m.name, m.value)).collect(),
        model_seconds: seconds(&["form", "factorise", "rectify", "topics"]),
        rectify_and_topics: seconds(&["rectify", "topics"]),
    }
}

fn header(first: &[&str], last: &[&str]) {
    let names = MEASURES.iter().map(|(_, title)| *title);
    let titles: Vec<&str> =
        first.iter().copied().chain(names).chain(last.iter().copied()).collect();
    println!("| {} |", titles.join(" | "));
    println!("|{}", "---|".repeat(titles.len()));
}

fn cells(measures: &BTreeMap<String, f64>) -> Vec<String> {
    let value = |name| measures.get(name).map_or("".into(), |value| format!("{value:.4}"));
    MEASURES.iter().map(|(name, _)| value(*name)).collect()
}

/// Seven measures and seconds of every model for growing K, 5,000 terms.
fn figure3(store: &mut Store) {
    println!("\nFigure 3: NIPS, 5,000 terms. Seconds: form, factorise, rectify, topics.\n");
    header(
        &["K", "model"],
        &["iterations", "seconds", "farthest from raw, 50", "farthest from raw, converged"],
    );
    for &k in TOPICS {
        let outcomes: Vec<(String, Outcome)> =
            MODELS.iter().map(|&model| (name(model), run(store, model, k, 5000))).collect();
        let references = &outcomes[outcomes.len() - 2..];
        for (model, outcome) in &outcomes {
            let iterations = outcome.measures.get("rectification_iterations");
            println!(
                "| {k} | `{model}` | {} | {} | {:.2} | {} | {} |",
                cells(&outcome.measures).join(" | "),
                iterations.map_or(String::new(), |count| format!("{count}")),
                outcome.model_seconds,
                farthest(outcome, &references[0].1),
                farthest(outcome, &references[1].1),
            );
        }
    }
}

fn name((model, _, rows): (&str, Option<u64>, Option<u64>)) -> String {
    rows.map_or(model.into(), |rows| format!("{model} --rows {rows}"))
}

/// The measure that is farthest from a reference's, relative to it, and how much slower the
/// reference is.
fn farthest(outcome: &Outcome, reference: &Outcome) -> String {
    let off = |(name, title): &(&'static str, &'static str)| {
        let (own, other) = (outcome.measures.get(*name)?, reference.measures.get(*name)?);
        Some(((own / other - 1.0).abs() * 100.0, *title))
    };
    let most = MEASURES.iter().filter_map(off).max_by(|a, b| a.0.total_cmp(&b.0));
    let times = reference.model_seconds / outcome.model_seconds;
    most.map_or(String::new(), |(off, name)| {
        format!("{off:.1}% ({name}), {times:.1} times as fast")
    })
}

/// Measures and seconds of `lr-jsmf` for growing vocabularies, averaged over groups of K.
fn figure4(store: &mut Store) {
    println!("\nFigure 4: NIPS, `lr-jsmf`, growing vocabularies; means over the K of a group.\n");
    header(&["terms", "K"], &["seconds", "of which rectify and topics"]);
    for (group, topics) in GROUPS {
        for terms in (1..=14).map(|thousands| thousands * 1000) {
            let outcomes: Vec<Outcome> =
                topics.iter().map(|&k| run(store, ("lr-jsmf", None, None), k, terms)).collect();
            let mean = |value: &dyn Fn(&Outcome) -> f64| {
                outcomes.iter().map(value).sum::<f64>() / outcomes.len() as f64
            };
            let means: BTreeMap<String, f64> = MEASURES
                .iter()
                .filter(|(name, _)| outcomes.iter().all(|o| o.measures.contains_key(*name)))
                .map(|(name, _)| ((*name).to_string(), mean(&|o| o.measures[*name])))
                .collect();
            println!(
                "| {terms} | {group} | {} | {:.2} | {:.2} |",
                cells(&means).join(" | "),
                mean(&|o| o.model_seconds),
                mean(&|o| o.rectify_and_topics),
            );
        }
    }
}

fn main() {
    let Some(directory) = std::env::var_os("TOPOI_NIPS").map(PathBuf::from) else {
        println!("lee2021: set TOPOI_NIPS to the directory of docword.nips.txt.gz to measure this");
        return;
    };
    let home = tempfile::tempdir().expect("tempdir");
    let mut store = Store::open(&home.path().join("nips.db"), Access::Create).expect("store");
    let request = IngestRequest::new("nips", [directory.join("docword.nips.txt.gz")]);
    ingest(&store, &request, &NoProgress).expect("NIPS in the directory");
    let chosen: Vec<String> = std::env::args().filter(|a| a.starts_with("figure")).collect();
    let wanted = |name: &str| chosen.is_empty() || chosen.iter().any(|figure| figure == name);
    if wanted("figure3") {
        figure3(&mut store);
    }
    if wanted("figure4") {
        figure4(&mut store);
    }
}
