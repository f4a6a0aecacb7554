/** What a removal, a return or a void does to many goes in slices, its money at once: to the same as in one command. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Bet, Command, Event, State } from '../src/exchange.ts';
import {
  apply,
  audit,
  betOf,
  hashState,
  isHashNear,
  isTold,
  marketView,
  pendingWork,
  restore,
  shortsOf,
  snapshot,
  wallet,
} from '../src/exchange.ts';
import { ANN, MARKET, of, Site, T0 } from './site.ts';

const PLAYERS = 50;
const everybody = Array.from({ length: PLAYERS }, (_, i) => ANN + i);
const marketId = MARKET;
const work = (units: number): Command => ({ type: 'work', units });
const WHOLE = 100_000;

/** 50 players on a field that may lose runners: matched bets among them and with the house, lays and backs that wait. */
function field(): unknown {
  const s = new Site(PLAYERS, 60_000);
  s.market({
    removable: true,
    runners: [1, 2, 3, 4].map((runnerId) => ({ runnerId, name: `Runner ${runnerId}`, adjustmentFactor: 2500 })),
  });
  const bet = (accountId: number, runnerId: number, side: 'BACK' | 'LAY', price: number, sizeMinor: number, i = 0) =>
    apply(
      s.state,
      s.order(accountId, runnerId, side, price, sizeMinor, {
        betId: ++s.lastBetId,
        persistence: i % 2 === 0 ? 'LAPSE' : 'PERSIST',
      }),
      s.now,
    );
  for (let i = 0; i < 120; i++) {
    const price = 300 + 10 * (i % 15);
    bet(ANN + (i % PLAYERS), 1 + (i % 4), 'LAY', price, 1033 + 7 * i);
    bet(ANN + ((i * 7 + 1) % PLAYERS), 1 + (i % 4), 'BACK', price, 1033 + 7 * i);
  }
  const backable: Array<[number, number]> = [[280, 90_000]];
  s.go({ type: 'house.book', marketId, runners: [{ runnerId: 1, backable, layable: [] }] });
  for (let i = 0; i < 12; i++) bet(ANN + i, 1, 'BACK', 280, 1001 + i);
  for (let i = 0; i < 60; i++) bet(ANN + (i % PLAYERS), 1 + (i % 4), 'LAY', 120 + 2 * (i % 9), 500 + i, i);
  expect(audit(s.state)).toEqual([]);
  return snapshot(s.state);
}

let full: unknown;
let without: unknown;
beforeAll(() => {
  full = field();
  const s = siteOf(full);
  s.go({ ...REMOVE, units: WHOLE });
  without = snapshot(s.state);
});

type Telling = Extract<Command, { type: 'runner.remove' | 'runner.reinstate' | 'bets.void' }>;
const REMOVE: Telling = { type: 'runner.remove', marketId, runnerId: 2, factor: 2500 };
const RETURN: Telling = {
  type: 'runner.reinstate',
  marketId,
  runnerId: 2,
  factor: 2500,
  force: 'Found again',
};
/** The same where nobody would be short by it: a person need not want it. */
const { force: _force, ...COVERED } = RETURN as Extract<Telling, { type: 'runner.reinstate' }>;
const VOID: Telling = {
  type: 'bets.void',
  marketId,
  betIds: Array.from({ length: 110 }, (_, i) => 2 * i + 1),
  reason: 'Wrong rate',
};

interface Told {
  bets: Map<number, Bet>;
  wallets: Map<number, Extract<Event, { type: 'wallet' }>>;
}

/** A site on a copy, and what somebody knows of it who hears everything. */
function siteOf(json: unknown) {
  const state = restore(structuredClone(json));
  const told: Told = { bets: new Map(), wallets: new Map() };
  const go = (command: Command) => {
    const events = apply(state, command, T0);
    expect(of(events, 'refused')).toEqual([]);
    expect(audit(state)).toEqual([]);
    for (const { bet } of of(events, 'bet')) {
      expect(bet.version).toBeGreaterThan(told.bets.get(bet.betId)?.version ?? 0);
      told.bets.set(bet.betId, bet);
    }
    for (const event of of(events, 'wallet')) told.wallets.set(event.accountId, event);
    return events;
  };
  return { state, go, told };
}

