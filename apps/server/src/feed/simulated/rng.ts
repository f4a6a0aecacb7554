/**
 * Random numbers of the simulated slate: a small generator (sfc32) whose whole state is four integers in a plain array,
 * so that a slate can be stored as JSON and go on exactly where it was.
 */

export type Rng = [number, number, number, number];

/** The same numbers give the same stream; streams of different numbers have nothing to do with each other. */
export function makeRng(...seed: number[]): Rng {
  let h = 0x9e3779b9;
  const mix = (value: number): number => {
    h = Math.imul(h ^ value, 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    h ^= h >>> 16;
    return h >>> 0;
  };
  for (const s of seed) {
    mix(s | 0);
    mix(Math.floor(s / 0x1_0000_0000));
  }
  const rng: Rng = [mix(1) | 0, mix(2) | 0, mix(3) | 0, 1];
  for (let i = 0; i < 12; i++) uniform(rng);
  return rng;
}

/** In [0, 1). */
export function uniform(r: Rng): number {
  const t = (((r[0] + r[1]) | 0) + r[3]) | 0;
  r[3] = (r[3] + 1) | 0;
  r[0] = r[1] ^ (r[1] >>> 9);
  r[1] = (r[2] + (r[2] << 3)) | 0;
  r[2] = (r[2] << 21) | (r[2] >>> 11);
  r[2] = (r[2] + t) | 0;
  return (t >>> 0) / 4_294_967_296;
}

/** Whole number from `lo` to `hi`, both included. */
export function between(r: Rng, lo: number, hi: number): number {
  return lo + Math.floor(uniform(r) * (hi - lo + 1));
}

export function chance(r: Rng, probability: number): boolean {
  return uniform(r) < probability;
}

export function pick<T>(r: Rng, from: readonly T[]): T {
  return from[Math.floor(uniform(r) * from.length)]!;
}

/** Index drawn in proportion to the weights (not all zero). */
export function weighted(r: Rng, weights: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < weights.length; i++) total += weights[i]!;
  let left = uniform(r) * total;
  for (let i = 0; i < weights.length; i++) {
    left -= weights[i]!;
    if (left < 0) return i;
  }
  return weights.length - 1;
}

/** Standard normal (polar method without the spare, so that no state hides outside the array). */
export function gaussian(r: Rng): number {
  for (;;) {
    const u = 2 * uniform(r) - 1;
    const v = 2 * uniform(r) - 1;
    const s = u * u + v * v;
    if (s > 0 && s < 1) return u * Math.sqrt((-2 * Math.log(s)) / s);
  }
}

/** `count` different items, in random order. */
export function sample<T>(r: Rng, from: readonly T[], count: number): T[] {
  const rest = from.slice();
  const taken: T[] = [];
  while (taken.length < count && rest.length > 0) taken.push(rest.splice(between(r, 0, rest.length - 1), 1)[0]!);
  return taken;
}

/** A whole number for a text, for streams that belong to a name. */
export function hashText(text: string): number {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return h >>> 0;
}
