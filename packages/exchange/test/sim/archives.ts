/**
 * Markets that leave memory part by part, and come back so. What the parts say is held against the world's own bets and
 * matches, one by one; what is in memory between two of them is what came so far.
 */
import { sealed } from '../../src/exchange.ts';
import type { Command, Event, RefusalCode } from '../../src/types.ts';
import { dropFrom } from './conditionals.ts';
import type { Told } from './matching.ts';
import type { Random } from './random.ts';
import type { Market, World } from './world.ts';
import { cloneMarket, must } from './world.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;

/** Bets and matches that a unit stands for. */
const ROWS_A_UNIT = 4;

interface Rows {
  orders: Array<{ id: number; account: number; matched: number; remaining: number; result: string; profit: number }>;
  fills: Array<{ id: number; size: number; paid: number; back: number; lay: number }>;
}

const read = (text: string) => JSON.parse(text) as Rows;

/** Whether it leaves or comes back: there, closed, and not to be changed. */
export function isMoving(world: World, marketId: number): boolean {
  return world.leaving.has(marketId) || world.coming.has(marketId);
}

export function leave(world: World, market: Market, parts: string[], told: Told): void {
  dropFrom(world, market.id, told);
  world.markets.delete(market.id);
  world.archive.set(market.id, { market, snapshot: null, parts });
}

export function beginToLeave(world: World, marketId: number): void {
  world.leaving.set(marketId, []);
  world.settling.add(marketId);
}

/** A part goes out, of no more than its command may do; with the last one the market is gone. */
export function followLeaving(world: World, market: Market, units: number, events: readonly Event[], told: Told): void {
  const parts = world.leaving.get(market.id)!;
  for (const event of events) {
    if (event.type !== 'archivePart') continue;
    must(event.part === parts.length, 'INV-10', () => `part ${event.part} comes as number ${parts.length}`);
    compareRows(market, parts, read(event.text), units);
    parts.push(event.text);
  }
  const last = events.find((event) => event.type === 'archived');
  if (last === undefined) return;
  const { bets, fills } = counted(parts);
  const whole = bets === market.bets.length && fills === market.fills.length && last.snapshot.count === parts.length;
  must(whole, 'INV-10', () => `market ${market.id} left with ${bets} bets of ${market.bets.length}, ${fills} matches`);
  world.leaving.delete(market.id);
  world.settling.delete(market.id);
  leave(world, market, parts, told);
}

function compareRows(market: Market, before: readonly string[], { orders, fills }: Rows, units: number): void {
  const rows = orders.length + fills.length;
  must(rows > 0 && rows <= units * ROWS_A_UNIT, 'INV-16', () => `a part of ${rows} rows for ${units} units`);
  const at = counted(before);
  const bets = market.bets.slice(at.bets, at.bets + orders.length);
  const theirs = orders.map((row) => [row.id, row.account, row.matched, row.remaining, row.result, row.profit]);
  const ours = bets.map((bet) => [bet.betId, bet.accountId, bet.matchedMinor, 0, bet.result, bet.profitMinor]);
  same(market, theirs, ours);
  const matches = market.fills.slice(at.fills, at.fills + fills.length);
  same(
    market,
    fills.map(({ id, size, paid, back, lay }) => [id, size, paid, back, lay]),
    matches.map(({ id, size, price, back, lay }) => [id, size, price, back, lay]),
  );
}

function same(market: Market, theirs: unknown, ours: unknown): void {
  const [left, right] = [JSON.stringify(theirs), JSON.stringify(ours)];
  must(left === right, 'INV-10', () => `market ${market.id} leaves behind\n  ${left}, and had\n  ${right}`);
}

function counted(parts: readonly string[]): { bets: number; fills: number } {
  const count = { bets: 0, fills: 0 };
  for (const { orders, fills } of parts.map(read)) {
    count.bets += orders.length;
    count.fills += fills.length;
  }
  return count;
}

/** One that is closed begins to leave, or one that left begins to come back; null where there is none. */
export function someMove(world: World, random: Random): Command | null {
  const away = [...world.archive.keys()].map((id) => recallOf(world, id)).filter((one) => one !== undefined);
  if (away.length > 0 && random.chance(0.6)) return random.pick(away);
  const closed = [...world.markets.values()].filter(({ id, status }) => status === 'CLOSED' && !isMoving(world, id));
  if (closed.length === 0) return null;
  const { id: marketId } = closed.sort((a, b) => b.bets.length - a.bets.length)[0]!;
  return { type: 'market.archive', marketId, units: random.int(1, 4) };
}

