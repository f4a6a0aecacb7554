-- The single writer's own tables. Times are milliseconds since 1970 (UTC), money is minor units, `seq` is the place of
-- the command in the log. `world` is 'real' or 'demo'; nothing joins across the two.

CREATE TABLE leader (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  epoch bigint NOT NULL,
  -- Token of the process that leads; its epoch rises with every start and every reconnect.
  owner text NOT NULL,
  last_seq bigint NOT NULL,
  last_at bigint NOT NULL,
  -- Ids below this may be in use.
  next_id bigint NOT NULL
);
INSERT INTO leader (epoch, owner, last_seq, last_at, next_id) VALUES (0, '', 0, 0, 100);

-- One row a batch: the commands with everything that came in with them, so that replaying gives the same state.
CREATE TABLE core_log (
  first_seq bigint PRIMARY KEY,
  last_seq bigint NOT NULL,
  epoch bigint NOT NULL,
  at bigint NOT NULL,
  -- Moved money or bets: kept for good. The others go once two snapshots lie behind them.
  money boolean NOT NULL,
  body text NOT NULL,
  checksum text NOT NULL
);

CREATE TABLE core_snapshots (
  seq bigint PRIMARY KEY,
  at bigint NOT NULL,
  body bytea NOT NULL,
  checksum text NOT NULL
);

-- Hash of both worlds' states after a command, about every thousandth.
CREATE TABLE core_hashes (seq bigint PRIMARY KEY, hash text NOT NULL);

-- Commands on which the core failed an assertion; they had no effect.
CREATE TABLE core_quarantine (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  actor text NOT NULL,
  command text NOT NULL,
  error text NOT NULL
);

CREATE TABLE accounts (
  world text NOT NULL,
  id bigint NOT NULL,
  kind text NOT NULL,
  currency text NOT NULL,
  balance bigint NOT NULL DEFAULT 0,
  exposure bigint NOT NULL DEFAULT 0,
  version bigint NOT NULL DEFAULT 0,
  bet_blocked boolean NOT NULL DEFAULT false,
  exposure_limit bigint NOT NULL DEFAULT 0,
  -- How many ledger entries it has.
  entries bigint NOT NULL DEFAULT 0,
  seq bigint NOT NULL,
  PRIMARY KEY (world, id)
) WITH (fillfactor = 60);

CREATE TABLE markets (
  world text NOT NULL,
  id bigint NOT NULL,
  event_id bigint NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  status text NOT NULL,
  result text,
  result_version bigint NOT NULL,
  settled_at bigint,
  -- The whole view as readers get it.
  view text NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (world, id)
) WITH (fillfactor = 60);
CREATE INDEX markets_event ON markets (event_id);

-- What takes a closed market back into memory, for a correction.
CREATE TABLE market_archives (
  world text NOT NULL,
  market_id bigint NOT NULL,
  snapshot text NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (world, market_id)
);

CREATE TABLE bets (
  id bigint PRIMARY KEY,
  world text NOT NULL,
  account_id bigint NOT NULL,
  market_id bigint NOT NULL,
  runner_id bigint NOT NULL,
  kind text NOT NULL,
  side text NOT NULL,
  price int NOT NULL,
  matched_sum bigint NOT NULL,
  size bigint NOT NULL,
  matched bigint NOT NULL,
  remaining bigint NOT NULL,
  cancelled bigint NOT NULL,
  lapsed bigint NOT NULL,
  voided bigint NOT NULL,
  persistence text NOT NULL,
  status text NOT NULL,
  due_at bigint NOT NULL,
  placed_at bigint NOT NULL,
  line int,
  box int,
  win bigint,
  loss bigint,
  end_code text,
  reason text,
  result text NOT NULL,
  profit bigint NOT NULL,
  version bigint NOT NULL,
  settled_at bigint,
  seq bigint NOT NULL
) WITH (fillfactor = 75);
CREATE INDEX bets_account ON bets (account_id, id);
CREATE INDEX bets_market ON bets (market_id);

CREATE TABLE fills (
  world text NOT NULL,
  id bigint NOT NULL,
  market_id bigint NOT NULL,
  runner_id bigint NOT NULL,
  price int NOT NULL,
  size bigint NOT NULL,
  back_bet_id bigint NOT NULL,
  lay_bet_id bigint NOT NULL,
  back_account_id bigint NOT NULL,
  lay_account_id bigint NOT NULL,
  taker text NOT NULL,
  at bigint NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (world, id)
);
CREATE INDEX fills_market ON fills (market_id);

