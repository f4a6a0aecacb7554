import * as contract from '@fairgame/contract';
import { describe, expect, it } from 'vitest';

/** The contract as it is written: these are not what the client is built with. */
const { auth, account, catalog, racing, bets, trader, casino, programs, provider, protection, alerts } = contract;
const written: Record<string, Record<string, contract.AnyCall>> = {
  auth,
  account,
  catalog,
  racing,
  bets,
  trader,
  casino,
  programs,
  provider,
  protection,
  alerts,
};

describe('the calls the client is built with', () => {
  it('are those of the contract but for the operators’: name, method, path, who may, reads and line, and nothing more', () => {
    const expected = Object.fromEntries(
      Object.entries(written).map(([area, calls]) => [
        area,
        Object.fromEntries(
          Object.entries(calls)
            .filter(([, call]) => !contract.isOperators(call))
            .map(([key, { name, method, path, who, reads, line }]) => [
              key,
              { name, method, path, who, ...(reads && { reads }), ...(line && { line }) },
            ]),
        ),
      ]),
    );
    expect(contract.CALLS).toEqual(expected);
    expect(written.auth!.login!.body).toBeDefined();
    expect(contract.CALLS.auth.login).not.toHaveProperty('body');
  });
});
