//! Where a text has what was looked for.

use std::ops::Range;

use topoi_ingest::search::Searcher;
use topoi_store::Store;
use topoi_store::corpus::Corpus;

/// Byte ranges of `text` for which a query was found, ascending. None where the query is not one: then nothing was
/// found by it.
pub fn hits(store: &Store, corpus: &Corpus, text: &str, query: &str) -> Vec<Range<usize>> {
    let Ok(searcher) = Searcher::open(store, corpus) else { return Vec::new() };
    searcher.parse(query).map(|what| searcher.places(text, &what)).unwrap_or_default()
}

/// A part of a text that begins at the byte `at`, cut where what was found in the text begins and ends; each with
/// whether it was found.
pub fn lit<'t>(part: &'t str, at: usize, hits: &[Range<usize>]) -> Vec<(&'t str, bool)> {
    let (mut pieces, mut from) = (Vec::new(), 0);
    let first = hits.partition_point(|hit| hit.end <= at);
    for hit in &hits[first..] {
        let start = part.floor_char_boundary(hit.start.saturating_sub(at));
        let end = part.floor_char_boundary(hit.end - at);
        if start >= part.len() {
            break;
        }
        pieces.extend([(&part[from..start.max(from)], false), (&part[start.max(from)..end], true)]);
        from = end;
    }
    pieces.push((&part[from..], false));
    pieces.retain(|(piece, _)| !piece.is_empty());
    pieces
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_part_is_cut_where_hits_begin_and_end() {
        let hits = [1..3, 6..12, 14..15];
        assert_eq!(lit("abcdef", 0, &hits), [("a", false), ("bc", true), ("def", false)]);
        assert_eq!(lit("ghi", 6, &hits), [("ghi", true)]);
        assert_eq!(lit("kl mn", 10, &hits), [("kl", true), (" m", false), ("n", true)]);
        assert_eq!(lit("xyz", 20, &hits), [("xyz", false)]);
        assert_eq!(lit("xyz", 0, &[]), [("xyz", false)]);
    }

    proptest! {
        #[test]
        fn the_pieces_are_the_part(part in "[a市é]{0,9}", at in 0_usize..9, ends in prop::collection::vec(0_usize..30, 0..8)) {
            let mut ends = ends;
            ends.sort_unstable();
            ends.dedup();
            let hits: Vec<Range<usize>> = ends.chunks_exact(2).map(|pair| pair[0]..pair[1]).collect();
            let pieces = lit(&part, at, &hits);
            prop_assert_eq!(pieces.iter().map(|piece| piece.0).collect::<String>(), part);
        }
    }
}
