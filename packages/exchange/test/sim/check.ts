/** After each command: what the core told, held against the naive world. */

import type { Bet, Command, Event, Quote } from '../../src/types.ts';
import { COMMISSION, FIRST_PLAYER, HOUSE } from '../../src/types.ts';
import { followLeaving } from './archives.ts';
import { compareFates, giveBackAside, react } from './conditionals.ts';
import { coverOthers, exposureOf, freeOf, refreshExposure } from './exposure.ts';
import { checkGivenUp, checkHolds, foldHolds, lookBefore } from './holds.ts';
import { isUnsure } from './house.ts';
import type { Told } from './matching.ts';
import { levelsOf } from './matching.ts';
import { perform, place } from './perform.ts';
import { newOrder, reasonsToRefuse } from './refusals.ts';
import { held, isGame } from './rounds.ts';
import type { Seen } from './seen.ts';
import { fold } from './seen.ts';
import { changeIn, follow, goesOnWith, hear } from './slices.ts';
import type { Market, ModelBet, World } from './world.ts';
import { betsOf, heldOf, isBooking, isTold, must } from './world.ts';

const leftByHouse = (events: readonly Event[]) =>
  new Set(
    events.flatMap((event) =>
      event.type === 'bet' && event.bet.reason === 'The house takes no more on it' ? [event.bet.betId] : [],
    ),
  );

/** Applies the command to the world and compares. Throws Violation. */
export function check(world: World, seen: Seen, command: Command, now: number, events: readonly Event[]): void {
  const refused = events.find((event) => event.type === 'refused');
  const reasons = reasonsToRefuse(world, command);
  if (!refused && isUnsure(world, command as { marketId?: number })) reasons.delete('HOUSE_LIMIT');
  if (refused) {
    must(
      events.length === 1,
      'refusal',
      () => `a refused ${command.type} told ${events.map((event) => event.type).join()}`,
    );
    const why = () => `${command.type} refused as ${refused.code}, the rules say ${[...reasons].join() || 'accept'}`;
    const isOpen = refused.code === 'HOUSE_LIMIT' && isUnsure(world, command as { marketId?: number });
    must(isOpen || reasons.has(refused.code), rule(refused.code), why);
    return;
  }
  must(
    reasons.size === 0,
    rule([...reasons][0] ?? ''),
    () => `${command.type} accepted, the rules say ${[...reasons].join()}`,
  );

  const goesOn = goesOnWith(world, command);
  // A slice in which a field changes is judged as the command that began it, and that one does nothing yet.
  const change = changeIn(goesOn, events);
  const judged = change ?? command;
  const before = lookBefore(world, judged);
  const stood = standing(NOT_OWN.has(judged.type) ? touchedMarkets(world, judged) : []);
  // What is neither a result nor a field was judged when its command did it: its slices only tell, and end what lapses.
  const leaves = goesOn !== undefined && world.leaving.has(goesOn.id);
  const told = perform(world, command, now, isBegun(command, events), leftByHouse(events));
  if ('takesAside' in command && command.takesAside) giveBackAside(world.accounts.get(command.accountId)!);
  const begun = 'marketId' in command ? world.markets.get(command.marketId ?? 0) : undefined;
  const cause = causeOf(command, goesOn, change, begun);
  const settling = goesOn ?? (begun?.turns && !isWork(command) ? begun : undefined);
  const turned = settling?.turns && SLICED.has(cause) ? follow(world, settling, events) : undefined;
  const leaving = leaves ? goesOn : command.type === 'market.archive' ? begun : undefined;
  if (leaving) followLeaving(world, leaving, 'units' in command ? command.units! : 0, events, told);
  const acted = react(world, command, now, told, { reasons: reasonsToRefuse, place: placeBet });
  hear(goesOn ?? (begun?.turns?.before.length ? begun : undefined), events, change !== undefined || !isWork(command));
  fold(seen, events);
  const held = new Map(world.holds);
  foldHolds(world, events);
  if (command.type === 'hold.release') checkGivenUp(world, command, held);
  compareFates(told, events);
  compareFills(told, events);
  for (const event of events) {
    if (event.type === 'archived') world.archive.get(event.marketId)!.snapshot = event.snapshot;
    if (event.type === 'round') world.told.set(`${event.round.accountId}/${event.round.roundId}`, event.round);
  }
  const touched = isWork(command)
    ? [goesOn].filter((market) => isThere(world, market))
    : touchedMarkets(world, command);
  const compared = acted ? [...world.markets.values()] : touched;
  if (isWork(command) && !goesOn)
    must(
      events.every((event) => event.type === 'conditional'),
      'INV-16',
      () => 'nothing to go on with, and yet it did something',
    );
  for (const market of compared) {
    compareBets(market, seen);
    compareLevels(market, seen);
    compareRows(market, seen);
    compareView(market, seen);
    refreshExposure(world, market);
    if (NOT_OWN.has(cause)) coverOthers(world, market, turned ?? concerned(market, judged, stood), before.free);
  }
  for (const account of world.accounts.values()) if (freeOf(world, account.id) >= 0) account.short.clear();
  compareMoney(world, seen);
  checkHolds(world, judged, cause, touched[0], before);
}

