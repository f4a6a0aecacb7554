/**
 * What programs call their orders, and what becomes of them. The references are written before the bets are asked for, under
 * the key of their request, so that neither a lost answer nor a restart parts a bet from them; the bet's number is added after
 * its commit.
 */
import type { Bet, Command, Event } from '@fairgame/exchange';
import type { Refs } from '@fairgame/exchange-api';
import { betIdsOf, firstBets } from '../core/core.ts';
import type { Committed, Core, World } from '../core/types.ts';
import type { Db, Log } from '../db/db.ts';

const NONE: Refs = {};
/** How requests of programs begin. */
export const REQUEST = 'program-';
const MOST_KNOWN = 100_000;
/** Of these the older half is forgotten at once. */
const MOST_CHANGES = 100_000;
/** So long after its placing a bet may still get its references from a row that is being written. */
const FRESH_MS = 60_000;
const UNPLACED_MS = 2 * 86_400_000;
const WRITE_MS = 200;

/** That a bet changed with a command, the log's number of which is the same at every gateway. */
export interface Changed {
  seq: number;
  world: World;
  accountId: number;
  marketId: number;
  runnerId: number;
  betId: number;
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
  private readonly planned = new Recent<string, readonly Refs[]>();
  /** Bets of programs at other gateways, by the row that was written before they were asked for. */
  private readonly elsewhere = new Recent<number, string>();
  private readonly waiting = new Map<number, Set<(bet?: Bet) => void>>();
  private readonly listeners = new Set<(change: OrderChange) => void>();
  private readonly closings = new Set<(world: World, marketId: number) => void>();
  private readonly changes: Changed[] = [];
  /** The last command that was heard of, and the one from which on all changes are known. */
  seq = 0;
  private knownFrom = 0;
  private unwritten = new Map<string, number>();
  private writing: NodeJS.Timeout | null = null;
  private off: () => void = () => undefined;
  private readonly db: Db;
  private readonly core: Core;
  private readonly clock: () => number;
  private readonly log: Log;
  private readonly took: (world: World, bet: Bet, at: number) => void;

  /** `took`: hears of each bet that the house took on a line. */
  constructor(parts: {
    db: Db;
    core: Core;
    clock: () => number;
    log: Log;
    took: (world: World, bet: Bet, at: number) => void;
  }) {
    this.took = parts.took;
    this.db = parts.db;
    this.core = parts.core;
    this.clock = parts.clock;
    this.log = parts.log;
  }

  /** Hears of every commit from now on; nothing is known of the orders before. */
  follow(): void {
    this.seq = this.core.health().seq;
    this.knownFrom = this.seq;
    this.off = this.core.onCommitted((batch) => this.committed(batch));
  }

  /** What the bets of each request are called, in their order. To be waited for before they are asked for. */
  async plan(userId: number, marketId: number, requests: ReadonlyMap<string, readonly Refs[]>): Promise<void> {
    for (const [requestId, refs] of requests) this.planned.set(requestId, refs);
    const rows = [...requests].flatMap(([requestId, refs]) =>
      refs.flatMap((own, n) => (isNamed(own) ? [{ own, id: rowOf(requestId, n) }] : [])),
    );
    if (rows.length === 0) return;
    await this.db.query(
      `INSERT INTO program_orders (request_id, user_id, market_id, order_ref, strategy_ref, at)
       SELECT d.id, $1, $2, d.order_ref, d.strategy_ref, $3 FROM unnest($4::text[], $5::text[], $6::text[]) AS d (id, order_ref, strategy_ref)`,
      [
        userId,
        marketId,
        this.clock(),
        rows.map(({ id }) => id),
        rows.map(({ own }) => own.order ?? null),
        rows.map(({ own }) => own.strategy ?? null),
      ],
    );
  }

