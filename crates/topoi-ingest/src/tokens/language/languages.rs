//! Languages with a list of stop words, and recognising the language of a corpus by them.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::stop_words::{ENGLISH, StopWords, words_of};
use crate::error::IngestError;
use crate::settings::CorpusSettings;
use crate::tokens::Tokenizer;
use crate::tokens::normalise;
use crate::tokens::token_settings::TokenSettings;
use topoi_store::corpus::Corpus;
use topoi_store::{Store, StoreError};

/// A language with a list of stop words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Language {
    /// Its ISO 639-1 code, which is the name of its list.
    pub code: &'static str,
    /// Its name in English.
    pub name: &'static str,
}

const fn language(code: &'static str, name: &'static str) -> Language {
    Language { code, name }
}

/// All languages with a list, by code. The English list is ours; the others are those of stopwords-iso, with
/// additions for Japanese.
pub const LANGUAGES: &[Language] = &[
    language("af", "Afrikaans"),
    language("ar", "Arabic"),
    language("bg", "Bulgarian"),
    language("bn", "Bengali"),
    language("br", "Breton"),
    language("ca", "Catalan"),
    language("cs", "Czech"),
    language("da", "Danish"),
    language("de", "German"),
    language("el", "Greek"),
    language("en", "English"),
    language("eo", "Esperanto"),
    language("es", "Spanish"),
    language("et", "Estonian"),
    language("eu", "Basque"),
    language("fa", "Persian"),
    language("fi", "Finnish"),
    language("fr", "French"),
    language("ga", "Irish"),
    language("gl", "Galician"),
    language("gu", "Gujarati"),
    language("ha", "Hausa"),
    language("he", "Hebrew"),
    language("hi", "Hindi"),
    language("hr", "Croatian"),
    language("hu", "Hungarian"),
    language("hy", "Armenian"),
    language("id", "Indonesian"),
    language("it", "Italian"),
    language("ja", "Japanese"),
    language("ko", "Korean"),
    language("ku", "Kurdish"),
    language("la", "Latin"),
    language("lt", "Lithuanian"),
    language("lv", "Latvian"),
    language("mr", "Marathi"),
    language("ms", "Malay"),
    language("nl", "Dutch"),
    language("no", "Norwegian"),
    language("pl", "Polish"),
    language("pt", "Portuguese"),
    language("ro", "Romanian"),
    language("ru", "Russian"),
    language("sk", "Slovak"),
    language("sl", "Slovenian"),
    language("so", "Somali"),
    language("st", "Sotho"),
    language("sv", "Swedish"),
    language("sw", "Swahili"),
    language("th", "Thai"),
    language("tl", "Tagalog"),
    language("tr", "Turkish"),
    language("uk", "Ukrainian"),
    language("ur", "Urdu"),
    language("vi", "Vietnamese"),
    language("yo", "Yoruba"),
    language("zh", "Chinese"),
    language("zu", "Zulu"),
];

/// Japanese words that dictionaries split off. Unlike the English list it can grow: corpora save its words.
const JAPANESE: &str = include_str!("stop_words_ja.txt");

/// The words of a language's list, one per line.
pub fn list(code: &str) -> Option<String> {
    Some(words(code)?.join("\n"))
}

fn words(code: &str) -> Option<Vec<&'static str>> {
    Some(match code {
        "en" => words_of(ENGLISH).collect(),
        "ja" => stop_words::lookup(code)?.iter().copied().chain(words_of(JAPANESE)).collect(),
        _ => stop_words::lookup(code)?.to_vec(),
    })
}

/// The words of all lists as they are in normalised texts.
static NORMAL_WORDS: LazyLock<Vec<(Language, Vec<String>)>> = LazyLock::new(|| {
    let normal = |word: &str| normalise(word, true);
    let words = |code| words(code).unwrap_or_default().into_iter().map(normal).collect();
    LANGUAGES.iter().map(|&language| (language, words(language.code))).collect()
});

/// The stop words of the language with this code, as they are in normalised texts.
pub fn normal_words(code: &str) -> Option<&'static [String]> {
    let mut lists = NORMAL_WORDS.iter();
    lists.find(|(language, _)| language.code == code).map(|(_, words)| words.as_slice())
}

/// The error for an unknown list, with languages of similar names.
pub fn unknown(name: &str) -> IngestError {
    let lower = name.to_lowercase();
    let start: String = lower.chars().take(3).collect();
    let is_near = |language: &&Language| {
        let full = language.name.to_lowercase();
        start.len() > 1 && (full.starts_with(&start) || lower.starts_with(language.code))
    };
    let near: Vec<String> = LANGUAGES
        .iter()
        .filter(is_near)
        .map(|language| format!("{} ({})", language.code, language.name))
        .collect();
    let near = match near.is_empty() {
        true => String::new(),
        false => format!("; did you mean {}?", near.join(" or ")),
    };
    IngestError::UnknownStopWords { name: name.into(), near }
}

