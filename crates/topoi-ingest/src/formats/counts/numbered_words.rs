//! Documents of numbered words: the `feature:count` pairs of LDA-C and SVMlight, and the mapping of numbers to
//! words.

use crate::batches::record::Content;
use crate::error::{InputLocation, Mistake, Reading, excerpt};
use topoi_store::ingest::sort_and_sum;

/// Maps the numbers of words to words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WordNumbers {
    /// Positions in the corpus of the vocabulary's words; without a vocabulary, the numbers themselves are the
    /// words.
    pub(crate) positions: Option<Vec<u32>>,
    /// Number of the first word: 0 or 1.
    pub(crate) first: u64,
}

impl WordNumbers {
    /// The content of a document given as (number, count) pairs.
    ///
    /// # Errors
    /// If a number is outside the vocabulary, or counts overflow 32 bits.
    pub(crate) fn content(&self, pairs: &[(u64, u32)], place: &InputLocation) -> Reading<Content> {
        let mut entries = Vec::with_capacity(pairs.len());
        for &(number, count) in pairs.iter().filter(|&&(_, count)| count > 0) {
            entries.push((self.index(number, place)?, count));
        }
        if let Some(index) = sort_and_sum(&mut entries) {
            let number = u64::from(index) + self.first;
            let problem = format!("word {number} occurs more than 4294967295 times");
            return Err(Mistake::document(place.clone(), problem, "correct the counts"));
        }
        let Some(positions) = &self.positions else {
            let word = |(index, count)| ((u64::from(index) + self.first).to_string(), count);
            return Ok(Content::Terms(entries.into_iter().map(word).collect()));
        };
        entries.iter_mut().for_each(|entry| entry.0 = positions[entry.0 as usize]);
        // Two vocabularies can have their words in different orders.
        sort_and_sum(&mut entries);
        Ok(Content::Entries(entries))
    }

    fn index(&self, number: u64, place: &InputLocation) -> Reading<u32> {
        let words = self.positions.as_ref().map_or(u64::from(u32::MAX), |p| p.len() as u64);
        let index = number.checked_sub(self.first).filter(|&index| index < words);
        index.and_then(|index| u32::try_from(index).ok()).ok_or_else(|| {
            let last = (words + self.first).saturating_sub(1);
            let problem =
                format!("word {number} is outside the vocabulary's {} to {last}", self.first);
            let remedy = if number == 0 {
                "give --zero-based if words are counted from 0, or correct the line"
            } else {
                "give the vocabulary that belongs to it with --vocab FILE, or correct the line"
            };
            Mistake::document(place.clone(), problem, remedy)
        })
    }
}

/// Parses a pair `number:count`. The count may be written as a real number but must be an integer.
pub(crate) fn parse_pair(text: &str) -> Option<(u64, u32)> {
    let (number, value) = text.split_once(':')?;
    Some((number.parse().ok()?, parse_count(value)?))
}

/// Parses a count from 0 to 2³²−1 in any usual notation: 3, 3.0, 3e0.
pub(crate) fn parse_count(text: &str) -> Option<u32> {
    if let Ok(count) = text.parse() {
        return Some(count);
    }
    let value: f64 = text.parse().ok()?;
    let fits = value.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&value);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "if it fits")]
    let count = value as u32;
    fits.then_some(count)
}

/// The error for an invalid pair.
pub(crate) fn invalid_pair(found: &str, place: &InputLocation) -> Mistake {
    let found = excerpt(found.as_bytes());
    let problem = format!("expected a pair word:count of whole numbers, found {found}");
    Mistake::document(
        place.clone(),
        problem,
        "correct the line (counts must be whole, not weights)",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_whole_numbers_however_they_are_written() {
        for text in ["3", "3.0", "3e0", "+3"] {
            assert_eq!(parse_count(text), Some(3), "{text}");
        }
        for text in ["-3", "0.5", "x", "", "4294967296", "inf", "NaN"] {
            assert_eq!(parse_count(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_stand_for_words_of_the_vocabulary_or_for_themselves() {
        let place = InputLocation { file: "x".into(), line: 1 };
        let words = WordNumbers { positions: Some(vec![7, 3]), first: 1 };
        let content = words.content(&[(1, 2), (2, 1), (1, 1)], &place).expect("content");
        assert_eq!(content, Content::Entries(vec![(3, 1), (7, 3)]));
        let error = words.content(&[(3, 1)], &place).expect_err("outside");
        assert_eq!(error.problem, "word 3 is outside the vocabulary's 1 to 2");
        assert!(
            words.content(&[(0, 1)], &place).expect_err("zero").remedy.contains("--zero-based")
        );
        let words = WordNumbers { positions: None, first: 0 };
        let content = words.content(&[(12, 2), (3, 0)], &place).expect("content");
        assert_eq!(content, Content::Terms(vec![("12".into(), 2)]));
    }
}
