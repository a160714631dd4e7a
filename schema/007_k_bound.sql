-- Bounds on the number of topics of a corpus, seen through a vocabulary. upper is NULL where
-- there is none below the number of terms; is_cut_off is 1 where lower may be too low.
CREATE TABLE k_bound (
    id                INTEGER PRIMARY KEY,
    corpus_id         INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    vocabulary_id     INTEGER NOT NULL REFERENCES vocabulary (id) ON DELETE CASCADE,
    method            TEXT    NOT NULL,
    lower             INTEGER NOT NULL,
    upper             INTEGER,
    is_cut_off        INTEGER NOT NULL CHECK (is_cut_off IN (0, 1)),
    lower_probability REAL    NOT NULL,
    upper_probability REAL,
    threshold         REAL    NOT NULL,
    settings          TEXT    NOT NULL CHECK (json_valid(settings)),
    details           TEXT    NOT NULL CHECK (json_valid(details)),
    corpus_hash       BLOB    NOT NULL,
    created_at        TEXT    NOT NULL
) STRICT;
CREATE INDEX k_bound_of_corpus ON k_bound (corpus_id);
CREATE INDEX k_bound_of_vocabulary ON k_bound (vocabulary_id);

-- The largest eigenvalues of the second moment, position 0 the largest.
CREATE TABLE k_bound_sigma (
    k_bound_id INTEGER NOT NULL REFERENCES k_bound (id) ON DELETE CASCADE,
    position   INTEGER NOT NULL,
    value      REAL    NOT NULL,
    residual   REAL    NOT NULL,
    PRIMARY KEY (k_bound_id, position)
) STRICT, WITHOUT ROWID;
