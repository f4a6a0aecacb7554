/** The providers' wallet: rules 1 to 9 of trust 4.2 and the conformance tests that need no dialect. */
import { CALLS, CodedError, type InputOf } from '@fairgame/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PayoutBounds } from '../src/core/core.ts';
import { profitLoss, statement, verify } from '../src/ledger/ledger.ts';
import type { Movement, WalletAnswer, WalletSession } from '../src/providers/movement.ts';
import { createNonces } from '../src/providers/nonces.ts';
import { Wallet } from '../src/providers/wallet.ts';
import { makeServer, type TestServer } from './server.ts';

const ALDER = 'alder';
const USUAL: PayoutBounds = { winMinor: 2_500_000, winTimes: 10_000, dayMinor: 10_000_000, promoMinor: 100_000 };
const GAMES: Record<string, number> = { roulette: 5000, keno: 5000, slots: 2500, quick: 0 };

let s: TestServer;
let wallet: Wallet;
let n = 0;
let winLimits: PayoutBounds = USUAL;

beforeAll(async () => {
  s = await makeServer();
  wallet = make();
});
afterAll(() => s.close());

function make(): Wallet {
  const { app } = s;
  return new Wallet({
    db: app.db,
    core: app.protection.guarded,
    mayPlay: (userId) => app.protection.mayPlay(userId),
    slotRules: (userId) => app.protection.slotRules(userId),
    clock: s.clock,
    steady: s.clock,
    log: app.log,
    limitsOf: () => winLimits,
    gameOf: (provider, game) =>
      ['alder', 'beacon'].includes(provider) && game in GAMES
        ? { providerName: 'Alder Games', gameName: game, minRoundMs: GAMES[game]!, slots: game === 'slots' }
        : undefined,
  });
}

interface Seat {
  userId: number;
  token: string;
  session: WalletSession;
  balance(): number;
  /** A movement with fresh ids, of this player's session. */
  m(over?: Partial<Movement>): Movement;
}

async function sit(creditMinor = 100_000, game = 'quick', switching = false): Promise<Seat> {
  const { userId, token } = await s.player(undefined, creditMinor);
  return seatOf(userId, token, game, switching);
}

async function seatOf(userId: number, token: string, game: string, switching = false): Promise<Seat> {
  const launch = await wallet.issueToken({ userId, provider: ALDER, game, switching });
  const { session, code } = await wallet.authenticate(ALDER, launch.token);
  if (!session) throw new Error(`no session: ${code}`);
  return {
    userId,
    token,
    session,
    balance: () => s.app.core.read.wallet('real', userId).balanceMinor,
    m: (over = {}) => ({
      provider: ALDER,
      sessionId: session.sessionId,
      playerRef: session.playerRef,
      txId: `tx${++n}`,
      roundId: `round${n}`,
      game,
      currency: 'EUR',
      amountMinor: 1000,
      ...over,
    }),
  };
}

const back = (debit: Movement, refTx: string, txId = `back-${refTx}`) => {
  const { amountMinor: _, ...m } = debit;
  return wallet.rollback({ ...m, txId, refTx });
};

/** The return of a round as an operator asks for it, under a fresh key. */
const voiding = (roundId: string, accountId: number) => ({
  provider: ALDER,
  accountId,
  roundId,
  actor: 'operator:chief',
  key: `void-key-${++n}`,
  payloadHash: 'asked',
  begun: false,
});

/** What a call came to: its code, and whether it was a repetition or a tombstone. */
const brief = ({ code, repeated, tombstone }: WalletAnswer) =>
  [code, ...(repeated ? ['repeated'] : []), ...(tombstone ? ['tombstone'] : [])].join(' ');