function finish({ state, go }: ReturnType<typeof siteOf>, units = WHOLE): void {
  for (let i = 0; pendingWork(state).length > 0; i++) {
    if (i > 1000) throw new Error('the work does not end');
    go(work(units));
  }
}

/** All that money and bets are. */
const standing = (state: State) => ({
  wallets: everybody.map((id) => wallet(state, id)),
  bets: betsOf(state).map(({ version: _version, ...bet }) => bet),
  market: { ...marketView(state, marketId), version: 0 },
});
const betsOf = (state: State): Bet[] =>
  Array.from({ length: 400 }, (_, i) => betOf(state, i + 1)).filter((bet): bet is Bet => bet !== null);
const heard = ({ bets, wallets }: Told) => ({
  bets: [...bets.values()].map(({ version: _version, ...bet }) => bet).sort((a, b) => a.betId - b.betId),
  wallets: [...wallets.values()]
    .map(({ version: _version, ...event }) => event)
    .sort((a, b) => a.accountId - b.accountId),
});

/** What a runner is; its field has changed once it is another. */
const runnerOf = (state: State) => marketView(state, marketId)!.runners.find(({ runnerId }) => runnerId === 2)!.status;

/** Goes on until all money is what it will be. */
function untilChanged({ state, go }: ReturnType<typeof siteOf>, { type }: Telling): void {
  if (type === 'bets.void') return;
  for (let i = 0; (runnerOf(state) === 'REMOVED') !== (type === 'runner.remove'); i++) {
    if (i > 1000) throw new Error('the field does not change');
    go(work(9));
  }
}

