//! The stretch of a text that says most of what one looks for.

use std::collections::{HashMap, VecDeque};

use unicode_segmentation::UnicodeSegmentation;

use crate::ingest::tokens::given::GivenTokens;
use crate::ingest::tokens::words_in_text::pieces;
use crate::ingest::{CorpusSettings, Tokenizer};
use crate::store::corpus::Corpus;

/// So many bytes of a text are looked at: who reads a list does not wait for whole books.
const MOST_BYTES: usize = 40_000;

/// Part of a text on one line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snippet {
    /// (letters, whether it is a word that was looked for), in the order of the text.
    pub parts: Vec<(String, bool)>,
    /// Whether there is text before it.
    pub begins_within: bool,
}

/// A part of a text: a word, or what lies between words.
struct Part<'t> {
    text: &'t str,
    /// The place of the term that was looked for in `terms`.
    term: Option<usize>,
}

/// What made terms of the words of a corpus's texts.
pub fn tokenizer_of(corpus: &Corpus) -> Tokenizer {
    let tokens = match serde_json::from_str(&corpus.settings) {
        Ok(CorpusSettings::Text { tokens, .. }) => tokens,
        _ => crate::ingest::TokenSettings::default(),
    };
    Tokenizer::new(&tokens)
}

/// How long a snippet is, in letters.
#[derive(Debug, Clone, Copy)]
pub struct Length {
    /// So many hold as many terms as possible,
    pub dense: usize,
    /// and what follows in the text makes up these.
    pub all: usize,
}

/// The stretch of `text` with most of `terms` in it, each counted once; of equal ones the first. Words of
/// the text become terms as `tokenizer` makes them, unless `tokens` (JSON) were given beside it.
pub fn snippet(
    tokenizer: &Tokenizer,
    text: &str,
    tokens: Option<&str>,
    terms: &[&str],
    length: Length,
) -> Snippet {
    let text = beginning(text);
    let found = match tokens.and_then(GivenTokens::saved) {
        Some(given) => pieces(text, given.placed(text)),
        None => tokenizer.pieces(text),
    };
    let parts = parts(tokenizer, found, terms);
    let Some((from, to)) = best_window(&parts, length) else { return Snippet::default() };
    let mut found = Snippet { parts: Vec::new(), begins_within: from > 0 };
    for part in &parts[from..to] {
        let is_blank = part.text.trim().is_empty();
        let text = if is_blank { " " } else { part.text };
        match found.parts.last_mut().filter(|(_, lit)| !lit && part.term.is_none()) {
            Some((last, _)) if is_blank && last.ends_with(' ') => {}
            Some((last, _)) => last.push_str(text),
            None => found.parts.push((text.to_string(), part.term.is_some())),
        }
    }
    found
}

fn beginning(text: &str) -> &str {
    let mut end = text.len().min(MOST_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn parts<'t>(
    tokenizer: &Tokenizer,
    found: Vec<(&'t str, Vec<String>)>,
    terms: &[&str],
) -> Vec<Part<'t>> {
    let mut places: HashMap<String, usize> = HashMap::new();
    for (at, term) in terms.iter().enumerate() {
        for term in tokenizer.terms_shown_as(term) {
            places.entry(term).or_insert(at);
        }
    }
    let mut parts = Vec::new();
    for (piece, terms) in found {
        match terms.iter().find_map(|term| places.get(term)) {
            Some(&term) => parts.push(Part { text: piece, term: Some(term) }),
            // Short, so that a window can begin and end anywhere.
            None => parts.extend(piece.split_word_bounds().map(|text| Part { text, term: None })),
        }
    }
    parts
}

/// From which part to which; `None` for a text of blanks.
fn best_window(parts: &[Part<'_>], length: Length) -> Option<(usize, usize)> {
    let first = parts.iter().position(|part| !part.text.trim().is_empty())?;
    let mut counts: HashMap<usize, usize> = HashMap::new();
    let mut window: VecDeque<usize> = VecDeque::new();
    let (mut best, mut most, mut used) = (None, 0, 0);
    for (at, part) in parts.iter().enumerate().skip(first) {
        window.push_back(at);
        used += part.text.chars().count();
        if let Some(term) = part.term {
            *counts.entry(term).or_default() += 1;
        }
        while used > length.dense && window.len() > 1 {
            let Some(gone) = window.pop_front() else { break };
            used -= parts[gone].text.chars().count();
            if let Some(count) = parts[gone].term.and_then(|term| counts.get_mut(&term)) {
                *count -= 1;
            }
        }
        let held = counts.values().filter(|count| **count > 0).count();
        if held > most || best.is_none() {
            (best, most) = (window.front().map(|&from| (from, at + 1)), held);
        }
    }
    best.map(|(from, to)| filled(parts, from, to, length))
}

/// The window from shortly before its first term, with what follows it.
fn filled(parts: &[Part<'_>], from: usize, to: usize, length: Length) -> (usize, usize) {
    let letters = |part: &Part<'_>| part.text.chars().count();
    let start = (from..to).find(|&at| parts[at].term.is_some());
    let mut from = start.unwrap_or(from);
    let mut before = 0;
    while start.is_some() && from > 0 && before + letters(&parts[from - 1]) <= length.dense / 4 {
        from -= 1;
        before += letters(&parts[from]);
    }
    while from < to && parts[from].text.trim().is_empty() {
        from += 1;
    }
    let mut used: usize = parts[from..to].iter().map(letters).sum();
    let more = parts[to..].iter().take_while(|part| {
        used += letters(part);
        used <= length.all
    });
    (from, to + more.count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ingest::TokenSettings;

    fn found(text: &str, terms: &[&str], dense: usize) -> (String, Vec<String>) {
        let tokenizer = Tokenizer::new(&TokenSettings::default());
        let snippet = snippet(&tokenizer, text, None, terms, Length { dense, all: dense + 10 });
        let whole = snippet.parts.iter().map(|(text, _)| text.as_str()).collect();
        let lit = snippet.parts.into_iter().filter(|(_, lit)| *lit).map(|(text, _)| text).collect();
        (whole, lit)
    }

    #[test]
    fn it_is_the_stretch_with_most_of_the_words_each_counted_once() {
        let text = "A kernel, a kernel, a kernel. Much later\n\n a Kernel\tmachine has a margin.";
        let (whole, lit) = found(text, &["kernel", "margin", "machine"], 36);
        assert!(whole.ends_with("a Kernel machine has a margin."), "{whole}");
        assert_eq!(lit, ["Kernel", "machine", "margin"]);
    }

    #[test]
    fn without_any_of_the_words_it_is_the_beginning() {
        let (whole, lit) = found("  Some words and more of them", &["kernel"], 12);
        assert_eq!((whole.as_str(), lit.len()), ("Some words and more of", 0));
        assert_eq!(found(" \n ", &["kernel"], 12).0, "");
        assert_eq!(found("", &[], 12).0, "");
    }

    #[test]
    fn no_text_is_too_long_and_no_letter_is_cut_in_two() {
        let text = "主題 ".repeat(20_000) + "kernel";
        let (whole, lit) = found(&text, &["kernel"], 10);
        assert!(whole.starts_with("主題") && lit.is_empty());
    }
}
