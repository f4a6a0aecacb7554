/**
 * One image of every live market per world, folded from what the core committed. Pages, lists and sockets read it;
 * nothing here is seen before its commit, and nothing decides about money.
 */
import type { DepthImage, MarketImage, RunnerImage } from '@fairgame/contract';
import type { Event, MarketId, MarketView, QuoteKind, QuoteRow, Result, RunnerId } from '@fairgame/exchange';
import { quoteFor, winnersOf } from '@fairgame/exchange';
import { type Committed, perWorld, type Readings, type World } from '../core/core.ts';

const SHOWN_LEVELS = 3;
const ALL_LEVELS = 350;

/** A change of one market. `urgent`: betting has just closed in it or in one of its rows, so it may not wait. */
export interface ImageChange {
  world: World;
  marketId: MarketId;
  eventId: number;
  /** Rows that changed; empty when only the market itself did. */
  runnerIds: RunnerId[];
  urgent: boolean;
  gone: boolean;
}

interface RunnerFold {
  runnerId: RunnerId;
  name: string;
  status: string;
  factor: number;
  width: number | undefined;
  /** Waiting lays, which can be backed, and waiting backs, which can be laid: price to size. */
  backable: Map<number, number>;
  layable: Map<number, number>;
  traded: Map<number, number>;
  lastPrice: number;
  tradedMinor: number;
  row: QuoteRow | null;
  removedAt: number | null;
  /** The state last told. */
  shown: string;
  image: RunnerImage | null;
}
interface MarketFold {
  view: MarketView;
  /** When it had its result and its last fill, as far as this process saw it. */
  closedAt: number | null;
  matchedAt: number | null;
  runners: Map<RunnerId, RunnerFold>;
  image: MarketImage | null;
}

export interface Images {
  /** The market as last committed, or undefined when it is not in memory. Do not change it: it is shared. */
  image(world: World, marketId: MarketId): MarketImage | undefined;
  view(marketId: MarketId): MarketView | undefined;
  /** What a runner is called, also one that came with a quote after its market was made. */
  runnerName(marketId: MarketId, runnerId: RunnerId): string | undefined;
  /** Markets of an event in page order. */
  marketsOf(eventId: number): MarketId[];
  depth(world: World, marketId: MarketId, runnerId: RunnerId): DepthImage | undefined;
  /** When a runner was taken out, ms; null when it was not or that is not known any more. */
  removedAt(marketId: MarketId, runnerId: RunnerId): number | null;
  /** When the market had its result, and when bets met in it last, ms; null where they did not or it is not known any more. */
  closedAt(world: World, marketId: MarketId): number | null;
  matchedAt(world: World, marketId: MarketId): number | null;
  /** Its place on the page became known, or another. */
  placed(marketId: MarketId): void;
  onChange(listener: (change: ImageChange) => void): () => void;
  /** Told when everything known is void: another epoch. */
  onReload(listener: () => void): () => void;
  apply(batch: Committed): void;
}

export function createImages(
  read: Pick<Readings, 'worlds' | 'markets' | 'market' | 'depth' | 'quotes'>,
  epoch: number,
  snoOf: (marketId: MarketId) => number,
): Images {
  return new MarketImages(read, epoch, snoOf);
}

class MarketImages implements Images {
  private readonly read: Pick<Readings, 'worlds' | 'markets' | 'market' | 'depth' | 'quotes'>;
  private readonly snoOf: (marketId: MarketId) => number;
  private readonly worlds = perWorld(() => new Map<MarketId, MarketFold>());
  private readonly byEvent = new Map<number, MarketId[]>();
  private readonly changed = new Set<(change: ImageChange) => void>();
  private readonly reloaded = new Set<() => void>();
  private at: number;

  constructor(
    read: Pick<Readings, 'worlds' | 'markets' | 'market' | 'depth' | 'quotes'>,
    epoch: number,
    snoOf: (marketId: MarketId) => number,
  ) {
    this.read = read;
    this.snoOf = snoOf;
    this.at = epoch;
    this.load();
  }

  image(world: World, marketId: MarketId): MarketImage | undefined {
    const fold = this.worlds[world].get(marketId);
    if (!fold) return undefined;
    fold.image ??= buildImage(fold, this.snoOf(marketId));
    return fold.image;
  }

  view(marketId: MarketId): MarketView | undefined {
    return this.worlds.real.get(marketId)?.view;
  }

