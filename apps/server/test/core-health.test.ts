/** What the core says of itself to those who run it: commits that fail, requests by their number, what is measured. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Committed, type CoreMeter, readLog } from '../src/core/core.ts';
import { type Fixture, type FixtureOptions, makeCore, makeDb, refusedWith, type TestDb } from './fixture.ts';

let f: Fixture;
let database: TestDb;
beforeAll(async () => {
  database = await makeDb();
});
afterEach(() => f.close());
afterAll(() => database.drop());
const make = (options: FixtureOptions = {}) => makeCore(options, database);

/** A database whose disk is full for everything but the leader's row; or, with small ones left, for commits with a bet. */
function fullDisk() {
  let full: boolean | 'for bets' = false;
  let tries = 0;
  const wrap: FixtureOptions['wrap'] = (db) => ({
    ...db,
    async write<T>(sql: string, params?: unknown[]) {
      const isMeant = full === true || (full && JSON.stringify(params).includes('order.place'));
      if (isMeant && sql.startsWith('SELECT core_commit') && ++tries > 0)
        throw Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' });
      return db.write<T>(sql, params);
    },
  });
  return {
    wrap,
    set(on: boolean | 'for bets') {
      full = on;
    },
    tries: () => tries,
  };
}

describe('commits that fail', () => {
  it('[FLT-05] are told steadily until one goes well again, which needs no bet of anybody', async () => {
    const disk = fullDisk();
    f = await make({ wrap: disk.wrap });
    expect(f.core.health().failingSince).toBeNull();
    disk.set(true);
    expect(await refusedWith(f.bet(f.anna, 'BACK', 300, 100))).toBe('UNAVAILABLE');
    const since = f.core.health().failingSince;
    expect(since).toBe(f.time.now);
    // The leader's row can be written all the while: between two tries the writer looks well.
    const seen = new Set<number | null>();
    for (let i = 0; i < 30; i++) {
      seen.add(f.core.health().failingSince);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(seen).toEqual(new Set([since]));
    disk.set(false);
    await expect.poll(() => f.core.health().failingSince, { timeout: 5000 }).toBeNull();
    expect(await refusedWith(f.bet(f.anna, 'BACK', 300, 100))).toBe('taken');
  });
});

describe('a disk that is full', () => {
  it.each([
    ['', true],
    [', also where small commits find some', 'for bets' as const],
  ])(
    '[FLT-05] is tried less and less often and told once; bets are refused, and taken soon after there is room%s',
    async (_, full) => {
      const disk = fullDisk();
      const lines: string[] = [];
      const says = (_: object, text: string) => lines.push(text);
      f = await make({ wrap: disk.wrap, log: { info: () => {}, warn: says, error: says } });
      const { epoch, seq } = f.core.health();
      disk.set(full);
      const key = { key: 'full-disk-key-00001', hash: 'x' };
      expect(await refusedWith(f.bet(f.anna, 'BACK', 300, 100, key))).toBe('UNAVAILABLE');
      const end = performance.now() + 4000;
      let waited = 0;
      while (performance.now() < end) {
        const asked = performance.now();
        expect(await refusedWith(f.bet(f.ben, 'LAY', 300, 100))).toBe('UNAVAILABLE');
        waited = Math.max(waited, performance.now() - asked);
        expect(f.core.health()).toMatchObject({ epoch, ...(full === true && { available: false, seq }) });
        expect(f.core.health().failingSince).not.toBeNull();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      // Bets are no tries: the first, and then what the writer itself sends, a quarter of a second later, a half, one, two, four.
      expect(disk.tries()).toBeGreaterThan(2);
      expect(disk.tries()).toBeLessThan(7);
      expect(waited).toBeLessThan(200);
      expect(lines).toEqual(['commits fail: nothing is taken until one goes well']);
      disk.set(false);
      const room = performance.now();
      await expect.poll(() => f.core.health().available, { timeout: 6000 }).toBe(true);
      expect(performance.now() - room).toBeLessThan(5500);
      await expect.poll(() => f.core.health().failingSince, { timeout: 4000 }).toBeNull();
      expect(lines.slice(1)).toEqual(['commits go well again']);
      // Nothing stands under the key of the refused bet: it is a bet now.
      expect(await refusedWith(f.bet(f.anna, 'BACK', 300, 100, key))).toBe('taken');
      await f.restart();
      expect(f.core.read.openBets('real', f.anna)).toHaveLength(1);
      expect(f.core.read.openBets('real', f.ben)).toEqual([]);
    },
  );
});

describe('the writer', () => {
  it('that fails between a commit and its answers leaves nobody without one', async () => {
    let fails = false;
    const meter: CoreMeter = {
      applied: () => {},
      committed: () => {
        if (fails) throw new Error('a fault of the program');
      },
      decided: () => {},
      replayed: () => {},
    };
    f = await make({ meter });
    fails = true;
    expect(await refusedWith(f.bet(f.anna, 'BACK', 300, 100))).toBe('INTERNAL');
    expect(await refusedWith(f.bet(f.anna, 'BACK', 300, 100))).toBe('UNAVAILABLE');
  });
});

describe('a request', () => {
  const place = (more: object) =>
    f.core.submit({
      world: 'real',
      actor: `player:${f.anna}`,
      command: {
        type: 'order.place',
        betId: 0,
        accountId: f.anna,
        marketId: f.book.marketId,
        runnerId: f.book.runnerIds[0],
        side: 'BACK',
        price: 300,
        sizeMinor: 100,
        persistence: 'LAPSE',
      },
      ...more,
    });

  it('is known by its number to who listens and in the log of commands', async () => {
    f = await make();
    const heard: Committed[] = [];
    f.core.onCommitted((batch) => heard.push(batch));
    const { seq } = await place({ requestId: 'req-12345678', key: 'request-key-00001', payloadHash: 'x' });
    await place({ requestId: 'req-87654321' });
    await place({});
    expect(heard.flatMap(({ items }) => items.map((item) => item.requestId))).toEqual([
      'req-12345678',
      'req-87654321',
      undefined,
    ]);
    const logged: unknown[] = [];
    for await (const { items } of readLog(f.db.query, seq - 1, f.core.health().seq))
      for (const { key, requestId } of items) logged.push([key, requestId]);
    expect(logged).toEqual([
      ['request-key-00001', 'req-12345678'],
      [undefined, 'req-87654321'],
      [undefined, undefined],
    ]);
    await f.restart();
    expect(f.core.health().seq).toBeGreaterThan(seq);
  });

  it('whose end has passed is refused when its turn comes; money the site owes is never late', async () => {
    f = await make();
    const expiresAt = performance.now() - 1;
    expect(await refusedWith(place({ expiresAt, key: 'late-key-00000001', payloadHash: 'x' }))).toBe('UNAVAILABLE');
    expect(await f.core.answerOf(`player:${f.anna}`, 'late-key-00000001')).toBeNull();
    expect(await refusedWith(place({ expiresAt, urgent: true }))).toBe('taken');
    expect(await refusedWith(place({ expiresAt: performance.now() + 5000 }))).toBe('taken');
  });

  it('is counted by its kind and outcome, with the time to the answer', async () => {
    const decided: string[] = [];
    let batches = 0;
    let applied = 0;
    const meter: CoreMeter = {
      applied: (seconds) => {
        if (seconds > 0) applied++;
      },
      committed: (commands, seconds) => {
        if (commands > 0 && seconds >= 0) batches++;
      },
      decided: (type, result, seconds) => {
        if (seconds >= 0) decided.push(`${type} ${result}`);
      },
      replayed: () => decided.push('replayed'),
    };
    f = await make({ meter });
    decided.length = 0;
    batches = 0;
    applied = 0;
    const key = { key: 'meter-key-0000001', payloadHash: 'x' };
    await place(key);
    await place(key);
    await refusedWith(f.bet(f.anna, 'BACK', 300, 1));
    expect(decided).toEqual(['order.place taken', 'replayed', 'order.place STAKE_TOO_SMALL']);
    expect([batches, applied]).toEqual([2, 2]);
  });
});
