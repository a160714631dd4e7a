//! The topic shares of a run's documents that means and regressions are made of.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::work::work_error::WorkError;
use topoi_core::formula::linear_proportions::{LinearProportions, ShareEstimate};
use topoi_store::Store;
use topoi_store::id::{DocumentId, TopicNumber};
use topoi_store::run::Run;

/// Reads shares of some topics.
#[derive(Debug)]
pub(super) struct ShareReader {
    pub(super) estimate: ShareEstimate,
    /// `None` for posterior means.
    linear: Option<LinearProportions>,
    /// The topics that are read, in their order.
    pub(super) topics: Vec<TopicNumber>,
    /// By topic that is read, the variance of a share from one token; 0 where it is not known.
    pub(super) token_variances: Vec<f64>,
    /// The condition number of the topics' words; 1 for posterior means.
    pub(super) condition: f64,
    /// By topic that is read, how many tokens tell as much of its share as one whose topic is seen.
    pub(super) tokens_for_one: Vec<f64>,
    /// The topics whose words are those of others, so that only their sum is estimated.
    not_told_apart: Vec<TopicNumber>,
    /// By topic that is read, the documents whose estimate is outside of 0 to 1 by more than chance.
    beyond: Vec<AtomicU64>,
    /// Documents that were read.
    documents: AtomicU64,
}

/// A document with its shares.
pub(super) struct DocumentShares<'d> {
    pub(super) id: DocumentId,
    pub(super) fields: Option<&'d str>,
    /// All its tokens.
    pub(super) tokens: u64,
    /// One over the number of its tokens in the vocabulary; 0 for posterior means.
    pub(super) inverse_tokens: f64,
    /// The shares of the topics that are read.
    pub(super) shares: &'d [f64],
}

impl ShareReader {
    /// A reader of the shares of these topics; of all where there are none.
    ///
    /// # Errors
    /// [`WorkError::NoTopics`].
    pub(super) fn new(
        store: &Store,
        run: &Run,
        estimate: ShareEstimate,
        topics: &[TopicNumber],
    ) -> Result<Self, WorkError> {
        // Not K of the run's row, which a damaged store can have any number for.
        let all = store.topic_labels(run.id)?.len();
        let topics = match topics {
            [] => (0..all).map(TopicNumber::from_index).collect(),
            some => some.to_vec(),
        };
        let places: Vec<usize> = topics.iter().map(|topic| topic.index()).collect();
        let count = topics.len();
        if estimate == ShareEstimate::Posterior {
            let token_variances = vec![0.0; count];
            return Ok(Self {
                estimate,
                linear: None,
                topics,
                token_variances,
                condition: 1.0,
                tokens_for_one: vec![1.0; count],
                not_told_apart: Vec::new(),
                beyond: Vec::new(),
                documents: AtomicU64::new(0),
            });
        }
        let linear = store.linear_proportions(run)?.ok_or(WorkError::NoTopics { run: run.id })?;
        let linear = if count == linear.topics() { linear } else { linear.only(&places) };
        let same = topics.iter().zip(linear.not_told_apart()).filter(|(_, is_same)| **is_same);
        Ok(Self {
            not_told_apart: same.map(|(topic, _)| *topic).collect(),
            beyond: topics.iter().map(|_| AtomicU64::new(0)).collect(),
            documents: AtomicU64::new(0),
            estimate,
            token_variances: linear.token_variances().to_vec(),
            condition: linear.condition(),
            tokens_for_one: linear.tokens_for_one().collect(),
            linear: Some(linear),
            topics,
        })
    }

    /// Calls `each` with every existing document of the run and its shares, in parallel, as
    /// [`Store::fold_proportions`] does. Documents without a word of the vocabulary have no linear
    /// estimate and are left out; a run has none of them.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(super) fn fold<T: Send>(
        &self,
        store: &Store,
        run: &Run,
        first: impl Fn() -> T + Sync,
        each: impl Fn(&mut T, &DocumentShares<'_>) + Sync,
    ) -> Result<Vec<T>, WorkError> {
        let first = || (first(), vec![0.0; self.topics.len()]);
        let pieces = match &self.linear {
            Some(linear) => store.fold_counts(run, first, |(to, shares), document| {
                let n = linear.estimate(document.terms, document.counts, shares);
                if n > 0.0 {
                    self.count_beyond(shares, n);
                    let (id, fields, tokens) = (document.id, document.fields, document.tokens);
                    let inverse_tokens = 1.0 / n;
                    each(to, &DocumentShares { id, fields, tokens, inverse_tokens, shares });
                }
            })?,
            None => store.fold_fields_and_proportions(
                run.id,
                first,
                |(to, own), id, fields, tokens, theta| {
                    for (own, topic) in own.iter_mut().zip(&self.topics) {
                        *own = theta.get(topic.index()).copied().unwrap_or_default();
                    }
                    let inverse_tokens = 0.0;
                    each(to, &DocumentShares { id, fields, tokens, inverse_tokens, shares: own });
                },
            )?,
        };
        Ok(pieces.into_iter().map(|(folded, _)| folded).collect())
    }

