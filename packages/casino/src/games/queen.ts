import { rankOf } from '../cards.ts';
import { prepareQueen, queenChances } from '../chances/queen.ts';
import { ENDINGS, endOf } from '../endings.ts';
import { type Deal, dealtTo, type Game, seat, selection, won } from '../game.ts';
import type { Chance } from '../odds.ts';
import { listed } from '../words.ts';
import { PACES, sideBySide } from './card-bets.ts';

interface Outcome {
  readonly totals: readonly number[];
  /** -1: nothing decided after twenty cards. */
  readonly winner: number;
}

const HANDS = [0, 1, 2, 3];
const LAST_CARD = 20;

function outcome({ cards }: Deal): Outcome {
  const totals = [0, 1, 2, 3];
  for (let i = 0; i < cards.length; i++) totals[i % 4]! += rankOf(cards[i]!);
  const top = Math.max(...totals);
  const first = totals.indexOf(top);
  const decided = cards.length > 0 && cards.length % 4 === 0 && top >= 10 && totals.lastIndexOf(top) === first;
  return { totals, winner: decided ? first : -1 };
}

export const queen: Game<Outcome> = {
  family: 'queen',
  deck: 'DQ',
  seats: HANDS.map((hand) => seat(String(hand), `Total ${hand}`)),
  pace: PACES.oneDay.pace,
  layout: sideBySide('queen', 4, 5, 4, 'fan'),
  selections: HANDS.map((hand) =>
    selection<Outcome>({
      id: hand + 1,
      name: `Total ${hand}`,
      group: 'Winner',
      column: String(hand),
      price: null,
      net: 'winner',
      limit: 'main',
      mark: ({ winner }) => won(winner === hand),
    }),
  ),
  rules: [
    'The cards 2 to 6 and one queen worth 12. Hands 0, 1, 2 and 3 start with that many points and get a card each in turn.',
    'After each full round the hand that alone has the highest total, of at least 10, wins; else another round is dealt.',
    'After five rounds without a winner every bet goes back. The hands are priced again before every card.',
  ],
  handRanks: [],
  nextSeat: (deal) => (deal.cards.length === LAST_CARD || outcome(deal).winner >= 0 ? -1 : deal.cards.length % 4),
  windowMs: ({ cards }) => (cards.length === 0 ? PACES.oneDay.first : PACES.oneDay.later) * 1000,
  outcome,
  endings: ENDINGS.queen,
  result: ({ totals, winner }, deal) => ({
    ...endOf(ENDINGS.queen, String(winner + 1)),
    text: [winner < 0 ? 'No result' : `Total ${winner}`, totals.join('-')].join('|'),
    words:
      winner < 0
        ? 'No result after twenty cards: stakes go back.'
        : `Total ${winner} wins with ${totals[winner]} against ${listed(HANDS.filter((hand) => hand !== winner).map((hand) => String(totals[hand])))}.`,
    winners: winner < 0 ? [] : [winner],
    best: winner < 0 ? [] : dealtTo(deal, [winner]),
    void: winner < 0,
  }),
  chances: ({ cards }) => {
    const wins = queenChances(cards.map(rankOf));
    const decided = wins.reduce((sum, win) => sum + win, 0);
    return new Map(wins.map((win, hand): [number, Chance] => [hand + 1, { kind: 'RUNNER', win, lose: decided - win }]));
  },
  prepare: prepareQueen,
  note: (deal, index) => (deal.cards.length > index ? String(outcome(deal).totals[index]) : ''),
};
