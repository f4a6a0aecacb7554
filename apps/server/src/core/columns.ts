/**
 * The columns a batch writes, once: the function that writes them is made from here, and whoever writes such rows otherwise
 * (the benches) takes them from here too.
 */
import { createHash } from 'node:crypto';
import type { Db, Query } from '../db/db.ts';

/**
 * Column, type, and the name of the value in the row as it is known here; `as`: its name in the row as it is handed over, short
 * since there is one for every value of every bet. What is not handed over is null or, where `isZero`, 0.
 */
type Column = readonly [name: string, type: string, from: string, as: string, isZero: boolean];

/** `name type from` a line; without `from` it is called like the column. A 0 behind them: not handed over where it is 0. */
function columns(text: string): Column[] {
  return text
    .trim()
    .split('\n')
    .map((line, i) => {
      const [name, type, from = name, absent] = line.trim().split(/\s+/);
      return [name!, type!, from!, i.toString(36), absent === '0'];
    });
}

const BETS = columns(`
  id bigint betId
  world text
  account_id bigint accountId
  market_id bigint marketId
  runner_id bigint runnerId
  kind text
  side text
  price int
  matched_sum bigint matchedSum 0
  size bigint sizeMinor
  matched bigint matchedMinor 0
  remaining bigint remainingMinor 0
  cancelled bigint cancelledMinor 0
  lapsed bigint lapsedMinor 0
  voided bigint voidedMinor 0
  persistence text
  status text
  due_at bigint dueAt 0
  placed_at bigint placedAt
  line int
  box int
  win bigint winMinor
  loss bigint lossMinor
  end_code text endCode
  reason text
  result text
  profit bigint profitMinor 0
  version bigint
  settled_at bigint settledAt
  first_price int firstPrice
  width int
  seq bigint`);

const ACCOUNTS = columns(`
  world text
  id bigint
  kind text
  currency text
  balance bigint
  exposure bigint
  held bigint
  version bigint
  bet_blocked boolean betBlocked
  exposure_limit bigint exposureLimit
  entries bigint
  closed boolean
  seq bigint`);

const ROUNDS = columns(`
  world text
  provider text
  account_id bigint accountId
  round_id text roundId
  game text
  label text
  status text
  staked bigint stakedMinor
  paid bigint paidMinor
  refunded bigint refundedMinor
  opened_at bigint openedAt
  closed_at bigint closedAt
  version bigint
  view text
  seq bigint`);

/** Rows that are always new. */
const INSERTS: Record<string, Column[]> = {
  bets: BETS,
  fills: columns(`
    world text
    id bigint fillId
    market_id bigint marketId
    runner_id bigint runnerId
    price int
    size bigint sizeMinor
    back_bet_id bigint backBetId
    lay_bet_id bigint layBetId
    back_account_id bigint backAccountId
    lay_account_id bigint layAccountId
    taker text
    at bigint
    seq bigint`),
  ledger: columns(`
    id bigint
    world text
    seq bigint
    at bigint
    kind text
    area smallint
    text text
    market_id bigint marketId
    event_id bigint eventId
    result_version bigint resultVersion
    provider text
    game text
    round_id text roundId`),
  ledger_entries: columns(`
    ledger_id bigint ledgerId
    line int
    world text
    account text
    account_id bigint accountId
    amount bigint amountMinor
    n bigint
    balance_after bigint balanceAfter
    at bigint`),
  provider_rounds: ROUNDS,
  provider_txs: columns(`
    provider text
    tx_id text txId
    world text
    kind text
    account_id bigint accountId
    round_id text roundId
    game text
    amount bigint amountMinor
    credit bigint creditMinor
    ref_tx text refTx
    effect boolean
    at bigint
    seq bigint`),
  conditional_ends: columns(`
    world text
    id bigint conditionalId
    account_id bigint accountId
    market_id bigint marketId
    runner_id bigint runnerId
    kind text
    side text
    trigger_price int trigger
    price int
    ticks int
    slip int
    size bigint sizeMinor
    level boolean
    persistence text
    for_bet_id bigint forBetId
    due_at bigint dueAt
    link bigint
    made_at bigint madeAt
    status text
    code text
    actor text
    bet_id bigint betId
    ended_at bigint endedAt
    seq bigint`),
  idempotency: columns(`
    actor text
    key text
    world text
    payload_hash text payloadHash
    seq bigint
    at bigint
    bet_id bigint betId
    answer json`),
};

