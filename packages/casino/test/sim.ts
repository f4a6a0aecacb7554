import { type Bet, byMark } from '../src/bets.ts';
import { type Card, deckOf } from '../src/cards.ts';
import { type Deal, type Game, LOSE, REFUND, type Selection } from '../src/game.ts';

/** A seeded generator of whole numbers below n: quick deals for counting, not the fair stream of the tables. */
export function createRandom(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 0x1_0000_0000) * n);
  };
}

/** A dealer of complete rounds. Stacks are never put back in order: drawing from any order is as random. */
export function createDealer(game: Game, random: (n: number) => number): () => Deal {
  if (game.deck === 'U1000') return () => ({ cards: [random(1000)], seats: [0] });
  const { deck } = game;
  const shoes = [deckOf(deck), deckOf(deck)];
  return () => {
    const cards: Card[] = [];
    const seats: number[] = [];
    const taken = [0, 0];
    const deal = { cards, seats };
    for (let at = game.nextSeat(deal); at >= 0; at = game.nextSeat(deal)) {
      const { shoe } = game.seats[at]!;
      const stack = shoes[shoe]!;
      const i = taken[shoe]!;
      const j = i + random(stack.length - i);
      const card = stack[j]!;
      stack[j] = stack[i]!;
      stack[i] = card;
      taken[shoe] = i + 1;
      cards.push(card);
      seats.push(at);
    }
    return deal;
  };
}

/** Picks used where a selection asks for one. */
export const SAMPLE_PICKS: Readonly<Record<string, readonly number[]>> = {
  Yes: [1, 7, 13],
  No: [1, 7, 13],
  Pana: [5, 2, 7],
  SP: [6],
  DP: [6],
  Cycle: [5, 6],
  'Motor SP': [1, 4, 6, 8],
  'Common SP': [5],
  'Common DP': [5],
  'Color DP': [5],
};

/** Average return of each fixed bet of a table for one unit at risk, with the standard error of the average. */
export interface Returns {
  readonly mean: ReadonlyMap<number, number>;
  readonly error: ReadonlyMap<number, number>;
}

const STAKE = 10_000;

/** The bet to measure a selection by: the first side it is offered on, at its fixed price. */
export function betOn(selection: Selection<unknown>): Bet | null {
  const { id, price, sides, name } = selection;
  if (!price || sides[0] === 'YES') return null;
  const odds = sides[0] === 'BACK' ? price.back! : price.lay!;
  return { selectionId: id, side: sides[0]!, price: odds, stakeMinor: STAKE, pick: SAMPLE_PICKS[name] };
}

/** Settles every fixed bet of every deal, each deal counting with its weight. */
export function measure(
  game: Game,
  deals: Iterable<readonly [Deal | { outcome: unknown }, number]>,
  only: (selection: Selection<unknown>) => boolean = () => true,
): Returns {
  const bets = game.selections.filter(only).flatMap((selection) => {
    const bet = betOn(selection);
    return bet ? [{ selection, bet, units: selection.units(bet.pick ?? []) }] : [];
  });
  const sums = new Float64Array(bets.length);
  const squares = new Float64Array(bets.length);
  // Only these can end void; making a result in words for every deal would be most of the work.
  const mayVoid = ['poker', 'cards32', 'queen'].includes(game.family);
  const totals = new Float64Array(bets.length);
  const counts = new Float64Array(bets.length);
  for (const [deal, weight] of deals) {
    const outcome = 'outcome' in deal ? deal.outcome : game.outcome(deal);
    const refund = mayVoid && 'cards' in deal && game.result(outcome, deal).void;
    for (let i = 0; i < bets.length; i++) {
      const { selection, bet, units } = bets[i]!;
      // A bet of a window that this round never opened was not placed (second bets of abj).
      if ('cards' in deal && selection.at !== null && deal.cards.length <= selection.at[0]!) continue;
      totals[i]! += weight;
      counts[i]! += 1;
      const mark = refund ? REFUND : selection.mark(outcome, bet.pick ?? []);
      if (mark === LOSE && bet.side === 'BACK') continue;
      const risk = bet.side === 'LAY' ? (STAKE * (bet.price - 100)) / 100 : STAKE * units;
      const back = 1 + byMark(bet, mark, units).profitMinor / risk;
      sums[i]! += back * weight;
      squares[i]! += back * back * weight;
    }
  }
  const mean = new Map<number, number>();
  const error = new Map<number, number>();
  for (const [i, { selection }] of bets.entries()) {
    const average = sums[i]! / totals[i]!;
    mean.set(selection.id, average);
    error.set(selection.id, Math.sqrt(Math.max(0, squares[i]! / totals[i]! - average * average) / counts[i]!));
  }
  return { mean, error };
}

/** So many random rounds of a game. */
export function* randomDeals(game: Game, rounds: number, seed: number): Generator<readonly [Deal, number]> {
  const deal = createDealer(game, createRandom(seed));
  for (let i = 0; i < rounds; i++) yield [deal(), 1];
}
