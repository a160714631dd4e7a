//! Runs of a corpus in parts give the same result as runs of the whole corpus.

use ndarray::Array2;
use rand::RngExt;
use sprs::TriMat;

use super::about_documents::{Completed, complete};
use super::fit::{FitTask, fit};
use crate::request::{RunRequest, RunSettings};
use topoi_core::bound::lda::{LdaSettings, topic_bounds};
use topoi_core::formula::packed_documents::PackedDocuments;
use topoi_core::model::Model;
use topoi_core::model::setting::Value;
use topoi_core::progress::Silent;
use topoi_core::random::stream;
use topoi_core::stream::StreamError;
use topoi_core::stream::cooccurrence::CoOccurrence;
use topoi_core::stream::documents::Documents;
use topoi_core::stream::in_threads::in_parts;
use topoi_core::stream::memory::MatrixSource;
use topoi_core::stream::parts::{Parts, SinglePart};

const DOCUMENTS: usize = 300;
const WORDS: usize = 60;
const TOPICS: usize = 4;

/// Four topics of fifteen words each, with a few words of others in every document.
fn corpus() -> MatrixSource {
    let mut rng = stream(11, "corpus in parts");
    let mut counts = TriMat::new((DOCUMENTS, WORDS));
    for document in 0..DOCUMENTS {
        for word in 0..WORDS {
            let likely = if word % TOPICS == document * 7 % 5 % TOPICS { 0.7 } else { 0.06 };
            if rng.random::<f64>() < likely {
                counts.add_triplet(document, word, rng.random_range(1..6u32));
            }
        }
    }
    MatrixSource::new(counts.to_csr(), 9)
}

/// The documents of this part.
fn source_of(parts: &dyn Parts) -> MatrixSource {
    let at = |part: usize| part * DOCUMENTS / parts.count();
    corpus().part(at(parts.number())..at(parts.number() + 1))
}

fn positions() -> Vec<u32> {
    (0..WORDS as u32).collect()
}

/// A run of `model`, refined once, with its documents.
fn run(model: &Model, parts: &dyn Parts) -> Completed {
    let source = source_of(parts);
    let positions = positions();
    let documents = Documents::new(&source, &positions, 2, &Silent).with_parts(parts);
    let c = CoOccurrence::new(&documents).expect("in memory");
    let mut model = model.clone();
    // Ignored by models that do not iterate.
    let _ = model.any_mut().set("iterations", Value::Count(10));
    let settings = RunSettings { refine: Some(1), documents: true, ..RunSettings::default() };
    let request = RunRequest {
        origin: model.clone().into(),
        k: TOPICS,
        seed: 3,
        settings,
        ..RunRequest::new("", 2)
    };
    let task = FitTask::from_request(&request);
    complete(fit(&model, task, &c, &Silent).expect("topics"), task, &c, &Silent).expect("documents")
}

fn farthest(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
    (a - b).iter().fold(0.0, |most, miss| miss.abs().max(most))
}

/// Each document with its large topics, and all their proportions.
fn large(of: &PackedDocuments) -> (Vec<(i64, Vec<u32>)>, Vec<f64>) {
    let (mut topics, mut shares) = (Vec::new(), Vec::new());
    of.each_large(|id, of_document, more| {
        topics.push((id, of_document.to_vec()));
        shares.extend_from_slice(more);
    })
    .expect("read");
    (topics, shares)
}

