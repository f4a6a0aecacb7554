-- Up to which moment what is kept for a time only was looked through (ops/retention.ts); a look begins where the last ended.
CREATE TABLE retention (
  what text PRIMARY KEY,
  up_to bigint NOT NULL
);
CREATE INDEX markets_settled ON markets (settled_at) WHERE settled_at IS NOT NULL;
CREATE INDEX events_over ON events (stop_at_ms) WHERE stop_at_ms IS NOT NULL;

-- Months of the log that were moved into files (core/moving-out.ts): what stood last in each, from which the chain goes on.
CREATE TABLE moved_out (
  table_name text NOT NULL,
  from_at bigint NOT NULL,
  to_at bigint NOT NULL,
  rows bigint NOT NULL,
  last_seq bigint NOT NULL,
  chain text NOT NULL,
  -- SHA-256 of the file.
  sha256 text NOT NULL,
  moved_at bigint NOT NULL,
  PRIMARY KEY (table_name, to_at)
);
