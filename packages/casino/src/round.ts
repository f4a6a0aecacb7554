import { type Bet, type Settled, selectionOf, settleBet } from './bets.ts';
import { type Card, deckOf, siteName } from './cards.ts';
import { commitOf, createStream, type Seeds, sharedSeed, shuffle } from './fair.ts';
import type { Deal, Game, PickRule, Result } from './game.ts';
import { type Price, priceOf } from './odds.ts';
import { gameOf, type TableCode } from './table.ts';

/** OPEN takes bets, LOCKED is the end of the countdown, DEALING shows one card, RESULT shows who won. */
export type Phase = 'OPEN' | 'LOCKED' | 'DEALING' | 'RESULT' | 'SETTLED';

/**
 * A round (C9) as plain data: it may be stored and read back at any point. It holds the server seed and so the cards
 * to come: send out `publicView`, never the round itself.
 */
export interface Round extends Deal {
  readonly code: TableCode;
  readonly seeds: Seeds;
  readonly phase: Phase;
  /** Number of the last betting window that opened, from 1. */
  readonly window: number;
  /** How long this phase lasts; 0 when the round is over. */
  readonly lastsMs: number;
  /** What players put into the public seed, and what it was without them; absent where nobody did. */
  readonly words?: readonly string[];
  readonly baseSeed?: string;
}

/** Bets are accepted while more than this is left on the countdown. */
export const LOCK_MS = 3000;

/**
 * Opens the first window of a new round. At a shared table players' words are part of the public seed (C11): they are given
 * here and never later, since whoever put one in with bets on the table would choose the cards. Fails on seeds that C11 does
 * not allow.
 */
export function newRound(code: TableCode, given: Seeds, words: readonly string[] = []): Round {
  const seeds = words.length === 0 ? given : { ...given, clientSeed: sharedSeed(given.clientSeed, words) };
  const worded = words.length === 0 ? {} : { words, baseSeed: given.clientSeed };
  const round: Round = { code, seeds, phase: 'OPEN', window: 1, cards: [], seats: [], lastsMs: 0, ...worded };
  shoesOf(round);
  return { ...round, lastsMs: openMs(gameOf(code), round) };
}

/** The next phase. Pure: the caller waits `lastsMs` before it calls. A settled round stays as it is. */
export function step(round: Round): Round {
  const game = gameOf(round.code);
  switch (round.phase) {
    case 'OPEN':
      return { ...round, phase: 'LOCKED', lastsMs: LOCK_MS };
    case 'LOCKED':
      return dealOne(game, round);
    case 'DEALING': {
      if (game.nextSeat(round) < 0) return { ...round, phase: 'RESULT', lastsMs: game.pace.resultMs };
      const lastsMs = openMs(game, round);
      return lastsMs > 0 ? { ...round, phase: 'OPEN', window: round.window + 1, lastsMs } : dealOne(game, round);
    }
    case 'RESULT':
      return { ...round, phase: 'SETTLED', lastsMs: 0 };
    default:
      return round;
  }
}

/** Plays to the end at once: for rounds found unfinished after a restart, for tests and for verification. */
export function finish(round: Round): Round {
  let now = round;
  while (now.phase !== 'SETTLED') now = step(now);
  return now;
}

function openMs(game: Game, deal: Deal): number {
  const windowMs = game.windowMs(deal);
  return windowMs > 0 ? windowMs - LOCK_MS : 0;
}

function dealOne(game: Game, round: Round): Round {
  const at = game.nextSeat(round);
  const { shoe } = game.seats[at]!;
  let taken = 0;
  for (const seat of round.seats) if (game.seats[seat]!.shoe === shoe) taken += 1;
  const card = shoesOf(round)[shoe]![taken]!;
  return {
    ...round,
    phase: 'DEALING',
    cards: [...round.cards, card],
    seats: [...round.seats, at],
    lastsMs: game.pace.cardMs,
  };
}

const shoes = new WeakMap<Seeds, readonly (readonly Card[])[]>();

/** The shuffled stacks: made once for each round in memory, again after it was read back. */
function shoesOf(round: Round): readonly (readonly Card[])[] {
  let made = shoes.get(round.seeds);
  if (!made) {
    made = shuffledShoes(gameOf(round.code), round.seeds);
    shoes.set(round.seeds, made);
  }
  return made;
}

function shuffledShoes(game: Game, seeds: Seeds): readonly (readonly Card[])[] {
  const { deck } = game;
  if (deck === 'U1000') return [[createStream(seeds).int(1000)]];
  const count = game.seats.some((seat) => seat.shoe === 1) ? 2 : 1;
  return Array.from({ length: count }, (_, index) => shuffle(deckOf(deck), createStream(seeds, index)));
}

/** OPEN may be bet on; SUSPENDED has no price at this state of the cards; CLOSED is not on offer now. */
export interface Offer {
  readonly selectionId: number;
  readonly state: 'OPEN' | 'SUSPENDED' | 'CLOSED';
  readonly back: number | null;
  readonly lay: number | null;
  readonly yes: Price['yes'] | null;
  readonly no: Price['no'] | null;
}

const offered = new WeakMap<readonly Card[], Offer[]>();

/** Every selection with its price of this window. While the window is not open all are closed, prices kept. */
export function openSelections(round: Round): Offer[] {
  const game = gameOf(round.code);
  let offers = offered.get(round.cards);
  if (!offers) {
    offers = offersFor(game, round);
    offered.set(round.cards, offers);
  }
  return round.phase === 'OPEN' ? offers : offers.map((offer) => ({ ...offer, state: 'CLOSED' }));
}

