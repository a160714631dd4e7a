-- What all migrations make together, for new stores. Written by a test (UPDATE_DOCS=1 cargo test --lib store::open::making).

CREATE TABLE corpus (
    id          INTEGER PRIMARY KEY,
    name        TEXT    NOT NULL UNIQUE,
    created_at  TEXT    NOT NULL,
    documents   INTEGER NOT NULL DEFAULT 0,
    terms       INTEGER NOT NULL DEFAULT 0,
    tokens      INTEGER NOT NULL DEFAULT 0,
    nonzeros    INTEGER NOT NULL DEFAULT 0,
    settings    TEXT    NOT NULL CHECK (json_valid(settings))
, missing TEXT NOT NULL
    DEFAULT '["NA","N/A","#N/A","<NA>","NaN","nan","null","NULL"]' CHECK (json_valid(missing))) STRICT;

CREATE TABLE ingest_note (
    ingest_id INTEGER NOT NULL REFERENCES ingest (id) ON DELETE CASCADE,
    key       TEXT    NOT NULL,
    place     TEXT    NOT NULL,
    reason    TEXT    NOT NULL
, kind TEXT NOT NULL DEFAULT 'empty'
    CHECK (kind IN ('empty', 'unchanged', 'replaced', 'duplicate', 'undecodable', 'malformed')), documents INTEGER NOT NULL DEFAULT 1) STRICT;

CREATE INDEX ingest_note_of_ingest ON ingest_note (ingest_id);

CREATE TABLE document (
    id           INTEGER PRIMARY KEY,
    corpus_id    INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    key          TEXT    NOT NULL,
    title        TEXT,
    tokens       INTEGER NOT NULL,
    source       TEXT    NOT NULL,
    content_hash BLOB    NOT NULL,
    ingest_id    INTEGER NOT NULL REFERENCES ingest (id), fields TEXT,
    UNIQUE (corpus_id, key)
) STRICT;

CREATE INDEX document_of_ingest ON document (ingest_id);

CREATE TABLE document_text (
    document_id INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
    text        TEXT NOT NULL
, given_tokens TEXT) STRICT;

CREATE TABLE term (
    id                 INTEGER PRIMARY KEY,
    corpus_id          INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    position           INTEGER NOT NULL,
    text               TEXT    NOT NULL,
    document_frequency INTEGER NOT NULL DEFAULT 0,
    total_count        INTEGER NOT NULL DEFAULT 0, form TEXT,
    UNIQUE (corpus_id, position),
    UNIQUE (corpus_id, text)
) STRICT;

CREATE TABLE block (
    id                INTEGER PRIMARY KEY,
    corpus_id         INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    first_document_id INTEGER NOT NULL,
    documents         INTEGER NOT NULL,
    nonzeros          INTEGER NOT NULL,
    data              BLOB    NOT NULL
, retired INTEGER NOT NULL DEFAULT 0 CHECK (retired IN (0, 1))) STRICT;

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
, corpus_hash BLOB, queued_at TEXT, run_name TEXT, run_note TEXT, asked_with INTEGER, approximate INTEGER NOT NULL DEFAULT 0, saved_hash BLOB, parent INTEGER, request_hash BLOB) STRICT;

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

CREATE TABLE run_progress (
    run_id       INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
    stage        TEXT    NOT NULL,
    step         INTEGER NOT NULL,
    total        INTEGER NOT NULL,
    residual     REAL,
    memory_bytes INTEGER,
    updated_at   REAL    NOT NULL
, share REAL, seconds_left REAL) STRICT;

CREATE TABLE run_residual (
    run_id   INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    stage    TEXT    NOT NULL,
    step     INTEGER NOT NULL,
    residual REAL    NOT NULL,
    PRIMARY KEY (run_id, stage, step)
) STRICT, WITHOUT ROWID;

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
    document_share         REAL    NOT NULL,
    anchor_term_id INTEGER,
    label          TEXT, alpha REAL, token_share REAL,
    PRIMARY KEY (run_id, topic)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE metric (
    run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    topic  INTEGER,
    name   TEXT    NOT NULL,
    value  REAL    NOT NULL
, settings TEXT CHECK (settings IS NULL OR json_valid(settings))) STRICT;