/** A bet that a conditional order became. */
function placeBet(world: World, command: Extract<Command, { type: 'order.place' }>, now: number, told: Told): void {
  place(world, newOrder(command, now), now, told);
}

/** By the rules of which command this one is judged: a slice by what it goes on with, what is only begun by none. */
function causeOf(command: Command, goesOn: Market | undefined, change: Command | undefined, begun: Market | undefined) {
  if (change) return change.type;
  if (goesOn?.turns) return isBooking(goesOn.turns) ? goesOn.turns.type : 'market.state';
  return command.type === begun?.turns?.change?.type ? 'market.state' : command.type;
}

const isWork = (command: Command) => command.type === 'work';
const SLICED = new Set<Command['type']>([
  'market.declare',
  'market.undeclare',
  'market.state',
  'runner.remove',
  'runner.reinstate',
  'bets.void',
]);

/** Whether something was begun and not done. */
function isBegun({ type }: Command, events: readonly Event[]): boolean {
  if (type === 'market.archive') return !events.some((event) => event.type === 'archived');
  const isLeft = events.some((event) => event.type === 'market' && event.market.status === 'SETTLING');
  return SLICED.has(type) && isLeft;
}

function isThere(world: World, market: Market | undefined): market is Market {
  return market !== undefined && world.markets.has(market.id);
}

/** Commands that change the bets of accounts that did nothing. */
const NOT_OWN = new Set(['runner.remove', 'runner.reinstate', 'market.undeclare', 'bets.void', 'house.quotes']);

/** How much of each bet counts, and how many runners each market has. */
function standing(markets: readonly Market[]): { parts: Map<number, string>; runners: Map<number, number> } {
  const bets = markets.flatMap((market) => market.bets);
  return {
    parts: new Map(bets.map((bet) => [bet.betId, `${bet.matchedMinor}/${bet.remainingMinor}`])),
    runners: new Map(markets.map((market) => [market.id, market.runners.length])),
  };
}

/** Whose bets an act of others changed: those taken out and the other sides of them, or everybody's in the market. */
function concerned(market: Market, command: Command, before: ReturnType<typeof standing>): Set<number> {
  const some =
    (command.type === 'bets.void' && market.status !== 'CLOSED') ||
    (command.type === 'house.quotes' && before.runners.get(market.id) === market.runners.length);
  const changed = (bet: ModelBet) => before.parts.get(bet.betId) !== `${bet.matchedMinor}/${bet.remainingMinor}`;
  return new Set(market.bets.filter((bet) => !some || changed(bet)).map((bet) => bet.accountId));
}

function rule(code: string): string {
  if (code === 'INSUFFICIENT_FUNDS' || code.endsWith('EXPOSURE_LIMIT')) return 'INV-06';
  return code === 'DUPLICATE_BET' ? 'INV-08' : `refusal ${code}`;
}

function touchedMarkets(world: World, command: Command): Market[] {
  if ('marketId' in command && command.marketId !== undefined) {
    const market = world.markets.get(command.marketId);
    return market ? [market] : [];
  }
  if (command.type.startsWith('account.') || isGame(command)) return [];
  if (command.type === 'market.create') return [world.markets.get(command.market.marketId)!];
  return [...world.markets.values()];
}

