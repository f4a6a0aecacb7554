/** Begins what goes on over several commands. */
import { dropHouse } from './matching.ts';
import { changed } from './results.ts';
import type { Market, World } from './world.ts';
import { isBooking } from './world.ts';

export type Turns = NonNullable<Market['turns']>;

export function begin(world: World, market: Market, type: Turns['type'], of: Partial<Turns> = {}): void {
  market.status = 'SETTLING';
  market.turns = {
    type,
    had: new Set(),
    isHouseBooked: false,
    untold: new Set(),
    lapses: new Map(),
    after: null,
    change: null,
    lays: new Map(),
    before: [],
    ...of,
  };
  market.reason = isBooking(market.turns)
    ? ''
    : type === 'market.state'
      ? 'Unmatched bets lapse'
      : 'Bets are brought up to date';
  world.settling.add(market.id);
  if (!isBooking(market.turns)) return;
  market.resultVersion++;
  if (type === 'market.declare') dropHouse(market);
  changed(market, true);
}
