//! Proportions of many documents, as a run holds them until they are saved.

use super::proportions;

/// [`PackedDocuments`] keep the bits of proportions from here up, which the hash of a result is over.
pub const LEAST_PROPORTION: f64 = 0.01;

/// θ of documents: whole, as text, and to the last bit where it is a hundredth or more. 24 bytes a document, 12
/// bytes a large proportion, and about 5 bytes a topic.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PackedDocuments {
    /// Ids of the documents, in the order of the corpus.
    pub documents: Vec<i64>,
    /// Where each document's entries end in `topics` and `proportions`.
    pub ends: Vec<usize>,
    /// Topics of proportion [`LEAST_PROPORTION`] or more, ascending within a document.
    pub topics: Vec<u32>,
    /// Proportions of those topics, from 0 to 1; what is missing to a sum of 1 was not saved.
    pub proportions: Vec<f64>,
    /// Where each document's text ends in `text`.
    pub text_ends: Vec<usize>,
    /// The proportions of all topics, as [`proportions::write`] has them, one document after the other.
    pub text: String,
}

/// A document of [`PackedDocuments`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PackedDocument<'a> {
    /// Row id of the document.
    pub id: i64,
    /// Topics of proportion [`LEAST_PROPORTION`] or more, ascending.
    pub topics: &'a [u32],
    /// Proportions of those topics, from 0 to 1.
    pub proportions: &'a [f64],
    /// The proportions of all topics.
    pub text: &'a str,
}

impl PackedDocuments {
    /// Appends a document. `theta` and `alpha` have an entry a topic.
    pub fn push(&mut self, document: i64, theta: &[f64], alpha: &[f64]) {
        for (topic, &share) in (0u32..).zip(theta) {
            if share >= LEAST_PROPORTION {
                self.topics.push(topic);
                self.proportions.push(share);
            }
        }
        self.documents.push(document);
        self.ends.push(self.topics.len());
        proportions::write(theta, alpha, &mut self.text);
        self.text_ends.push(self.text.len());
    }

    /// Appends the documents of `other`.
    pub fn append(&mut self, other: Self) {
        let (before, text_before) = (self.topics.len(), self.text.len());
        self.documents.extend(other.documents);
        self.ends.extend(other.ends.into_iter().map(|end| before + end));
        self.topics.extend(other.topics);
        self.proportions.extend(other.proportions);
        self.text_ends.extend(other.text_ends.into_iter().map(|end| text_before + end));
        self.text.push_str(&other.text);
    }

    /// The documents in order.
    pub fn iter(&self) -> impl Iterator<Item = PackedDocument<'_>> {
        let (mut start, mut text_start) = (0, 0);
        let ends = self.ends.iter().zip(&self.text_ends);
        self.documents.iter().zip(ends).map(move |(&id, (&end, &text_end))| {
            let range = std::mem::replace(&mut start, end)..end;
            let text = &self.text[std::mem::replace(&mut text_start, text_end)..text_end];
            let (topics, proportions) = (&self.topics[range.clone()], &self.proportions[range]);
            PackedDocument { id, topics, proportions, text }
        })
    }
}
