/**
 * What the simulation believes about the core: plain arrays and maps, kept by rules written apart from the core's code.
 * `perform.ts` moves it by commands, `money.ts` computes exposure and settlement from scratch each time it is asked.
 */
import type {
  AccountId,
  Bet,
  BetId,
  Command,
  EndCode,
  MarketDef,
  MarketId,
  MarketSnapshot,
  MarketStatus,
  QuoteRow,
  Result,
  RoundView,
  RunnerDef,
  RunnerId,
  RunnerStatus,
  Side,
  WorkType,
} from '../../src/types.ts';
import type { ModelConditional } from './conditionals.ts';
import type { ModelRound } from './rounds.ts';

export interface Account {
  id: AccountId;
  blocked: boolean;
  exposureLimit: number;
  /**
   * Own limits on stakes, for conditional orders. `left` when it was told; by then `placed` since `from`; on games since then;
   * of it `aside` for a bet on its way.
   */
  stakeLimit: number;
  wager: { left: number; from: number; placed: number; games: number; aside: number } | null;
  /** Sum of this account's ledger entries. */
  ledger: number;
  /** Markets in which others' acts left it with less than nothing. */
  short: Set<MarketId>;
}

/** A match as it counts today: `price` after reductions, `was` as matched. Bet id 0 is the house. */
export interface Fill {
  id: number;
  runnerId: RunnerId;
  was: number;
  price: number;
  size: number;
  back: BetId;
  lay: BetId;
  /** Sides taken out: the whole match when its runner is removed, one side when the operator voids a bet. */
  gone: boolean;
  /** Gone with its runner, who may come back. */
  withRunner: boolean;
}

/** A bet as it should look from outside, with what the outside does not see. */
export interface ModelBet extends Bet {
  asked: number;
  minFill: number;
  /** Waits together with the others that have the same number, to go whole or not at all. */
  group?: number;
  width: number | undefined;
}

/** One waiting order; the queue of a market is an array in order of arrival. Bet id 0 is the house. */
export interface Waiting {
  betId: BetId;
  accountId: AccountId;
  runnerId: RunnerId;
  side: Side;
  price: number;
  size: number;
}

export interface Runner {
  id: RunnerId;
  def: RunnerDef;
  status: RunnerStatus;
}

/** The worst case as the field stands (`now`), and when any one runner may yet go (`later`). */
export interface Worst {
  now: number;
  later: number;
}

export type Change = Extract<Command, { type: 'runner.remove' | 'runner.reinstate' }>;

export interface Market {
  def: MarketDef;
  id: MarketId;
  status: MarketStatus;
  inPlay: boolean;
  betDelayMs: number;
  reason: string;
  minStake: number;
  maxStake: number;
  version: number;
  material: number;
  resultVersion: number;
  result: Result | null;
  runners: Runner[];
  queue: Waiting[];
  fills: Fill[];
  quotes: Map<RunnerId, QuoteRow>;
  /** Bets in order of id. */
  bets: ModelBet[];
  /** What the last result paid: net and commission by account. */
  paid: Map<AccountId, { net: number; commission: number }> | null;
  /** Removed runners: fills up to `lastFill` were reduced by `factor`. */
  removals: Array<{ runnerId: RunnerId; factor: number; lastFill: number; lastBet: number }>;
  /** Of what goes on over several commands: of a result that is booked or taken back account by account, who had his turn. */
  turns: {
    type: WorkType;
    had: Set<AccountId>;
    isHouseBooked: boolean;
    /** Accounts whose bets and wallets were changed by the command and may not be told yet. */
    untold: Set<AccountId>;
    /** Bets that are to lapse, and what the market is then. */
    lapses: Map<BetId, EndCode>;
    after: { status: MarketStatus; reason: string } | null;
    /** The change of the field that is still to come, and the kept lays that come down before it: bet and price. */
    change: Change | null;
    lays: Map<BetId, number>;
    /** Once it has come, the bets as they were: they still are for who had no turn. */
    before: ModelBet[];
  } | null;
  /** Of what one more removal might cost an account, as much as it had no money for. */
  waived: Map<AccountId, number>;
  /** Worst cases as last computed, each with the facts that it was computed from: exposure.ts. */
  worst: Map<AccountId, { facts: number[]; worst: Worst }>;
}

