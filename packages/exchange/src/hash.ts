/**
 * A 64-bit hash of all that decides the future: accounts, markets with the house's levels, bets with their place in the
 * queue, fills. Each object is hashed alone and the hashes are summed, so the order of maps does not matter and only what
 * changed since the last question is computed again. Sums of holdings follow from bets and fills and are left out.
 */
import { LEVELS } from './book.ts';
import type { Conditional } from './conditional-index.ts';
import type {
  Account,
  FieldChange,
  Fill,
  Hashed,
  Market,
  Order,
  ProviderResult,
  Removal,
  Round,
  State,
  Work,
} from './state.ts';
import { seqOf } from './state.ts';
import type { MarketDef, Quote } from './types.ts';

/** 16 hex digits; equal for equal states, in this process or another. */
export function hashState(state: State): string {
  if (state.hashing) {
    for (const thing of state.dirty) if (thing.dirty) recompute(state, thing);
  } else {
    state.hashHigh = 0;
    state.hashLow = 0;
    for (const thing of state.dirty) thing.dirty = false;
    for (const thing of everything(state)) {
      thing.hashHigh = 0;
      thing.hashLow = 0;
      recompute(state, thing);
    }
    state.hashing = true;
  }
  state.dirty = [];
  start(0);
  number(state.hashHigh);
  number(state.hashLow);
  number(state.lastBetId);
  number(state.lastFillId);
  number(state.lastSeq);
  number(state.now);
  text(state.currency);
  number(state.houseLimits.marketMinor);
  number(state.houseLimits.eventMinor);
  for (const work of state.pending) pendingHash(work);
  number(state.conditionals.last);
  for (const { id } of state.conditionals.due) number(id);
  return hex(high) + hex(low);
}

function pendingHash({
  type,
  marketId,
  phase,
  at,
  booked,
  clearing,
  holds,
  lapses,
  untold,
  after,
  field,
  parts,
  seal,
  head,
}: Work): void {
  text(type);
  text(phase);
  text(seal);
  text(head?.check ?? '');
  text(after?.status ?? '');
  text(after?.reason ?? '');
  let last = '';
  for (const [betId, code] of lapses) {
    number(betId);
    // Of very many nearly all are the same.
    if (code !== last) text(code);
    last = code;
  }
  for (const [accountId, betIds] of untold) {
    number(accountId);
    for (const betId of betIds) number(betId);
  }
  if (field !== null) fieldHash(field);
  for (const value of [marketId, at, booked, clearing, parts]) number(value);
  for (const { creditorId, debtorId, amountMinor } of holds) {
    number(creditorId);
    number(debtorId);
    number(amountMinor);
  }
}

function fieldHash({ runnerId, factors, before, removals, lays, ifCovered }: FieldChange): void {
  number(runnerId);
  if (ifCovered) text('ifCovered');
  for (const one of factors) {
    number(one.runnerId);
    number(one.factor);
  }
  for (const list of [before, removals]) removalsHash(list);
  for (const betId of lays) number(betId);
}

function removalsHash(removals: readonly Removal[]): void {
  for (const removal of removals) {
    number(removal.runnerId);
    number(removal.factor);
    number(removal.upTo);
    number(removal.upToBet);
  }
}

/** Up to so much that changed is soon looked at. */
const NEAR = 5000;

/** Whether the next question for the hash is answered at once: after a large act `work` first looks at what it changed. */
export function isHashNear(state: State): boolean {
  return !state.hashing || state.dirty.length <= NEAR;
}

/**
 * Works ahead of the next question for the hash, up to so many objects that changed since the last. Markets wait for the question:
 * one with a result changes with every slice of it, and has as much to look at as it has players.
 */
export function hashSome(state: State, most: number): void {
  const markets: Hashed[] = [];
  for (let i = 0; i < most && state.hashing && state.dirty.length > 0; i++) {
    const thing = state.dirty.pop()!;
    if (thing.tag === 'market') markets.push(thing);
    else if (thing.dirty) recompute(state, thing);
  }
  for (const market of markets) if (market.dirty) state.dirty.push(market);
}

/** 16 hex digits of a text. */
export function hashText(value: string): string {
  start(7);
  text(value);
  finish();
  return hex(high) + hex(low);
}

/** Takes an object that left memory out of the sum. */
export function forget(state: State, thing: Hashed): void {
  if (!state.hashing) return;
  state.hashHigh = (state.hashHigh - thing.hashHigh) >>> 0;
  state.hashLow = (state.hashLow - thing.hashLow) >>> 0;
  thing.dirty = false;
}

function* everything(state: State): Generator<Hashed> {
  yield* state.accounts.values();
  yield* state.orders.values();
  yield* state.rounds.values();
  yield* state.results.values();
  yield* state.conditionals.byId.values();
  for (const market of state.markets.values()) {
    yield market;
    yield* market.fills;
  }
}

