/**
 * What the core keeps in memory: accounts, markets, bets, and the small working set of the command being applied.
 *
 * Objects point at each other directly (a bet knows its account, market and holding), so that the way of a bet needs no
 * look-ups. Everything that money depends on can be rebuilt from the bets and the fills: see holding.ts and snapshot.ts.
 */

import type { Book, Pool, SideCode } from './book.ts';
import { BACK, createBook, createPool, LAY, LEVELS } from './book.ts';
import { Conditionals } from './conditional-index.ts';
import type { PlannedHold } from './debts.ts';
import { DelayLine } from './delay-line.ts';
import { SUMS } from './exposure.ts';
import type { Links, Live } from './live.ts';
import { OrderIndex } from './order-index.ts';
import type { Purse } from './purses.ts';
import type { Reductions } from './reduction.ts';
import { isReducing } from './reduction.ts';
import type { Sheet } from './sheets.ts';
import { newSheet } from './sheets.ts';
import type {
  AccountId,
  BetId,
  BetResult,
  BetStatus,
  EndCode,
  Event,
  MarketDef,
  MarketId,
  MarketSnapshot,
  MarketStatus,
  Persistence,
  QuoteRow,
  Result,
  RoundView,
  RunnerDef,
  RunnerId,
  RunnerStatus,
  Side,
  WorkType,
} from './types.ts';
import { CASH, COMMISSION, HOUSE, ROUNDING } from './types.ts';
import type { Batch } from './work.ts';
import { markDirty, newBatch } from './work.ts';
import { zeros } from './zeros.ts';

/** What the state hash is summed over; `dirty` means the cached part is out of date. */
export interface Hashed {
  readonly tag: 'account' | 'market' | 'order' | 'fill' | 'round' | 'result' | 'conditional';
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
  /** Most of one stake of a bet that the core places itself; 0 for none. */
  stakeLimit: number;
  /** What such bets may still stake, and from when on stakes count; null for no limit. `aside` was taken off for a bet on its way. */
  wager: { left: number; from: number; aside: number } | null;
  /** How many stakes were ever counted: a limit that was reckoned beside one of them is out of date. */
  stakes: number;
  /** Version of the last wallet event, and what it said. */
  version: number;
  toldBalance: number;
  toldExposure: number;
  touched: boolean;
  holdings: Map<MarketId, Holding>;
  /** Rounds of providers' games that are in memory. */
  rounds: Set<Round>;
  /** Part of the balance that is held back because others owe it (debts.ts). */
  held: number;
  toldHeld: number;
  /** What it owes, oldest first. */
  debts: Debt[];
  /** Markets in which it was left with less than nothing by what others did; empty again once it has enough. */
  short: Set<MarketId>;
  /** By the other pool; null for an account that never had money elsewhere. */
  purses: Map<string, Purse> | null;
}

/** What a short account lost in a market without money for it, and from whom as much is held back. */
export interface Debt {
  marketId: MarketId;
  debtor: Account;
  /** By account that won it. */
  holds: Map<AccountId, number>;
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
  /** Where runners win or lose: four integers an outcome, see exposure.ts. */
  sums: number[];
  /** How results change should one more runner be removed; null while nothing would. */
  shifts: Array<number[] | null> | null;
  /** Sums of the other kinds; null where `sums` suffice. */
  sheet: Sheet | null;
  /**
   * Bound of the sums; kept a safe integer. Of bets as they stand alone, what ended or was taken out is not in it: some 900
   * billion units of possible returns at a time.
   */
  gross: number;
  exposure: number;
  /**
   * Of what one more removal might cost, as much as the account had no money for when the last one came. Below 0 while a removal is
   * under way: so much more is held, which it will ask for (`holdingOn`).
   */
  waived: number;
  /** Exposure and free money when the command began. */
  before: number;
  availableBefore: number;
  touched: boolean;
  /** Every bet of the account in the market, by id. */
  orders: Order[];
  live: Live;
  /** Bets whose result is PENDING. */
  open: number;
  /** Bets that wait for their delay together and go whole or not at all (hedges.ts); they are not in the sums. */
  hedge: Order[] | null;
  /** What it is in the field that its market is about to have; null until that is reckoned, and once a bet of it changed. */
  next: Reckoned | null;
}

