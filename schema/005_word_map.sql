-- Where the words of a run stand on the two axes along which its anchors' rows of C̄ differ most.
CREATE TABLE word_position (
    run_id  INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    term_id INTEGER NOT NULL,
    x       REAL    NOT NULL,
    y       REAL    NOT NULL,
    PRIMARY KEY (run_id, term_id)
) STRICT, WITHOUT ROWID;
