//! Replacing words: a map from forms to words, and fixed phrases that are one word.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::path::Path;

use super::language::stop_words::differences;
use super::{JOINT, JOINT_TEXT, Word, Words};
use crate::error::{IngestError, Result};
use crate::source::{lines_of, read_list};

/// Maps forms of words to their lemma or preferred spelling.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WordMap {
    name: String,
    pub(super) forms: BTreeMap<String, String>,
}

/// Phrases that count as one word.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FixedPhrases {
    name: String,
    pub(super) phrases: BTreeSet<String>,
}

impl WordMap {
    /// Reads a file of two columns, form and word, separated by tabs or else by commas. Lines that start with
    /// `#` are comments.
    ///
    /// # Errors
    /// [`IngestError::Unreadable`]; [`IngestError::ListLine`] for a line without two columns, with several
    /// words in a column, or with a form that is already mapped to another word.
    pub fn read(path: &Path) -> Result<Self> {
        let (name, text) = read(path)?;
        let mut forms = BTreeMap::new();
        for (line, row) in lines(&text) {
            let wrong = |problem: String| {
                let remedy = "give a form and what it counts as, apart by a tab or a comma";
                IngestError::ListLine { file: name.clone(), line, problem, remedy }
            };
            let cells = cells(row).ok_or_else(|| wrong("quotes do not match".into()))?;
            let [form, to] = cells.as_slice() else {
                return Err(wrong(format!("{} columns instead of 2", cells.len())));
            };
            if form.is_empty() || to.is_empty() {
                return Err(wrong("an empty column".into()));
            }
            if form.contains(char::is_whitespace) || to.contains(char::is_whitespace) {
                return Err(wrong("several words in a column; phrases are for --join".into()));
            }
            if let Some(other) = forms.insert(form.clone(), to.clone()).filter(|other| other != to)
            {
                return Err(wrong(format!(
                    "{form:?} counts as {other:?} above, and as {to:?} here"
                )));
            }
        }
        Ok(Self { name, forms })
    }
}

impl FixedPhrases {
    /// Reads a file of phrases, one per line. Of a line with tabs or commas the first column is used, so the
    /// table of `topoi phrases` is such a file. Lines that start with `#` are comments.
    ///
    /// # Errors
    /// [`IngestError::Unreadable`]; [`IngestError::ListLine`] for a line without a phrase.
    pub fn read(path: &Path) -> Result<Self> {
        let (name, text) = read(path)?;
        let mut phrases = BTreeSet::new();
        for (line, row) in lines(&text) {
            let first = cells(row).and_then(|cells| cells.into_iter().next()).unwrap_or_default();
            let phrase = first.replace(JOINT, " ");
            let words: Vec<&str> = phrase.split_whitespace().collect();
            if words.is_empty() {
                let (problem, remedy) = ("no phrase".to_string(), "give a phrase a line");
                return Err(IngestError::ListLine { file: name, line, problem, remedy });
            }
            phrases.insert(words.join(" "));
        }
        Ok(Self { name, phrases })
    }
}

impl WordMap {
    /// How its lines differ from another's, for people; `None` where they do not.
    pub(crate) fn difference(&self, other: &Self) -> Option<String> {
        let lines =
            |map: &Self| map.forms.iter().map(|(form, to)| format!("{form} {to}")).collect();
        let [ours, theirs]: [Vec<String>; 2] = [lines(self), lines(other)];
        let [ours, theirs] = [&ours, &theirs].map(|all| all.iter().map(String::as_str).collect());
        differences(&ours, &theirs)
    }
}

impl FixedPhrases {
    /// How its phrases differ from another's, for people; `None` where they do not.
    pub(crate) fn difference(&self, other: &Self) -> Option<String> {
        let [ours, theirs] =
            [self, other].map(|all| all.phrases.iter().map(String::as_str).collect());
        differences(&ours, &theirs)
    }
}

impl fmt::Display for WordMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} forms)", self.name, self.forms.len())
    }
}

impl fmt::Display for FixedPhrases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} phrases)", self.name, self.phrases.len())
    }
}

fn read(path: &Path) -> Result<(String, String)> {
    let name = path.display().to_string();
    Ok((name, read_list(path)?))
}

/// The lines that are neither comments nor blank, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (u64, &str)> {
    let lines = (1..).zip(lines_of(text));
    lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
}

/// The columns of a line: separated by tabs if there are any, or else as CSV.
fn cells(line: &str) -> Option<Vec<String>> {
    if line.contains('\t') {
        return Some(line.split('\t').map(|cell| cell.trim().into()).collect());
    }
    let mut reader = csv::ReaderBuilder::new();
    let mut reader = reader.has_headers(false).trim(csv::Trim::All).from_reader(line.as_bytes());
    let record = reader.records().next()?.ok()?;
    Some(record.iter().map(String::from).collect())
}

/// Fixed phrases, indexed for matching.
#[derive(Debug, Default)]
pub(super) struct Phrases {
    /// For each first word, (further words, joined phrase), longest first.
    by_first_word: HashMap<String, Vec<(Vec<String>, String)>, foldhash::fast::RandomState>,
    joined: Words,
}

