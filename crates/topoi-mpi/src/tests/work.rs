//! Runs of stores in parts. The parts are threads here instead of processes.

use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};

use super::corpus::{Corpus, DOCUMENTS, FilledApart, fill, sharded};
use crate::error::PartsError;
use crate::question;
use crate::work::{PartsRun, RunChoice, work};
use topoi_core::formula::linear_proportions::ShareEstimate;
use topoi_core::model::Model;
use topoi_core::stream::in_threads::in_parts;
use topoi_run::groups::by::{Cell, Question, by_in_parts};
use topoi_run::life::worker;
use topoi_run::request::{RunRequest, RunSettings};
use topoi_store::id::{CorpusId, DocumentId, RunId, TermId};
use topoi_store::run::{Run, RunEnd, RunStatus};
use topoi_store::{Access, Store};

pub(super) fn request() -> RunRequest {
    let settings = RunSettings { terms: 30, threads: 1, ..RunSettings::default() };
    RunRequest { settings, ..RunRequest::new("c", 3) }
}

pub(super) fn wanted(run: RunChoice, pattern: &Path) -> PartsRun {
    PartsRun { run, pattern: pattern.to_string_lossy().into_owned(), timeout: None }
}

pub(super) fn new(request: RunRequest, pattern: &Path) -> PartsRun {
    wanted(RunChoice::New { request: Box::new(request), name: None }, pattern)
}

/// Does a run in `count` parts and returns its number, or the error of part 0.
pub(super) fn run_in_parts(
    store: &Path,
    wanted: &PartsRun,
    count: usize,
) -> Result<RunId, PartsError> {
    let run = AtomicI64::new(0);
    let mut ends = in_parts(count, |parts| {
        work(store, wanted, parts, |number| run.store(number.0, Ordering::Relaxed))
    });
    ends.swap_remove(0).map(|()| RunId(run.into_inner()))
}

/// A topic's anchor, and its terms with their probabilities.
pub(super) type TopicTerms = (Option<TermId>, Vec<(TermId, f64)>);

pub(super) fn topics(store: &Path, run: RunId) -> Vec<TopicTerms> {
    let store = Store::open(store, Access::Create).expect("open");
    let row = store.run(run).expect("row");
    assert_eq!(row.status, RunStatus::Finished, "{:?}", row.error);
    let saved = store.saved_topics(run).expect("topics");
    saved.into_iter().map(|topic| (topic.anchor_term_id, topic.terms)).collect()
}

pub(super) fn assert_same(found: &[TopicTerms], expected: &[TopicTerms]) {
    assert_near(found, expected, 1e-10);
}

pub(super) fn assert_near(found: &[TopicTerms], expected: &[TopicTerms], within: f64) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found.0, expected.0);
        let words =
            |topic: &[(TermId, f64)]| topic.iter().map(|&(term, _)| term).collect::<Vec<_>>();
        assert_eq!(words(&found.1), words(&expected.1));
        for (&(_, a), &(_, b)) in found.1.iter().zip(&expected.1) {
            assert!((a - b).abs() < within, "{a} {b}");
        }
    }
}

fn whole_run(corpus: &Corpus) -> RunId {
    let store = Store::open(&corpus.store, Access::Create).expect("open");
    let run = request().submit(&store).expect("submitted");
    drop(store);
    worker::work(&corpus.store).expect("worked");
    run
}

#[test]
fn a_sharded_corpus_gives_the_run_of_the_whole_corpus_with_the_same_bits_every_time() {
    let corpus = sharded(3);
    let whole = whole_run(&corpus);
    let wanted = new(request(), &corpus.pattern);
    let runs = [0, 1].map(|_| run_in_parts(&corpus.store, &wanted, 3).expect("begun"));
    assert_same(&topics(&corpus.store, runs[0]), &topics(&corpus.store, whole));
    let store = Store::open(&corpus.store, Access::Create).expect("open");
    let [one, again, whole] = [runs[0], runs[1], whole].map(|run| store.run(run).expect("row"));
    assert!(one.result_hash.is_some());
    assert_eq!(one.result_hash, again.result_hash);
    assert_eq!((&one.corpus_hash, one.vocabulary_id), (&whole.corpus_hash, whole.vocabulary_id));
    assert!(store.check(&topoi_run::ROW_VALIDATORS).expect("checked").is_empty());
    for document in 1..=DOCUMENTS as i64 {
        let topics =
            |run: &Run| store.topics_of_document(run.id, DocumentId(document)).expect("topics");
        let (found, expected) = (topics(&one), topics(&whole));
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() < 1.5e-7);
        }
    }
}

