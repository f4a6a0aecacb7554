/**
 * Makes market streams of the recorded shape, from a seed: a book per runner is kept here (the truth), told as images and
 * deltas there. The committed files under fixtures/stream are what this makes; a test holds the two together.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

export const FIXTURES = join(import.meta.dirname, 'fixtures', 'stream');

/** Price in hundredths to size in minor units. */
export type TrueBook = { atb: Map<number, number>; atl: Map<number, number> };

export interface Made {
  lines: string[];
  images: number;
  deltas: number;
  /** After each line: the runners that have offers, as `bookText` writes them. */
  truth: string[];
}

export interface MadeRunner {
  id: number;
  name?: string;
  status: string;
  adjustmentFactor?: number;
  sortPriority?: number;
}

const FIRST_TIME = 1_700_000_000_000;
const TICKS = [
  150, 160, 170, 180, 190, 200, 210, 220, 230, 240, 250, 260, 270, 280, 290, 300, 320, 340, 360, 380, 400, 420, 440,
  460, 480, 500,
];

export function madeDefinition(runners: MadeRunner[], fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    bspMarket: false,
    turnInPlayEnabled: true,
    persistenceEnabled: true,
    marketBaseRate: 5,
    eventId: '77001',
    eventTypeId: '7',
    numberOfWinners: 1,
    bettingType: 'ODDS',
    marketType: 'WIN',
    marketTime: new Date(FIRST_TIME + 60_000).toISOString(),
    inPlay: false,
    betDelay: 0,
    status: 'OPEN',
    numberOfActiveRunners: runners.filter((runner) => runner.status === 'ACTIVE').length,
    version: 1000,
    name: 'R3 1200m Hcap',
    eventName: 'Testfield (AU) 14th Nov',
    venue: 'Testfield',
    countryCode: 'AU',
    priceLadderDefinition: { type: 'CLASSIC' },
    openDate: new Date(FIRST_TIME + 60_000).toISOString(),
    runners,
    ...fields,
  };
}

/** A horse race told the way live recordings are: one image, deltas, a removal, the off, a finish, a result. */
export function makeRace(seed: number, updates = 200): Made {
  const random = generator(seed);
  const ids = [11, 12, 13, 14];
  const books = new Map<number, TrueBook>(ids.map((id) => [id, { atb: new Map(), atl: new Map() }]));
  const made: Made = { lines: [], images: 0, deltas: 0, truth: [] };
  let time = FIRST_TIME;
  let clk = 1;
  const factors = new Map([
    [11, 40],
    [12, 30],
    [13, 20],
    [14, 10],
  ]);
  const runners = (status: (id: number) => string): MadeRunner[] =>
    ids.map((id, at) => ({
      id,
      name: `${at + 1}. Horse ${String.fromCharCode(65 + at)}`,
      status: status(id),
      sortPriority: at + 1,
      adjustmentFactor: factors.get(id)!,
    }));
  const say = (market: Record<string, unknown>): void => {
    time += 100 + Math.floor(random() * 400);
    if (market.img) made.images++;
    else made.deltas++;
    made.lines.push(
      JSON.stringify({ op: 'mcm', clk: String(clk++), pt: time, mc: [{ id: '1.900000001', ...market }] }),
    );
    made.truth.push(bookText(books));
  };
  const active = (): number[] => (removed ? ids.filter((id) => id !== 13) : ids);
  const image = (definition: Record<string, unknown>): void =>
    say({
      marketDefinition: definition,
      img: true,
      rc: active().map((id) => ({ id, atb: pairs(books.get(id)!.atb), atl: pairs(books.get(id)!.atl) })),
    });
  const updateSome = (count: number): void => {
    for (let n = 0; n < count; n++) {
      const rc: Array<Record<string, unknown>> = [];
      for (let k = 0; k <= Math.floor(random() * 2); k++) {
        const id = active()[Math.floor(random() * active().length)]!;
        const changes = moveBook(books.get(id)!, random);
        // Sometimes a runner appears twice in a line: once with its trades, once with its ladder.
        if (random() < 0.2) rc.push({ id, ltp: 2 + Math.floor(random() * 100) / 100, trd: [[2.5, 10 + n]] });
        rc.push({ id, ...changes });
      }
      say({ rc, ...(random() < 0.3 && { con: true }) });
    }
  };
  const emptyAll = (): void =>
    say({
      rc: active().map((id) => {
        const { atb, atl } = books.get(id)!;
        const told = {
          id,
          atb: [...atb.keys()].map((p) => [p / 100, 0]),
          atl: [...atl.keys()].map((p) => [p / 100, 0]),
        };
        atb.clear();
        atl.clear();
        return told;
      }),
    });
  let removed = false;
  for (const id of ids) for (let n = 0; n < 8; n++) moveBook(books.get(id)!, random);
  const open = (fields: Record<string, unknown> = {}): Record<string, unknown> =>
    madeDefinition(
      runners((id) => (removed && id === 13 ? 'REMOVED' : 'ACTIVE')),
      fields,
    );
  image(open());
  updateSome(updates);
  image(open({ version: 1001 }));
  say({ marketDefinition: open({ status: 'SUSPENDED', version: 1002 }) });
  removed = true;
  books.get(13)!.atb.clear();
  books.get(13)!.atl.clear();
  say({ marketDefinition: open({ status: 'SUSPENDED', version: 1003 }) });
  say({ marketDefinition: open({ version: 1004 }) });
  updateSome(updates);
  say({ marketDefinition: open({ status: 'SUSPENDED', version: 1005 }) });
  emptyAll();
  say({ marketDefinition: open({ inPlay: true, betDelay: 1, version: 1006 }) });
  updateSome(updates);
  image(open({ inPlay: true, betDelay: 1, version: 1006 }));
  say({ marketDefinition: open({ inPlay: true, betDelay: 1, status: 'SUSPENDED', version: 1007 }) });
  emptyAll();
  say({
    marketDefinition: madeDefinition(
      runners((id) => (id === 13 ? 'REMOVED' : id === 12 ? 'WINNER' : 'LOSER')),
      { inPlay: true, betDelay: 1, status: 'CLOSED', version: 1008, numberOfActiveRunners: 0 },
    ),
  });
  return made;
}

