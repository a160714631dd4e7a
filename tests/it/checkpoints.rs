//! A model that goes on from what its finished stages left gives the same bits as one that was
//! never interrupted.

use std::collections::BTreeMap;
use std::sync::Mutex;

use ndarray::Array2;
use sprs::TriMat;
use topoi_core::model::Model;
use topoi_core::model::plan::Extent;
use topoi_core::model::setting::Value;
use topoi_core::model::topic_model::{Figure, Fit};
use topoi_core::progress::Progress;
use topoi_core::random::stream;
use topoi_core::stream::cooccurrence::CoOccurrence;
use topoi_core::stream::documents::Documents;
use topoi_core::stream::memory::MatrixSource;
use topoi_run::request::RunRequest;
use topoi_run::work::fit::{FitTask, fit};

const WORDS: usize = 150;

/// A stage and what it left.
type Left = (&'static str, Vec<Array2<f64>>);

/// Remembers what stages leave, and lets the work recall the stages named in `done`.
#[derive(Default)]
struct Notebook {
    done: BTreeMap<&'static str, Vec<Array2<f64>>>,
    begun: Mutex<Vec<&'static str>>,
    kept: Mutex<Vec<Left>>,
}

impl Progress for Notebook {
    fn begin(&self, stage: &'static str, _total: u64, _residual: &'static str) {
        self.begun.lock().expect("begun").push(stage);
    }

    fn step(&self, _step: u64, _residual: Option<f64>) {}

    fn cancelled(&self) -> bool {
        false
    }

    fn recall(&self, stage: &'static str) -> Option<Vec<Array2<f64>>> {
        self.done.get(stage).cloned()
    }

    fn keep(&self, stage: &'static str, arrays: &[Array2<f64>]) {
        assert_eq!(self.begun.lock().expect("begun").last(), Some(&stage));
        self.kept.lock().expect("kept").push((stage, arrays.to_vec()));
    }
}

/// 900 documents of 20 words, most of them of one of five groups of words.
fn documents() -> MatrixSource {
    use rand::RngExt;
    let mut rng = stream(7, "checkpoint documents");
    let mut counts = TriMat::new((900, WORDS));
    for document in 0..900 {
        let group = document % 5;
        for _ in 0..20 {
            let word = match rng.random_range(0..4) {
                0 => rng.random_range(0..WORDS),
                _ => group * 30 + rng.random_range(0..30),
            };
            counts.add_triplet(document, word, 1);
        }
    }
    MatrixSource::new(counts.to_csr(), 64)
}

fn fitted(model: &Model, iterations: u64, progress: &Notebook) -> Fit {
    let source = documents();
    let positions: Vec<u32> = (0..WORDS as u32).collect();
    let documents = Documents::new(&source, &positions, 2, progress);
    let c = CoOccurrence::new(&documents).expect("in memory");
    let mut model = model.clone();
    // Not all models iterate.
    let _ = model.any_mut().set("iterations", Value::Count(iterations));
    let request = RunRequest { seed: 3, ..RunRequest::new("", 5) };
    fit(&model, FitTask::from_request(&request), &c, progress).expect("topics")
}

/// Every number of a result, to the bit.
fn bits(fitted: &Fit) -> Vec<u64> {
    let topics = &fitted.topics;
    let anchors = topics.anchors.iter().flatten().map(|&word| word as f64);
    let spectrum = fitted.spectrum.iter().flat_map(|&(value, residual)| [value, residual]);
    anchors
        .chain(topics.topics.iter().copied())
        .chain(topics.topics_of_words.iter().copied())
        .chain(topics.correlations.iter().flatten().copied())
        .chain(topics.weights.iter().copied())
        .chain(spectrum)
        .chain(fitted.figures.iter().flat_map(|figure| match figure {
            Figure::OfRun(_, value) | Figure::WithSettings(_, value, _) => vec![*value],
            Figure::OfTopics(_, values) => values.clone(),
        }))
        .map(f64::to_bits)
        .collect()
}

#[test]
fn every_model_goes_on_after_each_of_its_stages_with_the_same_bits() {
    for model in &Model::all() {
        for iterations in [0, 12] {
            let whole = Notebook::default();
            let expected = fitted(model, iterations, &whole);
            let kept = whole.kept.into_inner().expect("kept");
            let stages: Vec<&str> = kept.iter().map(|(stage, _)| *stage).collect();
            assert_eq!(stages.last(), Some(&"topics"), "{}", model.name());
            let expected_stages = match model.name() {
                "aw" | "r1d" => 1,
                "svd" => 2,
                "nmf-kl" | "nmf-ard" | "lda-gibbs" => 5,
                "rp" | "ddp" | "rp-doc" | "binning" => 4,
                _ => 3,
            };
            assert_eq!(stages.len(), expected_stages, "{}", model.name());
            for after in 1..=kept.len() {
                let done = kept[..after].iter().cloned().collect();
                let resumed = Notebook { done, ..Notebook::default() };
                let found = fitted(model, iterations, &resumed);
                assert!(bits(&found) == bits(&expected), "{} after {after}", model.name());
                let begun = resumed.begun.into_inner().expect("begun");
                let again = stages[..after].iter().find(|stage| begun.contains(stage));
                assert_eq!(again, None, "{} did a stage twice", model.name());
                let left = resumed.kept.into_inner().expect("kept");
                assert!(left.iter().map(|(stage, _)| *stage).eq(stages[after..].iter().copied()));
            }
            let nothing = Notebook { done: kept.into_iter().collect(), ..Notebook::default() };
            fitted(model, iterations, &nothing);
            assert!(nothing.begun.into_inner().expect("begun").is_empty(), "{}", model.name());
        }
    }
}

#[test]
fn the_stages_of_a_fit_are_those_of_its_plan() {
    let size = Extent { words: 150.0, documents: 900.0, nonzeros: 15e3, tokens: 18e3, k: 5.0 };
    for model in &Model::all() {
        let whole = Notebook::default();
        fitted(model, 12, &whole);
        let mut begun = whole.begun.into_inner().expect("begun");
        // The legs of a long stage are one stage of the plan.
        begun.retain(|stage| !stage.starts_with("iterate-"));
        let planned = model.any().plan(size);
        let names: Vec<&str> = planned.iter().map(|stage| stage.name).collect();
        assert_eq!(begun, names, "{}", model.name());
        assert!(planned.iter().all(|stage| stage.total().is_finite() && stage.total() >= 0.0));
    }
}

#[test]
fn arrays_of_another_shape_are_not_gone_on_from() {
    for model in &Model::all() {
        let expected = fitted(model, 5, &Notebook::default());
        let stages = [
            "factorise",
            "rectify",
            "split",
            "project",
            "between",
            "iterate",
            "iterate-3",
            "topics",
        ];
        let wrong = stages.map(|stage| (stage, Vec::new()));
        let notebook = Notebook { done: wrong.into_iter().collect(), ..Notebook::default() };
        assert!(bits(&fitted(model, 5, &notebook)) == bits(&expected), "{}", model.name());
    }
}
