/** How much one account and one address may ask for (trust SEC-Z10): buckets that fill by the second, drained by what a call costs. */
import type { AnyCall } from '@fairgame/contract';
import { networkOf } from './address.ts';

export type PaceClass = 'login' | 'demo' | 'bet' | 'search' | 'read' | 'write' | 'page' | 'provider' | 'refused';

interface Rule {
  perSecond: number;
  burst: number;
}

/** Many players may share one address, and many networks one wide one. */
const ADDRESS_SHARE = 5;
const WIDE_SHARE = 4;

/**
 * Of one account; an address has ADDRESS_SHARE times as much unless it has its own line. Wrong passwords have their own,
 * much tighter ladder in auth.
 */
const OF_ACCOUNT: Readonly<Record<PaceClass, Rule>> = {
  login: { perSecond: 1, burst: 20 },
  demo: { perSecond: 0.02, burst: 2 },
  bet: { perSecond: 10, burst: 20 },
  search: { perSecond: 5, burst: 10 },
  read: { perSecond: 60, burst: 120 },
  write: { perSecond: 5, burst: 20 },
  page: { perSecond: 10, burst: 40 },
  provider: { perSecond: 200, burst: 400 },
  // What was refused for its shape, its right or its address: a mistake now and then, not a search for holes.
  refused: { perSecond: 10, burst: 100 },
};

/** Readings that cost more than the usual millisecond: lists of a whole history, sums over it, long tables. */
const COSTS: Readonly<Record<string, number>> = {
  'user.profile': 3,
  'protection.status': 6,
  'bet.list': 6,
  'bet.profitLoss': 10,
  'transaction.list': 10,
  'match.list': 3,
  'market.list': 3,
  'match.get': 3,
  'match.other': 3,
  'card.report': 10,
  'card.results': 4,
  'mac88.bets': 10,
};

/** Of everybody together, where one more of it stays in memory for a day. */
const OF_ALL: Readonly<Partial<Record<PaceClass, Rule>>> = { demo: { perSecond: 0.1, burst: 300 } };

const MOST_BUCKETS = 100_000;

/**
 * One number a bucket: the moment at which it will be full again. The map is in the order of use, so under a flood of new
 * names the one that was longest silent goes, and no other.
 */
class Buckets {
  private readonly fullAt = new Map<string, number>();

  get size(): number {
    return this.fullAt.size;
  }

  /** Seconds until `cost` may be taken; 0 for now. */
  wait(key: string, rule: Rule, cost: number, now: number): number {
    const missing = (Math.max(now, this.fullAt.get(key) ?? now) - now) / 1000;
    return Math.max(0, missing + (Math.min(cost, rule.burst) - rule.burst) / rule.perSecond);
  }

  take(key: string, rule: Rule, cost: number, now: number): void {
    const from = Math.max(now, this.fullAt.get(key) ?? now);
    this.fullAt.delete(key);
    if (this.fullAt.size >= MOST_BUCKETS) this.fullAt.delete(this.fullAt.keys().next().value!);
    this.fullAt.set(key, from + (cost / rule.perSecond) * 1000);
  }

  /** Forgets what is full again. Those used longest ago come first, so it ends soon. */
  sweep(now: number): void {
    for (const [key, at] of this.fullAt) if (at <= now) this.fullAt.delete(key);
  }
}

/** Times in ms come from the caller's clock. Accounts and addresses are kept apart: a flood of the one never empties the other. */
export class Pace {
  private readonly accounts = new Buckets();
  private readonly addresses = new Buckets();
  private readonly rules: ReadonlyMap<PaceClass, { account: Rule; near: Rule; wide: Rule; all: Rule | null }> | null;
  /** `factor` multiplies all of it; 0 lifts it. */
  constructor(factor: number) {
    const rules = Object.entries(OF_ACCOUNT).map(([kind, rule]) => {
      const near = times(rule, ADDRESS_SHARE * factor);
      const ofAll = OF_ALL[kind as PaceClass];
      const all = ofAll ? times(ofAll, factor) : null;
      return [kind as PaceClass, { account: times(rule, factor), near, wide: times(near, WIDE_SHARE), all }] as const;
    });
    this.rules = factor === 0 ? null : new Map(rules);
  }

  /** Seconds to wait when the call comes too soon, else 0 and the call is counted. */
  take(kind: PaceClass, now: number, ip: string, userId: number | undefined, cost = 1): number {
    const waitS = this.wait(kind, now, ip, userId, cost);
    if (waitS === 0) this.count(kind, now, ip, userId, cost);
    return waitS;
  }

  /** As `take`, without counting. */
  wait(kind: PaceClass, now: number, ip: string, userId: number | undefined, cost = 1): number {
    let longest = 0;
    for (const { buckets, key, rule } of this.claims(kind, ip, userId))
      longest = Math.max(longest, buckets.wait(key, rule, cost, now));
    // A moment more than the rest of a division is a second for the caller.
    return longest < 1e-6 ? 0 : Math.max(1, Math.ceil(longest));
  }

  count(kind: PaceClass, now: number, ip: string, userId: number | undefined, cost = 1): void {
    for (const { buckets, key, rule } of this.claims(kind, ip, userId)) buckets.take(key, rule, cost, now);
  }

  sweep(now: number): void {
    this.accounts.sweep(now);
    this.addresses.sweep(now);
  }

  sizes(): { accounts: number; addresses: number } {
    return { accounts: this.accounts.size, addresses: this.addresses.size };
  }

  private claims(kind: PaceClass, ip: string, userId: number | undefined) {
    const rules = this.rules?.get(kind);
    if (!rules) return [];
    const { near, wide } = networkOf(ip);
    const claims = [{ buckets: this.addresses, key: `${kind} ${near}`, rule: rules.near }];
    if (wide !== null) claims.push({ buckets: this.addresses, key: `${kind} ${wide}`, rule: rules.wide });
    if (rules.all) claims.push({ buckets: this.addresses, key: kind, rule: rules.all });
    if (userId !== undefined) claims.push({ buckets: this.accounts, key: `${kind} ${userId}`, rule: rules.account });
    return claims;
  }
}

const times = ({ perSecond, burst }: Rule, share: number): Rule => ({
  perSecond: perSecond * share,
  burst: Math.max(1, burst * share),
});

/** Which pace a call is held to, and what it costs there. */
export function paceOf(call: AnyCall): { kind: PaceClass; cost: number } {
  return { kind: kindOf(call), cost: COSTS[call.name] ?? 1 };
}

function kindOf(call: AnyCall): PaceClass {
  if (call.name === 'auth.demo') return 'demo';
  if (call.who === 'public' && call.method === 'POST') return 'login';
  if (call.keyed || call.many) return 'bet';
  if (call.path.includes('search')) return 'search';
  return call.method === 'GET' || call.reads || call.who === 'operator' ? 'read' : 'write';
}
