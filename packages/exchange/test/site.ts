/** Makes sites for the tests: accounts, markets, and commands that must pass or must be refused. */
import { expect } from 'vitest';
import type { Bet, Command, Event, MarketDef, RefusalCode, Side, State } from '../src/exchange.ts';
import { apply, audit, createState, hashState } from '../src/exchange.ts';
import { MARKET, marketDef, runners } from './market-def.ts';

export { MARKET, marketDef, runners };

export const T0 = 1_800_000_000_000;
export const ANN = 100;
export const BOB = 101;
export const CAT = 102;

export class Site {
  readonly state: State = createState();
  now = T0;
  lastBetId = 0;

  /** Accounts 100, 101 ... with this much money each. */
  constructor(players = 3, fundsMinor = 100_000_000) {
    for (let i = 0; i < players; i++) {
      this.go({ type: 'account.open', accountId: ANN + i, currency: 'EUR', kind: 'player' });
      if (fundsMinor > 0) this.fund(ANN + i, fundsMinor);
    }
  }

  fund(accountId: number, amountMinor: number): Event[] {
    const reason = amountMinor > 0 ? ('deposit' as const) : ('withdrawal' as const);
    return this.go({ type: 'account.transfer', accountId, amountMinor, reason, text: 'test' });
  }

  /** The command must be accepted; the state must be whole afterwards. */
  go(command: Command): Event[] {
    const events = apply(this.state, command, this.now);
    expect(events.filter((event) => event.type === 'refused')).toEqual([]);
    expect(audit(this.state)).toEqual([]);
    for (const event of events) {
      if (event.type === 'ledger') expect(event.entries.reduce((sum, entry) => sum + entry.amountMinor, 0)).toBe(0);
    }
    return events;
  }

  /** The command must be refused with this code, alone, and leave no trace. */
  refused(command: Command, code: RefusalCode, field?: string): Extract<Event, { type: 'refused' }> {
    const before = hashState(this.state);
    const events = apply(this.state, command, this.now);
    expect(events).toHaveLength(1);
    const event = events[0]!;
    if (event.type !== 'refused') throw new Error(`expected ${code}, got ${JSON.stringify(event)}`);
    expect(event.code).toBe(code);
    if (field !== undefined) expect(event.field).toBe(field);
    expect(hashState(this.state)).toBe(before);
    return event;
  }

  /** Waits and lets delayed bets go. */
  wait(ms: number): Event[] {
    this.now += ms;
    return this.go({ type: 'clock' });
  }

  market(over: Partial<MarketDef> = {}): number {
    const market = marketDef(over);
    this.go({ type: 'market.create', market });
    return market.marketId;
  }

  back(accountId: number, runnerId: number, price: number, sizeMinor: number, over: Over = {}): number {
    return this.bet(accountId, runnerId, 'BACK', price, sizeMinor, over);
  }

  lay(accountId: number, runnerId: number, price: number, sizeMinor: number, over: Over = {}): number {
    return this.bet(accountId, runnerId, 'LAY', price, sizeMinor, over);
  }

  order(accountId: number, runnerId: number, side: Side, price: number, sizeMinor: number, over: Over = {}): Place {
    return {
      type: 'order.place',
      betId: this.lastBetId + 1,
      accountId,
      marketId: MARKET,
      runnerId,
      side,
      price,
      sizeMinor,
      persistence: 'LAPSE',
      ...over,
    };
  }

  /** Back by `backer` and lay by `layer`, matched whole. */
  match(backer: number, layer: number, runnerId: number, price: number, sizeMinor: number): [number, number] {
    const lay = this.lay(layer, runnerId, price, sizeMinor);
    const back = this.back(backer, runnerId, price, sizeMinor);
    return [back, lay];
  }

  private bet(accountId: number, runnerId: number, side: Side, price: number, sizeMinor: number, over: Over): number {
    const order = this.order(accountId, runnerId, side, price, sizeMinor, over);
    this.go(order);
    this.lastBetId = order.betId;
    return order.betId;
  }
}

export type Place = Extract<Command, { type: 'order.place' }>;
export type Over = Partial<Omit<Place, 'type'>>;

export function of<T extends Event['type']>(events: Event[], type: T): Array<Extract<Event, { type: T }>> {
  return events.filter((event): event is Extract<Event, { type: T }> => event.type === type);
}

export function fills(events: Event[]): Array<[number, number]> {
  return of(events, 'fill').map((fill) => [fill.price, fill.sizeMinor]);
}

export function betIn(events: Event[], betId: number): Bet {
  const found = of(events, 'bet').find((event) => event.bet.betId === betId);
  if (!found) throw new Error(`no event for bet ${betId}`);
  return found.bet;
}
