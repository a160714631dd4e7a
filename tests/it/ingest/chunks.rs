//! Documents that are cut into chunks: what the store has of them, and what becomes of them later.

use topoi_ingest::{ChunkBy, ChunkChoice, IngestRequest, IngestSummary};
use topoi_run::life::delete::delete_documents;
use topoi_store::corpus::delete::DocumentChoice;

use super::bench::Bench;

const LONG: &str = "{\"id\": \"tale\", \"title\": \"A tale\", \"year\": 1485, \"text\": \
    \"king queen castle moat; and the. stars planets moons, king\"}\n";
const SHORT: &str = "{\"id\": \"note\", \"text\": \"stars\"}\n";

fn request(by: Option<ChunkBy>, overlap: Option<usize>, bench: &Bench) -> IngestRequest {
    let chunks = ChunkChoice { by, overlap };
    IngestRequest { chunks, ..IngestRequest::new("tales", [bench.path("a.jsonl")]) }
}

fn cut(bench: &Bench, text: &str, words: usize) -> IngestSummary {
    bench.write("a.jsonl", text);
    let request = request(Some(ChunkBy::Words(words)), None, bench);
    bench.ingest_as(&request).expect("ingest")
}

const CHUNKS: &str = "SELECT document.id, document.key, document.title, document.tokens, \
    parent_document.key, position FROM document JOIN chunk ON document_id = document.id \
    JOIN parent_document ON parent_document.id = parent_id ORDER BY document.id";

#[test]
fn a_long_document_becomes_chunks_that_know_their_parent_and_have_its_title_and_fields() {
    let bench = Bench::new();
    let summary = cut(&bench, &format!("{LONG}{SHORT}"), 2);
    let counts = summary.counts;
    assert_eq!((counts.added, summary.sources[0].chunks, summary.corpus.documents), (2, 5, 5));
    assert_eq!(
        bench.ask(CHUNKS),
        [
            "1 | tale#0001 | A tale (1) | 2 | tale | 1",
            "2 | tale#0002 | A tale (2) | 2 | tale | 2",
            "3 | tale#0003 | A tale (3) | 2 | tale | 3",
            "4 | tale#0004 | A tale (4) | 2 | tale | 4",
            "5 | note#0001 |  | 1 | note | 1",
        ]
    );
    let years = "SELECT DISTINCT document.fields, parent_document.title FROM document \
        JOIN chunk ON document_id = document.id JOIN parent_document ON parent_document.id = parent_id \
        WHERE parent_document.key = 'tale' AND parent_document.fields = document.fields";
    assert_eq!(bench.ask(years), ["{\"year\":1485} | A tale"]);
    // "and the" has no word that is kept: it stays with the chunk before it.
    let texts = "SELECT text FROM document_text WHERE document_id <= 4 ORDER BY document_id";
    let whole: String = bench.ask(texts).concat();
    assert_eq!(whole, "king queen castle moat; and the. stars planets moons, king");
    bench.check();
}

#[test]
fn a_changed_parent_has_its_chunks_replaced_as_one_and_an_unchanged_one_is_skipped() {
    let bench = Bench::new();
    cut(&bench, &format!("{LONG}{SHORT}"), 2);
    let changed = LONG.replace("stars planets moons, king", "stars comets");
    let summary = cut(&bench, &format!("{changed}{SHORT}"), 2);
    let counts = summary.counts;
    assert_eq!((counts.added, counts.replaced, counts.skipped), (0, 1, 1));
    assert_eq!(
        bench.ask(CHUNKS),
        [
            "1 | tale#0001 | A tale (1) | 2 | tale | 1",
            "2 | tale#0002 | A tale (2) | 2 | tale | 2",
            "3 | tale#0003 | A tale (3) | 2 | tale | 3",
            "5 | note#0001 |  | 1 | note | 1",
        ]
    );
    let notes = "SELECT kind, key, documents FROM ingest_note WHERE ingest_id = 2";
    assert_eq!(bench.ask(notes), ["replaced | tale | 1", "unchanged | note | 1"]);
    bench.check();
    // As if it had always been so.
    let fresh = Bench::new();
    cut(&fresh, &format!("{changed}{SHORT}"), 2);
    let triples = "SELECT document.key, term.text, count FROM triple JOIN document \
                   ON document.id = document_id JOIN term ON term.id = term_id ORDER BY 1, 2";
    assert_eq!(bench.ask(triples), fresh.ask(triples));
    // Nothing is left of it.
    let summary = cut(&bench, "{\"id\": \"tale\", \"text\": \"of the\"}\n", 2);
    assert_eq!((summary.counts.left_out, summary.corpus.documents), (1, 1));
    assert_eq!(bench.ask("SELECT key FROM parent_document"), ["note"]);
    bench.check();
}

