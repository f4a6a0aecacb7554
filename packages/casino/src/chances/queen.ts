/**
 * Exact chances of Casino Queen: hands 0 to 3 start with that many points and get a card each in turn; after every full
 * round a hand that alone has the highest total, of ten or more, wins. After five rounds nothing is decided.
 * Between rounds hands with equal totals are alike, so rounds are remembered by the sorted totals.
 */
const HANDS = 4;
const ROUNDS = 5;
/** Points of the six kinds of card: 2 to 6, and the queen. */
const POINTS: readonly number[] = [2, 3, 4, 5, 6, 12];

/** Chance of each hand; the rest up to 1 is a void round. `dealt` are points of the cards in the order of the deal. */
export function queenChances(dealt: readonly number[]): number[] {
  const left = [4, 4, 4, 4, 4, 1];
  const totals = [0, 1, 2, 3];
  for (let i = 0; i < dealt.length; i++) {
    left[POINTS.indexOf(dealt[i])]! -= 1;
    totals[i % HANDS]! += dealt[i]!;
  }
  return withinRound(left, totals, dealt.length % HANDS, Math.floor(dealt.length / HANDS));
}

const memo = new Map<number, readonly number[]>();

/** From `hand` on, the rest of round `round` is dealt. */
function withinRound(left: number[], totals: number[], hand: number, round: number): number[] {
  const wins = [0, 0, 0, 0];
  const unseen = left.reduce((sum, count) => sum + count, 0);
  let ways = 1;
  for (let i = hand; i < HANDS; i++) ways *= unseen - (i - hand);
  const deal = (at: number, weight: number) => {
    if (at === HANDS) {
      finishRound(left, totals, round + 1, weight, wins);
      return;
    }
    const before = totals[at]!;
    for (let kind = 0; kind < POINTS.length; kind++) {
      const count = left[kind]!;
      if (count === 0) continue;
      left[kind] = count - 1;
      totals[at] = before + POINTS[kind]!;
      deal(at + 1, weight * count);
      left[kind] = count;
    }
    totals[at] = before;
  };
  deal(hand, 1);
  return wins.map((sum) => sum / ways);
}

function finishRound(left: number[], totals: number[], rounds: number, weight: number, wins: number[]): void {
  const top = Math.max(totals[0]!, totals[1]!, totals[2]!, totals[3]!);
  const first = totals.indexOf(top);
  if (top >= 10 && totals.lastIndexOf(top) === first) {
    wins[first]! += weight;
    return;
  }
  if (rounds === ROUNDS) return;
  const order = [0, 1, 2, 3].sort((x, y) => totals[x]! - totals[y]!);
  const after = betweenRounds(left, totals, order, rounds);
  for (let place = 0; place < HANDS; place++) wins[order[place]!]! += weight * after[place]!;
}

/** Chances by place in the sorted order of totals. The counts left and the sum of totals determine each other. */
function betweenRounds(left: readonly number[], totals: readonly number[], order: readonly number[], round: number) {
  let key = 0;
  for (const count of left) key = key * 5 + count;
  const low = totals[order[0]!]!;
  for (let place = 0; place < HANDS; place++) key = key * 32 + totals[order[place]!]! - (place === 0 ? 0 : low);
  let known = memo.get(key);
  if (!known) {
    known = withinRound(
      [...left],
      order.map((hand) => totals[hand]!),
      0,
      round,
    );
    memo.set(key, known);
  }
  return known;
}
