/** Alerts over what may come between: nobody looks for a while, another begins to, the database is slow or away. */
import { type AlertBody, CALLS } from '@fairgame/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Alerts } from '../src/alerts/alerts.ts';
import { Keeper } from '../src/alerts/keeper.ts';
import { metSince } from '../src/alerts/missed.ts';
import { AlertRows, type News } from '../src/alerts/rows.ts';
import type { Db } from '../src/db/db.ts';
import { newKey } from './server.ts';
import { IDS, makeSite, prices, type Site, state } from './site.ts';

const { football, politics, tennis } = IDS;
const FOOTBALL = { betId: football.overUnder, matchId: football.event, runnerId: football.over, odd: 200 };
/** Between the house's prices. */
const POLITICS = { betId: politics.odds, matchId: politics.event, runnerId: politics.left, odd: 206 };
const { alerts: calls } = CALLS;
const PAUSED_MS = 31_000;
/** Of this site no process looks for alerts, but those that a test begins. */
let site: Site;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(() => site.close());

const soon = <T>(look: () => T) => vi.waitFor(look, { timeout: 10_000, interval: 5 });

async function player() {
  const { token, userId } = await site.player();
  return {
    token,
    userId,
    set: async (body: AlertBody) => (await site.call(calls.create, { body }, { token })).data.id,
    place: async (bettingType: 'BACK' | 'LAY', stake: number, body: typeof FOOTBALL = FOOTBALL) => {
      const told = await site.call(
        CALLS.bets.place,
        { body: { key: newKey(), ...body, bettingType, stake } },
        { token },
      );
      expect(told.status).toBe(200);
    },
  };
}

/** What a process has that begins to look. */
function keeper(rows: AlertRows = new AlertRows(site.app.db, site.clock)) {
  const told: number[] = [];
  const { core, catalog, log } = site.app;
  const tell = (news: News[]) => told.push(...news.map(({ alert }) => alert.id));
  const keeps = new Keeper({ rows, core, catalog, clock: site.clock, log, tell, tellOver: () => undefined });
  return { keeps, told };
}

