/**
 * A running core for tests: embedded database in a folder of its own (or the PostgreSQL of DATABASE_URL in a schema-fresh
 * database), the house, two funded players in each world, one market of each main kind.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command, Event, MarketDef, PlacedOrder } from '@fairgame/exchange';
import { type Answer, type Core, type CoreOptions, openCore, type World } from '../src/core/core.ts';
import { type Db, migrate, openDatabase, silent } from '../src/db/db.ts';
import { copyEmptyDatabase } from './empty-database.ts';
import { freshDatabase } from './fresh-database.ts';

export interface TestDb {
  readonly db: Db;
  /** Of a PostgreSQL database: its own address. */
  url?: string;
  /** Opens another connection to the same data; the first must be closed before on the embedded engine. */
  reopen(): Promise<Db>;
  drop(): Promise<void>;
}

/** A migrated database that nobody else uses. `url` names a PostgreSQL server on which a fresh database is made. */
export async function makeDb(
  url = process.env.FAIRGAME_TEST_DB === 'postgres' ? process.env.DATABASE_URL : undefined,
): Promise<TestDb> {
  const made: Made = url ? await makePostgres(url) : await makeEmbedded();
  let db = await made.open();
  await migrate(db);
  return {
    ...(made.url ? { url: made.url } : {}),
    get db() {
      return db;
    },
    async reopen() {
      await db.close();
      db = await made.open();
      return db;
    },
    async drop() {
      await db.close();
      await made.remove();
    },
  };
}

/** An empty embedded database in a folder of its own. */
export async function makeEmbedded(): Promise<{ dir: string; open: () => Promise<Db>; remove: () => Promise<void> }> {
  const dir = mkdtempSync(join(tmpdir(), 'fairgame-test-'));
  await copyEmptyDatabase(dir);
  return {
    dir,
    open: () => openDatabase({ dataDir: dir, log: silent }),
    remove: async () => rmSync(dir, { recursive: true, force: true }),
  };
}

interface Made {
  url?: string;
  open: () => Promise<Db>;
  remove: () => Promise<void>;
}

async function makePostgres(server: string): Promise<Made> {
  const { url, drop } = await freshDatabase(server);
  return { url, open: () => openDatabase({ url, dataDir: '', log: silent }), remove: drop };
}

export interface Fixture {
  core: Core;
  test: TestDb;
  readonly db: Db;
  /** Real players with 1000.00 each, and a demo player with 10 000.00. */
  anna: number;
  ben: number;
  dora: number;
  eventId: number;
  book: { marketId: number; runnerIds: [number, number, number] };
  bookmaker: { marketId: number; runnerIds: [number, number] };
  session: { marketId: number; runnerId: number };
  /** The clock the core reads; set it to move time. */
  time: { now: number };
  send(
    command: Command,
    options?: { world?: World | 'all'; actor?: string; key?: string; hash?: string },
  ): Promise<Answer>;
  /** A back or lay in the book market. */
  bet(accountId: number, side: 'BACK' | 'LAY', price: number, sizeMinor: number, options?: BetOptions): Promise<Answer>;
  /** Stops the core and opens it again on the same data. */
  restart(options?: Partial<CoreOptions>): Promise<void>;
  close(): Promise<void>;
}

export interface BetOptions {
  world?: World;
  runner?: number;
  key?: string;
  hash?: string;
  persistence?: 'LAPSE' | 'PERSIST';
  offset?: PlacedOrder['offset'];
  expireMs?: number;
}

export interface FixtureOptions extends Partial<CoreOptions> {
  /** Puts something between the core and its database. */
  wrap?: (db: Db) => Db;
}

/**
 * Opens a core with its cast: on a database of its own (of the PostgreSQL at `where`), or on a given one, which is emptied
 * first and stays when the fixture is closed.
 */
export async function makeCore(options: FixtureOptions = {}, where?: string | TestDb): Promise<Fixture> {
  const given = typeof where === 'object' ? where : null;
  const test = given ?? (await makeDb(where as string | undefined));
  if (given) await emptyCore(given.db);
  const time = { now: Date.UTC(2026, 0, 10, 12) };
  const { wrap = (db: Db) => db, ...others } = options;
  const open = (more: Partial<CoreOptions> = {}) =>
    openCore({
      db: wrap(test.db),
      log: silent,
      clock: () => time.now,
      snapshotRestMs: 0,
      onFenced: () => {},
      ...others,
      ...more,
    });
  let core = await open();
  const [anna, ben, dora, eventId] = [core.nextId(), core.nextId(), core.nextId(), core.nextId()] as const;
  const book = {
    marketId: core.nextId(),
    runnerIds: [core.nextId(), core.nextId(), core.nextId()] as [number, number, number],
  };
  const bookmaker = { marketId: core.nextId(), runnerIds: [core.nextId(), core.nextId()] as [number, number] };
  const session = { marketId: core.nextId(), runnerId: core.nextId() };
  const fixture: Fixture = {
    test,
    get core() {
      return core;
    },
    get db() {
      return test.db;
    },
    anna,
    ben,
    dora,
    eventId,
    book,
    bookmaker,
    session,
    time,
    send: (command, o = {}) =>
      core.submit({
        world: o.world ?? 'real',
        command,
        actor: o.actor ?? 'test',
        ...(o.key === undefined ? {} : { key: o.key, payloadHash: o.hash ?? 'hash' }),
      }),
    bet: (accountId, side, price, sizeMinor, o = {}) =>
      fixture.send(
        {
          type: 'order.place',
          betId: 0,
          accountId,
          marketId: book.marketId,
          runnerId: o.runner ?? book.runnerIds[0],
          side,
          price,
          sizeMinor,
          persistence: o.persistence ?? 'PERSIST',
          ...(o.offset && { offset: o.offset }),
          ...(o.expireMs && { expireMs: o.expireMs }),
        },
        {
          world: o.world ?? 'real',
          actor: `player:${accountId}`,
          ...(o.key ? { key: o.key } : {}),
          ...(o.hash ? { hash: o.hash } : {}),
        },
      ),
    async restart(more) {
      await core.stop();
      await test.reopen();
      core = await open(more);
    },
    async close() {
      await core.stop();
      if (!given) await test.drop();
    },
  };
  await cast(fixture);
  return fixture;
}

