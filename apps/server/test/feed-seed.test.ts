import { createCipheriv, createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Db, Log } from '../src/db/db.ts';
import type { FeedOutput } from '../src/feed/feed.ts';
import { makeRng, uniform } from '../src/feed/simulated/rng.ts';
import { advance, createSlate } from '../src/feed/simulated/simulated.ts';
import { openSource } from '../src/feed/sources.ts';

const START = Date.UTC(2026, 10, 20, 14, 3, 7);

/** The feed of a site on an empty database: what it logs, what it stores, what its races end with. */
async function site(seed?: string) {
  const logged: object[] = [];
  let stored = '';
  const db = {
    query: (_sql: string, values: unknown[] = []) => {
      if (values.length === 3) stored = values[2] as string;
      return Promise.resolve([]);
    },
  } as unknown as Db;
  const log = { warn: (what: object) => void logged.push(what), info: () => undefined } as unknown as Log;
  const source = await openSource({
    kind: 'simulated',
    seed,
    speed: 1,
    files: [],
    db,
    log,
    clock: () => START,
    watched: () => false,
    market: () => undefined,
    env: {},
  });
  const told: FeedOutput[] = [];
  source!.feed.start((batch) => void told.push(...batch));
  await source!.mark()!();
  await source!.feed.stop();
  return { logged, told, slate: JSON.parse(stored) as ReturnType<typeof createSlate> };
}

const titles = (told: readonly FeedOutput[]): string[] =>
  told.flatMap((o) => (o.type === 'event' ? [o.event.title] : []));

describe('seed of the simulated slate', () => {
  it('is 128 secret bits where none is given, told once in the log', async () => {
    const [one, two] = [await site(), await site()];
    for (const { slate, logged } of [one, two]) {
      expect(slate.seed).toMatch(/^[0-9a-f]{32}$/);
      expect(logged).toEqual([{ seed: slate.seed }]);
    }
    expect(one.slate.seed).not.toBe(two.slate.seed);
    expect(titles(one.told)).not.toEqual(titles(two.told));
    // What a stranger would try first.
    let id = 0;
    for (const guess of ['', '0', '1', '5', '7']) {
      const slate = createSlate(guess, START, { next: () => ++id });
      const guessed = advance(slate, START, { next: () => ++id });
      expect(titles(guessed)).not.toEqual(titles(one.told));
    }
  });

  it('plays the same again when it is given, and is then not logged', async () => {
    const [one, two] = [await site('a seed of my own'), await site('a seed of my own')];
    expect(two.told).toEqual(one.told);
    expect(one.logged).toEqual([]);
  });

  it('keys fixtures, play and prices of every event apart, and publishes no key', async () => {
    const { slate, told } = await site();
    const published = JSON.stringify(told);
    const keys = slate.events.flatMap(({ lane, slot, play, noise }) => {
      expect(play.slice(0, 8)).toEqual(makeRng(slate.seed, 'play', lane, slot).slice(0, 8));
      return [play, noise, makeRng(slate.seed, 'fixture', lane, slot)].map((rng) => rng.slice(0, 8).join());
    });
    expect(keys.length).toBeGreaterThan(200);
    expect(new Set(keys).size).toBe(keys.length);
    for (const word of keys.flatMap((key) => key.split(','))) expect(published).not.toContain(word);
  });

  it('draws from ChaCha20 under 256 bits of key, as OpenSSL computes it', () => {
    const key = createHash('sha256')
      .update(JSON.stringify(['a', 1]))
      .digest();
    const stream = createCipheriv('chacha20', key, Buffer.alloc(16)).update(Buffer.alloc(64 * 40));
    const rng = makeRng('a', 1);
    for (let i = 0; i < 16 * 40; i++) {
      expect(uniform(rng) * 2 ** 32).toBe(stream.readUInt32LE(i * 4));
      // A stored stream goes on where it was.
      if (i === 100) expect(uniform(structuredClone(rng)) * 2 ** 32).toBe(stream.readUInt32LE(101 * 4));
    }
  });
});