#[test]
fn documents_of_one_key_in_one_ingest_are_not_mixed() {
    let bench = Bench::new();
    let summary = cut(&bench, &format!("{LONG}{}", SHORT.replace("note", "tale")), 2);
    assert_eq!((summary.sources[0].duplicate, summary.corpus.documents), (1, 4));
    bench.check();
}

#[test]
fn a_parents_key_deletes_all_its_chunks_and_a_chunk_that_was_deleted_comes_back() {
    let bench = Bench::new();
    cut(&bench, &format!("{LONG}{SHORT}"), 2);
    let delete = |keys: &[&str]| {
        let mut store = bench.store();
        let keys: Vec<String> = keys.iter().map(|key| (*key).to_string()).collect();
        let ids = store.select_documents("tales", DocumentChoice::Keys(&keys)).expect("documents");
        let corpus = store.corpus("tales").expect("corpus");
        delete_documents(&mut store, &corpus, &ids).expect("deleted").documents
    };
    assert_eq!(delete(&["tale#0002", "note"]), 2);
    assert_eq!(bench.ask("SELECT key FROM parent_document"), ["tale"]);
    bench.check();
    let summary = cut(&bench, &format!("{LONG}{SHORT}"), 2);
    assert_eq!((summary.counts.added, summary.counts.replaced), (1, 1));
    assert_eq!(bench.ask("SELECT count(*) FROM chunk"), ["5"]);
    bench.check();
    assert_eq!(delete(&["tale"]), 4);
    assert_eq!(bench.ask("SELECT key FROM parent_document"), ["note"]);
    bench.check();
}

#[test]
fn later_ingests_are_cut_alike_and_others_are_refused() {
    let bench = Bench::new();
    bench.write("a.jsonl", LONG);
    bench.ingest_as(&request(Some(ChunkBy::Words(3)), Some(1), &bench)).expect("ingest");
    bench.write("a.jsonl", SHORT);
    let as_before = bench.ingest_as(&request(None, None, &bench)).expect("ingest");
    assert_eq!(as_before.sources[0].chunks, 1);
    assert_eq!(
        bench.refusal(&request(Some(ChunkBy::Words(4)), None, &bench)),
        "corpus \"tales\" was made with --chunk '3' --overlap 1, not --chunk '4' --overlap 1; \
         nothing was added: give --chunk '3' --overlap 1, or choose another corpus name"
    );
    bench.check();
}

#[test]
fn a_parents_topics_are_the_mean_of_its_chunks_weighted_by_their_tokens() {
    let bench = Bench::new();
    cut(&bench, &LONG.replace("moat; and the.", "moat tower"), 5);
    assert_eq!(bench.ask("SELECT tokens FROM document ORDER BY id"), ["5", "4"]);
    let connection = rusqlite::Connection::open(bench.path("topoi.db")).expect("open");
    connection
        .execute_batch(
            "PRAGMA foreign_keys = OFF;
             INSERT INTO series VALUES (1, 1);
             INSERT INTO run (id, corpus_id, model, k, seed, settings, status, created_at, program_version, series_id)
                 VALUES (1, 1, 'lr-jsmf', 2, 1, '{}', 'finished', '', '', 1);
             INSERT INTO series_proportions VALUES
                 (1, 1, 0, NULL, '[8000000, 2000000]'), (1, 2, 0, NULL, '[0, 10000000]');",
        )
        .expect("rows");
    let topics = "SELECT topic, round(9 * proportion, 9) FROM parent_topic WHERE run_id = 1";
    // 5·0.8 = 4 and 5·0.2 + 4·1 = 5 of 9.
    assert_eq!(bench.ask(topics), ["0 | 4", "1 | 5"]);
}
