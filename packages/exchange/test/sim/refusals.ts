/**
 * Every reason the rules give to refuse a command, as a set: the core must refuse when it is not empty, with one of its
 * members, and must not refuse when it is empty. Which reason comes first is the core's business.
 */
import { LADDER } from '@fairgame/contract';
import { SMALL_WORK } from '../../src/state.ts';
import type { Command, QuoteRow, RefusalCode, Result } from '../../src/types.ts';
import { isMoving, reasonsToKeepAway } from './archives.ts';
import { cardAmounts, fitsCards } from './cards.ts';
import type { Make } from './conditionals.ts';
import { countAttached, reasonsToAttach, reasonsToMake } from './conditionals.ts';
import { exposureOf, freeOf, groupOf, leftWithout, marketExposure, someoneShort, withTaken } from './exposure.ts';
import { isOnlyIfCovered, withRunner } from './field.ts';
import { isTooMuch } from './house.ts';
import { fillable } from './matching.ts';
import { oracleBet } from './money.ts';
import { DECIMAL, offered } from './offers.ts';
import { isGame, roundReasons } from './rounds.ts';
import { suspendsLapsing } from './slices.ts';
import type { Market, ModelBet, World } from './world.ts';
import { findBet, heldOf, newRunner, owedBy, runnerOf } from './world.ts';

type Reasons = Set<RefusalCode>;
type Of<T extends Command['type']> = Extract<Command, { type: T }>;

/** Bounds of single amounts that keep every sum a safe integer. */
const MOST_STAKE = 10_000_000_000;
const MOST_TRANSFER = 10_000_000_000_000;

const whole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

export function reasonsToRefuse(world: World, command: Command): Reasons {
  const reasons: Reasons = new Set();
  switch (command.type) {
    case 'order.place':
      place(world, command, reasons);
      break;
    case 'orders.place':
      together(world, command, reasons);
      break;
    case 'quote.take':
      take(world, command, reasons);
      break;
    case 'quotes.take':
      takes(world, command, reasons);
      break;
    case 'order.cancel':
    case 'order.persistence':
      ownOpen(world, command, reasons);
      if (command.type === 'order.cancel' && command.byMinor !== undefined && !whole(command.byMinor)) {
        reasons.add('STAKE_INVALID');
      }
      break;
    case 'order.replace':
      replace(world, command, reasons);
      break;
    case 'bets.hedge':
      hedge(world, command, reasons);
      break;
    case 'order.cancelAll':
      cancelAll(world, command, reasons);
      break;
    case 'account.open':
      if (world.accounts.has(command.accountId)) reasons.add('ACCOUNT_EXISTS');
      break;
    case 'account.close':
      if (!world.accounts.has(command.accountId)) reasons.add('ACCOUNT_UNKNOWN');
      else if (isInUse(world, command.accountId)) reasons.add('ACCOUNT_IN_USE');
      break;
    case 'account.transfer':
      transfer(world, command, reasons);
      break;
    case 'account.restrict':
      if (!world.accounts.has(command.accountId)) reasons.add('ACCOUNT_UNKNOWN');
      break;
    case 'market.create':
      if (world.markets.has(command.market.marketId)) reasons.add('MARKET_EXISTS');
      break;
    case 'conditional.make':
      conditional(world, command, reasons);
      break;
    case 'conditional.cancel':
      if (!world.accounts.has(command.accountId)) reasons.add('ACCOUNT_UNKNOWN');
      if (command.conditionalId !== undefined) {
        const one = world.conditionals.find(({ id }) => id === command.conditionalId);
        if (one?.accountId !== command.accountId) reasons.add('CONDITIONAL_UNKNOWN');
      } else if (command.marketId !== undefined && !world.markets.has(command.marketId)) reasons.add('MARKET_UNKNOWN');
      break;
    case 'clock':
    case 'work':
    case 'house.limits':
    case 'purse.reserve':
    case 'purse.open':
    case 'purse.done':
      break;
    case 'market.recall':
    case 'market.recallPart':
      return reasonsToKeepAway(world, command);
    case 'hold.release': {
      if (!world.accounts.has(command.accountId) && command.accountId > 4) reasons.add('ACCOUNT_UNKNOWN');
      else if (!holdsFor(world, command.accountId, command.marketId)) reasons.add('NOTHING_HELD');
      break;
    }
    case 'debt.writeOff':
      if (!world.accounts.has(command.accountId)) reasons.add('ACCOUNT_UNKNOWN');
      if (!whole(command.amountMinor) || command.amountMinor > -freeOf(world, command.accountId))
        reasons.add('AMOUNT_INVALID');
      break;
    default:
      if (isGame(command)) roundReasons(world, command, reasons);
      else ofMarket(world, command, reasons);
  }
  return reasons;
}

