//! What is refused, in which words, and that it changes nothing.

use std::error::Error;
use std::fs;

use topoi_ingest::{IngestRequest, StopWords};
use topoi_store::{Access, Store, StoreError};

use super::bench::{Bench, DOCWORD, bench, gzip};

#[test]
fn other_settings_are_refused_with_the_setting_that_differs() {
    let bench = bench();
    bench.write("news.txt", "some words of text\n");
    assert_eq!(
        bench.refusal_of(&["news.txt"]),
        "corpus \"small\" holds counted words, and this is text; nothing was added: \
         choose another corpus name"
    );
    bench.ingest("news", &["news.txt"]).expect("ingest");
    let mut request = IngestRequest::new("news", [bench.path("news.txt")]);
    request.tokens.stop_words = Some(StopWords::none());
    assert_eq!(
        bench.refusal(&request),
        "corpus \"news\" was made with --stop-words en, not none; nothing was added: \
         give --stop-words en, or choose another corpus name"
    );
}

#[test]
fn a_mistake_in_the_last_file_takes_back_the_first() {
    let bench = bench();
    bench.write("docword.bad.txt", "2\n3\n2\n1 1 1\n2 2\n");
    bench.write("vocab.bad.txt", "state\nvalue\nreward\n");
    bench.write("docword.good.txt", "1\n3\n1\n1 1 7\n");
    bench.write("vocab.good.txt", "state\nvalue\nregret\n");
    assert_eq!(
        bench.refusal_of(&["docword.good.txt", "docword.bad.txt"]),
        "docword.bad.txt:5: expected three integers (document, word, count), found \"2 2\"; \
         nothing was added: correct the line"
    );
}

#[test]
fn a_missing_file_is_named() {
    let bench = bench();
    assert_eq!(
        bench.refusal_of(&["docword.nisp.txt"]),
        "docword.nisp.txt: no such file; nothing was added: check the name and the directory"
    );
    assert_eq!(
        bench.refusal_of(&["*.nisp"]),
        "*.nisp: no file fits this pattern; nothing was added: check the pattern and the directory"
    );
}

#[test]
fn ids_and_counts_outside_the_header_are_named() {
    let bench = bench();
    let refusal = |triple: &str| {
        bench.write("docword.bad.txt", format!("2\n3\n1\n{triple}\n"));
        bench.write("vocab.bad.txt", "a\nb\nc\n");
        bench.refusal_of(&["docword.bad.txt"])
    };
    let remedy = "nothing was added: correct the line or the header";
    assert_eq!(
        refusal("3 1 1"),
        format!("docword.bad.txt:4: document 3 is outside the header's 1 to 2; {remedy}")
    );
    assert_eq!(
        refusal("1 4 1"),
        format!("docword.bad.txt:4: word 4 is outside the header's 1 to 3; {remedy}")
    );
    assert_eq!(
        refusal("1 1 0"),
        "docword.bad.txt:4: the count is 0; nothing was added: remove the line and lower the \
         header's third number by one"
    );
}

#[test]
fn a_gzip_file_cut_short_is_named_with_the_line_reached() {
    let bench = bench();
    let lines: String = (1..=9000).map(|n| format!("{n} {} {}\n", n % 3 + 1, n % 7 + 1)).collect();
    let mut bytes = gzip(format!("9000\n3\n9000\n{lines}").as_bytes());
    bytes.truncate(bytes.len() * 2 / 3);
    bench.write("docword.cut.txt.gz", bytes);
    bench.write("vocab.cut.txt", "a\nb\nc\n");
    let message = bench.refusal_of(&["docword.cut.txt.gz"]);
    let rest = message.strip_prefix("docword.cut.txt.gz:").expect("the file");
    let (line, what) = rest.split_once(": ").expect("the line");
    assert!((1000..9000).contains(&line.parse::<u64>().expect("a number")), "{line}");
    assert_eq!(
        what,
        "the gzip file is cut short here; nothing was added: copy or download it again"
    );
}

#[test]
fn a_vocabulary_that_does_not_fit_or_is_not_there_is_named() {
    let bench = bench();
    bench.write("docword.short.txt", DOCWORD);
    assert_eq!(
        bench.refusal_of(&["docword.short.txt"]),
        "docword.short.txt: the uci format needs its vocabulary, and none is beside it (looked \
         for vocab.short.txt, docword.short.txt.vocab, docword.short.vocab, vocab.txt); nothing \
         was added"
    );
    bench.write("vocab.short.txt", "state\nvalue\n");
    assert_eq!(
        bench.refusal_of(&["docword.short.txt"]),
        "vocab.short.txt: 2 words, but docword.short.txt says 3; nothing was added: give the \
         vocabulary that belongs to it with --vocab FILE"
    );
    let mut request = IngestRequest::new("small", [bench.path("docword.short.txt")]);
    request.vocabulary = Some(bench.path("vocab.small.txt"));
    assert_eq!(bench.ingest_as(&request).expect("ingest").counts.added, 3);
}

#[test]
fn bad_lines_of_text_are_named() {
    let bench = Bench::new();
    bench.write("good.jsonl", "{\"text\": \"words\"}\n");
    bench.ingest("small", &["good.jsonl"]).expect("ingest");
    bench.write("bad.jsonl", "{\"text\": \"words\"}\n{\"text\": words}\n");
    assert_eq!(
        bench.refusal_of(&["bad.jsonl"]),
        "bad.jsonl:2: not a JSON object (expected value at column 10); nothing was added: each \
         line must be one object such as {\"id\": \"1\", \"text\": \"some words\"}"
    );
    let mut lines = vec![b"words\n".to_vec(); 3000];
    lines[2500] = b"caf\x81 au lait\n".to_vec();
    bench.write("latin.txt", lines.concat());
    assert_eq!(
        bench.refusal_of(&["latin.txt"]),
        "latin.txt:2501: not UTF-8 (byte 4 of the line); nothing was added: say how it is \
         encoded, for example with --encoding windows-1252, koi8-r or shift_jis"
    );
}

#[test]
fn a_store_that_is_none_is_refused_and_kept() {
    let bench = Bench::new();
    let text = bench.write("topoi.db", "a letter, not a database, though its name says so\n");
    let error = Store::open(&text, Access::Create).expect_err("refused");
    assert!(matches!(&error, StoreError::NotADatabase(path) if *path == text), "{error}");
    assert!(fs::read_to_string(&text).expect("read").starts_with("a letter"));
}

#[test]
fn a_store_that_cannot_be_made_is_refused() {
    let bench = Bench::new();
    let file = bench.write("file", "");
    let path = file.join("topoi.db");
    let error = Store::open(&path, Access::Create).expect_err("refused");
    let message = format!("{}: cannot open the store (", path.display());
    assert!(error.to_string().starts_with(&message), "{error}");
    assert!(error.source().is_some(), "the operating system's error is kept");
}
