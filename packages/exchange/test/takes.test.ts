import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command, MarketDef, PlacedTake, Quote, QuoteRow, RefusalCode } from '../src/exchange.ts';
import {
  apply,
  betOf,
  HOUSE,
  hashState,
  marketView,
  position,
  quoteRows,
  restore,
  snapshot,
  wallet,
} from '../src/exchange.ts';
import { ANN, BOB, betIn, MARKET, marketDef, of, runners, Site, T0 } from './site.ts';

type Take = Extract<Command, { type: 'quote.take' }>;

function row(
  runnerId: number,
  back: Quote | null,
  lay: Quote | null = null,
  status: QuoteRow['status'] = 'ACTIVE',
): QuoteRow {
  return { runnerId, back, lay, status };
}

function quote(s: Site, ...rows: QuoteRow[]) {
  return s.go({ type: 'house.quotes', marketId: MARKET, rows });
}

function take(s: Site, over: Partial<Take>): Take {
  return {
    type: 'quote.take',
    betId: s.lastBetId + 1,
    accountId: ANN,
    marketId: MARKET,
    runnerId: 1,
    side: 'BACK',
    price: 85,
    stakeMinor: 100_000,
    ...over,
  };
}

function go(s: Site, over: Partial<Take>): number {
  const command = take(s, over);
  s.go(command);
  s.lastBetId = command.betId;
  return command.betId;
}

function bookmaker(over: Partial<MarketDef> = {}): Site {
  const s = new Site(2, 1_000_000);
  s.market({ kind: 'bookmaker', name: 'Bookmaker', runners: runners(2), maxStakeMinor: 300_000, ...over });
  quote(
    s,
    row(1, { price: 85, sizeMinor: 300_000 }, { price: 87, sizeMinor: 300_000 }),
    row(2, null, null, 'SUSPENDED'),
  );
  return s;
}

function session(over: Partial<MarketDef> = {}): Site {
  const s = new Site(2, 1_000_000);
  s.market({ kind: 'session', name: '6 over runs', runners: runners(1), ...over });
  quote(s, row(1, { price: 90, sizeMinor: 500_000, line: 47 }, { price: 110, sizeMinor: 500_000, line: 45 }));
  return s;
}