  runnerName(marketId: MarketId, runnerId: RunnerId): string | undefined {
    return this.worlds.real.get(marketId)?.runners.get(runnerId)?.name;
  }

  marketsOf(eventId: number): MarketId[] {
    return this.byEvent.get(eventId) ?? [];
  }

  depth(world: World, marketId: MarketId, runnerId: RunnerId): DepthImage | undefined {
    const runner = this.worlds[world].get(marketId)?.runners.get(runnerId);
    if (!runner) return undefined;
    return {
      marketId,
      runnerId,
      back: [...runner.backable].sort((a, b) => b[0] - a[0]),
      lay: [...runner.layable].sort((a, b) => a[0] - b[0]),
      traded: [...runner.traded].sort((a, b) => a[0] - b[0]),
      last: runner.lastPrice,
    };
  }

  removedAt(marketId: MarketId, runnerId: RunnerId): number | null {
    return this.worlds.real.get(marketId)?.runners.get(runnerId)?.removedAt ?? null;
  }

  closedAt(world: World, marketId: MarketId): number | null {
    return this.worlds[world].get(marketId)?.closedAt ?? null;
  }

  matchedAt(world: World, marketId: MarketId): number | null {
    return this.worlds[world].get(marketId)?.matchedAt ?? null;
  }

  placed(marketId: MarketId): void {
    for (const folds of Object.values(this.worlds)) {
      const fold = folds.get(marketId);
      if (!fold) continue;
      fold.image = null;
      this.byEvent.get(fold.view.eventId)!.sort((a, b) => this.inPageOrder(a, b));
    }
  }

  onChange(listener: (change: ImageChange) => void): () => void {
    return subscribe(this.changed, listener);
  }

  onReload(listener: () => void): () => void {
    return subscribe(this.reloaded, listener);
  }

  apply(batch: Committed): void {
    if (batch.epoch !== this.at) {
      this.at = batch.epoch;
      this.load();
      for (const listener of this.reloaded) listener();
      return;
    }
    for (const item of batch.items) {
      for (const event of item.events) {
        const change = this.applyOne(item.world, event, item.at);
        if (change) for (const listener of this.changed) listener(change);
      }
    }
  }

  private inPageOrder(a: MarketId, b: MarketId): number {
    return this.snoOf(a) - this.snoOf(b) || a - b;
  }

  private enter(world: World, view: MarketView): MarketFold {
    const fold: MarketFold = { view, closedAt: null, matchedAt: null, runners: new Map(), image: null };
    this.worlds[world].set(view.marketId, fold);
    takeView(fold, view, null);
    const list = this.byEvent.get(view.eventId) ?? [];
    if (!list.includes(view.marketId)) {
      list.push(view.marketId);
      list.sort((a, b) => this.inPageOrder(a, b));
      this.byEvent.set(view.eventId, list);
    }
    return fold;
  }

  private load(): void {
    for (const fold of Object.values(this.worlds)) fold.clear();
    this.byEvent.clear();
    for (const { marketId } of this.read.markets()) {
      for (const world of this.read.worlds()) {
        const view = this.read.market(marketId, world);
        if (!view) continue;
        const fold = this.enter(world, view);
        if (view.kind !== 'book') {
          for (const row of this.read.quotes(world, marketId)) takeRow(fold, row);
          continue;
        }
        for (const runner of fold.runners.values()) {
          const depth = this.read.depth(world, view.marketId, runner.runnerId, ALL_LEVELS);
          runner.backable = new Map(depth.back);
          runner.layable = new Map(depth.lay);
          runner.lastPrice = depth.lastPrice;
          runner.tradedMinor = depth.tradedMinor;
        }
      }
    }
  }

