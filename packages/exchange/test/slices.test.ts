/** Results of large markets are booked and taken back in slices; between any two the state is whole and nobody gains by it. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Bet, Command, Event, RefusalCode, Result, State } from '../src/exchange.ts';
import {
  apply,
  audit,
  betOf,
  createState,
  definitionOf,
  HOUSE,
  hashState,
  holdsOf,
  LOGIC_VERSION,
  MAX_BETS,
  marketView,
  pendingWork,
  position,
  ROUNDING,
  restore,
  snapshot,
  wallet,
} from '../src/exchange.ts';
import { ANN, MARKET, marketDef, of, Site, T0 } from './site.ts';

const PLAYERS = 60;
const FIRST = ANN;
const DECLARE: Command = { type: 'market.declare', marketId: MARKET, result: { kind: 'winners', runnerIds: [1, 2] } };
const UNDECLARE: Command = { type: 'market.undeclare', marketId: MARKET };
const work = (units: number): Command => ({ type: 'work', units });
const statusOf = (state: State) => marketView(state, MARKET)!.status;

/** 60 players, about 260 bets: matched ones of odd amounts among players and with the house, and 40 that wait. */
function field(): Site {
  const s = new Site(PLAYERS, 5_000_000);
  s.market({ commissionBps: 200 });
  const bet = (accountId: number, runnerId: number, side: 'BACK' | 'LAY', price: number, sizeMinor: number) => {
    const order = s.order(accountId, runnerId, side, price, sizeMinor, { betId: ++s.lastBetId });
    expect(apply(s.state, order, s.now)[0]!.type).not.toBe('refused');
  };
  for (let i = 0; i < 105; i++) {
    const price = 200 + 2 * (i % 30);
    bet(FIRST + (i % PLAYERS), 1 + (i % 3), 'LAY', price, 333 + 7 * i);
    bet(FIRST + ((i * 7 + 1) % PLAYERS), 1 + (i % 3), 'BACK', price, 333 + 7 * i);
  }
  const backable: Array<[number, number]> = [[300, 100_000]];
  s.go({ type: 'house.book', marketId: MARKET, runners: [{ runnerId: 1, backable, layable: [] }] });
  for (let i = 0; i < 10; i++) bet(FIRST + i, 1, 'BACK', 300, 1001 + i);
  for (let i = 0; i < 40; i++) bet(FIRST + i, 2, 'LAY', 110, 500 + i);
  expect(audit(s.state)).toEqual([]);
  return s;
}

let full: unknown;
beforeAll(() => {
  full = snapshot(field().state);
});

/** A site on a copy of the field. */
function siteOf(json: unknown = full): { state: State; go: (command: Command) => Event[] } {
  const state = restore(structuredClone(json));
  const go = (command: Command) => {
    const events = apply(state, command, T0);
    expect(of(events, 'refused')).toEqual([]);
    expect(audit(state)).toEqual([]);
    return events;
  };
  return { state, go };
}

function finish(go: (command: Command) => Event[], state: State, units = 100_000): Event[] {
  const events: Event[] = [];
  for (let i = 0; pendingWork(state).length > 0; i++) {
    if (i > 1000) throw new Error('the work does not end');
    events.push(...go(work(units)));
  }
  return events;
}

const everybody = Array.from({ length: PLAYERS }, (_, i) => FIRST + i);
const wallets = (state: State) => new Map([...everybody, HOUSE, ROUNDING].map((id) => [id, wallet(state, id)!]));
const bets = (state: State): Bet[] =>
  Array.from({ length: 400 }, (_, i) => betOf(state, i + 1)).filter((bet): bet is Bet => bet !== null);
const money = (state: State) => ({
  wallets: wallets(state),
  bets: bets(state).map(({ version: _version, ...bet }) => bet),
});

