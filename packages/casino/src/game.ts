import type { Card, DeckName } from './cards.ts';
import type { Ending, Tone } from './endings.ts';
import type { Chance, Price } from './odds.ts';

/** The cards dealt so far, in the order of the deal; `seats[i]` is the seat that got `cards[i]`. */
export interface Deal {
  readonly cards: readonly Card[];
  readonly seats: readonly number[];
}

export const NO_CARDS: Deal = { cards: [], seats: [] };

/** Someone or something that cards are dealt to. Shoe 1 is the second shuffle of a round (second innings). */
export interface Seat {
  readonly id: string;
  readonly name: string;
  readonly shoe: 0 | 1;
}

export type Side = 'BACK' | 'LAY' | 'YES' | 'NO';

/** What the player chose with the bet where one selection stands for many: ranks (3cardj) or digits (worli). */
export type Pick = readonly number[];

/**
 * How a selection ended. WIN pays the bet's own odds unless it names others (hundredths, stake included). VALUE is the
 * result that lines are measured against. POINTS are signed and already capped.
 */
export type Mark =
  | { readonly kind: 'WIN'; readonly odds: number | null }
  | { readonly kind: 'LOSE' | 'REFUND' | 'HALF' }
  | { readonly kind: 'VALUE'; readonly value: number }
  | { readonly kind: 'POINTS'; readonly points: number };

export const WIN: Mark = { kind: 'WIN', odds: null };
export const LOSE: Mark = { kind: 'LOSE' };
export const REFUND: Mark = { kind: 'REFUND' };
export const HALF: Mark = { kind: 'HALF' };
export const won = (yes: boolean): Mark => (yes ? WIN : LOSE);
const paid = new Map<number, Mark>();
/** WIN at odds other than the bet's own. */
export function pays(odds: number): Mark {
  let mark = paid.get(odds);
  if (!mark) {
    mark = { kind: 'WIN', odds };
    paid.set(odds, mark);
  }
  return mark;
}

/** One way to win: in words, and the odds it pays, hundredths, stake included (of one unit, for bundles). */
export interface Pay {
  readonly when: string;
  readonly odds: number;
}

/** Which default limits of C14 apply; the figures are configuration (limits.ts). */
export type LimitKind = 'main' | 'side' | 'fancy' | 'long';

/** A selection that asks the player for digits or ranks before it is a bet. */
export interface PickRule {
  readonly of: 'ranks' | 'digits';
  readonly from: number;
  readonly to: number;
  readonly least: number;
  readonly most: number;
  /** Whether the same value may be chosen twice. */
  readonly repeats: boolean;
}

export interface Selection<O> {
  /** The site's sid where it is known. */
  readonly id: number;
  readonly name: string;
  /** Row of the odds grid, column (a seat id, or empty) and the words in the cell. */
  readonly group: string;
  readonly column: string;
  readonly label: string;
  readonly sides: readonly Side[];
  /** The fixed price; null where the price moves with the cards. */
  readonly price: Price | null;
  /** Numbers of cards on the table at which it may be bet on; null: at every window. */
  readonly at: readonly number[] | null;
  /** Selections of one netted market (C8) share this name and exclude each other. */
  readonly net: string | null;
  readonly limit: LimitKind;
  /** Where the winnings depend on how it wins: what each way pays. Null: it pays its price. */
  readonly pays: readonly Pay[] | null;
  /** A bet by points: it wins (price - 1) stakes or loses one for each point, up to so many. Null: no such bet. */
  readonly points: number | null;
  /** What it takes to win in two to five words, for the line under a price; empty where the name says it. */
  readonly hint: string;
  /** How odds are written at this table: decimal, or N to 1 (baccarat, bonus tables). */
  readonly shown: 'decimal' | 'to-one';
  readonly pick: PickRule | null;
  /** The return to the player in millionths; null where the price moves or the return depends on the pick. */
  readonly returnPpm: number | null;
  /** Odds and return of the rule book, where they were too poor to be offered and ours are better. */
  readonly book: { readonly back: number; readonly returnPpm: number } | null;
  /** Stakes at risk for one stake: 1, the panas of a bundle, or the cap of a bet by points. */
  units(pick: Pick): number;
  /** The most that one stake can win, in hundredths of it; null where that is the price's. */
  most(pick: Pick): number | null;
  mark(outcome: O, pick: Pick): Mark;
}

export interface Result {
  /** The result code `win` of C13. */
  readonly win: string;
  /** The letters of the last-results strip and how they are coloured there. */
  readonly badge: string;
  readonly tone: Tone;
  /** The site's result text. */
  readonly text: string;
  /** Who won and why, in a sentence or two. */
  readonly words: string;
  /** Seats that won. */
  readonly winners: readonly number[];
  /** The cards that decided it, by their number in the deal: the winning hand, the best five of seven. */
  readonly best: readonly number[];
  /** Nothing was decided: every stake goes back. */
  readonly void: boolean;
}

/** C9: a card's interval and how long the result stays. */
export interface Pace {
  readonly cardMs: number;
  readonly resultMs: number;
}

/** Drawn boards with a look of their own; `table` is the plain one. */
export type Board =
  | 'table'
  | 'andar-bahar'
  | 'lucky7'
  | 'cards32'
  | 'race'
  | 'queen'
  | 'overs'
  | 'match'
  | 'ball'
  | 'pads'
  | 'meter'
  | 'poker'
  | 'war';