function recompute(state: State, thing: Hashed): void {
  const oldHigh = thing.hashHigh;
  const oldLow = thing.hashLow;
  switch (thing.tag) {
    case 'account':
      hashAccount(thing as Account);
      break;
    case 'order':
      hashOrder(thing as Order);
      break;
    case 'fill':
      hashFill(thing as Fill);
      break;
    case 'market':
      hashMarket(thing as Market);
      hashTrails(state, thing as Market);
      break;
    case 'conditional':
      hashConditional(thing as Conditional);
      break;
    case 'round':
      hashRound(thing as Round);
      break;
    case 'result':
      start(6);
      text((thing as ProviderResult).provider);
      number((thing as ProviderResult).balance);
      break;
  }
  finish();
  // Signed they are small integers, which stand in the object; else each is an object of its own, for every bet and match.
  thing.hashHigh = high | 0;
  thing.hashLow = low | 0;
  thing.dirty = false;
  state.hashHigh = (state.hashHigh + high - oldHigh) >>> 0;
  state.hashLow = (state.hashLow + low - oldLow) >>> 0;
}

function hashAccount(a: Account): void {
  start(1);
  number(a.id);
  text(a.currency);
  text(a.kind);
  number(a.balance);
  number(a.exposure);
  flag(a.betBlocked);
  number(a.exposureLimit);
  if (a.lossFloor !== null) number(a.lossFloor);
  number(a.stakeLimit);
  if (a.wager !== null) {
    number(a.wager.left);
    number(a.wager.from);
    if (a.wager.aside !== 0) number(a.wager.aside);
  }
  number(a.stakes);
  number(a.held);
  for (const { marketId, holds } of a.debts) {
    number(marketId);
    for (const [id, amount] of holds) {
      number(id);
      number(amount);
    }
  }
  for (const id of a.short) number(id);
  for (const { pool, sent, received, waiting, net } of a.purses?.values() ?? []) {
    text(pool);
    for (const value of [sent, received, waiting, net]) number(value);
  }
  number(a.version);
}

function hashOrder(o: Order): void {
  start(2);
  number(o.id);
  number(o.holding.account.id);
  number(o.holding.market.id);
  number(o.runner.id);
  number(o.code + (o.terms === null ? 0 : 2) + (o.persistence === 'PERSIST' ? 4 : 0));
  number(o.price);
  number(o.firstPrice);
  number(o.size);
  number(o.matched);
  number(o.matchedSum);
  number(o.remaining);
  number(o.cancelled);
  number(o.lapsed);
  number(o.voided);
  text(o.status);
  number(o.dueAt);
  number(o.placedAt);
  number(o.minFill);
  text(o.endCode ?? '');
  text(o.reason ?? '');
  text(o.result);
  number(o.profit);
  number(o.version);
  number(seqOf(o));
  if (o.holding.hedge?.includes(o)) number(o.holding.hedge[0]!.id);
  if (o.terms === null) return;
  number(o.terms.line ?? -1);
  number(o.terms.box ?? -1);
  number(o.terms.width ?? -1);
  number(o.terms.win);
  number(o.terms.loss);
}

function hashFill(f: Fill): void {
  start(3);
  number(f.id);
  number(f.runner.id);
  number(f.price);
  number(f.paid);
  number(f.size);
  number(f.back === null ? 0 : f.back.id);
  number(f.lay === null ? 0 : f.lay.id);
  number(f.void === false ? 0 : f.void === 'removed' ? 1 : 2);
}

