import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

vi.mock('socket.io-client', async () => (await import('./fake-line.ts')).socketIo);

// What a private event reads again is no matter here, and would make each tab slow to load.
vi.mock('../src/api/refresh.ts', () => ({ BET_READINGS: [], refreshAfterEvent: vi.fn() }));

const CLIENTS = 60;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 20) });
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  sessionStorage.clear();
});

describe('many clients told to reload at once', () => {
  it('[CAR-07] hardRefreshAll is obeyed by all within half a minute, spread over it', { timeout: 60_000 }, async () => {
    const times: number[] = [];
    const tabs: Array<typeof import('./fake-line.ts')> = [];
    vi.spyOn(window.location, 'reload').mockImplementation(() => {
      times.push(Date.now());
    });
    for (let client = 0; client < CLIENTS; client++) {
      // Each client is a tab of its own: its own modules.
      vi.resetModules();
      const { startSession } = await import('../src/session/session.ts');
      startSession({
        token: `token-${client}`,
        userId: client,
        forceChangePassword: false,
        isAuthenticator: true,
        authType: 0,
        isDemo: false,
      });
      const { openMainSocket } = await import('../src/live/main-socket.ts');
      openMainSocket();
      tabs.push(await import('./fake-line.ts'));
    }
    await vi.advanceTimersByTimeAsync(0);
    const begin = Date.now();
    for (const { line } of tabs) line.send('/', 'hardRefreshAll', { n: 0 });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(times).toHaveLength(CLIENTS);
    for (let n = 0; n < times.length; n++) times[n]! -= begin;
    expect(Math.max(...times)).toBeLessThanOrEqual(30_000);
    const perSecond = new Map<number, number>();
    for (const time of times) perSecond.set(Math.floor(time / 1000), (perSecond.get(Math.floor(time / 1000)) ?? 0) + 1);
    // By chance alone a second holds 2; none may hold a crowd, and most seconds are used.
    expect(Math.max(...perSecond.values())).toBeLessThan(12);
    expect(perSecond.size).toBeGreaterThan(17);
  });
});
