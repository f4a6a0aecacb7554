-- The worlds of this database: states of their own under one writer, each of one currency. `real` is real money in the
-- site's first currency, other currencies are named after themselves, `demo` is play money.
CREATE TABLE worlds (
  name text PRIMARY KEY,
  currency text NOT NULL
);

DO $$
DECLARE
  held text[] := ARRAY(SELECT DISTINCT currency FROM accounts WHERE world = 'real' AND kind = 'player' ORDER BY 1);
BEGIN
  IF cardinality(held) > 1 THEN
    RAISE EXCEPTION 'accounts of several currencies (%) stand in one book of this database, where they met one to one; '
      'it cannot be taken over. Pay them out with the program before this one, or begin a new database', held;
  END IF;
  IF EXISTS (SELECT 1 FROM leader WHERE last_seq > 0) THEN
    INSERT INTO worlds VALUES ('real', COALESCE(held[1], 'EUR')), ('demo', COALESCE(held[1], 'EUR'));
  END IF;
END
$$;
