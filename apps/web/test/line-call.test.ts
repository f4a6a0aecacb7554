import { CALLS, type LineCall, TIME } from '@fairgame/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { line } from './fake-line.ts';

vi.mock('socket.io-client', async () => (await import('./fake-line.ts')).socketIo);
const { ApiError, api } = await import('../src/api/api.ts');
const { openMainSocket } = await import('../src/live/main-socket.ts');
const { forgetPlayer } = await import('../src/platform/per-player.ts');
const { signedIn } = await import('./player.ts');

const ANSWER = { statusCode: 200, message: 'Bet placed.', data: { bet: { id: 9 } } };
let posted: Array<{ path: string; body: unknown }> = [];
let close: () => void;

// One clock for all: the client remembers when it last had an answer.
beforeAll(() => void vi.useFakeTimers());
afterAll(() => void vi.useRealTimers());
beforeEach(async () => {
  line.reset();
  posted = [];
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    posted.push({ path: new URL(url, 'http://site').pathname, body: init.body && JSON.parse(init.body as string) });
    return Promise.resolve(new Response(JSON.stringify({ statusCode: 200, data: { bet: { id: 7 } } })));
  });
  signedIn({ userId: 101 });
  close = openMainSocket();
  // Past the readings of a new line, and as long as the server keeps a connection.
  await vi.advanceTimersByTimeAsync(TIME.keepAliveMs + 5000);
});
afterEach(() => {
  close();
  forgetPlayer();
  vi.unstubAllGlobals();
});

const body = (n: number) => ({
  key: `0123456789abcdef-${n}`,
  betId: 1,
  matchId: 2,
  runnerId: 3,
  bettingType: 'BACK' as const,
  odd: 200,
  stake: 500,
});
const place = (n: number) => api(CALLS.bets.place, { body: body(n) }, { quiet: true });
const bets = () => posted.filter(({ path }) => path === '/api/placeBet');
const said = () => line.emitted('call') as LineCall[];

describe('a bet over the open line', () => {
  it('goes there when no connection is kept for a request, and as a request while one is', async () => {
    line.onAsk = () => ANSWER;
    expect(await place(1)).toEqual({ bet: { id: 9 } });
    // Nobody has touched the page of this test: that goes along as it does with a request.
    expect(said()).toEqual([{ call: 'bet.place', body: body(1), unattended: true }]);
    expect(bets()).toEqual([]);
    await api(CALLS.account.profile, {}, { quiet: true });
    expect(await place(2)).toEqual({ bet: { id: 7 } });
    expect(bets()).toEqual([{ path: '/api/placeBet', body: body(2) }]);
    await vi.advanceTimersByTimeAsync(TIME.keepAliveMs);
    await place(3);
    expect(said().map((call) => (call.body as { key: string }).key)).toEqual([body(1).key, body(3).key]);
  });

  it('is refused in the words of the call', async () => {
    line.onAsk = () => ({
      statusCode: 409,
      code: 'PRICE_CHANGED',
      message: 'moved',
      field: 'odd',
      current: { price: 210 },
    });
    const error = (await place(1).catch((caught: unknown) => caught)) as InstanceType<typeof ApiError>;
    expect(error).toBeInstanceOf(ApiError);
    expect([error.status, error.code, error.field, error.current, error.unknown]).toEqual([
      409,
      'PRICE_CHANGED',
      'odd',
      { price: 210 },
      false,
    ]);
    expect(bets()).toEqual([]);
  });

  it('is posted under the same key when the line is not there, ends before the answer, or is silent', async () => {
    const done = place(1);
    await vi.advanceTimersByTimeAsync(0);
    expect(said()).toHaveLength(1);
    line.drop();
    await vi.advanceTimersByTimeAsync(0);
    expect(bets().map((one) => one.body)).toEqual([body(1)]);
    expect(await done).toEqual({ bet: { id: 7 } });

    await vi.advanceTimersByTimeAsync(2 * TIME.keepAliveMs);
    posted = [];
    const silent = place(2);
    await vi.advanceTimersByTimeAsync(2400);
    expect(bets()).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(bets().map((one) => one.body)).toEqual([body(2)]);
    await silent;

    line.reachable = false;
    line.drop();
    await vi.advanceTimersByTimeAsync(2 * TIME.keepAliveMs);
    posted = [];
    await place(3);
    expect(bets().map((one) => one.body)).toEqual([body(3)]);
    expect(said()).toHaveLength(2);
  });

  it('is posted where the line is polling, which is no quicker', async () => {
    line.transport = 'polling';
    await place(1);
    expect([said().length, bets().length]).toEqual([0, 1]);
  });

  it('never takes the calls that are not made for it', async () => {
    await api(CALLS.account.saveFavourites, { body: { matchIds: [], tables: [] } }, { quiet: true });
    expect(said()).toEqual([]);
    expect(posted.at(-1)?.path).toBe('/api/user/favourites');
  });
});
