/**
 * The ladder of wrong passwords (trust SEC-A5): five within 15 minutes from one address on one name, then waits of 30 s that
 * double up to an hour; a hundred in a row on one name from anywhere lock it until an operator resets the password; thirty a
 * minute from one address at all. The right password from another address works during a wait, so nobody can shut a
 * player out. Names that do not exist climb the same ladder, so it tells nobody which names do.
 */
const WINDOW_MS = 15 * 60_000;
const FREE_TRIES = 5;
const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 3_600_000;
const LOCK_AT = 100;
const ADDRESS_TRIES = 30;
const MOST_KEPT = 50_000;

interface Step {
  /** Times of the failures inside the window. */
  failures: number[];
  waits: number;
  waitUntil: number;
  lastAt: number;
}

export type Standing = { may: true } | { may: false; locked: true } | { may: false; locked: false; waitMs: number };

export class Tries {
  private readonly steps = new Map<string, Step>();
  private readonly inARow = new Map<string, number>();
  private readonly addresses = new Map<string, number[]>();
  private readonly factor: number;

  /** `addressFactor` widens the per-address limit for load tests; 0 lifts it. */
  constructor(addressFactor = 1) {
    this.factor = addressFactor;
  }

  /** Whether a password may be tried now. Ask before every check. */
  standing(nameKey: string, ip: string, now: number): Standing {
    if ((this.inARow.get(nameKey) ?? 0) >= LOCK_AT) return { may: false, locked: true };
    const step = this.steps.get(pair(nameKey, ip));
    if (step && step.waitUntil > now) return { may: false, locked: false, waitMs: step.waitUntil - now };
    const recent = this.recentOf(ip, now);
    if (this.factor > 0 && recent.length >= ADDRESS_TRIES * this.factor) {
      return { may: false, locked: false, waitMs: recent[0]! + 60_000 - now };
    }
    return { may: true };
  }

  /** Counts a wrong password; gives how many in a row the name has now. */
  failed(nameKey: string, ip: string, now: number): number {
    this.trim();
    const key = pair(nameKey, ip);
    const step = this.steps.get(key) ?? { failures: [], waits: 0, waitUntil: 0, lastAt: now };
    if (now - step.lastAt > Math.max(WINDOW_MS, 2 * waitMs(step.waits))) step.waits = 0;
    step.failures = [...step.failures.filter((at) => now - at < WINDOW_MS), now];
    step.lastAt = now;
    if (step.waits > 0 || step.failures.length >= FREE_TRIES) {
      step.waits += 1;
      step.waitUntil = now + waitMs(step.waits);
    }
    this.steps.set(key, step);
    this.addresses.set(ip, [...this.recentOf(ip, now), now]);
    const count = (this.inARow.get(nameKey) ?? 0) + 1;
    this.inARow.set(nameKey, count);
    return count;
  }

  /** The right password: this address starts anew, and so does the count in a row. */
  passed(nameKey: string, ip: string): void {
    this.steps.delete(pair(nameKey, ip));
    this.inARow.delete(nameKey);
  }

  /** What the database remembers of before a restart. */
  restore(nameKey: string, count: number): void {
    if (count > (this.inARow.get(nameKey) ?? 0)) this.inARow.set(nameKey, count);
  }

  /** An operator reset the password. */
  reset(nameKey: string): void {
    this.inARow.delete(nameKey);
    for (const key of this.steps.keys()) if (key.startsWith(`${nameKey}\n`)) this.steps.delete(key);
  }

  private recentOf(ip: string, now: number): number[] {
    return (this.addresses.get(ip) ?? []).filter((at) => now - at < 60_000);
  }

  /** Bounded memory under a flood of invented names: the oldest go first. */
  private trim(): void {
    for (const map of [this.steps, this.inARow, this.addresses] as Array<Map<string, unknown>>) {
      if (map.size < MOST_KEPT) continue;
      let drop = MOST_KEPT / 10;
      for (const key of map.keys()) {
        map.delete(key);
        drop -= 1;
        if (drop === 0) break;
      }
    }
  }
}

const pair = (nameKey: string, ip: string): string => `${nameKey}\n${ip}`;
const waitMs = (waits: number): number =>
  waits === 0 ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (waits - 1));
