-- Why a finished run should not be trusted as it is: what is wrong, with the figure, and what to do, the
-- gravest first. A run without rows has no warning, or is of a version before 0.2.
CREATE TABLE run_warning (
    run_id   INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name     TEXT    NOT NULL,
    value    REAL    NOT NULL,
    text     TEXT    NOT NULL,
    PRIMARY KEY (run_id, position),
    UNIQUE (run_id, name)
) STRICT, WITHOUT ROWID;
