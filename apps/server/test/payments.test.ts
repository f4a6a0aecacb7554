/** Deposits, withdrawals and bonuses as records: states of the terms, money in the ledger with them. */
import { CALLS, OPERATOR_CALLS } from '@fairgame/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verify } from '../src/ledger/ledger.ts';
import { decideBy } from '../src/operator/money-states.ts';
import { createPaymentBook, type StepAsked } from '../src/operator/payment-book.ts';
import { makeServer, newKey, type TestServer } from './server.ts';

const calls = OPERATOR_CALLS;
const WHY = 'a test of it';
let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await makeServer({ FAIRGAME_CREDIT_ALONE_MINOR: '200000' });
});
/** What one person may move in a day begins anew. */
beforeEach(async () => {
  server.clock.advance(25 * 3_600_000);
  token = await server.operator();
});
afterAll(async () => {
  expect((await verify(server.app.db)).checks.filter(({ breaks }) => breaks > 0)).toEqual([]);
  await server.close();
});

type Player = Awaited<ReturnType<TestServer['player']>>;
const balance = (player: Player) => server.app.core.read.wallet('real', player.userId).balanceMinor;
const ask = async (player: Player, amountMinor: number, key = newKey()) =>
  server.call(calls.addWithdrawal, { body: { key, userName: player.userName, amountMinor, reason: WHY } }, { token });
const decide = (id: number, to: 'approved' | 'denied' | 'cancelled', more: object = {}) =>
  server.call(calls.decideWithdrawal, { body: { key: newKey(), id, to, reason: WHY, ...more } }, { token });
const paymentsOf = async (player: Player) =>
  (await server.call(calls.payments, { params: { userName: player.userName } }, { token })).data;
/** What the player reads of money put in and taken out, newest first. */
const statementOf = async (player: Player) =>
  (
    await server.call(
      CALLS.account.transactions,
      { params: { userId: String(player.userId) }, query: { type: '0' } },
      { token: player.token },
    )
  ).data.rows.map(({ description, amount }) => [description, amount]);

