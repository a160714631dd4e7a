//! Reading the configuration, and what is wrong with it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Config, Mistake, keys};
use crate::records::{self, column::Column};

const SETTINGS: [&str; 5] = ["theme", "mouse", "citation", "keys", "columns"];

/// The lists whose columns can be chosen, and the columns each can have.
pub fn lists() -> Vec<(&'static str, Vec<String>)> {
    fn listed<R>(columns: &[Column<R>]) -> Vec<String> {
        let listed = columns.iter().filter(|column| !column.widths.is_empty());
        listed.map(|column| column.title.to_string()).collect()
    }
    vec![
        ("corpora", listed(&records::corpora::columns())),
        ("documents", listed(&records::documents::columns())),
        ("terms", listed(&records::terms::columns())),
        ("runs", listed(&records::runs::columns())),
        ("topics", listed(&records::topics::columns(&[]))),
    ]
}

/// What the text says, and what is wrong with it.
pub fn read(text: &str) -> (Config, Vec<Mistake>) {
    let (config, mistakes, broken) = Default::default();
    let mut reader = Reader { text, config, mistakes, broken };
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        let line = error.message().lines().next().unwrap_or_default().to_string();
        reader.mistake(error.span().unwrap_or_default(), line);
    }
    reader.broken = reader.mistakes.iter().map(|mistake| mistake.line).collect();
    reader.table(table.get_ref());
    reader.mistakes.sort_by_key(|mistake| mistake.line);
    (reader.config, reader.mistakes)
}

struct Reader<'a> {
    text: &'a str,
    config: Config,
    mistakes: Vec<Mistake>,
    /// Lines that are no TOML, of which nothing else is said.
    broken: BTreeSet<usize>,
}

impl Reader<'_> {
    fn mistake(&mut self, span: Range<usize>, text: String) {
        let before = &self.text.as_bytes()[..span.start.min(self.text.len())];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        if !self.broken.contains(&line) {
            self.mistakes.push(Mistake { line, text });
        }
    }

    fn table(&mut self, table: &DeTable<'_>) {
        for (name, value) in table {
            let found = value.get_ref();
            match (name.get_ref().as_ref(), found) {
                ("theme", _) => match found.as_str().and_then(|name| name.parse().ok()) {
                    Some(theme) => self.config.theme = theme,
                    None => self
                        .mistake(value.span(), "theme is \"auto\", \"dark\" or \"light\"".into()),
                },
                ("mouse", DeValue::Boolean(on)) => self.config.mouse = *on,
                ("mouse", _) => self.mistake(value.span(), "mouse is true or false".into()),
                ("citation", _) => match found.as_str().map(str::parse) {
                    Some(Ok(form)) => self.config.citation = form,
                    Some(Err(error)) => self.mistake(value.span(), format!("citation: {error}")),
                    None => self.mistake(value.span(), "citation is a text".into()),
                },
                ("keys", DeValue::Table(keys)) => self.keys(keys),
                ("columns", DeValue::Table(columns)) => self.columns(columns),
                ("keys" | "columns", _) => {
                    let text = format!("{name} is a table: [{name}]", name = name.get_ref());
                    self.mistake(value.span(), text);
                }
                (other, _) => {
                    let text =
                        format!("there is no setting {other:?}; there are {}", SETTINGS.join(", "));
                    self.mistake(name.span(), text);
                }
            }
        }
    }

    fn keys(&mut self, table: &DeTable<'_>) {
        let actions: BTreeSet<String> =
            keys::actions().into_iter().map(|(name, ..)| name).collect();
        let mut taken: BTreeMap<String, String> = BTreeMap::new();
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(name, _)| name.span().start);
        for (name, value) in entries {
            let action = name.get_ref().to_string();
            if !actions.contains(&action) {
                let near = nearest(&action, &actions);
                self.mistake(
                    name.span(),
                    format!("there is no action {action:?}{near}; topoi config keys lists all"),
                );
                continue;
            }
            let Some(keys) = self.texts(value, "a key such as \"x\", or a list of keys") else {
                continue;
            };
            let mut kept = Vec::new();
            for (key, span) in keys {
                if !keys::is_sequence(&key) {
                    let text = format!(
                        "{key:?} is no key; write x, G, Ctrl-D, F5, PgDn, Shift-Tab or \"g x\""
                    );
                    self.mistake(span, text);
                } else if let Some(other) = taken.insert(key.clone(), action.clone()) {
                    self.mistake(span, format!("{key:?} is given to {other} already"));
                } else {
                    kept.push(key);
                }
            }
            if !kept.is_empty() {
                self.config.keys.insert(action, kept);
            }
        }
    }

    fn columns(&mut self, table: &DeTable<'_>) {
        let lists = lists();
        for (name, value) in table {
            let list = name.get_ref().to_string();
            let Some((_, known)) = lists.iter().find(|(name, _)| *name == list) else {
                let names: Vec<&str> = lists.iter().map(|(name, _)| *name).collect();
                self.mistake(
                    name.span(),
                    format!("there is no list {list:?}; there are {}", names.join(", ")),
                );
                continue;
            };
            let Some(columns) = self.texts(value, "a list of columns") else { continue };
            let mut kept: Vec<String> = Vec::new();
            for (column, span) in columns {
                if kept.contains(&column) {
                    self.mistake(span, format!("{column:?} is there twice"));
                } else if known.contains(&column) || list == "topics" && is_metric(&column) {
                    kept.push(column);
                } else {
                    self.mistake(
                        span,
                        format!("{list} has no column {column:?}; it has {}", known.join(", ")),
                    );
                }
            }
            if !kept.is_empty() {
                self.config.columns.insert(list, kept);
            }
        }
    }

    /// A text, or a list of them, each with its place.
    fn texts(
        &mut self,
        value: &Spanned<DeValue<'_>>,
        wanted: &str,
    ) -> Option<Vec<(String, Range<usize>)>> {
        let one = |value: &Spanned<DeValue<'_>>| {
            Some((value.get_ref().as_str()?.to_string(), value.span()))
        };
        let texts = match value.get_ref() {
            DeValue::Array(values) => values.iter().map(one).collect::<Option<Vec<_>>>(),
            _ => one(value).map(|text| vec![text]),
        };
        if texts.is_none() {
            self.mistake(value.span(), format!("here stands {wanted}"));
        }
        texts
    }
}

