/**
 * A small bot, whole: it stands on both sides of one runner, a tick inside the best prices of the others, and moves with them.
 * It shows what every program needs, not how to win: limits of its own, orders that are taken back when it falls silent,
 * a stream that breaks and goes on, refusals that are no end, and an orderly goodbye.
 */
import {
  bestBack,
  bestLay,
  cents,
  type Exchange,
  type Levels,
  type PlaceReport,
  Refused,
  type Report,
  type Side,
  Stream,
  type StreamOrder,
} from './exchange.ts';

export interface Wishes {
  /** Text of the event: the first match whose name has it. */
  event: string;
  /** Hundredths: each order, and the most that may be matched more on one side than on the other. */
  stakeMinor: number;
  mostMinor: number;
  /** Stands only where there is room: so many ticks between the best prices, three at least: in fewer its own sides would meet. */
  leastTicks: number;
  say(text: string): void;
}

interface Found {
  marketId: string;
  event: { name: string };
  runners: Array<{ selectionId: number; runnerName: string }>;
}

const STRATEGY = 'example-bot';
/** Should the bot fall silent for this long, the exchange cancels what rests. */
const SWITCH_S = 30;
const BEAT_MS = 10_000;
const KEEP_ALIVE_MS = 3_600_000;
/** At most one decision in this time, however fast prices move. */
const PACE_MS = 250;

/** The steps of the price ladder, in hundredths: up to a price, by this much. */
const STEPS = [
  [200, 1],
  [300, 2],
  [400, 5],
  [600, 10],
  [1000, 20],
  [2000, 50],
  [3000, 100],
  [5000, 200],
  [10_000, 500],
  [100_000, 1000],
] as const;
const LADDER = (() => {
  const prices = [101];
  for (const [to, step] of STEPS) while (prices.at(-1)! < to) prices.push(prices.at(-1)! + step);
  return prices;
})();

export class Bot {
  private readonly exchange: Exchange;
  private readonly wishes: Wishes;
  private market = '';
  private runner = 0;
  private stream!: Stream;
  private readonly timers: NodeJS.Timeout[] = [];
  private working: Promise<void> | null = null;
  private again = false;
  private stopping = false;
  private refs = 0;
  /** Names this run: references of another one are none of ours. */
  private readonly run = Date.now().toString(36);

  constructor(exchange: Exchange, wishes: Wishes) {
    if (!(wishes.leastTicks >= 3)) throw new RangeError('three ticks at least');
    this.exchange = exchange;
    this.wishes = wishes;
  }

  /** Resolves when the market is closed, or after `stop`. Throws Refused when it may not sign in, or finds no market. */
  async live(username: string, password: string): Promise<void> {
    const { exchange, wishes } = this;
    await exchange.login(username, password);
    const found = await exchange.rest<Found[]>('betting', 'listMarketCatalogue', {
      filter: { textQuery: wishes.event, marketTypeCodes: ['MATCH_ODDS'], inPlayOnly: false },
      maxResults: 1,
      sort: 'FIRST_TO_START',
      marketProjection: ['EVENT', 'RUNNER_DESCRIPTION'],
    });
    const [market] = found;
    if (!market) throw new Refused('NO_MARKET', wishes.event);
    this.market = market.marketId;
    this.runner = market.runners[0]!.selectionId;
    wishes.say(`${market.event.name}, ${market.runners[0]!.runnerName}: ${this.market}`);
    await this.beat(SWITCH_S);
    this.every(BEAT_MS, () => this.beat(SWITCH_S));
    this.every(KEEP_ALIVE_MS, () => exchange.keepAlive());
    this.stream = new Stream(exchange, [this.market]);
    await new Promise<void>((resolve, reject) => {
      this.stream.onChange = () => {
        if (this.isOver()) resolve();
        else this.look();
      };
      this.stream.onEnd = (code) => reject(new Refused(code, 'the stream'));
      this.end = resolve;
    }).finally(() => this.tidy());
    await this.leave();
  }

  /** Takes everything back and lets `live` end. */
  stop(): void {
    this.stopping = true;
    this.end();
  }

  private end: () => void = () => undefined;

  private isOver(): boolean {
    return this.stopping || this.stream.markets.get(this.market)?.definition.status === 'CLOSED';
  }

  private tidy(): void {
    this.stopping = true;
    for (const timer of this.timers) clearInterval(timer);
    this.stream.stop();
  }

  /** What a program leaves behind: nothing that rests, no switch, no session. */
  private async leave(): Promise<void> {
    const { exchange, wishes } = this;
    await this.working;
    await exchange.rpc('betting', 'cancelOrders', { marketId: this.market });
    await this.beat(0);
    wishes.say(`backed ${this.matched('B') / 100}, laid ${this.matched('L') / 100}`);
    await exchange.logout();
    exchange.close();
  }

  private beat = (preferredTimeoutSeconds: number) =>
    this.exchange.rpc('heartbeat', 'heartbeat', { preferredTimeoutSeconds });

  /** What fails now and then is said, and tried again the next time. */
  private every(ms: number, work: () => Promise<unknown>): void {
    const run = () => void work().catch((error: unknown) => this.wishes.say(String(error)));
    this.timers.push(setInterval(run, ms));
  }

