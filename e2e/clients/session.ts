/**
 * The same session of 200 orders as session.py, written as another program: it knows the format from `examples/bot` alone,
 * keeps its own books, and compares them to the cent with everything the exchange says.
 */
import { deepStrictEqual as same } from 'node:assert/strict';
import {
  type CancelReport,
  cents,
  type Exchange,
  type Instruction,
  type Market,
  type PlaceReport,
  type ReplaceReport,
  type Report,
  type Side,
  Stream,
  type StreamOrder,
} from '../../examples/bot/exchange.ts';

const STRATEGY = 'ts-session';
const PATIENCE_MS = 30_000;

/** Sizes and prices in hundredths. */
interface Kept {
  runner: number;
  side: Side;
  price: number;
  size: number;
  matched: number;
  average: number;
  rest: number;
  cancelled: number;
  persistence: string;
  ref: string;
}

interface CurrentOrder {
  betId: string;
  selectionId: number;
  side: Side;
  priceSize: { price: number; size: number };
  sizeMatched: number;
  averagePriceMatched: number;
  sizeRemaining: number;
  sizeCancelled: number;
  persistenceType: string;
  customerOrderRef: string;
}
interface ClearedOrder {
  betId: string;
  sizeCancelled: number;
  profit: number;
  commission: number;
}
type Page<K extends string, T> = Record<K, T[]> & { moreAvailable: boolean };

export class Session {
  private readonly exchange: Exchange;
  private readonly kept = new Map<string, Kept>();
  private market = '';
  private runners: [number, number, number] = [0, 0, 0];
  private start = 0;
  private n = 0;
  private stream!: Stream;

  constructor(exchange: Exchange) {
    this.exchange = exchange;
  }

  async begin(user: string, password: string, eventName: string): Promise<void> {
    await this.exchange.login(user, password);
    const filter = { textQuery: eventName, marketTypeCodes: ['MATCH_ODDS'] };
    const found = await this.exchange.rpc<
      Array<{ marketId: string; event: { name: string }; runners: Array<{ selectionId: number }> }>
    >('betting', 'listMarketCatalogue', { filter, maxResults: 5, marketProjection: ['EVENT', 'RUNNER_METADATA'] });
    same(
      found.map(({ event }) => event.name),
      [eventName],
    );
    this.market = found[0]!.marketId;
    this.runners = found[0]!.runners.map(({ selectionId }) => selectionId) as typeof this.runners;
    this.start = (await this.funds()).available;
    this.stream = new Stream(this.exchange, [this.market]);
    await this.until('an image', () => this.stream.markets.has(this.market));
  }

  /** Two hundred orders: JSON-RPC, then REST, then without waiting; the connection of the stream breaks in between. */
  async trade(): Promise<void> {
    const [home, away, draw] = this.runners;
    const many = (count: number, side: Side, runner: number, price: number, size: (n: number) => number, more = {}) =>
      Array.from({ length: count }, (_, at) => this.instruction(side, runner, price, size(at), more));
    const [first, second] = await this.exchange.batch<[Report<PlaceReport>, Report<PlaceReport>]>('betting', [
      this.order(many(50, 'BACK', home, 1.9, (at) => 100 + at * 3)),
      this.order(many(40, 'LAY', home, 2.04, (at) => 200 + at)),
    ]);
    this.noteAll(first);
    this.noteAll(second);
    this.stream.drop();
    const backs = many(40, 'BACK', draw, 6, (at) => 300 + at * 7);
    const kills = many(5, 'LAY', draw, 2, () => 250, { timeInForce: 'FILL_OR_KILL' });
    const [, params] = this.order([...backs, ...kills]);
    this.noteAll(await this.exchange.rest<Report<PlaceReport>>('betting', 'placeOrders', params));
    await this.until('the stream again', () => this.stream.beginnings.length === 2);
    same(this.stream.beginnings, ['SUB_IMAGE', 'RESUB_DELTA']);
    await this.placeAsync([
      ...many(35, 'LAY', away, 3, (at) => 110 + at),
      ...many(30, 'BACK', away, 3.8, (at) => 120 + at),
    ]);
    same(this.n, 200);
    await this.change();
  }

