/** A core that follows another: the same state and the same events, whatever happens on the way, and decisions by the leader. */
import { finish, newRound } from '@fairgame/casino';
import type { Command } from '@fairgame/exchange';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Bus, LocalHub, RequestFailed } from '../src/bus/bus.ts';
import { RoundMoney } from '../src/casino/round-money.ts';
import {
  type Answer,
  type Committed,
  type Core,
  type FollowOptions,
  followCore,
  openCore,
  type Request,
} from '../src/core/core.ts';
import { packTexts, unpackTexts } from '../src/core/wire.ts';
import { silent } from '../src/db/db.ts';
import { createMetrics } from '../src/ops/ops.ts';
import { playDay } from './day.ts';
import { betOf, type Fixture, makeCore, makeDb, refusedWith, type TestDb } from './fixture.ts';

let database: TestDb;
let hub: LocalHub;
let f: Fixture;
const followers: Core[] = [];
beforeAll(async () => {
  database = await makeDb();
});
afterEach(async () => {
  for (const one of followers.splice(0)) await one.stop();
  await f.close();
});
afterAll(() => database.drop());

async function lead(): Promise<void> {
  hub = new LocalHub();
  f = await makeCore({ bus: hub.bus() }, database);
}

async function follow(bus: Bus = hub.bus(), more: Partial<FollowOptions> = {}): Promise<Core> {
  const core = await followCore({ db: f.db, log: silent, bus, onFenced: (why) => expect.fail(why), ...more });
  followers.push(core);
  return core;
}

/** All that is told of commands, in order. */
function record(core: Core): Committed['items'] {
  const items: Committed['items'] = [];
  core.onCommitted((batch) => items.push(...batch.items));
  return items;
}

const PATIENT = { timeout: 15_000 };
const caughtUp = (core: Core) => expect.poll(() => core.health().seq, PATIENT).toBe(f.core.health().seq);

function everything(core: Core): unknown {
  const { read } = core;
  const markets = read.markets();
  return read.worlds().map((world) => ({
    world,
    markets: markets.map(({ marketId }) => read.market(marketId, world)),
    depths: f.book.runnerIds.map((runnerId) => read.depth(world, f.book.marketId, runnerId, 9)),
    players: [f.anna, f.ben, f.dora].map((id) => [read.wallet(world, id), read.openBets(world, id)]),
  }));
}

/** Numbers below `below` that look like chance, the same in every run. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

type LocalBus = ReturnType<LocalHub['bus']>;

/** A way on which batches are lost, come twice, come in another order, and which is cut now and then. */
function badWay(bus: LocalBus, random: (below: number) => number): Bus {
  const badly = <T>(listener: (told: T) => void): ((told: T) => void) => {
    const held: Array<() => void> = [];
    return (told) => {
      const what = random(10);
      const tell = () => listener(told);
      if (what < 2) return;
      if (what < 4) return void held.push(tell);
      tell();
      if (what === 4) tell();
      if (what === 5) for (const late of held.splice(0).reverse()) late();
      if (what === 6) bus.join(false);
      if (what === 6) setImmediate(() => bus.join(true));
    };
  };
  return {
    ...bus,
    hear: (subject, listener) => bus.hear(subject, badly(listener)),
    log: (name) => ({
      ...bus.log(name),
      follow: (from, listener) => bus.log(name).follow(from, badly(listener)),
    }),
  };
}

function quote(price: number): Request {
  return {
    world: 'all',
    actor: 'feed',
    command: {
      type: 'house.quotes',
      marketId: f.bookmaker.marketId,
      rows: f.bookmaker.runnerIds.map((runnerId) => ({
        runnerId,
        back: { price, sizeMinor: 250_000 },
        lay: { price: price + 4, sizeMinor: 250_000 },
        status: 'ACTIVE',
      })),
    },
  };
}

