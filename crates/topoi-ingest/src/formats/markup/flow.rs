//! Builds running text from the pieces of a marked-up file.

use crate::error::{InputLocation, Mistake, Reading};
use crate::source::MAX_DOCUMENT_BYTES;
use crate::texts::is_hyphen;

/// The gap between two pieces of text; the largest of several is used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::formats) enum TextGap {
    #[default]
    None,
    Space,
    Line,
    Paragraph,
}

/// Text with single spaces between words and blank lines between paragraphs.
#[derive(Debug, Default)]
pub(in crate::formats) struct Flow {
    text: String,
    gap: TextGap,
    /// Whether the next word belongs to the last one.
    continues: bool,
}

impl Flow {
    /// Requests a gap of at least this size before the next word, unless the text is empty.
    pub(in crate::formats) fn gap(&mut self, gap: TextGap) {
        if !self.continues || gap == TextGap::Paragraph {
            self.gap = self.gap.max(gap);
        }
    }

    /// Joins the next word to the last one, without the hyphen at its end.
    pub(in crate::formats) fn continue_word(&mut self) {
        let word = self.text.trim_end_matches(is_hyphen);
        if word.ends_with(char::is_alphabetic) {
            self.text.truncate(word.len());
        }
        (self.gap, self.continues) = (TextGap::None, true);
    }

    /// Adds text with whitespace collapsed to single spaces.
    pub(in crate::formats) fn words(&mut self, text: &str) {
        let mut rest = text;
        while let Some(begin) = rest.find(|c: char| !c.is_whitespace()) {
            if begin > 0 {
                self.gap(TextGap::Space);
            }
            let end = rest[begin..].find(char::is_whitespace).map_or(rest.len(), |at| begin + at);
            self.close_gap();
            self.continues = false;
            self.text.push_str(&rest[begin..end]);
            rest = &rest[end..];
        }
        if !rest.is_empty() {
            self.gap(TextGap::Space);
        }
    }

    /// Adds text unchanged.
    pub(in crate::formats) fn verbatim(&mut self, text: &str) {
        if !text.is_empty() {
            self.close_gap();
            self.text.push_str(text);
        }
    }

    fn close_gap(&mut self) {
        let gap = std::mem::take(&mut self.gap);
        if !self.text.is_empty() {
            self.text.push_str(match gap {
                TextGap::None => "",
                TextGap::Space => " ",
                TextGap::Line => "\n",
                TextGap::Paragraph => "\n\n",
            });
        }
    }

    /// # Errors
    /// If the text is longer than a document may be.
    pub(in crate::formats) fn check_length(&self, place: &InputLocation) -> Reading<()> {
        if self.text.len() <= MAX_DOCUMENT_BYTES {
            return Ok(());
        }
        let problem = format!("a document of more than {} MiB of text", MAX_DOCUMENT_BYTES >> 20);
        Err(Mistake::document(place.clone(), problem, "split it into several files"))
    }

    pub(in crate::formats) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(in crate::formats) fn into_text(self) -> String {
        self.text
    }

    /// The text, unless it is empty.
    pub(in crate::formats) fn into_filled(self) -> Option<String> {
        (!self.text.is_empty()).then_some(self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_one_space_and_the_greatest_gap_counts() {
        let mut flow = Flow::default();
        flow.gap(TextGap::Paragraph);
        flow.words("  a \n b");
        flow.words("c ");
        flow.gap(TextGap::Line);
        flow.gap(TextGap::Space);
        flow.words(" d");
        flow.gap(TextGap::Paragraph);
        flow.verbatim("  x\n");
        flow.words("\n");
        assert_eq!(flow.into_text(), "a bc\nd\n\n  x\n");
    }
}
