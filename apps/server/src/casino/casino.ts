/** Door of the card tables: the tables that run, their calls, what they show on the `/card` socket, and their bets. */
import { isTableCode, TABLES, type TableCode } from '@fairgame/casino';
import {
  CALLS,
  type CardData,
  type CardTable,
  CodedError,
  cardDataEvent,
  PAGE,
  type PlaceBody,
  parseFilter,
  parseSort,
} from '@fairgame/contract';
import { type Stop, unpack } from '../bus/bus.ts';
import type { Core, World } from '../core/types.ts';
import type { Db, Log } from '../db/db.ts';
import type { Http } from '../http/http.ts';
import type { Keyring } from '../keyring.ts';
import { finishedRound } from './history.ts';
import { myRounds } from './my-rounds.ts';
import { createPictures, type Pictures } from './pictures.ts';
import { finishedRow, resultRows } from './rounds.ts';
import { KEPT_MS, type Others, type Seat, SharedTable } from './shared-table.ts';
import { openTable, type TableParts } from './table.ts';
import { inTerms } from './view.ts';

export { paysOf, pickOf, runnerIdOf, runnersOf } from './selections.ts';

export interface CasinoOptions {
  db: Db;
  core: Core;
  log: Log;
  clock: () => number;
  /** Milliseconds that only go on: for how long a table rests and lingers. */
  steady: () => number;
  speed: number;
  /** Seals the seeds of coming rounds in the database. */
  keyring: Keyring;
  /** Host of an operator's pictures; without one the client draws the table. */
  streamHost: string | undefined;
  /** Where the site has other processes. */
  others?: Others;
}

export interface Casino {
  routes(http: Http): void;
  /** What a table is called, by the event its bets name. */
  tableOf(eventId: number): { code: TableCode; name: string } | undefined;
  /** The runner a card bet is on; throws where round, window or choice are not current. */
  runnerFor(body: PlaceBody, world: World): Promise<number>;
  /** Follows a table: told at once and on each change, until the returned function is called. Null: no such table. */
  follow(code: string, world: World, tell: (event: string, data: CardData) => void): (() => void) | null;
  stop(): Promise<void>;
}

export async function createCasino(options: CasinoOptions): Promise<Casino> {
  const rooms = new CardRooms(options);
  await rooms.open();
  return rooms;
}

class CardRooms implements Casino {
  private readonly options: CasinoOptions;
  private readonly db: Db;
  private readonly core: Core;
  private readonly tables = new Map<string, Seat>();
  private readonly byEvent = new Map<number, Seat>();
  private readonly pictures: Pictures;
  private readonly parts: TableParts;
  private offViews: Stop | undefined;

  constructor(options: CasinoOptions) {
    this.options = options;
    this.db = options.db;
    this.core = options.core;
    this.pictures = createPictures(options.streamHost, options.clock);
    this.parts = { ...options, seedKeys: options.keyring.purpose('card seeds') };
  }

  /** Every table, with the round that an interruption left open. */
  async open(): Promise<void> {
    const { others } = this.options;
    for (const [code, eventId] of await tableRows(this.db, this.core)) {
      const open = () => openTable(code, eventId, this.parts);
      this.enter(others ? new SharedTable(code, eventId, { ...this.options, ...others, open }) : await open());
    }
    this.offViews = await others?.bus.shared('cards', KEPT_MS).watch((code, entry) => {
      const table = this.tables.get(code);
      if (entry && table instanceof SharedTable) table.take(unpack(entry.value));
    });
  }

