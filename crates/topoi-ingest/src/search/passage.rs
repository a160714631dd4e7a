//! The sentences around a place of a text, to be quoted.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

/// Characters that a passage has at least, where its paragraph has them.
const SHORTEST: usize = 120;
/// Characters that a passage has at most; a longer sentence is cut at words.
const LONGEST: usize = 600;

/// The passage of `text` around the bytes of `place`: the sentence that has it, with the sentences behind and before it
/// in the same paragraph until it is long enough to be quoted. Without whitespace at its ends.
pub fn passage_around(text: &str, place: Range<usize>) -> Range<usize> {
    let paragraph = paragraph(text, place.start);
    let sentences: Vec<Range<usize>> = text[paragraph.clone()]
        .split_sentence_bound_indices()
        .map(|(at, sentence)| paragraph.start + at..paragraph.start + at + sentence.len())
        .collect();
    let has_place = |sentence: &Range<usize>| sentence.end > place.start;
    let Some(first) = sentences.iter().position(has_place) else { return trimmed(text, paragraph) };
    let (mut from, mut to) = (first, first + 1);
    while to < sentences.len() && sentences[to - 1].end < place.end {
        to += 1;
    }
    let length =
        |from: usize, to: usize| text[sentences[from].start..sentences[to - 1].end].chars().count();
    while length(from, to) < SHORTEST && (from > 0 || to < sentences.len()) {
        let (wider_from, wider_to) =
            if to < sentences.len() { (from, to + 1) } else { (from - 1, to) };
        if length(wider_from, wider_to) > LONGEST {
            break;
        }
        (from, to) = (wider_from, wider_to);
    }
    let found = sentences[from].start..sentences[to - 1].end;
    trimmed(text, cut(text, found, &place))
}

/// The paragraph, which empty lines part from others, that has the byte `at`.
fn paragraph(text: &str, at: usize) -> Range<usize> {
    let mut start = 0;
    let mut end = 0;
    let mut is_behind = false;
    for line in text.split_inclusive('\n') {
        let is_empty = line.trim().is_empty();
        let line_end = end + line.len();
        if is_empty && is_behind {
            return start..end;
        }
        if is_empty {
            start = line_end;
        }
        is_behind |= at < line_end && !is_empty;
        end = line_end;
    }
    start.min(end)..end
}

/// At most [`LONGEST`] characters of `found`, around `place`, that begin and end at words.
fn cut(text: &str, found: Range<usize>, place: &Range<usize>) -> Range<usize> {
    let inside = &text[found.clone()];
    if inside.chars().count() <= LONGEST {
        return found;
    }
    let before = text[found.start..place.start.max(found.start)].chars().count();
    let first = before.saturating_sub(LONGEST / 3);
    let byte = |count: usize| inside.char_indices().nth(count).map_or(inside.len(), |(at, _)| at);
    let (start, end) = (byte(first), byte(first + LONGEST));
    let start = match first {
        0 => 0,
        _ => inside[start..].find(char::is_whitespace).map_or(start, |blank| start + blank),
    };
    let end = if end == inside.len() {
        end
    } else {
        inside[..end].rfind(char::is_whitespace).unwrap_or(end)
    };
    if start >= end { found } else { found.start + start..found.start + end }
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inside = &text[range.clone()];
    let start = range.start + (inside.len() - inside.trim_start().len());
    start..(start + inside.trim().len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn around(text: &str, word: &str) -> String {
        let at = text.find(word).expect("the word");
        text[passage_around(text, at..at + word.len())].to_string()
    }

    #[test]
    fn a_passage_is_whole_sentences_of_one_paragraph() {
        let text = "A title\n\nThe rook moves first. It is a short game, and it was played in London by two men \
            who had never met before that day or after it. The king fell.\n\nAnother paragraph.";
        let whole = "The rook moves first. It is a short game, and it was played in London by two men who had \
            never met before that day or after it.";
        assert_eq!(around(text, "rook"), whole);
        assert_eq!(around(text, "Another"), "Another paragraph.");
        assert_eq!(around(text, "title"), "A title");
    }

    #[test]
    fn a_long_sentence_is_cut_at_words_around_its_place() {
        let text = format!("{} rook {}", "one ".repeat(500), "two ".repeat(500));
        let passage = around(&text, "rook");
        assert!(passage.chars().count() <= LONGEST && passage.contains(" rook "));
        assert!(passage.starts_with("one") && passage.ends_with("two"), "{passage}");
    }

    proptest! {
        #[test]
        fn a_passage_has_its_place(text in "[a-c.! \n\u{e9}\u{4e00}]{1,400}", at in 0usize..400) {
            let starts: Vec<usize> = text.char_indices().filter(|(_, c)| !c.is_whitespace()).map(|(i, _)| i).collect();
            prop_assume!(!starts.is_empty());
            let start = starts[at % starts.len()];
            let end = start + text[start..].chars().next().map_or(0, char::len_utf8);
            let found = passage_around(&text, start..end);
            prop_assert!(found.start <= start && found.end >= end);
            prop_assert_eq!(text[found.clone()].trim(), &text[found]);
        }
    }
}
