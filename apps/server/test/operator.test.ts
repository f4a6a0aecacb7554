import { CALLS, type InputOf, OPERATOR_CALLS } from '@fairgame/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verify } from '../src/ledger/ledger.ts';
import { verifyAudit } from '../src/ops/ops.ts';
import { makeServer, PASSWORD, type TestServer } from './server.ts';

const { auth, account, bets, catalog } = CALLS;
const operator = OPERATOR_CALLS;
let server: TestServer;
let chief: string;
beforeAll(async () => {
  server = await makeServer();
  chief = await server.operator();
});
afterAll(() => server?.close());

const op = () => ({ token: chief });
const balanceOf = async (token: string) => (await server.call(account.profile, {}, { token })).data.userBal;
let keys = 0;
const key = () => {
  keys += 1;
  return `operator-test-${String(keys).padStart(6, '0')}`;
};

async function match(title: string) {
  const { data } = await server.call(
    operator.addMatch,
    {
      body: {
        matchType: 'cricket',
        title,
        competitionName: 'Test Cup',
        startAt: '2026-07-02T10:00:00Z',
        teams: ['Reds', 'Blues'],
      },
    },
    op(),
  );
  await server.call(
    operator.quote,
    { body: { betId: data.betId, runnerId: data.runnerIds[0]!, back: [[200, 100_000]], lay: [[210, 100_000]] } },
    op(),
  );
  return { ...data, reds: data.runnerIds[0]!, blues: data.runnerIds[1]! };
}
type Match = Awaited<ReturnType<typeof match>>;

const back = (token: string, where: Match, stake: number, odd = 200) =>
  server.call(
    bets.place,
    {
      body: {
        key: key(),
        betId: where.betId,
        matchId: where.matchId,
        runnerId: where.reds,
        bettingType: 'BACK',
        odd,
        stake,
      },
    },
    { token },
  );

