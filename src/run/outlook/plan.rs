//! The stages of a whole run: those of its model, and what every run does before and after.

use crate::model::plan::{Extent, PlannedStage};
use crate::model::refine::mini_batches_of;
use crate::run::request::{Origin, RunRequest};
use crate::store::corpus::Corpus;

/// What a run of `request` on `corpus` will do, and what that takes.
pub fn plan(request: &RunRequest, corpus: &Corpus) -> Vec<PlannedStage> {
    let settings = &request.settings;
    let share = settings.sample.map_or(1.0, |sample| sample.to - sample.from);
    let of = |count: u64| count as f64 * share;
    let size = Extent {
        words: (settings.terms as u64).min(corpus.terms) as f64,
        documents: of(corpus.documents),
        nonzeros: of(corpus.nonzeros),
        tokens: of(corpus.tokens),
        k: request.k as f64,
    };
    let Extent { words, documents, nonzeros, tokens, k } = size;
    let whole = PlannedStage::whole;
    let mut stages = vec![whole("prepare", 0.01 + 1.5e-8 * corpus.nonzeros as f64)];
    if let Origin::Model(model) = &request.origin {
        stages.extend(model.any().plan(size));
    }
    if let Some(refinement) = settings.refinement(&request.origin) {
        // Nobody asks how many blocks there are before the work begins: about as many mini-batches.
        let batches = mini_batches_of(nonzeros as u64);
        stages.push(size.refine(refinement.passes, batches, refinement.gain));
    }
    if settings.documents {
        stages.push(whole("documents", 1.5e-8 * nonzeros * k));
    }
    if let Some(held_out) = settings.held_out {
        stages.push(whole("held-out", 1e-6 * held_out / (1.0 - held_out) * tokens * k));
    }
    let measure = 4.3e-7 * nonzeros + 5.5e-9 * nonzeros * k + 2e-9 * words * k * k;
    stages.push(whole("measure", measure));
    stages.push(whole("coherence", 0.02 + 2e-8 * nonzeros));
    let rows = if settings.documents { 1.6e-5 * documents } else { 0.0 };
    stages.push(whole("save", 0.05 + 5e-7 * words * k + rows));
    stages
}
