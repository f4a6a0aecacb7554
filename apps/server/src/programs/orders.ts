/**
 * What programs call their orders, and what becomes of them. The references are written before the bet is asked for, under
 * the key of its request, so that neither a lost answer nor a restart parts a bet from them; the bet's number is added after
 * its commit.
 */
import type { Bet } from '@fairgame/exchange';
import type { Refs } from '@fairgame/exchange-api';
import { betIdsOf } from '../core/core.ts';
import type { Committed, Core, World } from '../core/types.ts';
import type { Db, Log } from '../db/db.ts';

const NONE: Refs = {};
/** How requests of programs begin. */
export const REQUEST = 'program-';
const MOST_KNOWN = 100_000;
/** So long after its placing a bet may still get its references from a row that is being written. */
const FRESH_MS = 60_000;
const UNPLACED_MS = 2 * 86_400_000;
const WRITE_MS = 200;

export interface Planned {
  requestId: string;
  refs: Refs;
}

export interface OrderChange {
  world: World;
  bet: Bet;
  refs: Refs;
  at: number;
}

interface Row {
  request_id: string;
  user_id: number;
  market_id: number;
  bet_id: number | null;
  order_ref: string | null;
  strategy_ref: string | null;
  at: number;
  killed: string | null;
}

/** Of a bounded number; the one that came first goes first. */
class Recent<K, V> extends Map<K, V> {
  override set(key: K, value: V): this {
    if (this.size >= MOST_KNOWN && !this.has(key)) this.delete(this.keys().next().value!);
    return super.set(key, value);
  }
}

export class ProgramOrders {
  private readonly refs = new Recent<number, Refs>();
  private readonly matched = new Recent<number, number>();
  private readonly planned = new Recent<string, Refs>();
  /** Bets of programs at other gateways, by the request that asked for them: its row was written before the bet was. */
  private readonly elsewhere = new Recent<number, string>();
  private readonly waiting = new Map<number, Set<(bet: Bet | null) => void>>();
  private readonly listeners = new Set<(change: OrderChange) => void>();
  private readonly closings = new Set<(world: World, marketId: number) => void>();
  private unwritten = new Map<string, number>();
  private writing: NodeJS.Timeout | null = null;
  private off: () => void = () => undefined;
  private readonly db: Db;
  private readonly core: Core;
  private readonly clock: () => number;
  private readonly log: Log;

  constructor(parts: { db: Db; core: Core; clock: () => number; log: Log }) {
    this.db = parts.db;
    this.core = parts.core;
    this.clock = parts.clock;
    this.log = parts.log;
  }

  /** Hears of every commit from now on; nothing is known of the orders before. */
  follow(): void {
    this.off = this.core.onCommitted((batch) => this.committed(batch));
  }

  /** To be waited for before the bets are asked for. */
  async plan(userId: number, marketId: number, asked: readonly Planned[]): Promise<void> {
    const named = asked.filter(({ refs }) => refs.order !== undefined || refs.strategy !== undefined);
    for (const { requestId, refs } of asked) this.planned.set(requestId, refs);
    if (named.length === 0) return;
    await this.db.query(
      `INSERT INTO program_orders (request_id, user_id, market_id, order_ref, strategy_ref, at)
       SELECT d.id, $1, $2, d.order_ref, d.strategy_ref, $3 FROM unnest($4::text[], $5::text[], $6::text[]) AS d (id, order_ref, strategy_ref)`,
      [
        userId,
        marketId,
        this.clock(),
        named.map(({ requestId }) => requestId),
        named.map(({ refs }) => refs.order ?? null),
        named.map(({ refs }) => refs.strategy ?? null),
      ],
    );
  }

