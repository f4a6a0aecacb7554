/** What an accepted command does to the world, by the rules of the exchange reference (3, 5, 7, 8, 12). */
import type { Command, EndCode, Side } from '../../src/types.ts';
import { HOUSE } from '../../src/types.ts';
import { beginToCome, beginToLeave, come, leave } from './archives.ts';
import { attach, cancel, endInMarket, endOwn, follow, isLapsing, isOfPrices, make, wagerLeft } from './conditionals.ts';
import { exposureOf, freeOf, groupOf, leftWithout, marketExposure, refreshExposure, withTaken } from './exposure.ts';
import { beginField, isOnlyIfCovered, reinstate, removeRunner } from './field.ts';
import { isOutgrown, isTooLong, isTooMuch, isUnsure } from './house.ts';
import type { Told } from './matching.ts';
import { dropHouse, end, execute, fillable, match, opposite } from './matching.ts';
import { offered } from './offers.ts';
import { drawOn, leftFor, legsOf, newOrder, newTake, singly, takenOf, waitingOf } from './refusals.ts';
import { changed, declare, takeResult, undeclare, voidBets } from './results.ts';
import { performRound } from './rounds.ts';
import { suspendLater, tellLater } from './slices.ts';
import { begin } from './turns.ts';
import type { Account, Market, ModelBet, World } from './world.ts';
import { allMarkets, isBooking, newRunner, placedSince, runnerOf } from './world.ts';

const NOBODY: ReadonlySet<number> = new Set();

type Of<T extends Command['type']> = Extract<Command, { type: T }>;

/**
 * Changes the world and says what the events must tell. The command must be one the rules accept. `isSliced`: a result that
 * is only begun; what is done of it is left to slices.ts. `heard`: delayed bets that the house was told to take no more on.
 */
