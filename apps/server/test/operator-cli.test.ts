/** Every command of the operator's command line, carried out on a running server. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allCalls, CALLS, OPERATOR_CALLS, ROLES } from '@fairgame/contract';
import type { Command } from '@fairgame/exchange';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runOperator } from '../../../scripts/operator/cli.ts';
import { COMMANDS } from '../../../scripts/operator/commands.ts';
import { playedOf } from '../../../scripts/operator/played.ts';
import { appCode } from '../src/auth/auth.ts';
import type { World } from '../src/core/types.ts';
import { makeServer, newKey, type TestServer } from './server.ts';

const { bets, account } = CALLS;
const WHY = ['--reason', 'a test of it'];
let server: TestServer;
let folder: string;
let env: Record<string, string>;
const ran = new Set<string>();

beforeAll(async () => {
  server = await makeServer();
  folder = mkdtempSync(join(tmpdir(), 'fairgame-cli-'));
  env = { FAIRGAME_URL: server.url, FAIRGAME_OPERATOR_TOKEN: await server.operator(), FAIRGAME_DATA: folder };
  await server.person('second', ROLES);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server?.close();
});

interface Ran {
  code: number;
  out: string;
  err: string;
}

async function run(...args: string[]): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  ran.add(args.find((arg) => !arg.startsWith('--'))!);
  const screen = { out: (text: string) => void out.push(text), err: (text: string) => void err.push(text) };
  const code = await runOperator(args, env, screen);
  return { code, out: out.join('\n'), err: err.join('\n') };
}

/** A line of the second person, who agrees. */
async function agree(request: number): Promise<void> {
  const first = env;
  env = { ...first, FAIRGAME_OPERATOR_TOKEN: await server.person('second', ROLES) };
  try {
    const { seen, effect } = await data<{ seen: string; effect: object[] }>('request', String(request));
    expect(effect.length).toBeGreaterThan(0);
    await data('approve', String(request), '--seen', seen);
  } finally {
    env = first;
  }
}

/** The answer of a command that must go well. */
async function data<T = Record<string, never>>(...args: string[]): Promise<T> {
  const told = await run('--json', ...args);
  expect([args.join(' '), told.code, told.err]).toEqual([args.join(' '), 0, '']);
  return JSON.parse(told.out) as T;
}

interface Made {
  matchId: number;
  betId: number;
  runnerIds: number[];
}

const match = (title: string) =>
  data<Made>(
    'add-match',
    '--sport',
    'cricket',
    '--title',
    title,
    '--competition',
    'Cup',
    '--start',
    '2026-07-02T10:00:00Z',
    '--teams',
    'Reds, Blues',
  );
const statusOf = (betId: number) => server.app.core.read.market(betId)!.status;

async function bet(token: string, made: Made, stake: number): Promise<number> {
  const [runnerId] = made.runnerIds as [number];
  await run('quote', String(made.betId), String(runnerId), '--back', '2.00:1000.00', '--lay', '2.10:1000.00');
  const { betId, matchId } = made;
  const body = { key: newKey(), betId, matchId, runnerId, bettingType: 'BACK' as const, odd: 200, stake };
  return (await server.call(bets.place, { body }, { token })).data.bet.id;
}