CREATE UNIQUE INDEX metric_of_run ON metric (run_id, name, coalesce(topic, -1));

CREATE TABLE spectrum (
    run_id   INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    value    REAL    NOT NULL,
    residual REAL,
    PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE document_counts (
    document_id INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
    counts      TEXT NOT NULL
) STRICT;

CREATE TABLE next_document (id INTEGER NOT NULL) STRICT;

CREATE TABLE deleted_document (
    corpus_id   INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    document_id INTEGER NOT NULL,
    key         TEXT    NOT NULL,
    deleted_at  TEXT    NOT NULL
) STRICT;

CREATE INDEX deleted_document_of_corpus ON deleted_document (corpus_id);

CREATE TABLE "ingest" (
    id          INTEGER PRIMARY KEY,
    corpus_id   INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    source      TEXT    NOT NULL,
    format      TEXT    NOT NULL,
    request     TEXT    NOT NULL,
    status      TEXT    NOT NULL CHECK (status IN ('running', 'failed', 'finished')),
    error       TEXT,
    documents   INTEGER NOT NULL DEFAULT 0,
    replaced    INTEGER NOT NULL DEFAULT 0,
    skipped     INTEGER NOT NULL DEFAULT 0,
    left_out    INTEGER NOT NULL DEFAULT 0,
    started_at  TEXT    NOT NULL,
    finished_at TEXT
) STRICT;

CREATE INDEX ingest_of_corpus ON ingest (corpus_id);

CREATE TABLE ingest_source (
    ingest_id INTEGER NOT NULL REFERENCES ingest (id) ON DELETE CASCADE,
    position  INTEGER NOT NULL,
    name      TEXT    NOT NULL,
    format    TEXT    NOT NULL,
    identity  TEXT    NOT NULL,
    bytes     INTEGER NOT NULL,
    lines     INTEGER NOT NULL,
    hash      BLOB    NOT NULL,
    cursor    TEXT    NOT NULL,
    finished  INTEGER NOT NULL,
    counts    TEXT    NOT NULL CHECK (json_valid(counts)),
    PRIMARY KEY (ingest_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE vocabulary_name (
    corpus_id     INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    name          TEXT    NOT NULL,
    vocabulary_id INTEGER NOT NULL REFERENCES vocabulary (id) ON DELETE CASCADE,
    created_at    TEXT    NOT NULL,
    PRIMARY KEY (corpus_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE word_position (
    run_id  INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    term_id INTEGER NOT NULL,
    x       REAL    NOT NULL,
    y       REAL    NOT NULL,
    PRIMARY KEY (run_id, term_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_checkpoint (
    run_id          INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    stage           TEXT    NOT NULL,
    seconds         REAL,
    steps           INTEGER,
    residual        REAL,
    note            TEXT,
    program_version TEXT    NOT NULL,
    matrices INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (run_id, stage)
) STRICT;

CREATE TABLE setting (
    name  TEXT PRIMARY KEY,
    value ANY NOT NULL
) STRICT, WITHOUT ROWID;

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

CREATE TABLE k_bound_sigma (
    k_bound_id INTEGER NOT NULL REFERENCES k_bound (id) ON DELETE CASCADE,
    position   INTEGER NOT NULL,
    value      REAL    NOT NULL,
    residual   REAL    NOT NULL,
    PRIMARY KEY (k_bound_id, position)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE part (
    corpus_id  INTEGER PRIMARY KEY REFERENCES corpus (id) ON DELETE CASCADE,
    number     INTEGER NOT NULL,
    parts      INTEGER NOT NULL,
    ids_from   INTEGER NOT NULL,
    terms      INTEGER NOT NULL,
    terms_hash BLOB    NOT NULL
) STRICT;

CREATE TABLE part_term (
    corpus_id      INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    position       INTEGER NOT NULL,
    whole_position INTEGER NOT NULL,
    PRIMARY KEY (corpus_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE divided_corpus (
    corpus_id INTEGER PRIMARY KEY REFERENCES corpus (id) ON DELETE CASCADE,
    parts     INTEGER NOT NULL
) STRICT;

CREATE TABLE matrix (
    id              INTEGER PRIMARY KEY,
    run_id          INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    purpose         TEXT    NOT NULL CHECK (purpose IN
                        ('checkpoint', 'basis', 'summed_documents', 'projection_sums')),
    stage           TEXT    NOT NULL DEFAULT '',
    position        INTEGER NOT NULL,
    rows            INTEGER NOT NULL CHECK (rows >= 0),
    columns         INTEGER NOT NULL CHECK (columns >= 0),
    bytes_per_entry INTEGER NOT NULL CHECK (bytes_per_entry IN (4, 8)),
    UNIQUE (run_id, purpose, stage, position)
) STRICT;

CREATE TABLE matrix_chunk (
    matrix_id INTEGER NOT NULL REFERENCES matrix (id) ON DELETE CASCADE,
    position  INTEGER NOT NULL,
    hash      BLOB    NOT NULL,
    data      BLOB    NOT NULL,
    PRIMARY KEY (matrix_id, position)
) STRICT;

CREATE TABLE run_warning (
    run_id   INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name     TEXT    NOT NULL,
    value    REAL    NOT NULL,
    text     TEXT    NOT NULL,
    PRIMARY KEY (run_id, position),
    UNIQUE (run_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE search_index (
    corpus_id INTEGER PRIMARY KEY REFERENCES corpus (id) ON DELETE CASCADE,
    through   INTEGER NOT NULL,
    documents INTEGER NOT NULL,
    fields    TEXT    NOT NULL CHECK (json_valid(fields))
) STRICT;

CREATE TABLE parent_document (
    id           INTEGER PRIMARY KEY,
    corpus_id    INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    key          TEXT    NOT NULL,
    title        TEXT,
    fields       TEXT,
    content_hash BLOB    NOT NULL,
    ingest_id    INTEGER NOT NULL,
    UNIQUE (corpus_id, key)
) STRICT;

CREATE TABLE chunk (
    document_id INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
    parent_id   INTEGER NOT NULL REFERENCES parent_document (id) ON DELETE CASCADE,
    position    INTEGER NOT NULL CHECK (position > 0)
) STRICT;

CREATE INDEX chunk_of_parent ON chunk (parent_id, position);

CREATE TABLE document_proportions (
    run_id      INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    document_id INTEGER NOT NULL,
    proportions TEXT    NOT NULL,
    PRIMARY KEY (run_id, document_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE topic_document (
    run_id      INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    topic       INTEGER NOT NULL,
    proportion  REAL    NOT NULL,
    document_id INTEGER NOT NULL,
    PRIMARY KEY (run_id, topic, proportion DESC, document_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE left_out_document (
    run_id      INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    document_id INTEGER NOT NULL,
    reason      TEXT    NOT NULL,
    tokens      INTEGER NOT NULL,
    PRIMARY KEY (run_id, document_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE field_kind (
    corpus_id INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    field     TEXT    NOT NULL,
    kind      TEXT    NOT NULL,
    PRIMARY KEY (corpus_id, field)
) STRICT, WITHOUT ROWID;

CREATE TABLE term_form (
    term_id INTEGER NOT NULL REFERENCES term (id) ON DELETE CASCADE,
    form    TEXT    NOT NULL,
    count   INTEGER NOT NULL,
    PRIMARY KEY (term_id, form)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE topic_term (
    run_id      INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    topic       INTEGER NOT NULL,
    rank        INTEGER NOT NULL,
    term_id     INTEGER NOT NULL,
    probability REAL    NOT NULL,
    PRIMARY KEY (run_id, topic, term_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX topic_term_first ON topic_term (run_id, topic, rank) WHERE rank <= 100;

CREATE VIEW run_summary AS
SELECT run.id AS run_id, corpus.name AS corpus, run.model AS model, run.k AS k, run.seed AS seed, run.status AS status,
    run.created_at AS created_at, run.seconds AS seconds, vocabulary.terms AS terms,
    CAST((SELECT value FROM metric WHERE run_id = run.id AND topic IS NULL AND name = 'npmi') AS DOUBLE) AS npmi,
    CAST((SELECT value FROM metric WHERE run_id = run.id AND topic IS NULL AND name = 'umass') AS DOUBLE) AS umass,
    CAST((SELECT value FROM metric WHERE run_id = run.id AND topic IS NULL AND name = 'relative_approximation')
        AS DOUBLE) AS relative_approximation
FROM run
JOIN corpus ON corpus.id = run.corpus_id
LEFT JOIN vocabulary ON vocabulary.id = run.vocabulary_id;

CREATE VIEW triple AS
SELECT document_counts.document_id AS document_id, CAST(pair.key AS BIGINT) AS term_id, CAST(pair.value AS BIGINT) AS count
FROM document_counts, json_each(document_counts.counts) AS pair;

CREATE VIEW document_field AS
SELECT document.id AS document_id, CAST(pair.key AS TEXT) AS name, pair.value AS value
FROM document, json_each(document.fields) AS pair WHERE document.fields IS NOT NULL;

CREATE VIEW emptied_document AS
SELECT vocabulary.id AS vocabulary_id, document.id AS document_id FROM vocabulary
JOIN document ON document.corpus_id = vocabulary.corpus_id
JOIN document_counts ON document_counts.document_id = document.id
WHERE NOT EXISTS (
    SELECT 1 FROM json_each(document_counts.counts) AS pair
    WHERE CAST(pair.key AS BIGINT) IN (
        SELECT term_id FROM vocabulary_term WHERE vocabulary_id = vocabulary.id));

CREATE VIEW document_topic AS
SELECT about.run_id AS run_id, about.document_id AS document_id, CAST(entry.key AS BIGINT) AS topic,
    CAST(CASE WHEN about.proportions < '{' THEN CAST(entry.value AS DOUBLE) / 1e7 ELSE CAST(entry.value AS DOUBLE) END
        AS DOUBLE) AS proportion
FROM document_proportions AS about, json_each(
    CASE WHEN about.proportions < '{' THEN about.proportions ELSE (
        SELECT json_group_array(coalesce(
            CAST(json_extract(about.proportions, '$."' || topic || '"') AS DOUBLE),
            CAST(json_extract(about.proportions, '$.rest') AS DOUBLE) * alpha, 0.0))
        FROM (SELECT topic, alpha FROM topic WHERE run_id = about.run_id ORDER BY topic)
    ) END) AS entry;

CREATE VIEW parent_topic AS
SELECT document_topic.run_id AS run_id, chunk.parent_id AS parent_id, document_topic.topic AS topic,
    CAST(sum(document_topic.proportion * document.tokens)
        / sum(sum(document_topic.proportion * document.tokens))
            OVER (PARTITION BY document_topic.run_id, chunk.parent_id) AS DOUBLE) AS proportion
FROM document_topic
JOIN chunk ON chunk.document_id = document_topic.document_id
JOIN document ON document.id = chunk.document_id
GROUP BY document_topic.run_id, chunk.parent_id, document_topic.topic;

CREATE VIEW document_top_topic AS
SELECT run_id AS run_id, document_id AS document_id,
    CAST(16777215 - max(CAST(proportion * 1e10 AS BIGINT) * 16777216 + 16777215 - topic) % 16777216 AS BIGINT) AS topic,
    CAST(max(proportion) AS DOUBLE) AS proportion
FROM document_topic GROUP BY run_id, document_id;

CREATE VIEW topic_word AS
SELECT topic_term.run_id AS run_id, topic_term.topic AS topic, topic_term.rank AS rank,
    CAST(coalesce(term.form, term.text) AS TEXT) AS word, topic_term.probability AS probability
FROM topic_term JOIN term ON term.id = topic_term.term_id;

CREATE VIEW topic_alignment AS
SELECT pair.run_a AS run_a, pair.topic_a AS topic_a, pair.run_b AS run_b, pair.topic_b AS topic_b,
    CAST(CASE WHEN distance < 0 THEN 0.0 WHEN distance > 1 THEN 1.0 ELSE distance END AS DOUBLE) AS distance
FROM (SELECT a.run_id AS run_a, a.topic AS topic_a, other.run_id AS run_b, other.topic AS topic_b, 1 + coalesce((
    SELECT sum(p.probability * ln(p.probability / (p.probability + q.probability))
               + q.probability * ln(q.probability / (p.probability + q.probability)))
    FROM topic_term AS p CROSS JOIN topic_term AS q
    WHERE p.run_id = a.run_id AND p.topic = a.topic
      AND q.run_id = other.run_id AND q.topic = other.topic AND q.term_id = p.term_id
), 0) / 2 / ln(2) AS distance
FROM topic AS a
JOIN run ON run.id = a.run_id
JOIN run AS b ON b.corpus_id = run.corpus_id
JOIN topic AS other ON other.run_id = b.id) AS pair;

CREATE VIEW topic_by_field AS
SELECT about.run_id AS run_id, CAST(entry.key AS TEXT) AS field, entry.value AS value, about.topic AS topic,
    CAST(count(*) AS BIGINT) AS documents, CAST(avg(about.proportion) AS DOUBLE) AS share
FROM document_topic AS about
JOIN document ON document.id = about.document_id
JOIN corpus ON corpus.id = document.corpus_id, json_each(document.fields) AS entry
WHERE entry.value IS NOT NULL AND trim(CAST(entry.value AS TEXT), ' "') <> ''
    AND trim(CAST(entry.value AS TEXT), ' "') NOT IN (
        SELECT trim(CAST(mark.value AS TEXT), '"') FROM json_each(corpus.missing) AS mark)
GROUP BY about.run_id, entry.key, entry.value, about.topic;

CREATE VIEW topic_by_time AS
SELECT about.run_id AS run_id, CAST(entry.key AS TEXT) AS field,
    CAST(substr(trim(CAST(entry.value AS TEXT), '"'), 1, 4) AS BIGINT) AS year, about.topic AS topic,
    CAST(count(*) AS BIGINT) AS documents, CAST(avg(about.proportion) AS DOUBLE) AS share
FROM document_topic AS about
JOIN document ON document.id = about.document_id
JOIN corpus ON corpus.id = document.corpus_id, json_each(document.fields) AS entry
WHERE (trim(CAST(entry.value AS TEXT), '"') GLOB '[0-9][0-9][0-9][0-9]'
        OR trim(CAST(entry.value AS TEXT), '"') GLOB '[0-9][0-9][0-9][0-9][-/]*'
        OR trim(CAST(entry.value AS TEXT), '"') GLOB '[0-9][0-9][0-9][0-9][01][0-9][0-3][0-9]')
    AND trim(CAST(entry.value AS TEXT), '"') NOT IN (
        SELECT trim(CAST(mark.value AS TEXT), '"') FROM json_each(corpus.missing) AS mark)
GROUP BY about.run_id, entry.key, CAST(substr(trim(CAST(entry.value AS TEXT), '"'), 1, 4) AS BIGINT), about.topic;

INSERT INTO next_document VALUES (1);