impl Phrases {
    /// Adds a phrase, unless it is a single word.
    pub(super) fn add(&mut self, mut words: Vec<String>) {
        if words.len() < 2 {
            return;
        }
        let joined = words.join(JOINT_TEXT);
        let after = words.split_off(1);
        let Some(first) = words.pop() else { return };
        let phrases = self.by_first_word.entry(first).or_default();
        let at = phrases.partition_point(|(other, _)| other.len() >= after.len());
        phrases.insert(at, (after, joined.clone()));
        self.joined.insert(joined);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.joined.is_empty()
    }

    /// All phrases, joined.
    pub(super) fn all(&self) -> impl Iterator<Item = &String> {
        self.joined.iter()
    }

    /// Whether a word is a joined phrase.
    pub(super) fn has(&self, word: &str) -> bool {
        !self.is_empty() && self.joined.contains(word)
    }

    /// The longest phrase at the start of `words` of `text`, joined, and its number of words. Phrases do not
    /// span sentence ends.
    pub(super) fn at_start_of<'t>(
        &'t self,
        words: &[Word<'t>],
        text: &str,
    ) -> Option<(&'t str, usize)> {
        let phrases = self.by_first_word.get(words.first()?.text)?;
        let found = phrases.iter().find(|(after, _)| {
            let there = words.get(1..=after.len());
            there.is_some_and(|there| {
                let same = after.iter().zip(there).all(|(word, found)| word == found.text);
                same && !(0..after.len()).any(|at| ends_between(text, &words[at], &words[at + 1]))
            })
        });
        found.map(|(after, joined)| (joined.as_str(), after.len() + 1))
    }
}

/// Whether a sentence or clause ends between two words of a text.
pub(crate) fn ends_between(text: &str, before: &Word<'_>, after: &Word<'_>) -> bool {
    let between = text.get(before.place(text).end..after.place(text).start).unwrap_or_default();
    between.contains([
        '.', '!', '?', ';', ':', ',', '(', ')', '。', '！', '？', '；', '：', '，', '、',
    ]) || between.contains("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::token_settings::Stem;
    use crate::{TokenSettings, Tokenizer};

    fn file(text: &str) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), text).expect("write");
        file
    }

    fn map(text: &str) -> Result<WordMap> {
        WordMap::read(file(text).path())
    }

    fn join(text: &str) -> Option<FixedPhrases> {
        Some(FixedPhrases::read(file(text).path()).expect("phrases"))
    }

    fn tokens(settings: TokenSettings, text: &str) -> String {
        Tokenizer::new(&settings).tokens(text).join(" ")
    }

    #[test]
    fn forms_count_as_what_the_map_says_whatever_stands_between_the_columns() {
        let of = |text: &str| TokenSettings {
            map: Some(map(text).expect("a map")),
            ..Default::default()
        };
        let text = "Mice and geese; us, the U.S. and US mice";
        let tab = "# remark\nmice\tmouse\nGeese\tgoose\nus\tusa\n";
        assert_eq!(tokens(of(tab), text), "mouse goose usa u.s usa mouse");
        assert_eq!(tokens(of("mice,mouse\n\"geese\", goose\n"), text), "mouse goose u.s mouse");
        // A word is dropped after mapping and stemmed after the decision to keep it.
        assert_eq!(tokens(of("mice\tthe\n"), text), "geese u.s");
        let stemmed = TokenSettings { stem: Stem::En, ..of("mice\trunning\n") };
        assert_eq!(tokens(stemmed, "mice run"), "run run");
    }

    #[test]
    fn each_mistake_of_a_map_is_named_with_its_line() {
        let problem = |text: &str| {
            let message = map(text).expect_err("a mistake").to_string();
            let after = message.split_once(':').expect("a place").1.to_string();
            after.split("; nothing was added").next().expect("a problem").to_string()
        };
        assert_eq!(problem("a\tb\nmice\n"), "2: 1 columns instead of 2");
        assert_eq!(problem("a,b,c"), "1: 3 columns instead of 2");
        assert_eq!(problem("mice\t\n"), "1: an empty column");
        assert_eq!(
            problem("new york\tny\n"),
            "1: several words in a column; phrases are for --join"
        );
        assert_eq!(
            problem("mice\tmouse\nmice\trat\n"),
            "2: \"mice\" counts as \"mouse\" above, and as \"rat\" here"
        );
        assert!(map("a\tb\na\tb\n").is_ok());
    }

    #[test]
    fn the_longest_fixed_phrase_is_one_word_unless_a_sentence_ends_within_it() {
        let settings = TokenSettings {
            join: join("# remark\nnew york\nNew York City\tsome count\nstate_of_the_art\nsingle\n"),
            ..TokenSettings::default()
        };
        assert_eq!(
            tokens(
                settings.clone(),
                "In New York city, New-York. New. York; single: state of the art"
            ),
            "new_york_city new_york new york single state_of_the_art"
        );
        let long = "of ".repeat(20) + "end";
        let settings = TokenSettings { join: join(&long), ..settings };
        assert_eq!(tokens(settings, &long), long.replace(' ', "_"));
        let chinese = TokenSettings { join: join("人工智能\n"), ..TokenSettings::default() };
        assert_eq!(tokens(chinese, "学习人工智能"), "学习 人工_智能");
    }
}
