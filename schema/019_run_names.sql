-- What people call a run and note of it.
ALTER TABLE run ADD COLUMN run_name TEXT;
ALTER TABLE run ADD COLUMN run_note TEXT;
-- The run that it was asked for with: the first of its sweep, or the one that it is held against to
-- tell which topics are stable.
ALTER TABLE run ADD COLUMN asked_with INTEGER;

-- The share of its time that a run has behind it, and the seconds it has left; NULL where there is no plan.
ALTER TABLE run_progress ADD COLUMN share REAL;
ALTER TABLE run_progress ADD COLUMN seconds_left REAL;
