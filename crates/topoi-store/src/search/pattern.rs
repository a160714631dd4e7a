//! Words that are looked for: as they are, by their beginning, or by a pattern.

/// A word that is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// This word.
    Exact(String),
    /// Words that begin so.
    Prefix(String),
    /// Words of this form.
    Pattern(WordPattern),
}

/// The form of a word: `*` is any letters or none, `?` one letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordPattern(Vec<char>);

impl Word {
    /// Whether a word of a text is it.
    pub fn is(&self, word: &str) -> bool {
        match self {
            Self::Exact(wanted) => word == wanted,
            Self::Prefix(wanted) => word.starts_with(wanted),
            Self::Pattern(pattern) => pattern.fits(word),
        }
    }

    /// Its letters; none of a pattern.
    pub(super) fn letters(&self) -> &str {
        match self {
            Self::Exact(word) | Self::Prefix(word) => word,
            Self::Pattern(_) => "",
        }
    }
}

impl WordPattern {
    /// The pattern that is written so.
    pub fn new(text: &str) -> Self {
        Self(text.chars().collect())
    }

    /// Whether every word fits it.
    pub fn is_any(&self) -> bool {
        self.0.iter().all(|&sign| sign == '*')
    }

    /// Letters that are no signs.
    pub fn letters(&self) -> usize {
        self.0.iter().filter(|sign| !matches!(sign, '*' | '?')).count()
    }

    /// The letters that every word begins with which fits it.
    pub fn beginning(&self) -> String {
        self.0.iter().take_while(|sign| !matches!(sign, '*' | '?')).collect()
    }

    /// Whether a word fits it.
    pub fn fits(&self, word: &str) -> bool {
        let word: Vec<char> = word.chars().collect();
        // Where to go on after the last `*`: one letter of the word later each time.
        let (mut at, mut sign, mut star) = (0, 0, None);
        while at < word.len() {
            match self.0.get(sign) {
                Some('*') => {
                    star = Some((sign + 1, at));
                    sign += 1;
                }
                Some(&wanted) if wanted == '?' || wanted == word[at] => {
                    at += 1;
                    sign += 1;
                }
                _ => match star {
                    Some((after, from)) => {
                        (sign, at) = (after, from + 1);
                        star = Some((after, from + 1));
                    }
                    None => return false,
                },
            }
        }
        self.0[sign..].iter().all(|&sign| sign == '*')
    }
}

impl std::fmt::Display for WordPattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|sign| write!(f, "{sign}"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition, by recursion.
    fn fits(pattern: &[char], word: &[char]) -> bool {
        match pattern.split_first() {
            None => word.is_empty(),
            Some(('*', rest)) => (0..=word.len()).any(|from| fits(rest, &word[from..])),
            Some((sign, rest)) => word
                .split_first()
                .is_some_and(|(first, after)| (*sign == '?' || sign == first) && fits(rest, after)),
        }
    }

    proptest! {
        #[test]
        fn a_pattern_fits_as_defined(pattern in "[ab*?]{0,7}", word in "[ab]{0,8}") {
            let (signs, letters): (Vec<char>, Vec<char>) = (pattern.chars().collect(), word.chars().collect());
            prop_assert_eq!(WordPattern::new(&pattern).fits(&word), fits(&signs, &letters));
        }
    }
}
