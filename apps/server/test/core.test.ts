import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Committed, type CoreOptions, hashWorlds, loadState, openCore, ownBets } from '../src/core/core.ts';
import { copyWorlds } from '../src/core/recovery.ts';
import { type Db, DbLost, silent } from '../src/db/db.ts';
import { verify } from '../src/ledger/ledger.ts';
import { playDay } from './day.ts';
import { betOf, type Fixture, type FixtureOptions, makeCore, makeDb, refusedWith, type TestDb } from './fixture.ts';

let f: Fixture;
let database: TestDb;
beforeAll(async () => {
  database = await makeDb();
});
afterEach(() => f.close());
afterAll(() => database.drop());
const make = (options: FixtureOptions = {}) => makeCore(options, database);

describe('a command', () => {
  it('[INV-11] is answered after the commit, and not seen by anybody before', async () => {
    const line = brokenLine();
    f = await make({ wrap: line.wrap });
    const told: Committed[] = [];
    f.core.onCommitted((batch) => told.push(batch));
    line.hold();
    let answered = false;
    const bet = f.bet(f.anna, 'BACK', 300, 1000).then((answer) => {
      answered = true;
      return answer;
    });
    await soon();
    expect(answered).toBe(false);
    expect(told).toEqual([]);
    expect(f.core.read.wallet('real', f.anna).exposureMinor).toBe(0);
    expect(f.core.read.openBets('real', f.anna)).toEqual([]);
    expect(f.core.read.depth('real', f.book.marketId, f.book.runnerIds[0], 1).back).toEqual([[300, 50_000]]);
    line.release();
    const answer = await bet;
    expect(told.map((batch) => batch.items.map((item) => item.seq))).toEqual([[answer.seq]]);
    expect(f.core.read.wallet('real', f.anna)).toMatchObject({ balanceMinor: 100_000, exposureMinor: 1000 });
    const [row] = await f.db.query('SELECT matched, seq, world FROM bets WHERE id = $1', [betOf(answer).betId]);
    expect(row).toEqual({ matched: 1000, seq: answer.seq, world: 'real' });
  });

  it('is refused with the code of the rule and leaves nothing behind', async () => {
    f = await make();
    const before = f.core.read.wallet('real', f.ben);
    expect(await refusedWith(f.bet(f.ben, 'BACK', 300, 200_000))).toBe('INSUFFICIENT_FUNDS');
    expect(f.core.read.wallet('real', f.ben)).toEqual(before);
    expect(await f.db.query('SELECT 1 FROM bets')).toEqual([]);
  });

  it('of many keeps its place, and refusals are reported where they stand', async () => {
    f = await make();
    const place = (sizeMinor: number) => ({
      world: 'real' as const,
      actor: 'feed',
      command: {
        type: 'order.place' as const,
        betId: 0,
        accountId: f.anna,
        marketId: f.book.marketId,
        runnerId: f.book.runnerIds[0],
        side: 'BACK' as const,
        price: 300,
        sizeMinor,
        persistence: 'LAPSE' as const,
      },
    });
    const answers = await f.core.submitAll([place(100), place(1), place(200), place(300)]);
    expect(
      answers.map((answer) => (answer instanceof Error ? (answer as { code?: string }).code : betOf(answer).sizeMinor)),
    ).toEqual([100, 'STAKE_TOO_SMALL', 200, 300]);
  });

  it('[INV-23] in the demo world touches nothing of the real one', async () => {
    f = await make();
    const before = f.core.read.depth('real', f.book.marketId, f.book.runnerIds[0], 3);
    await f.bet(f.dora, 'BACK', 300, 40_000, { world: 'demo' });
    expect(f.core.read.depth('demo', f.book.marketId, f.book.runnerIds[0], 1).back).toEqual([[300, 10_000]]);
    expect(f.core.read.depth('real', f.book.marketId, f.book.runnerIds[0], 3)).toEqual(before);
    expect(await refusedWith(f.bet(f.dora, 'BACK', 300, 1000))).toBe('ACCOUNT_UNKNOWN');
  });

  it('[INV-14] that waits for its delay goes on by itself', async () => {
    f = await make({ clock: Date.now });
    await f.send({ type: 'market.state', marketId: f.book.marketId, inPlay: true, betDelayMs: 80 }, { world: 'all' });
    await quoteAgain();
    const bet = betOf(await f.bet(f.anna, 'BACK', 300, 1000));
    expect(bet.status).toBe('PENDING');
    await until(() => f.core.read.bet('real', bet.betId)?.status === 'COMPLETE');
    expect(f.core.read.bet('real', bet.betId)).toMatchObject({ matchedMinor: 1000 });
  });

  it('that fails an assertion has no effect, is put aside, and stops betting in its market only', async () => {
    f = await make();
    const bad = {
      type: 'house.book' as const,
      marketId: f.book.marketId,
      get runners(): [] {
        throw new Error('INV-99 planted');
      },
    };
    const outcomes = [f.bet(f.anna, 'BACK', 300, 100), f.send(bad), f.bet(f.ben, 'LAY', 310, 100)].map(refusedWith);
    expect(await Promise.all(outcomes)).toEqual(['taken', 'INTERNAL', 'MARKET_SUSPENDED']);
    expect(f.core.read.market(f.book.marketId)).toMatchObject({ status: 'SUSPENDED', reason: 'Under review' });
    expect(f.core.read.market(f.bookmaker.marketId)?.status).toBe('OPEN');
    expect(f.core.health().breaks).toBe(1);
    await until(async () => (await f.db.query('SELECT 1 FROM core_quarantine')).length === 1);
    expect((await verify(f.db)).ok).toBe(true);
  });
});

