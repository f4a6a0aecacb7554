/** Questions to the state. None changes it; every answer is a copy. */
import { e4ToMinor, TICKS } from '@fairgame/contract';
import { availableOf } from './available.ts';
import { conditionalView } from './conditionals-of-bets.ts';
import { owedBy } from './debts.ts';
import { copyDefinition, isYesNo } from './definition.ts';
import { LOSE, SUMS, WIN } from './exposure.ts';
import { copyRow } from './house.ts';
import { priceOf } from './orders.ts';
import { isSettling } from './pending.ts';
import { copyView, roundKey } from './rounds.ts';
import { Cards, Meter, Steps } from './sheets.ts';
import type { Holding, Market, Order, Runner, State } from './state.ts';
import { newHolding } from './state.ts';
import type {
  AccountId,
  Bet,
  BetId,
  ConditionalView,
  MarketDef,
  MarketId,
  MarketView,
  Position,
  QuoteRow,
  RoundView,
  RunnerId,
  ShortView,
  Wallet,
} from './types.ts';
import { HOUSE } from './types.ts';

/** Null for an unknown account. Accounts of the site show exposure 0. */
export function wallet(state: State, accountId: AccountId): Wallet | null {
  const account = state.accounts.get(accountId);
  if (account === undefined) return null;
  const { balance: balanceMinor, exposure: exposureMinor, held: heldMinor } = account;
  return { balanceMinor, exposureMinor, heldMinor, availableMinor: availableOf(account) };
}

/** How many stakes of the account were ever counted; 0 for an unknown one. */
export function stakesOf(state: State, accountId: AccountId): number {
  return state.accounts.get(accountId)?.stakes ?? 0;
}

/** Accounts that others' acts left with less than nothing, by id. */
export function shortsOf(state: State): ShortView[] {
  const views: ShortView[] = [];
  for (const account of state.accounts.values()) {
    if (account.kind === 'system' || availableOf(account) >= 0) continue;
    views.push({
      accountId: account.id,
      marketIds: [...account.short].sort((a, b) => a - b),
      lackingMinor: -availableOf(account),
      owedMinor: owedBy(account),
    });
  }
  return views.sort((a, b) => a.accountId - b.accountId);
}

/** An account's standing in a market, matched bets only; HOUSE has the other side of all it took. Null: unknown market. */
export function position(state: State, accountId: AccountId, marketId: MarketId): Position | null {
  const market = state.markets.get(marketId);
  if (market === undefined) return null;
  if (!market.isBook) return quotedPosition(market, accountId);
  const holding = accountId === HOUSE ? market.house : market.holdings.get(accountId);
  const base = { marketId, exposureMinor: holding?.exposure ?? 0, betCount: holding?.open ?? 0 };
  const sums = holding?.sums;
  if (sums === undefined) return { ...base, runners: standing(market).map(({ id }) => flat(id)) };
  let losing = 0;
  for (const { index } of standing(market)) losing += sums[SUMS * index + LOSE]!;
  const runners = standing(market).map(({ id, index }) => {
    const win = sums[SUMS * index + WIN]!;
    const lose = sums[SUMS * index + LOSE]!;
    const winMinor = e4ToMinor(win);
    // With several winners only the pair of win and lose has a meaning (exchange reference 10).
    const netMinor = market.def.winners === 1 ? e4ToMinor(win + losing - lose) : winMinor;
    return { runnerId: id, winMinor, loseMinor: e4ToMinor(lose), netMinor };
  });
  return { ...base, runners };
}

export function marketView(state: State, marketId: MarketId): MarketView | null {
  const market = state.markets.get(marketId);
  return market === undefined ? null : viewOf(market);
}

export interface Depth {
  /** What a backer can take, highest price first: [price, sizeMinor]. */
  back: Array<[number, number]>;
  /** What a layer can take, lowest price first. */
  lay: Array<[number, number]>;
  /** 0 before the first fill. */
  lastPrice: number;
  /** Sum of the backers' stakes. */
  tradedMinor: number;
}

/** Null for an unknown runner or a quoted market. */
export function depth(state: State, marketId: MarketId, runnerId: RunnerId, levels: number): Depth | null {
  const market = state.markets.get(marketId);
  const runner = market?.byId.get(runnerId);
  if (market === undefined || runner === undefined || !market.isBook) return null;
  const { book } = runner;
  const back: Depth['back'] = [];
  const lay: Depth['lay'] = [];
  for (let tick = book.bestLay; tick >= 0 && back.length < levels; tick--) {
    const size = book.total[TICKS + tick]!;
    if (size > 0) back.push([priceOf(tick), size]);
  }
  for (let tick = book.bestBack; tick < TICKS && lay.length < levels; tick++) {
    const size = book.total[tick]!;
    if (size > 0) lay.push([priceOf(tick), size]);
  }
  return { back, lay, lastPrice: runner.lastPrice, tradedMinor: runner.traded };
}

