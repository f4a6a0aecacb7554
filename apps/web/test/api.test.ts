import { CALLS, TIME } from '@fairgame/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, addressOf, api } from '../src/api/api.ts';
import { HOSTS, joinUrl } from '../src/api/hosts.ts';
import { clearToasts, toastLog } from '../src/platform/toasts.ts';
import { endSession, endSessionBy, readSession, startSession, takeEndReason } from '../src/session/session.ts';
import { signedIn } from './player.ts';

interface Sent {
  url: string;
  init: RequestInit;
  answer: (status: number, body: unknown) => void;
}
let sent: Sent[] = [];

beforeEach(() => {
  sent = [];
  clearToasts();
  signedIn({ token: 'token-of-the-tab', userId: 101 });
  vi.stubGlobal(
    'fetch',
    (url: string, init: RequestInit) =>
      new Promise<Response>((resolve, reject) => {
        init.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
        sent.push({ url, init, answer: (status, body) => resolve(new Response(JSON.stringify(body), { status })) });
      }),
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const profile = () => api(CALLS.account.profile, {});
const place = (key: string) =>
  api(CALLS.bets.place, {
    body: { key, betId: 1, matchId: 2, runnerId: 3, bettingType: 'BACK', odd: 200, stake: 500 },
  });

describe('calls', () => {
  it('[API-01] [API-02] [API-03] [OPN-28] sends no-cache, JSON and the token of session storage', () => {
    void profile().catch(() => null);
    expect(sent[0]!.init.headers).toEqual({
      'Cache-Control': 'no-cache',
      'Content-Type': 'application/json',
      Authorization: 'Bearer token-of-the-tab',
    });
  });

  it('[API-04] [OPN-66] gives up after 100000 ms and not before, rejecting with 0', async () => {
    vi.useFakeTimers();
    const failed = profile().catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(TIME.requestTimeoutMs - 1);
    expect(sent[0]!.init.signal!.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    const error = (await failed) as ApiError;
    expect([error.status, error.code, error.unknown]).toEqual([0, 'TIMEOUT', true]);
  });

  it('[OPN-66] a network that is gone rejects with 0 too, and one plain message is shown', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    const error = (await profile().catch((reason: unknown) => reason)) as ApiError;
    expect([error.status, error.code, error.unknown]).toEqual([0, 'NETWORK', true]);
    expect(toastLog().map((toast) => [toast.kind, toast.text])).toEqual([
      ['error', 'No answer from the server. Check your connection.'],
    ]);
  });

  it('[API-05] [CAR-02] a read with the same address cancels the earlier one, and both callers get the newer answer', async () => {
    const first = profile();
    const second = profile();
    expect(sent[0]!.init.signal!.aborted).toBe(true);
    sent[1]!.answer(200, { statusCode: 200, data: { userName: 'anna' } });
    expect(await first).toEqual({ userName: 'anna' });
    expect(await second).toEqual({ userName: 'anna' });
  });

  it('[CAR-01] two bets at once are two requests, neither of them cancelled; the same key joins the one on its way', async () => {
    const one = place('0123456789abcdef-1');
    const other = place('0123456789abcdef-2');
    const twin = place('0123456789abcdef-1');
    expect(sent).toHaveLength(2);
    expect(sent.map((request) => request.init.signal!.aborted)).toEqual([false, false]);
    sent[0]!.answer(200, { statusCode: 200, data: { bet: 1 } });
    sent[1]!.answer(200, { statusCode: 200, data: { bet: 2 } });
    expect(await Promise.all([one, other, twin])).toEqual([{ bet: 1 }, { bet: 2 }, { bet: 1 }]);
  });

  it('[API-06] [API-08] unwraps to the data and shows no toast on a read', async () => {
    const answer = profile();
    sent[0]!.answer(200, { statusCode: 200, message: 'here you are', data: { userName: 'anna' } });
    expect(await answer).toEqual({ userName: 'anna' });
    expect(toastLog()).toEqual([]);
  });

  it('[API-07] shows the message of a successful change as a toast', async () => {
    const answer = place('0123456789abcdef-3');
    sent[0]!.answer(200, { statusCode: 200, message: 'Bet placed', data: {} });
    await answer;
    expect(toastLog().map((toast) => [toast.kind, toast.text])).toEqual([['success', 'Bet placed']]);
  });

  it('[CAR-20] shows no toast for a read made by POST', async () => {
    const answers = [api(CALLS.bets.profitLoss, { body: { level: 'sport' } }), api(CALLS.provider.games, {})];
    expect(sent.map(({ init }) => init.method)).toEqual(['POST', 'POST']);
    for (const one of sent) one.answer(200, { statusCode: 200, message: 'read', data: {} });
    await Promise.all(answers);
    expect(toastLog()).toEqual([]);
  });

  it.each([500, 403, 404, 400, 409, 429])(
    '[API-09] [ERR-07] rejects with the status %i and shows the message',
    async (status) => {
      const failed = profile().catch((error: unknown) => error);
      sent[0]!.answer(status, {
        statusCode: status,
        code: 'BAD_INPUT',
        message: `Refused with ${status}`,
        field: 'stake',
      });
      const error = (await failed) as ApiError;
      expect(error).toBeInstanceOf(ApiError);
      expect([error.status, error.field]).toEqual([status, 'stake']);
      expect(toastLog().map((toast) => [toast.kind, toast.text])).toEqual([['error', `Refused with ${status}`]]);
    },
  );

  it('[ERR-05] [AUT-08] a 401 clears the session', async () => {
    const failed = profile().catch((error: unknown) => error);
    sent[0]!.answer(401, { statusCode: 401, code: 'SESSION_ENDED', message: 'Your session has ended.' });
    await failed;
    expect(readSession()).toBeNull();
    expect(sessionStorage.getItem('jwtMaxUser')).toBeNull();
  });

  it('[CAR-11] a 401 on the logout call itself ends there', async () => {
    const failed = api(CALLS.auth.logout, {}, { quiet: true }).catch((error: unknown) => error);
    sent[0]!.answer(401, { statusCode: 401, code: 'SESSION_ENDED', message: 'over' });
    expect(((await failed) as ApiError).status).toBe(401);
    expect(readSession()?.token).toBe('token-of-the-tab');
  });

  it('[CAR-09] a 401 of a call that outlived its token is no news: the new session stays', async () => {
    const old = profile().catch((error: unknown) => error);
    const proof = api(CALLS.auth.verify, { body: { authToken: '123456' } }, { quiet: true });
    sent[0]!.answer(401, { statusCode: 401, code: 'SESSION_ENDED', message: 'Over.' });
    expect(await old).toMatchObject({ status: 401 });
    expect(readSession()?.token).toBe('token-of-the-tab');
    sent[1]!.answer(200, { statusCode: 200, data: 'the-new-token' });
    startSession({ ...readSession()!, token: await proof });
    const late = profile().catch((error: unknown) => error);
    startSession({ ...readSession()!, token: 'a-third-token' });
    sent[2]!.answer(401, { statusCode: 401, code: 'SESSION_ENDED', message: 'Over.' });
    await late;
    expect(readSession()?.token).toBe('a-third-token');
    const now = profile().catch((error: unknown) => error);
    sent[3]!.answer(401, { statusCode: 401, code: 'SESSION_ENDED', message: 'Over.' });
    await now;
    expect(readSession()).toBeNull();
  });

  it('[ERR-06] a cancelled call is only logged', async () => {
    const info = vi.spyOn(console, 'info').mockImplementation(() => undefined);
    const controller = new AbortController();
    const failed = api(CALLS.account.profile, {}, { signal: controller.signal }).catch((error: unknown) => error);
    controller.abort();
    expect(((await failed) as ApiError).code).toBe('CANCELED');
    expect(info).toHaveBeenCalledWith('canceled: user.profile');
    expect(toastLog()).toEqual([]);
    info.mockRestore();
  });

  it('[OPN-27] joins base and path with exactly one slash', () => {
    for (const base of ['https://host', 'https://host/', 'https://host//'])
      for (const path of ['auth/login', '/auth/login']) expect(joinUrl(base, path)).toBe('https://host/api/auth/login');
  });

  it('[CFG-06] [OPN-44] has a development and a live base for each of the four services', () => {
    // Where the environment says nothing no host is known, by any name: all are the page's own server.
    for (const stage of [HOSTS.development, HOSTS.live])
      expect(stage).toEqual({ api: '', card: '', expert: '', thirdParty: '' });
  });

  it('[API-41] leaves out what is not there: bEventId only when there is one', () => {
    const address = (bEventId?: string) =>
      addressOf(
        CALLS.catalog.iframeUrl,
        { id: '5' },
        { sportType: 'cricket', isTv: 'true', isScore: 'true', bEventId },
      );
    expect(address()).toBe('/api/getIframeUrl/5?isScore=true&isTv=true&sportType=cricket');
    expect(address('34')).toBe('/api/getIframeUrl/5?bEventId=34&isScore=true&isTv=true&sportType=cricket');
  });
});

describe('a call that ends the session by succeeding', () => {
  it('[PWD-05] tells its own reason, though another reading is answered 401 before it', async () => {
    await endSessionBy('passwordChanged', async () => {
      endSession('ended');
      expect(readSession()?.token).toBe('token-of-the-tab');
    });
    expect(readSession()).toBeNull();
    expect(takeEndReason()).toBe('passwordChanged');
  });

  it('that fails keeps the session, unless something else ended it meanwhile', async () => {
    const fails = () => Promise.reject(new Error('no'));
    await expect(endSessionBy('passwordChanged', fails)).rejects.toThrow('no');
    expect(readSession()?.token).toBe('token-of-the-tab');
    const ends = () => {
      endSession('forced');
      return fails();
    };
    await expect(endSessionBy('passwordChanged', ends)).rejects.toThrow('no');
    expect(readSession()).toBeNull();
    expect(takeEndReason()).toBe('forced');
  });
});
