//! Warnings of documents that a run says nothing of.

use super::definition::{Evidence, Finding, warning_def};
use topoi_core::metric::run_process::{DOCUMENTS_LEFT_OUT, DOCUMENTS_USED, LENGTH_UNEVENNESS};

warning_def! {
    /// documents that are too short in the vocabulary are in no topic, no proportion and no metric
    pub const MANY_LEFT_OUT {
        id: "documents_left_out",
        condition: "`documents_left_out` over it and `documents_used` together above {}",
        limit: 0.05,
        reason: "what is counted over documents (proportions, dates, labels) is of the rest alone: from \
                 one in twenty on, a table of them can differ by what people call a difference",
        remedy: "raise --terms, or lower --min-tokens where it is above 1",
        find: many_left_out,
    }
}

warning_def! {
    /// a few long documents hold most of the text: each is of many topics at once and counts as one document,
    /// so that what its parts are about is lost
    pub const UNEVEN_LENGTHS {
        id: "uneven_lengths",
        condition: "`length_unevenness` above {}",
        limit: 10.0,
        reason: "even texts have 1.0 to 1.1 (papers, news, the sample corpora), posts with a few long lists \
                 among them 4.4; changelogs 33, on which topics of whole documents were poor and of \
                 chunks good (docs/reference/long_documents.md)",
        remedy: "cut them: `topoi ingest NEW FILES --chunk 300`, and run on that corpus",
        find: uneven_lengths,
    }
}

fn uneven_lengths(evidence: &Evidence<'_>, limit: f64) -> Option<Finding> {
    let value = evidence.metric(&LENGTH_UNEVENNESS).filter(|&value| value > limit)?;
    let what = format!(
        "documents are of very uneven length: a token drawn at random is in a document \
         {value:.0} times as long as the mean one"
    );
    Some(Finding { value, what })
}

fn many_left_out(evidence: &Evidence<'_>, limit: f64) -> Option<Finding> {
    let left_out = evidence.metric(&DOCUMENTS_LEFT_OUT)?;
    let all = left_out + evidence.metric(&DOCUMENTS_USED)?;
    let value = left_out / all;
    // Not a number where there are no documents.
    let with = match evidence.request.settings.min_tokens {
        0 | 1 => "without a token".into(),
        least => format!("with fewer than {least} tokens"),
    };
    let what = format!(
        "{left_out} of {all} documents ({:.0}%) are left out, {with} of its vocabulary",
        100.0 * value,
    );
    (value > limit).then_some(Finding { value, what })
}

#[cfg(test)]
mod tests {
    use super::super::test_evidence::Case;
    use super::*;

    #[test]
    fn uneven_lengths_are_told_with_the_command_that_cuts_documents() {
        let text = |value| Case::with(&LENGTH_UNEVENNESS, value).text(&UNEVEN_LENGTHS);
        assert_eq!(text(10.0), None);
        assert_eq!(
            text(33.13).as_deref(),
            Some(
                "documents are of very uneven length: a token drawn at random is in a document \
                 33 times as long as the mean one; cut them: `topoi ingest NEW FILES --chunk 300`, and run on \
                 that corpus"
            )
        );
        assert_eq!(Case::default().text(&UNEVEN_LENGTHS), None);
    }

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
                 vocabulary; raise --terms, or lower --min-tokens where it is above 1"
            )
        );
    }
}