#[test]
fn a_part_that_cannot_save_its_documents_fails_the_run_which_is_resumed_with_nothing_twice() {
    let run = |apart: &FilledApart, choice| {
        let wanted = wanted(choice, &apart.path("own-{rank}"));
        let united = apart.path("united");
        let run = run_in_parts(&united, &wanted, 2).expect("begun");
        Store::open(&united, Access::Read).expect("open").run(run).expect("row")
    };
    let fresh = || RunChoice::New { request: Box::new(request()), name: None };
    let undisturbed = run(&FilledApart::new(), fresh());
    let apart = FilledApart::new();
    let saved = |name: &str| {
        let part = Store::open(&apart.path(name), Access::Read).expect("open");
        part.runs().expect("runs").len()
    };
    let part = rusqlite::Connection::open(apart.path("own-1")).expect("open");
    // A row in the way of one that is to be saved.
    part.execute_batch(
        "PRAGMA foreign_keys = OFF; INSERT INTO series_proportions \
         (series_id, document_id, first_revision, proportions) VALUES (1, 5, 0, '[]')",
    )
    .expect("inserted");
    let disturbed = run(&apart, fresh());
    assert_eq!(disturbed.status, RunStatus::Failed);
    let said = disturbed.error.unwrap_or_default();
    assert!(said.contains("part 1") && said.contains("constraint"), "{said}");
    assert_eq!((saved("own-0"), saved("own-1")), (1, 0));
    part.execute_batch("DELETE FROM series_proportions").expect("deleted");
    let resumed = run(&apart, RunChoice::Resumed(disturbed.id));
    assert_eq!((resumed.id, resumed.status), (disturbed.id, RunStatus::Finished));
    assert_eq!(resumed.result_hash, undisturbed.result_hash);
    assert_eq!((saved("own-0"), saved("own-1")), (1, 1));
}

#[test]
fn parts_that_grow_keep_what_they_have_of_earlier_runs() {
    let apart = FilledApart::new();
    let wanted = new(request(), &apart.path("own-{rank}"));
    run_in_parts(&apart.path("united"), &wanted, 2).expect("begun");
    fill(&apart.path("own-1"), 200..230);
    apart.unify();
    let run = run_in_parts(&apart.path("united"), &wanted, 2).expect("begun");
    let status = Store::open(&apart.path("united"), Access::Read).expect("open").run(run);
    assert_eq!(status.expect("row").status, RunStatus::Finished);
    let half = DOCUMENTS / 2;
    for (name, expected) in [("own-0", [half, half]), ("own-1", [half + 30, half])] {
        let part = Store::open(&apart.path(name), Access::Read).expect("open");
        let documents = |run: &Run| part.documents_with_topics(run.id).expect("counted");
        let found: Vec<u64> = part.runs().expect("runs").iter().map(documents).collect();
        assert_eq!(found, expected, "{name}");
        assert!(part.check(&topoi_run::ROW_VALIDATORS).expect("checked").is_empty());
    }
}

