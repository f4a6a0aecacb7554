-- The start that the hours of a sport's rule count from, where it is not the one told last (null: it is).
ALTER TABLE events ADD COLUMN first_start_at_ms bigint;
