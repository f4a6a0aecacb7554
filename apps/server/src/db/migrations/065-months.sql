-- Log, bets, fills, ledger and keys in a table a month (core/months.ts makes the next ones): what is old goes as a whole
-- table. The tables as they were become the first partition of themselves, so nothing is copied.

-- An entry stands in the month of its transaction. Old ones are in the first partition, whatever it says.
ALTER TABLE ledger_entries ADD COLUMN at bigint NOT NULL DEFAULT 0;

-- Of the log only what moved money or bets, or says what was bet on; the rest is in core_log_short. `logic` is the version
-- of the rules that applied it, `chain` the hash over the row before and this one's checksum.
ALTER TABLE core_log ADD COLUMN logic int NOT NULL DEFAULT 1;
ALTER TABLE core_log ADD COLUMN chain text NOT NULL DEFAULT '';
-- contract: the leader alone reads and writes the log, and it leads before it migrates
ALTER TABLE core_log DROP COLUMN money;

-- contract: the parent takes the same name, with the same columns and more
ALTER TABLE core_log RENAME TO core_log_before;
CREATE TABLE core_log (LIKE core_log_before INCLUDING DEFAULTS) PARTITION BY RANGE (at);
-- contract: the parent takes the same name, with the same columns
ALTER TABLE bets RENAME TO bets_before;
CREATE TABLE bets (LIKE bets_before INCLUDING DEFAULTS) PARTITION BY RANGE (placed_at);
-- contract: the parent takes the same name, with the same columns
ALTER TABLE fills RENAME TO fills_before;
CREATE TABLE fills (LIKE fills_before INCLUDING DEFAULTS) PARTITION BY RANGE (at);
-- contract: the parent takes the same name, with the same columns
ALTER TABLE ledger RENAME TO ledger_before;
CREATE TABLE ledger (LIKE ledger_before INCLUDING DEFAULTS) PARTITION BY RANGE (at);
-- contract: the parent takes the same name, with the same columns and more
ALTER TABLE ledger_entries RENAME TO ledger_entries_before;
CREATE TABLE ledger_entries (LIKE ledger_entries_before INCLUDING DEFAULTS) PARTITION BY RANGE (at);
-- contract: the parent takes the same name, with the same columns
ALTER TABLE idempotency RENAME TO idempotency_before;
CREATE TABLE idempotency (LIKE idempotency_before INCLUDING DEFAULTS) PARTITION BY RANGE (at);

-- The first partitions end with the month of the last command, or of the machine's clock when that is later.
DO $$
DECLARE
  latest double precision := greatest((SELECT last_at FROM leader) / 1000.0, extract(epoch FROM now()));
  month timestamp := date_trunc('month', to_timestamp(latest) AT TIME ZONE 'UTC') + interval '1 month';
  cutoff bigint := (extract(epoch FROM month) * 1000)::bigint;
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['core_log', 'bets', 'fills', 'ledger', 'ledger_entries', 'idempotency'] LOOP
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%s)', name, name || '_before', cutoff);
  END LOOP;
END
$$;

-- Append-only by row, so that every month's table is, however it is named in a statement.
DROP TRIGGER ledger_append_only ON ledger_before;
DROP TRIGGER ledger_entries_append_only ON ledger_entries_before;
CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE ON ledger
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE ON ledger_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Commands that nothing but the next start needs (quotes, clock): in a ring of tables, one filled, the oldest emptied as a
-- whole once two snapshots lie behind it.
CREATE TABLE core_log_short (
  slot smallint NOT NULL,
  first_seq bigint NOT NULL,
  last_seq bigint NOT NULL,
  epoch bigint NOT NULL,
  at bigint NOT NULL,
  logic int NOT NULL,
  body text NOT NULL,
  checksum text NOT NULL
) PARTITION BY LIST (slot);
CREATE TABLE core_log_short_0 PARTITION OF core_log_short (PRIMARY KEY (first_seq)) FOR VALUES IN (0);
CREATE TABLE core_log_short_1 PARTITION OF core_log_short (PRIMARY KEY (first_seq)) FOR VALUES IN (1);
CREATE TABLE core_log_short_2 PARTITION OF core_log_short (PRIMARY KEY (first_seq)) FOR VALUES IN (2);
CREATE TABLE core_log_short_3 PARTITION OF core_log_short (PRIMARY KEY (first_seq)) FOR VALUES IN (3);

-- A snapshot in parts, in a ring of its own: two whole ones stay while the third is written. It counts once its row in
-- core_snapshots is there. Older ones have their whole body in that row.
ALTER TABLE core_snapshots ALTER COLUMN body DROP NOT NULL;
ALTER TABLE core_snapshots ADD COLUMN logic int NOT NULL DEFAULT 1;
ALTER TABLE core_snapshots ADD COLUMN slot smallint;
ALTER TABLE core_snapshots ADD COLUMN parts int NOT NULL DEFAULT 0;
CREATE TABLE core_snapshot_parts (
  slot smallint NOT NULL,
  n int NOT NULL,
  body bytea NOT NULL,
  checksum text NOT NULL
) PARTITION BY LIST (slot);
CREATE TABLE core_snapshot_parts_0 PARTITION OF core_snapshot_parts (PRIMARY KEY (n)) FOR VALUES IN (0);
CREATE TABLE core_snapshot_parts_1 PARTITION OF core_snapshot_parts (PRIMARY KEY (n)) FOR VALUES IN (1);
CREATE TABLE core_snapshot_parts_2 PARTITION OF core_snapshot_parts (PRIMARY KEY (n)) FOR VALUES IN (2);

-- Which keys there are, as a filter of bits with its command; newer ones are read from the table.
CREATE TABLE key_filter (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  seq bigint NOT NULL,
  at bigint NOT NULL,
  keys bigint NOT NULL,
  body bytea NOT NULL,
  checksum text NOT NULL
);

-- What left a table of months: rows before that time are gone from it.
CREATE TABLE retired (
  table_name text PRIMARY KEY,
  before_at bigint NOT NULL
);