describe('people', () => {
  it('are added, get roles by two, set up their authenticator, are shut out, let in and reset', async () => {
    const added = await data<{ password: string }>('add-person', 'frieda', ...WHY);
    await agree((await data<{ request: number }>('set-roles', 'frieda', 'payments,support', ...WHY)).request);
    const person = async () =>
      (await data<Array<{ userName: string }>>('people')).find(({ userName }) => userName === 'frieda');
    expect(await person()).toMatchObject({ roles: ['support', 'payments'], active: true, factor: false });
    // Frieda's own lines: she signs in by the command line itself, on a machine that has no folder of a site.
    const there = { FAIRGAME_DATA: join(folder, 'of frieda') };
    const own = { ...env, ...there, FAIRGAME_OPERATOR_USER: 'frieda', FAIRGAME_OPERATOR_PASSWORD: added.password };
    const chief = env;
    env = Object.fromEntries(Object.entries(own).filter(([name]) => name !== 'FAIRGAME_OPERATOR_TOKEN'));
    expect((await run('requests')).err).toContain('FACTOR_REQUIRED');
    const { secret } = await data<{ secret: string }>('enrol');
    const codeNow = () => appCode(secret, Math.floor(server.clock.now / 30_000));
    expect((await run('confirm', codeNow(), '--new-password', 'short')).err).toContain('PASSWORD_SHORT');
    env.FAIRGAME_OPERATOR_PASSWORD = 'kettle-march-violet-93';
    await data('confirm', codeNow(), '--new-password', env.FAIRGAME_OPERATOR_PASSWORD);
    expect(await data('whoami')).toMatchObject({ userName: 'frieda', roles: ['support', 'payments'] });
    server.clock.advance(60_000);
    await data(
      'password',
      '--old-password',
      env.FAIRGAME_OPERATOR_PASSWORD,
      '--new-password',
      'march-of-violet-kettles-4',
      '--code',
      codeNow(),
    );
    env.FAIRGAME_OPERATOR_PASSWORD = 'march-of-violet-kettles-4';
    await data('sign-out');
    server.clock.advance(60_000);
    // Without a code nothing; the code typed signs in, and an old proof is given anew with it.
    expect((await run('whoami')).err).toContain('--totp');
    expect((await run('--totp', codeNow(), 'whoami')).code).toBe(0);
    server.clock.advance(16 * 60_000);
    const { userName } = await server.player();
    const credit = await run('--totp', codeNow(), 'credit', userName, '1.00', ...WHY);
    expect([credit.code, credit.err]).toEqual([0, '']);
    env = chief;
    env.FAIRGAME_OPERATOR_TOKEN = await server.operator();
    await data('shut-out', 'frieda', ...WHY);
    expect(await person()).toMatchObject({ active: false });
    const back = await data<{ request: number }>('let-in', 'frieda', ...WHY);
    const { request } = await data<{ request: number }>('reset-person', 'frieda', ...WHY);
    expect((await run('requests')).out).toContain('operator.resetPerson');
    await data('refuse', String(request), '--reason', 'not needed any more');
    await agree(back.request);
    await agree((await data<{ request: number }>('reset-person', 'frieda', ...WHY)).request);
    expect(await person()).toMatchObject({ active: true, factor: false });
  });
});

