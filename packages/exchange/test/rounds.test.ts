/** Money of the providers' games: the commands one by one, and any order of them against a ledger kept by hand. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command, GameMove, RoundView } from '../src/exchange.ts';
import { apply, audit, hashState, restore, roundOf, snapshot, wallet } from '../src/exchange.ts';
import { ANN, BOB, of, Site } from './site.ts';

const MOVE: GameMove = {
  provider: 'alder',
  roundId: 'r1',
  accountId: ANN,
  game: 'roulette',
  currency: 'EUR',
  label: 'Alder Games / Roulette',
};
type Over = Partial<GameMove> & { txId?: string };
const debit = (amountMinor: number, over: Over = {}): Command => ({
  type: 'game.debit',
  ...MOVE,
  txId: 'd1',
  amountMinor,
  ...over,
});
const credit = (amountMinor: number, over: Over & { refTx?: string; roundClosed?: boolean } = {}): Command => ({
  type: 'game.credit',
  ...MOVE,
  txId: 'c1',
  amountMinor,
  roundClosed: true,
  ...over,
});
const rollback = (refTx: string, over: Over = {}): Command => ({
  type: 'game.rollback',
  ...MOVE,
  txId: `back-${refTx}`,
  refTx,
  ...over,
});

const balance = (s: Site, id = ANN) => wallet(s.state, id)!.balanceMinor;
const round = (s: Site, roundId = 'r1', id = ANN) => roundOf(s.state, 'alder', id, roundId);
const result = (s: Site) => s.state.results.get('alder')?.balance ?? 0;

describe('a round of a provider', () => {
  it('[INV-03] takes the stake, pays the win and leaves the rest to the provider', () => {
    const s = new Site(1, 10_000);
    const events = s.go(debit(1500));
    expect(of(events, 'ledger').map((event) => [event.kind, event.entries, event.round])).toEqual([
      [
        'roundStake',
        [
          { account: 'a100', amountMinor: -1500 },
          { account: 'round:alder:r1', amountMinor: 1500 },
        ],
        { provider: 'alder', roundId: 'r1', game: 'roulette' },
      ],
    ]);
    expect(of(events, 'wallet')).toMatchObject([{ balanceMinor: 8500, exposureMinor: 0 }]);
    expect(of(events, 'movement')[0]!.movement).toMatchObject({ kind: 'debit', amountMinor: 1500, effect: true });
    s.go(credit(400));
    expect([balance(s), result(s), round(s)!.status]).toEqual([8900, 1100, 'SETTLED']);
  });

  it('[PRV-02] a credit of nothing settles a lost bet and ends the round with its last one', () => {
    const s = new Site(1, 10_000);
    s.go(debit(100, { txId: 'd1' }));
    s.go(debit(200, { txId: 'd2' }));
    s.go(credit(0, { refTx: 'd1', roundClosed: false }));
    expect([round(s)!.status, result(s)]).toEqual(['OPEN', 0]);
    s.go(credit(0, { txId: 'c2', refTx: 'd2', roundClosed: false }));
    expect([round(s)!.status, result(s)]).toEqual(['SETTLED', 300]);
  });

  it('[PRV-02] states of a bet: rollback once, never after a win; no win after a rollback or without a bet', () => {
    const s = new Site(1, 10_000);
    s.refused(credit(100), 'BET_UNKNOWN');
    s.refused(rollback('d1'), 'BET_UNKNOWN');
    s.go(debit(100));
    s.refused(credit(100, { refTx: 'other' }), 'BET_UNKNOWN');
    s.go(rollback('d1'));
    expect([balance(s), round(s)!.status]).toEqual([10_000, 'REFUNDED']);
    const again = s.go(rollback('d1', { txId: 'again' }));
    expect(again.map((event) => event.type)).toEqual(['movement']);
    s.refused(credit(100), 'BET_ROLLED_BACK');
    s.go(debit(100, { txId: 'd2' }));
    s.go(credit(50, { refTx: 'd2', roundClosed: false }));
    s.refused(rollback('d2'), 'BET_SETTLED');
    s.go(credit(25, { txId: 'c2' }));
    s.refused(debit(100, { txId: 'd3' }), 'ROUND_CLOSED');
    expect([balance(s), result(s)]).toEqual([9975, 25]);
  });

  it('[PRV-05] [INV-06] a stake one unit over what is free is refused, the last unit is not', () => {
    const s = new Site(2, 1000);
    s.market();
    s.back(ANN, 1, 300, 400);
    s.refused(debit(601), 'INSUFFICIENT_FUNDS');
    s.go(debit(600));
    expect(wallet(s.state, ANN)).toEqual({ balanceMinor: 400, exposureMinor: 400, heldMinor: 0, availableMinor: 0 });
  });

  it('[PRV-06] [INV-18] block, loss floor and exposure limit stop stakes and nothing else', () => {
    const s = new Site(1, 1000);
    const limit = (over: object) =>
      s.go({ type: 'account.restrict', accountId: ANN, betBlocked: false, exposureLimitMinor: 0, ...over });
    s.go(debit(100));
    limit({ lossFloorMinor: 850 });
    s.refused(debit(51, { txId: 'd2' }), 'LOSS_LIMIT');
    s.go(debit(50, { txId: 'd2' }));
    limit({ exposureLimitMinor: 200 });
    s.refused(debit(51, { txId: 'd3', roundId: 'r2' }), 'EXPOSURE_LIMIT');
    s.go(debit(50, { txId: 'd3', roundId: 'r2' }));
    limit({ betBlocked: true });
    s.refused(debit(1, { txId: 'd4' }), 'ACCOUNT_BLOCKED');
    s.go(rollback('d3', { roundId: 'r2' }));
    s.go(credit(500));
    s.go({ type: 'game.promo', ...MOVE, txId: 'p1', amountMinor: 7, reason: 'Jackpot' });
    expect(balance(s)).toBe(1000 - 150 + 500 + 7);
    expect(result(s)).toBe(150 - 500 - 7);
  });

  it('[PRV-09] refuses another currency, another game in the round, amounts that are none', () => {
    const s = new Site(1, 10_000);
    s.refused(debit(100, { currency: 'USD' }), 'WRONG_CURRENCY');
    s.refused(credit(100, { currency: 'USD' }), 'WRONG_CURRENCY');
    for (const odd of [0, -1, 1.5, Number.NaN, 2 ** 53]) s.refused(debit(odd), 'AMOUNT_INVALID');
    s.go(debit(100));
    s.refused(debit(100, { txId: 'd2', game: 'keno' }), 'WRONG_GAME');
    s.refused(debit(100), 'DUPLICATE_BET');
    for (const odd of [-1, 0.5, Number.POSITIVE_INFINITY]) s.refused(credit(odd), 'AMOUNT_INVALID');
    s.refused(debit(100, { txId: 'd9', accountId: 1 }), 'ACCOUNT_UNKNOWN');
    s.refused(debit(100, { txId: 'd9', provider: 'No Such' }), 'WRONG_KIND');
  });

  it('stake and win in one are both or neither; the win may not pay the stake', () => {
    const s = new Site(1, 100);
    const both = (amountMinor: number, creditMinor: number, over: Over = {}): Command => ({
      type: 'game.debitCredit',
      ...MOVE,
      txId: 'b1',
      amountMinor,
      creditMinor,
      roundClosed: true,
      ...over,
    });
    s.refused(both(101, 500), 'INSUFFICIENT_FUNDS');
    s.refused(both(100, -1), 'AMOUNT_INVALID');
    s.go(both(100, 250));
    expect([balance(s), result(s), round(s)!.status]).toEqual([250, -150, 'SETTLED']);
    s.refused(rollback('b1'), 'BET_SETTLED');
  });

  it('leaves memory when it is over, and comes back with a late win', () => {
    const s = new Site(1, 10_000);
    s.go(debit(1000));
    s.go({ type: 'game.end', ...MOVE });
    expect([round(s)!.status, result(s)]).toEqual(['SETTLED', 1000]);
    expect(s.go({ type: 'game.end', ...MOVE })).toEqual([]);
    const archived = round(s)!;
    s.go(debit(1, { roundId: 'r2', txId: 'open' }));
    s.now += 1000;
    s.go({ type: 'game.forget', before: s.now });
    expect([round(s), round(s, 'r2')?.status]).toEqual([null, 'OPEN']);
    s.refused(credit(300), 'BET_UNKNOWN');
    s.refused(credit(300, { archived: { ...archived, accountId: BOB } }), 'MARKET_INVALID');
    s.refused(debit(300, { archived, txId: 'd2' }), 'ROUND_CLOSED');
    s.go(credit(300, { archived }));
    expect([balance(s), result(s), round(s)!.paidMinor]).toEqual([9299, 700, 300]);
  });

  it('[INV-10] goes through a snapshot unchanged', () => {
    const s = new Site(2, 10_000);
    s.go(debit(1000));
    s.go(debit(300, { accountId: BOB }));
    s.go(credit(100, { accountId: BOB, txId: 'cb' }));
    const again = restore(JSON.parse(JSON.stringify(snapshot(s.state))));
    expect(hashState(again)).toBe(hashState(s.state));
    expect(audit(again)).toEqual([]);
    const late = credit(50, { roundClosed: false });
    expect(apply(again, late, s.now)).toEqual(apply(s.state, late, s.now));
    expect(hashState(again)).toBe(hashState(s.state));
  });

  it('[INV-19] the watchdog finds a round that does not follow from its bets', () => {
    const s = new Site(1, 10_000);
    s.go(debit(1000));
    s.state.rounds.get('alder 100 r1')!.view.stakedMinor += 5;
    expect(audit(s.state)).toEqual(['INV-19 stakes of round r1 of alder, account 100', 'INV-01 balances sum to 5']);
  });
});

type Act =
  | { do: 'debit'; tx: number; amount: number }
  | { do: 'both'; tx: number; amount: number; win: number; closed: boolean }
  | { do: 'credit'; ref: number | null; amount: number; closed: boolean }
  | { do: 'rollback'; ref: number }
  | { do: 'promo'; amount: number }
  | { do: 'end' }
  | { do: 'forget' }
  | { do: 'block'; on: boolean };
type Where = { account: number; round: number };

const act: fc.Arbitrary<Act & Where> = fc
  .tuple(
    fc.oneof(
      fc.record({ do: fc.constant('debit' as const), tx: fc.nat(9), amount: fc.integer({ min: 1, max: 900 }) }),
      fc.record({
        do: fc.constant('both' as const),
        tx: fc.nat(9),
        amount: fc.integer({ min: 1, max: 900 }),
        win: fc.nat(1500),
        closed: fc.boolean(),
      }),
      fc.record({
        do: fc.constant('credit' as const),
        ref: fc.option(fc.nat(9)),
        amount: fc.oneof(fc.constant(0), fc.nat(1500)),
        closed: fc.boolean(),
      }),
      fc.record({ do: fc.constant('rollback' as const), ref: fc.nat(9) }),
      fc.record({ do: fc.constant('promo' as const), amount: fc.integer({ min: 1, max: 300 }) }),
      fc.record({ do: fc.constant('end' as const) }),
      fc.record({ do: fc.constant('forget' as const) }),
      fc.record({ do: fc.constant('block' as const), on: fc.boolean() }),
    ),
    fc.record({ account: fc.integer({ min: ANN, max: BOB }), round: fc.nat(2) }),
  )
  .map(([what, where]) => ({ ...what, ...where }));

/** By hand: for each account and round a list of bets, and the money of everybody. */
class Model {
  readonly money = new Map<number, number>();
  readonly blocked = new Set<number>();
  provider = 0;
  readonly rounds = new Map<
    string,
    { over: '' | 'settled' | 'refunded'; left: number; bets: Array<{ tx: number; amount: number; is: string }> }
  >();

