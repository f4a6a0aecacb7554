/** The door for programs: an exchange API on a listener of its own, in the format that bots and trading programs speak. */
import type { AddressInfo } from 'node:net';
import { isIP } from 'node:net';
import { CALLS, CodedError } from '@fairgame/contract';
import type { Auth } from '../auth/auth.ts';
import { type Bus, pack, unpack } from '../bus/bus.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Config } from '../config.ts';
import type { Core } from '../core/types.ts';
import type { Db, Log } from '../db/db.ts';
import { addressSet, callerAddress } from '../http/address.ts';
import type { Http } from '../http/http.ts';
import type { ReportDesk } from '../ledger/ledger.ts';
import type { Audit } from '../ops/ops.ts';
import type { Protection } from '../protection/protection.ts';
import { bettingOperations } from './betting.ts';
import { Claims } from './claims.ts';
import { Entry } from './entry.ts';
import { fundsOperations } from './funds.ts';
import { Heartbeats } from './heartbeat.ts';
import { type ProgramKey, ProgramKeys } from './keys.ts';
import { createProgramsListener } from './listener.ts';
import { listingOperations } from './listing.ts';
import { ProgramMarkets } from './markets.ts';
import type { ProgramMeter } from './meter.ts';
import { Operations } from './operations.ts';
import { ProgramOrders } from './orders.ts';
import { perMarket } from './per-market.ts';
import { readingOperations } from './reading.ts';
import { Recordings } from './recordings/recordings.ts';
import { Scores } from './scores.ts';
import { ProgramSessions } from './sessions.ts';
import { Stream } from './stream/stream.ts';
import { Tapes } from './stream/tapes.ts';

export interface ProgramsOptions {
  config: Config;
  db: Db;
  bus: Bus;
  /** With player protection in front. */
  core: Core;
  catalog: Catalog;
  auth: Auth;
  protection: Protection;
  reports: ReportDesk;
  http: Http;
  audit: Audit;
  clock: () => number;
  log: Log;
  isAlone: () => boolean;
  /** Prices are known to be old. */
  late: () => boolean;
  meter: ProgramMeter;
}

export type { ProgramMeter } from './meter.ts';

export interface Programs {
  /** The calls by which players keep their keys. */
  routes(http: Http): void;
  /** Starts listening, where the site has this door; gives its address, and that of the stream. */
  listen(): Promise<{ calls: string; stream: string | null } | null>;
  close(): Promise<void>;
}

const CHANGED = 'ctl.programs';
const BEAT = 'ctl.programs.beat';
const UPKEEP_MS = 10 * 60_000;

export function createPrograms(options: ProgramsOptions): Programs {
  return new ProgramsRoom(options);
}

class ProgramsRoom implements Programs {
  private readonly options: ProgramsOptions;
  private readonly keys: ProgramKeys;
  private readonly sessions: ProgramSessions;
  private readonly orders: ProgramOrders;
  private readonly tapes: Tapes | null;
  private readonly stream: Stream | null;
  private readonly recordings: Recordings | null;
  private readonly claims: Claims;
  private readonly heartbeats: Heartbeats;
  private readonly scores: Scores;
  private readonly listener: ReturnType<typeof createProgramsListener> | null;
  private readonly timer: NodeJS.Timeout;
  private readonly unhear: () => void;
  private readonly unhearBeats: () => void;

  constructor(options: ProgramsOptions) {
    const { config, db, bus, core, catalog, auth, protection, reports, http, clock, log, late, meter } = options;
    this.options = options;
    this.keys = new ProgramKeys(db, clock);
    this.sessions = new ProgramSessions({ db, auth, protection, clock, ended: (userId) => this.tell(userId) });
    const entry = new Entry({ auth, keys: this.keys, sessions: this.sessions, http, log });
    const markets = new ProgramMarkets(catalog, core);
    this.orders = new ProgramOrders({ db, core, clock, log, took: (world, bet, at) => markets.took(world, bet, at) });
    this.claims = new Claims(db, clock);
    this.heartbeats = new Heartbeats({
      db,
      core,
      auth,
      clock,
      log,
      isAlone: options.isAlone,
      isOnly: bus.alone,
      tell: (until) => {
        if (!bus.alone) bus.tell(BEAT, pack({ until }));
      },
    });
    const betting = { core, markets, orders: this.orders, claims: this.claims, clock, log };
    const operations = new Operations({ http, log, meter, checks: config.checkReplies });
    operations.add(listingOperations(markets, core));
    operations.add(bettingOperations({ ...betting, db }));
    operations.add(readingOperations({ ...betting, reports, mayRead: perMarket(config.limitFactor, clock) }));
    operations.add(fundsOperations({ core, auth, protection, reports }));
    operations.add(this.heartbeats.operations());
    operations.add(this.keyOperations());
    this.scores = new Scores(catalog, clock);
    operations.add(this.scores.operations());
    const { programs: settings } = config;
    if (settings) {
      this.orders.follow();
      this.scores.follow();
    }
    this.listener = settings ? createProgramsListener({ config, settings, log, entry, operations }) : null;
    const tapes = settings ? new Tapes(markets, (seconds) => meter.turned(seconds)) : null;
    this.tapes = tapes;
    this.stream =
      settings && tapes
        ? new Stream({ settings, entry, http, core, markets, orders: this.orders, clock, late, log, meter, tapes })
        : null;
    const { isAlone } = options;
    this.recordings =
      settings?.recordings && tapes
        ? new Recordings({ settings: settings.recordings, tapes, markets, clock, log, isAlone })
        : null;
    const isProxy = addressSet(config.trustProxy);
    if (this.listener) this.stream?.attach(this.listener.server, (req) => callerAddress(req, isProxy));
    this.unhear = bus.hear(CHANGED, (body) => this.forget(unpack<{ userId: number | null }>(body).userId ?? undefined));
    this.unhearBeats = bus.hear(BEAT, (body) => this.heartbeats.expect(unpack<{ until: number }>(body).until));
    auth.onThrownOut((userId) => this.throwOut(userId));
    this.timer = setInterval(() => {
      if (!options.isAlone()) return;
      this.upkeep().catch((error: unknown) => log.warn({ err: error }, 'upkeep of programs failed'));
    }, UPKEEP_MS);
    this.timer.unref();
  }

