//! Chinese and Japanese words by ICU's dictionary: of all ways to split a run of characters, the one with the
//! least total cost.
//! ICU's own segmenter for Rust takes the longest word at every position, which finds 和牛 in 蔬菜和牛肉.
//!
//! # Source
//! ICU's `CjkBreakEngine` (dictbe.cpp): a word costs −log of its frequency, as in the dictionary. A character
//! that is not a word costs 255, and runs of katakana depend on their length.

use icu_provider::prelude::*;
use icu_segmenter::provider::{Baked, DictionaryBreakData, SegmenterDictionaryAutoV2};

/// Cost of a character that is not a word.
const NO_WORD: u32 = 255;
/// Cost of a run of katakana by its length, from 1: most are loanwords, and no dictionary is complete.
const KATAKANA: [u32; 8] = [984, 408, 240, 204, 252, 300, 372, 480];
/// Cost of a longer run.
const LONG_KATAKANA: u32 = 8192;
/// Maximum number of characters of a run of katakana that may be one word, and of a word.
const MAX_WORD_CHARACTERS: usize = 20;

/// The dictionary; `None` only if other data was compiled in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dictionary(Option<&'static DictionaryBreakData<'static>>);

impl Default for Dictionary {
    fn default() -> Self {
        let name = DataMarkerAttributes::from_str_or_panic("cjdict");
        let id = DataIdentifierBorrowed::for_marker_attributes(name);
        let found: Result<DataResponse<SegmenterDictionaryAutoV2>, _> =
            Baked.load(DataRequest { id, ..DataRequest::default() });
        Self(found.ok().and_then(|response| response.payload.get_static()))
    }
}

impl Dictionary {
    /// The ends of the words of a run, in bytes. O(n) times the longest word.
    pub(super) fn ends(&self, run: &str) -> Vec<usize> {
        let trie = match self.0 {
            Some(DictionaryBreakData::Char16Trie(trie)) => trie,
            _ => return run.char_indices().skip(1).map(|(at, _)| at).chain([run.len()]).collect(),
        };
        let letters: Vec<(usize, char)> = run.char_indices().collect();
        let all = letters.len();
        // (least cost of the words up to this position, start of the last of them)
        let mut best = vec![(u32::MAX, 0); all + 1];
        best[0].0 = 0;
        for at in 0..all {
            let cost = best[at].0;
            let mut offer = |end: usize, word: u32| {
                let sum = cost.saturating_add(word);
                if sum < best[end].0 {
                    best[end] = (sum, at);
                }
            };
            let mut cursor = trie.cursor();
            let mut is_word = false;
            for (end, &(_, letter)) in
                (at + 1..).zip(letters[at..].iter().take(MAX_WORD_CHARACTERS))
            {
                cursor.step32(letter.into());
                if let Some(word) = cursor.value() {
                    is_word |= end == at + 1;
                    offer(end, word.unsigned_abs());
                }
                if cursor.is_empty() {
                    break;
                }
            }
            if !is_word {
                offer(at + 1, NO_WORD);
            }
            let is_katakana = |at: usize| letters.get(at).is_some_and(|&(_, c)| is_katakana(c));
            if is_katakana(at) && !at.checked_sub(1).is_some_and(is_katakana) {
                let length =
                    letters[at..].iter().take_while(|&&(_, c)| self::is_katakana(c)).count();
                if length < MAX_WORD_CHARACTERS {
                    offer(at + length, KATAKANA.get(length - 1).copied().unwrap_or(LONG_KATAKANA));
                }
            }
        }
        let byte = |at: usize| letters.get(at).map_or(run.len(), |&(byte, _)| byte);
        let before = |&at: &usize| (at > 0).then(|| best[at].1).filter(|&before| before > 0);
        let mut ends: Vec<usize> =
            std::iter::successors(Some(all).filter(|&all| all > 0), before).map(byte).collect();
        ends.reverse();
        ends
    }
}

fn is_katakana(letter: char) -> bool {
    matches!(letter, '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30fe}' | '\u{ff66}'..='\u{ff9f}')
}
