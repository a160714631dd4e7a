-- A corpus whose documents lie in several stores, its parts, each beside its machine.

-- In the store of a part: which of how many it is; by how much the ids of its documents are greater
-- in the whole; and how many terms the whole has, with their hash (BLAKE3 of the texts in order of
-- position, first 16 bytes), which all parts of a run must share.
CREATE TABLE part (
    corpus_id  INTEGER PRIMARY KEY REFERENCES corpus (id) ON DELETE CASCADE,
    number     INTEGER NOT NULL,
    parts      INTEGER NOT NULL,
    ids_from   INTEGER NOT NULL,
    terms      INTEGER NOT NULL,
    terms_hash BLOB    NOT NULL
) STRICT;

-- Where the part's terms stand in the whole; no rows where each stands at its own position.
CREATE TABLE part_term (
    corpus_id      INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    position       INTEGER NOT NULL,
    whole_position INTEGER NOT NULL,
    PRIMARY KEY (corpus_id, position)
) STRICT, WITHOUT ROWID;

-- In the store of the whole: a corpus of which it has terms and counts alone. Its documents are in
-- so many parts.
CREATE TABLE divided_corpus (
    corpus_id INTEGER PRIMARY KEY REFERENCES corpus (id) ON DELETE CASCADE,
    parts     INTEGER NOT NULL
) STRICT;

-- What a later run of the corpus can start from: the eigenvectors (terms of the run's vocabulary x
-- columns) that its factorisation came to, laid out as run_checkpoint.data.
CREATE TABLE run_basis (
    run_id INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
    data   BLOB NOT NULL
) STRICT;
