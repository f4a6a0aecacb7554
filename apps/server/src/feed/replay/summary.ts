/** Folds recordings and tells what was in them: counts, the end of every market, and a hash of everything emitted. */
import { createHash } from 'node:crypto';
import { tickIndex } from '@fairgame/contract';
import { bestPrices, createFold, crossedRunners, type Fold, type MarketChange, type MarketImage } from './fold.ts';
import { emptyReport, type MalformedLine, type ReadReport, readMessages } from './read.ts';

interface MarketSummary {
  status: string | null;
  inPlay: boolean;
  /** Runner ids with status WINNER in the last definition. */
  winners: number[];
  removed: number[];
  /** In the recording's currency, two decimals; the last total before a close cleared it. */
  totalMatched: number;
  name: string | null;
  type: string | null;
  eventId: string | null;
  eventName: string | null;
  runners: number;
  numberOfWinners: number;
  changes: number;
  stateChanges: number;
  incomplete: boolean;
}

export interface ReplaySummary {
  lines: number;
  images: number;
  deltas: number;
  /** Changes of (status, inPlay) over all markets, each market's first state included. */
  stateChanges: number;
  /** Definitions not taken because a newer one was there. */
  refused: number;
  heartbeats: number;
  otherLines: Record<string, number>;
  malformedLines: number;
  malformed: MalformedLine[];
  unreadable: Array<{ file: string; reason: string }>;
  /** Runners standing with best back at or over best lay after a whole line, while open, counted at every line of their market. */
  crossed: number;
  /** Best prices seen that are not on the market's ladder. */
  offLadder: number;
  markets: Record<string, MarketSummary>;
  hash: string;
}

export interface ReplayOptions {
  /** Recorded milliseconds per real millisecond; `max` does not wait. */
  speed: number | 'max';
  /** Told of every change of state as it happens. */
  onState?: (market: MarketImage, publishTime: number) => void;
}

/** Replays files (`-` is standard input). Never throws for what is in them: see `malformed` and `unreadable`. */
export async function replaySummary(paths: readonly string[], options: ReplayOptions): Promise<ReplaySummary> {
  const report = emptyReport();
  const fold = createFold();
  const hash = createChangeHash();
  const tallies = new Map<string, Tally>();
  const checks = { crossed: 0, offLadder: 0 };
  const pace = createPace(options.speed);
  for await (const { message, source } of readMessages(paths, report)) {
    await pace(message.publishTime);
    for (const change of fold.apply(message, source)) {
      hash.take(change);
      check(change, checks);
      tally(tallies, change, options.onState);
    }
  }
  return summarise(report, fold, tallies, checks, hash.text());
}

/** Waits until a recorded time is due, counting from the first one. */
function createPace(speed: number | 'max'): (publishTime: number) => Promise<void> {
  let first: { recorded: number; real: number } | null = null;
  return async (publishTime) => {
    if (speed === 'max') return;
    first ??= { recorded: publishTime, real: Date.now() };
    const wait = first.real + (publishTime - first.recorded) / speed - Date.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(wait, 2 ** 31 - 1)));
  };
}

interface Tally {
  changes: number;
  stateChanges: number;
}

function tally(tallies: Map<string, Tally>, change: MarketChange, onState: ReplayOptions['onState']): void {
  const id = change.market.marketId;
  const entry = tallies.get(id) ?? { changes: 0, stateChanges: 0 };
  tallies.set(id, entry);
  entry.changes++;
  let last = change.before;
  for (const definition of change.definitions) {
    if (!last || last.status !== definition.status || last.inPlay !== definition.inPlay) {
      entry.stateChanges++;
      onState?.(change.market, change.publishTime);
    }
    last = definition;
  }
}

function check(change: MarketChange, checks: { crossed: number; offLadder: number }): void {
  const { market } = change;
  checks.crossed += crossedRunners(market).length;
  if ((market.definition?.ladder ?? 'CLASSIC') !== 'CLASSIC') return;
  for (const key of change.runners) {
    const runner = market.runners.get(key);
    for (const side of ['back', 'lay'] as const) {
      const top = bestPrices(market, runner, side, 1)[0];
      if (top && tickIndex(top[0]) < 0) checks.offLadder++;
    }
  }
}

/** The hash of a replay, change by change: who folds the same lines as they come has the same. */
export function createChangeHash(): { take(change: MarketChange): void; text(): string } {
  const hash = createHash('sha256');
  return {
    take: (change) => void hash.update(changeText(change)),
    text: () => hash.copy().digest('hex'),
  };
}

/** Everything a reader of the fold could see of a change, as text. */
function changeText(change: MarketChange): string {
  const { market } = change;
  const definition = market.definition;
  const parts: Array<string | number> = [market.marketId, change.publishTime, market.totalMinor];
  if (definition) parts.push(definition.status, definition.inPlay ? 1 : 0, definition.version);
  for (const key of change.runners) {
    const runner = market.runners.get(key);
    if (!runner) continue;
    parts.push(key, runner.lastPrice, runner.totalMinor, String(runner.nearPrice), String(runner.farPrice));
    for (const side of ['back', 'lay'] as const) parts.push(bestPrices(market, runner, side, 10).join());
  }
  if (change.definitions.length > 0)
    for (const runner of definition?.runners ?? []) parts.push(runner.key, runner.status);
  return `${parts.join('|')}\n`;
}

function summarise(
  report: ReadReport,
  fold: Fold,
  tallies: Map<string, Tally>,
  checks: { crossed: number; offLadder: number },
  hash: string,
): ReplaySummary {
  const markets: Record<string, MarketSummary> = {};
  for (const [id, market] of fold.markets) {
    const definition = market.definition;
    const withStatus = (...statuses: string[]): number[] =>
      (definition?.runners ?? []).filter((runner) => statuses.includes(runner.status)).map((runner) => runner.runnerId);
    markets[id] = {
      status: definition?.status ?? null,
      inPlay: definition?.inPlay ?? false,
      winners: withStatus('WINNER'),
      removed: withStatus('REMOVED', 'REMOVED_VACANT'),
      totalMatched: market.totalMinor / 100,
      name: definition?.marketName ?? null,
      type: definition?.marketType ?? null,
      eventId: definition?.eventId ?? null,
      eventName: definition?.eventName ?? null,
      runners: definition?.runners.length ?? market.runners.size,
      numberOfWinners: definition?.numberOfWinners ?? 0,
      changes: tallies.get(id)?.changes ?? 0,
      stateChanges: tallies.get(id)?.stateChanges ?? 0,
      incomplete: market.incomplete,
    };
  }
  const { images, deltas, stateChanges, refused, heartbeats } = fold.counts;
  return { ...report, images, deltas, stateChanges, refused, heartbeats, ...checks, markets, hash };
}
