-- One layout for every matrix that a run leaves: for its later stages (checkpoint) or for a later
-- run of the corpus (basis, summed_documents, projection_sums). Entries lie row by row, little-endian,
-- in 4 (single precision) or 8 bytes, cut into chunks: SQLite takes no blob of more than 10^9 bytes.

-- position: 0, 1, ... among the matrices of one purpose (and stage); of projection_sums the first of
-- its up to 32 directions.
CREATE TABLE matrix (
    id              INTEGER PRIMARY KEY,
    run_id          INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    purpose         TEXT    NOT NULL CHECK (purpose IN
                        ('checkpoint', 'basis', 'summed_documents', 'projection_sums')),
    stage           TEXT    NOT NULL DEFAULT '',
    position        INTEGER NOT NULL,
    rows            INTEGER NOT NULL CHECK (rows >= 0),
    columns         INTEGER NOT NULL CHECK (columns >= 0),
    bytes_per_entry INTEGER NOT NULL CHECK (bytes_per_entry IN (4, 8)),
    UNIQUE (run_id, purpose, stage, position)
) STRICT;

-- hash: BLAKE3 of data, first 16 bytes.
CREATE TABLE matrix_chunk (
    matrix_id INTEGER NOT NULL REFERENCES matrix (id) ON DELETE CASCADE,
    position  INTEGER NOT NULL,
    hash      BLOB    NOT NULL,
    data      BLOB    NOT NULL,
    PRIMARY KEY (matrix_id, position)
) STRICT;

-- How many matrices a stage left.
ALTER TABLE run_checkpoint ADD COLUMN matrices INTEGER NOT NULL DEFAULT 0;
