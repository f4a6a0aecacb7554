/** How much one account and one address may ask for (trust SEC-Z10): buckets that fill by the second, drained by what a call costs. */
import type { AnyCall } from '@fairgame/contract';
import { networkOf } from './address.ts';

export type PaceClass =
  | 'login'
  | 'demo'
  | 'bet'
  | 'search'
  | 'read'
  | 'write'
  | 'page'
  | 'provider'
  | 'refused'
  | 'program'
  | 'programBet';

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
  // A program asks as fast as it can, and one package of it holds up to 200 orders.
  program: { perSecond: 60, burst: 240 },
  programBet: { perSecond: 200, burst: 1000 },
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

/** A whole history, a page that is drawn, the recordings of a day: three at once, and one more every two thirds of a second. */
const FILE_COST = 40;

/** Of everybody together, where one more of it stays in memory for a day. */
const OF_ALL: Readonly<Partial<Record<PaceClass, Rule>>> = { demo: { perSecond: 0.1, burst: 300 } };

/** Of these the gateways of a site keep one bucket together: who signs in or moves money has no more by changing the gateway. */
const TOGETHER: ReadonlySet<PaceClass> = new Set(['login', 'demo', 'bet', 'write', 'provider', 'programBet']);

const MOST_BUCKETS = 100_000;
/** What one message between gateways takes. */
const MOST_TOLD = 10_000;

/** A bucket by its name, and what was taken from it, or what it lacks: ms until that is filled again. */
export type Taken = [bucket: string, ms: number];

/** What gateways tell one another of their paces. */
export interface PaceTogether {
  /** Told what was taken here from the buckets that are kept together. */
  onTaken: ((bucket: string, ms: number) => void) | null;
  /** Was taken at another gateway. */
  taken(told: readonly Taken[]): void;
  /** Another gateway knows that so much is missing, whoever took it. */
  lacks(told: readonly Taken[]): void;
  /** What is missing here in the buckets that are kept together; the ones used last where they are too many. */
  missing(): Taken[];
  /** How many gateways there are: the rate of all other buckets is divided by them. */
  share(gateways: number): void;
}

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

  take(key: string, ms: number, now: number): void {
    this.set(key, Math.max(now, this.fullAt.get(key) ?? now) + ms);
  }

  lacks(key: string, ms: number, now: number): void {
    this.set(key, Math.max(now + ms, this.fullAt.get(key) ?? now));
  }

  *missing(now: number): Generator<Taken> {
    for (const [key, at] of this.fullAt) if (at > now) yield [key, at - now];
  }

  private set(key: string, fullAt: number): void {
    this.fullAt.delete(key);
    if (this.fullAt.size >= MOST_BUCKETS) this.fullAt.delete(this.fullAt.keys().next().value!);
    this.fullAt.set(key, fullAt);
  }

  /** Forgets what is full again. Those used longest ago come first, so it ends soon. */
  sweep(now: number): void {
    for (const [key, at] of this.fullAt) if (at <= now) this.fullAt.delete(key);
  }
}

interface Rules {
  account: Rule;
  near: Rule;
  wide: Rule;
  all: Rule | null;
}

/**
 * Accounts and addresses are kept apart: a flood of the one never empties the other. `steady` are
 * milliseconds that only go on: with a clock that is set back by an hour everybody would wait for that hour.
 */
export class Pace implements PaceTogether {
  onTaken: PaceTogether['onTaken'] = null;
  private readonly accounts = new Buckets();
  private readonly addresses = new Buckets();
  private readonly factor: number;
  private readonly steady: () => number;
  private rules: ReadonlyMap<PaceClass, Rules> | null;
  /** `factor` multiplies all of it; 0 lifts it. */
  constructor(factor: number, steady: () => number) {
    this.factor = factor;
    this.steady = steady;
    this.rules = rulesOf(factor, 1);
  }

  /** Seconds to wait when the call comes too soon, else 0 and the call is counted. */
  take(kind: PaceClass, ip: string, userId: number | undefined, cost = 1): number {
    const waitS = this.wait(kind, ip, userId, cost);
    if (waitS === 0) this.count(kind, ip, userId, cost);
    return waitS;
  }

