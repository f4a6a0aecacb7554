/**
 * Splits a whole amount in proportion to weights by largest remainder; among equal remainders the first comes first. Where
 * `total` is not above the sum of the weights nobody gets more than his weight. All zero without weights.
 */
export function shareOut(total: number, weights: readonly number[]): number[] {
  const all = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  if (all === 0n) return weights.map(() => 0);
  const exact = weights.map((weight) => BigInt(total) * BigInt(weight));
  const parts = exact.map((amount) => Number(amount / all));
  let left = total - parts.reduce((sum, part) => sum + part, 0);
  const order = exact
    .map((amount, at) => ({ at, rest: amount % all }))
    .sort((a, b) => (a.rest === b.rest ? a.at - b.at : a.rest < b.rest ? 1 : -1));
  for (const { at } of order) {
    if (left-- <= 0) break;
    parts[at]!++;
  }
  return parts;
}
