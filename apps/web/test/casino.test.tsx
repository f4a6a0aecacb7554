import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  commitOf,
  createStream,
  describe as describeTable,
  finish,
  newRound,
  parseCard,
  TABLES as RULES,
  recordOf,
  type TableCode,
} from '@fairgame/casino';
import { CALLS, type CardRound, type CardTile, cardTile } from '@fairgame/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { createMemoryRouter, matchRoutes, RouterProvider } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '../src/api/queries.ts';
import { CASINO_TABLES, routes } from '../src/app/routes.tsx';
import { toneOf } from '../src/features/casino/badges.tsx';
import { cardNumber, shownCard } from '../src/features/casino/cards.ts';
import { BANNERS, CATEGORY_ICONS } from '../src/features/casino/categories.ts';
import { factsOf } from '../src/features/casino/facts.ts';
import { cellText, quoteOf, sectionsOf } from '../src/features/casino/grid.ts';
import { Screen as Lobby, stateOf } from '../src/features/casino/lobby.tsx';
import { sumsOf } from '../src/features/casino/press.ts';
import { beadPlate, bigRoad, derivedRoad, runLengths, type Side } from '../src/features/casino/roads.ts';
import * as rules from '../src/features/casino/rules.ts';
import { Screen as Table } from '../src/features/casino/table.tsx';
import { liveTable, serverNow, takeImage, watchTable } from '../src/features/casino/table-socket.ts';
import { TABLE_NAMES, TABLES, tableAt } from '../src/features/casino/tables.ts';
import { checkRound, rememberCommit } from '../src/features/casino/verify.ts';
import { forgetPlayer } from '../src/session/per-player.ts';
import { startSession } from '../src/session/session.ts';
import { setAsksFirst } from '../src/slip/slip.ts';
import { eventPath } from '../src/ui/links.ts';
import { LiveRegion } from '../src/ui/live-region.tsx';
import { RailOutlet, RailProvider } from '../src/ui/rail.tsx';
import { sportName } from '../src/ui/sports.ts';
import { line } from './fake-line.ts';
import { settle } from './settle.ts';

/** Table CAS-T1 of the requirements, word by word. */
const T1 = `ballbyball ballbyball Ball By Ball
superover superover Super Over
race20 race20 Race 20-20
queen queen Casino Queen
cricketv3 cricketv3 5Five Cricket
abj2 abj Andar Bahar 2
dt202 dt202 20-20 Dragon Tiger 2
baccarat2 baccarat2 Baccarat 2
baccarat baccarat Baccarat
lucky7eu lucky7eu Lucky 7 B
cmatch20 cmatch20 20-20 Cricket Match
cmeter cmeter Casino Meter
war war Casino War
dtl20 dtl20 20-20 Dragon Tiger Lion
teen9 teen9 Teenpatti Test
teen8 teen8 Teenpatti Open
teen teen Teenpatti 1-Day
teen20 teen20 20-20 Teenpatti
poker6 poker6 Poker 6 Players
poker poker Poker 1-Day
poker20 poker20 20-20 Poker
ab20 ab20 Andar Bahar
worli2 worli2 Instant Worli
3cardj 3cardj 3 Cards Judgement
32cards-A card32 32 Cards A
32cards-B card32eu 32 Cards B
aaa aaa Amar Akbar Anthony
btable btable Bollywood Casino
dt20 dt20 20-20 Dragon Tiger
dt6 dt6 1 Day Dragon Tiger
lucky7-A lucky7 Lucky 7 A`
  .split('\n')
  .map((line) => /^(\S+) (\S+) (.+)$/.exec(line)!.slice(1) as [string, string, string]);

vi.mock('socket.io-client', async () => (await import('./fake-line.ts')).socketIo);

