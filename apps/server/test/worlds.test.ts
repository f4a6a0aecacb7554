/** A world a currency: its own accounts, books, house and ledger under one writer. */
import { CALLS, OPERATOR_CALLS } from '@fairgame/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { boundHouse, openCore } from '../src/core/core.ts';
import { silent } from '../src/db/db.ts';
import { verify } from '../src/ledger/ledger.ts';
import { betOf, type Fixture, type FixtureOptions, makeCore, refusedWith } from './fixture.ts';
import { makeServer, PASSWORD, type TestServer } from './server.ts';

describe('worlds of two currencies', () => {
  let f: Fixture;
  afterEach(() => f.close());
  const make = (options: FixtureOptions = {}) => makeCore({ currencies: ['EUR', 'BRL'], ...options });

  async function braz(amountMinor = 100_000): Promise<number> {
    const accountId = f.core.nextId();
    const world = f.core.worldFor('BRL', false);
    await f.send({ type: 'account.open', accountId, currency: 'BRL', kind: 'player' }, { world });
    await f.send({ type: 'account.transfer', accountId, amountMinor, reason: 'deposit', text: 'Deposit' }, { world });
    return accountId;
  }

  it('[INV-01] [INV-23] keep their bets, house and ledger apart, each with books that balance', async () => {
    f = await make();
    const rio = await braz();
    expect(f.core.read.worlds()).toEqual(['real', 'BRL', 'demo']);
    expect([f.anna, rio, f.dora].map((id) => f.core.read.worldOf(id))).toEqual(['real', 'BRL', 'demo']);
    const back = await f.bet(f.anna, 'BACK', 305, 1000);
    const lay = await f.bet(rio, 'LAY', 305, 1000, { world: 'BRL' });
    expect(betOf(back).matchedMinor).toBe(0);
    // The house of the other world stands at 310, so the lay is met there, by its own house alone.
    expect(lay.events.some((event) => event.type === 'fill' && event.backBetId !== 0)).toBe(false);
    await f.bet(f.ben, 'LAY', 305, 1000);
    const result = { kind: 'winners' as const, runnerIds: [f.book.runnerIds[0]] };
    await f.send({ type: 'market.declare', marketId: f.book.marketId, result }, { world: 'all' });
    expect(f.core.read.wallet('real', f.anna).balanceMinor).toBe(100_000 + 2050 - 41);
    const sums = await f.db.query<{ world: string; total: number }>(
      'SELECT world, sum(amount)::bigint AS total FROM ledger_entries GROUP BY world ORDER BY world',
    );
    expect(sums).toEqual(['BRL', 'demo', 'real'].map((world) => ({ world, total: 0 })));
    expect((await verify(f.db)).checks.filter((check) => check.breaks > 0)).toEqual([]);
    await f.restart();
    expect(f.core.read.worldOf(rio)).toBe('BRL');
  });

  it('have limits of their own, by currency and kind of market', async () => {
    f = await make({
      terms: { BRL: { factor: 5, limits: { session: { minStakeMinor: 700, maxStakeMinor: 90_000 } } } },
    });
    const rio = await braz(10_000_000);
    expect(f.core.read.market(f.book.marketId)).toMatchObject({ minStakeMinor: 100, maxStakeMinor: 500_000 });
    expect(f.core.read.market(f.book.marketId, 'BRL')).toMatchObject({ minStakeMinor: 500, maxStakeMinor: 2_500_000 });
    expect(f.core.read.market(f.session.marketId, 'BRL')).toMatchObject({ minStakeMinor: 700, maxStakeMinor: 90_000 });
    expect(await refusedWith(f.bet(rio, 'BACK', 300, 400, { world: 'BRL' }))).toBe('STAKE_TOO_SMALL');
    expect(f.core.read.depth('BRL', f.book.marketId, f.book.runnerIds[0], 1).lay).toEqual([[310, 250_000]]);
    expect(f.core.read.depth('real', f.book.marketId, f.book.runnerIds[0], 1).lay).toEqual([[310, 50_000]]);
    const limits = { minStakeMinor: 200, maxStakeMinor: 1000 };
    await f.send({ type: 'market.state', marketId: f.book.marketId, limits }, { world: 'all' });
    expect(f.core.read.market(f.book.marketId, 'BRL')).toMatchObject({ minStakeMinor: 1000, maxStakeMinor: 5000 });
    await f.restart();
    expect(f.core.read.market(f.book.marketId, 'BRL')).toMatchObject({ minStakeMinor: 1000, maxStakeMinor: 5000 });
  });

  it('refuse an account of another currency, and commands that are not shaped like one', async () => {
    f = await make();
    const open = { type: 'account.open', accountId: f.core.nextId(), currency: 'EUR', kind: 'player' } as const;
    expect(await refusedWith(f.send(open, { world: 'BRL' }))).toBe('WRONG_CURRENCY');
    expect(() => f.core.worldFor('USD', false)).toThrow(expect.objectContaining({ code: 'WRONG_CURRENCY' }));
    expect(f.core.worldFor('USD', true)).toBe('demo');
    const terms = { BRL: { factor: 5, limits: {} } };
    await f.restart({ terms });
    for (const command of [
      { type: 'market.create', market: null },
      { type: 'house.book', runners: [null] },
    ])
      expect(await refusedWith(f.send(command as never, { world: 'all' }))).toMatch(/^[A-Z_]+$/);
  });
});