function ofMarket(
  world: World,
  command: Exclude<
    Of<
      | 'market.state'
      | 'house.book'
      | 'house.quotes'
      | 'runner.remove'
      | 'runner.reinstate'
      | 'market.declare'
      | 'market.undeclare'
      | 'bets.void'
      | 'market.archive'
    >,
    never
  >,
  reasons: Reasons,
): void {
  const archived = command.type === 'market.undeclare' || command.type === 'bets.void' ? command.archived : undefined;
  // One that left in parts does not come back with a command.
  const kept = archived?.count === undefined ? archived && world.archive.get(command.marketId) : undefined;
  const market = world.markets.get(command.marketId) ?? kept?.market;
  if (!market || kept?.market.bets.some(({ accountId }) => !world.accounts.has(accountId))) {
    reasons.add('MARKET_UNKNOWN');
    return;
  }
  const closed = market.status === 'CLOSED';
  const ofClosed = ['market.undeclare', 'market.archive', 'bets.void'].includes(command.type);
  if (ofClosed && isMoving(world, market.id)) reasons.add('MARKET_SETTLING');
  if (market.status === 'SETTLING') {
    if (suspendsLapsing(market, command)) return;
    reasons.add('MARKET_SETTLING');
  }
  switch (command.type) {
    case 'market.undeclare':
      if (!closed) reasons.add('NOT_DECLARED');
      return;
    case 'market.archive':
      if (!closed) reasons.add('NOT_DECLARED');
      return;
    case 'bets.void':
      for (const betId of command.betIds) {
        const bet = market.bets.find((one) => one.betId === betId);
        if (!bet) reasons.add('BET_UNKNOWN');
        else if (bet.matchedMinor + bet.remainingMinor === 0) reasons.add('BET_NOT_OPEN');
      }
      return;
    case 'market.declare':
      if (closed) reasons.add('MARKET_CLOSED');
      if (!fits(market, command.result)) reasons.add('RESULT_INVALID');
      return;
    default:
      if (closed) reasons.add('MARKET_CLOSED');
  }
  const book = market.def.kind === 'book';
  if (command.type === 'house.book' && !book) reasons.add('WRONG_KIND');
  if (command.type === 'house.quotes' && book) reasons.add('WRONG_KIND');
  if (command.type === 'house.quotes' && !book && someoneShort(world, withRows(market, command.rows))) {
    reasons.add('INSUFFICIENT_FUNDS');
  }
  if (command.type === 'runner.remove' || command.type === 'runner.reinstate') {
    if (!book && market.def.kind !== 'bookmaker') reasons.add('WRONG_KIND');
    const status = runnerOf(market, command.runnerId)?.status;
    if (command.type === 'runner.remove' && status === 'REMOVED') reasons.add('RUNNER_REMOVED');
    if (command.type === 'runner.reinstate' && status !== 'REMOVED') reasons.add('RUNNER_UNKNOWN');
    if (command.force === undefined && command.type === 'runner.remove' && !market.def.removable)
      reasons.add('WRONG_KIND');
    // Of a large market that is looked at with the change.
    const isLooked = isOnlyIfCovered(command) && reasons.size === 0 && isSmall(market, command.units);
    if (isLooked && someoneShort(world, withRunner(market, command))) reasons.add('INSUFFICIENT_FUNDS');
  }
  if (command.type === 'house.book' || command.type === 'market.state') {
    for (const { runnerId } of command.runners ?? []) {
      if (runnerOf(market, runnerId)?.status === 'REMOVED') reasons.add('RUNNER_REMOVED');
    }
  }
}

