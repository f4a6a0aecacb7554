/**
 * What a result brings each bet and each account, to the cent (exchange reference 8). The exact result of an account in a
 * market is rounded once, against it: gains down, losses up. What is booked is then shared over its bets by largest
 * remainder, so that the bets of an account always sum to what it was paid. What rounding leaves goes to ROUNDING.
 */
import { divFloor } from '@fairgame/contract';
import type { SideCode } from './book.ts';
import { BACK } from './book.ts';
import { quoteBet, runMarket, setResult } from './holding.ts';
import { settleQuote } from './quotes.ts';
import type { Shares } from './results.ts';
import { sharesOf } from './results.ts';
import { profitE4 } from './runs.ts';
import type { Fill, Holding, Market, Order, State } from './state.ts';
import type { BetResult, Result } from './types.ts';
import { touchOrder } from './work.ts';

/** An exact result as whole minor units and what is left over them, `rest` of `by` parts of one. */
interface Exact {
  whole: number;
  rest: number;
  result: BetResult;
}

/** How a result judges the bets of a market. */
export interface Judge {
  /** Parts of a minor unit in which `rest` counts. */
  by: number;
  bet(order: Order): Exact;
  /** Exact result of one side of a fill, in parts of a minor unit. */
  fill(fill: Fill, side: SideCode): number;
  /** The house's exact result, the other side of all it stood in: whole minor units rounded down. */
  house(players: { whole: number; rest: number }): number;
}

export function judgeOf(market: Market, result: Result): Judge {
  if (market.isBook) return bookJudge(market, result);
  const view = runMarket(market);
  if (market.def.kind === 'meter' && result.kind === 'score') {
    const { score } = result;
    return judge(100, (order) => split(profitE4(view, quoteBet(order), score), 100));
  }
  return judge(1, (order) => {
    const { result: won, profitMinor } = settleQuote(view, quoteBet(order), result);
    return { whole: profitMinor, rest: 0, result: won };
  });
}

function bookJudge(market: Market, result: Result): Judge {
  const shares = sharesOf(market, result);
  if (shares !== null) {
    const { won, of } = shares;
    return judge(
      100 * of,
      (order) => bookResult(shares, order),
      (fill, side) => {
        const share = won.get(fill.runner.index) ?? 0;
        const back = fill.size * (share * fill.paid - 100 * of);
        return side === BACK ? back : -back;
      },
    );
  }
  const back: Exact = { whole: 0, rest: 0, result: result.kind === 'tie' ? 'TIE' : 'VOID' };
  return judge(1, () => back);
}

function judge(by: number, bet: Judge['bet'], fill: Judge['fill'] = () => 0): Judge {
  // The exact results of a market sum to zero: what players do not get is the house's, rounded down like theirs.
  const house = ({ whole, rest }: { whole: number; rest: number }) => divFloor(-rest, by) - whole || 0;
  return { by, bet, fill, house };
}

/** What the bets of some accounts bring, exactly and together. */
export function exactOf(holdings: Iterable<Holding>, judge: Judge): { whole: number; rest: number } {
  const exact = { whole: 0, rest: 0 };
  for (const { orders } of holdings) {
    for (const order of orders) {
      if (order.matched === 0) continue;
      const { whole, rest } = judge.bet(order);
      exact.whole += whole;
      exact.rest += rest;
    }
  }
  return exact;
}

/** What an account is booked for its bets; its exact result is added to `exact`. */
export function netOf(holding: Holding, judge: Judge, exact: { whole: number; rest: number }): number {
  const { whole, rest } = exactOf([holding], judge);
  exact.whole += whole;
  exact.rest += rest;
  return whole + divFloor(rest, judge.by);
}

/**
 * Gives each matched bet of an account its result and its share of what the account is booked.
 * @returns what is booked; the account's exact result is added to `exact`.
 */
export function settleBets(state: State, holding: Holding, by: Judge, exact: { whole: number; rest: number }): number {
  const judged: Array<{ order: Order; rest: number }> = [];
  let whole = 0;
  let rest = 0;
  for (const order of holding.orders) {
    if (order.matched === 0) continue;
    const verdict = by.bet(order);
    order.profit = verdict.whole;
    setResult(order, verdict.result);
    touchOrder(state, order);
    whole += verdict.whole;
    rest += verdict.rest;
    if (verdict.rest > 0) judged.push({ order, rest: verdict.rest });
  }
  exact.whole += whole;
  exact.rest += rest;
  const extra = divFloor(rest, by.by);
  if (extra > 0) {
    judged.sort((a, b) => b.rest - a.rest || a.order.id - b.order.id);
    for (let i = 0; i < extra; i++) judged[i]!.order.profit++;
  }
  return whole + extra;
}

/** One bet of a book: each share of a win or a loss at the prices it is paid at. */
function bookResult(shares: Shares, order: Order): Exact {
  const { won, of } = shares;
  const share = won.get(order.runner.index) ?? 0;
  // In 1/10 000 of the currency, times `of`.
  const win = order.matchedSum - 100 * order.matched;
  const lose = -100 * order.matched;
  const side = order.code === BACK ? 1 : -1;
  if (of === 1) return split(side * (share === 1 ? win : lose), 100);
  const exact = BigInt(side) * (BigInt(win) * BigInt(share) + BigInt(lose) * BigInt(of - share));
  const by = BigInt(100 * of);
  const rest = ((exact % by) + by) % by;
  return { whole: Number((exact - rest) / by), rest: Number(rest), result: resultOf(exact) };
}

function split(exact: number, by: number): Exact {
  const whole = divFloor(exact, by);
  return { whole, rest: exact - whole * by, result: resultOf(exact) };
}

function resultOf(exact: number | bigint): BetResult {
  return exact > 0 ? 'WIN' : exact < 0 ? 'LOSS' : 'TIE';
}