describe('a result of a large market', () => {
  it('is begun by its command and done by work; the market is SETTLING meanwhile and CLOSED then', () => {
    const { state, go } = siteOf();
    const before = wallets(state);
    const begun = go(DECLARE);
    expect(of(begun, 'settled')).toEqual([]);
    expect(of(begun, 'market').map((event) => event.market.status)).toEqual(['SETTLING']);
    expect(pendingWork(state)).toMatchObject([{ type: 'market.declare', marketId: MARKET }]);
    expect(definitionOf(state, MARKET)).toBeNull();
    const left: number[] = [];
    const events = [];
    while (pendingWork(state).length > 0) {
      left.push(pendingWork(state)[0]!.unitsAtMost);
      events.push(...go(work(20)));
    }
    expect(left.length).toBeGreaterThan(5);
    expect(left).toEqual([...left].sort((a, b) => b - a));
    expect(left.at(-1)).toBeGreaterThan(0);
    expect(statusOf(state)).toBe('CLOSED');
    expect(of(events, 'settled')).toHaveLength(1);
    expect(of(events, 'market').map((event) => event.market.status)).toEqual(['CLOSED']);
    expect(marketView(state, MARKET)!.bookedBy).toBe(LOGIC_VERSION);
    for (const id of everybody) expect(wallet(state, id)!.exposureMinor).toBe(0);
    expect(wallets(state)).not.toEqual(before);
    expect(go(work(10))).toEqual([]);
  });

  it('up to 200 bets and accounts it is one command', () => {
    const s = new Site(2);
    s.market();
    for (let i = 0; i < 99; i++) s.match(ANN, ANN + 1, 1, 200, 100);
    const events = s.go({ type: 'market.declare', marketId: MARKET, result: { kind: 'winners', runnerIds: [1] } });
    expect(of(events, 'settled')).toHaveLength(1);
    expect(of(events, 'market').map((event) => event.market.status)).toEqual(['CLOSED']);
    expect(pendingWork(s.state)).toEqual([]);
  });

  it('pays each account its exact result rounded down, its bets in sum, and the rest to ROUNDING, over the whole market', () => {
    const { state, go } = siteOf();
    const before = wallets(state);
    const exact = new Map<number, bigint>();
    // A dead heat of two for one place: a winning back gets half its return. In 1/200 of a minor unit, from the bets.
    for (const { accountId, runnerId, side, matchedMinor, matchedSum } of bets(state)) {
      const win = runnerId === 3 ? 0n : BigInt(matchedSum);
      const result = (win - 200n * BigInt(matchedMinor)) * (side === 'BACK' ? 1n : -1n);
      exact.set(accountId, (exact.get(accountId) ?? 0n) + result);
    }
    const posted = new Map<string, number>();
    for (const event of of([...go(DECLARE), ...finish(go, state, 7)], 'ledger'))
      if (event.kind === 'settle')
        for (const { account, amountMinor } of event.entries)
          posted.set(account, (posted.get(account) ?? 0) + amountMinor);
    expect(posted.get(`m${MARKET}`)).toBe(0);
    let fractions = 0;
    for (const [id, value] of exact) {
      const down = value / 200n - (value % 200n < 0n ? 1n : 0n);
      if (down * 200n !== value) fractions++;
      const net = Number(down);
      expect(posted.get(`a${id}`) ?? 0).toBe(net);
      expect(bets(state).reduce((sum, bet) => sum + (bet.accountId === id ? bet.profitMinor : 0), 0)).toBe(net);
      const commission = net > 0 ? Math.floor((net * 200 + 5000) / 10_000) : 0;
      expect(wallet(state, id)!.balanceMinor - before.get(id)!.balanceMinor).toBe(net - commission);
    }
    expect(fractions).toBeGreaterThan(10);
    const house = -[...exact.values()].reduce((sum, value) => sum + value, 0n);
    expect(BigInt(posted.get(`a${HOUSE}`)!)).toBe(house / 200n - (house % 200n < 0n ? 1n : 0n));
    expect(posted.get(`a${ROUNDING}`)).toBeGreaterThan(0);
  });

  it('comes to the same however it is cut', () => {
    const whole = siteOf();
    whole.go(DECLARE);
    finish(whole.go, whole.state);
    const done = money(whole.state);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 20 }), (cuts) => {
        const { state, go } = siteOf();
        go(DECLARE);
        for (const units of cuts) go(work(units));
        finish(go, state, cuts[0]);
        expect(money(state)).toEqual(done);
      }),
      { numRuns: 8 },
    );
  });

  it.each([
    ['a result', false],
    ['its withdrawal', true],
  ])('%s: between any two slices an account had its turn wholly or not at all', (_, back) => {
    const { state, go } = siteOf();
    const open = new Map(everybody.map((id) => [id, position(state, id, MARKET)!.exposureMinor]));
    if (back) {
      go(DECLARE);
      finish(go, state);
    }
    const start = wallets(state);
    const twin = siteOf(snapshot(state));
    twin.go(back ? UNDECLARE : DECLARE);
    finish(twin.go, twin.state);
    const end = wallets(twin.state);
    go(back ? UNDECLARE : DECLARE);
    let both = 0;
    while (pendingWork(state).length > 0) {
      let done = 0;
      for (const id of everybody) {
        const now = wallet(state, id)!;
        const isDone = now.balanceMinor !== start.get(id)!.balanceMinor;
        const ours = bets(state).filter((bet) => bet.accountId === id && bet.matchedMinor > 0);
        if (isDone) {
          done++;
          expect(now).toEqual(end.get(id));
          for (const bet of ours) expect(bet.result === 'PENDING').toBe(back);
        } else if (start.get(id)!.balanceMinor !== end.get(id)!.balanceMinor) {
          for (const bet of ours) expect(bet.result === 'PENDING').toBe(!back);
          // Only what waited may be gone: what is matched still costs what it may cost.
          if (!back) expect(now.exposureMinor).toBeGreaterThanOrEqual(end.get(id)!.exposureMinor);
          expect(now.balanceMinor).toBe(start.get(id)!.balanceMinor);
          expect(now.exposureMinor).toBeLessThanOrEqual(open.get(id)!);
        }
      }
      if (done > 0 && done < PLAYERS) both++;
      go(work(9));
    }
    expect(both).toBeGreaterThan(10);
  });

  it('every slice goes on from a snapshot, and the log replays to the same', () => {
    const { state, go } = siteOf();
    const log: Command[] = [];
    const hashes: string[] = [];
    const step = (command: Command) => {
      go(command);
      log.push(command);
      hashes.push(hashState(state));
      const copy = restore(JSON.parse(JSON.stringify(snapshot(state))));
      expect(hashState(copy)).toBe(hashState(state));
      expect(audit(copy)).toEqual([]);
      expect(pendingWork(copy)).toEqual(pendingWork(state));
      // The copy comes to the same end as the state itself will.
      const other = siteOf(snapshot(copy));
      finish(other.go, other.state, 60);
      return other.state;
    };
    for (const first of [DECLARE, UNDECLARE]) {
      const ends = [step(first)];
      while (pendingWork(state).length > 0) ends.push(step(work(60)));
      for (const end of ends) expect(hashState(end)).toBe(hashState(state));
    }
    expect(new Set(hashes).size).toBe(hashes.length);
    const again = siteOf();
    log.forEach((command, i) => {
      again.go(command);
      expect(hashState(again.state)).toBe(hashes[i]);
    });
  });

  it('takes nothing else meanwhile, and says why', () => {
    const { state, go } = siteOf();
    go(DECLARE);
    const accountId = FIRST;
    const place = { betId: 9000, accountId, marketId: MARKET, runnerId: 1, side: 'BACK' as const, price: 200 };
    const marketId = MARKET;
    const result: Result = { kind: 'winners', runnerIds: [3] };
    const commands: Command[] = [
      { type: 'order.place', ...place, sizeMinor: 100, persistence: 'LAPSE' },
      {
        type: 'orders.place',
        betId: 9000,
        accountId,
        marketId,
        orders: [{ runnerId: 1, side: 'BACK', price: 200, sizeMinor: 100, persistence: 'LAPSE' }],
      },
      { type: 'bets.hedge', betId: 9000, accountId, marketId, legs: [{ ...place, sizeMinor: 100 }], cancel: true },
      { type: 'market.state', marketId, status: 'OPEN' },
      { type: 'house.book', marketId, runners: [] },
      { type: 'runner.remove', marketId, runnerId: 3, factor: 0, force: 'test' },
      { type: 'runner.reinstate', marketId, runnerId: 3, factor: 0, force: 'test' },
      { type: 'market.declare', marketId, result },
      UNDECLARE,
      { type: 'bets.void', marketId, betIds: [1], reason: 'test' },
      { type: 'market.archive', marketId },
    ];
    const refused = (command: Command, code: RefusalCode) => {
      const hash = hashState(state);
      expect(apply(state, command, T0)).toMatchObject([{ type: 'refused', code }]);
      expect(hashState(state)).toBe(hash);
    };
    for (const command of commands) refused(command, 'MARKET_SETTLING');
    refused({ type: 'account.close', accountId }, 'ACCOUNT_IN_USE');
    refused({ type: 'market.create', market: marketDef() }, 'MARKET_EXISTS');
    refused(work(0), 'AMOUNT_INVALID');
    refused(work(1.5), 'AMOUNT_INVALID');
    go({ type: 'order.cancelAll', accountId });
    finish(go, state, 30);
    go(UNDECLARE);
    for (const command of commands) refused(command, 'MARKET_SETTLING');
    finish(go, state, 30);
    expect(statusOf(state)).toBe('SUSPENDED');
  });

  it('a withdrawn result leaves everything as it was before it, but for what lapsed', () => {
    const { state, go } = siteOf();
    for (const bet of bets(state))
      if (bet.remainingMinor > 0) go({ type: 'order.cancel', accountId: bet.accountId, betId: bet.betId });
    const before = money(state);
    for (const units of [1, 77]) {
      go(DECLARE);
      finish(go, state, units);
      expect(money(state)).not.toEqual(before);
      const reopened = [...go(UNDECLARE), ...finish(go, state, units)];
      expect(of(reopened, 'undeclared')).toHaveLength(1);
      expect(money(state)).toEqual(before);
      go({ type: 'market.state', marketId: MARKET, status: 'OPEN' });
    }
  });

  it('one that left memory is taken back in slices too', () => {
    const { state, go } = siteOf();
    go(DECLARE);
    finish(go, state);
    const twin = siteOf(snapshot(state));
    twin.go(UNDECLARE);
    finish(twin.go, twin.state);
    const [archived] = of(go({ type: 'market.archive', marketId: MARKET }), 'archived');
    go({ ...UNDECLARE, archived: archived!.snapshot } as Command);
    expect(statusOf(state)).toBe('SETTLING');
    finish(go, state, 40);
    expect(money(state)).toEqual(money(twin.state));
  });

  it('a small market is settled beside it at once, another large one after it', () => {
    const { state, go } = siteOf();
    go({ type: 'market.create', market: marketDef({ marketId: 8 }) });
    const declareSmall: Command = { type: 'market.declare', marketId: 8, result: { kind: 'void', reason: 'test' } };
    go(DECLARE);
    expect(of(go(declareSmall), 'settled')).toHaveLength(1);
    expect(pendingWork(state)).toHaveLength(1);
    finish(go, state, 50);
    expect(marketView(state, 8)!.status).toBe('CLOSED');
  });

  it('an empty state has no work', () => {
    const state = createState();
    expect(pendingWork(state)).toEqual([]);
    expect(apply(state, work(5), T0)).toEqual([]);
  });
});