describe('a key', () => {
  const key = 'client-made-key-0001';

  it('[INV-08] acts once: the second time it gets the first answer', async () => {
    f = await make();
    const first = await f.bet(f.anna, 'BACK', 300, 1000, { key });
    const again = await f.bet(f.anna, 'BACK', 300, 1000, { key });
    expect(again).toMatchObject({ seq: first.seq, at: first.at, replayed: true });
    expect(betOf(again)).toEqual(JSON.parse(JSON.stringify(betOf(first))));
    expect(f.core.read.wallet('real', f.anna).exposureMinor).toBe(1000);
    expect(await refusedWith(f.bet(f.anna, 'BACK', 300, 1200, { key, hash: 'other' }))).toBe('KEY_REUSED');
    expect(await refusedWith(f.bet(f.ben, 'BACK', 300, 1000, { key }))).toBe('taken');
  });

  it('[INV-08] acts once for twins at the same time', async () => {
    f = await make();
    const answers = await Promise.all(Array.from({ length: 50 }, () => f.bet(f.anna, 'BACK', 300, 1000, { key })));
    expect(new Set(answers.map((answer) => betOf(answer).betId)).size).toBe(1);
    expect(answers.filter((answer) => !answer.replayed)).toHaveLength(1);
    expect(await f.db.query('SELECT 1 FROM bets')).toHaveLength(1);
  });

  it('[INV-08] is remembered after a restart', async () => {
    f = await make();
    const first = await f.bet(f.anna, 'BACK', 300, 1000, { key });
    await f.restart();
    expect(betOf(await f.bet(f.anna, 'BACK', 300, 1000, { key })).betId).toBe(betOf(first).betId);
    expect(betOf((await f.core.answerOf(`player:${f.anna}`, key))!).betId).toBe(betOf(first).betId);
    expect(await f.db.query('SELECT 1 FROM bets')).toHaveLength(1);
  });

  it('[INV-08] of a refused command is refused for good: a late copy places nothing when the reason has gone', async () => {
    f = await make();
    expect(await refusedWith(f.bet(f.anna, 'BACK', 300, 150_000, { key }))).toBe('INSUFFICIENT_FUNDS');
    await f.send({
      type: 'account.transfer',
      accountId: f.anna,
      amountMinor: 100_000,
      reason: 'deposit',
      text: 'More',
    });
    expect(await refusedWith(f.bet(f.anna, 'BACK', 300, 150_000, { key }))).toBe('INSUFFICIENT_FUNDS');
    expect(await refusedWith(f.bet(f.anna, 'BACK', 300, 1000, { key, hash: 'other' }))).toBe('KEY_REUSED');
    await f.restart();
    expect(await refusedWith(f.bet(f.anna, 'BACK', 300, 150_000, { key }))).toBe('INSUFFICIENT_FUNDS');
    expect(await f.core.answerOf(`player:${f.anna}`, key)).toBeNull();
    expect(await f.core.burn(`player:${f.anna}`, key)).toBeNull();
    expect(await f.db.query('SELECT 1 FROM bets')).toHaveLength(0);
    expect((await verify(f.db)).ok).toBe(true);
  });

  it('[INV-08] of a refused price tells the same price again', async () => {
    f = await make();
    const { marketId, runnerIds } = f.bookmaker;
    const take = () =>
      f.send(
        {
          type: 'quote.take',
          betId: 0,
          accountId: f.anna,
          marketId,
          runnerId: runnerIds[0],
          side: 'BACK',
          price: 85,
          stakeMinor: 1000,
        },
        { actor: `player:${f.anna}`, key },
      );
    const first = await take().catch((error: unknown) => error);
    expect(first).toMatchObject({ code: 'PRICE_CHANGED', current: { price: 80 } });
    expect(await take().catch((error: unknown) => error)).toMatchObject({
      code: 'PRICE_CHANGED',
      current: { price: 80 },
    });
  });

  it('[INV-08] stays free while nothing was decided under it', async () => {
    const line = brokenLine();
    f = await make({ wrap: line.wrap });
    line.breakNext('lost');
    expect(await refusedWith(f.bet(f.anna, 'BACK', 300, 1000, { key }))).toBe('UNAVAILABLE');
    expect(await refusedWith(f.bet(f.anna, 'BACK', 300, 1000, { key }))).toBe('taken');
  });

  it('of a credit that came before its debit is free for the next try', async () => {
    f = await make();
    const move = { provider: 'alder', roundId: 'r', accountId: f.anna, game: 'keno', currency: 'EUR', label: 'Keno' };
    const of = (txId: string) => ({ actor: 'provider:alder', key: txId });
    const credit = () =>
      refusedWith(
        f.send(
          { type: 'game.credit', ...move, txId: 'win', amountMinor: 50, refTx: 'bet', roundClosed: true },
          of('win'),
        ),
      );
    expect(await credit()).toBe('BET_UNKNOWN');
    await f.send({ type: 'game.debit', ...move, txId: 'bet', amountMinor: 20 }, of('bet'));
    expect(await credit()).toBe('taken');
  });

  it('can be asked while its command is under way, and gets the outcome', async () => {
    const line = brokenLine();
    f = await make({ wrap: line.wrap });
    line.hold();
    const bet = f.bet(f.anna, 'BACK', 300, 1000, { key });
    const asked = f.core.answerOf(`player:${f.anna}`, key);
    await soon();
    line.release();
    expect(betOf((await asked)!).betId).toBe(betOf(await bet).betId);
  });

  it('that is burnt takes nothing any more, and one that was used cannot be burnt', async () => {
    f = await make();
    expect(await f.core.burn(`player:${f.anna}`, key)).toBeNull();
    expect(await refusedWith(f.bet(f.anna, 'BACK', 300, 1000, { key }))).toBe('KEY_BURNT');
    await f.restart();
    expect(await refusedWith(f.bet(f.anna, 'BACK', 300, 1000, { key }))).toBe('KEY_BURNT');
    const used = await f.bet(f.anna, 'BACK', 300, 1000, { key: `${key}-two` });
    expect((await f.core.burn(`player:${f.anna}`, `${key}-two`))!.seq).toBe(used.seq);
  });

  it('[INV-20] is burnt in the order of the log, and not at all by a process that was overtaken', async () => {
    f = await make();
    const actor = `player:${f.anna}`;
    const before = f.core.health().seq;
    await Promise.all([f.bet(f.anna, 'BACK', 300, 1000), f.core.burn(actor, key), f.bet(f.anna, 'BACK', 300, 1000)]);
    expect(f.core.health().seq).toBe(before + 3);
    const other = await open({ db: f.db, clock: () => f.time.now });
    expect(await refusedWith(f.core.burn(actor, `${key}-two`))).toBe('UNAVAILABLE');
    expect(await refusedWith(f.bet(f.anna, 'BACK', 300, 1000, { key: `${key}-two` }))).toBe('UNAVAILABLE');
    expect(await other.isBurnt(actor, key)).toBe(true);
    expect(await other.isBurnt(actor, `${key}-two`)).toBe(false);
    await other.stop();
    expect((await verify(f.db)).ok).toBe(true);
  });

  it('costs no look-up once the keys are read, though reading them failed at first', async () => {
    let failing = true;
    let lookUps = 0;
    const wrap: FixtureOptions['wrap'] = (db) => ({
      ...db,
      query: (sql, params) => {
        if (sql.includes('FROM idempotency WHERE (actor, key) >') && failing) return Promise.reject(new Error('away'));
        if (sql.includes('FROM idempotency WHERE actor = $1')) lookUps++;
        return db.query(sql, params);
      },
    });
    f = await make({ wrap });
    await f.bet(f.anna, 'BACK', 300, 1000, { key });
    expect(lookUps).toBe(1);
    failing = false;
    let n = 0;
    await until(async () => {
      const before = lookUps;
      await f.bet(f.anna, 'BACK', 500, 100, { key: `${key}-${++n}` });
      return lookUps === before;
    });
    expect(betOf(await f.bet(f.anna, 'BACK', 300, 1000, { key }))).toBeDefined();
  });
});

