/**
 * The whole state as plain JSON and back: what a start-up reads, and what an archived market leaves behind. Sums,
 * exposures, books and queues are not stored; they are rebuilt from bets, fills and arrival numbers, so a snapshot can't
 * disagree with itself.
 */
import { TICKS, tickIndex } from '@fairgame/contract';
import type { SideCode } from './book.ts';
import { BACK, enqueue, LAY, LEVELS } from './book.ts';
import type { Conditional } from './conditional-index.ts';
import { markOf, newConditional } from './conditional-index.ts';
import { withMeaning } from './definition.ts';
import { isTurning, recount } from './field-sums.ts';
import { exposureOf, rebuildSums } from './holding.ts';
import { enterLive } from './live.ts';
import type { Purse } from './purses.ts';
import { addResult, copyView, restoreRound } from './rounds.ts';
import type { Account, Fill, Market, Order, Runner, State, Work } from './state.ts';
import {
  addAccount,
  createState,
  findActive,
  linkFill,
  listMarket,
  listOrder,
  makeMarket,
  newHolding,
  newOrder,
  seqOf,
} from './state.ts';
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
  /** Absent: none. */
  stakeLimit?: number;
  wager?: { left: number; from: number; aside?: number };
  /** Absent in snapshots of logic 11 and where none was. */
  stakes?: number;
  version: number;
  toldBalance: number;
  toldExposure: number;
  /** Absent: none. */
  held?: number;
  debts?: Array<[number, Array<[number, number]>]>;
  short?: number[];
  /** Absent: none. */
  purses?: Purse[];
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
  /** Absent in snapshots of logic 1. */
  bookedBy?: number;
  runners: Array<{ def: RunnerDef; status: RunnerStatus; lastPrice: number; traded: number }>;
  quotes: QuoteRow[];
  removals: Market['removals'];
  payouts: Array<[number, number, number]> | null;
  /** Absent where logic 1 booked the result. */
  exact?: Market['exact'];
  /** Account, amount; absent: none. */
  waived?: Array<[number, number]>;
  /** Ids of the bets of each group that waits; absent: none. */
  hedges?: number[][];
  /** Runner index, level, size, arrival. */
  house: Array<[number, number, number, number]>;
  orders: OrderRow[];
  fills: FillRow[];
}

/** A market without its bets. */
type MarketHead = Omit<MarketJson, 'orders' | 'fills'>;

/** A conditional order; `at` is what a trailing stop has seen. */
type ConditionalRow = Pick<
  Conditional,
  | 'id'
  | 'kind'
  | 'side'
  | 'trigger'
  | 'price'
  | 'at'
  | 'ticks'
  | 'slip'
  | 'size'
  | 'persistence'
  | 'level'
  | 'dueAt'
  | 'link'
  | 'madeAt'
  | 'due'
> & { account: number; market: number; runner: number; order: number };

interface StateJson {
  version: 1;
  /** Absent in snapshots of logic 1: EUR and 0. */
  currency?: string;
  now?: number;
  /** Absent: no bounds. */
  houseLimits?: State['houseLimits'];
  /** Absent: none. */
  pending?: WorkJson[];
  /** The last number of a conditional order, and those whose turn has come; absent before logic 9. */
  conditionals?: { last: number; due: number[] };
  lastBetId: number;
  lastFillId: number;
  lastSeq: number;
  accounts: AccountJson[];
  markets: MarketJson[];
  /** Absent: none. */
  rounds?: RoundView[];
  results?: Array<[string, number]>;
}

/** `untold` is absent before logic 5, `parts` and `seal` before logic 7, `head` before logic 11, `field` before logic 13, `ifCovered` in it before logic 14. */
type WorkJson = Omit<Work, 'index' | 'untold' | 'field' | 'parts' | 'seal' | 'head'> &
  Partial<Pick<Work, 'field' | 'parts' | 'seal' | 'head'>> & { untold?: Array<[number, number[]]> };