/** Sums of an account in a market, and what they ask for: as they are, and at most should one more runner go. */
export interface Reckoned extends Pick<Holding, 'sums' | 'shifts' | 'gross'> {
  hard: number;
  soft: number;
}

export interface Order extends Hashed, Links {
  readonly tag: 'order';
  id: BetId;
  holding: Holding;
  runner: Runner;
  side: Side;
  code: SideCode;
  price: number;
  /** As asked; a kept lay may have moved down from it since (removal.ts). */
  firstPrice: number;
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
  /** Its matches, newest first: `earlier` of each leads to the one before (field.ts). */
  lastFill: Fill | null;
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
  /** Taken out: by the removal of its runner, which may be undone, or for good. */
  void: false | 'removed' | 'voided';
  /** The match before of the bet on each side. */
  earlierOfBack: Fill | null;
  earlierOfLay: Fill | null;
}

export interface Runner {
  id: RunnerId;
  index: number;
  /** Where its bets stand in the sums: its index, or what it stands for (yes 0, no 1; odd 0, even 1; its digit). */
  outcome: number;
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
  /** Bets up to this id were there. */
  upToBet: number;
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
  /** Outcomes that may come: the indexes of the runners that are not removed, or every answer of the other kinds. */
  active: Int32Array;
  /** Whether the removal of a runner that is still there would reduce prices. */
  reducing: boolean;
  quotes: Map<RunnerId, QuoteRow>;
  orders: Order[];
  live: Live;
  fills: Fill[];
  removals: Removal[];
  /** What follows from the field; null until asked for. */
  reductions: Reductions | null;
  holdings: Map<AccountId, Holding>;
  house: Holding;
  /** book: sums of the house's ladders (house-limit.ts); null until asked for. */
  offered: number[] | null;
  payouts: Map<AccountId, Payout> | null;
  /** Exact sum of what players got, from which the house's part follows; null without a result, or where logic 1 booked it. */
  exact: { whole: number; rest: number } | null;
  changed: boolean;
}

export type WorkPhase =
  | 'lapse'
  | 'judge'
  | 'losers'
  | 'winners'
  | 'leaving'
  | 'coming'
  | 'lays'
  | 'house'
  | 'reckon'
  | 'change'
  | 'turns'
  | 'ending';

/** What a runner that leaves a field, or comes back, changes of it (field.ts). */
export interface FieldChange {
  runnerId: RunnerId;
  /** The factors from then on. */
  factors: Array<{ runnerId: RunnerId; factor: number }>;
  /** The removals that count until then, and from then on. */
  before: Removal[];
  removals: Removal[];
  /** Unmatched lays that come down to a reduced price, as they stand in the queues. */
  lays: BetId[];
  /** Of a return that no person wanted: only while it leaves nobody short. */
  ifCovered: boolean;
}

/** What a market that is SETTLING still has before it (settle.ts, slices.ts). */
export interface Work {
  type: WorkType;
  marketId: MarketId;
  phase: WorkPhase;
  /** How many accounts had their turn in this phase, in the order of `ids`; how many of `lapses` ended; how many bets and fills left. */
  at: number;
  /** judge: sum of what the accounts are booked so far. */
  booked: number;
  /** Balance of the market's clearing account. */
  clearing: number;
  /** What is to be held back of winners that had not their turn yet, fixed when all losers had theirs. */
  holds: PlannedHold[];
  /** Bets that lapse, in the order they were placed. */
  lapses: Array<[BetId, EndCode]>;
  /** What the command changed and did not tell yet, by account in the order of its turn: its bets; its wallet comes with them. */
  untold: Map<AccountId, BetId[]>;
  /** What the market is when it is no longer SETTLING; null while a result is booked or taken back. */
  after: { status: MarketStatus; reason: string } | null;
  /** Of a runner that leaves or comes back. */
  field: FieldChange | null;
  /** Of a market that leaves memory: how many parts went out, and the seal over their texts; of one that comes back: that came. */
  parts: number;
  seal: string;
  /** Of a market that comes back: what it left beside its parts. */
  head: MarketSnapshot | null;
  /** What follows from the rest; null until asked for. */
  index: WorkIndex | null;
}

