/**
 * The whole state as plain JSON and back: what a start-up reads, and what an archived market leaves behind. Sums,
 * exposures, books and queues are not stored; they are rebuilt from bets, fills and arrival numbers, so a snapshot can't
 * disagree with itself.
 */
import { TICKS, tickIndex } from '@fairgame/contract';
import type { SideCode } from './book.ts';
import { BACK, LAY, LEVELS, rest } from './book.ts';
import { forget } from './hash.ts';
import { exposureOf, grossTotal, rebuildSums } from './holding.ts';
import { lineUp } from './orders.ts';
import { addResult, copyView, restoreRound } from './rounds.ts';
import type { Account, Fill, Market, Order, Runner, State } from './state.ts';
import { addAccount, createState, findActive, makeMarket, newHolding, newOrder, seqOf } from './state.ts';
import type {
  BetResult,
  BetStatus,
  EndCode,
  MarketDef,
  MarketStatus,
  QuoteRow,
  Result,
  RoundView,
  RunnerDef,
  RunnerStatus,
} from './types.ts';
import { HOUSE } from './types.ts';

interface AccountJson {
  id: number;
  currency: string;
  kind: Account['kind'];
  balance: number;
  betBlocked: boolean;
  exposureLimit: number;
  /** Absent: none. */
  lossFloor?: number;
  version: number;
  toldBalance: number;
  toldExposure: number;
}

interface MarketJson {
  def: MarketDef;
  status: MarketStatus;
  inPlay: boolean;
  betDelayMs: number;
  reason: string;
  minStake: number;
  maxStake: number;
  version: number;
  materialVersion: number;
  resultVersion: number;
  result: Result | null;
  runners: Array<{ def: RunnerDef; status: RunnerStatus; lastPrice: number; traded: number }>;
  quotes: QuoteRow[];
  removals: Market['removals'];
  payouts: Array<[number, number, number]> | null;
  /** Runner index, level, size, arrival. */
  house: Array<[number, number, number, number]>;
  orders: OrderRow[];
  fills: FillRow[];
}

interface StateJson {
  version: 1;
  lastBetId: number;
  lastFillId: number;
  lastSeq: number;
  accounts: AccountJson[];
  markets: MarketJson[];
  /** Absent: none. */
  rounds?: RoundView[];
  results?: Array<[string, number]>;
}

type OrderRow = ReturnType<typeof orderRow>;
type FillRow = ReturnType<typeof fillRow>;

/** JSON-safe. Take it between commands. */
export function snapshot(state: State): unknown {
  const json: StateJson = {
    version: 1,
    lastBetId: state.lastBetId,
    lastFillId: state.lastFillId,
    lastSeq: state.lastSeq,
    accounts: [...state.accounts.values()].map((a) => ({
      id: a.id,
      currency: a.currency,
      kind: a.kind,
      balance: a.balance,
      betBlocked: a.betBlocked,
      exposureLimit: a.exposureLimit,
      ...(a.lossFloor === null ? {} : { lossFloor: a.lossFloor }),
      version: a.version,
      toldBalance: a.toldBalance,
      toldExposure: a.toldExposure,
    })),
    markets: [...state.markets.values()].map(snapshotMarket),
    rounds: [...state.rounds.values()].map((round) => copyView(round.view)),
    results: [...state.results.values()].map(({ provider, balance }) => [provider, balance]),
  };
  return json;
}