describe('what a short account owes, in slices', () => {
  const BACKERS = 70;
  const players = Array.from({ length: BACKERS }, (_, i) => ANN + 1 + i);
  const declare: Command = { type: 'market.declare', marketId: MARKET, result: { kind: 'winners', runnerIds: [1] } };

  /** Ann lays a whole field to 70 players, all of her money at stake in none of its ends; then a runner leaves it. */
  function shortOne(): unknown {
    const s = new Site(BACKERS + 1, 30_000);
    s.market();
    for (const [i, id] of players.entries())
      for (const runnerId of [1, 2, 3]) {
        const lay = s.order(ANN, runnerId, 'LAY', 300, 1001 + i, { betId: ++s.lastBetId });
        const back = s.order(id, runnerId, 'BACK', 300, 1001 + i, { betId: ++s.lastBetId });
        for (const one of [lay, back]) expect(apply(s.state, one, s.now)[0]!.type).not.toBe('refused');
      }
    s.go({ type: 'runner.remove', marketId: MARKET, runnerId: 3, factor: 0, force: 'test', units: 1000 });
    expect(wallet(s.state, ANN)!.availableMinor).toBeLessThan(-20_000);
    return snapshot(s.state);
  }

  let json: unknown;
  beforeAll(() => {
    json = shortOne();
  });
  const heldSum = (state: State) => holdsOf(state).reduce((sum, hold) => sum + hold.amountMinor, 0);

  it('is held back from each winner with the very money he wins, never after it', () => {
    const twin = siteOf(json);
    twin.go(declare);
    finish(twin.go, twin.state);
    const lacking = -wallet(twin.state, ANN)!.availableMinor;
    expect(heldSum(twin.state)).toBe(lacking);
    const { state, go } = siteOf(json);
    const before = walletsOf(state);
    go(declare);
    let between = 0;
    for (let done = 0; pendingWork(state).length > 0; go(work(3))) {
      done = 0;
      for (const id of players) {
        const now = wallet(state, id)!;
        if (now.balanceMinor === before.get(id)!.balanceMinor) expect(now).toEqual(before.get(id));
        else {
          done++;
          expect(now).toEqual(wallet(twin.state, id));
          expect(now.heldMinor).toBeGreaterThan(0);
        }
      }
      if (done > 0 && done < BACKERS) between++;
    }
    expect(between).toBeGreaterThan(10);
    expect(holdsOf(state)).toEqual(holdsOf(twin.state));
  });

  it('what the debtor brings meanwhile is held back no more', () => {
    const { state, go } = siteOf(json);
    go(declare);
    while (heldSum(state) === 0) go(work(20));
    const lacking = -wallet(state, ANN)!.availableMinor;
    const deposit = (amountMinor: number): Command => ({
      type: 'account.transfer',
      accountId: ANN,
      amountMinor,
      reason: 'deposit',
      text: 'test',
    });
    go(deposit(lacking - 5_000));
    expect(pendingWork(state)).toHaveLength(1);
    finish(go, state, 20);
    expect(heldSum(state)).toBe(5_000);
    go(deposit(5_000));
    expect(heldSum(state)).toBe(0);
    for (const id of players) expect(wallet(state, id)!.heldMinor).toBe(0);
  });

  it('[INV-25] what an operator releases meanwhile is not held anew of those who are paid later', () => {
    const { state, go } = siteOf(json);
    go(declare);
    while (heldSum(state) === 0) go(work(20));
    go({ type: 'hold.release', accountId: ANN, marketId: MARKET, reason: 'Looked into' });
    expect(pendingWork(state)).toHaveLength(1);
    finish(go, state, 20);
    for (const id of players) expect(wallet(state, id)!.heldMinor).toBe(0);
    expect(holdsOf(state)).toEqual([]);
  });

  it('comes back with the result: what is held goes with the winnings it was held of', () => {
    const { state, go } = siteOf(json);
    const before = walletsOf(state);
    go(declare);
    finish(go, state);
    const paid = walletsOf(state);
    go(UNDECLARE);
    let between = 0;
    for (; pendingWork(state).length > 0; go(work(3))) {
      let done = 0;
      for (const id of players) {
        const now = wallet(state, id)!;
        const isDone = now.balanceMinor === before.get(id)!.balanceMinor;
        if (isDone) done++;
        expect(now).toEqual((isDone ? before : paid).get(id));
      }
      if (done > 0 && done < BACKERS) between++;
    }
    expect(between).toBeGreaterThan(10);
    expect(walletsOf(state)).toEqual(before);
    expect(holdsOf(state)).toEqual([]);
  });

  function walletsOf(state: State) {
    return new Map([ANN, ...players].map((id) => [id, wallet(state, id)!]));
  }
});

