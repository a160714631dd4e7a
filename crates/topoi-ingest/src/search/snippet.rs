//! A part of a text around a match.

use std::collections::HashMap;
use std::ops::Range;

use crate::Tokenizer;
use crate::tokens::given::GivenTokens;
use crate::tokens::words_in_text::PlacedTerm;
use topoi_store::search::expression::Expression;

/// A piece of a snippet.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Piece {
    /// Its text, with whitespace collapsed.
    pub text: String,
    /// Whether it matches the query.
    pub is_hit: bool,
}

/// Bytes of a text in which a match is looked for, in increasing steps. A list has many texts, and most have a
/// match near the beginning.
const SEARCHED_BYTES: [usize; 3] = [1 << 14, 1 << 16, 1 << 18];

/// How much of a text is shown, and from where.
#[derive(Clone, Copy)]
struct Window<'a> {
    /// Bytes in which hits are looked for; the first that have any are enough.
    steps: &'a [usize],
    /// Characters that are shown.
    width: usize,
    /// Whether the window begins earlier where the text ends in it.
    is_filled: bool,
}

impl Window<'_> {
    fn of_list(width: usize) -> Self {
        Self { steps: &SEARCHED_BYTES, width, is_filled: false }
    }
}

/// An occurrence of a phrase in a text.
struct Hit {
    place: Range<usize>,
    /// Index of the phrase.
    phrase: usize,
}

/// Byte ranges of the phrases in a text, ascending and disjoint.
pub(super) fn places(text: &str, tokenizer: &Tokenizer, lit: &[&Expression]) -> Vec<Range<usize>> {
    joined(&hits(text, tokenizer, lit))
}

fn hits(text: &str, tokenizer: &Tokenizer, lit: &[&Expression]) -> Vec<Hit> {
    let words = tokenizer.words(text);
    let plain: Vec<&str> = words.iter().map(|placed| &*placed.word).collect();
    let mut hits = Vec::new();
    for (number, part) in lit.iter().enumerate() {
        hits.extend(part.occurrences(&plain).into_iter().map(|at| {
            let place = words[at.start].place.start..words[at.end - 1].place.end;
            Hit { place, phrase: number }
        }));
    }
    hits.sort_by_key(|hit| (hit.place.start, hit.place.end));
    hits
}

fn joined(hits: &[Hit]) -> Vec<Range<usize>> {
    let mut apart: Vec<Range<usize>> = Vec::new();
    for place in hits.iter().map(|hit| &hit.place) {
        match apart.last_mut().filter(|last| place.start < last.end) {
            Some(last) => last.end = last.end.max(place.end),
            None => apart.push(place.clone()),
        }
    }
    apart
}

/// A part of `text` of about `width` characters, cut at words, with as many different phrases as possible; ties
/// go to the first. If no phrase occurs, the beginning of the text.
pub(super) fn snippet(
    text: &str,
    tokenizer: &Tokenizer,
    lit: &[&Expression],
    width: usize,
) -> Vec<Piece> {
    cut(text, lit.len(), |part| hits(part, tokenizer, lit), Window::of_list(width))
}

/// As `around_terms`, for few texts: where the terms are densest in the first 256 KB, and with more of the text before them
/// where it ends soon after them.
pub fn densest_passage(
    text: &str,
    tokenizer: &Tokenizer,
    tokens: Option<&str>,
    terms: &[&str],
    width: usize,
) -> Vec<Piece> {
    let steps = &SEARCHED_BYTES[SEARCHED_BYTES.len() - 1..];
    around(text, tokenizer, tokens, terms, Window { steps, width, is_filled: true })
}

/// As `snippet`, around terms of a corpus as topics display them. `tokens` (JSON) are those that the source
/// gave beside the text.
pub fn around_terms(
    text: &str,
    tokenizer: &Tokenizer,
    tokens: Option<&str>,
    terms: &[&str],
    width: usize,
) -> Vec<Piece> {
    around(text, tokenizer, tokens, terms, Window::of_list(width))
}

