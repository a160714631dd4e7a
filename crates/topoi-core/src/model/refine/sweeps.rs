//! Sweeps of a Gibbs sampler, which refinement ends with.
//!
//! CVB0 gives every token shares of all topics, and its topics stay mixtures where documents are
//! few or short; a sampler that starts from them parts what it left together. On tweets and speeches
//! as many sweeps from nothing end in worse topics (papers/default_run.md).

use super::schedule::Schedule;
use crate::model::error::ModelError;
use crate::model::lda_gibbs::{LdaGibbsSettings, lda_gibbs_in_stage};
use crate::model::topics::Topics;
use crate::progress::Progress;
use crate::stream::cooccurrence::CoOccurrence;

/// β of the sampler: tokens of each word that a topic is thought to have before it is seen.
pub const BETA: f64 = 0.05;
/// Tokens that all sweeps draw together, so that they take about as long for every corpus. Short
/// texts gain up to 160 sweeps (papers/default_run.md).
const DRAWS: f64 = 2e7;
const MOST_SWEEPS: f64 = 200.0;
/// Fewer tokens are no sample to assign topics by: on 256 texts of 50 words the topics of the passes
/// agree with the subjects at .94, those of a sampler at .89 to .92.
const LEAST_TOKENS: f64 = 2e4;
/// On more tokens 20 sweeps agree less with labels and leave fewer distinct words; of words that go
/// together 20 Newsgroups gain some, New York Times lose some.
const MOST_TOKENS: f64 = 1e6;

/// The usual number of sweeps: none over corpora that gain nothing, and over one that is refined in
/// mini-batches, as the topics of all tokens would have to be in memory.
pub(super) fn usual_sweeps(schedule: Schedule, tokens: f64) -> usize {
    match schedule {
        Schedule::Incremental(_) if (LEAST_TOKENS..=MOST_TOKENS).contains(&tokens) => {
            (DRAWS / tokens).min(MOST_SWEEPS) as usize
        }
        _ => 0,
    }
}

/// The topics after `sweeps` sweeps from `topics`, averaged over the last tenth of them, and ln p(w,
/// z) of a token at the end. Anchors remain as labels.
///
/// # Errors
/// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
pub(super) fn swept(
    topics: Topics,
    c: &CoOccurrence<'_>,
    sweeps: usize,
    seed: u64,
    progress: &dyn Progress,
) -> Result<(Topics, f64), ModelError> {
    let k = topics.topics.ncols();
    let settings = LdaGibbsSettings { iterations: sweeps, beta: BETA, ..LdaGibbsSettings::new(k) };
    let found = lda_gibbs_in_stage(c, &settings, &topics.topics, "sweeps", seed, progress)?;
    Ok((Topics { anchors: topics.anchors, ..found.topics }, found.log_likelihood))
}
