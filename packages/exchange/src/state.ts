/**
 * What the core keeps in memory: accounts, markets, bets, and the small working set of the command being applied.
 *
 * Objects point at each other directly (a bet knows its account, market and holding), so that the way of a bet needs no
 * look-ups. Everything that money depends on can be rebuilt from the bets and the fills: see holding.ts and snapshot.ts.
 */

import type { Book, Pool, SideCode } from './book.ts';
import { BACK, createBook, createPool, LAY, LEVELS } from './book.ts';
import { SUMS } from './exposure.ts';
import { OrderIndex } from './order-index.ts';
import type {
  AccountId,
  BetId,
  BetResult,
  BetStatus,
  EndCode,
  Event,
  MarketDef,
  MarketId,
  MarketStatus,
  Persistence,
  QuoteRow,
  Result,
  RoundView,
  RunnerDef,
  RunnerId,
  RunnerStatus,
  Side,
} from './types.ts';
import { CASH, COMMISSION, HOUSE, ROUNDING } from './types.ts';
import type { Batch } from './work.ts';
import { newBatch, soil } from './work.ts';

/** What the state hash is summed over; `dirty` means the cached part is out of date. */
export interface Hashed {
  readonly tag: 'account' | 'market' | 'order' | 'fill' | 'round' | 'result';
  dirty: boolean;
  hashHigh: number;
  hashLow: number;
}

export interface Account extends Hashed {
  readonly tag: 'account';
  id: AccountId;
  currency: string;
  kind: 'player' | 'system';
  balance: number;
  /** Sum of the holdings' exposures. Always 0 for accounts of the site. */
  exposure: number;
  betBlocked: boolean;
  exposureLimit: number;
  /** Least available money a new risk may leave; null for none. */
  lossFloor: number | null;
  /** Version of the last wallet event, and what it said. */
  version: number;
  toldBalance: number;
  toldExposure: number;
  touched: boolean;
  holdings: Map<MarketId, Holding>;
  /** Rounds of providers' games that are in memory. */
  rounds: Set<Round>;
}

/** A player's part of a provider's round. */
export interface Round extends Hashed {
  readonly tag: 'round';
  view: RoundView;
  account: Account;
}

/** What a provider's games made: losses of players less wins. */
export interface ProviderResult extends Hashed {
  readonly tag: 'result';
  provider: string;
  balance: number;
}

/** An account's standing in one market. */
export interface Holding {
  account: Account;
  market: Market;
  /** Runner markets: four integers a runner, see exposure.ts. */
  sums: Float64Array;
  exposure: number;
  /** Exposure when the command began, for the assertion that a fill never raises it. */
  before: number;
  touched: boolean;
  /** Every bet of the account in the market, by id. */
  orders: Order[];
  /** Bets whose result is PENDING. */
  open: number;
}

export interface Order extends Hashed {
  readonly tag: 'order';
  id: BetId;
  holding: Holding;
  runner: Runner;
  side: Side;
  code: SideCode;
  price: number;
  size: number;
  matched: number;
  matchedSum: number;
  remaining: number;
  cancelled: number;
  lapsed: number;
  voided: number;
  persistence: Persistence;
  status: BetStatus;
  dueAt: number;
  placedAt: number;
  /** Fill or kill: least amount; 0 for an order that may rest. */
  minFill: number;
  endCode: EndCode | undefined;
  reason: string | undefined;
  result: BetResult;
  profit: number;
  version: number;
  /** Handle in the book; 0 when not resting. */
  node: number;
  /** What a bet on a quote fixed when it was placed; null for an order in a book. */
  terms: Terms | null;
  touched: boolean;
}

export interface Terms {
  line: number | undefined;
  box: number | undefined;
  width: number | undefined;
  win: number;
  loss: number;
}

/** One match. `back` or `lay` is null where the house stood. */
export interface Fill extends Hashed {
  readonly tag: 'fill';
  id: number;
  runner: Runner;
  /** As matched; `paid` is what counts after reductions for removed runners. */
  price: number;
  paid: number;
  size: number;
  back: Order | null;
  lay: Order | null;
  void: boolean;
}

