//! Rules that choose terms by their frequencies, by lists, by a pattern or by rank.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use regex::Regex;
use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

use topoi_core::model::setting::Choices;
use topoi_store::corpus::term::Term;

/// Which terms of a corpus a vocabulary keeps. A term has to pass all rules; lists contain exact terms. Saved as JSON
/// beside the vocabulary.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// Minimum document frequency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_documents: Option<Amount>,
    /// Maximum document frequency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_documents: Option<Amount>,
    /// Minimum number of tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_count: Option<u64>,
    /// A regular expression that terms have to match as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matching: Option<String>,
    /// Terms that are dropped.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub drop: Vec<String>,
    /// Terms that are kept whatever the other rules are, if they occur.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keep: Vec<String>,
    /// Number of terms, including those of `keep`; the best-ranked of the rest are kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terms: Option<usize>,
    /// The score that terms are ranked by.
    #[serde(skip_serializing_if = "is_default")]
    pub by: Ranking,
}

impl Choices for Ranking {}

fn is_default(ranking: &Ranking) -> bool {
    *ranking == Ranking::default()
}

/// The score that terms are ranked by; ties go to the lower position.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Ranking {
    /// tf·log⌊M/df⌋ (Lee 2021, §5).
    #[default]
    TfIdf,
    /// Number of tokens.
    Count,
}

/// A number of documents, or a share of them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Amount {
    Count(u64),
    /// Share of all documents, from 0 to 1.
    Share(f64),
}

impl Amount {
    /// Compares `documents` of `all` with this amount.
    fn compare(self, documents: u64, all: u64) -> std::cmp::Ordering {
        match self {
            Self::Count(count) => documents.cmp(&count),
            Self::Share(share) => (documents as f64).total_cmp(&(share * all as f64)),
        }
    }
}

impl fmt::Display for Amount {
    /// The text that is parsed back: a share has a decimal point.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => write!(f, "{count}"),
            Self::Share(share) if share.fract() == 0.0 => write!(f, "{share:.1}"),
            Self::Share(share) => write!(f, "{share}"),
        }
    }
}

impl FromStr for Amount {
    type Err = String;

    /// `5` is a count; `0.5` and `50%` are shares.
    fn from_str(text: &str) -> Result<Self, String> {
        let percent = text.strip_suffix('%').map(|number| number.parse::<f64>().map(|n| n / 100.0));
        let share = match percent {
            Some(share) => share.ok(),
            None if text.contains('.') => text.parse::<f64>().ok(),
            None => return text.parse().map(Self::Count).map_err(|_| wrong_amount(text)),
        };
        let share = share.filter(|share| (0.0..=1.0).contains(share));
        share.map(Self::Share).ok_or_else(|| wrong_amount(text))
    }
}

fn wrong_amount(text: &str) -> String {
    format!("{text:?} is neither a number of documents (5) nor a share of them (0.5, 50%)")
}

/// Why a term is not in a vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dropped {
    /// It occurs in no document, as its documents were deleted.
    Unused,
    /// It is on the stop list.
    StopList,
    /// Its document frequency is below the minimum.
    MinDocuments,
    /// Its document frequency is above the maximum.
    MaxDocuments,
    /// It has too few tokens.
    MinCount,
    /// The pattern does not match it.
    Matching,
    /// It ranks too low.
    Terms,
}

impl fmt::Display for Dropped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Unused => "unused",
            Self::StopList => "stop-list",
            Self::MinDocuments => "min-documents",
            Self::MaxDocuments => "max-documents",
            Self::MinCount => "min-count",
            Self::Matching => "matching",
            Self::Terms => "terms",
        })
    }
}

/// The pattern of a rule is not a regular expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("--matching {pattern:?}: {reason}; correct the regular expression")]
pub struct InvalidPattern {
    /// The pattern as given.
    pub pattern: String,
    /// The message of the parser.
    pub reason: String,
}

impl Rules {
    /// The `terms` best terms by tf·idf, as in the paper's runs.
    pub fn best_by_tf_idf(terms: usize) -> Self {
        Self { terms: Some(terms), ..Self::default() }
    }

    /// Refuses a pattern that is not a regular expression.
    pub fn check(&self) -> Result<(), InvalidPattern> {
        self.pattern().map(drop)
    }