fn around(
    text: &str,
    tokenizer: &Tokenizer,
    tokens: Option<&str>,
    terms: &[&str],
    window: Window<'_>,
) -> Vec<Piece> {
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for (number, term) in terms.iter().enumerate() {
        for term in tokenizer.terms_shown_as(term) {
            numbers.entry(term).or_insert(number);
        }
    }
    let given = tokens.and_then(GivenTokens::from_json);
    let look = |part: &str| {
        let placed = match &given {
            Some(given) => given.placed(part),
            None => tokenizer.placed_terms(part),
        };
        let hit = |placed: PlacedTerm| {
            Some(Hit { phrase: *numbers.get(&placed.term)?, place: placed.place })
        };
        let mut hits: Vec<Hit> = placed.into_iter().filter_map(hit).collect();
        hits.sort_by_key(|hit| (hit.place.start, hit.place.end));
        hits
    };
    cut(text, terms.len(), look, window)
}

/// The pieces, with the hits that `look` finds.
fn cut(
    text: &str,
    phrases: usize,
    look: impl Fn(&str) -> Vec<Hit>,
    Window { steps, width, is_filled }: Window<'_>,
) -> Vec<Piece> {
    let look = |bytes| look(&text[..text.floor_char_boundary(bytes)]);
    let mut looked = 0;
    let further = |&bytes: &usize| std::mem::replace(&mut looked, bytes) < text.len();
    let mut found = steps.iter().copied().take_while(further).map(look);
    let hits = found.find(|hits| !hits.is_empty()).unwrap_or_default();
    let first = densest(text, &hits, phrases, width - width / 3);
    let after = if is_filled { text[first..].chars().take(width).count() } else { width };
    let start = beginning(text, first, (width / 3).max(width - after));
    let mut left = width;
    let mut pieces = Vec::new();
    if start > 0 {
        push(&mut pieces, "… ", false);
        left = left.saturating_sub(2);
    }
    let mut at = start;
    let shown = joined(&hits).into_iter().filter(|hit| hit.start >= start);
    for hit in shown.map(Some).chain([None]) {
        let until = hit.as_ref().map_or(text.len(), |hit| hit.start);
        at += take(&mut pieces, &text[at..until], false, &mut left);
        if let Some(hit) = hit.filter(|_| left > 0) {
            at = hit.end;
            take(&mut pieces, &text[hit], true, &mut left);
        }
        if left == 0 {
            break;
        }
    }
    let has_more = !text[at.min(text.len())..].trim().is_empty();
    if has_more {
        let ends_blank = pieces.last().is_some_and(|last| last.text.ends_with(' '));
        push(&mut pieces, if ends_blank { "…" } else { " …" }, false);
    }
    pieces
}

/// The start of the first window of `width` characters with the most different phrases.
fn densest(text: &str, hits: &[Hit], phrases: usize, width: usize) -> usize {
    let mut counts = vec![0_u32; phrases];
    let (mut held, mut from) = (0, 0);
    let (mut most, mut best) = (0, 0);
    for hit in hits {
        held += usize::from(counts[hit.phrase] == 0);
        counts[hit.phrase] += 1;
        let end = hit.place.end;
        // Bytes are compared first: there are at least as many bytes as characters, which are counted only
        // where they can decide.
        while hits[from].place.start < hit.place.start
            && end - hits[from].place.start > width
            && text[hits[from].place.start..end].chars().count() > width
        {
            counts[hits[from].phrase] -= 1;
            held -= usize::from(counts[hits[from].phrase] == 0);
            from += 1;
        }
        if held > most {
            (most, best) = (held, hits[from].place.start);
        }
    }
    best
}

/// The start of a word, at most `before` characters before `at`.
fn beginning(text: &str, at: usize, before: usize) -> usize {
    let start = text[..at].char_indices().rev().take(before).last().map_or(at, |(start, _)| start);
    if start == 0 {
        return 0;
    }
    let Some(blank) = text[start..at].find(char::is_whitespace) else { return start };
    at - text[start + blank..at].trim_start().len()
}

/// Takes characters of `text` until `left` is used up; returns the number of bytes taken.
fn take(pieces: &mut Vec<Piece>, text: &str, is_hit: bool, left: &mut usize) -> usize {
    let mut taken = String::new();
    let mut bytes = 0;
    for c in text.chars() {
        // A hit is not truncated unless it is long.
        if *left == 0 && !(is_hit && taken.len() < 40) {
            // A partial word is dropped.
            let end = taken.rfind(' ').filter(|_| !is_hit && !c.is_whitespace());
            taken.truncate(end.unwrap_or(taken.len()));
            break;
        }
        bytes += c.len_utf8();
        if !c.is_whitespace() {
            taken.push(c);
        } else if !taken.ends_with(' ') {
            taken.push(' ');
        } else {
            continue;
        }
        *left = left.saturating_sub(1);
    }
    push(pieces, &taken, is_hit);
    bytes
}

