/**
 * Blackjack: six decks, dealer stands on every 17, blackjack pays 3:2, double on any two cards, one split, late surrender.
 * The dealer looks for blackjack under an ace or a ten before the player acts.
 */
import {
  CYCLE_MS,
  fields,
  oneOf,
  payOf,
  type Random,
  type ReturnRow,
  RuleError,
  soloGame,
  stakeFrom,
} from '../game.ts';

export const BLACKJACK_MOVES = ['hit', 'stand', 'double', 'split', 'surrender'] as const;
export type BlackjackAct = (typeof BLACKJACK_MOVES)[number];

interface Wager {
  readonly stakeMinor: number;
}

/** `leave` stands on every hand. */
interface Move {
  readonly act: BlackjackAct | 'leave';
}

export type Outcome = 'blackjack' | 'won' | 'push' | 'lost' | 'bust' | 'surrendered';

export interface Hand {
  /** 0 to 51, the cards of @fairgame/casino: rank `card % 13` (0 ace, 12 king), suit `floor(card / 13)`. */
  readonly cards: readonly number[];
  readonly stakeMinor: number;
  readonly done: boolean;
  readonly surrendered: boolean;
  readonly outcome: Outcome | null;
}

interface State {
  readonly stakeMinor: number;
  /** The drawn cards in their order; `used` of them lie on the table. */
  readonly cards: readonly number[];
  readonly used: number;
  readonly hands: readonly Hand[];
  /** The first card is open, the second one hidden until the round is over. */
  readonly dealer: readonly number[];
  readonly over: boolean;
}

export interface BlackjackView {
  readonly hands: readonly Hand[];
  /** null: face down. */
  readonly dealer: readonly (number | null)[];
  /** The hand to act for, and what may be done; empty when over. */
  readonly active: number;
  readonly allowed: readonly BlackjackAct[];
  readonly over: boolean;
}

const limits = { minStakeMinor: 100, maxStakeMinor: 50_000 };
const SHOE = 312;
/**
 * Enough for the longest round: hands that still draw count at most 20, 20 (player, aces as one) and 16 (dealer). With all
 * 24 aces and then twos that is 40 cards, and each of the three hands may take one more.
 */
const MOST_CARDS = 44;

/** Found by going through every hand of the basic strategy (test/blackjack-exact.ts), in millionths. */
export const BASIC = { ofFirstStakePpm: 996_127, ofAllStakedPpm: 996_565 } as const;