export interface Runner {
  id: RunnerId;
  index: number;
  def: RunnerDef;
  status: RunnerStatus;
  market: Market;
  book: Book<Order>;
  /** Handle of the house's order at each level, 0 where it has none. */
  house: Int32Array;
  lastPrice: number;
  traded: number;
  /** Levels changed by this command. */
  marks: Uint8Array;
  marked: Batch<number>;
  touched: boolean;
}

export interface Removal {
  runnerId: RunnerId;
  factor: number;
  /** Fills up to this id were there when the runner was removed. */
  upTo: number;
}

/** What an account got from a result. */
export interface Payout {
  net: number;
  commission: number;
}

export interface Market extends Hashed {
  readonly tag: 'market';
  id: MarketId;
  def: MarketDef;
  /** `kind === 'book'`, kept as a flag. */
  isBook: boolean;
  status: MarketStatus;
  inPlay: boolean;
  betDelayMs: number;
  reason: string;
  minStake: number;
  maxStake: number;
  version: number;
  /** Version of the last material change; a bet that carries an older one is refused. */
  materialVersion: number;
  resultVersion: number;
  result: Result | null;
  /** LOGIC_VERSION that booked the result; 0 while there is none. */
  bookedBy: number;
  runners: Runner[];
  byId: Map<RunnerId, Runner>;
  /** Indexes of the runners that are not removed. */
  active: Int32Array;
  quotes: Map<RunnerId, QuoteRow>;
  orders: Order[];
  fills: Fill[];
  removals: Removal[];
  holdings: Map<AccountId, Holding>;
  house: Holding;
  payouts: Map<AccountId, Payout> | null;
  /** Bound of every sum in the market: size x price of its live bets, a back counted at 1000. Kept a safe integer. */
  gross: number;
  changed: boolean;
}

export interface State {
  /** Of every player's account; the core converts nothing. */
  currency: string;
  /** Time of the last command that was taken: time never runs backwards here. */
  now: number;
  accounts: Map<AccountId, Account>;
  markets: Map<MarketId, Market>;
  /** By roundKey of rounds.ts. */
  rounds: Map<string, Round>;
  /** By provider. */
  results: Map<string, ProviderResult>;
  orders: OrderIndex;
  pool: Pool<Order>;
  lastBetId: BetId;
  lastFillId: number;
  lastSeq: number;
  /** Delayed bets, soonest first; those that ended meanwhile are skipped. */
  waiting: Order[];
  /** The command at work: what it told so far, and what it touched. */
  out: Batch<Event>;
  touchedOrders: Batch<Order>;
  touchedHoldings: Batch<Holding>;
  touchedAccounts: Batch<Account>;
  touchedRunners: Batch<Runner>;
  changedMarkets: Batch<Market>;
  /** Sums of the hash; kept only after the first question for it. */
  hashing: boolean;
  dirty: Hashed[];
  hashHigh: number;
  hashLow: number;
}

/** Largest stake the core takes at all, whatever a market allows: sizes fit 31 bits, sums of size x price stay safe integers. */
export const MAX_STAKE_MINOR = 2_147_483_647;
/** Largest single transfer. */
export const MAX_TRANSFER_MINOR = 10_000_000_000_000;

const NO_SUMS = new Float64Array(0);

/** An empty state. All its accounts are of one currency, so that what one wins another loses. */
export function createState({ currency = 'EUR' }: { currency?: string } = {}): State {
  const state: State = {
    currency,
    now: 0,
    accounts: new Map(),
    markets: new Map(),
    rounds: new Map(),
    results: new Map(),
    orders: new OrderIndex(),
    pool: createPool<Order>(),
    lastBetId: 0,
    lastFillId: 0,
    lastSeq: 0,
    waiting: [],
    out: newBatch(),
    touchedOrders: newBatch(),
    touchedHoldings: newBatch(),
    touchedAccounts: newBatch(),
    touchedRunners: newBatch(),
    changedMarkets: newBatch(),
    hashing: false,
    dirty: [],
    hashHigh: 0,
    hashLow: 0,
  };
  for (const id of [HOUSE, CASH, COMMISSION, ROUNDING]) addAccount(state, id, '', 'system');
  return state;
}

