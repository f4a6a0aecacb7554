/** What goes by itself, and what never does. */
import { afterEach, describe, expect, it } from 'vitest';
import { verify } from '../src/ledger/ledger.ts';
import { retire } from '../src/ops/retention.ts';
import { type Fixture, makeCore, refusedWith } from './fixture.ts';

const DAY_MS = 86_400_000;
let f: Fixture;
afterEach(() => f.close());

/** The market of the book with a bet, the one of the session without, both settled, archived and known to the catalogue. */
async function settledDay(): Promise<void> {
  f = await makeCore();
  const { book, session, eventId } = f;
  await f.bet(f.anna, 'BACK', 300, 1000);
  for (const { marketId } of [book, session]) {
    const result = { kind: 'void', reason: 'Abandoned' } as const;
    await f.send({ type: 'market.declare', marketId, result }, { world: 'all' });
    await f.send({ type: 'market.archive', marketId }, { world: 'all' });
    await f.db.query("INSERT INTO market_meta VALUES ($1, $2, 'book', 'Name', 'TYPE', NULL, 1)", [marketId, eventId]);
    await f.db.query(
      `INSERT INTO card_rounds (mid, code, round_no, market_id, opened_at_ms, round, over, over_at_ms)
         VALUES ($1, 'teen', 1, $2, 0, '{}', true, $3)`,
      [`r${marketId}`, marketId, f.time.now],
    );
  }
  await f.db.query("INSERT INTO card_tables (code, event_id) VALUES ('lucky7', 2)");
  await f.db.query("INSERT INTO events VALUES (2, 'casino', 'Lucky 7 A', '0', 'Casino', 0, 0, '{}')");
  // One that nothing was ever offered on.
  for (const id of [eventId, 1])
    await f.db.query("INSERT INTO events VALUES ($1, 'cricket', 'A v B', '1', 'Cup', $2, $2, '{}')", [id, f.time.now]);
}

async function left(): Promise<Record<string, number[]>> {
  const ids = async (sql: string) => (await f.db.query<{ id: number }>(`${sql} ORDER BY 1`)).map((row) => row.id);
  return {
    markets: await ids("SELECT id FROM markets WHERE world = 'real'"),
    archives: await ids('SELECT DISTINCT market_id AS id FROM market_archives'),
    meta: await ids('SELECT market_id AS id FROM market_meta'),
    rounds: await ids('SELECT market_id AS id FROM card_rounds'),
    events: await ids('SELECT id FROM events'),
  };
}

describe('once a day', () => {
  it('markets and rounds on which nobody bet go after a month, with events that have none left; what was bet on stays, and card tables', async () => {
    await settledDay();
    const { book, bookmaker, session, eventId } = f;
    const all = await left();
    const settledAt = f.time.now;
    expect(await retire(f.db, settledAt + 31 * DAY_MS)).toMatchObject({ archives: 0, markets: 0, events: 0 });
    expect(await left()).toEqual(all);
    expect(await retire(f.db, settledAt + 31 * DAY_MS + 1, () => true)).toMatchObject({ markets: 0 });
    expect(await retire(f.db, settledAt + 31 * DAY_MS + 1)).toMatchObject({
      archives: 0,
      charts: 0,
      markets: 1,
      events: 0,
    });
    expect(await left()).toEqual({
      markets: [book.marketId, bookmaker.marketId],
      archives: [book.marketId],
      meta: [book.marketId],
      rounds: [book.marketId],
      events: [1, 2, eventId],
    });
    expect(session.marketId).toBeGreaterThan(book.marketId);
    expect(await retire(f.db, settledAt + 38 * DAY_MS + 1)).toMatchObject({ events: 1 });
    expect((await left()).events).toEqual([2, eventId]);
    expect((await verify(f.db)).checks.filter((check) => check.breaks > 0)).toEqual([]);
  });

  it('a result can be withdrawn for 92 days, then no more', async () => {
    await settledDay();
    const { marketId } = f.book;
    const settledAt = f.time.now;
    const withdraw = () => f.send({ type: 'market.undeclare', marketId }, { world: 'all' });
    expect(await retire(f.db, settledAt + 92 * DAY_MS)).toMatchObject({ archives: 0 });
    await withdraw();
    expect(f.core.read.openBets('real', f.anna)).toHaveLength(1);
    const result = { kind: 'winners', runnerIds: [f.book.runnerIds[0]] } as const;
    f.time.now += DAY_MS;
    await f.send(
      { type: 'market.declare', marketId, result: { ...result, runnerIds: [...result.runnerIds] } },
      { world: 'all' },
    );
    await f.send({ type: 'market.archive', marketId }, { world: 'all' });
    // The new result has its own 92 days.
    expect(await retire(f.db, settledAt + 92 * DAY_MS + 1)).toMatchObject({ archives: 0 });
    expect(await retire(f.db, settledAt + 93 * DAY_MS + 1)).toMatchObject({ archives: 2 });
    expect(await refusedWith(withdraw())).toBe('MARKET_UNKNOWN');
    expect((await verify(f.db)).checks.filter((check) => check.breaks > 0)).toEqual([]);
  });
});
