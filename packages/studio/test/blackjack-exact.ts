/**
 * The return of blackjack's basic strategy by going through every hand: each first three cards, each course the strategy
 * takes, each hand of the dealer, with the chances of a shoe from which the cards are really gone.
 *
 * Cards that are turned later may be counted as if they were turned earlier: all orders of a shuffled shoe are equally
 * likely. So the hole card is taken after the player's cards, and blackjack of the dealer simply left out there; and each
 * of two split hands has the same mean by itself, whatever the other one takes, because hands are played without looking
 * at each other.
 */
import { type BlackjackAct, basicAct } from '../src/rules/blackjack.ts';

interface Mean {
  readonly paid: number;
  readonly staked: number;
}

const TEN = 10;
const ACE = 1;

export function basicReturn(): { ofAllStakedPpm: number; ofFirstStakePpm: number } {
  const shoe = [0, ...Array.from({ length: 9 }, () => 24), 96];
  let left = 312;
  const take = (value: number) => {
    const chance = shoe[value]! / left;
    shoe[value]! -= 1;
    left -= 1;
    return chance;
  };
  const back = (value: number) => {
    shoe[value]! += 1;
    left += 1;
  };

  let up = 0;
  let dealerMemo = new Map<number, readonly number[]>();
  let handMemo = new Map<number, Mean>();
  let splitMemos = new Map<number, [Map<number, readonly number[]>, Map<number, Mean>]>();

  /** Chances of the dealer's 17, 18, 19, 20, 21 and bust (5), blackjack left out. */
  const dealerOf = (key: number): readonly number[] => {
    const known = dealerMemo.get(key);
    if (known) return known;
    const ends = [0, 0, 0, 0, 0, 0];
    const draw = (hard: number, ace: boolean, chance: number, first: boolean) => {
      for (let value = 1; value <= TEN; value++) {
        if (shoe[value] === 0 || (first && blackjackWith(value))) continue;
        const next = chance * take(value);
        const sum = hard + value;
        const withAce = ace || value === ACE;
        const total = withAce && sum <= 11 ? sum + 10 : sum;
        if (total >= 17) ends[Math.min(5, total - 17)]! += next;
        else draw(sum, withAce, next, false);
        back(value);
      }
    };
    draw(up, up === ACE, 1, true);
    dealerMemo.set(key, ends);
    return ends;
  };
  const blackjackWith = (value: number) => (up === ACE && value === TEN) || (up === TEN && value === ACE);
  /** Chance that the dealer has no blackjack. */
  const goesOn = () => 1 - (up === ACE ? shoe[TEN]! / left : up === TEN ? shoe[ACE]! / left : 0);

  const hardOf = (cards: readonly number[]) => cards.reduce((all, each) => all + each, 0);
  const keyOf = (cards: readonly number[]) => cards.reduce((all, each) => all + 22 ** (each - 1), 0);

  const stood = (cards: readonly number[], stake: number): Mean => {
    const staked = stake * goesOn();
    const hard = hardOf(cards);
    if (hard > 21) return { paid: 0, staked };
    const total = cards.includes(ACE) && hard <= 11 ? hard + 10 : hard;
    const ends = dealerOf(keyOf(cards));
    let paid = 2 * ends[5]!;
    for (let end = 0; end < 5; end++) paid += ends[end]! * (total > end + 17 ? 2 : total === end + 17 ? 1 : 0);
    return { paid: paid * stake, staked };
  };
  const drawn = (cards: readonly number[], then: (cards: readonly number[]) => Mean): Mean => {
    let paid = 0;
    let staked = 0;
    for (let value = 1; value <= TEN; value++) {
      if (shoe[value] === 0) continue;
      const chance = take(value);
      const mean = then([...cards, value]);
      back(value);
      paid += chance * mean.paid;
      staked += chance * mean.staked;
    }
    return { paid, staked };
  };

  /** A hand as the strategy plays it, the dealer not having blackjack. */
  const play = (cards: readonly number[], split: boolean): Mean => {
    const hard = hardOf(cards);
    if (hard >= 21 || (cards.includes(ACE) && hard === 11)) return stood(cards, 1);
    const first = cards.length === 2;
    // From the third card on nothing but the cards held matters; before, whether doubling and splitting are open.
    const key = keyOf(cards) * 4 + (first ? (split ? 2 : 1) : 0);
    const known = handMemo.get(key);
    if (known) return known;
    const allowed: BlackjackAct[] = ['hit', 'stand'];
    if (first) allowed.push('double');
    if (first && !split) allowed.push('surrender');
    if (first && !split && cards[0] === cards[1]) allowed.push('split');
    const act = basicAct(
      cards.map((value) => value - 1),
      up,
      allowed,
    );
    const mean = acted(act, cards);
    handMemo.set(key, mean);
    return mean;
  };
  const acted = (act: BlackjackAct, cards: readonly number[]): Mean => {
    if (act === 'stand') return stood(cards, 1);
    if (act === 'surrender') return { paid: goesOn() / 2, staked: goesOn() };
    if (act === 'double') return drawn(cards, (after) => stood(after, 2));
    if (act === 'hit') return drawn(cards, (after) => play(after, false));
    const value = cards[0]!;
    const one = drawn([value], (after) => splitHand(value, after));
    return { paid: 2 * one.paid, staked: 2 * one.staked };
  };
  /** The other card of the pair is out of the shoe, but not in this hand: a memory of its own. */
  const splitHand = (value: number, cards: readonly number[]): Mean => {
    const memos = [dealerMemo, handMemo] as const;
    const own = splitMemos.get(value) ?? [new Map<number, readonly number[]>(), new Map<number, Mean>()];
    splitMemos.set(value, own);
    [dealerMemo, handMemo] = own;
    const mean = value === ACE ? stood(cards, 1) : play(cards, true);
    [dealerMemo, handMemo] = memos;
    return mean;
  };
  let paid = 0;
  let staked = 0;
  for (up = 1; up <= TEN; up++) {
    dealerMemo = new Map();
    handMemo = new Map();
    splitMemos = new Map();
    const chanceUp = take(up);
    for (let a = 1; a <= TEN; a++) {
      const chanceA = take(a);
      for (let b = 1; b <= TEN; b++) {
        const chance = chanceUp * chanceA * take(b);
        const on = goesOn();
        const natural = hardOf([a, b]) === 11 && (a === ACE || b === ACE);
        const mean = natural ? { paid: 2.5 * on, staked: on } : play(a <= b ? [a, b] : [b, a], false);
        // Dealer's blackjack: the first stake is lost, or comes back to a blackjack.
        paid += chance * (mean.paid + (natural ? 1 - on : 0));
        staked += chance * (mean.staked + (1 - on));
        back(b);
      }
      back(a);
    }
    back(up);
  }
  return {
    ofAllStakedPpm: Math.floor((paid / staked) * 1_000_000),
    ofFirstStakePpm: Math.floor((1 + paid - staked) * 1_000_000),
  };
}