describe('a withdrawal', () => {
  it('[ACC-06] [ACC-07] starts as requested: the money leaves the balance; approved it is decided, once', async () => {
    const player = await server.player(undefined, 100_000);
    const { id, balanceMinor } = (await ask(player, 30_000)).data;
    expect([balanceMinor, balance(player)]).toEqual([70_000, 70_000]);
    const waiting = (await server.call(calls.withdrawals, {}, { token })).data;
    expect(waiting).toMatchObject([
      { id, state: 'requested', amountMinor: 30_000, userName: player.userName, parts: null },
    ]);
    expect(Date.parse(waiting[0]!.decideBy)).toBe(decideBy(Date.parse(waiting[0]!.askedAt)));
    expect((await decide(id, 'approved')).data).toEqual({ request: null, state: 'approved', repeated: false });
    for (const to of ['approved', 'denied', 'cancelled'] as const)
      expect((await decide(id, to)).error).toMatchObject({ code: 'PAYMENT_STATE', field: 'to' });
    expect(balance(player)).toBe(70_000);
    expect((await server.call(calls.withdrawals, {}, { token })).data).toEqual([]);
    // The player sees how it stands.
    const own = (await server.call(CALLS.account.withdrawals, {}, { token: player.token })).data;
    expect(own).toMatchObject([{ id, amountMinor: 30_000, state: 'approved', parts: null }]);
    expect(own[0]).not.toHaveProperty('changedBy');
    expect((await paymentsOf(player)).withdrawals).toMatchObject([
      { id, state: 'approved', changedBy: 'operator:chief' },
    ]);
    expect(await statementOf(player)).toContainEqual([`Withdrawal ${id} requested`, -30_000]);
  });

  it.each(['denied', 'cancelled'] as const)('[ACC-07] [ACC-08] %s: the funds return to the balance', async (to) => {
    const player = await server.player(undefined, 100_000);
    const { id } = (await ask(player, 30_000)).data;
    expect((await decide(id, to)).data.state).toBe(to);
    expect(balance(player)).toBe(100_000);
    expect(await statementOf(player)).toContainEqual([`Withdrawal ${id} ${to}: ${WHY}`, 30_000]);
    expect((await decide(id, 'approved')).error?.code).toBe('PAYMENT_STATE');
  });

  it('[ACC-08] the funds return to an account that may not take deposits', async () => {
    const player = await server.player(undefined, 100_000);
    const { id } = (await ask(player, 100_000)).data;
    await server.call(CALLS.protection.selfExclude, { body: { months: 6 } }, { token: player.token });
    expect((await decide(id, 'cancelled')).data.state).toBe('cancelled');
    expect(balance(player)).toBe(100_000);
  });

  it('moves once by its key, is no more than the player has, and nothing is left of one that was refused', async () => {
    const player = await server.player(undefined, 5_000);
    const key = newKey();
    const { id } = (await ask(player, 2_000, key)).data;
    expect((await ask(player, 2_000, key)).data).toEqual({ id, balanceMinor: 3_000, repeated: true });
    expect((await ask(player, 2_001, key)).error?.code).toBe('KEY_REUSED');
    expect((await ask(player, 3_001)).error).toMatchObject({ code: 'INSUFFICIENT_FUNDS', field: 'amountMinor' });
    expect((await paymentsOf(player)).withdrawals.map((row) => row.id)).toEqual([id]);
    const again = { key: newKey() };
    expect((await decide(id, 'denied', again)).data.repeated).toBe(false);
    expect((await decide(id, 'denied', again)).data.repeated).toBe(true);
    expect(balance(player)).toBe(5_000);
    expect((await decide(1_000_000, 'denied')).error).toMatchObject({ code: 'PAYMENT_UNKNOWN', field: 'id' });
    expect(
      (
        await server.call(
          calls.addWithdrawal,
          { body: { key, userName: player.userName, amountMinor: 1, reason: WHY } },
          { token: player.token },
        )
      ).error?.code,
    ).toBe('NOT_ALLOWED');
  });

  it('two at once decide it once', async () => {
    const player = await server.player(undefined, 5_000);
    const { id } = (await ask(player, 5_000)).data;
    const answers = await Promise.all([decide(id, 'denied'), decide(id, 'cancelled')]);
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
    expect(balance(player)).toBe(5_000);
  });

  it('[LGL-12] past 2,000.00 in all needs evidence; past the sum of a day a second person', async () => {
    const player = await server.player(undefined, 900_000);
    const small = (await ask(player, 150_000)).data.id;
    const large = (await ask(player, 100_000)).data.id;
    expect((await decide(small, 'approved')).data.state).toBe('approved');
    expect((await decide(large, 'approved')).error).toMatchObject({ code: 'PAYMENT_RULE', field: 'evidence' });
    const asked = (await decide(large, 'approved', { evidence: 'passport seen' })).data;
    expect(asked).toMatchObject({ request: expect.any(Number) as number, state: 'requested' });
    expect(await server.agree(asked.request)).toEqual({ request: null, state: 'approved', repeated: false });
    expect((await paymentsOf(player)).withdrawals[0]).toMatchObject({ state: 'approved', evidence: 'passport seen' });
  });

  it('the terms hold for two that are approved by two people at the same time', async () => {
    const player = await server.player(undefined, 900_000);
    const ids = [(await ask(player, 110_000)).data.id, (await ask(player, 110_000)).data.id];
    const people = [await server.person('pay.left', ['payments']), await server.person('pay.right', ['payments'])];
    const answers = await Promise.all(
      ids.map((id, n) =>
        server.call(
          calls.decideWithdrawal,
          { body: { key: newKey(), id, to: 'approved' as const, reason: WHY } },
          { token: people[n]! },
        ),
      ),
    );
    expect(answers.map(({ error }) => error?.code ?? 'approved').sort()).toEqual(['PAYMENT_RULE', 'approved']);
  });

  it('[CAR-54] [LGL-14] of 20,000.00 or more may be paid in ten monthly parts that add up', async () => {
    const player = await server.player(undefined, 3_000_000);
    const { id } = (await ask(player, 2_000_007)).data;
    const small = (await ask(player, 1_000)).data.id;
    expect((await decide(small, 'approved', { inParts: true, evidence: 'seen' })).error).toMatchObject({
      field: 'inParts',
    });
    await server.agree((await decide(id, 'approved', { inParts: true, evidence: 'seen' })).data.request);
    const parts = (await paymentsOf(player)).withdrawals.find((row) => row.id === id)!.parts!;
    expect(parts.map(({ amountMinor }) => amountMinor)).toEqual([...Array<number>(9).fill(200_000), 200_007]);
    expect(new Set(parts.map(({ at }) => at.slice(0, 7))).size).toBe(10);
  });

  it('[LGL-13] is decided by the end of the third business day', () => {
    expect(new Date(decideBy(Date.parse('2026-07-01T10:00:00Z'))).toISOString()).toBe('2026-07-06T23:59:59.999Z');
    expect(new Date(decideBy(Date.parse('2026-07-04T00:00:00Z'))).toISOString()).toBe('2026-07-08T23:59:59.999Z');
  });
});

