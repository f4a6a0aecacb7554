/** One subscription to markets: an image, then what is newer than what was told last, turn by turn. */
import { hash } from 'node:crypto';
import { fits, headOf, type MarketFacts, type MarketTape, type MarketWish, toMarketId } from '@fairgame/exchange-api';
import type { World } from '../../core/core.ts';
import type { ProgramMarkets } from '../markets.ts';
import { type Body, bodyOf } from './alike.ts';
import { type Follower, numberOf, type Tapes } from './tapes.ts';

export const MOST_MARKETS = 200;
/** A message of more markets is cut where the subscriber allows it. */
const SEGMENT = 20;

const NONE: ReadonlySet<number> = new Set();

/** Where messages go. `false`: the reader is behind, and what was not told comes with the next. */
export interface Outlet {
  ready(): boolean;
  /** `head`: the message but its markets, as text; `body`: those. */
  send(head: string, body?: Body): void;
  clock(): number;
  late(): boolean;
}

export class MarketFeed implements Follower {
  readonly world: World;
  /** How each message begins. */
  private readonly opening: string;
  private readonly wish: MarketWish;
  private readonly tapes: Tapes;
  private readonly outlet: Outlet;
  private readonly initialClk: string;
  /** Markets that are in the subscription and were never told. */
  private readonly fresh = new Set<number>();
  private readonly told = new Set<number>();
  /** Whoever has the same markets and wishes for the same of them is told the same. */
  private group = '';
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
    this.opening = headOf({ op: 'mcm', id }).slice(0, -1);
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
    const others = this.tapes.alike.others(this.group, () => [...changed.keys()].filter((id) => !this.told.has(id)));
    for (const marketId of others) {
      if (this.fresh.has(marketId) || this.told.size + this.fresh.size >= MOST_MARKETS) continue;
      if (fits(this.wish.filter, changed.get(marketId)!)) this.fresh.add(marketId);
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
    for (const marketId of this.found) if (this.tapes.tape(this.world, marketId)) this.told.add(marketId);
    this.regroup();
    const bodies = this.tapes.alike.of(this.group, `begin ${since}`, () =>
      this.bodies((tape) => (since === null || tape.judged > since ? null : since)),
    );
    const terms = { initialClk: this.initialClk, conflateMs, heartbeatMs };
    const kind = { ct: since === null ? 'SUB_IMAGE' : 'RESUB_DELTA' };
    if (bodies.length > 0) this.sendAll(bodies, terms, kind);
    else this.send({ ...terms, ...kind }, this.sent);
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
    const isMerged = this.wish.conflateMs > 0 && this.turns > 1;
    const fresh = this.fresh.size > 0 ? this.takeFresh() : NONE;
    const { sent } = this;
    const name = `${sent}${isMerged ? ' merged' : ''}${fresh.size > 0 ? ` ${[...fresh].join()}` : ''}`;
    const bodies = this.tapes.alike.of(this.group, name, () =>
      this.bodies((_, marketId) => (fresh.has(marketId) ? null : sent), isMerged),
    );
    this.turns = 0;
    this.sent = this.tapes.turn;
    this.sendAll(bodies, {}, {});
  }

  private takeFresh(): ReadonlySet<number> {
    const fresh = new Set([...this.fresh].filter((marketId) => this.tapes.tape(this.world, marketId)));
    this.fresh.clear();
    for (const marketId of fresh) this.told.add(marketId);
    if (fresh.size > 0) this.regroup();
    return fresh;
  }

  private regroup(): void {
    const { shared, segmented } = this.wish;
    this.group = hash('sha256', [this.world, shared, segmented, ...this.told].join(' '), 'base64url');
  }

  /** What is newer than the turn that is known of each market (null: nothing is), cut where that is allowed. */
  private bodies(known: (tape: MarketTape, marketId: number) => number | null, isMerged = false): Body[] {
    const mc: string[] = [];
    for (const marketId of this.told) {
      const tape = this.tapes.tape(this.world, marketId);
      if (!tape) continue;
      const since = known(tape, marketId);
      // A tape that was begun anew does not know what was there before.
      const isWhole = since === null || tape.born > since;
      const change =
        isWhole || tape.turn > since ? tape.since(toMarketId(marketId), isWhole ? null : since, this.wish) : null;
      if (change) mc.push(isMerged && !isWhole ? `${change.slice(0, -1)},"con":true}` : change);
    }
    const most = this.wish.segmented ? SEGMENT : Math.max(1, mc.length);
    return Array.from({ length: Math.ceil(mc.length / most) }, (_, n) => bodyOf(mc.slice(n * most, (n + 1) * most)));
  }

  private sendAll(bodies: readonly Body[], more: object, kind: object): void {
    // All parts of a message are of one time.
    const pt = this.outlet.clock();
    for (const [n, body] of bodies.entries()) {
      const place = n === 0 ? 'SEG_START' : n === bodies.length - 1 ? 'SEG_END' : 'SEG';
      const segment = bodies.length === 1 ? {} : { segmentType: place };
      this.send({ ...(n === 0 ? more : {}), ...kind, ...segment }, this.sent, body, pt);
    }
  }

  private send(message: object, turn: number, body?: Body, pt = this.outlet.clock()): void {
    this.sentAt = performance.now();
    const more = this.outlet.late() ? { status: 503, ...message } : message;
    // Most messages say nothing more, and there are many: then it is put together and not encoded.
    const head = `${this.opening},"clk":"${this.tapes.name}.${turn}","pt":${pt}`;
    this.outlet.send(Object.keys(more).length === 0 ? `${head}}` : `${head},${headOf(more).slice(1)}`, body);
  }
}
