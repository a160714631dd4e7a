-- Version 1 of the store. Times are UTC, written as ISO 8601 text; heartbeats are Unix seconds.

CREATE TABLE corpus (
    id          INTEGER PRIMARY KEY,
    name        TEXT    NOT NULL UNIQUE,
    created_at  TEXT    NOT NULL,
    documents   INTEGER NOT NULL DEFAULT 0,
    terms       INTEGER NOT NULL DEFAULT 0,
    tokens      INTEGER NOT NULL DEFAULT 0,
    nonzeros    INTEGER NOT NULL DEFAULT 0,
    settings    TEXT    NOT NULL CHECK (json_valid(settings))
) STRICT;

CREATE TABLE ingest (
    id          INTEGER PRIMARY KEY,
    corpus_id   INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    source      TEXT    NOT NULL,
    format      TEXT    NOT NULL,
    status      TEXT    NOT NULL CHECK (status IN ('finished')),
    documents   INTEGER NOT NULL DEFAULT 0,
    skipped     INTEGER NOT NULL DEFAULT 0,
    left_out    INTEGER NOT NULL DEFAULT 0,
    started_at  TEXT    NOT NULL,
    finished_at TEXT
) STRICT;
CREATE INDEX ingest_of_corpus ON ingest (corpus_id);

-- The ledger: every document of a source that is not in the corpus, and why.
CREATE TABLE ingest_note (
    ingest_id INTEGER NOT NULL REFERENCES ingest (id) ON DELETE CASCADE,
    key       TEXT    NOT NULL,
    place     TEXT    NOT NULL,
    reason    TEXT    NOT NULL
) STRICT;
CREATE INDEX ingest_note_of_ingest ON ingest_note (ingest_id);

CREATE TABLE document (
    id           INTEGER PRIMARY KEY,
    corpus_id    INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    key          TEXT    NOT NULL,
    title        TEXT,
    tokens       INTEGER NOT NULL,
    source       TEXT    NOT NULL,
    content_hash BLOB    NOT NULL,
    ingest_id    INTEGER NOT NULL REFERENCES ingest (id),
    UNIQUE (corpus_id, key)
) STRICT;
CREATE INDEX document_of_ingest ON document (ingest_id);

CREATE TABLE document_text (
    document_id INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
    text        TEXT NOT NULL
) STRICT;

-- position: 0, 1, 2 ... within the corpus, in order of first appearance; never changes.
CREATE TABLE term (
    id                 INTEGER PRIMARY KEY,
    corpus_id          INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    position           INTEGER NOT NULL,
    text               TEXT    NOT NULL,
    document_frequency INTEGER NOT NULL DEFAULT 0,
    total_count        INTEGER NOT NULL DEFAULT 0,
    UNIQUE (corpus_id, position),
    UNIQUE (corpus_id, text)
) STRICT;

-- What people query. term_id carries no foreign key: SQLite would scan all
-- triples for every term that is deleted with its corpus.
CREATE TABLE triple (
    document_id INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
    term_id     INTEGER NOT NULL,
    count       INTEGER NOT NULL CHECK (count > 0),
    PRIMARY KEY (document_id, term_id)
) STRICT, WITHOUT ROWID;

-- What models stream: the same triples, packed (layout in src/store/block.rs).
CREATE TABLE block (
    id                INTEGER PRIMARY KEY,
    corpus_id         INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    first_document_id INTEGER NOT NULL,
    documents         INTEGER NOT NULL,
    nonzeros          INTEGER NOT NULL,
    data              BLOB    NOT NULL
) STRICT;
CREATE INDEX block_of_corpus ON block (corpus_id, first_document_id);

CREATE TABLE vocabulary (
    id         INTEGER PRIMARY KEY,
    corpus_id  INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    settings   TEXT    NOT NULL CHECK (json_valid(settings)),
    terms      INTEGER NOT NULL,
    hash       BLOB    NOT NULL,
    created_at TEXT    NOT NULL,
    UNIQUE (corpus_id, settings, hash)
) STRICT;

