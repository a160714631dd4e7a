//! Warnings of how well B·A·Bᵀ explains the co-occurrence.

use super::definition::{Evidence, Finding, warning_def};
use topoi_core::metric::co_occurrence::approximation::RELATIVE_APPROXIMATION;
use topoi_core::metric::words::topic_shape::LEGALITY;
use topoi_core::numbers::four_digits;

warning_def! {
    /// the topics explain hardly any of the co-occurrence C, or less than none of it
    pub const POOR_APPROXIMATION {
        id: "poor_approximation",
        condition: "`relative_approximation` at or above {}",
        limit: 1.0,
        reason: "without any topic it is 1. Topics that were refined leave 0.3 to 0.5 on papers, \
                 posts and changelogs, 0.7 on news in twenty words and 0.9 on seven-word heads of \
                 them; changelogs left 1.7 to 4.2 where anchors were words of a few documents \
                 (docs/reference/models/lr-jsmf.md): what else stands beside such words is chance",
        remedy: "take anchors among words of more documents (--anchor-documents), --refine, or another \
                 --model",
        find: poor_approximation,
    }
}

warning_def! {
    /// A, the joint probability of two tokens' topics, is none: it does not sum to 1. Topics that were
    /// refined have that of their documents, which does
    pub const SUM_OF_CORRELATIONS {
        id: "sum_of_correlations",
        condition: "|`legality` − 1| above {}",
        limit: 0.2,
        reason: "rectified runs of NIPS at K = 20 to 50 have 1.05 to 1.08, those of the sample corpora 1.00 \
                 to 1.08; where the method failed it was 0 (`aw`, sample corpus), 2.3 (`ddp`, there) and \
                 3.7 (`lr-jsmf --refine 0`, changelogs)",
        remedy: "do not read its correlations; use --refine, fewer topics or another --model",
        find: sum_of_correlations,
    }
}

fn poor_approximation(evidence: &Evidence<'_>, limit: f64) -> Option<Finding> {
    let value = evidence.metric(&RELATIVE_APPROXIMATION).filter(|&value| value >= limit)?;
    let explained = 100.0 * (1.0 - value * value).max(0.0);
    let what = format!(
        "relative approximation is {value:.2} (1 without any topic): the topics explain \
         {explained:.0}% of the co-occurrence"
    );
    Some(Finding { value, what })
}

fn sum_of_correlations(evidence: &Evidence<'_>, limit: f64) -> Option<Finding> {
    let value = evidence.metric(&LEGALITY).filter(|value| (value - 1.0).abs() > limit)?;
    let shown = if value < 1e4 { format!("{value:.2}") } else { four_digits(value) };
    let what = format!("the joint probabilities of its topics (A) sum to {shown} instead of 1");
    Some(Finding { value, what })
}

#[cfg(test)]
mod tests {
    use super::super::test_evidence::Case;
    use super::*;

    #[test]
    fn topics_that_explain_little_are_told_with_what_they_explain() {
        let text = |value| Case::with(&RELATIVE_APPROXIMATION, value).text(&POOR_APPROXIMATION);
        assert_eq!(text(0.89), None);
        let poor = text(1.05).expect("a warning");
        assert!(
            poor.starts_with("relative approximation is 1.05 (1 without any topic): "),
            "{poor}"
        );
        assert!(poor.contains("explain 0% of"), "{poor}");
        assert!(text(2.8).expect("a warning").contains("explain 0% of"));
        assert_eq!(Case::default().text(&POOR_APPROXIMATION), None);
    }

    #[test]
    fn correlations_must_sum_to_about_1() {
        let text = |value| Case::with(&LEGALITY, value).text(&SUM_OF_CORRELATIONS);
        assert_eq!((text(0.95), text(1.19)), (None, None));
        assert!(text(0.5).expect("a warning").contains("sum to 0.50 instead of 1; do not read"));
        assert!(text(1.21).is_some());
    }
}
