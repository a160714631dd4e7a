-- Version 1 of the store. Times are UTC, written as ISO 8601 text; heartbeats are Unix seconds. What
-- a run or a vocabulary says of terms and documents carries no foreign key to them: SQLite would scan all of it for
-- every term or document that is deleted.

-- missing: what the sources of a corpus write in a field that has no value, beside nothing, a JSON array of texts. The
-- default is what R, pandas, spreadsheets, databases and JavaScript write; "None", "na" and "-" may be words, and are
-- values.
CREATE TABLE corpus (
    id          INTEGER PRIMARY KEY,
    name        TEXT    NOT NULL UNIQUE,
    created_at  TEXT    NOT NULL,
    documents   INTEGER NOT NULL DEFAULT 0,
    terms       INTEGER NOT NULL DEFAULT 0,
    tokens      INTEGER NOT NULL DEFAULT 0,
    nonzeros    INTEGER NOT NULL DEFAULT 0,
    settings    TEXT    NOT NULL CHECK (json_valid(settings)),
    missing     TEXT    NOT NULL DEFAULT '["NA","N/A","#N/A","<NA>","NaN","nan","null","NULL"]'
                        CHECK (json_valid(missing)),
    -- Sum of the hashes of its documents (16 bytes): a corpus is recognised without reading it.
    documents_hash BLOB NOT NULL DEFAULT x'00000000000000000000000000000000'
) STRICT;

-- request: what was asked for, as JSON. The same request again continues an ingest that is not finished.
CREATE TABLE ingest (
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
    finished_at TEXT,
    -- Words of the command after the program's name, without the store: a JSON array. NULL where there was none.
    command     TEXT             CHECK (command IS NULL OR json_valid(command))
) STRICT;
CREATE INDEX ingest_of_corpus ON ingest (corpus_id);

-- How far each source of an ingest is, committed with the documents up to there: bytes and lines (of the
-- decompressed source), the hash of those bytes, and what else the format needs.
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

