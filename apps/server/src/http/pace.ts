import type { AnyCall } from '@fairgame/contract';

export type PaceClass = 'login' | 'demo' | 'bet' | 'search' | 'read' | 'write';

interface Rule {
  perSecond: number;
  burst: number;
}

/**
 * Per account, from trust SEC-Z10; an address gets IP_SHARE times as much, since many players share one.
 * Wrong passwords have their own, much tighter ladder in auth.
 */
const RULES: Readonly<Record<PaceClass, Rule>> = {
  login: { perSecond: 1, burst: 20 },
  demo: { perSecond: 0.2, burst: 6 },
  bet: { perSecond: 10, burst: 20 },
  search: { perSecond: 5, burst: 10 },
  read: { perSecond: 60, burst: 120 },
  write: { perSecond: 5, burst: 20 },
};
const IP_SHARE = 5;
const MOST_BUCKETS = 100_000;

interface Bucket {
  tokens: number;
  at: number;
}

/** Token buckets by class and by who. Times in ms come from the caller's clock. */
export class Pace {
  private readonly buckets = new Map<string, Bucket>();
  private readonly factor: number;
  constructor(factor: number) {
    this.factor = factor;
  }

  /** Seconds to wait when the call comes too soon, else 0 and the call is counted. */
  take(kind: PaceClass, now: number, ip: string, userId: number | undefined): number {
    if (this.factor === 0) return 0;
    const rule = RULES[kind];
    const address = this.wait(`${kind} ip ${ip}`, rule, IP_SHARE, now);
    const account = userId === undefined ? 0 : this.wait(`${kind} user ${userId}`, rule, 1, now);
    const waitS = Math.max(address, account);
    if (waitS === 0) {
      this.spend(`${kind} ip ${ip}`);
      if (userId !== undefined) this.spend(`${kind} user ${userId}`);
    }
    return waitS === 0 ? 0 : Math.max(1, Math.ceil(waitS));
  }

  /** Forgets buckets that are full again. */
  sweep(now: number): void {
    for (const [key, bucket] of this.buckets) if (now - bucket.at > 120_000) this.buckets.delete(key);
  }

  private wait(key: string, rule: Rule, share: number, now: number): number {
    const perSecond = rule.perSecond * share * this.factor;
    const burst = Math.max(1, rule.burst * share * this.factor);
    let bucket = this.buckets.get(key);
    if (!bucket) {
      if (this.buckets.size >= MOST_BUCKETS) this.buckets.clear();
      bucket = { tokens: burst, at: now };
      this.buckets.set(key, bucket);
    }
    const passed = Math.max(0, now - bucket.at);
    bucket.tokens = Math.min(burst, bucket.tokens + (passed / 1000) * perSecond);
    bucket.at = now;
    return bucket.tokens >= 1 ? 0 : (1 - bucket.tokens) / perSecond;
  }

  private spend(key: string): void {
    const bucket = this.buckets.get(key);
    if (bucket) bucket.tokens -= 1;
  }
}

/** Which pace a call is held to. */
export function paceOf(call: AnyCall): PaceClass {
  if (call.name === 'auth.demo') return 'demo';
  if (call.who === 'public' && call.method === 'POST') return 'login';
  if (call.keyed) return 'bet';
  if (call.path.includes('search')) return 'search';
  return call.method === 'GET' || call.reads || call.who === 'operator' ? 'read' : 'write';
}
