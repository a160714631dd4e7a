//! The warning of imported topics whose words the corpus does not have.

use super::definition::{Evidence, Finding, warning_def};
use topoi_core::metric::model_figures::OUTSIDE_VOCABULARY;

warning_def! {
    /// words that the corpus does not have are left out of imported topics: what is left of each is made to sum to
    /// 1, and can be of another subject
    pub const WORDS_OUTSIDE {
        id: "words_outside",
        condition: "`outside_vocabulary` above {}",
        limit: 0.5,
        reason: "with more than half of its probability gone, most of what a topic says is not in the run; topics \
                 that were made from the corpus's own words lose the words below the 5,000 of a vocabulary",
        remedy: "ingest the texts with words as the file has them (case, stems, phrases, stop words), or raise --terms",
        find: words_outside,
    }
}

fn words_outside(evidence: &Evidence<'_>, limit: f64) -> Option<Finding> {
    let row = evidence.row(&OUTSIDE_VOCABULARY).filter(|row| row.value > limit)?;
    let settings = row.settings.as_deref().unwrap_or_default();
    let settings: serde_json::Value = serde_json::from_str(settings).unwrap_or_default();
    let words: Vec<String> = settings["words"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|word| Some(format!("{:?}", word.as_str()?)))
        .collect();
    let examples = match words[..] {
        [] => String::new(),
        _ => format!(", such as {}", words.join(", ")),
    };
    let what = format!(
        "{:.0}% of the imported topics are words that the run's vocabulary does not have{examples}",
        100.0 * row.value
    );
    Some(Finding { value: row.value, what })
}

#[cfg(test)]
mod tests {
    use super::super::test_evidence::Case;
    use super::*;

    #[test]
    fn imported_topics_of_words_that_the_corpus_lacks_are_reported_with_examples() {
        let text = |value, settings: Option<&str>| {
            let mut case = Case::with(&OUTSIDE_VOCABULARY, value);
            case.metrics[0].settings = settings.map(Into::into);
            case.text(&WORDS_OUTSIDE)
        };
        assert_eq!(text(0.5, None), None);
        assert!(text(0.51, None).expect("a warning").contains("does not have; ingest the texts"));
        assert_eq!(
            text(0.896, Some(r#"{"words":["Vessel","Har\u001bbour"]}"#)).as_deref(),
            Some(
                "90% of the imported topics are words that the run's vocabulary does not have, such as \
                 \"Vessel\", \"Har\\u{1b}bour\"; ingest the texts with words as the file has them (case, stems, \
                 phrases, stop words), or raise --terms"
            )
        );
    }
}