describe('players', () => {
  it('are made, credited, looked at, blocked, signed out, and get new passwords', async () => {
    await data('create-player', 'anna', '--credit', '100.00', '--currency', 'EUR', '--age', 'yes', '--keep-password');
    const id = (await server.app.auth.userNamed('anna')).id;
    expect(server.app.core.read.wallet('real', id).balanceMinor).toBe(10_000);
    expect((await server.app.auth.userNamed('anna')).forceChange).toBe(false);
    expect(await data('credit', 'anna', '-25.00', '--kind', 'withdrawal', ...WHY)).toMatchObject({
      balanceMinor: 7500,
    });
    expect((await run('player', 'anna')).out).toContain('balanceMinor: 75.00');
    await data('block', 'anna', '--betting', ...WHY);
    expect((await server.app.auth.userNamed('anna')).betBlocked).toBe(true);
    await data('unblock', 'anna', '--betting', ...WHY);
    await data('block', 'anna', ...WHY);
    expect((await server.app.auth.userNamed('anna')).status).toBe('blocked');
    await data('unblock', 'anna', ...WHY);
    const { token } = await server.player('berta');
    expect(await data('force-logout', 'berta', ...WHY)).toEqual({ ended: 1 });
    expect((await server.call(account.profile, {}, { token })).status).toBe(401);
    await server.player('carla');
    expect((await data<{ ended: number }>('force-logout', '--all', ...WHY)).ended).toBeGreaterThan(0);
    expect(await data('reset-password', 'anna', ...WHY)).toMatchObject({ password: expect.stringMatching(/-/) });
    await server.app.db.query("UPDATE users SET failed_count = 100, failed_at = $1 WHERE name_key = 'anna'", [
      server.clock(),
    ]);
    await data('unlock', 'anna', ...WHY);
    expect((await server.app.auth.userNamed('anna')).failedCount).toBe(0);
  });

  it('get states, figures of protection, and the end of a restriction', async () => {
    await server.player('dora');
    await data('set-state', 'dora', 'frozen', ...WHY);
    expect((await server.app.auth.userNamed('dora')).status).toBe('frozen');
    await data('set-state', 'dora', 'active', ...WHY);
    await data('protect', 'dora', '--age', 'yes', '--minutes', '120', '--jurisdiction', 'MT', ...WHY);
    await data('protect', 'dora', '--minutes', 'none', ...WHY);
    expect((await run('revoke', 'dora', ...WHY)).err).toContain('STATE_NOT_FITTING');
  });

  it('[CAR-03] a repeated line with its key moves money once, the key without the line moves none', async () => {
    const { userId } = await server.player('ede', 1000);
    const first = await run('credit', 'ede', '5.00', ...WHY);
    const key = /key: (\S+)/.exec(first.out)![1]!;
    const again = await run('credit', 'ede', '5.00', ...WHY, '--key', key);
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('Nothing moved again')]);
    expect(server.app.core.read.wallet('real', userId).balanceMinor).toBe(1500);
    const other = await run('credit', 'ede', '6.00', ...WHY, '--key', key);
    expect([other.code, other.err]).toEqual([1, expect.stringContaining('KEY_REUSED')]);
    for (const kind of ['correction', 'withdrawal', 'creditReference', 'deposit']) {
      const amount = kind === 'withdrawal' ? '-1.00' : '1.00';
      const line = ['credit', 'ede', amount, '--kind', kind, ...WHY, '--key', newKey()];
      await Promise.all([run(...line), run(...line), run(...line)]);
    }
    expect(server.app.core.read.wallet('real', userId).balanceMinor).toBe(1700);
  });

  it('a line that got no answer says its key', async () => {
    const silent = { ...env, FAIRGAME_URL: 'http://127.0.0.1:9' };
    const err: string[] = [];
    const code = await runOperator(['credit', 'ede', '5.00', ...WHY], silent, {
      out: () => undefined,
      err: (text) => void err.push(text),
    });
    expect([code, err.join('\n')]).toEqual([1, expect.stringMatching(/--key cli-\S{16,}.*No server answers/s)]);
  });

  it('beside a live site asks its port for operators, with the password of a file', async () => {
    const file = join(folder, 'operator-password');
    writeFileSync(file, 'kettle-march-violet-93\n');
    const asked: unknown[] = [];
    const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation((url, init) => {
      asked.push([url, JSON.parse(init!.body as string)]);
      return Promise.reject(new Error('nobody is there'));
    });
    const live = { FAIRGAME_PROFILE: 'production', FAIRGAME_DATA: folder, FAIRGAME_OPERATOR_PASSWORD_FILE: file };
    await runOperator(['whoami'], live, { out: () => {}, err: () => {} });
    fetched.mockRestore();
    const body = { userName: 'operator', password: 'kettle-march-violet-93' };
    expect(asked).toEqual([[expect.stringMatching(/^http:\/\/127\.0\.0\.1:3001\/api\//), body]]);
  });
});

describe('events and markets', () => {
  it('are added, quoted, suspended, given back, declared and taken back', async () => {
    const made = await match('Reds v Blues');
    const line = await data<Made>('add-session', String(made.matchId), '6 over runs', '--kind', 'session');
    await data('quote', String(line.betId), String(line.runnerIds[0]), '--back', '95:100.00', '--line', '48');
    expect(server.app.core.read.quotes('real', line.betId)[0]).toMatchObject({ back: { price: 95, line: 48 } });
    await data('suspend', '--match', String(made.matchId), ...WHY);
    expect([statusOf(made.betId), statusOf(line.betId)]).toEqual(['SUSPENDED', 'SUSPENDED']);
    await data('resume', '--market', String(made.betId), ...WHY);
    expect([statusOf(made.betId), statusOf(line.betId)]).toEqual(['OPEN', 'SUSPENDED']);
    await data('declare', String(made.betId), '--winner', String(made.runnerIds[0]));
    expect(statusOf(made.betId)).toBe('CLOSED');
    const back = await data<{ request: number }>('undeclare', String(made.betId), ...WHY);
    expect(statusOf(made.betId)).toBe('CLOSED');
    await agree(back.request);
    expect(statusOf(made.betId)).not.toBe('CLOSED');
    await data('declare', String(line.betId), '--score', '52', ...WHY);
    const abandoned = await match('Off v Off');
    await agree((await data<{ request: number }>('declare', String(abandoned.betId), '--void', 'abandoned')).request);
    const dead = await match('Heat v Heat');
    const [one, two] = dead.runnerIds;
    await data('declare', String(dead.betId), '--ranks', `${one}=1,${two}=1`);
    const drawn = await match('Even v Even');
    await data('declare', String(drawn.betId), '--tie');
    const other = await match('Six v Six');
    const event = await data<Made>('add-session', String(other.matchId), 'A six in over 1', '--kind', 'fancy1');
    await data('declare', String(event.betId), '--no');
    expect([line, abandoned, dead, drawn, event].map(({ betId }) => statusOf(betId))).toEqual(Array(5).fill('CLOSED'));
  });

  it('bets are taken out, once for each key, and their reasons changed', async () => {
    const { token } = await server.player('fritz');
    const made = await match('Bets v Bets');
    const first = await bet(token, made, 1000);
    const line = ['delete-bet', String(first), ...WHY, '--key', newKey()];
    expect(await data<object>(...line)).toEqual({ request: null, repeated: false });
    expect(await data<object>(...line)).toEqual({ request: null, repeated: true });
    const second = await bet(token, made, 1000);
    await data('delete-race-bets', '--race', String(made.matchId), '--bets', String(second), ...WHY);
    await data('set-reason', `${first},${second}`, '--reason', 'price was a slip');
    const query = { betId: `inArr[${made.betId}]` };
    const { rows } = (await server.call(bets.list, { query }, { token })).data;
    expect(rows.map(({ voided, deleteReason }) => [voided, deleteReason])).toEqual([
      [1000, 'price was a slip'],
      [1000, 'price was a slip'],
    ]);
  });

  it('runners go and come back; what one cannot pay is held back from the other, covered and released', async () => {
    const made = await match('Short v Long');
    const { betId, matchId } = made;
    const [reds, blues] = made.runnerIds as [number, number];
    const [debtor, winner] = [await server.player('ivo', 1000), await server.player('jana')];
    for (const runnerId of [reds, blues]) {
      for (const [bettingType, { token }] of [['LAY', debtor] as const, ['BACK', winner] as const]) {
        const body = { key: newKey(), betId, matchId, runnerId, bettingType, odd: 200, stake: 1000 };
        expect((await server.call(bets.place, { body }, { token })).error).toBeUndefined();
      }
    }
    await data('credit', 'ivo', '-6.00', '--kind', 'withdrawal', ...WHY);
    const gone = ['remove-runner', String(betId), String(reds), '--factor', '0', ...WHY];
    expect((await run(...gone)).err).toContain('WRONG_KIND');
    await data(...gone, '--force', 'yes');
    await data('reinstate-runner', String(betId), String(reds), '--factor', '0', ...WHY);
    await data(...gone, '--force', 'yes');
    const home = { currency: 'EUR', demo: false };
    const short = { userName: 'ivo', userId: debtor.userId, betIds: [betId], lackingMinor: 600, ...home };
    expect(await data('shorts')).toEqual({ shorts: [{ ...short, owedMinor: 0 }], holds: [] });
    const before = (await server.call(account.profile, {}, { token: winner.token })).data.userBal;
    await data('declare', String(betId), '--winner', String(blues));
    const held = { betId, debtor: 'ivo', creditor: 'jana', amountMinor: 600, ...home };
    expect(await data('shorts')).toEqual({ shorts: [{ ...short, owedMinor: 600 }], holds: [held] });
    expect((await server.call(account.profile, {}, { token: winner.token })).data.userBal).toMatchObject({
      // Commission is not held, and comes off first.
      currentBalance: before.currentBalance + 980,
      held: 600,
      available: before.available + 380,
    });
    expect((await run('player', 'jana')).out).toContain('heldMinor: 6.00');
    expect(await data('write-off', 'ivo', '2.00', ...WHY)).toMatchObject({ balanceMinor: -400 });
    expect(await data('shorts')).toMatchObject({ holds: [{ amountMinor: 400 }] });
    const line = ['release-hold', 'ivo', '--market', String(betId), ...WHY, '--key', newKey()];
    expect([await data(...line), await data(...line)]).toEqual([
      { request: null, repeated: false },
      { request: null, repeated: true },
    ]);
    expect(await data('shorts')).toMatchObject({
      shorts: [{ userName: 'ivo', lackingMinor: 400, owedMinor: 0 }],
      holds: [],
    });
    expect((await run('release-hold', 'ivo', ...WHY)).err).toContain('NOTHING_HELD');
  });

  it('debts of every world are listed; above what a person may move alone a second one covers or releases them', async () => {
    const { core } = server.app;
    const made = await match('Owed v Held');
    const [reds, blues] = made.runnerIds as [number, number];
    const act = (world: World, command: Command) => core.submit({ world, actor: 'test', command });
    const fund = (world: World, accountId: number, amountMinor: number) =>
      act(world, { type: 'account.transfer', accountId, amountMinor, reason: 'correction', text: 'test' });
    async function lays(world: World, debtor: number, winner: number): Promise<void> {
      const bet = { type: 'order.place', betId: 0, marketId: made.betId, price: 200, sizeMinor: 200_000 } as const;
      for (const runnerId of [reds, blues])
        for (const [side, accountId] of [['LAY', debtor] as const, ['BACK', winner] as const])
          await act(world, { ...bet, accountId, runnerId, side, persistence: 'LAPSE' });
      await fund(world, debtor, -150_000);
    }
    const [debtor, winner] = [await server.player('iris', 200_000), await server.player('jens', 200_000)];
    await lays('real', debtor.userId, winner.userId);
    const [owes, gets] = [core.nextId(), core.nextId()];
    for (const accountId of [owes, gets]) {
      await act('demo', { type: 'account.open', accountId, currency: 'EUR', kind: 'player' });
      await fund('demo', accountId, 200_000);
    }
    await lays('demo', owes, gets);
    await data('remove-runner', String(made.betId), String(reds), '--factor', '0', '--force', 'yes', ...WHY);
    await data('declare', String(made.betId), '--winner', String(blues));
    const holds = async () => {
      const told = await data<{ holds: Array<{ betId: number; amountMinor: number; demo: boolean }> }>('shorts');
      return told.holds.filter(({ betId }) => betId === made.betId).map(({ amountMinor, demo }) => [amountMinor, demo]);
    };
    expect(await holds()).toEqual([
      [150_000, false],
      [150_000, true],
    ]);
    const chief = env;
    const as = async (userName: string): Promise<void> => {
      env = { ...chief, FAIRGAME_OPERATOR_TOKEN: await server.person(userName, ['payments']) };
    };
    await as('cora');
    const cover = ['write-off', 'iris', '1200.00', ...WHY];
    const { request } = await data<{ request: number }>(...cover);
    expect(await holds()).toContainEqual([150_000, false]);
    await agree(request);
    expect(await holds()).toContainEqual([30_000, false]);
    // Many small movements of one person are a large one; another may still move this much alone.
    const release = ['release-hold', 'iris', ...WHY];
    expect((await data<{ request: number }>(...release)).request).toBeGreaterThan(request);
    expect(await holds()).toContainEqual([30_000, false]);
    await as('pia');
    expect(await data(...release)).toEqual({ request: null, repeated: false });
    env = chief;
    expect(await holds()).toEqual([[150_000, true]]);
  });

  it('texts are set, clients asked to reload, the audit read', async () => {
    await data('set-marquee', 'Reserve', 'day', 'on', 'Monday');
    expect(await server.app.db.query("SELECT value FROM notices WHERE type = ''")).toEqual([
      { value: 'Reserve day on Monday' },
    ]);
    const file = join(folder, 'rules.json');
    writeFileSync(file, JSON.stringify({ sportName: 'Cricket', rules: [{ category: 'All', description: [] }] }));
    await data('set-rules', '--file', file);
    await data('refresh-all', ...WHY);
    const rows = await data<Array<{ action: string }>>('audit', '--limit', '3');
    expect(rows.map(({ action }) => action)).toEqual(['refreshAll', 'rules', 'marquee']);
  });
});

describe('what a machine left to a person', () => {
  it('is listed, and refused where nothing waits', async () => {
    expect(await data('feed')).toMatchObject({ lastHeardAt: null, attention: [] });
    expect(await data<object[]>('quarantine', '--limit', '5')).toEqual([]);
    const made = await match('Fells v Dales');
    const refused = await run('confirm-price', String(made.betId), ...WHY);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('No price of this market is in doubt')]);
    const kept = await run('void-forsaken', String(made.betId), ...WHY);
    expect([kept.code, kept.err]).toEqual([1, expect.stringContaining(`Market ${made.betId} has its feed`)]);
    expect(statusOf(made.betId)).toBe('OPEN');
  });
});

