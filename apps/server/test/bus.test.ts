import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type Bus,
  BusLost,
  LocalHub,
  openBus,
  RequestFailed,
  type RequestFate,
  type Signs,
  takeLease,
  withHearing,
} from '../src/bus/bus.ts';
import { silent } from '../src/db/db.ts';
import { findNats, type NatsServer, startNats } from './nats-server.ts';
import { freePort } from './program.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const text = (body: Uint8Array): string => Buffer.from(body).toString();
let drawn = 0;
/** A name that no other test uses. */
function fresh(): string {
  drawn += 1;
  return `n${drawn}`;
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(10);
}

/** How a request ended that has no answer. */
const fateOf = (asked: Promise<unknown>): Promise<RequestFate | undefined> =>
  asked.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof RequestFailed) return error.fate;
      throw error;
    },
  );

interface World {
  /** Two processes on one bus. */
  one: Bus;
  two: Bus;
  /** Takes the bus away from both, and gives it back. */
  away(): Promise<void>;
  back(): Promise<void>;
  /** Deletes every stream. */
  wipe(): Promise<void>;
  /** A time to live, and how it passes. */
  ttlMs: number;
  pass(): Promise<void>;
  end(): Promise<void>;
}

function inProcess(): Promise<World> {
  let now = 1_000_000;
  const hub = new LocalHub(() => now);
  const [one, two] = [hub.bus(), hub.bus()];
  const join = (on: boolean) => {
    for (const bus of [one, two]) bus.join(on);
    return Promise.resolve();
  };
  return Promise.resolve({
    one,
    two,
    away: () => join(false),
    back: () => join(true),
    wipe: () => Promise.resolve(hub.wipe()),
    ttlMs: 10_000,
    pass: () => {
      now += 10_000;
      return Promise.resolve();
    },
    end: () => Promise.resolve(),
  });
}

async function overNats(program: string): Promise<World> {
  const server: NatsServer = await startNats(program);
  const settings = {
    servers: [server.url],
    creds: undefined,
    user: undefined,
    password: undefined,
    ca: undefined,
    replicas: 1,
  };
  const [one, two] = [await openBus(settings, silent), await openBus(settings, silent)];
  const both = (connected: boolean) => until(() => one.connected() === connected && two.connected() === connected);
  return {
    one,
    two,
    async away() {
      await server.stop();
      await both(false);
    },
    async back() {
      await server.start();
      await both(true);
    },
    async wipe() {
      const nc = await connect({ servers: server.url });
      const jsm = await jetstreamManager(nc);
      for await (const name of jsm.streams.names()) await jsm.streams.delete(name);
      await nc.close();
    },
    ttlMs: 1500,
    // Who waits for the end of it sees it.
    pass: () => Promise.resolve(),
    async end() {
      await Promise.all([one.close(), two.close()]);
      await server.end();
    },
  };
}

