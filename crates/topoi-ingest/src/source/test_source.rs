//! Tests of reading sources.

use std::io::Write;

use proptest::prelude::*;

use super::*;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("write");
    encoder.finish().expect("finish")
}

fn lines(source: &mut Source) -> Reading<Vec<Vec<u8>>> {
    let mut lines = Vec::new();
    while let Some(line) = source.next_line()? {
        lines.push(line.to_vec());
    }
    Ok(lines)
}

#[test]
fn stems_drop_what_says_the_format() {
    let of = |name: &str| stem(Path::new(name));
    assert_eq!(of("a/docword.nips.txt.gz"), "nips");
    assert_eq!(of("docword.nips"), "nips");
    assert_eq!(of("docword.nips.2.txt"), "nips.2");
    assert_eq!(of("news.jsonl.gz"), "news");
    assert_eq!(of("news"), "news");
    assert_eq!(of(".news"), ".news");
}

#[test]
fn the_byte_order_mark_and_carriage_returns_are_dropped() {
    let mut source =
        Source::from_bytes("x", b"\xef\xbb\xbfa\r\n\r\n\xef\xbb\xbfb".to_vec()).expect("open");
    assert_eq!(source.peek(0).expect("peek"), Some(&b"a"[..]));
    assert_eq!(lines(&mut source).expect("lines"), [&b"a"[..], &b""[..], &b"\xef\xbb\xbfb"[..]]);
    assert_eq!(source.number(), 3);
}

#[test]
fn a_gzip_file_cut_short_names_the_line_it_was_at() {
    let text: String = (0..20_000).map(|n| format!("{}\n", n * 7919 % 10_007)).collect();
    let mut bytes = gzip(text.as_bytes());
    bytes.truncate(bytes.len() / 2);
    let mut source = Source::from_bytes("x.gz", bytes).expect("open");
    let error = lines(&mut source).expect_err("cut short");
    let reached = source.number() + 1;
    assert!(reached > 100);
    assert_eq!(
        format!("{}: {}", error.place, error.problem),
        format!("x.gz:{reached}: the gzip file is cut short here")
    );
}

#[test]
fn zeros_after_a_gzip_file_are_skipped_and_anything_else_is_damage() {
    let zeros = vec![0; 300_000];
    let bytes = [gzip(b"a\nb\n"), gzip(b"c\n"), zeros].concat();
    let mut source = Source::from_bytes("x.gz", bytes).expect("open");
    assert_eq!(lines(&mut source).expect("lines"), [b"a", b"b", b"c"]);
    for more in [&b"\0\0garbage, and more of it"[..], b"garbage, and more of it"] {
        let bytes = [gzip(b"a\n"), more.to_vec()].concat();
        let mut source = Source::from_bytes("x.gz", bytes).expect("open");
        let error = lines(&mut source).expect_err("damaged");
        assert!(error.problem.starts_with("the gzip file is damaged here"), "{}", error.problem);
    }
}

#[test]
fn utf_16_is_read_as_text_with_a_mark_and_without() {
    let wide = |order: fn(u16) -> [u8; 2], mark: &str| -> Vec<u8> {
        format!("{mark}some words\nmôre\n").encode_utf16().flat_map(order).collect()
    };
    for bytes in [
        wide(u16::to_be_bytes, ""),
        wide(u16::to_le_bytes, ""),
        wide(u16::to_be_bytes, "\u{feff}"),
        gzip(&wide(u16::to_le_bytes, "\u{feff}")),
    ] {
        let mut source = Source::from_bytes("x", bytes.clone()).expect("open");
        assert_eq!(lines(&mut source).expect("lines"), [&b"some words"[..], "môre".as_bytes()]);
        let mut rest = String::new();
        let mut source = Source::from_bytes("x", bytes).expect("open");
        source.peek(0).expect("peek");
        source.read_to_string(&mut rest).expect("read");
        assert_eq!(rest, "some words\nmôre\n");
    }
}

#[test]
fn gzip_files_joined_end_to_end_are_one_source() {
    let mut bytes = gzip(b"a\nb\n");
    bytes.extend(gzip(b"c\n"));
    let mut source = Source::from_bytes("x.gz", bytes).expect("open");
    assert_eq!(lines(&mut source).expect("lines").len(), 3);
}

#[test]
fn a_line_over_the_limit_is_refused() {
    let mut source = Source::from_bytes("x", b"short\nrather long\n".to_vec()).expect("open");
    source.longest_line = 8;
    let error = lines(&mut source).expect_err("too long");
    assert!((error.place.line, error.problem.starts_with("a line longer than")) == (2, true));
}

proptest! {
    #[test]
    fn gzip_reads_as_plain_does_and_peeking_takes_nothing(
        text in "([a-z \r]{0,12}\n){0,30}[a-z]{0,3}", ahead in 0usize..6,
    ) {
        let mut plain = Source::from_bytes("x", text.clone().into_bytes()).expect("open");
        let mut packed = Source::from_bytes("x", gzip(text.as_bytes())).expect("open");
        packed.peek(ahead).expect("peek");
        prop_assert_eq!(lines(&mut plain).expect("plain"), lines(&mut packed).expect("packed"));
    }

    #[test]
    fn no_bytes_make_reading_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = Source::from_bytes("x", bytes.clone()).map(|mut s| lines(&mut s));
        bytes.splice(..0, [0x1f, 0x8b, 8, 0]);
        let _ = Source::from_bytes("x", bytes).map(|mut s| lines(&mut s));
    }
}
