//! What is looked for: words and phrases, joined by AND, OR and NOT.

use super::encoded::{field_names, field_values, push_encoded, push_field};
use super::{Searched, StoredDocument, Words};

/// Words that stand one after the other, in texts or in a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrase {
    /// The field, in lower case; `None` for the text.
    pub field: Option<String>,
    /// As the index has words; at least one.
    pub words: Vec<String>,
    /// Whether the last word may go on.
    pub is_prefix: bool,
}

/// Which documents are looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    /// Those that have the phrase.
    Phrase(Phrase),
    /// Those for which all hold.
    All(Vec<Expression>),
    /// Those for which one holds.
    Any(Vec<Expression>),
    /// Those for which the first holds and the second does not.
    Without(Box<Expression>, Box<Expression>),
}

/// The words of a document that is read instead of looked up.
pub struct ReadDocument<'a> {
    document: Searched<'a>,
    words: Words<'a>,
    text: Vec<String>,
}

impl std::fmt::Debug for ReadDocument<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReadDocument").field("document", &self.document).finish_non_exhaustive()
    }
}

impl<'a> ReadDocument<'a> {
    /// Takes the text apart.
    pub fn new(document: &'a StoredDocument, words: Words<'a>) -> Self {
        let text = list(document.text.as_deref().unwrap_or_default(), words);
        Self { document: document.searched(), words, text }
    }

    /// The names of its fields, as they are asked for.
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
    /// The places in a list of words where it begins.
    pub fn places<'w, W: AsRef<str>>(&self, words: &'w [W]) -> impl Iterator<Item = usize> + 'w
    where
        Self: 'w,
    {
        let phrase = self.clone();
        let count = phrase.words.len().max(1);
        let places = words.windows(count).enumerate();
        places.filter_map(move |(at, window)| phrase.is_at(window).then_some(at))
    }

    fn is_at<W: AsRef<str>>(&self, window: &[W]) -> bool {
        let last = self.words.len().saturating_sub(1);
        self.words.iter().zip(window).enumerate().all(|(at, (wanted, word))| {
            let word = word.as_ref();
            if at == last && self.is_prefix { word.starts_with(wanted) } else { word == wanted }
        })
    }

    fn is_in(&self, read: &ReadDocument<'_>) -> bool {
        match &self.field {
            None => self.places(&read.text).next().is_some(),
            Some(field) => {
                // The values of a list stand one after the other.
                let values = field_values(read.document, field);
                let words = values.iter().flat_map(|value| list(value, read.words));
                self.places(&words.collect::<Vec<_>>()).next().is_some()
            }
        }
    }

    /// As FTS5 wants it, in quotes.
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
    /// Whether it holds for a document.
    pub fn holds(&self, read: &ReadDocument<'_>) -> bool {
        match self {
            Self::Phrase(phrase) => phrase.is_in(read),
            Self::All(parts) => parts.iter().all(|part| part.holds(read)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(read)),
            Self::Without(part, not) => part.holds(read) && !not.holds(read),
        }
    }

    /// The phrases of texts that documents are found by: those to light in them.
    pub fn lit(&self) -> Vec<&Phrase> {
        match self {
            Self::Phrase(phrase) if phrase.field.is_none() => vec![phrase],
            Self::Phrase(_) => Vec::new(),
            Self::All(parts) | Self::Any(parts) => parts.iter().flat_map(Self::lit).collect(),
            Self::Without(part, _) => part.lit(),
        }
    }

    /// The fields that are asked for.
    pub fn fields(&self) -> Vec<&str> {
        match self {
            Self::Phrase(phrase) => phrase.field.as_deref().into_iter().collect(),
            Self::All(parts) | Self::Any(parts) => parts.iter().flat_map(Self::fields).collect(),
            Self::Without(part, not) => [part.fields(), not.fields()].concat(),
        }
    }

    /// As FTS5 wants it.
    pub(super) fn matching(&self) -> String {
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
        assert_eq!(without.matching(), written);
    }

    #[test]
    fn the_last_word_of_a_prefix_goes_on() {
        let words = ["new", "york", "new", "yorkshire", "news"];
        let places =
            |words_of: &[&str], prefix| phrase(words_of, prefix).places(&words).collect::<Vec<_>>();
        assert_eq!(places(&["new", "york"], false), [0]);
        assert_eq!(places(&["new", "york"], true), [0, 2]);
        assert_eq!(places(&["new"], true), [0, 2, 4]);
    }
}