CREATE TABLE vocabulary_term (
    vocabulary_id INTEGER NOT NULL REFERENCES vocabulary (id) ON DELETE CASCADE,
    position      INTEGER NOT NULL,
    term_id       INTEGER NOT NULL,
    PRIMARY KEY (vocabulary_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE run (
    id                INTEGER PRIMARY KEY AUTOINCREMENT,
    corpus_id         INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    vocabulary_id     INTEGER REFERENCES vocabulary (id),
    model             TEXT    NOT NULL,
    k                 INTEGER NOT NULL,
    seed              INTEGER NOT NULL,
    settings          TEXT    NOT NULL CHECK (json_valid(settings)),
    status            TEXT    NOT NULL CHECK (status IN
                          ('queued', 'running', 'finished', 'failed', 'cancelled', 'interrupted')),
    created_at        TEXT    NOT NULL,
    started_at        TEXT,
    finished_at       TEXT,
    seconds           REAL,
    peak_memory_bytes INTEGER,
    program_version   TEXT    NOT NULL,
    result_hash       BLOB,
    error             TEXT
) STRICT;
CREATE INDEX run_of_corpus ON run (corpus_id);

CREATE TABLE run_stage (
    run_id     INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    position   INTEGER NOT NULL,
    name       TEXT    NOT NULL,
    started_at TEXT    NOT NULL,
    seconds    REAL,
    steps      INTEGER,
    residual   REAL,
    note       TEXT,
    PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;

-- One row a run, overwritten while it works.
CREATE TABLE run_progress (
    run_id       INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
    stage        TEXT    NOT NULL,
    step         INTEGER NOT NULL,
    total        INTEGER NOT NULL,
    residual     REAL,
    memory_bytes INTEGER,
    updated_at   REAL    NOT NULL
) STRICT;

-- The residual curve of a run.
CREATE TABLE run_residual (
    run_id   INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    stage    TEXT    NOT NULL,
    step     INTEGER NOT NULL,
    residual REAL    NOT NULL,
    PRIMARY KEY (run_id, stage, step)
) STRICT, WITHOUT ROWID;

-- Who works on a run, for people and other hosts; whether it is alive is told
-- by the kernel lock on the run's lock file, never by this row.
CREATE TABLE run_lease (
    run_id       INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
    host         TEXT    NOT NULL,
    boot_id      TEXT    NOT NULL,
    pid          INTEGER NOT NULL,
    heartbeat_at REAL    NOT NULL
) STRICT;

CREATE TABLE run_control (
    run_id       INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
    want         TEXT    NOT NULL CHECK (want IN ('cancel')),
    requested_at REAL    NOT NULL
) STRICT;

CREATE TABLE topic (
    run_id         INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    topic          INTEGER NOT NULL,
    weight         REAL    NOT NULL,
    anchor_term_id INTEGER,
    label          TEXT,
    PRIMARY KEY (run_id, topic)
) STRICT, WITHOUT ROWID;

-- Every word of positive probability; rank 1 is the most probable.
CREATE TABLE topic_term (
    run_id      INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    topic       INTEGER NOT NULL,
    rank        INTEGER NOT NULL,
    term_id     INTEGER NOT NULL,
    probability REAL    NOT NULL,
    PRIMARY KEY (run_id, topic, rank)
) STRICT, WITHOUT ROWID;

-- The words that occur most with a topic's anchor, most likely first.
CREATE TABLE characteristic_term (
    run_id      INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    topic       INTEGER NOT NULL,
    rank        INTEGER NOT NULL,
    term_id     INTEGER NOT NULL,
    probability REAL    NOT NULL,
    PRIMARY KEY (run_id, topic, rank)
) STRICT, WITHOUT ROWID;

CREATE TABLE topic_correlation (
    run_id  INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    topic_a INTEGER NOT NULL,
    topic_b INTEGER NOT NULL,
    joint   REAL    NOT NULL,
    PRIMARY KEY (run_id, topic_a, topic_b)
) STRICT, WITHOUT ROWID;

-- topic IS NULL: of the whole run.
CREATE TABLE metric (
    run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    topic  INTEGER,
    name   TEXT    NOT NULL,
    value  REAL    NOT NULL
) STRICT;
CREATE UNIQUE INDEX metric_of_run ON metric (run_id, name, coalesce(topic, -1));

-- Eigenvalues a run computed, largest first, each with its residual norm.
CREATE TABLE spectrum (
    run_id   INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    value    REAL    NOT NULL,
    residual REAL,
    PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;

CREATE VIEW topic_word (run_id, topic, rank, word, probability) AS
SELECT topic_term.run_id, topic_term.topic, topic_term.rank, term.text, topic_term.probability
FROM topic_term JOIN term ON term.id = topic_term.term_id;

CREATE VIEW run_summary (run_id, corpus, model, k, seed, status, created_at, seconds,
                         terms, npmi, umass, relative_approximation) AS
SELECT run.id, corpus.name, run.model, run.k, run.seed, run.status, run.created_at, run.seconds,
       vocabulary.terms,
       (SELECT value FROM metric WHERE run_id = run.id AND topic IS NULL AND name = 'npmi'),
       (SELECT value FROM metric WHERE run_id = run.id AND topic IS NULL AND name = 'umass'),
       (SELECT value FROM metric WHERE run_id = run.id AND topic IS NULL AND name = 'relative_approximation')
FROM run
JOIN corpus ON corpus.id = run.corpus_id
LEFT JOIN vocabulary ON vocabulary.id = run.vocabulary_id;