describe('players', () => {
  it('creates a player with a first password that must be changed, once per name', async () => {
    // A state holds accounts of one currency.
    const other = { userName: 'new.player', currency: 'USD' as const };
    expect((await server.call(operator.createPlayer, { body: other }, op())).error).toMatchObject({
      code: 'WRONG_CURRENCY',
      field: 'currency',
    });
    const body = { userName: 'new.player', creditMinor: 12_345, currency: 'EUR' as const };
    const { data } = await server.call(operator.createPlayer, { body }, op());
    expect(data.password).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/);
    const login = await server.call(auth.login, { body: { userName: 'New.Player', password: data.password } });
    expect(login.data).toMatchObject({ userId: data.userId, forceChangePassword: true });
    expect((await server.call(operator.createPlayer, { body: { userName: 'NEW.player' } }, op())).error).toMatchObject({
      statusCode: 409,
      code: 'NAME_TAKEN',
    });
    expect(
      (await server.call(operator.createPlayer, { body: { userName: 'weak', password: 'passwordpassword1' } }, op()))
        .error?.code,
    ).toBe('PASSWORD_COMMON');
    const record = await server.call(operator.player, { params: { userName: 'new.player' } }, op());
    expect(record.data).toMatchObject({
      id: data.userId,
      status: 'active',
      currency: 'EUR',
      balanceMinor: 12_345,
      exposureMinor: 0,
    });
    expect((await server.call(operator.player, { params: { userName: 'nobody' } }, op())).error?.code).toBe(
      'ACCOUNT_UNKNOWN',
    );
  });

  it('credits and debits, never below nothing', async () => {
    const { userName } = await server.player('carl', 1000);
    const credit = (amountMinor: number) =>
      server.call(operator.credit, { body: { key: key(), userName, amountMinor, reason: 'by hand' } }, op());
    expect((await credit(500)).data.balanceMinor).toBe(1500);
    expect((await credit(-1500)).data.balanceMinor).toBe(0);
    expect((await credit(-1)).error).toMatchObject({ statusCode: 400, code: 'INSUFFICIENT_FUNDS' });
    expect((await credit(0)).error?.code).toBe('AMOUNT_INVALID');
  });

  it('[OPN-16] blocks betting, and blocks an account, which also ends its sessions', async () => {
    const where = await match('Block');
    const { token, userName } = await server.player('dora');
    const block = (what: 'account' | 'betting', on: boolean) =>
      server.call(operator.block, { body: { userName, what, on, reason: 'checks' } }, op());
    await block('betting', true);
    expect((await back(token, where, 1000)).error).toMatchObject({ statusCode: 403, code: 'ACCOUNT_BLOCKED' });
    expect((await server.call(account.profile, {}, { token })).data.betBlocked).toBe(true);
    await block('betting', false);
    expect((await back(token, where, 1000)).status).toBe(200);
    await block('account', true);
    expect((await server.call(account.profile, {}, { token })).status).toBe(401);
    expect((await server.call(auth.login, { body: { userName, password: PASSWORD } })).error).toMatchObject({
      statusCode: 403,
      code: 'ACCOUNT_LOCKED',
    });
    await block('account', false);
    expect((await server.call(auth.login, { body: { userName, password: PASSWORD } })).status).toBe(200);
  });

  it('[AUT-09] signs one player out, or all', async () => {
    const [one, two] = [await server.player(), await server.player()];
    const told = await server.call(
      operator.forceLogout,
      { body: { userName: one.userName, reason: 'lost phone' } },
      op(),
    );
    expect(told.data).toEqual({ ended: 1 });
    expect((await server.call(account.profile, {}, { token: one.token })).status).toBe(401);
    expect((await server.call(account.profile, {}, { token: two.token })).status).toBe(200);
    expect(
      (await server.call(operator.forceLogout, { body: { reason: 'maintenance' } }, op())).data.ended,
    ).toBeGreaterThan(0);
    expect((await server.call(account.profile, {}, { token: two.token })).status).toBe(401);
    expect((await server.call(operator.audit, {}, op())).status).toBe(200);
  });

  it('sets a new first password', async () => {
    const { userName, token } = await server.player();
    const { data } = await server.call(operator.resetPassword, { body: { userName, reason: 'forgotten' } }, op());
    expect((await server.call(account.profile, {}, { token })).status).toBe(401);
    expect(
      (await server.call(auth.login, { body: { userName, password: data.password } })).data.forceChangePassword,
    ).toBe(true);
  });

  it('[OPN-02] an operator token opens no player call, and a player cannot sign in as one', async () => {
    expect((await server.call(account.profile, {}, op())).error).toMatchObject({
      statusCode: 403,
      code: 'NOT_ALLOWED',
    });
    const { userName } = await server.player();
    expect((await server.call(operator.login, { body: { userName, password: PASSWORD } })).error?.code).toBe(
      'LOGIN_FAILED',
    );
    expect((await server.call(auth.login, { body: { userName: 'chief', password: PASSWORD } })).error?.code).toBe(
      'LOGIN_FAILED',
    );
  });
});

