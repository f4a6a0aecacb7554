import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { betOf, type Fixture, makeCore, refusedWith } from './fixture.ts';

describe('the core', () => {
  let f: Fixture;
  beforeAll(async () => {
    f = await makeCore();
  });
  afterAll(() => f.close());

  it('answers a bet after the commit, with bet and wallet of the moment', async () => {
    const answer = await f.bet(f.anna, 'BACK', 300, 1000);
    const bet = betOf(answer);
    expect(bet).toMatchObject({ status: 'COMPLETE', matchedMinor: 1000, price: 300 });
    expect(f.core.read.wallet('real', f.anna)).toMatchObject({ balanceMinor: 100_000, exposureMinor: 1000 });
    const [row] = await f.db.query('SELECT matched, seq, world FROM bets WHERE id = $1', [bet.betId]);
    expect(row).toEqual({ matched: 1000, seq: answer.seq, world: 'real' });
  });

  it('refuses with the code of the rule and leaves nothing behind', async () => {
    const before = f.core.read.wallet('real', f.ben);
    expect(await refusedWith(f.bet(f.ben, 'BACK', 300, 200_000))).toBe('INSUFFICIENT_FUNDS');
    expect(f.core.read.wallet('real', f.ben)).toEqual(before);
  });
});
