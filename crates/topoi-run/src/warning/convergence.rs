//! Warnings of work whose limit of steps was reached before it was done. Only metrics that tell so for
//! certain raise one: a model that rectifies as often as its settings say, and tests nothing, has none.

use super::definition::{Evidence, Finding, warning_def};
use crate::request::Origin;
use topoi_core::metric::model_figures::{
    CLUSTER_CHANGE, FACTORISATION_RESIDUAL, KKT_GAP, RECTIFICATION_CHANGE,
    RECTIFICATION_ITERATIONS, UNSTABLE_TOPICS,
};
use topoi_core::metric::run_process::{REFINE_GAIN, REFINE_STEPS};
use topoi_core::model::setting::Value;
use topoi_core::model::topic_model::RectificationEnd;

warning_def! {
    /// the passes of `--refine` were used up while a pass still improved the topics
    pub const REFINING_UNFINISHED {
        id: "refining_unfinished",
        condition: "`refine_gain` at or above {} × `--refine-gain`, where that is above 0",
        limit: 1.0,
        reason: "below it refining stops by itself",
        remedy: "raise --refine",
        find: refining_unfinished,
    }
}

warning_def! {
    /// the eigenpairs or singular triples that a model starts from are less accurate than was asked for
    pub const FACTORISATION_UNFINISHED {
        id: "factorisation_unfinished",
        condition: "`factorisation_residual` above {} × `--tolerance`",
        limit: 1.0,
        reason: "at or below it the factorisation stops by itself; above it its passes were used up",
        remedy: "use fewer topics, or accept it with a larger --tolerance",
        find: factorisation_unfinished,
    }
}

warning_def! {
    /// `raw`, `palm`: the iterations were used up while one still changed what they rectify
    pub const RECTIFICATION_UNFINISHED {
        id: "rectification_unfinished",
        condition: "`rectification_change` above {} × 10⁻⁶ (`raw`) or 10⁻⁵ (`palm`), after as many \
                    iterations as were allowed",
        limit: 1.0,
        reason: "at or below it the rectification stops by itself",
        remedy: "raise --iterations",
        find: rectification_unfinished,
    }
}

warning_def! {
    /// `r1d`: words or documents of topics still changed at the last step allowed
    pub const TOPICS_UNSETTLED {
        id: "topics_unsettled",
        condition: "`unstable_topics` at or above {}",
        limit: 1.0,
        reason: "a topic is done when a step changes nothing",
        remedy: "raise --iterations, or use --monotone",
        find: topics_unsettled,
    }
}

warning_def! {
    /// vectors still changed their clusters in the last round allowed
    pub const CLUSTERS_UNSETTLED {
        id: "clusters_unsettled",
        condition: "`cluster_change` above {}",
        limit: 0.0,
        reason: "clusters are done when a round moves no vector; 300 rounds are made at most",
        remedy: "compare it with a run of another --seed, or use fewer clusters",
        find: clusters_unsettled,
    }
}

warning_def! {
    /// words were split among the anchors less exactly than the method can: its own steps ran out
    pub const INEXACT_MIXTURES {
        id: "inexact_mixtures",
        condition: "`kkt_gap` above {}",
        limit: 1e-6,
        reason: "the method is exact; rounding leaves less than 10⁻¹⁰. It bounds by how much a squared \
                 distance is above the least one, relative to the largest squared vertex",
        remedy: "use fewer topics: some anchors nearly coincide",
        find: inexact_mixtures,
    }
}

fn refining_unfinished(evidence: &Evidence<'_>, limit: f64) -> Option<Finding> {
    let request = evidence.request;
    let asked = request.settings.refinement(&request.origin)?;
    let value = evidence.metric(&REFINE_GAIN)?;
    let steps = evidence.metric(&REFINE_STEPS)?;
    // In mini-batches a pass has several steps.
    let what = format!(
        "refining used up its passes ({steps} steps) while it still gained {value:.4} nats a token \
         (--refine-gain {})",
        asked.gain
    );
    (asked.gain > 0.0 && value >= limit * asked.gain).then_some(Finding { value, what })
}

fn factorisation_unfinished(evidence: &Evidence<'_>, limit: f64) -> Option<Finding> {
    let value = evidence.metric(&FACTORISATION_RESIDUAL)?;
    let tolerance = setting(evidence, "tolerance")?;
    let what = format!(
        "the factorisation stopped at a residual of {value:.1e}, above its tolerance of {tolerance:.1e}"
    );
    (value > limit * tolerance).then_some(Finding { value, what })
}

fn rectification_unfinished(evidence: &Evidence<'_>, limit: f64) -> Option<Finding> {
    let card = evidence.request.origin.card();
    let Some(RectificationEnd::Settled(settled)) = card.rectification else { return None };
    let value = evidence.metric(&RECTIFICATION_CHANGE)?;
    let (done, allowed) =
        evidence.metric(&RECTIFICATION_ITERATIONS).zip(setting(evidence, "iterations"))?;
    let what = format!(
        "the rectification used up its {done} iterations while one still changed it by {value:.1e} \
         of it (done below {settled:.0e})"
    );
    (done >= allowed && value > limit * settled).then_some(Finding { value, what })
}

fn topics_unsettled(evidence: &Evidence<'_>, limit: f64) -> Option<Finding> {
    let value = evidence.metric(&UNSTABLE_TOPICS).filter(|&value| value >= limit)?;
    let k = evidence.topics.len();
    Some(Finding { value, what: format!("{value} of {k} topics still changed at their last step") })
}

