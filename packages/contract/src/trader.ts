import * as z from 'zod/mini';
import { betAnswer, orderErrors, placedBet } from './bets.ts';
import {
  CSV,
  call,
  filterText,
  id,
  idText,
  key,
  keyword,
  languageTag,
  limit,
  minor,
  odds,
  stakeMinor,
  timeZone,
} from './call.ts';
import { conditionalOrder, lifeSeconds, ticks } from './conditional-order.ts';

const percent = () => z.int().check(z.minimum(1), z.maximum(100), z.meta({ unit: 'percent' }));

/** One that is over. */
export const conditionalEnd = z.object({
  ...conditionalOrder.def.shape,
  endedAt: z.string(),
  /** Who meant it to end, by taking it back or by blocking the account; null where a price, a time or the market ended it. */
  by: z.nullable(z.enum(['PLAYER', 'SITE'])),
  /** FAILED: why its bet was refused, in words. */
  reason: z.nullable(z.string()),
  /** FIRED: the bet it became, as it was asked for and as it stands now; EXPIRE has none. */
  bet: z.nullable(
    z.object({
      odd: odds(),
      stake: minor(),
      matched: minor(),
      /** Average price of the matched part; 0 while nothing is matched. */
      oddsMatched: odds(),
    }),
  ),
});
export type ConditionalEnd = z.output<typeof conditionalEnd>;

const endFilters = {
  endedAt: filterText(),
  /** The market. */
  betId: filterText(),
  kind: filterText(),
  status: filterText(),
  code: filterText(),
  /** Part of the name of event or market. */
  keyword: keyword(),
};

/** Which of them a kind needs says its summary; what is missing or does not belong to it is refused. */
export const conditionalBody = z.strictObject({
  key: key(),
  /** The market. */
  betId: id(),
  kind: z.enum(['STOP', 'PROFIT', 'TRAIL', 'OFFSET', 'EXPIRE']),
  runnerId: z.optional(id()),
  bettingType: z.optional(z.enum(['BACK', 'LAY'])),
  trigger: z.optional(odds().check(z.minimum(101), z.maximum(100_000))),
  odd: z.optional(odds().check(z.minimum(101), z.maximum(100_000))),
  stake: z.optional(stakeMinor()),
  ticks: z.optional(ticks()),
  slip: z.optional(ticks()),
  /** OFFSET, EXPIRE: the bet. */
  id: z.optional(id()),
  /** OFFSET: the stake that brings the same whatever wins, in place of what was matched. */
  level: z.optional(z.boolean()),
  /** EXPIRE: how long what is unmatched may wait. */
  seconds: z.optional(lifeSeconds()),
  persistence: z.optional(z.enum(['LAPSE', 'PERSIST'])),
  /** Another waiting order of the player in the market: the first of them that fires ends the others. */
  link: z.optional(id()),
});
export type ConditionalBody = z.output<typeof conditionalBody>;

/** Orders that the server holds for a trader, and ways out of a position. */
export const trader = {
  conditionals: call('trader.conditionals', {
    method: 'GET',
    path: '/bet/conditional',
    who: 'player',
    summary: 'Orders that wait for a price, a match or a time: of one market, or all, oldest first.',
    query: z.strictObject({ betId: z.optional(idText()) }),
    reply: z.array(conditionalOrder),
  }),
  conditionalHistory: call('trader.conditionalHistory', {
    method: 'GET',
    path: '/bet/conditional/history',
    who: 'player',
    summary:
      'Such orders that are over, the latest end first: fired, failed, or ended without either. `next` is the cursor of the page behind this one, null at the end.',
    query: z.strictObject({
      ...endFilters,
      cursor: z.optional(z.string().check(z.regex(/^\d{1,15}\.\d{1,15}$/))),
      limit: limit(),
    }),
    reply: z.object({ rows: z.array(conditionalEnd), next: z.nullable(z.string()) }),
    errors: ['BAD_FILTER'],
  }),
  conditionalFile: call('trader.conditionalFile', {
    method: 'GET',
    path: '/bet/conditional/history/file',
    who: 'player',
    summary:
      'The same as a CSV file, times by the clock of the zone, words in the language (by default the one kept with the account); at most 50,000 rows. A cell is never a formula.',
    query: z.strictObject({ ...endFilters, timeZone: timeZone(), language: z.optional(languageTag) }),
    file: CSV,
    reply: z.string(),
    errors: ['BAD_FILTER'],
  }),
  conditional: call('trader.conditional', {
    method: 'POST',
    path: '/bet/conditional',
    who: 'player',
    summary:
      'An order that the server holds and places by itself: STOP and PROFIT (runnerId, bettingType, trigger, odd, stake) at a price, TRAIL (runnerId, bettingType, ticks, slip, stake) so many ticks behind the best price since, OFFSET (id, ticks, level) on the other side once a bet is matched, EXPIRE (id, seconds) ends what is unmatched. It reserves nothing: money and limits are those of the moment it fires.',
    body: conditionalBody,
    reply: z.object({ order: conditionalOrder }),
    errors: [
      ...orderErrors,
      'BET_UNKNOWN',
      'BET_NOT_OPEN',
      'CONDITION_MET',
      'CONDITIONAL_LIMIT',
      'CONDITIONAL_UNKNOWN',
      'AMOUNT_INVALID',
    ],
    keyed: true,
    line: true,
  }),
  cancelConditional: call('trader.cancelConditional', {
    method: 'POST',
    path: '/bet/conditional/cancel',
    who: 'player',
    summary: 'Takes back one waiting order (id), those of a market (betId), or all.',
    body: z.strictObject({ key: key(), id: z.optional(id()), betId: z.optional(id()) }),
    reply: z.object({ cancelled: z.int() }),
    errors: ['CONDITIONAL_UNKNOWN', 'MARKET_UNKNOWN', 'BUSY', 'UNAVAILABLE'],
    keyed: true,
    line: true,
  }),
  hedge: call('trader.hedge', {
    method: 'POST',
    path: '/bet/hedge',
    who: 'player',
    summary:
      'Closes a position, or that on one runner, or a part of it, at the prices of this moment: whole or not at all. `least`: refused as PRICE_CHANGED where its worst result after it, less commission, would be lower.',
    body: z.strictObject({
      key: key(),
      /** The market. */
      betId: id(),
      runnerId: z.optional(id()),
      /** How much of the position; all where it is not said. */
      percent: z.optional(percent()),
      /** Instead: the part with so much of its exposure (what it loses at worst). */
      amount: z.optional(stakeMinor()),
      least: z.optional(minor()),
      /** Waiting bets and orders in the market go with it; they stay when it is refused. */
      cancel: z.boolean(),
    }),
    reply: z.object({
      /** The bets placed, then those cancelled. */
      bets: z.array(placedBet),
      cancelled: z.array(placedBet),
      wallet: betAnswer.def.shape.wallet,
    }),
    errors: [...orderErrors, 'HEDGE_WAITING', 'NO_POSITION'],
    keyed: true,
    line: true,
  }),
};
