//! Which row of a table a document has.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;

/// Longest ending of a file's name, such as `.markdown`.
const LONGEST_ENDING: usize = 9;

/// What is found for a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Match {
    /// The row in this place, and how it was found.
    Row(usize, Likeness),
    /// Rows that could all be meant.
    Several,
    None,
}

/// How alike the keys of a document and a row are, most alike first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Likeness(usize);

impl Likeness {
    /// Equal keys.
    pub const SAME: Self = Self(0);

    /// Whether folders were left out, so that documents of several folders can have the same row.
    pub fn is_without_folders(self) -> bool {
        self.0 >= FIRST_WITHOUT_FOLDERS
    }
}

/// The first of [`WAYS`] that leaves folders out.
const FIRST_WITHOUT_FOLDERS: usize = 2;

/// How alike two keys are: the first way in which a key has rows is the one.
const WAYS: [fn(&str) -> &str; 4] =
    [|key| key, without_ending, name_of_path, |key| without_ending(name_of_path(key))];

/// The rows of a table by the keys of documents: exactly, without ending, without folders, without both.
#[derive(Debug)]
pub struct RowsByKey {
    ways: [HashMap<String, Match, foldhash::fast::RandomState>; WAYS.len()],
}

impl RowsByKey {
    /// Rows by their keys. Letters are the same in every spelling of Unicode, as file systems change it.
    pub fn new(keys: &[String]) -> Self {
        let of_way = |way: fn(&str) -> &str| {
            let mut rows = HashMap::default();
            for (row, key) in keys.iter().enumerate() {
                let key = composed(key);
                let of_key = rows.entry(way(&key).to_string());
                of_key
                    .and_modify(|found| *found = Match::Several)
                    .or_insert(Match::Row(row, Likeness::SAME));
            }
            rows
        };
        Self { ways: WAYS.map(of_way) }
    }

    /// The row of a key.
    pub fn find(&self, key: &str) -> Match {
        let key = composed(key);
        let ways = self.ways.iter().zip(WAYS).enumerate();
        let mut found = ways.filter_map(|(at, (rows, way))| match rows.get(way(&key))? {
            Match::Row(row, _) => Some(Match::Row(*row, Likeness(at))),
            other => Some(*other),
        });
        found.next().unwrap_or(Match::None)
    }
}

fn composed(key: &str) -> String {
    key.trim().trim_start_matches("./").replace('\\', "/").nfc().collect()
}

fn name_of_path(key: &str) -> &str {
    key.rsplit('/').next().unwrap_or(key)
}

fn without_ending(key: &str) -> &str {
    match key.rsplit_once('.') {
        Some((stem, ending)) if is_ending(ending) && !stem.is_empty() && !stem.ends_with('/') => {
            stem
        }
        _ => key,
    }
}

fn is_ending(ending: &str) -> bool {
    (1..LONGEST_ENDING).contains(&ending.len())
        && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && ending.bytes().any(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_found_by_key_by_name_and_without_ending() {
        let rows = |keys: &[&str]| {
            RowsByKey::new(&keys.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        let table = rows(&["1850/a.txt", "b", "C.TXT", "caf\u{e9}.txt", "v1.2"]);
        for (key, row, way) in [
            ("1850/a.txt", 0, 0),
            ("1850/a", 0, 1),
            ("a.txt", 0, 2),
            ("texts/a.xml", 0, 3),
            ("x\\b.txt", 1, 3),
            ("./b", 1, 0),
            ("C", 2, 1),
            ("cafe\u{301}", 3, 1),
            ("v1.2", 4, 0),
        ] {
            assert_eq!(table.find(key), Match::Row(row, Likeness(way)), "{key}");
        }
        for key in ["c", "", "v1", "v1.3"] {
            assert_eq!(table.find(key), Match::None, "{key}");
        }
        let twice = rows(&["1850/a.txt", "1860/a.txt", "b.txt", "b.xml"]);
        assert_eq!(twice.find("1860/a.txt"), Match::Row(1, Likeness::SAME));
        assert_eq!(twice.find("a.txt"), Match::Several);
        let same = Match::Row(3, Likeness::SAME);
        assert_eq!((twice.find("b.xml"), twice.find("b")), (same, Match::Several));
    }
}
