//! Changes to what people write for the program to read: queries, formulas, dates, edits, lists of words.

use std::path::Path;

use proptest::prelude::*;
use strum::VariantArray;
use topoi_core::effects::formula::Formula;
use topoi_core::fields::date::{Date, PeriodLength};
use topoi_core::formula::proportions;
use topoi_core::shape::Edits;
use topoi_ingest::points::read_points;
use topoi_ingest::search::query;
use topoi_ingest::tokens::given::GivenTokens;
use topoi_ingest::{FixedPhrases, Pattern, StopWords, TokenSettings, Tokenizer, WordMap};
use topoi_run::shaping::seeds::Seeds;

use super::{Change, cases, changed, changes, is_told};

const QUERIES: [&str; 4] = [
    "market AND (king OR \"prime minister\") NOT section:sport",
    "pri* year:1999 \"of the\"",
    "((a OR b) AND c) NOT (d OR \"e f\")",
    "title:\"new york\" -stocks",
];
const EXPRESSIONS: [&str; 4] = [
    "~ party + s(year)",
    "~ party * s(date, 5) + section:author",
    "~ 1",
    "~ `a field` + x:y:z - 1",
];
const DATES: [&str; 6] =
    ["2012-03-04", "March 4, 2012", "4.3.2012", "2012-W09", "2012-03", "2012-03-04T05:06:07+01:00"];
const EDITS: [&str; 2] = [
    r#"{"version": 1, "edits": [{"split": {"topic": 4, "words": [["film", "actor"], ["music"]]}},
        {"merge": {"topics": [3, 7]}}, {"pin": {"topic": 2}}, {"forbid": {"word": "said"}}]}"#,
    r#"{"version": 1, "edits": [{"anchor": {"words": ["price", "cost"], "topic": 2}},
        {"drop": {"topic": 0}}, {"label": {"topic": 4, "text": "film"}}]}"#,
];

/// One of `texts` with some bytes changed.
fn text_of(texts: &'static [&'static str]) -> impl Strategy<Value = String> {
    let of = |(text, changes): (&str, Vec<Change>)| {
        String::from_utf8_lossy(&changed(text.as_bytes(), &changes)).into_owned()
    };
    (prop::sample::select(texts), changes()).prop_map(of)
}

/// A file of `text`, given to `read`.
fn with_file<T>(text: &str, read: impl FnOnce(&Path) -> T) -> T {
    let directory = tempfile::tempdir().expect("tempdir");
    let path = directory.path().join("file");
    std::fs::write(&path, text).expect("write");
    read(&path)
}

proptest! {
    #![proptest_config(cases(256))]
    #[test]
    fn a_changed_query_is_understood_or_refused(text in text_of(&QUERIES)) {
        is_told(query::parse(&text, &Tokenizer::new(&TokenSettings::default())));
    }

    #[test]
    fn a_changed_formula_is_understood_or_refused(text in text_of(&EXPRESSIONS)) {
        is_told(Formula::parse(&text));
    }

    #[test]
    fn a_changed_date_has_its_periods_or_is_none(text in text_of(&DATES)) {
        if let Some(date) = Date::parse(&text) {
            for &per in PeriodLength::VARIANTS {
                let _ = date.period(per).map(|period| period.to_string());
            }
            prop_assert!(date.in_years().is_finite());
        }
    }

    #[test]
    fn changed_edits_are_read_or_refused(text in text_of(&EDITS)) {
        is_told(Edits::from_json(&text));
    }

    #[test]
    fn changed_lists_of_words_are_read_or_refused(
        text in text_of(&["topic,word\n0,market\n0,stocks\n1,\"king, queen\"\n", "went\tgo\nmice,mouse\n",
            "new york\nprime minister\n", "the\nof\n# a comment\nder die das\n", "1,2,3\n4.5,-1e3,0\n"]),
    ) {
        is_told(with_file(&text, Seeds::read));
        is_told(with_file(&text, WordMap::read));
        is_told(with_file(&text, FixedPhrases::read));
        is_told(StopWords::from_words(&text));
        is_told(with_file(&text, read_points));
    }

    #[test]
    fn a_changed_pattern_of_words_is_one_or_refused(
        text in text_of(&[r"\p{L}[\p{L}\p{M}'’-]+", r"(?i)[a-z]{2,}|\d+", r"(\w+)-(\w+)"]),
    ) {
        is_told(text.parse::<Pattern>());
    }

    #[test]
    fn changed_tokens_of_a_document_stay_within_its_text(
        tokens in text_of(&[r#"["stock market", {"token": "king", "start": 3, "end": 7}, "x"]"#,
            r#"[["a", 0, 1], ["b", 2, 3]]"#]),
        text in "[a-zé ]{0,20}",
    ) {
        let given = serde_json::from_str(&tokens).ok().map(GivenTokens::from_value);
        for term in given.and_then(Result::ok).iter().flat_map(|given| given.placed(&text)) {
            prop_assert!(text.get(term.place.clone()).is_some());
        }
    }

    #[test]
    fn changed_proportions_are_read_or_refused(
        theta in prop::collection::vec(0.0f64..1.0, 1..60), changes in changes(),
    ) {
        let sum: f64 = theta.iter().sum::<f64>().max(1e-9);
        let theta: Vec<f64> = theta.iter().map(|share| share / sum).collect();
        let alpha = vec![0.1; theta.len()];
        let (mut text, mut again) = (String::new(), Vec::new());
        proportions::write(&theta, &alpha, &mut text);
        let text = String::from_utf8_lossy(&changed(text.as_bytes(), &changes)).into_owned();
        if proportions::read(&text, &alpha, &mut again).is_ok() {
            prop_assert!(again.len() == theta.len() && again.iter().all(|share| share.is_finite()));
        }
    }
}
