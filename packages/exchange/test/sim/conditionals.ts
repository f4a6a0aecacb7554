/**
 * Conditional orders as the rules have them: a plain list, of which every one is looked at after every command. What is met has
 * its turn in the order in which it was met, the older first among those met at once.
 */
import { LADDER, moveTicks } from '@fairgame/contract';
import { MOST_AT_ONCE, MOST_IN_MARKET, MOST_OF_ACCOUNT } from '../../src/exchange.ts';
import type { Attached, Command, ConditionalEnd, ConditionalView, Event, RefusalCode, Side } from '../../src/types.ts';
import { refreshExposure } from './exposure.ts';
import { near } from './glance.ts';
import type { Told } from './matching.ts';
import { end as endBet } from './matching.ts';
import type { Random } from './random.ts';
import type { Account, Market, ModelBet, World } from './world.ts';
import { allMarkets, findBet, must, placedSince, runnerOf } from './world.ts';

export type Make = Extract<Command, { type: 'conditional.make' }>;
type Place = Extract<Command, { type: 'order.place' }>;

export interface ModelConditional {
  id: number;
  made: Make;
  accountId: number;
  marketId: number;
  runnerId: number;
  /** Of the bet to come. */
  side: Side;
  forBetId: number;
  /** Lowest tick a trailing stop saw, counted so that more is worse; null before the first price. */
  mark: number | null;
  dueAt: number;
  link: number;
  due: 'FIRE' | ConditionalEnd | null;
}

/** What the events must tell of one; of a failed one, why it may have failed. */
export interface Fate {
  id: number;
  status: ConditionalView['status'];
  endCode?: ConditionalEnd;
  betId?: number;
  reasons?: ReadonlySet<RefusalCode>;
}

/** What the model asks of the rest: perform.ts and refusals.ts, which ask this file, too. */
export interface Acts {
  reasons(world: World, command: Place): ReadonlySet<RefusalCode>;
  place(world: World, command: Place, now: number, told: Told): void;
}

const FIRING = [
  'order.place',
  'orders.place',
  'order.replace',
  'order.cancel',
  'order.cancelAll',
  'bets.hedge',
  'house.book',
];
const mayFire = (type: string) => FIRING.includes(type) || type.startsWith('conditional.') || type === 'clock';

/** The best tick on offer to a bet of the side, more is worse; null for none. */
function offered(market: Market, runnerId: number, side: Side): number | null {
  const prices = market.queue.filter((one) => one.runnerId === runnerId && one.side !== side).map((one) => one.price);
  if (prices.length === 0) return null;
  return worse(side, side === 'LAY' ? Math.min(...prices) : Math.max(...prices));
}

const worse = (side: Side, price: number) => (side === 'LAY' ? 1 : -1) * LADDER.indexOf(price);
const isOpen = (market: Market, runnerId: number) =>
  market.status === 'OPEN' && runnerOf(market, runnerId)?.status === 'ACTIVE';

// ---------------------------------------------------------------------------------------------------- made and ended

export function make(world: World, c: Make, now: number, told: Told): void {
  const bet = c.kind === 'OFFSET' || c.kind === 'EXPIRE' ? findBet(world, c.betId)!.bet : undefined;
  const first = c.link ? world.conditionals.find((one) => one.id === c.link)! : undefined;
  if (first && first.link === 0) first.link = first.id;
  const other = bet?.side === 'BACK' ? 'LAY' : 'BACK';
  const one: ModelConditional = {
    id: ++world.lastConditional,
    made: c,
    accountId: c.accountId,
    marketId: c.marketId,
    runnerId: 'runnerId' in c ? c.runnerId : bet!.runnerId,
    side: 'side' in c ? c.side : c.kind === 'OFFSET' ? other : bet!.side,
    forBetId: bet?.betId ?? 0,
    mark: null,
    dueAt: c.kind === 'EXPIRE' ? Math.max(now, bet!.dueAt) + c.afterMs : 0,
    link: first?.link ?? 0,
    due: null,
  };
  world.conditionals.push(one);
  tell(told, { id: one.id, status: 'WAITING' });
}

/** What an order brings with it, once that is in the book, matched or over: an end only where something is left to end. */
export function attach(world: World, c: Place, now: number, told: Told): void {
  const { offset, expireMs, betId, accountId, marketId } = c;
  const { bet } = findBet(world, betId)!;
  const head = { type: 'conditional.make' as const, accountId, marketId, betId };
  if (offset && bet.remainingMinor + bet.matchedMinor > 0)
    make(world, { ...head, kind: 'OFFSET', ...offset }, now, told);
  if (expireMs && bet.remainingMinor > 0) make(world, { ...head, kind: 'EXPIRE', afterMs: expireMs }, now, told);
}

