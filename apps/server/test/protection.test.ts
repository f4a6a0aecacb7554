import { CALLS, type InputOf, OPERATOR_CALLS } from '@fairgame/contract';
import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LocalHub } from '../src/bus/bus.ts';
import { silent } from '../src/db/db.ts';
import { verify } from '../src/ledger/ledger.ts';
import { verifyAudit } from '../src/ops/ops.ts';
import { Protection } from '../src/protection/protection.ts';
import { makeServer, newKey, PASSWORD, type TestServer } from './server.ts';

const { protection, auth, bets, account } = CALLS;
const operator = OPERATOR_CALLS;
const MIN = 60_000;
const HOUR = 60 * MIN;
const DAY = 24 * HOUR;

let site: TestServer;
/** A match without a feed: its market stays open however far the clock is moved. */
let game: { matchId: number; betId: number; runnerIds: number[] };
beforeAll(async () => {
  site = await makeServer();
  game = await match('Rules v Clocks');
});
afterAll(() => site?.close());

let keys = 0;
const key = () => {
  keys += 1;
  return `protection-test-${String(keys).padStart(6, '0')}`;
};
const op = async () => ({ token: await site.operator() });
type Player = Awaited<ReturnType<TestServer['player']>>;
type PlaceBody = InputOf<typeof bets.place>['body'];

async function match(title: string) {
  const { data } = await site.call(
    operator.addMatch,
    {
      body: {
        matchType: 'tennis',
        title,
        competitionName: 'Cup',
        startAt: '2060-01-01T10:00:00Z',
        teams: ['Reds', 'Blues'],
      },
    },
    await op(),
  );
  await laid(data, 210);
  return data;
}
type Made = Awaited<ReturnType<typeof match>>;
/** The house offers the first team at this price to lay, and ten below it to back. */
async function laid({ betId, runnerIds }: Pick<Made, 'betId' | 'runnerIds'>, odd: number): Promise<void> {
  const [back, lay] = [odd - 10, odd].map((one): [number, number] => [one, 10_000_000]);
  await site.call(operator.quote, { body: { betId, runnerId: runnerIds[0]!, back: [back!], lay: [lay!] } }, await op());
}
/** An order to lay the first team once its price is there. */
async function hold({ token }: Player, { betId, runnerIds }: Made, stake: number, trigger: number): Promise<void> {
  const order = { kind: 'STOP' as const, betId, runnerId: runnerIds[0]!, bettingType: 'LAY' as const };
  const body = { key: key(), ...order, trigger, odd: trigger, stake };
  const made = await site.call(CALLS.trader.conditional, { body }, { token });
  expect(made.data.order.status).toBe('WAITING');
}
/** What became of a player's orders, the newest first. */
const ends = async ({ token }: Player) =>
  (await site.call(CALLS.trader.conditionalHistory, { query: {} }, { token })).data.rows.map(
    ({ code, placed }) => code ?? (placed !== null && 'FIRED'),
  );
const market = (change: object) =>
  site.app.core.submit({
    world: 'all',
    actor: 'feed',
    command: { type: 'market.state', marketId: game.betId, ...change },
  });
/** Backs the first team at 2.00, which the house offers. `over` changes the bet. */
const bet = (player: { token: string }, over: Partial<PlaceBody> = {}) =>
  site.call(
    bets.place,
    {
      body: {
        key: key(),
        betId: game.betId,
        matchId: game.matchId,
        runnerId: game.runnerIds[0]!,
        bettingType: 'BACK',
        odd: 200,
        stake: 1000,
        ...over,
      },
    },
    { token: player.token },
  );
const again = async (player: Player): Promise<Player> => {
  const { data } = await site.call(auth.login, { body: { userName: player.userName, password: PASSWORD } });
  return { ...player, token: data.token };
};
const statusOf = async (player: Player) => (await site.call(protection.status, {}, { token: player.token })).data;
const profileOf = async (player: Player) => (await site.call(account.profile, {}, { token: player.token })).data;
const setLimit = (player: Player, body: InputOf<typeof protection.setLimit>['body']) =>
  site.call(protection.setLimit, { body }, { token: player.token });
const setState = async (player: Player, state: InputOf<typeof protection.operatorState>['body']['state']) =>
  site.call(
    protection.operatorState,
    { body: { userName: player.userName, state, reason: 'test of states' } },
    await op(),
  );
const settings = async (player: Player, more: Partial<InputOf<typeof protection.operatorSettings>['body']>) =>
  site.call(
    protection.operatorSettings,
    { body: { userName: player.userName, reason: 'asked by the player', ...more } },
    await op(),
  );
const pay = async (player: Player, amountMinor: number, kind: 'deposit' | 'withdrawal' | 'correction' = 'deposit') =>
  site.call(
    operator.credit,
    { body: { key: newKey(), userName: player.userName, amountMinor, reason: 'by hand', kind } },
    await op(),
  );
const record = async (player: Player) =>
  (await site.call(operator.player, { params: { userName: player.userName } }, await op())).data;

