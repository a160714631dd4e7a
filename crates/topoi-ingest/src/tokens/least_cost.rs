//! Chinese and Japanese words by the costs of ICU's dictionary: of all ways to cut a run of characters the one
//! whose words are most frequent together. ICU's own segmenter for Rust takes the longest word at every place,
//! which makes 和牛 of 蔬菜和牛肉.
//!
//! # Source
//! ICU's `CjkBreakEngine` (dictbe.cpp): a word costs −log of its frequency, as the dictionary has it; a
//! character that is no word costs 255, and runs of katakana by their length.

use icu_provider::prelude::*;
use icu_segmenter::provider::{Baked, DictionaryBreakData, SegmenterDictionaryAutoV2};

/// The cost of a character that is no word.
const NO_WORD: u32 = 255;
/// The cost of a run of katakana of a length, from 1; most are loanwords, which no dictionary has all of.
const KATAKANA: [u32; 8] = [984, 408, 240, 204, 252, 300, 372, 480];
/// The cost of a longer run.
const LONG_KATAKANA: u32 = 8192;
/// Characters of the longest run of katakana that may be one word, and of the longest word.
const LONGEST: usize = 20;

/// The dictionary; `None` only where the data that is compiled in is another crate's.
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
        // For every place the least cost of the words up to it, and where the last of them begins.
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
            for (end, &(_, letter)) in (at + 1..).zip(letters[at..].iter().take(LONGEST)) {
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
                if length < LONGEST {
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
