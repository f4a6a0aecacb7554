import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RECONNECT, type Refusal } from '@fairgame/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Channel, lineState, openChannel, takeOver } from '../src/live/line.ts';
import { forgetPlayer } from '../src/platform/per-player.ts';
import { endSession, readSession, startSession } from '../src/session/session.ts';
import { line, type socketIo } from './fake-line.ts';
import { sessionOf } from './player.ts';

vi.mock('socket.io-client', async () => (await import('./fake-line.ts')).socketIo);

const SESSION = sessionOf({ token: 'token-1' });
const refusal = (code: Refusal['code']): Refusal => ({ code, message: code });
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  line.reset();
  startSession(SESSION);
});
afterEach(() => {
  forgetPlayer();
  sessionStorage.clear();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

async function opened(path: '/' | '/match' | '/card' = '/', wishes = {}): Promise<Channel> {
  const channel = openChannel(path, wishes)!;
  await pass(0);
  return channel;
}

describe('the line', () => {
  it('[SOC-29] [SOC-30] [SOC-31] shares one connection between the namespaces, opened with the waits of the contract', async () => {
    const channels = [await opened('/'), await opened('/match'), await opened('/card')];
    expect(channels.map((channel) => channel.up)).toEqual([true, true, true]);
    expect(lineState()).toBe('up');
    expect(line.managers).toEqual([expect.objectContaining(RECONNECT)]);
    expect(line.handshakes.map(({ path, auth }) => [path, auth.token])).toEqual([
      ['/', 'token-1'],
      ['/match', 'token-1'],
      ['/card', 'token-1'],
    ]);
  });

  it('is down until what opens it has come; who left meanwhile is not opened', async () => {
    vi.resetModules();
    const fresh = await import('../src/live/line.ts');
    const channel = fresh.openChannel('/')!;
    fresh.openChannel('/match')!.close();
    expect([channel.up, fresh.lineState()]).toEqual([false, 'down']);
    await vi.waitFor(() => expect(channel.up).toBe(true), 10_000);
    expect(fresh.lineState()).toBe('up');
    expect(line.handshakes.map(({ path }) => path)).toEqual(['/']);
    channel.close();
  });

  it('says nothing on a connection that is being closed', async () => {
    await opened('/');
    const [OwnWebSocket] = line.managers[0]!.transports as [typeof socketIo.WebSocket];
    const own = new OwnWebSocket();
    const send = vi.fn();
    own.ws = { readyState: WebSocket.OPEN, send };
    own.doWrite({}, 'said');
    for (const readyState of [WebSocket.CLOSING, WebSocket.CLOSED]) {
      own.ws = { readyState, send };
      own.doWrite({}, 'lost');
    }
    expect(send.mock.calls).toEqual([['said']]);
  });

  it('is the only place of the client that opens a connection', () => {
    const folder = join(import.meta.dirname, '../src');
    const openers = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /[.]tsx?$/.test(name))
      .filter((name) =>
        /socket[.]io-client|engine[.]io-client|new (WebSocket|EventSource)\b/.test(
          readFileSync(join(folder, name), 'utf8'),
        ),
      );
    expect(openers).toEqual([join('live', 'line.ts')]);
  });

  it('is nothing to nobody', () => {
    endSession('signedOut');
    expect(openChannel('/')).toBeNull();
    expect(lineState()).toBe('off');
  });

  it.each(['/', undefined])('comes back one to five seconds after the goodbye of the server to %s', async (path) => {
    const down = vi.fn();
    const up = vi.fn();
    await opened('/', { up, down });
    await opened('/match');
    line.goodbye(path);
    expect(down).toHaveBeenCalledTimes(1);
    expect(lineState()).toBe('down');
    await pass(999);
    expect(up).toHaveBeenCalledTimes(1);
    await pass(4001);
    expect(up).toHaveBeenCalledTimes(2);
    expect(lineState()).toBe('up');
  });

  it('many tabs come back spread over these seconds', async () => {
    const returns: number[] = [];
    for (let tab = 0; tab < 60; tab++) {
      line.reset();
      forgetPlayer();
      await opened('/');
      const begin = performance.now();
      line.goodbye();
      for (let tick = 0; tick < 60 && line.handshakes.length < 2; tick++) await pass(100);
      returns.push(Math.floor((performance.now() - begin) / 1000));
    }
    expect(new Set(returns).size).toBeGreaterThanOrEqual(4);
    expect(Math.min(...returns)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...returns)).toBeLessThanOrEqual(5);
  });

  it('a lost transport comes back by the library, with no second try beside it', async () => {
    await opened('/');
    line.drop();
    line.reachable = false;
    await pass(10_000);
    expect(lineState()).toBe('down');
    line.reachable = true;
    await pass(5000);
    expect(lineState()).toBe('up');
    expect(line.handshakes).toHaveLength(2);
  });

  it('a refused handshake is tried again, ever more rarely, and ends well', async () => {
    line.refuse = () => refusal('UNAVAILABLE');
    await opened('/');
    expect(lineState()).toBe('down');
    await pass(60_000);
    const tries = line.handshakes.length;
    expect(tries).toBeGreaterThan(3);
    expect(tries).toBeLessThan(20);
    await pass(60_000);
    expect(line.handshakes.length - tries).toBeLessThan(tries);
    line.refuse = () => null;
    await pass(60_000);
    expect(lineState()).toBe('up');
  });

  it('an ended session is the end; a token given up for a new one is not', async () => {
    line.refuse = (_path, { token }) => (token === 'token-2' ? null : refusal('SESSION_ENDED'));
    openChannel('/');
    // The proven code gives a new token while the handshake with the old one is under way.
    sessionStorage.setItem('jwtMaxUser', 'token-2');
    await pass(10);
    expect(readSession()?.token).toBe('token-2');
    expect(lineState()).toBe('up');
    line.refuse = () => refusal('SESSION_ENDED');
    line.drop();
    await pass(5000);
    expect(readSession()).toBeNull();
    expect(lineState()).toBe('off');
  });

  it.each([false, true])(
    'a second factor that is switched on gives a new token: sockets come back under it at once (goodbye first: %s)',
    async (first) => {
      const up = vi.fn();
      await opened('/', { up });
      await opened('/match');
      line.send('/', 'logoutUserForce', { n: 0, reason: 'renewed' });
      if (first) line.goodbye();
      startSession({ ...SESSION, token: 'token-2', authType: 2 });
      await pass(0);
      expect(up).toHaveBeenCalledTimes(2);
      expect(line.handshakes.slice(2).map(({ auth }) => auth.token)).toEqual(['token-2', 'token-2']);
      expect(lineState()).toBe('up');
    },
  );

  it('a session that may not yet use it waits for the one that may', async () => {
    line.refuse = (_path, { token }) => (token === 'token-1' ? refusal('PASSWORD_CHANGE_REQUIRED') : null);
    await opened('/');
    await pass(120_000);
    expect(line.handshakes).toHaveLength(1);
    startSession({ ...SESSION, token: 'token-2' });
    await pass(0);
    expect(lineState()).toBe('up');
  });
});