describe('states of an account', () => {
  it('[ACC-01] [ACC-02] [OPN-16] [INV-18] a bet is refused in every state but active, and the record says the state', async () => {
    for (const state of [
      'frozen',
      'blocked',
      'closed',
      'self-excluded',
      'cooling off',
      'inactive',
      'dormant',
    ] as const) {
      const player = await site.player();
      expect((await bet(player)).status).toBe(200);
      expect((await record(player)).status).toBe('active');
      expect((await setState(player, state)).status).toBe(200);
      expect((await record(player)).status).toBe(state);
      const refused = await bet(player);
      if (state === 'blocked' || state === 'closed') expect(refused.error?.code).toBe('SESSION_ENDED');
      else {
        expect(refused.error).toMatchObject({ statusCode: 403, code: 'ACCOUNT_BLOCKED' });
        expect((await profileOf(player)).standing).toMatchObject({ state, text: refused.error!.message });
      }
      // The core itself refuses, whoever asks it past the gate.
      await expect(
        site.app.core.submit({
          world: 'real',
          actor: `player:${player.userId}`,
          command: {
            type: 'order.place',
            betId: 0,
            accountId: player.userId,
            marketId: game.betId,
            runnerId: game.runnerIds[0]!,
            side: 'BACK',
            price: 200,
            sizeMinor: 1000,
            persistence: 'LAPSE',
          },
        }),
      ).rejects.toMatchObject({ code: 'ACCOUNT_BLOCKED' });
    }
  });

  it('the operator brings an account back, a restriction of the player never', async () => {
    const player = await site.player();
    await setState(player, 'frozen');
    await setState(player, 'active');
    expect((await bet(player)).status).toBe(200);
    await site.call(protection.coolOff, { body: { length: '24h' } }, { token: player.token });
    expect((await setState(player, 'active')).error?.code).toBe('RESTRICTION_RUNS');
    const block = async (on: boolean) =>
      site.call(
        operator.block,
        { body: { userName: player.userName, what: 'account', on, reason: 'looked into' } },
        await op(),
      );
    await block(true);
    expect((await record(player)).status).toBe('blocked');
    await block(false);
    expect((await record(player)).status).toBe('cooling off');
    expect((await bet(await again(player))).error?.code).toBe('ACCOUNT_BLOCKED');
  });

  it('[INV-18] excluded, cooling and frozen accounts take no deposit; withdrawals go on', async () => {
    for (const state of ['self-excluded', 'cooling off', 'frozen'] as const) {
      const player = await site.player();
      await setState(player, state);
      expect((await pay(player, 1000)).error?.code).toBe('ACCOUNT_BLOCKED');
      expect((await pay(player, -1000, 'withdrawal')).status).toBe(200);
    }
  });

  it('[LGL-05] [LGL-28] [ACC-02] an account whose age is not verified freezes 72 hours after its first deposit', async () => {
    // Nobody said anything of his age: that is what every new account is like.
    const { userId } = await site.app.auth.createPlayer({
      userName: 'young',
      password: PASSWORD,
      creditMinor: 100_000,
      forceChangePassword: false,
      actor: 'test',
    });
    const { data } = await site.call(auth.login, { body: { userName: 'young', password: PASSWORD } });
    const player = { userId, userName: 'young', password: PASSWORD, token: data.token };
    // The player is told until when, and so is who looks at him.
    const freezesAt = new Date(site.clock() + 72 * HOUR).toISOString();
    expect(await profileOf(player)).toMatchObject({ status: 'active', freezesAt });
    const look = async () => (await site.call(operator.player, { params: { userName: 'young' } }, await op())).data;
    expect(await look()).toMatchObject({ ageVerified: false, freezesAt });
    expect((await bet(player)).status).toBe(200);
    site.clock.advance(71 * HOUR);
    expect((await bet(await again(player))).status).toBe(200);
    site.clock.advance(HOUR);
    // Also without him: what waits in the books leaves them.
    await site.app.protection.tick();
    expect((await site.app.auth.userNamed('young')).status).toBe('frozen');
    const later = await again(player);
    expect((await bet(later)).error?.message).toContain('age');
    expect(await profileOf(later)).toMatchObject({ status: 'frozen', freezesAt: null });
    await settings(player, { ageVerified: true });
    expect((await bet(later)).status).toBe(200);
    expect(await look()).toMatchObject({ status: 'active', ageVerified: true, freezesAt: null });
  });
});

describe('long absence', () => {
  it('[ACC-03] [OPN-16] inactive after 12 months: signing in opens no betting until the player says so', async () => {
    const player = await site.player();
    site.clock.advance(366 * DAY);
    const { data, message } = await site.call(auth.login, {
      body: { userName: player.userName, password: PASSWORD },
    });
    expect(data.standing).toMatchObject({ state: 'inactive' });
    expect(message).toBe(data.standing!.text);
    const back = { ...player, token: data.token };
    expect((await bet(back)).error?.code).toBe('ACCOUNT_BLOCKED');
    expect((await site.call(protection.wake, { body: {} }, { token: back.token })).status).toBe(200);
    expect((await bet(back)).status).toBe(200);
    expect((await site.call(protection.wake, { body: {} }, { token: back.token })).error?.code).toBe(
      'STATE_NOT_FITTING',
    );
  });

  it('[ACC-04] [CAR-48] dormant after 30 months needs support; no fee was taken by itself', async () => {
    const player = await site.player();
    for (let month = 0; month < 31; month++) {
      site.clock.advance(31 * DAY);
      await site.app.protection.tick();
    }
    expect((await record(player)).status).toBe('dormant');
    const back = await again(player);
    expect((await bet(back)).error?.code).toBe('ACCOUNT_BLOCKED');
    expect((await site.call(protection.wake, { body: {} }, { token: back.token })).error?.code).toBe('SUPPORT_NEEDED');
    expect((await profileOf(back)).userBal.currentBalance).toBe(1_000_000);
    const rows = await site.app.db.query<{ kind: string }>(
      'SELECT DISTINCT l.kind FROM ledger l JOIN ledger_entries e ON e.ledger_id = l.id WHERE e.account_id = $1',
      [player.userId],
    );
    expect(rows.map((row) => row.kind)).toEqual(['deposit']);
  });
});