  /** True: taken. */
  step(a: Act & Where): boolean {
    const { account } = a;
    const name = `${account}/${a.round}`;
    const has = this.money.get(account)!;
    const r = this.rounds.get(name);
    const give = (amount: number) => this.money.set(account, this.money.get(account)! + amount);
    const end = () => {
      r!.over = 'settled';
      for (const bet of r!.bets) if (bet.is === 'open') bet.is = 'settled';
      this.provider += r!.left;
      r!.left = 0;
    };
    switch (a.do) {
      case 'block':
        if (a.on) this.blocked.add(account);
        else this.blocked.delete(account);
        return true;
      case 'forget':
        return true;
      case 'promo':
        give(a.amount);
        this.provider -= a.amount;
        return true;
      case 'debit':
      case 'both': {
        if (this.blocked.has(account) || has < a.amount || r?.over === 'settled') return false;
        if (r?.bets.some((bet) => bet.tx === a.tx)) return false;
        const round = r ?? { over: '' as const, left: 0, bets: [] };
        this.rounds.set(name, round);
        round.over = '';
        round.bets.push({ tx: a.tx, amount: a.amount, is: a.do === 'both' ? 'settled' : 'open' });
        give(-a.amount);
        round.left += a.amount;
        if (a.do === 'debit') return true;
        give(a.win);
        round.left -= a.win;
        if (a.closed || (a.win === 0 && round.bets.every((bet) => bet.is !== 'open'))) {
          round.over = 'settled';
          for (const bet of round.bets) if (bet.is === 'open') bet.is = 'settled';
          this.provider += round.left;
          round.left = 0;
        }
        return true;
      }
      case 'credit': {
        const bets = r?.bets.filter((bet) => a.ref === null || bet.tx === a.ref) ?? [];
        if (!bets.some((bet) => bet.is !== 'rolled back')) return false;
        for (const bet of bets) if (bet.is === 'open') bet.is = 'settled';
        give(a.amount);
        if (r!.over !== '') this.provider -= a.amount;
        else {
          r!.left -= a.amount;
          if (a.closed || (a.amount === 0 && r!.bets.every((bet) => bet.is !== 'open'))) end();
        }
        return true;
      }
      case 'rollback': {
        const bet = r?.bets.find((one) => one.tx === a.ref);
        if (!bet || bet.is === 'settled') return false;
        if (bet.is === 'rolled back') return true;
        bet.is = 'rolled back';
        give(bet.amount);
        r!.left -= bet.amount;
        if (r!.bets.every((one) => one.is === 'rolled back')) r!.over = 'refunded';
        return true;
      }
      case 'end':
        if (!r) return false;
        if (r.over === '') end();
        return true;
    }
  }
}

