import * as z from 'zod/mini';
import { betAnswer, orderErrors, placedBet } from './bets.ts';
import { call, id, idText, key, minor, odds, stakeMinor } from './call.ts';

const ticks = () => z.int().check(z.minimum(0), z.maximum(100), z.meta({ unit: 'ticks of the ladder' }));
const percent = () => z.int().check(z.minimum(1), z.maximum(100), z.meta({ unit: 'percent' }));

/** A conditional order as its owner sees it; null is what its kind has not. */
export const conditionalOrder = z.object({
  id: z.int(),
  /** The market. */
  betId: z.int(),
  matchId: z.int(),
  eventName: z.string(),
  eventType: z.string(),
  bettingName: z.string(),
  runnerId: z.int(),
  teamName: z.string(),
  kind: z.enum(['STOP', 'PROFIT', 'TRAIL', 'OFFSET', 'EXPIRE']),
  /** Of the bet to come; of EXPIRE that of the bet it ends. */
  bettingType: z.enum(['BACK', 'LAY']),
  /** The price that meets it; of a trailing stop as it stands now, null before it saw a price. */
  trigger: z.nullable(odds()),
  /** The limit of the bet to come. */
  odd: z.nullable(odds()),
  ticks: z.nullable(ticks()),
  slip: z.nullable(ticks()),
  stake: z.nullable(minor()),
  level: z.nullable(z.boolean()),
  persistence: z.enum(['LAPSE', 'PERSIST']),
  /** The bet that it waits for. */
  forBet: z.nullable(z.int()),
  dueAt: z.nullable(z.string()),
  /** Orders of one number go with the first of them that fires. */
  link: z.nullable(z.int()),
  createdAt: z.string(),
  status: z.enum(['WAITING', 'FIRED', 'FAILED', 'ENDED']),
  /** FIRED: the bet it became. */
  placed: z.nullable(z.int()),
  /** FAILED: the code a bet would have been refused with. ENDED: why it is over. */
  code: z.nullable(z.string()),
});
export type ConditionalOrder = z.output<typeof conditionalOrder>;

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
  seconds: z.optional(z.int().check(z.minimum(1), z.maximum(3600), z.meta({ unit: 'seconds' }))),
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
