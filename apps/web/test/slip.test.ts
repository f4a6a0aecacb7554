import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetPlayer } from '../src/platform/per-player.ts';
import * as slip from '../src/slip/slip.ts';
import { signedIn } from './player.ts';

interface Sent {
  path: string;
  body: Record<string, unknown>;
  answer: (status: number, body: unknown) => void;
  lose: () => void;
}
let sent: Sent[] = [];
const selection = {
  matchId: 2,
  marketId: 1,
  runnerId: 3,
  kind: 'book',
  side: 'BACK' as const,
  price: 184,
  runnerName: 'India',
  marketName: 'Match Odds',
  eventName: 'India v Australia',
  marketVersion: 4,
  betDelayMs: 0,
  minStakeMinor: 100,
  maxStakeMinor: 500_000,
};
const answer = (key: string) => ({
  statusCode: 200,
  data: {
    bet: { id: 9, version: 1, status: 'COMPLETE', matched: 500, key },
    wallet: { currentBalance: 1000, exposure: 500, version: 2 },
  },
});
const tick = () => new Promise((resolve) => setTimeout(resolve, 0));

beforeEach(() => {
  sent = [];
  signedIn({ userId: 101 });
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    if (init.method === 'GET') return Promise.resolve(new Response('{"statusCode":200,"data":[]}'));
    return new Promise<Response>((resolve, reject) =>
      sent.push({
        path: new URL(url, 'http://site').pathname,
        body: JSON.parse(init.body as string) as Record<string, unknown>,
        answer: (status, body) => resolve(new Response(JSON.stringify(body), { status })),
        lose: () => reject(new TypeError('network')),
      }),
    );
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  forgetPlayer();
  slip.setPriceRule('ask');
  slip.setAsksFirst(true);
});

