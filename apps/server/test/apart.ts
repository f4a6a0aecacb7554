/**
 * A site of several processes in this one: two gateways, and core, feed, tables and desk behind them, each with memories and an end of
 * the bus of its own. `here`: over an embedded database that they share and a bus without a server, which is everywhere; `real`: over
 * PostgreSQL and NATS.
 */
import { randomBytes } from 'node:crypto';
import { findPostgres, startPostgres } from '../../../scripts/postgres.ts';
import { type Bus, LocalHub, openBus } from '../src/bus/bus.ts';
import { type Db, silent } from '../src/db/db.ts';
import { begun } from './behind.ts';
import { makeEmbedded } from './fixture.ts';
import { findNats, startNats } from './nats-server.ts';
import { makeServer, type TestServer } from './server.ts';
import { type Site, withFeed } from './site.ts';

export interface Apart {
  behind: Site;
  one: TestServer;
  two: TestServer;
  /** The bus of them all goes, and comes back. */
  bus: { stop(): Promise<void>; start(): Promise<void> };
  /** What is submitted to the core from now on is decided, and answered only when the function given is called. */
  holdAnswers(): () => void;
  close(): Promise<void>;
}

const lacking = [findNats() ? '' : 'nats-server', findPostgres() ? '' : 'PostgreSQL'].filter(Boolean).join(', ');

/** Both ways, and in words what the machine lacks for one; empty when it has all. */
export const WAYS = [
  { way: 'here', lacking: '' },
  { way: 'real', lacking },
] as const;

interface Under {
  env: Record<string, string>;
  /** An end of the bus, and a way to the database, for one process. */
  end(): Promise<{ bus: Bus; db?: Db }>;
  bus: Apart['bus'];
  close(): Promise<void>;
}

export async function openApart(way: 'here' | 'real', env: Record<string, string> = {}): Promise<Apart> {
  const under = way === 'real' ? await onServers() : await inProcess();
  const shared = { ...under.env, FAIRGAME_SECRET: randomBytes(32).toString('hex'), FAIRGAME_CLOCK: 'trust', ...env };
  const answers = { held: null as Promise<void> | null };
  const open = async (roles: string, wrap: (bus: Bus) => Bus = (bus) => bus): Promise<TestServer> => {
    const end = await under.end();
    return makeServer({ ...shared, FAIRGAME_ROLES: roles }, { ...end, bus: wrap(end.bus) });
  };
  const core = await open('core,feed,tables,desk', (bus) => holding(bus, answers));
  await begun(core.app);
  const behind = await withFeed(core);
  const [one, two] = [await open('gateway'), await open('gateway')];
  for (const gateway of [one, two]) await gateway.app.start();
  return {
    behind,
    one,
    two,
    bus: under.bus,
    holdAnswers() {
      let release = (): void => {};
      answers.held = new Promise((resolve) => (release = resolve));
      return () => {
        answers.held = null;
        release();
      };
    },
    async close() {
      for (const server of [one, two, behind]) await server.close();
      await under.close();
    },
  };
}

function holding(bus: Bus, answers: { held: Promise<void> | null }): Bus {
  return {
    ...bus,
    serve: (subject, handler) =>
      bus.serve(subject, async (body) => {
        const { held } = answers;
        const answer = await handler(body);
        if (Buffer.from(body).includes('"do":"submit"')) await held;
        return answer;
      }),
  };
}

async function inProcess(): Promise<Under> {
  const embedded = await makeEmbedded();
  const db = await embedded.open();
  const hub = new LocalHub();
  const ends: Array<ReturnType<LocalHub['bus']>> = [];
  const all = async (on: boolean): Promise<void> => {
    for (const end of ends) end.join(on);
  };
  return {
    // Settings that have roles apart must name them; nothing is reached there.
    env: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', NATS_URL: 'nats://127.0.0.1:1' },
    async end() {
      const bus = hub.bus();
      ends.push(bus);
      return { bus, db: { ...db, kind: db.kind, close: () => Promise.resolve() } };
    },
    bus: { stop: () => all(false), start: () => all(true) },
    async close() {
      await db.close();
      await embedded.remove();
    },
  };
}

async function onServers(): Promise<Under> {
  const [postgres, nats] = [(await startPostgres())!, await startNats(findNats()!)];
  const nobody = { creds: undefined, user: undefined, password: undefined, ca: undefined };
  return {
    env: { DATABASE_URL: postgres.url, NATS_URL: nats.url },
    end: async () => ({ bus: await openBus({ servers: [nats.url], replicas: 1, ...nobody }, silent) }),
    bus: { stop: () => nats.stop(), start: () => nats.start() },
    async close() {
      await nats.end();
      await postgres.stop();
    },
  };
}
