/** Roads of results (baccarat and dragon tiger), as pure lists of places. `a` and `b` are the sides, `t` a tie. */
export type Side = 'a' | 'b' | 't';

export interface Mark {
  readonly column: number;
  readonly row: number;
  readonly side: Side;
  /** Ties after this result (big road only). */
  readonly ties: number;
}

const ROWS = 6;

/** Newest results last. Down the columns, six by six; the oldest column drops out when full. */
export function beadPlate(results: readonly Side[], columns: number): Mark[] {
  const first = Math.max(0, Math.ceil(results.length / ROWS) - columns) * ROWS;
  return results.slice(first).map((side, at) => ({ column: Math.floor(at / ROWS), row: at % ROWS, side, ties: 0 }));
}

/** A new column at each change of side; ties are a stroke on the mark before them. A run that meets the floor turns right. */
export function bigRoad(results: readonly Side[]): Mark[] {
  const runs: Array<{ side: Side; ties: number }> = [];
  for (const side of results) {
    const before = runs.at(-1);
    if (side !== 't') runs.push({ side, ties: 0 });
    // Ties before the first side have no mark to stand on.
    else if (before) before.ties += 1;
  }
  return place(runs);
}

/** Lengths of the runs of the big road, before any turn at the floor. */
export function runLengths(results: readonly Side[]): number[] {
  const lengths: number[] = [];
  let last: Side | null = null;
  for (const side of results) {
    if (side === 't') continue;
    if (side === last) lengths[lengths.length - 1]! += 1;
    else lengths.push(1);
    last = side;
  }
  return lengths;
}

/**
 * A derived road: `back` is 1 for the big eye boy, 2 for the small road, 3 for the cockroach road. Red (`b`) says the
 * road repeats itself, blue (`a`) that it does not.
 */
export function derivedRoad(results: readonly Side[], back: 1 | 2 | 3): Mark[] {
  const lengths = runLengths(results);
  const marks: Array<{ side: Side; ties: number }> = [];
  lengths.forEach((length, column) => {
    for (let row = 0; row < length; row++) {
      if (row === 0) {
        if (column - 1 - back < 0) continue;
        marks.push({ side: lengths[column - 1] === lengths[column - 1 - back] ? 'b' : 'a', ties: 0 });
      } else {
        if (column - back < 0) continue;
        // Compares the mark beside with the one above it: both there or both missing is red.
        marks.push({ side: lengths[column - back] === row ? 'a' : 'b', ties: 0 });
      }
    }
  });
  return place(marks);
}

function place(list: ReadonlyArray<{ side: Side; ties: number }>): Mark[] {
  const taken = new Set<string>();
  let column = -1;
  let row = 0;
  let last: Side | null = null;
  let turned = false;
  let start = -1;
  return list.map(({ side, ties }) => {
    if (side !== last) {
      start += 1;
      while (taken.has(`${start},0`)) start += 1;
      column = start;
      row = 0;
      turned = false;
    } else if (!turned && row < ROWS - 1 && !taken.has(`${column},${row + 1}`)) row += 1;
    else {
      turned = true;
      column += 1;
      // A row to the right that another run took already is stepped over.
      while (taken.has(`${column},${row}`)) column += 1;
    }
    taken.add(`${column},${row}`);
    last = side;
    return { column, row, side, ties };
  });
}

/** The last `columns` columns of a road, moved to the left edge. */
export function lastColumns(marks: readonly Mark[], columns: number): Mark[] {
  const from = Math.max(0, Math.max(-1, ...marks.map((mark) => mark.column)) + 1 - columns);
  return marks.filter((mark) => mark.column >= from).map((mark) => ({ ...mark, column: mark.column - from }));
}
