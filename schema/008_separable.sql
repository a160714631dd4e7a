-- What separable models find on their way to topics: words that may be novel, and how many topics
-- the solid angles show.
CREATE TABLE novel_word (
    run_id  INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    rank    INTEGER NOT NULL,
    term_id INTEGER NOT NULL,
    -- The topic whose novel word it is; NULL where it was not grouped with one.
    topic   INTEGER,
    -- Its solid angle (rp), the share of directions (rp-doc) or bins (binning) it wins, or its
    -- margin (ddp).
    score   REAL    NOT NULL,
    PRIMARY KEY (run_id, rank)
) STRICT, WITHOUT ROWID;

CREATE TABLE topic_estimate (
    run_id   INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    -- The threshold zeta.
    distance REAL    NOT NULL,
    -- How many topics it shows.
    topics   INTEGER NOT NULL,
    PRIMARY KEY (run_id, distance)
) STRICT, WITHOUT ROWID;
