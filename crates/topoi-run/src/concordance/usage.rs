//! How often groups of documents, or times, have a word or phrase.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::groups::by::NotGrouped;
use crate::groups::fields::{Part, Rule, fields};
use crate::groups::keywords::groups_of_documents;
use crate::work::work_error::WorkError;
use topoi_core::fields::date::PeriodLength;
use topoi_core::fields::interval::t_quantile;
use topoi_ingest::Tokenizer;
use topoi_ingest::search::places;
use topoi_store::corpus::Corpus;
use topoi_store::id::DocumentId;
use topoi_store::search::expression::Expression;
use topoi_store::{Store, StoreError};

/// Documents that are read at once.
const AT_ONCE: usize = 500;
/// Documents with it that an interval needs. Where fewer have a word, some use it much and most never, and 95%
/// intervals of simulated groups had the true rate 60% to 77% of the time.
const LEAST_MATCHING: u64 = 5;

/// A group of documents.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupUsage {
    /// What its documents have in the field.
    pub part: Part,
    /// Its documents.
    pub documents: u64,
    /// Those of them that match.
    pub matching: u64,
    /// Occurrences.
    pub occurrences: u64,
    /// Tokens of its documents.
    pub tokens: u64,
    /// Occurrences in a million tokens.
    pub per_million: f64,
    /// 95% interval of that, for documents drawn as these were; `None` where fewer than five match.
    pub interval: Option<(f64, f64)>,
}

/// The groups that a field makes.
#[derive(Debug, Clone, PartialEq)]
pub struct Usage {
    /// How the field makes groups.
    pub rule: Rule,
    /// The groups in their order.
    pub groups: Vec<GroupUsage>,
    /// Documents in no group.
    pub not_grouped: NotGrouped,
}

/// How often documents have something: (document, occurrences), ascending.
pub type Counts = Vec<(DocumentId, u64)>;

/// How often each of the documents `all` that match a query ([`Searcher::ids`](topoi_ingest::search::Searcher::ids)) has what it finds. Reads the texts of these documents.
///
/// # Errors
/// When the store cannot be read.
pub fn counts_of_query(
    store: &Store,
    tokenizer: &Tokenizer,
    (what, all): (&Expression, &[DocumentId]),
    tell: &(dyn Fn(u64, u64) + Sync),
) -> Result<Counts, StoreError> {
    let mut counts = Vec::with_capacity(all.len());
    for (done, ids) in (0..).zip(all.chunks(AT_ONCE)) {
        tell(done * AT_ONCE as u64, all.len() as u64);
        let documents = store.documents_to_look_at(ids, true)?;
        let count =
            |text: Option<&str>| places(text.unwrap_or_default(), tokenizer, what).len() as u64;
        counts.par_extend(
            documents.par_iter().map(|document| (document.id, count(document.text.as_deref()))),
        );
    }
    counts.sort_unstable();
    Ok(counts)
}

/// Sums over the documents of a group.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    documents: u64,
    matching: u64,
    occurrences: u64,
    tokens: u64,
    /// Σ o², Σ o t and Σ t², for the error of the ratio.
    squares: [f64; 3],
}

impl Sums {
    fn add(&mut self, occurrences: Option<u64>, tokens: u64) {
        let (o, t) = (occurrences.unwrap_or(0) as f64, tokens as f64);
        self.documents += 1;
        self.matching += u64::from(occurrences.is_some());
        self.occurrences += occurrences.unwrap_or(0);
        self.tokens += tokens;
        for (sum, square) in self.squares.iter_mut().zip([o * o, o * t, t * t]) {
            *sum += square;
        }
    }

    /// The ratio of occurrences to tokens in a million, with the error that it has between documents: they are drawn,
    /// and not tokens, of which those of a document are alike. The interval is one of the logarithm: of the rate itself,
    /// which a few documents can raise much and none can lower much, it has the truth too seldom (91% of the cases in
    /// the test below, 94 to 96 so).
    fn rate(&self) -> (f64, Option<(f64, f64)>) {
        const MILLION: f64 = 1e6;
        let (n, t) = (self.documents as f64, self.tokens as f64);
        if self.tokens == 0 {
            return (0.0, None);
        }
        let rate = self.occurrences as f64 / t;
        if self.matching < LEAST_MATCHING {
            return (MILLION * rate, None);
        }
        let [oo, ot, tt] = self.squares;
        let spread = (oo - 2.0 * rate * ot + rate * rate * tt).max(0.0);
        let error = (spread * n / (n - 1.0)).sqrt() / t;
        let factor = (t_quantile(n - 1.0) * error / rate).exp();
        (MILLION * rate, Some((MILLION * rate / factor, MILLION * rate * factor)))
    }
}

