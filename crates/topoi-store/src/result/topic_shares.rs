//! The shares of a topic: of tokens, and of documents.
//!
//! They differ if document lengths do: a topic of one long document has many tokens and a small mean
//! proportion.

use rusqlite::Row;

/// Shares of a corpus that belong to a topic.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct TopicShares {
    /// p(topic) of a random document.
    /// It is the mean of θ over documents if topics are refined or the model has no matrix A. Otherwise the
    /// model gives it, and the metric `weights_from_documents` compares it with that mean.
    pub document_share: f64,
    /// Share of tokens: Σ n θ / Σ n over documents with n tokens in the vocabulary; `None` if the run has no θ.
    pub token_share: Option<f64>,
}

impl TopicShares {
    /// The size by which topics are sorted and drawn, the same measure for all topics of a run: the share of
    /// tokens, or the share of documents if there is none.
    pub fn size(&self) -> f64 {
        self.token_share.unwrap_or(self.document_share)
    }

    /// The unit of [`Self::size`].
    pub fn size_of(&self) -> &'static str {
        if self.token_share.is_some() { "tokens" } else { "documents" }
    }

    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let (document_share, token_share) = (row.get("document_share")?, row.get("token_share")?);
        Ok(Self { document_share, token_share })
    }

    /// The first invalid share, with its name.
    pub(super) fn invalid(&self) -> Option<(&'static str, f64)> {
        let named = [("document", Some(self.document_share)), ("token", self.token_share)];
        let wrong = |(name, share): (_, Option<f64>)| {
            Some((name, share.filter(|share| !is_share(*share))?))
        };
        named.into_iter().find_map(wrong)
    }
}

/// Whether a number is in [−1, 1], up to rounding. Shares of some models are negative.
pub(super) fn is_share(number: f64) -> bool {
    number.abs() <= 1.0 + 1e-6
}
