//! Warnings of documents that a run says nothing of.

use super::definition::{Evidence, Finding, warning_def};
use crate::metric::of_the_work::{DOCUMENTS_LEFT_OUT, DOCUMENTS_USED};

warning_def! {
    /// documents that are too short in the vocabulary are in no topic, no proportion and no metric
    pub const MANY_LEFT_OUT {
        id: "documents_left_out",
        condition: "`documents_left_out` over it and `documents_used` together above {}",
        limit: 0.05,
        reason: "what is counted over documents (proportions, dates, labels) is of the rest alone: from \
                 one in twenty on, a table of them can differ by what people call a difference",
        remedy: "lower --min-tokens (2 at least) or raise --terms",
        find: many_left_out,
    }
}

fn many_left_out(evidence: &Evidence<'_>, limit: f64) -> Option<Finding> {
    let left_out = evidence.metric(&DOCUMENTS_LEFT_OUT)?;
    let all = left_out + evidence.metric(&DOCUMENTS_USED)?;
    let value = left_out / all;
    // Not a number where there are no documents.
    let what = format!(
        "{left_out} of {all} documents ({:.0}%) are left out, with fewer than {} tokens of its \
         vocabulary",
        100.0 * value,
        evidence.request.settings.min_tokens.max(2)
    );
    (value > limit).then_some(Finding { value, what })
}

#[cfg(test)]
mod tests {
    use super::super::test_evidence::Case;
    use super::*;

    #[test]
    fn documents_left_out_are_told_with_their_number_the_reason_and_what_to_change() {
        let text = |left_out| {
            let case = Case::with(&DOCUMENTS_LEFT_OUT, left_out);
            case.and(&DOCUMENTS_USED, 300.0).text(&MANY_LEFT_OUT)
        };
        assert_eq!(text(15.0), None);
        assert_eq!(
            text(100.0).as_deref(),
            Some(
                "100 of 400 documents (25%) are left out, with fewer than 5 tokens of its \
                 vocabulary; lower --min-tokens (2 at least) or raise --terms"
            )
        );
    }
}
