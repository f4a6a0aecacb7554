import { type Card, rankOf } from '../cards.ts';
import {
  cardsAt,
  type Deal,
  type Game,
  LOSE,
  NO_CHANCES,
  pays,
  REFUND,
  type Selection,
  seat,
  selection,
  toneOf,
  WIN,
  windowsAt,
  won,
} from '../game.ts';
import { baccaratTotal, baccaratValue, bankerDraws } from '../hands.ts';
import { PACES, sideBySide } from './card-bets.ts';

interface Outcome {
  readonly player: readonly Card[];
  readonly banker: readonly Card[];
  readonly playerTotal: number;
  readonly bankerTotal: number;
}

const PLAYER = 0;
const BANKER = 1;
const NAMES: readonly string[] = ['Player', 'Banker'];

/** P, B, P, B, then the third cards of C6. */
function nextSeat(deal: Deal): number {
  if (deal.cards.length < 4) return deal.cards.length % 2;
  const player = cardsAt(deal, PLAYER);
  const banker = cardsAt(deal, BANKER);
  if (banker.length === 3) return -1;
  const playerTwo = baccaratTotal(player.slice(0, 2));
  const bankerTwo = baccaratTotal(banker);
  if (playerTwo >= 8 || bankerTwo >= 8) return -1;
  if (playerTwo <= 5 && player.length === 2) return PLAYER;
  const third = player.length === 3 ? baccaratValue(player[2]!) : null;
  return bankerDraws(bankerTwo, third) ? BANKER : -1;
}

function outcome(deal: Deal): Outcome {
  const player = cardsAt(deal, PLAYER);
  const banker = cardsAt(deal, BANKER);
  return { player, banker, playerTotal: baccaratTotal(player), bankerTotal: baccaratTotal(banker) };
}

const winnerOf = ({ playerTotal, bankerTotal }: Outcome) =>
  playerTotal > bankerTotal ? PLAYER : bankerTotal > playerTotal ? BANKER : -1;
const isPair = (hand: readonly Card[]) => rankOf(hand[0]!) === rankOf(hand[1]!);
const isPerfect = (hand: readonly Card[]) => hand[0] === hand[1];
const HALF_PROFIT = pays(150);

/** A bet of this table; odds are shown N to 1. */
function bet(
  id: number,
  name: string,
  back: number,
  returnPpm: number,
  mark: Selection<Outcome>['mark'],
  more: Partial<Selection<Outcome>> = {},
): Selection<Outcome> {
  return selection<Outcome>({
    id,
    name,
    group: 'Side bets',
    price: { back },
    returnPpm,
    shown: 'to-one',
    limit: 'fancy',
    ...more,
    mark,
  });
}

const common: readonly Selection<Outcome>[] = [
  bet(
    1,
    'Player',
    200,
    987_649,
    (o) => {
      const winner = winnerOf(o);
      return winner < 0 ? REFUND : won(winner === PLAYER);
    },
    { group: 'Main', limit: 'main', column: 'P' },
  ),
  bet(
    2,
    'Banker',
    200,
    985_419,
    (o) => {
      const winner = winnerOf(o);
      if (winner < 0) return REFUND;
      if (winner === PLAYER) return LOSE;
      return o.bankerTotal === 6 ? HALF_PROFIT : WIN;
    },
    {
      group: 'Main',
      limit: 'main',
      column: 'B',
      table: [
        ['Banker wins', '1:1'],
        ['Banker wins with six', '0.5:1'],
      ],
    },
  ),
  bet(3, 'Tie', 900, 856_404, (o) => won(winnerOf(o) < 0), { group: 'Main' }),
  bet(4, 'Player Pair', 1200, 896_386, (o) => won(isPair(o.player)), { group: 'Pairs', column: 'P' }),
  bet(5, 'Banker Pair', 1200, 896_386, (o) => won(isPair(o.banker)), { group: 'Pairs', column: 'B' }),
];

const classic: readonly Selection<Outcome>[] = [
  bet(6, 'Perfect Pair', 2600, 869_706, (o) => won(isPerfect(o.player) || isPerfect(o.banker)), { group: 'Pairs' }),
  bet(7, 'Big', 154, 956_543, (o) => won(o.player.length + o.banker.length > 4)),
  bet(8, 'Small', 250, 947_171, (o) => won(o.player.length + o.banker.length === 4)),
  bet(9, 'Either Pair', 600, 862_901, (o) => won(isPair(o.player) || isPair(o.banker)), { group: 'Pairs' }),
];

const score = (id: number, name: string, back: number, returnPpm: number, from: number, to: number) =>
  bet(
    id,
    `Score ${name}`,
    back,
    returnPpm,
    (o) => {
      if (winnerOf(o) < 0) return LOSE;
      const total = Math.max(o.playerTotal, o.bankerTotal);
      return won(total >= from && total <= to);
    },
    { group: 'Winning score', label: name },
  );

const scores: readonly Selection<Outcome>[] = [
  score(6, '1-4', 850, 889_963, 1, 4),
  score(7, '5-6', 500, 921_741, 5, 6),
  score(8, '7', 550, 871_835, 7, 7),
  score(9, '8', 400, 868_868, 8, 8),
  score(10, '9', 350, 840_216, 9, 9),
];

function makeBaccarat(side: readonly Selection<Outcome>[], rules: readonly string[]): Game<Outcome> {
  return {
    family: 'baccarat',
    deck: 'D8',
    seats: [seat('P', 'Player'), seat('B', 'Banker')],
    pace: PACES.fixed.pace,
    layout: sideBySide('table', 2, 3),
    selections: [...common, ...side],
    rules: [
      'Eight decks. Ace 1, 2 to 9 their number, 10 and faces 0; a hand is worth the last digit of its sum.',
      'On 8 or 9 from two cards both stand. Else the Player draws on 0 to 5, the Banker by the third card table.',
      'The higher hand wins. A tie gives Player and Banker bets back. Banker pays half when it wins with six.',
      'Pairs: the first two cards of the hand have the same rank.',
      ...rules,
    ],
    handRanks: [],
    nextSeat,
    windowMs: windowsAt({ 0: PACES.fixed.first }),
    outcome,
    result: (o) => {
      const winner = winnerOf(o);
      const six = winner === BANKER && o.bankerTotal === 6;
      const name = winner < 0 ? 'Tie' : NAMES[winner]!;
      const pairs = [isPair(o.player) ? 'Player Pair' : '', isPair(o.banker) ? 'Banker Pair' : ''].filter(Boolean);
      return {
        win: six ? '4' : winner < 0 ? '3' : String(winner + 1),
        badge: name[0]!,
        tone: toneOf(winner),
        text: [name, `${o.playerTotal}-${o.bankerTotal}`, ...pairs].join('|'),
        words: `Player has ${o.playerTotal}, Banker has ${o.bankerTotal}. ${winner < 0 ? 'It is a tie.' : `${name} wins.`}`,
        winners: winner < 0 ? [] : [winner],
        void: false,
      };
    },
    chances: () => NO_CHANCES,
    note: (deal, index) => {
      const cards = cardsAt(deal, index);
      return cards.length > 0 ? String(baccaratTotal(cards)) : '';
    },
  };
}

export const baccarat: Game<Outcome> = makeBaccarat(classic, [
  'Perfect Pair: same rank and suit in either hand, paid once. Big: five or six cards in all; Small: four.',
]);
export const baccarat2: Game<Outcome> = makeBaccarat(scores, ['Score: total of the winning hand; it loses on a tie.']);
