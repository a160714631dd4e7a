-- How far the full-text index of a corpus is: it holds its documents with ids up to `through`. The index
-- itself is the FTS5 table `topoi_search_ID`, ID that of the corpus, made when first wanted
-- (src/store/search/mod.rs). `fields`: JSON list of the names of fields that were indexed.
CREATE TABLE search_index (
    corpus_id INTEGER PRIMARY KEY REFERENCES corpus (id) ON DELETE CASCADE,
    through   INTEGER NOT NULL,
    documents INTEGER NOT NULL,
    fields    TEXT    NOT NULL CHECK (json_valid(fields))
) STRICT;
