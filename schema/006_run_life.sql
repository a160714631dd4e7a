-- What the finished stages of a run that is not over have left, so that it can be resumed after
-- them; layout of data in src/store/checkpoint.rs, hash its BLAKE3, first 16 bytes. The other
-- columns are those of run_stage. Gone when the run is finished.
CREATE TABLE run_checkpoint (
    run_id          INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    stage           TEXT    NOT NULL,
    seconds         REAL,
    steps           INTEGER,
    residual        REAL,
    note            TEXT,
    program_version TEXT    NOT NULL,
    hash            BLOB    NOT NULL,
    data            BLOB    NOT NULL,
    PRIMARY KEY (run_id, stage)
) STRICT;

-- Identifies the documents a run was made from: BLAKE3 over their ids and content hashes.
ALTER TABLE run ADD COLUMN corpus_hash BLOB;
-- When the run was last put into the queue; runs are taken in this order.
ALTER TABLE run ADD COLUMN queued_at TEXT;
UPDATE run SET queued_at = created_at;

-- What holds for the store as a whole, by name: at_once, how many runs work at the same time.
CREATE TABLE setting (
    name  TEXT PRIMARY KEY,
    value ANY NOT NULL
) STRICT, WITHOUT ROWID;