function compareFills(told: Told, events: readonly Event[]): void {
  const line = (fill: {
    id: number;
    price: number;
    size: number;
    back: number;
    lay: number;
    taker: string;
    runner: number;
  }) =>
    `#${fill.id} runner ${fill.runner} ${fill.size}@${fill.price} back ${fill.back} lay ${fill.lay} by ${fill.taker}`;
  const expected = told.fills.map((fill) => line({ ...fill, runner: fill.runnerId }));
  const actual = events
    .filter((event) => event.type === 'fill')
    .map(({ fillId: id, price, sizeMinor: size, backBetId: back, layBetId: lay, taker, runnerId: runner }) =>
      line({ id, price, size, back, lay, taker, runner }),
    );
  const same = expected.length === actual.length && expected.every((text, i) => text === actual[i]);
  must(same, 'INV-13', () => `matches are\n  ${actual.join('\n  ')}\nand should be\n  ${expected.join('\n  ')}`);
}

const FIELDS = [
  'accountId',
  'marketId',
  'runnerId',
  'kind',
  'side',
  'price',
  'sizeMinor',
  'matchedMinor',
  'matchedSum',
  'remainingMinor',
  'cancelledMinor',
  'lapsedMinor',
  'voidedMinor',
  'persistence',
  'status',
  'dueAt',
  'placedAt',
  'line',
  'box',
  'winMinor',
  'lossMinor',
  'endCode',
  'result',
  'profitMinor',
  'firstPrice',
] as const satisfies ReadonlyArray<keyof Bet>;

function compareBets(market: Market, seen: Seen): void {
  for (const own of market.bets) {
    const { betId, accountId } = own;
    const isLater = market.turns?.untold.has(accountId) === true;
    if (isLater && market.turns!.before.length === 0) continue;
    // Of a field that changed, whose turn is to come has his bets as they were.
    const bet = isLater ? betsOf(market, accountId).find((one) => one.betId === betId)! : own;
    const told = seen.bets.get(bet.betId);
    must(told !== undefined, 'INV-13', () => `bet ${bet.betId} was never told`);
    const wrong = FIELDS.find((field) => told[field] !== (field === 'firstPrice' ? moved(bet) : bet[field]));
    must(wrong === undefined, invariantOf(wrong, market), () => difference(bet, told, wrong!));
  }
}

/** The price first asked, where it is not the price any more. */
function moved(bet: ModelBet): number | undefined {
  return bet.asked === bet.price ? undefined : bet.asked;
}

function difference(bet: ModelBet, told: Bet, field: (typeof FIELDS)[number]): string {
  return `bet ${bet.betId} (${bet.kind} ${bet.side}): ${field} is ${told[field]}, should be ${bet[field]}`;
}

function invariantOf(field: string | undefined, market: Market): string {
  if (field === 'result' || field === 'profitMinor') return 'INV-16';
  if (field === 'dueAt') return 'INV-14';
  if (field === 'lapsedMinor' && market.status === 'SUSPENDED') return 'INV-15';
  return 'INV-13';
}

function compareLevels(market: Market, seen: Seen): void {
  for (const runner of market.runners) {
    const expected = market.def.kind === 'book' ? levelsOf(market, runner.id) : new Map<string, number>();
    const told = seen.levels.get(`${market.id}/${runner.id}`) ?? new Map<string, number>();
    let bestBack = Number.POSITIVE_INFINITY;
    let bestLay = 0;
    for (const [level, size] of told) {
      const [side, price] = level.split('@') as ['BACK' | 'LAY', string];
      if (side === 'BACK') bestBack = Math.min(bestBack, Number(price));
      else bestLay = Math.max(bestLay, Number(price));
      const should = expected.get(level) ?? 0;
      must(should === size, 'INV-13', () => `runner ${runner.id} shows ${size} at ${level}, should be ${should}`);
    }
    must(
      expected.size === told.size,
      'INV-13',
      () => `runner ${runner.id} shows ${told.size} levels of ${expected.size}`,
    );
    must(bestLay < bestBack, 'INV-13', () => `runner ${runner.id} is crossed: ${bestLay} against ${bestBack}`);
  }
}

/** What is offered now: what was told last, less what was taken since. */
function compareRows(market: Market, seen: Seen): void {
  for (const { runnerId, back, lay, status } of market.quotes.values()) {
    const told = seen.rows.get(`${market.id}/${runnerId}`);
    const shown = JSON.stringify([told?.back, told?.lay, told?.status].map(inOrder));
    const should = JSON.stringify([back, lay, status].map(inOrder));
    must(shown === should, 'INV-13', () => `row ${runnerId} shows ${shown}, should be ${should}`);
  }
}