describe.each([
  ['a removal', REMOVE, () => full],
  ['a return', RETURN, () => without],
  ['a return that nobody wanted but all can pay', COVERED, () => without],
  ['a void of many bets', VOID, () => full],
] as const)('%s', (_, command, from) => {
  it('comes to the same bets, money and words however it is cut', () => {
    const whole = siteOf(from());
    whole.go({ ...command, units: WHOLE });
    expect(pendingWork(whole.state)).toEqual([]);
    expect(whole.told.bets.size).toBeGreaterThan(100);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 12 }), (cuts) => {
        const cut = siteOf(from());
        cut.go(command);
        expect(pendingWork(cut.state)).toMatchObject([{ type: command.type, marketId }]);
        for (const units of cuts) cut.go(work(units));
        finish(cut, cuts[0]);
        expect(standing(cut.state)).toEqual(standing(whole.state));
        expect(heard(cut.told)).toEqual(heard(whole.told));
      }),
      { numRuns: 8 },
    );
  });

  it('has all of its money done by one command: nobody spends between two slices what it will cost him', () => {
    const whole = siteOf(from());
    whole.go({ ...command, units: WHOLE });
    const cut = siteOf(from());
    cut.go({ ...command, units: 5 });
    untilChanged(cut, command);
    expect(everybody.filter((id) => !isTold(cut.state, id)).length).toBeGreaterThan(PLAYERS / 2);
    expect(standing(cut.state).wallets).toEqual(standing(whole.state).wallets);
    expect(marketView(cut.state, marketId)!.status).toBe('SETTLING');
    const before = restore(from());
    const available = (state: State, id: number) => wallet(state, id)!.availableMinor;
    const changed = everybody.filter((id) => available(cut.state, id) !== available(before, id));
    expect(changed.length).toBeGreaterThan(5);
    for (const accountId of changed) {
      const out = { type: 'account.transfer', accountId, reason: 'withdrawal', text: 'test' } as const;
      const amountMinor = -Math.max(0, available(cut.state, accountId)) - 1;
      expect(apply(cut.state, { ...out, amountMinor }, T0)).toMatchObject([{ code: 'INSUFFICIENT_FUNDS' }]);
    }
  });

  it('tells account by account, all of it at once; who acts meanwhile is told his wallet as it is', () => {
    const before = restore(structuredClone(from()));
    const cut = siteOf(from());
    cut.go(command);
    const hasBets = (id: number) => betsOf(cut.state).some((bet) => bet.accountId === id);
    let asker: number | undefined;
    let between = 0;
    const isDone = command.type === 'bets.void';
    for (; pendingWork(cut.state).length > 0; cut.go(work(9))) {
      const done = everybody.filter((id) => isTold(cut.state, id));
      for (const bet of betsOf(cut.state)) {
        const known = cut.told.bets.get(bet.betId) ?? betOf(before, bet.betId)!;
        // What is only told later is changed already; what has its turn later is as it was.
        if (!isDone || done.includes(bet.accountId)) expect(known).toEqual(bet);
        else expect(known).toEqual(betOf(before, bet.betId));
      }
      for (const id of done)
        expect(cut.told.wallets.get(id)?.exposureMinor ?? wallet(before, id)!.exposureMinor).toBe(
          wallet(cut.state, id)!.exposureMinor,
        );
      if (done.length > 0 && done.length < PLAYERS) between++;
      if (between !== 3 || asker !== undefined) continue;
      asker = everybody.findLast((id) => !isTold(cut.state, id) && hasBets(id))!;
      // His bets come in his turn: many of an account would make a slow command of a small one.
      const deposit = {
        type: 'account.transfer',
        accountId: asker,
        amountMinor: 5,
        reason: 'deposit',
        text: 'test',
      } as const;
      expect(of(cut.go(deposit), 'bet')).toEqual([]);
      expect(cut.told.wallets.get(asker)!.exposureMinor).toBe(wallet(cut.state, asker)!.exposureMinor);
      expect(isTold(cut.state, asker)).toBe(false);
    }
    expect(asker).toBeDefined();
    expect(between).toBeGreaterThan(5);
    expect(everybody.every((id) => isTold(cut.state, id))).toBe(true);
    expect(marketView(cut.state, marketId)!.status).toBe('OPEN');
  });

  it('goes on from a snapshot after any slice, to the same hash', () => {
    const cut = siteOf(from());
    cut.go({ ...command, units: 5 });
    const ends: string[] = [];
    for (; pendingWork(cut.state).length > 0; cut.go(work(30))) {
      const copy = siteOf(JSON.parse(JSON.stringify(snapshot(cut.state))));
      expect(hashState(copy.state)).toBe(hashState(cut.state));
      expect(pendingWork(copy.state)).toEqual(pendingWork(cut.state));
      finish(copy, 60);
      ends.push(hashState(copy.state));
    }
    expect(ends.length).toBeGreaterThan(2);
    expect(new Set([...ends, hashState(cut.state)]).size).toBe(1);
  });

  it('keeps its market locked meanwhile, but for a suspension and for who cancels', () => {
    const cut = siteOf(from());
    const isWaiting = (bet: Bet) =>
      bet.remainingMinor > 0 && bet.status === 'EXECUTABLE' && !isTold(cut.state, bet.accountId);
    const waits = () => betsOf(cut.state).find(isWaiting)!;
    cut.go({ ...command, units: 5 });
    untilChanged(cut, command);
    const { accountId, betId } = waits();
    for (const one of [
      { ...REMOVE, runnerId: 3 },
      { ...VOID, betIds: [2] },
      { type: 'market.declare', marketId, result: { kind: 'winners', runnerIds: [1] } },
      { type: 'market.state', marketId, inPlay: true },
      { type: 'house.book', marketId, runners: [] },
    ] as Command[])
      expect(apply(cut.state, one, T0)).toMatchObject([{ type: 'refused', code: 'MARKET_SETTLING' }]);
    cut.go({ type: 'order.cancelAll', accountId });
    expect([cut.told.bets.get(betId)?.endCode, isTold(cut.state, accountId)]).toEqual(['CANCELLED', false]);
    cut.go({ type: 'market.state', marketId, status: 'SUSPENDED', lapse: true, reason: 'Stewards' });
    finish(cut, 30);
    expect(marketView(cut.state, marketId)).toMatchObject({ status: 'SUSPENDED', reason: 'Stewards' });
    expect(betsOf(cut.state).every((bet) => bet.remainingMinor === 0)).toBe(true);
  });
});

