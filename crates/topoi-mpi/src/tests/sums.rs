//! Sums of `rp` over documents of several parts.

use std::path::Path;

use super::corpus::{DOCUMENTS, fill, sharded};
use super::work::{assert_same, run_in_parts, topics};
use crate::error::PartsError;
use crate::work::{PartsRun, RunChoice};
use topoi_core::model::Model;
use topoi_core::model::separable::{Rp, SolidAngles};
use topoi_run::life::delete::delete_documents;
use topoi_run::life::worker;
use topoi_run::request::update::refitting;
use topoi_run::request::{RunRequest, RunSettings};
use topoi_store::id::{DocumentId, RunId};
use topoi_store::part::unify::PartTerms;
use topoi_store::{Access, Store};

fn request() -> RunRequest {
    let detector = SolidAngles { keep_sums: true, projections: Some(300), ..Default::default() };
    let rp = Rp { detector, ..Rp::default() };
    let settings = RunSettings { terms: 30, threads: 1, ..RunSettings::default() };
    RunRequest { settings, origin: Model::Rp(rp).into(), ..RunRequest::new("c", 3) }
}

fn new(request: RunRequest, pattern: &Path) -> PartsRun {
    let pattern = pattern.to_string_lossy().into_owned();
    PartsRun {
        run: RunChoice::New { request: Box::new(request), name: None },
        pattern,
        timeout: None,
    }
}

fn update_of(store: &Path, run: RunId) -> RunRequest {
    let store = Store::open(store, Access::Create).expect("open");
    refitting(&store, &store.run(run).expect("row")).expect("can be updated")
}

fn projected(store: &Path, run: RunId) -> f64 {
    let metrics = Store::open(store, Access::Create).expect("open").metrics(run).expect("metrics");
    let found = metrics.iter().find(|metric| metric.name == "documents_projected");
    found.expect("saved").value
}

#[test]
fn an_update_in_parts_is_the_update_of_the_whole_corpus() {
    let corpus = sharded(3);
    let first = request()
        .submit(&Store::open(&corpus.store, Access::Create).expect("open"))
        .expect("submitted");
    worker::work(&corpus.store).expect("worked");
    fill(&corpus.store, DOCUMENTS..DOCUMENTS + 25);
    let updated = update_of(&corpus.store, first);
    let whole = updated
        .submit(&Store::open(&corpus.store, Access::Create).expect("open"))
        .expect("submitted");
    worker::work(&corpus.store).expect("worked");
    let into = corpus.store.with_extension("again");
    Store::open(&corpus.store, Access::Create)
        .expect("open")
        .shard("c", 3, &into, |_| ())
        .expect("split");
    let wanted = new(updated, &into.join("part-{rank}.db"));
    let run = run_in_parts(&corpus.store, &wanted, 3).expect("begun");
    assert_same(&topics(&corpus.store, run), &topics(&corpus.store, whole));
    assert_eq!(projected(&corpus.store, run), 25.0);
}

/// Two parts that were filled separately, and the store of the whole corpus.
struct SeparateParts {
    directory: tempfile::TempDir,
}

impl SeparateParts {
    fn path(&self, name: &str) -> std::path::PathBuf {
        self.directory.path().join(name)
    }

    /// Adds documents to both parts and unites the parts.
    fn add(&self, documents: [std::ops::Range<u64>; 2]) {
        let paths = [0, 1].map(|number| self.path(&format!("part-{number}.db")));
        paths.iter().zip(documents).for_each(|(path, range)| fill(path, range));
        let terms = paths.each_ref().map(|path| PartTerms::from_store(path, "c").expect("terms"));
        let mut whole = Store::open(&self.path("whole.db"), Access::Create).expect("open");
        for (path, told) in paths.iter().zip(whole.unify("c", &terms).expect("united")) {
            Store::open(path, Access::Create)
                .expect("open")
                .assign_part("c", &told)
                .expect("adopted");
        }
    }

    fn run(&self, request: RunRequest) -> Result<RunId, PartsError> {
        run_in_parts(&self.path("whole.db"), &new(request, &self.path("part-{rank}.db")), 2)
    }
}

#[test]
fn sums_of_growing_parts_do_not_depend_on_the_number_of_updates() {
    let parts = SeparateParts { directory: tempfile::tempdir().expect("tempdir") };
    let whole = parts.path("whole.db");
    parts.add([0..50, 50..100]);
    let first = parts.run(request()).expect("begun");
    assert_eq!(projected(&whole, first), 100.0);
    parts.add([100..107, 107..120]);
    let second = parts.run(update_of(&whole, first)).expect("begun");
    assert_eq!(projected(&whole, second), 20.0);
    parts.add([120..133, 133..140]);
    let in_steps = parts.run(update_of(&whole, second)).expect("begun");
    let at_once = parts.run(update_of(&whole, first)).expect("begun");
    assert_eq!([in_steps, at_once].map(|run| projected(&whole, run)), [20.0, 40.0]);
    let (found, expected) = (topics(&whole, in_steps), topics(&whole, at_once));
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found.0, expected.0);
        // Sums are rounded to single precision in each step.
        let pairs = found.1.iter().zip(&expected.1);
        assert!(pairs.into_iter().all(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() < 1e-6));
    }
    let mut part = Store::open(&parts.path("part-1.db"), Access::Create).expect("open");
    let corpus = part.corpus("c").expect("a corpus");
    delete_documents(&mut part, &corpus, &[DocumentId(3)]).expect("deleted");
    drop(part);
    parts.add([140..142, 142..143]);
    let runs = || Store::open(&whole, Access::Create).expect("open").runs().expect("runs").len();
    let before = runs();
    let refused = parts.run(update_of(&whole, first)).expect_err("refused").to_string();
    assert_eq!(runs(), before, "no row remains of the refused run");
    assert!(refused.contains("were deleted or replaced since run 1"), "{refused}");
}