/** Current rows of a quoted market, in the order they came; empty for a book. */
export function quoteRows(state: State, marketId: MarketId): QuoteRow[] {
  const rows = state.markets.get(marketId)?.quotes.values() ?? [];
  return [...rows].map(copyRow);
}

/** Bets whose result is PENDING, oldest first. */
export function openBets(state: State, accountId: AccountId, marketId?: MarketId): Bet[] {
  const account = state.accounts.get(accountId);
  if (account === undefined) return [];
  const bets: Bet[] = [];
  for (const holding of account.holdings.values()) {
    if (marketId !== undefined && holding.market.id !== marketId) continue;
    if (holding.open === 0) continue;
    for (const order of holding.orders) if (order.result === 'PENDING') bets.push(betView(order));
  }
  return bets.sort((a, b) => a.betId - b.betId);
}

/** Conditional orders of an account that have not fired, oldest first. */
export function conditionalsOf(state: State, accountId: AccountId, marketId?: MarketId): ConditionalView[] {
  return Array.from(state.conditionals.ofAccount(accountId))
    .filter(({ market }) => marketId === undefined || market.id === marketId)
    .sort((a, b) => a.id - b.id)
    .map(conditionalView);
}

/** The last number of a conditional order that was given out, and those that are not over, oldest first. */
export function conditionalNumbers({ conditionals }: State): { last: number; held: ConditionalView[] } {
  const held = Array.from(conditionals.byId.values()).sort((a, b) => a.id - b.id);
  return { last: conditionals.last, held: held.map(conditionalView) };
}

/** Any bet still in memory (its market is not archived). */
export function betOf(state: State, betId: BetId): Bet | null {
  const order = state.orders.get(betId);
  return order === undefined ? null : betView(order);
}

export function marketsOf(state: State): MarketView[] {
  return [...state.markets.values()].map(viewOf);
}

/** Markets in which the account has open bets, by market id. */
export function myMarkets(state: State, accountId: AccountId): Array<{ marketId: MarketId; betCount: number }> {
  const holdings: Holding[] = [...(state.accounts.get(accountId)?.holdings.values() ?? [])];
  return holdings
    .filter((holding) => holding.open > 0)
    .map((holding) => ({ marketId: holding.market.id, betCount: holding.open }))
    .sort((a, b) => a.marketId - b.marketId);
}

/** What closed markets paid the account, while they are in memory; markets that came out even are left out. */
export function paidOut(
  state: State,
  accountId: AccountId,
): Array<{ marketId: MarketId; eventId: number; grossMinor: number; commissionMinor: number }> {
  const holdings: Holding[] = [...(state.accounts.get(accountId)?.holdings.values() ?? [])];
  return holdings.flatMap(({ market }) => {
    const payout = market.payouts?.get(accountId);
    if (market.status !== 'CLOSED' || payout === undefined) return [];
    const { net: grossMinor, commission: commissionMinor } = payout;
    return [{ marketId: market.id, eventId: market.def.eventId, grossMinor, commissionMinor }];
  });
}

/** A player's part of a provider's round, while it is in memory; a copy. */
export function roundOf(state: State, provider: string, accountId: AccountId, roundId: string): RoundView | null {
  const round = state.rounds.get(roundKey(provider, accountId, roundId));
  return round === undefined ? null : copyView(round.view);
}

export function roundsOf(state: State): RoundView[] {
  return [...state.rounds.values()].map((round) => copyView(round.view));
}

/** The bet as readers see it; a copy. */
export function betView(o: Order): Bet {
  const { terms } = o;
  if (terms === null) {
    return {
      betId: o.id,
      accountId: o.holding.account.id,
      marketId: o.holding.market.id,
      runnerId: o.runner.id,
      kind: 'order',
      side: o.side,
      price: o.price,
      matchedSum: o.matchedSum,
      sizeMinor: o.size,
      matchedMinor: o.matched,
      remainingMinor: o.remaining,
      cancelledMinor: o.cancelled,
      lapsedMinor: o.lapsed,
      voidedMinor: o.voided,
      persistence: o.persistence,
      status: o.status,
      dueAt: o.dueAt,
      placedAt: o.placedAt,
      firstPrice: o.firstPrice === o.price ? undefined : o.firstPrice,
      endCode: o.endCode,
      reason: o.reason,
      result: o.result,
      profitMinor: o.profit,
      version: o.version,
    };
  }
  return {
    betId: o.id,
    accountId: o.holding.account.id,
    marketId: o.holding.market.id,
    runnerId: o.runner.id,
    kind: 'quote',
    side: o.side,
    price: o.price,
    matchedSum: o.matchedSum,
    sizeMinor: o.size,
    matchedMinor: o.matched,
    remainingMinor: o.remaining,
    cancelledMinor: o.cancelled,
    lapsedMinor: o.lapsed,
    voidedMinor: o.voided,
    persistence: o.persistence,
    status: o.status,
    dueAt: o.dueAt,
    placedAt: o.placedAt,
    line: terms.line,
    box: terms.box,
    width: terms.width,
    winMinor: terms.win,
    lossMinor: terms.loss,
    endCode: o.endCode,
    reason: o.reason,
    result: o.result,
    profitMinor: o.profit,
    version: o.version,
  };
}