export function addAccount(state: State, id: AccountId, currency: string, kind: Account['kind']): Account {
  const account: Account = {
    tag: 'account',
    dirty: false,
    hashHigh: 0,
    hashLow: 0,
    id,
    currency,
    kind,
    balance: 0,
    exposure: 0,
    betBlocked: false,
    exposureLimit: 0,
    lossFloor: null,
    version: 0,
    toldBalance: 0,
    toldExposure: 0,
    touched: false,
    holdings: new Map(),
    rounds: new Set(),
  };
  state.accounts.set(id, account);
  soil(state, account);
  return account;
}

export function newHolding(account: Account, market: Market): Holding {
  return {
    account,
    market,
    sums: market.isBook ? new Float64Array(SUMS * market.runners.length) : NO_SUMS,
    exposure: 0,
    before: 0,
    touched: false,
    orders: [],
    open: 0,
  };
}

export function newOrder(
  id: BetId,
  holding: Holding,
  runner: Runner,
  side: Side,
  price: number,
  size: number,
  persistence: Persistence,
  placedAt: number,
  minFill: number,
  terms: Terms | null,
): Order {
  return {
    tag: 'order',
    dirty: false,
    hashHigh: 0,
    hashLow: 0,
    id,
    holding,
    runner,
    side,
    code: side === 'BACK' ? BACK : LAY,
    price,
    size,
    matched: 0,
    matchedSum: 0,
    remaining: size,
    cancelled: 0,
    lapsed: 0,
    voided: 0,
    persistence,
    status: 'PENDING',
    dueAt: 0,
    placedAt,
    minFill,
    endCode: undefined,
    reason: undefined,
    result: 'PENDING',
    profit: 0,
    version: 0,
    node: 0,
    terms,
    touched: false,
  };
}

/** Arrival number of a resting order in its queue, 0 when it does not rest. */
export function seqOf(order: Order): number {
  return order.node === 0 ? 0 : order.runner.book.pool.seq[order.node]!;
}

/** Enters a holding that was made for a bet, once the bet is accepted. */
export function enterHolding(holding: Holding): void {
  holding.account.holdings.set(holding.market.id, holding);
  holding.market.holdings.set(holding.account.id, holding);
}

export function addMarket(state: State, def: MarketDef): Market {
  const market = makeMarket(state, def);
  state.markets.set(market.id, market);
  soil(state, market);
  return market;
}

/** A market that is not entered yet. */
export function makeMarket(state: State, def: MarketDef): Market {
  const market = {
    tag: 'market',
    dirty: false,
    hashHigh: 0,
    hashLow: 0,
    id: def.marketId,
    def,
    isBook: def.kind === 'book',
    status: def.status,
    inPlay: def.inPlay,
    betDelayMs: def.betDelayMs,
    reason: '',
    minStake: def.minStakeMinor,
    maxStake: def.maxStakeMinor,
    version: 1,
    materialVersion: 1,
    resultVersion: 0,
    result: null,
    bookedBy: 0,
    runners: [],
    byId: new Map(),
    active: new Int32Array(0),
    quotes: new Map(),
    orders: [],
    fills: [],
    removals: [],
    holdings: new Map(),
    house: null as unknown as Holding,
    payouts: null,
    gross: 0,
    changed: false,
  } satisfies Market as Market;
  for (const runner of def.runners) addRunner(state, market, runner);
  market.house = newHolding(state.accounts.get(HOUSE)!, market);
  return market;
}

export function addRunner(state: State, market: Market, def: RunnerDef): Runner {
  const runner: Runner = {
    id: def.runnerId,
    index: market.runners.length,
    def,
    status: 'ACTIVE',
    market,
    book: market.isBook ? createBook(state.pool) : NO_BOOK,
    house: market.isBook ? new Int32Array(LEVELS) : NO_HANDLES,
    lastPrice: 0,
    traded: 0,
    marks: market.isBook ? new Uint8Array(LEVELS) : NO_MARKS,
    marked: newBatch(),
    touched: false,
  };
  market.runners.push(runner);
  market.byId.set(runner.id, runner);
  findActive(market);
  return runner;
}

export function findActive(market: Market): void {
  market.active = Int32Array.from(market.runners.filter((r) => r.status !== 'REMOVED').map((r) => r.index));
}

/** Quoted markets have no books: these are never written. */
const NO_BOOK = createBook<Order>(createPool(1));
const NO_HANDLES = new Int32Array(0);
const NO_MARKS = new Uint8Array(0);
