//! The stages of every run after its model: refining, if requested, and the topics of documents.

use ndarray::Array1;
use topoi_core::formula::word_probabilities::round_topics;
use topoi_core::metric::run_process::{
    ALPHA_CHANGE, ALPHA_SUM, DOCUMENT_TOPICS_RESIDUAL, DOCUMENT_TOPICS_SWEEPS, REFINE_GAIN,
    REFINE_LOG_PROBABILITY, REFINE_RESIDUAL, REFINE_STEPS, SWEEPS, SWEEPS_LOG_LIKELIHOOD,
    TOKEN_LOG_PROBABILITY, WEIGHTS_FROM_DOCUMENTS,
};
use topoi_store::id::DocumentId;

use super::fit::{FitTask, metrics as metrics_of, with_numbers};
use super::measure::metric_for_run;
use topoi_core::model::ModelError;
use topoi_core::model::documents::collected::collect_documents;
use topoi_core::model::documents::concentration::{Concentration, concentration};
use topoi_core::model::documents::cvb0::Cvb0;
use topoi_core::model::documents::mixtures::MixtureSummary;
use topoi_core::model::documents::pass::document_topics;
use topoi_core::model::documents::topic_rows::TopicRows;
use topoi_core::model::refine::refine;
use topoi_core::model::topic_model::Fit;
use topoi_core::model::topics::Topics;
use topoi_core::progress::Progress;
use topoi_core::stream::cooccurrence::CoOccurrence;
use topoi_core::stream::parts::share_made;
use topoi_store::result::document_topic::SavedDocuments;
use topoi_store::result::metric::Metric;

/// The inference of θ ends when a sweep moves less than this share of the tokens of a document.
pub const TOLERANCE: f64 = 1e-3;

/// The topics of a model, refined, with the topics of documents.
#[derive(Debug)]
pub struct Completed {
    /// The model's result, with refined topics if requested.
    pub fitted: Fit,
    /// Metrics of the model, of refining and of the documents.
    pub metrics: Vec<Metric>,
    /// θ and α; empty if not requested.
    pub documents: SavedDocuments,
    /// The topics' shares of the tokens; empty if θ was not requested.
    pub token_shares: Vec<f64>,
    /// (document, tokens in the vocabulary) of the documents that are too short: of this part if it keeps θ of its own
    /// documents, else of all.
    pub left_out: Vec<(DocumentId, u64)>,
}

/// Refines the topics of a fitted model, rounds them as they are saved, and infers the topics of the documents, as far as
/// `task` requests it.
///
/// Topics without A (of models that give none, and refined ones) get p(topic) and A from the documents: the means of
/// θ and of E[θ θᵀ]. Other models keep theirs, and the metric `weights_from_documents` is the distance of p(topic)
/// from the mean of θ.
pub fn complete(
    mut fitted: Fit,
    task: FitTask<'_>,
    c: &CoOccurrence<'_>,
    progress: &dyn Progress,
) -> Result<Completed, ModelError> {
    let mut of_refining = Vec::new();
    if let Some(settings) = task.settings.refinement(task.origin) {
        let refined = refine(&fitted.topics, &fitted.held, c, settings, task.seed, progress)?;
        let of_stage = |count: usize| if count > 0 { count as f64 } else { f64::NAN };
        let figures = [
            (&REFINE_LOG_PROBABILITY, -refined.objectives.last().copied().unwrap_or(f64::NAN)),
            (&REFINE_STEPS, of_stage(refined.objectives.len())),
            (&REFINE_GAIN, refined.gain),
            (&REFINE_RESIDUAL, refined.change),
            (&SWEEPS, of_stage(refined.sweeps)),
            (&SWEEPS_LOG_LIKELIHOOD, refined.log_likelihood),
        ];
        let finite = figures.into_iter().filter(|(_, value)| value.is_finite());
        of_refining.extend(finite.map(|(metric, value)| metric_for_run(metric, value)));
        fitted.topics = refined.topics;
        // Refining can change which earlier topic a topic is most similar to.
        fitted = with_numbers(fitted, &task);
    }
    round_topics(&mut fitted.topics.topics);
    let mut metrics = metrics_of(&fitted.figures);
    metrics.extend(of_refining);
    let (mut documents, mut token_shares) = (SavedDocuments::default(), Vec::new());
    if task.settings.documents {
        let (found, shares, more) = infer_documents(&mut fitted.topics, task, c, progress)?;
        (documents, token_shares) = (found, shares);
        metrics.extend(more);
    }
    let left_out = match (c.totals().too_short > 0, task.keeps_own_documents) {
        (false, _) => Vec::new(),
        (true, true) => c.documents().agree(c.documents().too_short())?,
        (true, false) => share_made(c.documents().parts(), c.documents().too_short())?
            .into_iter()
            .flatten()
            .collect(),
    };
    let left_out = left_out.into_iter().map(|(id, tokens)| (DocumentId(id), tokens)).collect();
    Ok(Completed { fitted, metrics, documents, token_shares, left_out })
}

/// θ with α, the topics' shares of the tokens, and metrics.
fn infer_documents(
    topics: &mut Topics,
    task: FitTask<'_>,
    c: &CoOccurrence<'_>,
    progress: &dyn Progress,
) -> Result<(SavedDocuments, Vec<f64>, Vec<Metric>), ModelError> {
    let meaning = "share of a document's tokens that the last sweep moved";
    progress.begin("documents", c.totals().documents, meaning);
    let rows = TopicRows::with_smoothing(&topics.topics, c.totals().tokens as f64);
    let found = concentration(&rows, &topics.weights, c, task.seed)?;
    let proportions = Cvb0::new(&rows, &found.alpha, TOLERANCE);
    let (theta, mixtures) = document_topics(c.documents(), &proportions, rows.topics(), progress)?;
    let metrics = metrics(&found, &mixtures, &topics.weights);
    let token_shares = mixtures.token_shares.to_vec();
    if topics.correlations.is_none() {
        topics.weigh(mixtures.weights);
        topics.correlations = Some(mixtures.correlations);
    }
    let packed = match task.keeps_own_documents {
        true => theta,
        false => collect_documents(theta, c.documents())?,
    };
    Ok((SavedDocuments { alpha: found.alpha, packed, ids_from: 0 }, token_shares, metrics))
}

fn metrics(found: &Concentration, mixtures: &MixtureSummary, weights: &Array1<f64>) -> Vec<Metric> {
    let away = (&mixtures.weights - weights).mapv(f64::abs).sum() / 2.0;
    let sweeps = mixtures.sweeps as f64 / mixtures.documents.max(1) as f64;
    vec![
        metric_for_run(&ALPHA_SUM, found.alpha.iter().sum()),
        metric_for_run(&ALPHA_CHANGE, found.change),
        metric_for_run(&DOCUMENT_TOPICS_RESIDUAL, mixtures.change),
        metric_for_run(&DOCUMENT_TOPICS_SWEEPS, sweeps),
        metric_for_run(&TOKEN_LOG_PROBABILITY, mixtures.log_probability / mixtures.tokens),
        metric_for_run(&WEIGHTS_FROM_DOCUMENTS, away),
    ]
}