-- Double entry: the entries of one transaction sum to zero. Nothing here is ever changed or deleted.
CREATE TABLE ledger (
  id bigint PRIMARY KEY,
  world text NOT NULL,
  seq bigint NOT NULL,
  at bigint NOT NULL,
  kind text NOT NULL,
  -- 0 deposits and withdrawals, 1 sport, 2 casino, 3 live casino: the statement's filter.
  area smallint NOT NULL,
  text text NOT NULL,
  market_id bigint,
  event_id bigint,
  result_version bigint
);

CREATE TABLE ledger_entries (
  ledger_id bigint NOT NULL,
  line int NOT NULL,
  world text NOT NULL,
  -- a{account id}, or m{market id} for a market's clearing account.
  account text NOT NULL,
  account_id bigint,
  amount bigint NOT NULL,
  -- Accounts only: its how manyeth entry, and its balance after it.
  n bigint,
  balance_after bigint,
  PRIMARY KEY (ledger_id, line)
);
CREATE UNIQUE INDEX ledger_entries_account ON ledger_entries (world, account_id, n) WHERE account_id IS NOT NULL;
CREATE INDEX ledger_entries_clearing ON ledger_entries (account) WHERE account_id IS NULL;

-- Answers by client-made key, kept for the life of the bet.
CREATE TABLE idempotency (
  actor text NOT NULL,
  key text NOT NULL,
  world text NOT NULL,
  payload_hash text NOT NULL,
  seq bigint NOT NULL,
  at bigint NOT NULL,
  bet_id bigint,
  answer text NOT NULL,
  PRIMARY KEY (actor, key)
);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END
$$;
CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE ON ledger
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Everything a batch writes, in one round trip and one transaction. The leader's row comes first: its lock and its
-- conditions decide who may write and that nothing is left out or written twice. Lists are JSON text, null when empty.
CREATE FUNCTION core_commit(
  p_epoch bigint, p_first bigint, p_last bigint, p_at bigint, p_next_id bigint, p_money boolean,
  p_body text, p_checksum text,
  p_bets json, p_fills json, p_ledger json, p_entries json, p_accounts json, p_markets json, p_archives json,
  p_keys json, p_hash text
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE leader SET last_seq = p_last, last_at = p_at, next_id = p_next_id
    WHERE epoch = p_epoch AND last_seq = p_first - 1;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'fenced: epoch % may not write command %', p_epoch, p_first USING ERRCODE = 'FG001';
  END IF;
  INSERT INTO core_log VALUES (p_first, p_last, p_epoch, p_at, p_money, p_body, p_checksum);
  IF p_accounts IS NOT NULL THEN
    INSERT INTO accounts
      SELECT "world", "id", "kind", "currency", "balance", "exposure", "version", "betBlocked", "exposureLimit",
             "entries", "seq"
      FROM json_to_recordset(p_accounts) AS r("world" text, "id" bigint, "kind" text, "currency" text,
        "balance" bigint, "exposure" bigint, "version" bigint, "betBlocked" boolean, "exposureLimit" bigint,
        "entries" bigint, "seq" bigint)
      ON CONFLICT (world, id) DO UPDATE SET balance = EXCLUDED.balance, exposure = EXCLUDED.exposure,
        version = EXCLUDED.version, bet_blocked = EXCLUDED.bet_blocked, exposure_limit = EXCLUDED.exposure_limit,
        entries = EXCLUDED.entries, seq = EXCLUDED.seq;
  END IF;
  IF p_bets IS NOT NULL THEN
    INSERT INTO bets
      SELECT "betId", "world", "accountId", "marketId", "runnerId", "kind", "side", "price", "matchedSum", "sizeMinor",
             "matchedMinor", "remainingMinor", "cancelledMinor", "lapsedMinor", "voidedMinor", "persistence", "status",
             "dueAt", "placedAt", "line", "box", "winMinor", "lossMinor", "endCode", "reason", "result", "profitMinor",
             "version", "settledAt", "seq"
      FROM json_to_recordset(p_bets) AS r("betId" bigint, "world" text, "accountId" bigint, "marketId" bigint,
        "runnerId" bigint, "kind" text, "side" text, "price" int, "matchedSum" bigint, "sizeMinor" bigint,
        "matchedMinor" bigint, "remainingMinor" bigint, "cancelledMinor" bigint, "lapsedMinor" bigint,
        "voidedMinor" bigint, "persistence" text, "status" text, "dueAt" bigint, "placedAt" bigint, "line" int,
        "box" int, "winMinor" bigint, "lossMinor" bigint, "endCode" text, "reason" text, "result" text,
        "profitMinor" bigint, "version" bigint, "settledAt" bigint, "seq" bigint)
      ON CONFLICT (id) DO UPDATE SET price = EXCLUDED.price, matched_sum = EXCLUDED.matched_sum, size = EXCLUDED.size,
        matched = EXCLUDED.matched, remaining = EXCLUDED.remaining, cancelled = EXCLUDED.cancelled,
        lapsed = EXCLUDED.lapsed, voided = EXCLUDED.voided, persistence = EXCLUDED.persistence,
        status = EXCLUDED.status, due_at = EXCLUDED.due_at, win = EXCLUDED.win, loss = EXCLUDED.loss,
        end_code = EXCLUDED.end_code, reason = EXCLUDED.reason, result = EXCLUDED.result, profit = EXCLUDED.profit,
        version = EXCLUDED.version, settled_at = EXCLUDED.settled_at, seq = EXCLUDED.seq;
  END IF;
  IF p_fills IS NOT NULL THEN
    INSERT INTO fills
      SELECT "world", "fillId", "marketId", "runnerId", "price", "sizeMinor", "backBetId", "layBetId", "backAccountId",
             "layAccountId", "taker", "at", "seq"
      FROM json_to_recordset(p_fills) AS r("world" text, "fillId" bigint, "marketId" bigint, "runnerId" bigint,
        "price" int, "sizeMinor" bigint, "backBetId" bigint, "layBetId" bigint, "backAccountId" bigint,
        "layAccountId" bigint, "taker" text, "at" bigint, "seq" bigint);
  END IF;
  IF p_ledger IS NOT NULL THEN
    INSERT INTO ledger
      SELECT "id", "world", "seq", "at", "kind", "area", "text", "marketId", "eventId", "resultVersion"
      FROM json_to_recordset(p_ledger) AS r("id" bigint, "world" text, "seq" bigint, "at" bigint, "kind" text,
        "area" smallint, "text" text, "marketId" bigint, "eventId" bigint, "resultVersion" bigint);
    INSERT INTO ledger_entries
      SELECT "ledgerId", "line", "world", "account", "accountId", "amountMinor", "n", "balanceAfter"
      FROM json_to_recordset(p_entries) AS r("ledgerId" bigint, "line" int, "world" text, "account" text,
        "accountId" bigint, "amountMinor" bigint, "n" bigint, "balanceAfter" bigint);
  END IF;
  IF p_markets IS NOT NULL THEN
    INSERT INTO markets
      SELECT "world", "marketId", "eventId", "kind", "name", "status", "result", "resultVersion", "settledAt", "view",
             "seq"
      FROM json_to_recordset(p_markets) AS r("world" text, "marketId" bigint, "eventId" bigint, "kind" text,
        "name" text, "status" text, "result" text, "resultVersion" bigint, "settledAt" bigint, "view" text,
        "seq" bigint)
      ON CONFLICT (world, id) DO UPDATE SET event_id = EXCLUDED.event_id, name = EXCLUDED.name,
        status = EXCLUDED.status, result = EXCLUDED.result, result_version = EXCLUDED.result_version,
        settled_at = EXCLUDED.settled_at, view = EXCLUDED.view, seq = EXCLUDED.seq;
  END IF;
  IF p_archives IS NOT NULL THEN
    INSERT INTO market_archives
      SELECT "world", "marketId", "snapshot", "seq"
      FROM json_to_recordset(p_archives) AS r("world" text, "marketId" bigint, "snapshot" text, "seq" bigint)
      ON CONFLICT (world, market_id) DO UPDATE SET snapshot = EXCLUDED.snapshot, seq = EXCLUDED.seq;
  END IF;
  IF p_keys IS NOT NULL THEN
    INSERT INTO idempotency
      SELECT "actor", "key", "world", "payloadHash", "seq", "at", "betId", "answer"
      FROM json_to_recordset(p_keys) AS r("actor" text, "key" text, "world" text, "payloadHash" text, "seq" bigint,
        "at" bigint, "betId" bigint, "answer" text);
  END IF;
  IF p_hash IS NOT NULL THEN
    INSERT INTO core_hashes VALUES (p_last, p_hash);
  END IF;
END
$$;