/** Prices of a window of a game, before `deal` gets its next card. Pricing is exact enumeration over unseen cards. */
export function offersFor(game: Game, deal: Deal): Offer[] {
  const priced = game.windowMs(deal) > 0 && game.nextSeat(deal) >= 0;
  const chances = priced ? game.chances(deal) : new Map();
  return game.selections.map((selection) => {
    let price = selection.price;
    let state: Offer['state'] = 'OPEN';
    if (!priced || (selection.at !== null && !selection.at.includes(deal.cards.length))) state = 'CLOSED';
    else if (price === null) {
      const chance = chances.get(selection.id);
      price = chance ? priceOf(chance) : null;
      state = chance ? (price ? 'OPEN' : 'SUSPENDED') : 'CLOSED';
    }
    const { back = null, lay = null, yes = null, no = null } = price ?? {};
    return { selectionId: selection.id, state, back, lay, yes, no };
  });
}

export type Refusal =
  | 'ROUND_CLOSED'
  | 'WINDOW_CHANGED'
  | 'NO_SELECTION'
  | 'SELECTION_CLOSED'
  | 'SUSPENDED'
  | 'ODDS_CHANGED'
  | 'BAD_SIDE'
  | 'BAD_PICK'
  | 'BAD_STAKE';

/** Why the bet may not stand in this window at these odds, or null. Limits, balance and time are the caller's. */
export function refusalOf(round: Round, window: number, bet: Bet): Refusal | null {
  if (round.phase !== 'OPEN') return 'ROUND_CLOSED';
  if (window !== round.window) return 'WINDOW_CHANGED';
  const selection = selectionOf(gameOf(round.code), bet.selectionId);
  if (!selection) return 'NO_SELECTION';
  if (!Number.isSafeInteger(bet.stakeMinor) || bet.stakeMinor <= 0) return 'BAD_STAKE';
  if (!selection.sides.includes(bet.side)) return 'BAD_SIDE';
  if (!pickFits(selection.pick, bet.pick ?? [])) return 'BAD_PICK';
  const offer = openSelections(round).find((entry) => entry.selectionId === bet.selectionId)!;
  if (offer.state === 'CLOSED') return 'SELECTION_CLOSED';
  if (offer.state === 'SUSPENDED') return 'SUSPENDED';
  if (bet.side === 'BACK' || bet.side === 'LAY') {
    return (bet.side === 'BACK' ? offer.back : offer.lay) === bet.price ? null : 'ODDS_CHANGED';
  }
  const rate = bet.side === 'YES' ? offer.yes : offer.no;
  return rate?.rate === bet.price && rate.line === bet.line ? null : 'ODDS_CHANGED';
}

function pickFits(rule: PickRule | null, pick: readonly number[]): boolean {
  if (!rule) return pick.length === 0;
  if (pick.length < rule.least || pick.length > rule.most) return false;
  if (!rule.repeats && new Set(pick).size !== pick.length) return false;
  return pick.every((value) => Number.isInteger(value) && value >= rule.from && value <= rule.to);
}

/** The result once all cards are dealt, else null. */
export function resultOf(round: Round): Result | null {
  const game = gameOf(round.code);
  if (game.nextSeat(round) >= 0) return null;
  return game.result(game.outcome(round), round);
}

/** Profit or loss of a bet of this round. Fails while cards are still to come. */
export function settle(round: Round, bet: Bet): Settled {
  const game = gameOf(round.code);
  if (game.nextSeat(round) >= 0) throw new Error('The round has no result yet.');
  const outcome = game.outcome(round);
  return settleBet(game, game.result(outcome, round).void ? null : outcome, bet);
}

/** What everyone may know of a round at this moment. The server seed is in it only when the round is settled. */
export interface PublicView {
  readonly code: TableCode;
  readonly phase: Phase;
  readonly window: number;
  readonly lastsMs: number;
  readonly commit: string;
  readonly clientSeed: string;
  readonly nonce: number;
  readonly serverSeed: string | null;
  /** The players' words in the client seed, and what it was without them. */
  readonly words: readonly string[];
  readonly baseSeed: string;
  /** Cards in site notation in the order of the deal, and the seat of each. */
  readonly cards: readonly string[];
  readonly seats: readonly number[];
  /** What each seat's cards come to, in words. */
  readonly notes: readonly string[];
  readonly offers: readonly Offer[];
  readonly result: Result | null;
}

export function publicView(round: Round): PublicView {
  const game = gameOf(round.code);
  const { serverSeed, clientSeed, nonce } = round.seeds;
  const over = round.phase === 'RESULT' || round.phase === 'SETTLED';
  return {
    code: round.code,
    phase: round.phase,
    window: round.window,
    lastsMs: round.lastsMs,
    commit: commitOf(serverSeed),
    clientSeed,
    nonce,
    serverSeed: round.phase === 'SETTLED' ? serverSeed : null,
    words: round.words ?? [],
    baseSeed: round.baseSeed ?? clientSeed,
    cards: round.cards.map((card) => cardText(game, card)),
    seats: round.seats,
    notes: game.seats.map((_, index) => game.note(round, index)),
    offers: openSelections(round),
    result: over ? resultOf(round) : null,
  };
}

/** A card in site notation; a bare number where the game draws a number. */
export function cardText(game: Game, card: Card): string {
  return game.deck === 'U1000' ? String(card) : siteName(card);
}
