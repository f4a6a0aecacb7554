/** Play-money accounts whose visit is over: out of states, books and starts, their history whole. */
import { CALLS, OPERATOR_CALLS } from '@fairgame/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { loadBooks, loadState } from '../src/core/recovery.ts';
import { silent } from '../src/db/db.ts';
import { verify } from '../src/ledger/ledger.ts';
import { makeServer, type TestServer } from './server.ts';

const DAY_MS = 86_400_000;

describe('a demo account', () => {
  let server: TestServer;
  afterEach(() => server.close());

  const demos = () =>
    server.app.db.query<{ id: number; closed: boolean }>(
      "SELECT id, closed FROM accounts WHERE world = 'demo' AND kind = 'player' AND id >= 100 ORDER BY id",
    );
  /** What a start finds. */
  const inMemory = async () => {
    const loaded = await loadState(server.app.db, silent);
    const { accounts } = await loadBooks(server.app.db, loaded);
    return [...accounts.values()].filter(({ kind }) => kind === 'player').length;
  };
  /** A new account is left alone until the tick after. */
  const ticks = async (count: number) => {
    for (let i = 0; i < count; i++) await server.app.auth.tick();
  };

  it('leaves memory, books and starts a day after the visit began; its ledger stays whole', async () => {
    server = await makeServer();
    const before = await inMemory();
    for (let i = 0; i < 3; i++) await server.call(CALLS.auth.demo);
    await ticks(2);
    expect((await demos()).map((row) => row.closed)).toEqual([false, false, false]);
    server.clock.advance(DAY_MS + 1);
    await server.call(CALLS.auth.demo);
    await ticks(2);
    const rows = await demos();
    expect(rows.map((row) => row.closed)).toEqual([true, true, true, false]);
    expect(rows.map(({ id }) => server.app.core.read.worldOf(id))).toEqual([undefined, undefined, undefined, 'demo']);
    expect(await inMemory()).toBe(before + 1);
    expect((await verify(server.app.db)).checks.filter((check) => check.breaks > 0)).toEqual([]);
  });

  it('that bet stays until its results are a week old', async () => {
    server = await makeServer();
    const { data: demo } = await server.call(CALLS.auth.demo);
    const operator = await server.operator();
    const { data: match } = await server.call(
      OPERATOR_CALLS.addMatch,
      {
        body: {
          matchType: 'tennis',
          title: 'Reds v Blues',
          competitionName: 'Cup',
          startAt: new Date(server.clock() + 3_600_000).toISOString(),
          teams: ['Reds', 'Blues'],
        },
      },
      { token: operator },
    );
    const { betId, matchId, runnerIds } = match;
    const body = {
      matchId,
      betId,
      runnerId: runnerIds[0]!,
      bettingType: 'BACK' as const,
      odd: 100_000,
      stake: 1000,
      key: 'demo-key-0000000000001',
    };
    await server.call(CALLS.bets.place, { body }, { token: demo.token });
    const [account] = await demos();
    server.clock.advance(DAY_MS + 1);
    await ticks(3);
    expect(server.app.core.read.worldOf(account!.id)).toBe('demo');
    await server.app.core.submit({
      world: 'all',
      actor: 'test',
      command: { type: 'market.declare', marketId: betId, result: { kind: 'void', reason: 'Abandoned' } },
    });
    await ticks(2);
    expect(server.app.core.read.worldOf(account!.id)).toBe('demo');
    await server.app.core.submit({ world: 'all', actor: 'test', command: { type: 'market.archive', marketId: betId } });
    server.clock.advance(7 * DAY_MS);
    await ticks(2);
    expect(server.app.core.read.worldOf(account!.id)).toBeUndefined();
    expect((await verify(server.app.db)).checks.filter((check) => check.breaks > 0)).toEqual([]);
  });
});
