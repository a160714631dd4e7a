//! Whether what a run says of documents is whole, and its tables say the same.

use crate::Store;
use crate::check::Findings;
use crate::error::Result;
use crate::result::SavedHash;
use crate::result::document_topic::Unpacking;
use crate::result::topic_document::{LARGE, in_order_of_the_table};

const LARGE_ROWS: &str = "SELECT topic, proportion, document_id FROM topic_document \
    WHERE run_id = ?1 ORDER BY topic, proportion DESC, document_id";

impl Store {
    /// Reads the proportions of every document of a run, and goes on with `hash` by them.
    pub(super) fn check_proportions(
        &self,
        run: i64,
        hash: &mut SavedHash,
        findings: &mut Findings,
    ) -> Result<()> {
        let unpacking = Unpacking::of(self, run)?;
        let (mut proportions, mut large) = (Vec::new(), Vec::new());
        self.visit_packed(run, &mut |id, text| {
            hash.add(id, text);
            unpacking.unpack(id, text, &mut proportions)?;
            let much = (0_i64..).zip(&proportions).filter(|entry| *entry.1 >= LARGE);
            large.extend(much.map(|(topic, &share)| (topic, share, id)));
            Ok(())
        })?;
        in_order_of_the_table(&mut large);
        let saved: Vec<(i64, f64, i64)> =
            self.rows(LARGE_ROWS, [run], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        if saved != large {
            findings
                .of_run(run, "its list of a topic's documents is not that of their proportions");
        }
        Ok(())
    }
}