describe('a change of a market with which many bets lapse', () => {
  const WAITING = 360;

  /** Every third is kept in play, and each of the ladder's prices has several. */
  function waiting(): Site {
    const s = new Site(PLAYERS, 5_000_000);
    s.market({ lapseOnSuspend: true });
    for (let i = 0; i < WAITING; i++) {
      const persistence = i % 3 === 0 ? 'PERSIST' : 'LAPSE';
      const order = s.order(FIRST + (i % PLAYERS), 1 + (i % 3), 'LAY', 110 + (i % 20), 300 + i, {
        betId: ++s.lastBetId,
        persistence,
      });
      expect(apply(s.state, order, s.now)[0]!.type).not.toBe('refused');
    }
    return s;
  }

  const suspend: Command = { type: 'market.state', marketId: MARKET, status: 'SUSPENDED', reason: 'Goal' };
  const turn: Command = { type: 'market.state', marketId: MARKET, inPlay: true };

  it.each([
    ['a suspension', suspend, 'SUSPENDED', 0],
    ['the turn in play', turn, 'OPEN', Math.ceil(WAITING / 3)],
  ] as const)('%s ends them over several commands, locked until the last, as in one', (_, command, status, kept) => {
    const json = snapshot(waiting().state);
    const whole = siteOf(json);
    whole.go({ ...command, units: 1000 } as Command);
    expect(pendingWork(whole.state)).toEqual([]);
    const { state, go } = siteOf(json);
    go(command);
    expect(statusOf(state)).toBe('SETTLING');
    const left = () => bets(state).filter((bet) => bet.remainingMinor > 0).length;
    const log: number[] = [left()];
    for (const one of [turn, { ...suspend, status: 'OPEN' } as Command, DECLARE])
      expect(apply(state, one, T0)).toMatchObject([{ type: 'refused', code: 'MARKET_SETTLING' }]);
    while (pendingWork(state).length > 0) {
      expect(hashState(restore(JSON.parse(JSON.stringify(snapshot(state)))))).toBe(hashState(state));
      go(work(7));
      log.push(left());
    }
    expect(log.length).toBeGreaterThanOrEqual(Math.floor((WAITING - 200 - kept) / 7));
    expect(statusOf(state)).toBe(status);
    expect(marketView(state, MARKET)!.reason).toBe(command === suspend ? 'Goal' : '');
    expect(left()).toBe(kept);
    expect(money(state)).toEqual(money(whole.state));
  });

  it('a suspension is taken meanwhile, and lapses what it lapses', () => {
    const { state, go } = siteOf(snapshot(waiting().state));
    go({ ...turn, units: 5 } as Command);
    go(suspend);
    expect(statusOf(state)).toBe('SETTLING');
    expect(apply(state, { ...suspend, inPlay: false } as Command, T0)).toMatchObject([{ code: 'MARKET_SETTLING' }]);
    finish(go, state, 50);
    expect([statusOf(state), marketView(state, MARKET)!.reason]).toEqual(['SUSPENDED', 'Goal']);
    expect(bets(state).every((bet) => bet.remainingMinor === 0)).toBe(true);
    const codes = bets(state).map((bet) => bet.endCode);
    expect(codes.filter((code) => code === 'LAPSED_IN_PLAY')).toHaveLength(WAITING - Math.ceil(WAITING / 3));
    expect(codes.filter((code) => code === 'LAPSED_SUSPENDED')).toHaveLength(Math.ceil(WAITING / 3));
  });

  it('who cancels meanwhile has cancelled, kept bets too', () => {
    const { state, go } = siteOf(snapshot(waiting().state));
    go({ ...turn, units: 5 } as Command);
    const own = () => bets(state).filter((bet) => bet.accountId === FIRST && bet.remainingMinor > 0).length;
    expect(own()).toBeGreaterThan(0);
    go({ type: 'order.cancelAll', accountId: FIRST });
    expect(own()).toBe(0);
    finish(go, state, 50);
    expect(statusOf(state)).toBe('OPEN');
    expect(bets(state).filter((bet) => bet.accountId === FIRST && bet.endCode === 'CANCELLED').length).toBeGreaterThan(
      1,
    );
  });
});

