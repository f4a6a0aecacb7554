import type { Deal, Game, Result } from '@fairgame/casino';
import type { CardRound } from '@fairgame/contract';
import { cardNumber, shownCard } from './cards.ts';
import { noteWords } from './vocabulary.ts';

/**
 * What the cards of a round come to, worked out here from the public cards with the rules of the table: words under each
 * seat, the winners, and what the boards draw.
 */
export interface DealFacts {
  readonly deal: Deal;
  /** Shown cards by seat index: card codes of ui/PlayingCard ("KS"), or "back". */
  readonly hands: ReadonlyArray<ReadonlyArray<{ code: string; at: number }>>;
  readonly notes: readonly string[];
  /** Every card of the deal is there. */
  readonly dealt: boolean;
  readonly result: Result | null;
}

/** A round's cards with their seats; face-down ones are left out, and so are codes that are no cards. */
export function factsOf(game: Game, round: Pick<CardRound, 'cards' | 'phase'>): DealFacts {
  const seatAt = new Map(game.seats.map((seat, index) => [seat.id, index]));
  const cards: number[] = [];
  const seats: number[] = [];
  const hands: Array<Array<{ code: string; at: number }>> = game.seats.map(() => []);
  round.cards.forEach(({ seat, code }, at) => {
    const index = seatAt.get(seat) ?? Number(seat);
    const hand = hands[index];
    if (!hand) return;
    if (code === null) {
      hand.push({ code: 'back', at });
      return;
    }
    const number = game.deck === 'U1000' ? Number(code) : cardNumber(code);
    // A card this browser cannot read is drawn face down and counts for nothing.
    hand.push({ code: number === null ? 'back' : game.deck === 'U1000' ? code : shownCard(code), at });
    if (number === null) return;
    cards.push(number);
    seats.push(index);
  });
  const deal = { cards, seats };
  const over = round.phase === 'RESULT' || round.phase === 'VOID';
  const dealt = isDealt(game, deal);
  return {
    deal,
    hands,
    notes: game.seats.map((_, index) => noteWords(noteOf(game, deal, index))),
    dealt,
    result: over && dealt ? resultOf(game, deal) : null,
  };
}

function noteOf(game: Game, deal: Deal, seat: number): string {
  try {
    return game.note(deal, seat);
  } catch {
    return '';
  }
}

function isDealt(game: Game, deal: Deal): boolean {
  try {
    return deal.cards.length > 0 && game.nextSeat(deal) < 0;
  } catch {
    return false;
  }
}

function resultOf(game: Game, deal: Deal): Result | null {
  try {
    return game.result(game.outcome(deal), deal);
  } catch {
    return null;
  }
}
