/** Reports from a replica: never without what the player was told of, and from the database itself where it cannot be had. */
import { CALLS, CodedError } from '@fairgame/contract';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findPostgres, startPostgres } from '../../../scripts/postgres.ts';
import { type Db, DbLost, type Query, silent } from '../src/db/db.ts';
import { createReplica } from '../src/db/replica.ts';
import { freshDatabase } from './fresh-database.ts';
import { IDS, makeSite, prices } from './site.ts';

describe('a reading for reports', () => {
  const place = '7/site';
  /** What the replica has come to; where it is of; an error or a silence in place of answers. */
  let at: { seq: number; place: string; fails?: Error; hangs?: boolean };
  beforeEach(() => {
    vi.useFakeTimers();
    at = { seq: 10, place };
  });
  afterEach(() => vi.useRealTimers());

  const tx: Db['tx'] = async (fn) => {
    if (at.hangs) await new Promise(() => {});
    if (at.fails) throw at.fails;
    const query: Query = async <T>() => [{ seq: at.seq, place: at.place }] as T[];
    return fn(query);
  };
  const open = () => createReplica({ tx, place, log: silent });
  const here = async () => 'replica';
  const elsewhere = async () => 'itself';

  it('is answered by the replica that has seen what it must', async () => {
    const replica = open();
    expect(await replica.report(10, here, elsewhere)).toBe('replica');
    expect(replica.counts()).toEqual({ replica: 1, behind: 0, away: 0 });
  });

  it('waits a moment for a replica that is just behind', async () => {
    const replica = open();
    const reading = replica.report(11, here, elsewhere);
    await vi.advanceTimersByTimeAsync(150);
    at.seq = 11;
    await vi.advanceTimersByTimeAsync(50);
    expect(await reading).toBe('replica');
  });

  it('goes to the database itself after 300 ms; those after it at once, until the replica has come so far', async () => {
    const replica = open();
    const started = performance.now();
    const reading = replica.report(11, here, elsewhere).then((from) => [from, performance.now() - started]);
    await vi.advanceTimersByTimeAsync(400);
    expect(await reading).toEqual(['itself', expect.toSatisfy((ms) => ms >= 300 && ms < 340)]);
    expect(await replica.report(10, here, elsewhere)).toBe('itself');
    await vi.advanceTimersByTimeAsync(1000);
    expect(await replica.report(11, here, elsewhere)).toBe('itself');
    await vi.advanceTimersByTimeAsync(1000);
    at.seq = 11;
    expect(await replica.report(11, here, elsewhere)).toBe('replica');
    expect(replica.counts()).toEqual({ replica: 1, behind: 3, away: 0 });
  });

  it.each([
    ['is away', { fails: new DbLost(false, 'refused') }],
    ['has no connection left', { fails: new CodedError('BUSY') }],
    ['is of another database, however far that is', { place: '7/another', seq: 99 }],
  ])('goes to the database itself where the replica %s', async (_why, state) => {
    const replica = open();
    Object.assign(at, state);
    expect(await replica.report(10, here, elsewhere)).toBe('itself');
    expect(replica.counts()).toEqual({ replica: 0, behind: 0, away: 1 });
  });

  it('does not wait for a replica that stands still', async () => {
    const replica = open();
    at.hangs = true;
    const reading = replica.report(10, here, elsewhere);
    await vi.advanceTimersByTimeAsync(300);
    expect(await reading).toBe('itself');
  });

  it('that is refused, or takes too long, is so without being tried again elsewhere; one ended by the replica is', async () => {
    const replica = open();
    const never = vi.fn(elsewhere);
    const refused = new CodedError('BAD_FILTER', { field: 'sort' });
    await expect(replica.report(10, () => Promise.reject(refused), never)).rejects.toBe(refused);
    expect(never).not.toHaveBeenCalled();
    const ended = Object.assign(new CodedError('BUSY'), { cause: { code: '40001' } });
    expect(await replica.report(10, () => Promise.reject(ended), never)).toBe('itself');
  });
});

describe.skipIf(findPostgres() === null)('a site with a replica', () => {
  it('shows every bet that was answered, whether the replica has it, lags or is gone', async () => {
    const primary = (await startPostgres())!;
    const standby = await primary.replica();
    const { url } = await freshDatabase(primary.url);
    const readUrl = new URL(standby.url);
    readUrl.pathname = new URL(url).pathname;
    const site = await makeSite({ DATABASE_URL: url, DATABASE_READ_URL: readUrl.href });
    const other = new pg.Client({ connectionString: standby.url });
    await other.connect();
    const { token } = await site.player();
    await site.feed(prices(IDS.football.odds, [IDS.football.home, 200, 204]));
    let placed = 0;
    /** The bets of the list right after another one, and where the list was read. */
    const betAndList = async (): Promise<{ total: number; from: object }> => {
      const before = { ...site.app.db.reportSources()! };
      const body = {
        key: `replica-key-00000000${++placed}`,
        betId: IDS.football.odds,
        matchId: IDS.football.event,
        runnerId: IDS.football.home,
        bettingType: 'BACK' as const,
        odd: 200,
        stake: 1000,
      };
      expect((await site.call(CALLS.bets.place, { body }, { token })).status).toBe(200);
      const { data } = await site.call(CALLS.bets.list, { query: {} }, { token });
      const after = Object.entries(site.app.db.reportSources()!);
      return { total: data.total, from: after.filter(([name, n]) => n > before[name as keyof typeof before]) };
    };
    // The standby may still be on its way to the site's first rows.
    await expect
      .poll(betAndList, { interval: 1100, timeout: 15_000 })
      .toMatchObject({ from: [['replica', expect.anything()]] });
    const first = placed;
    await other.query('SELECT pg_wal_replay_pause()');
    expect(await betAndList()).toMatchObject({ total: first + 1, from: [['behind', expect.anything()]] });
    await other.query('SELECT pg_wal_replay_resume()');
    await other.end();
    await standby.stop();
    await expect
      .poll(betAndList, { interval: 1100, timeout: 15_000 })
      .toMatchObject({ from: [['away', expect.anything()]] });
    expect((await betAndList()).total).toBe(placed);
    await site.close();
    await primary.stop();
  }, 60_000);
});