export function perform(world: World, command: Command, now: number, isSliced = false, heard = NOBODY): Told {
  const told: Told = { fills: [] };
  switch (command.type) {
    case 'account.open':
      world.accounts.set(command.accountId, {
        id: command.accountId,
        blocked: false,
        exposureLimit: 0,
        stakeLimit: 0,
        wager: null,
        ledger: 0,
        short: new Set(),
      });
      break;
    case 'account.close':
      endOwn(world, command.accountId, 'ACCOUNT_BLOCKED', told);
      world.accounts.delete(command.accountId);
      break;
    case 'conditional.make':
      make(world, command, now, told);
      break;
    case 'conditional.cancel':
      cancel(world, command, told);
      break;
    case 'account.transfer':
      world.accounts.get(command.accountId)!.ledger += command.amountMinor;
      break;
    case 'account.restrict': {
      const account = world.accounts.get(command.accountId)!;
      account.blocked = command.betBlocked;
      if (command.betBlocked) endOwn(world, command.accountId, 'ACCOUNT_BLOCKED', told);
      account.exposureLimit = command.exposureLimitMinor;
      const before = account.stakeLimit;
      account.stakeLimit = command.stakeLimitMinor ?? 0;
      const { leftMinor, from, asideMinor = 0, keepsAside } = command.wager ?? {};
      const kept = keepsAside ? (account.wager?.aside ?? 0) : 0;
      const aside = keepsAside ? kept : asideMinor;
      account.wager =
        leftMinor === undefined || from === undefined
          ? null
          : { left: leftMinor - kept, from, placed: placedSince(allMarkets(world), account.id, from), games: 0, aside };
      if (!account.blocked) endBeyond(world, account, before);
      break;
    }
    case 'market.create':
      create(world, command);
      break;
    case 'market.state':
      changeState(world, world.markets.get(command.marketId)!, command, isSliced);
      break;
    case 'house.book':
      houseBook(world, world.markets.get(command.marketId)!, command, told);
      break;
    case 'house.quotes':
      quoteRows(world.markets.get(command.marketId)!, command);
      break;
    case 'order.place':
      placeAsked(world, command, now, told);
      break;
    case 'orders.place':
      for (const one of singly(command)) placeAsked(world, one, now, told);
      break;
    case 'quote.take': {
      const market = world.markets.get(command.marketId)!;
      const bet = newTake(market, command, now);
      world.lastBetId = command.betId;
      market.bets.push(bet);
      if (bet.status === 'COMPLETE') drawOn(market, bet);
      break;
    }
    case 'quotes.take': {
      const market = world.markets.get(command.marketId)!;
      market.bets.push(...takenOf(market, command, now));
      world.lastBetId = market.bets.at(-1)!.betId;
      break;
    }
    case 'order.cancel': {
      const { market, bet } = betAndMarket(world, command.betId);
      if (command.byMinor === undefined || command.byMinor >= bet.remainingMinor) end(market, bet, 'CANCELLED');
      else shrink(market, bet, command.byMinor);
      break;
    }
    case 'order.cancelAll':
      for (const market of world.markets.values()) {
        if (command.marketId !== undefined && market.id !== command.marketId) continue;
        for (const bet of market.bets) {
          if (bet.accountId !== command.accountId || bet.status !== 'EXECUTABLE') continue;
          if (command.runnerId !== undefined && bet.runnerId !== command.runnerId) continue;
          if (command.side !== undefined && bet.side !== command.side) continue;
          end(market, bet, 'CANCELLED');
        }
      }
      break;
    case 'order.replace':
      replace(world, command, now, told);
      break;
    case 'bets.hedge':
      hedge(world, command, now, told);
      break;
    case 'order.persistence':
      betAndMarket(world, command.betId).bet.persistence = command.persistence;
      break;
    case 'clock':
      release(world, now, told, heard);
      break;
    case 'runner.remove':
    case 'runner.reinstate': {
      const market = world.markets.get(command.marketId)!;
      // Whether somebody would be short by it is not known yet.
      if (!isSliced || !isOnlyIfCovered(command)) endInMarket(world, command.marketId, 'FIELD_CHANGED', isOfPrices);
      if (isSliced) beginField(world, market, command);
      else if (command.type === 'runner.remove') removeRunner(world, market, command);
      else reinstate(market, command);
      break;
    }
    case 'hold.release':
      for (const key of world.holds.keys()) {
        const [marketId, debtor] = key.split('/').map(Number);
        const meant = command.marketId === undefined || command.marketId === marketId;
        if (debtor === command.accountId && meant) world.accounts.get(debtor)!.short.delete(marketId!);
      }
      break;
    case 'debt.writeOff':
      world.accounts.get(command.accountId)!.ledger += command.amountMinor;
      world.site.set(HOUSE, (world.site.get(HOUSE) ?? 0) - command.amountMinor);
      break;
    case 'house.limits':
      world.bounds = { market: command.marketMinor, event: command.eventMinor };
      for (const market of world.markets.values()) if (isOutgrown(world, market)) dropHouse(market);
      break;
    case 'work':
      // What of it is done the core decides: slices.ts.
      break;
    case 'market.declare': {
      const market = world.markets.get(command.marketId)!;
      endInMarket(world, market.id, 'MARKET_CLOSED');
      if (!isSliced) declare(world, market, command);
      else {
        begin(world, market, command.type);
        takeResult(market, command);
      }
      break;
    }
    case 'market.undeclare': {
      const market = recall(world, command.marketId);
      if (isSliced) begin(world, market, command.type);
      else undeclare(world, market);
      break;
    }
    case 'bets.void':
      voidBets(world, recall(world, command.marketId), command);
      if (isSliced) tellLater(world, world.markets.get(command.marketId)!, command.type);
      break;
    case 'market.archive':
      if (isSliced) beginToLeave(world, command.marketId);
      else leave(world, world.markets.get(command.marketId)!, [], told);
      break;
    case 'purse.reserve':
    case 'purse.open':
    case 'purse.done':
      // Played by pools.ts.
      break;
    case 'market.recall':
      beginToCome(world, command);
      break;
    case 'market.recallPart':
      come(world, command);
      break;
    default:
      performRound(world, command, now);
  }
  return told;
}