export type OrderRow = ReturnType<typeof orderRow>;
export type FillRow = ReturnType<typeof fillRow>;

/**
 * A piece of a snapshot, JSON-safe. In their order: the state, its accounts, each market followed by its bets and fills, and
 * the conditional orders.
 * Opaque to everybody else.
 */
export type SnapshotPart =
  | ['state', StateHead]
  | ['accounts', AccountJson[]]
  | ['rounds', Pick<StateJson, 'rounds' | 'results'>]
  | ['market', MarketHead]
  | ['orders', OrderRow[]]
  | ['fills', FillRow[]]
  | ['conditionals', ConditionalRow[]];

type StateHead = Omit<StateJson, 'accounts' | 'markets' | 'rounds' | 'results'>;

/** At most so many rows make a piece. */
const PART_ROWS = 2000;

/** The state in pieces of bounded size. Take it between commands. */
export function* snapshotParts(state: State): Generator<SnapshotPart> {
  yield ['state', stateHead(state)];
  for (const rows of pieces(state.accounts.values(), accountRow)) yield ['accounts', rows];
  yield ['rounds', { results: resultRows(state) }];
  for (const rounds of pieces(state.rounds.values(), (round) => copyView(round.view))) yield ['rounds', { rounds }];
  for (const market of state.markets.values()) {
    yield ['market', marketHead(market)];
    for (const rows of pieces(market.orders, orderRow)) yield ['orders', rows];
    for (const rows of pieces(market.fills, fillRow)) yield ['fills', rows];
  }
  for (const rows of pieces(state.conditionals.byId.values(), conditionalRow)) yield ['conditionals', rows];
}

