//! Earlier runs of a request: whether there is one, and how much time the next will take.

use crate::outlook::plan;
use crate::request::RunRequest;
use crate::request::settings::RUN_SETTINGS;
use topoi_core::model::plan::PlannedStage;
use topoi_core::model::topic_model::CorpusSize;
use topoi_store::corpus::Corpus;
use topoi_store::run::{Run, RunStatus};

/// The first of `runs` that was asked for by the same request. Settings that change no result by more than its last
/// bits are not compared.
pub fn repetition<'a>(runs: &'a [Run], request: &RunRequest) -> Option<&'a Run> {
    let wanted = what_counts(request.clone());
    runs.iter().find(|run| {
        run.corpus == request.corpus
            && run.model == request.origin.name()
            && (run.k, run.seed) == (request.k as u64, request.seed)
            && RunRequest::of(run).is_ok_and(|other| what_counts(other) == wanted)
    })
}

fn what_counts(mut request: RunRequest) -> RunRequest {
    let plain = RunRequest::new("", 2);
    for setting in RUN_SETTINGS.iter().filter(|setting| !setting.changes_result) {
        setting.copy(&mut request, &plain);
    }
    request
}

/// Memory and time of a run that is not started yet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Bytes of memory, within a factor of two.
    pub bytes: usize,
    /// Seconds from start to end.
    pub seconds: f64,
    /// The run whose time the machine's speed is estimated from; `None` where there is no finished run, and the
    /// speed is that of `docs/design/progress.md`.
    pub judged_by: Option<i64>,
}

/// What `request` will take on `corpus`: memory by the model's card; time by what its stages are planned
/// to take, times what the newest finished run of the same model, of the same corpus if there is one, took
/// for what was planned for it. `runs` are the runs there are, newest first, `corpora` their corpora.
pub fn estimate(
    request: &RunRequest,
    corpus: &Corpus,
    corpora: &[Corpus],
    runs: &[Run],
) -> Estimate {
    let words = request.settings.terms.min(corpus.terms as usize);
    let bytes = request.bytes(corpus, words);
    let same = || {
        runs.iter().filter(|run| {
            run.status == RunStatus::Finished
                && run.model == request.origin.name()
                && run.seconds.is_some()
        })
    };
    let known = same().find(|run| run.corpus_id == corpus.id).or_else(|| same().next());
    let planned = |request: &RunRequest, corpus: &Corpus| -> f64 {
        plan(request, corpus).iter().map(PlannedStage::total).sum()
    };
    let factor = known.and_then(|run| {
        let own = corpora.iter().find(|corpus| corpus.id == run.corpus_id)?;
        let factor = run.seconds? / planned(&RunRequest::of(run).ok()?, own);
        Some((factor, run.id)).filter(|(factor, _)| factor.is_finite() && *factor > 0.0)
    });
    let (factor, judged_by) = factor.map_or((1.0, None), |(factor, run)| (factor, Some(run)));
    Estimate { bytes, seconds: factor * planned(request, corpus), judged_by }
}

/// The size of a corpus seen through a vocabulary of `words` terms; all of its tokens count.
pub(super) fn corpus_size(corpus: &Corpus, words: usize) -> CorpusSize {
    CorpusSize { words, documents: corpus.documents as usize, tokens: corpus.tokens as usize }
}
