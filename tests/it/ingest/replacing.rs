//! Documents that change, go and stay, and what keeps count of them.

use topoi_ingest::IngestRequest;
use topoi_run::life::delete::{DeleteError, delete_documents};
use topoi_store::block::blocks::CorpusBlocks;
use topoi_store::corpus::delete::DocumentChoice;
use topoi_store::run::{NewRun, RunEnd, RunStatus};
use topoi_store::{Store, StoreError};

use super::bench::Bench;

const FIRST: &str = "{\"id\": 1, \"text\": \"stars planets stars\"}\n\
                     {\"id\": 2, \"text\": \"king queen castle\", \"year\": 1485}\n\
                     {\"id\": 3, \"text\": \"king stars\", \"year\": 1999}\n";

fn tales() -> Bench {
    let bench = Bench::new();
    bench.write("a.jsonl", FIRST);
    bench.ingest("tales", &["a.jsonl"]).expect("ingest");
    bench
}

fn delete(bench: &Bench, selection: DocumentChoice<'_>) -> Result<u64, StoreError> {
    let mut store = bench.store();
    let corpus = store.corpus("tales")?;
    let ids = store.select_documents("tales", selection)?;
    match delete_documents(&mut store, &corpus, &ids) {
        Ok(deleted) => Ok(deleted.documents),
        Err(DeleteError::Store(error)) => Err(error),
        Err(other) => panic!("{other}"),
    }
}

/// Of a run that nobody works on.
const SETTINGS: &str = r#"{"terms":100,"min_tokens":5,"threads":0,"memory":4.0,"refine_gain":0.004,"documents":true,"model":{"name":"lr-jsmf"}}"#;

#[test]
fn a_changed_document_takes_the_place_of_its_old_version() {
    let bench = tales();
    let changed = FIRST.replace("king queen castle", "queen moat moat");
    bench.write("a.jsonl", &changed);
    let summary = bench.ingest("tales", &["a.jsonl"]).expect("ingest");
    let counts = summary.counts;
    assert_eq!((counts.added, counts.replaced, counts.skipped), (0, 1, 2));
    bench.check();
    let ids = "SELECT id, key, tokens FROM document ORDER BY id";
    assert_eq!(bench.ask(ids), ["1 | 1 | 3", "2 | 2 | 3", "3 | 3 | 2"]);
    let castle = "SELECT document_frequency, total_count FROM term WHERE text = 'castle'";
    assert_eq!(bench.ask(castle), ["0 | 0"]);
    let notes = "SELECT kind, key, documents FROM ingest_note WHERE ingest_id = 2";
    assert_eq!(bench.ask(notes), ["unchanged | 1 | 1", "replaced | 2 | 1", "unchanged | 3 | 1"]);
    // As if it had always been so, but for the terms that stay.
    let fresh = Bench::new();
    fresh.write("a.jsonl", &changed);
    fresh.ingest("tales", &["a.jsonl"]).expect("ingest");
    let triples = "SELECT document.key, term.text, count FROM triple JOIN document \
                   ON document.id = document_id JOIN term ON term.id = term_id ORDER BY 1, 2";
    assert_eq!(bench.ask(triples), fresh.ask(triples));
}

#[test]
fn a_document_that_has_become_empty_is_deleted_and_noted() {
    let bench = tales();
    bench.write("a.jsonl", FIRST.replace("king stars", "of the"));
    let summary = bench.ingest("tales", &["a.jsonl"]).expect("ingest");
    assert_eq!((summary.corpus.documents, summary.counts.left_out), (2, 1));
    let gone = "SELECT key FROM deleted_document";
    assert_eq!(bench.ask(gone), ["3"]);
    bench.check();
}

#[test]
fn a_key_that_stands_twice_in_an_ingest_keeps_its_first_document() {
    let bench = Bench::new();
    bench.write("a.jsonl", "{\"id\": 1, \"text\": \"first words\"}\n");
    bench.write("b.jsonl", "{\"id\": 1, \"text\": \"other words entirely\"}\n");
    let summary = bench.ingest("news", &["a.jsonl", "b.jsonl"]).expect("ingest");
    assert_eq!((summary.sources[1].added, summary.sources[1].duplicate), (0, 1));
    assert_eq!(bench.terms("news"), ["first", "words"]);
    bench.check();
}

