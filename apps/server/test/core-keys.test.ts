/** What is known in memory of the newest keys. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Bet } from '@fairgame/exchange';
import { expect, it } from 'vitest';
import { type Fate, packFate } from '../src/core/answers.ts';
import { createKeys } from '../src/core/keys.ts';
import { silent } from '../src/db/db.ts';

const NEWEST = 10_000;
const fate: Fate = { is: 'refused', refusal: { code: 'MARKET_CLOSED', field: 'betId' } };

it('[INV-08] the newest ten thousand keys are known without the table, an older one is left to it', async () => {
  const keys = createKeys({ query: async () => [] }, silent);
  await keys.load();
  for (let n = 0; n < 2 * NEWEST + 1; n++) keys.add(`player:7\nkey-${n}`, `hash-${n}`, packFate(fate));
  const known = (n: number) => keys.look(`player:7\nkey-${n}`);
  for (const n of [NEWEST + 1, 2 * NEWEST]) expect(known(n)).toEqual({ payloadHash: `hash-${n}`, fate });
  for (const n of [0, NEWEST]) expect(known(n)).toBeNull();
  expect(known(2 * NEWEST + 1)).toBeUndefined();
});

it('an answer is kept in one piece: as it was put together it would be seven times as large', async () => {
  const keys = createKeys({ query: async () => [] }, silent);
  const bet = (n: number): Bet => ({
    betId: n,
    accountId: 1007,
    marketId: 77,
    runnerId: 78,
    kind: 'order',
    side: 'BACK',
    price: 300,
    matchedSum: 0,
    sizeMinor: 100 + (n % 50),
    matchedMinor: 0,
    remainingMinor: 100 + (n % 50),
    cancelledMinor: 0,
    lapsedMinor: 0,
    voidedMinor: 0,
    persistence: 'PERSIST',
    status: 'EXECUTABLE',
    dueAt: 0,
    placedAt: 1_800_000_000_000 + n,
    result: 'PENDING',
    profitMinor: 0,
    version: 1,
  });
  const taken = (n: number): Fate => ({
    is: 'taken',
    answer: { seq: n, at: 1_800_000_000_000 + n, replayed: false, events: [{ type: 'bet', bet: bet(n) }] },
  });
  const before = heapUsed();
  for (let n = 0; n < NEWEST; n++) keys.add(`player:7\nkey-${n}`, 'hash', packFate(taken(n)));
  expect((heapUsed() - before) / NEWEST).toBeLessThan(800);
  expect(keys.look(`player:7\nkey-5`)).toEqual({ payloadHash: 'hash', fate: taken(5) });
});

/** Bytes, of what is still held. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}
