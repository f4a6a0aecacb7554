import { describe, expect, it } from 'vitest';
import type { QuoteBet } from '../src/quotes.ts';
import { betAmounts, quoteExposure, quoteFor, quotePosition, settleQuote } from '../src/quotes.ts';
import type { RunMarket } from '../src/runs.ts';
import type { QuoteKind, QuoteRow, Side } from '../src/types.ts';

const two: RunMarket = { kind: 'bookmaker', runners: [{ runnerId: 11 }, { runnerId: 12 }] };
const three: RunMarket = { kind: 'bookmaker', runners: [{ runnerId: 11 }, { runnerId: 12 }, { runnerId: 13 }] };

/** Stakes in whole units, as the reference writes them. */
function bet(kind: QuoteKind, side: Side, price: number, stake: number, more: Partial<QuoteBet> = {}): QuoteBet {
  const q = { side, price, stakeMinor: stake * 100, ...more };
  return { runnerId: 11, ...q, ...betAmounts(kind, q) };
}
const nets = (market: RunMarket, bets: QuoteBet[]) => quotePosition(market, bets).runners?.map((r) => r.netMinor / 100);

describe('amounts fixed at placing (12.2)', () => {
  it.each([
    ['bookmaker', 'BACK', 85, 100_000, 85_000, 100_000],
    ['bookmaker', 'LAY', 87, 100_000, 100_000, 87_000],
    ['session', 'BACK', 90, 200_000, 180_000, 200_000],
    ['session', 'LAY', 110, 100_000, 100_000, 110_000],
    ['overByover', 'LAY', 110, 100_000, 100_000, 110_000],
    ['ballByBall', 'BACK', 90, 1000, 900, 1000],
    ['khado', 'BACK', 300, 10_000, 30_000, 10_000],
    ['fancy1', 'BACK', 197, 100_000, 97_000, 100_000],
    ['fancy1', 'LAY', 197, 100_000, 100_000, 97_000],
    ['oddEven', 'BACK', 195, 60_000, 57_000, 60_000],
    ['cricketCasino', 'BACK', 950, 10_000, 85_000, 10_000],
    ['tied', 'LAY', 3400, 1000, 1000, 33_000],
    ['completed', 'BACK', 102, 299, 5, 299], // a gain is rounded down,
    ['completed', 'LAY', 102, 299, 299, 6], // a loss up
    ['bookmaker', 'BACK', 1, 199, 1, 199],
    ['bookmaker', 'LAY', 1, 101, 101, 2],
  ] as const)('%s %s at %i of %i wins %i, loses %i', (kind, side, price, stakeMinor, winMinor, lossMinor) => {
    expect(betAmounts(kind, { side, price, stakeMinor })).toEqual({ winMinor, lossMinor });
  });

  it('a meter bet fixes the extremes of the scores 0 to the cap (12.5)', () => {
    const yes = { side: 'BACK' as const, price: 100, stakeMinor: 1000, line: 300, cap: 420 };
    expect(betAmounts('meter', yes)).toEqual({ winMinor: 120_000, lossMinor: 300_000 });
    expect(betAmounts('meter', { ...yes, side: 'LAY' })).toEqual({ winMinor: 300_000, lossMinor: 120_000 });
  });
});