/** A long competition: play starts and stops, a player leaves and comes back, two places are paid; last prices only. */
export function makeGolf(): string[] {
  const players = (status: (id: number) => string): MadeRunner[] =>
    [21, 22, 23, 24, 25].map((id) => ({ id, name: `Player ${id}`, status: status(id), sortPriority: id - 20 }));
  const all = (): string => 'ACTIVE';
  const gone = (id: number): string => (id === 24 ? 'REMOVED' : 'ACTIVE');
  const golf = (
    runners: MadeRunner[],
    version: number,
    fields: Record<string, unknown> = {},
  ): Record<string, unknown> => ({
    ...madeDefinition(runners, {
      eventId: '77002',
      eventTypeId: '3',
      marketType: 'TOP_2_FINISH',
      name: 'Top 2 Finish',
      eventName: 'Test Masters',
      numberOfWinners: 2,
      version,
      ...fields,
    }),
    priceLadderDefinition: undefined,
    venue: undefined,
  });
  const steps: Array<Record<string, unknown>> = [
    { marketDefinition: golf(players(all), 1) },
    { rc: [21, 22, 23, 24, 25].map((id) => ({ id, ltp: (id - 20) * 2 })) },
    { marketDefinition: golf(players(all), 2, { inPlay: true, betDelay: 1 }) },
    { rc: [{ id: 21, ltp: 1.5 }] },
    { marketDefinition: golf(players(all), 3) },
    { marketDefinition: golf(players(gone), 4) },
    { rc: [{ id: 22, ltp: 3 }] },
    { marketDefinition: golf(players(all), 5) },
    { marketDefinition: golf(players(all), 6, { inPlay: true, betDelay: 1 }) },
    { rc: [{ id: 24, ltp: 1.2 }] },
    { marketDefinition: golf(players(all), 7, { status: 'SUSPENDED', inPlay: true, betDelay: 1 }) },
    {
      marketDefinition: golf(
        players((id) => (id === 21 || id === 24 ? 'WINNER' : 'LOSER')),
        8,
        { status: 'CLOSED', inPlay: true, betDelay: 1 },
      ),
    },
  ];
  return steps.map((market, at) =>
    JSON.stringify({
      op: 'mcm',
      clk: String(at),
      pt: FIRST_TIME + at * 30_000,
      mc: [{ id: '1.900000002', ...market }],
    }),
  );
}