describe('a bonus', () => {
  const add = async (player: Player, amountMinor: number) =>
    (
      await server.call(
        calls.addBonus,
        { body: { key: newKey(), userName: player.userName, amountMinor, reason: WHY } },
        { token },
      )
    ).data.id;
  const move = (id: number, to: 'wagering' | 'forfeited' | 'cancelled', more: object = {}) =>
    server.call(calls.moveBonus, { body: { key: newKey(), id, to, reason: WHY, ...more } }, { token });

  it('[ACC-05] is claimed, then wagering with its money, then forfeited or cancelled', async () => {
    const player = await server.player(undefined, 10_000);
    const id = await add(player, 2_000);
    expect(balance(player)).toBe(10_000);
    expect((await move(id, 'wagering')).data.state).toBe('wagering');
    expect(balance(player)).toBe(12_000);
    expect((await move(id, 'wagering')).error?.code).toBe('PAYMENT_STATE');
    expect((await move(id, 'forfeited', { takeMinor: 2_001 })).error).toMatchObject({ field: 'takeMinor' });
    expect((await move(id, 'forfeited', { takeMinor: 1_500 })).data.state).toBe('forfeited');
    expect(balance(player)).toBe(10_500);
    expect((await move(id, 'cancelled')).error?.code).toBe('PAYMENT_STATE');
    const unpaid = await add(player, 2_000);
    expect((await move(unpaid, 'cancelled')).data.state).toBe('cancelled');
    expect(balance(player)).toBe(10_500);
    expect((await paymentsOf(player)).bonuses.map(({ state }) => state)).toEqual(['cancelled', 'forfeited']);
  });

  it('what is played away cannot be taken back whole: the bonus stays as it was', async () => {
    const player = await server.player(undefined, 0);
    const id = await add(player, 2_000);
    await move(id, 'wagering');
    await ask(player, 1_500);
    expect((await move(id, 'cancelled')).error?.code).toBe('INSUFFICIENT_FUNDS');
    expect((await paymentsOf(player)).bonuses).toMatchObject([{ state: 'wagering' }]);
    expect((await move(id, 'cancelled', { takeMinor: 500 })).data.state).toBe('cancelled');
    expect(balance(player)).toBe(0);
  });

  it('[LGL-19] of what it won no more than 100.00 is paid before a first deposit', async () => {
    const player = await server.player(undefined, 0);
    const id = await add(player, 20_000);
    await move(id, 'wagering');
    const withdrawal = (await ask(player, 10_001)).data.id;
    expect((await decide(withdrawal, 'approved')).error?.code).toBe('PAYMENT_RULE');
    const credit = { key: newKey(), userName: player.userName, amountMinor: 100, reason: WHY };
    await server.call(calls.credit, { body: credit }, { token });
    expect((await decide(withdrawal, 'approved')).status).toBe(200);
  });
});

describe('money that came or went by hand', () => {
  it('is a record too: a deposit, or a withdrawal that was paid', async () => {
    const player = await server.player(undefined, 0);
    const credit = (amountMinor: number, kind?: 'deposit' | 'withdrawal') =>
      server.call(
        calls.credit,
        { body: { key: newKey(), userName: player.userName, amountMinor, reason: WHY, ...(kind && { kind }) } },
        { token },
      );
    await credit(5_000);
    await credit(-2_000, 'withdrawal');
    expect((await credit(5, 'withdrawal')).error).toMatchObject({ code: 'AMOUNT_INVALID', field: 'amountMinor' });
    expect((await credit(-9_000)).error?.code).toBe('INSUFFICIENT_FUNDS');
    expect(await paymentsOf(player)).toMatchObject({
      deposits: [{ amountMinor: 5_000, reason: WHY, changedBy: 'operator:chief' }],
      withdrawals: [{ amountMinor: 2_000, state: 'approved' }],
      bonuses: [],
    });
    expect(balance(player)).toBe(3_000);
  });
});

const requested = (): StepAsked => ({
  state: 'requested',
  movedMinor: -4_000,
  actor: 'operator:chief',
  key: newKey(),
  payloadHash: 'h',
  reason: WHY,
  text: (id) => `Withdrawal ${id} requested`,
  last: false,
});

