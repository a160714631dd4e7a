//! Whether a finished run's result is the one it was finished with.

use crate::store::Store;
use crate::store::check::Findings;
use crate::store::error::Result;
use crate::store::result::result_hash::result_hash;
use crate::store::run::{Run, RunStatus};

/// With so many topics a document can be about each of them too little for any to be saved; then
/// the saved documents are not all that the hash is over.
const MOST_TOPICS: usize = 100;

impl Store {
    pub(crate) fn check_run(&self, run: &Run, findings: &mut Findings) -> Result<()> {
        // Early versions saved no hash.
        let Some(saved) = run.result_hash.as_ref().filter(|_| run.status == RunStatus::Finished)
        else {
            return Ok(());
        };
        let topics = self.saved_topics(run.id)?;
        if topics.is_empty() {
            findings.of_run(run.id, "it is finished, but its topics are gone");
            return Ok(());
        }
        let correlations = self.saved_correlations(run.id)?;
        let documents = self.saved_documents(run.id)?;
        let is_whole = documents.alpha.is_empty() || topics.len() <= MOST_TOPICS;
        if is_whole && result_hash(&topics, &correlations, &documents) != *saved {
            findings.of_run(
                run.id,
                "its topics, words, correlations or documents' topics are not those it was \
                 finished with (result_hash)",
            );
        }
        Ok(())
    }
}
