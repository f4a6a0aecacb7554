/**
 * Five card tables by the code of the card room: its stack, shuffle, order of the deal, result and settlement. A round is
 * dealt for one player after his bets; from the same seeds it is the very deal of the table (`newRound`).
 * Which bets are offered, and at which multiple where it is not the table's own, is data here: none returns under 92 %.
 */

import { type Card, deckOf, describe, gameOf, settleBet, shuffle, type TableCode } from '@fairgame/casino';
import {
  type AnySolo,
  CYCLE_MS,
  fields,
  oneOf,
  type Random,
  type ReturnRow,
  RuleError,
  soloGame,
  stakeFrom,
} from '../game.ts';
import { limits, type Offered, VARIANTS, type Variant } from './card-variants.ts';
import { timesText } from './slots.ts';

export interface TableBet {
  readonly id: number;
  readonly stakeMinor: number;
}

export interface TableWager {
  /** One for each selection at most. */
  readonly bets: readonly TableBet[];
}

interface State extends TableWager {
  readonly cards: readonly Card[];
  readonly seats: readonly number[];
}

export interface TableView {
  /** In the order of the deal, and the index of the seat of each. */
  readonly cards: readonly Card[];
  readonly seats: readonly number[];
  /** What each seat's cards come to, in words. */
  readonly notes: readonly string[];
  readonly winners: readonly number[];
  readonly words: string;
  readonly badge: string;
  readonly bets: readonly (TableBet & { readonly paidMinor: number })[];
}

/** A field of the table as the board draws it. */
export interface TableField {
  readonly id: number;
  /** Whole name, for the bets list and screen readers; `label` is what stands in the field. */
  readonly name: string;
  readonly label: string;
  /** What it pays, hundredths, stake included; where that depends on how it wins, see `table`. */
  readonly times: number;
  /** `2`, or `2 to 46`; and by how it wins, in words. */
  readonly pays: string;
  readonly table: string;
  readonly ppm: number;
}

export interface TableSection {
  readonly title: string;
  /** Big fields side by side, small ones in rows, or the thirteen ranks. */
  readonly look: 'main' | 'row' | 'ranks';
  readonly fields: readonly TableField[];
}

export interface TableInfo {
  readonly code: string;
  readonly seats: readonly { readonly id: string; readonly name: string }[];
  readonly sections: readonly TableSection[];
}

function fieldOf(variant: Variant, offered: Offered): TableField {
  const given = typeof offered === 'number' ? { id: offered } : offered;
  const selection = describe(variant.table).selections.find(({ id }) => id === given.id);
  if (!selection?.price?.back || selection.returnPpm === null)
    throw new Error(`Selection ${given.id} of ${variant.table} has no fixed price.`);
  const own = selection.price.back;
  const times = given.times ?? own;
  // A round here has one window.
  const table = (selection.pays ?? []).map(({ when, odds }) => [when.replace(' of the window', ''), odds] as const);
  const all = table.map(([, odds]) => odds);
  return {
    id: given.id,
    name: selection.name,
    label: given.label ?? selection.label,
    times,
    pays: all.length > 0 ? `${timesText(Math.min(...all))} to ${timesText(Math.max(...all))}` : timesText(times),
    table: table.map(([how, pays]) => `${how} ${timesText(pays)}`).join(', '),
    // A bet that wins whole or not at all returns in proportion to what it pays; the others keep the table's price.
    ppm: Math.floor((selection.returnPpm * times) / own),
  };
}

