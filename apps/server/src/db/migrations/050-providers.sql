-- Live casino: the money of the providers' games. Times are milliseconds since 1970 (UTC), money is minor units.

-- One row for each player in each round of a provider; a shared round is a row for each of its players.
CREATE TABLE provider_rounds (
  world text NOT NULL,
  provider text NOT NULL,
  account_id bigint NOT NULL,
  round_id text NOT NULL,
  game text NOT NULL,
  -- Provider and game by name.
  label text NOT NULL,
  status text NOT NULL,
  staked bigint NOT NULL,
  paid bigint NOT NULL,
  refunded bigint NOT NULL,
  opened_at bigint NOT NULL,
  -- 0 while it is open.
  closed_at bigint NOT NULL,
  version bigint NOT NULL,
  -- The whole round as the core keeps it: what a late movement takes back into memory.
  view text NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (provider, account_id, round_id, world)
) WITH (fillfactor = 70);
CREATE INDEX provider_rounds_account ON provider_rounds (account_id, opened_at);
CREATE INDEX provider_rounds_open ON provider_rounds (opened_at) WHERE status = 'OPEN';

-- Every movement that was taken, once. Kept for good (the contract asks for 13 months); the answer stands under the same
-- id in `idempotency`, where an id that was rolled back before it came is burnt.
CREATE TABLE provider_txs (
  provider text NOT NULL,
  tx_id text NOT NULL,
  world text NOT NULL,
  kind text NOT NULL,
  account_id bigint NOT NULL,
  round_id text NOT NULL,
  game text NOT NULL,
  -- What left the account, what came to it.
  amount bigint NOT NULL,
  credit bigint NOT NULL,
  ref_tx text,
  -- False: there was nothing left to do.
  effect boolean NOT NULL,
  at bigint NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (provider, tx_id)
);
CREATE TRIGGER provider_txs_append_only BEFORE UPDATE OR DELETE ON provider_txs
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE INDEX provider_txs_account ON provider_txs (account_id, at);
CREATE INDEX provider_txs_at ON provider_txs (provider, at);

-- What a provider knows a player by; it tells nothing about the account.
CREATE TABLE provider_players (
  provider text NOT NULL,
  user_id bigint NOT NULL,
  ref text NOT NULL,
  PRIMARY KEY (provider, user_id),
  UNIQUE (provider, ref)
);

-- A launch and the session it became. The token and the session's id are only kept hashed and as they are, in this order:
-- the token is of one use, the session's id is of no use without the provider's signature.
CREATE TABLE provider_sessions (
  id text PRIMARY KEY,
  token_hash text NOT NULL UNIQUE,
  provider text NOT NULL,
  user_id bigint NOT NULL,
  player_ref text NOT NULL,
  game text NOT NULL,
  -- May play every game of the provider.
  switching boolean NOT NULL,
  currency text NOT NULL,
  issued_at bigint NOT NULL,
  -- When the token was exchanged; null before.
  started_at bigint,
  ended_at bigint
);
CREATE INDEX provider_sessions_live ON provider_sessions (user_id) WHERE ended_at IS NULL;

-- Entries of providers' rounds name them; their clearing accounts are round:{provider}:{round} and ggr:{provider}.
ALTER TABLE ledger ADD COLUMN provider text, ADD COLUMN game text, ADD COLUMN round_id text;

DROP FUNCTION core_commit;

-- Everything a batch writes, in one round trip and one transaction. The leader's row comes first: its lock and its
-- conditions decide who may write and that nothing is left out or written twice. Lists are JSON text, null when empty.
-- `p_bets` are new ones, `p_bet_changes` known ones; `p_accounts` new or restricted ones, `p_wallets` known ones.
CREATE FUNCTION core_commit(
  p_epoch bigint, p_first bigint, p_last bigint, p_at bigint, p_next_id bigint, p_money boolean,
  p_body text, p_checksum text,
  p_bets json, p_bet_changes json, p_fills json, p_ledger json, p_entries json, p_accounts json, p_wallets json,
  p_markets json, p_archives json, p_rounds json, p_round_changes json, p_movements json, p_keys json, p_hash text
) RETURNS void LANGUAGE plpgsql
  -- One plan for good, made when the tables were small: it must go by the keys.
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
DECLARE
  changed bigint;
