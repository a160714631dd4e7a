//! Words that do not become terms, by the rule that drops them.

use super::Tokenizer;

/// Number of dropped words, by rule.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct DroppedWords {
    /// Words on a stop list.
    pub stop_words: u64,
    /// Words that are too short.
    pub short: u64,
    /// Words that are too long.
    pub long: u64,
    /// Words of other characters than terms have: mostly numbers.
    pub characters: u64,
}

/// The rule that drops a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DropRule {
    StopWord,
    Short,
    Long,
    Characters,
}

impl Tokenizer {
    /// The rule that drops `word`, which must be dropped.
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
    /// Adds the counts of `other`.
    pub fn add(&mut self, other: Self) {
        self.stop_words += other.stop_words;
        self.short += other.short;
        self.long += other.long;
        self.characters += other.characters;
    }

    /// Counts a dropped word.
    pub(super) fn count(&mut self, rule: DropRule) {
        *match rule {
            DropRule::StopWord => &mut self.stop_words,
            DropRule::Short => &mut self.short,
            DropRule::Long => &mut self.long,
            DropRule::Characters => &mut self.characters,
        } += 1;
    }

    /// Number of all dropped words.
    pub fn all(&self) -> u64 {
        self.stop_words + self.short + self.long + self.characters
    }
}
