//! Warnings of topics that other runs do not have.

use super::definition::{Evidence, Finding, warning_def};
use topoi_core::metric::words::stability::{STABILITY, STABILITY_BY_CHANCE};

warning_def! {
    /// the topics of runs on random halves of the documents, or with other seeds, agree with the run's
    /// no more than topics of the same words dealt out at random. Only after `topoi stability`
    pub const NO_STABILITY {
        id: "no_stability",
        condition: "`stability` at or below {} × `stability_by_chance`",
        limit: 1.0,
        reason: "lists of top words dealt out at random are matched as well; what is not above that \
                 tells nothing of the corpus",
        remedy: "do not interpret single topics; use fewer topics, more documents or --refine",
        find: no_stability,
    }
}

fn no_stability(evidence: &Evidence<'_>, limit: f64) -> Option<Finding> {
    let (value, chance) = evidence.metric(&STABILITY).zip(evidence.metric(&STABILITY_BY_CHANCE))?;
    let what =
        format!("stability is {value:.2}, where top words dealt out at random give {chance:.2}");
    (value <= limit * chance).then_some(Finding { value, what })
}

#[cfg(test)]
mod tests {
    use super::super::test_evidence::Case;
    use super::*;

    #[test]
    fn stability_is_held_against_chance_where_both_were_measured() {
        let case = |value| Case::with(&STABILITY, value);
        let text = |value| case(value).and(&STABILITY_BY_CHANCE, 0.1).text(&NO_STABILITY);
        assert_eq!((text(0.11), case(0.0).text(&NO_STABILITY)), (None, None));
        let raised = text(0.05).expect("a warning");
        assert!(
            raised.starts_with("stability is 0.05, where top words dealt out at random give 0.10")
        );
    }
}