-- The ledger: every document of a source that is not in the corpus, and why. One row can stand for several
-- neighbours (documents); its key then names the first and the last of them.
CREATE TABLE ingest_note (
    ingest_id INTEGER NOT NULL REFERENCES ingest (id) ON DELETE CASCADE,
    key       TEXT    NOT NULL,
    place     TEXT    NOT NULL,
    reason    TEXT    NOT NULL,
    kind      TEXT    NOT NULL DEFAULT 'empty' CHECK (kind IN
                  ('empty', 'unchanged', 'replaced', 'duplicate', 'undecodable', 'malformed')),
    documents INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX ingest_note_of_ingest ON ingest_note (ingest_id);

-- fields: JSON object, the columns and keys of a source that are neither text, id nor title, and over them those of
-- joined tables. own_fields: where a table is joined, the source's alone ('null' for none); content_hash is of them.
CREATE TABLE document (
    id           INTEGER PRIMARY KEY,
    corpus_id    INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    key          TEXT    NOT NULL,
    title        TEXT,
    tokens       INTEGER NOT NULL,
    source       TEXT    NOT NULL,
    content_hash BLOB    NOT NULL,
    ingest_id    INTEGER NOT NULL REFERENCES ingest (id),
    fields       TEXT,
    own_fields   TEXT,
    UNIQUE (corpus_id, key)
) STRICT;
CREATE INDEX document_of_ingest ON document (ingest_id);

-- What joined tables of metadata say of documents by their keys, or of what chunks were cut from: JSON objects, also for
-- later versions of the documents.
CREATE TABLE joined_fields (
    corpus_id INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    key       TEXT    NOT NULL,
    fields    TEXT    NOT NULL CHECK (json_valid(fields)),
    PRIMARY KEY (corpus_id, key)
) STRICT, WITHOUT ROWID;

-- The next id of a document. Ids are never used again, so that results of old runs cannot come to lie beside
-- other documents.
CREATE TABLE next_document (id INTEGER NOT NULL) STRICT;
INSERT INTO next_document VALUES (1);

CREATE TABLE deleted_document (
    corpus_id   INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    document_id INTEGER NOT NULL,
    key         TEXT    NOT NULL,
    deleted_at  TEXT    NOT NULL,
    tokens      INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX deleted_document_of_corpus ON deleted_document (corpus_id);

-- given_tokens: tokens that a source gave beside the text, JSON: [token or [token, start, end] in characters, ...].
-- They, and not the words of the text, are the document's terms.
CREATE TABLE document_text (
    document_id  INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
    text         TEXT NOT NULL,
    given_tokens TEXT
) STRICT;

-- Vectors (embeddings) that another program made of documents, scaled to length 1: numbers of 4 bytes, little-endian. A
-- document that is replaced by one of another text loses its vector. Of a corpus there is at most one set.
CREATE TABLE document_vector (
    document_id INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
    vector      BLOB NOT NULL
) STRICT;

-- The file that the vectors of a corpus came from: its name, and its hash in hexadecimal digits.
CREATE TABLE embedding (
    corpus_id   INTEGER PRIMARY KEY REFERENCES corpus (id) ON DELETE CASCADE,
    dimensions  INTEGER NOT NULL,
    source      TEXT    NOT NULL,
    hash        TEXT    NOT NULL,
    imported_at TEXT    NOT NULL
) STRICT;

-- Long documents are cut into chunks. A chunk is a document; what was cut is its parent.
--
-- fields: as in document. content_hash: of the whole; x'' once a chunk of it was deleted, so that the next ingest of
-- it brings the chunk back. ingest_id: the ingest that wrote it last.
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

-- position: 1, 2, 3 ... within the parent.
CREATE TABLE chunk (
    document_id INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
    parent_id   INTEGER NOT NULL REFERENCES parent_document (id) ON DELETE CASCADE,
    position    INTEGER NOT NULL CHECK (position > 0)
) STRICT;
CREATE INDEX chunk_of_parent ON chunk (parent_id, position);

-- What a field of a corpus's documents is, where somebody has said so: category, number, date or text. What
-- others are is derived from their values.
CREATE TABLE field_kind (
    corpus_id INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    field     TEXT    NOT NULL,
    kind      TEXT    NOT NULL,
    PRIMARY KEY (corpus_id, field)
) STRICT, WITHOUT ROWID;

-- position: 0, 1, 2 ... within the corpus, in order of first appearance; never changes. form: a stem is shown as the
-- form that texts have most often, of equal ones the first by its bytes; NULL where that is the term itself.
CREATE TABLE term (
    id                 INTEGER PRIMARY KEY,
    corpus_id          INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    position           INTEGER NOT NULL,
    text               TEXT    NOT NULL,
    document_frequency INTEGER NOT NULL DEFAULT 0,
    total_count        INTEGER NOT NULL DEFAULT 0,
    form               TEXT,
    UNIQUE (corpus_id, position),
    UNIQUE (corpus_id, text)
) STRICT;

-- Counts of forms are those of all documents that were ever added or replaced; deleting one takes nothing from them.
CREATE TABLE term_form (
    term_id INTEGER NOT NULL REFERENCES term (id) ON DELETE CASCADE,
    form    TEXT    NOT NULL,
    count   INTEGER NOT NULL,
    PRIMARY KEY (term_id, form)
) STRICT, WITHOUT ROWID;

-- {"term id": count, ...}, ascending by term id. One row a document instead of one a triple: a fifth of the time to
-- write, half the space. The view triple shows them.
CREATE TABLE document_counts (
    document_id INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
    counts      TEXT NOT NULL
) STRICT;

-- What models stream: the same triples, packed (layout in crates/topoi-core/src/stream/block.rs). A block whose
-- documents were changed or deleted is retired, not overwritten: a run that streams it sees what it saw before. Retired
-- blocks are removed when no run of the corpus is open.
CREATE TABLE block (
    id                INTEGER PRIMARY KEY,
    corpus_id         INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    first_document_id INTEGER NOT NULL,
    documents         INTEGER NOT NULL,
    nonzeros          INTEGER NOT NULL,
    data              BLOB    NOT NULL,
    retired           INTEGER NOT NULL DEFAULT 0 CHECK (retired IN (0, 1))
) STRICT;
CREATE INDEX block_of_corpus ON block (corpus_id, first_document_id);

-- How far the full-text index of a corpus is: it holds its documents with ids up to through. The index itself is the
-- FTS5 table topoi_search_ID, ID that of the corpus, made when first wanted
-- (crates/topoi-store/src/search/mod.rs). fields: JSON list of the names of fields that were indexed.
CREATE TABLE search_index (
    corpus_id INTEGER PRIMARY KEY REFERENCES corpus (id) ON DELETE CASCADE,
    through   INTEGER NOT NULL,
    documents INTEGER NOT NULL,
    fields    TEXT    NOT NULL CHECK (json_valid(fields))
) STRICT;

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

-- Vocabularies that people name, to count before use and to use again. The terms of a name are fixed when it is
-- saved; new terms of the corpus do not enter it.
CREATE TABLE vocabulary_name (
    corpus_id     INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    name          TEXT    NOT NULL,
    vocabulary_id INTEGER NOT NULL REFERENCES vocabulary (id) ON DELETE CASCADE,
    created_at    TEXT    NOT NULL,
    PRIMARY KEY (corpus_id, name)
) STRICT, WITHOUT ROWID;

-- A model that lives on: a run, revision 0, and the runs that updated it one after the other, revisions 1, 2, ... In all of
-- them a number means the same topic.
CREATE TABLE series (
    id        INTEGER PRIMARY KEY,
    corpus_id INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE
) STRICT;

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
    error             TEXT,
    -- Identifies the documents it was made from: BLAKE3 over their ids and content hashes.
    corpus_hash       BLOB,
    -- When it was last put into the queue; runs are taken in this order.
    queued_at         TEXT,
    -- What people call it.
    run_name          TEXT,
    -- The run that it was asked for with: the first of its sweep, or the one that it is compared with to find which
    -- topics are stable.
    asked_with        INTEGER,
    -- Identifies the result as it is saved: result_hash is over proportions before they are rounded.
    saved_hash        BLOB,
    -- The run whose topics it was shaped from, by the edits in its settings.
    parent            INTEGER,
    -- Identifies what the result was made with: model, number of topics, seed, settings and vocabulary.
    request_hash      BLOB,
    series_id         INTEGER REFERENCES series (id),
    revision          INTEGER NOT NULL DEFAULT 0,
    -- How far the corpus was when it was read: its last document, and the last ingest whose changes it has all.
    last_document     INTEGER,
    last_ingest       INTEGER,
    -- As of an ingest; a sweep's runs all have that of the sweep.
    command           TEXT             CHECK (command IS NULL OR json_valid(command))
) STRICT;
CREATE INDEX run_of_corpus ON run (corpus_id);
CREATE UNIQUE INDEX run_of_series ON run (series_id, revision);

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

-- One row a run, overwritten while it works. share: the part of its time that is over; seconds_left: the rest; NULL
-- where there is no plan.
CREATE TABLE run_progress (
    run_id       INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
    stage        TEXT    NOT NULL,
    step         INTEGER NOT NULL,
    total        INTEGER NOT NULL,
    residual     REAL,
    memory_bytes INTEGER,
    updated_at   REAL    NOT NULL,
    share        REAL,
    seconds_left REAL
) STRICT;

-- The residual curve of a run.
CREATE TABLE run_residual (
    run_id   INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    stage    TEXT    NOT NULL,
    step     INTEGER NOT NULL,
    residual REAL    NOT NULL,
    PRIMARY KEY (run_id, stage, step)
) STRICT, WITHOUT ROWID;

-- Who works on a run, for people and other hosts; whether it is alive follows from the kernel lock on the run's lock
-- file, never from this row.
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

-- What the finished stages of a run that is not over have left, so that it can be resumed after them; their matrices
-- are in matrix, this many of them. The other columns are those of run_stage. Gone when the run is finished.
CREATE TABLE run_checkpoint (
    run_id          INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    stage           TEXT    NOT NULL,
    seconds         REAL,
    steps           INTEGER,
    residual        REAL,
    note            TEXT,
    program_version TEXT    NOT NULL,
    matrices        INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (run_id, stage)
) STRICT;

-- One layout for every matrix that a run leaves: for its later stages (checkpoint) or for a later run of the corpus
-- (basis, summed_documents, projection_sums). Entries lie row by row, little-endian, in 4 (single precision) or 8
-- bytes, cut into chunks: SQLite takes no blob of more than 10^9 bytes.
--
-- position: 0, 1, ... among the matrices of one purpose (and stage); of projection_sums the first of its up to 32
-- directions. summed_documents: the number of documents that were kept, of these and of those that the directions are
-- scaled for (1 x 2); the id of the last document, of each part where the documents are in parts (1 x parts); and for
-- each of the terms of the run's vocabulary the sums of its shares of them (2 x terms).
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

-- hash: BLAKE3 of data, first 16 bytes.
CREATE TABLE matrix_chunk (
    matrix_id INTEGER NOT NULL REFERENCES matrix (id) ON DELETE CASCADE,
    position  INTEGER NOT NULL,
    hash      BLOB    NOT NULL,
    data      BLOB    NOT NULL,
    PRIMARY KEY (matrix_id, position)
) STRICT;

-- What holds for the store as a whole, by name: at_once, how many runs work at the same time.
CREATE TABLE setting (
    name  TEXT PRIMARY KEY,
    value ANY NOT NULL
) STRICT, WITHOUT ROWID;

-- A topic's two shares: document_share is the mean share over documents, token_share that of their tokens. alpha: the
-- parameter of the Dirichlet distribution that documents' proportions are drawn from. token_share and alpha are NULL
-- for runs that looked at no documents.
CREATE TABLE topic (
    run_id         INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    topic          INTEGER NOT NULL,
    document_share REAL    NOT NULL,
    anchor_term_id INTEGER,
    label          TEXT,
    -- Who gave the label: a person, or the command that was asked.
    labelled_by    TEXT CHECK (labelled_by IS NULL OR label IS NOT NULL),
    alpha          REAL,
    token_share    REAL,
    -- Whether its words were pinned by hand: refining and updates leave them.
    held           INTEGER NOT NULL DEFAULT 0 CHECK (held IN (0, 1)),
    PRIMARY KEY (run_id, topic)
) STRICT, WITHOUT ROWID;

-- p(word | topic) of all words of the run's vocabulary, in its order: a JSON array of whole numbers that sum to 10^12. The
-- views topic_term and topic_word have a row a word.
CREATE TABLE topic_probabilities (
    id            INTEGER PRIMARY KEY,
    run_id        INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    topic         INTEGER NOT NULL,
    probabilities TEXT    NOT NULL,
    UNIQUE (run_id, topic)
) STRICT;

-- The hundred most probable words of each topic, rank 1 the most probable: what lists ask for most, without sorting all.
CREATE TABLE top_term (
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

-- What documents are about, whole: the proportions of all topics of a document, which sum to 1.
--
-- Mostly an array of K whole numbers, ten-millionths, that sum to exactly 10,000,000. With a hundred topics and more
-- it can be an object, where that is shorter: {"3":0.61,"17":0.29,"rest":0.004} names proportions; a topic that is not
-- named has "rest" times its alpha (table topic), within a millionth of its own.
--
-- A row holds for the runs of its series from first_revision to last_revision, NULL as long as no later one has replaced
-- it: an update writes those of the documents that it read, and shares the others with the run before it. The view
-- document_proportions has the rows of each run, as have topic_document and left_out_document of the two tables below.
CREATE TABLE series_proportions (
    series_id      INTEGER NOT NULL REFERENCES series (id) ON DELETE CASCADE,
    document_id    INTEGER NOT NULL,
    first_revision INTEGER NOT NULL,
    last_revision  INTEGER,
    proportions    TEXT    NOT NULL,
    PRIMARY KEY (series_id, document_id, first_revision)
) STRICT, WITHOUT ROWID;

-- Topics that an update added to its series, and in which revision. Proportions that were written before are without them.
CREATE TABLE topic_birth (
    series_id INTEGER NOT NULL REFERENCES series (id) ON DELETE CASCADE,
    topic     INTEGER NOT NULL,
    revision  INTEGER NOT NULL,
    PRIMARY KEY (series_id, topic)
) STRICT, WITHOUT ROWID;

-- Words that clearly more of the documents that an update added have than of the documents before, the clearest first.
CREATE TABLE rising_word (
    run_id  INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    rank    INTEGER NOT NULL,
    term_id INTEGER NOT NULL,
    added   INTEGER NOT NULL,
    earlier INTEGER NOT NULL,
    p       REAL    NOT NULL,
    PRIMARY KEY (run_id, rank)
) STRICT, WITHOUT ROWID;

-- Documents that an update added and that the topics of the run before explain worst: gain is what a token gains by them over the
-- frequencies of words alone, in nats.
CREATE TABLE unexplained_document (
    run_id      INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    rank        INTEGER NOT NULL,
    document_id INTEGER NOT NULL,
    gain        REAL    NOT NULL,
    PRIMARY KEY (run_id, rank)
) STRICT, WITHOUT ROWID;

-- Documents that were assigned to the topics of a run after it was made: their proportions, or that they are left out, are rows
-- of its series and no part of its result. The next run of the series reads them itself.
CREATE TABLE assigned_document (
    run_id      INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    document_id INTEGER NOT NULL,
    assigned_at TEXT    NOT NULL,
    PRIMARY KEY (run_id, document_id)
) STRICT, WITHOUT ROWID;

-- A topic's documents, the most about it first: those of which it has a tenth or more. A row for every topic of every
-- document doubled the bytes and the time that saving documents' topics takes.
CREATE TABLE series_topic_document (
    series_id      INTEGER NOT NULL REFERENCES series (id) ON DELETE CASCADE,
    topic          INTEGER NOT NULL,
    proportion     REAL    NOT NULL,
    document_id    INTEGER NOT NULL,
    first_revision INTEGER NOT NULL,
    last_revision  INTEGER,
    PRIMARY KEY (series_id, topic, proportion DESC, document_id, first_revision)
) STRICT, WITHOUT ROWID;

-- Documents of the corpus that a run could not use, and why: 'no term' of its vocabulary, or 'too short', fewer of its
-- terms than the run asks for. Documents that are not in the sample of a run on a sample have no row.
CREATE TABLE series_left_out (
    series_id      INTEGER NOT NULL REFERENCES series (id) ON DELETE CASCADE,
    document_id    INTEGER NOT NULL,
    first_revision INTEGER NOT NULL,
    last_revision  INTEGER,
    reason         TEXT    NOT NULL,
    tokens         INTEGER NOT NULL,
    PRIMARY KEY (series_id, document_id, first_revision)
) STRICT, WITHOUT ROWID;

-- topic IS NULL: of the whole run. settings: what a value's meaning depends on (variant, top words, epsilon, window,
-- reference documents …), as JSON, for metrics that come in variants; NULL for the others.
CREATE TABLE metric (
    run_id   INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    topic    INTEGER,
    name     TEXT    NOT NULL,
    value    REAL    NOT NULL,
    settings TEXT    CHECK (settings IS NULL OR json_valid(settings))
) STRICT;
CREATE UNIQUE INDEX metric_of_run ON metric (run_id, name, coalesce(topic, -1));

-- Why a finished run should not be trusted as it is: what is wrong, with the figure, and what to do, the gravest first.
CREATE TABLE run_warning (
    run_id   INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name     TEXT    NOT NULL,
    value    REAL    NOT NULL,
    text     TEXT    NOT NULL,
    PRIMARY KEY (run_id, position),
    UNIQUE (run_id, name)
) STRICT, WITHOUT ROWID;

-- Eigenvalues a run computed, largest first, each with its residual norm.
CREATE TABLE spectrum (
    run_id   INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    value    REAL    NOT NULL,
    residual REAL,
    PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;

-- Where the words of a run lie on the two axes along which its anchors' rows of C̄ differ most.
CREATE TABLE word_position (
    run_id  INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    term_id INTEGER NOT NULL,
    x       REAL    NOT NULL,
    y       REAL    NOT NULL,
    PRIMARY KEY (run_id, term_id)
) STRICT, WITHOUT ROWID;

-- What separable models find on their way to topics: words that may be novel, and how many topics the solid angles
-- show.
CREATE TABLE novel_word (
    run_id  INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    rank    INTEGER NOT NULL,
    term_id INTEGER NOT NULL,
    -- The topic whose novel word it is; NULL where it was not grouped with one.
    topic   INTEGER,
    -- Its solid angle (rp), the share of directions (rp-doc) or bins (binning) it wins, or its margin (ddp).
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

-- How far runs agree on their topics: for every topic of a run the matching topic of another run (NULL: none is left
-- for it), the Jaccard index of their most probable words, as many as words, and the l1 distance of their word
-- probabilities, from 0 to 2.
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

-- What people say of topics (docs/judgements.md). A row an answer, or a task that was skipped (answer is NULL). item
-- is the task's number among those of the run and kind, the same for all who judge; document_id may be of a document
-- that has been deleted since.
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

-- What was computed of a run and kept under a name. Of a table, answer is what the command prints as JSON, list the key
-- of its rows there, and columns the keys of a row in their order (JSON). A figure has SVG, and NULL for these.
CREATE TABLE result (
    id              INTEGER PRIMARY KEY,
    run_id          INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    result_name     TEXT    NOT NULL UNIQUE,
    title           TEXT    NOT NULL,
    command         TEXT    NOT NULL CHECK (json_valid(command)),
    list            TEXT,
    columns         TEXT             CHECK (columns IS NULL OR json_valid(columns)),
    answer          TEXT    NOT NULL,
    program_version TEXT    NOT NULL,
    made_at         TEXT    NOT NULL
) STRICT;
CREATE INDEX result_of_run ON result (run_id);

-- What people note of a corpus, run, topic, document, passage or word: one note of each; an empty text is a bookmark. A
-- document is named by its key, so that a note outlives it: quote and source are as they were. quote_start: how many
-- characters of the document's text are before the quote.
CREATE TABLE note (
    id           INTEGER PRIMARY KEY,
    corpus_id    INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    about        TEXT    NOT NULL CHECK (about IN ('corpus', 'run', 'topic', 'document', 'passage', 'word')),
    run_id       INTEGER REFERENCES run (id) ON DELETE CASCADE
                         CHECK ((run_id IS NOT NULL) = (about IN ('run', 'topic'))),
    topic        INTEGER CHECK ((topic IS NOT NULL) = (about = 'topic')),
    document_key TEXT    CHECK ((document_key IS NOT NULL) = (about IN ('document', 'passage'))),
    term         TEXT    CHECK ((term IS NOT NULL) = (about = 'word')),
    quote        TEXT    CHECK ((quote IS NOT NULL) = (about = 'passage')),
    quote_start  INTEGER CHECK ((quote_start IS NOT NULL) = (about = 'passage')),
    source       TEXT,
    note_text    TEXT    NOT NULL,
    written_by   TEXT    NOT NULL,
    written_at   TEXT    NOT NULL
) STRICT;
CREATE UNIQUE INDEX note_of_subject ON note (corpus_id, about, coalesce(run_id, 0), coalesce(topic, 0),
    coalesce(document_key, ''), coalesce(term, ''), coalesce(quote_start, 0));
CREATE INDEX note_of_run ON note (run_id);

-- Bounds on the number of topics of a corpus, seen through a vocabulary. upper is NULL where there is none below the
-- number of terms; is_cut_off is 1 where lower may be too low.
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

-- A corpus can have its documents in several stores, its parts, each beside its machine.
--
-- In the store of a part: which of how many it is; by how much the ids of its documents are greater in the whole; and
-- how many terms the whole has, with their hash (BLAKE3 of the texts in order of position, first 16 bytes), which all
-- parts of a run must share.
CREATE TABLE part (
    corpus_id  INTEGER PRIMARY KEY REFERENCES corpus (id) ON DELETE CASCADE,
    number     INTEGER NOT NULL,
    parts      INTEGER NOT NULL,
    ids_from   INTEGER NOT NULL,
    terms      INTEGER NOT NULL,
    terms_hash BLOB    NOT NULL
) STRICT;

-- The positions of the part's terms in the whole; no rows where each has its own position there.
CREATE TABLE part_term (
    corpus_id      INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    position       INTEGER NOT NULL,
    whole_position INTEGER NOT NULL,
    PRIMARY KEY (corpus_id, position)
) STRICT, WITHOUT ROWID;

-- In the store of the whole: a corpus of which it has terms and counts alone. Its documents are in this many parts.
CREATE TABLE divided_corpus (
    corpus_id INTEGER PRIMARY KEY REFERENCES corpus (id) ON DELETE CASCADE,
    parts     INTEGER NOT NULL
) STRICT;

-- Views as other programs read them: every column named by AS and of a declared type, and nothing that only SQLite
-- or only topoi understands, where there is another way to say it. DuckDB reads the text of a view as its own SQL,
-- in which REAL and INTEGER have four bytes: hence DOUBLE and BIGINT.
CREATE VIEW run_summary AS
SELECT run.id AS run_id, corpus.name AS corpus, run.model AS model, run.k AS k, run.seed AS seed, run.status AS status,
    run.created_at AS created_at, run.seconds AS seconds, vocabulary.terms AS terms,
    CAST((SELECT value FROM metric WHERE run_id = run.id AND topic IS NULL AND name = 'npmi') AS DOUBLE) AS npmi,
    CAST((SELECT value FROM metric WHERE run_id = run.id AND topic IS NULL AND name = 'umass') AS DOUBLE) AS umass,
    CAST((SELECT value FROM metric WHERE run_id = run.id AND topic IS NULL AND name = 'relative_approximation')
        AS DOUBLE) AS relative_approximation,
    CAST((SELECT value FROM metric WHERE run_id = run.id AND topic IS NULL AND name = 'documents_used') AS BIGINT)
        AS documents,
    CAST((SELECT count(*) FROM assigned_document WHERE run_id = run.id) AS BIGINT) AS assigned,
    -- Of its corpus, added after the run and not assigned to its topics.
    CAST(CASE WHEN run.last_document IS NOT NULL THEN
        (SELECT count(*) FROM ingest JOIN document ON document.ingest_id = ingest.id
            WHERE ingest.corpus_id = run.corpus_id AND ingest.id > run.last_ingest AND document.id > run.last_document)
        - (SELECT count(*) FROM assigned_document JOIN document ON document.id = document_id
            WHERE run_id = run.id AND document_id > run.last_document)
        END AS BIGINT) AS added_since
FROM run
JOIN corpus ON corpus.id = run.corpus_id
LEFT JOIN vocabulary ON vocabulary.id = run.vocabulary_id;

-- Proportions with a zero for every topic that its series has got since they were written.
CREATE VIEW document_proportions AS
SELECT run.id AS run_id, about.document_id AS document_id, CAST(CASE
    WHEN about.first_revision = run.revision OR NOT EXISTS (
        SELECT 1 FROM topic_birth AS birth WHERE birth.series_id = run.series_id
            AND birth.revision > about.first_revision AND birth.revision <= run.revision)
    THEN about.proportions
    WHEN about.proportions < '{' THEN rtrim(about.proportions, ']') || (
        SELECT group_concat(zero, '') FROM (SELECT ',0' AS zero FROM topic_birth AS birth
            WHERE birth.series_id = run.series_id
                AND birth.revision > about.first_revision AND birth.revision <= run.revision)) || ']'
    ELSE substr(about.proportions, 1, instr(about.proportions, '"rest"') - 1) || (
        SELECT group_concat(zero, '') FROM (SELECT '"' || birth.topic || '":0.0,' AS zero FROM topic_birth AS birth
            WHERE birth.series_id = run.series_id
                AND birth.revision > about.first_revision AND birth.revision <= run.revision ORDER BY birth.topic))
        || substr(about.proportions, instr(about.proportions, '"rest"'))
    END AS TEXT) AS proportions
FROM run JOIN series_proportions AS about ON about.series_id = run.series_id
    AND about.first_revision <= run.revision AND (about.last_revision IS NULL OR about.last_revision >= run.revision);

CREATE VIEW topic_document AS
SELECT run.id AS run_id, about.topic AS topic, about.proportion AS proportion, about.document_id AS document_id
FROM run JOIN series_topic_document AS about ON about.series_id = run.series_id
    AND about.first_revision <= run.revision AND (about.last_revision IS NULL OR about.last_revision >= run.revision);

CREATE VIEW left_out_document AS
SELECT run.id AS run_id, about.document_id AS document_id, about.reason AS reason, about.tokens AS tokens
FROM run JOIN series_left_out AS about ON about.series_id = run.series_id
    AND about.first_revision <= run.revision AND (about.last_revision IS NULL OR about.last_revision >= run.revision);

-- A topic in all runs of its series: its weight and first words at each, its share of the documents that were added, and its
-- drift from the run before (metrics added_share and drift).
CREATE VIEW topic_history AS
SELECT run.series_id AS series_id, run.revision AS revision, run.id AS run_id, topic.topic AS topic,
    run.finished_at AS finished_at, topic.document_share AS document_share, topic.label AS label,
    CAST((SELECT group_concat(word, ' ') FROM (SELECT word FROM top_word
        WHERE run_id = run.id AND topic = topic.topic AND rank <= 10 ORDER BY rank)) AS TEXT) AS words,
    CAST((SELECT value FROM metric WHERE run_id = run.id AND topic = topic.topic AND name = 'drift') AS DOUBLE) AS drift,
    CAST((SELECT value FROM metric WHERE run_id = run.id AND topic = topic.topic AND name = 'added_share') AS DOUBLE)
        AS added_share
FROM run JOIN topic ON topic.run_id = run.id;

CREATE VIEW triple AS
SELECT document_counts.document_id AS document_id, CAST(pair.key AS BIGINT) AS term_id, CAST(pair.value AS BIGINT) AS count
FROM document_counts, json_each(document_counts.counts) AS pair;

-- The value is text or a number, as its source has it.
CREATE VIEW document_field AS
SELECT document.id AS document_id, CAST(pair.key AS TEXT) AS name, pair.value AS value
FROM document, json_each(document.fields) AS pair WHERE document.fields IS NOT NULL;

-- Documents of which a vocabulary keeps no term: a run with it sees nothing of them.
CREATE VIEW emptied_document AS
SELECT vocabulary.id AS vocabulary_id, document.id AS document_id FROM vocabulary
JOIN document ON document.corpus_id = vocabulary.corpus_id
JOIN document_counts ON document_counts.document_id = document.id
WHERE NOT EXISTS (
    SELECT 1 FROM json_each(document_counts.counts) AS pair
    WHERE CAST(pair.key AS BIGINT) IN (
        SELECT term_id FROM vocabulary_term WHERE vocabulary_id = vocabulary.id));

-- The proportions of all topics of all documents, a row each: of a group of documents, avg(proportion) is the topic's
-- share.
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

-- The topics of a parent: the mean of those of its chunks, weighted by their tokens. Proportions sum to one over the
-- topics that document_topic has of it.
CREATE VIEW parent_topic AS
SELECT document_topic.run_id AS run_id, chunk.parent_id AS parent_id, document_topic.topic AS topic,
    CAST(sum(document_topic.proportion * document.tokens)
        / sum(sum(document_topic.proportion * document.tokens))
            OVER (PARTITION BY document_topic.run_id, chunk.parent_id) AS DOUBLE) AS proportion
FROM document_topic
JOIN chunk ON chunk.document_id = document_topic.document_id
JOIN document ON document.id = chunk.document_id
GROUP BY document_topic.run_id, chunk.parent_id, document_topic.topic;

-- The topic of the largest proportion, of equal ones the first: SQLite alone knows from which row a maximum is.
CREATE VIEW document_top_topic AS
SELECT run_id AS run_id, document_id AS document_id,
    CAST(16777215 - max(CAST(proportion * 1e10 AS BIGINT) * 16777216 + 16777215 - topic) % 16777216 AS BIGINT) AS topic,
    CAST(max(proportion) AS DOUBLE) AS proportion
FROM document_topic GROUP BY run_id, document_id;

-- The probabilities of all words of all topics, a row each, zeros left out. Ranks are found by sorting the words of a topic:
-- ask for one run and one topic, or for top_term, which has the first hundred.
CREATE VIEW topic_term AS
SELECT about.run_id AS run_id, about.topic AS topic,
    CAST(row_number() OVER (PARTITION BY about.run_id, about.topic ORDER BY entry.value DESC, entry.key) AS BIGINT) AS rank,
    vocabulary_term.term_id AS term_id, CAST(entry.value / 1e12 AS DOUBLE) AS probability
FROM topic_probabilities AS about JOIN run ON run.id = about.run_id
CROSS JOIN json_each(about.probabilities) AS entry
CROSS JOIN vocabulary_term ON vocabulary_term.vocabulary_id = run.vocabulary_id AND vocabulary_term.position = entry.key
WHERE entry.value > 0;

CREATE VIEW topic_word AS
SELECT topic_term.run_id AS run_id, topic_term.topic AS topic, topic_term.rank AS rank,
    CAST(coalesce(term.form, term.text) AS TEXT) AS word, topic_term.probability AS probability
FROM topic_term JOIN term ON term.id = topic_term.term_id;

-- The first hundred words of every topic: as topic_word, at once.
CREATE VIEW top_word AS
SELECT top_term.run_id AS run_id, top_term.topic AS topic, top_term.rank AS rank,
    CAST(coalesce(term.form, term.text) AS TEXT) AS word, top_term.probability AS probability
FROM top_term JOIN term ON term.id = top_term.term_id;

-- How far topics of two runs of a corpus are apart: the Jensen-Shannon divergence of their words' probabilities in
-- bits, from 0 to 1. What a topic's saved words lack of 1 counts as words that no other topic has. By
--   JSD = 1 + (sum over shared words of p log2(p / (p + q)) + q log2(q / (p + q))) / 2
-- only words that both topics have are looked at. jsd() of crates/topoi-store/src/query/distances.rs is the same. By
-- natural logarithms: those are older in SQLite than log2.
CREATE VIEW topic_alignment AS
SELECT pair.run_a AS run_a, pair.topic_a AS topic_a, pair.run_b AS run_b, pair.topic_b AS topic_b,
    CAST(CASE WHEN distance < 0 THEN 0.0 WHEN distance > 1 THEN 1.0 ELSE distance END AS DOUBLE) AS distance
FROM (SELECT a.run_id AS run_a, a.topic AS topic_a, other.run_id AS run_b, other.topic AS topic_b, 1 + coalesce((
    SELECT sum(p * ln(p / (p + q)) + q * ln(q / (p + q))) FROM (
        SELECT sum(p) AS p, sum(q) AS q FROM (
            SELECT vocabulary_term.term_id AS term_id, entry.value / 1e12 AS p, 0.0 AS q
            FROM topic_probabilities AS about CROSS JOIN json_each(about.probabilities) AS entry
            CROSS JOIN vocabulary_term ON vocabulary_term.vocabulary_id = run.vocabulary_id AND vocabulary_term.position = entry.key
            WHERE about.run_id = a.run_id AND about.topic = a.topic
            UNION ALL
            SELECT vocabulary_term.term_id, 0.0, entry.value / 1e12
            FROM topic_probabilities AS about CROSS JOIN json_each(about.probabilities) AS entry
            CROSS JOIN vocabulary_term ON vocabulary_term.vocabulary_id = b.vocabulary_id AND vocabulary_term.position = entry.key
            WHERE about.run_id = other.run_id AND about.topic = other.topic)
        GROUP BY term_id)
    WHERE p > 0 AND q > 0
), 0) / 2 / ln(2) AS distance
FROM topic AS a
JOIN run ON run.id = a.run_id
JOIN run AS b ON b.corpus_id = run.corpus_id
JOIN topic AS other ON other.run_id = b.id) AS pair;

-- The mean proportion of each topic in the documents that have a value of a field, without the documents whose value is
-- missing. Those of a value sum to 1. Proportions are drawn towards the prior, so that values differ by less than they do:
-- `topoi by`, and share_by_field and share_by_time in `topoi sql`, have unbiased shares. Ask for one run and one field. Here and in the next
-- view CROSS JOIN keeps the order: topics come last, so that the value of a document is looked at once.
CREATE VIEW topic_by_field AS
SELECT about.run_id AS run_id, CAST(entry.key AS TEXT) AS field, entry.value AS value, about.topic AS topic,
    CAST(count(*) AS BIGINT) AS documents, CAST(avg(about.proportion) AS DOUBLE) AS mean_proportion
FROM document CROSS JOIN corpus CROSS JOIN json_each(document.fields) AS entry CROSS JOIN document_topic AS about
WHERE corpus.id = document.corpus_id AND about.document_id = document.id
    AND entry.value IS NOT NULL AND trim(CAST(entry.value AS TEXT), ' "') <> ''
    AND trim(CAST(entry.value AS TEXT), ' "') NOT IN (
        SELECT trim(CAST(mark.value AS TEXT), '"') FROM json_each(corpus.missing) AS mark)
GROUP BY about.run_id, entry.key, entry.value, about.topic;

-- The same by year, of fields that begin with one in four digits, as 1999, 1999-05-03 and 19990503 do. Quotes around
-- a text are those of JSON, where a program keeps them.
CREATE VIEW topic_by_time AS
SELECT about.run_id AS run_id, dated.field AS field, dated.year AS year, about.topic AS topic,
    CAST(count(*) AS BIGINT) AS documents, CAST(avg(about.proportion) AS DOUBLE) AS mean_proportion
FROM (SELECT document.id AS document_id, CAST(entry.key AS TEXT) AS field,
        CAST(substr(trim(CAST(entry.value AS TEXT), '"'), 1, 4) AS BIGINT) AS year
    FROM document CROSS JOIN corpus CROSS JOIN json_each(document.fields) AS entry
    WHERE corpus.id = document.corpus_id
        AND (trim(CAST(entry.value AS TEXT), '"') GLOB '[0-9][0-9][0-9][0-9]'
            OR trim(CAST(entry.value AS TEXT), '"') GLOB '[0-9][0-9][0-9][0-9][-/]*'
            OR trim(CAST(entry.value AS TEXT), '"') GLOB '[0-9][0-9][0-9][0-9][01][0-9][0-3][0-9]')
        AND trim(CAST(entry.value AS TEXT), '"') NOT IN (
            SELECT trim(CAST(mark.value AS TEXT), '"') FROM json_each(corpus.missing) AS mark)) AS dated
CROSS JOIN document_topic AS about
WHERE about.document_id = dated.document_id
GROUP BY about.run_id, dated.field, dated.year, about.topic;

-- The estimates of saved results: coefficients, predictions and differences of `topoi effects`, shares of `topoi by`.
CREATE VIEW result_estimate AS
SELECT result.id AS result_id, result.result_name AS result_name, result.run_id AS run_id,
    CAST(json_extract(entry.value, '$.topic') AS BIGINT) AS topic,
    CAST(coalesce(json_extract(entry.value, '$.term'), json_extract(entry.value, '$.at'), (
        SELECT group_concat(value, ', ') FROM (
            SELECT json_extract(entry.value, '$."' || field.value || '"') AS value
            FROM json_each(result.answer, '$.by') AS field ORDER BY field.key))) AS TEXT) AS about,
    CAST(coalesce(json_extract(entry.value, '$.estimate'), json_extract(entry.value, '$.share')) AS DOUBLE) AS estimate,
    CAST(json_extract(entry.value, '$.low') AS DOUBLE) AS low,
    CAST(json_extract(entry.value, '$.high') AS DOUBLE) AS high,
    CAST(json_extract(entry.value, '$.error') AS DOUBLE) AS error,
    CAST(json_extract(entry.value, '$.p') AS DOUBLE) AS p
FROM result CROSS JOIN json_each(
    CASE WHEN result.list IN ('estimates', 'shares') THEN json_extract(result.answer, '$.' || result.list) ELSE '[]' END) AS entry;