  /** An order that the house did not take: no bet of the core, and told to who streams all the same. */
  unmet(world: World, bet: Bet, refs: Refs): void {
    this.refs.set(bet.betId, refs);
    this.tell({ world, bet, refs, at: bet.placedAt });
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
        const row = this.elsewhere.get(betId);
        return row === undefined ? [] : [[row, betId] as const];
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

  /** A bet that waits for its delay, once that is over; undefined where it takes longer than `ms`. */
  decided(bet: Bet, world: World, ms: number): Promise<Bet | undefined> {
    const { betId } = bet;
    const now = this.core.read.bet(world, betId) ?? bet;
    if (now.status !== 'PENDING') return Promise.resolve(now);
    return new Promise((resolve) => {
      const done = (told?: Bet) => {
        clearTimeout(timer);
        heard.delete(done);
        if (heard.size === 0) this.waiting.delete(betId);
        resolve(told);
      };
      const heard = this.waiting.get(betId) ?? new Set();
      this.waiting.set(betId, heard.add(done));
      const timer = setTimeout(() => done(), ms);
    });
  }

  /** Of an account, behind command `seq`; null where that is too long ago for this process. */
  changedSince(world: World, accountId: number, seq: number): Changed[] | null {
    if (seq < this.knownFrom || seq > this.seq) return null;
    return this.changes.filter((one) => one.seq > seq && one.accountId === accountId && one.world === world);
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
    const asked = rows.map((row) => ({ actor: `player:${row.user_id}`, key: requestOf(row.request_id).requestId }));
    const placed = await firstBets(this.db, asked);
    for (const row of rows) {
      const { requestId, n } = requestOf(row.request_id);
      const first = placed.get(requestId);
      if (first !== undefined) this.unwritten.set(row.request_id, first + n);
    }
    await this.write();
    await this.db.query('DELETE FROM program_orders WHERE bet_id IS NULL AND at < $1', [now - UNPLACED_MS]);
  }

  async stop(): Promise<void> {
    this.off();
    await this.write();
    for (const heard of this.waiting.values()) for (const done of heard) done();
  }

  private committed({ items }: Committed): void {
    for (const { seq, world, command, events, at, requestId } of items) {
      this.seq = seq;
      if (requestId?.startsWith(REQUEST)) this.numbered(requestId, command, events);
      for (const event of events) {
        if (event.type === 'fill')
          for (const betId of [event.backBetId, event.layBetId]) if (betId > 0) this.matched.set(betId, at);
        if (event.type === 'market' && event.market.status === 'CLOSED')
          for (const listener of this.closings) listener(world, event.market.marketId);
        if (event.type !== 'bet' || (event.bet.kind === 'quote' && event.bet.line === undefined)) continue;
        const { bet } = event;
        // At once, or when its delay is over.
        if (bet.kind === 'quote' && bet.matchedMinor > 0 && bet.version <= 2 && !this.matched.has(bet.betId)) {
          this.matched.set(bet.betId, at);
          this.took(world, bet, at);
        }
        this.note(seq, world, bet);
        if (bet.status !== 'PENDING') for (const done of this.waiting.get(bet.betId) ?? []) done(bet);
        if (this.listeners.size > 0) this.tell({ world, bet, refs: this.refs.get(bet.betId) ?? NONE, at });
      }
    }
  }

  private note(seq: number, world: World, { accountId, marketId, runnerId, betId }: Bet): void {
    this.changes.push({ seq, world, accountId, marketId, runnerId, betId });
    if (this.changes.length < MOST_CHANGES) return;
    const gone = this.changes.splice(0, MOST_CHANGES / 2);
    this.knownFrom = gone.at(-1)!.seq;
  }

  /** What was refused has no bets, and their numbers are others'. */
  private numbered(requestId: string, command: Command, events: readonly Event[]): void {
    const { first, count } = betIdsOf(command) ?? { first: 0, count: 0 };
    if (count === 0 || !events.some((event) => event.type === 'bet' && event.bet.betId === first)) return;
    const planned = this.planned.get(requestId);
    this.planned.delete(requestId);
    for (let n = 0; n < count; n++) {
      const [betId, refs] = [first + n, planned?.[n]];
      if (!refs) this.elsewhere.set(betId, rowOf(requestId, n));
      else {
        this.refs.set(betId, refs);
        if (isNamed(refs)) this.later(rowOf(requestId, n), betId);
      }
    }
  }

  private tell(change: OrderChange): void {
    for (const listener of this.listeners) listener(change);
  }

  private later(row: string, betId: number): void {
    this.unwritten.set(row, betId);
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

const isNamed = ({ order, strategy }: Refs): boolean => order !== undefined || strategy !== undefined;

/** The row of a request's bet, by its place among them. */
const rowOf = (requestId: string, n: number): string => `${requestId}~${n}`;

function requestOf(row: string): { requestId: string; n: number } {
  const [requestId = '', n = '0'] = row.split('~');
  return { requestId, n: Number(n) };
}

const refsIn = ({ order_ref, strategy_ref }: Row): Refs => ({
  ...(order_ref === null ? {} : { order: order_ref }),
  ...(strategy_ref === null ? {} : { strategy: strategy_ref }),
});
