//! Letters that a language writes in several ways, as one: capital and small i of Turkish, alef with and without its
//! signs, vowel signs and points.

use std::borrow::Cow;

use super::by_language::{ByLanguage, LanguageRule};
use crate::error::IngestError;

/// How the letters of a language are unified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// I is the capital of ı, and İ that of i.
    Turkic,
    /// Without vowel signs; alef without its signs.
    Arabic,
    /// Without vowel signs; yeh and kaf as Persian writes them.
    Persian,
    /// Without points.
    Hebrew,
}

impl LanguageRule for Script {
    const ALL: &'static [(&'static str, Self)] = &[
        ("tr", Self::Turkic),
        ("az", Self::Turkic),
        ("ar", Self::Arabic),
        ("fa", Self::Persian),
        ("ur", Self::Persian),
        ("ku", Self::Persian),
        ("he", Self::Hebrew),
    ];

    fn unknown(code: &str) -> IngestError {
        IngestError::NoLetters(code.into())
    }
}

/// The languages whose letters are unified.
pub type Letters = ByLanguage<Script>;

impl Letters {
    /// Whether the capitals of i are those of Turkish. A corpus of Turkish and other languages has the others' capital I
    /// as ı.
    fn is_turkic(&self) -> bool {
        self.has(Script::Turkic)
    }

    fn has(&self, script: Script) -> bool {
        self.rules().any(|of| of == script)
    }

    /// A text with one way to write each letter; `lower` if capitals are to become small ones.
    pub(in crate::tokens) fn unified<'t>(&self, text: &'t str, lower: bool) -> Cow<'t, str> {
        if self.is_empty() {
            return text.into();
        }
        let replaced = |c: char| self.replaced(c, lower);
        if text.chars().all(|c| replaced(c) == Some(c)) {
            return text.into();
        }
        text.chars().filter_map(replaced).collect::<String>().into()
    }

    /// What is written for a character.
    fn replaced(&self, c: char, lower: bool) -> Option<char> {
        let [arabic, persian] = [Script::Arabic, Script::Persian].map(|script| self.has(script));
        Some(match c {
            'I' if lower && self.is_turkic() => 'ı',
            'İ' if lower && self.is_turkic() => 'i',
            '\u{64b}'..='\u{652}' | '\u{670}' if arabic || persian => return None,
            'أ' | 'إ' | 'آ' | 'ٱ' if arabic => 'ا',
            'ي' | 'ى' if persian && !arabic => 'ی',
            'ك' if persian && !arabic => 'ک',
            '\u{591}'..='\u{5bd}'
            | '\u{5bf}'
            | '\u{5c1}'
            | '\u{5c2}'
            | '\u{5c4}'
            | '\u{5c5}'
            | '\u{5c7}'
                if self.has(Script::Hebrew) =>
            {
                return None;
            }
            c => c,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::Tokenizer;
    use crate::tokens::token_settings::TokenSettings;

    fn tokens(languages: &str, text: &str) -> String {
        let settings = TokenSettings {
            stop_words: languages.parse().expect("lists"),
            letters: Letters::from_languages(languages),
            min_length: 1,
            ..TokenSettings::default()
        };
        Tokenizer::new(&settings).tokens(text).join(" ")
    }

    #[test]
    fn a_word_is_the_same_however_its_letters_are_written() {
        assert_eq!(
            tokens("tr", "ISPARTA Isparta ısparta İSTANBUL istanbul"),
            "ısparta ısparta ısparta istanbul istanbul"
        );
        assert_eq!(tokens("ar", "كِتَابٌ كتاب كتـــاب"), "كتاب كتاب كتاب");
        assert_eq!(tokens("ar", "أحمد احمد إسلام اسلام آمال"), "احمد احمد اسلام اسلام امال");
        // Its stop words are written as words are.
        assert_eq!(tokens("ar", "إلى الى أنا"), "");
        assert_eq!(tokens("fa", "كتاب کتاب"), "کتاب کتاب");
        assert_eq!(tokens("he", "שָׁלוֹם שלום"), "שלום שלום");
        // In other languages they are as they were.
        assert_eq!(tokens("en", "ISPARTA שָׁלוֹם أحمد"), "isparta שָׁלוֹם أحمد");
        assert_eq!(Letters::from_languages("en,tr,he").to_string(), "tr,he");
        assert_eq!("none".parse::<Letters>().expect("none"), Letters::default());
        assert!("de".parse::<Letters>().is_err());
    }

    #[test]
    fn places_of_unified_words_are_those_of_the_text() {
        let settings = TokenSettings {
            stop_words: "tr".parse().expect("list"),
            letters: "tr".parse().expect("tr"),
            ..TokenSettings::default()
        };
        let text = "ILIK ISPARTA";
        let placed = Tokenizer::new(&settings).placed_terms(text);
        let found: Vec<(&str, &str)> =
            placed.iter().map(|term| (&text[term.place.clone()], term.term.as_str())).collect();
        assert_eq!(found, [("ILIK", "ılık"), ("ISPARTA", "ısparta")]);
    }
}