describe('[PRV-02] the rules of the wallet', () => {
  let seat: Seat;
  beforeEach(async () => {
    seat = await sit();
  });

  /** Each: the rule, what happens, the steps with what each must answer, and the balance at the end. */
  type Step = [answer: () => Promise<WalletAnswer>, expected: string];
  const rows: Array<[rule: number, what: string, steps: (x: Seat, m: Movement) => Step[], left: number]> = [
    [
      1,
      'the same movement again has the same answer and no second effect',
      (_, m) => [
        [() => wallet.debit(m), 'OK'],
        [() => wallet.debit(m), 'OK repeated'],
        [() => wallet.credit({ ...m, txId: `${m.txId}c`, amountMinor: 300, roundClosed: true }), 'OK'],
        [() => wallet.credit({ ...m, txId: `${m.txId}c`, amountMinor: 300, roundClosed: true }), 'OK repeated'],
        [() => wallet.debit(m), 'OK repeated'],
      ],
      99_300,
    ],
    [
      1,
      'the same id with another amount, round, game, currency or kind is a mismatch',
      (_, m) => [
        [() => wallet.debit(m), 'OK'],
        [() => wallet.debit({ ...m, amountMinor: 1001 }), 'DUPLICATE_MISMATCH'],
        [() => wallet.debit({ ...m, roundId: 'another' }), 'DUPLICATE_MISMATCH'],
        [() => wallet.debit({ ...m, game: 'keno' }), 'DUPLICATE_MISMATCH'],
        [() => wallet.debit({ ...m, currency: 'USD' }), 'DUPLICATE_MISMATCH'],
        [() => wallet.credit({ ...m, roundClosed: true }), 'DUPLICATE_MISMATCH'],
        [() => back(m, 'unheard of', m.txId), 'DUPLICATE_MISMATCH'],
      ],
      99_000,
    ],
    [
      2,
      'a rollback of what never came is taken, and what comes later is refused',
      (_, m) => [
        [() => back(m, m.txId), 'OK tombstone'],
        [() => back(m, m.txId), 'OK tombstone'],
        [() => wallet.debit(m), 'ALREADY_ROLLED_BACK'],
        [() => wallet.debit({ ...m, amountMinor: 5 }), 'ALREADY_ROLLED_BACK'],
        [() => wallet.credit({ ...m, txId: `${m.txId}c`, refTx: m.txId, roundClosed: true }), 'ALREADY_ROLLED_BACK'],
      ],
      100_000,
    ],
    [
      2,
      'a debit that was refused is taken back like one that never came',
      (_, m) => [
        [() => wallet.debit({ ...m, amountMinor: 100_001 }), 'INSUFFICIENT_FUNDS'],
        [() => back(m, m.txId), 'OK tombstone'],
        [() => wallet.debit({ ...m, amountMinor: 100_001 }), 'INSUFFICIENT_FUNDS'],
        [() => wallet.debit(m), 'DUPLICATE_MISMATCH'],
      ],
      100_000,
    ],
    [
      3,
      'a second rollback is taken without effect, under its own id or another',
      (_, m) => [
        [() => wallet.debit(m), 'OK'],
        [() => back(m, m.txId), 'OK'],
        [() => back(m, m.txId), 'OK repeated'],
        [() => back(m, m.txId, `${m.txId}-second`), 'OK'],
        [() => back(m, m.txId, m.txId), 'OK'],
        [() => back(m, m.txId, m.txId), 'OK repeated'],
      ],
      100_000,
    ],
    [
      3,
      'a bet with its win is not taken back, a bet taken back wins nothing',
      (x, m) => {
        const other = x.m();
        return [
          [() => wallet.debit(m), 'OK'],
          [() => wallet.credit({ ...m, txId: `${m.txId}c`, refTx: m.txId, roundClosed: false }), 'OK'],
          [() => back(m, m.txId), 'ALREADY_SETTLED'],
          [() => back(m, `${m.txId}c`), 'ALREADY_SETTLED'],
          [() => wallet.debit(other), 'OK'],
          [() => back(other, other.txId), 'OK'],
          [() => wallet.credit({ ...other, txId: `${other.txId}c`, roundClosed: true }), 'ALREADY_ROLLED_BACK'],
        ];
      },
      100_000,
    ],
    [
      4,
      'a win without a bet waits for it',
      (_, m) => [
        [() => wallet.credit({ ...m, txId: `${m.txId}c`, roundClosed: true }), 'BET_NOT_FOUND'],
        [() => wallet.roundEnd(m), 'BET_NOT_FOUND'],
        [() => wallet.debit(m), 'OK'],
        [() => wallet.credit({ ...m, txId: `${m.txId}c`, amountMinor: 2500, roundClosed: true }), 'OK'],
      ],
      101_500,
    ],
    [
      7,
      'a win of nothing ends a lost round; a negative or broken amount is refused',
      (_, m) => [
        [() => wallet.debit({ ...m, amountMinor: -5 }), 'INVALID_AMOUNT'],
        [() => wallet.debit({ ...m, amountMinor: 0 }), 'INVALID_AMOUNT'],
        [() => wallet.debit({ ...m, amountMinor: 0.5 }), 'INVALID_AMOUNT'],
        [() => wallet.debit(m), 'OK'],
        [() => wallet.credit({ ...m, txId: `${m.txId}c`, amountMinor: -1, roundClosed: true }), 'INVALID_AMOUNT'],
        [() => wallet.credit({ ...m, txId: `${m.txId}c`, amountMinor: 0, roundClosed: false }), 'OK'],
        [() => wallet.debit({ ...m, txId: `${m.txId}d` }), 'ALREADY_SETTLED'],
        [() => wallet.roundEnd(m), 'OK repeated'],
      ],
      99_000,
    ],
    [
      8,
      'one unit too much is refused with the real balance, the last unit is taken',
      (_, m) => [
        [() => wallet.debit({ ...m, txId: `${m.txId}c`, amountMinor: 100_001 }), 'INSUFFICIENT_FUNDS'],
        [() => wallet.debit({ ...m, amountMinor: 100_000 }), 'OK'],
        [() => wallet.debit({ ...m, txId: `${m.txId}d`, amountMinor: 1 }), 'INSUFFICIENT_FUNDS'],
      ],
      0,
    ],
    [
      9,
      'stake and win in one, bonus, and the end of a round',
      (x, m) => [
        [() => wallet.debitCredit({ ...m, creditMinor: 2500, roundClosed: true }), 'OK'],
        [() => wallet.debitCredit({ ...m, creditMinor: 2500, roundClosed: true }), 'OK repeated'],
        [() => wallet.debitCredit({ ...m, creditMinor: 2501, roundClosed: true }), 'DUPLICATE_MISMATCH'],
        [() => back(m, m.txId), 'ALREADY_SETTLED'],
        [() => wallet.promoCredit({ ...x.m(), amountMinor: 77, reason: 'Jackpot' }), 'OK'],
        [
          () => wallet.debitCredit({ ...x.m({ amountMinor: 200_000 }), creditMinor: 1, roundClosed: true }),
          'INSUFFICIENT_FUNDS',
        ],
      ],
      101_577,
    ],
  ];
  for (const [rule, what, steps, left] of rows) {
    it(`${rule}: ${what}`, async () => {
      const answers: string[] = [];
      const list = steps(seat, seat.m());
      for (const [call] of list) answers.push(brief(await call()));
      expect(answers).toEqual(list.map(([, expected]) => expected));
      expect(seat.balance()).toBe(left);
    });
  }

  it('1: the first result is told whatever has changed since, with the balance of now', async () => {
    const m = seat.m();
    const first = await wallet.debit(m);
    await wallet.debit(seat.m({ amountMinor: 500 }));
    await wallet.sessionEnd(ALDER, seat.session.sessionId);
    const again = await wallet.debit(m);
    expect(again).toEqual({ ...first, repeated: true, balanceMinor: 98_500 });
    expect((await wallet.debit(seat.m())).code).toBe('TOKEN_EXPIRED');
  });

  it('6: stakes and bets are checked against the same money in the same step', async () => {
    const { core } = s.app;
    const [marketId, runnerId] = [core.nextId(), core.nextId()];
    const feed = { world: 'all', actor: 'feed' } as const;
    await core.submit({
      ...feed,
      command: {
        type: 'market.create',
        market: {
          marketId,
          eventId: core.nextId(),
          kind: 'book',
          name: 'Winner',
          runners: [
            { runnerId, name: 'A' },
            { runnerId: core.nextId(), name: 'B' },
          ],
          winners: 1,
          commissionBps: 0,
          minStakeMinor: 1,
          maxStakeMinor: 1_000_000,
          maxExposureMinor: 0,
          maxBets: 0,
          inPlay: false,
          status: 'OPEN',
          betDelayMs: 0,
          lapseOnSuspend: false,
        },
      },
    });
    const outcomes = await Promise.all([
      wallet.debit(seat.m({ amountMinor: 60_000 })).then(({ code }) => code),
      core
        .submit({
          world: 'real',
          actor: `player:${seat.userId}`,
          command: {
            type: 'order.place',
            betId: 0,
            accountId: seat.userId,
            marketId,
            runnerId,
            side: 'BACK',
            price: 200,
            sizeMinor: 60_000,
            persistence: 'PERSIST',
          },
        })
        .then(
          () => 'OK',
          (error: { code: string }) => error.code,
        ),
    ]);
    expect(outcomes.sort()).toEqual(['INSUFFICIENT_FUNDS', 'OK']);
    expect(core.read.wallet('real', seat.userId).availableMinor).toBe(40_000);
  });
});

