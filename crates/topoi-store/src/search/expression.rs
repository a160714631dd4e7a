//! Search expressions: words and phrases, joined by AND, OR and NOT.

use super::encoded::{field_names, field_values, push_encoded, push_field};
use super::{SearchableDocument, StoredDocument, Words};

/// Adjacent words in texts or in a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrase {
    /// The field, in lower case; `None` for the text.
    pub field: Option<String>,
    /// At least one word, spelled as in the index.
    pub words: Vec<String>,
    /// Whether the last word is a prefix.
    pub is_prefix: bool,
}

/// A search expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    /// Documents that contain the phrase.
    Phrase(Phrase),
    /// Documents that match all.
    All(Vec<Expression>),
    /// Documents that match at least one.
    Any(Vec<Expression>),
    /// Documents that match the first and not the second.
    Without(Box<Expression>, Box<Expression>),
}

/// The words of a document, for matching without the index.
pub struct ParsedDocument<'a> {
    document: SearchableDocument<'a>,
    words: Words<'a>,
    text: Vec<String>,
}

impl std::fmt::Debug for ParsedDocument<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ParsedDocument").field("document", &self.document).finish_non_exhaustive()
    }
}

impl<'a> ParsedDocument<'a> {
    /// Splits the document's text into words.
    pub fn new(document: &'a StoredDocument, words: Words<'a>) -> Self {
        let text = list(document.text.as_deref().unwrap_or_default(), words);
        Self { document: document.searched(), words, text }
    }

    /// The names of its fields, in lower case.
    pub fn field_names(&self) -> Vec<String> {
        field_names(self.document)
    }
}

fn list(text: &str, words: Words<'_>) -> Vec<String> {
    let mut found = Vec::new();
    words(text, &mut |word| found.push(word.to_string()));
    found
}

impl Phrase {
    /// The positions in a list of words at which the phrase begins.
    pub fn positions<'w, W: AsRef<str>>(&self, words: &'w [W]) -> impl Iterator<Item = usize> + 'w
    where
        Self: 'w,
    {
        let phrase = self.clone();
        let count = phrase.words.len().max(1);
        let positions = words.windows(count).enumerate();
        positions.filter_map(move |(at, window)| phrase.is_at(window).then_some(at))
    }

    fn is_at<W: AsRef<str>>(&self, window: &[W]) -> bool {
        let last = self.words.len().saturating_sub(1);
        self.words.iter().zip(window).enumerate().all(|(at, (wanted, word))| {
            let word = word.as_ref();
            if at == last && self.is_prefix { word.starts_with(wanted) } else { word == wanted }
        })
    }

    fn is_in(&self, read: &ParsedDocument<'_>) -> bool {
        match &self.field {
            None => self.positions(&read.text).next().is_some(),
            Some(field) => {
                // The values of a list are treated as adjacent.
                let values = field_values(read.document, field);
                let words = values.iter().flat_map(|value| list(value, read.words));
                self.positions(&words.collect::<Vec<_>>()).next().is_some()
            }
        }
    }

    /// Writes the phrase in FTS5's syntax, in quotes.
    fn write(&self, to: &mut String) {
        to.push_str(if self.field.is_some() { "fields : \"" } else { "words : \"" });
        for (at, word) in self.words.iter().enumerate() {
            if at > 0 {
                to.push(' ');
            }
            match &self.field {
                Some(field) => push_field(to, field, word),
                None => push_encoded(to, word),
            }
        }
        to.push('"');
        if self.is_prefix {
            to.push('*');
        }
    }
}

impl Expression {
    /// Whether a document matches.
    pub fn matches(&self, read: &ParsedDocument<'_>) -> bool {
        match self {
            Self::Phrase(phrase) => phrase.is_in(read),
            Self::All(parts) => parts.iter().all(|part| part.matches(read)),
            Self::Any(parts) => parts.iter().any(|part| part.matches(read)),
            Self::Without(part, not) => part.matches(read) && !not.matches(read),
        }
    }

    /// The phrases to highlight in the texts of matching documents.
    pub fn highlighted(&self) -> Vec<&Phrase> {
        match self {
            Self::Phrase(phrase) if phrase.field.is_none() => vec![phrase],
            Self::Phrase(_) => Vec::new(),
            Self::All(parts) | Self::Any(parts) => {
                parts.iter().flat_map(Self::highlighted).collect()
            }
            Self::Without(part, _) => part.highlighted(),
        }
    }

    /// The fields that the expression names.
    pub fn fields(&self) -> Vec<&str> {
        match self {
            Self::Phrase(phrase) => phrase.field.as_deref().into_iter().collect(),
            Self::All(parts) | Self::Any(parts) => parts.iter().flat_map(Self::fields).collect(),
            Self::Without(part, not) => [part.fields(), not.fields()].concat(),
        }
    }

    /// The expression in FTS5's syntax.
    pub(super) fn to_fts5(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    fn write(&self, to: &mut String) {
        let joined = |parts: &[Self], by: &str, to: &mut String| {
            for (at, part) in parts.iter().enumerate() {
                to.push_str(if at > 0 { by } else { "" });
                part.write_enclosed(to);
            }
        };
        match self {
            Self::Phrase(phrase) => phrase.write(to),
            Self::All(parts) => joined(parts, " AND ", to),
            Self::Any(parts) => joined(parts, " OR ", to),
            Self::Without(part, not) => {
                part.write_enclosed(to);
                to.push_str(" NOT ");
                not.write_enclosed(to);
            }
        }
    }

    fn write_enclosed(&self, to: &mut String) {
        if matches!(self, Self::Phrase(_)) {
            return self.write(to);
        }
        to.push('(');
        self.write(to);
        to.push(')');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phrase(words: &[&str], is_prefix: bool) -> Phrase {
        Phrase { field: None, words: words.iter().map(ToString::to_string).collect(), is_prefix }
    }

    #[test]
    fn an_expression_is_written_as_fts5_wants_it() {
        let one = Expression::Phrase(phrase(&["don't", "go"], false));
        let year =
            Phrase { field: Some("year".into()), words: vec!["2004".into()], is_prefix: true };
        let any = Expression::Any(vec![Expression::Phrase(year), one.clone()]);
        let without = Expression::Without(Box::new(one), Box::new(any));
        let written =
            "words : \"don^27t go\" NOT (fields : \"year=2004\"* OR words : \"don^27t go\")";
        assert_eq!(without.to_fts5(), written);
    }

    #[test]
    fn the_last_word_of_a_prefix_matches_longer_words() {
        let words = ["new", "york", "new", "yorkshire", "news"];
        let positions = |words_of: &[&str], prefix| {
            phrase(words_of, prefix).positions(&words).collect::<Vec<_>>()
        };
        assert_eq!(positions(&["new", "york"], false), [0]);
        assert_eq!(positions(&["new", "york"], true), [0, 2]);
        assert_eq!(positions(&["new"], true), [0, 2, 4]);
    }
}
