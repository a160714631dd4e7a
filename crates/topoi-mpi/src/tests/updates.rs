//! Updates of a corpus whose documents are in parts alone.

use std::path::Path;

use super::corpus::{DOCUMENTS, FilledApart, fill, fill_with, sharded};
use super::work::{assert_near, new, request, run_in_parts, topics, wanted};
use crate::error::PartsError;
use crate::work::RunChoice;
use topoi_run::life::delete::delete_documents;
use topoi_run::life::worker;
use topoi_run::request::update::{UpdateError, revising};
use topoi_store::id::{CorpusId, DocumentId, RunId};
use topoi_store::{Access, Store};

const HALF: u64 = DOCUMENTS / 2;

fn read(path: &Path) -> Store {
    Store::open(path, Access::Read).expect("open")
}

fn delete(path: &Path, document: u64) {
    let mut store = Store::open(path, Access::Write).expect("open");
    let corpus = store.corpus("c").expect("corpus");
    let ids = [DocumentId(document as i64)];
    delete_documents(&mut store, &corpus, &ids).expect("deleted");
}

/// Words of other documents.
fn corrected(number: u64) -> u64 {
    number + 1000
}

/// A corpus in one store, and the same documents in two that were filled apart, with a run of each.
struct Both {
    whole: super::corpus::Corpus,
    apart: FilledApart,
}

impl Both {
    fn new() -> (Self, [RunId; 2]) {
        let both = Self { whole: sharded(1), apart: FilledApart::new() };
        let whole = {
            let store = Store::open(&both.whole.store, Access::Write).expect("open");
            request().submit(&store).expect("submitted")
        };
        worker::work(&both.whole.store).expect("worked");
        let united = both.run(new(request(), &both.apart.path("own-{rank}"))).expect("begun");
        (both, [whole, united])
    }

    fn run(&self, wanted: crate::work::PartsRun) -> Result<RunId, PartsError> {
        run_in_parts(&self.apart.path("united"), &wanted, 2)
    }

    /// Updates both runs; the numbers of the updates.
    fn update(&self, [whole, united]: [RunId; 2]) -> [RunId; 2] {
        let update = {
            let store = Store::open(&self.whole.store, Access::Write).expect("open");
            let run = store.run(whole).expect("row");
            revising(&store, &run).expect("can be updated").submit(&store).expect("submitted")
        };
        worker::work(&self.whole.store).expect("worked");
        self.apart.unify();
        [update, self.update_united(united).expect("begun")]
    }

    fn update_united(&self, of: RunId) -> Result<RunId, PartsError> {
        let choice = RunChoice::Update { of, refit: false };
        self.run(wanted(choice, &self.apart.path("own-{rank}")))
    }

    /// The store of a part, its number of an update, and how many documents come before it.
    fn part(&self, number: u64, united: RunId) -> (Store, RunId) {
        let hash = read(&self.apart.path("united")).run(united).expect("row").result_hash;
        let part = read(&self.apart.path(&format!("own-{number}")));
        let run = part.run_with_result(CorpusId(1), &hash.expect("a hash")).expect("read");
        (part, run.expect("the update"))
    }

    /// Topics, metrics, rising words and the topics of documents (id in the whole, part, id there) agree.
    fn assert_alike(&self, [whole, united]: [RunId; 2], documents: &[(u64, u64, u64)]) {
        let (of_whole, of_united) = (read(&self.whole.store), read(&self.apart.path("united")));
        assert_near(
            &topics(&self.apart.path("united"), united),
            &topics(&self.whole.store, whole),
            1e-6,
        );
        let found = of_united.metrics(united).expect("metrics");
        let expected = of_whole.metrics(whole).expect("metrics");
        let mut compared = 0;
        for metric in &expected {
            let is_it = |other: &&topoi_store::result::metric::Metric| {
                (&other.name, other.topic, &other.settings)
                    == (&metric.name, metric.topic, &metric.settings)
            };
            let other = found.iter().find(is_it).unwrap_or_else(|| panic!("{}", metric.name)).value;
            // Coherence is counted in texts, and these have none.
            let near = (metric.value - other).abs() <= 1e-4 * metric.value.abs().max(1e-2);
            assert!(near, "{}: {other} {}", metric.name, metric.value);
            compared += 1;
        }
        assert!(compared > 20, "{compared}");
        let rising = |store: &Store, run| store.rising_words(run).expect("words");
        assert_eq!(rising(&of_united, united), rising(&of_whole, whole));
        for &(id, part, own) in documents {
            let (part, run) = self.part(part, united);
            let topics = |store: &Store, run, id: u64| {
                store.topics_of_document(run, DocumentId(id as i64)).expect("topics")
            };
            let (found, expected) = (topics(&part, run, own), topics(&of_whole, whole, id));
            assert_eq!(found.len(), expected.len(), "{id}");
            for (found, expected) in found.iter().zip(&expected) {
                assert!((found - expected).abs() < 1e-4, "{id}: {found} {expected}");
            }
        }
        for path in ["united", "own-0", "own-1"] {
            let store = read(&self.apart.path(path));
            assert!(store.check(&topoi_run::ROW_VALIDATORS).expect("checked").is_empty(), "{path}");
        }
    }
}

