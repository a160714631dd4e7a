//! The two shares of a topic: of the tokens, and of the documents.
//!
//! They differ where documents do in length: a topic of one long document has many tokens and a small mean share.

use rusqlite::Row;

/// How much of a corpus belongs to a topic.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct TopicShares {
    /// p(topic) of a document drawn evenly: the mean of θ over documents where topics are refined, or the model gives
    /// no A; else what the model itself says, which the metric `weights_from_documents` compares with that mean.
    pub document_share: f64,
    /// Share of tokens: Σ n θ / Σ n over documents with n tokens of the vocabulary. `None` where the run has no θ.
    pub token_share: Option<f64>,
}

impl TopicShares {
    /// By what topics are ordered and drawn, one measure for all topics of a run: the share of tokens, or the
    /// share of documents for a run without the former.
    pub fn size(&self) -> f64 {
        self.token_share.unwrap_or(self.document_share)
    }

    /// What [`Self::size`] is a share of.
    pub fn size_of(&self) -> &'static str {
        if self.token_share.is_some() { "tokens" } else { "documents" }
    }

    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let (document_share, token_share) = (row.get("document_share")?, row.get("token_share")?);
        Ok(Self { document_share, token_share })
    }

    /// A number that is no share, and which it is.
    pub(super) fn wrong(&self) -> Option<(&'static str, f64)> {
        let named = [("document", Some(self.document_share)), ("token", self.token_share)];
        let wrong = |(name, share): (_, Option<f64>)| {
            Some((name, share.filter(|share| !is_share(*share))?))
        };
        named.into_iter().find_map(wrong)
    }
}

/// Whether it can be a share of one, but for rounding. Signed, as some models' are.
pub(super) fn is_share(number: f64) -> bool {
    number.abs() <= 1.0 + 1e-6
}