function quoteRows(market: Market, { rows }: Of<'house.quotes'>): void {
  const known = market.runners.length;
  for (const row of rows) {
    if (!runnerOf(market, row.runnerId)) market.runners.push(newRunner(row));
    market.quotes.set(row.runnerId, structuredClone(row));
  }
  if (market.runners.length > known) changed(market, false);
}

function betAndMarket(world: World, betId: number): { market: Market; bet: ModelBet } {
  for (const market of world.markets.values()) {
    const bet = market.bets.find((one) => one.betId === betId);
    if (bet) return { market, bet };
  }
  throw new Error(`bet ${betId} is not known`);
}

function create(world: World, { market: def }: Of<'market.create'>): void {
  const gone = world.archive.get(def.marketId);
  // One in its place: what was staked in it stays staked.
  for (const { id, wager } of gone ? world.accounts.values() : [])
    if (wager) wager.placed -= placedSince([gone!.market], id, wager.from);
  world.archive.delete(def.marketId);
  world.markets.set(def.marketId, {
    def: structuredClone(def),
    id: def.marketId,
    status: def.status,
    inPlay: def.inPlay,
    betDelayMs: def.betDelayMs,
    reason: '',
    minStake: def.minStakeMinor,
    maxStake: def.maxStakeMinor,
    version: 1,
    material: 1,
    resultVersion: 0,
    result: null,
    runners: def.runners.map((runner) => ({ id: runner.runnerId, def: { ...runner }, status: 'ACTIVE' })),
    queue: [],
    fills: [],
    quotes: new Map(),
    bets: [],
    paid: null,
    turns: null,
    removals: [],
    waived: new Map(),
    worst: new Map(),
  });
}

function changeState(world: World, market: Market, c: Of<'market.state'>, isSliced: boolean): void {
  if (market.status === 'SETTLING') {
    suspendLater(market, c);
    return;
  }
  const lapses = new Map<number, EndCode>();
  const choose = (code: EndCode, which: (bet: ModelBet) => boolean) => {
    for (const bet of market.bets)
      if (bet.remainingMinor > 0 && which(bet) && !lapses.has(bet.betId)) lapses.set(bet.betId, code);
  };
  let any = false;
  let material = false;
  if (c.status !== undefined && c.status !== market.status) {
    any = true;
    const leaving = market.status === 'OPEN';
    market.status = c.status;
    market.reason = '';
    if (leaving) {
      // 3.5, 3.6: delayed bets lapse; resting ones too where the market says so, and the house's with them.
      choose('LAPSED_SUSPENDED', (bet) => bet.status === 'PENDING' || market.def.lapseOnSuspend);
      if (market.def.lapseOnSuspend) dropHouse(market);
    }
  }
  if (c.lapse) {
    choose('LAPSED_SUSPENDED', () => true);
    dropHouse(market);
  }
  if (c.reason !== undefined && c.reason !== market.reason) {
    any = true;
    market.reason = c.reason;
  }
  if (c.inPlay !== undefined && c.inPlay !== market.inPlay) {
    any = true;
    material = c.inPlay;
    market.inPlay = c.inPlay;
    if (c.inPlay) {
      choose('LAPSED_IN_PLAY', (bet) => bet.status === 'EXECUTABLE' && bet.persistence === 'LAPSE');
      choose('LAPSED_VERSION', (bet) => bet.status === 'PENDING');
      dropHouse(market);
      endInMarket(world, market.id, 'LAPSED_IN_PLAY', isLapsing);
    }
  }
  if (c.betDelayMs !== undefined && c.betDelayMs !== market.betDelayMs) {
    any = true;
    market.betDelayMs = c.betDelayMs;
  }
  if (c.limits && (c.limits.minStakeMinor !== market.minStake || c.limits.maxStakeMinor !== market.maxStake)) {
    any = true;
    market.minStake = c.limits.minStakeMinor;
    market.maxStake = c.limits.maxStakeMinor;
  }
  for (const { runnerId, status } of c.runners ?? []) {
    const runner = runnerOf(market, runnerId)!;
    if (runner.status === status) continue;
    any = true;
    runner.status = status;
    if (status !== 'ACTIVE') {
      choose('LAPSED_SUSPENDED', (bet) => bet.status === 'PENDING' && bet.runnerId === runnerId);
    }
  }
  if (any || isSliced) changed(market, material);
  if (isSliced) {
    begin(world, market, 'market.state', { lapses, after: { status: market.status, reason: market.reason } });
    return;
  }
  for (const bet of market.bets)
    if (lapses.has(bet.betId) && bet.remainingMinor > 0) end(market, bet, lapses.get(bet.betId)!);
}

