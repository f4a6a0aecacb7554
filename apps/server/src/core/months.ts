/**
 * The tables that are kept a month each: making the next months' ahead of time, and taking old ones away as a whole. Only
 * the leader does either. A table is made beside its parent and then attached, which waits for no reader and makes no commit
 * wait; killed in between, the next try goes on.
 */
import type { Db, Log, Query } from '../db/db.ts';

interface MonthTable {
  /** The column that says which month a row is in. */
  at: string;
  /** The keys of each month's table; within one the database itself refuses a second row. */
  primary: string;
  indexes: string[];
  options: string;
}

export const MONTH_TABLES = {
  core_log: { at: 'at', primary: 'first_seq', indexes: [], options: '' },
  bets: {
    at: 'placed_at',
    primary: 'id',
    indexes: ['(account_id, id)', '(market_id)'],
    options: 'WITH (fillfactor = 75)',
  },
  fills: { at: 'at', primary: 'world, id', indexes: [], options: '' },
  ledger: { at: 'at', primary: 'id', indexes: [], options: '' },
  ledger_entries: {
    at: 'at',
    primary: 'ledger_id, line',
    indexes: ['(account) WHERE account_id IS NULL'],
    options: '',
  },
  conditional_ends: { at: 'ended_at', primary: 'world, id', indexes: ['(account_id, ended_at, id)'], options: '' },
  idempotency: { at: 'at', primary: 'actor, key', indexes: ['USING brin (seq)'], options: '' },
} as const satisfies Record<string, MonthTable>;
export type MonthTableName = keyof typeof MONTH_TABLES;
const NAMES = Object.keys(MONTH_TABLES) as MonthTableName[];
/** Beside the primary key. */
const UNIQUE: Partial<Record<MonthTableName, string>> = {
  ledger_entries: '(world, account_id, n) WHERE account_id IS NOT NULL',
};

/** So many months are there beside the running one. */
const AHEAD = 2;
const LOCK_MS = 2000;
/** What became of conditional orders is kept so many whole months beside the running one: two years, and some days to look. */
const ENDS_MONTHS = 25;

/** Makes the tables of the month of `now` and of the next ones where they are missing; answers up to when there are tables. */
export async function makeMonths(db: Db, now: number): Promise<number> {
  const made = await monthsMade(db);
  for (let month = 0; month <= AHEAD; month++) {
    const from = monthStart(now, month);
    for (const name of NAMES) {
      if (made.get(name)!.some((one) => one.from <= from && one.to > from)) continue;
      await db.tx((q) => makeMonth(q, name, from, monthStart(now, month + 1)));
    }
  }
  return monthStart(now, AHEAD + 1);
}

async function makeMonth(q: Query, name: MonthTableName, from: number, to: number): Promise<void> {
  const { primary, indexes, options }: MonthTable = MONTH_TABLES[name];
  const table = tableOf(name, from);
  await q(`SET LOCAL lock_timeout = ${LOCK_MS}`);
  await q(`CREATE TABLE ${table} (LIKE ${name} INCLUDING DEFAULTS, PRIMARY KEY (${primary})) ${options}`);
  for (const index of indexes) await q(`CREATE INDEX ON ${table} ${index}`);
  if (UNIQUE[name]) await q(`CREATE UNIQUE INDEX ON ${table} ${UNIQUE[name]}`);
  await q(`ALTER TABLE ${name} ATTACH PARTITION ${table} FOR VALUES FROM (${from}) TO (${to})`);
}

export interface Month {
  table: string;
  /** First and behind the last millisecond; `from` is -Infinity for what was there before there were months. */
  from: number;
  to: number;
}