const nats = findNats();
describe.each([
  { maker: 'in process', open: inProcess, there: true },
  { maker: 'NATS (where nats-server is installed)', open: () => overNats(nats!), there: nats !== null },
])('the bus, $maker', ({ open, there }) => {
  let world: World;
  beforeAll(async () => {
    if (there) world = await open();
  });
  afterAll(() => world?.end());

  describe.skipIf(!there)('there', () => {
    it('a request is answered by whoever of those who serve may do it, and its end is known', async () => {
      const { one, two } = world;
      const [subject, failing, slow] = [fresh(), fresh(), fresh()];
      expect(await fateOf(one.request(subject, bytes('?'), 1000))).toBe('unheard');
      let mayNot = 0;
      const stops = [
        one.serve(subject, (body) => Promise.resolve(bytes(`${text(body)}!`))),
        two.serve(subject, () => {
          mayNot += 1;
          return Promise.resolve(null);
        }),
      ];
      const answers = async () =>
        (await Promise.all([1, 2, 3, 4].map((at) => one.request(subject, bytes(`${at}`), 30_000)))).map(text);
      await until(async () => (await fateOf(one.request(subject, bytes('?'), 1000))) === undefined && mayNot > 0);
      expect(await answers()).toEqual(['1!', '2!', '3!', '4!']);
      for (const stop of stops) stop();
      await until(async () => (await fateOf(one.request(subject, bytes('?'), 100))) === 'unheard');

      two.serve(failing, () => Promise.reject(new Error('broken')));
      two.serve(slow, () => new Promise(() => {}));
      await until(async () => (await fateOf(one.request(slow, bytes('?'), 20))) === 'unknown');
      // Long before the time-out: the one who failed says so.
      expect(await fateOf(one.request(failing, bytes('?'), 60_000))).toBe('unknown');
    });

    it('what is told is heard by all who listen, until they stop', async () => {
      const { one, two } = world;
      const subject = fresh();
      const heard: string[] = [];
      const stop = two.hear(subject, (body) => heard.push(`two ${text(body)}`));
      one.hear(subject, (body) => heard.push(`one ${text(body)}`));
      await until(() => {
        one.tell(subject, bytes('first'));
        return heard.includes('two first') && heard.includes('one first');
      });
      stop();
      heard.length = 0;
      await until(() => {
        two.tell(subject, bytes('second'));
        return heard.includes('one second');
      });
      one.tell(subject, bytes('third'));
      await until(() => heard.includes('one third'));
      expect(heard.filter((line) => line.startsWith('two') && !line.endsWith('first'))).toEqual([]);
    });

    it('a log keeps order and doubles nothing, and is followed from a point or from now', async () => {
      const { one, two } = world;
      const name = fresh();
      const log = one.log(name);
      await log.append('a', bytes('1'));
      await log.append('b', bytes('2'));
      const [all, rest, late]: string[][] = [[], [], []];
      await two.log(name).follow(0, (entry) => all!.push(`${entry.position} ${entry.id} ${text(entry.body)}`));
      await two.log(name).follow(1, (entry) => rest!.push(entry.id));
      const stop = await two.log(name).follow('now', (entry) => late!.push(entry.id));
      await log.append('b', bytes('2'));
      await log.append('c', bytes('3'));
      await until(() => all!.length >= 3 && rest!.length >= 2 && late!.length >= 1);
      stop();
      await log.append('d', bytes('4'));
      await until(() => all!.length >= 4);
      expect(all).toEqual(['1 a 1', '2 b 2', '3 c 3', '4 d 4']);
      expect(late).toEqual(['c']);
      await until(() => rest!.length >= 3);
      expect(rest).toEqual(['b', 'c', 'd']);
    });

    it('of shared values the last one counts; who changes one knows whether he was first', async () => {
      const bucket = fresh();
      const [mine, yours] = [world.one.shared(bucket, 0), world.two.shared(bucket, 0)];
      const key = 'user ä.*>=/1';
      expect(await mine.get(key)).toBeNull();
      const revision = (await mine.create(key, bytes('a')))!;
      expect(await yours.create(key, bytes('b'))).toBeNull();
      const seen: string[] = [];
      await yours.watch((name, entry) => seen.push(`${name} ${entry ? text(entry.value) : 'gone'}`));
      await until(() => seen.length === 1);
      const next = (await yours.update(key, bytes('c'), revision))!;
      expect(next).toBeGreaterThan(revision);
      expect(await mine.update(key, bytes('d'), revision)).toBeNull();
      expect(text((await mine.get(key))!.value)).toBe('c');
      await until(() => seen.length === 2);
      expect(await mine.put('', bytes('other'))).toBeGreaterThan(next);
      await mine.delete(key);
      expect(await yours.get(key)).toBeNull();
      await until(() => seen.length === 4);
      expect(await yours.create(key, bytes('e'))).not.toBeNull();
      await until(() => seen.length >= 5);
      expect(seen).toEqual([`${key} a`, `${key} c`, ' other', `${key} gone`, `${key} e`]);
    });

    it('a shared value runs out', async () => {
      const shared = world.one.shared(fresh(), world.ttlMs);
      await shared.put('a', bytes('1'));
      expect(await shared.get('a')).not.toBeNull();
      await world.pass();
      await until(async () => (await shared.get('a')) === null);
      expect(await shared.create('a', bytes('2'))).not.toBeNull();
    });

    it('away it says so and takes nothing; back again all goes on', async () => {
      const { one, two } = world;
      const name = fresh();
      const [log, shared] = [one.log(name), one.shared(name, 0)];
      const entries: string[] = [];
      const values: string[] = [];
      two.serve(name, (body) => Promise.resolve(body));
      await log.append('a', bytes(''));
      await two.log(name).follow(0, (entry) => entries.push(entry.id));
      await two.shared(name, 0).watch((_, entry) => values.push(entry ? text(entry.value) : 'gone'));
      await shared.put('k', bytes('1'));
      await until(() => entries.length === 1 && values.length === 1);
      const told: boolean[] = [];
      const stop = one.onConnection((connected) => told.push(connected));

      await world.away();
      expect(one.connected()).toBe(false);
      expect(await fateOf(one.request(name, bytes('?'), 1000))).toBe('unsent');
      await expect(log.append('b', bytes(''))).rejects.toThrow(BusLost);
      await expect(shared.get('k')).rejects.toThrow(BusLost);
      await expect(two.log(name).follow('now', () => {})).rejects.toThrow(BusLost);

      await world.back();
      expect(told).toEqual([false, true]);
      stop();
      await until(async () => (await fateOf(one.request(name, bytes('?'), 1000))) === undefined);
      await until(() =>
        log.append('c', bytes('')).then(
          () => true,
          () => false,
        ),
      );
      await until(() =>
        shared.put('k', bytes('2')).then(
          () => true,
          () => false,
        ),
      );
      await until(() => entries.includes('c') && values.includes('2'));
      expect(entries).toEqual(['a', 'c']);
    });

    it('streams that were deleted are made anew, and followed from their beginning', async () => {
      const { one, two } = world;
      const name = fresh();
      const [log, shared] = [one.log(name), one.shared(name, 0)];
      const entries: string[] = [];
      const values: string[] = [];
      await log.append('a', bytes(''));
      await log.append('b', bytes(''));
      await shared.put('k', bytes('1'));
      await two.log(name).follow(0, (entry) => entries.push(`${entry.position} ${entry.id}`));
      await two.shared(name, 0).watch((_, entry) => values.push(text(entry!.value)));
      await until(() => entries.length === 2 && values.length === 1);
      await world.wipe();
      await log.append('c', bytes(''));
      await shared.put('k', bytes('2'));
      await until(() => entries.length >= 3 && values.length >= 2);
      expect(entries).toEqual(['1 a', '2 b', '1 c']);
      expect(values).toEqual(['1', '2']);
    });
  });
});