#[test]
fn separately_filled_parts_give_the_run_of_all_their_documents() {
    let corpus = sharded(1);
    let whole = whole_run(&corpus);
    let apart = FilledApart::new();
    let (united, wanted) = (apart.path("united"), new(request(), &apart.path("own-{rank}")));
    let path = |number: u64| apart.path(&format!("own-{number}"));
    let run = run_in_parts(&united, &wanted, 2).expect("begun");
    // The same documents in the same order give the same order of terms.
    assert_same(&topics(&united, run), &topics(&corpus.store, whole));
    // The store of the whole has none of the documents' topics, and each part those of its own.
    let read = |path: &Path| Store::open(path, Access::Read).expect("open");
    let (of_whole, of_united) = (read(&corpus.store), read(&united));
    assert_eq!(of_united.documents_with_topics(run).expect("counted"), 0);
    let result_hash = of_united.run(run).expect("row").result_hash.expect("a hash");
    for number in 0..2 {
        let part = read(&path(number));
        let own = part.run_with_result(CorpusId(1), &result_hash).expect("read").expect("a run");
        assert_eq!(part.documents_with_topics(own).expect("counted"), DOCUMENTS / 2);
        for document in 1..=DOCUMENTS as i64 / 2 {
            let own = part.topics_of_document(own, DocumentId(document)).expect("topics");
            let before = (number * DOCUMENTS / 2) as i64;
            let expected = of_whole.topics_of_document(whole, DocumentId(before + document));
            let expected = expected.expect("topics");
            assert!(
                own.len() == 3 && own.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1.5e-7)
            );
        }
        assert!(part.check(&topoi_run::ROW_VALIDATORS).expect("checked").is_empty());
    }
    assert!(of_united.check(&topoi_run::ROW_VALIDATORS).expect("checked").is_empty());
    // A second run finds its result in the parts.
    run_in_parts(&united, &wanted, 2).expect("begun");
    assert!((0..2).all(|number| read(&path(number)).runs().expect("runs").len() == 1));

    let shares = |field: &str, shares: ShareEstimate, condition: Option<&str>| {
        let condition = condition.map(Into::into);
        let question =
            Question { fields: vec![field.into()], shares, condition, ..Question::default() };
        let pattern = &wanted.pattern;
        let found = in_parts(2, |parts| match parts.number() {
            0 => {
                let store = read(&united);
                let run = store.run(run).expect("row");
                question::lead((&store, &run), &question, pattern, parts, by_in_parts).map(Some)
            }
            _ => question::follow(parts, by_in_parts).map(|()| None),
        });
        let expected =
            topoi_run::groups::by::by(&of_whole, &of_whole.run(whole).expect("row"), &question);
        let found = found.into_iter().next().expect("part 0");
        (found.map(|found| found.expect("an answer")), expected)
    };
    for estimate in [ShareEstimate::Linear, ShareEstimate::Posterior] {
        for (field, condition) in [("third", None), ("year", None), ("year", Some("id % 2 = 0"))] {
            let (found, expected) = shares(field, estimate, condition);
            let (found, expected) = (found.expect("answered"), expected.expect("answered"));
            assert_eq!(found.groups, expected.groups);
            assert_eq!(
                (found.not_grouped, found.no_shares),
                (expected.not_grouped, expected.no_shares)
            );
            assert_eq!(found.cells.len(), expected.cells.len());
            for cell in &found.cells {
                let is_it = |other: &&Cell| (other.group, other.topic) == (cell.group, cell.topic);
                let other = expected.cells.iter().find(is_it).expect("a cell").share;
                assert!((cell.share.share - other.share).abs() < 1e-6, "{cell:?} {other:?}");
                let errors = (cell.share.error.expect("an error"), other.error.expect("an error"));
                assert!((errors.0 - errors.1).abs() < 1e-6, "{errors:?}");
            }
        }
    }
    let said = shares("month", ShareEstimate::Linear, None).0.expect_err("refused").to_string();
    assert!(said.contains("has no field \"month\""), "{said}");
    let said = shares("year", ShareEstimate::Linear, Some("nothing = 1")).0.expect_err("refused");
    assert!(said.to_string().contains("nothing"), "{said}");
    // A corpus without its parts cannot be run.
    let refused = request().submit(&Store::open(&united, Access::Create).expect("open"));
    assert!(refused.expect_err("refused").to_string().contains("are in 2 parts"));
}

#[test]
fn an_interrupted_run_resumes_with_another_number_of_parts() {
    let corpus = sharded(3);
    let store = Store::open(&corpus.store, Access::Create).expect("open");
    let run = request().submit(&store).expect("submitted");
    store.end_run(run, RunEnd::new(RunStatus::Interrupted)).expect("written");
    drop(store);
    let into = corpus.store.with_extension("two");
    Store::open(&corpus.store, Access::Create)
        .expect("open")
        .shard("c", 2, &into, |_| ())
        .expect("split");
    let wanted = wanted(RunChoice::Resumed(run), &into.join("part-{rank}.db"));
    assert_eq!(run_in_parts(&corpus.store, &wanted, 2).expect("begun"), run);
    assert_same(&topics(&corpus.store, run), &topics(&corpus.store, whole_run(&corpus)));
    let saved =
        Store::open(&corpus.store, Access::Create).expect("open").run(run).expect("row").settings;
    assert!(saved.contains("\"count\":2"), "{saved}");
}

#[test]
fn invalid_requests_are_refused_before_a_run_is_created() {
    let corpus = sharded(3);
    let said = |request: RunRequest, pattern: &Path, count| {
        run_in_parts(&corpus.store, &new(request, pattern), count).expect_err("refused").to_string()
    };
    let good = || said(request(), &corpus.pattern, 3);
    assert!(
        said(request(), &corpus.pattern, 2)
            .contains("the corpus is in 3 parts and 2 processes were started")
    );
    let missing = said(request(), Path::new("/nowhere/part-{rank}.db"), 3);
    assert!(missing.starts_with("part 0 (/nowhere/part-0.db): /nowhere/part-0.db"), "{missing}");
    assert!(said(request(), &corpus.store, 3).contains("names one file for all parts"));
    let formed =
        RunRequest { origin: Model::from_name("enn").expect("a model").into(), ..request() };
    assert!(said(formed, &corpus.pattern, 3).contains("needs all documents on one machine"));
    fill(&corpus.store, 500..510);
    assert!(good().contains("the parts have 120"));
    assert!(
        Store::open(&corpus.store, Access::Create).expect("open").runs().expect("runs").is_empty()
    );
}
