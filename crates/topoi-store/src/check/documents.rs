//! Checks a run's topic proportions of documents and the table of large proportions.

use crate::Store;
use crate::check::Findings;
use crate::error::Result;
use crate::id::{DocumentId, RunId};
use crate::result::SavedHash;
use crate::result::document_topic::ProportionDecoder;
use crate::result::topic_document::{LARGE, sort_as_in_table};

/// Those that the run wrote itself.
const LARGE_ROWS: &str = "SELECT topic, proportion, document_id FROM run \
    JOIN series_topic_document AS about \
    ON about.series_id = run.series_id AND about.first_revision = run.revision \
    WHERE run.id = ?1 ORDER BY topic, proportion DESC, document_id";

impl Store {
    /// Reads the proportions that a run wrote and adds them to `hash`.
    pub(super) fn check_proportions(
        &self,
        run: RunId,
        hash: &mut SavedHash,
        findings: &mut Findings,
    ) -> Result<()> {
        let decoder = ProportionDecoder::from_run(self, run)?;
        let (mut proportions, mut large) = (Vec::new(), Vec::new());
        self.visit_packed(run, &mut |id, text, is_assigned| {
            if !is_assigned {
                hash.add(id, text);
            }
            decoder.decode(id, text, &mut proportions)?;
            let much = (0_i64..).zip(&proportions).filter(|entry| *entry.1 >= LARGE);
            large.extend(much.map(|(topic, &share)| (topic, share, id)));
            Ok(())
        })?;
        sort_as_in_table(&mut large);
        let saved: Vec<(i64, f64, DocumentId)> =
            self.rows(LARGE_ROWS, [run], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        if saved != large {
            findings
                .add_run(run, "its list of a topic's documents is not that of their proportions");
        }
        Ok(())
    }
}
