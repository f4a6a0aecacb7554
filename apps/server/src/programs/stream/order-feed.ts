/** One subscription to the orders of an account: those that are open, then every change of one, told from its commit. */
import { hash } from 'node:crypto';
import type { Bet } from '@fairgame/exchange';
import {
  headOf,
  matchedByPrice,
  type OrderWish,
  pricesChanged,
  type Refs,
  streamOrderOf,
  toMarketId,
} from '@fairgame/exchange-api';
import type { Core } from '../../core/types.ts';
import type { ProgramMarkets } from '../markets.ts';
import type { Changed, OrderChange, ProgramOrders } from '../orders.ts';
import type { ProgramSession } from '../sessions.ts';
import type { Outlet } from './market-feed.ts';

interface OrderFeedParts {
  id: unknown;
  session: ProgramSession;
  wish: OrderWish;
  core: Pick<Core, 'read'>;
  markets: ProgramMarkets;
  orders: ProgramOrders;
  outlet: Outlet;
}

type Position = ReturnType<typeof matchedByPrice>;

export class OrderFeed {
  private readonly parts: OrderFeedParts;
  /** The last state of each bet that was not told yet. */
  private readonly waiting = new Map<number, OrderChange>();
  /** Bets of which the end was told: nothing of them comes again. */
  private readonly ended = new Set<number>();
  /** Markets of ours that are being settled, that have their result, and of which that was told. */
  private readonly settling = new Set<number>();
  private readonly closing = new Set<number>();
  private readonly closed = new Set<number>();
  /** What was told of a runner's position, by market, runner and strategy. */
  private readonly positions = new Map<string, Position>();
  private begun = false;
  private reading = false;
  /** Bets of which the references were looked for. */
  private readonly read = new Set<number>();
  /** Everything up to this command was told. */
  private told = 0;
  private readonly initialClk: string;
  private sentAt = performance.now();
  private flushing: NodeJS.Immediate | null = null;
  private readonly offs: Array<() => void>;

  constructor(parts: OrderFeedParts) {
    this.parts = parts;
    const { accountId, world } = parts.session;
    const { overall, byStrategy, strategies } = parts.wish;
    const name = JSON.stringify([world, accountId, overall, byStrategy, strategies ?? null]);
    this.initialClk = `o${hash('sha256', name, 'base64url').slice(0, 12)}`;
    const soon = () => {
      if (parts.wish.conflateMs === 0) this.flushing ??= setImmediate(() => this.flush());
    };
    this.offs = [
      parts.orders.onChange((change) => {
        if (change.bet.accountId !== accountId || change.world !== world) return;
        this.waiting.set(change.bet.betId, change);
        soon();
      }),
      parts.orders.onClosed((of, marketId) => {
        if (of !== world || !this.settling.has(marketId)) return;
        this.closing.add(marketId);
        soon();
      }),
    ];
  }

  stop(): void {
    for (const off of this.offs) off();
    if (this.flushing) clearImmediate(this.flushing);
  }

  /** The image, or what has changed since the clocks that came with it. What changes while references are read comes behind. */
  async begin(): Promise<void> {
    const { session, orders, markets, wish } = this.parts;
    const { world, accountId } = session;
    const known = () => markets.openBets(world, accountId).filter((bet) => bet.status !== 'PENDING');
    const since = () => orders.changedSince(world, accountId, this.seqOf(wish) ?? -1);
    const over = () => this.overSince(since() ?? []);
    const refs = await orders.refsOf([...known(), ...over()]);
    // As they are now, after the wait.
    const bets = known();
    const changed = since();
    this.told = orders.seq;
    const ended = over();
    const oc = changed
      ? this.changedMarkets(changed, bets, ended, refs)
      : [...new Set(bets.map((bet) => bet.marketId))].flatMap((marketId) => {
          const here = bets.filter((bet) => bet.marketId === marketId);
          const runners = [...new Set(here.map((bet) => bet.runnerId))];
          const orc = runners.flatMap((runnerId) => this.wholeRunner(marketId, runnerId, here, [], refs) ?? []);
          return orc.length === 0 ? [] : { id: toMarketId(marketId), fullImage: true, orc };
        });
    for (const bet of [...bets, ...ended]) {
      if (bet.remainingMinor === 0) this.ended.add(bet.betId);
      const change = this.waiting.get(bet.betId);
      if (change && change.bet.version <= bet.version) this.waiting.delete(bet.betId);
    }
    this.begun = true;
    const { conflateMs, heartbeatMs } = wish;
    const ct = changed ? 'RESUB_DELTA' : 'SUB_IMAGE';
    this.send({ initialClk: this.initialClk, conflateMs, heartbeatMs, ct, oc });
    this.flush();
  }