const tell = (told: Told, fate: Fate) => {
  told.fates ??= [];
  told.fates.push(fate);
};

function over(world: World, one: ModelConditional): void {
  world.conditionals = world.conditionals.filter((other) => other !== one);
  world.turns = world.turns.filter((id) => id !== one.id);
}

function end(world: World, one: ModelConditional, endCode: ConditionalEnd, told: Told): void {
  over(world, one);
  tell(told, { id: one.id, status: 'ENDED', endCode });
}

export function cancel(world: World, c: Extract<Command, { type: 'conditional.cancel' }>, told: Told): void {
  for (const one of Array.from(world.conditionals)) {
    const meant =
      c.conditionalId === undefined ? (c.marketId ?? one.marketId) === one.marketId : one.id === c.conditionalId;
    if (one.accountId === c.accountId && meant) end(world, one, 'CANCELLED', told);
  }
}

export function endOwn(world: World, accountId: number, code: ConditionalEnd, told: Told): void {
  for (const one of Array.from(world.conditionals)) if (one.accountId === accountId) end(world, one, code, told);
}

/** None of them fires any more; each is told in its turn. */
export function endInMarket(
  world: World,
  marketId: number,
  code: ConditionalEnd,
  which: (one: ModelConditional) => boolean = () => true,
): void {
  for (const one of world.conditionals) {
    if (one.marketId !== marketId || !which(one)) continue;
    one.due = code;
    if (!world.turns.includes(one.id)) world.turns.push(one.id);
  }
}

export const isLapsing = ({ made }: ModelConditional) => made.kind !== 'EXPIRE' && made.persistence === 'LAPSE';
export const isOfPrices = ({ made }: ModelConditional) => made.kind !== 'EXPIRE';

export function dropFrom(world: World, marketId: number, told: Told): void {
  for (const one of Array.from(world.conditionals))
    if (one.marketId === marketId) end(world, one, 'MARKET_CLOSED', told);
}

/** What waited for a bet that was moved waits for the one in its place. */
export function follow(world: World, old: ModelBet, next: number): void {
  for (const one of world.conditionals) {
    const stays = one.made.kind === 'OFFSET' && old.matchedMinor > 0;
    if (one.forBetId === old.betId && one.due === null && !stays) one.forBetId = next;
  }
}

// ---------------------------------------------------------------------------------------------------- met and fired

/** After every command. @returns whether a bet was placed or ended. */
export function react(world: World, command: Command, now: number, told: Told, acts: Acts): boolean {
  meet(world, command.type === 'clock' ? now : -1, told);
  if (!mayFire(command.type)) return false;
  let acted = false;
  for (let turns = 0; turns < MOST_AT_ONCE && world.turns.length > 0; turns++) {
    const one = world.conditionals.find(({ id }) => id === world.turns[0])!;
    acted = takeTurn(world, one, now, told, acts) || acted;
    meet(world, -1, told);
  }
  return acted;
}

function meet(world: World, until: number, told: Told): void {
  for (const one of [...world.conditionals].sort((a, b) => a.id - b.id)) {
    if (one.due !== null) continue;
    const market = world.markets.get(one.marketId)!;
    const { made } = one;
    if (made.kind === 'OFFSET' || made.kind === 'EXPIRE') {
      const { bet } = findBet(world, one.forBetId)!;
      if (bet.remainingMinor === 0 && (made.kind === 'EXPIRE' || bet.matchedMinor === 0))
        end(world, one, 'BET_ENDED', told);
      else if (made.kind === 'EXPIRE' ? one.dueAt <= until : bet.remainingMinor === 0 && isOpen(market, one.runnerId))
        wait(world, one);
      continue;
    }
    const tick = isOpen(market, one.runnerId) ? offered(market, one.runnerId, one.side) : null;
    if (tick === null) continue;
    if (made.kind === 'TRAIL') {
      one.mark = one.mark === null ? tick : Math.min(one.mark, tick);
      if (tick >= one.mark + made.ticks) wait(world, one);
    } else {
      const at = worse(one.side, made.trigger);
      if (made.kind === 'STOP' ? tick >= at : tick <= at) wait(world, one);
    }
  }
}

function wait(world: World, one: ModelConditional): void {
  one.due = 'FIRE';
  world.turns.push(one.id);
}