describe('a conditional order', () => {
  const stop = (more: object = {}) => {
    const runnerId = f.book.runnerIds[0];
    const head = { type: 'conditional.make' as const, accountId: f.anna, marketId: f.book.marketId, runnerId };
    const bet = { side: 'LAY' as const, trigger: 400, price: 420, sizeMinor: 500, persistence: 'LAPSE' as const };
    return { ...head, kind: 'STOP' as const, ...bet, ...more };
  };
  const quote = (backable: number, layable: number) => {
    const sides = {
      backable: [[backable, 50_000]] as [number, number][],
      layable: [[layable, 50_000]] as [number, number][],
    };
    const runners = [{ runnerId: f.book.runnerIds[0], ...sides }];
    return f.send({ type: 'house.book', marketId: f.book.marketId, runners }, { world: 'all', actor: 'feed' });
  };

  it('[INV-27] fires once, in both worlds under ids of their own, over processes that end without a word, and the log replays to the same', async () => {
    f = await make({ snapshotCommands: 1_000_000 });
    await quote(300, 310);
    await f.send(stop());
    await f.send(stop({ accountId: f.dora, sizeMinor: 700 }), { world: 'demo' });
    await f.bet(f.anna, 'BACK', 300, 1000);
    // A refused bet takes a number, too.
    expect(await refusedWith(f.bet(f.ben, 'BACK', 300, 200_000))).toBe('INSUFFICIENT_FUNDS');
    // Nothing but the log says that they wait.
    const other = await open({ db: f.db, clock: () => f.time.now });
    expect(other.read.conditionals('real', f.anna)).toMatchObject([{ kind: 'STOP', trigger: 400, status: 'WAITING' }]);
    await other.stop();
    await f.restart({ snapshotCommands: 1_000_000 });
    const { seq } = await quote(390, 400);
    const placed = await f.db.query('SELECT id, world, account_id, matched, matched_sum, seq FROM bets ORDER BY id');
    expect(placed.slice(1)).toEqual([
      { id: 3, world: 'real', account_id: f.anna, matched: 500, matched_sum: 200_000, seq },
      { id: 4, world: 'demo', account_id: f.dora, matched: 700, matched_sum: 280_000, seq },
    ]);
    const bets = () => [f.core.read.openBets('real', f.anna), f.core.read.openBets('demo', f.dora)];
    const before = bets();
    const later = await open({ db: f.db, clock: () => f.time.now });
    expect([later.read.openBets('real', f.anna), later.read.openBets('demo', f.dora)]).toEqual(before);
    await later.stop();
    await f.restart();
    expect(bets()).toEqual(before);
    await quote(300, 310);
    await quote(390, 400);
    expect(betOf(await f.bet(f.ben, 'BACK', 390, 1000)).betId).toBe(5);
    expect(await f.db.query('SELECT 1 FROM bets')).toHaveLength(4);
    expect(f.core.read.conditionals('real', f.anna)).toEqual([]);
    const ended = { id: 1, status: 'FIRED', code: null, actor: null, seq };
    const ends = await f.db.query(
      'SELECT world, id, status, code, actor, bet_id, seq FROM conditional_ends ORDER BY bet_id',
    );
    expect(ends).toEqual([
      { world: 'real', bet_id: 3, ...ended },
      { world: 'demo', bet_id: 4, ...ended },
    ]);
    expect((await verify(f.db)).ok).toBe(true);
  });

  it('that comes with its bet is in the log with it: a process that ends without a word leaves both, and the key tells both', async () => {
    f = await make({ snapshotCommands: 1_000_000 });
    await quote(300, 310);
    const key = 'test-key-attached-1';
    const more = { offset: { ticks: 2, level: false, persistence: 'PERSIST' as const }, expireMs: 60_000 };
    const answer = await f.bet(f.anna, 'BACK', 305, 500, { key, ...more });
    const made = (events: typeof answer.events) =>
      events.flatMap((event) => (event.type === 'conditional' ? [event.conditional] : []));
    expect(made(answer.events)).toMatchObject([
      { kind: 'OFFSET', status: 'WAITING', forBetId: betOf(answer).betId },
      { kind: 'EXPIRE', status: 'WAITING', forBetId: betOf(answer).betId },
    ]);
    const before = f.core.read.conditionals('real', f.anna);
    const other = await open({ db: f.db, clock: () => f.time.now });
    expect(other.read.conditionals('real', f.anna)).toEqual(before);
    await other.stop();
    await f.restart({ snapshotCommands: 1_000_000 });
    const again = await f.bet(f.anna, 'BACK', 305, 500, { key, ...more });
    expect(again.replayed).toBe(true);
    expect(made(again.events)).toEqual(made(answer.events));
    expect(f.core.read.conditionals('real', f.anna)).toEqual(before);
    // Matched whole at once, it is one row of the log with the offset's bet numbered behind it.
    const taken = betOf(await f.bet(f.ben, 'BACK', 300, 500, { key: 'test-key-attached-2', offset: more.offset }));
    await f.restart({ snapshotCommands: 1_000_000 });
    expect(f.core.read.openBets('real', f.ben).map(({ betId, side }) => [betId, side])).toEqual([
      [taken.betId, 'BACK'],
      [taken.betId + 1, 'LAY'],
    ]);
    expect((await verify(f.db)).ok).toBe(true);
  });

  it('that fires inside a bet is not taken for a bet of that command, and takes others that waited for the bet with it', async () => {
    f = await make();
    await quote(300, 310);
    const mine = betOf(await f.bet(f.anna, 'LAY', 305, 500, { persistence: 'PERSIST' }));
    const head = { type: 'conditional.make' as const, accountId: f.anna, marketId: f.book.marketId };
    await f.send({ ...head, kind: 'EXPIRE', betId: mine.betId, afterMs: 1000 });
    await f.send({ ...head, kind: 'OFFSET', betId: mine.betId, ticks: 2, level: false, persistence: 'PERSIST' });
    const key = 'test-key-conditional-1';
    const answer = await f.bet(f.ben, 'BACK', 305, 500, { key });
    expect(ownBets(answer.events, f.ben)).toHaveLength(1);
    expect(ownBets(answer.events, f.anna).map((bet) => bet.betId)).toEqual([mine.betId]);
    expect(f.core.read.openBets('real', f.anna)).toHaveLength(2);
    expect(f.core.read.conditionals('real', f.anna)).toEqual([]);
  });
});