  private async change(): Promise<void> {
    const [, away, draw] = this.runners;
    const lays = this.bets((one) => one.runner === away && one.rest > 0);
    const backs = this.bets((one) => one.runner === draw && one.rest > 0);
    const cut = lays.slice(0, 10).map((betId) => ({ betId, sizeReduction: 0.3 }));
    const gone = lays.slice(30).map((betId) => ({ betId }));
    for (const one of (await this.ask<CancelReport>('cancelOrders', [...cut, ...gone])).instructionReports)
      this.noteCancelled(one);
    for (const { instruction } of (
      await this.ask<CancelReport>(
        'updateOrders',
        backs.slice(0, 5).map((betId) => ({ betId, newPersistenceType: 'PERSIST' })),
      )
    ).instructionReports)
      this.kept.get(instruction.betId)!.persistence = 'PERSIST';
    // Ten are met where they go, ten rest there.
    const moved = backs.slice(0, 20).map((betId, at) => ({ betId, newPrice: at < 10 ? 3.4 : 5.5 }));
    for (const one of (await this.ask<ReplaceReport>('replaceOrders', moved)).instructionReports) {
      this.noteCancelled(one.cancelInstructionReport);
      const old = this.kept.get(one.cancelInstructionReport.instruction.betId)!;
      same(old.rest, 0);
      this.note(one.placeInstructionReport, old.ref);
    }
  }

  /** Orders, lists, stream, book and funds, when all is quiet. */
  async compare(): Promise<{ orders: number; traded: number }> {
    const listed = await this.pages<'currentOrders', CurrentOrder>('listCurrentOrders', 'currentOrders', {
      marketIds: [this.market],
      customerStrategyRefs: [STRATEGY],
    });
    const known = this.bets((one) => one.rest > 0 || one.matched > 0);
    same(new Map(listed.map((one) => [one.betId, keptOf(one)])), new Map(known.map((id) => [id, this.kept.get(id)!])));
    const cancelled = await this.pages<'clearedOrders', ClearedOrder>('listClearedOrders', 'clearedOrders', {
      betStatus: 'CANCELLED',
      marketIds: [this.market],
    });
    const ended = this.bets((one) => one.cancelled > 0 && one.rest === 0);
    same(
      new Map(cancelled.map((one) => [one.betId, cents(one.sizeCancelled)])),
      new Map(ended.map((id) => [id, this.kept.get(id)!.cancelled])),
    );
    await this.compareStream();
    const { available, exposure } = await this.funds();
    // What is not a whole cent is held as one.
    same(exposure, Math.floor(this.worst() / 100));
    same(available, this.start + exposure);
    return { orders: this.n, traded: this.kept.size };
  }

  private async compareStream(): Promise<void> {
    const { stream } = this;
    const open = this.bets((one) => one.rest > 0);
    const agrees = (told: StreamOrder | undefined, one: Kept) =>
      told !== undefined &&
      [cents(told.sm), cents(told.sr), cents(told.sc), told.rfo, told.status, told.pt].join() ===
        [one.matched, one.rest, one.cancelled, one.ref, 'E', one.persistence[0]].join();
    await this.until('open orders on the stream', () =>
      open.every((id) => agrees(stream.orders.get(id), this.kept.get(id)!)),
    );
    same(
      [...stream.orders.values()].filter(({ status }) => status === 'E').length,
      open.length,
      'orders of the stream that are open',
    );
    const asked = { marketIds: [this.market], priceProjection: { priceData: ['EX_ALL_OFFERS'] } };
    const [book] = await this.exchange.rest<
      Array<{ runners: Array<{ selectionId: number; ex: Record<string, Array<{ price: number; size: number }>> }> }>
    >('betting', 'listMarketBook', asked);
    const levels = (list: ReadonlyArray<readonly [number, number]>) => [...list].sort((a, b) => a[0] - b[0]);
    const wanted = book!.runners.map(({ selectionId, ex }) => [
      selectionId,
      ...[ex.availableToBack!, ex.availableToLay!].map((side) =>
        levels(side.map(({ price, size }) => [cents(price), cents(size)])),
      ),
    ]);
    const folded = (market: Market) =>
      this.runners.map((id) => {
        const { back, lay } = market.runners.get(id) ?? { back: new Map(), lay: new Map() };
        return [id, levels([...back]), levels([...lay])];
      });
    const text = JSON.stringify(wanted);
    await this.until('the book', () => JSON.stringify(folded(stream.markets.get(this.market)!)) === text);
  }

