-- What a value's meaning depends on (variant, top words, epsilon, window, reference documents …),
-- as JSON, for metrics that come in variants; NULL for the others.
ALTER TABLE metric ADD COLUMN settings TEXT CHECK (settings IS NULL OR json_valid(settings));
