-- Version 24: the run whose topics a run was shaped from, by the edits in its settings.
ALTER TABLE run ADD COLUMN parent INTEGER;
