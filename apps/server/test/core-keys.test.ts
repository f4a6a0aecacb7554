/** What is known in memory of the newest keys. */
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
