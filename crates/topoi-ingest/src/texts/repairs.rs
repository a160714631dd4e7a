//! What is mended in texts before they become words; the mended text is saved.

use super::{JoinedWords, line_ends, page_heads, references};

/// What is mended in texts. Saved with the corpus; the same for every ingest into it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TextRepairs {
    /// Words that a hyphen parts at the end of a line are joined.
    pub hyphens: bool,
    /// Character references of HTML, such as `&eacute;`, become their characters.
    pub entities: bool,
    /// Lines that are at the edges of most pages are dropped.
    pub page_heads: bool,
}

/// Numbers of what was mended, or could be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct RepairCounts {
    /// Words that a hyphen parted at the end of a line and that were joined.
    pub joined: u64,
    /// Words that a hyphen parts at the end of a line.
    pub apart: u64,
    /// Character references, decoded or not.
    pub entities: u64,
    /// Lines at the edges of pages that were dropped.
    pub page_heads: u64,
}

impl RepairCounts {
    /// Adds the counts of `other`.
    pub fn add(&mut self, other: Self) {
        self.joined += other.joined;
        self.apart += other.apart;
        self.entities += other.entities;
        self.page_heads += other.page_heads;
    }
}

/// Mends texts.
#[derive(Debug, Default)]
pub(crate) struct TextMender {
    repairs: TextRepairs,
    joined: JoinedWords,
}

impl TextMender {
    /// A mender that joins only what a sign says is one word.
    pub(crate) fn new(repairs: TextRepairs) -> Self {
        Self { repairs, ..Self::default() }
    }

    /// Joins these words from now on.
    pub(crate) fn with_joined(self, joined: JoinedWords) -> Self {
        Self { joined, ..self }
    }

    /// The most frequent words that are joined, and that are not.
    pub(crate) fn examples(&self) -> [Vec<String>; 2] {
        self.joined.examples()
    }

    /// The title as it is saved.
    pub(crate) fn mend_title(&self, title: String) -> String {
        if self.repairs.entities { references::decoded(&title).0.into_owned() } else { title }
    }

    /// The text as it is saved.
    pub(crate) fn mend(&self, mut text: String) -> (String, RepairCounts) {
        let mut counts = RepairCounts::default();
        if self.repairs.entities {
            let (decoded, found) = references::decoded(&text);
            counts.entities = found;
            if found > 0 {
                text = decoded.into_owned();
            }
        } else {
            counts.entities = references::count(&text);
        }
        if self.repairs.page_heads
            && let Some((kept, dropped)) = page_heads::without_heads(&text)
        {
            (text, counts.page_heads) = (kept, dropped);
        }
        if !self.repairs.hyphens {
            counts.apart = line_ends::count(&text);
        } else if let Some((whole, joined, apart)) = self.joined.join(&text) {
            (text, counts.joined, counts.apart) = (whole, joined, apart);
        }
        (text, counts)
    }
}
