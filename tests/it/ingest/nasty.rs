//! Files as nobody should have them: no panic, an exact message with file and line, and with
//! `--on-error skip` the rest is added and the ledger says why.

use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use topoi_ingest::{IngestRequest, OnError};

use super::bench::{Bench, gzip};

use crate::common::Messages;

/// The message of the refusal, up to the remedy, and what `skip` makes of the same file: documents
/// added, and kinds and places of what was left out.
fn both_ways(bench: &Bench, name: &str) -> (String, u64, Vec<String>) {
    let mut request = IngestRequest::new("nasty", [bench.path(name)]);
    // An empty store, to see that the refusal leaves it so.
    drop(bench.store());
    let is_long = bench.path(name).metadata().expect("metadata").len() > 10 << 20;
    let message = if is_long { bench.late_refusal(&request) } else { bench.refusal(&request) };
    request.on_error = OnError::Skip;
    let summary = bench.ingest_as(&request).expect("skip");
    bench.check();
    let notes =
        bench.ask("SELECT kind, place FROM ingest_note WHERE kind <> 'empty' ORDER BY rowid");
    let short = |note: String| note.replace(&format!("{}/", bench.directory.path().display()), "");
    let message = message.split(';').next().unwrap_or_default().to_string();
    (message, summary.counts.added, notes.into_iter().map(short).collect())
}

fn nasty(name: &str, bytes: impl AsRef<[u8]>) -> (String, u64, Vec<String>) {
    let bench = Bench::new();
    bench.write(name, bytes);
    bench.write("vocab.txt", "state\nvalue\npolicy\n");
    both_ways(&bench, name)
}

#[test]
fn broken_utf_8_is_undecodable_and_named() {
    let (message, added, notes) =
        nasty("a.txt", b"good words\ncaf\xc3\xa9 na\xc3 lait\nmore words\n");
    assert_eq!(message, "a.txt:2: not UTF-8 (byte 9 of the line)");
    assert_eq!((added, notes), (2, vec!["undecodable | a.txt:2".to_string()]));
}

#[test]
fn broken_json_is_malformed_and_named() {
    let messages = Messages::default();
    let text = "{\"text\": \"good words\"}\n{\"text\": \n{\"text\": \"more\", \"id\": []}\n";
    let (message, added, notes) = nasty("a.jsonl", text);
    messages.keeps(&message);
    assert_eq!((added, notes.len()), (1, 2));
}

#[test]
fn a_record_of_too_few_fields_and_a_quote_that_never_closes_are_named() {
    let text = "id,text\n1,good words\n2\n3,more words\n4,\"open and\nnever closed\n5,x\n";
    let (message, added, notes) = nasty("a.csv", text);
    assert_eq!(message, "a.csv:3: 1 fields, not 2");
    assert_eq!(
        (added, notes),
        (2, vec!["malformed | a.csv:3".into(), "malformed | a.csv:5".into()])
    );
}

#[test]
fn impossible_ids_and_counts_leave_only_their_documents_out() {
    let text = "9\n3\n9\n1 1 2\n2 -1 1\n2 2 1\n3 3 1\n4 4 1\n5 1 0\n6 1 99999999999999999999\n7 1 1\n1 2 2\n";
    let (message, added, notes) = nasty("docword.x.txt", text);
    let what = "expected three integers (document, word, count), found \"2 -1 1\"";
    assert_eq!(message, format!("docword.x.txt:5: {what}"));
    assert_eq!(added, 3);
    let lines: Vec<_> = notes.iter().map(|n| n.rsplit(':').next().unwrap_or_default()).collect();
    assert_eq!(lines, ["5", "8", "9", "10", "12"]);
}

#[test]
fn a_header_of_absurd_numbers_costs_nothing() {
    let messages = Messages::default();
    let many = "99999999999999999999999";
    let (message, added, _) = nasty("docword.x.txt", format!("{many}\n3\n{many}\n1 1 2\n"));
    messages.keeps(&message);
    // The last document of a file that is too short may be half of one.
    assert_eq!(added, 0);
    let (message, _, _) = nasty("docword.x.txt", format!("1\n{many}\n1\n1 1 2\n"));
    messages.keeps(&message);
}

#[test]
fn the_last_of_more_documents_than_a_store_can_count_is_read() {
    let (bench, most) = (Bench::new(), u64::MAX);
    bench.write("docword.a.txt", format!("{most}\n3\n2\n1 1 1\n{most} 1 2\n"));
    bench.write("vocab.a.txt", "state\nvalue\npolicy\n");
    let request = IngestRequest::new("nasty", [bench.path("docword.a.txt")]);
    assert_eq!(bench.ingest_as(&request).expect("ingest").counts.added, 2);
    bench.check();
}

#[test]
fn a_gzip_file_cut_short_keeps_what_came_before_if_asked_to() {
    let messages = Messages::default();
    let lines: String = (0..50_000).map(|n| format!("word{} number{n}\n", n % 7)).collect();
    let mut bytes = gzip(lines.as_bytes());
    bytes.truncate(bytes.len() / 2);
    let (message, added, notes) = nasty("a.txt.gz", &bytes);
    messages.keeps(&message);
    assert!((10_000..40_000).contains(&added), "{added}");
    assert_eq!(notes, [format!("undecodable | a.txt.gz:{}", added + 1)]);
    let mut bytes = compress_to_vec(lines.as_bytes(), CompressionLevel::Fastest);
    let middle = bytes.len() / 2;
    let (message, _, _) = nasty("a.txt.zst", &bytes[..middle]);
    messages.keeps(&message);
    // The checksum, which comes last.
    *bytes.last_mut().expect("bytes") ^= 0x10;
    let (message, _, _) = nasty("b.txt.zst", &bytes);
    messages.keeps(&message);
}

#[test]
fn a_line_of_a_hundred_megabytes_is_left_out() {
    let mut bytes = b"good words\n".to_vec();
    bytes.extend(b"long ".iter().cycle().take(100 << 20));
    bytes.extend(b"\nmore words\n");
    let (message, added, notes) = nasty("a.txt", &bytes);
    assert_eq!(message, "a.txt:2: a line longer than 64 MiB");
    assert_eq!((added, notes), (2, vec!["malformed | a.txt:2".to_string()]));
}

#[test]
fn nul_bytes_carriage_returns_and_byte_order_marks_do_no_harm() {
    let bench = Bench::new();
    bench.write("a.txt", b"\xef\xbb\xbfstars\0moons\r\n\r\nkings\r\n\0\0\n");
    let summary = bench.ingest("c", &["a.txt"]).expect("ingest");
    assert_eq!((summary.counts.added, summary.counts.left_out), (2, 1));
    assert_eq!(bench.terms("c"), ["stars", "moons", "kings"]);
    assert_eq!(bench.keys("c"), ["a:1", "a:3"]);
    let key = "{\"id\": \"a\\u0000b\", \"text\": \"words\"}\n";
    bench.write("b.jsonl", key);
    assert_eq!(bench.ingest("c", &["b.jsonl"]).expect("ingest").counts.added, 1);
    bench.check();
}

#[test]
fn a_million_empty_documents_are_a_million_rows_or_one() {
    let bench = Bench::new();
    bench.write("a.dat", "0\n".repeat(1_000_000) + "1 0:1\n");
    bench.write("vocab.txt", "state\n");
    let mut request = IngestRequest::new("c", [bench.path("a.dat")]);
    request.format = topoi_ingest::Format::named("ldac");
    let summary = bench.ingest_as(&request).expect("ingest");
    assert_eq!((summary.counts.added, summary.counts.left_out), (1, 1_000_000));
    bench.check();
}
