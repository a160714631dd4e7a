//! Splitting long documents into chunks, each a document of its own.
//!
//! A chunk is a range of the text. Without overlap, the concatenated chunks are the text: whitespace between
//! words, paragraphs or pages belongs to the chunk before it.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use regex::{Regex, RegexBuilder};
use unicode_segmentation::UnicodeSegmentation;

use crate::error::{IngestError, Result};

/// Where a text is split.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum ChunkBy {
    /// After every N words (UAX 29; dropped words count too).
    Words(usize),
    /// After blank lines.
    Paragraphs,
    /// After form feeds.
    Pages,
    /// Before every match of a regular expression; ^ and $ match at line ends.
    Matches(String),
}

impl FromStr for ChunkBy {
    type Err = IngestError;

    fn from_str(text: &str) -> Result<Self> {
        let refused = |reason: String| IngestError::ChunkPattern { pattern: text.into(), reason };
        match text {
            "paragraphs" => Ok(Self::Paragraphs),
            "pages" => Ok(Self::Pages),
            _ if text.chars().all(|c| c.is_ascii_digit()) => match text.parse() {
                Ok(words) if words > 0 => Ok(Self::Words(words)),
                _ => Err(refused("chunks of so many words there cannot be".into())),
            },
            _ => {
                let pattern = pattern(text).map_err(|error| {
                    let error = error.to_string();
                    refused(error.lines().last().unwrap_or_default().trim().into())
                })?;
                match pattern.is_match("") {
                    true => Err(refused("it matches where there is nothing".into())),
                    false => Ok(Self::Matches(text.into())),
                }
            }
        }
    }
}

impl fmt::Display for ChunkBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(words) => write!(f, "{words}"),
            Self::Paragraphs => f.write_str("paragraphs"),
            Self::Pages => f.write_str("pages"),
            Self::Matches(pattern) => f.write_str(pattern),
        }
    }
}

impl TryFrom<String> for ChunkBy {
    type Error = IngestError;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl From<ChunkBy> for String {
    fn from(by: ChunkBy) -> Self {
        by.to_string()
    }
}

fn pattern(text: &str) -> std::result::Result<Regex, regex::Error> {
    RegexBuilder::new(text).multi_line(true).build()
}

/// How the documents of a corpus are split into chunks; saved with the corpus.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chunking {
    /// Where a text is split.
    pub by: ChunkBy,
    /// Number of words that a chunk has in common with the previous one.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub overlap: usize,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Requested chunking; an open value is taken from the corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChunkChoice {
    /// Where a text is split.
    pub by: Option<ChunkBy>,
    /// Number of words that a chunk has in common with the previous one.
    pub overlap: Option<usize>,
}

impl ChunkChoice {
    /// The chunking of a corpus whose saved chunking is `saved`.
    ///
    /// # Errors
    /// [`IngestError::Overlap`] if the overlap is impossible.
    pub(crate) fn resolve(&self, saved: Option<&Chunking>) -> Result<Option<Chunking>> {
        let by = self.by.as_ref().or(saved.map(|saved| &saved.by));
        let overlap = self.overlap.or(saved.map(|saved| saved.overlap)).unwrap_or(0);
        let possible = match by {
            _ if overlap == 0 => true,
            Some(ChunkBy::Words(words)) => overlap < *words,
            _ => false,
        };
        match possible {
            true => Ok(by.map(|by| Chunking { by: by.clone(), overlap })),
            false => Err(IngestError::Overlap(overlap)),
        }
    }

    /// Whether nothing is requested.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Splits texts.
#[derive(Debug)]
pub(crate) enum Chunker {
    Words {
        length: usize,
        overlap: usize,
    },
    /// After every match.
    After(Regex),
    /// Before every match.
    Before(Regex),
}

impl Chunker {
    /// # Errors
    /// [`IngestError::ChunkPattern`] if the pattern is invalid, as only a damaged store has it.
    pub(crate) fn new(chunking: &Chunking) -> Result<Self> {
        let compiled = |text: &str| {
            pattern(text).map_err(|error| IngestError::ChunkPattern {
                pattern: text.into(),
                reason: error.to_string().replace('\n', " "),
            })
        };
        Ok(match &chunking.by {
            ChunkBy::Words(length) => Self::Words { length: *length, overlap: chunking.overlap },
            ChunkBy::Paragraphs => Self::After(compiled(r"\n[^\S\n]*\n\s*")?),
            ChunkBy::Pages => Self::After(compiled(r"\x0c")?),
            ChunkBy::Matches(text) => Self::Before(compiled(text)?),
        })
    }