/** Money, bets or rounds in memory, or something owed on either side. */
export function isInUse(world: World, accountId: number): boolean {
  return (
    world.accounts.get(accountId)!.ledger !== 0 ||
    heldOf(world, accountId) > 0 ||
    owedBy(world, accountId) > 0 ||
    [...world.markets.values()].some(({ bets }) => bets.some((bet) => bet.accountId === accountId)) ||
    [...world.rounds.values()].some((round) => round.accountId === accountId)
  );
}

function holdsFor(world: World, accountId: number, marketId: number | undefined): boolean {
  return [...world.holds.keys()].some((key) => {
    const [market, debtor] = key.split('/').map(Number);
    return debtor === accountId && (marketId === undefined || marketId === market);
  });
}

/** Whether what is done to all of a market is done at once. */
function isSmall({ bets }: Market, units = SMALL_WORK): boolean {
  return bets.length + new Set(bets.map((bet) => bet.accountId)).size <= units;
}

/** The market as it would be with the rows that are new. */
function withRows(market: Market, rows: readonly QuoteRow[]): Market {
  const fresh = rows.filter((row) => !runnerOf(market, row.runnerId));
  return fresh.length === 0 ? market : { ...market, runners: [...market.runners, ...fresh.map(newRunner)] };
}

function fits(market: Market, result: Result): boolean {
  const { kind, winners } = market.def;
  if (result.kind === 'void' || result.kind === 'tie') return true;
  if (result.kind === 'yes') return ['fancy1', 'tied', 'completed'].includes(kind);
  if (result.kind === 'score') {
    const scored = !['book', 'bookmaker', 'fancy1', 'tied', 'completed', 'card'].includes(kind);
    return scored && Number.isSafeInteger(result.score) && result.score >= 0;
  }
  if (result.kind === 'cards') return kind === 'card' && fitsCards(market, result);
  if (kind !== 'book' && kind !== 'bookmaker') return false;
  const standing = market.runners.filter((runner) => runner.status !== 'REMOVED').map((runner) => runner.id);
  const ids = result.kind === 'ranks' ? result.ranks.map((one) => one.runnerId) : result.runnerIds;
  if (result.kind === 'ranks' && !result.ranks.every((one) => whole(one.rank))) return false;
  // Who was level with whom for the last of several places is not said by a list of winners.
  if (result.kind === 'winners' && winners > 1 && ids.length > winners) return false;
  const enough = ids.length >= Math.max(1, Math.min(winners, standing.length));
  return enough && new Set(ids).size === ids.length && ids.every((id) => standing.includes(id));
}

function transfer(world: World, command: Of<'account.transfer'>, reasons: Reasons): void {
  const { amountMinor, accountId } = command;
  const sound = Number.isSafeInteger(amountMinor) && amountMinor !== 0 && Math.abs(amountMinor) <= MOST_TRANSFER;
  if (!sound) reasons.add('AMOUNT_INVALID');
  const account = world.accounts.get(accountId);
  if (!account) reasons.add('ACCOUNT_UNKNOWN');
  else if (sound && amountMinor < 0 && freeOf(world, accountId) + amountMinor < 0) {
    reasons.add('INSUFFICIENT_FUNDS');
  }
}