/// Number of most frequent terms from which the language is recognised: remaining stop words are among them.
const FREQUENT_TERMS: usize = 2000;

/// Minimum number of distinct stop words: fewer could belong to several languages.
const FEWEST_WORDS: usize = 5;

/// A language of a corpus whose stop words were not dropped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnlikeLanguage {
    /// The language with the largest share.
    pub language: Language,
    /// Share of its stop words in the corpus's tokens.
    pub share: f64,
}

impl std::fmt::Display for UnlikeLanguage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { language: Language { code, name }, share } = self;
        let share = 100.0 * share;
        write!(
            f,
            "{share:.0}% of its tokens are stop words of {name} ({code}), which were not dropped"
        )
    }
}

/// Saves that the stop words that a corpus has are meant to be there, so that nothing more is said about them.
pub fn keep_stop_words(store: &Store, corpus: &Corpus) -> Result<(), StoreError> {
    if let Some(CorpusSettings::Text { mut tokens, chunks }) =
        CorpusSettings::from_json(&corpus.settings)
    {
        tokens.keeps_stop_words = true;
        let settings = CorpusSettings::Text { tokens, chunks };
        store.set_corpus_settings(corpus.id, &settings.to_json())?;
    }
    Ok(())
}

/// The language whose stop words have the largest share of a corpus's tokens; `None` if no stop words were to
/// be dropped, or the words were counted elsewhere. Terms that were `dropped` from a vocabulary are not counted.
pub fn unlike(
    store: &Store,
    corpus: &Corpus,
    dropped: &[String],
) -> Result<Option<UnlikeLanguage>, StoreError> {
    let tokens = match CorpusSettings::from_json(&corpus.settings) {
        Some(CorpusSettings::Text { tokens, .. }) => tokens,
        _ => return Ok(None),
    };
    if tokens.stop_words.words().next().is_none() || tokens.keeps_stop_words {
        return Ok(None);
    }
    let terms = store.frequent_terms(corpus.id, FREQUENT_TERMS)?;
    let dropped: HashSet<&str> = dropped.iter().map(String::as_str).collect();
    let terms = terms.iter().filter(|term| !dropped.contains(term.text.as_str()));
    let terms = terms.map(|term| (term.shown(), term.total_count));
    Ok(most_like(terms, corpus.tokens))
}

/// The language whose stop words have the largest share of `tokens`. `terms` are the most frequent terms.
fn most_like<'t>(
    terms: impl Iterator<Item = (&'t str, u64)>,
    tokens: u64,
) -> Option<UnlikeLanguage> {
    by_share(terms, tokens).into_iter().next()
}

/// The languages with at least [`FEWEST_WORDS`] stop words among the terms, largest share first.
fn by_share<'t>(terms: impl Iterator<Item = (&'t str, u64)>, tokens: u64) -> Vec<UnlikeLanguage> {
    // Each term with the last language that counted it: a list can contain a word twice after normalisation.
    let mut terms: HashMap<&str, (u64, Option<Language>), foldhash::fast::RandomState> =
        terms.map(|(term, count)| (term, (count, None))).collect();
    let mut found_languages = Vec::new();
    for (language, words) in NORMAL_WORDS.iter() {
        let (mut count, mut found) = (0_u64, 0);
        for word in words {
            if let Some((occurrences, counted)) = terms.get_mut(word.as_str())
                && counted.replace(*language) != Some(*language)
            {
                (count, found) = (count.saturating_add(*occurrences), found + 1);
            }
        }
        if found >= FEWEST_WORDS {
            let share = count as f64 / tokens.max(1) as f64;
            found_languages.push(UnlikeLanguage { language: *language, share });
        }
    }
    found_languages.sort_by(|a, b| b.share.total_cmp(&a.share));
    found_languages
}

/// Fewest words from which a language is guessed.
const FEWEST_TOKENS: u64 = 20;
/// Smallest share of its stop words in them, and in how many times as many as English has. Texts of any of 14 languages
/// had .35 to .62; what has .2 of English in it is German, Chinese or Japanese prose about programs.
const SMALLEST_SHARE: f64 = 0.2;
const TIMES_ENGLISH: f64 = 1.25;
/// From this share of English words on, English stop words are dropped too.
const ENGLISH_BESIDE: f64 = 0.03;

