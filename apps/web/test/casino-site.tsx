import {
  describe as describeTable,
  finish,
  newRound,
  TABLES as RULES,
  recordOf,
  type TableCode,
} from '@fairgame/casino';
import type { CardRound, CardTile } from '@fairgame/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { queryClient } from '../src/api/queries.ts';
import { setTablePrefs } from '../src/features/casino/table-prefs.ts';
import { LOBBY_TABLES } from '../src/features/casino/tables.ts';
import { forgetPlayer } from '../src/platform/per-player.ts';
import { LiveRegion } from '../src/ui/live-region.tsx';
import { RailOutlet, RailProvider } from '../src/ui/rail.tsx';
import { line } from './fake-line.ts';
import { createMemoryRouter, RouterProvider } from './memory-router.ts';
import { signedIn } from './player.ts';
import { settle } from './settle.ts';

/**
 * A casino for the client's tests: readings by path, what was posted, a round of the book's worked example. The file that uses
 * it has the line mocked: vi.mock('socket.io-client', async () => (await import('./fake-line.ts')).socketIo).
 */
export const NOW = Date.now();
export const tile = (code: string, more: Partial<CardTile> = {}): CardTile => {
  const table = LOBBY_TABLES.find((one) => one.code === code)!;
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

type Json = Record<string, unknown>;
export const site = {
  /** Bodies of what was posted, in order. */
  placed: [] as Json[],
  /** Readings by path. */
  answers: {} as Json,
  /** Tables by code, where more than one is read; else the one of `answers`. */
  tables: {} as Record<string, ReturnType<typeof tableAnswer>>,
  /** How a bet is answered; undefined: it is taken. */
  onBet: undefined as ((body: Json) => Response | Promise<Response> | undefined) | undefined,
};
const POSTS = ['/bet/cardBetting', '/user/favourites', '/card/clientSeed', '/bet/key/settle'];
export const json = (data: unknown, status = 200): Response =>
  new Response(JSON.stringify(status === 200 ? { statusCode: 200, data } : { statusCode: status, ...(data as Json) }), {
    status,
  });
let bets = 0;
/** The answer to a bet that was taken. */
export function taken(body: Json): Json {
  bets += 1;
  const { stake, odd, runnerId, betId } = body as { stake: number; odd: number; runnerId: number; betId: number };
  return {
    bet: { id: bets, betId, runnerId, amount: stake, matched: stake, odds: odd },
    wallet: { currentBalance: 1_000_000, exposure: stake, profitLoss: 0, version: 100 + bets },
  };
}

/** Sets a casino up before each test of the file, and clears it away. */
export function casinoSite(): typeof site {
  beforeEach(() => {
    site.placed = [];
    site.onBet = undefined;
    site.tables = {};
    line.reset();
    // A table that is joined answers with its image, as it stands in the reading.
    line.onEmit = (_path, event, value) => {
      if (event !== 'joinTable') return;
      const asked = (value as { code: string }).code;
      const table = site.tables[asked] ?? (site.answers['/match/card'] as ReturnType<typeof tableAnswer> | undefined);
      if (table?.code !== asked) return;
      const { code, now, round, topTenResult } = table;
      line.send('/card', `cardData${code}`, { n: 1, now, round, topTenResult });
    };
    queryClient.clear();
    signedIn({ userId: 101 });
    site.answers = {
      '/card/tiles': LOBBY_TABLES.map(({ code }) => tile(code)),
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
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      const { pathname, searchParams } = new URL(url, 'http://site');
      const path = pathname.slice(4);
      const body = POSTS.includes(path) && init.method === 'POST' ? (JSON.parse(init.body as string) as Json) : null;
      if (body) site.placed.push(body);
      if (body && path === '/bet/cardBetting') {
        const answer = await site.onBet?.(body);
        return answer ?? json(taken(body));
      }
      const read = path === '/match/card' ? site.tables[searchParams.get('type') ?? ''] : undefined;
      const data = read ?? site.answers[path] ?? null;
      return data === null ? json({ code: 'NOT_FOUND', message: 'Not Found' }, 404) : json(data);
    });
  });
  afterEach(() => {
    // Taken off the page first: what is on it would ask again when it is forgotten.
    cleanup();
    forgetPlayer();
    setTablePrefs({ asks: false, sound: false, atOnce: false });
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
  return site;
}

export async function show(path: string, Component: () => React.JSX.Element | null) {
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

/** An image of a table by its line. */
export const image = (code: TableCode, n: number, round: CardRound): Promise<void> =>
  act(async () => {
    line.send('/card', `cardData${code}`, {
      n,
      now: Date.now(),
      round,
      topTenResult: tableAnswer(code, round).topTenResult,
    });
  });

export const SEED = '6f71d4e14ed4fd44550501774c1500ea3e8f64eba26e4a78c60674576674e558';
/** A round of the book's worked example, in the phase and with the cards asked for. */
export function roundOf(code: TableCode, nonce: number, change: Partial<CardRound> = {}): CardRound {
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
export const tableAnswer = (code: TableCode, round: CardRound, matchId = 77) => ({
  code,
  name: RULES[code].name,
  url: RULES[code].route,
  matchId,
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

export const openRound = (change: Partial<CardRound> = {}, code: TableCode = 'teen20') =>
  roundOf(code, 11, {
    phase: 'OPEN',
    endsAt: Date.now() + 20_000,
    lastsMs: 22_000,
    cards: [],
    serverSeed: null,
    ...change,
  });
