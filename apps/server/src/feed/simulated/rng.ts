/**
 * Random numbers of the simulated slate: the ChaCha20 key stream (RFC 8439), whose whole state is ten integers in a plain
 * array, so that a slate can be stored as JSON and go on exactly where it was. Who sees any part of a stream can neither go
 * on with it nor reach another one: results cannot be computed from fixtures, prices or earlier results.
 */
import { createHash } from 'node:crypto';

/** Eight words of key, the block, and the word of it that comes next. */
export type Rng = number[];

const BLOCK = 8;
const NEXT = 9;
/** The block a stream stands in, so that it is worked out once for its sixteen words. */
const blocks = new WeakMap<Rng, { at: number; words: Uint32Array }>();

/** The same parts give the same stream; streams of different parts have nothing to do with each other. */
export function makeRng(...parts: Array<string | number>): Rng {
  const key = createHash('sha256').update(JSON.stringify(parts)).digest();
  return [...Array.from({ length: 8 }, (_, i) => key.readInt32LE(i * 4)), 0, 0];
}

/** In [0, 1). */
export function uniform(r: Rng): number {
  let block = blocks.get(r);
  if (block?.at !== r[BLOCK]) {
    block = { at: r[BLOCK]!, words: block?.words ?? new Uint32Array(16) };
    keyStream(r, block.at, block.words);
    blocks.set(r, block);
  }
  const word = block.words[r[NEXT]!]!;
  if (++r[NEXT]! === 16) {
    r[NEXT] = 0;
    r[BLOCK]!++;
  }
  return word / 4_294_967_296;
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

const CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574] as const;

/** One block of the ChaCha20 key stream with a nonce of zero: each stream has a key of its own. */
function keyStream(key: Rng, block: number, out: Uint32Array): void {
  for (let i = 0; i < 4; i++) out[i] = CONSTANTS[i]!;
  for (let i = 0; i < 8; i++) out[4 + i] = key[i]!;
  out[12] = block;
  out.fill(0, 13);
  for (let round = 0; round < 10; round++) {
    quarter(out, 0, 4, 8, 12);
    quarter(out, 1, 5, 9, 13);
    quarter(out, 2, 6, 10, 14);
    quarter(out, 3, 7, 11, 15);
    quarter(out, 0, 5, 10, 15);
    quarter(out, 1, 6, 11, 12);
    quarter(out, 2, 7, 8, 13);
    quarter(out, 3, 4, 9, 14);
  }
  for (let i = 0; i < 4; i++) out[i]! += CONSTANTS[i]!;
  for (let i = 0; i < 8; i++) out[4 + i]! += key[i]!;
  out[12]! += block;
}

function quarter(x: Uint32Array, a: number, b: number, c: number, d: number): void {
  x[a]! += x[b]!;
  x[d] = turned(x[d]! ^ x[a]!, 16);
  x[c]! += x[d]!;
  x[b] = turned(x[b]! ^ x[c]!, 12);
  x[a]! += x[b]!;
  x[d] = turned(x[d]! ^ x[a]!, 8);
  x[c]! += x[d]!;
  x[b] = turned(x[b]! ^ x[c]!, 7);
}

const turned = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));