  /** After the result: each order's profit, the market's, its commission, and what is left. */
  async settled() {
    const { stream } = this;
    await this.until('the result', () => stream.markets.get(this.market)!.definition.status === 'CLOSED');
    await this.until('the end of its orders', () => stream.closed.has(this.market));
    const { definition } = stream.markets.get(this.market)!;
    const winner = definition.runners.find(({ status }) => status === 'WINNER')!.id;
    const params = { betStatus: 'SETTLED', marketIds: [this.market] };
    const rows = await this.pages<'clearedOrders', ClearedOrder>('listClearedOrders', 'clearedOrders', params);
    const matched = this.bets((one) => one.matched > 0);
    same(new Set(rows.map(({ betId }) => betId)), new Set(matched));
    for (const { betId, profit } of rows) {
      const exact = pays(this.kept.get(betId)!, winner) / 100;
      if (Math.abs(cents(profit) - exact) >= 1) throw new Error(`profit of ${betId}: ${profit}, not ${exact}`);
    }
    const profitMinor = rows.reduce((sum, { profit }) => sum + cents(profit), 0);
    // Each to within a cent, and all together to what is not a whole one.
    const exact = matched.reduce((sum, id) => sum + pays(this.kept.get(id)!, winner), 0);
    same(profitMinor, Math.floor(exact / 100));
    const [market] = await this.pages<'clearedOrders', ClearedOrder>('listClearedOrders', 'clearedOrders', {
      ...params,
      groupBy: 'MARKET',
    });
    same(cents(market!.profit), profitMinor);
    const commissionMinor = cents(market!.commission);
    same(commissionMinor, Math.round((Math.max(0, profitMinor) * definition.marketBaseRate) / 100));
    const { available, exposure } = await this.funds();
    same([available, exposure], [this.start + profitMinor - commissionMinor, 0]);
    same(await this.pages('listCurrentOrders', 'currentOrders', {}), []);
    return { bets: rows.length, profitMinor, commissionMinor, availableMinor: available };
  }

  async leave(): Promise<void> {
    let why = '';
    this.stream.onEnd = (code) => {
      why = code;
    };
    await this.exchange.logout();
    await this.until('the end of the session', () => why !== '', false);
    same(why, 'INVALID_SESSION_INFORMATION');
    this.exchange.close();
  }

  private instruction(side: Side, selectionId: number, price: number, minor: number, more: object): Instruction {
    return {
      orderType: 'LIMIT',
      selectionId,
      side,
      customerOrderRef: `ts-${++this.n}`,
      limitOrder: { size: minor / 100, price, persistenceType: 'LAPSE', ...more },
    };
  }

  private order(instructions: Instruction[]): [string, object] {
    const customerRef = instructions[0]!.customerOrderRef;
    return ['placeOrders', { marketId: this.market, instructions, customerRef, customerStrategyRef: STRATEGY }];
  }

  private async placeAsync(instructions: Instruction[]): Promise<void> {
    const [, params] = this.order(instructions);
    const asked = { ...params, async: true };
    const { instructionReports } = await this.exchange.rest<Report<PlaceReport>>('betting', 'placeOrders', asked);
    same(new Set(instructionReports.map(({ orderStatus }) => orderStatus)), new Set(['PENDING']));
    const refs = new Map(instructions.map((one) => [one.customerOrderRef!, one]));
    const mine = () => [...this.stream.orders.values()].filter(({ rfo }) => refs.has(rfo));
    await this.until('orders placed without waiting', () => mine().length === refs.size);
    for (const { id, sm, avp, status, rfo } of mine())
      this.note(
        {
          status: 'SUCCESS',
          betId: id,
          instruction: refs.get(rfo)!,
          sizeMatched: sm,
          averagePriceMatched: avp ?? 0,
          orderStatus: status === 'E' ? 'EXECUTABLE' : 'EXECUTION_COMPLETE',
        },
        rfo,
      );
  }