export interface World {
  accounts: Map<AccountId, Account>;
  markets: Map<MarketId, Market>;
  /** Archived markets and the core's own snapshot of each. */
  archive: Map<MarketId, { market: Market; snapshot: MarketSnapshot | null; parts: string[] }>;
  /** The parts that went so far of markets that leave memory, and the next one of those that come back. */
  leaving: Map<MarketId, string[]>;
  coming: Map<MarketId, number>;
  /** Markets with work of their own to be done, oldest first: a result is booked or taken back, bets lapse, they leave. */
  settling: Set<MarketId>;
  lastBetId: BetId;
  lastFillId: number;
  /** Conditional orders that are not over, oldest first; the ids of those whose turn has come, in their order. */
  conditionals: ModelConditional[];
  turns: number[];
  lastConditional: number;
  /** What the house and the commission account should hold. */
  site: Map<AccountId, number>;
  /** Rounds of the provider in memory, by `account/round`. */
  rounds: Map<string, ModelRound>;
  /** What was last told of each round: what the tables would have. */
  told: Map<string, RoundView>;
  /** What is held back, `market/debtor/creditor` to an amount, as it was told: check.ts looks whether it is right. */
  holds: Map<string, number>;
  /** What the provider made. */
  provider: number;
  /** What the house may lose in a market, and over an event; 0 for no bound. */
  bounds: { market: number; event: number };
  /** Exposure of each account by market, from money.ts, refreshed where a command touched. */
  exposure: Map<AccountId, Map<MarketId, number>>;
}

export function createWorld(): World {
  return {
    accounts: new Map(),
    markets: new Map(),
    archive: new Map(),
    leaving: new Map(),
    coming: new Map(),
    settling: new Set(),
    lastBetId: 0,
    lastFillId: 0,
    conditionals: [],
    turns: [],
    lastConditional: 0,
    site: new Map(),
    rounds: new Map(),
    told: new Map(),
    holds: new Map(),
    provider: 0,
    bounds: { market: 0, event: 0 },
    exposure: new Map(),
  };
}

/** A world of its own. What is only ever replaced (definitions, quotes, results, what was told) is shared. */
export function cloneWorld(world: World): World {
  return {
    ...world,
    accounts: mapped(world.accounts, (account) => ({
      ...account,
      short: new Set(account.short),
      wager: account.wager && { ...account.wager },
    })),
    markets: mapped(world.markets, cloneMarket),
    settling: new Set(world.settling),
    conditionals: copies(world.conditionals),
    turns: [...world.turns],
    archive: mapped(world.archive, ({ market, snapshot, parts }) => ({ market: cloneMarket(market), snapshot, parts })),
    leaving: mapped(world.leaving, (parts) => [...parts]),
    coming: new Map(world.coming),
    site: new Map(world.site),
    rounds: mapped(world.rounds, (round) => ({ ...round, bets: copies(round.bets) })),
    told: new Map(world.told),
    holds: new Map(world.holds),
    exposure: mapped(world.exposure, (byMarket) => new Map(byMarket)),
  };
}

function cloneTurns(turns: NonNullable<Market['turns']>): NonNullable<Market['turns']> {
  const { had, untold, lapses, lays, before } = turns;
  return {
    ...turns,
    had: new Set(had),
    untold: new Set(untold),
    lapses: new Map(lapses),
    lays: new Map(lays),
    before: copies(before),
  };
}

