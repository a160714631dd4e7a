//! Elision: articles and pronouns that an apostrophe joins to the next word, as in `l'homme` and `dell'arte`.

use std::fmt;
use std::str::FromStr;

use crate::error::{IngestError, Result};

/// What is joined to words, by language.
const JOINED: [(&str, &[&str]); 4] = [
    (
        "fr",
        &[
            "l", "d", "j", "m", "t", "s", "n", "c", "ç", "qu", "jusqu", "lorsqu", "puisqu",
            "quoiqu", "quelqu",
        ],
    ),
    (
        "it",
        &[
            "l", "d", "c", "n", "s", "m", "t", "v", "un", "gl", "all", "dall", "dell", "nell",
            "sull", "coll", "agl", "dagl", "degl", "negl", "sugl", "quest", "quell", "bell",
            "sant", "tutt", "anch", "com", "cos", "dov", "senz",
        ],
    ),
    ("ca", &["l", "d", "n", "s", "m", "t"]),
    ("oc", &["l", "d", "n", "s", "m", "t", "qu"]),
];

/// The languages whose elided words are parted from the next; none by default.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Elision(Vec<&'static (&'static str, &'static [&'static str])>);

impl Elision {
    /// Of these languages, or the names of lists of stop words, those that have it.
    pub fn from_languages(codes: &str) -> Self {
        let names: Vec<&str> = codes.split(',').map(str::trim).collect();
        Self(JOINED.iter().filter(|(language, _)| names.contains(language)).collect())
    }

    /// Whether no language is among it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A word without the article or pronoun before its apostrophe.
    pub(crate) fn without_article<'w>(&self, word: &'w str) -> &'w str {
        let Some((before, rest)) = word.split_once('\'') else { return word };
        // Capitals are kept where the corpus keeps them.
        let before = before.to_lowercase();
        let is_elided = self.0.iter().any(|(_, joined)| joined.contains(&before.as_str()));
        if is_elided && !rest.is_empty() { rest } else { word }
    }
}

impl fmt::Display for Elision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_empty() {
            true => f.pad("none"),
            false => {
                let names: Vec<&str> = self.0.iter().map(|(language, _)| *language).collect();
                f.pad(&names.join(","))
            }
        }
    }
}

impl FromStr for Elision {
    type Err = IngestError;

    fn from_str(names: &str) -> Result<Self> {
        let mut languages = Vec::new();
        for name in names.split(',').map(str::trim).filter(|name| *name != "none") {
            let found = JOINED.iter().find(|(language, _)| *language == name);
            languages.push(found.ok_or_else(|| IngestError::NoElision(name.into()))?);
        }
        Ok(Self(languages))
    }
}

impl TryFrom<String> for Elision {
    type Error = IngestError;

    fn try_from(names: String) -> Result<Self> {
        names.parse()
    }
}

impl From<Elision> for String {
    fn from(elision: Elision) -> Self {
        elision.to_string()
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
