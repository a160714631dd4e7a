//! The part of its corpus that a run is fitted to, and why the rest is left out.

use std::fmt;

use crate::groups::no_shares::NoShares;
use crate::request::RunSettings;
use topoi_core::metric::MetricDef;
use topoi_core::metric::run_process::{DOCUMENTS_LEFT_OUT, DOCUMENTS_USED, TOKENS_USED};
use topoi_core::numbers::{counted, thousands};
use topoi_store::result::assigned::SinceRun;
use topoi_store::result::left_out::LeftOut;
use topoi_store::run::Run;
use topoi_store::{Store, StoreError};

/// Documents and tokens that a run is fitted to, and those that it left out.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Coverage {
    /// Documents used.
    pub documents: u64,
    /// Their tokens in the vocabulary.
    pub tokens: u64,
    /// Documents left out. More than the sum over `reasons` where the run saved no reasons, as runs in parts.
    pub left_out: u64,
    /// Number of documents left out, by reason.
    pub reasons: Vec<LeftOut>,
    /// Minimum number of tokens in the vocabulary that a document needs.
    pub min_tokens: u64,
    /// Documents held out to score the run; they have no topic proportions.
    pub held_out: u64,
    /// How its corpus has changed since.
    pub since: SinceRun,
}

impl Coverage {
    /// The coverage of `run`; `None` for a run that did not save it.
    pub fn from_run(store: &Store, run: &Run) -> Result<Option<Self>, StoreError> {
        let metrics = store.metrics(run.id)?;
        let value = |wanted: &MetricDef| {
            let is_wanted = |name: &str, topic: Option<_>| name == wanted.id && topic.is_none();
            metrics
                .iter()
                .find(|metric| is_wanted(&metric.name, metric.topic))
                .map(|m| crate::number::count(m.value))
        };
        let Some(documents) = value(&DOCUMENTS_USED) else { return Ok(None) };
        let since = store.since_run(run.id)?;
        Ok(Some(Self {
            documents,
            tokens: value(&TOKENS_USED).unwrap_or_default(),
            left_out: value(&DOCUMENTS_LEFT_OUT).unwrap_or_default(),
            reasons: store.left_out(run.id)?,
            min_tokens: RunSettings::from_run(run).map_or(0, |settings| settings.min_tokens).max(1),
            held_out: NoShares::with_changes(store, run, &since)?.held_out,
            since,
        }))
    }

    /// Whether documents of its corpus are not in it, or other than they were.
    pub fn is_partial(&self) -> bool {
        self.left_out + self.held_out > 0 || self.since.is_older() || self.since.assigned > 0
    }
}

impl fmt::Display for Coverage {
    /// One line: documents used, documents left out, the reasons, and the options that change them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { documents, tokens, left_out, reasons, min_tokens, held_out, since } = self;
        let (made_from, tokens) = (counted(*documents, "document"), counted(*tokens, "token"));
        write!(f, "made from {made_from}, {tokens}; {} left out", counted(*left_out, "document"))?;
        for (at, LeftOut { reason, documents, tokens }) in reasons.iter().enumerate() {
            let separator = if at == 0 { ": " } else { ", " };
            match reason.as_str() {
                "too short" => write!(
                    f,
                    "{separator}{} with fewer than {min_tokens} tokens of the vocabulary ({} in all; \
                     --min-tokens, --terms)",
                    thousands(*documents),
                    counted(*tokens, "token")
                )?,
                _ => write!(
                    f,
                    "{separator}{} with {reason} of the vocabulary (--terms)",
                    thousands(*documents)
                )?,
            }
        }
        if *held_out > 0 {
            write!(
                f,
                "; {} held out to score it, without shares of topics (--held-out)",
                counted(*held_out, "document")
            )?;
        }
        let changes = [
            (since.assigned, "assigned"),
            (since.added, "added"),
            (since.corrected, "corrected"),
            (since.deleted, "deleted"),
        ];
        let changes: Vec<String> = changes
            .iter()
            .filter(|(documents, _)| *documents > 0)
            .map(|(documents, how)| format!("{} {how}", thousands(*documents)))
            .collect();
        match changes.is_empty() {
            true => Ok(()),
            false => write!(f, "; documents since: {}", changes.join(", ")),
        }?;
        match since.continued_by {
            Some(run) => write!(f, "; run {run} continues it"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_is_in_what_is_not_and_what_changes_that() {
        let reason =
            |reason: &str, documents, tokens| LeftOut { reason: reason.into(), documents, tokens };
        let mut coverage = Coverage {
            documents: 90,
            tokens: 1000,
            left_out: 10,
            reasons: vec![reason("no term", 3, 0), reason("too short", 7, 15)],
            min_tokens: 5,
            held_out: 0,
            since: SinceRun::default(),
        };
        assert_eq!(
            coverage.to_string(),
            "made from 90 documents, 1,000 tokens; 10 documents left out: 3 with no term of the vocabulary \
             (--terms), 7 with fewer than 5 tokens of the vocabulary (15 tokens in all; --min-tokens, --terms)"
        );
        coverage.reasons.clear();
        coverage.left_out = 1;
        assert_eq!(
            coverage.to_string(),
            "made from 90 documents, 1,000 tokens; 1 document left out"
        );
        coverage.held_out = 7;
        assert_eq!(
            coverage.to_string(),
            "made from 90 documents, 1,000 tokens; 1 document left out; 7 documents held out to score it, without \
             shares of topics (--held-out)"
        );
        coverage.held_out = 0;
        coverage.since = SinceRun { added: 1200, deleted: 3, ..SinceRun::default() };
        assert_eq!(
            coverage.to_string(),
            "made from 90 documents, 1,000 tokens; 1 document left out; documents since: 1,200 added, 3 deleted"
        );
    }
}
