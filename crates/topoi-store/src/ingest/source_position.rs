//! The position in each source of an ingest, from which a killed ingest resumes.

use crate::Store;
use crate::error::Result;

const SAVE: &str = "INSERT OR REPLACE INTO ingest_source \
    (ingest_id, position, name, format, identity, bytes, lines, hash, cursor, finished, counts) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
const OF_INGEST: &str = "SELECT * FROM ingest_source WHERE ingest_id = ?1 ORDER BY position";

/// A position between two documents of a source, and the counts up to there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourcePosition {
    /// Index of the source in the command, from 0.
    pub position: u64,
    /// The source's name.
    pub name: String,
    /// Its format.
    pub format: String,
    /// Size and modification time of the file; empty if it has none.
    pub identity: String,
    /// Bytes read, after decompression.
    pub bytes: u64,
    /// Number of lines read.
    pub lines: u64,
    /// Hash of these bytes.
    pub hash: Vec<u8>,
    /// Further state that the format needs to resume.
    pub cursor: String,
    /// Whether the source was read to its end.
    pub finished: bool,
    /// Outcomes of the documents so far, as JSON.
    pub counts: String,
}

impl Store {
    pub(crate) fn save_source_position(&self, ingest: i64, at: &SourcePosition) -> Result<()> {
        self.execute(
            SAVE,
            (
                ingest,
                at.position,
                &at.name,
                &at.format,
                &at.identity,
                at.bytes,
                at.lines,
                &at.hash,
                &at.cursor,
                at.finished,
                &at.counts,
            ),
        )?;
        Ok(())
    }

    /// The positions of all sources of an ingest, in the order of its command.
    pub fn source_positions(&self, ingest: i64) -> Result<Vec<SourcePosition>> {
        self.rows(OF_INGEST, [ingest], |row| {
            Ok(SourcePosition {
                position: row.get("position")?,
                name: row.get("name")?,
                format: row.get("format")?,
                identity: row.get("identity")?,
                bytes: row.get("bytes")?,
                lines: row.get("lines")?,
                hash: row.get("hash")?,
                cursor: row.get("cursor")?,
                finished: row.get("finished")?,
                counts: row.get("counts")?,
            })
        })
    }
}