export function cloneMarket(market: Market): Market {
  return {
    ...market,
    runners: copies(market.runners),
    queue: copies(market.queue),
    fills: copies(market.fills),
    quotes: new Map(market.quotes),
    bets: copies(market.bets),
    paid: market.paid && new Map(market.paid),
    turns: market.turns && cloneTurns(market.turns),
    removals: copies(market.removals),
    waived: new Map(market.waived),
    worst: new Map(market.worst),
  };
}

export function mapped<K, V>(map: ReadonlyMap<K, V>, copy: (value: V) => V): Map<K, V> {
  return new Map(Array.from(map, ([key, value]) => [key, copy(value)]));
}

function copies<T extends object>(list: readonly T[]): T[] {
  return list.map((one) => ({ ...one }));
}

/** The model's complaint: an invariant of the reference and what was seen. */
export class Violation extends Error {
  readonly invariant: string;
  constructor(invariant: string, what: string) {
    super(`${invariant}: ${what}`);
    this.invariant = invariant;
  }
}

export function must(holds: boolean, invariant: string, what: () => string): asserts holds {
  if (!holds) throw new Violation(invariant, what());
}

/** A runner that came with a quote. */
export function newRunner({ runnerId }: QuoteRow): Runner {
  return { id: runnerId, def: { runnerId, name: `Row ${runnerId}` }, status: 'ACTIVE' };
}

/** Stakes of bets placed since a moment, less what was cancelled, lapsed or taken out. */
export function placedSince(markets: Iterable<Market>, accountId: AccountId, from: number): number {
  let sum = 0;
  for (const market of markets)
    for (const bet of betsOf(market, accountId))
      if (bet.accountId === accountId && bet.placedAt >= from)
        sum += bet.sizeMinor - bet.cancelledMinor - bet.lapsedMinor - bet.voidedMinor;
  return sum;
}

/** The bets of a market as an account has them: of a field that changed, as they were until its turn. */
export function betsOf({ bets, turns }: Market, accountId: AccountId): ModelBet[] {
  return turns !== null && turns.before.length > 0 && turns.untold.has(accountId) ? turns.before : bets;
}

/** All markets that ever were, those that have left memory, too; of one that comes back all of it, as it left. */
export function allMarkets({ markets, archive }: World): Market[] {
  const here = [...markets.values()].filter(({ id }) => !archive.has(id));
  return [...here, ...Array.from(archive.values(), ({ market }) => market)];
}

/** What is held back of an account's winnings. */
export function heldOf(world: World, accountId: AccountId): number {
  let sum = 0;
  for (const [key, amount] of world.holds) if (Number(key.split('/')[2]) === accountId) sum += amount;
  return sum;
}

/** For how much of what it owes others' winnings are held back. */
export function owedBy(world: World, accountId: AccountId): number {
  let sum = 0;
  for (const [key, amount] of world.holds) if (Number(key.split('/')[1]) === accountId) sum += amount;
  return sum;
}

/** Whether a result is booked or taken back; everything else was done by its command. */
export function isBooking({ type }: NonNullable<Market['turns']>): boolean {
  return type === 'market.declare' || type === 'market.undeclare';
}

/** Whether what an account has and what was told of it is the same. */
export function isTold(world: World, accountId: AccountId): boolean {
  return [...world.settling].every((id) => !world.markets.get(id)?.turns?.untold.has(accountId));
}

/** Whether an account has nothing at stake in a market: it is closed, or settling and the account on that side of its turn. */
export function isOver(market: Market, accountId: AccountId): boolean {
  if (market.turns === null || !isBooking(market.turns)) return market.status === 'CLOSED';
  return market.turns.had.has(accountId) === (market.turns.type === 'market.declare');
}

export function runnerOf(market: Market, runnerId: RunnerId): Runner | undefined {
  return market.runners.find((runner) => runner.id === runnerId);
}

export function findBet(world: World, betId: BetId): { market: Market; bet: ModelBet } | undefined {
  for (const market of world.markets.values()) {
    const bet = market.bets.find((one) => one.betId === betId);
    if (bet) return { market, bet };
  }
  return undefined;
}
