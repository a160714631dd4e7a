//! What earlier runs say of a request: whether it has been run before, and how much time it will take.

use crate::model::topic_model::CorpusSize;
use crate::run::request::{RunRequest, RunSettings};
use crate::store::corpus::Corpus;
use crate::store::run::{Run, RunStatus};

/// The first of `runs` that was asked for by the same request. Threads, memory and the runs that a
/// factorisation is shared with are not compared: they change no result by more than its last bits.
pub fn repetition<'a>(runs: &'a [Run], request: &RunRequest) -> Option<&'a Run> {
    let wanted = what_counts(request.clone());
    runs.iter().find(|run| {
        run.corpus == request.corpus
            && run.model == request.origin.name()
            && (run.k, run.seed) == (request.k as u64, request.seed)
            && RunRequest::of(run).is_ok_and(|other| what_counts(other) == wanted)
    })
}

fn what_counts(request: RunRequest) -> RunRequest {
    let settings = RunSettings { threads: 0, memory: 0.0, factorise: None, ..request.settings };
    RunRequest { settings, ..request }
}

/// Memory and time of a run that is not started yet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Bytes of memory, within a factor of two.
    pub bytes: usize,
    /// Seconds, and the run they are judged by; `None` where no finished run tells.
    pub seconds: Option<(f64, i64)>,
}

/// What `request` will take on `corpus`: memory by the model's card; time by the newest finished
/// run of the same model, of the same corpus if there is one, as the ratio of nonzeros times K.
/// `runs` are the runs there are, newest first, `corpora` their corpora.
pub fn estimate(
    request: &RunRequest,
    corpus: &Corpus,
    corpora: &[Corpus],
    runs: &[Run],
) -> Estimate {
    let words = request.settings.terms.min(corpus.terms as usize);
    let size = CorpusSize::of(corpus, words);
    let bytes = request.origin.card().bytes(size, request.k);
    let same = || {
        runs.iter().filter(|run| {
            run.status == RunStatus::Finished
                && run.model == request.origin.name()
                && run.seconds.is_some()
        })
    };
    let known = same().find(|run| run.corpus_id == corpus.id).or_else(|| same().next());
    let work = |corpus: &Corpus, k: u64| corpus.nonzeros as f64 * k as f64;
    let seconds = known.and_then(|run| {
        let own = corpora.iter().find(|corpus| corpus.id == run.corpus_id)?;
        let share = work(corpus, request.k as u64) / work(own, run.k);
        Some((run.seconds? * share, run.id)).filter(|(seconds, _)| seconds.is_finite())
    });
    Estimate { bytes, seconds }
}

impl CorpusSize {
    /// Of a corpus seen through a vocabulary of `words` terms; all of its tokens count.
    pub(super) fn of(corpus: &Corpus, words: usize) -> Self {
        Self { words, documents: corpus.documents as usize, tokens: corpus.tokens as usize }
    }
}