function commandOf(a: Act & Where, n: number, archived: RoundView | undefined): Command {
  const at = { ...MOVE, accountId: a.account, roundId: `r${a.round}`, ...(archived ? { archived } : {}) };
  switch (a.do) {
    case 'block':
      return { type: 'account.restrict', accountId: a.account, betBlocked: a.on, exposureLimitMinor: 0 };
    case 'forget':
      return { type: 'game.forget', before: 2e12 };
    case 'promo':
      return { type: 'game.promo', ...at, txId: `p${n}`, amountMinor: a.amount, reason: '' };
    case 'debit':
      return { type: 'game.debit', ...at, txId: `d${a.tx}`, amountMinor: a.amount };
    case 'both':
      return {
        type: 'game.debitCredit',
        ...at,
        txId: `d${a.tx}`,
        amountMinor: a.amount,
        creditMinor: a.win,
        roundClosed: a.closed,
      };
    case 'credit': {
      const command: Command = {
        type: 'game.credit',
        ...at,
        txId: `c${n}`,
        amountMinor: a.amount,
        roundClosed: a.closed,
      };
      if (a.ref !== null) command.refTx = `d${a.ref}`;
      return command;
    }
    case 'rollback':
      return { type: 'game.rollback', ...at, txId: `b${n}`, refTx: `d${a.ref}` };
    case 'end':
      return { type: 'game.end', ...at };
  }
}