describe('markets', () => {
  it('adds a match that players find and bet on', async () => {
    const where = await match('Reds v Blues');
    const { token } = await server.player();
    const { data } = await server.call(catalog.match, { params: { id: String(where.matchId) } }, { token });
    expect(data).toMatchObject({ id: where.matchId, title: 'Reds v Blues', teamA: 'Reds', teamB: 'Blues' });
    const told = await back(token, where, 10_000);
    expect(told.data.bet).toMatchObject({ matched: 10_000, oddsMatched: 200, status: 'COMPLETE' });
    const football = await server.call(
      operator.addMatch,
      {
        body: {
          matchType: 'football',
          title: 'A v B',
          competitionName: 'Cup',
          startAt: '2026-07-02T10:00Z',
          teams: ['A', 'B'],
        },
      },
      op(),
    );
    expect(football.data.runnerIds).toHaveLength(3);
    const bad: InputOf<typeof operator.addMatch> = {
      body: { matchType: 'football', title: 'A v B', competitionName: 'Cup', startAt: 'soon', teams: ['A', 'B'] },
    };
    expect((await server.call(operator.addMatch, bad, op())).error).toMatchObject({
      code: 'BAD_INPUT',
      field: 'startAt',
    });
  });

  it('[FAN-08] adds a session by hand: it is told as a manual one, quoted, bet on and declared by its score', async () => {
    const where = await match('Session by hand');
    const { token } = await server.player();
    const detail = async () =>
      (await server.call(catalog.match, { params: { id: String(where.matchId) } }, { token })).data;
    expect(await detail()).toMatchObject({ manualSessionActive: false, sessionBettings: [] });
    const body = { matchId: where.matchId, name: '6 over runs Reds' };
    const made = await server.call(operator.addSession, { body }, op());
    const [runnerId] = made.data.runnerIds;
    expect(await detail()).toMatchObject({ manualSessionActive: true, apiSessionActive: false });
    const quote = {
      betId: made.data.betId,
      runnerId: runnerId!,
      line: 44,
      back: [[100, 25_000]],
      lay: [[110, 25_000]],
    } satisfies InputOf<typeof operator.quote>['body'];
    await server.call(operator.quote, { body: quote }, op());
    expect(JSON.parse((await detail()).sessionBettings[0]!)).toMatchObject({ id: made.data.betId, yesRate: 44 });
    const bet = await server.call(
      bets.place,
      {
        body: {
          betId: made.data.betId,
          matchId: where.matchId,
          runnerId: runnerId!,
          bettingType: 'YES',
          odd: 100,
          line: 44,
          stake: 1000,
          key: key(),
        },
      },
      { token },
    );
    expect(bet.status).toBe(200);
    const result = { kind: 'score', score: 51 } as const;
    await server.call(operator.declare, { body: { key: key(), betId: made.data.betId, result } }, op());
    expect(await detail()).toMatchObject({ manualSessionActive: false });
    const nowhere = await server.call(operator.addSession, { body: { ...body, matchId: 1 } }, op());
    expect(nowhere.error).toMatchObject({ code: 'MATCH_UNKNOWN', field: 'matchId' });
    const unnamed = await server.call(operator.addSession, { body: { ...body, name: '  ' } }, op());
    expect(unnamed.error).toMatchObject({ code: 'BAD_INPUT', field: 'name' });
  });

  it('suspends and gives back a market, or all of an event', async () => {
    const where = await match('Suspend');
    const { token } = await server.player();
    await server.call(operator.suspend, { body: { betId: where.betId, reason: 'wrong price' } }, op());
    expect((await back(token, where, 1000)).error).toMatchObject({ statusCode: 409, code: 'MARKET_SUSPENDED' });
    await server.call(operator.resume, { body: { matchId: where.matchId, reason: 'price is right' } }, op());
    expect((await back(token, where, 1000)).status).toBe(200);
    const nothing = await server.call(operator.suspend, { body: { reason: 'wrong price' } }, op());
    expect(nothing.error).toMatchObject({ statusCode: 400, code: 'BAD_INPUT' });
    expect(
      (await server.call(operator.suspend, { body: { betId: 999_999, reason: 'wrong price' } }, op())).error?.code,
    ).toBe('MARKET_UNKNOWN');
    expect(
      (await server.call(operator.suspend, { body: { matchId: 999_999, reason: 'wrong price' } }, op())).error?.code,
    ).toBe('MATCH_UNKNOWN');
  });

  it('[INV-16] declares, takes back exactly, and declares anew', async () => {
    const where = await match('Declare');
    const { token } = await server.player('greta', 100_000);
    await back(token, where, 10_000);
    const before = await balanceOf(token);
    expect(before).toMatchObject({ currentBalance: 100_000, exposure: 10_000 });
    const declare = (runnerId: number) =>
      server.call(
        operator.declare,
        { body: { key: key(), betId: where.betId, result: { kind: 'winners', runnerIds: [runnerId] } } },
        op(),
      );
    await declare(where.reds);
    // 10,000 won at 2.00 less 2 % commission.
    expect(await balanceOf(token)).toMatchObject({ currentBalance: 109_800, exposure: 0, profitLoss: 9_800 });
    const asked = await server.call(
      operator.undeclare,
      { body: { key: key(), betId: where.betId, reason: 'scorecard corrected' } },
      op(),
    );
    expect(await balanceOf(token)).toMatchObject({ currentBalance: 109_800 });
    expect(await server.agree(asked.data.request)).toMatchObject({ repeated: false });
    expect(await balanceOf(token)).toMatchObject({ currentBalance: 100_000, exposure: 10_000, profitLoss: 0 });
    await declare(where.blues);
    expect(await balanceOf(token)).toMatchObject({ currentBalance: 90_000, exposure: 0, profitLoss: -10_000 });
    const wrong = await server.call(
      operator.declare,
      { body: { key: key(), betId: where.betId, result: { kind: 'winners', runnerIds: [1] } } },
      op(),
    );
    expect(wrong.status).toBeGreaterThanOrEqual(400);
    expect(wrong.error?.code).not.toBe('INTERNAL');
  });

  it('takes bets out with a reason that the player reads and the operator may rewrite', async () => {
    const where = await match('Delete');
    const { token } = await server.player('hugo', 50_000);
    const { data } = await back(token, where, 5000);
    await server.call(operator.deleteBet, { body: { key: key(), ids: [data.bet.id], reason: 'Palpable error' } }, op());
    expect(await balanceOf(token)).toMatchObject({ currentBalance: 50_000, exposure: 0 });
    const list = async () =>
      (await server.call(bets.list, { query: {} }, { token })).data.rows.find((row) => row.id === data.bet.id)!;
    expect(await list()).toMatchObject({ deleteReason: 'Palpable error', voided: 5000 });
    const heard: unknown[] = [];
    const off = server.app.operator.onSignal((signal) => heard.push(signal));
    await server.call(operator.deleteReason, { body: { ids: [data.bet.id], reason: 'Price was an error' } }, op());
    const told = expect.objectContaining({ type: 'deleteReason', betId: data.bet.id, reason: 'Price was an error' });
    await expect.poll(() => heard, { timeout: 15_000 }).toEqual([told]);
    off();
    expect((await list()).deleteReason).toBe('Price was an error');
    expect(
      (await server.call(operator.deleteBet, { body: { key: key(), ids: [999_999], reason: 'not there' } }, op())).error
        ?.code,
    ).toBe('BET_UNKNOWN');
  });

  it('[API-36] takes bets of a race out by the specified call', async () => {
    const where = await match('Race');
    const { token } = await server.player();
    const { data } = await back(token, where, 5000);
    const body = { data: { matchId: where.matchId, betIds: [data.bet.id], deleteReason: 'Wrong runner' } };
    expect((await server.call(bets.deleteRaceBets, { body }, { token })).error).toMatchObject({ statusCode: 403 });
    const other = { data: { ...body.data, matchId: where.matchId + 100_000 } };
    expect((await server.call(bets.deleteRaceBets, { body: other }, op())).error?.code).toBe('BET_UNKNOWN');
    expect((await server.call(bets.deleteRaceBets, { body }, op())).status).toBe(200);
  });

  it('asks every client to reload', async () => {
    const heard: unknown[] = [];
    const off = server.app.operator.onSignal((signal) => heard.push(signal));
    await server.call(operator.refreshAll, { body: { reason: 'new version' } }, op());
    // Over several processes the bus brings it, a moment after the answer.
    await expect.poll(() => heard).toEqual([{ type: 'refreshAll' }]);
    off();
  });

  it('[INV-01] [INV-23] leaves books that add up', async () => {
    const report = await verify(server.app.db);
    expect(report.checks.filter((check) => check.breaks > 0)).toEqual([]);
  });
});