/** A football match: two markets on one connection, a goal that suspends both, one market decided while the other plays on. */
export function makeFootball(): string[] {
  const sides = (status: string[]): MadeRunner[] =>
    [31, 32, 58805].map((id, at) => ({ id, status: status[at]!, sortPriority: at + 1 }));
  const goals = (status: string[]): MadeRunner[] =>
    [47972, 47973].map((id, at) => ({ id, status: status[at]!, sortPriority: at + 1 }));
  const football = { eventId: '77003', eventTypeId: '1', eventName: 'Northtown v Southtown', venue: undefined };
  const odds = (
    version: number,
    fields: Record<string, unknown> = {},
    status = ['ACTIVE', 'ACTIVE', 'ACTIVE'],
  ): Record<string, unknown> => ({
    id: '1.900000003',
    marketDefinition: madeDefinition(sides(status), {
      ...football,
      marketType: 'MATCH_ODDS',
      name: 'Match Odds',
      version,
      ...fields,
    }),
  });
  const over = (
    version: number,
    fields: Record<string, unknown> = {},
    status = ['ACTIVE', 'ACTIVE'],
  ): Record<string, unknown> => ({
    id: '1.900000004',
    marketDefinition: madeDefinition(goals(status), {
      ...football,
      marketType: 'OVER_UNDER_05',
      name: 'Over/Under 0.5 Goals',
      version,
      ...fields,
    }),
  });
  const prices = (id: string, runners: Array<[number, number, number]>): Record<string, unknown> => ({
    id,
    rc: runners.map(([runner, back, lay]) => ({ id: runner, atb: [[back, 200]], atl: [[lay, 150]] })),
  });
  const live = { inPlay: true, betDelay: 5 };
  const lines: Array<Array<Record<string, unknown>>> = [
    [odds(1), over(1)],
    [
      prices('1.900000003', [
        [31, 2.1, 2.12],
        [32, 3.5, 3.6],
        [58805, 3.4, 3.5],
      ]),
      prices('1.900000004', [
        [47972, 10, 11],
        [47973, 1.09, 1.1],
      ]),
    ],
    [odds(2, { ...live, status: 'SUSPENDED' }), over(2, { ...live, status: 'SUSPENDED' })],
    [odds(3, live), over(3, live)],
    // Two messages of one market in a line: folded in order, seen once.
    [
      prices('1.900000003', [[31, 2, 2.5]]),
      {
        id: '1.900000003',
        rc: [
          {
            id: 31,
            atb: [
              [2.1, 0],
              [2, 90],
            ],
            atl: [[2.5, 0]],
          },
        ],
      },
    ],
    [odds(4, { ...live, status: 'SUSPENDED' }), over(4, { ...live, status: 'SUSPENDED' })],
    [over(5, { ...live, status: 'CLOSED' }, ['LOSER', 'WINNER'])],
    [
      {
        id: '1.900000003',
        rc: [
          {
            id: 31,
            atb: [
              [2, 0],
              [1.4, 300],
            ],
            atl: [
              [2.12, 0],
              [1.42, 250],
            ],
          },
        ],
      },
      odds(5, live),
    ],
    [{ ...odds(4, { ...live, status: 'SUSPENDED' }) }],
    [odds(6, { ...live, status: 'SUSPENDED' })],
    [odds(7, { ...live, status: 'CLOSED' }, ['WINNER', 'LOSER', 'LOSER'])],
  ];
  return lines.map((mc, at) => JSON.stringify({ op: 'mcm', id: 3, clk: String(at), pt: FIRST_TIME + at * 20_000, mc }));
}