describe('what is told', () => {
  it('is known not to be heard where somebody is silent or skips a word, though the bus stands; not where he leaves, nor after standing still', async () => {
    const hub = new LocalHub();
    let [skipped, later] = [0, 0];
    const open = () => {
      const own = hub.bus();
      const hear: Bus['hear'] = (subject, listener) =>
        own.hear(subject, (body) => {
          if (skipped > 0) skipped--;
          else listener(body);
        });
      const bus = withHearing({ ...own, hear }, { steady: () => performance.now() + later });
      const changes: boolean[] = [];
      bus.onHearing((hears) => changes.push(hears));
      return { bus, changes, own };
    };
    const [one, two] = [open(), open()];
    const beats: string[] = [];
    hub.bus().hear('ctl.beat', (body) => beats.push(text(body)));
    const some = () => {
      const { length } = beats;
      return until(() => beats.length >= length + 4);
    };
    await some();
    one.changes.length = 0;
    skipped = 1000;
    await until(() => !one.bus.hears() && !two.bus.hears());
    expect(one.bus.connected()).toBe(true);
    skipped = 0;
    await until(() => one.bus.hears() && two.bus.hears());
    expect(one.changes).toEqual([false, true]);
    // One word alone: no silence, and something was missed all the same.
    one.changes.length = 0;
    two.changes.length = 0;
    skipped = 4;
    await until(() => one.bus.hears() && two.bus.hears() && one.changes.length > 0 && two.changes.length > 0);
    expect([one.changes, two.changes]).toEqual([
      [false, true],
      [false, true],
    ]);
    one.own.join(false);
    expect(one.bus.hears()).toBe(false);
    one.own.join(true);
    await until(() => one.bus.hears());
    await some();
    one.changes.length = 0;
    later = 60_000;
    await some();
    await two.bus.close();
    await some();
    await some();
    expect(one.changes).toEqual([]);
    await one.bus.close();
  }, 30_000);

  it('of who is silent the database says whether he lives: who has ended is waited for some seconds, who is cut off until he is heard', async () => {
    const hub = new LocalHub();
    let [later, asked] = [0, 0];
    let isAway = false;
    const steady = () => performance.now() + later;
    const given = new Map<string, number>();
    const open = () => {
      const place = { own: hub.bus(), lives: true };
      const signs: Signs = {
        give: async (name) => void (place.lives && given.set(name, steady())),
        async ended(names) {
          if (isAway) throw new Error('the database is away');
          asked++;
          return names.filter((name) => given.has(name) && steady() - given.get(name)! > 5000);
        },
      };
      const bus = withHearing(place.own, { signs, steady });
      bus.onHearing(() => undefined);
      return Object.assign(place, { bus });
    };
    const [one, two] = [open(), open()];
    const some = () => {
      const before = asked;
      return until(() => asked >= before + 2);
    };
    await until(() => given.size === 2 && one.bus.hears() && two.bus.hears());
    two.own.join(false);
    await until(() => !one.bus.hears());
    // Cut off for longer than a sign counts.
    later += 20_000;
    await some();
    await some();
    expect(one.bus.hears()).toBe(false);
    two.lives = false;
    later += 20_000;
    await until(() => one.bus.hears());
    // What the database said counts for a moment.
    isAway = true;
    later += 5000;
    await until(() => !one.bus.hears());
    isAway = false;
    await until(() => one.bus.hears());
    // It only stood still.
    two.lives = true;
    await until(() => !one.bus.hears());
    two.own.join(true);
    await until(() => one.bus.hears() && two.bus.hears());
    await one.bus.close();
    await two.bus.close();
  }, 30_000);
});