describe('an end of the server between a record and its money', () => {
  it('is taken up by the next start: it moves, once, and until then it does not count', async () => {
    const player = await server.player(undefined, 10_000);
    const { app, clock } = server;
    const step = requested();
    const gone = { ...app.core, submit: () => new Promise<never>(() => undefined) };
    const user = { id: player.userId, world: 'real' as const };
    void createPaymentBook(app.db, gone, clock, app.log).begin('withdrawal', user, 4_000, step);
    const book = createPaymentBook(app.db, app.core, clock, app.log);
    await expect
      .poll(() => app.db.query('SELECT 1 AS one FROM payment_steps WHERE key = $1', [step.key]))
      .toEqual([{ one: 1 }]);
    expect(await book.of(player.userId)).toEqual([]);
    await book.finish();
    await book.finish();
    expect(balance(player)).toBe(6_000);
    expect(await book.of(player.userId)).toMatchObject([{ state: 'requested', amountMinor: 4_000 }]);
    // The money moved, and the end came before that was noted: the ledger's word counts.
    await app.db.query('UPDATE payment_steps SET settled = false WHERE key = $1', [step.key]);
    expect(await book.of(player.userId)).toMatchObject([{ state: 'requested' }]);
    expect(await book.begin('withdrawal', user, 4_000, step)).toMatchObject({ repeated: true });
    expect(balance(player)).toBe(6_000);
    // A decision with the money on its way back: nobody is asked for another one after the start.
    const [{ id } = { id: 0 }] = await book.of(player.userId);
    const denied = { ...step, state: 'denied', movedMinor: 4_000, key: newKey(), last: true };
    let written = false;
    const ending: typeof app.db = {
      ...app.db,
      query: (sql, params) => (written ? new Promise<never>(() => undefined) : app.db.query(sql, params)),
      async tx(work) {
        const done = await app.db.tx(work);
        written = true;
        return done;
      },
    };
    void createPaymentBook(ending, app.core, clock, app.log).next(id, denied, () => denied);
    await expect
      .poll(() => app.db.query('SELECT 1 AS one FROM payment_steps WHERE key = $1', [denied.key]))
      .toEqual([{ one: 1 }]);
    await book.finish();
    expect(balance(player)).toBe(10_000);
    expect((await book.open('withdrawal')).map((one) => one.id)).not.toContain(id);
  });
});

describe('decisions at two gateways at the same time', () => {
  /** Both have looked before one of them writes. */
  async function together(ids: readonly [number, number], settleMinor: readonly [number, number]) {
    const { app, clock } = server;
    const seen: number[][] = [[], []];
    let arrived = 0;
    let go = (): void => {};
    const both = new Promise<void>((resolve) => (go = resolve));
    const decided = await Promise.allSettled(
      ids.map((id, i) => {
        const book = createPaymentBook(app.db, app.core, clock, app.log);
        const { actor, key, payloadHash, ...step } = requested();
        return book.next(id, { actor, key, payloadHash }, async ({ state, userId }) => {
          if (state !== 'requested') throw new Error(`it is ${state}`);
          seen[i]!.push(await book.approvedMinor(userId));
          if (++arrived === 2) go();
          await both;
          const movedMinor = settleMinor[i]!;
          return { ...step, movedMinor, state: movedMinor === 0 ? 'approved' : 'denied', last: true };
        });
      }),
    );
    const fates = decided.map((one) => (one.status === 'fulfilled' ? 'decided' : (one.reason as Error).message));
    return { seen, fates: fates.toSorted((a, b) => Number(b === 'decided') - Number(a === 'decided')) };
  }

  it('of one player: the second is decided anew, by what the first one was approved', async () => {
    const player = await server.player(undefined, 900_000);
    const [one, two] = [(await ask(player, 150_000)).data.id, (await ask(player, 150_000)).data.id];
    const { seen, fates } = await together([one, two], [0, 0]);
    expect(seen.sort((a, b) => a.length - b.length)).toEqual([[0], [0, 150_000]]);
    expect(fates).toEqual(['decided', 'decided']);
  });

  it('asked for under one key at both: one record, one step, and its money moves once', async () => {
    const { app, clock } = server;
    const player = await server.player(undefined, 10_000);
    const step = requested();
    const user = { id: player.userId, world: 'real' as const };
    // Both have seen that nothing stands under the key before either writes.
    let arrived = 0;
    let go = (): void => {};
    const both = new Promise<void>((resolve) => (go = resolve));
    const slow = {
      ...app.db,
      query: (async (sql: string, params?: unknown[]) => {
        const rows = await app.db.query(sql, params);
        if (sql.includes('s.key = $2') && rows.length === 0) {
          if (++arrived === 2) go();
          await both;
        }
        return rows;
      }) as typeof app.db.query,
    };
    const begun = await Promise.all(
      [0, 1].map(() => createPaymentBook(slow, app.core, clock, app.log).begin('withdrawal', user, 4_000, step)),
    );
    expect(begun.map(({ id }) => id)).toEqual([begun[0]!.id, begun[0]!.id]);
    expect(begun.filter(({ repeated }) => repeated)).toHaveLength(1);
    expect(balance(player)).toBe(6_000);
    expect(await app.db.query('SELECT id FROM payments WHERE user_id = $1', [player.userId])).toHaveLength(1);
  });

  it('of one withdrawal: one of them counts, and its money moves once', async () => {
    const player = await server.player(undefined, 10_000);
    const { id } = (await ask(player, 4_000)).data;
    const { fates } = await together([id, id], [4_000, 4_000]);
    expect(fates).toEqual(['decided', expect.stringMatching(/^it is denied$|does not fit the state/)]);
    expect(balance(player)).toBe(10_000);
  });
});