describe('the turn of the largest account', () => {
  it('writes the bets it may have open in a market, and none of the thousands it cancelled', () => {
    const s = new Site(2, 1_000_000_000);
    s.market({ maxBets: MAX_BETS });
    s.go({
      type: 'house.book',
      marketId: MARKET,
      runners: [{ runnerId: 1, backable: [[300, 2_000_000]], layable: [] }],
    });
    const place = (price: number) =>
      apply(s.state, s.order(ANN, 1, 'BACK', price, 100, { betId: ++s.lastBetId }), s.now)[0]!;
    for (let i = 0; i < 3 * MAX_BETS; i++) {
      expect(place(900).type).not.toBe('refused');
      const cancel: Command = { type: 'order.cancel', accountId: ANN, betId: s.lastBetId };
      expect(apply(s.state, cancel, s.now)[0]!.type).not.toBe('refused');
    }
    for (let i = 0; i < MAX_BETS; i++) expect(place(300).type).not.toBe('refused');
    expect(place(300)).toMatchObject({ type: 'refused', code: 'BET_LIMIT' });
    const written: number[] = [];
    const slice = (command: Command) => written.push(of(s.go(command), 'bet').length);
    slice({ ...DECLARE, units: 1 } as Command);
    while (pendingWork(s.state).length > 0) slice(work(1));
    expect(written.filter((bets) => bets > 0)).toEqual([MAX_BETS]);
  });
});
