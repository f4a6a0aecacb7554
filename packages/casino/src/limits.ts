import type { LimitKind } from './game.ts';
import type { TableCode } from './table.ts';

/** Smallest and largest stake of one bet. */
export interface Limits {
  readonly min: number;
  readonly max: number;
}

/** The book's maxima (C14 and the games' own lines); where it names none: main 300,000, side 25,000, long shots 5,000. */
const MAX: Readonly<Partial<Record<TableCode, Partial<Record<LimitKind, number>>>>> = {
  teen: { main: 500_000 },
  teen20: { main: 500_000 },
  lucky7: { main: 100_000, long: 5000 },
  lucky7eu: { main: 100_000, long: 5000 },
  dt20: { fancy: 30_000 },
  dt202: { fancy: 30_000 },
  card32: { main: 100_000 },
  card32eu: { main: 100_000, fancy: 100_000 },
  poker6: { main: 200_000, fancy: 100_000 },
  poker20: { fancy: 100_000 },
  poker: { fancy: 100_000 },
  aaa: { fancy: 100_000 },
  btable: { fancy: 100_000 },
  baccarat: { fancy: 100_000 },
  baccarat2: { fancy: 100_000 },
  ab20: { main: 10_000 },
  superover: { main: 500_000, fancy: 100_000, side: 10_000 },
  cricketv3: { main: 500_000, fancy: 100_000 },
  '3cardj': { main: 100_000 },
  cmeter: { main: 1000 },
};

const DEFAULT: Readonly<Record<LimitKind, number>> = { main: 300_000, side: 25_000, fancy: 25_000, long: 5000 };

/**
 * The book's default limits in its own units, to be scaled and overridden by configuration: a site in EUR takes them
 * as minor units (100 is 1.00).
 */
export function defaultLimits(code: TableCode, kind: LimitKind): Limits {
  return { min: code === 'ab20' ? 10 : 100, max: MAX[code]?.[kind] ?? DEFAULT[kind] };
}
