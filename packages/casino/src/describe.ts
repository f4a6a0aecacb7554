import type { Ending } from './endings.ts';
import type { Board, Layout, LimitKind, Pay, PickRule, Seat, Selection, Side } from './game.ts';
import { defaultLimits, type Limits } from './limits.ts';
import type { Price } from './odds.ts';
import { type Category, TABLES, type TableCode } from './table.ts';

/** A selection without its rules: plain data for the odds grid. */
export interface SelectionInfo {
  readonly id: number;
  readonly name: string;
  /** Row of the odds grid, column (a seat id or empty) and the words in the cell. */
  readonly group: string;
  readonly column: string;
  readonly label: string;
  readonly sides: readonly Side[];
  readonly price: Price | null;
  readonly net: string | null;
  readonly limit: LimitKind;
  readonly limits: Limits;
  readonly pays: readonly Pay[] | null;
  readonly points: number | null;
  /** Stakes held for one that is laid: the panas of a bundle, the points of a meter, else 1. Null: by the player's choice. */
  readonly stakes: number | null;
  readonly hint: string;
  readonly shown: 'decimal' | 'to-one';
  readonly pick: PickRule | null;
  readonly returnPpm: number | null;
}

/** Everything fixed about a table: what a client draws before the first round comes. */
export interface TableInfo {
  readonly code: TableCode;
  readonly route: string | null;
  readonly name: string;
  readonly category: Category;
  readonly family: string;
  readonly board: Board;
  readonly seats: readonly Seat[];
  readonly layout: Layout;
  /** Rows of the odds grid in order. */
  readonly groups: readonly string[];
  readonly selections: readonly SelectionInfo[];
  readonly rules: readonly string[];
  readonly handRanks: readonly string[];
  /** The ways a round can end. */
  readonly endings: readonly Ending[];
}

export function describe(code: TableCode): TableInfo {
  const { game, route, name, category } = TABLES[code];
  return {
    code,
    route,
    name,
    category,
    family: game.family,
    board: game.layout.board,
    seats: game.seats,
    layout: game.layout,
    groups: [...new Set(game.selections.map((selection) => selection.group))],
    selections: game.selections.map((selection) => infoOf(code, selection)),
    rules: game.rules,
    handRanks: game.handRanks,
    endings: game.endings,
  };
}

function infoOf(code: TableCode, selection: Selection<unknown>): SelectionInfo {
  const { id, name, group, column, label, hint, sides, price, net, limit, pays, points, shown, pick, returnPpm } =
    selection;
  const limits = defaultLimits(code, limit);
  const stakes = pick ? null : selection.units([]);
  return {
    id,
    name,
    group,
    column,
    label,
    hint,
    sides,
    price,
    net,
    limit,
    limits,
    pays,
    points,
    stakes,
    shown,
    pick,
    returnPpm,
  };
}