function takeTurn(world: World, one: ModelConditional, now: number, told: Told, acts: Acts): boolean {
  if (one.due !== 'FIRE') {
    end(world, one, one.due!, told);
    return false;
  }
  const { made, accountId, marketId, runnerId, side } = one;
  const market = world.markets.get(marketId)!;
  if (made.kind === 'EXPIRE') {
    over(world, one);
    const { bet } = findBet(world, one.forBetId)!;
    if (bet.remainingMinor > 0) endBet(market, bet, 'KILLED');
    tell(told, { id: one.id, status: 'FIRED' });
    return true;
  }
  if (!isOpen(market, runnerId) || (made.kind === 'TRAIL' && offered(market, runnerId, side) === null)) {
    one.due = null;
    world.turns.shift();
    return false;
  }
  over(world, one);
  const betId = world.lastBetId + 1;
  const { persistence } = made;
  const bet: Place = {
    type: 'order.place',
    betId,
    accountId,
    marketId,
    runnerId,
    side,
    persistence,
    ...betOf(world, one),
  };
  for (const each of world.markets.values()) refreshExposure(world, each);
  const reasons = new Set([...acts.reasons(world, bet), ...ownLimits(world, bet)]);
  if (reasons.size > 0) {
    tell(told, { id: one.id, status: 'FAILED', reasons });
    return false;
  }
  acts.place(world, bet, now, told);
  for (const each of world.markets.values()) refreshExposure(world, each);
  tell(told, { id: one.id, status: 'FIRED', betId });
  for (const other of Array.from(world.conditionals))
    if (one.link !== 0 && other.link === one.link && other.accountId === accountId)
      end(world, other, 'OTHER_FIRED', told);
  return true;
}

/** The player's own limits on stakes, as they are at this moment. */
function ownLimits(world: World, { accountId, sizeMinor }: Place): RefusalCode[] {
  const account = world.accounts.get(accountId)!;
  const codes: RefusalCode[] = [];
  if (account.stakeLimit > 0 && sizeMinor > account.stakeLimit) codes.push('STAKE_LIMIT');
  if (sizeMinor > (wagerLeft(world, account) ?? sizeMinor)) codes.push('WAGER_LIMIT');
  return codes;
}

/** What was set aside for a bet comes with it. */
export function giveBackAside({ wager }: Account): void {
  if (wager) wager.left += wager.aside;
  if (wager) wager.aside = 0;
}

/** What may still be staked; null without a limit. */
export function wagerLeft(world: World, { id, wager }: Account): number | null {
  return wager && wager.left - (placedSince(allMarkets(world), id, wager.from) - wager.placed) - wager.games;
}

function betOf(
  world: World,
  { made, marketId, runnerId, side, forBetId }: ModelConditional,
): { price: number; sizeMinor: number } {
  if (made.kind === 'STOP' || made.kind === 'PROFIT') return { price: made.price, sizeMinor: made.sizeMinor };
  if (made.kind === 'TRAIL') {
    const at = (side === 'LAY' ? 1 : -1) * offered(world.markets.get(marketId)!, runnerId, side)!;
    return { price: moveTicks(LADDER[at]!, side === 'LAY' ? made.slip : -made.slip), sizeMinor: made.sizeMinor };
  }
  if (made.kind !== 'OFFSET') throw new Error('a bet with an end makes none');
  const { bet } = findBet(world, forBetId)!;
  const price = moveTicks(bet.price, bet.side === 'BACK' ? -made.ticks : made.ticks);
  return { price, sizeMinor: made.level ? Math.round(bet.matchedSum / price) : bet.matchedMinor };
}

/** INV-27 to 29: what was told of them is what the rules say, each fired by its bet, in its order. */
export function compareFates(told: Told, events: readonly Event[]): void {
  const seen = events.flatMap((event) => (event.type === 'conditional' ? [event.conditional] : []));
  const should = told.fates ?? [];
  const line = ({ conditionalId, status, endCode, betId }: Partial<ConditionalView>) =>
    `${conditionalId} ${status} ${endCode ?? ''} ${betId ?? ''}`;
  const wanted = should.map(({ id, status, endCode, betId }) =>
    line({ conditionalId: id, status, ...(endCode && { endCode }), ...(betId && { betId }) }),
  );
  const actual = seen.map(line);
  const why = () => `conditional orders told\n  ${actual.join('\n  ')}\nand should be\n  ${wanted.join('\n  ')}`;
  must([...actual].sort().join() === [...wanted].sort().join(), ruleOf(seen, should), why);
  const turns = (lines: string[]) => lines.filter((text) => text.includes('FIRED') || text.includes('FAILED')).join();
  must(turns(actual) === turns(wanted), 'INV-27', why);
  for (const { id, reasons } of should) {
    const code = seen.find((one) => one.conditionalId === id && one.status === 'FAILED')?.code;
    must(!reasons || (code !== undefined && reasons.has(code)), 'INV-29', () => `${id} failed with ${code}`);
  }
}

