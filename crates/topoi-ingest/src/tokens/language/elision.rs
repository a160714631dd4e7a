//! Elision: articles and pronouns that an apostrophe joins to the next word, as in `l'homme` and `dell'arte`.

use super::by_language::{ByLanguage, LanguageRule};
use crate::error::IngestError;

/// What an apostrophe joins to the next word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Elided(&'static [&'static str]);

impl LanguageRule for Elided {
    const ALL: &'static [(&'static str, Self)] = &[
        (
            "fr",
            Elided(&[
                "l", "d", "j", "m", "t", "s", "n", "c", "ç", "qu", "jusqu", "lorsqu", "puisqu",
                "quoiqu", "quelqu",
            ]),
        ),
        (
            "it",
            Elided(&[
                "l", "d", "c", "n", "s", "m", "t", "v", "un", "gl", "all", "dall", "dell", "nell",
                "sull", "coll", "agl", "dagl", "degl", "negl", "sugl", "quest", "quell", "bell",
                "sant", "tutt", "anch", "com", "cos", "dov", "senz",
            ]),
        ),
        ("ca", Elided(&["l", "d", "n", "s", "m", "t"])),
        ("oc", Elided(&["l", "d", "n", "s", "m", "t", "qu"])),
    ];

    fn unknown(code: &str) -> IngestError {
        IngestError::NoElision(code.into())
    }
}

/// The languages whose elided words are parted from the next.
pub type Elision = ByLanguage<Elided>;

impl Elision {
    /// A word without the article or pronoun before its apostrophe.
    pub(crate) fn without_article<'w>(&self, word: &'w str) -> &'w str {
        let Some((before, rest)) = word.split_once('\'') else { return word };
        // Capitals are kept where the corpus keeps them.
        let before = before.to_lowercase();
        let is_elided = self.rules().any(|Elided(words)| words.contains(&before.as_str()));
        if is_elided && !rest.is_empty() { rest } else { word }
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
            elision: Elision::from_languages(languages),
            ..TokenSettings::default()
        };
        Tokenizer::new(&settings).tokens(text).join(" ")
    }

    #[test]
    fn a_word_is_the_same_with_an_article_and_without() {
        let french = "L'histoire de l’homme et d'une femme qu'il aimait; aujourd'hui l'Irlande, jusqu'à l'école. Prud'homme, presqu'île.";
        let expected = "histoire homme femme aimait irlande école prud'homme presqu'île";
        assert_eq!(tokens("fr", french), expected);
        assert_eq!(
            tokens("it", "Dell'arte e nell'acqua, l'amico sull'isola"),
            "arte acqua amico isola"
        );
        assert_eq!(tokens("ca", "L'home d'aquesta ciutat, l'illa"), "home ciutat illa");
        assert_eq!(tokens("en", "rock'n'roll o'neill"), "rock'n'roll o'neill");
        assert_eq!(Elision::from_languages("en,fr,it").to_string(), "fr,it");
        assert_eq!("none".parse::<Elision>().expect("none"), Elision::default());
        assert!("de".parse::<Elision>().is_err());
    }
}
