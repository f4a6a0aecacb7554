import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { CALLS, SEEN_HEADER, TIME, UNATTENDED } from '@fairgame/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sessionOf } from './player.ts';

/** Each test is a page of its own: its own modules. */
const SESSION = sessionOf();
let headers: Array<Record<string, string>> = [];
/** How far the servers that answer next know the site. */
let known: string[] = [];
/** A site that was brought back to this moment: who asks for more is told that it is late. */
let lost: number | null = null;

async function page() {
  vi.resetModules();
  const { startSession, readSession } = await import('../src/session/session.ts');
  if (!readSession()) startSession(SESSION);
  const { api } = await import('../src/api/api.ts');
  const acts = await import('../src/session/acts.ts');
  const { startIdleClock } = await import('../src/session/idle.ts');
  const { reloadOnce } = await import('../src/platform/reload.ts');
  return { ask: () => api(CALLS.account.profile, {}, { quiet: true }), acts, startIdleClock, reloadOnce };
}
const marked = () => headers.map((one) => one[UNATTENDED] !== undefined);

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 20) });
  headers = [];
  vi.stubGlobal('fetch', (_url: string, init: RequestInit) => {
    headers.push(init.headers as Record<string, string>);
    if (lost !== null && Number(headers.at(-1)![SEEN_HEADER] ?? 0) > lost)
      return Promise.resolve(new Response('{"statusCode":503,"code":"UNAVAILABLE","message":"late"}', { status: 503 }));
    const told = known.shift();
    const answer = told === undefined ? {} : { headers: { [SEEN_HEADER]: told } };
    return Promise.resolve(new Response('{"statusCode":200,"data":{}}', answer));
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('what one server told is asked of the next one, the largest of all', async () => {
  const { ask } = await page();
  known = ['12', '9', '15'];
  for (let n = 0; n < 4; n++) await ask();
  expect(headers.map((one) => one[SEEN_HEADER])).toEqual([undefined, '12', '12', '15']);
});

it('a page that knows more than a site that was brought back to an earlier moment is served again', async () => {
  const { ask } = await page();
  known = ['12'];
  await ask();
  lost = 10;
  for (let n = 0; n < 6; n++) await ask().catch(() => undefined);
  await ask();
  expect(headers.at(-1)![SEEN_HEADER]).toBeUndefined();
  lost = null;
});

describe('who is at the tab', () => {
  it('[OPN-60] a call is marked as the client’s own when the player has done nothing for a minute', async () => {
    const { ask } = await page();
    await ask();
    vi.advanceTimersByTime(59_000);
    await ask();
    vi.advanceTimersByTime(2000);
    await ask();
    for (const event of ['pointermove', 'keydown', 'touchstart', 'wheel', 'scroll']) {
      vi.advanceTimersByTime(120_000);
      window.dispatchEvent(new Event(event));
      await ask();
    }
    expect(marked()).toEqual([false, false, true, false, false, false, false, false]);
  });

  it.each([
    ['visible', 100],
    ['hidden', 2000],
  ] as const)('[IDL-08] a tab that is %s waits %i ms for the word of the others', async (state, ms) => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
    const { startIdleClock } = await page();
    const states: string[] = [];
    const clock = startIdleClock(7, (now) => states.push(now));
    vi.advanceTimersByTime(TIME.idleMs + ms - 1);
    expect(states.at(-1)).toBe('warning');
    vi.advanceTimersByTime(1);
    expect(states.at(-1)).toBe('expired');
    clock.stop();
  });

  it('a reload of the client’s own accord is no act: the idle hours go on over it; one of the player is', async () => {
    const first = await page();
    window.dispatchEvent(new Event('keydown'));
    vi.advanceTimersByTime(3_600_000);
    vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    first.reloadOnce('new version');
    vi.advanceTimersByTime(10);
    const second = await page();
    await second.ask();
    expect(marked()).toEqual([true]);
    const states: string[] = [];
    const clock = second.startIdleClock(7, (state) => states.push(state));
    vi.advanceTimersByTime(TIME.idleMs - 3_600_000 - 60_000);
    expect(states.at(-1)).toBe('warning');
    clock.stop();
    // The same page opened by its player.
    const third = await page();
    await third.ask();
    expect(marked().at(-1)).toBe(false);
  });
});

describe('the first readings of a page', () => {
  const script = readFileSync(join(import.meta.dirname, '../public/theme.js'), 'utf8');
  const run = () => {
    document.head.innerHTML = '<meta name="fairgame-chunks" content="{}">';
    runInThisContext(script);
  };

  it('[CAR-13] are asked for with the stored text "false", which is not truth, and not while a new password is due', async () => {
    await page();
    expect(sessionStorage.getItem('forceChangePassword')).toBe('false');
    run();
    const asked = headers.length;
    expect(asked).toBeGreaterThan(0);
    sessionStorage.setItem('forceChangePassword', 'true');
    run();
    expect(headers).toHaveLength(asked);
  });

  it('are marked when the page reloaded by itself', async () => {
    await page();
    run();
    sessionStorage.setItem('fg.player.reloads', '1');
    run();
    expect(new Set(marked().slice(0, headers.length / 2))).toEqual(new Set([false]));
    expect(new Set(marked().slice(headers.length / 2))).toEqual(new Set([true]));
  });
});