/**
 * Seldom is something waived of an account, and what waives it must outlive every way out of memory: such a market leaves once it
 * is closed, and comes back. Null where there is none.
 */
export function moveOfWaived(world: World, random: Random): Command | null {
  const isWaived = ({ waived }: Market) => [...waived.values()].some((amount) => amount > 0);
  for (const market of world.markets.values())
    if (market.status === 'CLOSED' && isWaived(market) && !isMoving(world, market.id) && random.chance(0.3))
      return { type: 'market.archive', marketId: market.id, ...(random.chance(0.8) ? { units: 1 } : {}) };
  for (const [marketId, { market }] of world.archive)
    if (isWaived(market) && random.chance(0.3)) return recallOf(world, marketId) ?? null;
  return null;
}

/** What asks for one that left in parts; undefined where it left whole. */
export function recallOf(world: World, marketId: number): Of<'market.recall'> | undefined {
  const { snapshot, parts } = world.archive.get(marketId)!;
  const seal = parts.reduce(sealed, '');
  return snapshot?.count === undefined ? undefined : { type: 'market.recall', marketId, archived: snapshot, seal };
}

/** Mostly the next part of one that comes back; else one out of place, one that came before, or none. */
export function nextPart(world: World, random: Random): Of<'market.recallPart'> {
  const [marketId, at] = random.pick([...world.coming]);
  const { parts } = world.archive.get(marketId)!;
  const [part, text] = random.weighted<[number, string]>([
    [20, [at, parts[at]!]],
    [1, [at + 1, parts[at + 1] ?? '']],
    [1, [at, at > 0 ? parts[0]! : '{"orders":[null],"fills":[]}']],
    [1, [at, '']],
    [2, at > 0 ? [at - 1, parts[at - 1]!] : [at, '']],
  ]);
  return { type: 'market.recallPart', marketId, part, text };
}

export function reasonsToKeepAway(world: World, c: Of<'market.recall' | 'market.recallPart'>): Set<RefusalCode> {
  const kept = world.archive.get(c.marketId);
  if (c.type === 'market.recallPart') {
    const at = world.coming.get(c.marketId);
    return new Set(at !== undefined && c.part === at && c.text === kept!.parts[at] ? [] : ['MARKET_UNKNOWN']);
  }
  if (world.markets.has(c.marketId)) return new Set(['MARKET_EXISTS']);
  const isWhole = kept?.snapshot?.count !== undefined && c.seal === kept.parts.reduce(sealed, '');
  return new Set(isWhole && isCurrent(world, c) ? [] : ['MARKET_UNKNOWN']);
}

/** Closed and without its bets. */
export function beginToCome(world: World, { marketId }: Of<'market.recall'>): void {
  const { market } = world.archive.get(marketId)!;
  world.markets.set(marketId, { ...cloneMarket(market), bets: [], fills: [] });
  world.coming.set(marketId, 0);
}

/** What this part says is there; with the last one all is. */
export function come(world: World, { marketId, part, text }: Of<'market.recallPart'>): void {
  const { market: old, parts } = world.archive.get(marketId)!;
  const market = world.markets.get(marketId)!;
  const { orders, fills } = read(text);
  market.bets.push(...old.bets.slice(market.bets.length, market.bets.length + orders.length));
  market.fills.push(...old.fills.slice(market.fills.length, market.fills.length + fills.length));
  if (part < parts.length - 1) {
    world.coming.set(marketId, part + 1);
    return;
  }
  world.coming.delete(marketId);
  world.archive.delete(marketId);
}

/** Whether what a command brings of an archive is what is kept: a server reads it when it sends the command. */
export function isCurrent(world: World, command: Command): boolean {
  if (command.type === 'market.recallPart') {
    const parts = world.archive.get(command.marketId)?.parts;
    return parts === undefined || parts.includes(command.text) || command.text.length < 40;
  }
  const brings =
    command.type === 'market.undeclare' || command.type === 'bets.void' || command.type === 'market.recall';
  if (!brings || command.archived === undefined) return true;
  return command.archived.check === world.archive.get(command.marketId)?.snapshot?.check;
}
