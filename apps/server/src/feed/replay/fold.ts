/**
 * The image of every market, folded from a stream of messages by the rules of exchange reference 14.1. No clock, no I/O:
 * the same messages give the same images and the same changes. Serves recordings and the live stream alike.
 */
import {
  type Definition,
  LEVEL_LISTS,
  type LevelList,
  type MarketDelta,
  type MarketMessage,
  PRICE_LISTS,
  type PriceList,
  type RunnerDefinition,
  type RunnerDelta,
} from './message.ts';

export interface RunnerImage {
  key: string;
  runnerId: number;
  handicap: number;
  /** Hundredths, 0 until something traded. */
  lastPrice: number;
  /** Matched on this runner: from the traded ladder where there is one, else as told. Kept when a close clears it. */
  totalMinor: number;
  nearPrice: number | null;
  farPrice: number | null;
  /** Price to sizeMinor. */
  prices: Record<PriceList, Map<number, number>>;
  /** Level to [price, sizeMinor]. */
  levels: Record<LevelList, Map<number, [number, number]>>;
}

/** Which ladder of a market is the fullest one seen: every price, best offers, displayed offers, or none (BASIC files). */
type LadderSource = 'prices' | 'best' | 'display' | 'none';

export interface MarketImage {
  marketId: string;
  definition: Definition | null;
  /** By `key`, in the order they came. Runners without prices may be missing here and stand in the definition only. */
  runners: Map<string, RunnerImage>;
  /** Kept when a close clears it. */
  totalMinor: number;
  ladders: LadderSource;
  /** Deltas came before any image or definition. */
  incomplete: boolean;
  publishTime: number;
}

/** What one whole line (or segment) did to one market. */
export interface MarketChange {
  market: MarketImage;
  publishTime: number;
  /** The line carried an image. */
  image: boolean;
  /** Definitions taken, in order; usually none or one. */
  definitions: Definition[];
  /** The definition before the line. */
  before: Definition | null;
  /** Keys of the runners touched (all of them after an image). */
  runners: Set<string>;
}

interface FoldCounts {
  images: number;
  deltas: number;
  /** Changes of (status, inPlay) of a market, its first appearance included. */
  stateChanges: number;
  /** Definitions with a lower version than the kept one. */
  refused: number;
  heartbeats: number;
}

export interface Fold {
  readonly markets: ReadonlyMap<string, MarketImage>;
  readonly counts: FoldCounts;
  /**
   * Takes one message. Returns what changed once the line is whole, in order of first touch; nothing in the middle of a
   * segment. `source` keeps the segments of streams that are merged apart.
   */
  apply(message: MarketMessage, source?: string): MarketChange[];
}

export function createFold(): Fold {
  const markets = new Map<string, MarketImage>();
  const counts: FoldCounts = { images: 0, deltas: 0, stateChanges: 0, refused: 0, heartbeats: 0 };
  const open = new Map<string, Map<string, MarketChange>>();

  const touch = (changes: Map<string, MarketChange>, delta: MarketDelta, publishTime: number): MarketChange => {
    const known = changes.get(delta.marketId);
    if (known) {
      known.publishTime = publishTime;
      return known;
    }
    let market = markets.get(delta.marketId);
    if (!market) {
      market = emptyMarket(delta.marketId, !delta.image && !delta.definition);
      markets.set(delta.marketId, market);
    }
    const change = {
      market,
      publishTime,
      image: false,
      definitions: [],
      before: market.definition,
      runners: new Set<string>(),
    };
    changes.set(delta.marketId, change);
    return change;
  };

  return {
    markets,
    counts,
    apply(message, source = '') {
      if (message.change === 'HEARTBEAT') counts.heartbeats++;
      const changes = open.get(source) ?? new Map<string, MarketChange>();
      for (const delta of message.markets) {
        const change = touch(changes, delta, message.publishTime);
        if (delta.image) counts.images++;
        else counts.deltas++;
        applyMarket(change, delta, counts);
        change.market.publishTime = message.publishTime;
      }
      if (message.segment === 'SEG_START' || message.segment === 'SEG') {
        open.set(source, changes);
        return [];
      }
      open.delete(source);
      return [...changes.values()];
    },
  };
}

/** Best prices first, at most `depth`: `back` is what a backer can take, `lay` what a layer can take. */
export function bestPrices(
  market: MarketImage,
  runner: RunnerImage | undefined,
  side: 'back' | 'lay',
  depth: number,
): Array<[number, number]> {
  if (!runner || market.ladders === 'none') return [];
  if (market.ladders === 'prices') return best(runner.prices[side === 'back' ? 'atb' : 'atl'], side === 'back', depth);
  const lists = market.ladders === 'best' ? (['batb', 'batl'] as const) : (['bdatb', 'bdatl'] as const);
  const levels = runner.levels[lists[side === 'back' ? 0 : 1]];
  return [...levels]
    .sort((a, b) => a[0] - b[0])
    .slice(0, depth)
    .map(([, [price, sizeMinor]]) => [price, sizeMinor]);
}

/** Runner keys whose best back is not below the best lay; only looked at while the market is open. */
export function crossedRunners(market: MarketImage): string[] {
  const definition = market.definition;
  if (definition?.status !== 'OPEN' || definition.ladder === 'LINE_RANGE') return [];
  const crossed: string[] = [];
  for (const runner of market.runners.values()) {
    const back = bestPrices(market, runner, 'back', 1)[0];
    const lay = bestPrices(market, runner, 'lay', 1)[0];
    if (back && lay && back[0] >= lay[0]) crossed.push(runner.key);
  }
  return crossed;
}