  private applyOne(world: World, event: Event, when: number): ImageChange | null {
    const markets = this.worlds[world];
    switch (event.type) {
      case 'market': {
        const { view, before } = { view: event.market, before: markets.get(event.market.marketId) };
        const fold = before ?? this.enter(world, view);
        const closing = before !== undefined && before.view.status === 'OPEN' && view.status !== 'OPEN';
        if (view.status !== 'CLOSED') fold.closedAt = null;
        else if (before?.view.status !== 'CLOSED') fold.closedAt = when;
        const rows = before ? takeView(fold, view, when) : [...fold.runners.values()];
        return note(world, fold, rows, closing);
      }
      case 'book': {
        const fold = markets.get(event.marketId);
        const runner = fold?.runners.get(event.runnerId);
        if (!fold || !runner) return null;
        for (const [side, price, sizeMinor] of event.levels) {
          const levels = side === 'LAY' ? runner.backable : runner.layable;
          if (sizeMinor > 0) levels.set(price, sizeMinor);
          else levels.delete(price);
        }
        runner.lastPrice = event.lastPrice;
        runner.tradedMinor = event.tradedMinor;
        return note(world, fold, [runner], false);
      }
      case 'quotes': {
        const fold = markets.get(event.marketId);
        if (!fold) return null;
        const rows = event.rows.map((row) => takeRow(fold, row, event.names?.[row.runnerId]));
        return note(world, fold, rows, false);
      }
      case 'fill': {
        const fold = markets.get(event.marketId);
        const runner = fold?.runners.get(event.runnerId);
        if (fold) fold.matchedAt = when;
        if (runner) runner.traded.set(event.price, (runner.traded.get(event.price) ?? 0) + event.sizeMinor);
        return null;
      }
      case 'archived': {
        const fold = markets.get(event.marketId);
        if (!fold) return null;
        markets.delete(event.marketId);
        const eventId = fold.view.eventId;
        if (Object.values(this.worlds).every((folds) => !folds.has(event.marketId))) {
          const rest = (this.byEvent.get(eventId) ?? []).filter((id) => id !== event.marketId);
          if (rest.length) this.byEvent.set(eventId, rest);
          else this.byEvent.delete(eventId);
        }
        return { world, marketId: event.marketId, eventId, runnerIds: [], urgent: false, gone: true };
      }
      default:
        return null;
    }
  }
}

/** What became of a market, for people. */
export function resultText(view: MarketView): string {
  const result: Result | null = view.result;
  if (!result) return '';
  if (result.kind === 'score') return String(result.score);
  if (result.kind === 'yes') return result.yes ? 'Yes' : 'No';
  if (result.kind === 'tie') return 'Tie';
  if (result.kind === 'cards') return result.text;
  if (result.kind === 'void') return `Void: ${result.reason}`;
  const names = new Map(view.runners.map((runner) => [runner.runnerId, runner.name]));
  return winnersOf(result, view.winners)
    .map((id) => names.get(id) ?? String(id))
    .join(', ');
}

// ------------------------------------------------------------------------------------------------------- helpers

function subscribe<T>(set: Set<T>, listener: T): () => void {
  set.add(listener);
  return () => set.delete(listener);
}

function note(world: World, fold: MarketFold, rows: RunnerFold[], closing: boolean): ImageChange {
  fold.image = null;
  let urgent = closing;
  for (const row of rows) {
    row.image = null;
    const status = statusOf(row);
    if (row.shown === 'ACTIVE' && status !== 'ACTIVE') urgent = true;
    row.shown = status;
  }
  const { marketId, eventId } = fold.view;
  return { world, marketId, eventId, runnerIds: rows.map((row) => row.runnerId), urgent, gone: false };
}

/** Takes the market's own fields in; answers the rows whose status or name changed. */
function takeView(fold: MarketFold, view: MarketView, when: number | null): RunnerFold[] {
  fold.view = view;
  const rows: RunnerFold[] = [];
  for (const def of view.runners) {
    let runner = fold.runners.get(def.runnerId);
    if (!runner) {
      runner = emptyRunner(def.runnerId, def.name);
      fold.runners.set(def.runnerId, runner);
    } else if (
      runner.status === def.status &&
      runner.name === def.name &&
      runner.factor === (def.adjustmentFactor ?? 0)
    ) {
      continue;
    }
    if (def.status === 'REMOVED' && runner.status !== 'REMOVED') {
      runner.removedAt = when;
      runner.backable.clear();
      runner.layable.clear();
    }
    runner.name = def.name;
    runner.status = def.status;
    runner.factor = def.adjustmentFactor ?? 0;
    runner.width = def.width;
    rows.push(runner);
  }
  return rows;
}

function takeRow(fold: MarketFold, row: QuoteRow, name?: string): RunnerFold {
  let runner = fold.runners.get(row.runnerId);
  if (!runner) {
    runner = emptyRunner(row.runnerId, name ?? fold.view.name);
    fold.runners.set(row.runnerId, runner);
  }
  if (name !== undefined) runner.name = name;
  runner.row = row;
  return runner;
}

