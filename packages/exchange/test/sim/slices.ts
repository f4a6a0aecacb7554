/**
 * Results that are booked or taken back account by account over several commands. Whose turn it is the core decides; a turn
 * is seen by the results of an account's bets, and then all of it must be there: results, money, exposure.
 */
import type { AccountId, Command, Event } from '../../src/types.ts';
import { HOUSE } from '../../src/types.ts';
import { dropHouse, end } from './matching.ts';
import { payouts } from './money.ts';
import { bookOne, changed, resultsOf } from './results.ts';
import type { Market, World } from './world.ts';
import { isBooking, must } from './world.ts';

/** What such a command goes on with; undefined for none. */
export function goesOnWith(world: World, command: Command): Market | undefined {
  if (command.type !== 'work') return undefined;
  const [oldest] = world.settling;
  const marketId = command.marketId ?? oldest;
  return marketId !== undefined && world.settling.has(marketId) ? world.markets.get(marketId) : undefined;
}

type Turns = NonNullable<Market['turns']>;

export function begin(world: World, market: Market, type: Turns['type'], of: Partial<Turns> = {}): void {
  market.status = 'SETTLING';
  market.turns = {
    type,
    had: new Set(),
    isHouseBooked: false,
    untold: new Set(),
    lapses: new Map(),
    after: null,
    ...of,
  };
  market.reason = isBooking(market.turns)
    ? ''
    : type === 'market.state'
      ? 'Unmatched bets lapse'
      : 'Bets are brought up to date';
  world.settling.add(market.id);
  if (!isBooking(market.turns)) return;
  market.resultVersion++;
  if (type === 'market.declare') dropHouse(market);
  changed(market, true);
}

/** What a command did to everybody in a market, and told nobody yet. */
export function tellLater(world: World, market: Market, type: Turns['type']): void {
  const { status, reason } = market;
  const untold = new Set(market.bets.map((bet) => bet.accountId));
  begin(world, market, type, { untold, after: { status, reason } });
}

/** Whom a slice tells anything of its market it tells everything. */
export function hear(market: Market | undefined, events: readonly Event[]): void {
  for (const event of events) {
    if (event.type === 'bet') market?.turns?.untold.delete(event.bet.accountId);
    else if (event.type === 'wallet') market?.turns?.untold.delete(event.accountId);
  }
}

/** A suspension is taken even of a market in which bets lapse. */
export function suspendsLapsing(market: Market, c: Command): c is Extract<Command, { type: 'market.state' }> {
  if (c.type !== 'market.state' || c.status !== 'SUSPENDED') return false;
  if (market.turns === null || isBooking(market.turns)) return false;
  return !c.runners && !c.limits && c.inPlay === undefined && c.betDelayMs === undefined;
}

export function suspendLater(market: Market, c: Extract<Command, { type: 'market.state' }>): void {
  const turns = market.turns!;
  const { status, reason } = turns.after!;
  for (const bet of market.bets) {
    const isMeant = status === 'OPEN' && (bet.status === 'PENDING' || market.def.lapseOnSuspend);
    if (bet.remainingMinor > 0 && isMeant && !turns.lapses.has(bet.betId))
      turns.lapses.set(bet.betId, 'LAPSED_SUSPENDED');
  }
  if (status === 'OPEN' && market.def.lapseOnSuspend) dropHouse(market);
  turns.after = { status: 'SUSPENDED', reason: c.reason ?? (status === 'SUSPENDED' ? reason : '') };
}

/**
 * What the core told of a slice happens here too: lapses, whole turns of accounts, the house's, the end. @returns whose turn
 * it was; undefined where none has any: of all but a result everything was done by the command.
 */