  routes(http: Http): void {
    const { casino } = CALLS;
    http.route(casino.tiles, () =>
      [...this.tables.values()].map((table) => {
        const { round, topTenResult } = table.view();
        return {
          game_id: String(table.eventId),
          // A table without a route of its own is opened by its code.
          url: table.info.route ?? `/casino/${table.code}`,
          imgSrc: `/casino/${table.code}.svg`,
          name: table.info.name,
          code: table.code,
          category: table.info.category,
          phase: round.phase,
          endsAt: round.endsAt,
          lastBadges: topTenResult.slice(0, 5).map((result) => result.badge),
          open: true,
        };
      }),
    );
    // Reading a table wakes it: who looks at it without a socket finds it playing.
    const read = async ({
      query,
      session,
    }: {
      query: { type: string };
      session: { world: World; accountId: number };
    }) => {
      const table = this.tableNamed(query.type);
      table.watched(1);
      setTimeout(() => table.watched(-1), 5000).unref();
      await this.pictures.look(table.code);
      return this.viewFor(table, session);
    };
    http.route(casino.table, read);
    http.route(casino.initial, read);
    http.route(casino.results, ({ params }) =>
      resultRows(this.db, 'code = $1 ORDER BY over_at_ms DESC LIMIT 50', [this.tableNamed(params.id).code]),
    );
    http.route(casino.resultDetail, async ({ query }) => {
      const [result] = await resultRows(this.db, 'mid = $1', [query.mid]);
      const row = await finishedRow(this.db, query.mid);
      if (!result || !row) throw new CodedError('NOT_FOUND', { field: 'mid' });
      const round = finishedRound(result, row);
      return { result, round };
    });
    http.route(casino.report, async ({ params, query }) => {
      const table = this.tableNamed(params.type);
      const page = Number(query.page ?? PAGE.first);
      const limit = Number(query.limit ?? PAGE.cardReport);
      const where = ['code = $1'];
      const values: unknown[] = [table.code];
      const add = (sql: (n: number) => string, value: unknown) => {
        values.push(value);
        where.push(sql(values.length));
      };
      if (query.searchBy && query.keyword) {
        const text = `%${query.keyword.replace(/[\\%_]/g, '\\$&')}%`;
        add((n) => (query.searchBy === 'mid' ? `mid LIKE $${n}` : `result_text ILIKE $${n}`), text);
      }
      const dates = query['cardResult.createdAt'];
      if (dates) {
        const range = parseFilter('cardResult.createdAt', dates, ['between']);
        if (range.op === 'between') {
          add((n) => `over_at_ms >= $${n}`, Date.parse(range.from));
          add((n) => `over_at_ms < $${n}`, Date.parse(range.to));
        }
      }
      const [sort] = query.sort ? parseSort(query.sort, ['cardResult.createdAt']) : [];
      const tail = where.join(' AND ');
      const [count] = await this.db.query<{ total: number }>(
        `SELECT count(*)::int AS total FROM card_rounds WHERE over AND win IS NOT NULL AND ${tail}`,
        values,
      );
      const order = sort?.direction === 'ASC' ? 'ASC' : 'DESC';
      const rows = await resultRows(
        this.db,
        `${tail} ORDER BY over_at_ms ${order}, mid ${order} LIMIT ${limit} OFFSET ${(page - 1) * limit}`,
        values,
        { cards: true },
      );
      return { rows, total: Number(count?.total ?? 0), page, limit };
    });
    http.route(casino.myRounds, ({ params, query, session }) =>
      myRounds(this.db, {
        code: this.tableNamed(params.type).code,
        world: session.world,
        accountId: session.accountId,
        before: query.before === undefined ? null : Number(query.before),
      }),
    );
    // Every table is shared: a word is one part of its public seed among others, fixed before betting opens.
    http.route(casino.clientSeed, async ({ body, session }) => {
      const who = `${session.world}:${session.accountId}`;
      const roundNo = await this.tableNamed(body.type).addWord(body.mid, who, body.seed);
      if (roundNo === null) throw new CodedError('MARKET_CLOSED', { field: 'mid' });
      return { seed: body.seed, roundNo };
    });
  }

  tableOf(eventId: number): { code: TableCode; name: string } | undefined {
    const table = this.byEvent.get(eventId);
    return table && { code: table.code, name: table.info.name };
  }

