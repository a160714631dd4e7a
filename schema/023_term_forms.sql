-- Version 23: a stem is shown as the form that texts have most often, of equal ones the first by its bytes.
-- term.form is NULL where that is the term itself. Counts of forms are those of all documents that were ever
-- added or replaced; deleting one takes nothing from them.
ALTER TABLE term ADD COLUMN form TEXT;

CREATE TABLE term_form (
    term_id INTEGER NOT NULL REFERENCES term (id) ON DELETE CASCADE,
    form    TEXT    NOT NULL,
    count   INTEGER NOT NULL,
    PRIMARY KEY (term_id, form)
) STRICT, WITHOUT ROWID;

-- Tokens that a source gave beside the text, JSON: [token or [token, start, end] in characters, ...]. They, and
-- not the words of the text, are the document's terms.
ALTER TABLE document_text ADD COLUMN given_tokens TEXT;

DROP VIEW topic_word;
CREATE VIEW topic_word (run_id, topic, rank, word, probability) AS
SELECT topic_term.run_id, topic_term.topic, topic_term.rank, coalesce(term.form, term.text), topic_term.probability
FROM topic_term JOIN term ON term.id = topic_term.term_id;
