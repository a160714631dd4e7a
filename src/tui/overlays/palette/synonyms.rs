//! Words that people type for what the workbench calls otherwise.

/// (what is typed, what actions say of themselves).
const SYNONYMS: [(&str, &[&str]); 24] = [
    ("annotate", &["note something"]),
    ("bigger", &["enlarge"]),
    ("bookmark", &["note something", "bookmarks"]),
    ("cite", &["copy the row"]),
    ("collocates", &["collocates", "words beside it"]),
    ("colour", &["coloured"]),
    ("concordance", &["occurrence in its context"]),
    ("context", &["occurrence in its context"]),
    ("delete", &["delete", "take the", "take a"]),
    ("download", &["write all rows", "export"]),
    ("figure", &["figure"]),
    ("find", &["look through all texts", "show only rows"]),
    ("graph", &["figure", "over time"]),
    ("import", &["new documents", "ingest"]),
    ("kwic", &["occurrence in its context"]),
    ("label", &["name the topic", "name the run"]),
    ("plot", &["figure", "over time"]),
    ("quote", &["copy the row", "note something"]),
    ("remove", &["delete", "take the", "take a"]),
    ("rename", &["name the topic", "name the run"]),
    ("rerun", &["again, with changes"]),
    ("search", &["look through all texts", "show only rows"]),
    ("stop", &["cancel the run"]),
    ("timeline", &["over time"]),
];

/// A text with what was typed behind it, where that is a synonym of something in it.
pub fn with_synonyms(typed: &str, mut text: String) -> String {
    let lower = text.to_lowercase();
    for word in typed.split_whitespace() {
        let known = SYNONYMS.iter().find(|(synonym, _)| *synonym == word.to_lowercase());
        if known.is_some_and(|(_, phrases)| phrases.iter().any(|phrase| lower.contains(phrase))) {
            text.push(' ');
            text.push_str(word);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::tests::fixture::user::bindings;

    #[test]
    fn every_synonym_is_of_an_action() {
        assert!(SYNONYMS.is_sorted());
        let all: Vec<String> =
            bindings().iter().map(|(_, binding)| binding.help.to_lowercase()).collect();
        for (synonym, phrases) in SYNONYMS {
            for phrase in phrases {
                assert!(all.iter().any(|help| help.contains(phrase)), "{synonym}: {phrase}");
            }
        }
    }
}