function* pieces<T, R>(things: Iterable<T>, row: (thing: T) => R): Generator<R[]> {
  let rows: R[] = [];
  for (const thing of things) {
    rows.push(row(thing));
    if (rows.length < PART_ROWS) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

export interface Restoring {
  /** The next piece, in their order. Throws when it does not fit what came before. */
  add(part: unknown): void;
  /** The state the snapshot was taken of, with the same hash. Throws when it is not whole. */
  done(): State;
}

/** Builds a state from the pieces of its snapshot. */
export function restoring(): Restoring {
  let state: State | null = null;
  let market: MarketJson | null = null;
  let due: readonly number[] = [];
  const whole = () => {
    if (state === null) throw new Error('not a snapshot of this version');
    return state;
  };
  const finishMarket = () => {
    if (market !== null) enterMarket(whole(), market);
    market = null;
  };
  return {
    add(given) {
      const part = given as SnapshotPart;
      switch (part[0]) {
        case 'state':
          if (state !== null) throw new Error('a snapshot of two states');
          state = restoreHead(part[1]);
          due = part[1].conditionals?.due ?? [];
          return;
        case 'accounts':
          for (const row of part[1]) readAccount(whole(), row);
          return;
        case 'rounds':
          readRounds(whole(), part[1]);
          return;
        case 'market':
          finishMarket();
          market = { ...part[1], orders: [], fills: [] };
          return;
        case 'orders':
        case 'fills':
          if (market === null) throw new Error('bets of no market');
          for (const row of part[1]) (market[part[0]] as unknown[]).push(row);
          return;
        case 'conditionals':
          finishMarket();
          for (const row of part[1]) readConditional(whole(), row);
          return;
        default:
          throw new Error('not a snapshot of this version');
      }
    },
    done() {
      finishMarket();
      for (const id of due) queueConditional(whole(), id);
      return whole();
    },
  };
}

/** The whole state at once, JSON-safe. Take it between commands. */
export function snapshot(state: State): unknown {
  return [...snapshotParts(state)];
}

/** The state a snapshot was taken of, with the same hash. Throws when it is of another version. */
export function restore(json: unknown): State {
  const state = restoring();
  for (const part of Array.isArray(json) ? json : partsOf(json as StateJson)) state.add(part);
  return state.done();
}

/** A snapshot as it was before there were pieces. */
function* partsOf(from: StateJson): Generator<SnapshotPart> {
  if (from?.version !== 1) throw new Error('not a snapshot of this version');
  const { accounts, markets, rounds = [], results = [], ...head } = from;
  yield ['state', head];
  yield ['accounts', accounts];
  yield ['rounds', { rounds, results }];
  for (const { orders, fills, ...market } of markets) {
    yield ['market', market];
    yield ['orders', orders];
    yield ['fills', fills];
  }
}

function stateHead(state: State): StateHead {
  const { currency, now, houseLimits, lastBetId, lastFillId, lastSeq, pending, conditionals } = state;
  return {
    version: 1,
    currency,
    now,
    houseLimits: { ...houseLimits },
    lastBetId,
    lastFillId,
    lastSeq,
    ...(conditionals.last > 0 && {
      conditionals: { last: conditionals.last, due: Array.from(conditionals.due, ({ id }) => id) },
    }),
    ...(pending.length > 0 && {
      pending: pending.map(({ index: _index, untold, ...work }) => structuredClone({ ...work, untold: [...untold] })),
    }),
  };
}

function resultRows(state: State): Array<[string, number]> {
  return [...state.results.values()].map(({ provider, balance }) => [provider, balance]);
}

function readRounds(state: State, { rounds = [], results = [] }: Pick<StateJson, 'rounds' | 'results'>): void {
  for (const view of rounds) restoreRound(state, view);
  for (const [provider, balance] of results) addResult(state, provider, balance);
}

function restoreHead(from: StateHead): State {
  if (from?.version !== 1) throw new Error('not a snapshot of this version');
  const state = createState({ currency: from.currency ?? 'EUR' });
  state.now = from.now ?? 0;
  if (from.houseLimits) state.houseLimits = { ...from.houseLimits };
  for (const { untold, ...work } of structuredClone(from.pending ?? []))
    state.pending.push({ parts: 0, seal: '', head: null, field: null, ...work, untold: new Map(untold), index: null });
  state.accounts.clear();
  state.lastBetId = from.lastBetId;
  state.lastFillId = from.lastFillId;
  state.lastSeq = from.lastSeq;
  state.conditionals.last = from.conditionals?.last ?? 0;
  return state;
}

function conditionalRow(c: Conditional): ConditionalRow {
  const { id, kind, side, trigger, price, ticks, slip, size, persistence, level, dueAt, link, madeAt, due } = c;
  const names = { account: c.account.id, market: c.market.id, runner: c.runner.id, order: c.order?.id ?? 0 };
  const own = { id, kind, side, trigger, price, ticks, slip, size, persistence, level, dueAt, link, madeAt, due };
  return { ...own, ...names, at: kind === 'TRAIL' ? markOf(c) : c.at };
}

function readConditional(state: State, row: ConditionalRow): void {
  const { account: accountId, market: marketId, runner: runnerId, order: betId, ...own } = row;
  const account = state.accounts.get(accountId);
  const runner = state.markets.get(marketId)?.byId.get(runnerId);
  const order = betId === 0 ? null : state.orders.get(betId);
  if (account === undefined || runner === undefined || order === undefined)
    throw new Error(`conditional order ${row.id} of the snapshot does not fit its market`);
  const code = row.side === 'BACK' ? BACK : LAY;
  state.conditionals.enter({ ...newConditional(account, runner), ...own, order, code });
}

/** Those whose turn has come stand in the order in which they were met. */
function queueConditional({ conditionals }: State, id: number): void {
  const one = conditionals.byId.get(id);
  if (one === undefined) throw new Error(`conditional order ${id} of the snapshot is missing`);
  conditionals.due.delete(one);
  conditionals.due.add(one);
}

function accountRow(a: Account): AccountJson {
  return {
    id: a.id,
    currency: a.currency,
    kind: a.kind,
    balance: a.balance,
    betBlocked: a.betBlocked,
    exposureLimit: a.exposureLimit,
    ...(a.lossFloor === null ? {} : { lossFloor: a.lossFloor }),
    ...(a.stakeLimit !== 0 && { stakeLimit: a.stakeLimit }),
    ...(a.wager && { wager: { ...a.wager } }),
    ...(a.stakes !== 0 && { stakes: a.stakes }),
    version: a.version,
    toldBalance: a.toldBalance,
    toldExposure: a.toldExposure,
    ...(a.held !== 0 && { held: a.held }),
    ...(a.debts.length > 0 && {
      debts: a.debts.map(({ marketId, holds }): [number, Array<[number, number]>] => [marketId, [...holds]]),
    }),
    ...(a.short.size > 0 && { short: [...a.short] }),
    ...(a.purses && { purses: Array.from(a.purses.values(), (purse) => ({ ...purse })) }),
  };
}

function readAccount(state: State, a: AccountJson): void {
  const account = addAccount(state, a.id, a.currency, a.kind);
  account.balance = a.balance;
  account.betBlocked = a.betBlocked;
  account.exposureLimit = a.exposureLimit;
  account.lossFloor = a.lossFloor ?? null;
  account.stakeLimit = a.stakeLimit ?? 0;
  account.wager = a.wager ? { aside: 0, ...a.wager } : null;
  account.stakes = a.stakes ?? 0;
  account.version = a.version;
  account.toldBalance = a.toldBalance;
  account.toldExposure = a.toldExposure;
  account.held = a.held ?? 0;
  account.toldHeld = account.held;
  account.debts = (a.debts ?? []).map(([marketId, holds]) => ({ marketId, debtor: account, holds: new Map(holds) }));
  account.short = new Set(a.short);
  if (a.purses) account.purses = new Map(a.purses.map((purse) => [purse.pool, { ...purse }]));
}

/** Enters a market of a snapshot with its bets, holdings and queues. */
function enterMarket(state: State, m: MarketJson): void {
  const market = restoreMarket(state, m);
  if (market === null) throw new Error(`market ${m.def.marketId} of the snapshot does not fit its accounts`);
  listMarket(state, market);
  for (const order of market.orders) {
    state.orders.set(order.id, order);
    if (order.status === 'PENDING') state.waiting.add(order);
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

export function snapshotMarket(market: Market): MarketJson {
  return { ...marketHead(market), orders: market.orders.map(orderRow), fills: market.fills.map(fillRow) };
}

export function marketHead(market: Market): MarketHead {
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
    bookedBy: market.bookedBy,
    runners: market.runners.map(({ def, status, lastPrice, traded }) => ({ def, status, lastPrice, traded })),
    quotes: [...market.quotes.values()],
    removals: market.removals,
    payouts: market.payouts && [...market.payouts].map(([id, { net, commission }]) => [id, net, commission]),
    exact: market.exact,
    waived: [...market.holdings.values()].flatMap(
      ({ account, waived }): Array<[number, number]> => (waived === 0 ? [] : [[account.id, waived]]),
    ),
    hedges: [...market.holdings.values()].flatMap(({ hedge }) => (hedge === null ? [] : [hedge.map((leg) => leg.id)])),
    house,
  };
}

/** A market built from its snapshot, not entered in the state. Null when it is none, or names an unknown account. */
export function restoreMarket(state: State, json: unknown): Market | null {
  const given = json as MarketJson | null;
  if (typeof given !== 'object' || given === null || !Array.isArray(given.orders) || !Array.isArray(given.fills))
    return null;
  const { orders: orderRows, fills: fillRows, ...head } = given;
  const market = restoreMarketHead(state, head);
  const orders = new Map<number, Order>();
  for (const row of orderRows) {
    const order = readOrder(state, market, row);
    if (order === null) return null;
    orders.set(order.id, order);
  }
  for (const row of fillRows) readFill(market, row, orders);
  for (const ids of head.hedges ?? []) {
    const legs = ids.map((id) => orders.get(id)!);
    legs[0]!.holding.hedge = legs;
  }
  rebuildSums(market);
  if (isTurning(state, market)) recount(market);
  restoreWaived(market, head);
  for (const holding of market.holdings.values()) holding.exposure = exposureOf(holding);
  return market;
}

/** What was waived, once the holdings are there. */
export function restoreWaived(market: Market, { waived = [] }: Pick<MarketJson, 'waived'>): void {
  for (const [id, amount] of waived) {
    const holding = market.holdings.get(id);
    if (holding !== undefined) holding.waived = amount;
  }
}

/** A market without its bets, not entered in the state. Throws when it is none. */
export function restoreMarketHead(state: State, head: MarketHead): Market {
  // It must not be shared with the caller.
  const from = structuredClone(head);
  const market = makeMarket(state, withMeaning({ ...from.def, runners: from.runners.map((runner) => runner.def) }));
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
  market.bookedBy = from.bookedBy ?? (from.result === null ? 0 : 1);
  market.exact = from.exact ?? null;
  market.removals = from.removals.map((one) => ({ ...one, upToBet: one.upToBet ?? Number.MAX_SAFE_INTEGER }));
  market.runners.forEach((runner, i) => {
    const { status, lastPrice, traded } = from.runners[i]!;
    runner.status = status;
    runner.lastPrice = lastPrice;
    runner.traded = traded;
  });
  findActive(market);
  for (const row of from.quotes) market.quotes.set(row.runnerId, row);
  if (from.payouts) market.payouts = new Map(from.payouts.map(([id, net, commission]) => [id, { net, commission }]));
  return market;
}

function restQueues(market: Market, arrivals: Map<Order, number>, house: MarketJson['house']): void {
  type Waiting = { seq: number; put: () => void };
  const waiting: Waiting[] = [];
  for (const [order, seq] of arrivals) {
    const put = () => {
      const { runner, code, price, remaining, holding } = order;
      order.node = enqueue(runner.book, code, tickIndex(price), remaining, holding.account.id, seq, order);
    };
    waiting.push({ seq, put });
  }
  for (const [index, level, size, seq] of house) {
    const runner = market.runners[index]!;
    const side: SideCode = level < TICKS ? BACK : LAY;
    const put = () => {
      runner.house[level] = enqueue(runner.book, side, level % TICKS, size, HOUSE, seq, null);
    };
    waiting.push({ seq, put });
  }
  waiting.sort((a, b) => a.seq - b.seq);
  for (const { put } of waiting) put();
}

export function orderRow(o: Order) {
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
    ...(o.firstPrice !== o.price && { firstPrice: o.firstPrice }),
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

export function readOrder(state: State, market: Market, row: OrderRow): Order | null {
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
  order.firstPrice = row.firstPrice ?? price;
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
  listOrder(order);
  if (order.result === 'PENDING') holding.open++;
  if (order.remaining > 0) enterLive(order);
  return order;
}

export function fillRow(f: Fill) {
  return {
    id: f.id,
    runner: f.runner.id,
    price: f.price,
    paid: f.paid,
    size: f.size,
    back: f.back === null ? 0 : f.back.id,
    lay: f.lay === null ? 0 : f.lay.id,
    // Logic 1 wrote true.
    void: f.void as Fill['void'] | true,
  };
}

export function readFill(market: Market, row: FillRow, orders: Pick<Map<number, Order>, 'get'>): Fill {
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
    void: row.void === true ? (runner.status === 'REMOVED' ? 'removed' : 'voided') : row.void,
    earlierOfBack: null,
    earlierOfLay: null,
  };
  market.fills.push(fill);
  linkFill(fill);
  return fill;
}