fn clusters_unsettled(evidence: &Evidence<'_>, limit: f64) -> Option<Finding> {
    let value = evidence.metric(&CLUSTER_CHANGE).filter(|&value| value > limit)?;
    let what = format!(
        "{:.2}% of the vectors still changed their cluster at the last round",
        value * 100.0
    );
    Some(Finding { value, what })
}

fn inexact_mixtures(evidence: &Evidence<'_>, limit: f64) -> Option<Finding> {
    let value = evidence.metric(&KKT_GAP).filter(|&value| value > limit)?;
    let what = format!("words are split among anchors with a gap of {value:.1e} to the best split");
    Some(Finding { value, what })
}

/// A number that the run's model was told.
fn setting(evidence: &Evidence<'_>, name: &str) -> Option<f64> {
    let Origin::Model(model) = &evidence.request.origin else { return None };
    let (_, value) =
        model.any().settings().into_iter().find(|(definition, _)| definition.name == name)?;
    match value {
        Value::Count(number) => Some(number as f64),
        Value::Real(number) => Some(number),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_evidence::Case;
    use super::*;
    use topoi_core::model::Model;

    #[test]
    fn refining_that_still_gained_when_its_passes_were_used_up_is_told() {
        let case = |gain| Case::with(&REFINE_GAIN, gain).and(&REFINE_STEPS, 20.0);
        assert_eq!(case(0.0019).text(&REFINING_UNFINISHED), None);
        assert_eq!(
            case(0.0041).text(&REFINING_UNFINISHED).as_deref(),
            Some(
                "refining used up its passes (20 steps) while it still gained 0.0041 nats a token \
                 (--refine-gain 0.004); raise --refine"
            )
        );
        // Whoever asks for all passes gets them.
        let mut all = case(0.0041);
        all.request.settings.refine_gain = 0.0;
        assert_eq!(all.text(&REFINING_UNFINISHED), None);
        all.request.settings.refine_gain = 0.003;
        all.request.settings.refine = Some(0);
        assert_eq!(all.text(&REFINING_UNFINISHED), None);
    }

    #[test]
    fn a_residual_is_held_against_the_tolerance_that_the_model_was_told() {
        let case = |residual| Case::with(&FACTORISATION_RESIDUAL, residual);
        assert_eq!(case(9e-3).text(&FACTORISATION_UNFINISHED), None);
        let raised = case(2e-2).text(&FACTORISATION_UNFINISHED).expect("a warning");
        assert!(raised.contains("residual of 2.0e-2, above its tolerance of 1.0e-2"), "{raised}");
        assert_eq!(case(2e-2).by("lda-gibbs").text(&FACTORISATION_UNFINISHED), None);
    }

    #[test]
    fn a_rectification_is_unfinished_where_its_model_tests_for_the_end() {
        let case = |change, iterations| {
            Case::with(&RECTIFICATION_CHANGE, change).and(&RECTIFICATION_ITERATIONS, iterations)
        };
        assert_eq!(case(0.1, 50.0).text(&RECTIFICATION_UNFINISHED), None);
        let raised = case(1e-3, 1000.0).by("raw").text(&RECTIFICATION_UNFINISHED);
        assert!(raised.expect("a warning").contains("its 1000 iterations while one still"));
        assert_eq!(case(1e-7, 1000.0).by("raw").text(&RECTIFICATION_UNFINISHED), None);
        assert_eq!(case(5e-6, 500.0).by("palm").text(&RECTIFICATION_UNFINISHED), None);
        assert!(case(5e-5, 500.0).by("palm").text(&RECTIFICATION_UNFINISHED).is_some());
    }

    #[test]
    fn the_warning_of_rectification_names_each_model_that_tests_for_the_end_and_its_limit() {
        let power = |exponent: i32| {
            format!("10⁻{}", ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶'][exponent as usize])
        };
        for model in Model::all() {
            let name = format!("`{}`", model.name());
            let Some(RectificationEnd::Settled(below)) = model.card().rectification else {
                assert!(!RECTIFICATION_UNFINISHED.meaning.contains(&name), "{name}");
                continue;
            };
            let limit = format!("{} ({name})", power(-below.log10().round() as i32));
            assert!(RECTIFICATION_UNFINISHED.condition.contains(&limit), "{limit}");
            assert!(RECTIFICATION_UNFINISHED.meaning.contains(&name), "{name}");
        }
    }

    #[test]
    fn topics_that_still_changed_and_inexact_mixtures_are_told() {
        let unsettled = |count| Case::with(&UNSTABLE_TOPICS, count).text(&TOPICS_UNSETTLED);
        assert_eq!(unsettled(0.0), None);
        assert!(unsettled(2.0).expect("a warning").starts_with("2 of 3 topics still changed"));
        let moving = |share| Case::with(&CLUSTER_CHANGE, share).text(&CLUSTERS_UNSETTLED);
        assert_eq!(moving(0.0), None);
        assert!(moving(0.002).expect("a warning").starts_with("0.20% of the vectors still"));
        let gap = |gap| Case::with(&KKT_GAP, gap).text(&INEXACT_MIXTURES);
        assert!(gap(1e-9).is_none() && gap(1e-5).is_some());
    }
}
