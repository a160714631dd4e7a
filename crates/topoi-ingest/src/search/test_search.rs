//! Tests that the index, reading all texts, keywords in context and naive scans agree.

use proptest::prelude::*;

use super::context::ContextOrder;
use super::making::{make_index, make_index_in_steps};
use super::word::{find_term, term_documents};
use super::*;
use crate::{IngestRequest, NoProgress, StopWords, TokenChoice, ingest};
use topoi_core::progress::{Progress, Silent};
use topoi_store::Access;
use topoi_store::check::RowValidators;
use topoi_store::id::CorpusId;

struct Home {
    directory: tempfile::TempDir,
    store: Store,
}

impl Home {
    fn new() -> Self {
        let directory = tempfile::tempdir().expect("tempdir");
        let store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
        Self { directory, store }
    }

    /// Adds documents (key, text, year) to corpus "c"; known keys are replaced.
    fn add(&self, documents: &[(u8, String, u16)]) {
        let line = |(key, text, year): &(u8, String, u16)| {
            let key = format!("k{key}");
            serde_json::json!({"id": key, "text": text, "title": "T", "year": year}).to_string()
        };
        let lines: Vec<String> = documents.iter().map(line).collect();
        let file = self.directory.path().join("lines.jsonl");
        std::fs::write(&file, lines.join("\n")).expect("write");
        let tokens = TokenChoice {
            min_length: Some(1),
            stop_words: Some(StopWords::none()),
            ngrams: Some(2),
            ..TokenChoice::default()
        };
        let request = IngestRequest { tokens, ..IngestRequest::new("c", [file]) };
        ingest(&self.store, &request, &NoProgress).expect("ingest");
    }

    fn corpus(&self) -> Corpus {
        self.store.corpus("c").expect("corpus")
    }

    fn index(&mut self) {
        let corpus = self.corpus();
        make_index(&mut self.store, &corpus, &Silent).expect("index");
    }

    fn delete(&mut self, key: u8) {
        let id = self.store.id_of_document(&self.corpus(), &format!("k{key}"));
        if let Ok(id) = id {
            let corpus = self.corpus();
            let tokenizer = CorpusSettings::tokenizer(&corpus.settings).expect("words are known");
            let words =
                |text: &str, visit: &mut dyn FnMut(&str)| tokenizer.visit_words(text, visit);
            let no_run = |_: &Store| Ok::<_, topoi_store::StoreError>(());
            let deleted = self.store.delete_documents(corpus.id, &[id], Some(&words), no_run);
            deleted.expect("deleted");
        }
    }

    /// Searches with the complete index, and by reading all texts.
    fn both(&self, query: &str) -> (SearchResults, SearchResults) {
        let corpus = self.corpus();
        assert!(self.store.is_indexed(&corpus).expect("read"));
        let searcher = Searcher::open(&self.store, &corpus).expect("open");
        let what = searcher.parse(query).expect(query);
        let found = searcher.find(&what, SearchOrder::Document, 5, 30);
        let read = Searcher::open(&self.store, &corpus).expect("open").without_index();
        let read = read.find(&what, SearchOrder::Document, 5, 30);
        match (found, read) {
            (Ok(found), Ok(read)) => (found, read),
            (found, read) => {
                // The index still knows a field that no document has any more.
                let is_unknown =
                    |found: &Result<_, _>| matches!(found, Err(SearchError::UnknownField { .. }));
                let agrees = is_unknown(&found) || found.is_ok_and(|found| found.total == 0);
                assert!(is_unknown(&read) && agrees, "{query}");
                let none =
                    SearchResults { total: 0, order: SearchOrder::Document, documents: Vec::new() };
                (none.clone(), none)
            }
        }
    }

    fn found(&self, query: &str) -> Vec<String> {
        let (found, read) = self.both(query);
        assert_eq!(found, read, "{query}");
        found.documents.into_iter().map(|found| found.document.key).collect()
    }
}

fn document(key: u8, text: &str) -> (u8, String, u16) {
    (key, text.into(), 2000 + u16::from(key))
}

#[test]
fn words_phrases_and_fields_are_found() {
    let mut home = Home::new();
    home.add(&[
        document(1, "The New York Stock-Exchange"),
        document(2, "a york in new markets; don't U.S."),
        document(3, "市场经济 CAFE\u{301} 2024"),
    ]);
    home.index();
    for (query, keys) in [
        ("york", &["k1", "k2"][..]),
        ("\"new york\"", &["k1"]),
        ("new_york", &["k1"]),
        ("\"the new yo\"*", &["k1"]),
        ("york NOT stock", &["k2"]),
        ("year:2002 OR 市场", &["k2", "k3"]),
        ("Year:200*", &["k1", "k2", "k3"]),
        ("key:k3 title:t", &["k3"]),
        ("stock-exchange", &["k1"]),
        ("don’t", &["k2"]),
        ("u.s", &["k2"]),
        ("café 2024", &["k3"]),
        ("场市", &[]),
    ] {
        assert_eq!(home.found(query), keys, "{query}");
    }
}