/** What every new bet is looked at for. @returns the market when the rest can be judged. */
function common(
  world: World,
  c: { betId: number; accountId: number; marketId: number; runnerId: number; marketVersion?: number },
  book: boolean,
  reasons: Reasons,
  leaving: readonly ModelBet[] = [],
  coming = 0,
): Market | null {
  if (!whole(c.betId)) reasons.add('AMOUNT_INVALID');
  if (!(c.betId > world.lastBetId)) reasons.add('DUPLICATE_BET');
  const account = world.accounts.get(c.accountId);
  if (!account && c.accountId > 4) reasons.add('ACCOUNT_UNKNOWN');
  if (account?.blocked || c.accountId <= 4) reasons.add('ACCOUNT_BLOCKED');
  const market = world.markets.get(c.marketId);
  if (!market) {
    reasons.add('MARKET_UNKNOWN');
    return null;
  }
  if ((market.def.kind === 'book') !== book) reasons.add('WRONG_KIND');
  if (market.status === 'CLOSED') reasons.add('MARKET_CLOSED');
  else if (market.status === 'SETTLING') reasons.add('MARKET_SETTLING');
  else if (market.status !== 'OPEN') reasons.add('MARKET_SUSPENDED');
  if (c.marketVersion !== undefined && !(Number.isSafeInteger(c.marketVersion) && c.marketVersion >= market.material)) {
    reasons.add('MARKET_VERSION');
  }
  const runner = runnerOf(market, c.runnerId);
  if (!runner) reasons.add('RUNNER_UNKNOWN');
  else if (runner.status === 'REMOVED') reasons.add('RUNNER_REMOVED');
  else if (runner.status !== 'ACTIVE') reasons.add('RUNNER_SUSPENDED');
  const open = market.bets.filter(
    (bet) =>
      bet.accountId === c.accountId && bet.result === 'PENDING' && !(leaving.includes(bet) && bet.matchedMinor === 0),
  ).length;
  if (market.def.maxBets > 0 && open + coming >= market.def.maxBets) reasons.add('BET_LIMIT');
  return account && runner && (market.def.kind === 'book') === book ? market : null;
}

function stake(market: Market | null, value: number, reasons: Reasons): boolean {
  if (!whole(value)) reasons.add('STAKE_INVALID');
  else if (market && value < market.minStake) reasons.add('STAKE_TOO_SMALL');
  else if ((market && value > market.maxStake) || value > MOST_STAKE) reasons.add('STAKE_TOO_LARGE');
  return whole(value) && value <= MOST_STAKE;
}

/** Betfair's INVALID_PROFIT_RATIO, with our direction of rounding: a fifth of the exact prize may not be lost to it. */
function ratio(side: string, prizeE4: number, reasons: Reasons): void {
  const booked = side === 'BACK' ? Math.floor(prizeE4 / 100) : Math.ceil(prizeE4 / 100);
  if (Math.abs(prizeE4 - 100 * booked) > prizeE4 / 5) reasons.add('PROFIT_RATIO');
}

/** 9.2: what raises the exposure must leave money and keep within every limit. */
function risk(world: World, market: Market, bet: ModelBet, reasons: Reasons, without?: ModelBet): void {
  limits(world, market, bet.accountId, marketExposure(market, bet.accountId, bet, without), reasons);
}

function limits(world: World, market: Market, accountId: number, after: number, reasons: Reasons): void {
  const account = world.accounts.get(accountId)!;
  const before = marketExposure(market, accountId);
  if (after <= before) return;
  const total = exposureOf(world, accountId) - before + after;
  if (account.ledger - total - heldOf(world, accountId) < 0) reasons.add('INSUFFICIENT_FUNDS');
  if (account.exposureLimit > 0 && total > account.exposureLimit) reasons.add('EXPOSURE_LIMIT');
  if (market.def.maxExposureMinor > 0 && after > market.def.maxExposureMinor) reasons.add('MARKET_EXPOSURE_LIMIT');
}

function place(world: World, c: Of<'order.place'>, reasons: Reasons): void {
  const market = common(world, c, true, reasons);
  const known = world.markets.get(c.marketId);
  const onLadder = LADDER.includes(c.price);
  if (!onLadder) reasons.add('PRICE_INVALID');
  const sound = stake(known ?? null, c.sizeMinor, reasons);
  const minFill = c.minFillMinor ?? 0;
  if (minFill !== 0 && !(whole(minFill) && minFill <= c.sizeMinor)) reasons.add('STAKE_INVALID');
  reasonsToAttach(world, c, reasons);
  if (!market || !onLadder || !sound) return;
  ratio(c.side, c.sizeMinor * (c.price - 100), reasons);
  risk(world, market, newOrder(c, 0), reasons);
  const delayed = market.inPlay && market.betDelayMs > 0;
  if (!delayed && minFill > 0 && fillable(market, c.runnerId, c.side, c.price, c.accountId) < minFill) {
    reasons.add('NOT_FILLED');
  }
}