describe('while the field is still as it was', () => {
  const withdraw = (state: State, accountId: number, but = 0): Command => ({
    type: 'account.transfer',
    accountId,
    amountMinor: but - wallet(state, accountId)!.availableMinor,
    reason: 'withdrawal',
    text: 'test',
  });

  it('who takes out all he may is not short by the removal: it was reserved for', () => {
    const cut = siteOf(full);
    cut.go({ ...REMOVE, units: 5 });
    expect(runnerOf(cut.state)).toBe('ACTIVE');
    for (const id of everybody) cut.go(withdraw(cut.state, id));
    untilChanged(cut, REMOVE);
    expect(everybody.filter((id) => wallet(cut.state, id)!.availableMinor < 0)).toEqual([]);
    expect(everybody.some((id) => wallet(cut.state, id)!.availableMinor > 0)).toBe(true);
    finish(cut, 30);
  });

  it('who takes out all he may before a runner comes back that a person wanted back is known as short', () => {
    const cut = siteOf(without);
    cut.go({ ...RETURN, units: 5 });
    for (const id of everybody) cut.go(withdraw(cut.state, id));
    expect(shortsOf(cut.state)).toEqual([]);
    untilChanged(cut, RETURN);
    const short = everybody.filter((id) => wallet(cut.state, id)!.availableMinor < 0);
    expect(short.length).toBeGreaterThan(5);
    expect(shortsOf(cut.state).map(({ accountId, marketIds }) => [accountId, marketIds])).toEqual(
      short.map((id) => [id, [marketId]]),
    );
    finish(cut, 30);
  });

  it('a return that would leave one account of many short is refused, and nothing of it stays', () => {
    const whole = siteOf(without);
    whole.go({ ...RETURN, units: WHOLE });
    const { state, go } = siteOf(without);
    const dearer = everybody.find((id) => wallet(whole.state, id)!.exposureMinor > wallet(state, id)!.exposureMinor)!;
    const more = wallet(whole.state, dearer)!.exposureMinor - wallet(state, dearer)!.exposureMinor;
    go(withdraw(state, dearer, 0));
    const before = hashState(state);
    const atOnce = { ...COVERED, units: WHOLE } as Command;
    expect(apply(state, atOnce, T0)).toMatchObject([{ type: 'refused', code: 'INSUFFICIENT_FUNDS' }]);
    expect([hashState(state), audit(state)]).toEqual([before, []]);
    go({ type: 'account.transfer', accountId: dearer, amountMinor: more, reason: 'deposit', text: 'test' });
    go(atOnce);
    expect(runnerOf(state)).toBe('ACTIVE');
  });

  it('a return that nobody wanted does not come where somebody would be short by then: all is as it was', () => {
    const cut = siteOf(without);
    cut.go({ ...COVERED, units: 5 });
    for (let i = 0; i < 3; i++) cut.go(work(9));
    for (const id of everybody) cut.go(withdraw(cut.state, id));
    const before = standing(cut.state);
    const events = [];
    while (pendingWork(cut.state).length > 0) {
      const copy = siteOf(JSON.parse(JSON.stringify(snapshot(cut.state))));
      expect(hashState(copy.state)).toBe(hashState(cut.state));
      finish(copy, 60);
      expect(runnerOf(copy.state)).toBe('REMOVED');
      events.push(...cut.go(work(30)));
    }
    expect(of(events, 'notReinstated')).toEqual([{ type: 'notReinstated', marketId, runnerId: 2 }]);
    expect(of(events, 'bet')).toEqual([]);
    expect(standing(cut.state)).toEqual({ ...before, market: { ...before.market, status: 'OPEN', reason: '' } });
    expect(shortsOf(cut.state)).toEqual([]);
    for (const accountId of everybody)
      cut.go({ type: 'account.transfer', accountId, amountMinor: 100_000, reason: 'deposit', text: 'test' });
    cut.go(COVERED as Command);
    finish(cut);
    expect(runnerOf(cut.state)).toBe('ACTIVE');
  });

  it('what is cancelled after it was reckoned is not held for', () => {
    const [early, late] = [siteOf(full), siteOf(full)];
    // One whose lays are kept.
    const cancel = { type: 'order.cancelAll', accountId: ANN + 1 } as const;
    early.go(cancel);
    early.go(REMOVE);
    finish(early);
    const dry = siteOf(full);
    dry.go({ ...REMOVE, units: 5 });
    late.go({ ...REMOVE, units: 5 });
    for (dry.go(work(9)); runnerOf(dry.state) === 'ACTIVE'; dry.go(work(9))) late.go(work(9));
    expect(runnerOf(late.state)).toBe('ACTIVE');
    late.go(cancel);
    finish(late);
    expect(standing(late.state).wallets).toEqual(standing(early.state).wallets);
  });
});