describe('money as records', () => {
  it('a withdrawal is noted and decided, a bonus claimed and moved; the player has both', async () => {
    await data('create-player', 'wera', '--credit', '100.00', '--keep-password');
    const { id } = await data<{ id: number }>('withdraw', 'wera', '25.00', ...WHY);
    expect(await data('withdrawals')).toMatchObject([{ id, userName: 'wera', state: 'requested', amountMinor: 2500 }]);
    expect(await data('decide-withdrawal', String(id), 'denied', ...WHY)).toMatchObject({ state: 'denied' });
    const bonus = await data<{ id: number }>('bonus', 'wera', '10.00', ...WHY);
    await data('move-bonus', String(bonus.id), 'wagering', ...WHY);
    expect(await data('move-bonus', String(bonus.id), 'forfeited', '--take', '4.00', ...WHY)).toMatchObject({
      state: 'forfeited',
    });
    expect(await data('payments', 'wera')).toMatchObject({
      withdrawals: [{ id, state: 'denied' }],
      bonuses: [{ id: bonus.id, state: 'forfeited' }],
    });
    expect((await run('player', 'wera')).out).toContain('balanceMinor: 106.00');
  });
});

describe('what was cut short or moved', () => {
  it('is judged by its rule; a start is moved', async () => {
    const made = await match('Moors v Fens');
    const start = '2026-07-09T10:00:00Z';
    await data('move-start', String(made.matchId), '--start', start, '--correction', 'yes', ...WHY);
    expect(server.app.catalog.event(made.matchId)?.firstStartAt).toBe(Date.parse(start));
    expect(await data('judgements')).toEqual([]);
    const [reds] = made.runnerIds;
    const rule = [
      '--rule',
      'compareIncomplete',
      '--format',
      'T20',
      '--first',
      '10:80:1:9',
      '--second',
      '9:70:10:8:allOut',
    ];
    expect(await data('judge', String(made.betId), ...rule, ...WHY)).toMatchObject({ outcome: `won by ${reds}` });
    expect(statusOf(made.betId)).toBe('CLOSED');
  });

  it.each([
    [{ rule: 'overSession', over: '20', bowled: '17', score: '131' }],
    [{ rule: 'testFancy', fancy: 'lambi', bowled: '60', complete: true, score: '240' }],
    [{ rule: 'tournament', figure: 'fours', matches: '30:8:12,none' }],
    [{ rule: 'football' }],
    [{ rule: 'football', at: '2026-07-02T16:00:00Z', winner: '12' }],
    [{ rule: 'motorRace', at: '2026-07-02T16:00:00Z', winner: '12' }],
    [{ rule: 'basketball', left: '240', winner: '12' }],
  ])('%o is what the call takes', (own) => {
    const body = { key: newKey(), betId: 1, played: playedOf(own), reason: 'rain' };
    expect(OPERATOR_CALLS.judge.body.safeParse(body).error).toBeUndefined();
  });
});