/// How often the groups that a field makes have what was counted. One pass over the documents' fields.
///
/// # Errors
/// [`FieldError`](crate::groups::fields::FieldError); when the store cannot be read.
pub fn usage(
    store: &Store,
    corpus: &Corpus,
    counts: &Counts,
    (field, per): (&str, Option<PeriodLength>),
    condition: Option<&str>,
) -> Result<Usage, WorkError> {
    let names = [field.to_string()];
    let rule = fields(store, corpus, &names)?.remove(0).rule(&corpus.name, per)?;
    let grouped = groups_of_documents(store, corpus, &names, &rule, condition)?;
    let counts: HashMap<DocumentId, u64> = counts.iter().copied().collect();
    let mut sums = vec![Sums::default(); grouped.groups.len()];
    for (id, tokens) in store.tokens_of_documents(corpus.id)? {
        if let Some(&group) = grouped.of_document.get(&id) {
            sums[group as usize].add(counts.get(&id).copied(), tokens);
        }
    }
    let groups = grouped.groups.into_iter().zip(sums).map(|((part, _), sums)| {
        let (per_million, interval) = sums.rate();
        let Sums { documents, matching, occurrences, tokens, .. } = sums;
        GroupUsage { part, documents, matching, occurrences, tokens, per_million, interval }
    });
    Ok(Usage { rule, groups: groups.collect(), not_grouped: grouped.not_grouped })
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use topoi_core::random::stream;

    use super::*;

    #[test]
    fn a_rate_is_of_tokens_and_its_error_between_documents() {
        let mut sums = Sums::default();
        for (occurrences, tokens) in
            [(Some(2), 100), (None, 300), (Some(1), 100), (Some(1), 100), (Some(1), 200)]
        {
            sums.add(occurrences, tokens);
        }
        let (rate, interval) = sums.rate();
        assert!((rate - 6250.0).abs() < 1e-9 && interval.is_none(), "four documents match");
        sums.add(Some(5), 800);
        let (rate, interval) = sums.rate();
        assert!((rate - 6250.0).abs() < 1e-9);
        // Residuals 1.375, −1.875, .375, .375, −.25 and 0: √(5.75 · 6/5) / 1600, times 2.571 and over the rate.
        let factor = (2.570_581_84 * (5.75_f64 * 1.2).sqrt() / 1600.0 / 0.006_25).exp();
        let (low, high) = interval.expect("an interval");
        // As exact as the quantile is.
        assert!((low * factor / rate - 1.0).abs() < 2e-4, "{low} {}", rate / factor);
        assert!((high / factor / rate - 1.0).abs() < 2e-4, "{high} {}", rate * factor);
    }

    /// Documents that use a word at rates of their own, as people's do. Of 600 samples the interval must have the true
    /// rate in 92 to 98 of a hundred: a true 95% fails in fewer than one of a thousand.
    #[test]
    fn intervals_have_the_true_rate_as_often_as_they_say() {
        let mut random = stream(49, "usage");
        let samples = 600;
        let mut is_covered = || {
            let mut sums = Sums::default();
            for _ in 0..60 {
                let tokens = 50 + random.random_range(0..400_u64);
                // A quarter of the documents use it sixteen times as often as the others.
                let rate = if random.random_bool(0.25) { 0.016 } else { 0.001 };
                let occurrences = (0..tokens).filter(|_| random.random_bool(rate)).count() as u64;
                sums.add(Some(occurrences).filter(|&count| count > 0), tokens);
            }
            let (low, high) = sums.rate().1.expect("an interval");
            (low..=high).contains(&(1e6 * (0.25 * 0.016 + 0.75 * 0.001)))
        };
        let covered = (0..samples).filter(|_| is_covered()).count();
        assert!((552..=588).contains(&covered), "{covered} of {samples}");
    }
}
