/** The core's own time: the clock of the machine, pauses of the process, a database that is slow. */
import { afterEach, describe, expect, it } from 'vitest';
import { createClock } from '../src/core/clock.ts';
import { openCore } from '../src/core/core.ts';
import { createStallWatch } from '../src/core/stall.ts';
import { silent } from '../src/db/db.ts';
import { betOf, type Fixture, makeCore, refusedWith } from './fixture.ts';

const NOON = Date.UTC(2026, 0, 10, 12);
const HOUR = 3_600_000;

/** A machine whose clock can be set, and whose steady clock can't. */
function machine(wall = NOON) {
  const at = { wall, steady: 0 };
  return {
    at,
    wall: () => at.wall,
    steady: () => at.steady,
    pass(ms: number) {
      at.wall += ms;
      at.steady += ms;
    },
  };
}

describe('[FLT-09] the clock of the core', () => {
  const clockOf = (m: ReturnType<typeof machine>, more: Partial<Parameters<typeof createClock>[0]> = {}) =>
    createClock({ wall: m.wall, steady: m.steady, lastAt: 0, trust: false, isWaiting: () => false, ...more });

  it('goes on through a step back, a little slower, until the machine has come after it', () => {
    const m = machine();
    const clock = clockOf(m);
    m.at.wall -= HOUR;
    const before = clock.now();
    m.pass(10_000);
    expect(clock.now() - before).toBe(9000);
    for (let i = 0; i < 11 * 3600; i++) {
      m.pass(1000);
      clock.now();
    }
    expect(Math.abs(clock.now() - m.at.wall)).toBeLessThan(1000);
  });

  it('takes a step forward over at once when no bet waits, and only then', () => {
    const m = machine();
    let waiting = true;
    const clock = clockOf(m, { isWaiting: () => waiting });
    m.at.wall += HOUR;
    m.pass(5000);
    expect(clock.now()).toBe(NOON + 5000);
    waiting = false;
    expect(clock.now()).toBe(m.at.wall);
  });

  it('never goes back, whatever the machine does', () => {
    const m = machine();
    const clock = clockOf(m);
    let last = clock.now();
    for (const step of [-10_000, 10_000, -HOUR, 3 * HOUR, -10, 10, -2 * HOUR]) {
      m.at.wall += step;
      m.pass(50);
      expect(clock.now()).toBeGreaterThanOrEqual(last);
      last = clock.now();
    }
  });

  it('goes on from the last command where the machine is a little behind it', () => {
    const m = machine();
    expect(clockOf(m, { lastAt: NOON + 30_000 }).now()).toBe(NOON + 30_000);
  });

  it('does not believe a machine that is behind the log, or more than a year ahead of it, unless told to', () => {
    const behind = machine(NOON - 3 * HOUR);
    expect(() => clockOf(behind, { lastAt: NOON })).toThrow(
      /clock says 2026-01-10T09:00.*last command .* 2026-01-10T12:00.*3 hours behind.*FAIRGAME_CLOCK=trust/,
    );
    const ahead = machine(NOON + 400 * 24 * HOUR);
    expect(() => clockOf(ahead, { lastAt: NOON })).toThrow(/400 days ahead/);
    expect(clockOf(behind, { lastAt: NOON, trust: true }).now()).toBe(behind.at.wall);
    expect(clockOf(machine(NOON + 90 * 24 * HOUR), { lastAt: NOON }).now()).toBe(NOON + 90 * 24 * HOUR);
  });
});

describe('[FLT-14] the watch over a commit', () => {
  it('counts a pause of the process as one tick, and tells of a long one', async () => {
    const pauses: number[] = [];
    const watch = createStallWatch({ pauseMs: 300, onTick: () => {}, onPause: (ms) => pauses.push(ms) });
    watch.begin();
    block(600);
    expect(watch.ms()).toBeLessThanOrEqual(200);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(watch.end()).toBeLessThanOrEqual(400);
    expect(pauses).toHaveLength(1);
    watch.stop();
  });
});

describe('a core', () => {
  let f: Fixture;
  afterEach(() => f?.close());

  it('[INV-14] [FLT-09] lets a delayed bet go at its time through steps of the clock, not before and not never', async () => {
    const m = machine();
    f = await makeCore({ clock: m.wall, steady: m.steady });
    const { marketId } = f.book;
    await f.send({ type: 'market.state', marketId, inPlay: true, betDelayMs: 5000 }, { world: 'all' });
    const state = async () => {
      // A command brings the core's time on, as any other command of a site does.
      await f.send({ type: 'clock' });
      return f.core.read.bet('real', bet.betId)?.status;
    };
    const bet = betOf(await f.bet(f.anna, 'BACK', 500, 1000));
    m.at.wall += HOUR;
    m.pass(4900);
    expect(await state()).toBe('PENDING');
    m.at.wall -= 2 * HOUR;
    m.pass(1000);
    expect(await state()).toBe('EXECUTABLE');
  });

  it('[FLT-09] one start under a wrong clock does not poison the database', async () => {
    const m = machine();
    f = await makeCore({ clock: m.wall, steady: m.steady });
    await f.bet(f.anna, 'BACK', 300, 1000);
    m.at.wall += 30 * 24 * HOUR;
    await f.restart();
    await f.bet(f.anna, 'BACK', 300, 1000);
    await f.core.stop();
    m.at.wall -= 30 * 24 * HOUR;
    const open = (trustClock: boolean) =>
      openCore({ db: f.db, log: silent, clock: m.wall, steady: m.steady, trustClock, onFenced: () => {} });
    await expect(open(false)).rejects.toThrow(/720 hours|30 days/);
    const core = await open(true);
    const bet = await core.submit({ world: 'real', actor: 'test', command: { type: 'clock' } });
    expect(bet.at).toBe(m.at.wall);
    await core.stop();
  });

  it('[FLT-14] takes its own long work for no outage of the database', async () => {
    f = await makeCore({ clock: Date.now });
    const outcomes: Array<Promise<string>> = [];
    for (let i = 0; i < 20; i++) outcomes.push(refusedWith(f.bet(f.anna, 'BACK', 500, 100)));
    // The first batch is on its way to the database when the process stands still.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    for (let i = 0; i < 20; i++) outcomes.push(refusedWith(f.bet(f.anna, 'BACK', 500, 100)));
    block(2600);
    // Before the writer's turn comes, and after it.
    outcomes.push(refusedWith(f.bet(f.anna, 'BACK', 500, 100)));
    await new Promise((resolve) => setTimeout(resolve, 0));
    outcomes.push(refusedWith(f.bet(f.anna, 'BACK', 500, 100)));
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['taken']));
  });

  it('[FLT-14] suspends what is in play after a pause of the process, since its prices are as old', async () => {
    f = await makeCore({ clock: Date.now });
    const { marketId } = f.book;
    await f.send({ type: 'market.state', marketId, inPlay: true }, { world: 'all' });
    block(5200);
    await new Promise((resolve) => setTimeout(resolve, 150));
    await f.send({ type: 'clock' });
    expect(f.core.read.market(marketId)).toMatchObject({ status: 'SUSPENDED', reason: 'Betting was interrupted' });
  });
});

/** The process does nothing else for so long. */
function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