  /** One decision after the other; what changes meanwhile is looked at behind it. */
  private look(): void {
    if (this.working) {
      this.again = true;
      return;
    }
    this.again = false;
    this.working = this.act()
      .catch((error: unknown) => this.wishes.say(String(error)))
      .then(() => new Promise<void>((resolve) => setTimeout(resolve, PACE_MS)))
      .finally(() => {
        this.working = null;
        if (this.again && !this.stopping) this.look();
      });
  }

  private async act(): Promise<void> {
    const wanted = this.wanted();
    const mine = this.mine();
    const cancel: string[] = [];
    for (const side of ['BACK', 'LAY'] as const) {
      const [order, ...more] = mine.filter((one) => one.side === side[0]);
      cancel.push(...more.map(({ id }) => id));
      const price = wanted[side];
      if (order && price === undefined) cancel.push(order.id);
      else if (order && cents(order.p) !== price) await this.move(order, price!);
      else if (!order && price !== undefined) await this.place(side, price);
    }
    if (cancel.length === 0) return;
    const instructions = cancel.map((betId) => ({ betId }));
    await this.exchange.rpc('betting', 'cancelOrders', { marketId: this.market, instructions });
  }

  private mine(): StreamOrder[] {
    return [...this.stream.orders.values()].filter(({ status, rfo }) => status === 'E' && rfo.startsWith(this.run));
  }

  /** Where to stand: nowhere while betting is off, in play, where it is narrow, or where enough of the side is matched. */
  private wanted(): Partial<Record<Side, number>> {
    const { stakeMinor, mostMinor, leastTicks } = this.wishes;
    const market = this.stream.markets.get(this.market);
    const book = market?.runners.get(this.runner);
    if (!market || !book || market.definition.status !== 'OPEN' || market.definition.inPlay) return {};
    // What we offer others to back are our lays, and the other way round.
    const [back, lay] = [
      bestBack({ ...book, back: this.without(book.back, 'L') }),
      bestLay({ ...book, lay: this.without(book.lay, 'B') }),
    ];
    if (back === undefined || lay === undefined) return {};
    const [from, to] = [LADDER.indexOf(back), LADDER.indexOf(lay)];
    if (to - from < leastTicks) return {};
    const backed = this.matched('B') - this.matched('L');
    return {
      ...(backed + stakeMinor <= mostMinor ? { BACK: LADDER[to - 1]! } : {}),
      ...(stakeMinor - backed <= mostMinor ? { LAY: LADDER[from + 1]! } : {}),
    };
  }

  /** The prices of others: our own orders are in the book like anybody's. */
  private without(levels: Levels, side: 'B' | 'L'): Levels {
    const others = new Map(levels);
    for (const order of this.mine().filter((one) => one.side === side)) {
      const price = cents(order.p);
      const left = (others.get(price) ?? 0) - cents(order.sr);
      if (left > 0) others.set(price, left);
      else others.delete(price);
    }
    return others;
  }

  private matched(side: 'B' | 'L'): number {
    const position = this.stream.matched.get(`${this.market}.${this.runner}`);
    const levels = side === 'B' ? position?.back : position?.lay;
    return [...(levels?.values() ?? [])].reduce((sum, size) => sum + size, 0);
  }

  private async place(side: Side, price: number): Promise<void> {
    const customerOrderRef = `${this.run}-${++this.refs}`;
    const size = this.wishes.stakeMinor / 100;
    const report = await this.exchange.rest<Report<PlaceReport>>('betting', 'placeOrders', {
      marketId: this.market,
      // The same reference again is no second bet: a lost answer may be asked for again.
      customerRef: customerOrderRef,
      customerStrategyRef: STRATEGY,
      instructions: [
        {
          orderType: 'LIMIT',
          selectionId: this.runner,
          side,
          customerOrderRef,
          limitOrder: { size, price: price / 100, persistenceType: 'LAPSE' },
        },
      ],
    });
    const [one] = report.instructionReports;
    if (!one?.betId)
      throw new Refused(one?.errorCode ?? report.errorCode ?? report.status, `${side} at ${price / 100}`);
    this.wishes.say(`${side} ${size} at ${price / 100}: ${one.orderStatus}`);
    await this.told((order) => order.id === one.betId);
  }

  private async move(order: StreamOrder, price: number): Promise<void> {
    const instructions = [{ betId: order.id, newPrice: price / 100 }];
    const report = await this.exchange.rest<Report<{ errorCode?: string; placeInstructionReport?: PlaceReport }>>(
      'betting',
      'replaceOrders',
      { marketId: this.market, instructions },
    );
    const betId = report.instructionReports[0]?.placeInstructionReport?.betId;
    // Matched or gone in the meantime: the stream says it.
    if (!betId) return;
    this.wishes.say(`${order.side === 'B' ? 'BACK' : 'LAY'} moved to ${price / 100}`);
    await this.told((one) => one.id === betId);
  }

  /** Decides nothing before the stream has what was done: else it would be done twice. */
  private async told(is: (order: StreamOrder) => boolean): Promise<void> {
    for (let waited = 0; waited < 100 && !this.stopping; waited++) {
      if ([...this.stream.orders.values()].some(is)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