/** Each must be an order that could be placed beside those before it, and all of them unmatched must be covered. */
function together(world: World, c: Of<'orders.place'>, reasons: Reasons): void {
  if (c.orders.length === 0 || c.orders.length > 200) reasons.add('BAD_INPUT');
  const orders = singly(c);
  let coming = 0;
  const sound = orders.map((one, i) => {
    reasonsToAttach(world, one, reasons, coming);
    coming += countAttached(one);
    const ok = common(world, one, true, reasons, [], i);
    const onLadder = LADDER.includes(one.price);
    if (!onLadder) reasons.add('PRICE_INVALID');
    const stakes = stake(world.markets.get(c.marketId) ?? null, one.sizeMinor, reasons);
    const least = one.minFillMinor ?? 0;
    if (least !== 0 && !(whole(least) && least <= one.sizeMinor)) reasons.add('STAKE_INVALID');
    if (onLadder && stakes) ratio(one.side, one.sizeMinor * (one.price - 100), reasons);
    return ok !== null && onLadder && stakes;
  });
  const market = world.markets.get(c.marketId);
  if (!market || !sound.every(Boolean) || reasons.has('BAD_INPUT')) return;
  const bets = [...market.bets, ...orders.map((one) => newOrder(one, 0))];
  limits(world, market, c.accountId, marketExposure({ ...market, bets }, c.accountId), reasons);
}

/** The orders one by one. */
export function singly(command: Of<'orders.place'>): Array<Of<'order.place'>> {
  const { orders, type: _, betId, ...at } = command;
  return orders.map((one, i) => ({ type: 'order.place', betId: betId + i, ...at, ...one }));
}

/** What it is refused for itself, and what its bet would be refused for where its market is open. */
function conditional(world: World, c: Make, reasons: Reasons): void {
  reasonsToMake(world, c, reasons);
  const market = world.markets.get(c.marketId);
  if (c.kind === 'OFFSET' || c.kind === 'EXPIRE' || !market) return;
  const sound = stake(market, c.sizeMinor, reasons);
  if (reasons.size > 0 || !sound || c.kind === 'TRAIL') {
    // Its risk is judged when it fires: there is no price yet.
    return;
  }
  ratio(c.side, c.sizeMinor * (c.price - 100), reasons);
  if (market.status !== 'OPEN' || runnerOf(market, c.runnerId)?.status !== 'ACTIVE') return;
  const { accountId, marketId, runnerId, side, price, sizeMinor, persistence } = c;
  const bet = { betId: world.lastBetId + 1, accountId, marketId, runnerId, side, price, sizeMinor, persistence };
  common(world, bet, true, reasons);
  risk(world, market, newOrder({ ...bet, type: 'order.place' }, 0), reasons);
}

function replace(world: World, c: Of<'order.replace'>, reasons: Reasons): void {
  const old = ownOpen(world, c, reasons);
  if (!whole(c.sizeMinor)) reasons.add('STAKE_INVALID');
  if (!old) return;
  const { bet, market } = old;
  if (c.remainingMinor !== undefined && c.remainingMinor !== bet.remainingMinor) reasons.add('BET_CHANGED');
  if (c.price === bet.price && c.sizeMinor <= bet.remainingMinor) return;
  const { accountId, runnerId } = bet;
  const versioned = c.marketVersion === undefined ? {} : { marketVersion: c.marketVersion };
  const ok = common(
    world,
    { betId: c.newBetId, accountId, runnerId, marketId: market.id, ...versioned },
    true,
    reasons,
    [bet],
  );
  const onLadder = LADDER.includes(c.price);
  if (!onLadder) reasons.add('PRICE_INVALID');
  const sound = stake(market, c.sizeMinor, reasons);
  if (!ok || !onLadder || !sound) return;
  ratio(bet.side, c.sizeMinor * (c.price - 100), reasons);
  const wish = { ...bet, betId: c.newBetId, price: c.price, sizeMinor: c.sizeMinor, marketId: market.id };
  risk(world, market, newOrder({ ...wish, type: 'order.place' }, 0), reasons, bet);
}

function cancelAll(world: World, { accountId, marketId, runnerId }: Of<'order.cancelAll'>, reasons: Reasons): void {
  if (!world.accounts.has(accountId)) reasons.add('ACCOUNT_UNKNOWN');
  const market = marketId === undefined ? undefined : world.markets.get(marketId);
  if (!market && (marketId !== undefined || runnerId !== undefined)) reasons.add('MARKET_UNKNOWN');
  if (market && runnerId !== undefined && !runnerOf(market, runnerId)) reasons.add('RUNNER_UNKNOWN');
}