/**
 * The house's wish: what is not wanted goes, what shrinks keeps its place, what grows or is new goes to the end and meets
 * players' orders first, best price first. Nothing matches while the market or the runner is not open.
 */
function houseBook(world: World, market: Market, c: Of<'house.book'>, told: Told): void {
  for (const asked of c.runners) {
    const { runnerId } = asked;
    const { backable, layable } = isTooLong(world, market, asked) ? { backable: [], layable: [] } : asked;
    const wish = new Map<string, number>();
    for (const [price, size] of backable) wish.set(`LAY@${price}`, size);
    for (const [price, size] of layable) wish.set(`BACK@${price}`, size);
    const own = (side: Side, price: number) =>
      market.queue.find(
        (one) => one.accountId === HOUSE && one.runnerId === runnerId && one.side === side && one.price === price,
      );
    market.queue = market.queue.filter((one) => {
      if (one.accountId !== HOUSE || one.runnerId !== runnerId) return true;
      const size = wish.get(`${one.side}@${one.price}`) ?? 0;
      one.size = Math.min(one.size, size);
      return size > 0;
    });
    const open = market.status === 'OPEN' && runnerOf(market, runnerId)!.status === 'ACTIVE';
    const raise = (side: Side, price: number, size: number) => {
      if (size === 0) return;
      const there = own(side, price);
      if (there?.size === size) return;
      let left = size;
      if (there) market.queue = market.queue.filter((one) => one !== there);
      else if (opposite(market, runnerId, side, price).length > 0) {
        if (!open) return;
        left = match(world, market, { betId: 0, accountId: HOUSE, runnerId, side, price, size }, told).left;
      }
      if (left > 0) market.queue.push({ betId: 0, accountId: HOUSE, runnerId, side, price, size: left });
    };
    for (const [price, size] of [...backable].sort((a, b) => b[0] - a[0])) raise('LAY', price, size);
    for (const [price, size] of [...layable].sort((a, b) => a[0] - b[0])) raise('BACK', price, size);
  }
}

/** An order, and what it brings with it. */
function placeAsked(world: World, c: Of<'order.place'>, now: number, told: Told): void {
  place(world, newOrder(c, now), now, told);
  attach(world, c, now, told);
}

export function place(world: World, bet: ModelBet, now: number, told: Told): void {
  const market = world.markets.get(bet.marketId)!;
  world.lastBetId = bet.betId;
  market.bets.push(bet);
  if (market.inPlay && market.betDelayMs > 0) bet.dueAt = now + market.betDelayMs;
  else execute(world, market, bet, told);
}

function shrink(market: Market, bet: ModelBet, by: number): void {
  bet.remainingMinor -= by;
  bet.cancelledMinor += by;
  for (const one of market.queue) if (one.betId === bet.betId) one.size = bet.remainingMinor;
}

