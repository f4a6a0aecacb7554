/** A core that stands by beside the one that leads, in processes of their own on one PostgreSQL. */
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findPostgres, type PrivatePostgres, startPostgres } from '../../../scripts/postgres.ts';
import { type LocalBus, LocalHub } from '../src/bus/bus.ts';
import { warmCommit } from '../src/core/columns.ts';
import { type Answer, type Core, followCore, type Request, standBy } from '../src/core/core.ts';
import { readPlace } from '../src/core/place.ts';
import { type Db, openDatabase, silent } from '../src/db/db.ts';
import { verify } from '../src/ledger/ledger.ts';
import { type Fixture, makeCore } from './fixture.ts';
import { bundleHost, type Host, startHost } from './kill-harness.ts';

const none = findPostgres() === null;
let own: PrivatePostgres;
let program: string;
let f: Fixture;
const opened: Db[] = [];
beforeAll(async () => {
  if (none) return;
  own = (await startPostgres())!;
  program = await bundleHost();
}, 60_000);
afterAll(async () => {
  for (const db of opened) await db.close();
  await own?.stop();
  if (program) rmSync(dirname(program), { recursive: true, force: true });
});

async function connection(): Promise<Db> {
  const db = await openDatabase({ url: f.test.url!, dataDir: '', log: silent });
  opened.push(db);
  return db;
}

let orders = 0;
function order(): Request & { key: string } {
  return {
    world: 'demo',
    actor: `player:${f.dora}`,
    key: `standby-key-${++orders}`,
    payloadHash: 'one',
    command: {
      type: 'order.place',
      betId: 0,
      accountId: f.dora,
      marketId: f.book.marketId,
      runnerId: f.book.runnerIds[0],
      side: 'BACK',
      price: 305,
      sizeMinor: 100,
      persistence: 'PERSIST',
    },
  };
}

it.skipIf(none)(
  '[FLT-12] [INV-09] [INV-20] a leader that freezes, hands over or is killed: the next one has all that was acknowledged',
  async () => {
    f = await makeCore({ clock: Date.now }, own.url);
    await f.core.stop();
    // What plans the statements of a commit writes nothing.
    const row = () => f.db.query('SELECT * FROM leader');
    const written = await row();
    await warmCommit(f.db.write);
    expect(await row()).toEqual(written);
    const hub = new LocalHub();
    /** Resolves when it has loaded and waits; its core comes when it leads. */
    const stands = async (signal?: AbortSignal): Promise<{ core: Promise<Core> }> => {
      const db = await connection();
      return new Promise((resolve) => {
        const log = { ...silent, info: (_: object, text: string) => text === 'stands by' && resolve({ core }) };
        const core = standBy({ db, log, bus: hub.bus(), onFenced: () => {}, ...(signal ? { signal } : {}) });
      });
    };
    const acknowledged = new Map<string, number>();
    const place = async (by: Pick<Core, 'submit'> | Host, request = order()): Promise<string> => {
      try {
        const { seq } = await (by.submit(request) as Promise<Pick<Answer, 'seq'>>);
        acknowledged.set(request.key, seq);
        return 'taken';
      } catch (error) {
        return (error as { code?: string; message: string }).code ?? (error as Error).message;
      }
    };

    const first = await startHost(program, { url: f.test.url! }, { days: 0 });
    const gateway = await followCore({
      db: await connection(),
      log: silent,
      bus: hub.bus(),
      onFenced: (why) => expect.fail(why),
    });
    for (let n = 0; n < 5; n++) expect(await place(first)).toBe('taken');
    const ending = new AbortController();
    const never = (await stands(ending.signal)).core.catch((error: unknown) => error);
    ending.abort(new Error('enough'));
    expect(await never).toEqual(new Error('enough'));

    // Frozen: it is given up, and what it is asked meanwhile it never acknowledges, though it wakes.
    const second = await stands();
    first.kill('SIGSTOP');
    const late = order();
    const lateFate = place(first, late);
    const led = await second.core;
    expect(led.health().epoch).toBeGreaterThan(first.ready.epoch);
    expect(await place(gateway)).toBe('taken');
    first.kill('SIGCONT');
    expect(await lateFate).not.toBe('taken');
    await first.gone;
    expect(await led.answerOf(late.actor, late.key)).toBe(null);
    expect(await place(gateway, late)).toBe('taken');

    // Handed over: who asks over the bus notices nothing.
    const third = await stands();
    let isOver = false;
    const fates: string[] = [];
    const players = Array.from({ length: 2 }, async () => {
      while (!isOver) fates.push(await place(gateway));
    });
    await expect.poll(() => fates.length, { timeout: 10_000 }).toBeGreaterThan(4);
    await led.stop();
    const next = await third.core;
    const before = fates.length;
    await expect.poll(() => fates.length, { timeout: 10_000 }).toBeGreaterThan(before + 4);
    isOver = true;
    await Promise.all(players);
    expect(new Set(fates)).toEqual(new Set(['taken']));

    // It leads whether the one before has waited for it or not. Killed: what it had not answered has a definite outcome.
    const fourth = startHost(program, { url: f.test.url! }, { days: 0, standsBy: true });
    await next.stop();
    const host = await fourth;
    for (let n = 0; n < 20; n++) expect(await place(host)).toBe('taken');
    const fifth = await stands();
    const last = [order(), order()];
    const lastFates = last.map((request) => place(host, request));
    host.kill();
    await host.gone;
    const leads = await fifth.core;
    for (const [n, request] of last.entries()) {
      const answer = await leads.answerOf(request.actor, request.key);
      if ((await lastFates[n]) === 'taken') expect(answer).not.toBe(null);
      expect(await place(gateway, request)).toBe('taken');
      if (answer) expect(acknowledged.get(request.key)).toBe(answer.seq);
    }
    for (const [key, seq] of acknowledged)
      expect([key, (await leads.answerOf(`player:${f.dora}`, key))?.seq]).toEqual([key, seq]);
    expect(leads.read.openBets('demo', f.dora)).toHaveLength(acknowledged.size);
    expect(gateway.read.openBets('demo', f.dora)).toEqual(leads.read.openBets('demo', f.dora));
    expect((await verify(f.db)).checks.filter((check) => check.breaks > 0)).toEqual([]);
    await leads.stop();
    await expect.poll(() => gateway.health().available, { timeout: 5000 }).toBe(false);
    await gateway.stop();
  },
  180_000,
);