  routes(http: Http): void {
    const { programs: calls } = CALLS;
    http.route(calls.list, async ({ session }) => ({
      open: this.listener !== null,
      keys: (await this.keys.ofUser(session.userId)).map(told),
    }));
    http.route(calls.create, async ({ session, body }) => {
      for (const entry of body.addresses)
        if (!isRange(entry)) throw new CodedError('BAD_INPUT', { field: 'addresses' });
      const key = await this.keys.make({
        userId: session.userId,
        name: body.name,
        mayBet: body.rights === 'bet',
        addresses: body.addresses,
        certificate: body.certificate ?? null,
      });
      await this.record(session.userId, 'program.key', { id: key.id, name: key.name, rights: body.rights });
      return { data: told(key), message: 'The key is made.' };
    });
    http.route(calls.revoke, async ({ session, body }) => {
      const { userId } = session;
      if (!(await this.keys.revoke(userId, body.id))) throw new CodedError('NOT_FOUND', { field: 'id' });
      await this.sessions.endAll(userId, body.id);
      this.tell(userId);
      await this.record(userId, 'program.revoke', { id: body.id });
      return { data: null, message: 'The key is taken away. Programs that used it are signed out.' };
    });
    http.route(calls.recorded, async ({ query }) => ({
      marketIds: (await this.recordings?.ofThese(query.marketIds.split(',').map(Number))) ?? [],
    }));
    http.file(calls.recording, async ({ params }) => there(await this.recordings?.ofMarket(Number(params.marketId))));
    http.file(calls.recordings, async ({ params }) => there(await this.recordings?.ofDay(params.day)));
  }

  async listen() {
    const { programs } = this.options.config;
    if (!this.listener || !programs) return null;
    await this.orders.catchUp();
    this.heartbeats.start();
    this.recordings?.start();
    await this.listener.listen({ host: programs.host, port: programs.port });
    const { address, port, family } = this.listener.server.address() as AddressInfo;
    const calls = `${programs.tls ? 'https' : 'http'}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
    return { calls, stream: (await this.stream?.listen()) ?? null };
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.unhear();
    this.unhearBeats();
    this.heartbeats.stop();
    this.scores.stop();
    await this.recordings?.stop();
    await this.stream?.close();
    this.tapes?.stop();
    await this.listener?.close();
    await this.orders.stop();
  }

  private async upkeep(): Promise<void> {
    await this.sessions.forgetOld();
    await this.claims.forgetOld();
    await this.orders.catchUp();
  }

  /** What a program may read of its keys. */
  private keyOperations() {
    return {
      getDeveloperAppKeys: {
        api: 'account' as const,
        keyless: async (_params: unknown, session: { userId: number }) =>
          (await this.keys.ofUser(session.userId)).map((key) => ({
            appName: key.name,
            appId: key.id,
            appVersions: [
              {
                owner: String(key.userId),
                versionId: key.id,
                version: '1.0',
                applicationKey: key.key,
                delayData: false,
                subscriptionRequired: false,
                ownerManaged: false,
                active: true,
              },
            ],
          })),
      },
    };
  }

  private async throwOut(userId: number | undefined): Promise<void> {
    await this.sessions.endAll(userId);
    this.tell(userId);
  }

  private tell(userId: number | undefined): void {
    this.forget(userId);
    if (!this.options.bus.alone) this.options.bus.tell(CHANGED, pack({ userId: userId ?? null }));
  }

  private forget(userId: number | undefined): void {
    this.sessions.forget(userId);
    if (userId !== undefined) this.keys.forget(userId);
  }

  private record(userId: number, action: string, detail: object): Promise<void> {
    return this.options.audit.record({ actor: `player:${userId}`, action, object: `player:${userId}`, detail });
  }
}

function there<T>(found: T | null | undefined): T {
  if (!found) throw new CodedError('NOT_FOUND');
  return found;
}

function told({ id, name, key, mayBet, addresses, certificate, createdAt, lastUsedAt }: ProgramKey) {
  return {
    id,
    name,
    key,
    rights: mayBet ? ('bet' as const) : ('read' as const),
    addresses: [...addresses],
    certificate,
    createdAt: new Date(createdAt).toISOString(),
    lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
  };
}

function isRange(entry: string): boolean {
  const [address = '', bits, ...more] = entry.split('/');
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!;
  return more.length === 0 && most > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most));
}
