/** One figure of a bench, as one JSON line: the value beside a baseline measured in the same run. */
export interface Figure {
  name: string;
  unit: string;
  value: number;
  baseline: number | null;
  /** value / baseline, or baseline / value where smaller is better: above 1 is always good. */
  ratio: number | null;
  [more: string]: unknown;
}

export function report(figure: Figure): void {
  console.log(JSON.stringify(figure));
}

export const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

/** The p-th percentile of unsorted numbers. */
export function percentile(values: readonly number[], p: number): number {
  if (values.length === 0) return 0;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((p / 100) * sorted.length))]!;
}

/** Waits in milliseconds, half of them, all but one in a hundred and the longest, beside their goal. */
export function reportWaits(name: string, took: readonly number[], goal: number, more: object = {}): void {
  for (const [which, value] of [
    ['p50', percentile(took, 50)],
    ['p99', percentile(took, 99)],
    ['max', Math.max(...took)],
  ] as const)
    report({
      name: `${name}.${which}`,
      unit: 'ms',
      value: round(value, 0),
      baseline: goal,
      ratio: round(goal / value),
      times: took.length,
      ...more,
    });
}