/** The market as it would be made anew as it stands, without the runners that left; null when it is unknown, closed or settling. */
export function definitionOf(state: State, marketId: MarketId): MarketDef | null {
  const market = state.markets.get(marketId);
  if (!market || market.status === 'CLOSED' || market.status === 'SETTLING') return null;
  const { status, inPlay, betDelayMs, minStake: minStakeMinor, maxStake: maxStakeMinor } = market;
  const runners = market.runners.filter((runner) => runner.status !== 'REMOVED').map((runner) => runner.def);
  const def = { ...market.def, runners, status, inPlay, betDelayMs, minStakeMinor, maxStakeMinor };
  return copyDefinition(def);
}

export function viewOf(market: Market): MarketView {
  const { def } = market;
  const view: MarketView = {
    marketId: market.id,
    eventId: def.eventId,
    kind: def.kind,
    name: def.name,
    status: market.status,
    inPlay: market.inPlay,
    betDelayMs: market.betDelayMs,
    reason: market.reason,
    winners: def.winners,
    commissionBps: def.commissionBps,
    minStakeMinor: market.minStake,
    maxStakeMinor: market.maxStake,
    maxExposureMinor: def.maxExposureMinor,
    version: market.version,
    resultVersion: market.resultVersion,
    result: market.result,
    runners: market.runners.map((runner) => ({ ...runner.def, status: runner.status })),
  };
  if (market.bookedBy > 1) view.bookedBy = market.bookedBy;
  if (def.cap !== undefined) view.cap = def.cap;
  if (def.rateThan100 !== undefined) view.rateThan100 = def.rateThan100;
  if (def.tieRule !== undefined) view.tieRule = def.tieRule;
  if (def.lapseOnSuspend) view.lapseOnSuspend = true;
  if (def.removable) view.removable = true;
  return view;
}

function quotedPosition(market: Market, accountId: AccountId): Position {
  const house = accountId === HOUSE;
  const holding = house ? market.house : market.holdings.get(accountId);
  const base = {
    marketId: market.id,
    exposureMinor: holding?.exposure ?? 0,
    betCount: house ? 0 : (holding?.open ?? 0),
  };
  const { kind } = market.def;
  const own = holding ?? newHolding(market.house.account, market);
  if (own.sheet instanceof Cards) {
    const { sheet } = own;
    const runners = standing(market).map(({ id, index }) => {
      const { win, lose, net } = sheet.standing(index);
      return { runnerId: id, winMinor: win, loseMinor: lose, netMinor: net };
    });
    return { ...base, runners };
  }
  if (own.sheet instanceof Steps) return { ...base, runs: own.sheet.ladder(kind === 'khado') };
  if (own.sheet instanceof Meter) return { ...base, runs: own.sheet.ladder() };
  if (kind !== 'bookmaker' && !isYesNo(kind)) {
    return { ...base, runs: [...market.active].map((run) => ({ run, profitMinor: netOf(market, own, run) / 100 })) };
  }
  const runners = standing(market).map(({ id, outcome }) => {
    const win = own.sums[SUMS * outcome + WIN]!;
    const lose = own.sums[SUMS * outcome + LOSE]!;
    return { runnerId: id, winMinor: win / 100, loseMinor: lose / 100, netMinor: netOf(market, own, outcome) / 100 };
  });
  return { ...base, runners };
}

/** Result of the matched bets if this outcome comes, in 1/10 000. */
function netOf({ active }: Market, { sums }: Holding, outcome: number): number {
  let net = sums[SUMS * outcome + WIN]! - sums[SUMS * outcome + LOSE]!;
  for (const one of active) net += sums[SUMS * one + LOSE]!;
  return net || 0;
}

function standing(market: Market): Runner[] {
  return market.runners.filter((runner) => runner.status !== 'REMOVED');
}

function flat(runnerId: RunnerId): { runnerId: RunnerId; winMinor: number; loseMinor: number; netMinor: number } {
  return { runnerId, winMinor: 0, loseMinor: 0, netMinor: 0 };
}

/** About how many rows a snapshot of the state has. */
export function stateSize(state: State): number {
  let rows = state.accounts.size + state.rounds.size;
  for (const market of state.markets.values()) rows += sizeOf(market);
  return rows;
}

/** The markets in memory: whether they are closed, and about how many rows a snapshot has of each. */
export function marketSizes(state: State): Array<{ marketId: MarketId; closed: boolean; rows: number }> {
  return Array.from(state.markets.values(), (market) => ({
    marketId: market.id,
    closed: market.status === 'CLOSED' && !isSettling(state, market.id),
    rows: sizeOf(market),
  }));
}

/** A market counts as ten. */
function sizeOf({ orders, fills }: Market): number {
  return 10 + orders.length + fills.length;
}
