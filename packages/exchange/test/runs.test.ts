import { describe, expect, it } from 'vitest';
import { apply, createState, HOUSE, position } from '../src/exchange.ts';
import { betAmounts, quoteExposure } from '../src/quotes.ts';
import type { QuoteBet, RunMarket } from '../src/runs.ts';
import { labelRuns, runLadder, sufficientRuns, trimRuns } from '../src/runs.ts';
import type { QuoteKind, Side } from '../src/types.ts';
import { marketDef } from './site.ts';

const session: RunMarket = { kind: 'session', runners: [{ runnerId: 1 }] };

function bet(kind: QuoteKind, side: Side, line: number, price: number, stake: number, width?: number): QuoteBet {
  const q = { side, price, line, stakeMinor: stake * 100, ...(width ? { width } : {}) };
  return { runnerId: 1, ...q, ...betAmounts(kind, q) };
}
const no45 = bet('session', 'LAY', 45, 110, 1000);
const yes47 = bet('session', 'BACK', 47, 90, 2000);
const no52 = bet('session', 'LAY', 52, 100, 500);

const runs = (rows: Array<{ run: number }>) => rows.map((row) => row.run);
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
/** A list as trimRuns sees it, rows numbered from 0. */
const list = (...values: number[]) => values.map((profitMinor, run) => ({ run, profitMinor }));
const times = (n: number, value: number) => Array.from({ length: n }, () => value);

describe('session ladder, the worked example of 12.4', () => {
  it('the worst case moves 1100, 3100, 2600', () => {
    expect(quoteExposure(session, [no45])).toBe(110_000);
    expect(quoteExposure(session, [no45, yes47])).toBe(310_000);
    expect(quoteExposure(session, [no45, yes47, no52])).toBe(260_000);
  });
  it('rows 40 to 57 with the sums of the table', () => {
    const rows = runLadder(session, [no45, yes47, no52]);
    expect(runs(rows)).toEqual(numbers(40, 57));
    expect(rows.map((row) => row.profitMinor / 100)).toEqual([
      ...times(5, -500),
      ...times(2, -2600),
      ...times(5, 1200),
      ...times(6, 200),
    ]);
  });
  it('needs only the run below the lowest line and the lines', () => {
    expect(sufficientRuns(session, [no45, yes47, no52])).toEqual([44, 45, 47, 52]);
    expect(sufficientRuns(session, [bet('session', 'BACK', 0, 100, 1)])).toEqual([0]);
  });
  it('never starts under 0 and is empty without bets', () => {
    expect(runs(runLadder(session, [bet('session', 'BACK', 3, 100, 1)]))).toEqual(numbers(0, 8));
    expect(runLadder(session, [])).toEqual([]);
  });
  it('what-if adds a typed bet', () => {
    expect(runLadder(session, [no45, yes47], no52)).toEqual(runLadder(session, [no45, yes47, no52]));
  });
});

describe('the other ladders (12.5)', () => {
  it('khado, 150-5 and 153-10', () => {
    const khado: RunMarket = { kind: 'khado', runners: [{ runnerId: 1, width: 5 }] };
    const bets = [bet('khado', 'BACK', 150, 300, 100), bet('khado', 'BACK', 153, 120, 200, 10)];
    const rows = runLadder(khado, bets);
    expect(runs(rows)).toEqual(numbers(1, 172));
    const at = (run: number) => rows.find((row) => row.run === run)!.profitMinor / 100;
    expect([1, 149, 150, 152, 153, 154, 155, 162, 163, 172].map(at)).toEqual([
      -300, -300, 100, 100, 540, 540, 140, 140, -300, -300,
    ]);
    expect(quoteExposure(khado, bets)).toBe(30_000);
  });
  it('meter runs from 0 to the cap, 10 a run', () => {
    const meter: RunMarket = { kind: 'meter', cap: 420, runners: [{ runnerId: 1 }] };
    const rows = runLadder(meter, [bet('meter', 'BACK', 300, 100, 10)]);
    expect(runs(rows)).toEqual(numbers(0, 420));
    expect([0, 280, 300, 350, 420].map((run) => rows[run]!.profitMinor / 100)).toEqual([-3000, -200, 0, 500, 1200]);
    const no = runLadder(meter, [bet('meter', 'LAY', 300, 100, 10)]);
    expect(no.at(-1)).toEqual({ run: 420, profitMinor: -120_000 });
  });
});