/** Several bets as one: each must be a bet that could be placed, and what they leave together must be covered. */
function hedge(world: World, c: Of<'bets.hedge'>, reasons: Reasons): void {
  const market = world.markets.get(c.marketId);
  const ids = c.legs.map((leg) => leg.runnerId);
  if (ids.length === 0 || new Set(ids).size < ids.length) reasons.add('BAD_INPUT');
  if (!market) {
    reasons.add('MARKET_UNKNOWN');
    return;
  }
  const book = market.def.kind === 'book';
  if (!book && market.def.kind !== 'bookmaker') reasons.add('WRONG_KIND');
  if (market.status === 'SETTLING') reasons.add('MARKET_SETTLING');
  const leaving = c.cancel ? waitingOf(market, c.accountId) : [];
  c.legs.forEach((leg, i) => {
    const { runnerId, side, price, sizeMinor } = leg;
    const { accountId, marketId, marketVersion } = c;
    const versioned = marketVersion === undefined ? {} : { marketVersion };
    const placing = { betId: c.betId + i, accountId, marketId, runnerId, ...versioned };
    const ok = common(world, placing, book, reasons, leaving, i);
    const sound = stake(market, sizeMinor, reasons);
    if (book && !LADDER.includes(price)) reasons.add('PRICE_INVALID');
    else if (book && sound) ratio(side, sizeMinor * (price - 100), reasons);
    else if (ok && !book) quoted(market, { ...leg, stakeMinor: sizeMinor }, sound, reasons);
  });
  if (groupOf(market, c.accountId).length > 0) reasons.add('HEDGE_WAITING');
  if (reasons.size > 0) return;
  const legs = legsOf(market, c, 0);
  const rest = leftWithout(market, leaving);
  const waiting = leaving.map((bet) => ({ ...bet, remainingMinor: 0 }));
  const alone = { ...rest, bets: [...rest.bets, ...waiting] };
  const delayed = market.inPlay && market.betDelayMs > 0;
  const together = marketExposure(withTaken(alone, legs), c.accountId);
  const after = delayed ? Math.max(together, marketExposure(alone, c.accountId)) : together;
  limits(world, market, c.accountId, after, reasons);
  // Of a group each is looked at as if it waited.
  const waits = legs.map((leg) => ({ ...leg, status: 'PENDING' as const }));
  if (isTooMuch(world, market, waits)) reasons.add('HOUSE_LIMIT');
  if (delayed || !book) return;
  const queue = market.queue.filter((one) => !c.cancel || one.accountId !== c.accountId);
  for (const { runnerId, side, price, sizeMinor } of c.legs) {
    if (fillable({ ...market, queue }, runnerId, side, price, c.accountId) < sizeMinor) reasons.add('NOT_FILLED');
  }
}

/** The bets of a group as they are born. */
export function legsOf(market: Market, c: Of<'bets.hedge'>, now: number): ModelBet[] {
  const { accountId, marketId } = c;
  return c.legs.map(({ sizeMinor, ...leg }, i) => {
    const common = { ...leg, betId: c.betId + i, accountId, marketId };
    return market.def.kind === 'book'
      ? newOrder({ ...common, type: 'order.place', sizeMinor, persistence: 'LAPSE', minFillMinor: sizeMinor }, now)
      : newTake(market, { ...common, type: 'quote.take', stakeMinor: sizeMinor }, now);
  });
}

/** Orders of an account that wait in the books of a market. */
export function waitingOf(market: Market, accountId: number): ModelBet[] {
  return market.bets.filter((bet) => bet.accountId === accountId && bet.status === 'EXECUTABLE');
}

function take(world: World, c: Of<'quote.take'>, reasons: Reasons): void {
  const market = common(world, c, false, reasons);
  const known = world.markets.get(c.marketId);
  if (!Number.isSafeInteger(c.price)) reasons.add('PRICE_INVALID');
  const sound = stake(known ?? null, c.stakeMinor, reasons);
  if (market) quoted(market, c, sound, reasons);
  if (!market || !sound || reasons.size > 0) return;
  const bet = newTake(market, c, 0);
  risk(world, market, bet, reasons);
  if (isTooMuch(world, market, [bet])) reasons.add('HOUSE_LIMIT');
}

