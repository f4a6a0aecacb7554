/** A large market leaves memory part by part, and comes back as it was. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Command, Event, MarketSnapshot, State } from '../src/exchange.ts';
import { apply, audit, betOf, hashState, marketView, pendingWork, restore, snapshot } from '../src/exchange.ts';
import { ANN, BOB, MARKET, of, Site } from './site.ts';

const ARCHIVE = { type: 'market.archive', marketId: MARKET } as const;
const BETS = 120;
/** Four bets or fills are a unit. */
const UNITS = (BETS + BETS / 2) / 4;

/** A closed market of 120 bets and 60 fills, beside an open one. */
function closed(): Site {
  const s = new Site(2, 1_000_000);
  s.market({ commissionBps: 200 });
  s.market({ marketId: 8 });
  for (let i = 0; i < BETS / 2; i++) s.match(ANN, BOB, 1 + (i % 2), 300, 100 + i);
  s.go({ type: 'market.declare', marketId: MARKET, result: { kind: 'winners', runnerIds: [1] }, units: 1000 });
  hashState(s.state);
  return s;
}

/** What a server keeps of it and gives back. */
function kept(events: Event[]): MarketSnapshot {
  const parts = of(events, 'archivePart');
  expect(parts.map(({ marketId, part }) => [marketId, part])).toEqual(parts.map((_, i) => [MARKET, i]));
  const [last] = of(events, 'archived');
  expect(last!.snapshot.count).toBe(parts.length);
  return JSON.parse(JSON.stringify({ ...last!.snapshot, parts: parts.map(({ text }) => text) }));
}

function left(state: State, go: (command: Command) => Event[], units: number): Event[] {
  const events = go({ ...ARCHIVE, units });
  while (pendingWork(state).length > 0) {
    expect(audit(state)).toEqual([]);
    events.push(...go({ type: 'work', units, marketId: MARKET }));
  }
  return events;
}

it('of no more than its units it leaves at once, of more the last part takes it away', () => {
  const s = closed();
  expect(of(s.go({ ...ARCHIVE, units: UNITS }), 'archivePart')).toEqual([]);
  expect(marketView(s.state, MARKET)).toBeNull();
  const cut = closed();
  cut.go({ ...ARCHIVE, units: UNITS - 1 });
  expect(pendingWork(cut.state)).toEqual([{ type: 'market.archive', marketId: MARKET, unitsAtMost: 1 }]);
  expect(marketView(cut.state, MARKET)).toMatchObject({ status: 'CLOSED' });
  expect(of(cut.go({ type: 'work', units: 1 }), 'archived')).toHaveLength(1);
  expect([marketView(cut.state, MARKET), pendingWork(cut.state)]).toEqual([null, []]);
  expect(hashState(cut.state)).toBe(hashState(s.state));
});

it('however it is cut, what is left and what comes back are the same', () => {
  const whole = closed();
  const archived = of(whole.go(ARCHIVE), 'archived')[0]!.snapshot;
  const gone = hashState(whole.state);
  whole.go({ type: 'market.undeclare', marketId: MARKET, archived, units: 1000 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: UNITS - 1 }), (units) => {
      const s = closed();
      const parts = kept(left(s.state, (command) => s.go(command), units));
      expect(hashState(s.state)).toBe(gone);
      s.go({ type: 'market.undeclare', marketId: MARKET, archived: parts, units: 1000 });
      expect(hashState(s.state)).toBe(hashState(whole.state));
      expect(audit(s.state)).toEqual([]);
    }),
    { numRuns: 10 },
  );
});

it('between two parts it is closed and whole, and only what would change it is refused', () => {
  const s = closed();
  const events = s.go({ ...ARCHIVE, units: 7 });
  const betId = s.lastBetId;
  expect(betOf(s.state, betId)).toMatchObject({ marketId: MARKET, matchedMinor: 159 });
  s.refused(ARCHIVE, 'MARKET_SETTLING', 'marketId');
  s.refused({ type: 'market.undeclare', marketId: MARKET }, 'MARKET_SETTLING', 'marketId');
  s.refused({ type: 'bets.void', marketId: MARKET, betIds: [betId], reason: 'late' }, 'MARKET_SETTLING', 'marketId');
  s.refused({ type: 'market.state', marketId: MARKET, status: 'SUSPENDED' }, 'MARKET_CLOSED');
  s.back(ANN, 1, 300, 100, { marketId: 8 });
  while (pendingWork(s.state).length > 0) events.push(...s.go({ type: 'work', units: 7 }));
  expect(kept(events).parts!.length).toBeGreaterThan(5);
});

it('every part goes on from a snapshot of the state, with the same seal in the end', () => {
  const s = closed();
  const whole = kept(left(s.state, (command) => s.go(command), 7));
  let { state } = closed();
  const go = (command: Command): Event[] => {
    state = restore(JSON.parse(JSON.stringify(snapshot(state))));
    expect(audit(state)).toEqual([]);
    const before = hashState(state);
    const events = apply(state, command, s.now);
    expect(hashState(state)).not.toBe(before);
    return events;
  };
  const events = go({ ...ARCHIVE, units: 7 });
  while (pendingWork(state).length > 0) events.push(...go({ type: 'work', units: 7 }));
  expect(kept(events)).toEqual(whole);
});

it('a part that is left out, changed, or at another place is refused', () => {
  const s = closed();
  const archived = kept(left(s.state, (command) => s.go(command), 7));
  const [first, second, ...others] = archived.parts!;
  const wrong: Array<readonly string[]> = [
    [second!, first!, ...others],
    [first!, ...others],
    [first!, first!, ...others],
    [first!.replace('"size":100', '"size":101'), second!, ...others],
    [],
  ];
  for (const parts of wrong)
    s.refused(
      { type: 'market.undeclare', marketId: MARKET, archived: { ...archived, parts } },
      'MARKET_UNKNOWN',
      'archived',
    );
  for (const count of [1, undefined])
    s.refused(
      { type: 'market.undeclare', marketId: MARKET, archived: { ...archived, count } as MarketSnapshot },
      'MARKET_UNKNOWN',
      'archived',
    );
  s.go({ type: 'market.undeclare', marketId: MARKET, archived });
  expect(betOf(s.state, s.lastBetId)).toMatchObject({ marketId: MARKET });
});
