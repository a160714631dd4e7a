-- Version 27: a topic's two shares, each named for what it is. What was called its weight is the mean share over
-- documents. Runs of earlier versions have no share of tokens.
ALTER TABLE topic RENAME COLUMN weight TO document_share;
ALTER TABLE topic ADD COLUMN token_share REAL;

-- Warnings of such runs called the mean over documents a share of tokens.
UPDATE run_warning SET text = replace(text, '% of all tokens', '% as the mean over documents')
WHERE name = 'dominant_topic';