function makeTable(variant: Variant): { game: AnySolo; info: TableInfo } {
  const table = gameOf(variant.table);
  const info: TableInfo = {
    code: variant.code,
    seats: table.seats.map(({ id, name }) => ({ id, name })),
    sections: variant.sections.map(({ title, look, bets }) => ({
      title,
      look,
      fields: bets.map((offered) => fieldOf(variant, offered)),
    })),
  };
  const offered = info.sections.flatMap((section) => section.fields);
  const ids = offered.map(({ id }) => id);
  const prices = new Map(offered.map(({ id, times }) => [id, times]));

  const paid = (outcome: unknown, { id, stakeMinor }: TableBet) =>
    stakeMinor +
    settleBet(table, outcome, { selectionId: id, side: 'BACK', price: prices.get(id)!, stakeMinor }).profitMinor;

  const deal = (random: Random) => {
    const { deck } = table;
    if (deck === 'U1000') throw new Error('This table has no cards.');
    const stack = shuffle(deckOf(deck), random);
    const cards: Card[] = [];
    const seats: number[] = [];
    const dealt = { cards, seats };
    for (let at = table.nextSeat(dealt); at >= 0; at = table.nextSeat(dealt)) {
      cards.push(stack[cards.length]!);
      seats.push(at);
    }
    return dealt;
  };

  const game = soloGame<TableWager, State, never, TableView>({
    kind: 'solo',
    code: variant.code,
    name: variant.name,
    category: variant.category,
    family: variant.family,
    cycleMs: CYCLE_MS,
    ...limits,
    rules: [
      ...(variant.rules ?? table.rules),
      ...(variant.more ?? []),
      'All bets of a round are laid before the first card; together they are 1 to 500. What each field pays, in multiples of its stake, stake included:',
      ...info.sections.map(({ title, fields: list, look }) =>
        look === 'ranks'
          ? `${title}: each of the thirteen ${list[0]!.pays}.`
          : `${title}: ${list.map((field) => `${field.label} ${field.table ? `(${field.table})` : field.pays}`).join('; ')}.`,
      ),
    ],
    returns: () =>
      info.sections.flatMap(({ title, look, fields: list }): ReturnRow[] =>
        look === 'ranks'
          ? [{ bet: title, ppm: list[0]!.ppm, how: 'exact' }]
          : list.map(({ name, ppm }) => ({ bet: name, ppm, how: 'exact' })),
      ),
    wager(input) {
      const { bets } = fields(input, ['bets']);
      if (!Array.isArray(bets) || bets.length < 1 || bets.length > ids.length)
        throw new RuleError('bets', 'At least one bet is needed, and one for each field at most.');
      const taken: TableBet[] = bets.map((bet: unknown) => {
        const { id, stakeMinor } = fields(bet, ['id', 'stakeMinor']);
        return { id: oneOf(id, 'id', ids), stakeMinor: stakeFrom(stakeMinor, limits) };
      });
      if (new Set(taken.map(({ id }) => id)).size !== taken.length)
        throw new RuleError('bets', 'There is one bet for each field.');
      if (sum(taken) > limits.maxStakeMinor)
        throw new RuleError('stakeMinor', `All bets together are at most ${limits.maxStakeMinor}.`);
      return { bets: taken };
    },
    stakeOf: ({ bets }) => sum(bets),
    open({ bets }, random) {
      const dealt = deal(random);
      const outcome = table.outcome(dealt);
      const paidMinor = bets.reduce((all, bet) => all + paid(outcome, bet), 0);
      return { state: { bets, ...dealt }, over: true, paidMinor };
    },
    view({ bets, cards, seats }) {
      const dealt = { cards, seats };
      const outcome = table.outcome(dealt);
      const { words, winners, badge } = table.result(outcome, dealt);
      return {
        cards,
        seats,
        notes: table.seats.map((_, index) => table.note(dealt, index)),
        winners,
        words,
        badge,
        bets: bets.map((bet) => ({ ...bet, paidMinor: paid(outcome, bet) })),
      };
    },
  });
  return { game, info };
}

const sum = (bets: readonly TableBet[]) => bets.reduce((all, bet) => all + bet.stakeMinor, 0);

const made = VARIANTS.map(makeTable);
export const cardTables: readonly AnySolo[] = made.map(({ game }) => game);

const tableAt = (code: string) => {
  const found = made.find(({ info }) => info.code === code);
  if (!found) throw new Error(`There is no card table ${code}.`);
  return found;
};
export const cardTable = (code: string): AnySolo => tableAt(code).game;
/** The fields of a table for its board. */
export const tableInfo = (code: string): TableInfo => tableAt(code).info;

/** The card room's own table that a game is dealt by. */
export const tableOf = (code: string): TableCode => VARIANTS.find((variant) => variant.code === code)!.table;