/** The partitions there are, by table, the oldest first. */
export async function monthsMade(db: Pick<Db, 'query'>): Promise<Map<MonthTableName, Month[]>> {
  const rows = await db.query<{ parent: MonthTableName; table: string; bound: string }>(
    `SELECT p.relname AS parent, c.relname AS table, pg_get_expr(c.relpartbound, c.oid) AS bound
       FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
       WHERE p.relname = ANY($1::text[]) AND p.relnamespace = current_schema()::regnamespace`,
    [NAMES],
  );
  const made = new Map(NAMES.map((name) => [name, [] as Month[]]));
  for (const { parent, table, bound } of rows) {
    const [, from, to] = /FROM \('?(\w+)'?\) TO \('?(\w+)'?\)/.exec(bound) ?? [];
    if (from === undefined || to === undefined) throw new Error(`the table ${table} is of no month: ${bound}`);
    made
      .get(parent)!
      .push({ table, from: from === 'MINVALUE' ? Number.NEGATIVE_INFINITY : Number(from), to: Number(to) });
  }
  for (const months of made.values()) months.sort((a, b) => a.from - b.from);
  return made;
}

/** Takes months that end by `before` away, each as a whole, and notes it. Answers which went. */
export async function dropMonths(db: Db, name: MonthTableName, before: number): Promise<Month[]> {
  const old = (await monthsMade(db)).get(name)!.filter(({ to }) => to <= before);
  for (const month of old) await db.tx((q) => dropMonth(q, name, month));
  return old;
}

/** Notes that a month is gone and takes it away. */
export async function dropMonth(q: Query, name: MonthTableName, { table, to }: Month): Promise<void> {
  await q(`SET LOCAL lock_timeout = ${LOCK_MS}`);
  await q(
    `INSERT INTO retired VALUES ($1, $2)
       ON CONFLICT (table_name) DO UPDATE SET before_at = greatest(retired.before_at, EXCLUDED.before_at)`,
    [name, to],
  );
  await q(`DROP TABLE ${table}`);
}

/**
 * Takes months of keys away that ended `keep` whole months before the one of `now`, except those with a bet that is still
 * open: a bet has its key as long as it lives (INV-08).
 */
export async function dropKeys(db: Db, now: number, keep: number): Promise<Month[]> {
  const dropped: Month[] = [];
  for (const month of (await monthsMade(db)).get('idempotency')!) {
    if (month.to > monthStart(now, -keep)) break;
    const open = await db.query(
      `SELECT 1 FROM ${month.table} k JOIN bets b ON b.id = k.bet_id WHERE b.result = 'PENDING' LIMIT 1`,
    );
    if (open.length > 0) break;
    dropped.push(...(await dropMonths(db, 'idempotency', month.to)));
  }
  return dropped;
}

/** The months of a leader: made ahead of their time, one making at a time, and what is kept for a time taken away. */
export function keepMonths({
  db,
  log,
  clock,
  keysMonths,
}: {
  db: Db;
  log: Log;
  clock: () => number;
  keysMonths: number;
}) {
  let making: Promise<void> | null = null;
  /** Up to when there are tables. */
  let until = 0;

  function make(): Promise<void> {
    making ??= makeMonths(db, clock())
      .then(async (to) => {
        until = to;
        const gone = await dropKeys(db, clock(), keysMonths);
        for (const { table } of gone) log.info({ table }, 'keys of a month are not kept any longer');
        await dropMonths(db, 'conditional_ends', monthStart(clock(), -ENDS_MONTHS));
      })
      .finally(() => {
        making = null;
      });
    return making;
  }

  return {
    make,
    makeDue(now: number): void {
      if (monthStart(now, AHEAD) < until) return;
      make().catch((error: unknown) => log.error({ err: error }, 'the tables of the next month could not be made'));
    },
    /** Resolves when none is being made. */
    async made(): Promise<void> {
      await making?.catch(() => undefined);
    },
  };
}

/** The first millisecond of the month of `at`, or of the n-th one after it (UTC). */
export function monthStart(at: number, after = 0): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + after, 1);
}

function tableOf(name: string, from: number): string {
  return `${name}_${new Date(from).toISOString().slice(0, 7).replace('-', '_')}`;
}