    /// The ranges of the chunks of `text`, in order; at least one.
    pub(crate) fn ranges(&self, text: &str) -> Vec<Range<usize>> {
        let cuts: Vec<usize> = match self {
            Self::Words { length, overlap } => return by_words(text, *length, *overlap),
            Self::After(pattern) => pattern.find_iter(text).map(|found| found.end()).collect(),
            Self::Before(pattern) => pattern.find_iter(text).map(|found| found.start()).collect(),
        };
        let mut ranges = Vec::new();
        let mut start = 0;
        for end in cuts.into_iter().chain([text.len()]) {
            if end > start || ranges.is_empty() && end == text.len() {
                ranges.push(start..end);
                start = end;
            }
        }
        ranges
    }
}

/// Chunks of `length` words that overlap by `overlap`. If fewer than half of the words that a chunk adds are
/// left at the end, they belong to the last chunk.
fn by_words(text: &str, length: usize, overlap: usize) -> Vec<Range<usize>> {
    let starts: Vec<usize> = text.unicode_word_indices().map(|(start, _)| start).collect();
    let step = length.saturating_sub(overlap).max(1);
    let mut ranges = Vec::new();
    let (mut first, mut from) = (0, 0);
    loop {
        let end = first + length;
        if starts.len() < end + step.div_ceil(2) || starts.len() <= end {
            ranges.push(from..text.len());
            return ranges;
        }
        ranges.push(from..starts[end]);
        first += step;
        from = starts[first];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn chunks<'t>(by: &str, overlap: usize, text: &'t str) -> Vec<&'t str> {
        let chunking = Chunking { by: by.parse().expect("a way to cut"), overlap };
        let chunker = Chunker::new(&chunking).expect("a chunker");
        chunker.ranges(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn words_are_counted_and_a_short_rest_goes_to_the_last_chunk() {
        assert_eq!(chunks("2", 0, "a b, c d; e f"), ["a b, ", "c d; ", "e f"]);
        assert_eq!(chunks("4", 0, "a b c d e"), ["a b c d e"]);
        assert_eq!(chunks("4", 0, "a b c d e f"), ["a b c d ", "e f"]);
        assert_eq!(chunks("3", 1, "a b c d e f g"), ["a b c ", "c d e ", "e f g"]);
        assert_eq!(chunks("1", 0, "a b"), ["a ", "b"]);
        assert_eq!(chunks("5", 0, ""), [""]);
        assert_eq!(chunks("2", 0, "天地玄黄"), ["天地", "玄黄"]);
    }

    #[test]
    fn texts_are_cut_at_blank_lines_form_feeds_and_matches() {
        assert_eq!(
            chunks("paragraphs", 0, "a\nb\n \n\nc\r\n\r\nd"),
            ["a\nb\n \n\n", "c\r\n\r\n", "d"]
        );
        assert_eq!(chunks("pages", 0, "a\x0cb\x0c"), ["a\x0c", "b\x0c"]);
        assert_eq!(
            chunks("^CHAPTER", 0, "CHAPTER 1\na\nCHAPTER 2\nb"),
            ["CHAPTER 1\na\n", "CHAPTER 2\nb"]
        );
        assert_eq!(chunks("^CHAPTER", 0, "preface"), ["preface"]);
    }

    #[test]
    fn ways_to_cut_that_make_no_sense_are_refused() {
        let refused = |by: &str| by.parse::<ChunkBy>().expect_err("refused").to_string();
        assert!(refused("0").contains("chunks of so many words"), "{}", refused("0"));
        assert!(refused("99999999999999999999").contains("so many words"));
        assert!(refused("x*").contains("matches where there is nothing"));
        assert!(refused("(").contains("unclosed group"), "{}", refused("("));
        let on = |by: &str, overlap| {
            let by = Some(by.parse().expect("a way to cut"));
            ChunkChoice { by, overlap: Some(overlap) }.resolve(None)
        };
        assert!(on("100", 99).is_ok());
        assert!(matches!(on("100", 100), Err(IngestError::Overlap(100))));
        assert!(matches!(on("pages", 1), Err(IngestError::Overlap(1))));
        assert!(on("pages", 0).is_ok());
        let alone = ChunkChoice { by: None, overlap: Some(3) };
        assert!(matches!(alone.resolve(None), Err(IngestError::Overlap(3))));
    }

    proptest! {
        #[test]
        fn chunks_of_a_text_joined_are_the_text(
            text in r"([a-z天é.]{0,4}[ \n\r\t\x0c]{0,3}){0,40}|\PC{0,60}",
            by in prop::sample::select(vec!["1", "2", "7", "paragraphs", "pages", "b", "[a-m]+"]),
        ) {
            let chunks = chunks(by, 0, &text);
            prop_assert_eq!(chunks.concat(), text.as_str());
            prop_assert!(chunks.len() == 1 || chunks.iter().all(|chunk| !chunk.is_empty()));
        }

        #[test]
        fn every_word_is_in_a_chunk_and_only_neighbours_overlap(
            words in 0usize..60, length in 1usize..12, overlap in 0usize..11,
        ) {
            prop_assume!(overlap < length);
            let text: Vec<String> = (0..words).map(|n| format!("w{n}")).collect();
            let chunks = chunks(&length.to_string(), overlap, &text.join(" "))
                .iter().map(|chunk| chunk.split_whitespace().map(String::from).collect())
                .collect::<Vec<Vec<String>>>();
            let mut joined: Vec<String> = Vec::new();
            for (at, chunk) in chunks.iter().enumerate() {
                let again = if at == 0 { 0 } else { overlap };
                prop_assert!(joined.ends_with(&chunk[..again]));
                joined.extend_from_slice(&chunk[again..]);
            }
            prop_assert_eq!(joined, text);
        }
    }
}
