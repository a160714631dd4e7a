//! What ingests add and skip.

use super::bench::{Bench, DOCWORD, bench, gzip};

#[test]
fn a_docword_file_is_added_with_its_vocabulary_in_file_order() {
    let bench = Bench::new();
    bench.write("docword.small.txt.gz", gzip(DOCWORD.as_bytes()));
    bench.write("vocab.small.txt", "state\nvalue\npolicy\n");
    let summary = bench.ingest("small", &["docword.small.txt.gz"]).expect("ingest");
    let source = &summary.sources[0];
    assert_eq!((source.format.name(), source.added, source.empty), ("uci", 3, 1));
    assert_eq!((summary.counts.added, summary.counts.left_out), (3, 1));
    assert_eq!((summary.corpus.documents, summary.corpus.terms), (3, 3));
    assert_eq!((summary.corpus.tokens, summary.corpus.nonzeros), (9, 4));
    assert_eq!(summary.corpus.settings, r#"{"kind":"counts"}"#);
    assert_eq!(bench.terms("small"), ["state", "value", "policy"]);
    assert_eq!(bench.keys("small"), ["small:1", "small:3", "small:4"]);
    bench.check();
}

#[test]
fn gaps_of_any_length_are_one_row_of_the_ledger() {
    let bench = Bench::new();
    bench.write("docword.gaps.txt", "4000000000\n1\n1\n2000000000 1 1\n");
    bench.write("vocab.gaps.txt", "word\n");
    let summary = bench.ingest("gaps", &["docword.gaps.txt"]).expect("ingest");
    assert_eq!(summary.counts.left_out, 3_999_999_999);
    let notes: Vec<_> =
        bench.rows().into_iter().filter(|row| row.starts_with("ingest_note ")).collect();
    assert_eq!(notes.len(), 2);
    assert!(notes[1].contains("empty"), "{}", notes[1]);
}

#[test]
fn the_same_files_again_add_nothing() {
    let bench = bench();
    bench.write("news.txt", "the king and the queen\n\na castle of the king\n");
    bench.ingest("news", &["news.txt"]).expect("ingest");
    let documents = |bench: &Bench| {
        let rows = bench.rows().into_iter();
        rows.filter(|row| !row.starts_with("ingest")).collect::<Vec<_>>()
    };
    let before = documents(&bench);
    let again = bench.ingest("small", &["docword.small.txt"]).expect("again");
    assert_eq!((again.counts.added, again.counts.skipped), (0, 3));
    let again = bench.ingest("news", &["news.txt"]).expect("again");
    assert_eq!((again.counts.added, again.counts.skipped), (0, 2));
    assert_eq!(before, documents(&bench));
    bench.check();
}

#[test]
fn a_second_file_extends_the_terms_and_moves_none() {
    let bench = bench();
    bench.write("docword.more.txt", "1\n3\n3\n1 3 2\n1 1 1\n1 2 4\n");
    bench.write("docword.more.txt.vocab", "value\nreward\nstate\n");
    let summary = bench.ingest("small", &["docword.more.txt"]).expect("ingest");
    assert_eq!((summary.counts.added, summary.corpus.documents), (1, 4));
    assert_eq!(bench.terms("small"), ["state", "value", "policy", "reward"]);
    let store = bench.store();
    let corpus = store.corpus("small").expect("corpus");
    let totals: Vec<u64> =
        store.terms(corpus.id).expect("terms").iter().map(|term| term.total_count).collect();
    assert_eq!(totals, [3 + 2, 5 + 1, 1, 4]);
    bench.check();
}

#[test]
fn json_lines_hold_text_tokens_or_counts() {
    let bench = Bench::new();
    bench.write(
        "mixed.jsonl.gz",
        gzip(
            b"{\"text\": \"Kings and queens\", \"title\": \"Royalty\"}\n\n\
              {\"tokens\": [\"New York\", \"kings\"], \"key\": \"k\"}\n\
              {\"counts\": {\"queens\": 3}, \"id\": 9}\n\
              {\"text\": \"of the\", \"id\": \"stop\"}\n\
              {\"text\": \"\", \"id\": \"none\"}\n",
        ),
    );
    let summary = bench.ingest("mixed", &["mixed.jsonl.gz"]).expect("ingest");
    let source = &summary.sources[0];
    assert_eq!((source.format.name(), source.added, source.empty), ("jsonl", 3, 2));
    assert_eq!(bench.terms("mixed"), ["kings", "queens", "New York"]);
    assert_eq!(bench.keys("mixed"), ["mixed:1", "k", "9"]);
    let rows = bench.rows();
    let count = |what: &str| rows.iter().filter(|row| row.contains(what)).count();
    assert_eq!(count("Text(\"no word is left: all are stop words, too short"), 1);
    assert_eq!(count("Text(\"empty\"), Text(\"empty\")"), 1);
    assert_eq!(count("document_text "), 1);
    assert_eq!(count("Text(\"Royalty\")"), 1);
    bench.check();
}

#[test]
fn many_lines_keep_their_order_whatever_the_threads_do() {
    let bench = Bench::new();
    let text: String = (0..5000).map(|n| format!("word{n} and common words\n")).collect();
    bench.write("many.txt", &text);
    bench.ingest("many", &["many.txt"]).expect("ingest");
    let expected: Vec<String> = ["word0", "common", "words"]
        .map(String::from)
        .into_iter()
        .chain((1..5000).map(|n| format!("word{n}")))
        .collect();
    assert_eq!(bench.terms("many"), expected);
    bench.check();
}