describe('breaks and self-exclusion', () => {
  it('a cool-off begins at once: unmatched bets leave the book, sockets hear, the end is exact', async () => {
    const player = await site.player();
    expect((await bet(player, { odd: 300 })).data.bet.remaining).toBe(1000);
    const socket = io(site.url, { auth: { token: player.token }, transports: ['websocket'], forceNew: true });
    await new Promise<void>((resolve) => socket.on('connect', () => resolve()));
    const told = new Promise((resolve) => socket.on('updateUserBalance', resolve));
    const { data } = await site.call(protection.coolOff, { body: { length: '24h' } }, { token: player.token });
    expect(Date.parse(data.until!)).toBe(site.clock.now + DAY);
    await told;
    socket.disconnect();
    expect(site.app.core.read.openBets('real', player.userId)).toEqual([]);
    expect(site.app.core.read.wallet('real', player.userId).exposureMinor).toBe(0);
    expect((await profileOf(player)).status).toBe('cooling off');
    site.clock.advance(DAY - 1);
    const later = await again(player);
    expect((await bet(later)).error?.message).toContain('taking a break');
    site.clock.advance(1);
    expect((await bet(later)).status).toBe(200);
    expect((await profileOf(later)).status).toBe('active');
  });

  it('a delayed bet in play goes too, a matched one stands', async () => {
    const player = await site.player();
    const matched = await bet(player);
    expect(matched.data.bet.matched).toBe(1000);
    await market({ inPlay: true, betDelayMs: 5000 });
    await bet(player);
    expect(site.app.core.read.openBets('real', player.userId).map((one) => one.status)).toContain('PENDING');
    await site.call(protection.coolOff, { body: { length: '1w' } }, { token: player.token });
    // Its delay over, it is refused its place in the book.
    site.clock.advance(5000);
    await site.app.core.submit({ world: 'real', actor: 'core', command: { type: 'clock' } });
    const open = site.app.core.read.openBets('real', player.userId);
    expect(open.filter((one) => one.remainingMinor > 0)).toEqual([]);
    await market({ inPlay: false, betDelayMs: 0 });
    expect(site.app.core.read.bet('real', matched.data.bet.id)?.matchedMinor).toBe(1000);
  });

  it.each(['closed', 'blocked'] as const)(
    'a bet in its delay and an order that waits for a price come to nothing where the account is %s meanwhile',
    async (state) => {
      const made = await match(`Ends ${state} v Delay`);
      const player = await site.player();
      await hold(player, made, 1000, 230);
      await market({ inPlay: true, betDelayMs: 5000 });
      await bet(player);
      expect(site.app.core.read.openBets('real', player.userId).map((one) => one.status)).toEqual(['PENDING']);
      expect((await setState(player, state)).status).toBe(200);
      expect(site.app.core.read.conditionals('real', player.userId)).toEqual([]);
      await laid(made, 230);
      site.clock.advance(5000);
      await site.app.core.submit({ world: 'real', actor: 'core', command: { type: 'clock' } });
      expect(site.app.core.read.openBets('real', player.userId)).toEqual([]);
      expect(site.app.core.read.wallet('real', player.userId)).toMatchObject({
        exposureMinor: 0,
        balanceMinor: 1_000_000,
      });
      await market({ inPlay: false, betDelayMs: 0 });
    },
  );

  it('[ACC-18] [ACC-09] self-exclusion: signing in says so and opens no betting; INT ends by itself', async () => {
    const player = await site.player();
    const { data } = await site.call(protection.selfExclude, { body: { months: 6 } }, { token: player.token });
    expect((await bet(player)).error?.code).toBe('ACCOUNT_BLOCKED');
    site.clock.advance(100 * DAY);
    const login = await site.call(auth.login, { body: { userName: player.userName, password: PASSWORD } });
    expect(login.data.standing).toMatchObject({ state: 'self-excluded', until: data.until });
    expect(login.message).toContain('excluded yourself');
    const later = { ...player, token: login.data.token };
    expect((await bet(later)).error?.code).toBe('ACCOUNT_BLOCKED');
    // History stays open to the player.
    expect((await site.call(bets.list, {}, { token: later.token })).status).toBe(200);
    site.clock.now = Date.parse(data.until!);
    await site.app.protection.tick();
    expect((await record(player)).status).toBe('active');
    expect((await bet(await again(player))).status).toBe(200);
  });

  it('[ACC-11] [ACC-12] [ACC-13] [LGL-26] [CAR-52] GB: support only, after the period, 7 days after the request', async () => {
    const player = await site.player();
    await settings(player, { jurisdiction: 'GB' });
    // Who chose no clock has that of his jurisdiction.
    const { timeZone } = (await site.call(CALLS.account.profile, {}, { token: player.token })).data;
    expect(timeZone).toBe('Europe/London');
    const { data } = await site.call(protection.selfExclude, { body: { months: 6 } }, { token: player.token });
    const ask = (token: string) => site.call(protection.revoke, { body: {} }, { token });
    const support = async () =>
      site.call(
        protection.operatorRevoke,
        { body: { userName: player.userName, reason: 'the player called' } },
        await op(),
      );
    expect((await ask(player.token)).error?.code).toBe('SUPPORT_NEEDED');
    expect((await support()).error?.code).toBe('REVOCATION_EARLY');
    site.clock.now = Date.parse(data.until!);
    const later = await again(player);
    expect((await bet(later)).error?.code).toBe('ACCOUNT_BLOCKED');
    expect((await ask(later.token)).error?.code).toBe('SUPPORT_NEEDED');
    const asked = await support();
    expect(asked.data).toEqual({ request: expect.any(Number), at: null });
    const told = (await site.agree(asked.data.request)) as { at: string };
    expect(Date.parse(told.at)).toBe(site.clock.now + 7 * DAY);
    // Asked twice it does not begin anew.
    site.clock.now = Date.parse(told.at) - 6 * DAY;
    expect(await site.agree((await support()).data.request)).toMatchObject({ at: told.at });
    site.clock.now = Date.parse(told.at) - 1;
    const day = await again(player);
    expect((await bet(day)).error?.code).toBe('ACCOUNT_BLOCKED');
    site.clock.advance(1);
    expect((await bet(day)).status).toBe(200);
  });

  it('[ACC-12] [ACC-13] without an end: the player himself, after the shortest period', async () => {
    const player = await site.player();
    await site.call(protection.selfExclude, { body: { months: 0 } }, { token: player.token });
    const ask = (token: string) => site.call(protection.revoke, { body: {} }, { token });
    expect((await ask(player.token)).error?.code).toBe('REVOCATION_EARLY');
    const from = Date.parse((await statusOf(player)).restriction!.revocableFrom!);
    site.clock.now = from;
    const later = await again(player);
    expect((await bet(later)).error?.code).toBe('ACCOUNT_BLOCKED');
    expect(Date.parse((await ask(later.token)).data.at)).toBe(from + 7 * DAY);
    site.clock.now = from + 7 * DAY;
    expect((await bet(await again(player))).status).toBe(200);
  });

  it('[CAR-52] a second wish never shortens the first', async () => {
    const player = await site.player();
    const long = await site.call(protection.coolOff, { body: { length: '6w' } }, { token: player.token });
    const short = await site.call(protection.coolOff, { body: { length: '24h' } }, { token: player.token });
    expect(short.data.until).toBe(long.data.until);
    await site.call(protection.selfExclude, { body: { months: 12 } }, { token: player.token });
    const cool = await site.call(protection.coolOff, { body: { length: '24h' } }, { token: player.token });
    expect(cool.error?.code).toBe('RESTRICTION_RUNS');
    expect((await statusOf(player)).restriction?.state).toBe('self-excluded');
  });

  it('survives a restart of the room: the tables bring it back', async () => {
    const player = await site.player();
    await site.call(protection.selfExclude, { body: { months: 24 } }, { token: player.token });
    const [row] = await site.app.db.query<{ restriction: string; status: string }>(
      'SELECT p.restriction, u.status FROM protection p JOIN users u ON u.id = p.user_id WHERE p.user_id = $1',
      [player.userId],
    );
    expect(row).toEqual({ restriction: 'self-excluded', status: 'self-excluded' });
  });
});