export function isRemoved(runner: RunnerDefinition): boolean {
  return runner.status === 'REMOVED' || runner.status === 'REMOVED_VACANT';
}

// ---------------------------------------------------------------------------------------------------- one market

function applyMarket(change: MarketChange, delta: MarketDelta, counts: FoldCounts): void {
  const { market } = change;
  if (delta.image) {
    market.runners.clear();
    market.totalMinor = 0;
    market.incomplete = false;
    change.image = true;
  }
  if (delta.definition) takeDefinition(change, delta.definition, counts);
  for (const runnerDelta of delta.runners) {
    applyRunner(market, runnerDelta);
    change.runners.add(runnerDelta.key);
  }
  if (delta.image) for (const key of market.runners.keys()) change.runners.add(key);
  // 0 is how a close clears the total: what was matched stays on display.
  if (delta.totalMinor !== undefined) market.totalMinor = delta.totalMinor || market.totalMinor;
  else if (delta.runners.length > 0) market.totalMinor = Math.max(market.totalMinor, sumOfRunners(market));
}

function takeDefinition(change: MarketChange, next: Definition, counts: FoldCounts): void {
  const { market } = change;
  const last = market.definition;
  if (last && next.version < last.version) {
    counts.refused++;
    return;
  }
  if (!last || last.status !== next.status || last.inPlay !== next.inPlay) counts.stateChanges++;
  for (const runner of next.runners) {
    const image = market.runners.get(runner.key);
    if (image && isRemoved(runner)) clearLadders(image);
  }
  market.definition = next;
  change.definitions.push(next);
}

function applyRunner(market: MarketImage, delta: RunnerDelta): void {
  let runner = market.runners.get(delta.key);
  if (!runner) {
    runner = emptyRunner(delta);
    market.runners.set(delta.key, runner);
  }
  if (delta.lastPrice !== undefined) runner.lastPrice = delta.lastPrice;
  if (delta.nearPrice !== undefined) runner.nearPrice = delta.nearPrice;
  if (delta.farPrice !== undefined) runner.farPrice = delta.farPrice;
  for (const [name, levels] of delta.prices) {
    const list = runner.prices[name];
    for (const [price, sizeMinor] of levels) {
      if (sizeMinor === 0) list.delete(price);
      else list.set(price, sizeMinor);
    }
    if ((name === 'atb' || name === 'atl') && levels.length > 0) market.ladders = 'prices';
  }
  for (const [name, levels] of delta.levels) {
    const list = runner.levels[name];
    for (const [level, price, sizeMinor] of levels) {
      if (sizeMinor === 0) list.delete(level);
      else list.set(level, [price, sizeMinor]);
    }
    if (levels.length > 0 && market.ladders !== 'prices') {
      const best = name === 'batb' || name === 'batl';
      if (best || market.ladders === 'none') market.ladders = best ? 'best' : 'display';
    }
  }
  takeTotal(runner, delta);
}

/**
 * `tv` of historic PRO files covers the line only, and some recordings know only part of the traded ladder: the larger of
 * the told total and the ladder's sum is right for both. A close that clears everything leaves what was there.
 */
function takeTotal(runner: RunnerImage, delta: RunnerDelta): void {
  const told = delta.totalMinor ?? 0;
  const traded = delta.prices.some(([name]) => name === 'trd');
  if (told === 0 && !traded) return;
  let sum = 0;
  for (const sizeMinor of runner.prices.trd.values()) sum += sizeMinor;
  runner.totalMinor = Math.max(told, sum) || runner.totalMinor;
}

function sumOfRunners(market: MarketImage): number {
  let sum = 0;
  for (const runner of market.runners.values()) sum += runner.totalMinor;
  return sum;
}

function best(list: Map<number, number>, highest: boolean, depth: number): Array<[number, number]> {
  const top: Array<[number, number]> = [];
  for (const [price, sizeMinor] of list) {
    let at = top.length;
    while (at > 0 && (highest ? price > top[at - 1]![0] : price < top[at - 1]![0])) at--;
    if (at >= depth) continue;
    top.splice(at, 0, [price, sizeMinor]);
    if (top.length > depth) top.pop();
  }
  return top;
}

function clearLadders(runner: RunnerImage): void {
  for (const name of PRICE_LISTS) if (name !== 'trd') runner.prices[name].clear();
  for (const name of LEVEL_LISTS) runner.levels[name].clear();
}

function emptyMarket(marketId: string, incomplete: boolean): MarketImage {
  return { marketId, definition: null, runners: new Map(), totalMinor: 0, ladders: 'none', incomplete, publishTime: 0 };
}

function emptyRunner({ key, runnerId, handicap }: RunnerDelta): RunnerImage {
  return {
    key,
    runnerId,
    handicap,
    lastPrice: 0,
    totalMinor: 0,
    nearPrice: null,
    farPrice: null,
    prices: { atb: new Map(), atl: new Map(), trd: new Map(), spb: new Map(), spl: new Map() },
    levels: { batb: new Map(), batl: new Map(), bdatb: new Map(), bdatl: new Map() },
  };
}
