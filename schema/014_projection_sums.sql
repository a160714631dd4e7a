-- What an rp run that was told to keep its sums leaves for a later run to add to.

-- What the sums are over. data, laid out as run_checkpoint.data: the number of documents that were
-- kept, of these and of those that the directions are scaled for (1 x 2); the id of the last document,
-- of each part where the documents are in parts alone (1 x parts); and for each of the terms of the
-- run's vocabulary the sums of its shares of them (2 x terms).
CREATE TABLE summed_documents (
    run_id INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
    data   BLOB    NOT NULL
) STRICT;

-- The sums along up to 32 directions from first_direction on: terms and directions as 64-bit
-- integers, then the sums term by term in single precision, all little-endian.
CREATE TABLE projection_sums (
    run_id          INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    first_direction INTEGER NOT NULL,
    data            BLOB    NOT NULL,
    PRIMARY KEY (run_id, first_direction)
) STRICT;