    fn pattern(&self) -> Result<Option<Regex>, InvalidPattern> {
        let pattern = self.matching.as_ref().map(|pattern| {
            Regex::new(&format!("^(?:{pattern})$"))
                .map_err(|e| InvalidPattern { pattern: pattern.clone(), reason: reason_of(&e) })
        });
        pattern.transpose()
    }

    /// By term in the order of positions: `None` if it is kept, or the rule that drops it. O(T log T) for T terms.
    pub fn judge(
        &self,
        terms: &[Term],
        documents: u64,
    ) -> Result<Vec<Option<Dropped>>, InvalidPattern> {
        let pattern = self.pattern()?;
        let drop: HashSet<&str> = self.drop.iter().map(String::as_str).collect();
        let keep: HashSet<&str> = self.keep.iter().map(String::as_str).collect();
        let is_in = |list: &HashSet<&str>, term: &Term| {
            list.contains(term.text.as_str()) || list.contains(term.shown())
        };
        let is_kept_by_list = |term: &Term| term.total_count > 0 && is_in(&keep, term);
        let judge = |term: &Term| {
            let in_documents = |amount: Option<Amount>| {
                amount.map(|amount| amount.compare(term.document_frequency, documents))
            };
            match term {
                _ if term.total_count == 0 => Some(Dropped::Unused),
                _ if is_kept_by_list(term) => None,
                _ if is_in(&drop, term) => Some(Dropped::StopList),
                _ if in_documents(self.min_documents).is_some_and(|o| o.is_lt()) => {
                    Some(Dropped::MinDocuments)
                }
                _ if in_documents(self.max_documents).is_some_and(|o| o.is_gt()) => {
                    Some(Dropped::MaxDocuments)
                }
                _ if self.min_count.is_some_and(|least| term.total_count < least) => {
                    Some(Dropped::MinCount)
                }
                _ if pattern.as_ref().is_some_and(|p| !p.is_match(term.shown())) => {
                    Some(Dropped::Matching)
                }
                _ => None,
            }
        };
        let mut judged: Vec<Option<Dropped>> = terms.iter().map(judge).collect();
        if let Some(most) = self.terms {
            let listed = terms.iter().filter(|term| is_kept_by_list(term)).count();
            let is_ranked = |at: usize| judged[at].is_none() && !is_kept_by_list(&terms[at]);
            let mut ranked: Vec<(f64, usize)> = (0..terms.len())
                .filter(|&at| is_ranked(at))
                .map(|at| (self.by.score(&terms[at], documents), at))
                .collect();
            ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            for &(_, at) in ranked.iter().skip(most.saturating_sub(listed)) {
                judged[at] = Some(Dropped::Terms);
            }
        }
        Ok(judged)
    }
}

impl Ranking {
    fn score(self, term: &Term, documents: u64) -> f64 {
        match self {
            Self::TfIdf => tf_idf(term, documents),
            Self::Count => term.total_count as f64,
        }
    }
}

/// tf·log⌊M/df⌋ of a term among M documents: tf is its total count, df its document frequency.
///
/// # Source
/// Lee et al. 2021, §5 and the authors' data preparation.
fn tf_idf(term: &Term, documents: u64) -> f64 {
    let ratio = (documents / term.document_frequency.max(1)).max(1);
    term.total_count as f64 * (ratio as f64).ln()
}