describe('display trim', () => {
  it('[FAN-04] a list of 8 rows or fewer is whole, of either sign', () => {
    for (const rows of [
      list(),
      list(-1),
      list(...times(8, 5)),
      list(...times(8, -5)),
      list(-1, -1, 3, 3, 3, 3, 3, 3),
    ]) {
      expect(trimRuns(rows)).toEqual(rows);
    }
  });
  it('[FAN-05] the worked example keeps rows 44 to 53', () => {
    expect(runs(trimRuns(runLadder(session, [no45, yes47, no52])))).toEqual(numbers(44, 53));
  });
  it('[FAN-05] one yes at 48 keeps 47, 48, 49', () => {
    expect(runs(trimRuns(runLadder(session, [bet('session', 'BACK', 48, 100, 10)])))).toEqual([47, 48, 49]);
  });
  it('[FAN-05] a change within the first four rows: yes at 3 keeps 2, 3, 4', () => {
    expect(runs(trimRuns(runLadder(session, [bet('session', 'BACK', 3, 100, 10)])))).toEqual([2, 3, 4]);
  });
  it('[FAN-05] khado and meter lose four rows at each end too; the worst of a meter, its end, stays', () => {
    const khado: RunMarket = { kind: 'khado', runners: [{ runnerId: 1, width: 5 }] };
    const rows = runLadder(khado, [bet('khado', 'BACK', 150, 300, 100)]);
    expect(runs(trimRuns(rows))).toEqual(numbers(5, rows.length - 4));
    const meter: RunMarket = { kind: 'meter', cap: 420, runners: [{ runnerId: 1 }] };
    const up = runLadder(meter, [bet('meter', 'BACK', 300, 100, 10)]);
    expect(runs(trimRuns(up))).toEqual([0, 1, ...numbers(4, 416)]);
  });
  it('[CAR-26] all negative is not empty and shows the worst row with its neighbours', () => {
    const bets = [bet('session', 'BACK', 52, 50, 1500), bet('session', 'LAY', 46, 100, 1000)];
    const rows = runLadder(session, bets);
    expect(rows.map((row) => row.profitMinor / 100)).toEqual([
      ...times(5, -500),
      ...times(6, -2500),
      ...times(6, -250),
    ]);
    expect(runs(trimRuns(rows))).toEqual(numbers(45, 53));
  });
  it('[CAR-26] all positive loses four at each end, as long as the worst row and its neighbours are not there', () => {
    expect(runs(trimRuns(list(...times(6, 5), ...times(4, 2), ...times(6, 5))))).toEqual(numbers(4, 11));
    expect(runs(trimRuns(list(9, 1, 9, ...times(10, 9))))).toEqual([0, 1, 2, ...numbers(4, 8)]);
    expect(runs(trimRuns(list(...times(12, 0))))).toEqual(numbers(4, 7));
  });
  it.each([1, 2, 3, 4])('[CAR-26] a change at row %i of 12 keeps both its rows', (t) => {
    const shown = runs(trimRuns(list(...times(t, -1), ...times(12 - t, 1))));
    expect(shown).toEqual(numbers(t - 1, 7));
  });
  it.each([8, 9, 10, 11])('[CAR-26] a change at row %i of 12 keeps both its rows', (t) => {
    const shown = runs(trimRuns(list(...times(t, 1), ...times(12 - t, -1))));
    expect(shown).toContain(t - 1);
    expect(shown).toContain(t);
    expect(shown[0]).toBe(4);
  });
  it('[CAR-26] later changes of sign are not trimmed away', () => {
    const rows = list(...times(5, -1), ...times(3, 2), ...times(8, 3), -7, 4);
    expect(runs(trimRuns(rows))).toEqual([...numbers(4, 13), 15, 16, 17]);
  });
});

describe('labels of the ends', () => {
  it('say "or less" and "or more" only where that is true', () => {
    const rows = runLadder(session, [no45, yes47, no52]);
    const labels = labelRuns(rows, trimRuns(rows)).map((row) => row.label);
    expect([labels[0], labels[1], labels.at(-1)]).toEqual(['44 or less', '45', '53 or more']);
    const all = list(-3, ...times(4, -1), ...times(5, 1));
    expect(labelRuns(all, all.slice(3, 7)).map((row) => row.label)).toEqual(['3', '4', '5', '6 or more']);
  });
  it('nothing lies below 0', () => {
    const rows = runLadder(session, [bet('session', 'BACK', 1, 100, 1)]);
    expect(labelRuns(rows, rows).map((row) => row.label)).toEqual(['0', '1', '2', '3', '4', '5', '6 or more']);
  });
});

describe('the ladder of the house', () => {
  it('is read however many bets there are (D11)', () => {
    const state = createState();
    const send = (command: Parameters<typeof apply>[1]) => apply(state, command, 1);
    send({ type: 'market.create', market: marketDef({ kind: 'session', runners: [{ runnerId: 1, name: 'Runs' }] }) });
    const back = { price: 90, line: 40, sizeMinor: 1_000_000_000 };
    send({
      type: 'house.quotes',
      marketId: 7,
      rows: [{ runnerId: 1, back, lay: null, status: 'ACTIVE' }],
    });
    const BETS = 130_000;
    const EACH = 50;
    let betId = 0;
    for (let accountId = 100; betId < BETS; accountId++) {
      send({ type: 'account.open', accountId, currency: 'EUR', kind: 'player' });
      const reason = 'deposit' as const;
      send({ type: 'account.transfer', accountId, amountMinor: 1_000_000, reason, text: '' });
      const take = {
        type: 'quote.take',
        accountId,
        marketId: 7,
        runnerId: 1,
        side: 'BACK',
        price: 90,
        line: 40,
      } as const;
      for (let i = 0; i < EACH; i++) send({ ...take, betId: ++betId, stakeMinor: 100 });
    }
    expect(position(state, HOUSE, 7)!.runs!.find((row) => row.run === 40)!.profitMinor).toBe(-90 * BETS);
  });
});