/** Rows that may be new or known. */
const UPSERTS: Record<string, { keys: string[]; columns: Column[] }> = {
  accounts: { keys: ['world', 'id'], columns: ACCOUNTS },
  markets: {
    keys: ['world', 'id'],
    columns: columns(`
      world text
      id bigint marketId
      event_id bigint eventId
      kind text
      name text
      status text
      result text
      result_version bigint resultVersion
      settled_at bigint settledAt
      view text
      seq bigint`),
  },
  market_archives: {
    keys: ['world', 'market_id'],
    columns: columns(`
      world text
      market_id bigint marketId
      snapshot text
      seq bigint`),
  },
  market_archive_parts: {
    keys: ['world', 'market_id', 'part'],
    columns: columns(`
      world text
      market_id bigint marketId
      part int
      text text
      seq bigint`),
  },
  holds: {
    keys: ['world', 'market_id', 'debtor_id', 'creditor_id'],
    columns: columns(`
      world text
      market_id bigint marketId
      debtor_id bigint debtorId
      creditor_id bigint creditorId
      amount bigint amountMinor
      seq bigint`),
  },
};

/** Known rows: which must be there, and what may change of them. Measured: a third cheaper than INSERT ... ON CONFLICT. */
const UPDATES: Record<string, { keys: string[]; fixed: string[]; columns: Column[]; what: string }> = {
  bets: {
    // The time tells which month's table it is in.
    keys: ['id', 'placed_at'],
    fixed: ['world', 'account_id', 'market_id', 'runner_id', 'kind', 'side', 'line', 'box', 'width'],
    columns: BETS,
    what: 'a bet',
  },
  accounts: {
    keys: ['world', 'id'],
    fixed: ['kind', 'currency', 'bet_blocked', 'exposure_limit', 'closed'],
    columns: ACCOUNTS,
    what: 'an account',
  },
  provider_rounds: {
    keys: ['world', 'provider', 'account_id', 'round_id'],
    fixed: ['game', 'label', 'opened_at'],
    columns: ROUNDS,
    what: 'a round',
  },
};

/** The lists of rows of a batch, in the order of the function's parameters. */
export const LISTS = [
  'newAccounts',
  'newBets',
  'betChanges',
  'walletChanges',
  'fills',
  'ledger',
  'entries',
  'markets',
  'archives',
  'archiveParts',
  'holds',
  'newRounds',
  'roundChanges',
  'movements',
  'conditionalEnds',
  'keys',
] as const;
export type ListName = (typeof LISTS)[number];

const WRITES: Record<ListName, string> = {
  newAccounts: upsert('accounts', 'newAccounts'),
  newBets: insert('bets', 'newBets'),
  betChanges: update('bets', 'betChanges'),
  walletChanges: update('accounts', 'walletChanges'),
  fills: insert('fills', 'fills'),
  ledger: insert('ledger', 'ledger'),
  entries: insert('ledger_entries', 'entries'),
  markets: upsert('markets', 'markets'),
  archives: upsert('market_archives', 'archives'),
  archiveParts: upsert('market_archive_parts', 'archiveParts'),
  holds: upsert('holds', 'holds'),
  newRounds: insert('provider_rounds', 'newRounds'),
  roundChanges: update('provider_rounds', 'roundChanges'),
  movements: insert('provider_txs', 'movements'),
  conditionalEnds: insert('conditional_ends', 'conditionalEnds'),
  keys: insert('idempotency', 'keys'),
};

