/**
 * Exact chances of Casino Queen: hands 0 to 3 start with that many points and get a card each in turn; after every full
 * round a hand that alone has the highest total, of ten or more, wins. After five rounds nothing is decided.
 * Between rounds hands with equal totals are alike, so what follows is remembered by the cards left and the sorted
 * totals: about nineteen thousand states in all, a sixth of a second once for all rounds of the process.
 */
const HANDS = 4;
const ROUNDS = 5;
/** Points of the six kinds of card: 2 to 6, and the queen. */
const POINTS: readonly number[] = [2, 3, 4, 5, 6, 12];
const FULL: readonly number[] = [4, 4, 4, 4, 4, 1];

/** Chance of each hand; the rest up to 1 is a void round. `dealt` are points of the cards in the order of the deal. */
export function queenChances(dealt: readonly number[]): number[] {
  const totals = [0, 1, 2, 3];
  left.set(FULL);
  for (let i = 0; i < dealt.length; i++) {
    left[POINTS.indexOf(dealt[i]!)]! -= 1;
    totals[i % HANDS]! += dealt[i]!;
  }
  const wins = [0, 0, 0, 0];
  const round = Math.floor(dealt.length / HANDS);
  dealRound(totals, dealt.length % HANDS, round, wins, 1);
  let ways = 1;
  for (let seen = dealt.length; seen < (round + 1) * HANDS; seen++) ways *= 21 - seen;
  return wins.map((sum) => sum / ways);
}

/** Fills the memory piece by piece: every step is short, and pricing is quick at every window afterwards. */
export function* prepareQueen(): Generator<void> {
  for (const a of POINTS) {
    for (const b of POINTS) {
      for (const c of POINTS) {
        for (const d of POINTS) {
          if ([a, b, c, d].filter((points) => points === 12).length > 1) continue;
          queenChances([a, b, c, d]);
          yield;
        }
      }
    }
  }
}

/** Cards left of each kind, while a round is being dealt. */
const left = new Int32Array(6);
/** Place of a state's four chances, in order of the totals, by key. */
const places = new Map<number, number>();
let values = new Float64Array(HANDS * 4096);

/** Deals the round from `hand` on in every way and adds each way's weighted outcome to `wins`. */
function dealRound(totals: number[], hand: number, round: number, wins: number[], weight: number): void {
  if (hand === HANDS) {
    endRound(totals[0]!, totals[1]!, totals[2]!, totals[3]!, round + 1, wins, weight);
    return;
  }
  const before = totals[hand]!;
  for (let kind = 0; kind < 6; kind++) {
    const count = left[kind]!;
    if (count === 0) continue;
    left[kind] = count - 1;
    totals[hand] = before + POINTS[kind]!;
    dealRound(totals, hand + 1, round, wins, weight * count);
    left[kind] = count;
  }
  totals[hand] = before;
}

function endRound(a: number, b: number, c: number, d: number, rounds: number, wins: number[], weight: number): void {
  const top = Math.max(a, b, c, d);
  if (top >= 10) {
    const holders = (a === top ? 1 : 0) + (b === top ? 1 : 0) + (c === top ? 1 : 0) + (d === top ? 1 : 0);
    if (holders === 1) {
      wins[a === top ? 0 : b === top ? 1 : c === top ? 2 : 3]! += weight;
      return;
    }
  }
  if (rounds === ROUNDS) return;
  // Totals with the number of their hand, sorted.
  let p = a * 4;
  let q = b * 4 + 1;
  let r = c * 4 + 2;
  let s = d * 4 + 3;
  if (p > q) [p, q] = [q, p];
  if (r > s) [r, s] = [s, r];
  if (p > r) [p, r] = [r, p];
  if (q > s) [q, s] = [s, q];
  if (q > r) [q, r] = [r, q];
  const at = stateAfter(p >> 2, q >> 2, r >> 2, s >> 2, rounds);
  wins[p & 3]! += weight * values[at]!;
  wins[q & 3]! += weight * values[at + 1]!;
  wins[r & 3]! += weight * values[at + 2]!;
  wins[s & 3]! += weight * values[at + 3]!;
}

/** The cards left fix the sum of the totals, so three differences name the state. */
function stateAfter(t0: number, t1: number, t2: number, t3: number, round: number): number {
  let key = left[5]!;
  for (let kind = 0; kind < 5; kind++) key = key * 5 + left[kind]!;
  key = ((key * 64 + t1 - t0) * 64 + t2 - t0) * 64 + t3 - t0;
  const known = places.get(key);
  if (known !== undefined) return known;
  const wins = [0, 0, 0, 0];
  dealRound([t0, t1, t2, t3], 0, round, wins, 1);
  const unseen = 21 - HANDS * round;
  const ways = unseen * (unseen - 1) * (unseen - 2) * (unseen - 3);
  const place = places.size * HANDS;
  if (place + HANDS > values.length) {
    const larger = new Float64Array(values.length * 2);
    larger.set(values);
    values = larger;
  }
  for (let hand = 0; hand < HANDS; hand++) values[place + hand] = wins[hand]! / ways;
  places.set(key, place);
  return place;
}