it('a removal that was done at once, and is only told, by the rules before 13 goes on from their snapshot', () => {
  const cut = siteOf(full);
  cut.go(VOID);
  cut.go(work(20));
  // They did so with a removal, too, and knew nothing of fields.
  const parts = snapshot(cut.state) as [[string, { pending: Array<Record<string, unknown>> }]];
  const [pending] = parts[0][1].pending;
  delete pending!.field;
  pending!.type = 'runner.remove';
  const later = siteOf(JSON.parse(JSON.stringify(parts)));
  expect(pendingWork(later.state)).toMatchObject([{ type: 'runner.remove' }]);
  finish(later, 30);
  finish(cut, 30);
  expect(hashState(later.state)).toBe(hashState(cut.state));
  expect(marketView(later.state, marketId)!.status).toBe('OPEN');
});

it('a bookmaker market loses a runner and gets it back in slices, to the same as at once', () => {
  const s = new Site(6, 60_000);
  const def = [1, 2, 3].map((runnerId) => ({ runnerId, name: `Row ${runnerId}` }));
  s.market({ kind: 'bookmaker', runners: def });
  const quote = (price: number) => ({ price, sizeMinor: 100_000 });
  const rows = def.map(({ runnerId }) => ({ runnerId, back: quote(90), lay: quote(95), status: 'ACTIVE' as const }));
  s.go({ type: 'house.quotes', marketId, rows });
  for (let i = 0; i < 12; i++) {
    const bet = {
      betId: ++s.lastBetId,
      accountId: ANN + (i % 6),
      runnerId: 1 + (i % 3),
      stakeMinor: 1000 + i,
    } as const;
    s.go({
      type: 'quote.take',
      marketId,
      ...bet,
      side: i % 4 === 0 ? 'LAY' : 'BACK',
      price: i % 4 === 0 ? 95 : 90,
      box: 0,
    });
  }
  const [whole, cut] = [siteOf(snapshot(s.state)), siteOf(snapshot(s.state))];
  for (const type of ['runner.remove', 'runner.reinstate'] as const) {
    const act = { type, marketId, runnerId: 2, factor: 0, force: 'Stewards' } as const;
    whole.go(act);
    cut.go({ ...act, units: 1 });
    expect(pendingWork(cut.state)).toHaveLength(1);
    finish(cut, 1);
    expect(standing(cut.state)).toEqual(standing(whole.state));
    expect(heard(cut.told)).toEqual(heard(whole.told));
  }
  expect(betsOf(cut.state).some((bet) => bet.reason === 'Row 2: back in the field')).toBe(true);
});

it('a refused size of the first slice leaves no trace', () => {
  const { state } = siteOf(full);
  for (const command of [REMOVE, VOID])
    expect(apply(state, { ...command, units: 0 } as Command, T0)).toMatchObject([
      { type: 'refused', code: 'AMOUNT_INVALID', field: 'units' },
    ]);
});

describe('the hash behind a large act', () => {
  it('is near again once slices have looked at what changed, long before all of it is told', () => {
    const s = new Site(PLAYERS, 1_000_000);
    s.market({
      removable: true,
      runners: [1, 2, 3, 4].map((runnerId) => ({ runnerId, name: `Runner ${runnerId}`, adjustmentFactor: 2500 })),
    });
    for (let i = 0; i < 4800; i++) {
      const side = i % 2 === 0 ? 'LAY' : 'BACK';
      const at = { betId: ++s.lastBetId };
      apply(s.state, s.order(ANN + (i % PLAYERS), 1 + ((i >> 1) % 4), side, 300, 1000, at), s.now);
    }
    hashState(s.state);
    expect(isHashNear(s.state)).toBe(true);
    for (let i = 0, command: Command = REMOVE; i === 0 || pendingWork(s.state).length > 0; i++, command = work(200)) {
      apply(s.state, command, s.now);
      expect(isHashNear(s.state)).toBe(true);
    }
    const betIds = Array.from({ length: 2400 }, (_, i) => 2 * i + 1).filter((_, i) => i % 4 !== 1);
    apply(s.state, { ...VOID, betIds } as Command, s.now);
    expect(isHashNear(s.state)).toBe(false);
    apply(s.state, work(1), s.now);
    expect(isHashNear(s.state)).toBe(true);
    expect(pendingWork(s.state)).toHaveLength(1);
    // Every slice changes it, and all of its players are in its hash.
    expect(s.state.markets.get(MARKET)!.dirty).toBe(true);
    expect(hashState(s.state)).toBe(hashState(restore(JSON.parse(JSON.stringify(snapshot(s.state))))));
  });
});
