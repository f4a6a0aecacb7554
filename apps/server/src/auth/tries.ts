/**
 * The ladder of wrong passwords (trust SEC-A5): five within 15 minutes from one network on one name, then waits of 30 s that
 * double up to an hour; thirty a minute from one network at all. A hundred in a row on one name shut it, first for an hour,
 * then for up to a day a try. Networks from which the right password came before are counted apart, each for itself: what
 * strangers do to a name never shuts its owner out. Players and operators are different people, also of the same name.
 * Names that do not exist climb the same ladder, so it tells nobody which names do.
 */
import { networkOf } from '../http/address.ts';

const WINDOW_MS = 15 * 60_000;
const FREE_TRIES = 5;
const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 3_600_000;
const LOCK_AT = 100;
const FIRST_LOCK_MS = 3_600_000;
const LONGEST_LOCK_MS = 24 * 3_600_000;
const ADDRESS_TRIES = 30;
const MOST_KEPT = 50_000;

/** Who tries, and from where. */
export interface Trier {
  role: 'user' | 'operator';
  nameKey: string;
  ip: string;
  /** The right password came from this network before. */
  isKnown: boolean;
}

interface Step {
  /** Times of the failures inside the window. */
  failures: number[];
  waits: number;
  waitUntil: number;
  lastAt: number;
}

export type Standing = { may: true } | { may: false; locked: boolean; waitMs: number };

/** What changes the ladder; done at every gateway. */
export const TRY_DEEDS = ['failed', 'passed', 'reset'] as const;

export class Tries {
  private readonly steps = new Map<string, Step>();
  private readonly inARow = new Map<string, { count: number; lastAt: number }>();
  private readonly addresses = new Map<string, number[]>();
  private readonly factor: number;

  /** `addressFactor` widens the per-address limit for load tests; 0 lifts it. */
  constructor(addressFactor = 1) {
    this.factor = addressFactor;
  }

  /** Whether a password may be tried now. Ask before every check. */
  standing(trier: Trier, now: number): Standing {
    const row = this.inARow.get(rowOf(trier));
    const openAt = row && row.count >= LOCK_AT ? row.lastAt + lockMs(row.count) : 0;
    if (openAt > now) return { may: false, locked: true, waitMs: openAt - now };
    const step = this.steps.get(pairOf(trier));
    if (step && step.waitUntil > now) return { may: false, locked: false, waitMs: step.waitUntil - now };
    const recent = this.recentOf(networkOf(trier.ip).near, now);
    if (this.factor > 0 && recent.length >= ADDRESS_TRIES * this.factor) {
      return { may: false, locked: false, waitMs: recent[0]! + 60_000 - now };
    }
    return { may: true };
  }

  /** Counts a wrong password; gives how many in a row there were from this network, or from all strange ones. */
  failed(trier: Trier, now: number): number {
    const pair = pairOf(trier);
    const step = this.steps.get(pair) ?? { failures: [], waits: 0, waitUntil: 0, lastAt: now };
    if (now - step.lastAt > Math.max(WINDOW_MS, 2 * waitMs(step.waits))) step.waits = 0;
    step.failures = [...step.failures.filter((at) => now - at < WINDOW_MS), now];
    step.lastAt = now;
    if (step.waits > 0 || step.failures.length >= FREE_TRIES) {
      step.waits += 1;
      step.waitUntil = now + waitMs(step.waits);
    }
    put(this.steps, pair, step);
    this.failedAt(networkOf(trier.ip).near, now);
    const row = rowOf(trier);
    const count = (this.inARow.get(row)?.count ?? 0) + 1;
    put(this.inARow, row, { count, lastAt: now });
    return count;
  }

  /** The right password: this network starts anew, and so do the counts in a row of it and of strangers. */
  passed(trier: Trier): void {
    this.steps.delete(pairOf(trier));
    this.inARow.delete(rowOf(trier));
    this.inARow.delete(rowOf({ ...trier, isKnown: false }));
  }

  /** What the database remembers of strangers from before a restart. */
  restore(trier: Trier, count: number, lastAt: number): void {
    const row = rowOf({ ...trier, isKnown: false });
    if (count > (this.inARow.get(row)?.count ?? 0)) put(this.inARow, row, { count, lastAt });
  }

  /** The owner proved himself another way: nothing of before counts. */
  reset({ role, nameKey }: Pick<Trier, 'role' | 'nameKey'>): void {
    const name = `${role}\n${nameKey}\n`;
    for (const map of [this.steps, this.inARow])
      for (const key of map.keys()) if (key.startsWith(name)) map.delete(key);
  }

  /** No more times are kept than are asked for. */
  private failedAt(near: string, now: number): void {
    const most = Math.ceil(ADDRESS_TRIES * this.factor);
    if (most > 0) put(this.addresses, near, [...this.recentOf(near, now), now].slice(-most));
  }

  private recentOf(near: string, now: number): number[] {
    return (this.addresses.get(near) ?? []).filter((at) => now - at < 60_000);
  }
}

const pairOf = ({ role, nameKey, ip }: Trier): string => `${role}\n${nameKey}\n${networkOf(ip).near}`;
const rowOf = (trier: Trier): string => (trier.isKnown ? pairOf(trier) : `${trier.role}\n${trier.nameKey}\n`);
const waitMs = (waits: number): number =>
  waits === 0 ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (waits - 1));
const lockMs = (count: number): number => Math.min(LONGEST_LOCK_MS, FIRST_LOCK_MS * 2 ** Math.min(20, count - LOCK_AT));

/** Bounded memory under a flood of invented names: those longest not heard of go, some at a time, as finding the first costs. */
function put<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  if (map.size >= MOST_KEPT) {
    let drop = MOST_KEPT / 100;
    for (const oldest of map.keys()) {
      map.delete(oldest);
      drop -= 1;
      if (drop === 0) break;
    }
  }
  map.set(key, value);
}