describe('limits', () => {
  it('[LGL-24] [LGL-25] [ACC-17] lower at once; higher after 7 days, with a date, and can be given up', async () => {
    const player = await site.player();
    expect((await setLimit(player, { kind: 'stake', span: 'bet', amountMinor: 5000 })).data.when).toBe('now');
    expect((await bet(player, { stake: 5001 })).error).toMatchObject({ code: 'STAKE_LIMIT', field: 'stake' });
    expect((await bet(player, { stake: 5000 })).status).toBe(200);
    expect((await setLimit(player, { kind: 'stake', span: 'bet', amountMinor: 2000 })).data.when).toBe('now');
    expect((await bet(player, { stake: 2001 })).error?.code).toBe('STAKE_LIMIT');
    const raise = await setLimit(player, { kind: 'stake', span: 'bet', amountMinor: 9000 });
    expect(raise.data).toEqual({ when: 'later', at: new Date(site.clock.now + 7 * DAY).toISOString() });
    expect((await statusOf(player)).limits).toMatchObject([
      { kind: 'stake', amountMinor: 2000, pending: { amountMinor: 9000, at: raise.data.at } },
    ]);
    await site.call(protection.cancelRaise, { body: { kind: 'stake', span: 'bet' } }, { token: player.token });
    expect((await statusOf(player)).limits[0]!.pending).toBeNull();
    await setLimit(player, { kind: 'stake', span: 'bet', amountMinor: 9000 });
    site.clock.advance(7 * DAY - 1);
    const later = await again(player);
    expect((await bet(later, { stake: 9000 })).error?.code).toBe('STAKE_LIMIT');
    site.clock.advance(1);
    expect((await bet(later, { stake: 9000 })).status).toBe(200);
  });

  it('removing is a raise; a limit that is not there cannot be removed', async () => {
    const player = await site.player();
    await setLimit(player, { kind: 'wager', span: 'day', amountMinor: 1000 });
    expect((await setLimit(player, { kind: 'wager', span: 'day', amountMinor: null })).data.when).toBe('later');
    expect((await setLimit(player, { kind: 'loss', span: 'day', amountMinor: null })).error?.code).toBe(
      'LIMIT_UNKNOWN',
    );
    expect((await setLimit(player, { kind: 'stake', span: 'day', amountMinor: 1000 })).error).toMatchObject({
      code: 'BAD_INPUT',
      field: 'span',
    });
  });

  it('[INV-18] wager: parallel bets at the edge take exactly the limit; the window ends at midnight', async () => {
    const player = await site.player();
    await setLimit(player, { kind: 'wager', span: 'day', amountMinor: 5000 });
    const answers = await Promise.all(Array.from({ length: 12 }, () => bet(player, { stake: 1000 })));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(5);
    for (const answer of answers.filter((one) => one.status !== 200)) expect(answer.error?.code).toBe('WAGER_LIMIT');
    // What waits for a price is judged by it when it is made.
    const stop = {
      kind: 'STOP' as const,
      runnerId: game.runnerIds[0]!,
      bettingType: 'LAY' as const,
      trigger: 900,
      odd: 950,
    };
    const order = { key: `waits-${player.userId}-0000000000`, betId: game.betId, ...stop, stake: 1000 };
    const waits = await site.call(CALLS.trader.conditional, { body: order }, { token: player.token });
    expect(waits.error?.code).toBe('WAGER_LIMIT');
    expect((await statusOf(player)).limits[0]).toMatchObject({ usedMinor: 5000 });
    const midnight = Date.parse((await statusOf(player)).limits[0]!.resetsAt!);
    site.clock.now = midnight - 1;
    const later = await again(player);
    expect((await bet(later, { stake: 100 })).error?.code).toBe('WAGER_LIMIT');
    site.clock.now = midnight;
    expect((await bet(later, { stake: 5000 })).status).toBe(200);
  });

  it('[INV-29] an order that waits is judged by the limits of the moment it fires, and tells why it was not placed', async () => {
    const made = await match('Stops v Limits');
    const { betId, matchId } = made;
    const runnerId = made.runnerIds[0]!;
    const [low, much, early] = [await site.player(), await site.player(), await site.player()];
    await hold(low, made, 1000, 230);
    await setLimit(low, { kind: 'stake', span: 'bet', amountMinor: 999 });
    await laid(made, 230);
    expect(await ends(low)).toEqual(['STAKE_LIMIT']);

    await setLimit(much, { kind: 'wager', span: 'week', amountMinor: 9000 });
    await setLimit(much, { kind: 'wager', span: 'day', amountMinor: 3000 });
    await hold(much, made, 1000, 250);
    await bet(much, { betId, matchId, runnerId, odd: 220, stake: 2500 });
    await hold(much, made, 500, 270);
    await laid(made, 250);
    expect(await ends(much)).toEqual(['WAGER_LIMIT']);
    await laid(made, 270);
    expect(await ends(much)).toEqual(['FIRED', 'WAGER_LIMIT']);

    await setLimit(early, { kind: 'wager', span: 'day', amountMinor: 3000 });
    await hold(early, made, 1000, 300);
    await bet(early, { betId, matchId, runnerId, odd: 260, stake: 2500 });
    // In a new window the core is told without a bet of the player's.
    site.clock.now = Date.parse((await statusOf(early)).limits[0]!.resetsAt!);
    await site.app.protection.tick();
    await laid(made, 300);
    expect(await ends(await again(early))).toEqual(['FIRED']);
  });

  const none = {};
  const offset = { stake: 1500, offset: { ticks: 5, level: false } };
  const [early, late] = ['before the bet has its part of the limit', 'when it has'];
  it.each([
    ['a bet', early, none, 1, { placed: 400, ends: ['FIRED'], usedMinor: 2000 }],
    ['a bet', late, none, 2, { placed: 200, ends: ['WAGER_LIMIT'], usedMinor: 2500 }],
    ['a bet with an offset', early, offset, 1, { placed: 400, ends: ['FIRED'], usedMinor: 2000 }],
    // What the bet has is no reason to refuse the order that came with it.
    ['a bet with an offset', late, offset, 2, { placed: 200, ends: ['FIRED', 'WAGER_LIMIT'], usedMinor: 3000 }],
  ])('wager: of %s and an order that fires %s no more is placed than the limit', async (what, _, over, at, left) => {
    const made = await match(`Fires v Meanwhile ${what} ${at}`);
    const { betId, matchId } = made;
    const runnerId = made.runnerIds[0]!;
    const player = await site.player();
    await setLimit(player, { kind: 'wager', span: 'day', amountMinor: 3000 });
    await hold(player, made, 2000, 230);
    // The price moves when the stakes so far were read for the bet, and before it is there.
    const { db } = site.app;
    const query = db.query;
    let readings = 0;
    db.query = (async (sql: string, params?: unknown[]) => {
      const rows = await query.call(db, sql, params);
      if (sql.includes('sum(size - cancelled - lapsed - voided)') && ++readings === at) await laid(made, 230);
      return rows;
    }) as typeof db.query;
    const placed = await bet(player, { betId, matchId, runnerId, odd: 200, stake: 2500, ...over }).finally(() => {
      db.query = query;
    });
    const { usedMinor } = (await statusOf(player)).limits[0]!;
    expect({ placed: placed.status, ends: await ends(player), usedMinor }).toEqual(left);
    // What was set aside is there again.
    const rest = Math.min(500, 3000 - usedMinor!);
    if (rest === 0) return;
    await hold(player, made, rest, 250);
    await laid(made, 250);
    expect((await statusOf(player)).limits[0]).toMatchObject({ usedMinor: usedMinor! + rest });
  });

  it('wager: another gateway that brings the core to the state of the account leaves what a bet has set aside', async () => {
    const made = await match('Fires v Elsewhere');
    const { betId, matchId } = made;
    const runnerId = made.runnerIds[0]!;
    const player = await site.player();
    await setLimit(player, { kind: 'wager', span: 'day', amountMinor: 3000 });
    await hold(player, made, 2000, 230);
    const { db, core, auth: signIn } = site.app;
    const elsewhere = new Protection({
      db,
      bus: new LocalHub().bus(),
      core,
      auth: Object.create(signIn, { useStanding: { value: () => undefined } }) as typeof signIn,
      audit: Object.create(null, { record: { value: () => Promise.resolve() } }) as never,
      clock: site.clock,
      log: silent,
      isAlone: () => false,
    });
    // There it is known as it was told last.
    await db.query("UPDATE users SET status = 'frozen' WHERE id = $1", [player.userId]);
    const query = db.query;
    let readings = 0;
    db.query = (async (sql: string, params?: unknown[]) => {
      const rows = await query.call(db, sql, params);
      // When the bet has its part of the limit, and is not there yet.
      if (!sql.includes('sum(size - cancelled - lapsed - voided)') || ++readings !== 2) return rows;
      expect((await elsewhere.standing(player.userId)).state).toBe('active');
      expect(readings).toBe(3);
      await laid(made, 230);
      return rows;
    }) as typeof db.query;
    const placed = await bet(player, { betId, matchId, runnerId, odd: 200, stake: 2500 }).finally(() => {
      db.query = query;
    });
    await elsewhere.stop();
    const { usedMinor } = (await statusOf(player)).limits[0]!;
    expect({ placed: placed.status, ends: await ends(player), usedMinor }).toEqual({
      placed: 200,
      ends: ['WAGER_LIMIT'],
      usedMinor: 2500,
    });
  });

  it('[INV-18] loss: what is lost and what may be lost never passes the limit, parallel bets included', async () => {
    const player = await site.player();
    await setLimit(player, { kind: 'loss', span: 'week', amountMinor: 5000 });
    const place = (over: Partial<PlaceBody> = {}) => bet(player, { stake: 2000, ...over });
    const answers = await Promise.all(Array.from({ length: 6 }, () => place()));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(2);
    expect(answers.find((answer) => answer.status !== 200)?.error?.code).toBe('LOSS_LIMIT');
    expect((await place({ stake: 1000 })).status).toBe(200);
    expect((await statusOf(player)).limits[0]).toMatchObject({ kind: 'loss', usedMinor: 5000 });
    // Laying it back lowers the risk and passes.
    expect((await place({ bettingType: 'LAY', odd: 210, stake: 1000 })).status).toBe(200);
  });

  it('[INV-18] loss: money that moves while the floor is reckoned makes no room', async () => {
    const player = await site.player();
    const { db, core } = site.app;
    const query = db.query;
    let moved = 0;
    db.query = (async (sql: string, params?: unknown[]) => {
      const rows = await query(sql, params as never);
      if (params?.[1] === player.userId && /AS balance/.test(sql) && moved < 2) {
        moved += 1;
        const deposit = { amountMinor: 3000, reason: 'deposit', text: 'on its way' } as const;
        await core.submit({
          world: 'real',
          actor: 'test',
          command: { type: 'account.transfer', accountId: player.userId, ...deposit },
        });
      }
      return rows;
    }) as typeof query;
    try {
      await setLimit(player, { kind: 'loss', span: 'day', amountMinor: 2000 });
    } finally {
      db.query = query;
    }
    expect(moved).toBe(2);
    expect((await bet(player, { stake: 2100 })).error?.code).toBe('LOSS_LIMIT');
    expect((await bet(player, { stake: 2000 })).status).toBe(200);
  });

  it('many at once pass the gate as one does', async () => {
    const player = await site.player();
    await setState(player, 'cooling off');
    const placing = {
      type: 'order.place',
      betId: 0,
      accountId: player.userId,
      marketId: game.betId,
      runnerId: game.runnerIds[0]!,
      side: 'BACK',
      price: 200,
      sizeMinor: 1000,
      persistence: 'LAPSE',
    } as const;
    const other = { type: 'market.state', marketId: game.betId } as const;
    const [refused, done] = await site.app.protection.guarded.submitAll([
      { world: 'real', actor: `player:${player.userId}`, key: key(), command: placing },
      { world: 'all', actor: 'feed', command: other },
    ]);
    expect(refused).toMatchObject({ code: 'ACCOUNT_BLOCKED', message: expect.stringContaining('break') });
    expect(done).not.toBeInstanceOf(Error);
  });

  it('[INV-18] loss: a settled loss counts until the window ends, a deposit makes no room', async () => {
    const player = await site.player();
    await setLimit(player, { kind: 'loss', span: 'day', amountMinor: 2000 });
    const { betId, matchId, runnerIds } = await match('Loss limit test');
    expect(
      (await bet(player, { betId, matchId, runnerId: runnerIds[0]!, odd: 200, stake: 2000 })).data.bet.matched,
    ).toBe(2000);
    await site.call(
      operator.declare,
      { body: { key: newKey(), betId, result: { kind: 'winners', runnerIds: [runnerIds[1]!] } } },
      await op(),
    );
    expect((await bet(player, { stake: 100 })).error?.code).toBe('LOSS_LIMIT');
    await pay(player, 50_000);
    expect((await bet(player, { stake: 100 })).error?.code).toBe('LOSS_LIMIT');
    expect(await statusOf(player)).toMatchObject({ weekNetMinor: -2000, session: { netMinor: -2000 } });
    site.clock.now = Date.parse((await statusOf(player)).limits[0]!.resetsAt!);
    expect((await bet(await again(player), { stake: 2000 })).status).toBe(200);
  });

  it('exposure: kept by the core in the step that takes the bet', async () => {
    const player = await site.player();
    await setLimit(player, { kind: 'exposure', span: 'always', amountMinor: 1500 });
    expect((await bet(player, { stake: 1000 })).status).toBe(200);
    expect((await bet(player, { stake: 501 })).error?.code).toBe('EXPOSURE_LIMIT');
    // The operator's block of betting and its end leave the limit as it was.
    for (const on of [true, false])
      await site.call(
        operator.block,
        { body: { userName: player.userName, what: 'betting', on, reason: 'looked into' } },
        await op(),
      );
    expect((await bet(player, { stake: 501 })).error?.code).toBe('EXPOSURE_LIMIT');
    expect((await bet(player, { stake: 500 })).status).toBe(200);
  });

  it('[INV-18] deposit: parallel deposits at the edge reach exactly the limit; the whole deposit is refused', async () => {
    const player = await site.player(undefined, 0);
    await setLimit(player, { kind: 'deposit', span: 'month', amountMinor: 10_000 });
    const answers = await Promise.all(Array.from({ length: 6 }, () => pay(player, 3000)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(3);
    expect(answers.find((answer) => answer.status !== 200)?.error).toMatchObject({
      code: 'DEPOSIT_LIMIT',
      field: 'amountMinor',
    });
    expect((await pay(player, 1001)).error?.code).toBe('DEPOSIT_LIMIT');
    expect((await pay(player, 1000)).status).toBe(200);
    expect((await statusOf(player)).monthDepositsMinor).toBe(10_000);
  });

  it('a bet that was taken is told again under its key, whatever the limits say now', async () => {
    const player = await site.player();
    const same = { key: key() };
    const first = await bet(player, same);
    await setLimit(player, { kind: 'stake', span: 'bet', amountMinor: 100 });
    const second = await bet(player, same);
    expect(second.data.bet.id).toBe(first.data.bet.id);
    expect((await bet(player)).error?.code).toBe('STAKE_LIMIT');
  });

  it('[PP-11] a raise after an idle hour needs the password, a lower limit never', async () => {
    const player = await site.player();
    await setLimit(player, { kind: 'stake', span: 'bet', amountMinor: 5000 });
    site.clock.advance(HOUR + 1);
    expect((await setLimit(player, { kind: 'stake', span: 'bet', amountMinor: 6000 })).error?.code).toBe(
      'STEP_UP_REQUIRED',
    );
    expect((await setLimit(player, { kind: 'stake', span: 'bet', amountMinor: 4000 })).status).toBe(200);
    await site.call(auth.stepUp, { body: { password: PASSWORD } }, { token: player.token });
    expect((await setLimit(player, { kind: 'stake', span: 'bet', amountMinor: 6000 })).status).toBe(200);
  });
});

describe('time', () => {
  it('[LGL-23] the reality check stands in the way of bets until it is answered', async () => {
    const player = await site.player();
    for (let i = 0; i < 3; i++) {
      expect((await bet(player)).status).toBe(200);
      site.clock.advance(20 * MIN);
    }
    const due = await statusOf(player);
    expect(due.reality).toMatchObject({ due: true, minutes: 60 });
    expect(due.session).toMatchObject({ elapsedMs: HOUR, stakedMinor: 3000 });
    expect((await bet(player)).error?.code).toBe('REALITY_CHECK_DUE');
    const answer = await site.call(protection.answerReality, { body: {} }, { token: player.token });
    expect(Date.parse(answer.data.nextAt!)).toBe(site.clock.now + HOUR);
    expect((await bet(player)).status).toBe(200);
    // A shorter way between two checks, one of the choices.
    const choose = (minutes: number) =>
      site.call(protection.setReality, { body: { minutes } }, { token: player.token });
    expect((await choose(90)).error?.code).toBe('BAD_INPUT');
    expect((await choose(0)).error?.code).toBe('BAD_INPUT');
    expect((await choose(15)).status).toBe(200);
    site.clock.advance(15 * MIN);
    expect((await bet(player)).error?.code).toBe('REALITY_CHECK_DUE');
  });

  it('signing in anew starts no new hour; half an hour away does', async () => {
    const player = await site.player();
    await statusOf(player);
    site.clock.advance(25 * MIN);
    const second = await again(player);
    await statusOf(second);
    site.clock.advance(25 * MIN);
    await statusOf(second);
    site.clock.advance(10 * MIN);
    expect((await bet(second)).error?.code).toBe('REALITY_CHECK_DUE');
    site.clock.advance(31 * MIN);
    expect((await bet(await again(player))).status).toBe(200);
  });

  it('an open socket is presence', async () => {
    const player = await site.player();
    await statusOf(player);
    const socket: Socket = io(site.url, { auth: { token: player.token }, transports: ['websocket'], forceNew: true });
    await new Promise<void>((resolve) => socket.on('connect', () => resolve()));
    site.clock.advance(61 * MIN);
    expect((await statusOf(player)).reality.due).toBe(true);
    socket.disconnect();
  });

  it('[ACC-19] the session time limit is set by support: three tabs count once, then bets are refused', async () => {
    const player = await site.player();
    expect(
      (
        await site.call(
          protection.operatorSettings,
          { body: { userName: player.userName, sessionMinutes: 60, reason: 'asked' } },
          { token: player.token },
        )
      ).status,
    ).toBe(403);
    await settings(player, { sessionMinutes: 45 });
    const tabs = [player, await again(player), await again(player)];
    for (let i = 0; i < 4; i++) {
      for (const tab of tabs) await statusOf(tab);
      if (i < 3) site.clock.advance(14 * MIN);
    }
    expect((await statusOf(player)).today).toEqual({ playedMs: 42 * MIN, limitMinutes: 45 });
    await site.app.protection.tick();
    expect((await statusOf(player)).today.playedMs).toBe(42 * MIN);
    expect((await bet(player)).status).toBe(200);
    site.clock.advance(3 * MIN);
    expect((await bet(player)).error?.code).toBe('SESSION_TIME_LIMIT');
  });
});

describe('who may', () => {
  it('[DEM-01] demo players have no part in it: every call is refused', async () => {
    const { data } = await site.call(auth.demo, { body: {} } as never);
    const bodies: Record<string, object> = {
      setLimit: { kind: 'stake', span: 'bet', amountMinor: 1000 },
      cancelRaise: { kind: 'stake', span: 'bet' },
      coolOff: { length: '24h' },
      selfExclude: { months: 6 },
      setReality: { minutes: 60 },
    };
    for (const [name, call] of Object.entries(protection)) {
      if (call.who !== 'real') continue;
      const told = await site.call(
        call as typeof protection.setLimit,
        (call.method === 'GET' ? {} : { body: bodies[name] ?? {} }) as never,
        { token: data.token },
      );
      expect([name, told.status, told.error?.code]).toEqual([name, 403, 'DEMO_NOT_ALLOWED']);
    }
    expect((await bet({ token: data.token })).status).toBe(200);
  });

  it('[OPN-01] [LGL-28] a player reaches none of the operator calls; the server is where the rules stand', async () => {
    const player = await site.player();
    for (const [call, body] of [
      [protection.operatorState, { userName: player.userName, state: 'active', reason: 'trying' }],
      [protection.operatorRevoke, { userName: player.userName, reason: 'trying' }],
    ] as const)
      expect(
        (await site.call(call as typeof protection.operatorRevoke, { body } as never, { token: player.token })).status,
      ).toBe(403);
  });

  it('[INV-21] every change is in the audit log; the books are whole', async () => {
    const player = await site.player();
    await setLimit(player, { kind: 'deposit', span: 'day', amountMinor: 4000 });
    await site.call(protection.coolOff, { body: { length: '3w' } }, { token: player.token });
    const { data } = await site.call(operator.audit, { query: { limit: '4' } }, await op());
    expect(data.map((row) => [row.action, row.actor, row.object])).toEqual([
      ['protection.state', `player:${player.userId}`, `player:${player.userId}`],
      ['protection.restrict', `player:${player.userId}`, `player:${player.userId}`],
      ['protection.limit', `player:${player.userId}`, `player:${player.userId}`],
      expect.anything(),
    ]);
    expect((await verifyAudit(site.app.db, site.config.keyring, [])).brokenAt).toBeNull();
    expect((await verify(site.app.db)).ok).toBe(true);
    expect(site.app.core.health().breaks).toBe(0);
  });
});