describe('a step that is settled', () => {
  it('is repeated without the core, which keeps keys for a time only', async () => {
    const { app } = server;
    const player = await server.player(undefined, 10_000);
    const user = { id: player.userId, world: 'real' as const };
    const step = requested();
    const first = await createPaymentBook(app.db, app.core, server.clock, app.log).begin(
      'withdrawal',
      user,
      4_000,
      step,
    );
    let asked = 0;
    const forgetful: typeof app.core = {
      ...app.core,
      submit(request) {
        asked += 1;
        return app.core.submit({ ...request, key: newKey() });
      },
    };
    const later = createPaymentBook(app.db, forgetful, server.clock, app.log);
    expect(await later.begin('withdrawal', user, 4_000, step)).toEqual({ id: first.id, repeated: true });
    const denied: StepAsked = { ...step, state: 'denied', movedMinor: 4_000, key: newKey(), last: true };
    await createPaymentBook(app.db, app.core, server.clock, app.log).next(first.id, denied, () => denied);
    expect(await later.next(first.id, denied, () => denied)).toEqual({ id: first.id, repeated: true });
    await later.finish();
    expect([asked, balance(player)]).toEqual([0, 10_000]);
  });
});

describe('verify compares records with the ledger', () => {
  const seen = async (sql: string, back: string) => {
    const { db } = server.app;
    await db.exec(sql);
    const { checks } = await verify(db);
    await db.exec(back);
    return checks.filter(({ breaks }) => breaks > 0).map(({ id, examples }) => `${id}: ${examples.join()}`);
  };

  it('[INV-26] sees a step of another amount, one the ledger knows nothing of, and one that hides what moved', async () => {
    const player = await server.player(undefined, 50_000);
    const { id } = (await ask(player, 30_000)).data;
    const change = (moved: number) => `UPDATE payment_steps SET moved = ${moved} WHERE payment_id = ${id}`;
    for (const moved of [-29_999, 0])
      expect(await seen(change(moved), change(-30_000))).toEqual([
        expect.stringContaining(
          `INV-26: step 1 of payment ${id} (withdrawal requested) moves ${moved}, by the ledger it was -30000`,
        ),
      ]);
    const rename = (to: string, from: string) => `UPDATE payment_steps SET key = '${to}' WHERE key = '${from}'`;
    const [step] = await server.app.db.query<{ key: string }>('SELECT key FROM payment_steps WHERE payment_id = $1', [
      id,
    ]);
    const [found] = await seen(rename('another', step!.key), rename(step!.key, 'another'));
    expect(found).toContain(`moves -30000, by the ledger it was nothing`);
    expect(found).toMatch(/is a withdrawal of -30000 on account \d+ by operator:chief that no record asked for/);
  });

  it('[INV-26] sees a record whose steps do not lead to its state, and money given on the account of another', async () => {
    const [player, other] = [await server.player(undefined, 50_000), await server.player()];
    const { id } = (await ask(player, 20_000)).data;
    await decide(id, 'denied');
    const set = (column: string, value: number) => `UPDATE payments SET ${column} = ${value} WHERE id = ${id}`;
    expect(await seen(set('amount', 20_001), set('amount', 20_000))).toEqual([
      `INV-26: payment ${id} (withdrawal of 20001, denied) has 2 steps up to 2 that move 0`,
    ]);
    const state = (to: string) => `UPDATE payment_steps SET state = '${to}' WHERE payment_id = ${id} AND n = 2`;
    expect(await seen(state('approved'), state('denied'))).toEqual([
      `INV-26: payment ${id} (withdrawal of 20000, approved) has 2 steps up to 2 that move 0`,
    ]);
    const [found] = await seen(set('user_id', other.userId), set('user_id', player.userId));
    expect(found).toContain(`step 1 of payment ${id}`);
    expect(found).toContain(`step 2 of payment ${id}`);
  });
});
