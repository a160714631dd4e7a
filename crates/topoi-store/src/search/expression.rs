//! Search expressions: words, phrases, words near each other, and ranges of fields, joined by AND, OR and NOT.

use std::ops::Range;

use super::encoded::{field_names, field_values, push_encoded, push_field};
use super::pattern::{Word, WordPattern};
use super::{SearchableDocument, StoredDocument, Words};
use topoi_core::fields::kind::Kind;
use topoi_core::fields::range::FieldRange;

/// Adjacent words in texts or in a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrase {
    /// The field, in lower case; `None` for the text.
    pub field: Option<String>,
    /// At least one word, spelled as in the index.
    pub words: Vec<Word>,
}

/// Phrases of the text that are near each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Near {
    /// Two or more phrases, in any order.
    pub phrases: Vec<Phrase>,
    /// Words between the end of the first and the beginning of the last, at most.
    pub distance: usize,
}

/// Values of a field that are in a range.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldValues {
    /// The field, in lower case.
    pub field: String,
    /// The range.
    pub range: FieldRange,
    /// The kind that somebody has said the field is of.
    pub kind: Option<Kind>,
}

/// A search expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Expression {
    /// Documents that contain the phrase.
    Phrase(Phrase),
    /// Documents that contain the phrases near each other.
    Near(Near),
    /// Documents with a value of a field in a range.
    Values(FieldValues),
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
    fn positions<'w, W: AsRef<str>>(&'w self, words: &'w [W]) -> impl Iterator<Item = usize> + 'w {
        let positions = words.windows(self.words.len().max(1)).enumerate();
        positions.filter_map(|(at, window)| self.is_at(window).then_some(at))
    }

    /// The words of a list that each occurrence has.
    fn occurrences<W: AsRef<str>>(&self, words: &[W]) -> Vec<Range<usize>> {
        self.positions(words).map(|at| at..at + self.words.len().max(1)).collect()
    }

    fn is_at<W: AsRef<str>>(&self, window: &[W]) -> bool {
        self.words.iter().zip(window).all(|(wanted, word)| wanted.is(word.as_ref()))
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

    /// Whether FTS5 can look for it: all its words are exact, but that the last can be a prefix.
    fn is_indexed(&self) -> bool {
        let last = self.words.len().saturating_sub(1);
        self.words.iter().enumerate().all(|(at, word)| match word {
            Word::Exact(_) => true,
            Word::Prefix(_) => at == last,
            Word::Pattern(_) => false,
        })
    }

    /// Documents that have its words, in any order: what the index can say of a phrase with patterns. `None` if
    /// that is every document.
    fn superset(&self, expand: Expand<'_>) -> Option<Expression> {
        let one =
            |word: Word| Expression::Phrase(Self { field: self.field.clone(), words: vec![word] });
        let of_word = |word: &Word| match word {
            Word::Pattern(pattern) if pattern.is_any() => None,
            Word::Pattern(pattern) => {
                let words = expand(self.field.as_deref(), pattern)?;
                Some(Expression::Any(
                    words.into_iter().map(|word| one(Word::Exact(word))).collect(),
                ))
            }
            word => Some(one(word.clone())),
        };
        let parts: Vec<Expression> = self.words.iter().filter_map(of_word).collect();
        (!parts.is_empty()).then_some(Expression::All(parts))
    }

    /// Writes the phrase in FTS5's syntax, in quotes, without its column.
    fn write_words(&self, to: &mut String) {
        to.push('"');
        for (at, word) in self.words.iter().enumerate() {
            if at > 0 {
                to.push(' ');
            }
            match &self.field {
                Some(field) => push_field(to, field, word.letters()),
                None => push_encoded(to, word.letters()),
            }
        }
        to.push('"');
        if matches!(self.words.last(), Some(Word::Prefix(_))) {
            to.push('*');
        }
    }

    fn write(&self, to: &mut String) {
        to.push_str(if self.field.is_some() { "fields : " } else { "words : " });
        self.write_words(to);
    }
}

impl Near {
    /// The words of a list from the first to the last of phrases that are near each other. Clumps that overlap are
    /// one.
    fn occurrences<W: AsRef<str>>(&self, words: &[W]) -> Vec<Range<usize>> {
        let mut found: Vec<(Range<usize>, usize)> = Vec::new();
        for (number, phrase) in self.phrases.iter().enumerate() {
            found.extend(phrase.occurrences(words).into_iter().map(|place| (place, number)));
        }
        found.sort_by_key(|(place, number)| (place.start, place.end, *number));
        let mut clumps: Vec<Range<usize>> = Vec::new();
        for (at, (first, _)) in found.iter().enumerate() {
            let within = found[at..]
                .iter()
                .take_while(|(place, _)| place.start.saturating_sub(first.end) <= self.distance);
            let (mut has, mut end) = (vec![false; self.phrases.len()], first.end);
            for (place, number) in within {
                has[*number] = true;
                end = end.max(place.end);
                if has.iter().all(|&has| has) {
                    match clumps.last_mut().filter(|last| first.start < last.end) {
                        Some(last) => last.end = last.end.max(end),
                        None => clumps.push(first.start..end),
                    }
                    break;
                }
            }
        }
        clumps
    }