describe('names and routes of the tables', () => {
  it.each(T1)('[CAS-05] [CAR-34] route /%s opens game %s as %s', (route, code, name) => {
    expect(tableAt(`/${route}`)).toMatchObject({ code, name });
    expect(matchRoutes(routes, `/${route}`)?.at(-1)?.route.handle).toMatchObject({ title: name, rail: true });
    expect(CASINO_TABLES[route]).toBe(name);
  });

  it('[CAS-07] has exactly 31 routes, told apart exactly', () => {
    expect(Object.keys(CASINO_TABLES)).toHaveLength(31);
    expect(tableAt('/32cards-a')).toBeUndefined();
    expect(tableAt('/abj')).toBeUndefined();
    expect(tableAt('/lucky7')).toBeUndefined();
  });

  it('[CAS-08] [CAS-09] [CAS-10] knows 32 codes with names; worli has no route', () => {
    expect(Object.keys(TABLE_NAMES)).toHaveLength(32);
    expect(Object.values(TABLE_NAMES).every((name) => name !== '')).toBe(true);
    expect(TABLE_NAMES.worli).toBe('Worli Matka');
    expect(TABLES.some(({ code }) => code === 'worli')).toBe(false);
  });

  it('names and routes are those of the rules', () => {
    for (const { code, name, route } of TABLES)
      expect(RULES[code as TableCode]).toMatchObject({ name, route: `/${route}` });
    expect(Object.keys(RULES).sort()).toEqual(Object.keys(TABLE_NAMES).sort());
  });

  it('leads from a bet at a table to the lobby, by the word Casino', () => {
    expect(eventPath({ matchType: 'casino', id: 117 })).toBe('/casino');
    expect(sportName('casino')).toBe('Casino');
  });

  it('[CAS-16] has icons of the fourteen categories', () => {
    expect(Object.keys(CATEGORY_ICONS).map((name) => name.toLowerCase())).toEqual([
      'dragon tiger',
      'baccarat',
      'roulette',
      'poker',
      'lucky 7',
      'andar bahar',
      'teenpatti',
      'crash',
      'aviator',
      'mines',
      'slots',
      'color prediction',
      'live game show',
      'chicken games',
    ]);
    expect(Object.values(CATEGORY_ICONS).every(Boolean)).toBe(true);
  });

  it('[CAS-17] [CAS-03] has a picture for every banner and every table, without inline styles', () => {
    expect(BANNERS.map(({ name }) => name)).toEqual(['Aviator', 'Mines', 'Fun Games', 'Color Prediction']);
    const folder = join(import.meta.dirname, '../public');
    for (const path of [...BANNERS.map(({ image }) => image), ...TABLES.map(({ code }) => `/casino/${code}.svg`)]) {
      expect(existsSync(join(folder, path)), path).toBe(true);
      const drawing = readFileSync(join(folder, path), 'utf8');
      expect(drawing).not.toMatch(/style=|<text|<script|href="http/);
    }
  });
});

const NOW = Date.now();
const tile = (code: string, more: Partial<CardTile> = {}): CardTile => {
  const table = TABLES.find((one) => one.code === code)!;
  return {
    game_id: code,
    url: `/${table.route}`,
    imgSrc: `/casino/${code}.svg`,
    name: table.name,
    code,
    category: table.category,
    phase: 'OPEN',
    endsAt: NOW + 14_000,
    lastBadges: ['A', 'B', 'T'],
    open: true,
    ...more,
  };
};

let placed: Array<Record<string, unknown>> = [];
let answers: Record<string, unknown> = {};
beforeEach(() => {
  placed = [];
  line.reset();
  // A table that is joined answers with its image, as it stands in the reading.
  line.onEmit = (_path, event, value) => {
    const table = answers['/match/card'] as { code: string; now: number; round: object; topTenResult: [] } | undefined;
    if (event !== 'joinTable' || table?.code !== (value as { code: string }).code) return;
    const { code, now, round, topTenResult } = table;
    line.send('/card', `cardData${code}`, { n: 1, now, round, topTenResult });
  };
  queryClient.clear();
  startSession({
    token: 't',
    userId: 101,
    forceChangePassword: false,
    isAuthenticator: true,
    authType: 0,
    isDemo: false,
  });
  answers = {
    '/card/tiles': TABLES.map(({ code }) => tile(code)),
    '/user/favourites': { matchIds: [], tables: ['dt20'] },
    '/mac88/casino/list': {},
    '/mac88/providers': [],
    '/bet': { rows: [], total: 0, page: 1, limit: 100, totals: { stake: 0, profitLoss: 0 } },
    '/bet/positions': [],
    '/user/profile': {
      userBal: { currentBalance: 1_000_000, exposure: 0, profitLoss: 0, version: 1 },
      buttonValues: { id: 1, value: '{"9":9}' },
      buttonValues2: { id: 2, value: '{"25":25,"fifty":50,"1k":1000}' },
    },
  };
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const path = new URL(url, 'http://site').pathname.slice(4);
    if (['/bet/cardBetting', '/user/favourites', '/card/clientSeed'].includes(path))
      if (init.method === 'POST') placed.push(JSON.parse(init.body as string) as Record<string, unknown>);
    const data = answers[path] ?? null;
    return Promise.resolve(
      new Response(
        JSON.stringify(
          data === null ? { statusCode: 404, code: 'NOT_FOUND', message: 'Not Found' } : { statusCode: 200, data },
        ),
        {
          status: data === null ? 404 : 200,
        },
      ),
    );
  });
});
afterEach(() => {
  forgetPlayer();
  setAsksFirst(true);
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function show(path: string, Component: () => React.JSX.Element | null) {
  const router = createMemoryRouter([{ path: '*', Component }], { initialEntries: [path] });
  render(
    <QueryClientProvider client={queryClient}>
      <RailProvider>
        <RouterProvider router={router} />
        <RailOutlet />
        <LiveRegion />
      </RailProvider>
    </QueryClientProvider>,
  );
  await settle();
  return router;
}

describe('lobby', () => {
  it('[CAS-01] [CAS-03] [CAS-04] [CAS-06] shows a tile with image, name and link for each table', async () => {
    await show('/casino', Lobby);
    for (const [route, code, name] of T1) {
      const link = document.querySelector<HTMLAnchorElement>(`a.tile[href="/${route}"]`);
      expect(link, route).toBeTruthy();
      expect(link!.textContent).toContain(name);
      expect(link!.querySelector('img')?.getAttribute('src')).toBe(`/casino/${code}.svg`);
    }
    expect(document.querySelectorAll('a.tile img')).toHaveLength(31);
  });

  it('[CAS-02] takes tiles of the shape the server gives', () => {
    expect(cardTile.safeParse(tile('teen')).success).toBe(true);
    for (const field of ['game_id', 'url', 'imgSrc', 'name'])
      expect(cardTile.safeParse({ ...tile('teen'), [field]: undefined }).success).toBe(false);
  });

  it('finds tables, and keeps favourites', async () => {
    await show('/casino', Lobby);
    fireEvent.change(screen.getByLabelText('Find a table'), { target: { value: 'queen' } });
    expect(document.querySelectorAll('a.tile img')).toHaveLength(1);
    fireEvent.change(screen.getByLabelText('Find a table'), { target: { value: '' } });
    fireEvent.click(screen.getByRole('tab', { name: /Favourites/ }));
    expect(document.querySelectorAll('a.tile img')).toHaveLength(1);
    fireEvent.click(screen.getByRole('tab', { name: /^All/ }));
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Baccarat is a favourite' })));
    await settle();
    expect(placed).toEqual([{ matchIds: [], tables: ['dt20', 'baccarat'] }]);
    expect(screen.getByRole('button', { name: 'Baccarat is a favourite' }).getAttribute('aria-pressed')).toBe('true');
  });

  it('tells what a table does now', () => {
    const now = 1_000_000;
    expect(stateOf({ phase: 'OPEN', endsAt: now + 13_400, open: true }, now)).toBe('Open, 14 s');
    expect(stateOf({ phase: 'DEALING', endsAt: now, open: true }, now)).toBe('Dealing');
    expect(stateOf({ phase: 'IDLE', endsAt: 0, open: true }, now)).toBe('Ready');
    expect(stateOf({ phase: 'OPEN', endsAt: 0, open: false }, now)).toBe('Not open');
  });

  it('[CAS-01] [LIV-01] shows tables at /live-casino too, under a plain word that no provider is connected', async () => {
    await show('/live-casino', Lobby);
    expect(screen.getByText('Live games are not open yet')).toBeTruthy();
    expect(document.querySelectorAll('a.tile img')).toHaveLength(31);
  });
});

const SEED = '6f71d4e14ed4fd44550501774c1500ea3e8f64eba26e4a78c60674576674e558';
/** A round of the book's worked example, in the phase and with the cards asked for. */
function roundOf(code: TableCode, nonce: number, change: Partial<CardRound> = {}): CardRound {
  const record = recordOf(finish(newRound(code, { serverSeed: SEED, clientSeed: 'example-client', nonce })));
  const info = describeTable(code);
  const seats = finish(newRound(code, { serverSeed: SEED, clientSeed: 'example-client', nonce })).seats;
  return {
    mid: `${code}-1`,
    roundNo: 1,
    betId: 500,
    phase: 'RESULT',
    window: 1,
    endsAt: 0,
    lastsMs: 0,
    commit: record.commit,
    clientSeed: 'example-client',
    nonce,
    words: [],
    baseSeed: 'example-client',
    serverSeed: SEED,
    nextCommit: null,
    cards: record.cards.map((card, at) => ({ seat: info.seats[seats[at]!]!.id, code: card })),
    state: {},
    odds: info.selections.map(({ id, price, sides }) => ({
      runnerId: id,
      sel: String(id),
      back: price?.yes?.rate ?? price?.back ?? (sides.includes('BACK') ? 198 : null),
      lay: price?.no?.rate ?? price?.lay ?? null,
      line: price?.yes?.line ?? null,
      noLine: price?.no?.line ?? null,
      open: true,
      minMinor: 100,
      maxMinor: 500_000,
      end: null,
    })),
    result: null,
    ...change,
  };
}
const tableAnswer = (code: TableCode, round: CardRound) => ({
  code,
  name: RULES[code].name,
  url: RULES[code].route,
  matchId: 77,
  videoInfo: { mid: '', url: null },
  topTenResult: Array.from({ length: 12 }, (_, at) => ({
    mid: `r${at}`,
    type: code,
    roundNo: 100 - at,
    win: '1',
    badge: 'AB'[at % 2]!,
    text: `Player ${'AB'[at % 2]} wins`,
    createdAt: new Date(NOW - at * 60_000).toISOString(),
  })),
  profitLoss: {},
  now: Date.now(),
  round,
});

describe('fairness in the browser', () => {
  it('repeats the vectors of the book', () => {
    const serverSeed = '736f8b5da725b7ed7f5d6f5656330336eb8fe413d66a357a86727cfebc65e2c6';
    expect(commitOf(serverSeed)).toBe('340af8ac6142f61406a6e25919b316d87d7cca8443d22bf501e55ab359028bb3');
    const stream = createStream({ serverSeed, clientSeed: 'player-one', nonce: 0 });
    expect([1, 2, 3, 4].map(() => stream.uint32())).toEqual([480653463, 3526566360, 1006078675, 2739837231]);
    expect(commitOf('e86681d4300a88be7df679f3099dd3ed44250bc1318facb3fa28d178e10aa828')).toBe(
      '7c28b04b720a76a5e88eb37d404848ec1b19836782046a2f2bd0a8fd802d13f4',
    );
    expect(commitOf('dacec137e866aaba12896a41cf46b5d97df894b053e76d6a7453cf9b9974272f')).toBe(
      '915f0e401d9f84637ee0dd2118c2e35b20a5ce1c01786b2cdebbfb6c939ddd90',
    );
  });

  it('deals a finished round again and finds every change', async () => {
    const round = roundOf('teen20', 11);
    // The worked example of the book: nonce 11, Player B.
    expect(round.cards.map(({ code }) => code)).toEqual(['2DD', '4SS', 'JCC', '4DD', '6DD', 'JHH']);
    expect(await checkRound('teen20', round, '3')).toMatchObject({
      ok: true,
      commitHolds: true,
      cardsHold: true,
      resultHolds: true,
    });
    expect(await checkRound('teen20', round, '1')).toMatchObject({ ok: false, resultHolds: false });
    expect(await checkRound('teen20', { ...round, nonce: 12 }, '3')).toMatchObject({ ok: false, cardsHold: false });
    expect(await checkRound('teen20', { ...round, commit: '0'.repeat(64) }, '3')).toMatchObject({
      ok: false,
      commitHolds: false,
    });
    expect(await checkRound('teen20', { ...round, serverSeed: null }, '3')).toBeNull();
  });

  it('holds a round against the hash it was shown while bets were open', async () => {
    const round = roundOf('teen20', 11, { mid: 'seen-1' });
    expect((await checkRound('teen20', round, '3'))?.sameAsSeen).toBeNull();
    rememberCommit({ ...round, phase: 'OPEN' });
    rememberCommit({ ...round, phase: 'OPEN', commit: 'f'.repeat(64) });
    expect(await checkRound('teen20', round, '3')).toMatchObject({ ok: true, sameAsSeen: true });
    rememberCommit({ mid: 'seen-2', commit: 'f'.repeat(64), phase: 'OPEN' });
    expect(await checkRound('teen20', { ...round, mid: 'seen-2' }, '3')).toMatchObject({
      ok: false,
      sameAsSeen: false,
    });
  });
});

describe('cards and words', () => {
  it('reads the doubled letters of the site', () => {
    expect(['KHH', '10SS', 'ADD', '7CC'].map(shownCard)).toEqual(['KS', '10D', 'AH', '7C']);
    for (const code of ['KHH', '10SS', 'ADD', '7CC', 'QDD', 'AHH']) expect(cardNumber(code)).toBe(parseCard(code));
    expect(cardNumber('1')).toBeNull();
  });

  it('works out hands, notes and winners from the public cards', () => {
    const facts = factsOf(RULES.teen20.game, roundOf('teen20', 11));
    expect(facts.hands.map((hand) => hand.map(({ code }) => code))).toEqual([
      ['2H', 'JC', '6H'],
      ['4D', '4H', 'JS'],
    ]);
    expect(facts.notes[1]).toMatch(/^Pair/);
    expect(facts.result?.winners).toEqual([1]);
  });

  it('draws a face-down card and says nothing of it', () => {
    const round = roundOf('teen20', 11, { phase: 'DEALING' });
    const facts = factsOf(RULES.teen20.game, {
      phase: 'DEALING',
      cards: round.cards.map((card, at) => (at === 5 ? { ...card, code: null } : card)),
    });
    expect(facts.hands[1]!.at(-1)!.code).toBe('back');
    expect(facts.result).toBeNull();
  });

  it('colours the sides of a table, never its other letters', () => {
    expect(toneOf('teen20', 'teenpatti', 'A')).toBe('a');
    expect(toneOf('dt20', 'dragonTiger', 'T')).toBe('b');
    expect(toneOf('dt20', 'dragonTiger', 'TIE')).toBe('t');
    expect(toneOf('baccarat', 'baccarat', 'P')).toBe('a');
    expect(toneOf('race20', 'other', '♠')).toBe('');
  });
});

describe('odds grid', () => {
  it('places every selection of every table exactly once', () => {
    for (const code of Object.keys(RULES) as TableCode[]) {
      const info = describeTable(code);
      const ids = sectionsOf(info).flatMap((section) => {
        if (section.kind === 'pair') return section.rows.flatMap((row) => row.cells.flat());
        if (section.kind === 'matrix') return section.rows.flatMap((row) => row.cells);
        if (section.kind === 'chips') return section.blocks.flatMap((block) => block.cells);
        return section.kind === 'rows' ? section.rows : section.cells;
      });
      expect(new Set(ids.map((one) => one?.id)), code).toEqual(new Set(info.selections.map((one) => one.id)));
      expect(ids.length, code).toBe(info.selections.length);
    }
  });

  it('reads prices, lines and ranges', () => {
    const info = describeTable('race20');
    const total = info.selections.find((one) => one.name === 'Total Point')!;
    const rows = [
      {
        runnerId: 5,
        sel: '5',
        back: 100,
        lay: 100,
        line: 83,
        noLine: 79,
        open: true,
        minMinor: 100,
        maxMinor: 100,
        end: null,
      },
    ];
    expect(quoteOf(rows, 'BACK')).toMatchObject({ line: 83, price: 100 });
    expect(quoteOf(rows, 'LAY')).toMatchObject({ line: 79, price: 100 });
    expect(cellText(total, quoteOf(rows, 'LAY')!)).toEqual({ price: '79', under: '100' });
    const plus = describeTable('teen20').selections.find((one) => one.name === 'Pair Plus A')!;
    expect(cellText(plus, { runnerId: 2, price: 200, line: null, open: true, minMinor: 1, maxMinor: 1 }).price).toBe(
      '1\u201345',
    );
    const tie = describeTable('baccarat').selections.find((one) => one.name === 'Tie')!;
    expect(cellText(tie, { runnerId: 3, price: 900, line: null, open: true, minMinor: 1, maxMinor: 1 }).price).toBe(
      '8 : 1',
    );
  });

  it('tells what a bet may bring and cost', () => {
    const sums = (code: TableCode, name: string, bet: Parameters<typeof sumsOf>[3], stakeMinor: number) => {
      const selection = describeTable(code).selections.find((one) => one.name === name)!;
      return sumsOf(rules, RULES[code].game, selection, bet, stakeMinor);
    };
    expect(sums('cmeter', 'Low', { side: 'BACK', price: 215 }, 100)).toEqual({
      profitMinor: 5750,
      liabilityMinor: 5000,
      upTo: true,
    });
    expect(sums('worli', 'SP All', { side: 'BACK', price: 14_300 }, 100)).toEqual({
      profitMinor: 2300,
      liabilityMinor: 12_000,
      upTo: false,
    });
    expect(sums('3cardj', 'No', { side: 'LAY', price: 184, pick: [1, 2, 3] }, 10_000)).toEqual({
      profitMinor: 10_000,
      liabilityMinor: 8400,
      upTo: false,
    });
    expect(sums('race20', 'Total Card', { side: 'LAY', price: 105, line: 13 }, 10_000)).toMatchObject({
      profitMinor: 10_000,
      liabilityMinor: 10_500,
    });
    expect(sums('race20', 'Total Card', { side: 'BACK', price: 94, line: 13 }, 10_000)).toMatchObject({
      profitMinor: 9400,
      liabilityMinor: 10_000,
    });
    expect(sums('baccarat', 'Banker', { side: 'BACK', price: 200 }, 10_000)).toMatchObject({ profitMinor: 10_000 });
  });
});

describe('roads', () => {
  const of = (text: string): Side[] => text.split('').map((letter) => ({ P: 'a', B: 'b', T: 't' })[letter] as Side);

  it('fills the bead plate by columns of six and drops the oldest column', () => {
    expect(beadPlate(of('PBTPBTP'), 10).at(-1)).toMatchObject({ column: 1, row: 0, side: 'a' });
    expect(beadPlate(of('P'.repeat(61)), 10)).toHaveLength(55);
  });

  it('starts a column at each change and strikes ties through the mark before', () => {
    expect(bigRoad(of('TPPTTBP')).map(({ column, row, side, ties }) => [column, row, side, ties])).toEqual([
      [0, 0, 'a', 0],
      [0, 1, 'a', 2],
      [1, 0, 'b', 0],
      [2, 0, 'a', 0],
    ]);
  });

  it('turns right at the floor and at a mark of another run, and never draws on a taken place', () => {
    const long = bigRoad(of('P'.repeat(8)));
    expect(long.slice(-3).map(({ column, row }) => [column, row])).toEqual([
      [0, 5],
      [1, 5],
      [2, 5],
    ]);
    const marks = bigRoad(of(`${'P'.repeat(9)}${'B'.repeat(8)}PBBP`));
    expect(new Set(marks.map(({ column, row }) => `${column}.${row}`)).size).toBe(marks.length);
  });

  it('derives red where the road repeats itself and blue where it does not', () => {
    expect(runLengths(of('PPTBPPP'))).toEqual([2, 1, 3]);
    // Columns of 2, 2: the second mark of the second column has a mark beside it: red.
    expect(derivedRoad(of('PPBB'), 1).map(({ side }) => side)).toEqual(['b']);
    // Columns of 1, 2: none beside it, but one above: blue. Then the third column opens after unequal lengths: blue.
    expect(derivedRoad(of('PBBP'), 1).map(({ side }) => side)).toEqual(['a', 'a']);
    // Two empty places beside each other are equal again: red.
    expect(derivedRoad(of('PBBB'), 1).map(({ side }) => side)).toEqual(['a', 'b']);
    expect(derivedRoad(of('PB'), 2)).toEqual([]);
  });
});

const openRound = (change: Partial<CardRound> = {}) =>
  roundOf('teen20', 11, {
    phase: 'OPEN',
    endsAt: Date.now() + 20_000,
    lastsMs: 22_000,
    cards: [],
    serverSeed: null,
    ...change,
  });

describe('table', () => {
  const image = (n: number, round: CardRound) =>
    act(async () => {
      line.send('/card', 'cardDatateen20', {
        n,
        now: Date.now(),
        round,
        topTenResult: tableAnswer('teen20', round).topTenResult,
      });
    });
  const open = async (round = openRound()) => {
    answers['/match/card'] = tableAnswer('teen20', round);
    await show('/teen20', Table);
    await settle();
  };

  it('[CAS-13] shows at most ten results, newest first, each a way to its round', async () => {
    await open();
    const marks = within(document.querySelector<HTMLElement>('.pt__foot')!).getAllByRole('button');
    expect(marks).toHaveLength(10);
    expect(marks[0]!.getAttribute('aria-label')).toBe('Round 100: Player A wins');
    expect(marks[0]!.className).toContain('is-new');
  });

  it('[CAS-15] [BET-09] offers the stakes of the Casino buttons and places through bet/cardBetting', async () => {
    await open();
    fireEvent.click(screen.getByRole('button', { name: /^Back Player A at 1\.98/ }));
    await settle();
    const stakes = within(screen.getByRole('group', { name: 'Stake buttons' })).getAllByRole('button');
    expect(stakes.map((button) => button.textContent)).toEqual(['25', 'fifty', '1k']);
    fireEvent.click(stakes[0]!);
    fireEvent.click(screen.getByRole('button', { name: 'Place back 25' }));
    expect(placed).toEqual([]);
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Confirm back 25' })));
    expect(placed).toHaveLength(1);
    expect(placed[0]).toMatchObject({
      betId: 500,
      matchId: 77,
      runnerId: 1,
      bettingType: 'BACK',
      odd: 198,
      stake: 2500,
      window: 1,
    });
    expect(placed[0]!.key).toMatch(/^[0-9a-f]{32}$/);
    expect(placed[0]).not.toHaveProperty('marketVersion');
  });

  it('[SOC-07] follows its socket, covers prices while bets are closed, and lets an old draft go', async () => {
    await open();
    fireEvent.click(screen.getByRole('button', { name: /^Back Player A at/ }));
    await image(1, openRound({ phase: 'LOCKED', endsAt: Date.now() + 3000, lastsMs: 3000 }));
    expect(screen.getAllByText('Bets are closed').length).toBeGreaterThan(0);
    expect(screen.getByRole('button', { name: /^Back Player A at/ }).getAttribute('aria-disabled')).toBe('true');
    await image(2, roundOf('teen20', 11));
    expect(screen.getAllByText(/Player B wins/).length).toBeGreaterThan(0);
    expect(screen.getByLabelText(/^Player B: 4 of diamonds, 4 of hearts, Jack of spades. Pair.*. Winner/)).toBeTruthy();
    await image(3, openRound({ mid: 'teen20-2', betId: 501, roundNo: 2 }));
    expect(screen.getByText('No selection')).toBeTruthy();
  });

  it('takes a word for the next round, and keeps the form and the word through every phase', async () => {
    await open();
    answers['/card/clientSeed'] = { seed: 'x', roundNo: 2 };
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: /^Your own word in the next round/ });
    const help = () => document.getElementById(field.getAttribute('aria-describedby')!)!.textContent;
    const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
    expect(help()).toMatch(/^Optional/);
    fireEvent.change(field, { target: { value: ' my word ' } });
    fireEvent.click(button('Put my word in'));
    await settle();
    expect(placed).toEqual([{ type: 'teen20', mid: openRound().mid, seed: 'my word' }]);
    expect(help()).toBe('It is in, and shown here with round 2.');
    await image(1, openRound({ phase: 'LOCKED', endsAt: Date.now() + 3000, lastsMs: 3000 }));
    expect(button('Change my word').disabled).toBe(false);
    expect(screen.getByText('Seed, published when the round ends')).toBeTruthy();
    await image(2, openRound({ mid: 'teen20-2', betId: 501, roundNo: 2, words: ['my word', 'luck'] }));
    expect(screen.getByRole('textbox', { name: /^Your own word/ })).toBe(field);
    expect(field.value).toBe(' my word ');
    expect(help()).toBe('In this round\u2019s public seed: my word, luck');
    expect(button('Put my word in').disabled).toBe(false);
  });

  it('asks before a price that moved is taken', async () => {
    await open();
    fireEvent.click(screen.getByRole('button', { name: /^Back Player A at/ }));
    await settle();
    const moved = openRound({ window: 2 });
    moved.odds = moved.odds.map((row) => (row.runnerId === 1 ? { ...row, back: 150 } : row));
    await image(1, moved);
    fireEvent.click(screen.getByRole('button', { name: '25' }));
    expect(screen.getByText(/The price moved/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Place back 25' })).toHaveProperty('disabled', true);
    fireEvent.click(screen.getByRole('button', { name: 'Accept' }));
    fireEvent.click(screen.getByRole('button', { name: 'Place back 25' }));
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Confirm back 25' })));
    expect(placed[0]).toMatchObject({ odd: 150, window: 2 });
  });

  it('[PP-14] sets off a result only when the round brought more than it cost', async () => {
    const bet = {
      id: 1,
      betId: 500,
      runnerId: 1,
      betType: 'BACK',
      kind: 'card',
      amount: 500,
      matched: 500,
      odds: 198,
      line: null,
      noLine: null,
      teamName: 'Player A',
      bettingName: '',
      result: 'LOSS',
      profitLoss: -500,
      deleteReason: null,
    };
    answers['/bet'] = { rows: [bet], total: 1, page: 1, limit: 100, totals: { stake: 500, profitLoss: -500 } };
    await open(roundOf('teen20', 11));
    expect(document.querySelector('.own-net')?.textContent).toContain('\u22125.00');
    expect(document.querySelector('.own-net.is-up')).toBeNull();
    expect(document.querySelector('[class*="confetti"], [class*="celebrat"], audio')).toBeNull();
  });
});

describe('socket of the tables', () => {
  const message = (n: number, roundNo: number) => ({
    n,
    now: Date.now() + 5000,
    round: roundOf('teen20', 11, { roundNo }),
    topTenResult: [],
  });

  it('replaces the whole image, and joins again on a gap', async () => {
    const stop = watchTable('teen20');
    await vi.waitFor(() => expect(line.emitted('joinTable')).toHaveLength(1));
    takeImage('teen20', message(1, 1));
    takeImage('teen20', message(2, 2));
    expect(liveTable()?.round.roundNo).toBe(2);
    takeImage('teen20', message(2, 9));
    expect(liveTable()?.round.roundNo).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 300));
    takeImage('teen20', message(5, 5));
    expect(liveTable()?.round.roundNo).toBe(5);
    expect(line.emitted('joinTable')).toHaveLength(2);
    // The answer to the joining starts at one again.
    takeImage('teen20', message(1, 6));
    takeImage('teen20', message(2, 7));
    expect(liveTable()?.round.roundNo).toBe(7);
    expect(line.emitted('joinTable')).toHaveLength(2);
    takeImage('teen', message(9, 99));
    expect(liveTable()?.round.roundNo).toBe(7);
    stop();
    expect(liveTable()).toBeNull();
    expect(line.sent.at(-1)).toMatchObject({ event: 'leaveTable', value: {} });
  });

  it("counts by the server's clock", () => {
    const stop = watchTable('teen20');
    takeImage('teen20', message(1, 1));
    expect(Math.abs(serverNow() - Date.now() - 5000)).toBeLessThan(1000);
    stop();
  });
});