describe('any order of movements', () => {
  it('[INV-01] [INV-06] [INV-19] ends with the money of a ledger kept by hand', () => {
    let taken = 0;
    let settled = 0;
    fc.assert(
      fc.property(fc.array(act, { maxLength: 120, size: 'max' }), (acts) => {
        const s = new Site(2, 2000);
        const model = new Model();
        for (const id of [ANN, BOB]) model.money.set(id, 2000);
        /** What the tables would have: the last told state of each round. */
        const stored = new Map<string, RoundView>();
        acts.forEach((a, n) => {
          const name = `${a.account}/${a.round}`;
          const inMemory = roundOf(s.state, 'alder', a.account, `r${a.round}`) !== null;
          const command = commandOf(a, n, inMemory ? undefined : stored.get(name));
          const before = hashState(s.state);
          const events = apply(s.state, command, s.now);
          const refused = events[0]?.type === 'refused';
          expect([a.do, !refused]).toEqual([a.do, model.step(a)]);
          expect(refused).toBe(events.some((event) => event.type === 'refused'));
          if (refused) expect(hashState(s.state)).toBe(before);
          else taken++;
          for (const event of of(events, 'round')) {
            stored.set(name, event.round);
            if (event.round.status === 'SETTLED') settled++;
          }
          for (const event of of(events, 'ledger'))
            expect(event.entries.reduce((sum, entry) => sum + entry.amountMinor, 0)).toBe(0);
          expect(audit(s.state)).toEqual([]);
        });
        for (const id of [ANN, BOB]) {
          expect(wallet(s.state, id)!.balanceMinor).toBe(model.money.get(id));
          expect(model.money.get(id)).toBeGreaterThanOrEqual(0);
        }
        expect(s.state.results.get('alder')?.balance ?? 0).toBe(model.provider);
        expect(hashState(restore(JSON.parse(JSON.stringify(snapshot(s.state)))))).toBe(hashState(s.state));
      }),
      { numRuns: 150 },
    );
    expect(taken).toBeGreaterThan(1000);
    expect(settled).toBeGreaterThan(100);
  });
});