BEGIN
  UPDATE leader SET last_seq = p_last, last_at = p_at, next_id = p_next_id
    WHERE one AND epoch = p_epoch AND last_seq = p_first - 1;
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
        "profitMinor" bigint, "version" bigint, "settledAt" bigint, "seq" bigint);
  END IF;
  IF p_bet_changes IS NOT NULL THEN
    UPDATE bets b SET price = r."price", matched_sum = r."matchedSum", size = r."sizeMinor", matched = r."matchedMinor",
        remaining = r."remainingMinor", cancelled = r."cancelledMinor", lapsed = r."lapsedMinor",
        voided = r."voidedMinor", persistence = r."persistence", status = r."status", due_at = r."dueAt",
        win = r."winMinor", loss = r."lossMinor", end_code = r."endCode", reason = r."reason", result = r."result",
        profit = r."profitMinor", version = r."version", settled_at = r."settledAt", seq = r."seq"
      FROM json_to_recordset(p_bet_changes) AS r("betId" bigint, "price" int, "matchedSum" bigint, "sizeMinor" bigint,
        "matchedMinor" bigint, "remainingMinor" bigint, "cancelledMinor" bigint, "lapsedMinor" bigint,
        "voidedMinor" bigint, "persistence" text, "status" text, "dueAt" bigint, "winMinor" bigint, "lossMinor" bigint,
        "endCode" text, "reason" text, "result" text, "profitMinor" bigint, "version" bigint, "settledAt" bigint,
        "seq" bigint)
      WHERE b.id = r."betId";
    GET DIAGNOSTICS changed = ROW_COUNT;
    IF changed <> json_array_length(p_bet_changes) THEN
      RAISE EXCEPTION 'a bet to change is not there';
    END IF;
  END IF;
  IF p_wallets IS NOT NULL THEN
    UPDATE accounts a SET balance = r."balance", exposure = r."exposure", version = r."version", entries = r."entries",
        seq = r."seq"
      FROM json_to_recordset(p_wallets) AS r("world" text, "id" bigint, "balance" bigint, "exposure" bigint,
        "version" bigint, "entries" bigint, "seq" bigint)
      WHERE a.world = r."world" AND a.id = r."id";
    GET DIAGNOSTICS changed = ROW_COUNT;
    IF changed <> json_array_length(p_wallets) THEN
      RAISE EXCEPTION 'an account to change is not there';
    END IF;
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
      SELECT "id", "world", "seq", "at", "kind", "area", "text", "marketId", "eventId", "resultVersion", "provider",
             "game", "roundId"
      FROM json_to_recordset(p_ledger) AS r("id" bigint, "world" text, "seq" bigint, "at" bigint, "kind" text,
        "area" smallint, "text" text, "marketId" bigint, "eventId" bigint, "resultVersion" bigint, "provider" text,
        "game" text, "roundId" text);
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
  IF p_rounds IS NOT NULL THEN
    INSERT INTO provider_rounds
      SELECT "world", "provider", "accountId", "roundId", "game", "label", "status", "stakedMinor", "paidMinor",
             "refundedMinor", "openedAt", "closedAt", "version", "view", "seq"
      FROM json_to_recordset(p_rounds) AS r("world" text, "provider" text, "accountId" bigint, "roundId" text,
        "game" text, "label" text, "status" text, "stakedMinor" bigint, "paidMinor" bigint, "refundedMinor" bigint,
        "openedAt" bigint, "closedAt" bigint, "version" bigint, "view" text, "seq" bigint);
  END IF;
  IF p_round_changes IS NOT NULL THEN
    UPDATE provider_rounds p SET status = r."status", staked = r."stakedMinor", paid = r."paidMinor",
        refunded = r."refundedMinor", closed_at = r."closedAt", version = r."version", view = r."view", seq = r."seq"
      FROM json_to_recordset(p_round_changes) AS r("world" text, "provider" text, "accountId" bigint, "roundId" text,
        "status" text, "stakedMinor" bigint, "paidMinor" bigint, "refundedMinor" bigint, "closedAt" bigint,
        "version" bigint, "view" text, "seq" bigint)
      WHERE p.world = r."world" AND p.provider = r."provider" AND p.account_id = r."accountId"
        AND p.round_id = r."roundId";
    GET DIAGNOSTICS changed = ROW_COUNT;
    IF changed <> json_array_length(p_round_changes) THEN
      RAISE EXCEPTION 'a round to change is not there';
    END IF;
  END IF;
  IF p_movements IS NOT NULL THEN
    INSERT INTO provider_txs
      SELECT "provider", "txId", "world", "kind", "accountId", "roundId", "game", "amountMinor", "creditMinor", "refTx",
             "effect", "at", "seq"
      FROM json_to_recordset(p_movements) AS r("provider" text, "txId" text, "world" text, "kind" text,
        "accountId" bigint, "roundId" text, "game" text, "amountMinor" bigint, "creditMinor" bigint, "refTx" text,
        "effect" boolean, "at" bigint, "seq" bigint);
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
