import { type Game, type Mark, type Pay, type Pick, REFUND, type Selection, type Side } from './game.ts';

/** A bet as it was taken. `price` is odds in hundredths (BACK, LAY) or a rate per 100 (YES, NO). */
export interface Bet {
  readonly selectionId: number;
  readonly side: Side;
  readonly price: number;
  /** The line of a YES or NO bet. */
  readonly line?: number;
  /** Backers' stake; for bets by points the stake of one point, for bundles the stake of one pana. */
  readonly stakeMinor: number;
  readonly pick?: Pick;
}

export interface Settled {
  readonly verdict: 'WIN' | 'LOSE' | 'REFUND' | 'HALF';
  /** Profit or loss, signed. */
  readonly profitMinor: number;
}

const NO_PICK: Pick = [];

export function selectionOf(game: Game, id: number): Selection<unknown> | undefined {
  return game.selections.find((selection) => selection.id === id);
}

function need(game: Game, bet: Bet): Selection<unknown> {
  const selection = selectionOf(game, bet.selectionId);
  if (!selection) throw new Error(`No selection ${bet.selectionId}.`);
  return selection;
}

/** Profit and loss of a bet (C8). A null outcome is a voided round: the stake goes back. */
export function settleBet(game: Game, outcome: unknown, bet: Bet): Settled {
  const selection = need(game, bet);
  const pick = bet.pick ?? NO_PICK;
  return byMark(bet, outcome === null ? REFUND : selection.mark(outcome, pick), selection.units(pick));
}

/** Profit and loss of a bet whose selection ended so. */
export function byMark(bet: Bet, mark: Mark, units = 1): Settled {
  if (mark.kind === 'REFUND') return { verdict: 'REFUND', profitMinor: 0 };
  const profitMinor = profitOf(bet, mark, units);
  if (mark.kind === 'HALF') return { verdict: 'HALF', profitMinor };
  return { verdict: profitMinor > 0 ? 'WIN' : profitMinor < 0 ? 'LOSE' : 'REFUND', profitMinor };
}

function profitOf(bet: Bet, mark: Mark, units: number): number {
  const { stakeMinor: stake, price, side } = bet;
  if (mark.kind === 'VALUE') {
    const reached = mark.value >= (bet.line ?? 0);
    if (side === 'YES') return reached ? hundredths(stake * price) : -stake;
    return reached ? -hundredths(stake * price) : stake;
  }
  if (mark.kind === 'POINTS') {
    return mark.points > 0 ? hundredths(stake * mark.points * (price - 100)) : stake * mark.points;
  }
  let back = 0;
  if (mark.kind === 'WIN') back = hundredths(stake * (mark.odds ?? price)) - stake * units;
  else if (mark.kind === 'LOSE') back = -stake * units;
  else if (mark.kind === 'HALF') back = -hundredths(stake * 50);
  return side === 'LAY' ? -back : back;
}

/** Half away from zero (C8). */
function hundredths(value: number): number {
  return Math.sign(value) * Math.floor((Math.abs(value) + 50) / 100);
}

/** The most one bet can lose, in whole minor units as the core holds it: rounded up. */
export function riskOf(game: Game, bet: Bet): number {
  const { stakeMinor: stake, price, side } = bet;
  if (side === 'LAY') return Math.ceil((stake * (price - 100)) / 100);
  if (side === 'NO') return Math.ceil((stake * price) / 100);
  return stake * need(game, bet).units(bet.pick ?? NO_PICK);
}

/** The most one bet can win, in whole minor units as the core pays it: rounded down. */
export function mostOf(game: Game, bet: Bet): number {
  const selection = need(game, bet);
  const { stakeMinor: stake, price, side } = bet;
  if (side === 'LAY' || side === 'NO') return stake;
  if (side === 'YES') return Math.floor((stake * price) / 100);
  const best = selection.pays ? Math.max(...selection.pays.map(({ odds }) => odds)) : price;
  return Math.floor((stake * (selection.most(bet.pick ?? NO_PICK) ?? best - 100)) / 100);
}

/** Whether the winnings hang on how the bet wins: then `mostOf` is the most of several. */
export const paysByHand = ({ pays, points }: { pays: readonly Pay[] | null; points: number | null }): boolean =>
  points !== null || (pays !== null && new Set(pays.map(({ odds }) => odds)).size > 1);

/**
 * What all bets of one account in one round can lose together (C8): bets of a netted market cover each other, every
 * other bet counts in full. In a market of one selection its backs and lays cover each other.
 */
export function exposureOf(game: Game, bets: readonly Bet[]): number {
  let total = 0;
  const markets = new Map<string, Bet[]>();
  for (const bet of bets) {
    const { net } = need(game, bet);
    if (net === null) total += riskOf(game, bet);
    else markets.set(net, [...(markets.get(net) ?? []), bet]);
  }
  for (const [net, inMarket] of markets)
    total += Math.max(0, ...endsOf(game, net).map((winner) => -sumIf(game, inMarket, winner)));
  return total;
}

/** The selections that may win a market; null, none, where its one selection can lose. */
function endsOf(game: Game, net: string): Array<number | null> {
  const ids = game.selections.filter((selection) => selection.net === net).map(({ id }) => id);
  return ids.length === 1 ? [...ids, null] : ids;
}

/** A netted selection wins its price or loses its stake. */
function sumIf(game: Game, bets: readonly Bet[], winner: number | null): number {
  let sum = 0;
  for (const bet of bets) {
    const backed = bet.side === 'BACK' || bet.side === 'YES';
    sum += (bet.selectionId === winner) === backed ? mostOf(game, bet) : -riskOf(game, bet);
  }
  return sum;
}