  /** A fill or kill that found nothing: no bet of the core, and still an order that its program can read of. */
  async killed(requestId: string, world: World, bet: Bet): Promise<void> {
    const refs = this.planned.get(requestId) ?? NONE;
    this.refs.set(bet.betId, refs);
    await this.db.query(
      `INSERT INTO program_orders (request_id, user_id, market_id, bet_id, order_ref, strategy_ref, at, killed)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (request_id) DO UPDATE SET bet_id = EXCLUDED.bet_id, killed = EXCLUDED.killed`,
      [
        requestId,
        bet.accountId,
        bet.marketId,
        bet.betId,
        refs.order ?? null,
        refs.strategy ?? null,
        bet.placedAt,
        JSON.stringify(bet),
      ],
    );
    this.tell({ world, bet, refs, at: bet.placedAt });
  }

  /** Orders that were killed in a time, the latest first. */
  async killedIn(userId: number, from: number, to: number, most: number): Promise<Array<{ bet: Bet; refs: Refs }>> {
    const rows = await this.db.query<Row>(
      `SELECT * FROM program_orders WHERE user_id = $1 AND killed IS NOT NULL AND at >= $2 AND at <= $3 ORDER BY at DESC LIMIT $4`,
      [userId, from, to, most],
    );
    return rows.map((row) => ({ bet: JSON.parse(row.killed!) as Bet, refs: refsIn(row) }));
  }

  /** What is known at once. */
  known(betId: number): Refs | undefined {
    return this.refs.get(betId);
  }

  async refsOf(bets: readonly Pick<Bet, 'betId' | 'placedAt'>[]): Promise<Map<number, Refs>> {
    const found = new Map<number, Refs>();
    const missing = new Map<number, number>();
    for (const { betId, placedAt } of bets) {
      const refs = this.refs.get(betId);
      if (refs) found.set(betId, refs);
      else missing.set(betId, placedAt);
    }
    if (missing.size === 0) return found;
    const asked = new Map(
      [...missing.keys()].flatMap((betId) => {
        const requestId = this.elsewhere.get(betId);
        return requestId === undefined ? [] : [[requestId, betId] as const];
      }),
    );
    const rows = await this.db.query<Row>(
      'SELECT * FROM program_orders WHERE bet_id = ANY($1::bigint[]) OR request_id = ANY($2::text[])',
      [[...missing.keys()], [...asked.keys()]],
    );
    for (const row of rows) {
      const betId = row.bet_id ?? asked.get(row.request_id)!;
      found.set(betId, refsIn(row));
      this.refs.set(betId, refsIn(row));
      missing.delete(betId);
    }
    for (const [betId, placedAt] of missing) if (this.clock() - placedAt > FRESH_MS) this.refs.set(betId, NONE);
    return found;
  }

  /** Bets of an account under one of the references, long gone ones too. */
  async betsNamed(
    userId: number,
    orders: readonly string[] | undefined,
    strategies: readonly string[] | undefined,
  ): Promise<number[]> {
    await this.write();
    const rows = await this.db.query<{ bet_id: number }>(
      `SELECT bet_id FROM program_orders WHERE user_id = $1 AND bet_id IS NOT NULL
          AND ($2::text[] IS NULL OR order_ref = ANY($2)) AND ($3::text[] IS NULL OR strategy_ref = ANY($3))`,
      [userId, orders ?? null, strategies ?? null],
    );
    return rows.map((row) => row.bet_id);
  }

  /** When it was last matched, as far as this process saw it. */
  matchedAt(betId: number): number | undefined {
    return this.matched.get(betId);
  }

  /** A bet that waits for its delay, once that is over; null where it takes longer than `ms`. */
  decided(bet: Bet, world: World, ms: number): Promise<Bet | null> {
    const { betId } = bet;
    const now = this.core.read.bet(world, betId) ?? bet;
    if (now.status !== 'PENDING') return Promise.resolve(now);
    return new Promise((resolve) => {
      const done = (told: Bet | null) => {
        clearTimeout(timer);
        heard.delete(done);
        if (heard.size === 0) this.waiting.delete(betId);
        resolve(told);
      };
      const heard = this.waiting.get(betId) ?? new Set();
      this.waiting.set(betId, heard.add(done));
      const timer = setTimeout(() => done(null), ms);
    });
  }

