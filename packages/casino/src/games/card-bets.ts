import { type Card, CLUB, DIAMOND, HEART, isEven, isRed, rankName, rankOf, SPADE, suitOf } from '../cards.ts';
import { type Layout, type LimitKind, type Pace, type Selection, selection, won } from '../game.ts';

/** Bets on the face of one card: the same names, odds and returns at every table that has them. */
interface CardBet {
  readonly odds: number;
  readonly returnPpm: number;
  readonly test: (card: Card) => boolean;
}

const bet = (odds: number, returnPpm: number, test: (card: Card) => boolean): CardBet => ({ odds, returnPpm, test });
const suitBet = (suit: number) => bet(375, 937_500, (card) => suitOf(card) === suit);

export const CARD_BETS = {
  Even: bet(212, 978_462, isEven),
  Odd: bet(183, 985_385, (card) => !isEven(card)),
  Red: bet(197, 985_000, isRed),
  Black: bet(197, 985_000, (card) => !isRed(card)),
  Spade: suitBet(SPADE),
  Heart: suitBet(HEART),
  Club: suitBet(CLUB),
  Diamond: suitBet(DIAMOND),
} as const;
export type CardBetName = keyof typeof CARD_BETS;

const GROUPS: Readonly<Record<CardBetName, string>> = {
  Even: 'Even or odd',
  Odd: 'Even or odd',
  Red: 'Colour',
  Black: 'Colour',
  Spade: 'Suit',
  Heart: 'Suit',
  Club: 'Suit',
  Diamond: 'Suit',
};

interface Where<O> {
  readonly name: (bet: string) => string;
  readonly column?: string;
  readonly card: (outcome: O) => Card;
  readonly limit?: LimitKind;
}

/** One of the named bets on one card of the outcome. */
export function cardBet<O>(id: number, kind: CardBetName, where: Where<O>): Selection<O> {
  const { odds, returnPpm, test } = CARD_BETS[kind];
  return selection<O>({
    id,
    name: where.name(kind),
    group: GROUPS[kind],
    column: where.column ?? '',
    label: kind,
    price: { back: odds },
    returnPpm,
    limit: where.limit ?? 'side',
    mark: (outcome) => won(test(where.card(outcome))),
  });
}

/** The thirteen bets on a card's rank at 12.00, ids from `firstId`. */
export function rankBets<O>(firstId: number, where: Where<O>): Selection<O>[] {
  return Array.from({ length: 13 }, (_, index) => {
    const rank = index + 1;
    return selection<O>({
      id: firstId + index,
      name: where.name(`Card ${rankName(rank)}`),
      group: 'Card',
      column: where.column ?? '',
      label: rankName(rank),
      price: { back: 1200 },
      returnPpm: 923_077,
      limit: where.limit ?? 'side',
      mark: (outcome) => won(rankOf(where.card(outcome)) === rank),
    });
  });
}

/** Schedules of C9: seconds of the first and later windows, and the pace of the deal. */
export const PACES = {
  fixed: { first: 25, later: 0, pace: { cardMs: 1500, resultMs: 5000 } },
  single: { first: 20, later: 0, pace: { cardMs: 2000, resultMs: 5000 } },
  andarBahar: { first: 30, later: 0, pace: { cardMs: 3000, resultMs: 8000 } },
  oneDay: { first: 20, later: 8, pace: { cardMs: 2000, resultMs: 6000 } },
  cricket: { first: 20, later: 8, pace: { cardMs: 2000, resultMs: 8000 } },
  ball: { first: 15, later: 0, pace: { cardMs: 4000, resultMs: 5000 } },
  meter: { first: 25, later: 0, pace: { cardMs: 2000, resultMs: 8000 } },
} as const satisfies Record<string, { first: number; later: number; pace: Pace }>;

/** Seats side by side in rows of `perRow`, each with `slots` cards. */
export function sideBySide(
  board: Layout['board'],
  seats: number,
  slots: number,
  perRow = seats,
  spread: Layout['places'][number]['spread'] = 'row',
): Layout {
  return {
    board,
    sides: [],
    places: Array.from({ length: seats }, (_, seat) => ({
      seat,
      row: Math.floor(seat / perRow),
      column: seat % perRow,
      slots,
      spread,
    })),
  };
}

/** `Red|Odd|Card J`: how result texts write a card. */
export function cardFacts(card: Card): string[] {
  return [isRed(card) ? 'Red' : 'Black', isEven(card) ? 'Even' : 'Odd', `Card ${rankName(rankOf(card))}`];
}