/** Lines of every sort that must be reported or survived, with what is said of each bad one. */
export function makeTroubled(): { text: string; malformed: Array<{ line: number; reason: string }> } {
  const runners = [41, 42].map((id) => ({ id, status: 'ACTIVE' }));
  const market = (rest: string): string =>
    `{"op":"mcm","clk":"x","pt":${FIRST_TIME},"mc":[{"id":"1.900000005",${rest}}]}`;
  const lines: Array<[string, string?]> = [
    ['{"op":"connection","connectionId":"001"}'],
    ['{"op":"status","id":1,"statusCode":"SUCCESS"}'],
    [
      JSON.stringify({
        op: 'mcm',
        ct: 'SUB_IMAGE',
        pt: FIRST_TIME,
        clk: 'a',
        mc: [{ id: '1.900000005', img: true, marketDefinition: madeDefinition(runners) }],
      }),
    ],
    [''],
    [market('"rc":[{"id":41,"spn":"NaN","spf":"Infinity","atb":[[2,10]]}]')],
    [market('"rc":[{"id":41,"spn":Infinity,"spf":NaN,"atl":[[2.2,10]]}]')],
    ['   '],
    ['{"op":"mcm","pt":17', 'not JSON'],
    ['[1,2]', 'not a JSON object'],
    ['{"pt":1}', 'op is missing'],
    ['{"op":"mcm","pt":"soon","mc":[]}', 'pt is not a time'],
    [market('"rc":[{"id":41,"atb":[[2,-5]]}]'), 'atb size is not an amount'],
    [market('"rc":[{"id":41,"atb":[[2]]}]'), 'atb holds something that is not [price, size]'],
    [market('"rc":[{"id":41,"batb":[["a",2,5]]}]'), 'batb level is not a number'],
    [market('"rc":[{"id":"x"}]'), 'rc.id is not a runner id'],
    [market('"rc":[{"id":41,"ltp":"two"}]'), 'ltp is not a number'],
    [market('"marketDefinition":{"status":"OPENISH","runners":[]}'), 'marketDefinition.status is unknown'],
    [market('"marketDefinition":{"status":"OPEN"}'), 'marketDefinition.runners is missing'],
    ['{"op":"mcm","ct":"HEARTBEAT","clk":"b","pt":1700000000500}'],
    // Good again, and last: the run went on, and the bad lines changed nothing.
    [market('"rc":[{"id":42,"atb":[[3,7.5]]}]')],
  ];
  return {
    text: lines.map(([line]) => line).join('\r\n'),
    malformed: lines.flatMap(([, reason], at) => (reason ? [{ line: at + 1, reason }] : [])),
  };
}

/** Runners that have offers, lowest id and price first. */
export function bookText(books: ReadonlyMap<number, TrueBook>): string {
  const side = (levels: Map<number, number>): string => [...levels].sort((a, b) => a[0] - b[0]).join(' ');
  return [...books]
    .filter(([, book]) => book.atb.size + book.atl.size > 0)
    .sort((a, b) => a[0] - b[0])
    .map(([id, book]) => `${id}: ${side(book.atb)} / ${side(book.atl)}`)
    .join('\n');
}

/** A folder that is gone after the tests of the calling file. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fairgame-replay-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function writeLines(folder: string, name: string, lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

/** Uniform in [0, 1), the same for the same seed. */
export function generator(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

function moveBook(book: TrueBook, random: () => number): { atb: number[][]; atl: number[][] } {
  const told = { atb: [] as number[][], atl: [] as number[][] };
  for (let n = 0; n < 3; n++) {
    const backs = random() < 0.5;
    const side = backs ? book.atb : book.atl;
    const price = TICKS[Math.floor(random() * TICKS.length)]!;
    const other = backs ? book.atl : book.atb;
    const crossed = [...other.keys()].some((p) => (backs ? price >= p : price <= p));
    const size = crossed || random() < 0.3 ? 0 : 200 + Math.floor(random() * 90_000);
    if (size === 0) side.delete(price);
    else side.set(price, size);
    // Deleting a price that is not there is legal.
    (backs ? told.atb : told.atl).push([price / 100, size / 100]);
  }
  return told;
}

function pairs(side: Map<number, number>): number[][] {
  return [...side].map(([price, size]) => [price / 100, size / 100]);
}
