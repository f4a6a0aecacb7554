import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db, Query } from '../src/db/db.ts';
import { type Report, verify } from '../src/ledger/ledger.ts';
import { type Day, playDay } from './day.ts';
import { type Fixture, makeCore } from './fixture.ts';

describe('verify', () => {
  let f: Fixture;
  let day: Day;
  beforeAll(async () => {
    f = await makeCore({ snapshotCommands: 25 });
    day = await playDay(f);
    // Money in another pool, by two transfers, and some that came back.
    const purse = { accountId: f.anna, pool: 'south' };
    for (const command of [
      { type: 'purse.reserve', ...purse, transfer: 1, amountMinor: 700 },
      { type: 'purse.done', ...purse, transfer: 1 },
      { type: 'purse.open', ...purse, transfer: 1, amountMinor: 200, currency: 'EUR' },
    ] as const)
      await f.core.submit({ world: 'real', actor: 'desk', command });
    await playConditionals();
    await f.restart();
  });
  afterAll(() => f.close());

  /** One that fires, one that is taken back, one that waits. */
  async function playConditionals(): Promise<void> {
    const { marketId, runnerIds } = f.book;
    const bet = { accountId: f.anna, marketId, runnerId: runnerIds[2], side: 'LAY', sizeMinor: 500 } as const;
    const quote = (price: number) => {
      const runner = { runnerId: bet.runnerId, backable: [], layable: [[price, 50_000] as [number, number]] };
      return f.send({ type: 'house.book', marketId, runners: [runner] }, { world: 'all', actor: 'feed' });
    };
    await quote(300);
    for (const trigger of [320, 400, 500])
      await f.send({
        type: 'conditional.make',
        ...bet,
        kind: 'STOP',
        trigger,
        price: trigger + 20,
        persistence: 'PERSIST',
      });
    await quote(330);
    await f.send({ type: 'conditional.cancel', accountId: f.anna, conditionalId: 2 });
  }

  it('[INV-01] [INV-02] [INV-03] [INV-04] [INV-05] [INV-16] finds nothing wrong after a whole day', async () => {
    const report = await verify(f.db);
    expect(report.checks.filter((check) => check.breaks > 0)).toEqual([]);
    expect(report.ok).toBe(true);
    expect(report.bets).toBeGreaterThan(15);
    expect(report.entries).toBeGreaterThan(30);
  });

  const unlock = 'SET session_replication_role = replica';
  const plants: Array<[id: string, what: string, sql: string]> = [
    [
      'INV-01',
      'an entry more',
      "INSERT INTO ledger_entries SELECT ledger_id, 99, world, 'm1', NULL, 5, NULL, NULL FROM ledger_entries LIMIT 1",
    ],
    [
      'INV-01',
      'a transaction without entries',
      'INSERT INTO ledger SELECT 999999, world, seq, at, kind, area, text FROM ledger LIMIT 1',
    ],
    [
      'INV-10',
      'money of another pool that no purse has',
      "UPDATE ledger_entries SET amount = amount + 7 WHERE (ledger_id, line) = (SELECT ledger_id, line FROM ledger_entries WHERE account = 'pool:south' LIMIT 1)",
    ],
    ['INV-02', 'a changed balance', "UPDATE accounts SET balance = balance + 1 WHERE kind = 'player'"],
    [
      'INV-02',
      'a running balance that does not follow',
      'UPDATE ledger_entries SET balance_after = balance_after + 1 WHERE n = 2',
    ],
    [
      'INV-03',
      'a clearing account left with money',
      'UPDATE ledger_entries SET amount = amount + 7 WHERE (ledger_id, line) = (SELECT ledger_id, line FROM ledger_entries WHERE account_id IS NULL LIMIT 1)',
    ],
    [
      'INV-04',
      'a bet with more matched than its fills',
      'UPDATE bets SET matched = matched + 10, size = size + 10 WHERE id = (SELECT min(back_bet_id) FROM fills WHERE back_bet_id > 0)',
    ],
    [
      'INV-04',
      'a fill on another runner',
      'UPDATE fills SET runner_id = runner_id + 1 WHERE id = (SELECT max(id) FROM fills)',
    ],
    ['INV-04', 'a fill at another price', 'UPDATE fills SET price = price + 5 WHERE id = 1'],
    ['INV-05', 'an exposure one unit short', 'UPDATE accounts SET exposure = exposure - 1 WHERE exposure > 0'],
    [
      'INV-06',
      'an account below zero',
      "UPDATE accounts SET balance = 0 WHERE kind = 'player'; DELETE FROM bets WHERE voided > 0; DELETE FROM ledger WHERE kind IN ('reverse', 'void')",
    ],
    [
      'INV-07',
      'a bet that does not add up',
      'UPDATE bets SET cancelled = cancelled + 1 WHERE id = (SELECT max(id) FROM bets)',
    ],
    [
      'INV-08',
      'one bet under two keys',
      "INSERT INTO idempotency SELECT actor, key || 'x', world, payload_hash, seq, at, bet_id, answer FROM idempotency WHERE bet_id IS NOT NULL LIMIT 1",
    ],
    ['INV-08', 'a key whose bet is gone', 'DELETE FROM bets WHERE id = (SELECT max(bet_id) FROM idempotency)'],
    [
      'INV-09',
      'every second key gone',
      'DELETE FROM idempotency WHERE seq IN (SELECT seq FROM (SELECT seq, row_number() OVER (ORDER BY seq) AS n FROM idempotency) k WHERE n % 2 = 0)',
    ],
    [
      'INV-09',
      'a log row taken out and the bets and keys of its commands with it',
      "DELETE FROM core_log WHERE first_seq = (SELECT max(first_seq) FROM core_log WHERE body LIKE '%account.transfer%' AND first_seq < (SELECT max(first_seq) FROM core_log))",
    ],
    ['INV-09', 'a log row cut out', 'DELETE FROM core_log WHERE first_seq = (SELECT max(first_seq) FROM core_log)'],
    [
      'INV-09',
      'a command altered',
      "UPDATE core_log SET body = replace(body, '1000', '1001') WHERE first_seq = (SELECT min(first_seq) FROM core_log WHERE body LIKE '%1000%')",
    ],
    [
      'INV-09',
      'a bet that nobody placed',
      "INSERT INTO bets SELECT 888888, world, account_id, market_id, runner_id, kind, side, price, 0, size, 0, 0, size, 0, 0, persistence, status, due_at, placed_at, line, box, win, loss, end_code, reason, 'VOID', 0, version, settled_at, seq FROM bets LIMIT 1",
    ],
    [
      'INV-10',
      'an open bet altered in its row',
      'UPDATE bets SET remaining = remaining - 1, lapsed = lapsed + 1 WHERE id = (SELECT max(id) FROM bets WHERE remaining > 0)',
    ],
    [
      'INV-10',
      'another stored hash',
      "UPDATE core_hashes SET hash = 'x'; INSERT INTO core_hashes SELECT last_seq, 'x' FROM core_log ON CONFLICT DO NOTHING",
    ],
    ['INV-10', 'a conditional order whose end is nowhere', 'DELETE FROM conditional_ends WHERE id = 2'],
    [
      'INV-10',
      'a conditional order that is held and over',
      "INSERT INTO retired VALUES ('conditional_ends', 9000000000000000); UPDATE conditional_ends SET id = 3 WHERE id = 2",
    ],
    ['INV-27', 'a conditional order that fired as another bet', 'UPDATE conditional_ends SET bet_id = 1 WHERE id = 1'],
    ['INV-11', 'a row from the future', 'UPDATE accounts SET seq = 1000000'],
    [
      'INV-16',
      'a result paid twice',
      "INSERT INTO ledger SELECT id + 100000, world, seq, at, kind, area, text, market_id, event_id, result_version FROM ledger WHERE kind = 'settle'; INSERT INTO ledger_entries SELECT ledger_id + 100000, line, world, account, account_id, amount, n + 100000, balance_after FROM ledger_entries WHERE ledger_id IN (SELECT id FROM ledger WHERE kind = 'settle' AND id < 100000)",
    ],
    ['INV-16', 'a bet of a closed market without result', "UPDATE bets SET result = 'PENDING' WHERE result = 'WIN'"],
    ['INV-17', 'exposure without a bet', "UPDATE bets SET result = 'VOID' WHERE result = 'PENDING'"],
    [
      'INV-03',
      'an open round that holds more than its account',
      "UPDATE provider_rounds SET staked = staked + 1 WHERE status = 'OPEN' AND round_id = 'open'",
    ],
    [
      'INV-09',
      'a movement of another command',
      "UPDATE provider_txs SET seq = seq - 1 WHERE tx_id = 'tx2'; UPDATE idempotency SET seq = seq - 1 WHERE key = 'tx2'",
    ],
    [
      'INV-10',
      'an open round altered in its row',
      "UPDATE provider_rounds SET version = version + 1 WHERE status = 'OPEN'",
    ],
    ['INV-10', 'an open round that is gone', "UPDATE provider_rounds SET round_id = 'other' WHERE round_id = 'open'"],
    ['INV-19', 'a movement lost', "DELETE FROM provider_txs WHERE tx_id = 'tx3'"],
    ['INV-19', 'a movement with another amount', "UPDATE provider_txs SET amount = amount + 1 WHERE tx_id = 'tx3'"],
    ['INV-19', 'a round that says less than was paid', 'UPDATE provider_rounds SET paid = paid - 1 WHERE paid > 0'],
    [
      'INV-19',
      'a win that the ledger gave to somebody else',
      "UPDATE ledger_entries SET account_id = (SELECT max(id) FROM accounts WHERE world = 'real'), n = 900 + ledger_id WHERE ledger_id IN (SELECT id FROM ledger WHERE kind = 'roundWin') AND account_id IS NOT NULL",
    ],
    [
      'INV-19',
      "a provider's result that is not that of its rounds",
      "UPDATE ledger_entries SET amount = amount + 3 WHERE account LIKE 'ggr:%'",
    ],
    ['INV-19', 'a bonus that nobody sent', "UPDATE provider_txs SET credit = credit + 5 WHERE kind = 'promo'"],
    ['INV-19', 'a movement without its key', "DELETE FROM idempotency WHERE key = 'tx3'"],
    [
      'INV-19',
      'a movement taken though it was rolled back before it came',
      "UPDATE idempotency SET answer = 'null' WHERE key = 'tx3'",
    ],
    [
      'INV-19',
      'a key whose movement was never taken',
      "UPDATE idempotency SET answer = '[1,1,[]]' WHERE key = 'tx-never-came'",
    ],
    [
      'INV-19',
      'a stake given back twice',
      "INSERT INTO provider_txs SELECT provider, tx_id || 'x', world, kind, account_id, round_id, game, amount, credit, ref_tx, effect, at, seq FROM provider_txs WHERE kind = 'rollback'",
    ],
    ['INV-23', 'a round of play money', "UPDATE provider_rounds SET world = 'demo'"],
    [
      'INV-20',
      'an older epoch behind a newer',
      'UPDATE core_log SET epoch = 0 WHERE first_seq = (SELECT max(first_seq) FROM core_log)',
    ],
    [
      'INV-23',
      'a demo entry on a real account',
      "UPDATE ledger_entries SET account_id = (SELECT min(id) FROM accounts WHERE world = 'real' AND kind = 'player'), n = 999 WHERE (ledger_id, line) = (SELECT ledger_id, line FROM ledger_entries WHERE world = 'demo' AND account_id >= 100 LIMIT 1)",
    ],
  ];
  for (const [id, what, sql] of plants) {
    it(`[${id}] sees ${what}`, async () => {
      const report = await withPlant(f.db, `${unlock};${sql}`);
      expect(report.checks.filter((check) => check.breaks > 0).map((check) => check.id)).toContain(id);
      expect(report.ok).toBe(false);
    });
  }

  it('goes on after a check that cannot be carried out, and tells them all', async () => {
    const clean = await verify(f.db);
    await f.db.exec('ALTER TABLE fills RENAME TO fills_away');
    const report = await verify(f.db);
    await f.db.exec('ALTER TABLE fills_away RENAME TO fills');
    expect(report.checks.map((check) => check.id)).toEqual(clean.checks.map((check) => check.id));
    const broken = report.checks.filter((check) => check.breaks > 0);
    expect(broken.map((check) => check.id)).toEqual(['INV-04', 'INV-11', 'INV-23']);
    for (const { examples } of broken) expect(examples).toEqual([expect.stringContaining('"fills" does not exist')]);
    expect(report).toMatchObject({ ok: false, seq: clean.seq, bets: clean.bets, entries: clean.entries });
  });

  it('leaves the planted breaks behind: the database is clean again', async () => {
    expect((await verify(f.db)).ok).toBe(true);
    expect(day.settled).not.toBe(day.archived);
  });
});

/** Plants a break, verifies, and takes it back. */
async function withPlant(db: Db, sql: string): Promise<Report> {
  let report: Report | undefined;
  await db
    .tx(async (q) => {
      for (const statement of sql.split(';')) await q(statement);
      const inside: Query = (text, params) =>
        text.startsWith('SET TRANSACTION') ? Promise.resolve([]) : q(text, params);
      // A failed statement would end the transaction: each check runs under its own savepoint.
      const guarded: Query = async (text, params) => {
        await q('SAVEPOINT s');
        try {
          return await inside(text, params);
        } catch (error) {
          await q('ROLLBACK TO s');
          throw error;
        }
      };
      report = await verify({ ...db, query: guarded, tx: (fn) => fn(guarded) });
      throw new Error('taken back');
    })
    .catch((error: Error) => {
      if (error.message !== 'taken back') throw error;
    });
  return report!;
}
