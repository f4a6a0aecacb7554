import { type Card, rankOf } from '../cards.ts';
import { ENDINGS, endOf } from '../endings.ts';
import {
  cardsAt,
  type Deal,
  dealtTo,
  type Game,
  LOSE,
  NO_CHANCES,
  pays,
  REFUND,
  type Selection,
  seat,
  selection,
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
    { group: 'Main', limit: 'main', column: 'P', hint: 'a tie gives it back' },
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
      hint: 'half on a six',
      pays: [
        { when: 'Banker wins', odds: 200 },
        { when: 'Banker wins with six', odds: 150 },
      ],
    },
  ),
  bet(3, 'Tie', 900, 856_404, (o) => won(winnerOf(o) < 0), { group: 'Main', hint: 'equal totals' }),
  bet(4, 'Player Pair', 1200, 896_386, (o) => won(isPair(o.player)), {
    group: 'Pairs',
    column: 'P',
    hint: 'first two cards',
  }),
  bet(5, 'Banker Pair', 1200, 896_386, (o) => won(isPair(o.banker)), {
    group: 'Pairs',
    column: 'B',
    hint: 'first two cards',
  }),
];

const classic: readonly Selection<Outcome>[] = [
  bet(6, 'Perfect Pair', 2600, 869_706, (o) => won(isPerfect(o.player) || isPerfect(o.banker)), {
    group: 'Pairs',
    hint: 'the same card twice',
  }),
  bet(7, 'Big', 154, 956_543, (o) => won(o.player.length + o.banker.length > 4), { hint: '5 or 6 cards' }),
  bet(8, 'Small', 250, 947_171, (o) => won(o.player.length + o.banker.length === 4), { hint: '4 cards' }),
  bet(9, 'Either Pair', 600, 862_901, (o) => won(isPair(o.player) || isPair(o.banker)), {
    group: 'Pairs',
    hint: 'of either hand',
  }),
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
    { group: 'Winning score', label: name, hint: 'total of the winner' },
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
      'On 8 or 9 from two cards both stand. Else the Player draws a third card on 0 to 5 and stands on 6 and 7.',
      'The Banker then draws on 0 to 5 where the Player stood. Where the Player drew: on 0 to 2 always; on 3 unless that card was an 8; on 4 if it was 2 to 7; on 5 if it was 4 to 7; on 6 if it was 6 or 7; never on 7.',
      'The higher hand wins. A tie gives Player and Banker bets back. Banker pays half when it wins with six.',
      'Pairs: the first two cards of the hand have the same rank.',
      ...rules,
    ],
    handRanks: [],
    nextSeat,
    windowMs: windowsAt({ 0: PACES.fixed.first }),
    outcome,
    endings: ENDINGS.baccarat,
    result: (o, deal) => {
      const winner = winnerOf(o);
      const winners = winner < 0 ? [] : [winner];
      const six = winner === BANKER && o.bankerTotal === 6;
      const name = winner < 0 ? 'Tie' : NAMES[winner]!;
      const totals = [o.playerTotal, o.bankerTotal];
      const [most, least] = winner === BANKER ? totals.reverse() : totals;
      const natural = o.player.length + o.banker.length === 4 && most! >= 8;
      const pairs = [isPair(o.player) ? 'Player Pair' : '', isPair(o.banker) ? 'Banker Pair' : ''].filter(Boolean);
      return {
        ...endOf(ENDINGS.baccarat, six ? '4' : winner < 0 ? '3' : String(winner + 1)),
        text: [name, `${o.playerTotal}-${o.bankerTotal}`, ...pairs].join('|'),
        words:
          winner < 0
            ? `Tie: both have ${most}. Player and Banker bets go back.`
            : `${name} wins with ${natural ? 'a natural ' : ''}${most} against ${least}${six ? '; Banker bets are paid half' : ''}.`,
        winners,
        best: dealtTo(deal, winners),
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