export const blackjack = soloGame<Wager, State, Move, BlackjackView>({
  kind: 'solo',
  code: 'blackjack',
  name: 'Alder Blackjack',
  category: 'Live',
  family: 'poker',
  cycleMs: CYCLE_MS,
  ...limits,
  rules: [
    'Come closer to 21 than the dealer without passing it. Pictures count ten, an ace one or eleven. Six decks, freshly shuffled every round; the dealer stands on every 17.',
    'A win pays 2×, blackjack (ace and ten with the first two cards) 2.5×, a push gives the stake back. With an ace or a ten open the dealer looks for blackjack first.',
    'Double on any two cards for one card more, also after a split. Two cards of the same value may be split once, for the same stake again; split aces get one card each and a ten on them counts 21, not blackjack.',
    'Surrender the first two cards for half the stake back. There is no insurance. Leaving a round stands on all hands.',
    'The return is for basic strategy: hard 9 double against 3–6, 10 against 2–9, 11 against 2–10; stand on 12 against 4–6, 13–16 against 2–6, 17 and more. Soft 13–14 double against 5–6, 15–16 against 4–6, 17–18 against 3–6; stand on soft 18 against 2, 7, 8 and on 19 and more. Split aces and 8s always, 2s, 3s and 7s against 2–7, 4s against 5–6, 6s against 2–6, 9s against 2–6, 8 and 9. Surrender 16 against 9, 10 and ace, 15 against 10. Hit everything else.',
  ],
  returns: (): ReturnRow[] => [
    { bet: 'Basic strategy, of all that is staked', ppm: BASIC.ofAllStakedPpm, how: 'exact' },
    { bet: 'Basic strategy, of the first stake', ppm: BASIC.ofFirstStakePpm, how: 'exact' },
  ],
  wager(input) {
    const { stakeMinor } = fields(input, ['stakeMinor']);
    return { stakeMinor: stakeFrom(stakeMinor, limits) };
  },
  stakeOf: (wager) => wager.stakeMinor,
  open({ stakeMinor }, random) {
    const cards = drawCards(random);
    const [first, up, second, hole] = cards as [number, number, number, number];
    const hand: Hand = { cards: [first, second], stakeMinor, done: false, surrendered: false, outcome: null };
    const state = { stakeMinor, cards, used: 4, hands: [hand], dealer: [up, hole], over: false };
    if (isBlackjack(hand.cards) || isBlackjack(state.dealer)) return finish(state);
    return { state, over: false, paidMinor: 0 };
  },
  view(state) {
    const dealer = state.over ? state.dealer : [state.dealer[0]!, null];
    return { hands: state.hands, dealer, active: activeOf(state), allowed: allowedIn(state), over: state.over };
  },
  move: (input) => ({ act: oneOf(fields(input, ['act']).act, 'act', [...BLACKJACK_MOVES, 'leave'] as const) }),
  extra(state, { act }) {
    check(state, act);
    return act === 'double' || act === 'split' ? state.stakeMinor : 0;
  },
  play(state, { act }) {
    check(state, act);
    if (act === 'leave') return finish({ ...state, hands: state.hands.map((hand) => ({ ...hand, done: true })) });
    const at = activeOf(state);
    const hand = state.hands[at]!;
    let { used } = state;
    const next = () => state.cards[used++]!;
    const played: Hand[] = [];
    if (act === 'stand') played.push({ ...hand, done: true });
    if (act === 'surrender') played.push({ ...hand, done: true, surrendered: true });
    if (act === 'hit') played.push(settled({ ...hand, cards: [...hand.cards, next()] }));
    if (act === 'double')
      played.push({ ...hand, cards: [...hand.cards, next()], stakeMinor: hand.stakeMinor * 2, done: true });
    if (act === 'split') {
      const aces = pointsOf(hand.cards[0]!) === 1;
      for (const card of hand.cards) {
        const half = settled({ ...hand, cards: [card, next()] });
        played.push(aces ? { ...half, done: true } : half);
      }
    }
    const hands = [...state.hands.slice(0, at), ...played, ...state.hands.slice(at + 1)];
    const after = { ...state, used, hands };
    return hands.every((each) => each.done) ? finish(after) : { state: after, over: false, paidMinor: 0 };
  },
  leave: () => ({ act: 'leave' }),
});

// ---------------------------------------------------------------------------------------------------- counting cards

/** 1 for an ace, 10 for tens and pictures. */
export const pointsOf = (card: number) => Math.min(10, (card % 13) + 1);

export function totalOf(cards: readonly number[]): { total: number; soft: boolean } {
  const hard = cards.reduce((all, card) => all + pointsOf(card), 0);
  const soft = hard <= 11 && cards.some((card) => pointsOf(card) === 1);
  return { total: soft ? hard + 10 : hard, soft };
}

const isBlackjack = (cards: readonly number[]) => cards.length === 2 && totalOf(cards).total === 21;

/**
 * Basic strategy for these rules. `up` is the value of the dealer's card (ace 1); `allowed` what may be done now.
 */
export function basicAct(cards: readonly number[], up: number, allowed: readonly BlackjackAct[]): BlackjackAct {
  const { total, soft } = totalOf(cards);
  const may = (act: BlackjackAct) => allowed.includes(act);
  const against = (low: number, high: number) => up >= low && up <= high;
  if (may('split') && splits(pointsOf(cards[0]!), up)) return 'split';
  if (may('surrender') && !soft && ((total === 16 && (up >= 9 || up === 1)) || (total === 15 && up === 10)))
    return 'surrender';
  if (soft) {
    const from = total <= 14 ? 5 : total <= 16 ? 4 : 3;
    if (total <= 18 && may('double') && against(from, 6)) return 'double';
    return total >= 19 || (total === 18 && against(2, 8)) ? 'stand' : 'hit';
  }
  if (may('double') && total >= 9 && total <= 11 && (total === 9 ? against(3, 6) : against(2, total - 1)))
    return 'double';
  return total >= 17 || (total >= 13 && against(2, 6)) || (total === 12 && against(4, 6)) ? 'stand' : 'hit';
}