describe('boxes of a bookmaker row (12.3)', () => {
  const market = { kind: 'bookmaker' as const, maxStakeMinor: 90_000, runners: { length: 2 } };
  const row = (back: number, lay: number, status: QuoteRow['status'] = 'ACTIVE'): QuoteRow => ({
    runnerId: 11,
    back: { price: back, sizeMinor: 1_000_000 },
    lay: { price: lay, sizeMinor: 1_000_000 },
    status,
  });
  const prices = (m: Parameters<typeof quoteFor>[0], r: QuoteRow, side: Side) =>
    [0, 1, 2].map((box) => quoteFor(m, r, side, box)?.price ?? null);

  it('steps away from the best box, r r-1 r-2 and r r+1 r+2', () => {
    expect(prices(market, row(85, 87), 'BACK')).toEqual([85, 84, 83]);
    expect(prices(market, row(85, 87), 'LAY')).toEqual([87, 88, 89]);
  });
  it('takes a third, a half and all of the largest stake, never more than the quote offers', () => {
    const sizes = [0, 1, 2].map((box) => quoteFor(market, row(85, 87), 'BACK', box)?.sizeMinor);
    expect(sizes).toEqual([30_000, 45_000, 90_000]);
    const small = { ...row(85, 87), back: { price: 85, sizeMinor: 40_000 } };
    expect([0, 1, 2].map((box) => quoteFor(market, small, 'BACK', box)?.sizeMinor)).toEqual([30_000, 40_000, 40_000]);
  });
  it('a rate of zero or less can not be bet, nor a box that would step to zero', () => {
    expect(prices(market, row(0, 0), 'BACK')).toEqual([null, null, null]);
    expect(prices(market, row(-3, -1), 'LAY')).toEqual([null, null, null]);
    expect(prices(market, row(1, 2), 'BACK')).toEqual([1, null, null]);
    expect(prices(market, row(2, 3), 'BACK')).toEqual([2, 1, null]);
    expect(prices(market, row(3, 4), 'BACK')).toEqual([3, 2, 1]);
  });
  it('over 100 only with rateThan100, and in a two-runner market only in the best box', () => {
    expect(prices(market, row(110, 112), 'BACK')).toEqual([null, null, null]);
    expect(prices({ ...market, rateThan100: true }, row(110, 112), 'BACK')).toEqual([110, null, null]);
    expect(prices({ ...market, rateThan100: true }, row(110, 112), 'LAY')).toEqual([112, null, null]);
    const wide = { ...market, rateThan100: true, runners: { length: 3 } };
    expect(prices(wide, row(110, 112), 'LAY')).toEqual([112, 113, 114]);
  });
  it('without rateThan100 a back may be 100, a lay must stay under it', () => {
    expect(prices(market, row(100, 99), 'BACK')).toEqual([100, 99, 98]);
    expect(prices(market, row(98, 98), 'LAY')).toEqual([98, 99, null]);
    expect(prices(market, row(98, 100), 'LAY')).toEqual([null, null, null]);
  });
  it.each(['SUSPENDED', 'BALL_RUNNING', 'CLOSED'] as const)('a row that is %s offers nothing', (status) => {
    expect(prices(market, row(85, 87, status), 'BACK')).toEqual([null, null, null]);
  });
  it('there is no fourth box and none between', () => {
    expect([-1, 3, 0.5, Number.NaN].map((box) => quoteFor(market, row(85, 87), 'BACK', box))).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});

describe('quotes of the other kinds', () => {
  const line = (price: number): QuoteRow => ({
    runnerId: 1,
    back: { price, sizeMinor: 500, line: 47 },
    lay: { price, sizeMinor: 500, line: 46 },
    status: 'ACTIVE',
  });
  const market = (kind: QuoteKind) => ({ kind, maxStakeMinor: 25_000, runners: { length: 1 } });

  it('a session shows its line and both sides, in one box', () => {
    expect(quoteFor(market('session'), line(90), 'BACK', 0)).toEqual({ price: 90, sizeMinor: 500, line: 47 });
    expect(quoteFor(market('session'), line(110), 'LAY', 0)).toEqual({ price: 110, sizeMinor: 500, line: 46 });
    expect(quoteFor(market('session'), line(110), 'BACK', 1)).toBeNull();
    expect(quoteFor(market('session'), line(0), 'BACK', 0)).toBeNull();
  });
  it.each(['oddEven', 'cricketCasino', 'khado'] as const)('%s is back only', (kind) => {
    expect(quoteFor(market(kind), line(190), 'BACK', 0)?.price).toBe(190);
    expect(quoteFor(market(kind), line(190), 'LAY', 0)).toBeNull();
  });
  it('decimal kinds need more than 1.00, line kinds a line', () => {
    expect(quoteFor(market('fancy1'), line(100), 'BACK', 0)).toBeNull();
    expect(quoteFor(market('fancy1'), line(101), 'LAY', 0)?.price).toBe(101);
    const bare = { ...line(90), back: { price: 90, sizeMinor: 500 } };
    for (const kind of ['session', 'overByover', 'ballByBall', 'khado', 'meter'] as const) {
      expect(quoteFor(market(kind), bare, 'BACK', 0)).toBeNull();
    }
  });
});

describe('positions and exposure, worked examples (12.2, 12.5)', () => {
  it('bookmaker: back A at 85 and lay A at 87', () => {
    expect(nets(two, [bet('bookmaker', 'BACK', 85, 1000)])).toEqual([850, -1000]);
    expect(nets(two, [bet('bookmaker', 'LAY', 87, 1000)])).toEqual([-870, 1000]);
  });
  it('bookmaker: back 1000 at 85 and lay 1000 at 62 sets the book', () => {
    const bets = [bet('bookmaker', 'BACK', 85, 1000), bet('bookmaker', 'LAY', 62, 1000)];
    expect(nets(two, bets)).toEqual([230, 0]);
    expect(quoteExposure(two, bets)).toBe(0);
  });
  it('bookmaker, three runners: back A and lay the draw', () => {
    const bets = [bet('bookmaker', 'BACK', 85, 1000), bet('bookmaker', 'LAY', 300, 500, { runnerId: 13 })];
    expect(nets(three, bets)).toEqual([1350, -500, -2500]);
    expect(quoteExposure(three, bets)).toBe(250_000);
  });
  it('odd and even', () => {
    const market: RunMarket = { ...two, kind: 'oddEven' };
    const bets = [bet('oddEven', 'BACK', 197, 1000), bet('oddEven', 'BACK', 195, 600, { runnerId: 12 })];
    expect(quotePosition(market, bets).runs).toEqual([
      { run: 0, profitMinor: 37_000 },
      { run: 1, profitMinor: -43_000 },
    ]);
    expect(quoteExposure(market, bets)).toBe(43_000);
  });
  it('a digit that nobody backed loses every cricketCasino bet', () => {
    const market: RunMarket = {
      kind: 'cricketCasino',
      runners: Array.from({ length: 10 }, (_, digit) => ({ runnerId: 20 + digit })),
    };
    const bets = [
      bet('cricketCasino', 'BACK', 950, 100, { runnerId: 23 }),
      bet('cricketCasino', 'BACK', 900, 200, { runnerId: 27 }),
    ];
    const runs = quotePosition(market, bets).runs!;
    expect(runs.map((row) => row.profitMinor / 100)).toEqual([
      -300, -300, -300, 650, -300, -300, -300, 1500, -300, -300,
    ]);
    expect(quoteExposure(market, bets)).toBe(30_000);
  });
  it('a yes/no market is a table of its two runners, and of one runner when there is one', () => {
    const tied: RunMarket = { ...two, kind: 'tied' };
    const bets = [bet('tied', 'BACK', 3400, 10), bet('tied', 'LAY', 103, 100, { runnerId: 12 })];
    expect(quotePosition(tied, bets).runners).toEqual([
      { runnerId: 11, winMinor: 33_000, loseMinor: -1000, netMinor: 43_000 },
      { runnerId: 12, winMinor: -300, loseMinor: 10_000, netMinor: -1300 },
    ]);
    expect(quoteExposure(tied, bets)).toBe(1300);
    const fancy: RunMarket = { kind: 'fancy1', runners: [{ runnerId: 11 }] };
    const no = [bet('fancy1', 'LAY', 250, 40)];
    expect(quotePosition(fancy, no).runners).toEqual([
      { runnerId: 11, winMinor: -6000, loseMinor: 4000, netMinor: -6000 },
    ]);
    expect(quoteExposure(fancy, no)).toBe(6000);
  });
  it('no bets, no exposure, in any kind', () => {
    for (const kind of ['bookmaker', 'session', 'khado', 'meter', 'oddEven', 'fancy1', 'cricketCasino'] as const) {
      expect(quoteExposure({ ...two, kind }, [])).toBe(0);
    }
  });
});

describe('settlement of one bet (12.8)', () => {
  const session: RunMarket = { kind: 'session', runners: [{ runnerId: 11 }] };
  const yes47 = bet('session', 'BACK', 90, 2000, { line: 47 });
  const no45 = bet('session', 'LAY', 110, 1000, { line: 45 });

  it('session: yes from the line up, no below it', () => {
    expect(settleQuote(session, yes47, { kind: 'score', score: 47 })).toEqual({ result: 'WIN', profitMinor: 180_000 });
    expect(settleQuote(session, yes47, { kind: 'score', score: 46 })).toEqual({
      result: 'LOSS',
      profitMinor: -200_000,
    });
    expect(settleQuote(session, no45, { kind: 'score', score: 45 })).toEqual({ result: 'LOSS', profitMinor: -110_000 });
    expect(settleQuote(session, no45, { kind: 'score', score: 44 })).toEqual({ result: 'WIN', profitMinor: 100_000 });
  });
  it('meter: so much a run, level at the line, bounded by the cap', () => {
    const meter: RunMarket = { kind: 'meter', cap: 420, runners: [{ runnerId: 11 }] };
    const yes = bet('meter', 'BACK', 100, 10, { line: 300 });
    const no = bet('meter', 'LAY', 100, 10, { line: 300 });
    expect(settleQuote(meter, yes, { kind: 'score', score: 280 })).toEqual({ result: 'LOSS', profitMinor: -20_000 });
    expect(settleQuote(meter, yes, { kind: 'score', score: 350 })).toEqual({ result: 'WIN', profitMinor: 50_000 });
    expect(settleQuote(meter, no, { kind: 'score', score: 350 })).toEqual({ result: 'LOSS', profitMinor: -50_000 });
    expect(settleQuote(meter, yes, { kind: 'score', score: 300 })).toEqual({ result: 'TIE', profitMinor: 0 });
    expect(settleQuote(meter, yes, { kind: 'score', score: 900 }).profitMinor).toBe(120_000);
  });
  it('khado: inside the row', () => {
    const khado: RunMarket = { kind: 'khado', runners: [{ runnerId: 11, width: 5 }] };
    const row = bet('khado', 'BACK', 300, 100, { line: 150 });
    const at = (score: number) => settleQuote(khado, row, { kind: 'score', score }).profitMinor;
    expect([149, 150, 154, 155].map(at)).toEqual([-10_000, 30_000, 30_000, -10_000]);
  });
  it('zero is even, the last digit counts', () => {
    const parity: RunMarket = { ...two, kind: 'oddEven' };
    const even = bet('oddEven', 'BACK', 195, 1, { runnerId: 12 });
    expect(settleQuote(parity, even, { kind: 'score', score: 0 }).result).toBe('WIN');
    expect(settleQuote(parity, even, { kind: 'score', score: 57 }).result).toBe('LOSS');
    const digits: RunMarket = {
      kind: 'cricketCasino',
      runners: Array.from({ length: 10 }, (_, i) => ({ runnerId: 11 + i })),
    };
    expect(settleQuote(digits, bet('cricketCasino', 'BACK', 950, 1), { kind: 'score', score: 170 }).result).toBe('WIN');
  });
  it('a tie gives the stake back, except that it is the yes of a tied-match market', () => {
    expect(settleQuote(two, bet('bookmaker', 'BACK', 85, 10), { kind: 'tie' })).toEqual({
      result: 'TIE',
      profitMinor: 0,
    });
    expect(settleQuote(two, bet('bookmaker', 'LAY', 85, 10), { kind: 'winners', runnerIds: [11, 12] }).result).toBe(
      'TIE',
    );
    expect(settleQuote({ ...two, kind: 'tied' }, bet('tied', 'BACK', 3400, 10), { kind: 'tie' }).result).toBe('WIN');
    expect(settleQuote(session, yes47, { kind: 'tie' })).toEqual({ result: 'TIE', profitMinor: 0 });
  });
  it('a void pays nobody', () => {
    expect(settleQuote(session, yes47, { kind: 'void', reason: 'No ball bowled' })).toEqual({
      result: 'VOID',
      profitMinor: 0,
    });
  });
  it('a result that does not fit the market is thrown back', () => {
    expect(() => settleQuote(session, yes47, { kind: 'winners', runnerIds: [11] })).toThrow(RangeError);
    expect(() => settleQuote(two, bet('bookmaker', 'BACK', 85, 10), { kind: 'winners', runnerIds: [99] })).toThrow(
      RangeError,
    );
    expect(() => settleQuote(two, bet('bookmaker', 'BACK', 85, 10), { kind: 'score', score: 3 })).toThrow(RangeError);
    expect(() => settleQuote(session, yes47, { kind: 'score', score: -1 })).toThrow(RangeError);
  });
});