it.skipIf(none)(
  'a leader that nobody can ask keeps its place while nobody else could be asked, and gives it to one who can',
  async () => {
    f = await makeCore({ clock: Date.now }, own.url);
    await f.core.stop();
    const hub = new LocalHub();
    const [ofFirst, ofSecond] = [hub.bus(), hub.bus()];
    const fenced: string[] = [];
    const stands = async (bus: LocalBus): Promise<{ core: Promise<Core> }> => {
      const db = await connection();
      return new Promise((resolve) => {
        const log = { ...silent, info: (_: object, text: string) => text === 'stands by' && resolve({ core }) };
        const core = standBy({ db, log, bus, onFenced: (why) => fenced.push(why) });
      });
    };
    const first = await (await stands(ofFirst)).core;
    const gateway = await followCore({ db: await connection(), log: silent, bus: hub.bus(), onFenced: () => {} });
    const second = await stands(ofSecond);
    const { epoch } = first.health();
    const place = async () => await readPlace(f.db);

    // The bus is away from both: it is there, says that nobody hears it, and nobody takes its place.
    ofFirst.join(false);
    ofSecond.join(false);
    const said = new Set<string>();
    await expect
      .poll(
        async () => {
          const row = await place();
          // Both: who stands by and is of a version before goes by the time alone.
          if (row?.offered && row.silent) said.add(row.renewed!);
          return said.size;
        },
        { timeout: 30_000 },
      )
      .toBeGreaterThan(10);
    expect((await place())?.epoch).toBe(epoch);
    const alone = order();
    expect((await first.submit(alone)).replayed).toBe(false);

    // It is asked again.
    ofFirst.join(true);
    await expect.poll(place, { timeout: 10_000 }).toMatchObject({ silent: false, offered: false });
    expect((await gateway.submit(order())).replayed).toBe(false);
    ofSecond.join(true);
    expect(fenced).toEqual([]);
    expect((await place())?.epoch).toBe(epoch);

    // The bus is away from it alone.
    ofFirst.join(false);
    const led = await second.core;
    expect(led.health().epoch).toBe(epoch + 1);
    await expect.poll(() => fenced.length, { timeout: 10_000 }).toBeGreaterThan(0);
    await expect(first.submit(order())).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect((await gateway.submit(order())).replayed).toBe(false);
    expect((await gateway.submit(alone)).replayed).toBe(true);
    expect(led.read.openBets('demo', f.dora)).toHaveLength(3);
    expect((await verify(f.db)).checks.filter((check) => check.breaks > 0)).toEqual([]);
    await first.stop();
    await led.stop();
    await gateway.stop();
  },
  180_000,
);

