/**
 * What goes by itself, looked through once a day: rows that nobody can ask for any more. Nothing that moved money and no bet
 * is among them; those are kept for good. A look goes on where the last one ended, so it costs what one day left behind,
 * however much there is.
 */
import type { Db, Log } from '../db/db.ts';

const DAY_MS = 86_400_000;
/** A closed market leaves this long a way back: after it its result can no longer be withdrawn, nor its bets be taken out. */
const CORRECTION_MS = 92 * DAY_MS;
/** Markets and rounds on which nobody bet, and events without a market that is left. */
const UNBET_MS = 31 * DAY_MS;
/** Prices of a past market as a chart, also of one that was bet on. */
const CHART_MS = 400 * DAY_MS;
/** Its markets may have been settled some days after it was over. */
const EVENT_MS = UNBET_MS + 7 * DAY_MS;
const PAGE = 500;

type Looked = Pick<Db, 'query' | 'tx'>;

/**
 * Takes away what is old enough at `now`; answers how many markets and events went, and how many ways back. Stopped between
 * two pages it goes on there the next time.
 */
export async function retire(
  db: Looked,
  now: number,
  stopped: () => boolean = () => false,
): Promise<{ archives: number; charts: number; markets: number; events: number }> {
  const look = (what: string, to: number, page: Page) => lookThrough(db, what, to, page, stopped);
  return {
    archives: await look('archives', now - CORRECTION_MS, retireArchives),
    charts: await look('charts', now - CHART_MS, retireCharts),
    markets: await look('unbet', now - UNBET_MS, retireUnbet),
    events: await look('events', now - EVENT_MS, retireEvents),
  };
}

/** A page of what was over in the time from `from` to before `to`: how many went, and where the next page begins. */
type Page = (q: Db['query'], from: number, to: number) => Promise<{ gone: number; next: number }>;

async function lookThrough(db: Looked, what: string, to: number, page: Page, stopped: () => boolean): Promise<number> {
  const [row] = await db.query<{ up_to: number }>('SELECT up_to FROM retention WHERE what = $1', [what]);
  let from = row?.up_to ?? 0;
  let gone = 0;
  while (from < to && !stopped()) {
    await db.tx(async (q) => {
      const done = await page(q, from, to);
      gone += done.gone;
      from = done.next;
      await q(
        'INSERT INTO retention VALUES ($1, $2) ON CONFLICT (what) DO UPDATE SET up_to = greatest(retention.up_to, EXCLUDED.up_to)',
        [what, from],
      );
    });
  }
  return gone;
}

/** Markets that were settled in that time, whole milliseconds of them. */
async function settledIn(q: Db['query'], from: number, to: number): Promise<{ ids: number[]; next: number }> {
  const [edge] = await q<{ at: number }>(
    `SELECT settled_at AS at FROM markets WHERE settled_at >= $1 AND settled_at < $2 ORDER BY settled_at OFFSET ${PAGE} LIMIT 1`,
    [from, to],
  );
  const next = edge ? Math.max(edge.at, from + 1) : to;
  const rows = await q<{ id: number }>('SELECT DISTINCT id FROM markets WHERE settled_at >= $1 AND settled_at < $2', [
    from,
    next,
  ]);
  return { ids: rows.map((row) => row.id), next };
}

/** Not of a market whose result was withdrawn and told anew since. */
async function retireArchives(q: Db['query'], from: number, to: number): Promise<{ gone: number; next: number }> {
  const { ids, next } = await settledIn(q, from, to);
  const gone = (table: string) =>
    q(
      `DELETE FROM ${table} a USING markets m WHERE m.world = a.world AND m.id = a.market_id
         AND m.id = ANY($1::bigint[]) AND m.status = 'CLOSED' AND m.settled_at < $2 RETURNING 1`,
      [ids, to],
    );
  await gone('market_archive_parts');
  return { gone: (await gone('market_archives')).length, next };
}

async function retireCharts(q: Db['query'], from: number, to: number): Promise<{ gone: number; next: number }> {
  const { ids, next } = await settledIn(q, from, to);
  const gone = await q('DELETE FROM market_charts WHERE market_id = ANY($1::bigint[]) RETURNING 1', [ids]);
  return { gone: gone.length, next };
}

async function retireUnbet(q: Db['query'], from: number, to: number): Promise<{ gone: number; next: number }> {
  const { ids, next } = await settledIn(q, from, to);
  const rows = await q<{ id: number }>(
    `SELECT k.id FROM unnest($1::bigint[]) AS k(id)
       WHERE NOT EXISTS (SELECT 1 FROM bets b WHERE b.market_id = k.id)
         AND NOT EXISTS (SELECT 1 FROM markets m WHERE m.id = k.id
           AND (m.status <> 'CLOSED' OR m.settled_at IS NULL OR m.settled_at >= $2))`,
    [ids, to],
  );
  const unbet = rows.map((row) => row.id);
  for (const [table, column] of [
    ['market_archives', 'market_id'],
    ['market_archive_parts', 'market_id'],
    ['market_charts', 'market_id'],
    ['market_meta', 'market_id'],
    ['card_rounds', 'market_id'],
    ['markets', 'id'],
  ])
    await q(`DELETE FROM ${table} WHERE ${column} = ANY($1::bigint[])`, [unbet]);
  return { gone: unbet.length, next };
}

/** A card table is an event that is over from the beginning, and stays. */
async function retireEvents(q: Db['query'], from: number, to: number): Promise<{ gone: number; next: number }> {
  const [edge] = await q<{ at: number }>(
    `SELECT stop_at_ms AS at FROM events WHERE stop_at_ms >= $1 AND stop_at_ms < $2 ORDER BY stop_at_ms OFFSET ${PAGE} LIMIT 1`,
    [from, to],
  );
  const next = edge ? Math.max(edge.at, from + 1) : to;
  const rows = await q(
    `DELETE FROM events e WHERE e.stop_at_ms >= $1 AND e.stop_at_ms < $2
       AND NOT EXISTS (SELECT 1 FROM card_tables t WHERE t.event_id = e.id)
       AND NOT EXISTS (SELECT 1 FROM market_meta k WHERE k.event_id = e.id)
       AND NOT EXISTS (SELECT 1 FROM markets m WHERE m.event_id = e.id) RETURNING 1`,
    [from, next],
  );
  return { gone: rows.length, next };
}

/** Looks at the start and once a day from then on. */
export function createRetention({ db, clock, log }: { db: Looked; clock: () => number; log: Log }): {
  start(): void;
  stop(): Promise<void>;
} {
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | null = null;
  let stopped = false;
  const look = (): void => {
    looking ??= retire(db, clock(), () => stopped)
      .then((gone) => log.info(gone, 'what is kept for a time only was looked through'))
      .catch((error: unknown) => log.warn({ err: error }, 'what is kept for a time only could not be looked through'))
      .finally(() => {
        looking = null;
      });
  };
  return {
    start() {
      timer = setInterval(look, DAY_MS);
      timer.unref();
      look();
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await looking;
    },
  };
}