describe('a commit of unknown outcome', () => {
  for (const kind of ['lost', 'done'] as const) {
    it(`[INV-09] [FLT-04] that was ${kind} is decided by reading: exactly ${kind === 'done' ? 'one' : 'no'} effect`, async () => {
      const line = brokenLine();
      f = await make({ wrap: line.wrap });
      for (let round = 0; round < 5; round++) {
        const key = `key-of-round-00000${round}`;
        const before = f.core.health().epoch;
        line.breakNext(kind);
        const outcome = await refusedWith(f.bet(f.anna, 'BACK', 300, 1000, { key }));
        expect(outcome).toBe(kind === 'done' ? 'taken' : 'UNAVAILABLE');
        expect(await f.core.answerOf(`player:${f.anna}`, key)).toEqual(kind === 'done' ? expect.anything() : null);
        expect(f.core.health().epoch).toBe(before + 1);
        await f.bet(f.anna, 'BACK', 300, 100);
      }
      const bets = await f.db.query('SELECT 1 FROM bets WHERE size = 1000');
      expect(bets).toHaveLength(kind === 'done' ? 5 : 0);
      expect((await verify(f.db)).ok).toBe(true);
    });
  }

  it('[FLT-02] the database gone: refused at once, nothing taken, and all by itself back again', async () => {
    const line = brokenLine();
    f = await make({ wrap: line.wrap });
    line.away(true);
    const inFlight = refusedWith(f.bet(f.anna, 'BACK', 300, 1000));
    const waiting = refusedWith(soon().then(() => f.bet(f.anna, 'BACK', 300, 1000)));
    expect(await waiting).toBe('UNAVAILABLE');
    expect(f.core.health().available).toBe(false);
    line.away(false);
    expect(await inFlight).toBe('UNAVAILABLE');
    expect(await refusedWith(f.bet(f.anna, 'BACK', 300, 1000))).toBe('taken');
    expect(await f.db.query('SELECT 1 FROM bets')).toHaveLength(1);
  });

  for (const code of ['40P01', '57014', '55P03', '40001']) {
    it(`${code} is no fault of a command: the same batch goes again`, async () => {
      const line = brokenLine();
      f = await make({ wrap: line.wrap });
      line.failNext(code, 2);
      expect(await refusedWith(f.bet(f.anna, 'BACK', 300, 1000))).toBe('taken');
      expect(f.core.health().breaks).toBe(0);
      expect(f.core.read.market(f.book.marketId)?.status).toBe('OPEN');
      expect(await f.db.query('SELECT 1 FROM bets')).toHaveLength(1);
      expect(await f.db.query('SELECT 1 FROM core_quarantine')).toHaveLength(0);
    });
  }

  it('a batch the database refuses is taken apart: only the command at fault fails', async () => {
    const line = brokenLine();
    f = await make({ wrap: line.wrap });
    line.refuse('"sizeMinor":777,');
    const outcomes = await Promise.all([100, 777, 200].map((size) => refusedWith(f.bet(f.anna, 'BACK', 300, size))));
    expect(outcomes).toEqual(['taken', 'INTERNAL', 'MARKET_SUSPENDED']);
    expect((await verify(f.db)).ok).toBe(true);
  });
});

