/** How large a slice is follows from what the last one of its kind cost, and a kind that was cheap says nothing of a dear one. */
import type { Command } from '@fairgame/exchange';
import { apply, createState, hashState, isHashNear, pendingWork } from '@fairgame/exchange';
import { afterEach, expect, it, vi } from 'vitest';
import type { Batch, Item } from '../src/core/batch.ts';
import { copyWorlds } from '../src/core/recovery.ts';
import { ownItem } from '../src/core/submitting.ts';
import { createWorkPump } from '../src/core/work.ts';
import type { Worlds } from '../src/core/worlds.ts';
import { LIMITS, Writer, type WriterOptions } from '../src/core/writer.ts';
import { type Db, silent } from '../src/db/db.ts';

const MARKET = 7;
const PLAYERS = 3000;
const NOW = 1_900_000_000_000;
afterEach(() => vi.restoreAllMocks());

/** A writer whose database takes all at once. */
function makeWriter(options: Pick<WriterOptions, 'state' | 'onCommitted' | 'ahead'>): Writer {
  return new Writer({
    db: { write: async () => [] } as unknown as Db,
    log: silent,
    clock: { now: () => NOW },
    books: { accounts: new Map(), ledgerId: 0 },
    epoch: 1,
    owner: 'test',
    chain: '',
    nextId: () => 0,
    onPoison: () => {},
    onNoTable: async () => {},
    afterStall: () => [],
    onFenced: () => {},
    probe: () => [],
    ...options,
  });
}

function open(writer: Writer, accountId: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const command = { type: 'account.open', accountId, currency: 'EUR', kind: 'player' } as const;
    writer.enqueue({ ...ownItem(command, ['real']), actor: 'test', resolve, reject });
  });
}

/** Everybody has one matched bet. */
function field() {
  const state = createState();
  const go = (command: Command) => apply(state, command, NOW);
  for (let accountId = 100; accountId < 100 + PLAYERS; accountId++) {
    go({ type: 'account.open', accountId, currency: 'EUR', kind: 'player' });
    go({ type: 'account.transfer', accountId, amountMinor: 10_000, reason: 'deposit', text: '' });
  }
  const runners = [1, 2, 3].map((runnerId) => ({ runnerId, name: `Runner ${runnerId}`, adjustmentFactor: 3000 }));
  go({
    type: 'market.create',
    market: {
      marketId: MARKET,
      eventId: 1,
      kind: 'book',
      name: 'Race',
      runners,
      winners: 1,
      commissionBps: 0,
      minStakeMinor: 1,
      maxStakeMinor: 10_000,
      maxExposureMinor: 0,
      maxBets: 0,
      inPlay: false,
      status: 'OPEN',
      betDelayMs: 0,
      lapseOnSuspend: false,
      removable: true,
    },
  });
  for (let i = 0; i < PLAYERS; i++) {
    const bet = { betId: i + 1, accountId: 100 + i, runnerId: 1, sizeMinor: 100 } as const;
    const side = i % 2 === 0 ? ('LAY' as const) : ('BACK' as const);
    go({ type: 'order.place', ...bet, marketId: MARKET, side, price: 300, persistence: 'LAPSE' });
  }
  return { state, go };
}

it('the first slice that writes bets is small, however large those were that only reckoned', () => {
  const { state, go } = field();
  const waiting: Item[] = [];
  const writer = { committed: { real: state }, first: (items: Item[]) => waiting.push(...items) } as unknown as Writer;
  const pump = createWorkPump({ db: { query: async () => [] }, writer, log: silent });
  const sizes = new Map<string, number[]>();
  go({ type: 'runner.remove', marketId: MARKET, runnerId: 2, factor: 3000 });
  pump.goOn();
  for (let item = waiting.shift(); item; item = waiting.shift()) {
    const { phase } = pendingWork(state)[0]!;
    const command = item.commands[0]!.command as Extract<Command, { type: 'work' }>;
    sizes.set(phase, [...(sizes.get(phase) ?? []), command.units]);
    go(command);
    // Whatever it does takes no time: the next may be twice as large.
    pump.onCommitted({ outcomes: [{ item, applyMs: 0, events: [] }], flightMs: 0 } as unknown as Batch);
  }
  expect(Math.max(...sizes.get('reckon')!)).toBe(500);
  expect(sizes.get('change')).toEqual([100]);
  expect(sizes.get('turns')![0]).toBe(100);
  expect(Math.max(...sizes.get('turns')!)).toBe(500);
});

it('a runner that was to come back and does not is told in the log', () => {
  const warn = vi.fn();
  const writer = { committed: { real: createState() }, first: () => {} } as unknown as Writer;
  const pump = createWorkPump({ db: { query: async () => [] }, writer, log: { ...silent, warn } });
  const item = ownItem({ type: 'work', units: 1, marketId: MARKET }, ['real']);
  const events = [[{ type: 'notReinstated', marketId: MARKET, runnerId: 2 }]];
  pump.onCommitted({ outcomes: [{ item, applyMs: 0, events }], flightMs: 0 } as unknown as Batch);
  expect(warn.mock.calls.map(([what]) => what)).toEqual([{ world: 'real', marketId: MARKET, runnerId: 2 }]);
});

it('who waits is taken with the next slice, however long that is and however quickly the database answers', async () => {
  const time = { ms: 0 };
  vi.spyOn(performance, 'now').mockImplementation(() => time.ms);
  const worlds = { real: createState(), demo: createState() } as Worlds;
  const batches: string[][] = [];
  const slice = () => {
    const command = { type: 'work', marketId: MARKET } as Command;
    // All of a batch's time is gone when it has been applied.
    const get = () => {
      time.ms += LIMITS.applyMs + 1;
      return 100;
    };
    return ownItem(Object.defineProperty(command, 'units', { enumerable: true, get }), ['real']);
  };
  const writer: Writer = makeWriter({
    state: { worlds, seq: 0, at: 0, lastBetId: 0 },
    onCommitted: ({ outcomes }) => {
      batches.push(outcomes.map(({ logged }) => logged.applied[0]!.command.type));
      if (batches.length < 100) writer.first([slice()]);
    },
  });
  writer.first([slice()]);
  await Promise.all(Array.from({ length: 30 }, (_, i) => open(writer, 100 + i)));
  expect(batches.slice(0, 2).flat()).toEqual(['work', ...Array.from({ length: 30 }, () => 'account.open')]);
  await writer.stop();
});

it.each([
  ['much changed that no slices look at', false],
  ['slices of a large act look at what it changed', true],
] as const)('a hash that is due where %s waits for them: %s', async (_, isLargeAct) => {
  const { state, go } = field();
  hashState(state);
  for (let i = 0; i < PLAYERS; i++) {
    const bet = { betId: PLAYERS + i + 1, accountId: 100 + i, marketId: MARKET, runnerId: 1, sizeMinor: 100 } as const;
    go({ type: 'order.place', ...bet, side: 'BACK', price: 400, persistence: 'LAPSE' });
  }
  if (isLargeAct) go({ type: 'runner.remove', marketId: MARKET, runnerId: 2, factor: 3000 });
  expect(isHashNear(state)).toBe(false);
  const ahead = { real: state, demo: createState() } as Worlds;
  const hashes: Array<string | null> = [];
  const writer = makeWriter({
    state: { worlds: copyWorlds(ahead), seq: 999, at: 0, lastBetId: 2 * PLAYERS },
    ahead,
    onCommitted: ({ logged }) => hashes.push(logged.hash),
  });
  await open(writer, 99_999);
  expect(hashes).toEqual([isLargeAct ? null : expect.any(String)]);
  await writer.stop();
});