/** Each must be a bet that could be placed; what those cost together that their quotes take, one behind the other, must be covered. */
function takes(world: World, c: Of<'quotes.take'>, reasons: Reasons): void {
  if (c.takes.length === 0 || c.takes.length > 200) reasons.add('BAD_INPUT');
  const known = world.markets.get(c.marketId);
  if (known && !RUNS.includes(known.def.kind)) reasons.add('WRONG_KIND');
  for (const [i, one] of singleTakes(c).entries()) {
    common(world, one, false, reasons, [], i);
    if (!whole(one.price)) reasons.add('PRICE_INVALID');
    if (!(Number.isSafeInteger(one.line) && one.line! >= 0)) reasons.add('BAD_INPUT');
    if (stake(known ?? null, one.stakeMinor, reasons)) ratio(one.side, one.stakeMinor * one.price, reasons);
    const row = known?.quotes.get(one.runnerId);
    if (row && row.status !== 'ACTIVE') reasons.add('RUNNER_SUSPENDED');
  }
  if (!known || reasons.size > 0) return;
  const taken = takenOf({ ...known, quotes: new Map(known.quotes) }, c, 0);
  const bets = [...known.bets, ...taken];
  limits(world, known, c.accountId, marketExposure({ ...known, bets }, c.accountId), reasons);
  if (isTooMuch(world, known, taken)) reasons.add('HOUSE_LIMIT');
}

const RUNS: readonly string[] = ['session', 'overByover', 'ballByBall'];

const singleTakes = ({ takes, betId, ...at }: Of<'quotes.take'>): Array<Of<'quote.take'>> =>
  takes.map((one, i) => ({ ...at, type: 'quote.take', betId: betId + i, ...one }));

/** The bets of a command as they come out of it; the quotes of the market are drawn on. */
export function takenOf(market: Market, c: Of<'quotes.take'>, now: number): ModelBet[] {
  return singleTakes(c).map((one) => {
    const bet = newTake(market, one, now);
    const row = market.quotes.get(one.runnerId);
    const offer = row && offered(market, row, one.side, 0);
    const isMet = offer?.price === one.price && offer.line === one.line && one.stakeMinor <= offer.most;
    if (isMet) {
      if (bet.status === 'COMPLETE') drawOn(market, bet);
      return bet;
    }
    const none = { remainingMinor: 0, matchedMinor: 0, matchedSum: 0, dueAt: 0, status: 'COMPLETE' as const };
    return { ...bet, ...none, cancelledMinor: one.stakeMinor, endCode: 'KILLED' as const, result: 'VOID' as const };
  });
}

/** What the takers so far left of the quote a bet is on. */
export function leftFor(market: Market, { runnerId, side }: ModelBet): number {
  const row = market.quotes.get(runnerId);
  return (side === 'BACK' ? row?.back : row?.lay)?.sizeMinor ?? 0;
}

export function drawOn(market: Market, bet: ModelBet): void {
  const row = market.quotes.get(bet.runnerId)!;
  const side = bet.side === 'BACK' ? 'back' : 'lay';
  const left = leftFor(market, bet) - bet.sizeMinor;
  market.quotes.set(row.runnerId, { ...row, [side]: { ...row[side]!, sizeMinor: left >= market.minStake ? left : 0 } });
}

/** What the quote as it stands says to a bet on it. */
function quoted(
  market: Market,
  c: Pick<Of<'quote.take'>, 'runnerId' | 'side' | 'price' | 'stakeMinor' | 'line' | 'box'>,
  sound: boolean,
  reasons: Reasons,
): void {
  const box = c.box ?? 0;
  if (box !== 0 && box !== 1 && box !== 2) reasons.add('PRICE_INVALID');
  if (reasons.has('PRICE_INVALID')) return;
  const row = market.quotes.get(c.runnerId);
  if (row && row.status !== 'ACTIVE') reasons.add('RUNNER_SUSPENDED');
  const offer = row && offered(market, row, c.side, box);
  if (!offer) {
    reasons.add('PRICE_CHANGED');
    return;
  }
  if (offer.line !== c.line) reasons.add('LINE_CHANGED');
  if (offer.price !== c.price) reasons.add('PRICE_CHANGED');
  if (c.stakeMinor > offer.most) reasons.add('STAKE_TOO_LARGE');
  const fixed = market.def.kind !== 'meter' && runnerOf(market, c.runnerId)?.def.payMax === undefined;
  const decimal = DECIMAL.includes(market.def.kind);
  if (sound && fixed) ratio(c.side, c.stakeMinor * (decimal ? c.price - 100 : c.price), reasons);
}

