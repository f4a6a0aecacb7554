-- By which name the file lies where it was moved to.
ALTER TABLE moved_out ADD COLUMN file text NOT NULL DEFAULT '';