it.skipIf(none)(
  'a follower serves on while nobody leads or can be asked, and leaves it to others where it alone cannot ask who leads',
  async () => {
    f = await makeCore({ clock: Date.now }, own.url);
    await f.core.stop();
    const hub = new LocalHub();
    const [ofLeader, ofGateway] = [hub.bus(), hub.bus()];
    const leader = await standBy({ db: await connection(), log: silent, bus: ofLeader, onFenced: () => {} });
    let passed = 0;
    const gateway = await followCore({
      db: await connection(),
      log: silent,
      bus: ofGateway,
      steady: () => passed,
      onFenced: (why) => expect.fail(why),
    });
    const health = () => gateway.health();
    expect(health()).toMatchObject({ available: true, serves: true });

    // Alone off the bus: not at once, since its leader says only later that nobody can ask it either.
    ofGateway.join(false);
    passed += 4999;
    expect(health()).toMatchObject({ available: false, serves: true });
    passed += 1;
    expect(health()).toMatchObject({ available: false, serves: false });
    // Nobody can ask.
    ofLeader.join(false);
    await expect.poll(health, { timeout: 15_000 }).toMatchObject({ available: false, serves: true });
    for (const bus of [ofLeader, ofGateway]) bus.join(true);
    await expect.poll(health, { timeout: 15_000 }).toMatchObject({ available: true, serves: true });

    // Nobody leads: what was there is read, and commands are refused with a code.
    const open = gateway.read.openBets('demo', f.dora);
    await gateway.submit(order());
    await leader.stop();
    await expect.poll(health, { timeout: 15_000 }).toMatchObject({ available: false, serves: true });
    expect(gateway.read.openBets('demo', f.dora)).toHaveLength(open.length + 1);
    await expect(gateway.submit(order())).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await gateway.stop();
  },
  60_000,
);

it.skipIf(none)('a leader that is slow to say that it is there keeps its place as long as it says so', async () => {
  f = await makeCore({ clock: Date.now }, own.url);
  await f.core.stop();
  const db = await connection();
  const { epoch } = (await readPlace(f.db))!;
  let looks = 0;
  let isThere = true;
  /** What it says is five seconds old when it can be read, and comes at every third look: after three times the silence of a dead one. */
  const write: Db['write'] = async (sql, params) => {
    if (/renewed_at::text/.test(sql)) {
      const age = looks === 0 ? '0 s' : '5 s';
      if (isThere && looks % 3 === 0)
        await f.db.query('UPDATE leader SET renewed_at = clock_timestamp() - $1::interval', [age]);
      looks++;
    }
    return db.write(sql, params);
  };
  const bus = new LocalHub().bus();
  const core = standBy({ db: { ...db, write }, log: silent, bus, steady: () => looks * 500 });
  await expect.poll(() => looks, { timeout: 30_000 }).toBeGreaterThan(20);
  expect(await readPlace(f.db)).toMatchObject({ epoch, silent: true, offered: false });
  // It says nothing any more.
  isThere = false;
  const led = await core;
  expect(led.health().epoch).toBe(epoch + 1);
  await led.stop();
});

it.skipIf(none)('a database of a version that knew no offers tells who leads', async () => {
  f = await makeCore({ clock: Date.now }, own.url);
  await f.db.exec('ALTER TABLE leader DROP COLUMN offered_epoch');
  expect(await readPlace(f.db)).toMatchObject({ silent: false, offered: false });
  await f.close();
});

it('the embedded database has one process, and who should stand by says so', async () => {
  const db = { kind: 'embedded' } as Db;
  await expect(standBy({ db, log: silent, bus: new LocalHub().bus() })).rejects.toThrow(
    'the embedded database has one process: set DATABASE_URL for more than one',
  );
});