describe('too many tabs', () => {
  it('is said, and ends by itself when a place gets free', async () => {
    let places = 0;
    line.refuse = () => (places > 0 ? null : refusal('TOO_MANY_TABS'));
    await opened('/');
    await opened('/match');
    expect(lineState()).toBe('crowded');
    await pass(19_000);
    expect(line.handshakes.length).toBeLessThanOrEqual(2);
    places = 1;
    await pass(25_000);
    expect(lineState()).toBe('up');
    expect(line.handshakes.every(({ auth }) => auth.takeOver === undefined)).toBe(true);
  });

  it('taking over asks for the place once, and never again by itself', async () => {
    line.refuse = (_path, { takeOver: takes }) => (takes ? null : refusal('TOO_MANY_TABS'));
    await opened('/');
    const match = await opened('/match');
    takeOver();
    await pass(0);
    expect(lineState()).toBe('up');
    expect(match.up).toBe(true);
    line.refuse = () => null;
    line.drop();
    await pass(5000);
    expect(line.handshakes.at(-1)?.auth.takeOver).toBeUndefined();
  });

  it('a tab whose place was taken stays away until the player comes back to it', async () => {
    await opened('/');
    await opened('/match');
    line.send('/', 'replaced', undefined);
    line.goodbye();
    expect(lineState()).toBe('replaced');
    const tries = line.handshakes.length;
    await pass(300_000);
    expect(line.handshakes).toHaveLength(tries);
    takeOver();
    await pass(0);
    expect(lineState()).toBe('up');
    expect(line.handshakes.at(-1)?.auth.takeOver).toBe(true);
  });
});

describe('a server that restarts', () => {
  it('moves the tab at the time it was told', async () => {
    const down = vi.fn();
    await opened('/', { down });
    line.send('/', 'reconnectSoon', { afterMs: 3000 });
    await pass(2900);
    expect(down).not.toHaveBeenCalled();
    await pass(5000);
    expect(down).toHaveBeenCalledTimes(1);
    expect(lineState()).toBe('up');
    expect(line.handshakes).toHaveLength(2);
  });
});

describe('what is said', () => {
  it('goes out in order and slower than the server would cut it off for', async () => {
    const channel = await opened('/match');
    for (let n = 0; n < 60; n++) channel.emit('depth', n);
    await pass(10_000);
    expect(line.emitted('depth')).toEqual(Array.from({ length: 60 }, (_, n) => n));
    for (const { at } of line.sent)
      expect(line.sent.filter((one) => one.at >= at && one.at < at + 1000).length).toBeLessThanOrEqual(20);
  });

  it('is not kept for the next connection', async () => {
    const channel = await opened('/match');
    for (let n = 0; n < 30; n++) channel.emit('depth', n);
    line.drop();
    channel.emit('depth', 99);
    const said = line.sent.length;
    await pass(10_000);
    expect(line.sent).toHaveLength(said);
  });
});