function inOrder(part: Quote | null | undefined | string): unknown {
  return part && typeof part === 'object' ? [part.price, part.line, part.sizeMinor] : part;
}

function compareView(market: Market, seen: Seen): void {
  const view = seen.markets.get(market.id);
  must(view !== undefined, 'market', () => `market ${market.id} was never told`);
  for (const field of ['status', 'inPlay', 'betDelayMs', 'version', 'resultVersion', 'reason'] as const) {
    must(view[field] === market[field], 'market', () => `${field} is ${view[field]}, should be ${market[field]}`);
  }
  for (const runner of market.runners) {
    const told = view.runners.find((one) => one.runnerId === runner.id)?.status;
    // After a result without winners of runners the core may show any standing runner as it likes.
    const ranked = market.result?.kind === 'winners' || market.result?.kind === 'ranks';
    const open = (market.status !== 'CLOSED' && market.status !== 'SETTLING') || ranked || runner.status === 'REMOVED';
    must(!open || told === runner.status, 'market', () => `runner ${runner.id} is ${told}, should be ${runner.status}`);
  }
}

function compareMoney(world: World, seen: Seen): void {
  let everything = 0;
  for (const [name, sum] of seen.ledger) {
    everything += sum;
    const isClear = !name.startsWith('m') || sum === 0 || isBooked(world, Number(name.slice(1)));
    must(isClear, 'INV-03', () => `clearing account ${name} holds ${sum}`);
  }
  must(everything === 0, 'INV-01', () => `all accounts sum to ${everything}`);
  const inRounds = new Map<string, number>();
  for (const round of world.rounds.values()) {
    const name = `round:alder:${round.roundId}`;
    inRounds.set(name, (inRounds.get(name) ?? 0) + held(round));
  }
  for (const [name, sum] of seen.ledger) {
    if (!name.startsWith('round:')) continue;
    must(sum === (inRounds.get(name) ?? 0), 'INV-03', () => `${name} holds ${sum}, not ${inRounds.get(name) ?? 0}`);
  }
  const made = seen.ledger.get('ggr:alder') ?? 0;
  must(made === world.provider, 'INV-19', () => `the provider made ${made}, should be ${world.provider}`);
  for (const account of world.accounts.values()) {
    const wallet = seen.wallets.get(account.id) ?? { balance: 0, exposure: 0, held: 0 };
    const ledger = seen.ledger.get(`a${account.id}`) ?? 0;
    must(
      wallet.balance === ledger,
      'INV-02',
      () => `${account.id} shows ${wallet.balance}, its entries sum to ${ledger}`,
    );
    must(ledger === account.ledger, 'INV-16', () => `${account.id} got ${ledger}, should have ${account.ledger}`);
    const held = heldOf(world, account.id);
    must(wallet.held === held, 'INV-25', () => `${account.id} shows ${wallet.held} held, should be ${held}`);
    const exposure = exposureOf(world, account.id);
    must(
      wallet.exposure === exposure || !isTold(world, account.id),
      'INV-05',
      () => `exposure of ${account.id} is ${wallet.exposure}, should be ${exposure}`,
    );
  }
  for (const id of [HOUSE, COMMISSION]) {
    const has = seen.ledger.get(`a${id}`) ?? 0;
    const should = world.site.get(id) ?? 0;
    must(has === should, 'INV-16', () => `account ${id} of the site has ${has}, should have ${should}`);
  }
}

/** Whether its result is booked or taken back just now. */
function isBooked(world: World, marketId: number): boolean {
  const turns = world.markets.get(marketId)?.turns;
  return turns ? isBooking(turns) : false;
}

/** INV-17 and section 2.5: once every market has its result nothing is open, held or left in clearing. */
export function checkEnd(world: World, seen: Seen): void {
  must(world.conditionals.length === 0, 'INV-28', () => `${world.conditionals.length} conditional orders still wait`);
  for (const bet of seen.bets.values()) {
    must(bet.status === 'COMPLETE', 'liveness', () => `bet ${bet.betId} is still ${bet.status}`);
    must(bet.result !== 'PENDING', 'liveness', () => `bet ${bet.betId} has no result`);
  }
  for (const [accountId, wallet] of seen.wallets) {
    if (accountId < FIRST_PLAYER) continue;
    must(wallet.exposure === 0, 'INV-17', () => `${accountId} still has ${wallet.exposure} held`);
  }
  compareMoney(world, seen);
}