describe('a bet on a bookmaker quote', () => {
  it('is taken whole; back 1000 at 85 stands +850 / -1000, the house has the other side (reference 12.2)', () => {
    const s = bookmaker();
    const id = go(s, {});
    expect(betOf(s.state, id)).toMatchObject({
      kind: 'quote',
      matchedMinor: 100_000,
      remainingMinor: 0,
      status: 'COMPLETE',
      result: 'PENDING',
      winMinor: 85_000,
      lossMinor: 100_000,
      box: 0,
    });
    expect(position(s.state, ANN, MARKET)!.runners!.map((one) => one.netMinor)).toEqual([85_000, -100_000]);
    expect(position(s.state, HOUSE, MARKET)!.runners!.map((one) => one.netMinor)).toEqual([-85_000, 100_000]);
    expect(wallet(s.state, ANN)!.exposureMinor).toBe(100_000);
  });

  it('set book: 1000 at 85, then lay 1000 at 62 leaves 230 and 0', () => {
    const s = bookmaker();
    go(s, {});
    quote(s, row(1, null, { price: 62, sizeMinor: 300_000 }));
    go(s, { side: 'LAY', price: 62 });
    expect(position(s.state, ANN, MARKET)!.runners!.map((one) => one.netMinor)).toEqual([23_000, 0]);
    expect(wallet(s.state, ANN)!.exposureMinor).toBe(0);
  });

  it('boxes: one worse a box, a third and a half of the limit', () => {
    const s = bookmaker();
    s.refused(take(s, { box: 1, price: 85 }), 'PRICE_CHANGED');
    go(s, { box: 1, price: 84 });
    go(s, { box: 2, price: 83 });
    go(s, { box: 2, price: 89, side: 'LAY' });
    s.refused(take(s, { box: 0, stakeMinor: 100_001 }), 'STAKE_TOO_LARGE', 'stakeMinor');
    s.refused(take(s, { box: 1, price: 84, stakeMinor: 150_001 }), 'STAKE_TOO_LARGE');
    s.refused(take(s, { box: 3 }), 'PRICE_INVALID', 'box');
  });

  it('a quote is one offer to all takers: what they take of it in any box is gone until it is told again', () => {
    const s = bookmaker();
    const shown = () => quoteRows(s.state, MARKET)!.find((one) => one.runnerId === 1)!;
    const events = s.go(take(s, { stakeMinor: 90_000 }));
    s.lastBetId += 1;
    expect(of(events, 'quotes')).toEqual([{ type: 'quotes', marketId: MARKET, rows: [shown()] }]);
    expect(shown()).toMatchObject({ back: { sizeMinor: 210_000 }, lay: { sizeMinor: 300_000 } });
    go(s, { accountId: BOB, box: 2, price: 83, stakeMinor: 180_000 });
    expect(shown().back).toEqual({ price: 85, sizeMinor: 30_000 });
    const second = s.refused(take(s, { box: 2, price: 83, stakeMinor: 30_001 }), 'STAKE_TOO_LARGE', 'stakeMinor');
    expect(second.current).toEqual({ sizeMinor: 30_000 });
    // The other side and the other rows are offers of their own.
    go(s, { side: 'LAY', price: 87 });
    go(s, { stakeMinor: 30_000 });
    expect(shown().back).toEqual({ price: 85, sizeMinor: 0 });
    s.refused(take(s, { stakeMinor: 100 }), 'PRICE_CHANGED', 'price');
    expect(hashState(restore(JSON.parse(JSON.stringify(snapshot(s.state)))))).toBe(hashState(s.state));
    quote(s, row(1, { price: 85, sizeMinor: 300_000 }));
    go(s, {});
  });

  it('a rest too small for any bet is not offered', () => {
    const s = bookmaker({ minStakeMinor: 5000 });
    go(s, { box: 2, price: 83, stakeMinor: 295_001 });
    expect(quoteRows(s.state, MARKET)![0]!.back).toEqual({ price: 85, sizeMinor: 0 });
  });

  it('says what the price is now when it moved', () => {
    const s = bookmaker();
    expect(s.refused(take(s, { price: 86 }), 'PRICE_CHANGED', 'price').current).toEqual({ price: 85 });
  });

  it('zero rate, rate over 100, suspended and unknown rows', () => {
    const s = bookmaker();
    quote(s, row(1, { price: 0, sizeMinor: 300_000 }, { price: 110, sizeMinor: 300_000 }));
    s.refused(take(s, { price: 0 }), 'PRICE_CHANGED');
    s.refused(take(s, { side: 'LAY', price: 110 }), 'PRICE_CHANGED');
    s.refused(take(s, { runnerId: 2 }), 'RUNNER_SUSPENDED');
    s.refused(take(s, { runnerId: 9 }), 'RUNNER_UNKNOWN');
    const over = bookmaker({ rateThan100: true });
    quote(over, row(1, { price: 108, sizeMinor: 300_000 }, { price: 110, sizeMinor: 300_000 }));
    go(over, { side: 'LAY', price: 110 });
  });

  it('three runners: back A 1000 at 85, lay the draw 500 at 300 holds 2500', () => {
    const s = bookmaker({ runners: runners(3), rateThan100: true });
    quote(s, row(3, null, { price: 300, sizeMinor: 300_000 }));
    go(s, {});
    go(s, { runnerId: 3, side: 'LAY', price: 300, stakeMinor: 50_000 });
    expect(position(s.state, ANN, MARKET)!.runners!.map((one) => one.netMinor)).toEqual([135_000, -50_000, -250_000]);
    expect(wallet(s.state, ANN)!.exposureMinor).toBe(250_000);
  });

  it('settles, and undeclare restores', () => {
    const s = bookmaker({ commissionBps: 100 });
    const id = go(s, {});
    const before = [wallet(s.state, ANN), wallet(s.state, HOUSE)];
    s.go({ type: 'market.declare', marketId: MARKET, result: { kind: 'winners', runnerIds: [1] } });
    expect(betOf(s.state, id)).toMatchObject({ result: 'WIN', profitMinor: 85_000 });
    expect(wallet(s.state, ANN)!.balanceMinor).toBe(1_000_000 + 85_000 - 850);
    expect(wallet(s.state, HOUSE)!.balanceMinor).toBe(-85_000);
    s.go({ type: 'market.undeclare', marketId: MARKET });
    expect([wallet(s.state, ANN), wallet(s.state, HOUSE)]).toEqual(before);
    s.go({ type: 'market.declare', marketId: MARKET, result: { kind: 'tie' } });
    expect(betOf(s.state, id)).toMatchObject({ result: 'TIE', profitMinor: 0 });
  });

  it('a removed runner: its bets are void, the others stand', () => {
    const s = bookmaker({ runners: runners(3), removable: true });
    quote(s, row(2, { price: 50, sizeMinor: 300_000 }));
    const gone = go(s, {});
    const stays = go(s, { runnerId: 2, price: 50 });
    s.go({ type: 'runner.remove', marketId: MARKET, runnerId: 1, factor: 3000 });
    expect(betOf(s.state, gone)).toMatchObject({ result: 'VOID', voidedMinor: 100_000 });
    expect(betOf(s.state, stays)).toMatchObject({ result: 'PENDING', price: 50 });
    expect(wallet(s.state, ANN)!.exposureMinor).toBe(100_000);
  });
});