fn push(pieces: &mut Vec<Piece>, text: &str, is_hit: bool) {
    if text.is_empty() {
        return;
    }
    match pieces.last_mut().filter(|last| last.is_hit == is_hit) {
        Some(last) => last.text.push_str(text),
        None => pieces.push(Piece { text: text.into(), is_hit }),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use topoi_store::search::expression::Phrase;
    use topoi_store::search::pattern::Word;

    use super::*;
    use crate::TokenSettings;

    fn phrase(tokenizer: &Tokenizer, words: &str) -> Expression {
        let words = tokenizer.plain_words(words).into_iter().map(Word::Exact).collect();
        Expression::Phrase(Phrase { field: None, words })
    }

    fn shown(text: &str, words: &[&str], width: usize) -> String {
        let tokenizer = Tokenizer::new(&TokenSettings::default());
        let phrases: Vec<Expression> =
            words.iter().map(|words| phrase(&tokenizer, words)).collect();
        let lit: Vec<&Expression> = phrases.iter().collect();
        let pieces = snippet(text, &tokenizer, &lit, width);
        let shown = pieces.iter().map(|piece| match piece.is_hit {
            true => format!("[{}]", piece.text),
            false => piece.text.clone(),
        });
        shown.collect()
    }

    #[test]
    fn hits_are_shown_with_the_words_around_them() {
        let text = "One two three four\n\nfive Six seven eight nine ten eleven twelve";
        assert_eq!(shown(text, &["six"], 24), "… five [Six] seven eight …");
        assert_eq!(shown(text, &["one", "two three"], 18), "[One] [two three] four …");
        assert_eq!(shown(text, &["nothing"], 9), "One two …");
        assert_eq!(shown("short", &["short"], 80), "[short]");
        let late = format!("{} late", "word ".repeat(9000));
        assert_eq!(shown(&late, &["late"], 15), "… [late]");
        assert_eq!(shown("", &["short"], 80), "");
    }

    #[test]
    fn a_snippet_is_the_window_with_the_most_different_words() {
        let text = "A kernel, a kernel, a kernel. Much later\n\n a Kernel\tmachine has a margin.";
        let shown = shown(text, &["kernel", "margin", "machine"], 40);
        assert_eq!(shown, "… later a [Kernel] [machine] has a [margin].");
    }

    #[test]
    fn a_passage_is_from_the_whole_text_where_a_list_has_the_first_part_with_a_hit() {
        let tokenizer = Tokenizer::new(&TokenSettings::default());
        let text = format!("kernel {}kernel machine margin", "word ".repeat(9000));
        let terms = ["kernel", "machine", "margin"];
        let hits = |pieces: Vec<Piece>| pieces.iter().filter(|piece| piece.is_hit).count();
        assert_eq!(hits(around_terms(&text, &tokenizer, None, &terms, 60)), 1);
        let passage = densest_passage(&text, &tokenizer, None, &terms, 60);
        let letters: usize = passage.iter().map(|piece| piece.text.chars().count()).sum();
        assert!((55..=62).contains(&letters), "{passage:?}");
        assert_eq!(hits(passage), 3);
    }

    #[test]
    fn long_texts_are_truncated_between_characters() {
        let text = "主題 ".repeat(60_000) + "kernel";
        assert_eq!(shown(&text, &["kernel"], 10), "主題 主題 主題 …");
    }

    #[test]
    fn hits_that_overlap_are_one() {
        let tokenizer = Tokenizer::new(&TokenSettings::default());
        let (one, two) = (phrase(&tokenizer, "a b"), phrase(&tokenizer, "b c"));
        assert_eq!(places("a b c, a b", &tokenizer, &[&one, &two]), [0..5, 7..10]);
    }

    proptest! {
        #[test]
        fn a_snippet_is_as_long_as_asked_for(text in "([a-c市é\u{301}]| |\n){0,60}", width in 0_usize..40) {
            let length = shown(&text, &["a", "b c"], width).chars().filter(|c| !"[]".contains(*c)).count();
            prop_assert!(length <= width + 4 + 40, "{length}");
        }
    }
}