export interface Place {
  readonly seat: number;
  readonly row: number;
  readonly column: number;
  /** Places for cards to draw before they come; more may come. */
  readonly slots: number;
  readonly spread: 'row' | 'fan' | 'pile' | 'track';
}

/** A main bet that is a field of the felt itself: the ranks from and to that win it. */
export interface FeltSide {
  readonly selection: number;
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

export interface Layout {
  readonly board: Board;
  readonly places: readonly Place[];
  readonly sides: readonly FeltSide[];
}

/** Everything that makes one table's game. O is what the cards come to. Variants of a family are made by one factory. */
export interface Game<O = unknown> {
  readonly family: string;
  readonly deck: DeckName;
  readonly seats: readonly Seat[];
  readonly pace: Pace;
  readonly layout: Layout;
  readonly selections: readonly Selection<O>[];
  /** Rules in short sentences, own words. */
  readonly rules: readonly string[];
  /** Hands from best to worst, where hands are compared. */
  readonly handRanks: readonly string[];
  /** The ways a round can end, for the strip and the statistics. */
  readonly endings: readonly Ending[];
  /** The seat that gets the next card, or -1 when the deal is over. */
  nextSeat(deal: Deal): number;
  /** Milliseconds of the betting window that opens before the next card; 0: none. */
  windowMs(deal: Deal): number;
  /** What a complete deal comes to. */
  outcome(deal: Deal): O;
  result(outcome: O, deal: Deal): Result;
  /** Chances of the selections whose price moves, over the unseen cards. Selections left out are closed. */
  chances(deal: Deal): ReadonlyMap<number, Chance>;
  /** Work that makes the first prices quick, in short steps; none where every price is quick from the start. */
  prepare?(): Generator<void>;
  /** What a seat's cards come to, in words. */
  note(deal: Deal, seat: number): string;
}

/** Cards of one seat in the order they came. */
export function cardsAt(deal: Deal, seat: number): Card[] {
  const cards: Card[] = [];
  for (let i = 0; i < deal.cards.length; i++) if (deal.seats[i] === seat) cards.push(deal.cards[i]!);
  return cards;
}

/** Numbers in the deal of the cards that these seats got. */
export const dealtTo = (deal: Deal, seats: readonly number[]): number[] =>
  deal.seats.flatMap((at, i) => (seats.includes(at) ? [i] : []));

export const seat = (id: string, name: string, shoe: 0 | 1 = 0): Seat => ({ id, name, shoe });

/** The deal of a game that always deals the same seats in the same order. */
export const inOrder =
  (order: readonly number[]) =>
  (deal: Deal): number =>
    deal.cards.length < order.length ? order[deal.cards.length]! : -1;

/** Windows before the named numbers of cards, in seconds. */
export const windowsAt =
  (seconds: Readonly<Record<number, number>>) =>
  (deal: Deal): number =>
    (seconds[deal.cards.length] ?? 0) * 1000;

export const NO_CHANCES: ReadonlyMap<number, Chance> = new Map();

const one = () => 1;

/** No bet is offered that returns less of its stakes than this. */
export const LEAST_RETURN_PPM = 920_000;

type Given = 'id' | 'name' | 'group' | 'mark';
/**
 * A selection with the usual defaults: a back bet of the first window, decimal odds, no market to net in. Odds of the book that
 * return less than LEAST_RETURN_PPM are raised; `refunds` is the share of rounds that give the stake back.
 */
export function selection<O>({
  refunds = 0,
  ...given
}: Needs<Selection<O>, Given> & { refunds?: number }): Selection<O> {
  const sides: readonly Side[] = given.price?.yes
    ? ['YES', 'NO']
    : given.price === null || given.price?.lay !== undefined
      ? ['BACK', 'LAY']
      : ['BACK'];
  return {
    column: '',
    label: given.name,
    sides,
    price: null,
    at: given.price === null ? null : [0],
    net: null,
    limit: 'side',
    pays: null,
    points: null,
    hint: '',
    shown: 'decimal',
    pick: null,
    returnPpm: null,
    book: null,
    units: one,
    most: () => null,
    ...given,
    ...raised(given, refunds),
  };
}

/** Better odds for a bet that would return too little; what is paid by a table is raised where the table stands. */
function raised(
  { price, returnPpm, pays }: Partial<Selection<never>>,
  refunds: number,
): { price?: Price; returnPpm?: number; book?: Selection<unknown>['book'] } {
  const back = price?.back;
  if (back === undefined || !returnPpm || pays || returnPpm >= LEAST_RETURN_PPM) return {};
  const refundPpm = refunds * 1_000_000;
  const ofWins = returnPpm - refundPpm;
  const least = (back * (LEAST_RETURN_PPM - refundPpm)) / ofWins;
  // Odds that read well: 1.84, 9.20, 54.50, 498.00.
  const step = least < 300 ? 1 : least < 1000 ? 5 : least < 10_000 ? 50 : 100;
  const better = Math.ceil(least / step) * step;
  return {
    price: { back: better },
    returnPpm: Math.round(refundPpm + (ofWins * better) / back),
    book: { back, returnPpm },
  };
}

type Needs<T, K extends keyof T> = { [P in K]: T[P] } & { [P in Exclude<keyof T, K>]?: T[P] };
