import type { Frame } from '@fairgame/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openMainSocket } from '../src/live/main-socket.ts';
import { watchDepth, watchMatches } from '../src/live/match-socket.ts';
import { setPace } from '../src/live/pace.ts';
import * as store from '../src/live/store.ts';
import { forgetPlayer } from '../src/platform/per-player.ts';
import { line } from './fake-line.ts';
import { frameOf, imageOf, imagesOf, priceOf } from './live-images.ts';
import { signedIn } from './player.ts';

vi.mock('socket.io-client', async () => (await import('./fake-line.ts')).socketIo);
vi.mock('../src/api/refresh.ts', () => ({ BET_READINGS: [], refreshAfterEvent: vi.fn() }));

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const marketOf = (matchId: number) => matchId * 10;
const sendImages = (matchId: number, seq = 1, price = 200) =>
  line.send(
    '/match',
    `liveData${matchId}`,
    imagesOf(
      [
        imageOf(marketOf(matchId), {
          matchId,
          runners: [
            {
              id: 1,
              name: 'A',
              status: 'ACTIVE',
              factor: 0,
              last: 0,
              tradedMinor: 0,
              back: [[price, 100]],
              lay: [],
            },
          ],
        }),
      ],
      seq,
    ),
  );
const frame = (m: Frame['m']) => line.send('/match', 'frame', frameOf(m));
const live = (matchId: number) => !store.isHeldBack(marketOf(matchId));
const hide = (hidden: boolean) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(hidden ? 'hidden' : 'visible');
  document.dispatchEvent(new Event('visibilitychange'));
};
interface Watched {
  full: number[];
  head: number[];
}
const watched = () => line.emitted('watch') as Watched[];
let leaves: Array<() => void> = [];
const watch = (ids: number[], mode: 'full' | 'head') => {
  const leave = watchMatches(ids, mode);
  leaves.push(leave);
  return leave;
};
/** A server that answers as ours does: images of what is new, and of what is asked for again. */
function serve(): void {
  let known = new Set<number>();
  line.onConnect = (path) => {
    if (path === '/match') known = new Set();
  };
  line.onEmit = (_path, event, value) => {
    if (event === 'leaveAll') known = new Set();
    if (event === 'watch') {
      const { full, head } = value as Watched;
      for (const id of [...full, ...head]) if (!known.has(id)) sendImages(id);
      known = new Set([...full, ...head]);
    }
    if (event === 'resync') for (const id of (value as { matchIds: number[] }).matchIds) sendImages(id);
  };
}

