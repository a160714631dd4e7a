//! Running text as it is put together from pieces of a marked-up file.

use crate::error::{Mistake, Place, Reading};
use crate::source::LONGEST_DOCUMENT;

/// What stands between two pieces of text; of several the greatest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::formats) enum Gap {
    #[default]
    None,
    Space,
    Line,
    Paragraph,
}

/// Text with single spaces between words, and a blank line between paragraphs.
#[derive(Debug, Default)]
pub(in crate::formats) struct Flow {
    text: String,
    gap: Gap,
}

impl Flow {
    /// Leaves at least this gap before the next word, if there is one before it.
    pub(in crate::formats) fn gap(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    /// Adds text in which white space of any length is a space.
    pub(in crate::formats) fn words(&mut self, text: &str) {
        let mut rest = text;
        while let Some(begin) = rest.find(|c: char| !c.is_whitespace()) {
            if begin > 0 {
                self.gap(Gap::Space);
            }
            let end = rest[begin..].find(char::is_whitespace).map_or(rest.len(), |at| begin + at);
            self.close_gap();
            self.text.push_str(&rest[begin..end]);
            rest = &rest[end..];
        }
        if !rest.is_empty() {
            self.gap(Gap::Space);
        }
    }

    /// Adds text as it is.
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
                Gap::None => "",
                Gap::Space => " ",
                Gap::Line => "\n",
                Gap::Paragraph => "\n\n",
            });
        }
    }

    /// # Errors
    /// When there is more text than a document may have.
    pub(in crate::formats) fn check_length(&self, place: &Place) -> Reading<()> {
        if self.text.len() <= LONGEST_DOCUMENT {
            return Ok(());
        }
        let problem = format!("a document of more than {} MiB of text", LONGEST_DOCUMENT >> 20);
        Err(Mistake::document(place.clone(), problem, "split it into several files"))
    }

    pub(in crate::formats) fn into_text(self) -> String {
        self.text
    }

    /// The text, if there is any.
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
        flow.gap(Gap::Paragraph);
        flow.words("  a \n b");
        flow.words("c ");
        flow.gap(Gap::Line);
        flow.gap(Gap::Space);
        flow.words(" d");
        flow.gap(Gap::Paragraph);
        flow.verbatim("  x\n");
        flow.words("\n");
        assert_eq!(flow.into_text(), "a bc\nd\n\n  x\n");
    }
}