describe.skipIf(!nats)('two NATS servers of one cluster', () => {
  const known = { creds: undefined, user: undefined, password: undefined, ca: undefined, replicas: 1 };
  const start = async (name: string): Promise<NatsServer[]> => {
    const ports = [await freePort(), await freePort()];
    const routes = ports.map((port) => `nats://127.0.0.1:${port}`);
    return Promise.all(
      routes.map((route, i) =>
        startNats(nats!, ['-n', `${name}-${i}`, '--cluster_name', name, '--cluster', route, '--routes', routes.join()]),
      ),
    );
  };
  const open = (urls: string[], told = silent) =>
    vi.waitFor(() => openBus({ ...known, servers: urls }, told), { timeout: 45_000, interval: 100 });

  it('one of them stands still: who was carried by it is asked by way of the other, and each request finds him', async () => {
    const servers = await start('still');
    const [one, two] = [await open([servers[0]!.url]), await open([servers[1]!.url])];
    const subject = fresh();
    one.serve(subject, (body) => Promise.resolve(body));
    const asked = () => two.request(subject, bytes('?'), 2000).then(text, () => 'lost');
    await until(async () => (await asked()) === '?');
    const changes: number[] = [];
    one.onConnection(() => changes.push(performance.now()));
    servers[0]!.freeze(true);
    await until(() => changes.length === 2);
    // Not the same one again first, until that is given up.
    expect(changes[1]! - changes[0]!).toBeLessThan(1500);
    // Once it is known there, the dead connection is known to it still.
    await until(async () => (await asked()) === '?');
    expect(await Promise.all(Array.from({ length: 20 }, asked))).toEqual(Array.from({ length: 20 }, () => '?'));
    servers[0]!.freeze(false);
    await Promise.all([one.close(), two.close()]);
    for (const server of servers) await server.end();
  }, 60_000);

  it('who stands still is not drawn for a request that another answers', async () => {
    const server = await startNats(nats!);
    const { url } = server;
    const stopped: Socket[] = [];
    // What is on the way to him stays there, and his end of it is known to the server still.
    const way = createServer((line) => {
      const on = createConnection(Number(new URL(url).port), '127.0.0.1');
      for (const end of [line, on]) stopped.push(end.on('error', () => undefined));
      line.pipe(on).pipe(line);
    });
    await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
    const { port } = way.address() as { port: number };
    const [one, two, three] = [await open([`nats://127.0.0.1:${port}`]), await open([url]), await open([url])];
    const subject = fresh();
    const served: string[] = [];
    const serve = (bus: Bus, name: string) =>
      bus.serve(subject, (body) => {
        served.push(name);
        return Promise.resolve(body);
      });
    serve(one, 'one');
    serve(two, 'two');
    const asked = () => three.request(subject, bytes('?'), 1000).then(text, () => 'lost');
    await until(async () => (await asked()) === '?' && served.includes('one') && served.includes('two'));
    for (const end of stopped) end.unpipe().pause();
    expect(await Promise.all(Array.from({ length: 20 }, asked))).toEqual(Array.from({ length: 20 }, () => '?'));
    for (const end of stopped) end.destroy();
    await new Promise((resolve) => way.close(resolve));
    await Promise.all([one.close(), two.close(), three.close()]);
    await server.end();
  }, 60_000);

  it('an end that moves on is carried by the other server, asks and hears there as before, and knows that it was away', async () => {
    const servers = await start('two');
    const carriers: string[] = [];
    const log = {
      ...silent,
      info: ({ server }: { server?: string }) => void (server !== undefined && carriers.push(server)),
    };
    const one = await open([servers[0]!.url]);
    const two = await open(
      servers.map(({ url }) => url),
      log,
    );
    const [subject, told] = [fresh(), fresh()];
    one.serve(subject, (body) => Promise.resolve(body));
    const heard: string[] = [];
    two.hear(told, (body) => heard.push(text(body)));
    const asked = () => two.request(subject, bytes('?'), 1000).then(text, () => undefined);
    const changes: boolean[] = [];
    two.onConnection((connected) => changes.push(connected));
    for (const moves of [1, 2]) {
      two.moveOn();
      await until(() => changes.length === moves * 2);
      await until(async () => (await asked()) === '?');
      one.tell(told, bytes(`after ${moves}`));
      await until(() => heard.length === moves);
    }
    expect(changes).toEqual([false, true, false, true]);
    expect(heard).toEqual(['after 1', 'after 2']);
    expect(carriers.map((server) => `nats://${server}`).toSorted()).toEqual(servers.map(({ url }) => url).toSorted());
    await Promise.all([one.close(), two.close()]);
    for (const server of servers) await server.end();
  }, 60_000);
});