  /** The command up to which a subscriber who comes back was told; null where his clocks are of another subscription. */
  private seqOf({ initialClk, clk }: OrderWish): number | null {
    const seq = /^o(\d{1,15})$/.exec(clk ?? '')?.[1];
    return initialClk === this.initialClk && seq !== undefined ? Number(seq) : null;
  }

  /** Changed bets of which nothing is left. */
  private overSince(changed: readonly Changed[]): Bet[] {
    const { core, session, markets } = this.parts;
    return [...new Set(changed.map(({ betId }) => betId))].flatMap((betId) => {
      const bet = core.read.bet(session.world, betId);
      const told = bet && bet.status !== 'PENDING' && bet.remainingMinor === 0 ? markets.told(bet) : null;
      return told ?? [];
    });
  }

  /** The runners in which something changed, whole: so nothing has to be known of what the subscriber has of them. */
  private changedMarkets(
    changed: readonly Changed[],
    bets: readonly Bet[],
    ended: readonly Bet[],
    refs: ReadonlyMap<number, Refs>,
  ): object[] {
    const { core, session } = this.parts;
    return [...new Set(changed.map(({ marketId }) => marketId))].flatMap((marketId) => {
      const status = core.read.market(marketId, session.world)?.status;
      const id = toMarketId(marketId);
      if (status === 'SETTLING') {
        this.settling.add(marketId);
        return [];
      }
      if (status === undefined || status === 'CLOSED') {
        this.closed.add(marketId);
        return { id, closed: true };
      }
      const here = bets.filter((bet) => bet.marketId === marketId);
      const runners = new Set(changed.filter((one) => one.marketId === marketId).map(({ runnerId }) => runnerId));
      const orc = [...runners].map(
        (runnerId) => this.wholeRunner(marketId, runnerId, here, ended, refs) ?? { id: runnerId, fullImage: true },
      );
      return { id, orc };
    });
  }

  /** Null where there is nothing in it. `ended`: orders that are over and have to be told as such. */
  private wholeRunner(
    marketId: number,
    runnerId: number,
    bets: readonly Bet[],
    ended: readonly Bet[],
    refs: ReadonlyMap<number, Refs>,
  ): object | null {
    const { orders } = this.parts;
    const open = bets.filter((bet) => bet.runnerId === runnerId && bet.remainingMinor > 0);
    const over = ended.filter((bet) => bet.marketId === marketId && bet.runnerId === runnerId);
    const uo = [...open, ...over].flatMap((bet) =>
      this.orderOf(bet, refs.get(bet.betId) ?? orders.known(bet.betId) ?? {}, undefined),
    );
    const position = this.positionOf(marketId, runnerId, refs);
    return uo.length === 0 && Object.keys(position).length === 0
      ? null
      : { id: runnerId, fullImage: true, ...(uo.length > 0 ? { uo } : {}), ...position };
  }

  tick(): void {
    if (!this.begun) return;
    if (performance.now() - this.sentAt >= this.parts.wish.conflateMs) this.flush();
    if (performance.now() - this.sentAt < this.parts.wish.heartbeatMs || !this.parts.outlet.ready()) return;
    if (this.waiting.size === 0 && this.closing.size === 0) this.told = this.parts.orders.seq;
    this.send({ ct: 'HEARTBEAT' });
  }

  /** What came from another gateway has its references read first; order is kept, since nothing else is told meanwhile. */
  private flush(): void {
    this.flushing = null;
    if (
      !this.begun ||
      this.reading ||
      (this.waiting.size === 0 && this.closing.size === 0) ||
      !this.parts.outlet.ready()
    )
      return;
    const { orders } = this.parts;
    const unknown = [...this.waiting.values()].filter(
      ({ bet }) => orders.known(bet.betId) === undefined && !this.read.has(bet.betId),
    );
    if (unknown.length === 0) {
      this.tell();
      return;
    }
    this.reading = true;
    for (const { bet } of unknown) this.read.add(bet.betId);
    void orders
      .refsOf(unknown.map(({ bet }) => bet))
      .catch(() => undefined)
      .then(() => {
        this.reading = false;
        this.flush();
      });
  }