#[test]
fn documents_are_deleted_by_key_and_by_query_and_ids_are_not_used_again() {
    let bench = tales();
    let unknown = delete(&bench, DocumentChoice::Keys(&["9".into()])).expect_err("unknown");
    assert!(unknown.to_string().starts_with("corpus \"tales\" has no document \"9\""), "{unknown}");
    assert_eq!(delete(&bench, DocumentChoice::Where("fields->>'year' > 1900")).expect("delete"), 1);
    bench.check();
    assert_eq!(delete(&bench, DocumentChoice::Keys(&["1".into()])).expect("delete"), 1);
    bench.check();
    assert_eq!(bench.ask("SELECT id, key FROM document"), ["2 | 2"]);
    let counts = "SELECT documents, terms, tokens, nonzeros FROM corpus";
    assert_eq!(bench.ask(counts), ["1 | 5 | 3 | 3"]);
    assert!(matches!(
        delete(&bench, DocumentChoice::Where("no_such_column = 1")),
        Err(StoreError::Query(_))
    ));
    assert_eq!(delete(&bench, DocumentChoice::Where("1) OR (1 = 1")).expect("delete"), 1);
    bench.ingest("tales", &["a.jsonl"]).expect("again");
    assert_eq!(bench.ask("SELECT id, key FROM document"), ["4 | 1", "5 | 2", "6 | 3"]);
    bench.check();
}

#[test]
fn another_corpus_is_out_of_reach_of_a_deletion() {
    let bench = tales();
    bench.ingest("others", &["a.jsonl"]).expect("ingest");
    assert_eq!(delete(&bench, DocumentChoice::Where("1) OR (1 = 1")).expect("delete"), 3);
    assert_eq!(bench.keys("others").len(), 3);
    bench.check();
}

#[test]
fn a_run_sees_the_documents_it_began_with() {
    let bench = tales();
    let store = bench.store();
    let corpus_id = store.corpus("tales").expect("corpus").id;
    let new = NewRun { corpus_id, model: "lr-jsmf", k: 2, seed: 1, settings: SETTINGS };
    let run = store.create_run(&new).expect("run");
    assert!(store.take_run(run).expect("take"));
    let blocks = CorpusBlocks::open(&store, corpus_id).expect("blocks");
    let seen = || {
        let mut seen = Vec::new();
        let all = blocks.sizes().len();
        let visited = blocks.visit::<StoreError>(0..all, &mut |block| {
            seen.push(block.clone());
            Ok(())
        });
        visited.map(|()| seen)
    };
    let before = seen().expect("blocks");
    bench.write("a.jsonl", FIRST.replace("stars", "moons"));
    bench.ingest("tales", &["a.jsonl"]).expect("replace");
    delete(&bench, DocumentChoice::Where("1")).expect("delete");
    assert_eq!(before, seen().expect("still there"));
    bench.check();
    // Once the run is over, the old blocks go with the next change.
    let end = RunEnd { seconds: Some(1.0), ..RunEnd::new(RunStatus::Cancelled) };
    store.end_run(run, end).expect("end");
    bench.ingest("tales", &["a.jsonl"]).expect("again");
    assert!(seen().is_err());
    bench.check();
}

#[test]
fn many_documents_in_many_blocks_change_and_go_with_exact_frequencies() {
    let bench = Bench::new();
    let text = |number: usize, version: usize| {
        let words = (0..3 + number % 5).map(|w| format!("word{}", (number * 7 + w * version) % 97));
        let words = words.collect::<Vec<_>>().join(" ");
        format!("{{\"id\": {number}, \"text\": \"{words}\"}}\n")
    };
    let file = |version: &dyn Fn(usize) -> usize| -> String {
        (0..2000).map(|number| text(number, version(number))).collect()
    };
    bench.write("a.jsonl", file(&|_| 1));
    bench.ingest("tales", &["a.jsonl"]).expect("ingest");
    bench.write("a.jsonl", file(&|number| if number % 3 == 0 { 2 } else { 1 }));
    let summary = bench.ingest("tales", &["a.jsonl"]).expect("replace");
    assert!(summary.counts.replaced > 600, "{:?}", summary.counts);
    bench.check();
    assert_eq!(delete(&bench, DocumentChoice::Where("id % 7 = 0")).expect("delete"), 285);
    bench.check();
    let again = bench.ingest_as(&IngestRequest::new("tales", [bench.path("a.jsonl")]));
    assert_eq!(again.expect("again").counts.added, 285);
    bench.check();
    let fresh = Bench::new();
    fresh.write("a.jsonl", file(&|number| if number % 3 == 0 { 2 } else { 1 }));
    fresh.ingest("tales", &["a.jsonl"]).expect("ingest");
    assert_eq!(bench.content(), fresh.content());
    drop::<Store>(bench.store());
}