const OPENSSL = 'openssl';
const openssl = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'].some((folder) => existsSync(join(folder, OPENSSL)));
describe.skipIf(!nats || !openssl)('a NATS with TLS and passwords', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fairgame-nats-tls-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is used by who has its password and knows who signed it, and is told nothing where it has no TLS', async () => {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const made = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=nats'.split(' ');
    const names = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', cert];
    execFileSync(OPENSSL, [...made, ...names], { stdio: 'ignore' });
    const people = ['--user', 'site', '--pass', 'a-word-of-its-own'];
    const server = await startNats(nats!, ['--tls', '--tlscert', cert, '--tlskey', key, ...people]);
    // Servers are named by what their certificates say.
    const secured = ({ url }: NatsServer) => [url.replace('nats://127.0.0.1', 'tls://localhost')];
    const servers = secured(server);
    const known = { servers, creds: undefined, user: 'site', password: 'a-word-of-its-own', replicas: 1 };
    const ca = readFileSync(cert, 'utf8');
    const bus = await openBus({ ...known, ca }, silent);
    const shared = bus.shared('secrets', 0);
    await shared.put('a', bytes('b'));
    expect(text((await shared.get('a'))!.value)).toBe('b');
    await bus.close();
    await expect(openBus({ ...known, ca, password: 'another' }, silent)).rejects.toThrow(/Authorization/i);
    await expect(openBus({ ...known, ca: undefined }, silent)).rejects.toThrow(/self.signed/);
    await server.end();

    const open = await startNats(nats!);
    const wanted = { ...known, servers: secured(open) };
    for (const trusted of [ca, undefined])
      await expect(openBus({ ...wanted, ca: trusted }, silent)).rejects.toThrow("does not support 'tls'");
    await open.end();
  });
});

describe('a lease', () => {
  it('is held by one, lost when the bus is away, given on when it is released, and never believed after standing still', async () => {
    let now = 0;
    const hub = new LocalHub(() => now);
    const [one, two] = [hub.bus(), hub.bus()];
    const told: string[] = [];
    const take = (bus: Bus, owner: string) =>
      takeLease(bus, {
        name: 'feed',
        owner,
        gained: () => told.push(`${owner} gained`),
        lost: () => told.push(`${owner} lost`),
        steady: () => now,
        renewMs: 5,
      });
    const first = take(one, 'one');
    await until(() => first.held());
    const second = take(two, 'two');
    now += 3400;
    await until(() => hub.bucket('leases').values.get('feed')?.at === now);
    expect(told).toEqual(['one gained']);
    expect(second.held()).toBe(false);
    // Stood still: another may have it by now.
    one.join(false);
    now += 3500;
    expect(first.held()).toBe(false);
    await until(() => told.length > 1);
    now += 500;
    await until(() => second.held());
    expect(told).toEqual(['one gained', 'one lost', 'two gained']);
    one.join(true);
    await second.release();
    expect(second.held()).toBe(false);
    await until(() => first.held());
    await first.release();
    expect(told.slice(3)).toEqual(['two lost', 'one gained', 'one lost']);
  });
});

it('a server of the bus that takes the connection and says nothing is left within seconds', async () => {
  const open: Socket[] = [];
  const silentServer = createServer((line) => void open.push(line.on('error', () => undefined)));
  await new Promise<void>((resolve) => silentServer.listen(0, '127.0.0.1', resolve));
  const { port } = silentServer.address() as { port: number };
  const nobody = { creds: undefined, user: undefined, password: undefined, ca: undefined };
  const servers = [`nats://127.0.0.1:${port}`];
  await expect(openBus({ servers, replicas: 1, ...nobody }, silent)).rejects.toThrow(/cannot be used/);
  for (const line of open) line.destroy();
  await new Promise((resolve) => silentServer.close(resolve));
}, 12_000);