/// A language that texts seem to be of.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct GuessedLanguage {
    /// Its ISO 639-1 code.
    pub code: &'static str,
    /// Its name in English.
    pub name: &'static str,
    /// Share of its stop words in the words of the first texts.
    pub share: f64,
    /// Whether English is among them.
    pub has_english: bool,
}

impl GuessedLanguage {
    /// The lists of stop words to drop.
    pub(crate) fn stop_words(&self) -> String {
        if self.has_english { format!("{},en", self.code) } else { self.code.into() }
    }
}

/// The language of these texts by their stop words; `None` where it is English or not clear.
pub(crate) fn guess<'t>(texts: impl Iterator<Item = &'t str>) -> Option<GuessedLanguage> {
    let settings =
        TokenSettings { min_length: 1, stop_words: StopWords::none(), ..TokenSettings::default() };
    let tokenizer = Tokenizer::new(&settings);
    let mut counts: HashMap<String, u64, foldhash::fast::RandomState> = HashMap::default();
    let mut tokens = 0;
    for text in texts {
        tokenizer.visit_words(text, &mut |word| {
            // Some lists have numerals among their words.
            if !word.contains(char::is_alphabetic) {
                return;
            }
            tokens += 1;
            match counts.get_mut(word) {
                Some(count) => *count += 1,
                None => {
                    counts.insert(word.into(), 1);
                }
            }
        });
    }
    let found = by_share(counts.iter().map(|(word, count)| (word.as_str(), *count)), tokens);
    let best = found.first().filter(|best| best.language.code != "en")?;
    let english = found.iter().find(|found| found.language.code == "en");
    let of_english = english.map_or(0.0, |english| english.share);
    if tokens < FEWEST_TOKENS
        || best.share < SMALLEST_SHARE
        || best.share < TIMES_ENGLISH * of_english
    {
        return None;
    }
    let own: HashSet<String> = words(best.language.code)?
        .into_iter()
        .flat_map(|word| tokenizer.plain_words(word))
        .collect();
    let english: u64 = words_of(ENGLISH)
        .filter(|word| !own.contains(*word))
        .filter_map(|word| counts.get(word))
        .sum();
    Some(GuessedLanguage {
        code: best.language.code,
        name: best.language.name,
        share: best.share,
        has_english: english as f64 >= ENGLISH_BESIDE * tokens as f64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(terms: &[&str], tokens: u64) -> Option<(&'static str, f64)> {
        let found = most_like(terms.iter().map(|term| (*term, 10)), tokens)?;
        Some((found.language.code, found.share))
    }

    #[test]
    fn a_language_is_recognised_by_several_stop_words_and_their_share_of_all_tokens() {
        let german = ["nicht", "sind", "dass", "haben", "werden", "kernel", "machine"];
        assert_eq!(found(&german, 200), Some(("de", 0.25)));
        assert_eq!(found(&german[1..], 200), None);
        assert_eq!(found(&["kernel", "machine"], 0), None);
    }

    #[test]
    fn the_language_of_texts_is_guessed_where_it_is_clear() {
        let guessed = |text: &str| guess([text].into_iter()).map(|guess| guess.stop_words());
        let german = "Die Regierung hat gestern ein neues Gesetz vorgelegt, und die Opposition ist mit der \
                      Entscheidung nicht einverstanden, aber die Mehrheit hält sie für das Land und auch für sich \
                      selbst für notwendig, wie sie im Parlament gesagt hat.";
        assert_eq!(guessed(german).as_deref(), Some("de"));
        let both =
            format!("{german} The state of the union is what it was, and they are all with you.");
        assert_eq!(guessed(&both).as_deref(), Some("de,en"));
        let french = "Les députés ont adopté hier soir une loi sur la réforme, après des débats très longs. Le \
                      gouvernement estime que cette mesure permettra de rétablir l'équilibre du système, mais \
                      l'opposition n'est pas d'accord avec ce choix, et elle l'a dit.";
        assert_eq!(guessed(french).as_deref(), Some("fr"));
        let chinese =
            "我们的市场和经济都在发展，但是他们没有说这是为什么，也没有说因为什么而如此。"
                .repeat(3);
        assert_eq!(guessed(&chinese).as_deref(), Some("zh"));
        // English is what is taken anyway; words without stop words, and few words, are of no language.
        let english = "The government has presented a new law, and the opposition does not agree with it, but the \
                       majority of them thinks that it is what we need, as they have said in this house before.";
        for text in [english, "ships harbour captain vessel sail ".repeat(20).as_str(), "und die"] {
            assert_eq!(guessed(text), None, "{text}");
        }
    }
}