describe('a bet on a session', () => {
  it('the worked example of three bets, and its result (reference 12.4)', () => {
    const s = session({ maxStakeMinor: 500_000 });
    go(s, { side: 'LAY', price: 110, line: 45 });
    expect(wallet(s.state, ANN)!.exposureMinor).toBe(110_000);
    go(s, { price: 90, line: 47, stakeMinor: 200_000 });
    expect(wallet(s.state, ANN)!.exposureMinor).toBe(310_000);
    quote(s, row(1, null, { price: 100, sizeMinor: 500_000, line: 52 }));
    go(s, { side: 'LAY', price: 100, line: 52, stakeMinor: 50_000 });
    expect(wallet(s.state, ANN)!.exposureMinor).toBe(260_000);
    expect(position(s.state, ANN, MARKET)!.runs!.find((one) => one.run === 50)!.profitMinor).toBe(120_000);
    s.go({ type: 'market.declare', marketId: MARKET, result: { kind: 'score', score: 57 } });
    expect(wallet(s.state, ANN)).toEqual({
      balanceMinor: 1_020_000,
      exposureMinor: 0,
      heldMinor: 0,
      availableMinor: 1_020_000,
    });
  });

  it('the line must be the current one', () => {
    const s = session();
    expect(s.refused(take(s, { price: 90, line: 46 }), 'LINE_CHANGED', 'line').current).toEqual({
      price: 90,
      line: 47,
    });
    s.refused(take(s, { price: 90 }), 'LINE_CHANGED');
    s.refused(take(s, { price: 91, line: 47 }), 'PRICE_CHANGED');
  });

  const several = (s: Site, ...takes: Array<Partial<PlacedTake>>) => ({
    type: 'quotes.take' as const,
    betId: s.lastBetId + 1,
    accountId: ANN,
    marketId: MARKET,
    takes: takes.map((one) => ({
      runnerId: 1,
      side: 'BACK' as const,
      price: 90,
      stakeMinor: 100_000,
      line: 47,
      ...one,
    })),
  });

  it('several in one command go behind one another; whom the quote does not take is killed and the others stand', () => {
    const s = session({ maxStakeMinor: 400_000 });
    const lay = { side: 'LAY', price: 110, line: 45 } as const;
    const command = several(s, { stakeMinor: 300_000 }, { line: 48 }, { stakeMinor: 300_000 }, {}, lay, {
      ...lay,
      price: 109,
    });
    const events = s.go(command);
    const is = (betId: number) => {
      const { status, endCode, matchedMinor, cancelledMinor, result } = betIn(events, betId);
      return [status, endCode, matchedMinor, cancelledMinor, result];
    };
    expect([1, 2, 3, 4, 5, 6].map(is)).toEqual([
      ['COMPLETE', undefined, 300_000, 0, 'PENDING'],
      ['COMPLETE', 'KILLED', 0, 100_000, 'VOID'],
      ['COMPLETE', 'KILLED', 0, 300_000, 'VOID'],
      ['COMPLETE', undefined, 100_000, 0, 'PENDING'],
      ['COMPLETE', undefined, 100_000, 0, 'PENDING'],
      ['COMPLETE', 'KILLED', 0, 100_000, 'VOID'],
    ]);
    expect(quoteRows(s.state, MARKET)![0]).toMatchObject({ back: { sizeMinor: 100_000 }, lay: { sizeMinor: 400_000 } });
    expect(wallet(s.state, ANN)!.exposureMinor).toBe(510_000);
    s.go({ type: 'market.declare', marketId: MARKET, result: { kind: 'score', score: 50 } });
    expect(wallet(s.state, ANN)!.balanceMinor).toBe(1_000_000 + 360_000 - 110_000);
  });

  it('are none of them there where one may not be, or together they cost too much; in play they wait one by one', () => {
    const s = session({ maxStakeMinor: 500_000, maxBets: 3 });
    const refused = (command: ReturnType<typeof several>, code: RefusalCode, field?: string) =>
      s.refused(command, code, field);
    refused(several(s), 'BAD_INPUT', 'takes');
    refused(several(s, ...Array.from({ length: 201 }, () => ({}))), 'BAD_INPUT', 'takes');
    refused(several(s, {}, { runnerId: 9 }), 'RUNNER_UNKNOWN', 'takes.1.runnerId');
    refused(several(s, {}, { stakeMinor: 500_001 }), 'STAKE_TOO_LARGE', 'takes.1.stakeMinor');
    refused(several(s, {}, { line: -1 }), 'BAD_INPUT', 'takes.1.line');
    refused(several(s, {}, { price: 0.5 }), 'PRICE_INVALID', 'takes.1.price');
    refused(several(s, {}, {}, {}, {}), 'BET_LIMIT');
    s.fund(ANN, -850_000);
    refused(several(s, {}, {}), 'INSUFFICIENT_FUNDS');
    s.refused({ ...several(bookmaker(), {}), betId: 1, marketId: 99 }, 'MARKET_UNKNOWN');
    const other = bookmaker();
    other.refused(several(other, {}), 'WRONG_KIND', 'marketId');

    const live = session({ inPlay: true, betDelayMs: 3000, maxStakeMinor: 500_000 });
    const [first, late] = [several(live, { stakeMinor: 400_000 }, { stakeMinor: 200_000 }, { line: 46 }).betId, 2];
    live.go(several(live, { stakeMinor: 400_000 }, { stakeMinor: 200_000 }, { line: 46 }));
    expect(betOf(live.state, first)).toMatchObject({ status: 'PENDING' });
    expect(betOf(live.state, 3)).toMatchObject({ endCode: 'KILLED' });
    expect(wallet(live.state, ANN)!.exposureMinor).toBe(600_000);
    const events = live.wait(3000);
    expect(betIn(events, first)).toMatchObject({ matchedMinor: 400_000 });
    expect(betIn(events, late)).toMatchObject({ endCode: 'LAPSED_PRICE' });
    expect(wallet(live.state, ANN)!.exposureMinor).toBe(400_000);
  });

  it('deleting a bet is as if it had never been placed', () => {
    const s = session();
    go(s, { side: 'LAY', price: 110, line: 45 });
    const held = wallet(s.state, ANN);
    const id = go(s, { price: 90, line: 47 });
    s.go({ type: 'bets.void', marketId: MARKET, betIds: [id], reason: 'After the ball' });
    expect(wallet(s.state, ANN)).toEqual(held);
    expect(betOf(s.state, id)).toMatchObject({ result: 'UNDECLARE', reason: 'After the ball' });
  });

  it('limits: stake, number of bets, market exposure, funds', () => {
    const s = session({ minStakeMinor: 1000, maxStakeMinor: 400_000, maxBets: 2, maxExposureMinor: 300_000 });
    s.refused(take(s, { price: 90, line: 47, stakeMinor: 999 }), 'STAKE_TOO_SMALL');
    s.refused(take(s, { price: 90, line: 47, stakeMinor: 400_001 }), 'STAKE_TOO_LARGE');
    s.refused(take(s, { price: 90, line: 47, stakeMinor: 300_001 }), 'MARKET_EXPOSURE_LIMIT');
    go(s, { price: 90, line: 47 });
    go(s, { price: 90, line: 47 });
    s.refused(take(s, { price: 90, line: 47 }), 'BET_LIMIT');
    s.go({ type: 'market.state', marketId: MARKET, limits: { minStakeMinor: 1, maxStakeMinor: 10 } });
    s.refused(take(s, { price: 90, line: 47, accountId: BOB }), 'STAKE_TOO_LARGE');
    const poor = new Site(1, 1000);
    poor.market({ kind: 'session', runners: runners(1) });
    quote(poor, row(1, { price: 90, sizeMinor: 500_000, line: 47 }));
    poor.refused(take(poor, { price: 90, line: 47, stakeMinor: 1001 }), 'INSUFFICIENT_FUNDS');
  });

  it('[INV-14] in play: waits, then stands only at the same quote', () => {
    const s = session({ inPlay: true, betDelayMs: 3000 });
    const stands = go(s, { price: 90, line: 47 });
    expect(betOf(s.state, stands)).toMatchObject({ status: 'PENDING', remainingMinor: 100_000 });
    expect(wallet(s.state, ANN)!.exposureMinor).toBe(100_000);
    s.wait(3000);
    expect(betOf(s.state, stands)).toMatchObject({ status: 'COMPLETE', matchedMinor: 100_000 });
    const lapses = go(s, { price: 90, line: 47 });
    quote(s, row(1, { price: 90, sizeMinor: 500_000, line: 48 }));
    const events = s.wait(3000);
    expect(betIn(events, lapses)).toMatchObject({ lapsedMinor: 100_000, endCode: 'LAPSED_PRICE', result: 'VOID' });
    expect(wallet(s.state, ANN)!.exposureMinor).toBe(100_000);
  });

  it('bets that wait take nothing of the quote yet: who comes after it is gone lapses', () => {
    const s = session({ inPlay: true, betDelayMs: 3000, maxStakeMinor: 500_000 });
    const first = go(s, { price: 90, line: 47, stakeMinor: 400_000 });
    const late = go(s, { accountId: BOB, price: 90, line: 47, stakeMinor: 200_000 });
    const events = s.wait(3000);
    expect(betIn(events, first)).toMatchObject({ matchedMinor: 400_000 });
    expect(betIn(events, late)).toMatchObject({
      lapsedMinor: 200_000,
      endCode: 'LAPSED_PRICE',
      reason: 'Others took the price during the delay',
    });
    expect(quoteRows(s.state, MARKET)![0]!.back!.sizeMinor).toBe(100_000);
  });

  it('[INV-06] a delayed bet frees no money: it may still lapse', () => {
    const s = session({ inPlay: true, betDelayMs: 3000 });
    go(s, { price: 90, line: 47 });
    s.wait(3000);
    go(s, { side: 'LAY', price: 110, line: 45 });
    // Waiting: the worst of both with and without it.
    expect(wallet(s.state, ANN)!.exposureMinor).toBe(210_000);
    s.wait(3000);
    expect(wallet(s.state, ANN)!.exposureMinor).toBe(210_000);
  });

  it('[INV-15] a suspension ends waiting bets', () => {
    const s = session({ inPlay: true, betDelayMs: 3000 });
    const id = go(s, { price: 90, line: 47 });
    s.go({ type: 'market.state', marketId: MARKET, status: 'SUSPENDED', reason: 'Ball running' });
    expect(betOf(s.state, id)!.endCode).toBe('LAPSED_SUSPENDED');
    s.refused(take(s, { price: 90, line: 47 }), 'MARKET_SUSPENDED');
    expect(of(s.wait(5000), 'bet')).toEqual([]);
  });
});

