import { type Card, cardWords, type DeckName, keyOf, rankOf, rankWord, suitOf, suitWord } from '../cards.ts';
import { ENDINGS, type Ending, endOf } from '../endings.ts';
import {
  cardsAt,
  type Deal,
  dealtTo,
  type Game,
  inOrder,
  NO_CHANCES,
  type Result,
  type Selection,
  seat,
  selection,
  windowsAt,
  won,
} from '../game.ts';
import type { Chance } from '../odds.ts';
import { listed } from '../words.ts';
import { type CardBetName, cardBet, cardFacts, PACES, rankBets, sideBySide } from './card-bets.ts';

/** Cards by seat. */
type Cards = readonly Card[];

interface Variant {
  readonly deck: DeckName;
  readonly names: readonly string[];
  readonly selections: readonly Selection<Cards>[];
  /** By winning seat; the tie's, where there is one, last. */
  readonly endings: readonly Ending[];
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
    endings: variant.endings,
    result: (cards, deal) => result(variant, cards, deal),
    chances: variant.oneDay ? oneDayChances : () => NO_CHANCES,
    note: (deal, index) => cardsAt(deal, index).map(cardWords).join(),
  };
}

function result(variant: Variant, cards: Cards, deal: Deal): Result {
  const winner = winnerOf(cards);
  const winners = winner < 0 ? [] : [winner];
  const { name, win } = winner < 0 ? variant.endings.at(-1)! : variant.endings[winner]!;
  const pair = cards.length === 2 && rankOf(cards[0]!) === rankOf(cards[1]!);
  const parts = [`${name}${pair ? '|Is Pair' : ''}`, ...cards.map((card) => cardFacts(card).join('|'))];
  return {
    ...endOf(variant.endings, win),
    text: parts.join('*'),
    words: winner < 0 ? `Tie: both have the ${cardWords(cards[0]!)}.` : `${name} wins: ${reason(cards, winner)}.`,
    winners,
    best: dealtTo(deal, winners),
    void: false,
  };
}

/** `king beats nine`, `king of spades beats king of hearts`: the suits where the ranks do not decide. */
function reason(cards: Cards, winner: number): string {
  const won = cards[winner]!;
  const others = cards.filter((_, index) => index !== winner).sort((x, y) => keyOf(y) - keyOf(x));
  const close = others.some((card) => rankOf(card) === rankOf(won));
  const said = (card: Card) =>
    close && rankOf(card) === rankOf(won)
      ? `${rankWord(rankOf(card))} of ${suitWord(suitOf(card))}`
      : rankWord(rankOf(card));
  return `${said(won)} beats ${listed(others.map(said))}`;
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
    hint: 'the same rank',
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
  const main = (id: number, name: string, winner: number, back: number, returnPpm: number, hint: string) =>
    selection<Cards>({
      id,
      name,
      group: 'Main',
      hint,
      price: { back },
      returnPpm,
      limit: 'main',
      mark: (cards) => won(winnerOf(cards) === winner),
    });
  return dragonTiger({
    deck: 'D8',
    names: [DRAGON, TIGER],
    endings: ENDINGS.dt20,
    oneDay: false,
    selections: [
      main(1, DRAGON, 0, 200, 983_133, 'a tie loses'),
      main(2, TIGER, 1, 200, 983_133, 'a tie loses'),
      { ...main(3, 'Tie', -1, 5000, 843_373, 'same rank and suit'), limit: 'side' },
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
    endings: ENDINGS.dt6,
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
  endings: ENDINGS.dtl20,
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
      hint: 'highest of three',
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