function emptyRunner(runnerId: RunnerId, name: string): RunnerFold {
  return {
    runnerId,
    name,
    status: 'ACTIVE',
    factor: 0,
    width: undefined,
    backable: new Map(),
    layable: new Map(),
    traded: new Map(),
    lastPrice: 0,
    tradedMinor: 0,
    row: null,
    removedAt: null,
    shown: '',
    image: null,
  };
}

/** The image of a market that is not in memory any more: its state and result, without prices. */
export function imageOfView(view: MarketView, sno: number): MarketImage {
  const fold: MarketFold = { view, closedAt: null, matchedAt: null, runners: new Map(), image: null };
  takeView(fold, view, null);
  return buildImage(fold, sno);
}

function buildImage(fold: MarketFold, sno: number): MarketImage {
  const { view } = fold;
  const runners: RunnerImage[] = [];
  let tradedMinor = 0;
  for (const runner of fold.runners.values()) {
    runner.image ??= buildRunner(view, runner);
    runners.push(runner.image);
    tradedMinor += runner.tradedMinor;
  }
  return {
    id: view.marketId,
    matchId: view.eventId,
    kind: view.kind,
    name: view.name,
    status: view.status,
    reason: view.reason,
    inPlay: view.inPlay,
    betDelayMs: view.betDelayMs,
    version: view.version,
    winners: view.winners,
    commissionBps: view.commissionBps,
    minStakeMinor: view.minStakeMinor,
    maxStakeMinor: view.maxStakeMinor,
    tradedMinor,
    sno,
    resultText: resultText(view),
    ...(view.tieRule && { tieRule: view.tieRule }),
    ...(view.lapseOnSuspend && { lapseOnSuspend: true }),
    ...(view.removable && { removable: true }),
    runners,
  };
}

function buildRunner(view: MarketView, runner: RunnerFold): RunnerImage {
  const image: RunnerImage = {
    id: runner.runnerId,
    name: runner.name,
    status: statusOf(runner),
    factor: runner.factor,
    last: runner.lastPrice,
    tradedMinor: runner.tradedMinor,
    back: [],
    lay: [],
  };
  if (view.kind === 'book') {
    image.back = best(runner.backable, -1);
    image.lay = best(runner.layable, 1);
    return image;
  }
  const { row } = runner;
  if (row) {
    image.back = boxes(view, view.kind, row, 'BACK');
    image.lay = boxes(view, view.kind, row, 'LAY');
  }
  if (HAS_LINE.has(view.kind)) {
    image.yesLine = row?.back?.line ?? null;
    image.noLine = row?.lay?.line ?? null;
  }
  if (runner.width !== undefined) image.width = runner.width;
  return image;
}

const HAS_LINE: ReadonlySet<string> = new Set(['session', 'overByover', 'ballByBall', 'khado', 'meter']);

/** A row's own state counts while the runner itself is active. */
function statusOf(runner: RunnerFold): string {
  if (runner.status !== 'ACTIVE' || !runner.row) return runner.status;
  return runner.row.status === 'CLOSED' ? 'SUSPENDED' : runner.row.status;
}

/** The best three prices; `direction` -1 puts the highest first. */
function best(levels: Map<number, number>, direction: 1 | -1): Array<[number, number]> {
  const top: Array<[number, number]> = [];
  for (const [price, sizeMinor] of levels) {
    let i = top.length;
    while (i > 0 && (price - top[i - 1]![0]) * direction < 0) i--;
    if (i >= SHOWN_LEVELS) continue;
    top.splice(i, 0, [price, sizeMinor]);
    if (top.length > SHOWN_LEVELS) top.pop();
  }
  return top;
}

/** The place in the list is the box of a bookmaker row; a box that may not be taken is [0, 0]. */
function boxes(view: MarketView, kind: QuoteKind, row: QuoteRow, side: 'BACK' | 'LAY'): Array<[number, number]> {
  const found: Array<[number, number]> = [];
  for (let box = 0; box < (kind === 'bookmaker' ? 3 : 1); box++) {
    const quote = quoteFor({ ...view, kind }, row, side, box);
    found.push(quote ? [quote.price, quote.sizeMinor] : [0, 0]);
  }
  while (found.length && found[found.length - 1]![0] === 0) found.pop();
  return found;
}