beforeEach(() => {
  vi.useFakeTimers();
  line.reset();
  leaves = [];
  signedIn();
});
afterEach(async () => {
  for (const leave of leaves) leave();
  await pass(1000);
  forgetPlayer();
  setPace('live');
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('prices of the line', () => {
  it('[SOC-22] [SOC-23] [MAT-07] the handshake says the matches, the role and that frames are wanted', async () => {
    watch([5, 6], 'full');
    watch([8], 'head');
    await pass(0);
    expect(line.handshakes).toEqual([
      { path: '/match', auth: { token: 't', matchIdArray: '5,6,8', roleName: 'user', frames: '1' } },
    ]);
    expect(watched()).toEqual([{ full: [5, 6], head: [8] }]);
  });

  it('are live with their image of this connection, never with the connection alone', async () => {
    watch([5], 'full');
    await pass(0);
    expect(store.healthNow()).toBe('lost');
    expect(live(5)).toBe(false);
    sendImages(5);
    expect(store.healthNow()).toBe('live');
    expect(live(5)).toBe(true);
    line.drop();
    expect(live(5)).toBe(false);
    await pass(1500);
    expect(line.handshakes).toHaveLength(2);
    expect(live(5)).toBe(false);
    expect(store.healthNow()).toBe('lost');
    sendImages(5, 1);
    expect(live(5)).toBe(true);
  });

  it('come back after the goodbye of the server too', async () => {
    serve();
    watch([5], 'full');
    await pass(0);
    expect(live(5)).toBe(true);
    line.goodbye();
    expect(live(5)).toBe(false);
    await pass(5000);
    expect(live(5)).toBe(true);
  });

  it('are never live again when a page is left and come back to, before new images are there', async () => {
    serve();
    const leave = watch([5], 'full');
    await pass(500);
    leave();
    await pass(500);
    expect(live(5)).toBe(false);
    line.onEmit = () => undefined;
    watch([5], 'full');
    await pass(500);
    expect(live(5)).toBe(false);
    sendImages(5);
    expect(live(5)).toBe(true);
  });

  it('[SOC-24] [SOC-25] leaving a page says so, of its match and of the whole page; a list that comes next is asked for after it', async () => {
    serve();
    const leave = watch([5], 'full');
    await pass(500);
    leave();
    watch([5, 6], 'head');
    await pass(500);
    expect(line.sent.map(({ event, value }) => [event, value]).slice(1)).toEqual([
      ['disconnectCricketData', { matchId: 5 }],
      ['leaveAll', undefined],
      ['watch', { full: [], head: [5, 6] }],
    ]);
    expect([live(5), live(6)]).toEqual([true, true]);
  });

  it('of a match that goes from its page to a row of a list beside another page are told anew', async () => {
    const page = watch([5], 'full');
    watch([6], 'full');
    serve();
    await pass(500);
    page();
    line.onEmit = () => undefined;
    watch([5], 'head');
    await pass(500);
    expect(live(5)).toBe(false);
    expect(line.emitted('resync')).toEqual([{ matchIds: [5] }]);
    sendImages(5);
    expect(live(5)).toBe(true);
  });

  it('that do not come are asked for again, a few times and ever more rarely', async () => {
    let asks = 0;
    line.onEmit = (_path, event) => {
      if (event === 'resync') asks += 1;
    };
    watch([5, 6], 'head');
    await pass(500);
    sendImages(6);
    await pass(5000);
    expect(line.emitted('resync')).toEqual([{ matchIds: [5] }]);
    await pass(300_000);
    expect(asks).toBe(3);
  });

  it('are old when nothing comes for five seconds, and fresh with the next frame', async () => {
    serve();
    watch([5], 'full');
    await pass(500);
    await pass(7000);
    expect(store.healthNow()).toBe('late');
    frame([]);
    expect(store.healthNow()).toBe('live');
  });

  it('[SOC-26] [MAT-07] [CAR-28] with messages lost, doubled, late and behind a lag they end right, and no price of a superseded base is ever live', async () => {
    serve();
    watch([5], 'full');
    await pass(500);
    let truth = 200;
    let seq = 1;
    const states = new Map([[1, 200]]);
    line.onEmit = (_path, event) => {
      if (event === 'resync') sendImages(5, seq, truth);
    };
    let random = 12345;
    const chance = () => {
      random = (random * 1103515245 + 12345) % 2147483648;
      return random / 2147483648;
    };
    for (let n = 0; n < 300; n++) {
      const dice = chance();
      line.lagMs = chance() < 0.3 ? 40 : 0;
      line.fate = () => (dice < 0.15 ? 'lose' : dice < 0.3 ? 'twice' : dice < 0.45 ? 'late' : 'deliver');
      truth = 101 + Math.floor(chance() * 800);
      frame([priceOf(50, seq, truth)]);
      seq += 1;
      states.set(seq, truth);
      await pass(20);
      if (live(5)) expect([...states.values()]).toContain(store.runner(50, 1)?.back[0]?.[0]);
    }
    line.fate = () => 'deliver';
    line.lagMs = 0;
    frame([priceOf(50, seq, truth)]);
    seq += 1;
    await pass(20_000);
    frame([priceOf(50, seq, 333)]);
    expect(live(5)).toBe(true);
    expect(store.runner(50, 1)?.back[0]?.[0]).toBe(333);
  });
});

describe('a tab that is hidden', () => {
  it('asks for nothing after a while, and for all in small steps when it is looked at', async () => {
    serve();
    const ids = Array.from({ length: 100 }, (_, n) => n + 1);
    watch([200], 'full');
    watch(ids, 'head');
    await pass(3000);
    expect(watched().at(-1)!.head).toHaveLength(60);
    hide(true);
    await pass(5000);
    expect(line.emitted('leaveAll')).toHaveLength(0);
    await pass(6000);
    expect(line.emitted('leaveAll')).toHaveLength(1);
    expect(live(200)).toBe(false);
    const before = line.sent.length;
    await pass(600_000);
    expect(line.sent).toHaveLength(before);
    hide(false);
    const at = performance.now();
    await pass(5000);
    const back = line.sent.slice(before);
    expect(back.map(({ event }) => event)).toEqual(['watch', 'watch', 'watch']);
    expect(back.map(({ value }) => (value as Watched).head.length)).toEqual([20, 40, 60]);
    expect(back[0]!.at - at).toBeLessThan(50);
    expect(live(200)).toBe(true);
    expect(ids.filter(live)).toHaveLength(60);
  });

  it('looked away from for a moment changes nothing', async () => {
    serve();
    watch([5], 'full');
    await pass(500);
    const before = line.sent.length;
    hide(true);
    await pass(5000);
    hide(false);
    await pass(1000);
    expect(line.sent).toHaveLength(before);
    expect(live(5)).toBe(true);
  });
});

describe('what is asked of the server', () => {
  it('stays under its limit while a long list is scrolled, and ends with what is in sight', async () => {
    serve();
    const rows = new Map<number, () => void>();
    for (let top = 0; top < 300; top++) {
      rows.set(top + 12, watchMatches([top + 12], 'head'));
      rows.get(top)?.();
      rows.delete(top);
      await pass(16);
    }
    await pass(3000);
    for (const { at } of line.sent)
      expect(line.sent.filter((one) => one.at >= at && one.at < at + 1000).length).toBeLessThanOrEqual(20);
    expect(
      watched()
        .at(-1)!
        .head.sort((a, b) => a - b),
    ).toEqual([...rows.keys()]);
    expect([...rows.keys()].every(live)).toBe(true);
    for (const leave of rows.values()) leave();
  });

  it('never names more than sixty rows: those that came last are on the screen', async () => {
    serve();
    for (let id = 1; id <= 61; id++) watch([id], 'head');
    await pass(3000);
    const { head } = watched().at(-1)!;
    expect(head).toHaveLength(60);
    expect(head).toContain(61);
    expect(live(61)).toBe(true);
  });

  it('says the rooms and the ladders anew on every connection', async () => {
    serve();
    const close = openMainSocket();
    watch([5], 'full');
    leaves.push(watchDepth(50, 1));
    const { joinMatchRoom } = await import('../src/live/main-socket.ts');
    leaves.push(joinMatchRoom(5));
    await pass(500);
    line.goodbye();
    await pass(6000);
    expect(line.emitted('matchRoom')).toEqual([{ id: 5 }, { id: 5 }]);
    expect(line.emitted('depth')).toHaveLength(2);
    close();
  });

  it('frozen prices are asked for when they run again', async () => {
    serve();
    watch([5], 'full');
    await pass(500);
    setPace('frozen');
    frame([priceOf(50, 1, 300)]);
    expect(store.runner(50, 1)?.back[0]?.[0]).toBe(200);
    line.onEmit = (_path, event) => {
      if (event === 'resync') sendImages(5, 2, 300);
    };
    setPace('live');
    await pass(0);
    expect(store.runner(50, 1)?.back[0]?.[0]).toBe(300);
  });
});
