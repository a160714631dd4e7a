//! Earlier runs of a request, and the estimated cost of the next.

use crate::number;
use crate::outlook::plan;
use crate::request::settings::RUN_SETTINGS;
use crate::request::{RunRequest, RunSettings};
use topoi_core::model::plan::PlannedStage;
use topoi_core::model::topic_model::CorpusSize;
use topoi_store::corpus::Corpus;
use topoi_store::id::RunId;
use topoi_store::run::{Run, RunStatus};

/// The first of `runs` with the same request. Settings that affect at most the last bits of a result are ignored.
pub fn find_identical_run<'a>(runs: &'a [Run], request: &RunRequest) -> Option<&'a Run> {
    let wanted = result_settings(request.clone());
    runs.iter().find(|run| {
        run.corpus == request.corpus
            && run.model == request.origin.name()
            && (run.k, run.seed) == (request.k as u64, request.seed)
            && RunRequest::from_run(run).is_ok_and(|other| result_settings(other) == wanted)
    })
}

fn result_settings(mut request: RunRequest) -> RunRequest {
    let plain = RunRequest::new("", 2);
    for setting in RUN_SETTINGS.iter().filter(|setting| !setting.changes_result) {
        setting.copy(&mut request, &plain);
    }
    request
}

/// Estimated memory and time of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Bytes of memory, within a factor of two.
    pub bytes: usize,
    pub seconds: f64,
    /// The run that the speed of the machine is estimated from; `None` without a finished run, for the speed of
    /// `docs/design/progress.md`.
    pub judged_by: Option<RunId>,
}

/// The estimated cost of `request` on `corpus`. Memory is that of the model's card. Time is the planned time of the
/// stages, times the ratio of actual to planned time of the newest finished run of the same model (updates apart), on the same corpus
/// if there is one. `runs` are all runs, newest first; `corpora` are their corpora.
pub fn estimate(
    request: &RunRequest,
    corpus: &Corpus,
    corpora: &[Corpus],
    runs: &[Run],
) -> Estimate {
    let words = request.settings.terms.min(number::size(corpus.terms));
    let bytes = request.bytes(corpus, words);
    let same = || {
        runs.iter().filter(|run| {
            run.status == RunStatus::Finished
                && run.model == request.origin.name()
                && run.seconds.is_some()
                && !RunSettings::is_update(run)
        })
    };
    let known = same().find(|run| run.corpus_id == corpus.id).or_else(|| same().next());
    let planned = |request: &RunRequest, corpus: &Corpus| -> f64 {
        plan(request, corpus).iter().map(PlannedStage::total).sum()
    };
    let factor = known.and_then(|run| {
        let own = corpora.iter().find(|corpus| corpus.id == run.corpus_id)?;
        let factor = run.seconds? / planned(&RunRequest::from_run(run).ok()?, own);
        Some((factor, run.id)).filter(|(factor, _)| factor.is_finite() && *factor > 0.0)
    });
    let (factor, judged_by) = factor.map_or((1.0, None), |(factor, run)| (factor, Some(run)));
    Estimate { bytes, seconds: factor * planned(request, corpus), judged_by }
}

/// The size of a corpus with a vocabulary of `words` terms; counts all of its tokens.
pub(super) fn corpus_size(corpus: &Corpus, words: usize) -> CorpusSize {
    CorpusSize {
        words,
        documents: number::size(corpus.documents),
        tokens: number::size(corpus.tokens),
    }
}