describe('wins of providers that wait', () => {
  it('are listed, and paid when a second person agrees', async () => {
    const { userId } = await server.player('winona', 1000);
    const round = { provider: 'a', roundId: 'w-1', accountId: userId, game: 'g', currency: 'EUR', label: 'A / G' };
    await server.app.core.submit({
      world: 'real',
      actor: 'provider:a',
      command: { type: 'game.debit', ...round, txId: 'w-1', amountMinor: 400 },
      key: 'w-1',
      payloadHash: '',
    });
    const command = JSON.stringify({ type: 'game.credit', ...round, txId: 'w-2', amountMinor: 700, roundClosed: true });
    await server.app.db.query(
      "INSERT INTO provider_holds VALUES ('a', 'w-2', $1, 'w-1', $2, 'hash', 'win', $3, 'HELD')",
      [userId, command, server.clock()],
    );
    env.FAIRGAME_OPERATOR_TOKEN = await server.operator(true);
    expect(await data<object[]>('held')).toMatchObject([{ userName: 'winona', txId: 'w-2', amount: 700, why: 'win' }]);
    const { request } = await data<{ request: number }>('decide-held', 'a', 'w-2', 'yes', ...WHY);
    expect(server.app.core.read.wallet('real', userId).balanceMinor).toBe(600);
    const second = await server.person('second', ROLES, true);
    const look = await server.call(OPERATOR_CALLS.request, { params: { id: String(request) } }, { token: second });
    expect(look.data.effect).toEqual([
      {
        what: 'Win of winona at A / G, round w-1',
        before: '7.00 EUR waits: more than a round pays',
        after: '7.00 EUR paid',
      },
    ]);
    expect(await server.agree(request)).toEqual({ request: null, amount: 700 });
    expect(server.app.core.read.wallet('real', userId).balanceMinor).toBe(1300);
    expect(await data<object[]>('held')).toEqual([]);
  });
});