describe('rows of a quoted market', () => {
  it('unknown rows are added with their names; a khado row says its width in a field (D9)', () => {
    const s = new Site(1, 1_000_000);
    s.market({ kind: 'khado', name: 'Khado', runners: [] });
    const bare = row(4, { price: 300, sizeMinor: 100_000, line: 150 });
    s.refused({ type: 'house.quotes', marketId: MARKET, rows: [bare] }, 'MARKET_INVALID', 'width');
    const rows = [{ ...bare, width: 5 }];
    s.go({ type: 'house.quotes', marketId: MARKET, rows, names: { 4: '10 over khado-5' } });
    expect(marketView(s.state, MARKET)!.runners).toEqual([
      { runnerId: 4, name: '10 over khado-5', width: 5, status: 'ACTIVE' },
    ]);
    go(s, { runnerId: 4, price: 300, line: 150, stakeMinor: 10_000 });
    s.go({ type: 'market.declare', marketId: MARKET, result: { kind: 'score', score: 154 } });
    expect(wallet(s.state, ANN)!.balanceMinor).toBe(1_030_000);
    s.refused({ type: 'house.quotes', marketId: MARKET, rows }, 'MARKET_CLOSED');
  });

  it('[INV-05] [INV-10] a new bookmaker row is a new outcome: exposures follow, and nobody may be left short (D3)', () => {
    const rows = [1, 2, 3].map((id) =>
      row(id, { price: 100, sizeMinor: 1_000_000 }, { price: 101, sizeMinor: 1_000_000 }),
    );
    const s = new Site(2, 1_000_000);
    s.market({ kind: 'bookmaker', runners: runners(2), rateThan100: true, maxStakeMinor: 3_000_000 });
    s.go({ type: 'house.quotes', marketId: MARKET, rows: rows.slice(0, 2) });
    for (const runnerId of [1, 2]) go(s, { runnerId, price: 100, stakeMinor: 300_000 });
    expect(wallet(s.state, ANN)!.exposureMinor).toBe(0);
    s.go({ type: 'house.quotes', marketId: MARKET, rows: [rows[2]!] });
    expect(wallet(s.state, ANN)).toMatchObject({ exposureMinor: 600_000, availableMinor: 400_000 });
    const back = restore(JSON.parse(JSON.stringify(snapshot(s.state))));
    expect(hashState(back)).toBe(hashState(s.state));

    const broke = new Site(2, 300_000);
    broke.market({ kind: 'bookmaker', runners: runners(2), rateThan100: true, maxStakeMinor: 3_000_000 });
    broke.go({ type: 'house.quotes', marketId: MARKET, rows: rows.slice(0, 2) });
    for (const runnerId of [1, 2]) go(broke, { runnerId, price: 100, stakeMinor: 300_000 });
    broke.refused({ type: 'house.quotes', marketId: MARKET, rows: [rows[2]!] }, 'INSUFFICIENT_FUNDS', 'rows');
    expect(marketView(broke.state, MARKET)!.runners).toHaveLength(2);
  });

  it('[INV-06] a new bookmaker row leaves nobody short by what waits as a group either: it may yet go', () => {
    const rows = [1, 2, 3].map((id) =>
      row(id, { price: 100, sizeMinor: 1_000_000 }, { price: 101, sizeMinor: 1_000_000 }),
    );
    const s = new Site(2, 300_000);
    s.market({ kind: 'bookmaker', runners: runners(2), rateThan100: true, inPlay: true, maxStakeMinor: 3_000_000 });
    s.go({ type: 'house.quotes', marketId: MARKET, rows: rows.slice(0, 2) });
    go(s, { runnerId: 1, price: 100, stakeMinor: 300_000 });
    s.go({ type: 'market.state', marketId: MARKET, betDelayMs: 3000 });
    const legs = [{ runnerId: 2, side: 'BACK' as const, price: 100, sizeMinor: 300_000 }];
    s.go({ type: 'bets.hedge', betId: ++s.lastBetId, accountId: ANN, marketId: MARKET, legs, cancel: false });
    expect(wallet(s.state, ANN)).toMatchObject({ exposureMinor: 300_000, availableMinor: 0 });
    s.refused({ type: 'house.quotes', marketId: MARKET, rows: [rows[2]!] }, 'INSUFFICIENT_FUNDS', 'rows');
    s.wait(3000);
    expect(wallet(s.state, ANN)!.availableMinor).toBe(300_000);
  });

  it('[INV-05] a bookmaker market has no more rows than its sums have room for: beyond, no removal would be held for', () => {
    const s = new Site(2);
    s.market({ kind: 'bookmaker', runners: runners(2), removable: true });
    const rows = Array.from({ length: 401 }, (_, i) => row(i + 1, { price: 90, sizeMinor: 100_000 }, null));
    const told = (some: QuoteRow[]): Command => ({ type: 'house.quotes', marketId: MARKET, rows: some });
    s.refused(told(rows), 'MARKET_INVALID', 'rows');
    s.go(told(rows.slice(0, 400)));
    s.go(told(rows.slice(0, 400)));
    s.refused(told(rows.slice(400)), 'MARKET_INVALID', 'rows');
  });

  it('the width of a khado row is a field: its name and its place mean nothing (D9)', () => {
    const s = new Site(1, 1_000_000);
    s.market({ kind: 'khado', runners: [{ runnerId: 1, name: 'Wicket-5', width: 5 }] });
    const rows = [row(1, { price: 300, sizeMinor: 100_000, line: 150 })];
    s.go({ type: 'house.quotes', marketId: MARKET, rows, names: { 1: 'Wicket-10' } });
    go(s, { runnerId: 1, price: 300, line: 150, stakeMinor: 100 });
    s.go({ type: 'house.quotes', marketId: MARKET, rows: [{ ...rows[0]!, width: 10 }] });
    go(s, { runnerId: 1, price: 300, line: 150, stakeMinor: 100 });
    expect(marketView(s.state, MARKET)!.runners[0]).toMatchObject({ name: 'Wicket-10', width: 10 });
    s.go({ type: 'market.declare', marketId: MARKET, result: { kind: 'score', score: 156 } });
    expect([betOf(s.state, 1)!.result, betOf(s.state, 2)!.result]).toEqual(['LOSS', 'WIN']);
  });

  it.each([
    ['fancy1', { stands: 'no' }, { stands: 'yes' }, { kind: 'yes', yes: true }],
    ['oddEven', { stands: 'even' }, { stands: 'odd' }, { kind: 'score', score: 7 }],
    ['cricketCasino', { digit: 3 }, { digit: 7 }, { kind: 'score', score: 157 }],
  ] as const)('%s: what a row stands for is a field, not its place (D9)', (kind, first, second, result) => {
    const s = new Site(1, 1_000_000);
    s.market({
      kind,
      runners: [
        { runnerId: 1, name: 'A', ...first },
        { runnerId: 2, name: 'B', ...second },
      ],
    });
    const price = { price: 200, sizeMinor: 100_000 };
    quote(s, row(1, price), row(2, price));
    for (const runnerId of [1, 2]) go(s, { runnerId, price: 200, stakeMinor: 1000 });
    s.go({ type: 'market.declare', marketId: MARKET, result });
    expect([betOf(s.state, 1)!.result, betOf(s.state, 2)!.result]).toEqual(['LOSS', 'WIN']);
    expect(marketView(s.state, MARKET)!.runners.map((one) => one.status)).toEqual(['LOSER', 'WINNER']);
    for (const bad of [
      [{ runnerId: 1, name: 'A' }],
      [
        { runnerId: 1, name: 'A', ...first },
        { runnerId: 2, name: 'B', ...first },
      ],
    ])
      s.refused(
        { type: 'market.create', market: marketDef({ marketId: 9, kind, runners: bad }) },
        'MARKET_INVALID',
        'runners',
      );
  });

  it('a bookmaker market has one winner and no dead heat (D9)', () => {
    const s = new Site(0);
    const create = (over: Partial<MarketDef>) => ({
      type: 'market.create' as const,
      market: marketDef({ kind: 'bookmaker', ...over }),
    });
    s.refused(create({ winners: 2 }), 'MARKET_INVALID', 'winners');
    s.refused(create({ tieRule: 'DEAD_HEAT' }), 'MARKET_INVALID', 'tieRule');
  });

  it('are replaced one by one and read back as copies', () => {
    const s = bookmaker();
    quote(s, row(2, { price: 20, sizeMinor: 100 }));
    const rows = quoteRows(s.state, MARKET);
    rows[0]!.back!.price = 1;
    expect(quoteRows(s.state, MARKET).map((one) => one.back?.price)).toEqual([85, 20]);
    s.refused({ type: 'house.quotes', marketId: MARKET, rows: [row(1, { price: -1, sizeMinor: 1 })] }, 'PRICE_INVALID');
    s.refused(
      { type: 'house.quotes', marketId: MARKET, rows: [row(1, { price: 1, sizeMinor: Number.NaN })] },
      'PRICE_INVALID',
    );
    s.refused({ type: 'house.book', marketId: MARKET, runners: [] }, 'WRONG_KIND');
    s.refused(s.order(ANN, 1, 'BACK', 300, 100), 'WRONG_KIND');
  });
});

