/** The simulated feed: the slate on a clock. */
import type { Feed, FeedOutput } from '../feed.ts';
import { advance, createSlate, type Ids, loadSlate, priceAnew, type Slate, saveSlate } from './slate.ts';

export {
  advance,
  countSlate,
  createSlate,
  type Ids,
  loadSlate,
  SLATE_VERSION,
  type Slate,
  saveSlate,
} from './slate.ts';

/** Injected, so that tests need not wait. `every` returns what stops it. */
interface FeedClock {
  now(): number;
  every(ms: number, run: () => void): () => void;
}

export interface SimulatedFeedOptions {
  /** Secret while the slate plays: who knows it knows the results. */
  seed: string;
  /** Positive safe integers, ascending, never handed out before; after a restart they go on after `lastId()`. */
  ids: Ids;
  /** Simulated milliseconds per real one; 1 unless given. */
  speed?: number;
  /** Whether anybody looks at the event: its prices then move up to five times a second instead of every few. */
  watched?: (eventId: number) => boolean;
  clock?: FeedClock;
  /** What `save()` gave earlier: the slate goes on from there and plays what it missed at once. */
  saved?: string;
}

export interface SimulatedFeed extends Feed {
  /** The slate as text, to be stored beside the core's own state. Empty before the start. */
  save(): string;
  /** The largest id handed out so far; 0 before the start. */
  lastId(): number;
  /** Simulated time. */
  now(): number;
}

const TICK_MS = 200;
/** A long absence is told in slices, so that no batch grows without bound. */
const SLICE_MS = 5 * 60_000;

export function simulatedFeed(options: SimulatedFeedOptions): SimulatedFeed {
  const clock = options.clock ?? realClock;
  const speed = options.speed ?? 1;
  const watched = options.watched ?? (() => false);
  let slate: Slate | null = null;
  let stopTimer: (() => void) | null = null;
  const startedAt = clock.now();
  // A stored slate that ran faster than the clock is ahead of it: simulated time never goes back.
  let origin = startedAt;
  const simulatedNow = (): number => origin + Math.round((clock.now() - startedAt) * speed);

  const tell = (slate: Slate, sink: (batch: FeedOutput[], now: number) => void): void => {
    const target = Math.max(slate.now, simulatedNow());
    do {
      const to = Math.min(target, slate.now + SLICE_MS);
      const batch = advance(slate, to, options.ids, watched);
      sink(speed === 1 ? batch : batch.map(inOwnTime), to);
    } while (slate.now < target);
  };

  return {
    start(sink) {
      if (stopTimer) throw new Error('the feed has started already');
      const made = options.saved ? loadSlate(options.saved) : createSlate(options.seed, simulatedNow(), options.ids);
      slate = made;
      origin = Math.max(origin, made.now);
      tell(made, sink);
      const marketIds = made.events.flatMap((sim) => sim.markets.map((market) => market.def.marketId));
      sink([{ type: 'named', marketIds }], made.now);
      stopTimer = clock.every(TICK_MS, () => tell(made, sink));
    },
    stop() {
      stopTimer?.();
      stopTimer = null;
      return Promise.resolve();
    },
    save: () => (slate ? saveSlate(slate) : ''),
    again(marketIds) {
      if (slate) priceAnew(slate, new Set(marketIds));
    },
    lastId: () => slate?.lastId ?? 0,
    now: simulatedNow,
  };
}

const inOwnTime = (output: FeedOutput): FeedOutput =>
  output.type === 'event' ? { ...output, event: { ...output.event, ownTime: true } } : output;

const realClock: FeedClock = {
  now: () => Date.now(),
  every: (ms, run) => {
    const timer = setInterval(run, ms);
    return () => clearInterval(timer);
  },
};
