-- Version 24: what people say of topics (docs/reference/judgements.md). A row an answer, or a task that was passed over
-- (answer is NULL). item is the task's number among those of the run and kind, the same for all who judge;
-- document_id may be of a document that has been deleted since.
CREATE TABLE judgement (
    id          INTEGER PRIMARY KEY,
    run_id      INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    judge       TEXT    NOT NULL,
    task        TEXT    NOT NULL,
    item        INTEGER NOT NULL,
    topic       INTEGER NOT NULL,
    document_id INTEGER,
    shown       TEXT    NOT NULL,
    answer      INTEGER,
    seconds     REAL,
    judged_at   TEXT    NOT NULL
) STRICT;

CREATE UNIQUE INDEX judgement_of_run ON judgement (run_id, judge, task, item);