  async runnerFor(body: PlaceBody, world: World): Promise<number> {
    const { factor } = this.core.terms(world);
    const table = this.byEvent.get(body.matchId);
    if (!table) throw new CodedError('MARKET_UNKNOWN', { field: 'matchId' });
    const now = table.betting();
    if (!now || now.marketId !== body.betId) throw new CodedError('MARKET_CLOSED', { field: 'betId' });
    if (body.window !== undefined && body.window !== now.window)
      throw new CodedError('MARKET_VERSION', { field: 'window' });
    const selection = table.info.selections.find((one) => one.id === body.runnerId);
    if (!selection) throw new CodedError('RUNNER_UNKNOWN', { field: 'runnerId' });
    if (body.stake > selection.limits.max * factor) throw new CodedError('STAKE_TOO_LARGE', { field: 'stake' });
    if (body.stake < selection.limits.min * factor) throw new CodedError('STAKE_TOO_SMALL', { field: 'stake' });
    if (!selection.pick) return body.runnerId;
    const runnerId = await table.choose(selection.id, body.pick ?? []);
    if (runnerId === null) throw new CodedError('RUNNER_UNKNOWN', { field: 'pick' });
    return runnerId;
  }

  follow(code: string, world: World, tell: (event: string, data: CardData) => void): (() => void) | null {
    const table = isTableCode(code) ? this.tables.get(code) : undefined;
    if (!table) return null;
    // Its own running number for each follower: a gap shows that one was lost on the way.
    let n = 0;
    const send = () => {
      const { now, round, topTenResult } = table.view();
      n += 1;
      tell(cardDataEvent(code), { n, now, round: inTerms(round, this.core.terms(world).factor), topTenResult });
    };
    const off = table.onChange(send);
    table.watched(1);
    send();
    return () => {
      off();
      table.watched(-1);
    };
  }

  async stop(): Promise<void> {
    this.offViews?.();
    await Promise.all([...this.tables.values()].map((table) => table.stop()));
  }

  private enter(table: Seat): void {
    this.tables.set(table.code, table);
    this.byEvent.set(table.eventId, table);
  }

  private tableNamed(code: string): Seat {
    const table = this.tables.get(code);
    if (!table) throw new CodedError('MATCH_UNKNOWN', { field: 'type' });
    return table;
  }

  private viewFor(table: Seat, who: { world: World; accountId: number }): CardTable {
    const view = table.view();
    const position =
      view.round.betId === 0 ? null : this.core.read.position(who.world, who.accountId, view.round.betId);
    const { code } = table;
    return {
      ...view,
      // As this process finds it, wherever the table is dealt.
      videoInfo: {
        mid: view.videoInfo.mid,
        url: this.pictures.url(code),
        ...(this.pictures.down(code) && { down: true }),
      },
      round: inTerms(view.round, this.core.terms(who.world).factor),
      profitLoss: Object.fromEntries(
        (position?.runners ?? []).map((runner) => [String(runner.runnerId), String(runner.netMinor)]),
      ),
    };
  }
}

/** Every table with its fixed event id; made on the first start, with a row in `events` that reports find the name in. */
async function tableRows(db: Db, core: Core): Promise<Array<[TableCode, number]>> {
  const known = new Map(
    (await db.query<{ code: string; event_id: number }>('SELECT code, event_id FROM card_tables')).map((row) => [
      row.code,
      row.event_id,
    ]),
  );
  const rows: Array<[TableCode, number]> = [];
  for (const code of Object.keys(TABLES) as TableCode[])
    rows.push([code, known.get(code) ?? (await makeTable(db, code, core.nextId()))]);
  // What statements call a table; a row that is gone comes back with the next start.
  await db.query(
    `INSERT INTO events (id, match_type, title, competition_id, competition_name, start_at_ms, stop_at_ms, event)
       SELECT id, 'casino', title, '0', 'Casino', 0, 0, '{}' FROM unnest($1::bigint[], $2::text[]) AS t (id, title)
     ON CONFLICT (id) DO NOTHING`,
    [rows.map(([, id]) => id), rows.map(([code]) => TABLES[code].name)],
  );
  return rows;
}

/** Answers the event id, which another process may have given it in this moment. */
async function makeTable(db: Db, code: TableCode, id: number): Promise<number> {
  const [made] = await db.query(
    'INSERT INTO card_tables (code, event_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING code',
    [code, id],
  );
  if (made) return id;
  const [there] = await db.query<{ event_id: number }>('SELECT event_id FROM card_tables WHERE code = $1', [code]);
  return there!.event_id;
}