  private async ask<R>(operation: string, instructions: object[]): Promise<Report<R>> {
    const report = await this.exchange.rpc<Report<R>>('betting', operation, { marketId: this.market, instructions });
    same([report.status, report.instructionReports.length], ['SUCCESS', instructions.length]);
    return report;
  }

  private noteAll({ status, instructionReports }: Report<PlaceReport>): void {
    same(status, 'SUCCESS');
    for (const one of instructionReports) this.note(one, one.instruction.customerOrderRef!);
  }

  private note({ instruction, betId, sizeMatched, averagePriceMatched, orderStatus }: PlaceReport, ref: string): void {
    const { side, selectionId, limitOrder } = instruction;
    const [size, matched] = [cents(limitOrder.size), cents(sizeMatched!)];
    const expired = orderStatus === 'EXPIRED';
    this.kept.set(betId!, {
      runner: selectionId,
      side,
      price: cents(limitOrder.price),
      size,
      matched,
      average: cents(averagePriceMatched!),
      rest: expired ? 0 : size - matched,
      cancelled: expired ? size : 0,
      persistence: limitOrder.persistenceType,
      ref,
    });
    same(orderStatus, expired ? 'EXPIRED' : size > matched ? 'EXECUTABLE' : 'EXECUTION_COMPLETE');
  }

  private noteCancelled({ instruction, sizeCancelled }: CancelReport): void {
    const one = this.kept.get(instruction.betId)!;
    one.rest -= cents(sizeCancelled!);
    one.cancelled += cents(sizeCancelled!);
  }

  private bets(fits: (one: Kept) => boolean): string[] {
    return [...this.kept].filter(([, one]) => fits(one)).map(([betId]) => betId);
  }

  private async funds(): Promise<{ available: number; exposure: number }> {
    const told = await this.exchange.rest<Record<string, number>>('account', 'getAccountFunds', {});
    return { available: cents(told.availableToBetBalance!), exposure: cents(told.exposure!) };
  }

  private async pages<K extends string, T>(operation: string, key: K, params: object): Promise<T[]> {
    const rows: T[] = [];
    for (let more = true; more; ) {
      const asked = { ...params, fromRecord: rows.length, recordCount: 45 };
      const page: Page<K, T> = await this.exchange.rpc('betting', operation, asked);
      rows.push(...page[key]);
      more = page.moreAvailable;
    }
    return rows;
  }

  /** The worst result, unmatched orders counted where they would lose; in hundredths of hundredths. */
  private worst(): number {
    const all = [...this.kept.values()];
    const open = all.map((one) => ({ ...one, matched: one.rest, average: one.price }));
    const results = this.runners.map(
      (winner) =>
        all.reduce((sum, one) => sum + pays(one, winner), 0) +
        open.reduce((sum, one) => sum + Math.min(0, pays(one, winner)), 0),
    );
    return Math.min(0, ...results);
  }

  /** Looks again behind every message of the stream. */
  private until(what: string, is: () => boolean, byChange = true): Promise<void> {
    return new Promise((resolve, reject) => {
      const poll = byChange ? undefined : setInterval(() => look(), 20);
      const late = setTimeout(() => end(() => reject(new Error(`never told: ${what}`))), PATIENCE_MS);
      const end = (then: () => void) => {
        clearTimeout(late);
        clearInterval(poll);
        this.stream.onChange = () => undefined;
        then();
      };
      const look = () => {
        if (is()) end(resolve);
      };
      this.stream.onChange = look;
      look();
    });
  }
}

/** What the matched part of an order wins, in hundredths of hundredths. */
function pays({ runner, side, matched, average }: Kept, winner: number): number {
  const back = runner === winner ? matched * (average - 100) : -matched * 100;
  return side === 'BACK' ? back : -back;
}

const keptOf = (one: CurrentOrder): Kept => ({
  runner: one.selectionId,
  side: one.side,
  price: cents(one.priceSize.price),
  size: cents(one.priceSize.size),
  matched: cents(one.sizeMatched),
  average: cents(one.averagePriceMatched),
  rest: cents(one.sizeRemaining),
  cancelled: cents(one.sizeCancelled),
  persistence: one.persistenceType,
  ref: one.customerOrderRef,
});
