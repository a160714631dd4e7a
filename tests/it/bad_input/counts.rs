//! Counts that cannot be right change nothing in the store.

use std::io::Write;

use crate::common::Home;

pub(super) const VOCABULARY: &[u8] = b"alpha\nbeta\ngamma\n";
pub(super) const GOOD: &[u8] = b"2\n3\n3\n1 1 2\n1 2 1\n2 3 4\n";

/// Ingests `docword` into a store that has something in it already; it must fail and change
/// nothing.
fn refuses(name: &str, docword: &[u8], vocabulary: &[u8]) {
    let home = Home::new();
    let vocab = home.file("vocab.good.txt", VOCABULARY);
    let good = home.file("docword.good.txt", GOOD);
    home.succeeds(&["ingest", "c", &good, "--vocab", &vocab]);
    let before = home.dump();
    let bad = home.file(name, docword);
    let vocab = home.file("vocab.bad.txt", vocabulary);
    home.fails(&["ingest", "c", &bad, "--format", "uci", "--vocab", &vocab]);
    assert_eq!(before, home.dump());
}

#[test]
fn a_docword_line_that_is_not_three_integers() {
    refuses("docword.bad.txt", b"2\n3\n3\n1 1 2\na b\n2 3 4\n", VOCABULARY);
}

#[test]
fn ids_outside_the_headers_range() {
    refuses("docword.bad.txt", b"2\n3\n2\n1 1 2\n1 4 1\n", VOCABULARY);
    refuses("docword.bad.txt", b"2\n3\n2\n1 1 2\n3 1 1\n", VOCABULARY);
}

#[test]
fn a_count_of_zero() {
    refuses("docword.bad.txt", b"2\n3\n2\n1 1 2\n1 2 0\n", VOCABULARY);
}

#[test]
fn a_vocabulary_shorter_than_the_header_says() {
    refuses("docword.bad.txt", GOOD, b"alpha\nbeta\n");
}

#[test]
fn a_gzip_that_was_cut_short() {
    let mut text = b"2000\n3\n6000\n".to_vec();
    for document in 1..=2000 {
        for word in 1..=3 {
            text.extend(format!("{document} {word} {}\n", document * word).into_bytes());
        }
    }
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(&text).expect("in memory");
    let whole = encoder.finish().expect("in memory");
    refuses("docword.bad.txt.gz", &whole[..whole.len() / 2], VOCABULARY);
}
