//! Words that do not become terms, by the rule that drops them.

use super::Tokenizer;

/// How many words of texts were dropped, by why.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct DroppedWords {
    /// On a list of words to drop.
    pub stop_words: u64,
    /// Of fewer characters than a term has.
    pub short: u64,
    /// Of more characters than a term has.
    pub long: u64,
    /// Not of the characters that a term has: numbers, mostly.
    pub characters: u64,
}

impl DroppedWords {
    /// Adds the words that `other` counts.
    pub fn add(&mut self, other: Self) {
        self.stop_words += other.stop_words;
        self.short += other.short;
        self.long += other.long;
        self.characters += other.characters;
    }

    /// Counts a word that the tokenizer drops.
    pub(super) fn count(&mut self, tokenizer: &Tokenizer, word: &str) {
        let form = tokenizer.mapped(word);
        let rule = if !tokenizer.has_length(form) && !tokenizer.phrases.has(form) {
            let is_long = form.chars().count() > tokenizer.settings.max_length;
            if is_long { &mut self.long } else { &mut self.short }
        } else if !tokenizer.has_characters(form) {
            &mut self.characters
        } else {
            &mut self.stop_words
        };
        *rule += 1;
    }

    /// All words that were dropped.
    pub fn all(&self) -> u64 {
        self.stop_words + self.short + self.long + self.characters
    }
}