describe('overload', () => {
  it('[FLT-03] past the bound the answer is BUSY and nothing was taken', async () => {
    const line = brokenLine();
    f = await make({ wrap: line.wrap });
    line.hold();
    const outcomes = Array.from({ length: 5200 }, () => refusedWith(f.bet(f.anna, 'BACK', 500, 100)));
    await soon();
    // A command that stakes hang on is taken however long the queue is.
    const reason = 'Bets are closed';
    const urgent = f.core.submit({
      world: 'all',
      actor: 'table:teen',
      command: { type: 'market.state', marketId: f.session.marketId, status: 'SUSPENDED', reason },
      urgent: true,
    });
    line.release();
    const all = await Promise.all(outcomes);
    expect((await urgent).events).not.toEqual([]);
    const busy = all.filter((code) => code === 'BUSY').length;
    expect(busy).toBeGreaterThan(100);
    expect(all.filter((code) => code === 'taken' || code === 'INSUFFICIENT_FUNDS')).toHaveLength(5200 - busy);
    expect(f.core.health().queueDepth).toBe(0);
  });

  it('of players with play money refuses and delays nobody who plays for money', async () => {
    const line = brokenLine();
    f = await make({ wrap: line.wrap });
    const batches: Committed[] = [];
    f.core.onCommitted((batch) => batches.push(batch));
    line.hold();
    const storm = Array.from({ length: 1200 }, () => refusedWith(f.bet(f.dora, 'BACK', 500, 100, { world: 'demo' })));
    await soon();
    // Those who play for nothing have waited too long then, and their line is full.
    await expect.poll(() => f.core.health().demoOldestMs, { interval: 20, timeout: 20_000 }).toBeGreaterThan(1000);
    expect(await refusedWith(f.bet(f.dora, 'BACK', 500, 100, { world: 'demo' }))).toBe('BUSY');
    expect(await refusedWith(f.core.burn(`player:${f.dora}`, 'a-key-of-dora-0001'))).toBe('BUSY');
    expect(f.core.health()).toMatchObject({ queueDepth: 0, demoQueueDepth: expect.toSatisfy((n) => n > 900) });
    const bet = f.bet(f.anna, 'BACK', 300, 1000);
    const burnt = f.core.burn(`player:${f.anna}`, 'a-key-of-anna-0001');
    // Into the batch that is being made.
    await soon();
    line.release();
    const { seq } = await bet;
    expect(await burnt).toBeNull();
    const outcomes = await Promise.all(storm);
    expect(outcomes.filter((code) => code === 'BUSY').length).toBeGreaterThan(100);
    expect(outcomes.filter((code) => code === 'taken').length).toBeGreaterThan(900);
    const demo = batches.map(({ items }) => items.filter(({ world }) => world === 'demo').length);
    expect(Math.max(...demo)).toBe(16);
    // In the one that was made while another was out, for all that waited there.
    expect(batches.findIndex(({ items }) => items.some((item) => item.seq === seq))).toBeLessThanOrEqual(1);
  });

  it('of players with money keeps nobody with play money waiting for its end', async () => {
    const line = brokenLine();
    f = await make({ wrap: line.wrap });
    const worlds: string[] = [];
    f.core.onCommitted(({ items }) => worlds.push(...items.map(({ world }) => world)));
    line.hold();
    const flood = Array.from({ length: 600 }, () => refusedWith(f.bet(f.anna, 'BACK', 500, 100)));
    const demo = Array.from({ length: 20 }, () => refusedWith(f.bet(f.dora, 'BACK', 500, 100, { world: 'demo' })));
    line.release();
    expect(new Set(await Promise.all([...flood, ...demo]))).toEqual(new Set(['taken']));
    const shares = worlds.flatMap((world, at) => (world === 'demo' ? [at] : []));
    // Of sixteen one, from the first that both could have had.
    expect(shares[19]! - shares[0]!).toBe(19 * 16);
    expect(shares[0]).toBeLessThan(64 + 16);
  });

  it('[FLT-03] a stalled database: refused after 2 s, in-play markets suspended after 5 s, and it recovers alone', async () => {
    const line = brokenLine();
    f = await make({ wrap: line.wrap, clock: Date.now });
    await f.send({ type: 'market.state', marketId: f.book.marketId, inPlay: true }, { world: 'all' });
    await quoteAgain();
    const resting = betOf(await f.bet(f.anna, 'BACK', 500, 1000));
    line.hold();
    const stuck = refusedWith(f.bet(f.anna, 'BACK', 300, 1000));
    await wait(2300);
    const started = Date.now();
    expect(await refusedWith(f.bet(f.anna, 'BACK', 300, 1000))).toBe('UNAVAILABLE');
    expect(Date.now() - started).toBeLessThan(1000);
    await wait(3000);
    line.release();
    expect(await stuck).toBe('taken');
    await until(() => f.core.read.market(f.book.marketId)?.status === 'SUSPENDED');
    expect(f.core.read.bet('real', resting.betId)).toMatchObject({ lapsedMinor: 1000, endCode: 'LAPSED_SUSPENDED' });
    expect(f.core.read.market(f.bookmaker.marketId)?.status).toBe('OPEN');
  });
});

