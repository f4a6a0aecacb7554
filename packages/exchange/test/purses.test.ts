/** Money between pools (purses.ts): each command by itself, and many of them while everything goes wrong. */
import { describe, expect, it } from 'vitest';
import { type Command, hashState, purseOf, restore, snapshot, stepsOf, transfersOf, wallet } from '../src/exchange.ts';
import { runPools } from './sim/pools.ts';
import { ANN, Site } from './site.ts';

const reserve = (transfer: number, amountMinor: number): Command => ({
  type: 'purse.reserve',
  accountId: ANN,
  pool: 'racing',
  transfer,
  amountMinor,
});

describe('a transfer to another pool', () => {
  const home = new Site(1, 10_000);
  const there = new Site(0);

  it('leaves only of free money, under the next number, and once however often it is asked for', () => {
    home.market();
    home.back(ANN, 1, 200, 4000);
    home.refused(reserve(1, 6001), 'INSUFFICIENT_FUNDS');
    home.refused(reserve(2, 1000), 'AMOUNT_INVALID', 'transfer');
    expect(home.go(reserve(1, 6000))).toMatchObject([
      {
        type: 'ledger',
        entries: [
          { account: `a${ANN}`, amountMinor: -6000 },
          { account: 'pool:racing', amountMinor: 6000 },
        ],
      },
      { type: 'purse', purse: { sent: 1, waitingMinor: 6000 } },
      { type: 'wallet', balanceMinor: 4000 },
    ]);
    expect(home.go(reserve(1, 6000))).toEqual([]);
    home.refused(reserve(1, 5000), 'AMOUNT_INVALID', 'transfer');
    expect(wallet(home.state, ANN)).toMatchObject({ balanceMinor: 4000, availableMinor: 0 });
  });

  it('waits, alone, until it is known to have come; what stands by itself tells a driver all', () => {
    home.fund(ANN, 500);
    home.refused(reserve(2, 500), 'AMOUNT_INVALID', 'transfer');
    const [waiting, ...more] = transfersOf(restore(snapshot(home.state)));
    expect(more).toEqual([]);
    const { there: comes, here: ends } = stepsOf('home', waiting!, 'EUR');
    expect(there.go(comes)).toMatchObject([
      { type: 'account', accountId: ANN },
      { type: 'ledger', kind: 'purse' },
      { type: 'purse', purse: { received: 1, netMinor: 6000 } },
      { type: 'wallet', balanceMinor: 6000 },
    ]);
    expect(home.go(ends)).toMatchObject([{ type: 'purse', purse: { sent: 1, waitingMinor: 0 } }]);
    expect(transfersOf(home.state)).toEqual([]);
    // Another driver, which is late with all of it.
    for (const [site, command] of [
      [there, comes],
      [home, ends],
    ] as const) {
      const before = hashState(site.state);
      expect(site.go(command)).toEqual([]);
      expect(hashState(site.state)).toBe(before);
    }
    home.go(reserve(2, 500));
    expect(wallet(there.state, ANN)!.balanceMinor).toBe(6000);
  });

  it('goes back as it came, and the account that had money elsewhere is not closed', () => {
    const back: Command = { type: 'purse.reserve', accountId: ANN, pool: 'home', transfer: 1, amountMinor: 6000 };
    there.go(back);
    home.go(stepsOf('racing', transfersOf(there.state)[0]!, 'EUR').there);
    expect(wallet(home.state, ANN)!.balanceMinor).toBe(10_000);
    expect(purseOf(there.state, ANN, 'home')).toMatchObject({ netMinor: 0 });
    there.refused({ type: 'account.close', accountId: ANN }, 'ACCOUNT_IN_USE');
  });

  it('is refused where it is malformed, names nobody, or is of another currency', () => {
    home.refused({ ...reserve(3, 100), pool: 'No pool' } as Command, 'BAD_INPUT', 'pool');
    home.refused({ ...reserve(3, 100), accountId: 999 } as Command, 'ACCOUNT_UNKNOWN');
    home.refused(reserve(3, 0), 'AMOUNT_INVALID', 'amountMinor');
    const comes = { accountId: ANN, pool: 'racing', transfer: 2, amountMinor: 1, currency: 'GBP' } as const;
    home.refused({ type: 'purse.open', ...comes }, 'WRONG_CURRENCY', 'currency');
    home.refused({ type: 'purse.open', ...comes, transfer: 9, currency: 'EUR' }, 'AMOUNT_INVALID', 'transfer');
    home.refused({ type: 'purse.done', accountId: ANN, pool: 'racing', transfer: 9 }, 'AMOUNT_INVALID', 'transfer');
  });
});

it('INV-01, INV-06, INV-10: four pools, crashes and repeats between any two steps: no money made or lost, every transfer ends', () => {
  for (let seed = 1; seed <= 12; seed++) {
    const { failure, transfers, repeats, crashes, bets, results } = runPools(seed, 4, 600);
    expect(failure, `seed ${seed}`).toBeNull();
    // A run in which nothing happens proves nothing.
    expect(Math.min(transfers, repeats, crashes, results), `seed ${seed}`).toBeGreaterThan(3);
    expect(bets, `seed ${seed}`).toBeGreaterThan(10);
  }
});
