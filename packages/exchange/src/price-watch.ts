/**
 * Which conditional orders the price of one runner meets, for the bets of one side. A change of the price costs as much as it
 * meets, and one step for each distance of trailing stops that is in use, however many wait.
 *
 * Prices here are ticks counted so that more is worse for the bet to come: the ladder as it is for a lay, turned round for a
 * back. So a stop is met at or above its tick, a profit at or below it, a trailing stop so many ticks above the lowest seen.
 */
import { TICKS } from '@fairgame/contract';

/** What waits for a price; the watch keeps `trail`, and leaves behind in `at` what that has seen. */
export interface Watched {
  kind: 'STOP' | 'PROFIT' | 'TRAIL' | 'OFFSET' | 'EXPIRE';
  /** STOP, PROFIT: the tick that meets it. TRAIL: the lowest it has seen, while it is in no watch. */
  at: number;
  /** TRAIL: how far above the lowest tick seen. */
  ticks: number;
  trail: Trail<Watched> | null;
}

/** Trailing stops of one distance that have seen the same lowest tick. */
export interface Trail<T> {
  mark: number;
  members: Set<T>;
}

/** The lowest tick seen of one that saw no price yet. */
export const NOTHING_SEEN = TICKS;

export class PriceWatch<T extends Watched> {
  readonly #stops: Array<Set<T> | undefined> = [];
  readonly #profits: Array<Set<T> | undefined> = [];
  /** By distance; those that saw the lowest tick first. */
  readonly #trails = new Map<number, Array<Trail<T>>>();
  #lowestStop = TICKS;
  #highestProfit = -1;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(one: T): void {
    this.#size++;
    if (one.kind === 'STOP') {
      bucket(this.#stops, one.at).add(one);
      this.#lowestStop = Math.min(this.#lowestStop, one.at);
    } else if (one.kind === 'PROFIT') {
      bucket(this.#profits, one.at).add(one);
      this.#highestProfit = Math.max(this.#highestProfit, one.at);
    } else this.#addTrail(one);
  }

  remove(one: T): void {
    this.#size--;
    if (one.kind === 'STOP') {
      this.#stops[one.at]!.delete(one);
      while (this.#lowestStop < TICKS && !this.#stops[this.#lowestStop]?.size) this.#lowestStop++;
    } else if (one.kind === 'PROFIT') {
      this.#profits[one.at]!.delete(one);
      while (this.#highestProfit >= 0 && !this.#profits[this.#highestProfit]?.size) this.#highestProfit--;
    } else {
      const trail = one.trail as Trail<T>;
      trail.members.delete(one);
      one.trail = null;
      one.at = trail.mark;
      if (trail.members.size > 0) return;
      const trails = this.#trails.get(one.ticks)!;
      trails.splice(trails.indexOf(trail), 1);
      if (trails.length === 0) this.#trails.delete(one.ticks);
    }
  }

  has(one: T): boolean {
    if (one.kind === 'STOP') return this.#stops[one.at]?.has(one) ?? false;
    if (one.kind === 'PROFIT') return this.#profits[one.at]?.has(one) ?? false;
    return this.#trails.get(one.ticks)?.some(({ members }) => members.has(one)) ?? false;
  }

  /** What this tick meets; marks of trailing stops go down to it. They stay in the watch until they are removed. */
  meet(tick: number): T[] {
    const met: T[] = [];
    for (let at = this.#lowestStop; at <= tick; at++) met.push(...(this.#stops[at] ?? []));
    for (let at = this.#highestProfit; at >= tick; at--) met.push(...(this.#profits[at] ?? []));
    for (const [ticks, trails] of this.#trails) {
      lower(trails, tick);
      for (const { mark, members } of trails) {
        if (mark + ticks > tick) break;
        met.push(...members);
      }
    }
    return met;
  }

  /** For the hash: each group of trailing stops by its mark, how many there are and the sum of their ids. */
  *groups(idOf: (one: T) => number): Generator<[ticks: number, mark: number, count: number, sum: number]> {
    for (const ticks of [...this.#trails.keys()].sort((a, b) => a - b)) {
      for (const { mark, members } of this.#trails.get(ticks)!) {
        let sum = 0;
        for (const one of members) sum += idOf(one);
        yield [ticks, mark, members.size, sum];
      }
    }
  }

  #addTrail(one: T): void {
    const { at: mark } = one;
    let trails = this.#trails.get(one.ticks);
    if (trails === undefined) {
      trails = [];
      this.#trails.set(one.ticks, trails);
    }
    let at = trails.length;
    while (at > 0 && trails[at - 1]!.mark > mark) at--;
    let trail = trails[at - 1];
    if (trail?.mark !== mark) {
      trail = { mark, members: new Set() };
      trails.splice(at, 0, trail);
    }
    trail.members.add(one);
    one.trail = trail as Trail<Watched>;
  }
}

/** Groups that saw nothing as low as this become one; the smaller goes into the larger, so each moves a few times at most. */
function lower<T extends Watched>(trails: Array<Trail<T>>, tick: number): void {
  let into: Trail<T> | null = null;
  while (trails.length > 0 && trails.at(-1)!.mark >= tick) {
    const trail: Trail<T> = trails.pop()!;
    into = into === null ? trail : joined(into, trail);
  }
  if (into === null) return;
  into.mark = tick;
  trails.push(into);
}

function joined<T extends Watched>(a: Trail<T>, b: Trail<T>): Trail<T> {
  const [large, small] = a.members.size < b.members.size ? [b, a] : [a, b];
  for (const one of small.members) {
    large.members.add(one);
    one.trail = large as Trail<Watched>;
  }
  return large;
}

function bucket<T>(buckets: Array<Set<T> | undefined>, at: number): Set<T> {
  const known = buckets[at];
  if (known !== undefined) return known;
  const made = new Set<T>();
  buckets[at] = made;
  return made;
}
