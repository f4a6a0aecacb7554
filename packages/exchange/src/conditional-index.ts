/** Conditional orders of a state: by account, market, bet and price, so that what meets some costs as much as those it meets. */
import { TICKS, tickIndex } from '@fairgame/contract';
import type { SideCode } from './book.ts';
import { BACK, LAY } from './book.ts';
import { DelayLine } from './delay-line.ts';
import type { Trail, Watched } from './price-watch.ts';
import { PriceWatch } from './price-watch.ts';
import type { Account, Hashed, Market, Order, Runner, State } from './state.ts';
import type { AccountId, BetId, ConditionalEnd, ConditionalKind, MarketId, Persistence, Side } from './types.ts';
import { markDirty } from './work.ts';

/** A conditional order that has not fired, and the bet that it makes when it does. */
export interface Conditional extends Hashed, Watched {
  readonly tag: 'conditional';
  id: number;
  kind: ConditionalKind;
  account: Account;
  market: Market;
  runner: Runner;
  side: Side;
  code: SideCode;
  /** STOP, PROFIT: the price that meets it. */
  trigger: number;
  /** STOP, PROFIT: limit of its bet; 0 for the others, whose limit follows from the price of the moment. */
  price: number;
  /** TRAIL: how many ticks behind the price its bet may be matched. */
  slip: number;
  size: number;
  persistence: Persistence;
  /** OFFSET, EXPIRE: the bet that it waits for. */
  order: Order | null;
  /** OFFSET: its stake brings the same result whatever wins. */
  level: boolean;
  /** EXPIRE: when the rest of the bet is killed; 0 for the others. */
  dueAt: number;
  /** Those of an account with one number go with the first of them that fires; 0 for none. */
  link: number;
  madeAt: number;
  /** Met, or over, and waiting for its turn; null while it waits for what meets it. */
  due: 'FIRE' | ConditionalEnd | null;
  trail: Trail<Watched> | null;
}

type Watches = [PriceWatch<Conditional> | null, PriceWatch<Conditional> | null];

export class Conditionals {
  /** The last number that was given out. */
  last = 0;
  readonly byId = new Map<number, Conditional>();
  /** Those whose turn has come, in their order. */
  readonly due = new Set<Conditional>();
  readonly expiries = new DelayLine<Conditional>((one) => one.due === null && this.byId.get(one.id) === one);
  readonly #byAccount = new Map<AccountId, Set<Conditional>>();
  readonly #byMarket = new Map<MarketId, Set<Conditional>>();
  readonly #byBet = new Map<BetId, Set<Conditional>>();
  readonly #watches = new Map<Runner, Watches>();

  ofAccount(accountId: AccountId): ReadonlySet<Conditional> {
    return this.#byAccount.get(accountId) ?? NONE;
  }

  ofMarket(marketId: MarketId): ReadonlySet<Conditional> {
    return this.#byMarket.get(marketId) ?? NONE;
  }

  ofBet(betId: BetId): ReadonlySet<Conditional> {
    return this.#byBet.get(betId) ?? NONE;
  }

  watchesOf(runner: Runner): Watches | undefined {
    return this.#watches.get(runner);
  }

  get watchesBets(): boolean {
    return this.#byBet.size > 0;
  }

  enter(one: Conditional): void {
    this.byId.set(one.id, one);
    addTo(this.#byAccount, one.account.id, one);
    addTo(this.#byMarket, one.market.id, one);
    if (one.due === null) this.listen(one);
    else this.due.add(one);
  }

  /** It is over. */
  leave(one: Conditional): void {
    if (one.due === null) this.unlisten(one);
    this.due.delete(one);
    this.byId.delete(one.id);
    takeFrom(this.#byAccount, one.account.id, one);
    takeFrom(this.#byMarket, one.market.id, one);
  }

  /** It waits for what meets it. */
  listen(one: Conditional): void {
    if (one.order !== null) {
      addTo(this.#byBet, one.order.id, one);
      if (one.kind === 'EXPIRE') this.expiries.add(one);
      return;
    }
    const watches: Watches = this.#watches.get(one.runner) ?? [null, null];
    this.#watches.set(one.runner, watches);
    watches[one.code] ??= new PriceWatch<Conditional>();
    watches[one.code]!.add(one);
  }

  unlisten(one: Conditional): void {
    if (one.order !== null) {
      takeFrom(this.#byBet, one.order.id, one);
      return;
    }
    const watches = this.#watches.get(one.runner)!;
    watches[one.code]!.remove(one);
    if (watches[one.code]!.size === 0) watches[one.code] = null;
    if (watches[BACK] === null && watches[LAY] === null) this.#watches.delete(one.runner);
  }
}

/** What waited for a bet that another takes the place of waits for that one; an offset of a part that was matched is for that part. */
export function followBet(state: State, old: Order, next: Order): void {
  const { conditionals } = state;
  for (const one of Array.from(conditionals.ofBet(old.id))) {
    if (one.kind === 'OFFSET' && old.matched > 0) continue;
    conditionals.unlisten(one);
    one.order = next;
    conditionals.listen(one);
    markDirty(state, one);
  }
}

/** One that is not entered, with nothing said of it yet. */
export function newConditional(account: Account, runner: Runner): Conditional {
  return {
    tag: 'conditional',
    dirty: false,
    hashHigh: 0,
    hashLow: 0,
    id: 0,
    kind: 'STOP',
    account,
    market: runner.market,
    runner,
    side: 'BACK',
    code: BACK,
    trigger: 0,
    at: 0,
    price: 0,
    ticks: 0,
    slip: 0,
    size: 0,
    persistence: 'LAPSE',
    order: null,
    level: false,
    dueAt: 0,
    link: 0,
    madeAt: 0,
    due: null,
    trail: null,
  };
}

/** The tick as price-watch.ts counts it: more is worse for a bet of this side. */
export function worseTick(code: SideCode, price: number): number {
  const tick = tickIndex(price);
  return code === LAY ? tick : TICKS - 1 - tick;
}

/** The tick a bet of this side would meet first, so counted; null where nothing is on offer. */
export function offeredTick({ book }: Runner, code: SideCode): number | null {
  if (code === LAY) return book.bestBack < TICKS ? book.bestBack : null;
  return book.bestLay >= 0 ? TICKS - 1 - book.bestLay : null;
}

/** The best tick a trailing stop has seen, so counted. */
export function markOf({ trail, at }: Conditional): number {
  return trail?.mark ?? at;
}

const NONE: ReadonlySet<Conditional> = new Set();

function addTo<K>(sets: Map<K, Set<Conditional>>, key: K, one: Conditional): void {
  const known = sets.get(key);
  if (known === undefined) sets.set(key, new Set([one]));
  else known.add(one);
}

function takeFrom<K>(sets: Map<K, Set<Conditional>>, key: K, one: Conditional): void {
  const known = sets.get(key);
  known?.delete(one);
  if (known?.size === 0) sets.delete(key);
}