/** The state a snapshot was taken of, with the same hash. Throws when it is of another version. */
export function restore(json: unknown): State {
  const from = json as StateJson;
  if (from?.version !== 1) throw new Error('not a snapshot of this version');
  const state = createState();
  state.accounts.clear();
  for (const a of from.accounts) {
    const account = addAccount(state, a.id, a.currency, a.kind);
    account.balance = a.balance;
    account.betBlocked = a.betBlocked;
    account.exposureLimit = a.exposureLimit;
    account.lossFloor = a.lossFloor ?? null;
    account.version = a.version;
    account.toldBalance = a.toldBalance;
    account.toldExposure = a.toldExposure;
  }
  for (const m of from.markets) {
    const market = restoreMarket(state, m);
    if (market === null) throw new Error(`market ${m.def.marketId} of the snapshot does not fit its accounts`);
    state.markets.set(market.id, market);
    for (const order of market.orders) {
      state.orders.set(order.id, order);
      if (order.status === 'PENDING') lineUp(state, order);
    }
    for (const holding of market.holdings.values()) {
      holding.account.holdings.set(market.id, holding);
      holding.account.exposure += holding.exposure;
    }
    const arrivals = new Map<Order, number>();
    m.orders.forEach((row, i) => {
      if (row.status === 'EXECUTABLE') arrivals.set(market.orders[i]!, row.seq);
    });
    restQueues(market, arrivals, m.house);
  }
  for (const view of from.rounds ?? []) restoreRound(state, view);
  for (const [provider, balance] of from.results ?? []) addResult(state, provider, balance);
  state.lastBetId = from.lastBetId;
  state.lastFillId = from.lastFillId;
  state.lastSeq = from.lastSeq;
  return state;
}

export function snapshotMarket(market: Market): MarketJson {
  const house: MarketJson['house'] = [];
  for (const runner of market.runners) {
    for (let level = 0; market.isBook && level < LEVELS; level++) {
      const node = runner.house[level]!;
      if (node !== 0) house.push([runner.index, level, runner.book.pool.size[node]!, runner.book.pool.seq[node]!]);
    }
  }
  return {
    def: { ...market.def, runners: [] },
    status: market.status,
    inPlay: market.inPlay,
    betDelayMs: market.betDelayMs,
    reason: market.reason,
    minStake: market.minStake,
    maxStake: market.maxStake,
    version: market.version,
    materialVersion: market.materialVersion,
    resultVersion: market.resultVersion,
    result: market.result,
    runners: market.runners.map(({ def, status, lastPrice, traded }) => ({ def, status, lastPrice, traded })),
    quotes: [...market.quotes.values()],
    removals: market.removals,
    payouts: market.payouts && [...market.payouts].map(([id, { net, commission }]) => [id, net, commission]),
    house,
    orders: market.orders.map(orderRow),
    fills: market.fills.map(fillRow),
  };
}

/** A market built from its snapshot, not entered in the state. Null when it is none, or names an unknown account. */
export function restoreMarket(state: State, json: unknown): Market | null {
  const given = json as MarketJson | null;
  if (typeof given !== 'object' || given === null || !Array.isArray(given.orders) || !Array.isArray(given.fills))
    return null;
  // Bets and fills are read one by one; the rest is small and must not be shared with the caller.
  const { orders: orderRows, fills: fillRows, ...small } = given;
  const from = structuredClone(small);
  const market = makeMarket(state, { ...from.def, runners: from.runners.map((runner) => runner.def) });
  market.status = from.status;
  market.inPlay = from.inPlay;
  market.betDelayMs = from.betDelayMs;
  market.reason = from.reason;
  market.minStake = from.minStake;
  market.maxStake = from.maxStake;
  market.version = from.version;
  market.materialVersion = from.materialVersion;
  market.resultVersion = from.resultVersion;
  market.result = from.result;
  market.removals = from.removals;
  market.runners.forEach((runner, i) => {
    const { status, lastPrice, traded } = from.runners[i]!;
    runner.status = status;
    runner.lastPrice = lastPrice;
    runner.traded = traded;
  });
  findActive(market);
  for (const row of from.quotes) market.quotes.set(row.runnerId, row);
  if (from.payouts) market.payouts = new Map(from.payouts.map(([id, net, commission]) => [id, { net, commission }]));
  const orders = new Map<number, Order>();
  for (const row of orderRows) {
    const order = readOrder(state, market, row);
    if (order === null) return null;
    orders.set(order.id, order);
  }
  for (const row of fillRows) readFill(market, row, orders);
  market.gross = grossTotal(market);
  rebuildSums(market.house);
  for (const holding of market.holdings.values()) {
    rebuildSums(holding);
    holding.exposure = exposureOf(holding);
  }
  return market;
}

