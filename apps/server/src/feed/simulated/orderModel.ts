/**
 * Who comes first, and who among the first few, when each runner's final performance is normal around its own mean with
 * one common spread: races and elections. By numeric integration, so without the noise of drawing.
 */

/** Chance of each runner to be among the first `places`; removed runners (NaN mean) get 0. The sum is `places`. */
export function orderChances(means: readonly number[], spread: number, places: number): number[] {
  const live = means.map((_, i) => i).filter((i) => !Number.isNaN(means[i]!));
  const out = means.map(() => 0);
  if (live.length <= places) {
    for (const i of live) out[i] = 1;
    return out;
  }
  const sorted = live.map((i) => means[i]!).sort((a, b) => b - a);
  const sd = Math.max(spread, 1e-3);
  const from = sorted[places]! - 5 * sd;
  const to = sorted[0]! + 5 * sd;
  const steps = Math.max(48, Math.min(240, Math.ceil(((to - from) / sd) * 6)));
  const width = (to - from) / steps;
  const n = live.length;
  const above = new Float64Array(n);
  // ahead[k]: chance that k of the runners looked at so far end beyond x.
  const ahead = new Float64Array(places + 1);
  for (let step = 0; step < steps; step++) {
    const x = from + (step + 0.5) * width;
    for (let j = 0; j < n; j++) above[j] = normalTail((x - means[live[j]!]!) / sd);
    for (let i = 0; i < n; i++) {
      const z = (x - means[live[i]!]!) / sd;
      if (z > 6 || z < -6) continue;
      ahead.fill(0);
      ahead[0] = 1;
      for (let j = 0; j < n; j++) {
        if (j === i) continue;
        const q = above[j]!;
        for (let k = places - 1; k >= 0; k--) ahead[k] = ahead[k]! * (1 - q) + (k > 0 ? ahead[k - 1]! * q : 0);
      }
      let within = 0;
      for (let k = 0; k < places; k++) within += ahead[k]!;
      out[live[i]!]! += within * Math.exp(-0.5 * z * z);
    }
  }
  let sum = 0;
  for (const p of out) sum += p;
  if (sum <= 0) return out;
  return out.map((p) => Math.min(1, (p * places) / sum));
}

/** Whole numbers in proportion to the shares, adding up to the total exactly; none below `least`. */
export function apportion(shares: readonly number[], total: number, least: number): number[] {
  let sum = 0;
  for (const share of shares) sum += share;
  const count = shares.filter((share) => share > 0).length;
  const free = total - least * count;
  const exact = shares.map((share) => (share > 0 ? (share / sum) * free : 0));
  const whole = exact.map((value, i) => (shares[i]! > 0 ? Math.floor(value) + least : 0));
  let left = total - whole.reduce((a, b) => a + b, 0);
  const order = exact
    .map((value, i) => ({ i, rest: value - Math.floor(value) }))
    .filter(({ i }) => shares[i]! > 0)
    .sort((a, b) => b.rest - a.rest || a.i - b.i);
  for (const { i } of order) {
    if (left <= 0) break;
    whole[i]!++;
    left--;
  }
  return whole;
}

/** Upper tail of the standard normal (Abramowitz and Stegun 26.2.17, error under 1e-7). */
function normalTail(z: number): number {
  const x = Math.abs(z);
  const t = 1 / (1 + 0.2316419 * x);
  const poly = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = 0.39894228 * Math.exp(-0.5 * x * x) * poly;
  return z >= 0 ? tail : 1 - tail;
}
