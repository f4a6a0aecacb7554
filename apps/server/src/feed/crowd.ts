/**
 * Simulated players beside the simulated prices of a demonstration site, so that books, volumes and charts have life: they bet
 * by the same core as everybody, have accounts like everybody's, and nobody can sign in as one. Never on a site of real money.
 *
 * They are busy where somebody looks and hardly act elsewhere: a site that stands open for weeks does not fill its disk.
 */
import { randomBytes } from 'node:crypto';
import { CodedError, tickIndex } from '@fairgame/contract';
import type { AccountId, Command, MarketId, MarketView, RunnerId } from '@fairgame/exchange';
import type { Core, World } from '../core/types.ts';
import type { Db, Log } from '../db/db.ts';
import { type Manner, wishOf } from './crowd-player.ts';
import { chance, makeRng, pick, type Rng, uniform, weighted } from './simulated/rng.ts';

export interface CrowdOptions {
  core: Core;
  db: Pick<Db, 'query'>;
  log: Log;
  clock: () => number;
  /** How many players, over all worlds. */
  players: number;
  /** The same text and the same prices lead to the same wishes; drawn where there is none. */
  seed: string | undefined;
  isWatched: (eventId: number) => boolean;
}

/** How much likelier a book that somebody sees is chosen than another. */
const WATCHED = 40;
/** Turns a second, where somebody looks and where nobody does. */
const TURNS = { watched: 8, alone: 0.15 };
const BEAT_MS = 250;
/** Markets are looked over so often, not at every beat. */
const LOOK_MS = 2000;
/** What a player of the crowd waits for he gives up after at most so long. */
const PATIENCE_MS = 90_000;
const MOVE_MS = 60_000;
/** Answers that are out: with more the site has other things to do. */
const MOST_UNDER_WAY = 8;
const PURSE_MINOR = 5_000_000;
const POOR_MINOR = 500_000;
const MANNERS: readonly Manner[] = ['taker', 'maker', 'follower'];
const SHARES = [5, 3, 2];
/** Worlds in which there are strangers to play with. */
const WORLDS: readonly World[] = ['real', 'demo'];

interface Member {
  world: World;
  accountId: AccountId;
  manner: Manner;
}

interface Trade {
  price: number;
  at: number;
}

export class Crowd {
  private readonly options: CrowdOptions;
  private readonly r: Rng;
  private members: Member[] = [];
  /** Books that are open, how likely each is chosen, and whether anybody looks at one. */
  private markets: MarketId[] = [];
  private weights: number[] = [];
  private busy = false;
  private lookedAt = Number.NEGATIVE_INFINITY;
  /** By market, and there by world and runner: the trades of the last minute, as far as they were seen. */
  private readonly trades = new Map<MarketId, Map<string, Trade[]>>();
  private readonly underWay = new Set<Promise<unknown>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(options: CrowdOptions) {
    this.options = options;
    this.r = makeRng('crowd', options.seed ?? randomBytes(16).toString('hex'));
  }

  /** Those of an earlier start, and as many more as are wanted. They begin when all have accounts. */
  async start(): Promise<void> {
    const { core, db, players } = this.options;
    const worlds = WORLDS.filter((world) => core.read.worlds().includes(world));
    for (const [at, world] of worlds.entries()) {
      const wanted = Math.floor((players + at) / worlds.length);
      const rows = await db.query<{ id: number }>(
        'SELECT account_id AS id FROM crowd WHERE world = $1 ORDER BY account_id LIMIT $2',
        [world, wanted],
      );
      const ids = rows.map(({ id }) => id).filter((id) => core.read.worldOf(id) === world);
      ids.push(...(await this.newcomers(world, wanted - ids.length)));
      for (const accountId of ids) this.members.push({ world, accountId, manner: MANNERS[weighted(this.r, SHARES)]! });
    }
    this.timer = setInterval(() => this.beat(), BEAT_MS);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.members = [];
    await Promise.all(this.underWay);
  }

  /** Accounts are written down after they are open: a crash in between leaves empty ones that nobody has. */
  private async newcomers(world: World, count: number): Promise<AccountId[]> {
    const { core, db } = this.options;
    if (count <= 0) return [];
    const currency = core.read.currencyOf(world);
    const ids = Array.from({ length: count }, () => core.nextId());
    const answers = await core.submitAll(
      ids.map((accountId) => ({
        world,
        actor: 'crowd',
        command: { type: 'account.open', accountId, currency, kind: 'player' },
      })),
    );
    const refusal = answers.find((answer) => answer instanceof Error);
    if (refusal) throw refusal;
    await db.query('INSERT INTO crowd (world, account_id) SELECT $1, unnest($2::bigint[])', [world, ids]);
    return ids;
  }