    fn is_indexed(&self) -> bool {
        self.phrases.iter().all(Phrase::is_indexed)
    }

    fn superset(&self, expand: Expand<'_>) -> Option<Expression> {
        let parts = self.phrases.iter().filter_map(|phrase| phrase.superset(expand));
        let parts: Vec<Expression> = parts.collect();
        (!parts.is_empty()).then_some(Expression::All(parts))
    }

    fn write(&self, to: &mut String) {
        to.push_str("words : NEAR(");
        for (at, phrase) in self.phrases.iter().enumerate() {
            to.push_str(if at > 0 { " " } else { "" });
            phrase.write_words(to);
        }
        to.push_str(&format!(", {})", self.distance));
    }
}

impl FieldValues {
    fn is_in(&self, document: SearchableDocument<'_>) -> bool {
        let date = self.kind.and_then(|kind| kind.def().date);
        field_values(document, &self.field).iter().any(|value| self.range.contains(value, date))
    }
}

/// The words of the index for a pattern in texts or in a field; `None` where there are too many of them.
pub type Expand<'a> = &'a dyn Fn(Option<&str>, &WordPattern) -> Option<Vec<String>>;

impl Expression {
    /// Whether a document matches.
    pub fn matches(&self, read: &ParsedDocument<'_>) -> bool {
        match self {
            Self::Phrase(phrase) => phrase.is_in(read),
            Self::Near(near) => !near.occurrences(&read.text).is_empty(),
            Self::Values(values) => values.is_in(read.document),
            Self::All(parts) => parts.iter().all(|part| part.matches(read)),
            Self::Any(parts) => parts.iter().any(|part| part.matches(read)),
            Self::Without(part, not) => part.matches(read) && !not.matches(read),
        }
    }

    /// The parts to highlight in the texts of matching documents: phrases, and phrases near each other.
    pub fn highlighted(&self) -> Vec<&Expression> {
        match self {
            Self::Phrase(phrase) if phrase.field.is_none() => vec![self],
            Self::Near(_) => vec![self],
            Self::Phrase(_) | Self::Values(_) => Vec::new(),
            Self::All(parts) | Self::Any(parts) => {
                parts.iter().flat_map(Self::highlighted).collect()
            }
            Self::Without(part, _) => part.highlighted(),
        }
    }

    /// The words of a list that a part to be highlighted has, occurrence after occurrence.
    pub fn occurrences<W: AsRef<str>>(&self, words: &[W]) -> Vec<Range<usize>> {
        match self {
            Self::Phrase(phrase) => phrase.occurrences(words),
            Self::Near(near) => near.occurrences(words),
            _ => Vec::new(),
        }
    }

    /// The fields that the expression names.
    pub fn fields(&self) -> Vec<&str> {
        match self {
            Self::Phrase(phrase) => phrase.field.as_deref().into_iter().collect(),
            Self::Near(_) => Vec::new(),
            Self::Values(values) => vec![&values.field],
            Self::All(parts) | Self::Any(parts) => parts.iter().flat_map(Self::fields).collect(),
            Self::Without(part, not) => [part.fields(), not.fields()].concat(),
        }
    }

    /// Whether the index alone says which documents match.
    pub fn is_indexed(&self) -> bool {
        match self {
            Self::Phrase(phrase) => phrase.is_indexed(),
            Self::Near(near) => near.is_indexed(),
            Self::Values(_) => false,
            Self::All(parts) | Self::Any(parts) => parts.iter().all(Self::is_indexed),
            Self::Without(part, not) => part.is_indexed() && not.is_indexed(),
        }
    }

    /// An expression for the index that matches whatever this one does; `None` if that is every document.
    pub fn superset(&self, expand: Expand<'_>) -> Option<Self> {
        match self {
            _ if self.is_indexed() => Some(self.clone()),
            Self::Phrase(phrase) => phrase.superset(expand),
            Self::Near(near) => near.superset(expand),
            Self::Values(_) => None,
            Self::All(parts) => {
                let parts: Vec<Self> =
                    parts.iter().filter_map(|part| part.superset(expand)).collect();
                (!parts.is_empty()).then_some(Self::All(parts))
            }
            Self::Any(parts) => {
                let parts: Option<Vec<Self>> =
                    parts.iter().map(|part| part.superset(expand)).collect();
                parts.map(Self::Any)
            }
            Self::Without(part, not) => {
                let part = part.superset(expand)?;
                Some(match not.is_indexed() {
                    true => Self::Without(Box::new(part), not.clone()),
                    false => part,
                })
            }
        }
    }

    /// What is still to be looked at in documents of [`Expression::superset`]; `None` for nothing.
    pub fn residual(&self) -> Option<Self> {
        match self {
            _ if self.is_indexed() => None,
            Self::All(parts) => {
                let mut parts: Vec<Self> = parts.iter().filter_map(Self::residual).collect();
                if parts.len() == 1 { parts.pop() } else { Some(Self::All(parts)) }
            }
            other => Some(other.clone()),
        }
    }