export interface WorkIndex {
  /** The accounts of the market, smallest first. */
  ids: Float64Array;
  /** Of a result. */
  holdsByCreditor: Map<AccountId, PlannedHold[]> | null;
  /** Of a result: those of whose losses in the market something is held back. */
  debtors: Account[] | null;
  /** Of a field that changes (field.ts). */
  fields: Fields | null;
}

/** What a market is in the field that it leaves, and in the one that it goes over to, as far as sums ask for it. */
export interface Fields {
  before: Market;
  after: Market;
  /** How many of its matches, or takes, are in the house's sums of the field to come. */
  house: number;
  /** Texts that many bets share, by price and what is paid. */
  reasons: Map<number, string>;
}

export interface State {
  /** Of every player's account; the core converts nothing. */
  currency: string;
  /** Time of the last command that was taken: time never runs backwards here. */
  now: number;
  accounts: Map<AccountId, Account>;
  markets: Map<MarketId, Market>;
  /** The markets in memory by event. */
  events: Map<number, Set<Market>>;
  /** What the house may lose at worst; 0 for no bound (house-limit.ts). */
  houseLimits: { marketMinor: number; eventMinor: number };
  /** By roundKey of rounds.ts. */
  rounds: Map<string, Round>;
  /** By provider. */
  results: Map<string, ProviderResult>;
  orders: OrderIndex;
  pool: Pool<Order>;
  lastBetId: BetId;
  lastFillId: number;
  lastSeq: number;
  waiting: DelayLine<Order>;
  /** Orders that wait for a price, a match or a time (conditionals.ts). */
  conditionals: Conditionals;
  /** Of the command at work: bets that the core places itself are numbered behind this and `lastBetId`. */
  idFloor: BetId;
  /** Work that takes more than one command, oldest first; one a market. */
  pending: Work[];
  /** Of the command at work: the work that is to tell what it changed. */
  later: Work | null;
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
/** Bets and accounts of a market up to which a result is booked within its command. */
export const SMALL_WORK = 200;
/** Largest single transfer. */
export const MAX_TRANSFER_MINOR = 10_000_000_000_000;

/** An empty state. All its accounts are of one currency, so that what one wins another loses. */
export function createState({ currency = 'EUR' }: { currency?: string } = {}): State {
  const state: State = {
    currency,
    now: 0,
    accounts: new Map(),
    markets: new Map(),
    events: new Map(),
    houseLimits: { marketMinor: 0, eventMinor: 0 },
    rounds: new Map(),
    results: new Map(),
    orders: new OrderIndex(),
    pool: createPool<Order>(),
    lastBetId: 0,
    lastFillId: 0,
    lastSeq: 0,
    waiting: new DelayLine<Order>((order) => order.status === 'PENDING'),
    conditionals: new Conditionals(),
    idFloor: 0,
    pending: [],
    later: null,
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
    stakeLimit: 0,
    wager: null,
    stakes: 0,
    version: 0,
    toldBalance: 0,
    toldExposure: 0,
    touched: false,
    holdings: new Map(),
    rounds: new Set(),
    held: 0,
    toldHeld: 0,
    debts: [],
    short: new Set(),
    purses: null,
  };
  state.accounts.set(id, account);
  markDirty(state, account);
  return account;
}

export function newHolding(account: Account, market: Market): Holding {
  return {
    account,
    market,
    sums: zeros(SUMS * outcomesOf(market)),
    shifts: null,
    sheet: newSheet(market.def),
    gross: 0,
    exposure: 0,
    waived: 0,
    before: 0,
    availableBefore: 0,
    touched: false,
    orders: [],
    live: { first: null, last: null },
    open: 0,
    hedge: null,
    next: null,
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
    firstPrice: price,
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
    lastFill: null,
    terms,
    touched: false,
    before: null,
    after: null,
    ownBefore: null,
    ownAfter: null,
  };
}

/** Enters a bet among those of its market, and of its account there: mostly one, and a list that grows takes room for seventeen. */
export function listOrder(order: Order): void {
  const { holding } = order;
  holding.market.orders.push(order);
  if (holding.orders.length === 0) holding.orders = [order];
  else holding.orders.push(order);
}

/** Puts a new match before those that its bets had. */
export function linkFill(fill: Fill): void {
  const { back, lay } = fill;
  if (back !== null) {
    fill.earlierOfBack = back.lastFill;
    back.lastFill = fill;
  }
  if (lay !== null) {
    fill.earlierOfLay = lay.lastFill;
    lay.lastFill = fill;
  }
}

/** The match of a bet before this one. */
export function earlier(order: Order, fill: Fill): Fill | null {
  return fill.back === order ? fill.earlierOfBack : fill.earlierOfLay;
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
  listMarket(state, market);
  markDirty(state, market);
  return market;
}

export function listMarket(state: State, market: Market): void {
  state.markets.set(market.id, market);
  const { eventId } = market.def;
  const others = state.events.get(eventId);
  if (others === undefined) state.events.set(eventId, new Set([market]));
  else others.add(market);
}

export function unlistMarket(state: State, market: Market): void {
  state.markets.delete(market.id);
  const others = state.events.get(market.def.eventId);
  others?.delete(market);
  if (others?.size === 0) state.events.delete(market.def.eventId);
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
    reducing: false,
    quotes: new Map(),
    orders: [],
    live: { first: null, last: null },
    fills: [],
    removals: [],
    reductions: null,
    holdings: new Map(),
    house: null as unknown as Holding,
    offered: null,
    payouts: null,
    exact: null,
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
    outcome: def.stands === undefined ? (def.digit ?? market.runners.length) : answerOf(def.stands),
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
  if (market.def.kind === 'bookmaker' && market.house !== null)
    for (const holding of [...market.holdings.values(), market.house]) grow(holding);
  return runner;
}

/** Sets what may still come, after a runner was added, removed or put back. */
export function findActive(market: Market): void {
  const { kind, placeMarket, removable } = market.def;
  if (kind !== 'book' && kind !== 'bookmaker') {
    market.active = Int32Array.from({ length: outcomesOf(market) }, (_, i) => i);
    return;
  }
  const standing = market.runners.filter((runner) => runner.status !== 'REMOVED');
  market.active = Int32Array.from(standing.map((runner) => runner.index));
  market.reducing =
    removable === true &&
    kind === 'book' &&
    standing.some((runner) => isReducing(runner.def.adjustmentFactor ?? 0, placeMarket === true));
}

/** How many outcomes the runner sums of a market have; none where a sheet counts instead. */
function outcomesOf({ def, runners }: Market): number {
  switch (def.kind) {
    case 'book':
    case 'bookmaker':
      return runners.length;
    case 'cricketCasino':
      return 10;
    case 'fancy1':
    case 'tied':
    case 'completed':
    case 'oddEven':
      return 2;
    default:
      return 0;
  }
}

function answerOf(stands: NonNullable<RunnerDef['stands']>): number {
  return stands === 'yes' || stands === 'odd' ? 0 : 1;
}

/** Room for one more runner. */
function grow(holding: Holding): void {
  const sums = zeros(SUMS * holding.market.runners.length);
  for (let i = 0; i < holding.sums.length; i++) sums[i] = holding.sums[i]!;
  holding.sums = sums;
}

/** Quoted markets have no books: these are never written. */
const NO_BOOK = createBook<Order>(createPool(1));
const NO_HANDLES = new Int32Array(0);
const NO_MARKS = new Uint8Array(0);