describe('leadership', () => {
  it('[INV-20] [FLT-12] an overtaken process is fenced: its commit fails and it ends', async () => {
    const ends: string[] = [];
    f = await make({ onFenced: (reason) => ends.push(reason) });
    await f.bet(f.anna, 'BACK', 300, 1000);
    const other = await open({ db: f.db, clock: () => f.time.now });
    expect(await refusedWith(f.bet(f.anna, 'BACK', 300, 1000))).toBe('UNAVAILABLE');
    expect(ends).toEqual(['another fairGame leads this database']);
    expect(other.read.wallet('real', f.anna).exposureMinor).toBe(1000);
    expect(other.health().epoch).toBe(f.core.health().epoch + 1);
    await other.stop();
    expect(await f.db.query('SELECT 1 FROM bets')).toHaveLength(1);
  });

  it('who lost the lead while a batch was out stays fenced, though its line breaks then and comes back', async () => {
    const line = brokenLine();
    let lose: (why: string) => void = () => {};
    const ends: string[] = [];
    f = await make({
      onFenced: (reason) => ends.push(reason),
      wrap: (db) => {
        const lead: Db['lead'] = (holder) => {
          if (holder) lose = holder.lost;
          return db.lead(holder);
        };
        return { ...line.wrap!(db), lead };
      },
    });
    line.hold();
    const inFlight = refusedWith(f.bet(f.anna, 'BACK', 300, 1000));
    await soon();
    lose('another took the lead');
    line.breakNext('lost');
    line.release();
    expect(await inFlight).not.toBe('taken');
    expect(f.core.health().available).toBe(false);
    expect(await refusedWith(f.bet(f.anna, 'BACK', 300, 1000))).toBe('UNAVAILABLE');
    expect(ends).toEqual(['another took the lead']);
    expect(await f.db.query('SELECT 1 FROM bets')).toHaveLength(0);
  });

  it('gives no id twice, even when a process ended without a word', async () => {
    f = await make();
    const ids = Array.from({ length: 10 }, () => f.core.nextId());
    const other = await open({ db: f.db, clock: () => f.time.now });
    ids.push(...Array.from({ length: 10 }, () => other.nextId()));
    await other.stop();
    expect(new Set(ids).size).toBe(20);
  });
});