    /// Whether it is about fields alone, so that no text has to be read.
    pub fn is_of_fields(&self) -> bool {
        match self {
            Self::Phrase(phrase) => phrase.field.is_some(),
            Self::Near(_) => false,
            Self::Values(_) => true,
            Self::All(parts) | Self::Any(parts) => parts.iter().all(Self::is_of_fields),
            Self::Without(part, not) => part.is_of_fields() && not.is_of_fields(),
        }
    }

    /// Has the values in ranges read as those of their fields' kinds.
    pub fn set_kinds(&mut self, kind_of: &dyn Fn(&str) -> Option<Kind>) {
        match self {
            Self::Values(values) => values.kind = kind_of(&values.field),
            Self::All(parts) | Self::Any(parts) => {
                parts.iter_mut().for_each(|part| part.set_kinds(kind_of));
            }
            Self::Without(part, not) => {
                part.set_kinds(kind_of);
                not.set_kinds(kind_of);
            }
            Self::Phrase(_) | Self::Near(_) => {}
        }
    }

    /// The expression in FTS5's syntax, if the index alone says what it matches.
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
            Self::Near(near) => near.write(to),
            // A pattern that no word of the index fits.
            Self::Any(parts) | Self::All(parts) if parts.is_empty() => {
                to.push_str("words : \"^00\"")
            }
            Self::Values(_) => to.push_str("words : \"^00\""),
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
        if matches!(self, Self::Phrase(_) | Self::Near(_)) {
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

    fn exact(words: &[&str]) -> Phrase {
        let words = words.iter().map(|word| Word::Exact((*word).into())).collect();
        Phrase { field: None, words }
    }

    fn begun(words: &[&str]) -> Phrase {
        let mut phrase = exact(words);
        if let Some(Word::Exact(last)) = phrase.words.pop() {
            phrase.words.push(Word::Prefix(last));
        }
        phrase
    }

    #[test]
    fn an_expression_is_written_as_fts5_wants_it() {
        let one = Expression::Phrase(exact(&["don't", "go"]));
        let year = Phrase { field: Some("year".into()), ..begun(&["2004"]) };
        let any = Expression::Any(vec![Expression::Phrase(year), one.clone()]);
        let without = Expression::Without(Box::new(one), Box::new(any));
        let written =
            "words : \"don^27t go\" NOT (fields : \"year=2004\"* OR words : \"don^27t go\")";
        assert_eq!(without.to_fts5(), written);
        let near = Near { phrases: vec![exact(&["oil"]), begun(&["price"])], distance: 5 };
        assert_eq!(Expression::Near(near).to_fts5(), "words : NEAR(\"oil\" \"price\"*, 5)");
    }

    #[test]
    fn the_last_word_of_a_prefix_matches_longer_words() {
        let words = ["new", "york", "new", "yorkshire", "news"];
        let positions = |phrase: Phrase| phrase.positions(&words).collect::<Vec<_>>();
        assert_eq!(positions(exact(&["new", "york"])), [0]);
        assert_eq!(positions(begun(&["new", "york"])), [0, 2]);
        assert_eq!(positions(begun(&["new"])), [0, 2, 4]);
    }

    #[test]
    fn phrases_are_near_if_few_words_are_between_them() {
        let text: Vec<&str> = "oil a b price c d e f oil g h i j price".split(' ').collect();
        let near = |distance| {
            let phrases = vec![exact(&["price"]), exact(&["oil"])];
            Near { phrases, distance }.occurrences(&text)
        };
        assert!(near(1).is_empty());
        assert_eq!(near(2), vec![0..4]);
        assert_eq!(near(4), vec![0..14]);
        let once = Near { phrases: vec![exact(&["a", "b"]), exact(&["oil"])], distance: 0 };
        assert_eq!(once.occurrences(&text), vec![0..3]);
    }

    #[test]
    fn the_index_is_asked_for_what_it_can_say() {
        let pattern = |text: &str| Word::Pattern(WordPattern::new(text));
        let odd = Expression::Phrase(Phrase {
            field: None,
            words: vec![Word::Exact("the".into()), pattern("*"), pattern("*ing")],
        });
        let range = Expression::Values(FieldValues {
            field: "year".into(),
            range: FieldRange::parse("1815..").expect("a range"),
            kind: None,
        });
        let plain = Expression::Phrase(exact(&["war"]));
        let all = Expression::All(vec![odd, range.clone(), plain]);
        let expand: Expand<'_> = &|_, _| Some(vec!["king".into(), "sing".into()]);
        let superset = all.superset(expand).expect("an expression");
        let written =
            "(words : \"the\" AND (words : \"king\" OR words : \"sing\")) AND words : \"war\"";
        assert_eq!(superset.to_fts5(), written);
        assert!(!all.residual().expect("a rest").is_of_fields());
        assert_eq!(range.superset(expand), None);
        let only = Expression::All(vec![range.clone(), Expression::Phrase(exact(&["war"]))]);
        assert_eq!(only.residual(), Some(range));
    }
}