describe('many at once', () => {
  it('[PRV-03] fifty identical debits at once are one', async () => {
    const seat = await sit();
    const other = make();
    const m = seat.m();
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => (i % 2 ? wallet : other).debit(m)));
    expect(new Set(answers.map(({ code, walletTx }) => `${code} ${walletTx}`)).size).toBe(1);
    expect(answers.filter(({ repeated }) => !repeated)).toHaveLength(1);
    expect(seat.balance()).toBe(99_000);
  });

  it('[PRV-04] [INV-19] debit and rollback racing in both orders, 1,000 times: net 0, never a bet that stands though it was taken back', async () => {
    const seats = await Promise.all(Array.from({ length: 10 }, () => sit()));
    // A second wallet shares nothing but the writer with the first: not even the player's own queue decides the order.
    const other = make();
    const seen = new Map<string, number>();
    for (let i = 0; i < 100; i++) {
      await Promise.all(
        seats.map(async (seat, k) => {
          const m = seat.m();
          const { amountMinor: _, ...rest } = m;
          const one = () => wallet.debit(m);
          const two = () => (k % 2 ? wallet : other).rollback({ ...rest, txId: `${m.txId}b`, refTx: m.txId });
          const [debit, rollback] =
            (i + k) % 3 === 0
              ? await (async () => {
                  const second = two();
                  const first = one();
                  return [await first, await second];
                })()
              : await Promise.all([one(), two()]);
          const outcome = `${brief(debit)}, ${brief(rollback)}`;
          seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
        }),
      );
    }
    expect([...seen.keys()].sort()).toEqual(['ALREADY_ROLLED_BACK, OK tombstone', 'OK, OK']);
    expect(seats.map((seat) => seat.balance())).toEqual(seats.map(() => 100_000));
  }, 60_000);
});

describe('restrictions', () => {
  it('[PRV-06] [INV-18] an excluded player stakes nothing, and gets wins and stakes back all the same', async () => {
    const seat = await sit();
    const [won, undone] = [seat.m(), seat.m()];
    await wallet.debit(won);
    await wallet.debit(undone);
    const { status } = await s.call(CALLS.protection.selfExclude, { body: { months: 6 } }, { token: seat.token });
    expect(status).toBe(200);
    expect((await wallet.debit(seat.m())).code).toBe('USER_DISABLED');
    await expect(wallet.issueToken({ userId: seat.userId, provider: ALDER, game: 'quick' })).rejects.toMatchObject({
      code: 'ACCOUNT_BLOCKED',
    });
    expect((await wallet.credit({ ...won, txId: `${won.txId}c`, amountMinor: 5000, roundClosed: true })).code).toBe(
      'OK',
    );
    expect((await back(undone, undone.txId)).code).toBe('OK');
    expect((await wallet.roundEnd(won)).code).toBe('OK');
    expect(seat.balance()).toBe(104_000);
  });

  it("the operator's block of betting stops stakes", async () => {
    const seat = await sit();
    const user = (await s.app.auth.user(seat.userId))!;
    await s.app.protection.block(user, 'betting', true, 'operator:chief');
    expect((await wallet.debit(seat.m())).code).toBe('USER_DISABLED');
    await s.app.protection.block(user, 'betting', false, 'operator:chief');
    expect((await wallet.debit(seat.m())).code).toBe('OK');
  });

  const limits: Array<[string, InputOf<typeof CALLS.protection.setLimit>['body'], number[], string[]]> = [
    ['stake', { kind: 'stake', span: 'bet', amountMinor: 500 }, [501, 500], ['LIMIT_REACHED', 'OK']],
    ['wager', { kind: 'wager', span: 'day', amountMinor: 1500 }, [1000, 501, 500], ['OK', 'LIMIT_REACHED', 'OK']],
    ['loss', { kind: 'loss', span: 'day', amountMinor: 1500 }, [1000, 501, 500], ['OK', 'LIMIT_REACHED', 'OK']],
    [
      'exposure',
      { kind: 'exposure', span: 'always', amountMinor: 1500 },
      [1000, 501, 500],
      ['OK', 'LIMIT_REACHED', 'OK'],
    ],
  ];
  for (const [name, body, amounts, expected] of limits) {
    it(`[INV-18] the ${name} limit counts stakes in games`, async () => {
      const seat = await sit();
      const { status } = await s.call(CALLS.protection.setLimit, { body }, { token: seat.token });
      expect(status).toBe(200);
      const codes: string[] = [];
      for (const amountMinor of amounts) codes.push((await wallet.debit(seat.m({ amountMinor }))).code);
      expect(codes).toEqual(expected);
    });
  }

  it('a win makes room under the loss limit, a stake taken back under the wager limit', async () => {
    const seat = await sit();
    for (const kind of ['loss', 'wager'] as const)
      await s.call(
        CALLS.protection.setLimit,
        { body: { kind, span: 'day', amountMinor: kind === 'loss' ? 1000 : 3000 } },
        { token: seat.token },
      );
    const first = seat.m();
    expect((await wallet.debit(first)).code).toBe('OK');
    expect((await wallet.debit(seat.m({ amountMinor: 1 }))).code).toBe('LIMIT_REACHED');
    await wallet.credit({ ...first, txId: `${first.txId}c`, amountMinor: 2500, roundClosed: true });
    const second = seat.m({ amountMinor: 2000 });
    expect((await wallet.debit(second)).code).toBe('OK');
    expect((await wallet.debit(seat.m({ amountMinor: 1 }))).code).toBe('LIMIT_REACHED');
    await back(second, second.txId);
    expect((await wallet.debit(seat.m({ amountMinor: 2000 }))).code).toBe('OK');
  });

  it('a reality check that is due stops stakes and launches until it is answered', async () => {
    const seat = await sit();
    await s.call(CALLS.account.profile, {}, { token: seat.token });
    for (let i = 0; i < 4; i++) {
      s.clock.advance(16 * 60_000);
      await s.call(CALLS.account.profile, {}, { token: seat.token });
    }
    expect((await wallet.debit(seat.m())).code).toBe('REALITY_CHECK_DUE');
    await expect(wallet.issueToken({ userId: seat.userId, provider: ALDER, game: 'quick' })).rejects.toMatchObject({
      code: 'REALITY_CHECK_DUE',
    });
  });

  it('[PP-12] a new round comes no sooner than the game allows; bets of one round are one', async () => {
    const seat = await sit(100_000, 'roulette');
    const m = seat.m();
    expect((await wallet.debit(m)).code).toBe('OK');
    expect((await wallet.debit({ ...m, txId: `${m.txId}d` })).code).toBe('OK');
    s.clock.advance(4000);
    expect((await wallet.debit(seat.m())).code).toBe('TOO_FAST');
    expect((await wallet.debit(m)).code).toBe('OK');
    s.clock.advance(1000);
    expect((await wallet.debit(seat.m())).code).toBe('OK');
    const slots = await sit(100_000, 'slots');
    expect((await wallet.debit(slots.m())).code).toBe('OK');
    s.clock.advance(2000);
    expect((await wallet.debit(slots.m())).code).toBe('TOO_FAST');
    s.clock.advance(500);
    expect((await wallet.debit(slots.m())).code).toBe('OK');
  });

  it('[PP-12] a round that began at another gateway counts; a win does not', async () => {
    const [seat, there] = [await sit(100_000, 'roulette'), make()];
    const m = seat.m();
    expect((await there.debit(m)).code).toBe('OK');
    s.clock.advance(4000);
    expect((await wallet.debit(seat.m())).code).toBe('TOO_FAST');
    const won = { ...m, txId: `${m.txId}c`, amountMinor: 100, roundClosed: true };
    expect((await there.credit(won)).code).toBe('OK');
    s.clock.advance(1000);
    expect((await wallet.debit(seat.m())).code).toBe('OK');
  });
});

