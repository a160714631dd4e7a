-- How far runs agree on their topics: for every topic of a run the matching topic of another run
-- (NULL: none is left for it), the Jaccard index of their most probable words, as many as `words`,
-- and the l1 distance of their word probabilities, from 0 to 2.
CREATE TABLE topic_agreement (
    run_id       INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    topic        INTEGER NOT NULL,
    other_run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    other_topic  INTEGER,
    words        INTEGER NOT NULL,
    jaccard      REAL    NOT NULL,
    l1           REAL    NOT NULL,
    PRIMARY KEY (run_id, other_run_id, topic)
) STRICT, WITHOUT ROWID;
CREATE INDEX topic_agreement_of_other ON topic_agreement (other_run_id);
