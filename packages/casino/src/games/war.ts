import { type Card, cardWords, keyOf } from '../cards.ts';
import { ENDINGS } from '../endings.ts';
import {
  cardsAt,
  dealtTo,
  type Game,
  inOrder,
  NO_CHANCES,
  type Place,
  seat,
  selection,
  windowsAt,
  won,
} from '../game.ts';
import { beatIt } from '../words.ts';
import { type CardBetName, cardBet, PACES } from './card-bets.ts';

/** Cards of players 1 to 6, then the dealer's. */
type Cards = readonly Card[];

const PLAYERS = [0, 1, 2, 3, 4, 5];
const DEALER = 6;
const KINDS: readonly CardBetName[] = ['Black', 'Red', 'Odd', 'Even', 'Spade', 'Club', 'Heart', 'Diamond'];
const beats = (cards: Cards, player: number) => keyOf(cards[player]!) > keyOf(cards[DEALER]!);

const places: Place[] = [
  { seat: DEALER, row: 0, column: 2, slots: 1, spread: 'row' },
  ...PLAYERS.map((player): Place => ({ seat: player, row: 1, column: player, slots: 1, spread: 'row' })),
];

export const war: Game<Cards> = {
  family: 'war',
  deck: 'D1',
  seats: [...PLAYERS.map((player) => seat(String(player + 1), `Player ${player + 1}`)), seat('D', 'Dealer')],
  pace: PACES.fixed.pace,
  layout: { board: 'war', sides: [], places },
  selections: PLAYERS.flatMap((player) => {
    const base = player * 10;
    const number = String(player + 1);
    const where = { name: (bet: string) => `${bet} ${number}`, column: number, card: (cards: Cards) => cards[player]! };
    const winner = selection<Cards>({
      id: base + 1,
      name: `Winner ${number}`,
      group: 'Winner',
      column: number,
      label: 'Winner',
      hint: 'beats the dealer',
      price: { back: 198 },
      returnPpm: 990_000,
      limit: 'main',
      mark: (cards) => won(beats(cards, player)),
    });
    return [winner, ...KINDS.map((kind, i) => cardBet(base + 2 + i, kind, where))];
  }),
  rules: [
    'One deck. One card to each of six players, then one to the dealer.',
    'Each player plays the dealer: the higher rank wins, the ace is low; on equal ranks spade, heart, club, diamond.',
    "Colour, parity and suit bets are on the player's own card.",
  ],
  handRanks: [],
  nextSeat: inOrder([...PLAYERS, DEALER]),
  windowMs: windowsAt({ 0: PACES.fixed.first }),
  outcome: (deal) => deal.cards,
  endings: ENDINGS.war,
  result: (cards, deal) => {
    const winners = PLAYERS.filter((player) => beats(cards, player));
    const numbers = winners.map((player) => String(player + 1));
    const dealer = `The dealer has the ${cardWords(cards[DEALER]!)}.`;
    return {
      win: numbers.join(',') || '0',
      badge: `${numbers.length}/6`,
      tone: 'none',
      text: numbers.length > 0 ? `Player ${numbers.join(',')}` : 'Dealer',
      words: `${dealer} ${beatIt(numbers)}`,
      winners,
      best: dealtTo(deal, winners),
      void: false,
    };
  },
  chances: () => NO_CHANCES,
  note: (deal, index) => cardsAt(deal, index).map(cardWords).join(),
};