/** Which rule is broken: one that fired where the rules refuse its bet, one that outlives its market, or one that fires once more. */
function ruleOf(seen: readonly ConditionalView[], should: readonly Fate[]): string {
  const has = (one: Fate, status: string) =>
    seen.some(({ conditionalId, ...told }) => conditionalId === one.id && told.status === status);
  if (should.some((one) => one.status === 'FAILED' && has(one, 'FIRED'))) return 'INV-29';
  return should.some((one) => one.endCode === 'MARKET_CLOSED' && !has(one, 'ENDED')) ? 'INV-28' : 'INV-27';
}

// ---------------------------------------------------------------------------------------------------- refused and chosen

/** Of what an order brings with it. `coming`: so many come with orders of the same command before it. */
export function reasonsToAttach(world: World, c: Place, reasons: Set<RefusalCode>, coming = 0): void {
  const { offset, expireMs, accountId, marketId, side, price } = c;
  const asked = countAttached(c);
  const count = (which: (one: ModelConditional) => boolean) => world.conditionals.filter(which).length;
  if (asked > 0 && count((one) => one.accountId === accountId) + coming + asked > MOST_OF_ACCOUNT)
    reasons.add('CONDITIONAL_LIMIT');
  if (asked > 0 && count((one) => one.marketId === marketId) + coming + asked > MOST_IN_MARKET)
    reasons.add('CONDITIONAL_LIMIT');
  if (expireMs !== undefined && !(whole(expireMs) && expireMs <= 3_600_000)) reasons.add('AMOUNT_INVALID');
  if (!offset) return;
  const away = whole(offset.ticks) && offset.ticks <= 100 && LADDER.includes(price);
  if (!away || moveTicks(price, side === 'BACK' ? -offset.ticks : offset.ticks) === price) reasons.add('PRICE_INVALID');
}

export const countAttached = ({ offset, expireMs }: Place) =>
  Number(offset !== undefined) + Number(expireMs !== undefined);

/** What a player may want with an order; now and then what nobody can have. */
export function someAttached(random: Random): Attached {
  const attached: Attached = {};
  const ticks = random.chance(0.95) ? random.int(1, 4) : random.pick([0, 101, 1.5]);
  const persistence = random.pick(['LAPSE', 'PERSIST'] as const);
  if (random.chance(0.8)) attached.offset = { ticks, level: random.chance(0.5), persistence };
  if (random.chance(0.4)) attached.expireMs = random.chance(0.95) ? random.int(1, 20_000) : random.pick([0, 3_600_001]);
  return attached;
}

const whole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

/** Of what is asked for, all but what a bet of it would be refused for: refusals.ts adds that. */
export function reasonsToMake(world: World, c: Make, reasons: Set<RefusalCode>): void {
  const account = world.accounts.get(c.accountId);
  if (!account && c.accountId > 4) reasons.add('ACCOUNT_UNKNOWN');
  if (account?.blocked || c.accountId <= 4) reasons.add('ACCOUNT_BLOCKED');
  const market = world.markets.get(c.marketId);
  if (!market) {
    reasons.add('MARKET_UNKNOWN');
    return;
  }
  if (market.def.kind !== 'book') reasons.add('WRONG_KIND');
  if (market.status === 'SETTLING') reasons.add('MARKET_SETTLING');
  if (market.status === 'CLOSED') reasons.add('MARKET_CLOSED');
  const count = (which: (one: ModelConditional) => boolean) => world.conditionals.filter(which).length;
  if (count((one) => one.accountId === c.accountId) >= MOST_OF_ACCOUNT) reasons.add('CONDITIONAL_LIMIT');
  if (count((one) => one.marketId === c.marketId) >= MOST_IN_MARKET) reasons.add('CONDITIONAL_LIMIT');
  const linked = world.conditionals.find((one) => one.id === c.link);
  if (c.link && !(linked?.accountId === c.accountId && linked.marketId === c.marketId))
    reasons.add('CONDITIONAL_UNKNOWN');
  if (c.kind === 'OFFSET' || c.kind === 'EXPIRE') {
    ofBet(world, c, reasons);
    return;
  }
  const runner = runnerOf(market, c.runnerId);
  if (!runner) reasons.add('RUNNER_UNKNOWN');
  else if (runner.status === 'REMOVED') reasons.add('RUNNER_REMOVED');
  if (c.kind === 'TRAIL') return;
  if (!LADDER.includes(c.trigger) || !LADDER.includes(c.price)) reasons.add('PRICE_INVALID');
  else if (c.kind === 'STOP' && worse(c.side, c.price) < worse(c.side, c.trigger)) reasons.add('PRICE_INVALID');
  const tick = offered(market, c.runnerId, c.side);
  const at = worse(c.side, c.trigger);
  if (tick !== null && (c.kind === 'STOP' ? tick >= at : tick <= at)) reasons.add('CONDITION_MET');
}

