//! A batch of an ingest: taking the write lock, reading the current terms, committing.

use std::time::Duration;

use super::writer::{Changes, IngestWriter};
use super::{IngestCounts, IngestStart};
use crate::error::Result;
use crate::id::CorpusId;
use crate::ingest::seen::SeenDocuments;
use crate::ingest::source_position::SourcePosition;
use crate::integer::saturated;
use crate::search::Indexer;

const ADD_TO_CORPUS: &str = "UPDATE corpus SET documents = documents + ?2, terms = ?3, \
    tokens = tokens + ?4, nonzeros = nonzeros + ?5 WHERE id = ?1";
const UNFINISHED: &str = "SELECT id, documents, replaced, skipped, left_out FROM ingest \
    WHERE corpus_id = ?1 AND request = ?2 AND request <> '{}' \
    AND status <> 'finished' ORDER BY id DESC";
const GIVE_UP: &str = "UPDATE ingest SET request = '{}', status = 'failed', \
    error = 'given up: a source has changed' WHERE id = ?1";
const UPDATE_INGEST: &str = "UPDATE ingest SET documents = ?2, replaced = ?3, skipped = ?4, \
    left_out = ?5, status = ?6, error = ?7, finished_at = CASE ?6 WHEN 'running' THEN NULL \
    ELSE strftime('%Y-%m-%dT%H:%M:%fZ') END WHERE id = ?1";

/// The write lock is free for this long between two batches: more than twice the polling interval of processes
/// that wait for it.
const PAUSE_BETWEEN_BATCHES: Duration = Duration::from_millis(5);