  onChange(listener: (change: OrderChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** A market has its result: of a large one the last slice says so, and the bets were told before. */
  onClosed(listener: (world: World, marketId: number) => void): () => void {
    this.closings.add(listener);
    return () => this.closings.delete(listener);
  }

  /** Finds the bets of requests whose answer a killed process never saw; what was never taken is forgotten. */
  async catchUp(): Promise<void> {
    const now = this.clock();
    const rows = await this.db.query<Row>(
      'SELECT * FROM program_orders WHERE bet_id IS NULL AND at < $1 AND at > $2 ORDER BY at LIMIT 1000',
      [now - FRESH_MS, now - UNPLACED_MS],
    );
    for (const row of rows) {
      const answer = await this.core.answerOf(`player:${row.user_id}`, row.request_id);
      const placed = answer?.events.flatMap((event) =>
        event.type === 'bet' && event.bet.accountId === row.user_id ? [event.bet.betId] : [],
      );
      if (placed && placed.length > 0) this.unwritten.set(row.request_id, Math.max(...placed));
    }
    await this.write();
    await this.db.query('DELETE FROM program_orders WHERE bet_id IS NULL AND at < $1', [now - UNPLACED_MS]);
  }

  async stop(): Promise<void> {
    this.off();
    await this.write();
    for (const heard of this.waiting.values()) for (const done of heard) done(null);
  }

  private committed({ items }: Committed): void {
    for (const { world, command, events, at, requestId } of items) {
      const planned = requestId === undefined ? undefined : this.planned.get(requestId);
      const { first } = (planned && betIdsOf(command)) ?? { first: 0 };
      // What was refused has no bet, and its number is another's.
      if (planned && events.some((event) => event.type === 'bet' && event.bet.betId === first)) {
        this.refs.set(first, planned);
        this.planned.delete(requestId!);
        if (planned.order !== undefined || planned.strategy !== undefined) this.later(requestId!, first);
      } else if (!planned && requestId?.startsWith(REQUEST)) {
        const placed = betIdsOf(command);
        if (placed) this.elsewhere.set(placed.first, requestId);
      }
      for (const event of events) {
        if (event.type === 'fill')
          for (const betId of [event.backBetId, event.layBetId]) if (betId > 0) this.matched.set(betId, at);
        if (event.type === 'market' && event.market.status === 'CLOSED')
          for (const listener of this.closings) listener(world, event.market.marketId);
        if (event.type !== 'bet' || event.bet.kind !== 'order') continue;
        const { bet } = event;
        if (bet.status !== 'PENDING') for (const done of this.waiting.get(bet.betId) ?? []) done(bet);
        if (this.listeners.size > 0) this.tell({ world, bet, refs: this.refs.get(bet.betId) ?? NONE, at });
      }
    }
  }

  private tell(change: OrderChange): void {
    for (const listener of this.listeners) listener(change);
  }

  private later(requestId: string, betId: number): void {
    this.unwritten.set(requestId, betId);
    this.writing ??= setTimeout(() => {
      this.write().catch((error: unknown) =>
        this.log.warn({ err: error }, 'bets of programs were not noted; they will be found again'),
      );
    }, WRITE_MS);
    this.writing.unref();
  }

  private async write(): Promise<void> {
    if (this.writing) clearTimeout(this.writing);
    this.writing = null;
    if (this.unwritten.size === 0) return;
    const now = this.unwritten;
    this.unwritten = new Map();
    await this.db.query(
      'UPDATE program_orders SET bet_id = d.bet FROM unnest($1::text[], $2::bigint[]) AS d (id, bet) WHERE request_id = d.id',
      [[...now.keys()], [...now.values()]],
    );
  }
}

const refsIn = ({ order_ref, strategy_ref }: Row): Refs => ({
  ...(order_ref === null ? {} : { order: order_ref }),
  ...(strategy_ref === null ? {} : { strategy: strategy_ref }),
});
