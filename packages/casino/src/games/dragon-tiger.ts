import { type Card, cardWords, type DeckName, keyOf, rankOf } from '../cards.ts';
import {
  cardsAt,
  type Deal,
  type Game,
  inOrder,
  NO_CHANCES,
  type Result,
  type Selection,
  seat,
  selection,
  toneOf,
  windowsAt,
  won,
} from '../game.ts';
import type { Chance } from '../odds.ts';
import { type CardBetName, cardBet, cardFacts, PACES, rankBets, sideBySide } from './card-bets.ts';

/** Cards by seat. */
type Cards = readonly Card[];

interface Variant {
  readonly deck: DeckName;
  readonly names: readonly string[];
  readonly selections: readonly Selection<Cards>[];
  /** Result codes by winning seat; the last is the tie's. */
  readonly codes: readonly string[];
  readonly oneDay: boolean;
  readonly rules: readonly string[];
}

/** Seat with the highest card by rank (ace low), then suit; -1 when two cards are the very same. */
function winnerOf(cards: Cards): number {
  let best = 0;
  let shared = false;
  for (let i = 1; i < cards.length; i++) {
    const difference = keyOf(cards[i]!) - keyOf(cards[best]!);
    if (difference > 0) best = i;
    shared = difference === 0;
  }
  return shared ? -1 : best;
}

function dragonTiger(variant: Variant): Game<Cards> {
  const { names } = variant;
  const { first, later, pace } = variant.oneDay ? PACES.oneDay : PACES.fixed;
  return {
    family: 'dragon-tiger',
    deck: variant.deck,
    seats: names.map((name) => seat(name[0]!, name)),
    pace,
    layout: sideBySide('table', names.length, 1),
    selections: variant.selections,
    rules: variant.rules,
    handRanks: [],
    nextSeat: inOrder(names.map((_, index) => index)),
    windowMs: windowsAt({ 0: first, 1: later }),
    outcome: (deal) => names.map((_, index) => cardsAt(deal, index)[0]!),
    result: (cards) => result(variant, cards),
    chances: variant.oneDay ? oneDayChances : () => NO_CHANCES,
    note: (deal, index) => cardsAt(deal, index).map(cardWords).join(),
  };
}

function result(variant: Variant, cards: Cards): Result {
  const winner = winnerOf(cards);
  const name = variant.names[winner] ?? 'Tie';
  const pair = cards.length === 2 && rankOf(cards[0]!) === rankOf(cards[1]!);
  const parts = [`${name}${pair ? '|Is Pair' : ''}`, ...cards.map((card) => cardFacts(card).join('|'))];
  const held = variant.names.map((seatName, index) => `${seatName} has the ${cardWords(cards[index]!)}.`).join(' ');
  return {
    win: variant.codes[winner] ?? variant.codes.at(-1)!,
    badge: winner < 0 ? 'TIE' : name[0]!,
    tone: toneOf(winner),
    text: parts.join('*'),
    words: `${held} ${winner < 0 ? 'It is a tie.' : `${name} wins.`}`,
    winners: winner < 0 ? [] : [winner],
    void: false,
  };
}

/** After the Dragon's card only the cards above it make the Tiger win. */
function oneDayChances(deal: Deal): ReadonlyMap<number, Chance> {
  let tiger = 0.5;
  if (deal.cards.length === 1) {
    const shown = keyOf(deal.cards[0]!);
    let above = 0;
    for (let card = 0; card < 52; card++) if (keyOf(card) > shown) above += 1;
    tiger = above / 51;
  }
  return new Map([
    [1, { kind: 'RUNNER', win: 1 - tiger, lose: tiger }],
    [2, { kind: 'RUNNER', win: tiger, lose: 1 - tiger }],
  ]);
}

const DRAGON = 'Dragon';
const TIGER = 'Tiger';
const at = (index: number) => (cards: Cards) => cards[index]!;
const samePair = (cards: Cards) => won(rankOf(cards[0]!) === rankOf(cards[1]!));

function pairBet(id: number, odds: number, returnPpm: number): Selection<Cards> {
  return selection({
    id,
    name: 'Pair',
    group: 'Main',
    price: { back: odds },
    returnPpm,
    limit: 'fancy',
    mark: samePair,
  });
}