fn is_metric(name: &str) -> bool {
    topoi_core::metric::METRICS.iter().any(|metric| metric.id == name)
}

/// A name that was likely meant.
fn nearest(name: &str, names: &BTreeSet<String>) -> String {
    let is_near = |other: &&String| other.contains(name) || name.contains(other.as_str());
    let near = names.iter().filter(is_near).min_by_key(|other| other.len().abs_diff(name.len()));
    near.map(|near| format!(" (perhaps {near:?})")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::config::Theme;

    fn told(text: &str) -> Vec<String> {
        read(text).1.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_is_right_holds_and_the_rest_is_told_with_its_line() {
        let text = "theme = \"light\"\nmouse = 3\ncolour = 1\n[keys]\nsort = [\"o\", \"Ctrl-O\"]\n\
                    srt = \"x\"\nhelp = \"Hyper-x\"\ncopy-row = \"o\"\n[columns]\n\
                    runs = [\"run\", \"k\", \"size\"]\nwords = [\"a\"]\n";
        let (config, mistakes) = read(text);
        assert_eq!((config.theme, config.mouse), (Theme::Light, true));
        assert_eq!(config.columns["runs"], ["run", "k"]);
        let lines: Vec<usize> = mistakes.iter().map(|mistake| mistake.line).collect();
        assert_eq!(lines, [2, 3, 6, 7, 8, 10, 11], "{mistakes:?}");
        assert_eq!(mistakes[0].to_string(), "line 2: mouse is true or false");
        assert!(mistakes[6].text.contains("there are corpora, documents"), "{mistakes:?}");
        assert!(mistakes.iter().all(|mistake| !mistake.text.contains('\n')));
    }

    #[test]
    fn no_text_makes_it_panic_and_what_is_no_toml_is_told_in_a_line() {
        assert_eq!(read(""), (Config::default(), Vec::new()));
        for text in
            ["theme = ", "[keys", "= 3", "theme = \"dark\"\ntheme = \"dark\"", "\u{0}", "keys = 1"]
        {
            let told = told(text);
            assert!(
                !told.is_empty() && told.iter().all(|line| !line.contains('\n')),
                "{text:?} {told:?}"
            );
        }
        let (config, mistakes) = read("mouse = false\ntheme = \n");
        assert!(!config.mouse && mistakes.len() == 1, "{mistakes:?}");
    }
}
