import { CALLS } from '@fairgame/contract';
import fc from 'fast-check';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IDS, makeSite, prices, type Site } from './site.ts';

let site: Site;
beforeAll(async () => {
  site = await makeSite({
    FAIRGAME_SOCKETS_PER_ADDRESS: '500',
    FAIRGAME_SOCKETS_PER_ACCOUNT: '500',
    FAIRGAME_SOCKET_EVENTS: '10000',
  });
});
afterAll(() => site.close());

const alive = async () => (await site.fetch('/livez')).status;

interface Raw {
  send(data: string | Uint8Array): void;
  close(): void;
  /** Resolves when the server has cut it, or after a while. */
  cut(): Promise<boolean>;
}

/** A websocket of a signed-in player, by which any frame can be sent. */
async function raw(token: string): Promise<Raw> {
  const socket = io(site.url, { auth: { token }, transports: ['websocket'], forceNew: true, reconnection: false });
  await new Promise<void>((resolve, reject) => {
    socket.on('connect', () => resolve());
    socket.on('connect_error', reject);
  });
  const { ws } = socket.io.engine.transport as unknown as { ws: { readyState: number; send(data: unknown): void } };
  return {
    send: (data) => {
      if (ws.readyState === 1) ws.send(data);
    },
    close: () => socket.disconnect(),
    cut: () =>
      new Promise((resolve) => {
        socket.on('disconnect', () => resolve(true));
        setTimeout(() => resolve(!socket.connected), 1000);
      }),
  };
}

/** Bodies posted to a polling connection that nobody has signed in. */
async function poll(texts: string[]): Promise<void> {
  const open = await (await site.fetch('/socket.io/?EIO=4&transport=polling')).text();
  const { sid } = JSON.parse(open.slice(1)) as { sid: string };
  for (const body of texts) {
    const answer = await site.fetch(`/socket.io/?EIO=4&transport=polling&sid=${sid}`, { method: 'POST', body });
    expect(answer.status).toBeLessThan(500);
  }
}

describe('hostile sockets', () => {
  it('[SEC-W4] broken frames and packets of every kind never stop the process', async () => {
    const { token } = await site.player();
    const packet = fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.constantFrom(
        '2',
        '3',
        '6',
        '40',
        '41',
        '40/match,',
        '40/nowhere,{}',
        '42',
        '42[',
        '42["x"',
        '42/match,["watch"]',
        '451-["a",{"_placeholder":true,"num":9}]',
        '4',
        '49999999999["x"]',
        '42["__proto__",{}]',
        '42["constructor"]',
        '42["disconnect"]',
        '42["error",{}]',
        '42["newListener"]',
        '42[]',
        '42[7,{}]',
        '42[null]',
        '42/match,[]',
        '450-[]',
        '450-/match,[]',
        '450/match,-[]',
        '450-[{"_placeholder":true,"num":0}]',
      ),
      fc.json({ maxDepth: 4 }).map((json) => `42/match,["watch",${json}]`),
      fc.json({ maxDepth: 4 }).map((json) => `42["matchRoom",${json}]`),
      fc.json({ maxDepth: 4 }).map((json) => `40/match,${json}`),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(packet, { minLength: 1, maxLength: 15 }), fc.boolean(), async (packets, signedIn) => {
        if (!signedIn) return poll(packets);
        const socket = await raw(token);
        socket.send(`40/match,${JSON.stringify({ token })}`);
        for (const text of packets) socket.send(text);
        await new Promise((resolve) => setTimeout(resolve, 5));
        socket.close();
      }),
      { numRuns: 120 },
    );
    expect(await alive()).toBe(200);
    const bets = await site.call(CALLS.bets.list, { query: {} }, { token });
    expect(bets.status).toBe(200);
  });

  it('[SEC-W2] [SEC-W4] an oversized frame ends its own socket and no other', async () => {
    const { token } = await site.player();
    const [good, bad] = [await raw(token), await raw(token)];
    bad.send('x'.repeat(40_000));
    expect(await bad.cut()).toBe(true);
    for (const data of [new Uint8Array([1, 2, 3]), new Uint8Array(40_000)]) (await raw(token)).send(data);
    expect(await alive()).toBe(200);
    expect(await good.cut()).toBe(false);
    good.close();
  });

  it('[SEC-Z3] [SEC-Z5] every event with any value is answered with ok or a coded error', async () => {
    const { token } = await site.player();
    const socket = io(`${site.url}/match`, {
      auth: { token },
      query: { matchIdArray: '', roleName: 'user', frames: '1' },
      transports: ['websocket'],
      forceNew: true,
    });
    await new Promise((resolve) => socket.on('connect', () => resolve(null)));
    const names = fc.constantFrom(
      'watch',
      'resync',
      'depth',
      'leaveAll',
      'disconnectCricketData',
      'toString',
      '__proto__',
    );
    await fc.assert(
      fc.asyncProperty(names, fc.jsonValue({ maxDepth: 3 }), async (name, value) => {
        const reply = (await socket.timeout(2000).emitWithAck(name, value)) as { ok?: boolean; error?: string };
        expect(reply.ok === true || typeof reply.error === 'string').toBe(true);
      }),
      { numRuns: 150 },
    );
    socket.disconnect();
  });

  it('[FLT-18] after all sockets are lost at once every one has its images again soon, others keep being served', async () => {
    const { token } = await site.player();
    const count = 150;
    const whole = () =>
      new Promise<void>((resolve, reject) => {
        const socket = io(`${site.url}/match`, {
          auth: { token },
          query: { matchIdArray: `${IDS.cricket.event},${IDS.football.event}`, roleName: 'user', frames: '1' },
          transports: ['websocket'],
          forceNew: true,
          reconnection: false,
        });
        sockets.push(socket);
        socket.on('connect_error', reject);
        socket.on(`liveData${IDS.football.event}`, () => resolve());
      });
    const sockets: Array<ReturnType<typeof io>> = [];
    await Promise.all(Array.from({ length: count }, whole));
    for (const socket of sockets.splice(0)) socket.disconnect();
    const at = performance.now();
    await Promise.all(Array.from({ length: count }, whole));
    expect(performance.now() - at).toBeLessThan(15_000);
    await site.feed(prices(IDS.football.odds, [IDS.football.home, 198, 202]));
    for (const socket of sockets) socket.disconnect();
  });
});