describe('quoted markets at random', () => {
  it('[INV-05] [INV-06] money is covered at every step and nobody loses more than was held', () => {
    const step = fc.record({
      side: fc.constantFrom('BACK' as const, 'LAY' as const),
      line: fc.integer({ min: 40, max: 60 }),
      rate: fc.integer({ min: 50, max: 130 }),
      stake: fc.integer({ min: 1, max: 60_000 }),
      account: fc.integer({ min: ANN, max: BOB }),
      wait: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), fc.integer({ min: 30, max: 70 }), (steps, score) => {
        const s = new Site(2, 100_000);
        s.market({ kind: 'session', runners: runners(1), inPlay: true, betDelayMs: 1000 });
        let betId = 0;
        for (const { side, line, rate, stake, account, wait } of steps) {
          quote(s, row(1, { price: rate, sizeMinor: 100_000, line }, { price: rate, sizeMinor: 100_000, line }));
          apply(
            s.state,
            take(s, { betId: ++betId, accountId: account, side, price: rate, line, stakeMinor: stake }),
            s.now,
          );
          if (wait) s.wait(1000);
          for (const id of [ANN, BOB]) expect(wallet(s.state, id)!.availableMinor).toBeGreaterThanOrEqual(0);
        }
        s.wait(1000);
        const held = new Map([ANN, BOB].map((id) => [id, wallet(s.state, id)!]));
        s.go({ type: 'market.declare', marketId: MARKET, result: { kind: 'score', score } });
        let sum = 0;
        for (const [id, before] of held) {
          const after = wallet(s.state, id)!;
          expect(after.exposureMinor).toBe(0);
          expect(before.balanceMinor - after.balanceMinor).toBeLessThanOrEqual(before.exposureMinor);
          sum += after.balanceMinor - before.balanceMinor;
        }
        expect(wallet(s.state, HOUSE)!.balanceMinor).toBe(-sum || 0);
      }),
      { numRuns: 100 },
    );
    expect(T0).toBeGreaterThan(0);
  });
});