describe('another currency', () => {
  let f: Fixture;
  afterEach(() => f.close());

  it('is opened beside those that run, with the markets that are open', async () => {
    f = await makeCore();
    await f.bet(f.anna, 'BACK', 300, 1000);
    await f.restart({ currencies: ['EUR', 'USD'] });
    expect(f.core.read.market(f.book.marketId, 'USD')).toMatchObject({ status: 'OPEN', name: 'Match Odds' });
    expect(f.core.read.depth('USD', f.book.marketId, f.book.runnerIds[0], 1).lay).toEqual([]);
    // A start that was killed before it was done is made up for.
    await f.restart({ currencies: ['EUR', 'USD'] });
    expect(f.core.read.markets().length).toBe(3);
    expect((await verify(f.db)).checks.filter((check) => check.breaks > 0)).toEqual([]);
  });

  it('has the bounds on what the house may lose from its first start on', async () => {
    const bounds = { marketMinor: 5_000_000, eventMinor: 9_000_000 };
    f = await makeCore();
    await boundHouse(f.core, bounds);
    await f.restart({ currencies: ['EUR', 'USD'] });
    expect(f.core.read.houseLimits('USD')).toEqual({ marketMinor: 0, eventMinor: 0 });
    await boundHouse(f.core, bounds);
    for (const world of f.core.read.worlds()) expect([world, f.core.read.houseLimits(world)]).toEqual([world, bounds]);
    const { seq } = f.core.health();
    await boundHouse(f.core, bounds);
    expect(f.core.health().seq).toBe(seq);
  });

  it('cannot be taken away from its accounts, nor the home currency changed', async () => {
    f = await makeCore({ currencies: ['EUR', 'BRL'] });
    const accountId = f.core.nextId();
    await f.send({ type: 'account.open', accountId, currency: 'BRL', kind: 'player' }, { world: 'BRL' });
    await f.core.stop();
    const open = (currencies: Array<'EUR' | 'BRL'>) =>
      openCore({ db: f.db, log: silent, clock: () => f.time.now, onFenced: () => {}, currencies });
    await expect(open(['EUR'])).rejects.toThrow('keeps 1 accounts in BRL: FAIRGAME_CURRENCIES must name it');
    await expect(open(['BRL', 'EUR'])).rejects.toThrow('home currency of this database is EUR');
    await (await open(['EUR', 'BRL'])).stop();
  });
});

describe('over HTTP', () => {
  let server: TestServer;
  afterEach(() => server.close());

  it('[INV-01] an EUR back and a BRL lay never meet, and each is settled in its own currency', async () => {
    server = await makeServer({ FAIRGAME_CURRENCIES: 'EUR,BRL', FAIRGAME_LIMITS: '{"BRL":{"factor":1}}' });
    const player = async (userName: string, currency: 'EUR' | 'BRL') => {
      const { auth } = server.app;
      const creditMinor = 1_000_000;
      const made = await auth.createPlayer({
        userName,
        password: PASSWORD,
        currency,
        creditMinor,
        forceChangePassword: false,
        actor: 'test',
      });
      const { data } = await server.call(CALLS.auth.login, { body: { userName, password: PASSWORD } });
      return { ...made, token: data.token };
    };
    const euro = await player('euro', 'EUR');
    const rio = await player('rio', 'BRL');
    const operator = await server.operator();
    const added = {
      matchType: 'tennis' as const,
      title: 'Reds v Blues',
      competitionName: 'Cup',
      startAt: new Date(server.clock() + 3_600_000).toISOString(),
      teams: ['Reds', 'Blues'],
    };
    const { data: match } = await server.call(OPERATOR_CALLS.addMatch, { body: added }, { token: operator });
    const bet = async (token: string, bettingType: 'BACK' | 'LAY') => {
      const key = `key-of-${bettingType}-0000000001`;
      const body = {
        matchId: match.matchId,
        betId: match.betId,
        runnerId: match.runnerIds[0]!,
        bettingType,
        odd: 100_000,
        stake: 1000,
        key,
      };
      return (await server.call(CALLS.bets.place, { body }, { token })).data;
    };
    const rich = { userName: 'rio', amountMinor: 2_000_000_000, reason: 'Test', key: 'credit-key-00000001' };
    await server.call(OPERATOR_CALLS.credit, { body: rich }, { token: operator });
    const back = await bet(euro.token, 'BACK');
    const lay = await bet(rio.token, 'LAY');
    expect([back.bet.matched, lay.bet.matched]).toEqual([0, 0]);
    expect(server.app.core.read.bet('real', back.bet.id)?.matchedMinor).toBe(0);
    expect(server.app.core.read.bet('BRL', lay.bet.id)?.matchedMinor).toBe(0);
    expect((await verify(server.app.db)).checks.filter((check) => check.breaks > 0)).toEqual([]);
  });

  it('an account of a currency that the site does not keep is refused with the field', async () => {
    server = await makeServer();
    const operator = await server.operator();
    const body = { userName: 'rio', currency: 'BRL' as const };
    const refused = await server.call(OPERATOR_CALLS.createPlayer, { body }, { token: operator });
    expect(refused.error).toMatchObject({ code: 'WRONG_CURRENCY', field: 'currency' });
  });
});
