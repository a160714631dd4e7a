//! Bounds of stores in parts. The parts are threads here instead of processes.

use super::corpus::{fill, sharded};
use crate::bounds::{call_off, follow, lead};
use crate::error::PartsError;
use topoi_core::bound::lda::LdaSettings;
use topoi_core::progress::Silent;
use topoi_core::stream::in_threads::in_parts;
use topoi_run::choose_k::bounds::{Bounds, BoundsRequest, bounds};
use topoi_run::request::RunSettings;
use topoi_store::{Access, Store};

fn request() -> BoundsRequest {
    let material = RunSettings { terms: 30, threads: 1, ..RunSettings::default() };
    // With this value some singular values are above the threshold.
    let lda = LdaSettings { delta: 0.9, ..LdaSettings::default() };
    BoundsRequest { corpus: "c".into(), material, lda }
}

fn in_three(store: &std::path::Path, pattern: &str, count: usize) -> Result<Bounds, PartsError> {
    let mut all = in_parts(count, |parts| {
        if parts.number() > 0 {
            return follow(parts).map(|()| None);
        }
        let mut store = Store::open(store, Access::Create).expect("open");
        lead(&mut store, &request(), pattern, parts, &Silent).map(Some)
    });
    all.swap_remove(0).map(|found| found.expect("part 0's"))
}

#[test]
fn bounds_of_parts_are_those_of_the_whole_corpus_and_are_saved_in_its_store() {
    let corpus = sharded(3);
    let mut store = Store::open(&corpus.store, Access::Create).expect("open");
    let whole = bounds(&mut store, &request(), &Silent).expect("bounds");
    let found = in_three(&corpus.store, &corpus.pattern.to_string_lossy(), 3).expect("bounds");
    let (a, b) = (&found.saved.bound, &whole.saved.bound);
    assert!(a.lower > 1, "nothing to tell apart");
    assert_eq!((a.lower, a.upper, &a.corpus_hash), (b.lower, b.upper, &b.corpus_hash));
    assert_eq!(a.vocabulary_id, b.vocabulary_id);
    assert_eq!(found.details.documents, whole.details.documents);
    assert!((a.threshold - b.threshold).abs() < 1e-15);
    assert_eq!(a.spectrum.len(), b.spectrum.len());
    for (a, b) in a.spectrum.iter().zip(&b.spectrum) {
        assert!((a.0 - b.0).abs() < 1e-13 && a.0 != 0.0, "{a:?} {b:?}");
    }
    let newest = store.newest_k_bound(a.corpus_id).expect("read").expect("saved");
    assert_eq!(newest.id, found.saved.id);
}

#[test]
fn invalid_requests_are_refused_by_all_parts_without_waiting() {
    let corpus = sharded(3);
    let pattern = corpus.pattern.to_string_lossy().into_owned();
    let said = |pattern: &str, count| {
        in_three(&corpus.store, pattern, count).expect_err("refused").to_string()
    };
    assert!(said(&pattern, 2).contains("the corpus is in 3 parts and 2 processes were started"));
    assert!(said("/nowhere.db", 3).contains("names one file for all parts"));
    assert!(said("/nowhere/{rank}.db", 3).contains("part 0 (/nowhere/0.db)"));
    fill(&corpus.store, 500..510);
    assert!(said(&pattern, 3).contains("the parts have 120"));
    let off = in_parts(3, |parts| match parts.number() {
        0 => {
            call_off(parts);
            true
        }
        _ => matches!(follow(parts), Err(PartsError::Told)),
    });
    assert_eq!(off, [true; 3]);
}