function splits(value: number, up: number): boolean {
  const against = (low: number, high: number) => up >= low && up <= high;
  if (value === 1 || value === 8) return true;
  if (value === 2 || value === 3 || value === 7) return against(2, 7);
  if (value === 4) return against(5, 6);
  if (value === 6) return against(2, 6);
  return value === 9 && (against(2, 6) || against(8, 9));
}

// ------------------------------------------------------------------------------------------------- course of a round

const FULL_SHOE = Uint8Array.from({ length: SHOE }, (_, i) => i % 52);

/** The first cards of a shuffled shoe; the rest of it is never looked at. */
function drawCards(random: Random): number[] {
  const shoe = FULL_SHOE.slice();
  const cards: number[] = [];
  for (let left = SHOE; left > SHOE - MOST_CARDS; left--) {
    const at = random.int(left);
    cards.push(shoe[at]!);
    shoe[at] = shoe[left - 1]!;
  }
  return cards;
}

/** A hand of 21 or more asks nothing more. */
function settled(hand: Hand): Hand {
  return totalOf(hand.cards).total >= 21 ? { ...hand, done: true } : hand;
}

const activeOf = (state: State) => (state.over ? -1 : state.hands.findIndex((hand) => !hand.done));

function allowedIn(state: State): readonly BlackjackAct[] {
  const hand = state.hands[activeOf(state)];
  if (hand === undefined) return [];
  if (hand.cards.length !== 2) return ['hit', 'stand'];
  if (state.hands.length > 1) return ['hit', 'stand', 'double'];
  const pair = pointsOf(hand.cards[0]!) === pointsOf(hand.cards[1]!);
  return pair ? BLACKJACK_MOVES : ['hit', 'stand', 'double', 'surrender'];
}

function check(state: State, act: Move['act']) {
  if (state.over) throw new RuleError('act', 'The round is over.');
  if (act !== 'leave' && !allowedIn(state).includes(act)) throw new RuleError('act', `${act} is not allowed now.`);
}

/** The dealer draws if a hand still needs an answer; then everything is paid. */
function finish(state: State) {
  const hands = state.hands.length;
  const open = (hand: Hand) => !hand.surrendered && totalOf(hand.cards).total <= 21;
  const natural = hands === 1 && isBlackjack(state.hands[0]!.cards);
  const dealer = [...state.dealer];
  let { used } = state;
  if (!natural && state.hands.some(open)) {
    while (totalOf(dealer).total < 17) dealer.push(state.cards[used++]!);
  }
  let paidMinor = 0;
  const judged = state.hands.map((hand): Hand => {
    const outcome = outcomeOf(hand, dealer, natural);
    paidMinor += payOf(hand.stakeMinor, TIMES[outcome]);
    return { ...hand, done: true, outcome };
  });
  return { state: { ...state, used, dealer, hands: judged, over: true }, over: true, paidMinor };
}

const TIMES: Readonly<Record<Outcome, number>> = {
  blackjack: 250,
  won: 200,
  push: 100,
  lost: 0,
  bust: 0,
  surrendered: 50,
};

function outcomeOf(hand: Hand, dealer: readonly number[], natural: boolean): Outcome {
  const own = totalOf(hand.cards).total;
  const theirs = totalOf(dealer).total;
  if (hand.surrendered) return 'surrendered';
  if (own > 21) return 'bust';
  if (natural) return isBlackjack(dealer) ? 'push' : 'blackjack';
  if (isBlackjack(dealer)) return 'lost';
  if (theirs > 21 || own > theirs) return 'won';
  return own === theirs ? 'push' : 'lost';
}
