import type { TableInfo } from '@fairgame/casino';
import { type CardRound, cardOddsText } from '@fairgame/contract';
import { t } from '@lingui/core/macro';

export type SelectionInfo = TableInfo['selections'][number];
export type OddsRow = CardRound['odds'][number];

/**
 * How the bets of a table lie: told by the descriptor alone, so that a table needs no layout of its own.
 * - pair: rows with two or three players as columns, back and lay side by side;
 * - matrix: rows with many seats as columns, one cell each;
 * - rows: a row a selection, with back and lay or No and Yes;
 * - picks: bets on ranks or digits that the player chooses first;
 * - zones: the two to five main bets as large fields;
 * - chips: many small bets of one kind.
 */
export type Section =
  | { kind: 'pair'; columns: string[]; lay: boolean; rows: Array<{ group: string; cells: SelectionInfo[][] }> }
  | { kind: 'matrix'; columns: string[]; rows: Array<{ label: string; cells: Array<SelectionInfo | undefined> }> }
  | { kind: 'rows'; group: string; rows: SelectionInfo[] }
  | { kind: 'picks'; group: string; rows: SelectionInfo[] }
  | { kind: 'zones'; group: string; cells: SelectionInfo[] }
  | { kind: 'chips'; blocks: Array<{ title: string; cells: SelectionInfo[] }> };

const MOST_COLUMNS = 3;
const MOST_ZONES = 5;

export function sectionsOf(info: Pick<TableInfo, 'groups' | 'selections' | 'seats'>): Section[] {
  const sections: Section[] = [];
  const nameOf = (column: string) => info.seats.find((seat) => seat.id === column)?.name ?? column;
  for (const group of info.groups) {
    const all = info.selections.filter((one) => one.group === group);
    const picks = all.filter((one) => one.pick !== null);
    if (picks.length > 0) sections.push({ kind: 'picks', group, rows: picks });
    const own = all.filter((one) => one.pick === null);
    if (own.length === 0) continue;
    const columns = [...new Set(own.map((one) => one.column))].filter((column) => column !== '');
    const last = sections.at(-1);
    const twoSided = own.some((one) => one.sides.length > 1 || one.sides[0] !== 'BACK');
    const byColumn = columns.map((column) => own.filter((one) => one.column === column));
    const most = Math.max(0, ...byColumn.map((cells) => cells.length));
    const mixed = columns.length > 0 && own.some((one) => one.column === '');
    if (mixed && own.length <= MOST_ZONES && !twoSided) {
      // What belongs to neither player stands between them.
      const [first = ''] = columns;
      const rank = (one: SelectionInfo) => (one.column === first ? 0 : one.column === '' ? 1 : 2);
      sections.push({ kind: 'zones', group, cells: [...own].sort((x, y) => rank(x) - rank(y)) });
    } else if (
      columns.length >= 2 &&
      columns.length <= MOST_COLUMNS &&
      most <= 2 &&
      !(twoSided && columns.length > 2)
    ) {
      const row = { group, cells: byColumn };
      if (last?.kind === 'pair' && last.columns.join() === columns.join()) {
        last.rows.push(row);
        last.lay ||= twoSided;
      } else sections.push({ kind: 'pair', columns, lay: twoSided, rows: [row] });
    } else if (columns.length > MOST_COLUMNS && !twoSided && most <= 4) {
      const labels = [...new Set(own.map((one) => one.label))];
      const rows = labels.map((label) => ({
        label: labels.length > 1 ? label : group,
        cells: columns.map((column) => own.find((one) => one.column === column && one.label === label)),
      }));
      if (last?.kind === 'matrix' && last.columns.join() === columns.join()) last.rows.push(...rows);
      else sections.push({ kind: 'matrix', columns, rows });
    } else if (twoSided) sections.push({ kind: 'rows', group, rows: own });
    else if (
      columns.length === 0 &&
      own.length >= 2 &&
      own.length <= MOST_ZONES &&
      own.some((one) => one.limit === 'main')
    )
      sections.push({ kind: 'zones', group, cells: own });
    else {
      const blocks =
        columns.length > 1
          ? columns.map((column, at) => ({ title: titleOf(group, nameOf(column)), cells: byColumn[at]! }))
          : [{ title: group, cells: own }];
      if (last?.kind === 'chips') last.blocks.push(...blocks);
      else sections.push({ kind: 'chips', blocks });
    }
  }
  return sections;
}

const titleOf = (group: string, column: string): string =>
  group === column ? group : `${column}, ${group.charAt(0).toLowerCase()}${group.slice(1)}`;

/** What is offered on one side of a selection now: the market's runner, price and line; null when nothing. */
export interface Quote {
  readonly runnerId: number;
  readonly price: number;
  readonly line: number | null;
  readonly open: boolean;
  readonly minMinor: number;
  readonly maxMinor: number;
}

/** The odds rows of a round by selection id: `sel` begins with it. A selection may have a row for each side. */
export function oddsBySelection(odds: readonly OddsRow[]): Map<number, OddsRow[]> {
  const map = new Map<number, OddsRow[]>();
  for (const row of odds) {
    const id = Number.parseInt(row.sel, 10);
    const list = map.get(id);
    if (list) list.push(row);
    else map.set(id, [row]);
  }
  return map;
}

/** Back (or Yes) and lay (or No) of a selection. */
export function quoteOf(rows: readonly OddsRow[] | undefined, side: 'BACK' | 'LAY'): Quote | null {
  const row = rows?.find((one) => (side === 'BACK' ? one.back : one.lay) !== null);
  if (!row) return null;
  const { runnerId, open, minMinor, maxMinor } = row;
  const line = side === 'BACK' ? row.line : row.noLine;
  return { runnerId, price: (side === 'BACK' ? row.back : row.lay)!, line, open, minMinor, maxMinor };
}

/** Yes and No instead of back and lay. */
export const isYesNo = (selection: Pick<SelectionInfo, 'sides'>): boolean => selection.sides.includes('YES');

/** Which side of the wire a cell stands for: Yes is a back bet, No a lay bet. */
export const hasSide = (selection: Pick<SelectionInfo, 'sides'>, side: 'BACK' | 'LAY'): boolean =>
  selection.sides.includes(side) || selection.sides.includes(side === 'BACK' ? 'YES' : 'NO');

/** Odds as N to 1: 900 is 8. */
export const toOne = (odds: number): number => (odds - 100) / 100;

/** The price in a cell and the small words under it. */
export function cellText(
  selection: Pick<SelectionInfo, 'shown' | 'pays' | 'sides'>,
  quote: Pick<Quote, 'price' | 'line'>,
): { price: string; under: string | null } {
  if (isYesNo(selection)) {
    // One event that comes or not: what counts is the rate.
    if (quote.line === 1) return { price: String(quote.price), under: t`per 100` };
    return quote.line === null
      ? { price: String(quote.price), under: null }
      : { price: String(quote.line), under: String(quote.price) };
  }
  if (selection.shown === 'to-one') {
    const pays = (selection.pays ?? []).map(({ odds }) => odds);
    // Paid by the hand: from the least to the most. Paid less in one case only: its price, and the case in words.
    if (pays.length > 2)
      return {
        price: `${toOne(Math.min(...pays))}\u2013${toOne(Math.max(...pays))}`,
        under: t({ message: 'to 1', comment: 'under a price: so many to one' }),
      };
    return { price: `${toOne(quote.price)} : 1`, under: null };
  }
  return { price: cardOddsText(quote.price), under: null };
}