describe('bet slip', () => {
  it('counts each press on a price, also of the same runner, and keeps the count while the bet is edited', () => {
    slip.select(selection);
    const first = slip.slip()!.pressed;
    slip.edit({ stakeText: '25', price: 190 });
    expect(slip.slip()!.pressed).toBe(first);
    slip.select({ ...selection, price: 182 });
    expect(slip.slip()).toMatchObject({ pressed: first + 1, price: 182, stakeText: '25' });
    slip.clearSlip();
  });

  it('takes what is typed in the frame before a pressed price is drawn for the bet of that price, and places none unseen', () => {
    slip.setAsksFirst(false);
    slip.select(selection);
    const seen = slip.slip()!.pressed;
    slip.select({ ...selection, runnerId: 4, price: 300 });
    slip.select({ ...selection, runnerId: 5, price: 400 });
    slip.press(500, seen);
    expect(sent).toEqual([]);
    slip.edit({ stakeText: '1', price: 190, offset: 2 }, seen);
    expect(slip.slip()).toMatchObject({ pressed: seen + 2, runnerId: 5, price: 400, stakeText: '1', offset: 2 });
    // It is drawn now: what would still be said of the one before has no form that it could come from.
    slip.edit({ stakeText: '9' }, seen);
    expect(slip.slip()).toMatchObject({ stakeText: '1' });
    slip.clearSlip();
  });

  it('tells the cells of the runner it takes up and of the one it leaves, and no others', () => {
    slip.select(selection);
    const told: number[] = [];
    for (const runnerId of [3, 4, 5]) slip.onPicked(1, runnerId, () => told.push(runnerId));
    slip.edit({ stakeText: '5' });
    expect(told).toEqual([3]);
    slip.select({ ...selection, runnerId: 4 });
    slip.clearSlip();
    expect(told.toSorted((a, b) => a - b)).toEqual([3, 3, 4]);
  });

  it('[CAR-03] stores the key with the bet before it is sent', () => {
    slip.select(selection);
    void slip.place(500);
    const stored = JSON.parse(sessionStorage.getItem('fg.player.slip')!) as slip.Draft;
    expect(stored.phase).toBe('placing');
    expect(stored.sent?.key).toBe(sent[0]!.body.key);
    expect(String(stored.sent?.key)).toMatch(/^[0-9a-f]{32}$/);
  });

  it('asks before placing, by choice', () => {
    slip.select(selection);
    slip.press(500, slip.slip()!.pressed);
    expect(slip.slip()?.phase).toBe('review');
    expect(sent).toHaveLength(0);
    slip.press(500, slip.slip()!.pressed);
    expect(sent).toHaveLength(1);
  });

  it('[CAR-04] a lost answer is asked for by its key, and the bet is never sent twice', async () => {
    slip.select(selection);
    const done = slip.place(500);
    sent[0]!.lose();
    await tick();
    expect(slip.slip()?.phase).toBe('checking');
    expect(sent[1]!.path).toBe('/api/bet/key/settle');
    expect(sent[1]!.body).toEqual({ key: sent[0]!.body.key });
    sent[1]!.answer(200, answer('x'));
    await done;
    expect(slip.slip()?.phase).toBe('done');
    expect(sent.filter((request) => request.path === '/api/placeBet')).toHaveLength(1);
  });

  it('[CAR-04] a key nothing was taken under says so, keeps the stake, and the next try has another key', async () => {
    slip.select(selection);
    slip.edit({ stakeText: '5' });
    const done = slip.place(500);
    sent[0]!.lose();
    await tick();
    sent[1]!.answer(404, { statusCode: 404, code: 'KEY_UNKNOWN', message: 'unknown' });
    await done;
    expect(slip.slip()).toMatchObject({ phase: 'refused', stakeText: '5', sent: null });
    expect(slip.slip()?.message).toMatch(/not placed/);
    expect(slip.slip()?.key).not.toBe(sent[0]!.body.key);
  });

  it('[CAR-04] keeps asking while nobody answers', async () => {
    vi.useFakeTimers();
    slip.select(selection);
    void slip.place(500);
    sent[0]!.lose();
    await vi.advanceTimersByTimeAsync(1);
    sent[1]!.lose();
    await vi.advanceTimersByTimeAsync(600);
    sent[2]!.answer(503, { statusCode: 503, code: 'UNAVAILABLE', message: 'no' });
    await vi.advanceTimersByTimeAsync(1100);
    expect(sent.slice(1).map((request) => request.path)).toEqual(Array(3).fill('/api/bet/key/settle'));
    expect(slip.slip()?.phase).toBe('checking');
  });

  it('[CAR-06] after a reload a bet on its way is asked for before anything else', async () => {
    slip.select(selection);
    void slip.place(500);
    const { key } = sent[0]!.body;
    vi.resetModules();
    const reloaded = (await import('../src/slip/slip.ts')) as typeof slip;
    reloaded.resume();
    await tick();
    expect(reloaded.slip()?.phase).toBe('checking');
    expect(sent.at(-1)).toMatchObject({ path: '/api/bet/key/settle', body: { key } });
    sent.at(-1)!.answer(200, answer('x'));
    await tick();
    await tick();
    expect(reloaded.slip()?.phase).toBe('done');
  });

  it('a refusal keeps stake and odds and the words of the server', async () => {
    slip.select(selection);
    slip.edit({ stakeText: '5' });
    const done = slip.place(500);
    sent[0]!.answer(400, {
      statusCode: 400,
      code: 'INSUFFICIENT_FUNDS',
      message: 'Your available balance does not cover this bet.',
    });
    await done;
    expect(slip.slip()).toMatchObject({
      phase: 'refused',
      stakeText: '5',
      price: 184,
      message: 'Your available balance does not cover this bet.',
    });
  });

  it.each([
    ['ask', 182, false],
    ['better', 182, false],
    ['better', 186, true],
    ['any', 182, true],
  ] as const)('a moved price under the rule "%s" at %i: placed again %s', async (rule, moved, again) => {
    slip.setPriceRule(rule);
    slip.select({ ...selection, kind: 'bookmaker' });
    const done = slip.place(500);
    sent[0]!.answer(409, { statusCode: 409, code: 'PRICE_CHANGED', message: 'moved', current: { price: moved } });
    await done;
    await tick();
    expect(sent).toHaveLength(again ? 2 : 1);
    if (again) {
      expect(sent[1]!.body.odd).toBe(moved);
      expect(sent[1]!.body.key).not.toBe(sent[0]!.body.key);
    } else expect(slip.slip()).toMatchObject({ phase: 'refused', movedTo: moved });
  });

  it('says what is left of a quote that others took from', async () => {
    slip.select({ ...selection, kind: 'bookmaker' });
    const done = slip.place(5000);
    const current = { sizeMinor: 4050 };
    sent[0]!.answer(400, { statusCode: 400, code: 'STAKE_TOO_LARGE', message: 'too large', field: 'stake', current });
    await done;
    const message = 'At most 40.50 can be bet at this price now.';
    expect(slip.slip()).toMatchObject({ phase: 'refused', field: 'stake', movedTo: null, message });
  });

  it('the rule "any" follows a price three times a press, then asks', async () => {
    slip.setPriceRule('any');
    slip.select({ ...selection, kind: 'bookmaker' });
    const done = slip.place(500);
    for (let n = 0; n < 6; n++) {
      sent[n]?.answer(409, { statusCode: 409, code: 'PRICE_CHANGED', message: 'moved', current: { price: 183 - n } });
      await tick();
      await tick();
    }
    await done;
    expect(sent).toHaveLength(4);
    expect(slip.slip()).toMatchObject({ phase: 'refused', movedTo: 180 });
    void slip.place(500);
    expect(sent).toHaveLength(5);
  });

  it.each([
    ['BACK', 184, 141, false],
    ['BACK', 184, 142, true],
    ['LAY', 184, 268, true],
    ['LAY', 184, 269, false],
  ] as const)(
    'the rule "any" asks before a price that is far worse: %s %i to %i, taken %s',
    async (side, price, moved, taken) => {
      slip.setPriceRule('any');
      slip.select({ ...selection, side, price });
      const done = slip.place(500);
      sent[0]!.answer(409, { statusCode: 409, code: 'PRICE_CHANGED', message: 'moved', current: { price: moved } });
      await done;
      await tick();
      expect(sent).toHaveLength(taken ? 2 : 1);
    },
  );

  it('[CAR-06] a filled slip is there again after a reload; a draft that another build stored is not taken up', async () => {
    slip.select(selection);
    slip.edit({ stakeText: '12.34', price: 186, persistence: 'PERSIST' });
    const stored = JSON.parse(sessionStorage.getItem('fg.player.slip')!) as object;
    const reload = async (text: string) => {
      sessionStorage.setItem('fg.player.slip', text);
      vi.resetModules();
      return ((await import('../src/slip/slip.ts')) as typeof slip).slip();
    };
    expect(await reload(JSON.stringify(stored))).toMatchObject({
      ...selection,
      stakeText: '12.34',
      price: 186,
      persistence: 'PERSIST',
      phase: 'editing',
    });
    expect(await reload(JSON.stringify({ ...stored, version: 1 }))).toBeNull();
    expect(await reload(JSON.stringify({ ...stored, version: undefined }))).toBeNull();
    expect(await reload('[1')).toBeNull();
  });

  it('[SEC-S5] after an idle hour the password is asked for, and the same bet goes on under the same key', async () => {
    slip.select(selection);
    const done = slip.place(500);
    const due = { statusCode: 403, code: 'STEP_UP_REQUIRED', message: 'Enter your password again to go on.' };
    sent[0]!.answer(403, due);
    await done;
    expect(slip.slip()).toMatchObject({ phase: 'refused', passwordFor: 500 });
    slip.leavePassword();
    expect(slip.slip()).toMatchObject({ phase: 'refused', passwordFor: null });
    slip.goOnAfterPassword();
    expect(sent).toHaveLength(1);
    const again = slip.place(500);
    sent[1]!.answer(403, due);
    await again;
    slip.goOnAfterPassword();
    expect(sent).toHaveLength(3);
    expect(sent[2]!.body).toEqual(sent[0]!.body);
    sent[2]!.answer(200, answer(String(sent[2]!.body.key)));
    await tick();
    expect(slip.slip()).toMatchObject({ phase: 'done', passwordFor: null });
  });

  it('a moved line is another bet and is always asked', async () => {
    slip.setPriceRule('any');
    slip.select({ ...selection, kind: 'session', line: 45, price: 100 });
    const done = slip.place(500);
    sent[0]!.answer(409, {
      statusCode: 409,
      code: 'LINE_CHANGED',
      message: 'moved',
      current: { price: 100, line: 46 },
    });
    await done;
    expect(sent).toHaveLength(1);
  });

  it('a bet on its way is not replaced by another press', () => {
    slip.select(selection);
    void slip.place(500);
    slip.select({ ...selection, runnerId: 4 });
    expect(slip.slip()?.runnerId).toBe(3);
  });

  it('one-click is off at start and forgotten with the session', () => {
    expect(slip.oneClickStake()).toBeNull();
    slip.setOneClick(500);
    expect(JSON.stringify([localStorage, sessionStorage])).not.toContain('oneClick');
    forgetPlayer();
    expect(slip.oneClickStake()).toBeNull();
  });
});