/** Even, Odd, Red and Black with ids from `firstId`, then the thirteen ranks. */
function faceBets(firstId: number, index: number, name: string): Selection<Cards>[] {
  const where = { name: (bet: string) => `${name} ${bet}`, column: name[0]!, card: at(index) };
  const four = (['Even', 'Odd', 'Red', 'Black'] as const).map((kind, i) => cardBet(firstId + i, kind, where));
  return [...four, ...rankBets(firstId + 4, where)];
}

function twentyTwenty(): Game<Cards> {
  const main = (id: number, name: string, winner: number, back: number, returnPpm: number) =>
    selection<Cards>({
      id,
      name,
      group: 'Main',
      price: { back },
      returnPpm,
      limit: 'main',
      mark: (cards) => won(winnerOf(cards) === winner),
    });
  return dragonTiger({
    deck: 'D8',
    names: [DRAGON, TIGER],
    codes: ['1', '2', '3'],
    oneDay: false,
    selections: [
      main(1, DRAGON, 0, 200, 983_133),
      main(2, TIGER, 1, 200, 983_133),
      { ...main(3, 'Tie', -1, 5000, 843_373), limit: 'side' },
      pairBet(4, 1200, 896_386),
      ...faceBets(5, 0, DRAGON),
      ...faceBets(22, 1, TIGER),
    ],
    rules: [
      'Eight decks. One card to the Dragon, one to the Tiger; the higher rank wins, the ace is low.',
      'On equal ranks the suit decides: spade, heart, club, diamond.',
      'The same rank and the same suit is a tie: Dragon and Tiger lose, Tie and Pair win.',
    ],
  });
}

export const dt20: Game<Cards> = twentyTwenty();
/** The second table of the same game. */
export const dt202: Game<Cards> = twentyTwenty();

/** One deck, back and lay, a second window after the Dragon's card. The pair pays the book's proposed 16. */
export function makeDt6(pairOdds: number, pairPpm: number): Game<Cards> {
  const main = (id: number, name: string, winner: number) =>
    selection<Cards>({
      id,
      name,
      group: 'Main',
      net: 'winner',
      limit: 'main',
      price: null,
      mark: (cards) => won(winnerOf(cards) === winner),
    });
  const kinds: readonly CardBetName[] = ['Even', 'Odd', 'Red', 'Black', 'Spade', 'Heart', 'Club', 'Diamond'];
  const fancies = (firstId: number, index: number, name: string) =>
    kinds.map((kind, i) =>
      cardBet(firstId + i, kind, { name: (bet) => `${name} ${bet}`, column: name[0]!, card: at(index) }),
    );
  return dragonTiger({
    deck: 'D1',
    names: [DRAGON, TIGER],
    codes: ['1', '2', '0'],
    oneDay: true,
    selections: [
      main(1, DRAGON, 0),
      main(2, TIGER, 1),
      pairBet(3, pairOdds, pairPpm),
      ...fancies(4, 0, DRAGON),
      ...fancies(12, 1, TIGER),
    ],
    rules: [
      'One deck. One card to the Dragon, one to the Tiger; the higher rank wins, the ace is low.',
      'On equal ranks the suit decides: spade, heart, club, diamond. There is no tie.',
      'After the Dragon card Dragon and Tiger are priced again; all other bets are taken before the deal only.',
    ],
  });
}

export const dt6: Game<Cards> = makeDt6(1600, 941_176);

const LION_NAMES = [DRAGON, TIGER, 'Lion'];
export const dtl20: Game<Cards> = dragonTiger({
  deck: 'D1',
  names: LION_NAMES,
  codes: ['1', '21', '41', '0'],
  oneDay: false,
  selections: LION_NAMES.flatMap((name, index) => {
    const base = index * 20;
    const letter = name[0]!;
    const where = { name: (bet: string) => `${bet} ${letter}`, column: letter, card: at(index) };
    const winner = selection<Cards>({
      id: base + 1,
      name: `Winner ${letter}`,
      group: 'Winner',
      column: letter,
      label: name,
      price: { back: 294 },
      returnPpm: 980_000,
      limit: 'main',
      mark: (cards) => won(winnerOf(cards) === index),
    });
    const four = (['Black', 'Red', 'Odd', 'Even'] as const).map((kind, i) => cardBet(base + 2 + i, kind, where));
    return [winner, ...four, ...rankBets(base + 6, where)];
  }),
  rules: [
    'One deck. One card each to Dragon, Tiger and Lion; the highest rank wins, the ace is low.',
    'On equal ranks the suit decides: spade, heart, club, diamond. There is no tie.',
  ],
});
