import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Db } from '../src/db/db.ts';
import type { Reading } from '../src/ledger/desk.ts';
import { entryRange } from '../src/ledger/entry-range.ts';
import {
  type BetQuery,
  balanceCurve,
  betPage,
  betSlice,
  lifetimeProfit,
  profitLoss,
  readBetQuery,
  readStatementQuery,
  type StatementQuery,
  statement,
  statementSlice,
  yearSums,
} from '../src/ledger/ledger.ts';
import { keptBreaks } from '../src/ledger/verify-kept.ts';
import { deposited, firstDeposit, played } from '../src/protection/figures.ts';
import type { Record } from '../src/protection/records.ts';
import { Stakes } from '../src/protection/stakes.ts';
import { type Day, playDay } from './day.ts';
import { betOf, type Fixture, makeCore, marketDef, refusedWith } from './fixture.ts';

interface Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Plan[];
}
const stepsOf = (plan: Plan): number[] => [
  plan['Actual Rows'] * plan['Actual Loops'],
  ...(plan.Plans ?? []).flatMap(stepsOf),
];

describe('a long history', () => {
  let f: Fixture;
  const [ACCOUNT, ENTRIES, FROM] = [987_654, 12_000, Date.UTC(2025, 0, 1)];
  beforeAll(async () => {
    f = await makeCore();
    // One entry a minute of 1.00 and now and then a deposit of 50.00; some are of rounds of a game, of which the third is not over.
    await f.db.exec(`
      INSERT INTO ledger (id, world, seq, at, kind, area, text, market_id, event_id, provider, game, round_id)
        SELECT 1000000 + n, 'real', n, ${FROM} + n::bigint * 60000,
               CASE WHEN n % 5000 = 0 THEN 'creditReference' WHEN n % 10 = 0 THEN 'deposit' ELSE 'settle' END,
               CASE WHEN n % 10 = 0 THEN 0 ELSE 1 END, 'Line ' || n % 7,
               CASE WHEN n % 5 > 0 THEN 7000000 + n / 50 END, CASE WHEN n % 5 > 0 THEN 8000000 + n / 50 / 10 END,
               CASE WHEN n % 10 = 5 THEN 'alder' END, CASE WHEN n % 10 = 5 THEN 'keno' END,
               CASE WHEN n % 10 = 5 THEN 'r' || (n + 500) / 1000 END FROM generate_series(1, ${ENTRIES}) AS n;
      INSERT INTO provider_rounds SELECT 'real', 'alder', ${ACCOUNT}, 'r' || n, 'keno', 'Keno',
        CASE n WHEN 3 THEN 'OPEN' ELSE 'CLOSED' END, 0, 0, 0, 1, 1, 1, '{}', 1 FROM generate_series(0, 12) AS n;
      INSERT INTO ledger_entries (ledger_id, line, world, account, account_id, amount, n, balance_after)
        SELECT 1000000 + n, 0, 'real', 'a${ACCOUNT}', ${ACCOUNT}, CASE WHEN n % 10 = 0 THEN 5000 ELSE 100 END, n, n
        FROM generate_series(1, ${ENTRIES}) AS n;
      INSERT INTO events (id, match_type, title, competition_id, competition_name, start_at_ms, event)
        SELECT 8000000 + n, CASE WHEN n % 2 = 0 THEN 'cricket' ELSE 'tennis' END, 'Side ' || n || ' v Side', 'c', 'Cup', 0, '{}'
        FROM generate_series(0, 24) AS n;
      INSERT INTO markets (world, id, event_id, kind, name, status, result_version, view, seq)
        SELECT 'real', 7000000 + n, 8000000 + n / 10, 'book', 'Winner', 'CLOSED', 1, '{}', 1 FROM generate_series(0, 240) AS n;
      INSERT INTO bets (id, world, account_id, market_id, runner_id, kind, side, price, matched_sum, size, matched, remaining,
          cancelled, lapsed, voided, persistence, status, due_at, placed_at, result, profit, version, settled_at, seq)
        SELECT 1000000 + n, 'real', ${ACCOUNT}, 7000000 + n / 50, 1, 'book', 'BACK', 200, 0, 100, 100, 0, 0, 0, 0, 'LAPSE', 'COMPLETE', 0,
               ${FROM} + n::bigint * 60000, CASE WHEN n IN (5000, ${ENTRIES}) THEN 'PENDING' WHEN n % 3 = 0 THEN 'WIN' ELSE 'LOSS' END,
               n % 11, 1, ${FROM} + (n % 7) * 1000, 1
        FROM generate_series(1, ${ENTRIES}) AS n;`);
    // As it does by itself, later.
    if (f.db.kind === 'postgres')
      await f.db.exec('ANALYZE ledger; ANALYZE ledger_entries; ANALYZE bets; ANALYZE markets');
  });
  afterAll(() => f.close());

  it('[M11] the lifetime result is a kept sum: a reading adds only what came since', async () => {
    const net = 100 * (ENTRIES - ENTRIES / 10);
    const { db, rows } = watched();
    expect(
      await lifetimeProfit(
        { query: (sql, params) => (sql.startsWith('WITH') ? db : f.db).query(sql, params) },
        ACCOUNT,
        'real',
      ),
    ).toBe(net);
    expect(Math.max(...rows())).toBeLessThanOrEqual(5_000);
    const kept = () => f.db.query('SELECT upto, net FROM profit_counters WHERE account_id = $1', [ACCOUNT]);
    expect(await kept()).toEqual([{ upto: ENTRIES, net }]);
    // Another figure in its place comes back: nothing was added up anew.
    await f.db.query('UPDATE profit_counters SET net = net + 7 WHERE account_id = $1', [ACCOUNT]);
    await f.db.exec(`
      INSERT INTO ledger (id, world, seq, at, kind, area, text) VALUES (999, 'real', 1, ${FROM + 1e9}, 'settle', 1, 'x');
      INSERT INTO ledger_entries (ledger_id, line, world, account, account_id, amount, n, balance_after)
        VALUES (999, 0, 'real', 'a', ${ACCOUNT}, -300, ${ENTRIES + 1}, 7);`);
    expect(await lifetimeProfit(f.db, ACCOUNT, 'real')).toBe(net + 7 - 300);
    expect(await kept()).toEqual([{ upto: ENTRIES, net: net + 7 }]);
  });

  it.each([
    ['in the middle', 4_000 * 60_000, 4_999 * 60_000, 4_000, 4_999],
    ['between two entries', 4_000 * 60_000 + 1, 4_001 * 60_000 - 1, 4_001, 4_000],
    ['from before the first', -1, 10 * 60_000, 1, 10],
    ['to after the last', 11_999 * 60_000, 2e9, 11_999, ENTRIES + 1],
    ['before all of it', -10, -1, 1, 0],
  ])('[M11] a range is found without reading the history: %s', async (_, from, to, first, last) => {
    const account = { accountId: ACCOUNT, world: 'real' as const };
    expect(await entryRange(f.db, account, { from: FROM + from, to: FROM + to })).toEqual({ first, last });
    const report = await statement(f.db, { ...account, page: 1, limit: 10, from: FROM + from, to: FROM + to });
    expect(report.total).toBe(Math.max(0, last - first + 1));
  });

  /** Of each statement asked: the most rows that a step of its plan took in. */
  function watched(): { db: Reading; rows: () => number[] } {
    const most: number[] = [];
    const query: Reading['query'] = async (sql, params) => {
      const [told] = await f.db.query<{ 'QUERY PLAN': Array<{ Plan: Plan }> }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`,
        params,
      );
      most.push(Math.max(...stepsOf(told!['QUERY PLAN'][0]!.Plan)));
      return f.db.query(sql, params);
    };
    return { db: { query, keep: f.db.query }, rows: () => most.splice(0) };
  }

  const FILTERS: Array<[string, Partial<StatementQuery>]> = [
    ['all', {}],
    ['a time', { from: FROM + 3_333 * 60_000, to: FROM + 11_111 * 60_000 }],
    ['an area', { area: 0 }],
    ['a kind', { transType: 'win' }],
    ['a rare kind', { transType: 'creditReference' }],
    ['a kind of an area in a time', { transType: 'add', area: 0, from: FROM + 1_999 * 60_000 }],
    ['words', { description: 'line 3' }],
    ['nothing', { transType: 'loss', area: 0 }],
  ];
  it.each(FILTERS)(
    'a statement of %s costs what a part of the history holds, on its last page too',
    async (_, more) => {
      const own = { accountId: ACCOUNT, world: 'real' as const, ...more };
      const { db, rows } = watched();
      const all = await statementSlice(f.db, { ...own, page: 1, limit: 1 }, null, 100_000);
      const sum = (sign: number) => all.reduce((sums, { amount }) => sums + Math.max(0, sign * amount), 0);
      const first = { ...own, page: 1, limit: 100 };
      const [last, middle] = [Math.max(1, Math.ceil(all.length / 100)), Math.max(1, Math.ceil(all.length / 200))];
      for (const query of [first, { ...first, page: middle }, { ...first, page: last }]) {
        const told = await statement(db, query);
        const at = (query.page - 1) * 100;
        expect(told).toMatchObject({ total: all.length, totals: { credit: sum(1), debit: sum(-1) } });
        expect(told.rows).toEqual(all.slice(at, at + 100));
        const turned = await statement(db, { ...query, oldestFirst: true });
        expect(turned.rows).toEqual(all.toReversed().slice(at, at + 100));
      }
      expect(Math.max(...rows())).toBeLessThanOrEqual(2_000);
      // A file of it, slice behind slice.
      const found = [];
      for (let slice = await statementSlice(db, first, null, 500); slice.length > 0; ) {
        found.push(...slice);
        slice = slice.length < 500 ? [] : await statementSlice(db, first, slice.at(-1)!.uniqueId, 500);
      }
      expect(found).toEqual(all);
      expect(Math.max(...rows())).toBeLessThanOrEqual(2_000);
    },
  );

  it('what whole parts of a statement come to is kept: a later reading adds the ends', async () => {
    const { db, rows } = watched();
    const query = { accountId: ACCOUNT, world: 'real' as const, page: 1, limit: 15 };
    const { totals } = await statement(db, query);
    rows();
    expect((await statement(db, query)).totals).toEqual(totals);
    // The one entry behind 12,000, the rows of the page, what is kept of six parts, and the look at both ends.
    expect(rows().reduce((sum, count) => sum + count, 0)).toBeLessThan(50);
    // Another figure in its place comes back: nothing was added up anew.
    expect(await f.db.tx(keptBreaks)).toEqual([]);
    await f.db.query(`UPDATE statement_sums SET sums = replace(sums, '"count":1800', '"count":1801') WHERE block = 1`);
    expect(await f.db.tx(keptBreaks)).toEqual([
      `entries 2001 to 4000 of account ${ACCOUNT} (real) are not what is kept of them`,
    ]);
    expect((await statement(db, query)).total).toBe(ENTRIES + 2);
    await f.db.query('DELETE FROM statement_sums WHERE account_id = $1', [ACCOUNT]);
  });

  it('a year is added up in parts, and its months are those of all of it', async () => {
    const { db, rows } = watched();
    const { months } = await yearSums(db, { accountId: ACCOUNT, world: 'real' }, 2025, 'UTC');
    expect(months.reduce((sum, { deposits }) => sum + deposits, 0)).toBe((ENTRIES / 10) * 5000);
    expect(months.reduce((sum, { sport }) => sum + sport, 0)).toBe(ENTRIES * 0.9 * 100 - 300);
    expect(months.map(({ closing }) => closing).slice(0, 2)).toEqual([7, 7]);
    expect(Math.max(...rows())).toBeLessThanOrEqual(2_000);
  });

  const IN_EVERY_ORDER = new Set(['a time', 'what is open', 'words']);
  const BETS: Array<[string, Partial<BetQuery>, (bet: { n: number; result: string }) => boolean]> = [
    ['all', {}, () => true],
    ['a result', { results: ['WIN'] }, ({ result }) => result === 'WIN'],
    [
      'a time',
      { from: FROM + 3_333 * 60_000, to: FROM + 11_111 * 60_000, results: ['LOSS'] },
      ({ n, result }) => n >= 3_333 && n <= 11_111 && result === 'LOSS',
    ],
    [
      'a sport',
      { eventTypes: ['tennis'], open: false },
      ({ n, result }) => Math.floor(n / 500) % 2 === 1 && result !== 'PENDING',
    ],
    ['what is open', { results: ['PENDING', 'UNDECLARE'] }, ({ result }) => result === 'PENDING'],
    ['a market', { marketIds: [7_000_077] }, ({ n }) => Math.floor(n / 50) === 77],
    ['an event', { eventIds: [8_000_003], open: false }, ({ n }) => Math.floor(n / 500) === 3],
    ['words', { keyword: 'side 17 v' }, ({ n }) => Math.floor(n / 500) === 17],
    ['nothing', { statuses: ['EXECUTABLE'] }, () => false],
  ];
  const ORDERS: Array<[BetQuery['sort'], (a: Row, b: Row) => number]> = [
    [undefined, (a, b) => b.n - a.n],
    [[{ column: 'createdAt', direction: 'ASC' }], (a, b) => a.n - b.n],
    [[{ column: 'status', direction: 'ASC' }], (a, b) => b.n - a.n],
    [[{ column: 'profitLoss', direction: 'DESC' }], (a, b) => b.profit - a.profit || b.n - a.n],
    [
      [
        { column: 'settledAt', direction: 'ASC' },
        { column: 'profitLoss', direction: 'DESC' },
      ],
      (a, b) => (a.n % 7) - (b.n % 7) || b.profit - a.profit || b.n - a.n,
    ],
  ];
  interface Row {
    n: number;
    result: string;
    profit: number;
  }
  const all: Row[] = Array.from({ length: ENTRIES }, (_, at) => {
    const n = at + 1;
    const result = n === 5_000 || n === ENTRIES ? 'PENDING' : n % 3 === 0 ? 'WIN' : 'LOSS';
    return { n, result, profit: n % 11 };
  });

  it.each(BETS)(
    'bets of %s cost what a part of the history holds, in any order and on the last page too',
    async (name, filter, takes) => {
      const { db, rows } = watched();
      const own = { accountId: ACCOUNT, world: 'real' as const, ...filter };
      const taken = all.filter(takes);
      for (const [sort, order] of ORDERS.slice(0, IN_EVERY_ORDER.has(name) ? undefined : 2)) {
        const sorted = taken.toSorted(order);
        const pages = [1, Math.max(1, Math.ceil(taken.length / 20)), Math.max(1, Math.ceil(taken.length / 10))];
        for (const page of pages) {
          const told = await betPage(db, { ...own, page, limit: 10, ...(sort && { sort }) });
          const profitLoss = taken.reduce((sum, one) => sum + one.profit, 0);
          const totals = { stake: taken.length * 100, matched: taken.length * 100, profitLoss };
          expect(told).toMatchObject({ total: taken.length, totals });
          expect(told.rows.map(({ betId }) => betId - 1_000_000)).toEqual(
            sorted.slice((page - 1) * 10, page * 10).map(({ n }) => n),
          );
        }
      }
      // Two thousand bets beside what they are joined with, of which a part has some sixty.
      expect(Math.max(...rows())).toBeLessThanOrEqual(2_000);
      const found = [];
      for (let slice = await betSlice(db, { ...own, page: 1, limit: 1 }, null, 500); slice.length > 0; ) {
        found.push(...slice.map(({ betId }) => betId - 1_000_000));
        slice = slice.length < 500 ? [] : await betSlice(db, { ...own, page: 1, limit: 1 }, slice.at(-1)!.betId, 500);
      }
      expect(found).toEqual(taken.map(({ n }) => n).toReversed());
      expect(Math.max(...rows())).toBeLessThanOrEqual(2_000);
    },
  );

  it('profit and loss costs what a part of the history holds, and is that of all of it', async () => {
    const { db, rows } = watched();
    const query = { accountId: ACCOUNT, world: 'real' as const, to: FROM + ENTRIES * 60_000 };
    const told = await profitLoss(db, { ...query, level: 'market' });
    expect(Math.max(...rows())).toBeLessThanOrEqual(5_000);
    const net = new Map<string, number>();
    for (let n = 1; n <= ENTRIES; n++) {
      if (n % 10 === 0 || (n % 10 === 5 && n >= 2_500 && n < 3_500)) continue;
      const id = n % 10 === 5 ? 'alder/keno' : String(7_000_000 + Math.floor(n / 50));
      net.set(id, (net.get(id) ?? 0) + 100);
    }
    expect(new Map(told.rows.map((row) => [row.id, row.profitLoss]))).toEqual(net);
    expect(told.total).toBe([...net.values()].reduce((sum, one) => sum + one));
    // Twelve rounds that are over, two of them on both sides of where a part ends; of a market the bets that were matched.
    const bets = (id: string) => told.rows.find((row) => row.id === id)!.totalBet;
    expect([bets('alder/keno'), bets('7000000'), bets('7000001'), bets('7000239')]).toEqual([12, 49, 50, 50]);
    const [games, cricket, tennis] = ['liveCasino', 'cricket', 'tennis'].map(async (eventType) => {
      return (await profitLoss(f.db, { ...query, level: 'sport', eventType })).total;
    });
    expect((await games!) + (await cricket!) + (await tennis!)).toBe(told.total);
    await f.db.query('DELETE FROM bet_sums WHERE account_id = $1', [ACCOUNT]);
  });

  it('what limits are measured by costs what came since, not the history', async () => {
    const { db, rows } = watched();
    const who = { userId: ACCOUNT, world: 'real' as const };
    const since = FROM + 11_000 * 60_000;
    const { netMinor } = await played(db, who, [FROM + 11_500 * 60_000, since]);
    // Nine of ten entries were of the play; what came in the second half of them is in both.
    expect(netMinor[1]! - netMinor[0]!).toBe(450 * 100);
    expect(await deposited(db, who, since)).toBe(101 * 5000);
    const first = await firstDeposit(db, who, 0);
    expect(first).toEqual({ firstDepositAt: FROM + 10 * 60_000, undatedTo: expect.any(Number) });
    // Of one who had none up to there, it is the first behind it.
    expect(await firstDeposit(db, who, ENTRIES - 10)).toEqual({ ...first, firstDepositAt: FROM + ENTRIES * 60_000 });
    expect(await firstDeposit(db, who, first.undatedTo)).toEqual({ ...first, firstDepositAt: null });
    expect(Math.max(...rows())).toBeLessThanOrEqual(1_100);
  });

  it('stakes cost a turnover limit what came since, not what its window holds, and are those of all of it', async () => {
    const { db, rows } = watched();
    const record = { userId: ACCOUNT, world: 'real' } as Record;
    let now = FROM + 14_000 * 60_000;
    const stakes = new Stakes({ query: db.query } as Db, () => now);
    await f.db.exec(`
      INSERT INTO provider_txs SELECT 'alder', 't' || n, 'real', 'debit', ${ACCOUNT}, 'r' || n, 'keno', 10, 0, NULL, true, ${FROM} + n::bigint * 60000, n
        FROM generate_series(1, ${ENTRIES}) AS n;
      INSERT INTO provider_txs SELECT 'alder', 'b' || n, 'real', 'rollback', ${ACCOUNT}, 'r' || n, 'keno', 0, 10, 't' || n, n <> 4000, ${FROM} + 13000 * 60000, ${ENTRIES} + n
        FROM (VALUES (500), (1500), (4000)) AS back(n);
      UPDATE bets SET matched = 60, cancelled = 10, remaining = 30 WHERE account_id = ${ACCOUNT} AND id = 1005000;`);
    const [day, week] = [FROM + 1_001 * 60_000, FROM + 2_001 * 60_000];
    // Bets of 1.00, of one of which 0.10 was cancelled; stakes of 0.10, of which one within the first window was taken back.
    expect(await stakes.since(record, day)).toBe(11_000 * 110 - 10 - 10);
    expect(await stakes.since(record, week)).toBe(10_000 * 110 - 10);
    rows();
    expect(await stakes.since(record, day)).toBe(11_000 * 110 - 20);
    // Its ends, what is kept, a part in which the window begins, one with an open bet, the newest; then games, of which the last is known.
    expect(rows()).toEqual([1, expect.any(Number), 1, 2_000, 2_000, 1_000, 1]);
    await f.db.exec(`
      INSERT INTO provider_txs VALUES
        ('alder', 'new', 'real', 'debit', ${ACCOUNT}, 'new', 'keno', 7, 0, NULL, true, ${FROM} + 13000 * 60000, 20001),
        ('alder', 'back', 'real', 'rollback', ${ACCOUNT}, 'r9000', 'keno', 0, 10, 't9000', true, ${FROM} + 13000 * 60000, 20002);
      UPDATE bets SET matched = 100, cancelled = 0, remaining = 0 WHERE account_id = ${ACCOUNT} AND id = 1005000;`);
    for (const _ of [1, 2]) expect(await stakes.since(record, day)).toBe(11_000 * 110 - 10 + 7 - 10);
    expect(Math.max(...rows())).toBeLessThanOrEqual(2_000);
    now = FROM + 12_500 * 60_000;
    await f.db.exec(`
      INSERT INTO provider_txs VALUES ('alder', 'old', 'real', 'debit', ${ACCOUNT}, 'old', 'keno', 9, 0, NULL, true, ${FROM} + 12500 * 60000, 20003)`);
    expect(await stakes.since(record, day)).toBe(11_000 * 110 - 10 + 7 - 10 + 9);
    await f.db.query('DELETE FROM bet_sums WHERE account_id = $1', [ACCOUNT]);
  });

  it('what whole parts of bets come to is kept: a later reading looks at parts with something open, and at the newest', async () => {
    const { db, rows } = watched();
    const query = { accountId: ACCOUNT, world: 'real' as const, page: 600, limit: 10 };
    await betPage(db, query);
    rows();
    await betPage(db, query);
    // Of six parts the third has an open bet, and so has the last; the newest begins behind them.
    expect(rows().reduce((sum, count) => sum + Math.max(0, count - 100), 0)).toBeLessThan(6_000);
    const open = await betPage(db, { ...query, page: 1, results: ['PENDING', 'UNDECLARE'] });
    expect([open.total, Math.max(...rows())]).toEqual([2, 2_000]);
    await betPage(db, { ...query, page: 1, marketIds: [7_000_020] });
    // The ends, what is kept, the part of the market, two with something open, the newest; then which bets, and they themselves.
    expect(rows()).toHaveLength(8);
    expect(await f.db.tx(keptBreaks)).toEqual([]);
    await f.db.query(`UPDATE bet_sums SET sums = replace(sums, '"count":', '"count":1') WHERE account_id = $1`, [
      ACCOUNT,
    ]);
    expect((await f.db.tx(keptBreaks))[0]).toMatch(
      /^bets 1 to \d+ of account \d+ \(real\) are not what is kept of them$/,
    );
    expect((await betPage(f.db, query)).total).toBeGreaterThan(ENTRIES);
    await f.db.query('DELETE FROM bet_sums WHERE account_id = $1', [ACCOUNT]);
  });

  it('words are looked for, and bets sorted by a figure, in fifty thousand of them; of more it says that the time is too long', async () => {
    const own = { accountId: ACCOUNT + 2, world: 'real' as const, page: 1, limit: 10 };
    // What six parts hold, told as one that has so many; and the first and the last entry of as many.
    const has = async (count: number) => {
      const group = { type: 'tennis', result: 'WIN', status: 'COMPLETE', dead: false, count, first: 2, last: 9 };
      const sums = JSON.stringify({ groups: [group], markets: [1, 9], events: null });
      await f.db.query('DELETE FROM bet_sums WHERE account_id = $1', [own.accountId]);
      await f.db.query(
        "INSERT INTO bet_sums VALUES ('real', $1, 1, 9, 1, 9, 1, $2), ('real', $1, 9, 10, 100, 100, -1, NULL)",
        [own.accountId, sums],
      );
      await f.db.exec(`INSERT INTO ledger_entries (ledger_id, line, world, account, account_id, amount, n, balance_after)
        VALUES (1000001, ${count}, 'real', 'a', ${own.accountId}, 1, ${count}, 1), (1000001, ${count + 9}, 'real', 'b', ${own.accountId}, 1, ${2 * count - 1}, 1)`);
    };
    const sort: BetQuery['sort'] = [{ column: 'profitLoss', direction: 'DESC' }];
    const readings = [
      () => betPage(f.db, { ...own, to: 50, keyword: 'side' }),
      () => betSlice(f.db, { ...own, to: 50, keyword: 'side' }, null, 500),
      () => betPage(f.db, { ...own, to: 50, results: ['WIN'], sort }),
      () => statement(f.db, { ...own, description: 'line' }),
      () => statementSlice(f.db, { ...own, description: 'line' }, null, 500),
    ];
    await has(48_000);
    for (const read of readings) expect(await refusedWith(read())).toBe('taken');
    await f.db.query('DELETE FROM bet_sums WHERE account_id = $1', [own.accountId]);
    await has(50_001);
    for (const read of readings) expect(await refusedWith(read())).toBe('TIME_TOO_LONG');
    // Another filter leaves nothing of the part, another order passes over it, and a shorter time takes it out.
    const others: Array<Partial<BetQuery>> = [
      { results: ['LOSS'], keyword: 'side' },
      { results: ['WIN'] },
      { from: 20, keyword: 'side' },
    ];
    for (const other of others) expect(await refusedWith(betPage(f.db, { ...own, ...other }))).toBe('taken');
    await f.db.query('DELETE FROM bet_sums WHERE account_id = $1', [own.accountId]);
  });

  it('a drawn balance has the ends of its range, and as many points as a chart shows, whatever the history holds', async () => {
    const account = { accountId: ACCOUNT, world: 'real' as const };
    const at = (n: number) => FROM + n * 60_000;
    const whole = await balanceCurve(f.db, account, { from: FROM, to: at(ENTRIES) });
    expect(whole).toHaveLength(240);
    expect([whole[0], whole.at(-1)]).toEqual([
      [at(1), 1],
      [at(ENTRIES), ENTRIES],
    ]);
    expect(whole).toEqual(whole.toSorted(([a], [b]) => a - b));
    expect(await balanceCurve(f.db, account, { from: at(7), to: at(9) })).toEqual([7, 8, 9].map((n) => [at(n), n]));
    expect(await balanceCurve(f.db, account, { from: 0, to: FROM })).toEqual([]);
    expect(await balanceCurve(f.db, { ...account, accountId: ACCOUNT + 1 }, {})).toEqual([]);
  });

  it.each([
    ['UTC', 1296],
    // Half past six in the evening of UTC is midnight there: 1,109 of the entries are of the first day, 110 of them deposits.
    ['Asia/Kolkata', 999],
    // Until five in the morning of UTC it is the day before there.
    ['America/New_York', 270],
  ])('the result by day is told by the days of %s', async (timeZone, first) => {
    const query = { accountId: ACCOUNT, world: 'real' as const, level: 'sport' as const, timeZone };
    const { days, total } = await profitLoss(f.db, { ...query, from: FROM, to: FROM + 2_880 * 60_000 });
    expect(days[0]!.profitLoss).toBe(first * 100);
    expect(days.map(({ day }) => day)[0]).toBe(timeZone.startsWith('America') ? '2024-12-31' : '2025-01-01');
    expect(days.reduce((sum, { profitLoss: net }) => sum + net, 0)).toBe(total);
  });

  it('every zone that a browser may name is known to the database too', async () => {
    const names = Intl.supportedValuesOf('timeZone');
    const [row] = await f.db.query<{ n: number }>(
      "SELECT count(TIMESTAMPTZ '2026-01-01 00:00Z' AT TIME ZONE z) AS n FROM unnest($1::text[]) AS z",
      [names],
    );
    expect(row!.n).toBe(names.length);
  });
});

/** The event of the fixture's markets, as the catalogue keeps it. */
const addEvent = (f: Fixture) =>
  f.db.query(
    `INSERT INTO events (id, match_type, title, competition_id, competition_name, start_at_ms, event)
       VALUES ($1, 'cricket', 'India v Australia', 'c1', 'World Cup', 0, '{}')`,
    [f.eventId],
  );

describe('kept sums of bets', () => {
  let f: Fixture;
  const feed = { world: 'all', actor: 'feed' } as const;
  const markets: Array<{ marketId: number; a: number; b: number; bets: number[] }> = [];
  /** A part of two thousand and some: two markets with a thousand bets each, and a third that stays open. */
  beforeAll(async () => {
    f = await makeCore();
    await addEvent(f);
    for (const accountId of [f.anna, f.ben])
      await f.send({ type: 'account.transfer', accountId, amountMinor: 1e9, reason: 'deposit', text: 'Deposit' });
    for (const count of [1000, 1000, 30]) {
      f.time.now += 86_400_000;
      const [marketId, a, b] = [f.core.nextId(), f.core.nextId(), f.core.nextId()];
      const runners = [a, b].map((runnerId) => ({ runnerId, name: `Runner ${runnerId}` }));
      await f.send({ type: 'market.create', market: marketDef(marketId, f.eventId, { runners }) }, feed);
      const place = (accountId: number, side: 'BACK' | 'LAY', sizeMinor: number) =>
        f.send({
          type: 'order.place',
          betId: 0,
          accountId,
          marketId,
          runnerId: a,
          side,
          price: 200,
          sizeMinor,
          persistence: 'PERSIST',
        });
      const answers = await Promise.all(Array.from({ length: count }, (_, n) => place(f.anna, 'BACK', 100 + n)));
      await place(f.ben, 'LAY', 400_000);
      markets.push({ marketId, a, b, bets: answers.map((answer) => betOf(answer).betId) });
    }
  });
  afterAll(() => f.close());

  /** Large results take many commands; the last of them closes the market, or opens it again. */
  const done = (n: number) =>
    vi.waitUntil(async () => {
      const [market] = await f.db.query<{ status: string }>('SELECT status FROM markets WHERE id = $1', [
        markets[n]!.marketId,
      ]);
      return market!.status !== 'SETTLING';
    });
  const declare = async (n: number, winner: 'a' | 'b') => {
    const { marketId, [winner]: runnerId } = markets[n]!;
    await f.send({ type: 'market.declare', marketId, result: { kind: 'winners', runnerIds: [runnerId] } }, feed);
    await done(n);
  };
  const undeclare = async (n: number) => {
    await f.send({ type: 'market.undeclare', marketId: markets[n]!.marketId }, feed);
    await done(n);
  };
  const FILTERS: Array<[Partial<BetQuery>, string]> = [
    [{}, 'true'],
    [{ results: ['WIN'] }, "result = 'WIN'"],
    [{ results: ['PENDING', 'UNDECLARE'] }, "result IN ('PENDING', 'UNDECLARE')"],
    [{ open: false, eventTypes: ['cricket'] }, "result <> 'PENDING'"],
    [{ results: ['VOID'], statuses: ['COMPLETE'] }, "result = 'VOID'"],
  ];
  const keptSums = async () =>
    (await f.db.query<{ n: number }>('SELECT count(sums) AS n FROM bet_sums WHERE account_id = $1', [f.anna]))[0]!.n;

  /** What is told is what all of the rows come to, twice: as it is read, and as it is kept. */
  async function isRight(): Promise<void> {
    const own = { accountId: f.anna, world: 'real' as const, page: 1, limit: 3 };
    for (const [filter, sql] of FILTERS) {
      const [all] = await f.db.query<{ total: number; stake: number; matched: number; profit: number }>(
        `SELECT count(*) AS total, COALESCE(sum(size), 0)::bigint AS stake, COALESCE(sum(matched), 0)::bigint AS matched,
                COALESCE(sum(profit), 0)::bigint AS profit FROM bets WHERE account_id = $1 AND ${sql}`,
        [f.anna],
      );
      const { total, stake, matched, profit: profitLoss } = all!;
      for (const _ of [1, 2])
        expect(await betPage({ query: f.db.query, keep: f.db.query }, { ...own, ...filter })).toMatchObject({
          total,
          totals: { stake, matched, profitLoss },
        });
    }
  }

  it('hold until a bet of theirs is taken back, declared anew or void, and are right again at once', async () => {
    await isRight();
    expect(await keptSums()).toBe(0);
    await declare(0, 'a');
    await declare(1, 'b');
    await isRight();
    expect(await keptSums()).toBe(1);
    await undeclare(0);
    await isRight();
    await declare(0, 'b');
    await isRight();
    await f.send({
      type: 'bets.void',
      marketId: markets[1]!.marketId,
      betIds: [markets[1]!.bets[7]!],
      reason: 'Wrong price',
    });
    await isRight();
    await declare(2, 'a');
    await isRight();
  });

  it('of a reading that did not see a change are never taken for what it came to', async () => {
    await f.db.query('DELETE FROM bet_sums');
    const late: Array<() => Promise<unknown>> = [];
    const keep: Reading['query'] = async (sql, params) => {
      if (sql.startsWith('INSERT')) return f.db.query(sql, params);
      late.push(() => f.db.query(sql, params));
      return [];
    };
    await betPage({ query: f.db.query, keep }, { accountId: f.anna, world: 'real', page: 1, limit: 3 });
    expect(late).toHaveLength(1);
    await undeclare(0);
    await declare(0, 'a');
    await late[0]!();
    expect(await keptSums()).toBe(1);
    await isRight();
  });

  it('of a month that was taken out with its bets hold no more', async () => {
    await isRight();
    expect(await keptSums()).toBe(1);
    const [{ at } = { at: 0 }] = await f.db.query<{ at: number }>('SELECT min(placed_at) + 1 AS at FROM bets');
    await f.db.query('DELETE FROM bets WHERE placed_at < $1', [at]);
    await f.db.query("INSERT INTO retired VALUES ('bets', $1)", [at]);
    await isRight();
    await f.db.query('DELETE FROM retired');
  });
});

describe('the books', () => {
  let f: Fixture;
  let day: Day;
  const me = () => ({ accountId: f.anna, world: 'real' as const });
  beforeAll(async () => {
    f = await makeCore();
    await addEvent(f);
    day = await playDay(f);
  });
  afterAll(() => f.close());

  it('[REP-01] [REP-03] [REP-04] a statement of 15 rows a page, newest first, each with its closing balance', async () => {
    const whole = await statement(f.db, { ...me(), page: 1, limit: 100 });
    const { rows } = await statement(f.db, readStatementQuery({}, me()));
    expect(rows).toEqual(whole.rows.slice(0, 15));
    const order = rows.map((row) => row.uniqueId);
    expect(order).toEqual(order.toSorted((a, b) => b - a));
    const times = rows.map((row) => Date.parse(row.createdAt));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    const [newest] = rows;
    expect(newest!.closingBalance).toBe(f.core.read.wallet('real', f.anna).balanceMinor);
    expect(whole.totals.closing).toBe(newest!.closingBalance);
    expect(whole.totals.opening).toBe(0);
    expect(whole.totals.credit - whole.totals.debit).toBe(newest!.closingBalance);
    const oldest = whole.rows.at(-1)!;
    expect(oldest).toMatchObject({
      transType: 'add',
      type: 0,
      amount: 100_000,
      closingBalance: 100_000,
      description: 'Deposit',
      betId: [],
    });
  });

  it('a page behind the last one has totals and no rows, and a late one gathers nothing of the pages before it', async () => {
    const asked: string[] = [];
    const db: Pick<Db, 'query'> = {
      query(sql, params) {
        asked.push(sql);
        return f.db.query(sql, params);
      },
    };
    const whole = await betPage(db, { ...me(), page: 1, limit: 100 });
    asked.length = 0;
    const behind = await betPage(db, { ...me(), page: 90_000, limit: 10 });
    expect(behind).toMatchObject({ rows: [], total: whole.total, totals: whole.totals });
    // Where the newest part begins, and what it comes to.
    expect(asked).toHaveLength(2);
    expect((await statement(db, { ...me(), page: 90_000, limit: 10 })).rows).toEqual([]);
    expect(asked.filter((sql) => sql.includes('OFFSET $'))).toEqual([]);
    const { rows } = await betPage(db, { ...me(), page: 2, limit: 2 });
    expect(rows).toEqual(whole.rows.slice(2, 4));
    // Reasons and views of markets are of the page alone.
    expect(asked.filter((sql) => sql.includes('OFFSET $') && /bet_reasons|m\.view/.test(sql))).toEqual([]);
  });

  it('results in the statement name event, market and result, and lead to their bets', async () => {
    const { rows } = await statement(f.db, { ...me(), page: 1, limit: 100, area: 1 });
    const result = rows.find((row) => row.betId[0] === day.settled)!;
    expect(result).toMatchObject({ matchId: f.eventId, type: 1 });
    expect(result.description).toMatch(/^India v Australia \/ Winner/);
    expect(rows.every((row) => row.transType === (row.amount >= 0 ? 'win' : 'loss'))).toBe(true);
  });

  it('[REP-02] pages, kinds, words and dates narrow the statement; totals are of the whole filter', async () => {
    const all = await statement(f.db, { ...me(), page: 1, limit: 100 });
    const second = await statement(f.db, { ...me(), page: 2, limit: 3 });
    expect(second.rows).toEqual(all.rows.slice(3, 6));
    expect(second.total).toBe(all.total);
    const wins = await statement(f.db, readStatementQuery({ searchBy: 'transType', keyword: 'WIN' }, me()));
    expect(wins.rows.length).toBeGreaterThan(0);
    expect(wins.rows.every((row) => row.transType === 'win')).toBe(true);
    expect(wins.totals.debit).toBe(0);
    const words = await statement(
      f.db,
      readStatementQuery({ searchBy: 'description', keyword: 'second WINNER' }, me()),
    );
    expect(words.rows.every((row) => row.description.includes('Second winner'))).toBe(true);
    expect(words.total).toBeLessThan(all.total);
    const wild = await statement(f.db, readStatementQuery({ keyword: '%' }, me()));
    expect(wild.rows.every((row) => row.description.includes('%'))).toBe(true);
    const other = await statement(
      f.db,
      readStatementQuery({ 'transaction.createdAt': 'between2020-01-01|2020-02-01' }, me()),
    );
    expect(other).toMatchObject({ rows: [], total: 0, totals: { opening: 0, closing: 0 } });
    const today = await statement(
      f.db,
      readStatementQuery({ 'transaction.createdAt': 'between2026-01-10|2026-01-10' }, me()),
    );
    expect(today.total).toBe(all.total);
  });

  it('a statement holds nothing of other players or of the other world', async () => {
    const { rows } = await statement(f.db, { accountId: f.anna, world: 'demo', page: 1, limit: 100 });
    expect(rows).toEqual([]);
    expect((await statement(f.db, { accountId: f.dora, world: 'demo', page: 1, limit: 100 })).rows.at(-1)!.amount).toBe(
      1_000_000,
    );
  });

  it('profit and loss by sport, match and market adds up to what the balance moved', async () => {
    const sport = await profitLoss(f.db, { ...me(), level: 'sport' });
    const match = await profitLoss(f.db, { ...me(), level: 'match', eventType: 'cricket' });
    const market = await profitLoss(f.db, { ...me(), level: 'market', matchId: f.eventId });
    const games = await profitLoss(f.db, { ...me(), level: 'match', eventType: 'liveCasino' });
    // The stake in the round that is still open is neither won nor lost.
    const moved = f.core.read.wallet('real', f.anna).balanceMinor - 100_000 + 111;
    const inGames = -500 + 60 - 700 + 1900;
    const bets = moved - inGames;
    for (const [report, net] of [
      [sport, moved],
      [match, bets],
      [market, bets],
      [games, inGames],
    ] as const) {
      expect(report.total).toBe(net);
      expect(report.rows.reduce((sum, row) => sum + row.profitLoss, 0)).toBe(net);
      expect(report.days).toEqual([{ day: '2026-01-10', profitLoss: net }]);
    }
    expect(sport.rows).toHaveLength(2);
    for (const id of ['cricket', 'liveCasino'])
      expect(sport.rows.find((row) => row.id === id)).toMatchObject({ eventType: id, betId: null });
    expect(games.rows).toMatchObject([{ name: 'Alder Games / Keno', totalBet: 2, matchId: null, betId: null }]);
    expect(match.rows[0]).toMatchObject({ name: 'India v Australia', matchId: f.eventId });
    expect(market.rows.map((row) => row.name).sort()).toEqual(['Second winner', 'Winner']);
    expect(market.rows.find((row) => row.betId === day.archived)!.totalBet).toBe(2);
    expect(await lifetimeProfit(f.db, f.anna, 'real')).toBe(moved);
    expect((await profitLoss(f.db, { ...me(), level: 'sport', eventType: 'tennis' })).rows).toEqual([]);
  });

  it('[REP-14] [REP-15] [REP-16] bets by the closed filters, with totals over all pages', async () => {
    const all = await betPage(f.db, readBetQuery({ limit: '100' }, me()));
    expect(all.rows.every((row) => row.accountId === f.anna)).toBe(true);
    expect(all.totals.stake).toBe(all.rows.reduce((sum, row) => sum + row.sizeMinor, 0));
    const open = await betPage(f.db, readBetQuery({ isCurrentBets: 'true', createBy: `eq${f.anna}` }, me()));
    expect(open.rows.map((row) => row.betId).sort(rising)).toEqual(
      f.core.read
        .openBets('real', f.anna)
        .map((bet) => bet.betId)
        .sort(rising),
    );
    const market = await betPage(
      f.db,
      readBetQuery({ betId: `inArr[${day.settled},${day.archived}]`, sort: 'id:ASC' }, me()),
    );
    expect(market.total).toBe(4);
    expect(market.rows[0]).toMatchObject({
      eventName: 'India v Australia',
      eventType: 'cricket',
      marketId: day.settled,
    });
    expect(market.rows[0]!.market!.name).toBe('Winner');
    const won = await betPage(
      f.db,
      readBetQuery({ result: 'inArr[WIN,LOSS]', 'betPlaced.eventType': 'eqcricket' }, me()),
    );
    expect(won.rows.length).toBeGreaterThan(0);
    expect(won.rows.every((row) => ['WIN', 'LOSS'].includes(row.result) && row.settledAt !== null)).toBe(true);
    const gone = await betPage(f.db, readBetQuery({ result: 'eqUNDECLARE' }, me()));
    expect(gone.rows).toHaveLength(1);
    expect(gone.rows[0]).toMatchObject({ reason: 'Wrong price', marketId: day.settled });
  });

  it('a bet row is the bet as the core tells it', async () => {
    const { rows } = await betPage(f.db, readBetQuery({ isCurrentBets: 'true' }, me()));
    for (const { settledAt, eventId, market, eventName, eventType, ...bet } of rows) {
      expect(bet).toEqual(JSON.parse(JSON.stringify(f.core.read.bet('real', bet.betId))));
      expect([settledAt, eventId, eventName, eventType, market!.marketId]).toEqual([
        null,
        f.eventId,
        'India v Australia',
        'cricket',
        bet.marketId,
      ]);
    }
  });

  it("[OPN-30] [CAR-23] refuses filters outside the grammar, and somebody else's bets", async () => {
    const read = (query: Parameters<typeof readBetQuery>[0]) =>
      refusedWith(Promise.resolve().then(() => readBetQuery(query, me())));
    expect(await read({ createBy: `eq${f.ben}` })).toBe('NOT_ALLOWED');
    expect(await read({ betId: 'eq1 OR 1=1' })).toBe('BAD_FILTER');
    expect(await read({ betId: 'like1' })).toBe('BAD_FILTER');
    expect(await read({ sort: 'password:ASC' })).toBe('BAD_FILTER');
    expect(await read({ 'betPlaced.createdAt': 'eq2020-01-01' })).toBe('BAD_FILTER');
  });
});

const rising = (a: number, b: number) => a - b;