describe('a restart', () => {
  it('[INV-10] brings back the same state, from the log and from a snapshot', async () => {
    f = await make({ snapshotCommands: 1_000_000 });
    await playDay(f);
    const before = picture();
    // From the log alone: the process ended without a word, so there is no snapshot.
    const other = await open({ db: f.db, clock: () => f.time.now });
    expect(picture(other)).toEqual(before);
    await other.stop();
    await f.restart();
    expect(picture()).toEqual(before);
    expect(await f.db.query('SELECT 1 FROM core_snapshots')).not.toHaveLength(0);
    expect((await verify(f.db)).checks.filter((check) => check.breaks > 0)).toEqual([]);
  });

  it('writes on a copy that was hashed whole, so that no bet waits for the first hash', async () => {
    f = await make();
    await playDay(f);
    const { worlds } = await loadState(f.db, silent);
    expect(worlds.real).toMatchObject({ hashing: false });
    const copy = copyWorlds(worlds);
    expect(copy.real).toMatchObject({ hashing: true, dirty: [] });
    expect(hashWorlds(copy)).toBe(hashWorlds(worlds));
  });

  it('suspends what was in play; unmatched bets lapse after more than 5 s, others stay', async () => {
    f = await make();
    const { marketId } = f.book;
    await f.send({ type: 'market.state', marketId, inPlay: true }, { world: 'all' });
    const bet = betOf(await f.bet(f.anna, 'BACK', 500, 1000));
    f.time.now += 3000;
    await f.restart();
    expect(f.core.read.market(marketId)).toMatchObject({ status: 'SUSPENDED', reason: 'Restarted' });
    expect(f.core.read.market(f.bookmaker.marketId)?.status).toBe('OPEN');
    expect(f.core.read.bet('real', bet.betId)?.remainingMinor).toBe(1000);
    await f.send({ type: 'market.state', marketId, status: 'OPEN' }, { world: 'all' });
    f.time.now += 6000;
    await f.restart();
    expect(f.core.read.bet('real', bet.betId)).toMatchObject({ remainingMinor: 0, lapsedMinor: 1000 });
    expect(f.core.read.wallet('real', f.anna).exposureMinor).toBe(0);
  });

  it('[FLT-15] passes over a damaged snapshot for the one before it', async () => {
    f = await make({ snapshotCommands: 10 });
    await playDay(f);
    const before = picture();
    await f.restart();
    const rows = await f.db.query<{ seq: number }>('SELECT seq FROM core_snapshots ORDER BY seq');
    expect(rows).toHaveLength(2);
    await f.db.query(`UPDATE core_snapshots SET body = set_byte(body, 40, get_byte(body, 40) # 1) WHERE seq = $1`, [
      rows[1]!.seq,
    ]);
    const other = await open({ db: f.db, clock: () => f.time.now });
    expect(picture(other)).toEqual(before);
    await other.stop();
  });

  it('[FLT-15] refuses to start on a damaged log, with a plain message', async () => {
    f = await make({ snapshotCommands: 1_000_000 });
    await f.bet(f.anna, 'BACK', 300, 1000);
    await f.db.query(
      `UPDATE core_log SET body = replace(body, '1000', '1001') WHERE last_seq = (SELECT max(last_seq) FROM core_log)`,
    );
    await expect(open({ db: f.db })).rejects.toThrow(/log row \d+: the checksum does not fit/);
  });

  it('refuses to start when an account row differs from the log', async () => {
    f = await make();
    await f.db.query('UPDATE accounts SET balance = balance + 1 WHERE id = $1', [f.anna]);
    await expect(open({ db: f.db })).rejects.toThrow(/account \d+ \(real\)/);
  });
});