  /** One moment of the crowd; a timer calls it. */
  beat(): void {
    if (this.members.length === 0) return;
    this.look();
    let turns = ((this.busy ? TURNS.watched : TURNS.alone) * BEAT_MS) / 1000;
    for (; turns > 0; turns--) {
      if (turns < 1 && !chance(this.r, turns)) return;
      if (this.underWay.size >= MOST_UNDER_WAY) return;
      const turn = this.turn(pick(this.r, this.members)).finally(() => this.underWay.delete(turn));
      this.underWay.add(turn);
    }
  }

  /** Which books are open, and which of them somebody sees: those are chosen by far the most. */
  private look(): void {
    const { core, clock, isWatched } = this.options;
    const now = clock();
    if (now - this.lookedAt < LOOK_MS) return;
    this.lookedAt = now;
    const views = core.read.markets().filter((view) => view.kind === 'book' && view.status === 'OPEN');
    this.markets = views.map(({ marketId }) => marketId);
    this.weights = views.map(({ eventId }) => (isWatched(eventId) ? WATCHED : 1));
    this.busy = this.weights.includes(WATCHED);
    const open = new Set(this.markets);
    for (const marketId of this.trades.keys()) if (!open.has(marketId)) this.trades.delete(marketId);
  }

  /** Gives up what waited too long, or bets. What is refused was not to be: prices move, markets close. */
  private async turn(member: Member): Promise<void> {
    const { core, clock, log } = this.options;
    const { world, accountId } = member;
    try {
      const { availableMinor } = core.read.wallet(world, accountId);
      if (availableMinor < POOR_MINOR) {
        const amountMinor = PURSE_MINOR - availableMinor;
        const text = 'Simulated player';
        await this.submit(member, { type: 'account.transfer', accountId, amountMinor, reason: 'deposit', text });
      }
      const waiting = core.read.openBets(world, accountId).filter((bet) => bet.remainingMinor > 0 && bet.dueAt === 0);
      const old = waiting.find((bet) => clock() - bet.placedAt > PATIENCE_MS * uniform(this.r));
      if (old) await this.submit(member, { type: 'order.cancel', accountId, betId: old.betId });
      else if (waiting.length < 3) await this.bet(member);
    } catch (error) {
      if (!(error instanceof CodedError)) log.warn({ err: error, accountId }, 'a player of the crowd could not act');
    }
  }

  private async bet(member: Member): Promise<void> {
    if (this.markets.length === 0) return;
    const { core } = this.options;
    const { world, accountId, manner } = member;
    const marketId = this.markets[weighted(this.r, this.weights)]!;
    const market = core.read.market(marketId, world);
    const runner = market && this.runnerOf(world, market);
    if (!runner || market.status !== 'OPEN') return;
    const { back, lay, lastPrice } = core.read.depth(world, marketId, runner, 1);
    const moved = this.movedBy(world, marketId, runner, lastPrice);
    const { availableMinor } = core.read.wallet(world, accountId);
    const { minStakeMinor, maxStakeMinor } = market;
    const wish = wishOf(this.r, manner, { back, lay, moved, minStakeMinor, maxStakeMinor, availableMinor });
    if (wish)
      await this.submit(member, { type: 'order.place', betId: 0, accountId, marketId, runnerId: runner, ...wish });
  }

  /** Favourites draw most of the bets, as they do. */
  private runnerOf(world: World, market: MarketView): RunnerId | null {
    const active = market.runners.filter(({ status }) => status === 'ACTIVE');
    if (active.length === 0) return null;
    const weights = active.map(({ runnerId }) => {
      const best = this.options.core.read.depth(world, market.marketId, runnerId, 1).back[0]?.[0];
      return best === undefined ? 0.001 : 100 / best;
    });
    return active[weighted(this.r, weights)]!.runnerId;
  }

  /** Ticks between the last trade and the one of a minute ago; what was traded is remembered as it is looked at. */
  private movedBy(world: World, marketId: MarketId, runnerId: RunnerId, lastPrice: number): number {
    if (lastPrice === 0) return 0;
    const now = this.options.clock();
    const ofMarket = this.trades.get(marketId) ?? new Map<string, Trade[]>();
    this.trades.set(marketId, ofMarket);
    const key = `${world} ${runnerId}`;
    const seen = (ofMarket.get(key) ?? []).filter(({ at }) => now - at < MOVE_MS);
    if (seen.at(-1)?.price !== lastPrice) seen.push({ price: lastPrice, at: now });
    ofMarket.set(key, seen.slice(-20));
    return tickIndex(lastPrice) - tickIndex(seen[0]!.price);
  }

  private submit({ world }: Member, command: Command): Promise<unknown> {
    const expiresAt = performance.now() + BEAT_MS * 4;
    return this.options.core.submit({ world, actor: 'crowd', command, expiresAt });
  }
}
