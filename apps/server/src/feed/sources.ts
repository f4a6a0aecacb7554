/**
 * The feed the configuration names, ready for the bridge. Each goes on after a restart where it was: the simulated slate from
 * its stored state, a recording from its place in the file, a stream from its clock; all under the numbers they had.
 */
import { randomBytes } from 'node:crypto';
import type { MarketId, MarketView } from '@fairgame/exchange';
import type { Db, Log } from '../db/db.ts';
import type { Feed } from './feed.ts';
import { idsAfter, openKnown } from './known.ts';
import { RECORDED, type RecordedPlace, recordedFeed } from './replay/recorded.ts';
import { SLATE_VERSION, type Slate, simulatedFeed } from './simulated/simulated.ts';
import { STREAM, type StreamClock, streamFeed, streamSettings } from './stream.ts';

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
  /** The market as the core holds it. */
  market: (marketId: MarketId) => MarketView | undefined;
  /** The environment of the process: the stream's credentials stand there. */
  env: Readonly<Record<string, string | undefined>>;
}

export interface Source {
  feed: Feed;
  /**
   * Takes what the feed needs to go on from here and answers what stores it, which may be called once everything told so far
   * has been carried out; null when there is nothing to store.
   */
  mark(): (() => Promise<void>) | null;
  /** How often it is worth storing. */
  storeMs: number;
  /** Whether its source answers; always true where there is none behind it. */
  connected(): boolean;
  /** Troubles with the source since the start. */
  troubles(): number;
}

/** A whole slate is some hundred kilobytes, a place in a stream is a line. */
const SLATE_STORE_MS = 20_000;
const PLACE_STORE_MS = 2000;
const LEAD_IN_MS = 15 * 60_000;
const TROUBLE_AGAIN_MS = 60_000;

/** Null when no feed is configured. Throws when the feed lacks settings it needs. */
export async function openSource(options: SourceOptions): Promise<Source | null> {
  switch (options.kind) {
    case 'none':
      return null;
    case 'simulated':
      return openSlate(options);
    case 'recorded':
      return openRecorded(options);
    case 'stream':
      return openStream(options);
  }
}

/**
 * Ids go on from a number no other part of the site reaches, in the order of play: a slate that plays the same minutes
 * again after a restart gives the same markets the same ids, and the core knows them already.
 */
async function openSlate({ seed: asked, speed, db, log, clock, watched }: SourceOptions): Promise<Source> {
  const stored = await load<Slate>(db, 'simulated');
  const saved = stored?.version === SLATE_VERSION ? stored : undefined;
  if (stored && !saved) log.warn({}, 'the stored slate is of another version; a new one begins');
  const seed = asked ?? randomBytes(16).toString('hex');
  if (!saved && asked === undefined)
    log.warn({ seed }, 'a new simulated slate begins; it plays the same again with this FAIRGAME_FEED_SEED');
  const feed = simulatedFeed({
    seed,
    speed,
    watched,
    ids: saved ? countFrom(saved.lastId) : await idsAfter(db, clock()),
    clock: { now: clock, every },
    ...(saved ? { saved: JSON.stringify(saved) } : {}),
  });
  return {
    feed,
    storeMs: SLATE_STORE_MS,
    mark() {
      const state = feed.save();
      return state === '' ? null : () => store(db, 'simulated', clock(), state);
    },
    connected: () => true,
    troubles: () => 0,
  };
}

async function openRecorded({ speed, files, db, log, clock, market }: SourceOptions): Promise<Source> {
  const list = files.join(',');
  const stored = await load<{ files: string; place: RecordedPlace }>(db, 'recorded');
  // Other files are another run: markets of the earlier one are not heard of again.
  const resume = !stored ? null : stored.files === list ? stored.place : { run: stored.place.run + 1, at: 0 };
  const ids = await idsAfter(db, clock());
  const { tell, trouble, troubles } = voice(log, 'recorded');
  const feed = recordedFeed(files, {
    speed,
    loop: true,
    leadInMs: LEAD_IN_MS,
    log: tell,
    onTrouble: trouble,
    now: clock,
    known: (run) => openKnown({ db, prefix: `${RECORDED}${run}:`, ids, clock, market }),
    resume,
  });
  return {
    feed,
    ...placeOf(db, 'recorded', clock, () => withFiles(feed.mark(), list)),
    connected: () => true,
    troubles,
  };
}

async function openStream({ db, log, clock, market, env }: SourceOptions): Promise<Source> {
  const ids = await idsAfter(db, clock());
  const { tell, trouble, troubles } = voice(log, 'stream');
  const feed = streamFeed({
    ...streamSettings(env),
    known: await openKnown({ db, prefix: STREAM, ids, clock, market }),
    resume: await load<StreamClock>(db, 'stream'),
    log: tell,
    onTrouble: trouble,
  });
  return { feed, ...placeOf(db, 'stream', clock, () => feed.mark()), connected: () => feed.connected(), troubles };
}

/** Stores a place in a source when it has changed. */
function placeOf(
  db: Db,
  name: string,
  clock: () => number,
  mark: () => object | null,
): Pick<Source, 'mark' | 'storeMs'> {
  let last = '';
  return {
    storeMs: PLACE_STORE_MS,
    mark() {
      const place = mark();
      const text = JSON.stringify(place);
      if (!place || text === last) return null;
      return async () => {
        await store(db, name, clock(), text);
        last = text;
      };
    },
  };
}

function withFiles(place: RecordedPlace | null, files: string): object | null {
  return place && { files, place };
}

/** What a source says goes to the log; troubles as errors, the same one once a minute, and counted. */
function voice(log: Log, feed: string) {
  let count = 0;
  let lastText = '';
  let lastAt = 0;
  return {
    tell: (text: string) => log.info({ feed }, text),
    trouble: (text: string) => {
      count++;
      const now = performance.now();
      if (text === lastText && now - lastAt < TROUBLE_AGAIN_MS) return;
      lastText = text;
      lastAt = now;
      log.error({ feed, troubles: count }, text);
    },
    troubles: () => count,
  };
}

async function load<T>(db: Db, feed: string): Promise<T | null> {
  const [row] = await db.query<{ state: T }>('SELECT state FROM feed_state WHERE feed = $1', [feed]);
  return row?.state ?? null;
}

async function store(db: Db, feed: string, at: number, state: string): Promise<void> {
  await db.query(
    `INSERT INTO feed_state (feed, saved_at_ms, state) VALUES ($1, $2, $3::jsonb)
     ON CONFLICT (feed) DO UPDATE SET saved_at_ms = EXCLUDED.saved_at_ms, state = EXCLUDED.state`,
    [feed, at, state],
  );
}

function every(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms);
  return () => clearInterval(timer);
}

function countFrom(start: number): { next(): number } {
  let last = start;
  return { next: () => ++last };
}
