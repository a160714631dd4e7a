//! The metrics of an update's topics, at a cost that does not grow with the corpus.

use ndarray::Array1;

use crate::number;
use crate::request::RunRequest;
use crate::work::about_documents::Completed;
use crate::work::material::Sources;
use crate::work::measure::{CoherenceReference, MeasuredRun, coherence, measure_topics};
use crate::work::work_error::WorkError;
use topoi_core::metric::coherence::variants::default_variants;
use topoi_core::metric::run_process::DOCUMENTS_USED;
use topoi_core::progress::Progress;
use topoi_core::stream::selection::SelectedBlocks;

/// Documents that coherence is counted in, about.
pub const COHERENCE_DOCUMENTS: u64 = 10_000;

/// The metrics of the words of revised topics. Coherence is counted in every n-th block of the corpus, about
/// [`COHERENCE_DOCUMENTS`].
pub fn measure_revision(
    completed: &Completed,
    sources: &Sources<'_>,
    request: &RunRequest,
    progress: &dyn Progress,
) -> Result<MeasuredRun, WorkError> {
    let topics = &completed.fitted.topics;
    let word_probabilities = topics.topics.dot(&Array1::from(completed.token_shares.clone()));
    let mut metrics = measure_topics(topics, &word_probabilities);
    let all = completed.metrics.iter().find(|metric| metric.name == DOCUMENTS_USED.id);
    let documents = all.map_or(0, |metric| number::count(metric.value));
    let step = number::size(documents.div_ceil(COHERENCE_DOCUMENTS)).max(1);
    progress.begin("coherence", documents / step as u64, "");
    let blocks = SelectedBlocks::every(sources.blocks, step);
    let some = Sources { blocks: &blocks, ..*sources };
    let documents = some.documents(&request.settings, progress);
    let texts = some.sequences(&documents, progress)?;
    let texts = texts.as_ref().map(|texts| texts as _);
    let reference = CoherenceReference::every_block(&documents, texts, step);
    metrics.extend(coherence(&topics.topics, &reference, &default_variants())?);
    Ok(MeasuredRun { metrics, anchor_rows: None, map: None })
}
