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

/// Why a word is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DropRule {
    StopWord,
    Short,
    Long,
    Characters,
}

impl Tokenizer {
    /// Why it drops a word that it drops.
    pub(super) fn drop_rule(&self, word: &str) -> DropRule {
        let form = self.mapped(word);
        if !self.has_length(form) && !self.phrases.has(form) {
            let is_long = form.chars().count() > self.settings.max_length;
            if is_long { DropRule::Long } else { DropRule::Short }
        } else if !self.has_characters(form) {
            DropRule::Characters
        } else {
            DropRule::StopWord
        }
    }
}

impl DroppedWords {
    /// Adds the words that `other` counts.
    pub fn add(&mut self, other: Self) {
        self.stop_words += other.stop_words;
        self.short += other.short;
        self.long += other.long;
        self.characters += other.characters;
    }

    /// Counts a word that was dropped.
    pub(super) fn count(&mut self, rule: DropRule) {
        *match rule {
            DropRule::StopWord => &mut self.stop_words,
            DropRule::Short => &mut self.short,
            DropRule::Long => &mut self.long,
            DropRule::Characters => &mut self.characters,
        } += 1;
    }

    /// All words that were dropped.
    pub fn all(&self) -> u64 {
        self.stop_words + self.short + self.long + self.characters
    }
}
