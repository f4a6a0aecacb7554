import { LADDER, tickIndex } from '@fairgame/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDemoAccounts } from '../src/auth/demo-accounts.ts';
import { Crowd } from '../src/feed/crowd.ts';
import { type Manner, type Sight, wishOf } from '../src/feed/crowd-player.ts';
import { makeRng } from '../src/feed/simulated/rng.ts';
import { makeSite, type Site } from './site.ts';

describe('what a simulated player wants', () => {
  const sights: fc.Arbitrary<Sight> = fc
    .record({
      low: fc.integer({ min: 0, max: LADDER.length - 2 }),
      gap: fc.integer({ min: 1, max: 8 }),
      hasBack: fc.boolean(),
      hasLay: fc.boolean(),
      moved: fc.integer({ min: -6, max: 6 }),
      maxStakeMinor: fc.integer({ min: 100, max: 1_000_000 }),
      availableMinor: fc.integer({ min: 0, max: 10_000_000 }),
    })
    .map(({ low, gap, hasBack, hasLay, ...rest }) => ({
      ...rest,
      minStakeMinor: 100,
      back: hasBack ? [[LADDER[low]!, 10_000]] : [],
      lay: hasLay ? [[LADDER[Math.min(low + gap, LADDER.length - 1)]!, 10_000]] : [],
    }));

  it('is on the ladder, within the bounds of the market, and at risk with a tenth of his money at most', () => {
    fc.assert(
      fc.property(
        sights,
        fc.constantFrom<Manner>('taker', 'maker', 'follower'),
        fc.integer(),
        (sight, manner, seed) => {
          const wish = wishOf(makeRng(seed), manner, sight);
          if (!wish) return;
          expect(tickIndex(wish.price)).toBeGreaterThanOrEqual(0);
          expect(wish.sizeMinor).toBeGreaterThanOrEqual(sight.minStakeMinor);
          expect(wish.sizeMinor).toBeLessThanOrEqual(sight.maxStakeMinor);
          const risk = wish.side === 'BACK' ? wish.sizeMinor : (wish.sizeMinor * (wish.price - 100)) / 100;
          expect(risk).toBeLessThanOrEqual(sight.availableMinor / 10 + 1);
          const [back, lay] = [sight.back[0]?.[0], sight.lay[0]?.[0]];
          if (manner === 'maker') {
            // He waits: a price that is there already is not taken.
            if (wish.side === 'BACK') expect(wish.price).toBeGreaterThan(back!);
            else expect(wish.price).toBeLessThan(lay!);
          } else expect(wish.price).toBe(wish.side === 'BACK' ? back : lay);
          if (manner === 'follower') expect(wish.side).toBe(sight.moved < 0 ? 'BACK' : 'LAY');
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('is the same for the same draws', () => {
    const sight = {
      back: [[200, 100]],
      lay: [[204, 100]],
      moved: -3,
      minStakeMinor: 100,
      maxStakeMinor: 500_000,
    } as const;
    const wishes = () => {
      const r = makeRng('one seed');
      return Array.from({ length: 50 }, (_, i) =>
        wishOf(r, (['taker', 'maker', 'follower'] as const)[i % 3]!, { ...sight, availableMinor: 5_000_000 }),
      );
    };
    expect(wishes()).toEqual(wishes());
    expect(new Set(wishes().map((wish) => JSON.stringify(wish))).size).toBeGreaterThan(10);
  });
});

describe('a crowd', () => {
  let site: Site;
  beforeAll(async () => {
    site = await makeSite();
  });
  afterAll(() => site.close());

  it('bets in the books of the site, by accounts of its own that a next start finds again, and ends when told', async () => {
    const { core, db, log } = site.app;
    const at = { core, db, log, clock: site.clock, seed: 'a crowd', isWatched: () => true };
    const crowd = new Crowd({ ...at, players: 20 });
    await crowd.start();
    const accounts = () =>
      db.query<{ world: string; id: number }>('SELECT world, account_id AS id FROM crowd ORDER BY 2');
    const first = await accounts();
    expect(first.filter(({ world }) => world === 'demo')).toHaveLength(10);
    expect(first.filter(({ world }) => world === 'real')).toHaveLength(10);
    const traded = (world: 'real' | 'demo') =>
      core.read
        .markets()
        .filter(({ kind }) => kind === 'book')
        .flatMap(({ marketId, runners }) =>
          runners.map(({ runnerId }) => core.read.depth(world, marketId, runnerId, 1)),
        )
        .reduce((sum, { tradedMinor }) => sum + tradedMinor, 0);
    await expect.poll(() => traded('real'), { timeout: 40_000 }).toBeGreaterThan(0);
    await expect.poll(() => traded('demo'), { timeout: 40_000 }).toBeGreaterThan(0);
    await crowd.stop();

    const next = new Crowd({ ...at, players: 20 });
    await next.start();
    await next.stop();
    expect(await accounts()).toEqual(first);
    // Nobody can sign in as one of them.
    const users = await db.query('SELECT u.id FROM users u JOIN crowd c ON c.account_id = u.id');
    expect(users).toEqual([]);
  });

  it('is not taken for visits that are over', async () => {
    const { core, db } = site.app;
    const rows = await db.query<{ id: number }>("SELECT account_id AS id FROM crowd WHERE world = 'demo'");
    const ended = createDemoAccounts({ db, core, clock: () => site.clock() + 30 * 86_400_000 });
    for (let rounds = 0; rounds < 3; rounds++) await ended.closeEnded();
    expect(rows.filter(({ id }) => core.read.worldOf(id) !== 'demo')).toEqual([]);
  });

  it('leaves books alone that nobody may bet on', async () => {
    const { core, db, log } = site.app;
    for (const { marketId, kind } of core.read.markets())
      if (kind === 'book')
        await core.submit({
          world: 'all',
          actor: 'test',
          command: { type: 'market.state', marketId, status: 'SUSPENDED', reason: 'test' },
        });
    const asked: string[] = [];
    const off = core.onCommitted(({ items }) => {
      for (const { actor, command } of items) if (actor === 'crowd') asked.push(command.type);
    });
    const crowd = new Crowd({ core, db, log, clock: site.clock, seed: 'b', isWatched: () => true, players: 20 });
    await crowd.start();
    for (let beats = 0; beats < 100; beats++) crowd.beat();
    await crowd.stop();
    off();
    expect(asked).not.toContain('order.place');
  });
});