describe('rounds begun at two gateways at once', () => {
  it('[PP-12] one of two is taken, and its id stays free for later; bets of one round are both taken', async () => {
    const [seat, there] = [await sit(100_000, 'roulette'), make()];
    const [one, two] = [seat.m(), seat.m()];
    const told = await Promise.all([wallet.debit(one), there.debit(two)]);
    expect(told.map(({ code }) => code).sort()).toEqual(['OK', 'TOO_FAST']);
    expect(seat.balance()).toBe(99_000);
    s.clock.advance(5000);
    const [late, at] = told[0]!.code === 'OK' ? [two, there] : [one, wallet];
    expect(await at.debit(late)).toMatchObject({ code: 'OK', repeated: false });
    s.clock.advance(5000);
    const m = seat.m();
    const both = await Promise.all([wallet.debit(m), there.debit({ ...m, txId: `${m.txId}d` })]);
    expect(both.map(({ code }) => code)).toEqual(['OK', 'OK']);
    expect(seat.balance()).toBe(96_000);
  });

  it('[PP-12] one that the core refuses begins nothing', async () => {
    const [seat, there] = [await sit(5000, 'roulette'), make()];
    expect((await there.debit(seat.m({ amountMinor: 6000 }))).code).toBe('INSUFFICIENT_FUNDS');
    expect((await wallet.debit(seat.m())).code).toBe('OK');
  });
});

describe('[PP-15] slots by jurisdiction', () => {
  const move = async (userId: number, jurisdiction: 'GB' | 'SE') => {
    const [user] = await s.app.db.query<{ user_name: string }>('SELECT user_name FROM users WHERE id = $1', [userId]);
    const body = { userName: user!.user_name, jurisdiction, reason: 'moved' };
    const told = await s.call(CALLS.protection.operatorSettings, { body }, { token: await s.operator() });
    expect(told.status).toBe(200);
  };

  it('a round of a slot takes at most 2.00 in Great Britain, other games what they take elsewhere', async () => {
    const slots = await sit(100_000, 'slots');
    await move(slots.userId, 'GB');
    expect((await wallet.debit(slots.m({ amountMinor: 201 }))).code).toBe('LIMIT_REACHED');
    const m = slots.m({ amountMinor: 200 });
    expect((await wallet.debit(m)).code).toBe('OK');
    expect((await wallet.debit({ ...m, txId: `${m.txId}b`, amountMinor: 1 })).code).toBe('LIMIT_REACHED');
    expect(await s.app.protection.launchLimits(slots.userId, true)).toMatchObject({ maxStakeMinor: 200 });
    expect(await s.app.protection.launchLimits(slots.userId, false)).not.toHaveProperty('maxStakeMinor');
    const other = await seatOf(slots.userId, slots.token, 'roulette');
    s.clock.advance(5000);
    expect((await wallet.debit(other.m({ amountMinor: 5000 }))).code).toBe('OK');
  });

  it('[PP-12] and needs three seconds between two rounds in Sweden', async () => {
    const slots = await sit(100_000, 'slots');
    await move(slots.userId, 'SE');
    expect((await wallet.debit(slots.m())).code).toBe('OK');
    s.clock.advance(2600);
    expect((await wallet.debit(slots.m())).code).toBe('TOO_FAST');
    s.clock.advance(400);
    expect((await wallet.debit(slots.m())).code).toBe('OK');
  });
});

