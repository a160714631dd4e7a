//! Whatever bytes come, what reads them answers or says on one line why not. A few seconds in `cargo test`;
//! `.ci/fuzz MINUTES` tries for longer, with `TOPOI_FUZZ_CASES` as many cases of each kind.

mod files;
mod inputs;
mod stores;
mod written;

use std::ops::Range;

use proptest::prelude::*;
use proptest::sample::Index;

/// Cases of a kind of input; those that start processes are fewer.
fn cases(usual: u32) -> ProptestConfig {
    let asked = std::env::var("TOPOI_FUZZ_CASES").ok().and_then(|text| text.parse().ok());
    let cases = asked.map_or(usual, |asked: u32| asked * usual / 256);
    ProptestConfig { max_shrink_iters: 500, ..ProptestConfig::with_cases(cases.max(1)) }
}

/// A change of some bytes.
#[derive(Debug, Clone)]
enum Change {
    Flip(Index, u8),
    Insert(Index, Vec<u8>),
    Remove(Index, u8),
    Repeat(Index, u8),
    CutOff(Index),
}

/// What has a meaning to some parser.
static WORDS: [&[u8]; 24] = [
    b"\n",
    b"\r\n",
    b"\"",
    b",",
    b"\t",
    b":",
    b"|",
    b"-1",
    b"0",
    b"18446744073709551616",
    b"1e999",
    b"nan",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\0",
    b"{",
    b"[[[[[[[[",
    b"}",
    b"%%MatrixMarket",
    b"#",
    b"'",
    b"\x1f\x8b\x08\0",
    b"\x28\xb5\x2f\xfd",
    b"4294967296",
];

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = prop_oneof![
        (any::<Index>(), 0..8u8).prop_map(|(at, bit)| Change::Flip(at, 1 << bit)),
        (any::<Index>(), prop::sample::select(&WORDS[..]))
            .prop_map(|(at, word)| Change::Insert(at, word.to_vec())),
        (any::<Index>(), any::<u8>()).prop_map(|(at, count)| Change::Remove(at, count)),
        (any::<Index>(), any::<u8>()).prop_map(|(at, count)| Change::Repeat(at, count)),
        any::<Index>().prop_map(Change::CutOff),
    ];
    prop::collection::vec(change, 1..6)
}

/// At most `count` of the bytes.
fn some(bytes: &[u8], from: &Index, count: u8) -> Range<usize> {
    let from = from.index(bytes.len());
    from..(from + usize::from(count)).min(bytes.len())
}

fn changed(bytes: &[u8], changes: &[Change]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for change in changes {
        if bytes.is_empty() {
            break;
        }
        match change {
            Change::Flip(at, bits) => {
                let at = at.index(bytes.len());
                bytes[at] ^= bits;
            }
            Change::Insert(at, word) => {
                let at = at.index(bytes.len());
                bytes.splice(at..at, word.iter().copied());
            }
            Change::Remove(at, count) => {
                let some = some(&bytes, at, *count);
                bytes.drain(some);
            }
            Change::Repeat(at, count) => {
                let some = some(&bytes, at, *count);
                let again = bytes[some.clone()].to_vec();
                bytes.splice(some.start..some.start, again);
            }
            Change::CutOff(at) => bytes.truncate(at.index(bytes.len())),
        }
    }
    bytes
}

/// Refused with one line, or not at all.
fn is_told<T>(outcome: Result<T, impl std::fmt::Display>) {
    if let Err(error) = outcome {
        let error = error.to_string();
        assert!(!error.is_empty() && error.lines().count() == 1, "{error:?}");
    }
}
