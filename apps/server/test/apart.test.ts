/** Gateways apart from their core: a client that goes from one to the other, and a bus that is away. */
import { CALLS } from '@fairgame/contract';
import type { Command } from '@fairgame/exchange';
import { afterEach, describe, expect, it } from 'vitest';
import { endInOrder } from '../src/ops/ops.ts';
import { type Apart, openApart, WAYS } from './apart.ts';
import { feedTold } from './behind.ts';
import { newKey, PASSWORD, type TestServer } from './server.ts';
import { IDS, prices } from './site.ts';
import { balance, Tab } from './tab.ts';

const { football } = IDS;
const MARKET = football.odds;
const PATIENT = { timeout: 30_000, interval: 10 };
let site: Apart;
const ends: Array<() => unknown> = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function open(way: 'here' | 'real'): Promise<void> {
  site = await openApart(way, {
    FAIRGAME_SOCKETS_PER_ACCOUNT: '50',
    FAIRGAME_SOCKETS_PER_ADDRESS: '100',
    FAIRGAME_DRAIN_WAIT_MS: '100',
  });
  ends.push(() => site.close());
}

/** A player whom both gateways know. */
async function player(userName: string): Promise<{ userId: number; at: Map<TestServer, string> }> {
  const { userId, token } = await site.one.player(userName);
  const there = await site.two.call(CALLS.auth.login, { body: { userName, password: PASSWORD } });
  return {
    userId,
    at: new Map([
      [site.one, token],
      [site.two, there.data.token],
    ]),
  };
}

const bet = (stake: number) => ({
  key: newKey(),
  betId: MARKET,
  matchId: football.event,
  runnerId: football.home,
  bettingType: 'BACK' as const,
  // More than anybody gives: it rests.
  odd: 500,
  stake,
});
const priced = (back: number): Command => ({
  type: 'house.book',
  marketId: MARKET,
  runners: [{ runnerId: football.home, backable: [[back, 50_000]], layable: [[back + 6, 50_000]] }],
});
const openBets = (of: { app: TestServer['app'] }, userId: number) =>
  of.app.core.read.openBets('real', userId).map(({ betId }) => betId);

function tab(url: string, token: string): Tab {
  const made = new Tab(url, token, football.event);
  ends.push(() => made.close());
  return made;
}
const hasImage = (one: Tab) => one.prices.held.has(MARKET);
/** What the core has told, as the tab shows it. */
const isRight = (one: Tab, at: TestServer) => {
  const { image } = one.prices.held.get(MARKET)!;
  expect(image).toEqual(at.app.catalog.images.image('real', MARKET));
  expect(image).toEqual(site.behind.app.catalog.images.image('real', MARKET));
};

