/** The feed the configuration names, ready for the bridge. The simulated slate is stored and goes on after a restart. */
import { randomBytes } from 'node:crypto';
import type { Db, Log } from '../db/db.ts';
import type { FeedSource } from './bridge.ts';
import { recordedFeed } from './replay/recorded.ts';
import { SLATE_VERSION, type Slate, simulatedFeed } from './simulated/simulated.ts';
import { streamFeed, streamSettings } from './stream.ts';

export interface SourceOptions {
  kind: 'simulated' | 'recorded' | 'stream' | 'none';
  /** Of the simulated slate; a fresh secret one when absent. */
  seed: string | undefined;
  speed: number;
  files: readonly string[];
  db: Db;
  log: Log;
  clock: () => number;
  watched: (eventId: number) => boolean;
  /** The environment of the process: the stream's credentials stand there. */
  env: Readonly<Record<string, string | undefined>>;
}

export interface StoredSource extends FeedSource {
  /** Stores what the feed needs to go on later. Call it when everything the feed told has been carried out. */
  store(): Promise<void>;
}

/** Null when no feed is configured. Throws when the feed lacks settings it needs. */
export async function openSource(options: SourceOptions): Promise<StoredSource | null> {
  const { log } = options;
  const tell = (text: string) => log.info({ feed: options.kind }, text);
  switch (options.kind) {
    case 'none':
      return null;
    case 'simulated':
      return openSlate(options);
    case 'recorded':
      return unstored(
        recordedFeed(options.files, {
          speed: options.speed,
          loop: true,
          leadInMs: LEAD_IN_MS,
          log: tell,
          now: options.clock,
        }),
      );
    case 'stream':
      return unstored(
        streamFeed({ ...streamSettings(options.env), ids: countFrom(options.clock() * 1000), log: tell }),
      );
  }
}

const LEAD_IN_MS = 15 * 60_000;
const NAME = 'simulated';

/**
 * Ids go on from a number no other part of the site reaches, in the order of play: a slate that plays the same minutes
 * again after a restart gives the same markets the same ids, and the core knows them already.
 */
async function openSlate({ seed: asked, speed, db, log, clock, watched }: SourceOptions): Promise<StoredSource> {
  const [row] = await db.query<{ state: Slate }>('SELECT state FROM feed_state WHERE feed = $1', [NAME]);
  const saved = row?.state.version === SLATE_VERSION ? row.state : undefined;
  if (row && !saved) log.warn({}, 'the stored slate is of another version; a new one begins');
  const seed = asked ?? randomBytes(16).toString('hex');
  if (!saved && asked === undefined)
    log.warn({ seed }, 'a new simulated slate begins; it plays the same again with this FAIRGAME_FEED_SEED');
  const feed = simulatedFeed({
    seed,
    speed,
    watched,
    ids: countFrom(saved ? saved.lastId : clock() * 1000),
    clock: { now: clock, every },
    ...(saved ? { saved: JSON.stringify(saved) } : {}),
  });
  return {
    feed,
    carries() {
      const text = feed.save();
      const slate = text === '' ? null : (JSON.parse(text) as Slate);
      return slate?.events.flatMap((sim) => sim.markets.map((market) => market.def.marketId)) ?? [];
    },
    async store() {
      const state = feed.save();
      if (state === '') return;
      await db.query(
        `INSERT INTO feed_state (feed, saved_at_ms, state) VALUES ($1, $2, $3::jsonb)
         ON CONFLICT (feed) DO UPDATE SET saved_at_ms = EXCLUDED.saved_at_ms, state = EXCLUDED.state`,
        [NAME, clock(), state],
      );
    },
  };
}

function unstored(feed: FeedSource['feed']): StoredSource {
  return { feed, carries: () => [], store: () => Promise.resolve() };
}

function every(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms);
  return () => clearInterval(timer);
}

function countFrom(start: number): { next(): number } {
  let last = start;
  return { next: () => ++last };
}
