/** A large market leaves memory part by part, and comes back as it was. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Command, Event, MarketSnapshot, State } from '../src/exchange.ts';
import { apply, audit, betOf, hashState, marketView, pendingWork, restore, sealed, snapshot } from '../src/exchange.ts';
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
interface Kept {
  archived: MarketSnapshot;
  parts: string[];
}

function kept(events: Event[]): Kept {
  const parts = of(events, 'archivePart');
  expect(parts.map(({ marketId, part }) => [marketId, part])).toEqual(parts.map((_, i) => [MARKET, i]));
  const [last] = of(events, 'archived');
  expect(last!.snapshot.count).toBe(parts.length);
  return JSON.parse(JSON.stringify({ archived: last!.snapshot, parts: parts.map(({ text }) => text) }));
}

const recall = ({ archived, parts }: Kept) =>
  ({ type: 'market.recall', marketId: MARKET, archived, seal: parts.reduce(sealed, '') }) as const;
const recallPart = (part: number, text: string) =>
  ({ type: 'market.recallPart', marketId: MARKET, part, text }) as const;

function bringBack(go: (command: Command) => unknown, all: Kept): void {
  go(recall(all));
  all.parts.forEach((text, part) => void go(recallPart(part, text)));
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
  expect(pendingWork(cut.state)).toEqual([
    { type: 'market.archive', marketId: MARKET, phase: 'leaving', unitsAtMost: 1 },
  ]);
  expect(marketView(cut.state, MARKET)).toMatchObject({ status: 'CLOSED' });
  expect(of(cut.go({ type: 'work', units: 1 }), 'archived')).toHaveLength(1);
  expect([marketView(cut.state, MARKET), pendingWork(cut.state)]).toEqual([null, []]);
  expect(hashState(cut.state)).toBe(hashState(s.state));
});

it('however it is cut, what is left and what comes back are the same', () => {
  const whole = closed();
  const stood = hashState(whole.state);
  const archived = of(whole.go(ARCHIVE), 'archived')[0]!.snapshot;
  const gone = hashState(whole.state);
  whole.go({ type: 'market.undeclare', marketId: MARKET, archived, units: 1000 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: UNITS - 1 }), (units) => {
      const s = closed();
      const parts = kept(left(s.state, (command) => s.go(command), units));
      expect(hashState(s.state)).toBe(gone);
      bringBack((command) => expect(s.go(command)).toEqual([]), parts);
      expect([hashState(s.state), pendingWork(s.state)]).toEqual([stood, []]);
      s.go({ type: 'market.undeclare', marketId: MARKET, units: 1000 });
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
  expect(kept(events).parts.length).toBeGreaterThan(5);
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

it('while it comes back it is closed, and what would change it is refused', () => {
  const s = closed();
  const all = kept(left(s.state, (command) => s.go(command), 7));
  const { parts } = all;
  s.go(recall(all));
  s.go(recallPart(0, parts[0]!));
  expect(marketView(s.state, MARKET)).toMatchObject({ status: 'CLOSED' });
  const [work] = pendingWork(s.state);
  expect(work).toEqual({
    type: 'market.recall',
    marketId: MARKET,
    phase: 'coming',
    unitsAtMost: parts.length - 1,
    part: 1,
  });
  s.refused(ARCHIVE, 'MARKET_SETTLING', 'marketId');
  s.refused({ type: 'market.undeclare', marketId: MARKET }, 'MARKET_SETTLING', 'marketId');
  s.refused({ type: 'bets.void', marketId: MARKET, betIds: [s.lastBetId], reason: 'late' }, 'MARKET_SETTLING');
  s.refused(recall(all), 'MARKET_EXISTS', 'marketId');
  s.refused({ type: 'account.close', accountId: ANN }, 'ACCOUNT_IN_USE');
  // Work of its own it has none: its parts must come.
  expect(s.go({ type: 'work', units: 7 })).toEqual([]);
  expect(pendingWork(s.state)).toEqual([work]);
  s.back(ANN, 1, 300, 100, { marketId: 8 });
});

it.each([
  ['a snapshot of the state', true],
  ['the state that has the parts before', false],
])('every part comes to %s', (_, isReadAnew) => {
  const s = closed();
  const waived = () => state.markets.get(MARKET)!.holdings.get(ANN)!.waived;
  s.state.markets.get(MARKET)!.holdings.get(ANN)!.waived = 50;
  Object.assign(s, { state: restore(snapshot(s.state)) });
  const before = hashState(s.state);
  const all = kept(left(s.state, (command) => s.go(command), 7));
  let { state } = s;
  const readAnew = () => restore(JSON.parse(JSON.stringify(snapshot(state))));
  const hashes = new Set<string>();
  bringBack((command) => {
    if (isReadAnew) state = readAnew();
    expect(audit(state)).toEqual([]);
    expect(apply(state, command, s.now)).toEqual([]);
    hashes.add(hashState(state));
    // What was kept while it came is the same as what is read anew.
    expect(hashState(readAnew())).toBe(hashState(state));
  }, all);
  expect(hashes.size).toBe(all.parts.length + 1);
  expect([hashState(state), waived()]).toEqual([before, 50]);
});

it('a part that is left out, changed, or at another place is refused', () => {
  const s = closed();
  const all = kept(left(s.state, (command) => s.go(command), 7));
  const { archived, parts } = all;
  const [first] = parts;
  const last = parts.length - 1;
  s.refused({ type: 'market.undeclare', marketId: MARKET, archived }, 'MARKET_UNKNOWN', 'archived');
  s.refused(recallPart(0, first!), 'MARKET_UNKNOWN', 'marketId');
  for (const wrong of [
    { ...archived, count: 0 },
    { ...archived, check: undefined },
    { snapshot: 3, market: null },
  ])
    s.refused({ ...recall(all), archived: wrong as MarketSnapshot }, 'MARKET_UNKNOWN', 'archived');
  for (const wrong of [{ marketId: 9 }, { seal: parts.slice(1).reduce(sealed, '') }])
    s.refused({ ...recall(all), ...wrong }, 'MARKET_UNKNOWN', 'archived');
  s.go(recall(all));
  const { orders, fills } = JSON.parse(first!) as { orders: object[]; fills: object[] };
  const changed = (row: object) => JSON.stringify({ orders: [{ ...orders[0], ...row }], fills });
  const foreign: object[] = [
    { account: 999 },
    { runner: 9 },
    { id: s.lastBetId + 1 },
    { id: 1.5 },
    { remaining: 5 },
    { result: 'PENDING' },
  ];
  const never = ['', '[]', 'null', '{"orders":[null],"fills":[]}', '{"orders":[],"fills":[null]}', parts[last]!];
  for (const text of [...never, ...foreign.map(changed)]) s.refused(recallPart(0, text), 'MARKET_UNKNOWN', 'part');
  s.refused(recallPart(1, first!), 'MARKET_UNKNOWN', 'part');
  s.go(recallPart(0, first!));
  s.refused(recallPart(0, first!), 'MARKET_UNKNOWN', 'part');
  s.refused(recallPart(1, first!), 'MARKET_UNKNOWN', 'part');
  for (let part = 1; part < last; part++) s.go(recallPart(part, parts[part]!));
  // That one before it was another is known by the seal.
  const other = parts[last]!.replace('"size":159', '"size":158');
  expect(other).not.toBe(parts[last]);
  s.refused(recallPart(last, other), 'MARKET_UNKNOWN', 'part');
  s.go(recallPart(last, parts[last]!));
  expect(betOf(s.state, s.lastBetId)).toMatchObject({ marketId: MARKET });
});
