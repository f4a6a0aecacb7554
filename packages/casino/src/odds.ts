/** Prices from chances (rule book C10). Odds are hundredths, stake included; rates are per 100. */

export interface Rate {
  readonly line: number;
  readonly rate: number;
}

/** A missing side is not offered. */
export interface Price {
  readonly back?: number;
  readonly lay?: number;
  readonly yes?: Rate;
  readonly no?: Rate;
}

/**
 * RUNNER: wins, loses, and the rest is given back. NEXT: a fancy on the next ball. SESSION: `atLeast[n]` is the chance
 * of a result of n or more; with `line` the line is fixed instead of the evenest one.
 */
export type Chance =
  | { readonly kind: 'RUNNER'; readonly win: number; readonly lose: number }
  | { readonly kind: 'NEXT'; readonly win: number }
  | { readonly kind: 'SESSION'; readonly atLeast: readonly number[]; readonly line?: number };

/** Keeps 1.98 from becoming 1.97 when the arithmetic of fractions ends a hair below it. */
const EPSILON = 1e-9;
const down = (value: number) => Math.floor(value + EPSILON * 100);
const up = (value: number) => Math.ceil(value - EPSILON * 100);

/** The price of a chance; null when it is suspended. */
export function priceOf(chance: Chance): Price | null {
  if (chance.kind === 'RUNNER') return runnerPrice(chance.win, chance.lose);
  if (chance.kind === 'NEXT') return nextPrice(chance.win);
  return sessionPrice(chance.atLeast, chance.line);
}

function runnerPrice(win: number, lose: number): Price | null {
  if (!(win > 0 && lose > 0)) return null;
  const share = win / (win + lose);
  if (share < 0.01 - EPSILON || 1 - share < 0.01 - EPSILON) return null;
  // Fair odds without the stake: refunds do not count.
  const fair = lose / win;
  const margin = fair <= 1 ? 0.02 : fair < 2 ? 0.02 + 0.03 * (fair - 1) : 0.05;
  return {
    back: Math.max(101, down(100 * (1 + fair * (1 - margin)))),
    lay: Math.max(102, up(100 * (1 + fair * (1 + margin)))),
  };
}

function nextPrice(win: number): Price | null {
  if (!(win > 0 && win < 1)) return null;
  const back = down(100 * (1 + 0.95 * (1 / win - 1)));
  return back < 101 ? null : { back };
}

function sessionPrice(atLeast: readonly number[], fixed?: number): Price | null {
  let line = fixed ?? 0;
  if (fixed === undefined) {
    let best = Number.POSITIVE_INFINITY;
    for (let n = 0; n < atLeast.length; n++) {
      const distance = Math.abs(atLeast[n]! - 0.5);
      if (distance < best - 1e-12) {
        best = distance;
        line = n;
      }
    }
  }
  const chance = atLeast[line] ?? 0;
  if (chance < 0.02 || chance > 0.98) return null;
  const against = (1 - chance) / chance;
  return { yes: { line, rate: down(95 * against) }, no: { line, rate: up(105 * against) } };
}