#[test]
fn every_model_that_streams_finds_the_same_topics_in_parts() {
    // A sampler draws other numbers where the documents are cut elsewhere; its own tests cover its parts.
    let same = |model: &&Model| model.card().streams() && model.name() != "lda-gibbs";
    for model in Model::all().iter().filter(same) {
        let whole = run(model, &SinglePart);
        for count in 1..=4 {
            let parts = in_parts(count, |parts| run(model, parts));
            let name = format!("{} in {count} parts", model.name());
            for part in &parts {
                let (found, expected) = (&part.fitted.topics, &whole.fitted.topics);
                assert_eq!(found.anchors, expected.anchors, "{name}");
                let miss = farthest(&found.topics, &expected.topics);
                assert!(miss < 1e-10, "{name}: {miss:e}");
                assert_eq!(found.topics, parts[0].fitted.topics.topics, "{name}: bits");
            }
            // Sums over the parts become shares of the whole on every part.
            for part in &parts {
                let far = |found: &[f64], whole: &[f64]| {
                    assert_eq!((found.len(), whole.len()), (TOPICS, TOPICS), "{name}");
                    found.iter().zip(whole).fold(0.0f64, |most, (a, b)| (a - b).abs().max(most))
                };
                let tokens = far(&part.token_shares, &whole.token_shares);
                let [own, all] = [part, &whole].map(|run| run.fitted.topics.weights.to_vec());
                let documents = far(&own, &all);
                assert!(tokens < 1e-9 && documents < 1e-9, "{name}: {tokens:e} {documents:e}");
            }
            let documents = &parts[0].documents;
            let (found, expected) = (large(&documents.packed), large(&whole.documents.packed));
            assert_eq!(found.0, expected.0, "{name}");
            let shares = found.1.iter().zip(&expected.1);
            let miss = shares.fold(0.0f64, |most, (a, b)| (a - b).abs().max(most));
            assert!(miss < 1e-9, "{name}: {miss:e}");
            assert!(parts[1..].iter().all(|part| part.documents.packed.is_empty()));
        }
    }
}

#[test]
fn bounds_are_those_of_the_whole() {
    let bounds = |parts: &dyn Parts| {
        let (source, positions) = (source_of(parts), positions());
        let documents = Documents::new(&source, &positions, 2, &Silent).with_parts(parts);
        let c = CoOccurrence::new(&documents).expect("in memory");
        topic_bounds(&c, &LdaSettings::default(), &Silent).expect("bounds")
    };
    let whole = bounds(&SinglePart);
    for part in in_parts(3, bounds) {
        assert_eq!((part.lower, part.uppers.len()), (whole.lower, whole.uppers.len()));
        assert!((part.threshold - whole.threshold).abs() < 1e-15);
        for (found, expected) in part.spectrum.iter().zip(&whole.spectrum) {
            assert!((found.0 - expected.0).abs() < 1e-14);
        }
    }
}

/// `ddp` could run in parts, but with W² numbers on each; requests for it are refused.
#[test]
fn models_that_need_all_documents_refuse() {
    let whole = |model: &&Model| !model.card().streams() && model.name() != "ddp";
    for model in Model::all().iter().filter(whole) {
        let refusals = in_parts(2, |parts| {
            let (source, positions) = (source_of(parts), positions());
            let documents = Documents::new(&source, &positions, 2, &Silent).with_parts(parts);
            let c = CoOccurrence::new(&documents).expect("in memory");
            let request = RunRequest { seed: 3, ..RunRequest::new("", TOPICS) };
            fit(model, FitTask::from_request(&request), &c, &Silent)
                .map(drop)
                .map_err(|error| error.to_string())
        });
        let reason = StreamError::NeedsWhole { parts: 2 }.to_string();
        assert_eq!(refusals, vec![Err(reason.clone()), Err(reason)], "{}", model.name());
    }
}

#[test]
fn what_fails_on_one_part_fails_on_all() {
    let told = in_parts(3, |parts| {
        let (source, positions) = (source_of(parts), positions());
        let documents = Documents::new(&source, &positions, 2, &Silent).with_parts(parts);
        let made = match parts.number() {
            1 => Err(StreamError::Exchange("the disk is gone".into())),
            _ => Ok(()),
        };
        documents.agree(made).map_err(|error| error.to_string())
    });
    let own = StreamError::Exchange("the disk is gone".into()).to_string();
    let others = format!("part 1: {own}");
    assert_eq!(told, vec![Err(others.clone()), Err(own), Err(others)]);
}