describe('tokens and sessions', () => {
  it('[PRV-07] a launch token works once, within 60 s, for its provider, player and game', async () => {
    const { userId } = await s.player();
    const issue = (game = 'keno') => wallet.issueToken({ userId, provider: ALDER, game });
    const first = await issue();
    expect((await wallet.authenticate('beacon', first.token)).code).toBe('INVALID_TOKEN');
    const started = await wallet.authenticate(ALDER, first.token);
    expect(started).toMatchObject({
      code: 'OK',
      balanceMinor: 1_000_000,
      currency: 'EUR',
      session: { userId, provider: ALDER, game: 'keno', currency: 'EUR', playerRef: first.playerRef },
    });
    expect((await wallet.authenticate(ALDER, first.token)).code).toBe('INVALID_TOKEN');
    expect((await wallet.authenticate(ALDER, 'made up')).code).toBe('INVALID_TOKEN');
    const late = await issue();
    s.clock.advance(60_000);
    expect((await wallet.authenticate(ALDER, late.token)).code).toBe('TOKEN_EXPIRED');
    const twice = await issue();
    const both = await Promise.all([wallet.authenticate(ALDER, twice.token), make().authenticate(ALDER, twice.token)]);
    expect(both.map(({ code }) => code).sort()).toEqual(['INVALID_TOKEN', 'OK']);
    const [row] = await s.app.db.query('SELECT 1 FROM provider_sessions WHERE token_hash = $1 OR id = $1', [
      late.token,
    ]);
    expect(row).toBeUndefined();
    expect(s.logText()).not.toContain(late.token.slice(0, 12));
    await expect(issue('no such game')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it("[PRV-07] a session plays its own game as its own player; a lobby's plays all of its provider", async () => {
    const seat = await sit(100_000, 'keno');
    const other = await sit(100_000, 'keno');
    expect((await wallet.debit(seat.m({ game: 'quick' }))).code).toBe('INVALID_GAME');
    expect((await wallet.debit(seat.m({ game: 'nothing' }))).code).toBe('INVALID_GAME');
    expect((await wallet.debit(seat.m({ playerRef: other.session.playerRef }))).code).toBe('INVALID_TOKEN');
    expect((await wallet.debit(seat.m({ playerRef: 'nobody' }))).code).toBe('INVALID_TOKEN');
    expect((await wallet.debit(seat.m({ sessionId: 'none' }))).code).toBe('INVALID_TOKEN');
    expect((await wallet.debit(seat.m({ provider: 'beacon' }))).code).toBe('INVALID_TOKEN');
    const lobby = await sit(100_000, 'keno', true);
    expect((await wallet.debit(lobby.m({ game: 'quick' }))).code).toBe('OK');
    expect(seat.balance() + other.balance()).toBe(200_000);
  });

  it('a new session of the player replaces the old one; a day ends it; a restart does not', async () => {
    const seat = await sit();
    const newer = await seatOf(seat.userId, seat.token, 'quick');
    expect((await wallet.debit(seat.m())).code).toBe('TOKEN_EXPIRED');
    expect(newer.session.playerRef).toBe(seat.session.playerRef);
    expect((await make().debit(newer.m())).code).toBe('OK');
    expect((await wallet.balance(ALDER, newer.session.sessionId)).balanceMinor).toBe(99_000);
    s.clock.advance(24 * 3_600_000);
    expect((await wallet.debit(newer.m())).code).toBe('TOKEN_EXPIRED');
    expect((await wallet.balance(ALDER, newer.session.sessionId)).code).toBe('TOKEN_EXPIRED');
    expect((await wallet.sessionEnd(ALDER, 'none')).code).toBe('INVALID_TOKEN');
  });

  it('[PRV-08] [INV-23] a demo player gets no token, so no provider can move anything of his', async () => {
    const demo = await s.call(CALLS.auth.demo);
    const [row] = await s.app.db.query<{ id: number }>("SELECT max(id) AS id FROM users WHERE world = 'demo'");
    expect(demo.status).toBe(200);
    await expect(wallet.issueToken({ userId: row!.id, provider: ALDER, game: 'quick' })).rejects.toMatchObject({
      code: 'DEMO_NOT_ALLOWED',
    });
  });

  it('[PRV-09] another currency is refused inside a session, for stakes and wins', async () => {
    const seat = await sit();
    const m = seat.m();
    expect((await wallet.debit({ ...m, currency: 'USD' })).code).toBe('WRONG_CURRENCY');
    expect((await wallet.debit(m)).code).toBe('OK');
    const win = { ...m, txId: `${m.txId}c`, amountMinor: 10, roundClosed: true };
    expect((await wallet.credit({ ...win, currency: 'USD' })).code).toBe('WRONG_CURRENCY');
    expect((await wallet.promoCredit({ ...seat.m(), currency: 'USD', reason: '' })).code).toBe('WRONG_CURRENCY');
    expect((await wallet.credit(win)).code).toBe('OK');
    expect(seat.balance()).toBe(99_010);
  });
});

describe('a game that ended at one of two gateways', () => {
  const seen = async (there: Wallet, seat: Seat) => {
    const answers = [await there.balance(ALDER, seat.session.sessionId), await there.debit(seat.m())];
    return answers.map(({ code }) => code);
  };
  it.each<[why: string, end: (seat: Seat) => Promise<unknown>]>([
    ['its provider ended it', (seat) => wallet.sessionEnd(ALDER, seat.session.sessionId)],
    ['the player opened another', (seat) => seatOf(seat.userId, seat.token, 'quick')],
    ['the session of the site was over', (seat) => wallet.endSessions(seat.userId, ['phone'])],
  ])('has ended at the other, which knew it: %s', async (_, end) => {
    const [seat, there] = [await sit(), make()];
    expect(await seen(there, seat)).toEqual(['OK', 'OK']);
    await end(seat);
    expect(await seen(there, seat)).toEqual(['TOKEN_EXPIRED', 'TOKEN_EXPIRED']);
    expect(seat.balance()).toBe(99_000);
  });
});

describe('a session of the site', () => {
  it('[CAR-14] takes with it what was opened in it, and no game of another device', async () => {
    const { userId } = await s.player();
    const opened = async (provider: string, siteSession: string) => {
      const { token } = await wallet.issueToken({ userId, provider, game: 'keno', siteSession });
      const { session } = await wallet.authenticate(provider, token);
      return async () => (await wallet.balance(provider, session!.sessionId)).code;
    };
    const [phone, desk] = [await opened(ALDER, 'phone'), await opened('beacon', 'desk')];
    await wallet.endSessions(userId, ['half-finished']);
    expect([await phone(), await desk()]).toEqual(['OK', 'OK']);
    await wallet.endSessions(userId, ['phone']);
    expect([await phone(), await desk()]).toEqual(['TOKEN_EXPIRED', 'OK']);
    await wallet.endSessions(userId, ['desk']);
    expect(await desk()).toBe('TOKEN_EXPIRED');
  });
});

it('[PRV-01] a nonce that was taken is not taken again after a restart', async () => {
  const nonces = (provider: string) =>
    createNonces({ db: s.app.db, provider, clock: s.clock, log: s.app.log }).take('a-nonce-of-one-call');
  expect([await nonces(ALDER), await nonces(ALDER), await nonces('beacon')]).toEqual([true, false, true]);
  s.clock.advance(10 * 60_000 - 1);
  expect(await nonces(ALDER)).toBe(false);
  s.clock.advance(1);
  expect([await nonces(ALDER), await nonces(ALDER)]).toEqual([true, false]);
});

describe('what a provider pays out by itself', () => {
  afterEach(() => {
    winLimits = USUAL;
  });
  const win = (m: Movement, amountMinor: number, over = {}) =>
    wallet.credit({ ...m, txId: `${m.txId}c`, amountMinor, roundClosed: true, ...over });
  const held = async (txId: string) => (await wallet.holds.waiting()).find((one) => one.txId === txId);
  const decide = (txId: string, pay: boolean) =>
    wallet.decideHeld({ provider: ALDER, txId, pay, actor: 'operator:chief' });

  it('a win far above its stake waits, under its own id, over a restart; then it is paid once', async () => {
    const seat = await sit();
    const m = seat.m({ amountMinor: 1 });
    await wallet.debit(m);
    const win5 = () => win(m, 5_000_000_00, { roundClosed: false });
    expect(await win5()).toMatchObject({ code: 'OK', walletTx: `held:${m.txId}c`, balanceMinor: 99_999 });
    expect(s.logText()).toContain('"security":"provider-money"');
    expect(brief(await win5())).toBe('OK repeated');
    expect((await win(m, 4)).code).toBe('DUPLICATE_MISMATCH');
    expect((await wallet.debit({ ...m, txId: `${m.txId}c` })).code).toBe('DUPLICATE_MISMATCH');
    expect((await back(m, m.txId)).code).toBe('ALREADY_SETTLED');
    expect((await back(m, `${m.txId}c`)).code).toBe('ALREADY_SETTLED');
    // Small for a round, large for its stake.
    expect((await win(m, 10_001, { txId: `${m.txId}d` })).walletTx).toBe(`held:${m.txId}d`);
    wallet = make();
    expect(await held(`${m.txId}c`)).toMatchObject({ why: 'win', state: 'HELD' });
    expect(await held(`${m.txId}d`)).toMatchObject({ why: 'times' });
    expect(seat.balance()).toBe(99_999);
    const both = await Promise.allSettled([decide(`${m.txId}d`, true), decide(`${m.txId}d`, true)]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(seat.balance()).toBe(110_000);
    expect(brief(await win(m, 10_001, { txId: `${m.txId}d` }))).toBe('OK repeated');
    await expect(decide('never', true)).rejects.toMatchObject({ code: 'BET_UNKNOWN' });
    expect(seat.balance()).toBe(110_000);
  });

  it('a second win on a round that is over waits; refused it is never paid, and its round can be given back', async () => {
    const seat = await sit();
    const m = seat.m();
    await wallet.debit(m);
    expect((await win(m, 1500)).code).toBe('OK');
    expect((await win(m, 1500, { txId: `${m.txId}d` })).walletTx).toBe(`held:${m.txId}d`);
    expect(await held(`${m.txId}d`)).toMatchObject({ why: 'closed' });
    await decide(`${m.txId}d`, false);
    expect(await held(`${m.txId}d`)).toBeUndefined();
    expect(brief(await win(m, 1500, { txId: `${m.txId}d` }))).toBe('OK repeated');
    expect(seat.balance()).toBe(100_500);
    const open = seat.m({ amountMinor: 1 });
    await wallet.debit(open);
    await win(open, 10_001);
    s.clock.advance(15 * 24 * 3_600_000);
    const round = voiding(open.roundId, seat.userId);
    await expect(wallet.voidRound(round)).rejects.toMatchObject({ code: 'STATE_NOT_FITTING' });
    await decide(`${open.txId}c`, false);
    expect(await wallet.voidRound(round)).toBe(1);
    expect(seat.balance()).toBe(100_500);
  });

  it('wins of a day are bounded, many at once too; a new day begins anew', async () => {
    s.clock.advance(24 * 3_600_000);
    winLimits = { ...USUAL, dayMinor: 5000 };
    const seats = await Promise.all([1, 2, 3].map(() => sit()));
    const moves = seats.map((seat) => seat.m());
    for (const m of moves) await wallet.debit(m);
    // 3,000 were lost: three times 4,000 is 9,000 more than that.
    await Promise.all(moves.map((m) => win(m, 4000)));
    const waiting = await Promise.all(moves.map((m) => held(`${m.txId}c`)));
    expect(waiting.map((one) => one?.why ?? 'paid').sort()).toEqual(['day', 'paid', 'paid']);
    // What is counted is in the books: a restart forgets nothing.
    wallet = make();
    const seat = await sit();
    const more = seat.m({ amountMinor: 100 });
    await wallet.debit(more);
    await win(more, 300);
    expect(await held(`${more.txId}c`)).toMatchObject({ why: 'day' });
    s.clock.advance(24 * 3_600_000);
    const [next] = [await sit()];
    const fresh = next!.m();
    await wallet.debit(fresh);
    expect(await win(fresh, 4000)).toMatchObject({ code: 'OK', balanceMinor: 103_000 });
  });

  it('of several gateways each knows what another kept, what was decided of it there, and what the day has cost', async () => {
    s.clock.advance(24 * 3_600_000);
    winLimits = { ...USUAL, dayMinor: 5000 };
    const seat = await sit();
    const [here, there] = [wallet, make()];
    const open = async (by: Wallet) => {
      const m = seat.m({ amountMinor: 100 });
      await by.debit(m);
      return m;
    };
    const won = (by: Wallet, m: Movement, amountMinor: number) =>
      by.credit({ ...m, txId: `${m.txId}c`, amountMinor, roundClosed: true });
    // Both have read the day.
    for (const by of [here, there]) expect((await won(by, await open(by), 100)).code).toBe('OK');
    const [first, second] = [await open(here), await open(there)];
    expect((await won(here, first, 5000)).walletTx).not.toContain('held');
    expect((await won(there, second, 1000)).walletTx).toBe(`held:${second.txId}c`);
    expect((await here.holds.waiting()).map(({ txId }) => txId)).toContain(`${second.txId}c`);
    expect((await back(second, second.txId)).code).toBe('ALREADY_SETTLED');
    const decision = { provider: ALDER, txId: `${second.txId}c`, actor: 'operator:chief' };
    await here.decideHeld({ ...decision, pay: false });
    const before = seat.balance();
    winLimits = USUAL;
    expect(brief(await won(there, second, 1000))).toBe('OK repeated');
    await expect(there.decideHeld({ ...decision, pay: true })).rejects.toMatchObject({ code: 'STATE_NOT_FITTING' });
    expect(seat.balance()).toBe(before);
  });

  it('wins under way at two gateways at once: together no more is paid than the day takes, or the round', async () => {
    s.clock.advance(24 * 3_600_000);
    const gateways = [wallet, make()];
    const open = async (by: Wallet) => {
      const m = (await sit()).m();
      expect((await by.debit(m)).code).toBe('OK');
      return m;
    };
    const credit = (by: Wallet, m: Movement, txId: string, amountMinor: number) =>
      by.credit({ ...m, txId, amountMinor, roundClosed: false });
    const whyOf = async (ids: readonly string[]) => {
      const waiting = await Promise.all(ids.map(held));
      return waiting.map((one) => one?.why ?? 'paid').sort();
    };
    // Both have read the day.
    for (const by of gateways) {
      const m = await open(by);
      expect((await credit(by, m, `${m.txId}c`, 1000)).walletTx).not.toContain('held');
    }
    winLimits = { ...USUAL, dayMinor: 5000 };
    const moves = await Promise.all(gateways.map(open));
    // 2,000 were lost: twice 4,000 is 6,000 more than that.
    await Promise.all(moves.map((m, i) => credit(gateways[i]!, m, `${m.txId}c`, 4000)));
    expect(await whyOf(moves.map(({ txId }) => `${txId}c`))).toEqual(['day', 'paid']);

    winLimits = { ...USUAL, winMinor: 5000 };
    const round = await open(wallet);
    const parts = gateways.map((_, i) => `${round.txId}p${i}`);
    await Promise.all(parts.map((txId, i) => credit(gateways[i]!, round, txId, 3000)));
    expect(await whyOf(parts)).toEqual(['paid', 'win']);

    winLimits = { ...USUAL, promoMinor: 1000 };
    const seats = await Promise.all(gateways.map(() => sit()));
    const given = await Promise.all(
      gateways.map((by, i) => by.promoCredit({ ...seats[i]!.m(), amountMinor: 600, reason: 'Jackpot' })),
    );
    expect(given.map(({ code }) => code).sort()).toEqual(['LIMIT_REACHED', 'OK']);
  });

  it('promotions have a budget of a day, nothing at first', async () => {
    s.clock.advance(24 * 3_600_000);
    const seat = await sit();
    const give = (amountMinor: number) => wallet.promoCredit({ ...seat.m(), amountMinor, reason: 'Jackpot' });
    winLimits = { ...USUAL, promoMinor: 0 };
    expect((await give(1)).code).toBe('LIMIT_REACHED');
    winLimits = { ...USUAL, promoMinor: 1000 };
    const given = await Promise.all([give(600), give(600)]);
    expect(given.map(({ code }) => code).sort()).toEqual(['LIMIT_REACHED', 'OK']);
    expect((await give(400)).code).toBe('OK');
    expect((await give(1)).code).toBe('LIMIT_REACHED');
    expect(seat.balance()).toBe(101_000);
  });

  it('a stake with a win that would wait is taken with neither', async () => {
    const seat = await sit();
    const m = seat.m({ amountMinor: 1 });
    expect((await wallet.debitCredit({ ...m, creditMinor: 10_001, roundClosed: true })).code).toBe('LIMIT_REACHED');
    expect(seat.balance()).toBe(100_000);
    expect((await wallet.debitCredit({ ...m, txId: `${m.txId}x`, creditMinor: 10_000, roundClosed: true })).code).toBe(
      'OK',
    );
  });
});

describe('what is left behind', () => {
  it('the balance moves at once, and statement, rounds and profit say provider, game and round', async () => {
    const seat = await sit();
    const told: number[] = [];
    const stop = s.app.core.onCommitted(({ items }) => {
      for (const { events } of items)
        for (const event of events)
          if (event.type === 'wallet' && event.accountId === seat.userId) told.push(event.balanceMinor);
    });
    const [lost, won, undone] = [seat.m(), seat.m(), seat.m()];
    await wallet.debit(lost);
    await wallet.credit({ ...lost, txId: `${lost.txId}c`, amountMinor: 0, roundClosed: true });
    await wallet.debit(won);
    await wallet.credit({ ...won, txId: `${won.txId}c`, amountMinor: 3500, roundClosed: true });
    await wallet.debit(undone);
    await back(undone, undone.txId);
    stop();
    expect(told).toEqual([99_000, 98_000, 101_500, 100_500, 101_500]);
    const who = { accountId: seat.userId, world: 'real' as const, page: 1, limit: 20 };
    const page = await statement(s.app.db, { ...who, area: 3, oldestFirst: true });
    expect(page.rows.map((row) => [row.transType, row.amount, row.description])).toEqual([
      ['loss', -1000, `Alder Games / quick / stake, round ${lost.roundId}`],
      ['loss', -1000, `Alder Games / quick / stake, round ${won.roundId}`],
      ['win', 3500, `Alder Games / quick / win, round ${won.roundId}`],
      ['loss', -1000, `Alder Games / quick / stake, round ${undone.roundId}`],
      ['win', 1000, `Alder Games / quick / stake returned, round ${undone.roundId}`],
    ]);
    const rounds = await s.app.db.query(
      'SELECT round_id, staked, paid, refunded, status FROM provider_rounds WHERE account_id = $1 ORDER BY seq',
      [seat.userId],
    );
    expect(rounds).toEqual([
      { round_id: lost.roundId, staked: 1000, paid: 0, refunded: 0, status: 'SETTLED' },
      { round_id: won.roundId, staked: 1000, paid: 3500, refunded: 0, status: 'SETTLED' },
      { round_id: undone.roundId, staked: 1000, paid: 0, refunded: 1000, status: 'REFUNDED' },
    ]);
    const report = await profitLoss(s.app.db, { accountId: seat.userId, world: 'real', level: 'sport' });
    expect(report.rows).toMatchObject([{ eventType: 'liveCasino', profitLoss: 1500, totalBet: 3 }]);
    const games = await profitLoss(s.app.db, {
      accountId: seat.userId,
      world: 'real',
      level: 'match',
      eventType: 'liveCasino',
    });
    expect(games.rows).toMatchObject([{ id: 'alder/quick', name: 'Alder Games / quick', profitLoss: 1500 }]);
  });

  it('[INV-03] a round that its provider never ends is listed after a day, and given back after fourteen', async () => {
    const seat = await sit();
    const m = seat.m();
    await wallet.debit(m);
    await wallet.debit({ ...m, txId: `${m.txId}d`, amountMinor: 300 });
    await wallet.credit({ ...m, txId: `${m.txId}c`, refTx: `${m.txId}d`, amountMinor: 200, roundClosed: false });
    const round = voiding(m.roundId, seat.userId);
    const listed = async () => {
      const rounds = await wallet.openRounds(s.clock() - 24 * 3_600_000);
      return rounds.find((one) => one.roundId === m.roundId);
    };
    expect(await listed()).toBeUndefined();
    s.clock.advance(24 * 3_600_000 + 1);
    expect(await listed()).toMatchObject({ accountId: seat.userId, stakeMinor: 1300, paidMinor: 200 });
    await expect(wallet.voidRound(round)).rejects.toMatchObject({ code: 'STATE_NOT_FITTING' });
    await expect(wallet.voidRound({ ...round, roundId: 'none' })).rejects.toMatchObject({ code: 'BET_UNKNOWN' });
    s.clock.advance(13 * 24 * 3_600_000);
    expect(await wallet.voidRound(round)).toBe(1000);
    expect(seat.balance()).toBe(99_900);
    expect(await listed()).toBeUndefined();
    expect(await wallet.voidRound({ ...round, begun: true })).toBe(1000);
    await expect(wallet.voidRound({ ...round, begun: true, payloadHash: 'another' })).rejects.toMatchObject({
      code: 'KEY_REUSED',
    });
    await expect(wallet.voidRound(voiding(m.roundId, seat.userId))).rejects.toMatchObject({
      code: 'STATE_NOT_FITTING',
    });
    expect(brief(await back(m, m.txId))).toBe('OK');
    expect((await wallet.credit({ ...m, txId: 'late', refTx: m.txId, roundClosed: true })).code).toBe(
      'ALREADY_ROLLED_BACK',
    );
    expect(seat.balance()).toBe(99_900);
  });

  it('[INV-03] a round that was given back half way when the server ended is given back whole, and answered as whole', async () => {
    const seat = await sit();
    const m = seat.m();
    await wallet.debit(m);
    await wallet.debit({ ...m, txId: `${m.txId}d`, amountMinor: 300 });
    s.clock.advance(15 * 24 * 3_600_000);
    const round = voiding(m.roundId, seat.userId);
    const { guarded } = s.app.protection;
    const submit = guarded.submit.bind(guarded);
    for (const cut of ['game.rollback', 'game.end']) {
      let begun = 0;
      const cutting = vi.spyOn(guarded, 'submit').mockImplementation((request) => {
        const last = request.command.type === cut && (cut === 'game.end' || begun++ === 1);
        return last ? Promise.reject(new CodedError('UNAVAILABLE')) : submit(request);
      });
      await expect(wallet.voidRound({ ...round, begun: cut === 'game.end' })).rejects.toMatchObject({
        code: 'UNAVAILABLE',
      });
      cutting.mockRestore();
    }
    expect(seat.balance()).toBe(100_000);
    expect(await wallet.voidRound({ ...round, begun: true })).toBe(1300);
    const forgotten = { world: 'real', actor: 'core', command: { type: 'game.forget', before: s.clock() } } as const;
    await s.app.core.submit(forgotten);
    expect(await wallet.voidRound({ ...round, begun: true })).toBe(1300);
    expect(seat.balance()).toBe(100_000);
  });

  it('a round that was over before its return began stays refused under the key of that try', async () => {
    const seat = await sit();
    const m = seat.m();
    await wallet.debit(m);
    await wallet.credit({ ...m, txId: `${m.txId}c`, amountMinor: 1500, roundClosed: true });
    s.clock.advance(15 * 24 * 3_600_000);
    const round = { ...voiding(m.roundId, seat.userId), begun: true };
    await expect(wallet.voidRound(round)).rejects.toMatchObject({ code: 'STATE_NOT_FITTING' });
  });

  it('[INV-01] [INV-03] [INV-19] rounds, movements, ledger and keys agree in the end', async () => {
    const report = await verify(s.app.db);
    expect(report.checks.filter((check) => check.breaks > 0)).toEqual([]);
  });
});
