//! Descriptions of vocabularies for people.

use super::choice::VocabularyChoice;
use super::rules::{Amount, Ranking, Rules};
use crate::request::RunSettings;
use topoi_core::numbers::counted;

/// The vocabulary of a run: its name, `vocabulary core`, or its rules.
pub fn vocabulary_in_words(settings: &RunSettings) -> String {
    match &settings.vocabulary {
        Some(VocabularyChoice::Saved(name)) => format!("vocabulary {name}"),
        Some(VocabularyChoice::Rules(rules)) => rules_in_words(rules),
        Some(VocabularyChoice::Used(_)) => "the terms of an earlier run".into(),
        Some(VocabularyChoice::Without { vocabulary: _, terms }) => {
            let words = counted(terms.len() as u64, "term");
            format!("the terms of an earlier run without {words}")
        }
        None => best(Some(settings.terms)),
    }
}

fn best(terms: Option<usize>) -> String {
    terms.map_or("all terms".into(), |terms| format!("the {}", counted(terms as u64, "best term")))
}

fn rules_in_words(rules: &Rules) -> String {
    let Rules { min_documents, max_documents, min_count, matching, drop, keep, terms, by } = rules;
    let mut words = best(*terms);
    if *by == Ranking::Count {
        words += " by count";
    }
    if let Some(least) = min_documents {
        words += &format!(" in {} or more documents", amount_in_words(*least));
    }
    if let Some(most) = max_documents {
        words += &format!(" in at most {} documents", amount_in_words(*most));
    }
    if let Some(least) = min_count {
        words += &format!(" of {} or more", counted(*least, "token"));
    }
    if let Some(pattern) = matching {
        words += &format!(" matching {pattern}");
    }
    for (list, with) in [(drop, "without"), (keep, "with")] {
        if !list.is_empty() {
            words += &format!(" {with} a list of {}", counted(list.len() as u64, "term"));
        }
    }
    words
}

fn amount_in_words(amount: Amount) -> String {
    match amount {
        Amount::Count(count) => count.to_string(),
        Amount::Share(share) => format!("{} of the", in_percent(share)),
    }
}

/// A share with up to two decimal places, without trailing zeros: 50%, 0.25%.
pub fn in_percent(share: f64) -> String {
    format!("{}%", (share * 1e4).round() / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use topoi_store::id::TermId;

    fn vocabulary(choice: VocabularyChoice) -> String {
        vocabulary_in_words(&RunSettings { vocabulary: Some(choice), ..RunSettings::default() })
    }

    #[test]
    fn a_vocabulary_is_told_by_its_name_or_its_rules() {
        assert_eq!(vocabulary_in_words(&RunSettings::default()), "the 5,000 best terms");
        assert_eq!(vocabulary(VocabularyChoice::Saved("core".into())), "vocabulary core");
        assert_eq!(vocabulary(VocabularyChoice::Used(3)), "the terms of an earlier run");
        let without =
            VocabularyChoice::Without { vocabulary: 3, terms: vec![TermId(1), TermId(2)] };
        assert_eq!(vocabulary(without), "the terms of an earlier run without 2 terms");
        let rules = Rules {
            min_documents: Some(Amount::Count(5)),
            max_documents: Some(Amount::Share(0.5)),
            min_count: Some(10),
            matching: Some("[a-z]+".into()),
            drop: vec!["ship".into(), "sea".into()],
            keep: vec!["whale".into()],
            terms: Some(300),
            by: Ranking::Count,
        };
        assert_eq!(
            vocabulary(VocabularyChoice::Rules(rules)),
            "the 300 best terms by count in 5 or more documents in at most 50% of the documents of \
             10 tokens or more matching [a-z]+ without a list of 2 terms with a list of 1 term"
        );
        assert_eq!(vocabulary(VocabularyChoice::Rules(Rules::default())), "all terms");
    }
}