function replace(world: World, c: Of<'order.replace'>, now: number, told: Told): void {
  const { market, bet } = betAndMarket(world, c.betId);
  const persistence = c.persistence ?? bet.persistence;
  if (c.price === bet.price && c.sizeMinor <= bet.remainingMinor) {
    if (c.sizeMinor < bet.remainingMinor) shrink(market, bet, bet.remainingMinor - c.sizeMinor);
    bet.persistence = persistence;
    return;
  }
  follow(world, bet, c.newBetId);
  end(market, bet, 'CANCELLED');
  const { accountId, runnerId, side, marketId } = bet;
  const { newBetId: betId, price, sizeMinor } = c;
  place(
    world,
    newOrder({ type: 'order.place', betId, accountId, marketId, runnerId, side, price, sizeMinor, persistence }, now),
    now,
    told,
  );
}

function hedge(world: World, c: Of<'bets.hedge'>, now: number, told: Told): void {
  const market = world.markets.get(c.marketId)!;
  for (const bet of c.cancel ? waitingOf(market, c.accountId) : []) end(market, bet, 'CANCELLED');
  if (c.cancel) cancel(world, { type: 'conditional.cancel', accountId: c.accountId, marketId: c.marketId }, told);
  const legs = legsOf(market, c, now);
  market.bets.push(...legs);
  world.lastBetId = legs.at(-1)!.betId;
  const delayed = market.inPlay && market.betDelayMs > 0;
  for (const leg of legs) {
    if (delayed) Object.assign(leg, { group: c.betId, dueAt: now + market.betDelayMs });
    else if (leg.kind === 'order') execute(world, market, leg, told);
    else drawOn(market, leg);
  }
}

/** A group whose delay is over: whole or not at all. */
function releaseGroup(world: World, market: Market, group: ModelBet[], told: Told): void {
  const [first] = group;
  const { accountId, kind } = first!;
  const rest = leftWithout(market, group);
  const dearer = marketExposure(withTaken(rest, group), accountId) > marketExposure(rest, accountId);
  if (world.accounts.get(accountId)!.blocked) {
    end(market, first!, 'CANCELLED', 'The account was restricted meanwhile');
  } else if (freeOf(world, accountId) < 0 && dearer) {
    end(market, first!, 'CANCELLED', 'Not enough balance any more');
  } else if (!group.every((leg) => isThere(market, leg)) || isTooMuch(world, market, group.map(alone))) {
    end(market, first!, kind === 'order' ? 'KILLED' : 'LAPSED_PRICE', 'The price changed during the delay');
  } else {
    for (const leg of group) {
      delete leg.group;
      if (leg.kind === 'order') execute(world, market, leg, told);
      else takeWhole(market, leg);
    }
  }
}

/** Of what waits out its delay ends what is beyond a limit that was lowered, the youngest first. */
function endBeyond(world: World, account: Account, stakeLimitBefore: number): void {
  const { id, stakeLimit, exposureLimit, wager } = account;
  const isLower = stakeLimit > 0 && (stakeLimitBefore === 0 || stakeLimit < stakeLimitBefore);
  const isBeyond = (market: Market, bet: ModelBet) => {
    if (isLower && bet.sizeMinor > stakeLimit) return true;
    if (wager && bet.placedAt >= wager.from && wagerLeft(world, account)! + wager.aside < 0) return true;
    if (exposureLimit === 0 || exposureOf(world, id) <= exposureLimit) return false;
    const rest = bet.group === undefined ? market : leftWithout(market, groupOf(market, id));
    const without = bet.group === undefined ? bet : undefined;
    return marketExposure(rest, id, undefined, without) < marketExposure(market, id);
  };
  const waiting = [...world.markets.values()].flatMap((market) =>
    market.bets.flatMap((bet) => (bet.accountId === id && bet.status === 'PENDING' ? [{ market, bet }] : [])),
  );
  for (const { market, bet } of waiting.sort((a, b) => b.bet.betId - a.bet.betId)) {
    if (bet.status !== 'PENDING' || market.status === 'SETTLING' || !isBeyond(market, bet)) continue;
    end(market, bet, 'CANCELLED', 'A limit was lowered during the delay');
    refreshExposure(world, market);
  }
}