export function follow(world: World, market: Market, events: readonly Event[]): Set<AccountId> | undefined {
  const turns = market.turns!;
  if (!isBooking(turns)) {
    followLapses(world, market, turns, events);
    return undefined;
  }
  const back = turns.type === 'market.undeclare';
  const had = new Set<AccountId>();
  for (const event of events) {
    if (event.type !== 'bet' || event.bet.marketId !== market.id) continue;
    const bet = market.bets.find((one) => one.betId === event.bet.betId)!;
    if (bet.remainingMinor > 0 && event.bet.remainingMinor === 0) {
      must(!back, 'INV-13', () => `bet ${bet.betId} lapsed with a withdrawal`);
      end(market, bet, 'LAPSED_CLOSED');
    }
    const isTurned =
      bet.matchedMinor > 0 && (event.bet.result === 'PENDING') === back && bet.result !== event.bet.result;
    if (isTurned) had.add(bet.accountId);
  }
  const { paid, results } = planOf(market);
  for (const accountId of had) {
    must(!turns.had.has(accountId), 'INV-16', () => `account ${accountId} had its turn twice`);
    must(
      market.bets.every((bet) => bet.remainingMinor === 0),
      'INV-16',
      () => `account ${accountId} had its turn while bets wait`,
    );
    turns.had.add(accountId);
    for (const bet of market.bets) {
      if (bet.accountId !== accountId || bet.matchedMinor === 0) continue;
      bet.result = back ? 'PENDING' : results.get(bet.betId)!.result;
      bet.profitMinor = back ? 0 : results.get(bet.betId)!.profitMinor;
    }
    bookOne(world, accountId, paid.get(accountId), back ? -1 : 1);
  }
  const isHouse = events.some(
    (event) => event.type === 'ledger' && event.entries.some((entry) => entry.account === `a${HOUSE}`),
  );
  if (isHouse && !turns.isHouseBooked) {
    turns.isHouseBooked = true;
    bookOne(world, HOUSE, paid.get(HOUSE), back ? -1 : 1);
  }
  if (events.some((event) => event.type === (back ? 'undeclared' : 'settled') && event.marketId === market.id))
    finish(world, market, paid);
  return had;
}

/** Only what was to lapse does, and the market is free once all of it has. */
function followLapses(world: World, market: Market, turns: Turns, events: readonly Event[]): void {
  for (const event of events) {
    if (event.type !== 'bet' || event.bet.marketId !== market.id || event.bet.remainingMinor > 0) continue;
    const bet = market.bets.find((one) => one.betId === event.bet.betId)!;
    if (bet.remainingMinor === 0) continue;
    const code = turns.lapses.get(bet.betId);
    must(code !== undefined, 'INV-15', () => `bet ${bet.betId} was not to lapse`);
    end(market, bet, code);
  }
  const isOpenAgain = events.some(
    (event) => event.type === 'market' && event.market.marketId === market.id && event.market.status !== 'SETTLING',
  );
  if (!isOpenAgain) return;
  const left = market.bets.filter((bet) => turns.lapses.has(bet.betId) && bet.remainingMinor > 0);
  must(left.length === 0, 'INV-15', () => `bets ${left.map((bet) => bet.betId).join()} did not lapse`);
  world.settling.delete(market.id);
  market.turns = null;
  Object.assign(market, turns.after);
  changed(market, false);
}

function finish(world: World, market: Market, paid: NonNullable<Market['paid']>): void {
  const turns = market.turns!;
  const back = turns.type === 'market.undeclare';
  for (const bet of market.bets)
    must(
      bet.matchedMinor === 0 || turns.had.has(bet.accountId),
      'INV-16',
      () => `market ${market.id} is over and account ${bet.accountId} had no turn`,
    );
  must(turns.isHouseBooked || !paid.has(HOUSE), 'INV-16', () => `the house had no turn in ${market.id}`);
  world.settling.delete(market.id);
  market.turns = null;
  market.paid = back ? null : paid;
  market.status = back ? 'SUSPENDED' : 'CLOSED';
  if (back) {
    market.reason = 'Result withdrawn';
    market.result = null;
    for (const runner of market.runners)
      if (runner.status === 'WINNER' || runner.status === 'LOSER') runner.status = 'ACTIVE';
  }
  changed(market, true);
}

/** Of the result that is booked or taken back: what each account gets, and each bet. */
function planOf(market: Market) {
  const paid = market.turns!.type === 'market.undeclare' ? market.paid! : payouts(market, market.result!);
  return { paid, results: resultsOf(market) };
}