#[test]
fn an_update_in_parts_is_that_of_one_store() {
    let (both, runs) = Both::new();
    let nothing_new = both.update_united(runs[1]).expect_err("nothing new");
    assert!(matches!(nothing_new, PartsError::Update(UpdateError::NothingNew { .. })));

    let own = [0, 1].map(|number| both.apart.path(&format!("own-{number}")));
    // New ones in the second part; some corrected and one deleted in each.
    let new = DOCUMENTS..DOCUMENTS + 30;
    for path in [&both.whole.store, &own[1]] {
        fill(path, new.clone());
        fill_with(path, HALF..HALF + 3, corrected);
    }
    for path in [&both.whole.store, &own[0]] {
        fill_with(path, 5..9, corrected);
        delete(path, 11);
    }
    delete(&both.whole.store, HALF + 20);
    delete(&own[1], 20);
    let updates = both.update(runs);
    // Deleted, corrected, old and new ones.
    let documents = [
        (11, 0, 11),
        (6, 0, 6),
        (30, 0, 30),
        (HALF + 2, 1, 2),
        (HALF + 20, 1, 20),
        (HALF + 40, 1, 40),
        (DOCUMENTS + 7, 1, HALF + 7),
    ];
    both.assert_alike(updates, &documents);
    let of_united = read(&both.apart.path("united"));
    let metric = |name: &str| of_united.run_metric(updates[1], name).expect("read");
    let numbers = ["documents_added", "documents_gone", "documents_used"].map(metric);
    assert_eq!(numbers, [Some(30.0), Some(2.0), Some(148.0)]);
    // The update is the next of its series everywhere, and documents are shared.
    let series = |store: &Store, run| store.place_in_series(run).expect("a series").revision;
    assert_eq!(series(&of_united, updates[1]), 1);
    let (part, own_run) = both.part(0, updates[1]);
    assert_eq!(series(&part, own_run), 1);
    assert_eq!(part.documents_with_topics(own_run).expect("counted"), HALF - 1);
    // The first run is as it was.
    let before = part.previous_in_series(own_run).expect("read").expect("a run before");
    assert_eq!(part.documents_with_topics(before).expect("counted"), HALF);

    // So many that all documents are read.
    for path in [&both.whole.store, &own[1]] {
        fill(path, DOCUMENTS + 30..DOCUMENTS + 130);
    }
    let updates = both.update(updates);
    let documents = [(6, 0, 6), (30, 0, 30), (HALF + 2, 1, 2), (DOCUMENTS + 107, 1, HALF + 107)];
    both.assert_alike(updates, &documents);
    let metric = |name: &str| of_united.run_metric(updates[1], name).expect("read");
    assert_eq!(metric("documents_at_full_reading"), Some(248.0));
}

#[test]
fn an_update_that_a_part_cannot_save_is_resumed_to_the_same_bits() {
    let made = |is_disturbed: bool| {
        let (both, [_, run]) = Both::new();
        fill(&both.apart.path("own-1"), DOCUMENTS..DOCUMENTS + 30);
        both.apart.unify();
        let part = rusqlite::Connection::open(both.apart.path("own-1")).expect("open");
        if is_disturbed {
            part.execute_batch(
                "PRAGMA foreign_keys = OFF; INSERT INTO series_proportions \
                 (series_id, document_id, first_revision, proportions) VALUES (1, 80, 1, '[]')",
            )
            .expect("inserted");
        }
        let update = both.update_united(run).expect("begun");
        let row = || read(&both.apart.path("united")).run(update).expect("row");
        if is_disturbed {
            assert!(row().error.unwrap_or_default().contains("part 1"), "{:?}", row());
            part.execute_batch("DELETE FROM series_proportions WHERE proportions = '[]'")
                .expect("deleted");
            let resumed = wanted(RunChoice::Resumed(update), &both.apart.path("own-{rank}"));
            assert_eq!(both.run(resumed).expect("begun"), update);
        }
        assert_eq!(row().error, None);
        row().result_hash.expect("a hash")
    };
    assert_eq!(made(true), made(false));
}

#[test]
fn an_update_whose_documents_are_in_the_store_needs_no_parts() {
    let corpus = sharded(2);
    let run = run_in_parts(&corpus.store, &new(request(), &corpus.pattern), 2).expect("begun");
    fill(&corpus.store, 500..510);
    let choice = RunChoice::Update { of: run, refit: false };
    let said = run_in_parts(&corpus.store, &wanted(choice, &corpus.pattern), 2);
    let said = said.expect_err("refused").to_string();
    assert!(said.contains("are in this store"), "{said}");
    let store = Store::open(&corpus.store, Access::Write).expect("open");
    let row = store.run(run).expect("row");
    let update = revising(&store, &row).expect("can be updated").submit(&store).expect("submitted");
    drop(store);
    worker::work(&corpus.store).expect("worked");
    let store = read(&corpus.store);
    assert_eq!(store.run(update).expect("row").error, None);
    assert_eq!(store.documents_with_topics(update).expect("counted"), DOCUMENTS + 10);
}