#[test]
fn the_most_relevant_comes_first_and_its_hits_are_shown() {
    let mut home = Home::new();
    home.add(&[document(1, "one market among many other words"), document(2, "market market")]);
    home.index();
    let corpus = home.corpus();
    let searcher = Searcher::open(&home.store, &corpus).expect("open");
    let what = searcher.parse("market").expect("parsed");
    let found = searcher.find(&what, SearchOrder::Relevance, 9, 30).expect("found");
    let keys: Vec<&str> = found.documents.iter().map(|row| &*row.document.key).collect();
    assert_eq!(keys, ["k2", "k1"]);
    assert!(found.documents[0].snippet.iter().any(|piece| piece.is_hit && piece.text == "market"));
}

#[test]
fn an_unknown_field_is_reported_with_the_known_ones() {
    let mut home = Home::new();
    home.add(&[document(1, "one")]);
    for _ in 0..2 {
        let corpus = home.corpus();
        let searcher = Searcher::open(&home.store, &corpus).expect("open");
        let what = searcher.parse("yaer:2001").expect("parsed");
        let told = searcher.find(&what, SearchOrder::Relevance, 9, 30).expect_err("unknown");
        let expected =
            "no document of corpus \"c\" has a field \"yaer\"; there are: key, title, year";
        assert_eq!(told.to_string(), expected);
        home.index();
    }
}

#[test]
fn a_corpus_of_counted_words_is_refused() {
    let home = Home::new();
    let file = home.directory.path().join("docword.x.txt");
    std::fs::write(&file, "1\n1\n1\n1 1 2\n").expect("write");
    std::fs::write(home.directory.path().join("vocab.x.txt"), "word\n").expect("write");
    ingest(&home.store, &IngestRequest::new("c", [file]), &NoProgress).expect("ingest");
    let refused = Searcher::open(&home.store, &home.corpus()).expect_err("no texts").to_string();
    assert!(refused.contains("counted words and no texts"), "{refused}");
}

/// Cancels after N checks.
struct Patience(std::sync::atomic::AtomicI64);

impl Progress for Patience {
    fn begin(&self, _: &'static str, _: u64, _: &'static str) {}
    fn step(&self, _: u64, _: Option<f64>) {}
    fn cancelled(&self) -> bool {
        self.0.fetch_sub(1, std::sync::atomic::Ordering::SeqCst) <= 0
    }
}

#[test]
fn a_stopped_index_is_resumed_and_lacks_nothing() {
    let mut home = Home::new();
    let texts: Vec<_> = (0..100).map(|key| document(key, &"word ".repeat(60))).collect();
    home.add(&texts);
    let corpus = home.corpus();
    let stopped = make_index_in_steps(&mut home.store, &corpus, 4000, &Patience(2.into()));
    assert!(matches!(stopped, Err(SearchError::Stopped)));
    let half = home.store.search_index(CorpusId(1)).expect("read").expect("begun").documents;
    assert!((1..100).contains(&half), "{half}");
    // Changes meanwhile: indexed documents, documents not indexed yet, and a new document.
    home.add(&[document(0, "changed"), document(99, "changed too"), document(100, "new")]);
    home.delete(1);
    home.delete(98);
    assert!(home.store.check(&RowValidators::NONE).expect("checked").is_empty());
    home.index();
    assert_eq!(home.found("word").len(), 5);
    assert_eq!(home.found("changed OR new"), ["k0", "k99", "k100"]);
    assert_eq!(home.both("word").0.total, 96);
    assert!(home.store.check(&RowValidators::NONE).expect("checked").is_empty());
}

#[test]
fn an_index_is_deleted_with_its_corpus_and_an_orphaned_one_is_rebuilt() {
    let mut home = Home::new();
    home.add(&[document(1, "one")]);
    home.index();
    home.store.delete_corpus(CorpusId(1)).expect("deleted");
    assert!(!home.store.table_columns().expect("read").iter().any(|t| t.name.contains("search_1")));
    home.add(&[document(1, "one two")]);
    home.index();
    let other = rusqlite::Connection::open(home.store.path()).expect("open");
    other.execute("DELETE FROM search_index", []).expect("forgotten");
    home.add(&[document(2, "three")]);
    home.index();
    assert_eq!(home.found("one OR three"), ["k1", "k2"]);
}

#[test]
fn documents_of_a_term_are_sorted_by_its_count() {
    let mut home = Home::new();
    home.add(&[document(1, "a b"), document(2, "B b a"), document(3, "b c b"), document(4, "c")]);
    let corpus = home.corpus();
    let (position, term) = find_term(&home.store, &corpus, "B").expect("a term");
    assert_eq!((term.text.as_str(), term.total_count), ("b", 5));
    let found = term_documents(&home.store, &corpus, position, 2).expect("found");
    let shown: Vec<(&str, u64)> =
        found.iter().map(|found| (&*found.document.key, found.count)).collect();
    assert_eq!(shown, [("k2", 2), ("k3", 2)]);
    assert!(find_term(&home.store, &corpus, "z").is_err());
    home.index();
}