function hashMarket(m: Market): void {
  start(4);
  number(m.id);
  definition(m.def);
  text(m.status);
  text(m.reason);
  flag(m.inPlay);
  number(m.betDelayMs);
  number(m.minStake);
  number(m.maxStake);
  number(m.version);
  number(m.materialVersion);
  number(m.resultVersion);
  number(m.bookedBy);
  if (m.result === null) flag(false);
  else {
    text(m.result.kind);
    if (m.result.kind === 'winners') for (const id of m.result.runnerIds) number(id);
    else if (m.result.kind === 'ranks')
      for (const { runnerId, rank } of m.result.ranks) {
        number(runnerId);
        number(rank);
      }
    else if (m.result.kind === 'score') number(m.result.score);
    else if (m.result.kind === 'yes') flag(m.result.yes);
    else if (m.result.kind === 'void') text(m.result.reason);
    else if (m.result.kind === 'cards') text(JSON.stringify(m.result.pays));
  }
  for (const runner of m.runners) {
    number(runner.id);
    text(runner.def.name);
    number(runner.def.adjustmentFactor ?? -1);
    number(runner.def.width ?? -1);
    text(runner.def.stands ?? '');
    number(runner.def.digit ?? -1);
    number(runner.def.group ?? 0);
    number(runner.def.payMax ?? -1);
    number(runner.def.payMin ?? -1);
    text(runner.status);
    number(runner.lastPrice);
    number(runner.traded);
    if (!m.isBook) continue;
    const { pool } = runner.book;
    for (let level = 0; level < LEVELS; level++) {
      const node = runner.house[level]!;
      if (node === 0) continue;
      number(level);
      number(pool.size[node]!);
      number(pool.seq[node]!);
    }
  }
  for (const id of [...m.quotes.keys()].sort((a, b) => a - b)) {
    const row = m.quotes.get(id)!;
    number(id);
    text(row.status);
    quote(row.back);
    quote(row.lay);
  }
  removalsHash(m.removals);
  const waiving: Array<[number, number]> = [];
  for (const [id, { waived }] of m.holdings) if (waived !== 0) waiving.push([id, waived]);
  for (const [id, waived] of waiving.sort(([a], [b]) => a - b)) {
    number(id);
    number(waived);
  }
  number(m.exact?.whole ?? 0);
  number(m.exact?.rest ?? 0);
  if (m.payouts === null) {
    flag(false);
    return;
  }
  for (const id of [...m.payouts.keys()].sort((a, b) => a - b)) {
    number(id);
    number(m.payouts.get(id)!.net);
    number(m.payouts.get(id)!.commission);
  }
}

/** What the trailing stops of a market have seen; which of them saw it follows from their groups. */
function hashTrails({ conditionals }: State, { runners }: Market): void {
  if (conditionals.byId.size === 0) return;
  for (const runner of runners) {
    for (const watch of conditionals.watchesOf(runner) ?? []) {
      for (const group of watch?.groups(({ id }) => id) ?? []) for (const value of group) number(value);
    }
  }
}

function hashConditional(c: Conditional): void {
  start(8);
  text(c.kind);
  text(c.side);
  text(c.persistence);
  text(c.due ?? '');
  flag(c.level);
  for (const value of [c.id, c.account.id, c.market.id, c.runner.id, c.trigger, c.price, c.ticks, c.slip])
    number(value);
  for (const value of [c.size, c.order?.id ?? 0, c.dueAt, c.link, c.madeAt]) number(value);
  if (c.due !== null && c.kind === 'TRAIL') number(c.at);
}

function hashRound({ view }: Round): void {
  start(5);
  text(view.provider);
  text(view.roundId);
  number(view.accountId);
  text(view.game);
  text(view.label);
  text(view.status);
  number(view.stakedMinor);
  number(view.paidMinor);
  number(view.refundedMinor);
  for (const [txId, amountMinor, state] of view.bets) {
    text(txId);
    number(amountMinor);
    text(state);
  }
  number(view.openedAt);
  number(view.closedAt);
  number(view.version);
}

function definition(d: MarketDef): void {
  number(d.eventId);
  text(d.kind);
  text(d.name);
  number(d.winners);
  number(d.commissionBps);
  number(d.maxExposureMinor);
  number(d.maxBets);
  flag(d.lapseOnSuspend);
  number(d.cap ?? -1);
  flag(d.rateThan100 === true);
  text(d.tieRule ?? '');
  flag(d.placeMarket === true);
  flag(d.removable === true);
}

function quote(q: Quote | null): void {
  if (q === null) {
    flag(false);
    return;
  }
  number(q.price);
  number(q.sizeMinor);
  number(q.line ?? -1);
}

// Two 32-bit lanes with different multipliers; the lanes are read by the callers above.
let high = 0;
let low = 0;

function start(tag: number): void {
  high = 0x9e3779b9 ^ tag;
  low = 0x7f4a7c15 ^ tag;
}

function word(value: number): void {
  high = Math.imul(high ^ value, 0x85ebca6b);
  high ^= high >>> 15;
  low = Math.imul(low ^ value, 0xc2b2ae35);
  low ^= low >>> 13;
}

function number(value: number): void {
  word(value | 0);
  word(Math.floor(value / 4294967296) | 0);
}

function flag(value: boolean): void {
  word(value ? 1 : 2);
}

function text(value: string): void {
  word(value.length);
  for (let i = 0; i < value.length; i++) word(value.charCodeAt(i));
}

function finish(): void {
  high = Math.imul(high ^ (low >>> 16), 0x27d4eb2f);
  high = (high ^ (high >>> 15)) >>> 0;
  low = Math.imul(low ^ (high >>> 16), 0x165667b1);
  low = (low ^ (low >>> 15)) >>> 0;
}

function hex(lane: number): string {
  return (lane >>> 0).toString(16).padStart(8, '0');
}
