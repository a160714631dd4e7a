//! Words that a hyphen parts at the end of a line, in printed books and what is read from their pages.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use crate::tokens::{Tokenizer, normalise};

type Words = HashSet<Box<str>, foldhash::fast::RandomState>;
type Pair = (Box<str>, Box<str>);

/// A word in two parts at a line's end.
struct PartedWord {
    before: Range<usize>,
    /// From the hyphen to the first letter of the next line.
    gap: Range<usize>,
    after: Range<usize>,
    /// Whether its sign parts words at the ends of lines only: a soft hyphen, or ¬.
    is_certain: bool,
}

impl PartedWord {
    /// Both parts as words are compared.
    fn pair(&self, text: &str) -> Pair {
        let part = |place: &Range<usize>| normalise(&text[place.clone()], true).into();
        (part(&self.before), part(&self.after))
    }
}

fn is_certain(sign: char) -> bool {
    matches!(sign, '\u{ad}' | '¬')
}

/// Signs that part words at the ends of lines.
pub(crate) fn is_hyphen(c: char) -> bool {
    is_certain(c) || matches!(c, '-' | '\u{2010}' | '\u{2e17}')
}

fn is_of_word(c: char) -> bool {
    c.is_alphabetic() || unicode_normalization::char::is_combining_mark(c)
}

/// The words that are parted at line ends, in order. A blank line or the end of a page can lie between their parts.
fn parted_words(text: &str) -> impl Iterator<Item = PartedWord> + '_ {
    let mut end = 0;
    memchr::memchr_iter(b'\n', text.as_bytes()).filter_map(move |line_end| {
        let line = text.get(end..line_end)?.trim_end_matches([' ', '\t', '\r']);
        let sign = line.chars().next_back().filter(|sign| is_hyphen(*sign))?;
        let sign_start = end + line.len() - sign.len_utf8();
        let word = text[end..sign_start].trim_end_matches(is_of_word).len();
        let before = end + word..sign_start;
        let rest = text[line_end + 1..].trim_start_matches([' ', '\t', '\r', '\u{c}']);
        let rest = rest.strip_prefix('\n').unwrap_or(rest);
        let rest = rest.trim_start_matches([' ', '\t', '\r', '\u{c}']);
        let start = text.len() - rest.len();
        let after = start..start + rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
        let (last, first) =
            (text[before.clone()].chars().next_back()?, text[after.clone()].chars().next()?);
        if first.is_uppercase() && !last.is_uppercase() {
            return None;
        }
        end = start;
        Some(PartedWord { before, gap: sign_start..start, after, is_certain: is_certain(sign) })
    })
}

/// Number of words that are parted at line ends.
pub(super) fn count(text: &str) -> u64 {
    parted_words(text).count() as u64
}

/// The words of texts, and those that are parted at line ends.
#[derive(Debug, Default)]
pub(crate) struct LineEndWords {
    /// Whole words, which are not parts of others, stemmed as the corpus's are.
    words: Words,
    /// Words in two parts, with the number of their occurrences.
    pairs: HashMap<Pair, u64, foldhash::fast::RandomState>,
}

impl LineEndWords {
    /// Adds those of a text.
    pub(crate) fn add(&mut self, text: &str, tokenizer: &Tokenizer) {
        let mut whole = String::with_capacity(text.len());
        let mut end = 0;
        for parted in parted_words(text) {
            *self.pairs.entry(parted.pair(text)).or_default() += 1;
            whole.push_str(text.get(end..parted.before.start).unwrap_or_default());
            whole.push(' ');
            end = parted.after.end;
        }
        whole.push_str(text.get(end..).unwrap_or_default());
        tokenizer.visit_words(&whole, &mut |word| {
            if !self.words.contains(word) {
                self.words.insert(word.into());
            }
        });
    }

    /// Adds those of other texts.
    pub(crate) fn merge(&mut self, other: Self) {
        self.words.extend(other.words);
        for (pair, count) in other.pairs {
            *self.pairs.entry(pair).or_default() += count;
        }
    }

    /// Chooses what is joined: what is a word elsewhere, also a term of the corpus as it is, and what has no part that
    /// is a word. Parts are not looked for among the terms of the corpus, so that the same sources are joined as
    /// before: parts of words that are not joined become terms.
    ///
    /// # Errors
    /// Those of `is_term`.
    pub(crate) fn joined<E>(
        self,
        tokenizer: &Tokenizer,
        mut is_term: impl FnMut(&str) -> Result<bool, E>,
    ) -> Result<JoinedWords, E> {
        let Self { words, pairs } = self;
        let is_word =
            |word: &str| words.contains(&*tokenizer.listed(word)) || tokenizer.is_stop_word(word);
        let mut joined = JoinedWords::default();
        // In an order that depends on the words alone.
        for ((before, after), count) in pairs.into_iter().collect::<BTreeMap<_, _>>() {
            let whole = format!("{before}{after}");
            let is_joined = is_word(&whole)
                || is_term(&tokenizer.listed(&whole))?
                || !(is_word(&before) || is_word(&after));
            let (list, shown) = match is_joined {
                true => (&mut joined.frequent, whole),
                false => (&mut joined.frequent_apart, format!("{before}-{after}")),
            };
            list.push((count, shown));
            if is_joined {
                joined.pairs.insert((before, after));
            }
        }
        for list in [&mut joined.frequent, &mut joined.frequent_apart] {
            list.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
            list.truncate(EXAMPLES);
        }
        Ok(joined)
    }
}