function ofBet(world: World, c: Extract<Make, { kind: 'OFFSET' | 'EXPIRE' }>, reasons: Set<RefusalCode>): void {
  const found = findBet(world, c.betId);
  if (!found || found.bet.accountId !== c.accountId || found.market.id !== c.marketId) {
    reasons.add('BET_UNKNOWN');
    return;
  }
  const { bet, market } = found;
  const has = world.conditionals.some(
    (one) => one.forBetId === bet.betId && one.made.kind === c.kind && one.due === null,
  );
  if (has) reasons.add('CONDITIONAL_LIMIT');
  if (bet.kind === 'quote') reasons.add('WRONG_KIND');
  if (bet.remainingMinor === 0 && (c.kind === 'EXPIRE' || bet.matchedMinor === 0)) reasons.add('BET_NOT_OPEN');
  if (c.kind === 'EXPIRE') {
    if (!whole(c.afterMs)) reasons.add('AMOUNT_INVALID');
    return;
  }
  if (runnerOf(market, bet.runnerId)?.status === 'REMOVED') reasons.add('RUNNER_REMOVED');
  if (moveTicks(bet.price, bet.side === 'BACK' ? -c.ticks : c.ticks) === bet.price) reasons.add('PRICE_INVALID');
}

/** A trader's next: one of each kind now and then, some of them taken back. */
export function someConditional(world: World, random: Random, market: Market, accountId: number): Command {
  const own = world.conditionals.filter((one) => one.accountId === accountId);
  if (own.length > 0 && random.chance(0.12)) {
    const { id } = random.pick(random.chance(0.9) ? own : world.conditionals);
    return random.chance(0.8)
      ? { type: 'conditional.cancel', accountId, conditionalId: id }
      : { type: 'conditional.cancel', accountId, ...(random.chance(0.5) ? { marketId: market.id } : {}) };
  }
  const mate = own.find((one) => one.marketId === market.id);
  const link = mate && random.chance(0.4) ? { link: random.chance(0.95) ? mate.id : mate.id + 1 } : {};
  const head = { type: 'conditional.make' as const, accountId, marketId: market.id, ...link };
  const persistence = random.pick(['LAPSE', 'PERSIST'] as const);
  const bets = market.bets.filter((bet) => bet.accountId === accountId && bet.result === 'PENDING');
  if (bets.length > 0 && random.chance(0.5)) {
    const { betId } = random.pick(bets.slice(-6));
    return random.chance(0.5)
      ? { ...head, kind: 'OFFSET', betId, ticks: random.int(1, 4), level: random.chance(0.5), persistence }
      : { ...head, kind: 'EXPIRE', betId, afterMs: random.int(1, 20_000) };
  }
  const runner = random.pick(market.runners);
  const side = random.pick(['BACK', 'LAY'] as const);
  const sizeMinor = random.weighted([
    [6, random.int(1, 40) * 100],
    [2, random.int(100, 20_000)],
    [0.5, market.maxStake],
  ]);
  const bet = { ...head, runnerId: runner.id, side, sizeMinor, persistence };
  if (random.chance(0.35)) return { ...bet, kind: 'TRAIL', ticks: random.int(1, 4), slip: random.int(0, 6) };
  const kind = random.pick(['STOP', 'PROFIT'] as const);
  const behind = (side === 'LAY' ? 1 : -1) * (kind === 'STOP' ? 1 : -1);
  const best = near(random, market, runner);
  const trigger = moveTicks(best, behind * random.int(0, 3));
  return {
    ...bet,
    kind,
    trigger,
    price: moveTicks(trigger, (side === 'LAY' ? 1 : -1) * random.int(kind === 'STOP' ? 0 : -1, 4)),
  };
}