/** The columns of each list's rows. */
const COLUMNS: Record<ListName, Column[]> = {
  newAccounts: ACCOUNTS,
  newBets: BETS,
  betChanges: BETS,
  walletChanges: ACCOUNTS,
  fills: INSERTS.fills!,
  ledger: INSERTS.ledger!,
  entries: INSERTS.ledger_entries!,
  markets: UPSERTS.markets!.columns,
  archives: UPSERTS.market_archives!.columns,
  archiveParts: UPSERTS.market_archive_parts!.columns,
  holds: UPSERTS.holds!.columns,
  newRounds: ROUNDS,
  roundChanges: ROUNDS,
  movements: INSERTS.provider_txs!,
  conditionalEnds: INSERTS.conditional_ends!,
  keys: INSERTS.idempotency!,
};

/** The rows of a list as its JSON text; null where there are none. */
export function listText(name: ListName, rows: readonly object[]): string | null {
  if (rows.length === 0) return null;
  const list = COLUMNS[name];
  return JSON.stringify(
    rows.map((row) => {
      const handed: Record<string, unknown> = {};
      for (const [, , from, as, isZero] of list) {
        const value = (row as Record<string, unknown>)[from];
        if (value !== null && !(isZero && value === 0)) handed[as] = value;
      }
      return handed;
    }),
  );
}

/** What stands before each value of a row that is written by hand: its name as it is handed over. */
export function heads(name: ListName): (from: string) => string {
  return (from) => `"${COLUMNS[name].find((column) => column[2] === from)![3]}":`;
}

/** A list read back, its values under the names they have here; for benches that write rows without batches. */
export function readList(name: ListName, text: string): Array<Record<string, unknown>> {
  return (JSON.parse(text) as Array<Record<string, unknown>>).map((handed) =>
    Object.fromEntries(
      COLUMNS[name].map(([, type, from, as, isZero]) => {
        const value = handed[as] ?? (isZero ? 0 : null);
        return [from, type === 'json' ? JSON.stringify(value) : value];
      }),
    ),
  );
}

/** One row's insert as a plain statement, with its values in order; for benches that write rows without batches. */
export function plainInsert(table: string): { sql: string; values: (row: Record<string, unknown>) => unknown[] } {
  const list = INSERTS[table]!;
  return {
    sql: `INSERT INTO ${table} (${names(list)}) VALUES (${list.map((_, i) => `$${i + 1}`).join(', ')})`,
    values: (row) => list.map(([, , from]) => row[from] ?? null),
  };
}

/**
 * Everything a batch writes, in one round trip and one transaction. The leader's row comes first: its lock and its
 * conditions decide who may write and that nothing is left out or written twice. Lists are JSON text, null when empty.
 * The log has two tables: what is kept, and what only the next start needs. Without an epoch nothing is written: plans are made.
 */
const BODY = `(
  p_epoch bigint, p_first bigint, p_last bigint, p_at bigint, p_next_id bigint, p_logic int,
  p_kept text, p_kept_sum text, p_chain text, p_slot smallint, p_short text, p_short_sum text, p_hash text,
  ${LISTS.map((list) => `p_${list} json`).join(', ')}
) RETURNS void LANGUAGE plpgsql
  -- One plan for good, made when the tables were small: it must go by the keys.
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
DECLARE
  changed bigint;
BEGIN
  UPDATE leader SET last_seq = p_last, last_at = p_at, next_id = p_next_id
    WHERE one AND epoch = p_epoch AND last_seq = p_first - 1;
  IF NOT FOUND AND p_epoch IS NOT NULL THEN
    RAISE EXCEPTION 'fenced: epoch % may not write command %', p_epoch, p_first USING ERRCODE = 'FG001';
  END IF;
  IF p_kept IS NOT NULL THEN
    INSERT INTO core_log (first_seq, last_seq, epoch, at, logic, body, checksum, chain)
      VALUES (p_first, p_last, p_epoch, p_at, p_logic, p_kept, p_kept_sum, p_chain);
  END IF;
  IF p_short IS NOT NULL THEN
    INSERT INTO core_log_short (slot, first_seq, last_seq, epoch, at, logic, body, checksum)
      VALUES (p_slot, p_first, p_last, p_epoch, p_at, p_logic, p_short, p_short_sum);
  END IF;
  ${LISTS.map((list) => `IF p_${list} IS NOT NULL THEN\n    ${WRITES[list]}\n  END IF;`).join('\n  ')}
  IF p_hash IS NOT NULL THEN
    INSERT INTO core_hashes VALUES (p_last, p_hash);
  END IF;
END
$$`;