/// The last line of the error, which contains the message.
fn reason_of(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default();
    last.trim_start_matches("error: ").to_string()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use topoi_store::id::TermId;

    fn term(text: &str, document_frequency: u64, total_count: u64) -> Term {
        Term { id: TermId(0), text: text.into(), document_frequency, total_count, form: None }
    }

    fn words() -> Vec<Term> {
        vec![
            term("the", 9, 500),
            term("state", 2, 20),
            term("unused", 0, 0),
            term("rare", 1, 2),
            term("x2000", 3, 9),
        ]
    }

    fn judged(rules: Rules) -> Vec<String> {
        let judged = rules.judge(&words(), 10).expect("a pattern");
        judged.iter().map(|d| d.map_or("kept".to_string(), |d| d.to_string())).collect()
    }

    #[test]
    fn an_amount_is_written_as_it_is_read() {
        for amount in
            [Amount::Count(1), Amount::Share(1.0), Amount::Share(1e-7), Amount::Share(0.0)]
        {
            assert_eq!(amount.to_string().parse(), Ok(amount), "{amount}");
        }
    }

    #[test]
    fn each_rule_drops_what_it_says() {
        let min = Rules { min_documents: Some(Amount::Count(2)), ..Rules::default() };
        assert_eq!(judged(min), ["kept", "kept", "unused", "min-documents", "kept"]);
        let max = Rules { max_documents: Some(Amount::Share(0.3)), ..Rules::default() };
        assert_eq!(judged(max), ["max-documents", "kept", "unused", "kept", "kept"]);
        let count = Rules { min_count: Some(9), ..Rules::default() };
        assert_eq!(judged(count), ["kept", "kept", "unused", "min-count", "kept"]);
        let letters = Rules { matching: Some("[a-z]+".into()), ..Rules::default() };
        assert_eq!(judged(letters), ["kept", "kept", "unused", "kept", "matching"]);
        let lists = Rules {
            drop: vec!["the".into(), "state".into()],
            keep: vec!["state".into(), "unused".into(), "rare".into()],
            terms: Some(2),
            ..Rules::default()
        };
        assert_eq!(judged(lists), ["stop-list", "kept", "unused", "kept", "terms"]);
        let frequent = Rules { terms: Some(1), by: Ranking::Count, ..Rules::default() };
        assert_eq!(judged(frequent), ["kept", "terms", "unused", "terms", "terms"]);
        let wrong = Rules { matching: Some("[a".into()), ..Rules::default() };
        let error = wrong.judge(&words(), 10).expect_err("a wrong pattern").to_string();
        assert_eq!(
            error,
            "--matching \"[a\": unclosed character class; correct the regular expression"
        );
    }

    #[test]
    fn a_term_in_more_than_half_of_the_documents_scores_nothing() {
        // 10 documents: "the" has ⌊10/9⌋ = 1 and log 1 = 0; "state" has 20·log 5; "rare" 2·log 10.
        let terms =
            [term("the", 9, 500), term("state", 2, 20), term("unused", 0, 0), term("rare", 1, 2)];
        let best = |size| {
            let judged = Rules::best_by_tf_idf(size).judge(&terms, 10).expect("no pattern");
            (0..terms.len()).filter(|&at| judged[at].is_none()).collect::<Vec<_>>()
        };
        assert_eq!(best(1), [1]);
        assert_eq!(best(2), [1, 3]);
        assert_eq!(best(9), [0, 1, 3]);
    }

    #[test]
    fn amounts_are_counts_or_shares() {
        assert_eq!("5".parse(), Ok(Amount::Count(5)));
        assert_eq!("0.5".parse(), Ok(Amount::Share(0.5)));
        assert_eq!("50%".parse(), Ok(Amount::Share(0.5)));
        for wrong in ["-1", "1.5", "200%", "x", ""] {
            assert!(wrong.parse::<Amount>().is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn the_best_by_tf_idf_are_those_of_the_papers_rule(
            counts in prop::collection::vec((0u64..12, 1u64..5), 0..40), size in 0usize..50,
        ) {
            let terms: Vec<Term> = counts.iter().enumerate()
                .map(|(n, &(df, more))| term(&format!("w{n}"), df, df * more)).collect();
            let judged = Rules::best_by_tf_idf(size).judge(&terms, 12).expect("no pattern");
            let kept: Vec<u32> =
                (0u32..).zip(&judged).filter(|(_, d)| d.is_none()).map(|(at, _)| at).collect();
            let mut ranked: Vec<u32> =
                (0..).zip(&terms).filter(|(_, term)| term.total_count > 0).map(|(at, _)| at).collect();
            let score = |&at: &u32| tf_idf(&terms[at as usize], 12);
            ranked.sort_by(|a, b| score(b).total_cmp(&score(a)).then(a.cmp(b)));
            ranked.truncate(size);
            ranked.sort_unstable();
            prop_assert_eq!(kept, ranked);
        }

        #[test]
        fn rules_are_read_back(min in any::<u64>(), thousandths in 0u32..=1000, words: Vec<String>) {
            let rules = Rules {
                min_documents: Some(Amount::Count(min)),
                max_documents: Some(Amount::Share(f64::from(thousandths) / 1000.0)),
                drop: words,
                by: Ranking::Count,
                ..Rules::default()
            };
            let json = serde_json::to_string(&rules).expect("JSON");
            prop_assert_eq!(serde_json::from_str::<Rules>(&json).expect("rules"), rules);
        }
    }
}
