import { CALLS } from '@fairgame/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient, useCall } from '../src/api/queries.ts';
import { BET_READINGS, refresh, refreshAfterEvent } from '../src/api/refresh.ts';
import { joinMatchRoom, openMainSocket } from '../src/live/main-socket.ts';
import { wallet } from '../src/live/wallet.ts';
import { forgetPlayer } from '../src/platform/per-player.ts';
import { line } from './fake-line.ts';
import { signedIn } from './player.ts';

vi.mock('socket.io-client', async () => (await import('./fake-line.ts')).socketIo);

/** Every reading with its moment, and whether it was broken off. */
let asked: Array<{ path: string; at: number; aborted: boolean }> = [];
let answerMs = 0;
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const of = (path: string) => asked.filter((one) => one.path === path);

beforeEach(() => {
  vi.useFakeTimers();
  line.reset();
  asked = [];
  answerMs = 0;
  signedIn();
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const one = { path: new URL(url, 'http://site').pathname.slice(4), at: performance.now(), aborted: false };
    asked.push(one);
    return new Promise<Response>((resolve, reject) => {
      init.signal?.addEventListener('abort', () => {
        one.aborted = true;
        reject(new DOMException('aborted', 'AbortError'));
      });
      setTimeout(() => resolve(new Response('{"statusCode":200,"data":{}}')), answerMs);
    });
  });
});
afterEach(() => {
  forgetPlayer();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function Readings() {
  useCall(CALLS.bets.list, { query: { limit: '100' } });
  useCall(CALLS.account.profile, {});
  useCall(CALLS.protection.status, {});
  useCall(CALLS.catalog.list, { query: {} });
  return null;
}
async function onScreen() {
  render(
    <QueryClientProvider client={queryClient}>
      <Readings />
    </QueryClientProvider>,
  );
  await pass(100);
  asked = [];
}

describe('reading again', () => {
  it('is one reading for all that happens in one moment, of what is on the screen alone', async () => {
    await onScreen();
    for (let n = 0; n < 9; n++) refreshAfterEvent(BET_READINGS);
    refresh(CALLS.bets.list, CALLS.bets.myMarket);
    await pass(5000);
    expect(asked.map(({ path }) => path)).toEqual(['/bet']);
  });

  it('never breaks off one on its way: that one is read once more after it', async () => {
    await onScreen();
    answerMs = 1000;
    refresh(CALLS.bets.list);
    await pass(200);
    refresh(CALLS.bets.list);
    refreshAfterEvent(BET_READINGS);
    await pass(5000);
    expect(of('/bet').map(({ aborted }) => aborted)).toEqual([false, false]);
    expect(of('/bet')[1]!.at - of('/bet')[0]!.at).toBeGreaterThanOrEqual(1000);
  });

  it('of what events bring again and again keeps its distance, and the last event is never lost', async () => {
    await onScreen();
    for (let n = 0; n < 100; n++) {
      refreshAfterEvent([CALLS.account.profile, CALLS.protection.status, ...BET_READINGS]);
      await pass(100);
    }
    await pass(5000);
    expect(of('/user/profile').length).toBeLessThanOrEqual(5);
    expect(of('/bet').length).toBeLessThanOrEqual(27);
    const last = of('/bet').at(-1)!.at;
    expect(last).toBeGreaterThanOrEqual(performance.now() - 5600);
    // What the player does himself does not wait for that.
    const before = of('/user/profile').length;
    refresh(CALLS.account.profile);
    await pass(100);
    expect(of('/user/profile')).toHaveLength(before + 1);
  });

  it('waits until a hidden tab is looked at', async () => {
    await onScreen();
    const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    refresh(CALLS.bets.list);
    await pass(60_000);
    expect(of('/bet')).toHaveLength(0);
    state.mockReturnValue('visible');
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(100);
    expect(of('/bet')).toHaveLength(1);
  });
});

describe('private events', () => {
  async function online() {
    await onScreen();
    const close = openMainSocket();
    await pass(3000);
    asked = [];
    return close;
  }

  it('the first connection reads again what was read before it was there', async () => {
    await onScreen();
    const close = openMainSocket();
    await pass(3000);
    expect(of('/bet')).toHaveLength(1);
    expect(of('/user/profile')).toHaveLength(1);
    close();
  });

  it('[SOC-19] many tabs that hear of a new match read their lists spread over seconds', async () => {
    const times: number[] = [];
    const close = await online();
    for (let tab = 0; tab < 40; tab++) {
      asked = [];
      const begin = performance.now();
      line.send('/', 'addMatch', { n: 0, matchIds: [1] });
      await pass(8000);
      expect(of('/match/list')).toHaveLength(1);
      times.push(Math.floor((of('/match/list')[0]!.at - begin) / 1000));
    }
    expect(new Set(times).size).toBeGreaterThanOrEqual(4);
    close();
  });

  it("[SOC-10] [SOC-11] a result for everyone is read for by those who look at the match, and by nobody else's tab", async () => {
    const close = await online();
    line.send('/', 'matchResultDeclareAllUser', { n: 0, matchId: 5, betId: 1 });
    await pass(10_000);
    expect(asked).toEqual([]);
    const leave = joinMatchRoom(5);
    for (const [at, event] of ['matchResultDeclareAllUser', 'matchResultUnDeclareAllUser'].entries()) {
      line.send('/', event, { n: 0, matchId: 5, betId: 1 });
      await pass(10_000);
      expect(of('/bet')).toHaveLength(at + 1);
    }
    leave();
    close();
  });

  it.each([
    'userMatchBetPlaced',
    'userSessionBetPlaced',
    'userCardBetPlaced',
    'cardResult',
    'matchResult',
    'matchResultUnDeclare',
    'matchDeleteBet',
    'sessionDeleteBet',
    'sessionResult',
    'sessionNoResult',
    'sessionResultUnDeclare',
  ] as const)(
    '[SOC-04] [SOC-05] [SOC-06] [SOC-07] [SOC-08] [SOC-09] [SOC-12] [SOC-13] [SOC-14] [SOC-15] [SOC-16] [CAS-14] [RAC-05] %s reads the bets on the screen again and takes its balance',
    async (event) => {
      const close = await online();
      const money = { currentBalance: 7_700, exposure: 300, available: 7_400, walletVersion: 9 };
      line.send('/', event, { n: 1, matchId: 5, betId: 1, betType: 'odds', ...money, text: 'Told.', bets: [] });
      await pass(5000);
      expect(of('/bet')).toHaveLength(1);
      expect(asked.map(({ path }) => path)).not.toContain('/match/list');
      expect(wallet()).toMatchObject({ balanceMinor: 7_700, exposureMinor: 300 });
      // The next of them too, and an older balance is not taken.
      line.send('/', event, {
        n: 2,
        matchId: 5,
        betId: 1,
        betType: 'odds',
        currentBalance: 1,
        exposure: 0,
        walletVersion: 8,
      });
      await pass(5000);
      expect(of('/bet')).toHaveLength(2);
      expect(wallet()).toMatchObject({ balanceMinor: 7_700 });
      close();
    },
  );

  it('[SOC-03] [CAR-28] the balance is taken; a gap in the numbers, and a line that came back, read balance and bets again', async () => {
    const close = await online();
    line.send('/', 'updateUserBalance', { n: 1, currentBalance: 5, exposure: 3, walletVersion: 1 });
    await pass(4000);
    expect(wallet()).toMatchObject({ balanceMinor: 5, exposureMinor: 3 });
    asked = [];
    line.send('/', 'updateUserBalance', { n: 4, currentBalance: 6, exposure: 0, walletVersion: 2 });
    await pass(4000);
    expect(of('/bet')).toHaveLength(1);
    expect(of('/user/profile')).toHaveLength(1);
    asked = [];
    line.goodbye();
    await pass(10_000);
    expect(of('/bet')).toHaveLength(1);
    expect(of('/user/profile')).toHaveLength(1);
    close();
  });
});
