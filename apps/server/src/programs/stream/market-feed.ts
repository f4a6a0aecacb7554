/** One subscription to markets: an image, then what is newer than what was told last, turn by turn. */
import { hash } from 'node:crypto';
import { fits, type MarketFacts, type MarketWish, toMarketId } from '@fairgame/exchange-api';
import type { World } from '../../core/core.ts';
import type { ProgramMarkets } from '../markets.ts';
import { type Follower, numberOf, type Tapes } from './tapes.ts';

export const MOST_MARKETS = 200;
/** A message of more markets is cut where the subscriber allows it. */
const SEGMENT = 20;

/** Where messages go. `false`: the reader is behind, and what was not told comes with the next. */
export interface Outlet {
  ready(): boolean;
  /** `mc`: the markets of it, as texts. */
  send(message: object, mc?: readonly string[]): void;
  clock(): number;
  late(): boolean;
}

type Ladder = Parameters<ReturnType<typeof newBest>['set']>[1];
const newBest = () => new Map<string, ReadonlyArray<readonly [number, number]>>();

export class MarketFeed implements Follower {
  readonly world: World;
  private readonly id: unknown;
  private readonly wish: MarketWish;
  private readonly tapes: Tapes;
  private readonly outlet: Outlet;
  private readonly initialClk: string;
  private readonly best = new Map<number, Map<string, Ladder>>();
  /** Markets that are in the subscription and were never told. */
  private readonly fresh = new Set<number>();
  private readonly told = new Set<number>();
  private sent: number;
  private sentAt: number;
  private turns = 0;
  private begun = false;
  private readonly found: readonly number[];
  private readonly off: () => void;

  /** Null where more markets fit than one subscription takes. */
  static open(parts: {
    id: unknown;
    world: World;
    wish: MarketWish;
    tapes: Tapes;
    markets: ProgramMarkets;
    outlet: Outlet;
  }): MarketFeed | null {
    const { wish, markets } = parts;
    // By their ids closed ones can be asked for, too.
    const named = wish.filter.marketIds
      ?.flatMap((text) => markets.idOf(text) ?? [])
      .flatMap((id) => markets.facts(id) ?? []);
    const found = (named ?? markets.open()).filter((facts) => fits(wish.filter, facts));
    return found.length > MOST_MARKETS ? null : new MarketFeed(parts, found);
  }

  private constructor(
    { id, world, wish, tapes, outlet }: { id: unknown; world: World; wish: MarketWish; tapes: Tapes; outlet: Outlet },
    found: readonly MarketFacts[],
  ) {
    this.id = id;
    this.world = world;
    this.wish = wish;
    this.tapes = tapes;
    this.outlet = outlet;
    this.initialClk = `${tapes.name}.${hash('sha256', `${world} ${wish.name}`, 'base64url').slice(0, 12)}`;
    this.off = tapes.follow(this);
    tapes.catchUp();
    this.sent = tapes.turn;
    this.sentAt = performance.now();
    this.found = found.map(numberOf);
  }

  stop(): void {
    this.off();
  }

  turned(changed: ReadonlyMap<number, MarketFacts>): void {
    // What is being subscribed to comes with its image.
    if (!this.begun) return;
    for (const [marketId, facts] of changed) {
      if (this.told.has(marketId) || this.fresh.has(marketId) || this.told.size + this.fresh.size >= MOST_MARKETS)
        continue;
      if (fits(this.wish.filter, facts)) this.fresh.add(marketId);
    }
    this.turns++;
    this.flush();
  }

  /** Every tenth of a second or so: what was held back, or a sign of life. */
  tick(): void {
    this.flush();
    if (performance.now() - this.sentAt < this.wish.heartbeatMs || !this.outlet.ready()) return;
    this.send({ ct: 'HEARTBEAT' }, this.sent);
  }

  /** The image, or what has changed since the clocks that came with the subscription. */
  begin(): void {
    this.begun = true;
    const since = this.turnOf(this.wish);
    const { conflateMs, heartbeatMs } = this.wish;
    const mc = this.found.flatMap((marketId) => {
      const tape = this.tapes.tape(this.world, marketId);
      if (!tape) return [];
      this.told.add(marketId);
      const best = newBest();
      this.best.set(marketId, best);
      // Best offers shift by place: of what was told of them before a break nothing is known.
      const isWhole = since === null || tape.born > since || tape.judged > since || this.wish.shared === null;
      return tape.since(toMarketId(marketId), isWhole ? null : since, this.wish, best) ?? [];
    });
    this.sendChanges(
      mc,
      { initialClk: this.initialClk, conflateMs, heartbeatMs },
      since === null ? 'SUB_IMAGE' : 'RESUB_DELTA',
    );
  }

  /** The turn a subscriber comes back with; null where his clocks are not of this subscription, or not of this process. */
  private turnOf({ initialClk, clk }: MarketWish): number | null {
    const [name, turn] = (clk ?? '').split('.');
    if (initialClk !== this.initialClk || name !== this.tapes.name || !/^\d{1,15}$/.test(turn ?? '')) return null;
    return Number(turn) <= this.tapes.turn ? Number(turn) : null;
  }

  private flush(): void {
    if (this.turns === 0 || !this.outlet.ready()) return;
    if (performance.now() - this.sentAt < this.wish.conflateMs) return;
    const mc: string[] = [];
    const isMerged = this.wish.conflateMs > 0 && this.turns > 1;
    for (const marketId of this.told) {
      const tape = this.tapes.tape(this.world, marketId);
      if (!tape || tape.turn <= this.sent) continue;
      const change = tape.since(toMarketId(marketId), this.sent, this.wish, this.best.get(marketId)!);
      if (change) mc.push(isMerged ? `${change.slice(0, -1)},"con":true}` : change);
    }
    for (const marketId of this.fresh) {
      const tape = this.tapes.tape(this.world, marketId);
      if (!tape) continue;
      const best = newBest();
      this.best.set(marketId, best);
      mc.push(tape.since(toMarketId(marketId), null, this.wish, best)!);
      this.told.add(marketId);
    }
    this.fresh.clear();
    this.turns = 0;
    this.sent = this.tapes.turn;
    if (mc.length > 0) this.sendChanges(mc, {}, undefined);
  }

  private sendChanges(mc: readonly string[], more: object, ct: string | undefined): void {
    const kind = ct === undefined ? {} : { ct };
    if (!this.wish.segmented || mc.length <= SEGMENT) {
      this.send({ ...more, ...kind }, this.sent, mc.length > 0 ? mc : undefined);
      return;
    }
    for (let at = 0; at < mc.length; at += SEGMENT) {
      const segmentType = at === 0 ? 'SEG_START' : at + SEGMENT >= mc.length ? 'SEG_END' : 'SEG';
      this.send({ ...(at === 0 ? more : {}), ...kind, segmentType }, this.sent, mc.slice(at, at + SEGMENT));
    }
  }

  private send(message: object, turn: number, mc?: readonly string[]): void {
    this.sentAt = performance.now();
    const status = this.outlet.late() ? { status: 503 } : {};
    const head = {
      op: 'mcm',
      id: this.id,
      clk: `${this.tapes.name}.${turn}`,
      pt: this.outlet.clock(),
      ...status,
      ...message,
    };
    this.outlet.send(head, mc);
  }
}
