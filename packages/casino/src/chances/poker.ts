import { type Card, suitOf } from '../cards.ts';
import { pokerBit, pokerHand, pokerStrength } from '../poker.ts';

/** Boards on which A wins, both tie, B wins: exact counts. */
export interface BoardCounts {
  readonly winA: number;
  readonly tie: number;
  readonly winB: number;
}

/** Two players with two cards each and no to five board cards. */
export function boardCounts(a: readonly Card[], b: readonly Card[], board: readonly Card[]): BoardCounts {
  if (board.length === 0) return beforeFlop(a, b);
  const unseen = cardsWithout([...a, ...b, ...board]);
  const counts = { winA: 0, tie: 0, winB: 0 };
  const complete = (rest: readonly Card[], from: number) => {
    if (rest.length < 5) {
      for (let i = from; i < unseen.length; i++) complete([...rest, unseen[i]!], i + 1);
      return;
    }
    add(counts, pokerHand([...a, ...rest]) - pokerHand([...b, ...rest]), 1);
  };
  complete(board, 0);
  return counts;
}

function add(counts: { winA: number; tie: number; winB: number }, difference: number, weight: number): void {
  if (difference > 0) counts.winA += weight;
  else if (difference < 0) counts.winB += weight;
  else counts.tie += weight;
}

function cardsWithout(seen: readonly Card[]): Card[] {
  return Array.from({ length: 52 }, (_, card) => card).filter((card) => !seen.includes(card));
}

/**
 * All C(48,5) boards without walking them: first by ranks alone as if suits did not exist (6,188 rank choices, each
 * worth so many boards), then the boards with three or more of one suit are taken out and put back with their flushes.
 */
function beforeFlop(a: readonly Card[], b: readonly Card[]): BoardCounts {
  const unseen = cardsWithout([...a, ...b]);
  const counts = { winA: 0, tie: 0, winB: 0 };
  const left = rankCounts(unseen);
  const holeA = holeOf(a);
  const holeB = holeOf(b);
  rankChoices(left, 5, (ranks, weight) => {
    add(counts, rankStrength(holeA, ranks, 0) - rankStrength(holeB, ranks, 0), weight);
  });
  for (let suit = 0; suit < 4; suit++) correctForSuit(counts, a, b, unseen, suit);
  return counts;
}

function correctForSuit(
  counts: { winA: number; tie: number; winB: number },
  a: readonly Card[],
  b: readonly Card[],
  unseen: readonly Card[],
  suit: number,
): void {
  const suited = unseen.filter((card) => suitOf(card) === suit).map(pokerBit);
  const otherLeft = rankCounts(unseen.filter((card) => suitOf(card) !== suit));
  const inA = a.filter((card) => suitOf(card) === suit).map(pokerBit);
  const inB = b.filter((card) => suitOf(card) === suit).map(pokerBit);
  const bitsA = inA.reduce((set, bit) => set | bit, 0);
  const bitsB = inB.reduce((set, bit) => set | bit, 0);
  const holeA = holeOf(a);
  const holeB = holeOf(b);
  for (let size = 3; size <= 5; size++) {
    const flushA = inA.length + size >= 5;
    const flushB = inB.length + size >= 5;
    if (!flushA && !flushB) continue;
    const others: { ranks: readonly number[]; weight: number }[] = [];
    rankChoices(otherLeft, 5 - size, (ranks, weight) => others.push({ ranks: [...ranks], weight }));
    const board: number[] = [];
    choices(suited, size, (chosen) => {
      let set = 0;
      for (let i = 0; i < size; i++) {
        board[i] = chosen[i]!;
        set |= chosen[i]!;
      }
      for (const { ranks, weight } of others) {
        for (let i = size; i < 5; i++) board[i] = ranks[i - size]!;
        const plainA = rankStrength(holeA, board, 0);
        const plainB = rankStrength(holeB, board, 0);
        const fullA = flushA ? rankStrength(holeA, board, set | bitsA) : plainA;
        const fullB = flushB ? rankStrength(holeB, board, set | bitsB) : plainB;
        const before = Math.sign(plainA - plainB);
        const after = Math.sign(fullA - fullB);
        if (before === after) continue;
        add(counts, before, -weight);
        add(counts, after, weight);
      }
    });
  }
}

/** Hole cards as bits: their rank sets are taken up again for every board. */
interface Hole {
  readonly once: number;
  readonly twice: number;
}

function holeOf(cards: readonly Card[]): Hole {
  const first = pokerBit(cards[0]!);
  const second = pokerBit(cards[1]!);
  return { once: first | second, twice: first & second };
}

/** Strength by the ranks of hole cards and board (as bits), with the ranks of a flush if there is one. */
function rankStrength(hole: Hole, board: readonly number[], flush: number): number {
  let { once, twice } = hole;
  let thrice = 0;
  let four = 0;
  for (let i = 0; i < 5; i++) {
    const bit = board[i]!;
    four |= thrice & bit;
    thrice |= twice & bit;
    twice |= once & bit;
    once |= bit;
  }
  return pokerStrength(once, twice, thrice, four, flush);
}

/** Cards left of each rank, by bit position. */
function rankCounts(cards: readonly Card[]): number[] {
  const counts = Array<number>(13).fill(0);
  for (const card of cards) counts[31 - Math.clz32(pokerBit(card))]! += 1;
  return counts;
}

const CHOOSE = [[1], [1, 1], [1, 2, 1], [1, 3, 3, 1], [1, 4, 6, 4, 1]] as const;

/** Every multiset of `size` ranks that the cards left allow, as bits, and how many sets of cards it stands for. */
function rankChoices(
  left: readonly number[],
  size: number,
  visit: (ranks: readonly number[], weight: number) => void,
): void {
  const ranks: number[] = [];
  const walk = (rank: number, rest: number, weight: number) => {
    if (rest === 0) {
      visit(ranks, weight);
      return;
    }
    if (rank === 13) return;
    const most = Math.min(rest, left[rank]!);
    for (let take = 0; take <= most; take++) {
      for (let i = 0; i < take; i++) ranks.push(1 << rank);
      walk(rank + 1, rest - take, weight * CHOOSE[left[rank]!]![take]!);
      ranks.length -= take;
    }
  };
  walk(0, size, 1);
}

function choices(from: readonly number[], size: number, visit: (chosen: readonly number[]) => void): void {
  const chosen: number[] = [];
  const walk = (at: number) => {
    if (chosen.length === size) {
      visit(chosen);
      return;
    }
    for (let i = at; i <= from.length - (size - chosen.length); i++) {
      chosen.push(from[i]!);
      walk(i + 1);
      chosen.pop();
    }
  };
  walk(0);
}