describe('calls of the tables', () => {
  it('[REP-06] [REP-19] asks the card report by pages of fifteen and a round by its id', async () => {
    expect(CALLS.casino.report.path).toBe('/card/report/:type');
    expect(CALLS.casino.resultDetail.path).toBe('/card/result/detail');
    const asked: string[] = [];
    const before = globalThis.fetch;
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
      asked.push(url);
      return before(url, init);
    });
    const round = roundOf('teen20', 11);
    answers['/match/card'] = tableAnswer('teen20', round);
    answers['/card/report/teen20'] = { rows: tableAnswer('teen20', round).topTenResult, total: 40, page: 1, limit: 15 };
    answers['/card/result/detail'] = { result: { ...tableAnswer('teen20', round).topTenResult[0]!, win: '3' }, round };
    await show('/teen20', Table);
    await settle();
    fireEvent.click(await screen.findByRole('button', { name: 'Rounds of this table' }, { timeout: 10_000 }));
    await vi.waitFor(
      () => expect(document.querySelector('dialog')?.textContent).toContain('1 to 15 of 40 entries'),
      10_000,
    );
    const report = asked
      .map((url) => new URL(url, 'http://site'))
      .find(({ pathname }) => pathname.endsWith('/card/report/teen20'));
    expect(Object.fromEntries(report!.searchParams)).toEqual({ page: '1', limit: '15' });
    fireEvent.change(screen.getByLabelText('Search for'), { target: { value: 'trail' } });
    fireEvent.click(screen.getByRole('button', { name: 'Search' }));
    await settle();
    expect(asked.some((url) => /searchBy=result/.test(url) && /keyword=trail/.test(url))).toBe(true);
    fireEvent.click(
      screen.getAllByRole('button', { name: /Player A wins/ }).find((button) => button.className === 'link')!,
    );
    fireEvent.click(await screen.findByRole('button', { name: 'Verify in this browser' }, { timeout: 10_000 }));
    await screen.findByText('This round was dealt as promised.', undefined, { timeout: 10_000 });
    expect(asked.some((url) => url.includes('/card/result/detail?mid='))).toBe(true);
  });
});

// Last of all: a clock that stood still leaves the drawing of later tests waiting.
describe('countdown', () => {
  it('speaks at ten and five seconds, not in between', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    answers['/match/card'] = tableAnswer('teen20', openRound({ endsAt: Date.now() + 15_000, lastsMs: 22_000 }));
    await show('/teen20', Table);
    const spoken: string[] = [];
    for (let second = 0; second < 14; second++) {
      await act(() => vi.advanceTimersByTimeAsync(1000));
      const text = document.querySelector('.sr [aria-live="polite"]')?.textContent ?? '';
      if (text !== (spoken.at(-1) ?? '')) spoken.push(text);
    }
    expect(spoken.filter((text) => /seconds left/.test(text))).toEqual([
      '10 seconds left to bet.',
      '5 seconds left to bet.',
    ]);
  });
});