describe('what follows', () => {
  it('[INV-10] has the same state and told the same, over a way that loses, doubles, reorders and is cut', async () => {
    await lead();
    const follower = await follow(badWay(hub.bus(), seeded(7)));
    const [theirs, ours] = [record(f.core), record(follower)];
    await playDay(f);
    // Past the thousandth command, where the leader notes a hash of its state.
    for (let n = 0; n < 22; n++)
      await f.core.submitAll(Array.from({ length: 50 }, (_, i) => quote(60 + ((n + i) % 30))));
    await caughtUp(follower);
    expect(ours).toEqual(theirs);
    expect(everything(follower)).toEqual(everything(f.core));
    expect(await f.db.query('SELECT 1 FROM core_hashes')).not.toEqual([]);
    // One that comes later begins with a snapshot or the whole log.
    expect(everything(await follow())).toEqual(everything(f.core));
  }, 60_000);

  it('ends where its state is not what the leader noted, or the database lost what it had followed', async () => {
    await lead();
    const bus = hub.bus();
    const ends: string[] = [];
    const ended = { onFenced: (why: string) => void ends.push(why) };
    const changed = (body: Uint8Array): Uint8Array =>
      Buffer.from(Buffer.from(body).toString().replace('"hash":null', '"hash":"of another state"'));
    const other: Bus = {
      ...bus,
      hear: (subject, listener) => bus.hear(subject, (body) => listener(changed(body))),
      log: (name) => ({
        ...bus.log(name),
        follow: (from, listener) =>
          bus.log(name).follow(from, (entry) => listener({ ...entry, body: changed(entry.body) })),
      }),
    };
    const first = await follow(other, ended);
    await f.bet(f.anna, 'BACK', 300, 100);
    await expect.poll(() => ends, PATIENT).toEqual([expect.stringMatching(/the state behind it is not the leader's$/)]);
    expect(first.health().available).toBe(false);
    const second = await follow(hub.bus(), ended);
    await f.db.query('UPDATE leader SET last_seq = last_seq - 1');
    await expect
      .poll(() => ends[1], PATIENT)
      .toMatch(/^the database is at command \d+, this process has followed it to \d+$/);
    expect(second.health().available).toBe(false);
    await f.db.query('UPDATE leader SET last_seq = last_seq + 1');
  });

  it('reads on from the database while the bus is away, takes no command meanwhile, and goes on by itself', async () => {
    await lead();
    const bus = hub.bus();
    const follower = await follow(bus);
    bus.join(false);
    await f.bet(f.anna, 'BACK', 300, 100);
    expect(await refusedWith(follower.submit(quote(70)))).toBe('UNAVAILABLE');
    expect(follower.health().available).toBe(false);
    await caughtUp(follower);
    bus.join(true);
    expect(await refusedWith(follower.submit(quote(70)))).toBe('taken');
    expect(everything(follower)).toEqual(everything(f.core));
  });

  it('is told at once what the stream and the database bring late, and once', async () => {
    await lead();
    const bus = hub.bus();
    const late: Array<() => void> = [];
    const slow: Bus = {
      ...bus,
      log: (name) => ({
        ...bus.log(name),
        follow: (from, listener) => bus.log(name).follow(from, (entry) => void late.push(() => listener(entry))),
      }),
    };
    let isShut = false;
    const query: typeof f.db.query = (sql, params) => (isShut ? new Promise(() => {}) : f.db.query(sql, params));
    const follower = await follow(slow, { db: { ...f.db, kind: f.db.kind, query } });
    const [theirs, ours] = [record(f.core), record(follower)];
    isShut = true;
    await f.bet(f.anna, 'BACK', 300, 100);
    await caughtUp(follower);
    for (const tell of late.splice(0)) tell();
    await f.bet(f.anna, 'BACK', 300, 100);
    await caughtUp(follower);
    expect(ours).toEqual(theirs);
  });

  it('who was told of a command elsewhere reads it here, late; what nobody has is not waited for, what does not come is said', async () => {
    await lead();
    const bus = hub.bus();
    let [open, gate]: [() => void, Promise<void>] = [() => {}, Promise.resolve()];
    const shut = (): void => {
      gate = new Promise((resolve) => (open = resolve));
    };
    const query: typeof f.db.query = (sql, params) => gate.then(() => f.db.query(sql, params));
    const follower = await follow(bus, { db: { ...f.db, kind: f.db.kind, query } });
    // Neither stream nor database bring anything.
    bus.join(false);
    shut();
    const told = await f.bet(f.anna, 'BACK', 300, 100);
    const waiting = follower.reached(told.seq);
    expect(follower.health().seq).toBeLessThan(told.seq);
    open();
    expect(await waiting).toBe(true);
    expect(follower.read.bet('real', betOf(told).betId)).toMatchObject({ accountId: f.anna });
    expect(await follower.reached(told.seq + 1_000_000)).toBe(true);
    shut();
    const { seq } = await f.bet(f.anna, 'BACK', 300, 100);
    expect(await follower.reached(seq)).toBe(false);
    open();
  });

  it('tells a scrape that another process leads', async () => {
    await lead();
    const told = async (core: Core): Promise<unknown> => {
      const metrics = createMetrics();
      metrics.watch({ core, db: f.db, lastBackupAt: () => null, clock: Date.now });
      return /^xch_leader (\d)$/m.exec(await metrics.registry.metrics())?.[1];
    };
    expect([await told(f.core), await told(await follow())]).toEqual(['1', '0']);
  });

  it('waits for a leader that makes the tables; a database of a newer program is refused at once', async () => {
    await lead();
    await f.db.query("UPDATE schema_migrations SET n = n + 900 WHERE name = '150-leader-renewed.sql'");
    await expect(follow()).rejects.toThrow(/^this program is older than its database/);
    await f.db.query('ALTER TABLE schema_migrations RENAME TO not_yet');
    await f.db.query('UPDATE not_yet SET n = n - 900 WHERE n > 900');
    const waits: string[] = [];
    const log = { ...silent, info: (_: object, text: string) => void waits.push(text) };
    const follower = follow(hub.bus(), { log });
    await expect.poll(() => waits, PATIENT).toEqual(['waits for the process that leads']);
    await f.db.query('ALTER TABLE not_yet RENAME TO schema_migrations');
    expect(everything(await follower)).toEqual(everything(f.core));
  });
});

describe('asked by another process', () => {
  const order = (accountId: number, more: object = {}) => ({
    world: 'real' as const,
    actor: `player:${accountId}`,
    key: `follow-${accountId}-0001`,
    payloadHash: 'one',
    command: {
      type: 'order.place' as const,
      betId: 0,
      accountId,
      marketId: f.book.marketId,
      runnerId: f.book.runnerIds[0],
      side: 'BACK' as const,
      price: 300,
      sizeMinor: 500,
      persistence: 'PERSIST' as const,
    },
    ...more,
  });

  it('[INV-08] the leader decides; the answer can be read where it was asked for, and a key is used once from all sides', async () => {
    await lead();
    const [one, two] = [await follow(), await follow()];
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => [one, two, f.core][i % 3]!.submit(order(f.anna))),
    );
    expect(new Set(answers.map(({ seq }) => seq)).size).toBe(1);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    // As it is kept: of a player's own bet and wallet, and nothing of the book.
    const kept = await f.core.answerOf(`player:${f.anna}`, `follow-${f.anna}-0001`);
    expect(kept!.events.map(({ type }) => type)).toEqual(['bet', 'wallet']);
    expect([answers[0], answers[1]].map((told) => told!.events)).toEqual([kept!.events, kept!.events]);
    const bet = betOf(answers[0]!);
    const answer = await two.submit(order(f.ben));
    expect(two.read.wallet('real', f.ben)).toEqual(f.core.read.wallet('real', f.ben));
    expect(two.health().seq).toBeGreaterThanOrEqual(answer.seq);
    expect(one.read.bet('real', bet.betId)).toEqual(f.core.read.bet('real', bet.betId));

    expect(await refusedWith(one.submit(order(f.anna, { payloadHash: 'other' })))).toBe('KEY_REUSED');
    const dear = order(f.anna, { key: 'follow-dear-0001' });
    dear.command.sizeMinor = 99_999_999;
    const error = await one.submit(dear).catch((reason: unknown) => reason);
    expect(error).toEqual(await f.core.submit({ ...dear, key: 'follow-dear-0002' }).catch((reason: unknown) => reason));
    expect(await one.answerOf(`player:${f.anna}`, `follow-${f.anna}-0001`)).toMatchObject({ seq: answers[0]!.seq });
    expect(await one.burn(`player:${f.anna}`, 'follow-late-0001')).toBe(null);
    expect(await two.isBurnt(`player:${f.anna}`, 'follow-late-0001')).toBe(true);
    expect(await refusedWith(two.submit(order(f.anna, { key: 'follow-late-0001' })))).toBe('KEY_BURNT');
    const late = order(f.anna, { key: 'follow-late-0002', expiresAt: performance.now() - 1 });
    expect(await refusedWith(one.submit(late))).toBe('UNAVAILABLE');
  });

  it('gives ids that nobody else is given, also after another leader came', async () => {
    await lead();
    const follower = await follow();
    const ids = [f.core.nextId()];
    // More than a block: the next one is asked for before the first is used up.
    for (const most of [600, 900]) {
      for (let n = 0; n < most; n++) ids.push(follower.nextId());
      expect(await refusedWith(follower.submit(quote(70)))).toBe('taken');
    }
    ids.push(f.core.nextId());
    await f.core.stop();
    const next = await openCore({ db: f.db, log: silent, bus: hub.bus(), clock: () => f.time.now });
    ids.push(next.nextId(), (await follow()).nextId());
    await next.stop();
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('a leader of an older program: a process that starts says which to update first, one that runs lets no provider pay out', async () => {
    /** As it was before it said what it can be asked for. */
    const older = (bus: Bus): Bus => ({
      ...bus,
      serve: (subject, handler) =>
        bus.serve(subject, async (body) => {
          const replies = unpackTexts<{ wire?: number }>((await handler(body))!);
          return packTexts(replies.map((reply) => JSON.stringify({ ...reply, wire: undefined })));
        }),
    });
    await lead();
    const errors: string[] = [];
    const follower = await follow(hub.bus(), {
      log: { ...silent, error: (_: object, text: string) => errors.push(text) },
    });
    await f.core.stop();
    const of = { db: f.db, log: silent, clock: () => f.time.now };
    const next = await openCore({ ...of, bus: older(hub.bus()) });
    expect(await refusedWith(follower.submit(order(f.anna)))).toBe('taken');
    const bounds = { winMinor: 1, winTimes: 1, dayMinor: 1000, promoMinor: 1000 };
    const promo = (key: string): Request => ({
      world: 'real',
      actor: 'provider:b',
      key,
      command: {
        type: 'game.promo',
        provider: 'b',
        roundId: key,
        accountId: f.anna,
        game: 'keno',
        currency: 'EUR',
        label: 'Birch Games / Keno',
        txId: key,
        amountMinor: 10,
        reason: 'Jackpot',
      } as Command,
      within: bounds,
    });
    expect(await refusedWith(follower.submit(promo('older-1')))).toBe('UNAVAILABLE');
    expect(errors).toEqual([
      expect.stringMatching(/^the process that leads is of an older program .* update those with the core first/),
    ]);
    await expect(follow()).rejects.toThrow(/^the process that leads is of an older program/);
    await next.stop();
    const newer = await openCore({ ...of, bus: hub.bus() });
    expect(await refusedWith(follower.submit(promo('older-1')))).toBe('taken');
    await newer.stop();
  });

  it('[FLT-12] nobody leads: a bet waits for the next leader and is taken, not refused', async () => {
    await lead();
    const follower = await follow();
    await f.core.stop();
    const bet = follower.submit(order(f.anna));
    const next = await openCore({ db: f.db, log: silent, bus: hub.bus(), clock: () => f.time.now });
    expect(await refusedWith(bet)).toBe('taken');
    expect(follower.read.openBets('real', f.anna)).toEqual(next.read.openBets('real', f.anna));
    await next.stop();
  });

  it('[INV-08] a leader that took a request and died: it is asked again under its key of the next one, without a key its outcome is unknown', async () => {
    await lead();
    let answers = true;
    const bus = hub.bus();
    const deaf: Bus = {
      ...bus,
      request: async (subject, body, ms) => {
        const answer = await bus.request(subject, body, ms);
        return answers ? answer : new Promise<never>(() => {});
      },
    };
    const follower = await follow(deaf);
    answers = false;
    const keyed = follower.submit(order(f.anna));
    const unkeyed = refusedWith(follower.submit(quote(70)));
    await caughtUp(follower);
    await expect.poll(() => follower.read.openBets('real', f.anna), PATIENT).toHaveLength(1);
    answers = true;
    await f.core.stop();
    const next = await openCore({ db: f.db, log: silent, bus: hub.bus(), clock: () => f.time.now });
    expect(await unkeyed).toBe('INTERNAL');
    expect(await keyed).toMatchObject({ replayed: true });
    expect(next.read.openBets('real', f.anna)).toHaveLength(1);
    await next.stop();
  });

  /** A leader and what follows it, with the answers that leave the leader held from `hold()` on until they are released. */
  async function withHeldAnswers() {
    let held = Promise.resolve();
    const hold = (): (() => void) => {
      let release = (): void => {};
      held = new Promise((resolve) => (release = resolve));
      return release;
    };
    hub = new LocalHub();
    const theirs = hub.bus();
    const holding: Bus = {
      ...theirs,
      serve: (subject, handler) =>
        theirs.serve(subject, async (body) => {
          const answer = handler(body);
          await held;
          return answer;
        }),
    };
    f = await makeCore({ bus: holding }, database);
    const ours = hub.bus();
    return { follower: await follow(ours), ends: { 'who asks': ours, 'who leads': theirs }, hold };
  }

  it.each(['who asks', 'who leads'] as const)(
    '[INV-08] %s was off the bus: what was under way is asked again under its key at once and decided once, without a key its outcome is unknown',
    async (end) => {
      const { follower, ends, hold } = await withHeldAnswers();
      const release = hold();
      const keyed = [f.anna, f.ben].map((player) => follower.submit(order(player)));
      const unkeyed = refusedWith(follower.submit(quote(70)));
      for (const player of [f.anna, f.ben])
        await expect.poll(() => follower.read.openBets('real', player), PATIENT).toHaveLength(1);
      ends[end].join(false);
      release();
      ends[end].join(true);
      expect(await unkeyed).toBe('INTERNAL');
      for (const answer of await Promise.all(keyed)) expect(answer).toMatchObject({ replayed: true });
      for (const player of [f.anna, f.ben]) expect(f.core.read.openBets('real', player)).toHaveLength(1);
    },
  );

  it('[INV-08] a way that is broken where neither end sees it: another server of the bus is tried, what was under way is decided once, and all is refused at once while none helps', async () => {
    await lead();
    const bus = hub.bus();
    let [isBroken, helps, moves, passed] = [false, false, 0, 0];
    const asked = { lost: 0, unanswered: 0 };
    const never = (): Promise<never> => new Promise(() => {});
    const way: Bus = {
      ...bus,
      request: async (subject, body, ms) => {
        if (!isBroken) return bus.request(subject, body, ms);
        // Of commands every second one comes through, and its answer does not.
        if (body.length > 2 && asked.lost++ % 2 === 0) await bus.request(subject, body, ms);
        asked.unanswered++;
        return never();
      },
      moveOn() {
        moves++;
        if (helps) isBroken = false;
        bus.join(false);
        bus.join(true);
      },
    };
    const follower = await follow(way, { steady: () => passed });
    const looks = (more: number) =>
      expect.poll(() => asked.unanswered, PATIENT).toBeGreaterThan(asked.unanswered + more);
    let signing: NodeJS.Timeout | undefined;
    const signs = () =>
      (signing = setInterval(
        () => void f.db.query('UPDATE leader SET renewed_at = clock_timestamp()').catch(() => undefined),
        100,
      ));
    try {
      isBroken = true;
      const bets: Array<Promise<Answer>> = [];
      for (const player of [f.anna, f.ben]) {
        bets.push(follower.submit(order(player)));
        await expect.poll(() => asked.lost, PATIENT).toBe(bets.length);
      }
      const unkeyed = refusedWith(follower.submit(quote(70)));
      // A leader that gives no sign is dead or frozen, and the way to it may be whole.
      passed += 60_000;
      await looks(4);
      expect([moves, follower.health().serves]).toEqual([0, true]);
      helps = true;
      signs();
      expect(await unkeyed).toBe('INTERNAL');
      expect((await Promise.all(bets)).map(({ replayed }) => replayed)).toEqual([true, false]);
      for (const player of [f.anna, f.ben]) expect(f.core.read.openBets('real', player)).toHaveLength(1);
      expect(moves).toBe(1);

      [isBroken, helps] = [true, false];
      passed += 1499;
      await looks(4);
      expect([moves, follower.health().serves]).toEqual([1, true]);
      passed += 3501;
      await expect.poll(() => follower.health().serves, PATIENT).toBe(false);
      expect(await refusedWith(follower.submit(order(f.dora, { world: 'demo' })))).toBe('UNAVAILABLE');
      expect(f.core.read.openBets('demo', f.dora)).toEqual([]);
      helps = true;
      passed += 60_000;
      await expect.poll(() => follower.health().serves, PATIENT).toBe(true);
      expect((await follower.submit(order(f.dora, { world: 'demo' }))).replayed).toBe(false);
    } finally {
      clearInterval(signing);
    }
  }, 60_000);

  it('asked again too late: nobody is told that nothing was taken, since the first request may still come', async () => {
    hub = new LocalHub();
    const theirs = hub.bus();
    let arrives = (): void => {};
    const late = new Promise<void>((resolve) => (arrives = resolve));
    let requests = 0;
    const slow: Bus = {
      ...theirs,
      serve: (subject, handler) =>
        theirs.serve(subject, async (body) => {
          if (Buffer.from(body).includes('"do":"submit"') && requests++ === 0) await late;
          return handler(body);
        }),
    };
    f = await makeCore({ bus: slow }, database);
    const ours = hub.bus();
    const follower = await follow(ours);
    const request: Request = order(f.anna, { expiresAt: performance.now() + 60_000 });
    const told = refusedWith(follower.submit(request));
    await expect.poll(() => requests, PATIENT).toBe(1);
    request.expiresAt = performance.now() - 1;
    ours.join(false);
    ours.join(true);
    expect(await told).toBe('INTERNAL');
    arrives();
    await expect.poll(() => follower.read.openBets('real', f.anna), PATIENT).toHaveLength(1);
  });

  it('a lost answer is an unknown outcome, and its key says what became of it', async () => {
    await lead();
    const bus = hub.bus();
    let lost = false;
    const lossy: Bus = {
      ...bus,
      request: async (subject, body, ms) => {
        const answer = await bus.request(subject, body, ms);
        if (lost) throw new RequestFailed('unknown', subject);
        return answer;
      },
    };
    const follower = await follow(lossy);
    lost = true;
    const { key, actor, ...rest } = order(f.anna);
    const error = await follower.submit({ key, actor, ...rest }).catch((reason: Error) => reason);
    expect(error).toMatchObject({ code: 'INTERNAL', message: expect.stringMatching(/^The outcome is not known/) });
    lost = false;
    expect(await follower.answerOf(actor, key)).toMatchObject({ replayed: true });
  });

  it('a round at a card table whose answers are lost is opened once and settled once, by its keys', async () => {
    await lead();
    const bus = hub.bus();
    let losses = 0;
    const lossy: Bus = {
      ...bus,
      request: async (subject, body, ms) => {
        const answer = await bus.request(subject, body, ms);
        if (losses-- > 0) throw new RequestFailed('unknown', subject);
        return answer;
      },
    };
    const follower = await follow(lossy);
    const money = new RoundMoney(follower, 'teen', 77, true);
    const seeds = { serverSeed: 'a'.repeat(64), clientSeed: 'b', nonce: 1 };
    const round = newRound('teen', seeds, []);
    const marketId = follower.nextId();
    losses = 1;
    const runnerIds = await money.open(marketId, 1, round);
    expect(follower.read.market(marketId)?.runners).toHaveLength(runnerIds.length);
    losses = 2;
    await money.declare(marketId, finish(round), runnerIds);
    expect(follower.read.market(marketId)?.status).toBe('CLOSED');
    losses = 1;
    await money.archive(marketId);
    expect(follower.read.market(marketId)).toBeUndefined();
  });
});
