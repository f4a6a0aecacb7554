-- A process that others should hear says here that it lives (bus/signs.ts): one that has ended is told from one that is cut off.
CREATE TABLE bus_signs (
  name text PRIMARY KEY,
  -- The database's own time.
  at timestamptz NOT NULL
) WITH (fillfactor = 50);