/** The name changes with the text, so a process of another version can neither use nor change it. */
const NAME = `core_commit_${createHash('sha256').update(BODY).digest('hex').slice(0, 8)}`;
const PARAMETERS = 13 + LISTS.length;

export const COMMIT = `SELECT ${NAME}(${Array.from({ length: PARAMETERS }, (_, i) => `$${i + 1}`).join(', ')})`;

/** Lets a connection plan all statements of a batch, so that its first one waits for none of that; writes nothing. */
export async function warmCommit(write: Query): Promise<void> {
  await write(COMMIT, [...Array.from({ length: PARAMETERS - LISTS.length }, () => null), ...LISTS.map(() => '[]')]);
}

/** Makes the function of this version where it is missing and takes others away; only the leader may. */
export async function prepareCommit(db: Pick<Db, 'query'>): Promise<void> {
  const known = await db.query<{ name: string; signature: string }>(
    `SELECT proname AS name, oid::regprocedure::text AS signature FROM pg_proc
       WHERE proname LIKE 'core\\_commit%' AND pronamespace = current_schema()::regnamespace`,
  );
  if (!known.some(({ name }) => name === NAME)) await db.query(`CREATE FUNCTION ${NAME}${BODY}`);
  for (const { name, signature } of known) if (name !== NAME) await db.query(`DROP FUNCTION ${signature}`);
}

function names(list: readonly Column[]): string {
  return list.map(([name]) => name).join(', ');
}

function record(param: string, list: readonly Column[]): string {
  return `json_to_recordset(p_${param}) AS r(${list.map(([, type, , as]) => `"${as}" ${type}`).join(', ')})`;
}

function value([, type, , as, isZero]: Column): string {
  // JSON is kept as the text it is; its own null is one of the fates.
  if (type === 'json') return `COALESCE(r."${as}"::text, 'null')`;
  return isZero ? `COALESCE(r."${as}", 0)` : `r."${as}"`;
}

function insert(table: string, param: string, list = INSERTS[table]!): string {
  return `INSERT INTO ${table} (${names(list)}) SELECT ${list.map(value).join(', ')}
      FROM ${record(param, list)};`;
}

function upsert(table: string, param: string): string {
  const { keys, columns: list } = UPSERTS[table]!;
  const changes = list.filter(([name]) => !keys.includes(name)).map(([name]) => `${name} = EXCLUDED.${name}`);
  return `${insert(table, param, list).slice(0, -1)}
      ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${changes.join(', ')};`;
}

function update(table: string, param: string): string {
  const { keys, fixed, columns: all, what } = UPDATES[table]!;
  const list = all.filter(([name]) => !fixed.includes(name));
  const changes = list.filter(([name]) => !keys.includes(name)).map((column) => `${column[0]} = ${value(column)}`);
  const same = list.filter(([name]) => keys.includes(name)).map((column) => `t.${column[0]} = ${value(column)}`);
  return `UPDATE ${table} t SET ${changes.join(', ')}
      FROM ${record(param, list)} WHERE ${same.join(' AND ')};
    GET DIAGNOSTICS changed = ROW_COUNT;
    IF changed <> json_array_length(p_${param}) THEN RAISE EXCEPTION '${what} to change is not there'; END IF;`;
}
