/** Play-money accounts whose visit is over: out of states, books and starts, their history whole. */
import { CALLS, OPERATOR_CALLS } from '@fairgame/contract';
import type { Command } from '@fairgame/exchange';
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

  /** A visit with so many bets on a match that nobody takes. */
  async function visit(count: number) {
    server = await makeServer();
    const { data: demo } = await server.call(CALLS.auth.demo);
    const token = await server.operator();
    const body = {
      matchType: 'tennis' as const,
      title: 'Reds v Blues',
      competitionName: 'Cup',
      startAt: new Date(server.clock() + 3_600_000).toISOString(),
      teams: ['Reds', 'Blues'],
    };
    const { betId, matchId, runnerIds } = (await server.call(OPERATOR_CALLS.addMatch, { body }, { token })).data;
    const asked = { matchId, betId, runnerId: runnerIds[0]!, bettingType: 'BACK' as const, odd: 100_000, stake: 1000 };
    for (let n = 0; n < count; n++) {
      const one = { ...asked, key: `demo-key-${String(n).padStart(13, '0')}` };
      expect((await server.call(CALLS.bets.place, { body: one }, { token: demo.token })).status).toBe(200);
    }
    const [account] = await demos();
    const all = (command: Command) => server.app.core.submit({ world: 'all', actor: 'test', command });
    return { accountId: account!.id, marketId: betId, all };
  }
  const abandoned = (marketId: number): Command => ({
    type: 'market.declare',
    marketId,
    result: { kind: 'void', reason: 'Abandoned' },
  });

  it('that bet stays until its results are a week old', async () => {
    const { accountId, marketId, all } = await visit(1);
    server.clock.advance(DAY_MS + 1);
    await ticks(3);
    expect(server.app.core.read.worldOf(accountId)).toBe('demo');
    await all(abandoned(marketId));
    await ticks(2);
    expect(server.app.core.read.worldOf(accountId)).toBe('demo');
    await all({ type: 'market.archive', marketId });
    server.clock.advance(7 * DAY_MS);
    await ticks(2);
    expect(server.app.core.read.worldOf(accountId)).toBeUndefined();
    expect((await verify(server.app.db)).checks.filter((check) => check.breaks > 0)).toEqual([]);
  });

  it('stays as long where a bet was over before its market was', async () => {
    const { accountId, marketId, all } = await visit(1);
    await server.app.core.submit({ world: 'demo', actor: 'test', command: { type: 'order.cancelAll', accountId } });
    server.clock.advance(8 * DAY_MS);
    await all(abandoned(marketId));
    await all({ type: 'market.archive', marketId });
    await ticks(3);
    expect(server.app.core.read.worldOf(accountId)).toBe('demo');
    server.clock.advance(7 * DAY_MS);
    await ticks(2);
    expect(server.app.core.read.worldOf(accountId)).toBeUndefined();
  });

  it.each([
    ['at once', 100],
    ['in parts', 1],
  ])(
    'that is gone keeps no result of real money from being taken back: its market left %s, and stays as it was paid',
    async (_, units) => {
      const { accountId, marketId, all } = await visit(9);
      const { core, db } = server.app;
      await all(abandoned(marketId));
      await all({ type: 'market.archive', marketId, units });
      const left = () => (['real', 'demo'] as const).every((world) => core.read.market(marketId, world) === undefined);
      await expect.poll(left, { timeout: 5000 }).toBe(true);
      server.clock.advance(8 * DAY_MS);
      await ticks(3);
      expect(core.read.worldOf(accountId)).toBeUndefined();
      const taken = async () =>
        all({ type: 'market.undeclare', marketId }).then(
          () => 'taken back',
          ({ code }: { code: string }) => code,
        );
      await expect.poll(taken, { timeout: 3000 }).toBe('taken back');
      expect(core.read.market(marketId)).toMatchObject({ status: 'SUSPENDED' });
      expect(core.read.market(marketId, 'demo')).toBeUndefined();
      await all(abandoned(marketId));
      await all({ type: 'market.archive', marketId, units });
      await expect.poll(left, { timeout: 5000 }).toBe(true);
      const none = { type: 'bets.void' as const, marketId, betIds: [1], reason: 'Wrong market' };
      expect(await all(none).catch(({ code }: { code: string }) => code)).toBe('BET_UNKNOWN');
      expect(core.health().stuck).toEqual([]);
      expect((await verify(db)).checks.filter((check) => check.breaks > 0)).toEqual([]);
    },
  );
});