describe('live casino', () => {
  it('days are reconciled, and rounds left open are seen and given back', async () => {
    expect((await run('reconcile', '--day', '2026-06-30')).out).toBe('2026-06-30: no providers are configured');
    const { userId } = await server.player('hans', 1000);
    const round = { provider: 'a', roundId: 'r-1', accountId: userId, game: 'g', currency: 'EUR', label: 'A / G' };
    await server.app.core.submit({
      world: 'real',
      actor: 'provider:a',
      command: { type: 'game.debit', ...round, txId: 't-1', amountMinor: 400 },
      key: 't-1',
      payloadHash: '',
    });
    server.clock.advance(15 * 86_400_000);
    env.FAIRGAME_OPERATOR_TOKEN = await server.operator(true);
    expect(await data<object[]>('open-rounds', '--hours', '24')).toMatchObject([{ userName: 'hans', stake: 400 }]);
    // A person who moved as much as he may alone today needs a second one for a small round too.
    await server.app.db.query("INSERT INTO operator_credits VALUES ('operator:chief', 'before', 99700, $1)", [
      server.clock(),
    ]);
    const line = ['void-round', 'a', String(userId), 'r-1', ...WHY, '--key', newKey()];
    const { request } = await data<{ request: number }>(...line);
    expect(server.app.core.read.wallet('real', userId).balanceMinor).toBe(600);
    expect(await server.agree(request)).toEqual({ request: null, returned: 400 });
    expect(server.app.core.read.wallet('real', userId).balanceMinor).toBe(1000);
    expect(await data(...line)).toEqual({ request: null, returned: 400 });
    expect(server.app.core.read.wallet('real', userId).balanceMinor).toBe(1000);
    expect((await run('void-round', 'a', String(userId), 'r-1', ...WHY)).err).toContain('STATE_NOT_FITTING');
  });
});