describe('the runner of a large market that comes back', () => {
  it('does not where a player is short by then: the caller is told so when it is known', async () => {
    const { core } = server.app;
    const { betId: marketId, reds, blues } = await match('Many v More');
    const [debtor, crowd] = [await server.player('debtor', 1060), await server.player('crowd')];
    const place = (accountId: number, runnerId: number, side: 'BACK' | 'LAY', price: number, sizeMinor: number) => ({
      world: 'real' as const,
      actor: `player:${accountId}`,
      command: {
        type: 'order.place' as const,
        betId: 0,
        accountId,
        marketId,
        runnerId,
        side,
        price,
        sizeMinor,
        persistence: 'PERSIST' as const,
      },
    });
    const many = Array.from({ length: 250 }, () => place(crowd.userId, blues, 'BACK', 900, 100));
    const pair = [place(debtor.userId, reds, 'LAY', 206, 1000), place(crowd.userId, reds, 'BACK', 200, 1000)];
    expect((await core.submitAll([...pair, ...many])).filter((answer) => answer instanceof Error)).toEqual([]);
    const body = { betId: marketId, runnerId: reds, factor: 0, reason: 'The stewards say so' };
    expect((await server.call(operator.removeRunner, { body: { ...body, force: true } }, op())).error).toBeUndefined();
    const pay = async (amountMinor: number) =>
      server.call(operator.credit, { body: { userName: 'debtor', amountMinor, reason: 'test', key: key() } }, op());
    await expect.poll(() => core.read.isSettling(marketId)).toBe(false);
    expect((await pay(-1060)).error).toBeUndefined();
    const runner = () => core.read.market(marketId)!.runners.find(({ runnerId }) => runnerId === reds)!.status;
    const answer = await server.call(operator.reinstateRunner, { body }, op());
    expect(answer.error).toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
    expect([runner(), core.read.isSettling(marketId)]).toEqual(['REMOVED', false]);
    expect((await pay(1060)).error).toBeUndefined();
    expect((await server.call(operator.reinstateRunner, { body }, op())).error).toBeUndefined();
    expect(runner()).toBe('ACTIVE');
  });
});

