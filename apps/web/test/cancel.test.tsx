import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useCancel } from '../src/betting/cancel.ts';
import { toastLog } from '../src/platform/toasts.ts';
import { clear, serve } from './trading.tsx';

beforeEach(() => serve());
afterEach(clear);

/** As the server says it, with words of its own. */
const answers = (status: number, body: object) =>
  vi.stubGlobal('fetch', () =>
    Promise.resolve(new Response(JSON.stringify({ statusCode: status, ...body }), { status })),
  );
const wallet = { currentBalance: 1000, exposure: 0, available: 1000, version: 2 };
const said = () => toastLog().map(({ kind, text }) => [kind, text]);

describe('cancelling', () => {
  it('says once what was cancelled, of one bet, of all, and of several markets', async () => {
    const { result } = renderHook(() => useCancel());
    answers(200, { message: 'Cancelled.', data: { bet: {}, wallet } });
    await act(() => result.current.cancel(900));
    expect(said()).toEqual([['success', 'Bet cancelled']]);
    answers(200, { message: '2 bets cancelled.', data: { cancelled: 2, wallet } });
    await act(() => result.current.cancelAll([]));
    await act(() => result.current.cancelAll([11, 12, 11]));
    expect(said().slice(0, 2)).toEqual([
      ['success', '4 bets cancelled'],
      ['success', '2 bets cancelled'],
    ]);
    expect(said()).toHaveLength(3);
  });

  it('of several goes on where one was met or ended meanwhile, and stops where nothing can be said', async () => {
    const { result } = renderHook(() => useCancel());
    const asked: number[] = [];
    let last: () => Response | Promise<Response> = () => new Response('{}');
    vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
      const { id } = JSON.parse(body as string) as { id: number };
      asked.push(id);
      if (id === 902)
        return new Response(JSON.stringify({ code: 'BET_NOT_OPEN', message: 'It is over.' }), { status: 409 });
      if (id === 904) return last();
      return new Response(JSON.stringify({ statusCode: 200, data: { bet: {}, wallet } }), { status: 200 });
    });
    await act(() => result.current.cancelEach([901, 902, 903]));
    expect(asked).toEqual([901, 902, 903]);
    expect(said()).toEqual([['success', '2 bets cancelled']]);
    last = () => Promise.reject(new TypeError('network'));
    await act(() => result.current.cancelEach([904, 905]));
    expect(asked.slice(3)).toEqual([904]);
    expect(said()[0]).toEqual(['error', 'No answer from the server. Check your connection.']);
    // More than the pace of calls takes at once wait for it, and none is left there.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let tries = 0;
    last = () => {
      const status = ++tries === 3 ? 200 : 429;
      return new Response(JSON.stringify({ code: 'RATE_LIMITED', data: { bet: {}, wallet } }), { status });
    };
    const many = act(() => result.current.cancelEach([904, 905]));
    await act(() => vi.advanceTimersByTimeAsync(4000));
    await many;
    vi.useRealTimers();
    expect([tries, asked.slice(4)]).toEqual([3, [904, 904, 904, 905]]);
    expect(said()[0]).toEqual(['success', '2 bets cancelled']);
    await act(() => result.current.cancelEach([902, 902]));
    expect(said()[0]).toEqual(['error', 'It is over.']);
  });

  it('says once why it was refused', async () => {
    const { result } = renderHook(() => useCancel());
    answers(409, { code: 'BET_NOT_OPEN', message: 'This bet is over.' });
    await act(() => result.current.cancel(900));
    expect(said()).toEqual([['error', 'This bet is over.']]);
  });
});
