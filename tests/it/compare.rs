//! What finished runs say of each other and of their documents.

use crate::common::Home;
use serde_json::Value;
use topoi_run::choose_k::sweep::sweep;
use topoi_run::saved::anchor_map::anchor_map;
use topoi_run::saved::topic_lifts::topic_lifts;
use topoi_run::saved::topics::topic_documents;
use topoi_run::work::work_error::WorkError;
use topoi_store::id::{RunId, TopicNumber};
use topoi_store::{Access, Store};

fn home_with_two_runs() -> Home {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "8"]);
    home.succeeds(&["run", "subjects", "-k", "10"]);
    home
}

fn numbers(rows: &Value, name: &str) -> Vec<f64> {
    rows.as_array().expect("rows").iter().map(|row| row[name].as_f64().expect("a number")).collect()
}

#[test]
fn compare_matches_topics_and_marks_the_better_metric() {
    let home = home_with_two_runs();
    let found = home.json(&["compare", "1", "2", "--output", "json"]);
    let alignment = &found["alignments"][0];
    let pairs = alignment["pairs"].as_array().expect("pairs");
    assert_eq!((pairs.len(), alignment["only_other"].as_array().expect("topics").len()), (8, 2));
    let npmi = found["metrics"].as_array().expect("metrics").iter().find(|m| m["name"] == "npmi");
    let npmi = npmi.expect("npmi");
    let values: Vec<f64> =
        npmi["values"].as_array().expect("values").iter().filter_map(Value::as_f64).collect();
    assert_eq!(npmi["best"], usize::from(values[1] > values[0]));
    // The similarity of the first pair, from the tables.
    let other = pairs[0][1].as_i64().expect("a topic");
    let query = format!(
        "SELECT a.probability AS p, coalesce(b.probability, 0.0) AS q FROM topic_term a \
         LEFT JOIN topic_term b ON b.run_id = 2 AND b.topic = {other} AND b.term_id = a.term_id \
         WHERE a.run_id = 1 AND a.topic = 0"
    );
    let rows = home.json(&["sql", &query, "-o", "json"]);
    let (p, q) = (numbers(&rows, "p"), numbers(&rows, "q"));
    let squares = format!(
        "SELECT sum(probability * probability) AS s FROM topic_term WHERE run_id = 2 AND topic = {other}"
    );
    let q_length = numbers(&home.json(&["sql", &squares, "-o", "json"]), "s")[0].sqrt();
    let dot: f64 = p.iter().zip(&q).map(|(p, q)| p * q).sum();
    let cosine = dot / p.iter().map(|p| p * p).sum::<f64>().sqrt() / q_length;
    assert!((pairs[0][2].as_f64().expect("a number") - cosine).abs() < 1e-9);
    // The words in common may be few: both vocabularies are all terms here.
    let table = home.succeeds(&["compare", "1", "2"]);
    assert!(table.contains("similarity") && table.contains("better"), "{table}");
    let csv = home.succeeds(&["compare", "1", "2", "-o", "csv"]);
    assert_eq!(csv.lines().count(), 1 + 8 + 2);
    home.fails(&["compare", "1", "1"]);
    home.fails(&["compare", "1", "9"]);
}

#[test]
fn a_topics_documents_are_those_with_the_largest_proportions() {
    let home = home_with_two_runs();
    let store = Store::open(&home.store(), Access::Read).expect("open");
    let run = store.run(RunId(1)).expect("run");
    let found = topic_documents(&store, &run, TopicNumber(3), 5).expect("documents");
    let query = "SELECT document_id AS id, max(CASE WHEN topic = 3 THEN proportion ELSE 0 END) \
                 AS share FROM document_topic WHERE run_id = 1 GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 5";
    let rows = home.json(&["sql", query, "-o", "json"]);
    let (ids, shares) = (numbers(&rows, "id"), numbers(&rows, "share"));
    for (document, (id, share)) in found.iter().zip(ids.into_iter().zip(shares)) {
        assert_eq!(document.document.id.0 as f64, id);
        assert!((document.share - share).abs() < 1e-12);
    }
    assert_eq!(found.len(), 5);
    assert!(topic_documents(&store, &run, TopicNumber(8), 5).is_err());
    // Every subject of the sample has documents of its own: the best are nearly all about it.
    assert!(found[0].share > 0.5);
    home.succeeds(&["run", "subjects", "-k", "8", "--no-documents"]);
    let error = topic_documents(&store, &store.run(RunId(3)).expect("run"), TopicNumber(3), 5)
        .expect_err("none");
    assert!(matches!(error, WorkError::NoDocuments { run: RunId(3) }), "{error}");
    home.succeeds(&["verify", "1"]);
}

#[test]
fn runs_of_one_vocabulary_are_a_sweep_with_the_longest_spectrum() {
    let home = home_with_two_runs();
    home.succeeds(&["run", "subjects", "-k", "6", "--terms", "300"]);
    let store = Store::open(&home.store(), Access::Read).expect("open");
    let runs = store.runs().expect("runs");
    let of = |id: RunId| {
        sweep(&store, &runs, &store.run(id).expect("run")).expect("read").expect("finished")
    };
    let found = of(RunId(1));
    assert_eq!(found.runs.iter().map(|run| run.k).collect::<Vec<_>>(), [8, 10]);
    assert_eq!((found.spectrum_of, found.spectrum.len()), (RunId(2), 10));
    let npmi = found.metrics.iter().find(|metric| metric.name == "npmi").expect("npmi");
    let saved = [1, 2].map(RunId).map(|run| store.run_metric(run, "npmi").expect("read"));
    assert_eq!(npmi.values, saved);
    assert_eq!(npmi.best(), Some(usize::from(saved[1] > saved[0])));
    assert_eq!(of(RunId(3)).runs.len(), 1);
}

#[test]
fn anchors_have_places_and_topics_have_lifts_that_average_to_one() {
    let home = home_with_two_runs();
    let store = Store::open(&home.store(), Access::Read).expect("open");
    let map = anchor_map(&store, RunId(1)).expect("read").expect("a map");
    assert!(map.anchors.iter().all(Option::is_some) && map.hull.len() >= 3);
    let topics = store.topics(RunId(1), 0).expect("topics");
    for (topic, anchor) in topics.iter().zip(&map.anchors) {
        assert_eq!(topic.anchor.as_ref(), anchor.map(|at| &map.words[at].word));
    }
    let lifts = topic_lifts(&store, RunId(1)).expect("read").expect("lifts");
    let joint = store.saved_correlations(RunId(1)).expect("read");
    let total: f64 = joint.iter().sum();
    let sum = |topic: usize| joint[topic * 8..][..8].iter().sum::<f64>() / total;
    for topic in 0..8 {
        let mean: f64 = (0..8).map(|other| sum(other) * lifts.lift(topic, other)).sum();
        assert!((mean - 1.0).abs() < 1e-9);
    }
}