describe('the audit log', () => {
  it('[INV-21] every act is in it, also the refused ones, without passwords, in an unbroken chain', async () => {
    await server.call(operator.createPlayer, { body: { userName: 'audited', password: 'a-long-first-word-4' } }, op());
    await server.call(
      operator.credit,
      { body: { key: key(), userName: 'audited', amountMinor: -5, reason: 'too much' } },
      op(),
    );
    const { data } = await server.call(operator.audit, { query: { limit: '3' } }, op());
    expect(data.map((row) => [row.actor, row.action, row.object])).toEqual([
      ['operator:chief', 'credit.refused', 'player:audited'],
      ['operator:chief', 'credit', 'player:audited'],
      ['operator:chief', 'createPlayer', 'player:audited'],
    ]);
    expect(data[0]!.detail).toEqual({ code: 'INSUFFICIENT_FUNDS' });
    expect(JSON.stringify(data)).not.toContain('a-long-first-word-4');
    const { records, brokenAt } = await verifyAudit(server.app.db, server.config.keyring, []);
    expect(records).toBe(data[0]!.n);
    expect(brokenAt).toBeNull();
  });

  it('[INV-21] can only grow: the database refuses changes, and a forged record breaks the chain', async () => {
    const { db } = server.app;
    await expect(db.query("UPDATE audit SET actor = 'nobody' WHERE n = 1")).rejects.toThrow(/append only/);
    await expect(db.query('DELETE FROM audit')).rejects.toThrow(/append only/);
    await expect(db.query('TRUNCATE audit')).rejects.toThrow(/append only/);
    const rows = await db.query<{ n: number; detail: string }>('SELECT * FROM audit ORDER BY n');
    const forged = rows.map((row) => (row.n === 2 ? { ...row, detail: '{"amountMinor":1}' } : row));
    const pretend = (list: unknown[]) => ({
      query: <T>(_sql: string, [after]: unknown[] = []) =>
        Promise.resolve(list.filter((row) => (row as { n: number }).n > Number(after)) as T[]),
    });
    const audited = (list: unknown[]) => verifyAudit(pretend(list), server.config.keyring, []);
    expect(await audited(rows)).toEqual({ records: rows.length, brokenAt: null });
    expect((await audited(forged)).brokenAt).toBe(2);
    expect((await audited(rows.filter((row) => row.n !== 3))).brokenAt).toBe(3);
  });
});