for (const { way, lacking } of WAYS)
  describe.skipIf(lacking)(`a gateway and its core, ${way}`, () => {
    it('a client moves to another gateway that lives: images, never a wrong delta, and its bet under way is answered by its key', async () => {
      await open(way);
      const { one, two, behind } = site;
      const { userId, at } = await player('anna');
      const address = await balance([one, two]);
      ends.push(() => address.close());
      // Half of them move when they are told; half are programs that do nothing by themselves.
      const tabs = Array.from({ length: 12 }, () => tab(address.url, at.get(one)!));
      const [ours, others] = [tabs.filter((_, i) => i % 2 === 0), tabs.filter((_, i) => i % 2 === 1)];
      await expect.poll(() => tabs.every(hasImage), PATIENT).toBe(true);
      expect(one.app.live.sockets().main).toBe(12);
      let isOver = false;
      let told = 0;
      ends.push(() => {
        isOver = true;
        return ticking;
      });
      const ticking = (async () => {
        for (; !isOver; told++) {
          const price = 200 + (told % 40) * 2;
          await behind.feed(prices(MARKET, [football.home, price, price + 4]));
        }
      })();

      // Decided, and the answers on their way when the gateway goes.
      const release = site.holdAnswers();
      const bodies = tabs.map((_, i) => bet(1000 + i));
      const answers = tabs.map((one, i) => one.ask('place', bodies[i]!));
      await expect.poll(() => openBets(behind, userId), PATIENT).toHaveLength(12);
      const { config, app } = one;
      const ended = endInOrder({
        config,
        http: app.http,
        sendAway: (afterMs) => app.live.sendAway(afterMs),
        close: () => app.live.close(),
      });
      const after = await Promise.all(tabs.map(({ sentAway }) => sentAway));
      // Not all of them at once.
      expect(new Set(after).size).toBeGreaterThan(1);
      const inOrder = ours.map((one) => ({ one, ms: after[tabs.indexOf(one)]! })).sort((a, b) => a.ms - b.ms);
      for (const { one: moving } of inOrder) {
        const before = told;
        moving.move();
        await expect.poll(() => moving.epochs.length, PATIENT).toBe(2);
        // Who has not moved yet is told on.
        await expect.poll(() => told, PATIENT).toBeGreaterThan(before + 1);
        const newest = others[0]!.prices.frames.length;
        await expect.poll(() => others[0]!.prices.frames.length, PATIENT).toBeGreaterThan(newest);
      }
      expect([one, two].map((gateway) => gateway.app.live.sockets().main)).toEqual([6, 6]);
      expect(await Promise.all(ours.map((one) => answers[tabs.indexOf(one)]))).toEqual(ours.map(() => undefined));
      for (const moved of ours) {
        const { key, stake } = bodies[tabs.indexOf(moved)]!;
        const answer = await two.call(CALLS.bets.settleKey, { body: { key } }, { token: at.get(two)! });
        expect(answer.data.bet).toMatchObject({ amount: stake });
      }
      release();
      // Who stayed is answered on the line it asked by, and closed then.
      for (const stays of others)
        expect(await answers[tabs.indexOf(stays)]).toMatchObject({
          statusCode: 200,
          data: { bet: { amount: bodies[tabs.indexOf(stays)]!.stake } },
        });
      await ended;
      await expect.poll(() => tabs.every(({ epochs }) => epochs.length === 2), PATIENT).toBe(true);
      expect(two.app.live.sockets().main).toBe(12);
      isOver = true;
      await ticking;

      // The last change, the same for all; two gateways, each with numbers of its own.
      await behind.feed(prices(MARKET, [football.home, 300, 310]));
      const last = (one: Tab) => one.prices.held.get(MARKET)?.image.runners[0]?.back[0]?.[0];
      await expect.poll(() => tabs.map(last), PATIENT).toEqual(tabs.map(() => 300));
      for (const one of tabs) {
        isRight(one, two);
        expect([one.wrong, [...one.prices.broken]]).toEqual([[], []]);
      }
      expect(new Set(tabs.flatMap(({ epochs }) => epochs)).size).toBe(2);
      expect(openBets(two, userId)).toHaveLength(12);
    }, 120_000);

    it('the bus is away: bets are refused and none is taken, prices come late and say so, and all is well again by itself', async () => {
      await open(way);
      const { one, two, behind } = site;
      const { userId, at } = await player('ben');
      const tabs = [one, two].map((gateway) => tab(gateway.url, at.get(gateway)!));
      await expect.poll(() => tabs.every((one) => hasImage(one) && !one.isLate), PATIENT).toBe(true);
      const place = (gateway: TestServer, body = bet(700)) =>
        gateway.call(CALLS.bets.place, { body }, { token: at.get(gateway)! });
      for (const gateway of [one, two]) expect((await place(gateway)).status).toBe(200);
      await expect.poll(() => openBets(two, userId), PATIENT).toHaveLength(2);

      const submit = (command: Command) => behind.app.core.submit({ world: 'all', actor: 'operator', command });
      const gateways = [one, two];
      // Decided, and the answers on their way when the bus goes.
      const release = site.holdAnswers();
      const asked = gateways.map((gateway, i) => place(gateway, bet(800 + i)));
      await expect.poll(() => openBets(two, userId), PATIENT).toHaveLength(4);
      const goneAt = performance.now();
      await site.bus.stop();
      release();
      await expect.poll(() => gateways.some(({ app }) => app.core.health().available), PATIENT).toBe(false);
      const refused = gateways.map(() => bet(900));
      for (const [i, gateway] of gateways.entries()) {
        const { status, error, headers } = await place(gateway, refused[i]);
        expect([status, error?.code, headers.get('retry-after')]).toEqual([503, 'UNAVAILABLE', '2']);
        expect(await tabs[i]!.ask('place', bet(900))).toMatchObject({ statusCode: 503, code: 'UNAVAILABLE' });
        // What is there can be read.
        const list = await gateway.call(CALLS.bets.list, { query: {} }, { token: at.get(gateway)! });
        expect(list.data.total).toBe(4);
        // So it is not taken out of the balancer, with what can be read and watched.
        expect((await gateway.fetch('/readyz')).status).toBe(200);
      }
      // Nobody hears the feed: said before any price comes.
      await expect.poll(() => tabs.every(({ isLate }) => isLate), PATIENT).toBe(true);
      // The core knows nothing of it; the gateways read the log in the database. What comes that way says that it is late.
      await submit(priced(260));
      const last = (one: Tab) => one.prices.held.get(MARKET)?.image.runners[0]?.back[0]?.[0];
      await expect.poll(() => tabs.map(last), PATIENT).toEqual([260, 260]);
      for (const { prices } of tabs) {
        const brought = prices.frames.findLast(({ m }) => m.some(({ id }) => id === MARKET));
        expect(brought?.h).toBe('late');
      }
      expect(openBets(behind, userId)).toHaveLength(4);
      // Longer than any lease: another might run the feed by now.
      await expect.poll(() => performance.now() - goneAt, PATIENT).toBeGreaterThan(6000);

      const runs = feedTold(behind.app);
      await site.bus.start();
      // Asked again when it is back, and told what was decided.
      for (const answer of await Promise.all(asked)) expect(answer.status).toBe(200);
      await expect.poll(() => gateways.every(({ app }) => app.core.health().available), PATIENT).toBe(true);
      await expect.poll(() => tabs.some(({ isLate }) => isLate), PATIENT).toBe(false);
      // A feed that begins anew and names nothing leaves its markets shut: an operator opens this one.
      await runs;
      await submit({ type: 'market.state', marketId: MARKET, status: 'OPEN', reason: '' });
      // Nothing of them was taken: each is one bet now.
      for (const [i, gateway] of gateways.entries()) {
        const fate = await gateway.call(
          CALLS.bets.byKey,
          { params: { key: refused[i]!.key } },
          { token: at.get(gateway)! },
        );
        expect(fate.error?.code).toBe('KEY_UNKNOWN');
        expect((await place(gateway, refused[i])).status).toBe(200);
      }
      expect(openBets(behind, userId)).toHaveLength(6);
      await submit(priced(270));
      await expect.poll(() => tabs.map(last), PATIENT).toEqual([270, 270]);
      for (const [i, one] of tabs.entries()) {
        isRight(one, gateways[i]!);
        expect([one.wrong, [...one.prices.broken], one.epochs.length]).toEqual([[], [], 1]);
      }
    }, 120_000);
  });