  /** As `take`, without counting. */
  wait(kind: PaceClass, ip: string, userId: number | undefined, cost = 1): number {
    const now = this.steady();
    let longest = 0;
    for (const { buckets, key, rule } of this.claims(kind, ip, userId))
      longest = Math.max(longest, buckets.wait(key, rule, cost, now));
    // A moment more than the rest of a division is a second for the caller.
    return longest < 1e-6 ? 0 : Math.max(1, Math.ceil(longest));
  }

  count(kind: PaceClass, ip: string, userId: number | undefined, cost = 1): void {
    const now = this.steady();
    const told = TOGETHER.has(kind) ? this.onTaken : null;
    for (const { buckets, key, rule } of this.claims(kind, ip, userId)) {
      const ms = (cost / rule.perSecond) * 1000;
      buckets.take(key, ms, now);
      told?.(this.nameOf(buckets, key), ms);
    }
  }

  taken(told: readonly Taken[]): void {
    const now = this.steady();
    for (const [name, ms] of told) this.bucketsOf(name).take(name.slice(1), ms, now);
  }

  lacks(told: readonly Taken[]): void {
    const now = this.steady();
    for (const [name, ms] of told) this.bucketsOf(name).lacks(name.slice(1), ms, now);
  }

  missing(): Taken[] {
    const now = this.steady();
    return [this.accounts, this.addresses].flatMap((buckets) =>
      [...buckets.missing(now)]
        .filter(([key]) => TOGETHER.has(key.split(' ', 1)[0] as PaceClass))
        .slice(-MOST_TOLD / 2)
        .map(([key, ms]): Taken => [this.nameOf(buckets, key), ms]),
    );
  }

  share(gateways: number): void {
    this.rules = rulesOf(this.factor, gateways);
  }

  sweep(): void {
    const now = this.steady();
    this.accounts.sweep(now);
    this.addresses.sweep(now);
  }

  sizes(): { accounts: number; addresses: number } {
    return { accounts: this.accounts.size, addresses: this.addresses.size };
  }

  private nameOf(buckets: Buckets, key: string): string {
    return (buckets === this.accounts ? 'u' : 'a') + key;
  }

  private bucketsOf(name: string): Buckets {
    return name.startsWith('u') ? this.accounts : this.addresses;
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

/**
 * What may come at once stays whole at each of several gateways: a screen is read over one connection. What may come in the
 * long run is divided, unless they count together. Null: no limits.
 */
function rulesOf(factor: number, gateways: number): ReadonlyMap<PaceClass, Rules> | null {
  if (factor === 0) return null;
  return new Map(
    Object.entries(OF_ACCOUNT).map(([kind, whole]) => {
      const isTogether = TOGETHER.has(kind as PaceClass);
      const rule = isTogether ? whole : { ...whole, perSecond: whole.perSecond / gateways };
      const near = times(rule, ADDRESS_SHARE * factor);
      const ofAll = OF_ALL[kind as PaceClass];
      const all = ofAll ? times(ofAll, factor) : null;
      return [kind as PaceClass, { account: times(rule, factor), near, wide: times(near, WIDE_SHARE), all }] as const;
    }),
  );
}

const times = ({ perSecond, burst }: Rule, share: number): Rule => ({
  perSecond: perSecond * share,
  burst: Math.max(1, burst * share),
});

/** Which pace a call is held to, and what it costs there. */
export function paceOf(call: AnyCall): { kind: PaceClass; cost: number } {
  return { kind: kindOf(call), cost: COSTS[call.name] ?? (call.file ? FILE_COST : 1) };
}

function kindOf(call: AnyCall): PaceClass {
  if (call.name === 'auth.demo') return 'demo';
  if (call.who === 'public' && call.method === 'POST') return 'login';
  if (call.keyed || call.many) return 'bet';
  if (call.path.includes('search')) return 'search';
  return call.method === 'GET' || call.reads || call.who === 'operator' ? 'read' : 'write';
}