/** Something that waits until it is let go on. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

const own = (every: boolean): AlertBody => ({ kind: 'BET', betId: football.overUnder, every });

describe('what was missed', () => {
  it('is read from the first match behind the command on, and of the waiting bets of a week', async () => {
    const { db, core } = site.app;
    const month = site.clock() - 30 * 86_400_000;
    await db.query(`INSERT INTO fills VALUES ('USD', 0, 1, 1, 200, 100, 1, 2, 1, 2, 'BACK', $1, 0)`, [month]);
    const [one, other] = [await player(), await player()];
    await one.place('BACK', 1000);
    await db.query('CREATE TEMP TABLE old_bets AS SELECT * FROM bets LIMIT 1');
    await db.query('UPDATE old_bets SET id = 0, placed_at = $1', [month]);
    await db.query('INSERT INTO bets SELECT * FROM old_bets');
    site.clock.advance(10);
    const { seq } = core.health();
    await other.place('LAY', 1000);
    const asked: Array<{ sql: string; params: unknown[] }> = [];
    const reader = {
      query: ((sql: string, params: unknown[]) => {
        asked.push({ sql, params });
        return db.query(sql, params);
      }) as typeof db.query,
    };
    expect(await metSince(reader, [one.userId, other.userId], seq)).toEqual([
      { accountId: one.userId, marketId: football.overUnder, at: site.clock(), lapsed: null },
    ]);
    const lowest = (table: string) =>
      asked.find(({ sql }) => sql.includes(`FROM ${table}`) && sql.includes('id >= $3'))!;
    expect(lowest('fills f').params[2]).toBeGreaterThan(0);
    expect(lowest('bets').params[2]).toBeGreaterThan(0);
  });
});

describe('own bets', () => {
  it('met between an alert and the moment at which it is read, by a database that is slow and fails: told', async () => {
    const held = gate();
    let tries = 0;
    class Slow extends AlertRows {
      override async one(id: number) {
        const read = await super.one(id);
        tries++;
        if (tries === 1) throw new Error('the database is away');
        await held.opened;
        return read;
      }
    }
    const { keeps, told } = keeper(new Slow(site.app.db, site.clock));
    await keeps.begin();
    const [one, other] = [await player(), await player()];
    await one.place('BACK', 1000);
    const { seq } = site.app.core.health();
    const id = await one.set(own(false));
    void keeps.changed(id, seq);
    await soon(() => expect(tries).toBe(2));
    await other.place('LAY', 1000);
    held.open();
    await soon(() => expect(told).toEqual([id]));
    await keeps.stop();
  });

  it('for every time, met again within half a minute: told once more behind it', async () => {
    const { keeps, told } = keeper();
    await keeps.begin();
    const [one, other] = [await player(), await player()];
    await one.place('BACK', 2500);
    const { seq } = site.app.core.health();
    const id = await one.set(own(true));
    await keeps.changed(id, seq);
    await other.place('LAY', 1000);
    await soon(() => expect(told).toEqual([id]));
    site.clock.advance(10_000);
    await other.place('LAY', 500);
    await other.place('LAY', 500);
    site.clock.advance(PAUSED_MS);
    await soon(() => expect(told).toEqual([id, id]));
    site.clock.advance(PAUSED_MS);
    await other.place('LAY', 500);
    await soon(() => expect(told).toEqual([id, id, id]));
    await keeps.stop();
    await site.call(calls.remove, { body: { id } }, { token: one.token });
  });

  it('met or lapsed while nobody looked: told by who looks next, once, and neither to who did it himself nor of what was before', async () => {
    const [one, other] = [await player(), await player()];
    const before = keeper();
    await before.keeps.begin();
    await before.keeps.stop();
    const [mine, theirs] = [await one.set(own(true)), await other.set({ kind: 'BET', every: false })];
    await one.place('BACK', 3000);
    await other.place('LAY', 1000);
    site.clock.advance(10);
    const late = await one.set(own(false));
    const next = keeper();
    await next.keeps.begin();
    await soon(() => expect(next.told).toEqual([mine]));
    await next.keeps.stop();
    expect(next.told).toEqual([mine]);
    // What was told is told no more; a bet that lapses is, also where its player had just been told of another.
    site.clock.advance(PAUSED_MS);
    await site.feed(state(football.overUnder, { status: 'SUSPENDED', inPlay: true }));
    const last = keeper();
    await last.keeps.begin();
    await soon(() => expect(new Set(last.told)).toEqual(new Set([mine, late])));
    await last.keeps.stop();
    const none = keeper();
    await none.keeps.begin();
    await none.keeps.stop();
    expect(none.told).toEqual([]);
    const waits = { state: 'WAITING', times: 0 };
    expect((await site.call(calls.list, {}, { token: other.token })).data.alerts).toMatchObject([
      { id: theirs, ...waits },
    ]);
  });

  it('met, and their market closed, while nobody looked: told, and then over', async () => {
    const { db, core } = site.app;
    const about = (every: boolean): AlertBody => ({ kind: 'BET', betId: politics.odds, every });
    const [one, other] = [await player(), await player()];
    const before = keeper();
    await before.keeps.begin();
    await before.keeps.stop();
    const [met, every, not] = [await one.set(about(false)), await one.set(about(true)), await other.set(about(false))];
    await one.place('BACK', 4000, POLITICS);
    await other.place('LAY', 4000, POLITICS);
    const command = {
      type: 'market.declare',
      marketId: politics.odds,
      result: { kind: 'winners', runnerIds: [politics.left] },
    };
    await site.feed({ type: 'command', command: command as never });
    expect(core.read.market(politics.odds)?.status).toBe('CLOSED');
    const next = keeper();
    await next.keeps.begin();
    await soon(() => expect(new Set(next.told)).toEqual(new Set([met, every])));
    const states = async () =>
      (await db.query<{ id: number; state: string; times: number }>('SELECT id, state, times FROM alerts ORDER BY id'))
        .filter(({ id }) => [met, every, not].includes(id))
        .map(({ state: is, times }) => [is, times]);
    await vi.waitFor(
      async () =>
        expect(await states()).toEqual([
          ['FIRED', 1],
          ['OVER', 1],
          ['OVER', 0],
        ]),
      { timeout: 10_000, interval: 20 },
    );
    await next.keeps.stop();
  });
});

describe('a process that begins to look', () => {
  const price = (mark: number): AlertBody => ({
    kind: 'PRICE',
    betId: tennis.odds,
    runnerId: tennis.one,
    figure: 'BACK',
    when: 'UP',
    price: mark,
    every: false,
  });
  const at = (back: number) => site.feed(prices(tennis.odds, [tennis.one, back, back + 4]));

  it('hears what is set, changed and taken away while it still reads, and older readings replace nothing', async () => {
    await at(200);
    const one = await player();
    const [changed, gone] = [await one.set(price(300)), await one.set(price(220))];
    const held = gate();
    let isRead = false;
    const { app, clock } = site;
    // Of a moment, and slow.
    const query: Db['query'] = async (sql, params) => {
      const rows = await app.db.query(sql, params);
      if (sql.includes('FROM alerts WHERE state')) {
        isRead = true;
        await held.opened;
      }
      return rows as never;
    };
    const pushed: number[] = [];
    const push = { send: (all: readonly unknown[]) => void pushed.push(all.length) };
    const parts = { bus: app.bus, core: app.core, catalog: app.catalog, log: app.log, owner: 'late', clock };
    const alerts = new Alerts({ ...parts, db: { ...app.db, query }, push });
    const begun = alerts.start();
    await soon(() => expect(isRead).toBe(true));
    await site.call(calls.change, { body: { id: changed, ...price(220) } }, { token: one.token });
    await site.call(calls.remove, { body: { id: gone } }, { token: one.token });
    const set = await one.set(price(224));
    held.open();
    await begun;
    await at(230);
    const list = async () => (await site.call(calls.list, {}, { token: one.token })).data.alerts;
    await vi.waitFor(
      async () =>
        expect((await list()).map(({ id, state: is }) => [id, is])).toEqual([
          [set, 'FIRED'],
          [changed, 'FIRED'],
        ]),
      { timeout: 10_000, interval: 20 },
    );
    expect(pushed.reduce((sum, n) => sum + n, 0)).toBe(2);
    await alerts.stop();
  });

  it('that could not read them looks for nothing, and keeps nothing of the log for looked at', async () => {
    await at(200);
    const { app, clock } = site;
    const rows = new AlertRows(app.db, clock);
    const before = keeper();
    await before.keeps.begin();
    await before.keeps.stop();
    const kept = (await rows.lookedTo())!;
    await at(204);
    expect(app.core.health().seq).toBeGreaterThan(kept);
    const held = gate();
    const asked: string[] = [];
    const query: Db['query'] = async (sql, params) => {
      asked.push(sql);
      if (sql.includes('FROM alerts WHERE state')) {
        await held.opened;
        throw new Error('the database is away');
      }
      return (await app.db.query(sql, params)) as never;
    };
    const pushed: number[] = [];
    const push = { send: (all: readonly unknown[]) => void pushed.push(all.length) };
    const parts = { bus: app.bus, core: app.core, catalog: app.catalog, log: app.log, owner: 'fails', clock };
    const alerts = new Alerts({ ...parts, db: { ...app.db, query }, push });
    const begun = expect(alerts.start()).rejects.toThrow('the database is away');
    await soon(() => expect(asked.some((sql) => sql.includes('FROM alerts WHERE state'))).toBe(true));
    // It knows this one.
    const id = await (await player()).set(price(220));
    await soon(() => expect(asked.some((sql) => sql.includes('FROM alerts WHERE id'))).toBe(true));
    held.open();
    await begun;
    await at(230);
    expect(await rows.lookedTo()).toBe(kept);
    const next = keeper();
    await next.keeps.begin();
    await soon(() => expect(next.told).toEqual([id]));
    await next.keeps.stop();
    await alerts.stop();
    expect(pushed).toEqual([]);
  });
});
