/** What the markets that somebody streams look like, turn by turn, for each world; and who must hear of the turn. */
import { randomBytes } from 'node:crypto';
import { fromMarketId, type MarketFacts, MarketTape } from '@fairgame/exchange-api';
import { perWorld, type World } from '../../core/core.ts';
import type { ProgramMarkets } from '../markets.ts';
import { Alike } from './alike.ts';

const TURN_MS = 50;
/** Whoever comes back within it goes on where he was. */
const KEPT_MS = 300_000;
/** The changes of one moment come in several commits. */
const GATHER_MS = 10;

export interface Follower {
  world: World;
  /** A turn was taken; these markets are others than they were. */
  turned(changed: ReadonlyMap<number, MarketFacts>): void;
}

export class Tapes {
  /** Names this process' turns: nobody else's clocks fit. */
  readonly name = randomBytes(5).toString('hex');
  turn = 1;
  /** Of this turn. */
  readonly alike = new Alike();
  private readonly tapes = perWorld(() => new Map<number, { tape: MarketTape; usedAt: number }>());
  private readonly dirty = perWorld(() => new Set<number>());
  private readonly followers = new Set<Follower>();
  private readonly markets: ProgramMarkets;
  private readonly turned: (seconds: number) => void;
  /** The oldest change that was not told. */
  private changedAt: number | null = null;
  private timer: NodeJS.Timeout | null = null;
  private urgent: NodeJS.Immediate | null = null;
  private turnedAt = 0;
  private readonly offs: Array<() => void>;
  private readonly now: () => number;

  /** `turned`: a change was told so many seconds after it came. `now`: a steady clock, ms. */
  constructor(markets: ProgramMarkets, turned: (seconds: number) => void, now = () => performance.now()) {
    this.markets = markets;
    this.turned = turned;
    this.now = now;
    const { images } = markets.catalog;
    this.offs = [
      images.onChange(({ world, marketId, gone, urgent }) => {
        if (this.followers.size === 0 || gone) return;
        this.dirty[world].add(marketId);
        this.changedAt ??= this.now();
        if (urgent) this.urgent ??= setImmediate(() => this.take());
        else this.wake();
      }),
      images.onReload(() => {
        this.allDirty();
        this.wake();
      }),
    ];
  }

  follow(follower: Follower): () => void {
    // What happened while nobody followed was not noted.
    if (this.followers.size === 0) this.allDirty();
    this.followers.add(follower);
    return () => this.followers.delete(follower);
  }

  private allDirty(): void {
    for (const world of Object.keys(this.tapes) as World[])
      for (const id of this.tapes[world].keys()) this.dirty[world].add(id);
  }

  /** The tape of a market, as of this turn; undefined where programs do not see it. */
  tape(world: World, marketId: number): MarketTape | undefined {
    const known = this.tapes[world].get(marketId);
    if (known) {
      known.usedAt = this.now();
      return known.tape;
    }
    const [facts, book] = [this.markets.facts(marketId), this.markets.book(world, marketId)];
    if (!facts || !book) return undefined;
    const tape = new MarketTape(facts, book, this.turn);
    this.tapes[world].set(marketId, { tape, usedAt: this.now() });
    return tape;
  }

  /** Brings everything that has changed up to now: so that an image is no older than the books. */
  catchUp(): void {
    if (Object.values(this.dirty).some((one) => one.size > 0)) this.take();
  }

  stop(): void {
    for (const off of this.offs) off();
    if (this.timer) clearTimeout(this.timer);
    if (this.urgent) clearImmediate(this.urgent);
  }

  private wake(): void {
    if (this.timer) return;
    this.timer = setTimeout(() => this.take(), Math.max(GATHER_MS, this.turnedAt + TURN_MS - this.now()));
    this.timer.unref();
  }

  private take(): void {
    if (this.timer) clearTimeout(this.timer);
    if (this.urgent) clearImmediate(this.urgent);
    this.timer = null;
    this.urgent = null;
    this.turnedAt = this.now();
    this.turn++;
    this.alike.forget();
    for (const world of Object.keys(this.dirty) as World[]) {
      const changed = new Map<number, MarketFacts>();
      for (const marketId of this.dirty[world]) {
        const facts = this.markets.facts(marketId);
        if (!facts) continue;
        changed.set(marketId, facts);
        const known = this.tapes[world].get(marketId);
        const book = known && this.markets.book(world, marketId);
        if (book) known.tape.take(facts, book, this.turn);
      }
      this.dirty[world].clear();
      for (const follower of this.followers) if (follower.world === world && changed.size > 0) follower.turned(changed);
    }
    if (this.changedAt !== null) this.turned((this.now() - this.changedAt) / 1000);
    this.changedAt = null;
    this.forget();
  }

  private forget(): void {
    for (const tapes of Object.values(this.tapes))
      for (const [marketId, { usedAt }] of tapes) if (this.now() - usedAt > KEPT_MS) tapes.delete(marketId);
  }
}

/** Ours of a market of a stream. */
export const numberOf = (facts: MarketFacts): number => fromMarketId(facts.marketId)!;
