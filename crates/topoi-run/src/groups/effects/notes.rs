//! What a reader has to know of effects, in lines.

use super::{Answer, Question};
use crate::work::work_error::WorkError;
use topoi_core::effects::design::Reference;
use topoi_core::effects::regression::{Estimate, Regression};
use topoi_core::fields::spread::{ENOUGH_DOCUMENTS, SpreadSource};
use topoi_core::formula::linear_proportions::ShareEstimate;
use topoi_core::metric::against_field::{AMI, NMI, PURITY};
use topoi_core::numbers::counted;
use topoi_store::Store;
use topoi_store::run::Run;

/// With fewer clusters than this a note says that they are few.
const FEW_CLUSTERS: usize = 20;
/// Variance inflation from which a note names a coefficient that nearly follows from others.
const NEARLY_COLLINEAR: f64 = 100.0;

/// The lines of an answer.
pub(super) fn notes(answer: &Answer, question: &Question) -> Vec<String> {
    let Regression { clusters, names, inflation, .. } = &answer.regression;
    let units = if clusters.is_empty() { "documents" } else { "clusters" };
    let coefficients: Vec<Estimate> =
        (0..names.len()).map(|at| answer.regression.coefficient(0, at)).collect();
    let mut lines = vec![shares_in_words(question.shares).to_string()];
    if !answer.references.is_empty() && answer.regression.absorbed == 0 {
        let told = answer.references.iter().map(|Reference { field, value, documents }| {
            format!("{field}={value} ({})", counted(*documents, "document"))
        });
        lines.push(format!("compared with {}", told.collect::<Vec<_>>().join(", ")));
    }
    let without = coefficients.iter().filter(|one| one.error.is_none()).count() as u64;
    if without > 0 {
        lines.push(format!(
            "{} without an interval and p: single {units} determine it, or one has most of the weight",
            counted(without, "coefficient")
        ));
    }
    if let Some(fewest) = clusters.iter().min().filter(|fewest| **fewest < FEW_CLUSTERS) {
        lines.push(format!(
            "{fewest} clusters are few: intervals are wide, and hold if clusters are alike but for what the formula has"
        ));
    }
    if coefficients.iter().any(|one| one.spread == Some(SpreadSource::Pooled))
        && question.spread == topoi_core::effects::regression::SpreadChoice::Auto
    {
        lines.push(format!(
            "coefficients that rest on fewer than {ENOUGH_DOCUMENTS} {units} have errors by the spread of all documents (column spread)"
        ));
    }
    let inflated = (0..names.len()).filter(|&at| inflation[at] > NEARLY_COLLINEAR);
    let worst = inflated.max_by(|&a, &b| inflation[a].total_cmp(&inflation[b]));
    if let Some(worst) = worst {
        lines.push(format!(
            "{:?} nearly follows from other terms, which makes its error {:.0} times as large; leave one of them out",
            names[worst],
            inflation[worst].sqrt()
        ));
    }
    let untested = answer.tests.iter().filter(|term| term.tests.iter().any(Option::is_none));
    let untested: Vec<&str> = untested.map(|term| term.term.as_str()).collect();
    if without == 0 && !untested.is_empty() {
        lines.push(format!(
            "no test of {}: there are too few {units} for as many coefficients",
            untested.join(", ")
        ));
    }
    if !answer.halves.is_empty() {
        lines.push(format!(
            "errors have the uncertainty of the topics, from {} on halves of the documents",
            counted(answer.halves.len() as u64, "run")
        ));
    }
    lines
}

/// How the shares of documents are estimated.
pub fn shares_in_words(estimate: ShareEstimate) -> &'static str {
    match estimate {
        ShareEstimate::Linear => "shares are linear estimates, unbiased given the topics",
        ShareEstimate::Posterior => {
            "shares are posterior means, which are drawn towards the prior: differences are too small"
        }
    }
}

/// A line for fields by which runs were compared, and so perhaps chosen.
pub(super) fn used_to_choose(
    store: &Store,
    run: &Run,
    question: &Question,
) -> Result<Option<String>, WorkError> {
    let metrics = store.metrics(run.id)?;
    let fields = question.formula.fields();
    let found = metrics.iter().filter_map(|metric| metric.name.split_once('@'));
    let found = found.filter(|(metric, field)| {
        [NMI.id, AMI.id, PURITY.id].contains(metric) && fields.contains(field)
    });
    Ok({ found }.next().map(|(metric, field)| {
        format!(
            "the run was held against {field} ({metric}@{field}): if it was chosen by that, its p-values are too small"
        )
    }))
}