function open(options: { db: Db } & Partial<CoreOptions>) {
  return openCore({ log: silent, onFenced: () => {}, ...options });
}

/** All a player could see, as one value. */
function picture(core = f.core): unknown {
  const { read } = core;
  return JSON.parse(
    JSON.stringify({
      wallets: [f.anna, f.ben].map((id) => read.wallet('real', id)).concat(read.wallet('demo', f.dora)),
      markets: read.markets(),
      bets: [f.anna, f.ben].map((id) => read.openBets('real', id)).concat(read.openBets('demo', f.dora)),
      depth: f.book.runnerIds.map((id) => read.depth('real', f.book.marketId, id, 20)),
      quotes: read.quotes('real', f.session.marketId),
      positions: [f.anna, f.ben].map((id) => read.position('real', id, f.session.marketId)),
    }),
  );
}

function quoteAgain(price = 300) {
  return f.send(
    {
      type: 'house.book',
      marketId: f.book.marketId,
      runners: [{ runnerId: f.book.runnerIds[0], backable: [[price, 50_000]], layable: [[310, 50_000]] }],
    },
    { world: 'all', actor: 'feed' },
  );
}

/** A line to the database that can be held, cut and broken on the writer's side. */
function brokenLine() {
  let held: Promise<void> | null = null;
  let free = () => {};
  let next: 'lost' | 'done' | null = null;
  let away = false;
  let refused = '';
  let failures: string[] = [];
  const wrap: FixtureOptions['wrap'] = (db) => ({
    ...db,
    healthy: () => !away && db.healthy(),
    async write<T>(sql: string, params?: unknown[]) {
      if (held) await held;
      if (away) throw new DbLost(true, 'cut');
      if (refused && params?.some((param) => typeof param === 'string' && param.includes(refused))) {
        throw Object.assign(new Error('refused'), { code: '23505' });
      }
      const failure = failures.pop();
      if (failure) throw Object.assign(new Error('failed'), { code: failure });
      const broken = next;
      next = null;
      if (broken === 'lost') throw new DbLost(true, 'cut before it arrived');
      const rows = await db.write<T>(sql, params);
      if (broken === 'done') throw new DbLost(true, 'cut before the answer');
      return rows;
    },
  });
  return {
    wrap,
    hold() {
      held = new Promise((resolve) => {
        free = resolve;
      });
    },
    release() {
      held = null;
      free();
    },
    breakNext(kind: 'lost' | 'done') {
      next = kind;
    },
    failNext(code: string, times: number) {
      failures = Array.from({ length: times }, () => code);
    },
    away(on: boolean) {
      away = on;
    },
    refuse(text: string) {
      refused = text;
    },
  };
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const soon = () => wait(30);

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 10_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('it did not come about in 10 s');
    await wait(10);
  }
}