impl IngestWriter<'_> {
    /// Finds the unfinished ingest of the same request that no living process works on, and continues it.
    pub(crate) fn resume(&mut self, corpus_id: CorpusId) -> Result<()> {
        let found = self.store.rows(UNFINISHED, (corpus_id, &self.start.request), |row| {
            Ok(IngestCounts {
                ingest: row.get("id")?,
                added: row.get("documents")?,
                replaced: row.get("replaced")?,
                skipped: row.get("skipped")?,
                left_out: row.get("left_out")?,
                deleted: 0,
            })
        })?;
        for counts in found {
            if let Some(lock) = self.store.lock_ingest(counts.ingest)? {
                self.lock = Some(lock);
                self.is_saved = true;
                self.counts = counts;
                self.resumed = self.store.source_positions(counts.ingest)?;
                self.load_seen()?;
                break;
            }
        }
        Ok(())
    }

    /// Begins a batch, unless one has begun: takes the store's write lock.
    pub(crate) fn open_batch(&mut self) -> Result<()> {
        if self.in_transaction {
            return Ok(());
        }
        self.store.execute_batch("BEGIN IMMEDIATE")?;
        self.in_transaction = true;
        if self.corpus_id == CorpusId::default() {
            self.open_corpus()?;
        }
        self.terms.catch_up(self.store, self.corpus_id)?;
        self.next_document_id = self.store.scalar("SELECT id FROM next_document", [])?;
        self.indexer = Indexer::open(self.store, self.corpus_id)?;
        self.reopen_block()
    }

    /// Continues the block that the last batch of this ingest left unfinished, unless others have written behind it:
    /// where blocks end does not depend on where batches do.
    fn reopen_block(&mut self) -> Result<()> {
        self.block.clear();
        let (ingest, block) = (self.counts.ingest, &mut self.block);
        let id = self.store.read_open_block(self.corpus_id, ingest, block)?;
        self.saved_block = id.map(|id| (id, block.document_ids.len()));
        Ok(())
    }

    fn open_corpus(&mut self) -> Result<()> {
        let IngestStart { corpus, settings, source, format, request, .. } = &self.start;
        self.store.execute(
            "INSERT OR IGNORE INTO corpus (name, created_at, settings) \
             VALUES (?1, strftime('%Y-%m-%dT%H:%M:%fZ'), ?2)",
            (corpus, settings),
        )?;
        self.corpus_id = self.store.scalar("SELECT id FROM corpus WHERE name = ?1", [corpus])?;
        self.has_joined_fields = self.store.has_joined_fields(self.corpus_id)?;
        self.store.remove_retired_blocks(self.corpus_id)?;
        if self.counts.ingest == 0 {
            self.store.execute(
                "INSERT INTO ingest (corpus_id, source, format, request, status, started_at, command) \
                 VALUES (?1, ?2, ?3, ?4, 'running', strftime('%Y-%m-%dT%H:%M:%fZ'), ?5)",
                (self.corpus_id, source, format, request, self.store.command_json()),
            )?;
            self.counts.ingest = self.store.connection.last_insert_rowid();
            self.lock = self.store.lock_ingest(self.counts.ingest)?;
        }
        Ok(())
    }

    /// Starts anew instead of continuing an unfinished ingest.
    pub fn abandon(&mut self) -> Result<()> {
        // It keeps its rows and is never resumed again.
        self.store.execute(GIVE_UP, [self.counts.ingest])?;
        self.is_saved = false;
        self.counts = IngestCounts::default();
        self.lock = None;
        self.seen = SeenDocuments::default();
        self.resumed.clear();
        Ok(())
    }

    /// Ends the batch: writes the rest, updates all counts, and commits with the source's position. Then
    /// releases the write lock for a moment.
    ///
    /// # Errors
    /// If the store cannot be written; then nothing of the batch is kept.
    pub fn commit(&mut self, at: &SourcePosition) -> Result<()> {
        self.open_batch()?;
        self.note_position(at)?;
        self.close_batch("running")?;
        std::thread::sleep(PAUSE_BETWEEN_BATCHES);
        Ok(())
    }

    /// Records the position of a source within the batch, without ending it.
    pub fn note_position(&mut self, at: &SourcePosition) -> Result<()> {
        self.open_batch()?;
        self.store.save_source_position(self.counts.ingest, at)?;
        self.save_seen(at.position)
    }

    /// Writes the block with what was added to it, and begins a new one.
    pub(crate) fn write_block(&mut self) -> Result<()> {
        match self.saved_block.take() {
            None => self.store.insert_block(self.corpus_id, &self.block)?,
            Some((_, documents)) if documents == self.block.document_ids.len() => {}
            Some((id, _)) => self.store.append_to_block(id, &self.block)?,
        }
        self.block.clear();
        Ok(())
    }

    fn close_batch(&mut self, status: &str) -> Result<()> {
        self.write_block()?;
        if let Some((indexer, _)) = &mut self.indexer {
            indexer.save_names(self.store)?;
        }
        let (edits, terms) = (std::mem::take(&mut self.edits), &mut self.terms);
        let mut gone = 0;
        self.store.edit_blocks(self.corpus_id, &edits, |_, positions, counts| {
            gone += saturated(positions.len());
            terms.tally(positions.iter().copied().zip(counts.iter().copied()), -1);
        })?;
        self.changes.nonzeros -= gone;
        self.terms.write(self.store, self.corpus_id)?;
        let terms = &self.terms;
        self.forms.write(self.store, |position| terms.id(position))?;
        self.written = 0;
        let Changes { documents, tokens, nonzeros, hash } = std::mem::take(&mut self.changes);
        self.store.execute(
            ADD_TO_CORPUS,
            (self.corpus_id, documents, self.terms.len(), tokens, nonzeros),
        )?;
        self.store.add_to_documents_hash(self.corpus_id, hash)?;
        self.store.execute("UPDATE next_document SET id = ?1", [self.next_document_id])?;
        if let Some(unchanged) = self.unchanged.take() {
            self.store.insert_note(self.counts.ingest, &unchanged)?;
        }
        self.write_status(status, None)?;
        self.store.execute_batch("COMMIT")?;
        self.in_transaction = false;
        self.is_saved = true;
        Ok(())
    }

    fn write_status(&self, status: &str, error: Option<&str>) -> Result<()> {
        let IngestCounts { ingest, added, replaced, skipped, left_out, .. } = self.counts;
        let row = (ingest, added, replaced, skipped, saturated(left_out), status, error);
        self.store.execute(UPDATE_INGEST, row).map(|_| ())
    }

    /// Commits the last batch and ends the ingest.
    ///
    /// # Errors
    /// If the store cannot be written; then nothing of the last batch is kept.
    pub fn finish(mut self) -> Result<IngestCounts> {
        self.open_batch()?;
        self.delete_emptied()?;
        self.close_batch("finished")?;
        Ok(self.counts)
    }

    /// Drops the uncommitted batch and records the reason in the ingest's row. Committed documents stay; their
    /// number is returned.
    pub fn fail(mut self, reason: &str) -> u64 {
        let is_open = std::mem::take(&mut self.in_transaction);
        if is_open {
            // SQLite may have rolled back already, as it does on a full disk.
            let _: Result<()> = self.store.execute_batch("ROLLBACK");
        }
        if !self.is_saved {
            return 0;
        }
        let set = "UPDATE ingest SET status = 'failed', error = ?2 WHERE id = ?1";
        let _: Result<usize> = self.store.execute(set, (self.counts.ingest, reason));
        let kept = "SELECT coalesce(sum(documents + replaced), 0) FROM ingest WHERE id = ?1";
        self.store.scalar(kept, [self.counts.ingest]).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::blocks::CorpusBlocks;
    use crate::error::StoreError;
    use crate::ingest::{IngestWriter, NewDocument};
    use crate::{Access, Store};

    const BLOCKS: &str = "SELECT id, first_document_id, documents, nonzeros, data FROM block";

    fn start() -> IngestStart {
        let [corpus, settings, source, format] = ["c", "{}", "here", "lines"].map(String::from);
        IngestStart {
            corpus,
            settings,
            source,
            format,
            request: "{\"n\":1}".into(),
            batch_bytes: 1,
        }
    }

    fn at_start() -> SourcePosition {
        SourcePosition { counts: "{}".into(), ..SourcePosition::default() }
    }

    /// Adds documents of three words each.
    fn add(writer: &mut IngestWriter<'_>, documents: std::ops::Range<u32>) {
        for n in documents {
            let entries = [(n % 7, 1), (7 + n % 11, 2), (18 + n % 13, 3)];
            let key = format!("{n}");
            writer.add(NewDocument::counted(&key, &entries)).expect("added");
        }
    }

    /// A store of 1,300 documents. A batch is committed before each document that `commits` names; after the last
    /// commit the ingest is killed and resumed.
    fn filled(path: &std::path::Path, commits: &[u32]) -> Store {
        let store = Store::open(path, Access::Create).expect("open");
        let mut writer = IngestWriter::begin_or_resume(&store, start()).expect("begun");
        let terms: Vec<String> = (0..31).map(|n| format!("w{n}")).collect();
        for term in &terms {
            writer.term(term).expect("a term");
        }
        let mut at = 0;
        for &next in commits {
            add(&mut writer, at..next);
            writer.commit(&at_start()).expect("committed");
            at = next;
        }
        if !commits.is_empty() {
            drop(writer);
            writer = IngestWriter::begin_or_resume(&store, start()).expect("resumed");
        }
        add(&mut writer, at..1300);
        writer.finish().expect("finished");
        store
    }

    type Row = (i64, i64, i64, i64, Vec<u8>);

    fn blocks(store: &Store) -> Vec<Row> {
        let read = |row: &rusqlite::Row<'_>| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
        };
        store.rows(BLOCKS, [], read).expect("blocks")
    }

    #[test]
    fn blocks_end_where_they_are_full_wherever_batches_end() {
        let directory = tempfile::tempdir().expect("tempdir");
        let whole = blocks(&filled(&directory.path().join("whole.db"), &[]));
        assert_eq!(whole.iter().map(|row| row.2).collect::<Vec<_>>(), [512, 512, 276]);
        for (name, commits) in [
            ("a.db", &[1][..]),
            ("b.db", &[100, 101, 600]),
            ("c.db", &[511, 512, 513, 1024]),
            ("d.db", &[1300]),
        ] {
            let store = filled(&directory.path().join(name), commits);
            assert_eq!(blocks(&store), whole, "{commits:?}");
        }
    }

    #[test]
    fn a_reader_does_not_see_documents_that_are_appended_after_it_began() {
        let directory = tempfile::tempdir().expect("tempdir");
        let store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
        let mut writer = IngestWriter::begin_or_resume(&store, start()).expect("begun");
        for n in 0..31 {
            writer.term(&format!("w{n}")).expect("a term");
        }
        add(&mut writer, 0..100);
        writer.commit(&at_start()).expect("committed");
        let corpus = store.corpus("c").expect("a corpus").id;
        let before = CorpusBlocks::open(&store, corpus).expect("blocks");
        let seen = |blocks: &CorpusBlocks| {
            let mut seen = Vec::new();
            let all = blocks.sizes().len();
            let visited = blocks.visit::<StoreError>(0..all, &mut |block| {
                seen.extend_from_slice(&block.document_ids);
                assert_eq!(block.ends.last().copied(), Some(block.terms.len() as u32));
                Ok(())
            });
            visited.expect("visited");
            seen
        };
        assert_eq!(seen(&before), (1..=100).collect::<Vec<_>>());
        add(&mut writer, 100..300);
        writer.finish().expect("finished");
        assert_eq!(seen(&before), (1..=100).collect::<Vec<_>>());
        let after = CorpusBlocks::open(&store, corpus).expect("blocks");
        assert_eq!(seen(&after), (1..=300).collect::<Vec<_>>());
        assert_eq!(after.sizes().collect::<Vec<_>>(), [900]);
    }
}
