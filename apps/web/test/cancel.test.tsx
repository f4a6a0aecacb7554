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

  it('says once why it was refused', async () => {
    const { result } = renderHook(() => useCancel());
    answers(409, { code: 'BET_NOT_OPEN', message: 'This bet is over.' });
    await act(() => result.current.cancel(900));
    expect(said()).toEqual([['error', 'This bet is over.']]);
  });
});
