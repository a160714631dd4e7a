-- Version 3: vocabularies that people name, to count before use and to use again. The terms of a
-- name are fixed when it is saved; new terms of the corpus do not enter it.
CREATE TABLE vocabulary_name (
    corpus_id     INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    name          TEXT    NOT NULL,
    vocabulary_id INTEGER NOT NULL REFERENCES vocabulary (id) ON DELETE CASCADE,
    created_at    TEXT    NOT NULL,
    PRIMARY KEY (corpus_id, name)
) STRICT, WITHOUT ROWID;