    /// How many documents were read, and by topic how many estimates were outside of 0 to 1 by more than chance.
    pub(super) fn counts(&self) -> (u64, Vec<u64>) {
        let beyond = self.beyond.iter().map(|beyond| beyond.load(Ordering::Relaxed));
        (self.documents.load(Ordering::Relaxed), beyond.collect())
    }

    /// Adds what another part has counted.
    pub(super) fn add_counts(&self, (documents, beyond): &(u64, Vec<u64>)) {
        self.documents.fetch_add(*documents, Ordering::Relaxed);
        for (own, other) in self.beyond.iter().zip(beyond) {
            own.fetch_add(*other, Ordering::Relaxed);
        }
    }

    /// Counts the estimates of a document of n tokens that no share could have.
    fn count_beyond(&self, shares: &[f64], n: f64) {
        self.documents.fetch_add(1, Ordering::Relaxed);
        let all = shares.iter().zip(&self.token_variances).zip(&self.beyond);
        for ((share, variance), beyond) in all {
            let slack = SLACK + SLACK_DEVIATIONS * (variance / n).sqrt();
            if *share < -slack || *share > 1.0 + slack {
                beyond.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// A line where the topics do not make up the words of the documents that were read.
    fn misfit(&self) -> Option<String> {
        let documents = self.documents.load(Ordering::Relaxed) as f64;
        let beyond = self.beyond.iter().map(|beyond| beyond.load(Ordering::Relaxed) as f64);
        let off: Vec<String> = self
            .topics
            .iter()
            .zip(beyond)
            .filter(|(_, beyond)| *beyond > MOST_BEYOND * documents)
            .map(|(topic, _)| topic.to_string())
            .collect();
        if off.is_empty() {
            return None;
        }
        Some(format!(
            "the words of many documents are no mixture of the run's topics (shares far outside of 0 to 1 of topic {}): linear \
             estimates are no shares here; take another model, or posterior means (--shares posterior)",
            off.join(", ")
        ))
    }

    /// Lines for topics that do not make up the documents, and whose words are those of others, or nearly. After
    /// [`Self::fold`].
    pub(super) fn notes(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.misfit().into_iter().collect();
        if let [first, others @ ..] = &self.not_told_apart[..] {
            let others: String = others.iter().map(|topic| format!(", {topic}")).collect();
            lines.push(format!(
                "topics {first}{others}: their words are those of others, so that only sums of their shares are estimated, and \
                 divided by their sizes"
            ));
        }
        let all = self.topics.iter().copied().zip(self.tokens_for_one.iter().copied());
        let mut hard: Vec<(TopicNumber, f64)> = all
            .filter(|(topic, tokens)| *tokens > HARD && !self.not_told_apart.contains(topic))
            .collect();
        hard.sort_by(|a, b| b.1.total_cmp(&a.1));
        if let [(worst, tokens), rest @ ..] = &hard[..] {
            let others = match rest.len() {
                0 => String::new(),
                more => format!(", and {more} more topics are like it"),
            };
            lines.push(format!(
                "topic {worst} has nearly the words of others, so that {tokens:.0} tokens tell as much of it as one would that was \
                 known to be of it{others}: errors are large"
            ));
        }
        lines
    }
}

/// An estimate counts as outside of 0 to 1 beyond this distance plus `SLACK_DEVIATIONS` standard
/// deviations of independent tokens.
const SLACK: f64 = 0.25;
const SLACK_DEVIATIONS: f64 = 4.0;
/// With a larger share of documents outside, a note says that the topics do not fit.
const MOST_BEYOND: f64 = 0.05;
/// Tokens for one from which a note names a topic that is hard to tell from others.
const HARD: f64 = 10.0;