/// Number of examples of what is joined.
const EXAMPLES: usize = 5;

/// Words in two parts that are joined.
#[derive(Debug, Default)]
pub(crate) struct JoinedWords {
    pairs: HashSet<Pair, foldhash::fast::RandomState>,
    frequent: Vec<(u64, String)>,
    frequent_apart: Vec<(u64, String)>,
}

impl JoinedWords {
    /// The most frequent words that are joined, and that are not.
    pub(crate) fn examples(&self) -> [Vec<String>; 2] {
        let words = |list: &[(u64, String)]| list.iter().map(|(_, word)| word.clone()).collect();
        [words(&self.frequent), words(&self.frequent_apart)]
    }

    /// The text with these words whole, each with the end of its line behind it; how many were joined, and how many
    /// not.
    pub(super) fn join(&self, text: &str) -> Option<(String, u64, u64)> {
        let (mut whole, mut end, mut joined, mut apart) = (String::new(), 0, 0, 0);
        // The end of a line, to be written behind the word that was joined.
        let mut line_end: Option<(usize, &str)> = None;
        for word in parted_words(text) {
            if !word.is_certain && !self.pairs.contains(&word.pair(text)) {
                apart += 1;
                continue;
            }
            joined += 1;
            push_to(&mut whole, text, &mut end, word.before.end, line_end.take());
            let gap = &text[word.gap.clone()];
            end = word.gap.end;
            line_end = gap.find('\n').map(|at| (word.after.end, &gap[at..]));
        }
        if joined + apart == 0 {
            return None;
        }
        push_to(&mut whole, text, &mut end, text.len(), line_end);
        Some((whole, joined, apart))
    }
}

/// Writes the text from `end` to `to`; `line_end` goes in place of the first blank behind its place, unless that is
/// behind `to`.
fn push_to(
    whole: &mut String,
    text: &str,
    end: &mut usize,
    to: usize,
    line_end: Option<(usize, &str)>,
) {
    let part = &text[*end..to];
    let blank = line_end.and_then(|(after, gap)| {
        let from = after.saturating_sub(*end);
        let at = from + part.get(from..)?.find(char::is_whitespace)?;
        let length = if part[at..].starts_with("\r\n") { 2 } else { 1 };
        Some((at, length, gap)).filter(|_| part.is_char_boundary(at + length))
    });
    match blank {
        Some((at, length, gap)) => {
            whole.push_str(&part[..at]);
            whole.push_str(gap);
            whole.push_str(&part[at + length..]);
        }
        None => whole.push_str(part),
    }
    *end = to;
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use proptest::prelude::*;

    use super::*;
    use crate::tokens::token_settings::TokenSettings;

    fn joined(text: &str) -> String {
        let tokenizer = Tokenizer::new(&TokenSettings::default());
        let mut words = LineEndWords::default();
        words.add(text, &tokenizer);
        let joined = words.joined(&tokenizer, |_| Ok::<_, Infallible>(false)).expect("words");
        joined.join(text).map_or_else(|| text.to_string(), |(whole, ..)| whole)
    }

    #[test]
    fn what_is_a_word_or_has_no_part_that_is_one_is_joined() {
        let cases = [
            ("The cap-\ntain sailed.", "The captain\nsailed."),
            ("his ves-  \r\n  sel, gone", "his vessel,\n  gone"),
            ("Politik\u{ad}\nwissenschaft", "Politikwissenschaft"),
            ("Haus¬\nmeister kam", "Hausmeister\nkam"),
            ("Haus\u{2e17}\nmeister kam", "Hausmeister\nkam"),
            ("ver-\nwal-\ntung kam", "verwaltung\nkam"),
            ("op-\n\nposite end\n", "opposite\n\nend\n"),
            ("the ship-\n\u{c}ment came", "the shipment\n\u{c}came"),
            ("HAR-\nBOUR of", "HARBOUR\nof"),
        ];
        for (text, expected) in cases {
            assert_eq!(joined(text), expected, "{text:?}");
        }
        // Parts that are words stay, also where one of them is, unless the whole is one.
        for text in
            ["opsporings-\nand so on", "pre- and post-war", "Müller-\nMeier", "1914-\n18", "x -\ny"]
        {
            assert_eq!(joined(text), text);
        }
        let well = "well-\nknown ship; ship is known, and well";
        assert_eq!(joined(well), well);
        assert_eq!(joined("ship-\nyard: shipyard, ship, yard"), "shipyard:\nshipyard, ship, yard");
    }

    proptest! {
        #[test]
        fn nothing_but_hyphens_goes_and_lines_stay_as_many(
            text in "([a-cé]{1,3}|-\n|\u{ad}\r\n| |\n|\u{c}|¬\n |B-\n\n){0,20}",
        ) {
            let whole = joined(&text);
            let letters = |text: &str| {
                text.chars().filter(|c| !is_hyphen(*c) && !c.is_whitespace()).collect::<String>()
            };
            prop_assert_eq!(letters(&whole), letters(&text));
            let blanks = |text: &str| text.split_whitespace().count();
            prop_assert!(blanks(&whole) <= blanks(&text));
        }
    }
}
