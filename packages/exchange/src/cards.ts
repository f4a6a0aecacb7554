/**
 * Card-table rounds as one house-quoted market a round (kind `card`): every selection is a runner, taken whole at the
 * shown price. Money rules of the casino book, C8: mutually exclusive selections (one `group`) are netted, every other
 * one stands for itself; payouts that hang on the hand and per-point markets name their bounds when the round is made.
 */
import { divCeil, divFloor } from '@fairgame/contract';
import type { QuoteBet, RunMarket } from './runs.ts';
import type { BetResult, CardPay, Position, Result } from './types.ts';

/** The most a bet can win and lose. A line makes it a session bet: `price` is then a rate per 100. */
export function cardAmounts(
  bet: { side: 'BACK' | 'LAY'; price: number; stakeMinor: number; line?: number | undefined },
  bounds: { payMax?: number | undefined; payMin?: number | undefined },
): { winMinor: number; lossMinor: number } {
  const most = bounds.payMax ?? (bet.line === undefined ? bet.price - 100 : bet.price);
  const prize = bet.stakeMinor * most;
  const risk = bet.stakeMinor * (bounds.payMin ?? 100);
  return bet.side === 'BACK'
    ? { winMinor: divFloor(prize, 100), lossMinor: divCeil(risk, 100) }
    : { winMinor: divFloor(risk, 100), lossMinor: divCeil(prize, 100) };
}

/** Worst case of a player's bets in a round, minor units, not negative. */
export function cardExposure(market: RunMarket, bets: readonly QuoteBet[]): number {
  let sum = 0;
  for (const [group, own] of byGroup(market, bets)) {
    // A round can always end with the stakes back, so 0 is among the outcomes.
    if (group === null) sum += own.reduce((total, bet) => total + bet.lossMinor, 0);
    else {
      const worst = Math.min(
        0,
        ...endsOf(market, group).map((runnerId) => own.reduce((total, bet) => total + atMost(bet, runnerId), 0)),
      );
      sum -= worst;
    }
  }
  return sum || 0;
}

/** What each selection brings if it wins, with the other selections of its group lost. */
export function cardPosition(market: RunMarket, bets: readonly QuoteBet[]): Pick<Position, 'runners'> {
  const groups = byGroup(market, bets);
  return {
    runners: market.runners.map(({ runnerId, group }) => {
      const own = bets.filter((bet) => bet.runnerId === runnerId);
      const netted = group ? (groups.get(group) ?? []) : own;
      return {
        runnerId,
        winMinor: own.reduce((sum, bet) => sum + ifWins(bet, runnerId), 0),
        loseMinor: own.reduce((sum, bet) => sum + ifWins(bet, 0), 0),
        netMinor: netted.reduce((sum, bet) => sum + ifWins(bet, runnerId), 0),
      };
    }),
  };
}

/** One bet by the round's result. A selection the result does not name is paid back. */
export function settleCard(
  bet: QuoteBet,
  result: Extract<Result, { kind: 'cards' }>,
): { result: BetResult; profitMinor: number } {
  const pay = result.pays.find((one) => one.runnerId === bet.runnerId);
  const profitMinor = pay === undefined ? 0 : profitOf(bet, pay);
  return { result: profitMinor > 0 ? 'WIN' : profitMinor < 0 ? 'LOSS' : 'TIE', profitMinor };
}

/**
 * Does the result keep to what exposure assumed: in a group exactly one wins, or nobody does and the stakes go back? A
 * selection that is a group by itself may lose as well.
 */
export function fitsCards(market: RunMarket, result: Extract<Result, { kind: 'cards' }>): boolean {
  if (!Array.isArray(result.pays)) return false;
  const named = new Map<number, CardPay>();
  for (const pay of result.pays) {
    if (typeof pay !== 'object' || pay === null) return false;
    const runner = market.runners.find((one) => one.runnerId === pay.runnerId);
    if (!runner || named.has(pay.runnerId) || !isPay(pay, runner)) return false;
    if (runner.group && pay.is !== 'WIN' && pay.is !== 'LOSE' && pay.is !== 'VOID') return false;
    named.set(pay.runnerId, pay);
  }
  for (const group of new Set(market.runners.map((runner) => runner.group ?? 0))) {
    if (group === 0) continue;
    const ends = membersOf(market, group).map((runnerId) => named.get(runnerId)?.is ?? 'VOID');
    if (ends.length === 1) continue;
    const won = ends.filter((is) => is === 'WIN').length;
    const lost = ends.filter((is) => is === 'LOSE').length;
    if (won > 1 || (won === 0 && lost > 0) || (won === 1 && lost !== ends.length - 1)) return false;
  }
  return true;
}

function isPay(pay: CardPay, runner: { payMax?: number | undefined; payMin?: number | undefined }): boolean {
  switch (pay.is) {
    case 'WIN':
    case 'LOSE':
    case 'VOID':
    case 'HALF':
      return true;
    case 'PAY':
      return (
        Number.isSafeInteger(pay.per100) && pay.per100 <= (runner.payMax ?? -1) && pay.per100 >= -(runner.payMin ?? 100)
      );
    case 'SCORE':
      return Number.isSafeInteger(pay.score) && pay.score >= 0;
    default:
      return false;
  }
}

function profitOf(bet: QuoteBet, pay: CardPay): number {
  const back = bet.side === 'BACK';
  switch (pay.is) {
    case 'WIN':
      return back ? bet.winMinor : -bet.lossMinor || 0;
    case 'LOSE':
      return back ? -bet.lossMinor || 0 : bet.winMinor;
    case 'HALF': // Half the stake comes back (C8).
      return divFloor(back ? -bet.lossMinor : bet.winMinor, 2);
    case 'PAY':
      return divFloor(bet.stakeMinor * (back ? pay.per100 : -pay.per100), 100);
    case 'SCORE':
      return pay.score >= (bet.line ?? 0) === back ? bet.winMinor : -bet.lossMinor || 0;
    case 'VOID':
      return 0;
  }
}

/** A delayed bet may still lapse, so its gain does not count. */
function atMost(bet: QuoteBet, runnerId: number): number {
  const profit = ifWins(bet, runnerId);
  return bet.pending ? Math.min(0, profit) : profit;
}

/** Profit of a bet when `runnerId` is the selection of its group that wins. */
function ifWins(bet: QuoteBet, runnerId: number): number {
  return (bet.runnerId === runnerId) === (bet.side === 'BACK') ? bet.winMinor : -bet.lossMinor || 0;
}

const membersOf = (market: RunMarket, group: number): number[] =>
  market.runners.filter((runner) => runner.group === group).map((runner) => runner.runnerId);

/** Who may win a group; 0, nobody, where its one selection can lose. */
function endsOf(market: RunMarket, group: number): number[] {
  const members = membersOf(market, group);
  return members.length === 1 ? [members[0]!, 0] : members;
}

/** Netted groups under their number; what stands for itself under null. */
function byGroup(market: RunMarket, bets: readonly QuoteBet[]): Map<number | null, QuoteBet[]> {
  const groups = new Map<number | null, QuoteBet[]>();
  for (const bet of bets) {
    const group = market.runners.find((runner) => runner.runnerId === bet.runnerId)?.group || null;
    const own = groups.get(group);
    if (own) own.push(bet);
    else groups.set(group, [bet]);
  }
  return groups;
}
