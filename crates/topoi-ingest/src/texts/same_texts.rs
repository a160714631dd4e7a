//! Documents with the very text of another under another key.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, Hasher};

use foldhash::quality::FixedState;

/// Texts with fewer bytes are not compared: titles and formulas of greeting are often the same.
const SHORTEST: usize = 50;
/// Maximum number of bytes of the keys that are remembered, with about as many for the table.
const MOST_BYTES: usize = 32 << 20;
/// Number of examples.
const EXAMPLES: usize = 3;

/// The texts of an ingest by a hash of 64 bits: of a million different ones, two are taken for the same once in 37
/// million ingests.
#[derive(Debug, Default)]
pub(crate) struct SeenTexts {
    keys: HashMap<u64, Box<str>, foldhash::fast::RandomState>,
    bytes: usize,
}

/// Documents with the text of another.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct SameTexts {
    /// Their number.
    pub documents: u64,
    /// The first of them: their key, and that of the document with the same text.
    pub examples: Vec<[String; 2]>,
}

impl SameTexts {
    /// Adds those of `other`.
    pub fn add(&mut self, other: &Self) {
        self.documents += other.documents;
        self.examples.extend_from_slice(&other.examples);
        self.examples.truncate(EXAMPLES);
    }
}

impl SeenTexts {
    /// Compares a text, in one or several parts, with all before it.
    pub(crate) fn see<'t>(
        &mut self,
        key: &str,
        parts: impl Iterator<Item = &'t str>,
        same: &mut SameTexts,
    ) {
        let mut hasher = FixedState::default().build_hasher();
        let mut length = 0;
        for part in parts.map(str::trim) {
            length += part.len();
            part.hash(&mut hasher);
        }
        if length < SHORTEST {
            return;
        }
        match self.keys.get(&hasher.finish()) {
            Some(first) if **first != *key => {
                same.documents += 1;
                if same.examples.len() < EXAMPLES {
                    same.examples.push([key.into(), first.to_string()]);
                }
            }
            Some(_) => {}
            None if self.bytes < MOST_BYTES => {
                self.bytes += key.len() + size_of::<(u64, Box<str>)>();
                self.keys.insert(hasher.finish(), key.into());
            }
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_text_under_another_key_is_told_with_both_keys() {
        let (mut seen, mut same) = (SeenTexts::default(), SameTexts::default());
        let text = "The ship sailed to the harbour with its captain, and came back.";
        for (key, text) in [
            ("a", text.to_string()),
            ("b", format!("{text} ")),
            ("c", text.to_uppercase()),
            ("a", text.to_string()),
            ("d", "short".into()),
            ("e", "short".into()),
        ] {
            seen.see(key, [text.as_str()].into_iter(), &mut same);
        }
        let examples = vec![["b".to_string(), "a".to_string()]];
        assert_eq!(same, SameTexts { documents: 1, examples });
    }
}
