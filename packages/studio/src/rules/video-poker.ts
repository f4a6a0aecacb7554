/** Jacks or Better with the full pay table: five cards, hold any of them, draw the others once. */
import { CYCLE_MS, fields, payOf, type ReturnRow, RuleError, soloGame, stakeFrom, wholeFrom } from '../game.ts';

interface Wager {
  readonly stakeMinor: number;
}

/** Places 0 to 4, rising, of the cards kept. */
interface Move {
  readonly hold: readonly number[];
}

interface State {
  readonly stakeMinor: number;
  /** The five dealt, then the five that may replace them, each at its own place. */
  readonly cards: readonly number[];
  readonly hold: readonly number[] | null;
}

export interface PokerView {
  /** 0 to 51, the cards of @fairgame/casino: rank `card % 13` (0 ace, 12 king), suit `floor(card / 13)`. */
  readonly cards: readonly number[];
  /** The five of the deal; the same as `cards` until the draw. */
  readonly dealt: readonly number[];
  readonly hold: readonly number[] | null;
  /** What the five cards now make. */
  readonly rank: PokerRank;
}

export const POKER_RANKS = [
  'royal',
  'straight-flush',
  'four',
  'full-house',
  'flush',
  'straight',
  'three',
  'two-pair',
  'jacks',
  'nothing',
] as const;
export type PokerRank = (typeof POKER_RANKS)[number];

/** Hundredths, stake included. */
export const POKER_PAYS: Readonly<Record<PokerRank, number>> = {
  royal: 80_000,
  'straight-flush': 5000,
  four: 2500,
  'full-house': 900,
  flush: 600,
  straight: 400,
  three: 300,
  'two-pair': 200,
  jacks: 100,
  nothing: 0,
};

export const POKER_NAMES: Readonly<Record<PokerRank, string>> = {
  royal: 'Royal flush',
  'straight-flush': 'Straight flush',
  four: 'Four of a kind',
  'full-house': 'Full house',
  flush: 'Flush',
  straight: 'Straight',
  three: 'Three of a kind',
  'two-pair': 'Two pair',
  jacks: 'Jacks or better',
  nothing: 'No pay',
};

const limits = { minStakeMinor: 100, maxStakeMinor: 20_000 };

/** Best play over all 2,598,960 deals, every hold against every draw (test/video-poker-exact.ts), in millionths. */
export const BEST_PLAY_PPM = 995_439;

export const videoPoker = soloGame<Wager, State, Move, PokerView>({
  kind: 'solo',
  code: 'video-poker',
  name: 'Jacks or Better',
  category: 'Poker',
  family: 'poker',
  cycleMs: CYCLE_MS,
  ...limits,
  rules: [
    'Five cards of one freshly shuffled deck. Choose which to hold; the others are replaced once, and the five you then have are paid.',
    'Pays, stake included: royal flush 800×, straight flush 50×, four of a kind 25×, full house 9×, flush 6×, straight 4×, three of a kind 3×, two pair 2×, a pair of jacks or better 1×.',
    'The return is for the best hold of every deal. The replacement of each place is fixed before the deal: what you hold does not change what the other places get.',
    'Leaving after the deal holds all five cards.',
  ],
  returns: (): ReturnRow[] => [{ bet: 'Best play', ppm: BEST_PLAY_PPM, how: 'exact' }],
  wager(input) {
    const { stakeMinor } = fields(input, ['stakeMinor']);
    return { stakeMinor: stakeFrom(stakeMinor, limits) };
  },
  stakeOf: (wager) => wager.stakeMinor,
  open({ stakeMinor }, random) {
    const deck = Array.from({ length: 52 }, (_, card) => card);
    const cards = Array.from({ length: 10 }, () => {
      const at = random.int(deck.length);
      const card = deck[at]!;
      deck[at] = deck[deck.length - 1]!;
      deck.pop();
      return card;
    });
    return { state: { stakeMinor, cards, hold: null }, over: false, paidMinor: 0 };
  },
  view(state) {
    const cards = handOf(state);
    return { cards, dealt: state.cards.slice(0, 5), hold: state.hold, rank: rankOf(cards) };
  },
  move(input) {
    const { hold } = fields(input, ['hold']);
    if (!Array.isArray(hold) || hold.length > 5) throw new RuleError('hold', 'hold is a list of places.');
    const places = hold.map((place: unknown) => wholeFrom(place, 'hold', 0, 4));
    if (places.some((place, i) => i > 0 && place <= places[i - 1]!))
      throw new RuleError('hold', 'hold names each place once, in rising order.');
    return { hold: places };
  },
  play(state, { hold }) {
    if (state.hold !== null) throw new RuleError('hold', 'The round is over.');
    const after = { ...state, hold };
    return { state: after, over: true, paidMinor: payOf(state.stakeMinor, POKER_PAYS[rankOf(handOf(after))]) };
  },
  leave: () => ({ hold: [0, 1, 2, 3, 4] }),
});

const handOf = ({ cards, hold }: State) =>
  cards.slice(0, 5).map((card, place) => (hold === null || hold.includes(place) ? card : cards[place + 5]!));

/** What five different cards make; ranks counted from the two (0) to the ace (12). */
export function rankOf(cards: readonly number[]): PokerRank {
  const counts = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (const card of cards) counts[(card + ACE) % 13]! += 1;
  const flush = cards.every((card) => Math.floor(card / 13) === Math.floor(cards[0]! / 13));
  const most = Math.max(...counts);
  if (most === 4) return 'four';
  if (most === 3) return counts.includes(2) ? 'full-house' : 'three';
  if (most === 2) {
    if (counts.filter((count) => count === 2).length === 2) return 'two-pair';
    return counts.lastIndexOf(2) >= JACK ? 'jacks' : 'nothing';
  }
  const low = counts.indexOf(1);
  const high = counts.lastIndexOf(1);
  const wheel = high === ACE && counts[0] === 1 && counts[1] === 1 && counts[2] === 1 && counts[3] === 1;
  const straight = high - low === 4 || wheel;
  if (straight && flush) return low === TEN ? 'royal' : 'straight-flush';
  return flush ? 'flush' : straight ? 'straight' : 'nothing';
}

const TEN = 8;
const JACK = 9;
const ACE = 12;