/** As if it were the only one of its group. */
function alone(leg: ModelBet): ModelBet {
  const one = { ...leg };
  delete one.group;
  return one;
}

function isThere(market: Market, leg: ModelBet): boolean {
  if (leg.kind === 'order') {
    return fillable(market, leg.runnerId, leg.side, leg.price, leg.accountId) >= leg.sizeMinor;
  }
  const row = market.quotes.get(leg.runnerId);
  const offer = row && row.status === 'ACTIVE' ? offered(market, row, leg.side, leg.box ?? 0) : null;
  return offer?.price === leg.price && leftFor(market, leg) >= leg.sizeMinor;
}

function takeWhole(market: Market, bet: ModelBet): void {
  bet.status = 'COMPLETE';
  bet.dueAt = 0;
  bet.matchedMinor = bet.remainingMinor;
  bet.matchedSum = bet.matchedMinor * bet.price;
  bet.remainingMinor = 0;
  drawOn(market, bet);
}

/** Where that may be judged otherwise than here it is as it was told. */
function isBeyondHouse(world: World, market: Market, bet: ModelBet, heard: ReadonlySet<number>): boolean {
  if (isUnsure(world, { marketId: market.id })) return heard.has(bet.betId);
  return isTooMuch(world, leftWithout(market, [bet]), [bet]);
}

/** Delayed bets that are due: looked at again, then to the book or taken. */
function release(world: World, now: number, told: Told, heard: ReadonlySet<number>): void {
  const due = [...world.markets.values()]
    .flatMap((market) => market.bets.filter((bet) => bet.status === 'PENDING').map((bet) => ({ market, bet })))
    .filter(({ bet }) => bet.dueAt <= now)
    .sort((a, b) => a.bet.dueAt - b.bet.dueAt || a.bet.betId - b.bet.betId);
  for (const { market, bet } of due) {
    if (bet.status !== 'PENDING') continue;
    if (market.status === 'SETTLING') {
      end(market, bet, isBooking(market.turns!) ? 'LAPSED_CLOSED' : 'LAPSED_SUSPENDED');
      continue;
    }
    if (bet.group !== undefined) {
      refreshExposure(world, market);
      releaseGroup(world, market, groupOf(market, bet.accountId), told);
      refreshExposure(world, market);
      continue;
    }
    const account = world.accounts.get(bet.accountId)!;
    const row = market.quotes.get(bet.runnerId);
    const offer = row && row.status === 'ACTIVE' ? offered(market, row, bet.side, bet.box ?? 0) : null;
    refreshExposure(world, market);
    const free = freeOf(world, bet.accountId);
    const without = marketExposure(market, bet.accountId, undefined, bet);
    if (account.blocked) end(market, bet, 'CANCELLED', 'The account was restricted meanwhile');
    else if (bet.kind === 'quote' && (!offer || offer.price !== bet.price || offer.line !== bet.line)) {
      end(market, bet, 'LAPSED_PRICE', 'The price changed during the delay');
    } else if (bet.kind === 'quote' && leftFor(market, bet) < bet.sizeMinor) {
      end(market, bet, 'LAPSED_PRICE', 'Others took the price during the delay');
    } else if (free < 0 && without < marketExposure(market, bet.accountId)) {
      end(market, bet, 'CANCELLED', 'Not enough balance any more');
    } else if (bet.kind === 'quote' && isBeyondHouse(world, market, bet, heard)) {
      end(market, bet, 'LAPSED_PRICE', 'The house takes no more on it');
    } else if (bet.kind === 'order') execute(world, market, bet, told);
    else takeWhole(market, bet);
    refreshExposure(world, market);
  }
}

/** A market in memory, or back from its archive. */
function recall(world: World, marketId: number): Market {
  const market = world.markets.get(marketId) ?? world.archive.get(marketId)!.market;
  world.archive.delete(marketId);
  world.markets.set(marketId, market);
  return market;
}