/** Takes a market out of memory with everything that hangs on it. */
export function dropMarket(state: State, market: Market): void {
  for (const order of market.orders) {
    forget(state, order);
    state.orders.delete(order.id);
  }
  for (const fill of market.fills) forget(state, fill);
  for (const holding of market.holdings.values()) holding.account.holdings.delete(market.id);
  forget(state, market);
  state.markets.delete(market.id);
}

function restQueues(market: Market, arrivals: Map<Order, number>, house: MarketJson['house']): void {
  type Waiting = { seq: number; put: () => void };
  const waiting: Waiting[] = [];
  for (const [order, seq] of arrivals) {
    const put = () => {
      const { runner, code, price, remaining, holding } = order;
      order.node = rest(runner.book, code, tickIndex(price), remaining, holding.account.id, seq, order);
    };
    waiting.push({ seq, put });
  }
  for (const [index, level, size, seq] of house) {
    const runner = market.runners[index]!;
    const side: SideCode = level < TICKS ? BACK : LAY;
    const put = () => {
      runner.house[level] = rest(runner.book, side, level % TICKS, size, HOUSE, seq, null);
    };
    waiting.push({ seq, put });
  }
  waiting.sort((a, b) => a.seq - b.seq);
  for (const { put } of waiting) put();
}

function orderRow(o: Order) {
  return {
    id: o.id,
    account: o.holding.account.id,
    runner: o.runner.id,
    side: o.side,
    price: o.price,
    size: o.size,
    matched: o.matched,
    matchedSum: o.matchedSum,
    remaining: o.remaining,
    cancelled: o.cancelled,
    lapsed: o.lapsed,
    voided: o.voided,
    persistence: o.persistence,
    status: o.status as BetStatus,
    dueAt: o.dueAt,
    placedAt: o.placedAt,
    minFill: o.minFill,
    endCode: (o.endCode ?? null) as EndCode | null,
    reason: o.reason ?? null,
    result: o.result as BetResult,
    profit: o.profit,
    version: o.version,
    seq: seqOf(o),
    terms: o.terms && { ...o.terms },
  };
}

function readOrder(state: State, market: Market, row: OrderRow): Order | null {
  const account = state.accounts.get(row.account);
  const runner = market.byId.get(row.runner);
  if (account === undefined || runner === undefined) return null;
  let holding = market.holdings.get(account.id);
  if (holding === undefined) {
    holding = newHolding(account, market);
    market.holdings.set(account.id, holding);
  }
  const { id, side, price, size, persistence, placedAt, minFill } = row;
  const terms = row.terms && {
    line: row.terms.line ?? undefined,
    box: row.terms.box ?? undefined,
    width: row.terms.width ?? undefined,
    win: row.terms.win,
    loss: row.terms.loss,
  };
  const order = newOrder(id, holding, runner, side, price, size, persistence, placedAt, minFill, terms);
  order.matched = row.matched;
  order.matchedSum = row.matchedSum;
  order.remaining = row.remaining;
  order.cancelled = row.cancelled;
  order.lapsed = row.lapsed;
  order.voided = row.voided;
  order.status = row.status;
  order.dueAt = row.dueAt;
  order.endCode = row.endCode ?? undefined;
  order.reason = row.reason ?? undefined;
  order.result = row.result;
  order.profit = row.profit;
  order.version = row.version;
  market.orders.push(order);
  holding.orders.push(order);
  if (order.result === 'PENDING') holding.open++;
  return order;
}

function fillRow(f: Fill) {
  return {
    id: f.id,
    runner: f.runner.id,
    price: f.price,
    paid: f.paid,
    size: f.size,
    back: f.back === null ? 0 : f.back.id,
    lay: f.lay === null ? 0 : f.lay.id,
    void: f.void,
  };
}

function readFill(market: Market, row: FillRow, orders: Map<number, Order>): void {
  const runner: Runner = market.byId.get(row.runner)!;
  const fill: Fill = {
    tag: 'fill',
    dirty: false,
    hashHigh: 0,
    hashLow: 0,
    id: row.id,
    runner,
    price: row.price,
    paid: row.paid,
    size: row.size,
    back: orders.get(row.back) ?? null,
    lay: orders.get(row.lay) ?? null,
    void: row.void,
  };
  market.fills.push(fill);
}