#[test]
fn occurrences_are_sorted_by_their_neighbours() {
    let mut home = Home::new();
    home.add(&[document(1, "c x b\nx a"), document(2, "a x c")]);
    home.index();
    let corpus = home.corpus();
    let searcher = Searcher::open(&home.store, &corpus).expect("open");
    let what = searcher.parse("x").expect("parsed");
    let shown = |order| -> Vec<String> {
        let found = searcher.contexts(&what, order, 9, 3).expect("found");
        assert_eq!((found.total, found.documents), (Some(3), 2));
        found.rows.iter().map(|row| format!("{}[{}]{}", row.left, row.hit, row.right)).collect()
    };
    assert_eq!(shown(ContextOrder::Document), ["c [x] b ", " b [x] a", "a [x] c"]);
    assert_eq!(shown(ContextOrder::Before), ["a [x] c", " b [x] a", "c [x] b "]);
    assert_eq!(shown(ContextOrder::After), [" b [x] a", "c [x] b ", "a [x] c"]);
    let first = searcher.contexts(&what, ContextOrder::Document, 1, 3).expect("found");
    assert_eq!((first.total, first.rows.len()), (None, 1));
}

#[derive(Debug, Clone)]
enum Step {
    Add(Vec<(u8, String, u16)>),
    Delete(u8),
    Index,
}

fn texts() -> impl Strategy<Value = String> {
    "([a-cA-B]|aa|ab|é|市|don't|1|2024)(( |, |-|\n|_|\\.)([a-cA-B]|aa|ab|é|市|don't|1|2024)){0,12}"
}

fn step() -> impl Strategy<Value = Step> {
    let document = (0_u8..12, texts(), 2000_u16..2003);
    prop_oneof![
        prop::collection::vec(document, 1..6).prop_map(Step::Add),
        (0_u8..12).prop_map(Step::Delete),
        Just(Step::Index),
    ]
}

fn query() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "[a-c]|aa|ab|é|市|don't|1|a-b|a_b|é\\*|aa\\*|don\\*",
        "\"(a|b|c|é)( |-)(a|b|市|1)( a)?\"\\*?",
        "year:200[0-3]|year:20\\*|key:k[0-9]\\*?|title:t",
        "a\\?b|d\\*t|\\*on\\*t|20\\*4|\"a \\*\"|\"\\* b\"|\"a d\\*t\"|key:k\\?1|2\\?\\?4",
        "(a|b|aa|\"a b\") NEAR(/[0-4])? (b|c|é|\"b c\"|a\\*a)( NEAR/1 (a|市))?",
        "year:200[0-3]\\.\\.(200[0-3])?|year:\\.\\.200[0-3]",
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        (inner.clone(), "( | AND | OR | NOT )", inner)
            .prop_map(|(a, by, b)| format!("({a}{by}{b})"))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn the_index_finds_what_reading_every_text_finds_whatever_happened_to_the_corpus(
        first in prop::collection::vec((0_u8..12, texts(), 2000_u16..2003), 1..8),
        steps in prop::collection::vec(step(), 0..6),
        queries in prop::collection::vec(query(), 1..8),
    ) {
        let mut home = Home::new();
        home.add(&first);
        for step in &steps {
            match step {
                Step::Add(documents) => home.add(documents),
                Step::Delete(key) => home.delete(*key),
                Step::Index => home.index(),
            }
            prop_assert!(home.store.check(&RowValidators::NONE).expect("checked").is_empty());
        }
        let was_whole = home.store.is_indexed(&home.corpus()).expect("read");
        prop_assert!(was_whole || !steps.iter().any(|step| matches!(step, Step::Index)));
        home.index();
        for query in &queries {
            let (found, read) = home.both(query);
            prop_assert_eq!(found, read, "{}", query);
        }
    }

    #[test]
    fn every_occurrence_of_a_term_is_shown_in_its_context(
        documents in prop::collection::vec(texts(), 1..6), width in 0_usize..20,
    ) {
        let home = Home::new();
        let rows: Vec<_> = (0..).zip(&documents).map(|(key, text)| document(key, text)).collect();
        home.add(&rows);
        let corpus = home.corpus();
        let searcher = Searcher::open(&home.store, &corpus).expect("open");
        for term in home.store.terms(corpus.id).expect("terms") {
            let found = find_term(&home.store, &corpus, &term.text).expect("a term");
            let contexts =
                searcher.contexts_of_term(&found, ContextOrder::Document, 1000, width).expect("read");
            let mut naive = 0;
            for (key, text, _) in &rows {
                let own = || contexts.rows.iter().filter(|row| row.key == format!("k{key}"));
                let count = searcher.tokenizer.tokens(text).iter().filter(|t| **t == term.text).count();
                prop_assert_eq!(own().count(), count, "{} in {}", term.text, text);
                naive += count as u64;
                let plain = text.replace('\n', " ");
                for row in own() {
                    let whole = format!("{}{}{}", row.left, row.hit, row.right);
                    prop_assert!(plain.contains(&whole), "{:?} in {:?}", whole, plain);
                    let last = row.left.chars().count();
                    prop_assert!(last == width || plain.starts_with(&whole));
                }
            }
            prop_assert_eq!((contexts.total, naive), (Some(term.total_count), term.total_count));
        }
    }
}