describe('backups', () => {
  it('are noted, whoever made them; a database without files here has none to copy', async () => {
    expect(await run('backup-made', '--at', '2026-06-30T02:10:00Z', '--seq', '7')).toMatchObject({ code: 0 });
    expect(await server.app.db.query('SELECT at, seq FROM backups')).toEqual([
      { at: Date.UTC(2026, 5, 30, 2, 10), seq: 7 },
    ]);
    expect(await run('copy-database')).toMatchObject({
      code: 0,
      out: expect.stringContaining('The database is copied.'),
    });
    const { db } = server.app;
    const files = Object.getOwnPropertyDescriptor(db, 'copyFiles')!;
    delete db.copyFiles;
    const refused = await run('copy-database');
    Object.defineProperty(db, 'copyFiles', files);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('(400 WRONG_KIND')]);
  });
});

describe('the command line itself', () => {
  it('says what is wrong with a line, with 2; what the server refuses, with 1', async () => {
    const wrong: Array<[string[], RegExp]> = [
      [['nothing'], /unknown command/],
      [['credit', 'anna'], /missing required argument/],
      [['credit', 'anna', 'much', ...WHY], /not an amount/],
      [['credit', 'anna', '1.00'], /--reason is missing/],
      [['credit', 'anna', '1.00', ...WHY, '--kind', 'gift'], /not one of deposit/],
      [['declare', '5'], /--winner, --ranks/],
      [['force-logout', ...WHY], /--all is missing/],
      [['set-rules', '--file', join(folder, 'none.json')], /no file of rules/],
    ];
    for (const [args, text] of wrong) {
      const { code, err } = await run(...args);
      expect([args.join(' '), code, text.test(err) ? 'said' : err]).toEqual([args.join(' '), 2, 'said']);
    }
    ran.delete('nothing');
    const refused = await run('player', 'nobody');
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('(404 ACCOUNT_UNKNOWN')]);
  });

  it('has a command for every operator call, each with an example that it understands', async () => {
    // `prove` is made by the client itself, when a call asks for it.
    const served = new Set(['operator.prove', ...COMMANDS.map(({ call }) => call.name)]);
    const calls = allCalls().filter(({ who }) => who === 'operator');
    expect(calls.map(({ name }) => name).filter((name) => !served.has(name))).toEqual([]);
    const help = await run('help');
    expect(help.code).toBe(0);
    for (const { name, example } of COMMANDS) {
      expect(help.out).toContain(`  ${name} `);
      expect(example.startsWith(`${name} `) || example === name, name).toBe(true);
      expect((await run(name, '--help')).out).toContain(example);
    }
    ran.delete('help');
  });

  it('was run whole by the tests of this file', () => {
    expect(COMMANDS.map(({ name }) => name).filter((name) => !ran.has(name))).toEqual([]);
  });
});