  private tell(): void {
    const { markets, orders } = this.parts;
    const changes = [...this.waiting.values()].flatMap((change) => {
      const bet = markets.told(change.bet);
      if (!bet || bet.status === 'PENDING') return [];
      return { ...change, bet, refs: orders.known(bet.betId) ?? change.refs };
    });
    this.waiting.clear();
    this.told = orders.seq;
    const touched = new Set([...changes.map(({ bet }) => bet.marketId), ...this.closing]);
    this.closing.clear();
    const oc = [...touched].flatMap((marketId) =>
      this.marketOf(
        marketId,
        changes.filter(({ bet }) => bet.marketId === marketId),
      ),
    );
    if (oc.length > 0) this.send({ oc });
  }

  private marketOf(marketId: number, changes: readonly OrderChange[]): object[] {
    const { core, session } = this.parts;
    const status = core.read.market(marketId, session.world)?.status;
    // A result says nothing of single orders, however many commands it takes.
    if (status === 'SETTLING') {
      this.settling.add(marketId);
      return [];
    }
    this.settling.delete(marketId);
    if (status === 'CLOSED') {
      if (this.closed.has(marketId)) return [];
      this.closed.add(marketId);
      return [{ id: toMarketId(marketId), closed: true }];
    }
    this.closed.delete(marketId);
    const refs = new Map(changes.map(({ bet, refs: own }) => [bet.betId, own]));
    const orc = [...new Set(changes.map(({ bet }) => bet.runnerId))].flatMap((runnerId) => {
      const here = changes.filter(({ bet }) => bet.runnerId === runnerId);
      const uo = here.flatMap(({ bet, refs: own, at }) => this.orderOf(bet, own, at));
      const position = this.positionOf(marketId, runnerId, refs);
      return uo.length === 0 && Object.keys(position).length === 0
        ? []
        : { id: runnerId, ...(uo.length > 0 ? { uo } : {}), ...position };
    });
    return orc.length === 0 ? [] : [{ id: toMarketId(marketId), orc }];
  }

  /** Nothing for a bet whose end was told, unless it was voided since, and for another strategy's. */
  private orderOf(bet: Bet, refs: Refs, at: number | undefined): object[] {
    const { wish, orders } = this.parts;
    if (wish.strategies && !(refs.strategy !== undefined && wish.strategies.includes(refs.strategy))) return [];
    if (this.ended.has(bet.betId) && bet.voidedMinor === 0) return [];
    if (bet.remainingMinor === 0) this.ended.add(bet.betId);
    const matchedAt = orders.matchedAt(bet.betId);
    return [
      streamOrderOf(bet, refs, {
        ...(matchedAt === undefined ? {} : { matchedAt }),
        ...(at === undefined ? {} : { endedAt: at }),
      }),
    ];
  }

  private positionOf(marketId: number, runnerId: number, refs: ReadonlyMap<number, Refs>): object {
    const { markets, session, wish, orders } = this.parts;
    const bets = markets
      .openBets(session.world, session.accountId, marketId)
      .filter((bet) => bet.runnerId === runnerId);
    const strategyOf = (bet: Bet) => (refs.get(bet.betId) ?? orders.known(bet.betId))?.strategy;
    const overall = wish.overall ? this.changed(`${marketId}.${runnerId}`, bets) : {};
    if (!wish.byStrategy) return overall;
    const names = [...new Set(bets.flatMap((bet) => strategyOf(bet) ?? []))].filter(
      (name) => !wish.strategies || wish.strategies.includes(name),
    );
    const smc = names.flatMap((name) => {
      const part = this.changed(
        `${marketId}.${runnerId} ${name}`,
        bets.filter((bet) => strategyOf(bet) === name),
      );
      return Object.keys(part).length === 0 ? [] : [[name, part] as const];
    });
    return { ...overall, ...(smc.length > 0 ? { smc: Object.fromEntries(smc) } : {}) };
  }

  private changed(name: string, bets: readonly Bet[]): object {
    const before = this.positions.get(name);
    const now = matchedByPrice(bets);
    this.positions.set(name, now);
    const [mb, ml] = [pricesChanged(before?.mb, now.mb), pricesChanged(before?.ml, now.ml)];
    return { ...(mb.length > 0 ? { mb } : {}), ...(ml.length > 0 ? { ml } : {}) };
  }

  private send(message: object): void {
    this.sentAt = performance.now();
    const { id, outlet } = this.parts;
    outlet.send(headOf({ op: 'ocm', id, clk: `o${this.told}`, pt: outlet.clock(), ...message }));
  }
}