function ownOpen(
  world: World,
  c: { accountId: number; betId: number },
  reasons: Reasons,
): { market: Market; bet: ModelBet } | null {
  const found = findBet(world, c.betId);
  if (!found || found.bet.accountId !== c.accountId) reasons.add('BET_UNKNOWN');
  else if (found.bet.kind === 'quote') reasons.add('WRONG_KIND');
  else if (found.market.status === 'SETTLING') reasons.add('MARKET_SETTLING');
  else if (found.bet.status !== 'EXECUTABLE') reasons.add('BET_NOT_OPEN');
  else return found;
  return null;
}

/** A bet as it is born; the fields of a quote bet are those its kind has. */
export function newOrder(c: Of<'order.place'>, now: number): ModelBet {
  return {
    betId: c.betId,
    accountId: c.accountId,
    marketId: c.marketId,
    runnerId: c.runnerId,
    kind: 'order',
    side: c.side,
    price: c.price,
    matchedSum: 0,
    sizeMinor: c.sizeMinor,
    matchedMinor: 0,
    remainingMinor: c.sizeMinor,
    cancelledMinor: 0,
    lapsedMinor: 0,
    voidedMinor: 0,
    persistence: c.persistence,
    status: 'PENDING',
    dueAt: 0,
    placedAt: now,
    result: 'PENDING',
    profitMinor: 0,
    version: 0,
    asked: c.price,
    minFill: c.minFillMinor ?? 0,
    width: undefined,
  };
}

export function newTake(market: Market, c: Of<'quote.take'>, now: number): ModelBet {
  const bet: ModelBet = {
    ...newOrder({ ...c, type: 'order.place', sizeMinor: c.stakeMinor, persistence: 'LAPSE' }, now),
    kind: 'quote',
    status: 'COMPLETE',
    matchedMinor: c.stakeMinor,
    matchedSum: c.stakeMinor * c.price,
    remainingMinor: 0,
    width: runnerOf(market, c.runnerId)!.def.width,
  };
  if (c.line !== undefined) bet.line = c.line;
  if (market.def.kind === 'bookmaker') bet.box = c.box ?? 0;
  if (market.inPlay && market.betDelayMs > 0) {
    Object.assign(bet, { status: 'PENDING', dueAt: now + market.betDelayMs, matchedMinor: 0, matchedSum: 0 });
    bet.remainingMinor = c.stakeMinor;
  }
  const { winMinor, lossMinor } = amounts(market, bet);
  return { ...bet, winMinor, lossMinor };
}

/** The most a quoted bet can win and lose, by its table of results. */
function amounts(market: Market, bet: ModelBet): { winMinor: number; lossMinor: number } {
  if (market.def.kind === 'card') return cardAmounts(market, bet);
  const oracle = oracleBet(bet);
  if (market.def.kind === 'meter') {
    const perRun = (runs: number) => (bet.sizeMinor * bet.price * runs) / 100;
    const up = perRun(Math.max(0, market.def.cap! - bet.line!));
    const down = perRun(bet.line!);
    return bet.side === 'BACK'
      ? { winMinor: Math.floor(up), lossMinor: Math.ceil(down) }
      : { winMinor: Math.floor(down), lossMinor: Math.ceil(up) };
  }
  const decimal = DECIMAL.includes(market.def.kind);
  const prize = (oracle.stakeMinor * (decimal ? oracle.price - 100 : oracle.price)) / 100;
  return bet.side === 'BACK'
    ? { winMinor: Math.floor(prize), lossMinor: bet.sizeMinor }
    : { winMinor: bet.sizeMinor, lossMinor: Math.ceil(prize) };
}
