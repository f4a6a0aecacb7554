/** Two gateways of one site in one process: one database and one core, a bus and memories of their own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AnyCall, auth, type ErrorBody, type InputOf, type ReplyOf } from '@fairgame/contract';
import { openCoreSeat } from '../src/app/core.ts';
import { createDesk } from '../src/app/desk.ts';
import { openDoor } from '../src/app/door.ts';
import { createFeed } from '../src/app/feed.ts';
import { createGateway, type Gateway } from '../src/app/gateway.ts';
import { openGround } from '../src/app/ground.ts';
import { type Office, openOffice } from '../src/app/office.ts';
import { createTables } from '../src/app/tables.ts';
import { createLog } from '../src/app.ts';
import type { Message } from '../src/auth/auth.ts';
import { type LocalBus, LocalHub, signsIn, withHearing } from '../src/bus/bus.ts';
import { createCatalog } from '../src/catalog/catalog.ts';
import { type Env, loadConfig } from '../src/config.ts';
import type { Core } from '../src/core/types.ts';
import type { Db } from '../src/db/db.ts';
import type { Http } from '../src/http/http.ts';
import { createHolds } from '../src/operator/operator.ts';
import { createMetrics, openBackups, openHealthDoor } from '../src/ops/ops.ts';
import { copyEmptyDatabase } from './empty-database.ts';
import { PASSWORD } from './server.ts';

interface Place {
  rooms: Omit<Gateway, 'close'> & Omit<Office, 'start' | 'stop'> & { http: Http };
  close(): Promise<void>;
  url: string;
  /** Takes its bus away, and gives it back. */
  join(on: boolean): void;
  /** What others tell does not come here any more though its bus stands, and comes again. */
  deafen(deaf: boolean): void;
  hears(): boolean;
  call<C extends AnyCall>(
    call: C,
    input?: InputOf<C>,
    token?: string,
  ): Promise<{ status: number; data: ReplyOf<C>; error: ErrorBody | undefined }>;
}

export interface Gateways {
  one: Place;
  two: Place;
  db: Db;
  core: Core;
  clock: { now: number };
  messages: Message[];
  /** A third one, which starts now. */
  late(): Promise<Place>;
  player(userName: string): Promise<{ userId: number; token: string }>;
  close(): Promise<void>;
}

export async function makeGateways(env: Env = {}): Promise<Gateways> {
  const folder = mkdtempSync(join(tmpdir(), 'fairgame-'));
  const config = loadConfig({
    FAIRGAME_DATA: folder,
    FAIRGAME_FEED: 'none',
    FAIRGAME_LIMIT_FACTOR: '0',
    FAIRGAME_CHECK_REPLIES: 'on',
    FAIRGAME_DEMO_PLAYERS: 'off',
    PORT: '0',
    ...env,
  });
  const clock = { now: Date.UTC(2026, 6, 1, 12) };
  const messages: Message[] = [];
  const hub = new LocalHub(() => clock.now);
  const log = createLog(config, { write: () => undefined });
  const deliver = (message: Message) => Promise.resolve(void messages.push(message));
  const clockOf = () => clock.now;
  // Core, feed, tables and desk are one process's; the gateways alone have ends of their own.
  await copyEmptyDatabase(join(folder, 'db'));
  const ground = await openGround({ config, clock: clockOf, log, deliver });
  const { db } = ground;
  const { core, lastWroteAt } = await openCoreSeat(ground, openHealthDoor(ground));
  const frames = { streamHost: undefined, scoreHost: undefined };
  const catalog = await createCatalog({ db, core, clock: clockOf, log, frames });
  const holds = await createHolds(db, ground.bus, log);
  const feed = createFeed(ground, { core, catalog, holds, lastWroteAt });
  const casino = await createTables(ground, core);
  const desk = createDesk(ground);
  const backups = await openBackups(db, log);
  const behind = { core, catalog, holds, feed: feed.desk, casino, backups, isAlone: () => desk.isAlone() };

  async function place(own: LocalBus): Promise<Place> {
    let isDeaf = false;
    const hear: typeof own.hear = (subject, listener) => own.hear(subject, (body) => isDeaf || listener(body));
    const bus = withHearing({ ...own, hear }, { signs: signsIn(db) });
    const here = { ...ground, bus, metrics: createMetrics() };
    const http = openDoor(here, core);
    const office = await openOffice(here, behind);
    const gateway = await createGateway(here, { ...behind, office, http });
    const rooms = { ...office, ...gateway, http };
    const url = await http.listen();
    return {
      rooms,
      async close() {
        await gateway.close();
        await office.stop();
        await bus.close();
      },
      url,
      hears: () => bus.hears(),
      deafen(deaf) {
        isDeaf = deaf;
      },
      join: (on) => own.join(on),
      async call(call, input, token) {
        const parts = (input ?? {}) as { query?: Record<string, string>; body?: unknown };
        const query = parts.query ? `?${new URLSearchParams(parts.query).toString()}` : '';
        const response = await fetch(`${url}/api${call.path}${query}`, {
          method: call.method,
          headers: {
            ...(token ? { authorization: `Bearer ${token}` } : {}),
            ...(parts.body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(parts.body === undefined ? {} : { body: JSON.stringify(parts.body) }),
        });
        const told = (await response.json()) as { data: never } & ErrorBody;
        return { status: response.status, data: told.data, error: response.ok ? undefined : told };
      },
    };
  }
  const places: Place[] = [];
  async function open(own = hub.bus()): Promise<Place> {
    const opened = await place(own);
    places.push(opened);
    return opened;
  }
  const [one, two] = [await open(), await open()];

  return {
    one,
    two,
    db,
    core,
    clock,
    messages,
    late: () => open(),
    async player(userName) {
      const email = `${userName}@example.org`;
      const { userId } = await one.rooms.auth.createPlayer({
        userName,
        password: PASSWORD,
        forceChangePassword: false,
        creditMinor: 100_000,
        email,
        actor: 'test',
      });
      const { data } = await one.call(auth.login, { body: { userName, password: PASSWORD } });
      return { userId, token: data.token };
    },
    async close() {
      for (const one of places) await one.close();
      await casino.stop();
      await feed.stop();
      await catalog.stop();
      await core.stop();
      await db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