export function marketDef(marketId: number, eventId: number, over: Partial<MarketDef> = {}): MarketDef {
  return {
    marketId,
    eventId,
    kind: 'book',
    name: 'Match Odds',
    runners: [],
    winners: 1,
    commissionBps: 200,
    minStakeMinor: 100,
    maxStakeMinor: 500_000,
    maxExposureMinor: 0,
    maxBets: 0,
    inPlay: false,
    status: 'OPEN',
    betDelayMs: 0,
    lapseOnSuspend: false,
    ...over,
  };
}

export function refusedWith(answer: Promise<unknown>): Promise<string> {
  return answer.then(
    () => 'taken',
    (error: Error & { code?: string }) => error.code ?? error.message,
  );
}

export function betOf(answer: Answer): Extract<Event, { type: 'bet' }>['bet'] {
  const event = answer.events.find((one) => one.type === 'bet');
  if (event?.type !== 'bet') throw new Error('the answer has no bet');
  return event.bet;
}

async function emptyCore(db: Db): Promise<void> {
  await db.query(
    `TRUNCATE core_log, core_log_short, core_snapshot_parts, core_snapshots, core_hashes, core_quarantine, accounts, markets, market_archives, market_archive_parts, bets, fills,
       ledger, ledger_entries, idempotency, provider_rounds, provider_txs, conditional_ends, provider_players, provider_sessions`,
  );
  await db.query("UPDATE leader SET epoch = 0, owner = '', last_seq = 0, last_at = 0, next_id = 100");
}

async function cast(f: Fixture): Promise<void> {
  const { anna, ben, dora, eventId, book, bookmaker, session } = f;
  for (const [accountId, world, amountMinor] of [
    [anna, 'real', 100_000],
    [ben, 'real', 100_000],
    [dora, 'demo', 1_000_000],
  ] as const) {
    await f.send({ type: 'account.open', accountId, currency: 'EUR', kind: 'player' }, { world });
    await f.send({ type: 'account.transfer', accountId, amountMinor, reason: 'deposit', text: 'Deposit' }, { world });
  }
  const names = ['India', 'Australia', 'The Draw'];
  const both = { world: 'all', actor: 'feed' } as const;
  await f.send(
    {
      type: 'market.create',
      market: marketDef(book.marketId, eventId, {
        runners: book.runnerIds.map((runnerId, i) => ({ runnerId, name: names[i]! })),
      }),
    },
    both,
  );
  await f.send(
    {
      type: 'house.book',
      marketId: book.marketId,
      runners: book.runnerIds.map((runnerId) => ({
        runnerId,
        backable: [
          [300, 50_000],
          [296, 80_000],
        ],
        layable: [
          [310, 50_000],
          [315, 80_000],
        ],
      })),
    },
    both,
  );
  await f.send(
    {
      type: 'market.create',
      market: marketDef(bookmaker.marketId, eventId, {
        kind: 'bookmaker',
        name: 'Bookmaker',
        commissionBps: 0,
        runners: bookmaker.runnerIds.map((runnerId, i) => ({ runnerId, name: names[i]! })),
      }),
    },
    both,
  );
  await f.send(
    {
      type: 'house.quotes',
      marketId: bookmaker.marketId,
      rows: bookmaker.runnerIds.map((runnerId, i) => ({
        runnerId,
        back: i === 0 ? { price: 80, sizeMinor: 250_000 } : null,
        lay: i === 0 ? { price: 84, sizeMinor: 250_000 } : null,
        status: 'ACTIVE',
      })),
    },
    both,
  );
  await f.send(
    {
      type: 'market.create',
      market: marketDef(session.marketId, eventId, {
        kind: 'session',
        name: '6 over runs',
        commissionBps: 0,
        runners: [{ runnerId: session.runnerId, name: '6 over runs' }],
      }),
    },
    both,
  );
  await f.send(
    {
      type: 'house.quotes',
      marketId: session.marketId,
      rows: [
        {
          runnerId: session.runnerId,
          back: { price: 90, sizeMinor: 250_000, line: 47 },
          lay: { price: 110, sizeMinor: 250_000, line: 45 },
          status: 'ACTIVE',
        },
      ],
    },
    both,
  );
}
