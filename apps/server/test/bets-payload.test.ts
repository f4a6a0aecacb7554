/** A key stands for one payload: the same whoever wrote it down, and whatever version of the server it was. */
import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { signed } from '../src/bets/placing.ts';

const session = { accountId: 7, world: 'real' } as const;
const command = { type: 'order.cancelAll', accountId: 7 } as const;
const hashOf = (body: object) =>
  signed({ session, body: { key: 'a-key-0000001', ...body }, requestId: 'r', expiresAt: undefined }, 'act', command)
    .payloadHash;

it('the hash of a payload is of its fields by name, without the key, whatever their order', () => {
  const value = fc.oneof(fc.string(), fc.integer(), fc.constant(undefined), fc.array(fc.record({ odd: fc.nat() })));
  const name = fc.stringMatching(/^[a-z][A-Za-z]{0,8}$/).filter((one) => one !== 'key');
  fc.assert(
    fc.property(fc.dictionary(name, value), (fields) => {
      const entries = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
      // As keys that are in the tables were taken.
      const kept = hash('sha256', JSON.stringify(['act', entries]), 'base64url');
      expect(hashOf(fields)).toBe(kept);
      expect(hashOf(Object.fromEntries(entries.reverse()))).toBe(kept);
      expect(hashOf({ ...fields, other: 1 })).not.toBe(hashOf({ ...fields, other: 2 }));
    }),
  );
});
